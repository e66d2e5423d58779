#include "place/place_weigh.h"

#include "base/vec.h"
#include "litmus/lit_dialect.h"
#include "litmus/lit_words.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void place_weights_init(struct place_weights *weights)
{
    static const uint32_t orders[] = {[LIT_ORDER_RLX] = 0,
                                      [LIT_ORDER_ACQ] = 1,
                                      [LIT_ORDER_REL] = 1,
                                      [LIT_ORDER_ACQ_REL] = 2,
                                      [LIT_ORDER_SC] = 4};
    *weights = (struct place_weights){.statement = 1000};
    for (uint32_t scope = 0; scope < LIT_SCOPE_COUNT; scope++)
        weights->scopes[scope] = UINT32_C(1) << scope;
    memcpy(weights->orders, orders, sizeof orders);
}

/* ---- Words ---- */

/* The word of C-like dialects for a scope that a table writes in another way. */
static const char *plain(const char *word)
{
    static const char *const words[][2] = {
        {"thread", "wi"}, {"cta", "wg"}, {"gpu", "dev"}, {"gl", "dev"}, {"sys", "all"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], word) == 0)
            return words[i][1];
    return strncmp(word, "p_barrier_", 10) == 0 ? word + 10 : word;
}

/* The order or scope that the word is in any spelling; else OTHER. */
static enum lit_word_class class_of(struct arena *arena, const char *word, uint32_t *value)
{
    static const char *const orders[] = {"%s", "memory_order_%s", "mo_%s"};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        struct strbuf text = {0};
        strbuf_add_bytes(&text, orders[i], strlen(orders[i]) - 2);
        strbuf_add(&text, word);
        bool is = lit_word_class(strbuf_take(&text, arena), value) == LIT_WORD_ORDER;
        if (is)
            return LIT_WORD_ORDER;
    }
    enum lit_word_class kind = lit_word_class(plain(word), value);
    return kind == LIT_WORD_SCOPE ? kind : LIT_WORD_OTHER;
}

static const uint32_t *find_named(const struct place_weights *weights, const char *word)
{
    for (uint32_t i = 0; i < weights->named_count; i++)
        if (strcmp(weights->named[i].word, word) == 0)
            return &weights->named[i].weight;
    return NULL;
}

/* ---- A file of them ---- */

static bool read_number(const char *text, uint32_t *number)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    *number = (uint32_t)value;
    return isdigit((unsigned char)*text) && !*end && !errno && value <= PLACE_MAX_WEIGHT;
}

/* Is it the first weight of its word? Else it is reported. */
static bool is_first(uint32_t *line, struct span span, const char *word, struct diag *diag)
{
    if (*line)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, span,
                   "'%s' is weighed a second time: line %u says what it weighs; leave one away",
                   word, *line);
    else
        *line = span.line;
    return *line == span.line;
}

static bool set_named(struct place_weights *weights, const struct place_weight *weight,
                      struct diag *diag)
{
    for (uint32_t i = 0; i < weights->named_count; i++)
        if (strcmp(weights->named[i].word, weight->word) == 0)
            return is_first(&weights->named[i].span.line, weight->span, weight->word, diag);
    if (weights->named_count == PLACE_MOST_WEIGHTS) {
        diag_error(diag, DIAG_CLI_OPTION_VALUE, weight->span, "more than %d names have weights",
                   PLACE_MOST_WEIGHTS);
        return false;
    }
    weights->named[weights->named_count++] = *weight;
    return true;
}

static bool set(struct place_weights *weights, struct arena *arena,
                const struct place_weight *weight, struct diag *diag)
{
    uint32_t value, *number = NULL, *line = NULL;
    bool named = strncmp(weight->word, "p_barrier_", 10) == 0;
    enum lit_word_class kind = named ? LIT_WORD_OTHER : class_of(arena, weight->word, &value);
    if (strcmp(weight->word, "statement") == 0) {
        number = &weights->statement;
        line = &weights->statement_line;
    } else if (kind == LIT_WORD_ORDER) {
        number = &weights->orders[value];
        line = &weights->order_lines[value];
    } else if (kind == LIT_WORD_SCOPE) {
        number = &weights->scopes[value];
        line = &weights->scope_lines[value];
    }
    if (!number)
        return set_named(weights, weight, diag);
    *number = weight->weight;
    return is_first(line, weight->span, weight->word, diag);
}

static bool read_line(struct place_weights *weights, struct arena *arena, char *line,
                      struct span span, struct diag *diag)
{
    struct place_weight weight;
    line[strcspn(line, "#")] = '\0';
    char *rest, *word = strtok_r(line, " \t\r", &rest);
    if (!word)
        return true;
    char *number = strtok_r(NULL, " \t\r", &rest), *more = strtok_r(NULL, " \t\r", &rest);
    if (!number || more || !read_number(number, &weight.weight)) {
        diag_error(diag, DIAG_CLI_OPTION_VALUE, span,
                   "expected a word and its weight, from 0 to %d, such as 'statement 1000' or "
                   "'wg 4'",
                   PLACE_MAX_WEIGHT);
        return false;
    }
    weight.word = word;
    weight.span = span;
    weight.span.column = (uint32_t)(word - line) + 1;
    weight.span.end_column = weight.span.column + (uint32_t)strlen(word);
    return set(weights, arena, &weight, diag);
}

bool place_weights_read(struct place_weights *weights, struct arena *arena,
                        const struct source *source, struct diag *diag)
{
    bool good = true;
    size_t length;
    const char *end = source->text + source->length, *text;
    for (uint32_t line = 1; (text = source_line(source, line, &length)) && text < end; line++) {
        const struct span span = {source, line, 1, line, (uint32_t)length + 1};
        good &= read_line(weights, arena, arena_strndup(arena, text, length), span, diag);
    }
    return good;
}

/* ---- Fillings ---- */

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The weight of the words of a text; sets `named` if one of them has a weight of its own. */
static uint64_t weigh_words(const struct place_weights *weights, struct arena *arena,
                            const char *text, bool *named)
{
    uint64_t sum = 0;
    while (*text) {
        size_t length = 0;
        uint32_t value;
        while (is_of_word(text[length]))
            length++;
        const char *word = arena_strndup(arena, text, length);
        const uint32_t *own = length ? find_named(weights, word) : NULL;
        enum lit_word_class kind = length ? class_of(arena, word, &value) : LIT_WORD_OTHER;
        *named |= own != NULL;
        sum += own                      ? *own
               : kind == LIT_WORD_ORDER ? weights->orders[value]
               : kind == LIT_WORD_SCOPE ? weights->scopes[value]
                                        : 0;
        text += length ? length : 1;
    }
    return sum;
}

static const char *text_at(struct arena *arena, const struct sketch *sketch,
                           const struct sketch_choice *choice,
                           const struct sketch_open_place *place, uint8_t value)
{
    const char *text = sketch_open_text(choice, place, value);
    const char *source = sketch->files[place->file]->text;
    if (text)
        return text;
    return arena_strndup(arena, source + place->inner_begin, place->inner_end - place->inner_begin);
}

/* `whole`: it is a statement, if anything. */
static uint64_t weigh_text(const struct place_weights *weights, struct arena *arena,
                           const char *text, bool whole)
{
    bool named = false;
    uint64_t sum = weigh_words(weights, arena, text, &named);
    return sum + (whole && !named && text[strspn(text, " \t\n;|")] ? weights->statement : 0);
}

static uint64_t weigh_choice(const struct place_weights *weights, struct arena *arena,
                             const struct sketch *sketch, const struct sketch_choice *choice,
                             uint8_t value)
{
    bool whole = choice->kind == LIT_OPEN_PRESENCE || choice->kind == LIT_OPEN_SLOT;
    const struct sketch_open_value *of = &choice->values[value];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < choice->place_count && !of->part_count; i++)
        sum += weigh_text(weights, arena, text_at(arena, sketch, choice, &choice->places[i], value),
                          whole);
    for (uint32_t k = 0; k < of->part_count; k++) /* at one place */
        sum += weigh_text(weights, arena, of->parts[k]->text, whole);
    return sum;
}

/* ---- Names that weigh nothing ---- */

struct names {
    struct arena *arena;
    VEC(const char *) items;
};

static void add_words(struct names *names, const char *text)
{
    while (*text) {
        size_t length = 0;
        while (is_of_word(text[length]))
            length++;
        if (length)
            VEC_PUSH(&names->items, arena_strndup(names->arena, text, length));
        text += length ? length : 1;
    }
}

/* Adds the words of what stands at a choice, or may. */
static void add_choice_words(struct names *names, const struct sketch *sketch,
                             const struct sketch_choice *choice)
{
    for (uint32_t i = 0; i < choice->place_count; i++)
        for (uint32_t v = 0; v < choice->value_count; v++)
            add_words(names, text_at(names->arena, sketch, choice, &choice->places[i], (uint8_t)v));
}

/* Adds the words of what any test may have, and this one. */
static void add_known(struct names *names, const struct sketch *sketch)
{
    static const char *const plain_words[] = {"statement", "wi",  "sg",  "wg",  "kr",      "dev",
                                              "all",       "rlx", "acq", "rel", "acq_rel", "sc"};
    for (size_t i = 0; i < sizeof plain_words / sizeof *plain_words; i++)
        VEC_PUSH(&names->items, plain_words[i]);
    for (size_t i = 0; lit_dialect_at(i); i++) {
        const struct sketch_open_values all =
            sketch_kinds(names->arena, NULL, lit_dialect_at(i)->writing);
        for (uint32_t v = 1; v < all.count; v++)
            add_words(names, all.items[v].label);
    }
    for (uint32_t c = 0; c < sketch->choice_count; c++)
        add_choice_words(names, sketch, &sketch->choices[c]);
}

static bool is_known(const struct names *names, const char *word)
{
    return lit_word_function(word) || lit_word_method(word) ||
           ANY(i, names->items.count, strcmp(names->items.items[i], word) == 0);
}

void place_weights_check(const struct place_weights *weights, struct arena *arena,
                         const struct sketch *sketch, struct diag *diag)
{
    struct names names = {.arena = arena};
    add_known(&names, sketch);
    EACH (const struct place_weight, weight, weights->named, weights->named_count) {
        if (is_known(&names, weight->word))
            continue;
        const char *near = diag_nearest(weight->word, names.items.items, names.items.count);
        diag_warning(diag, DIAG_CLI_OPTION_VALUE, weight->span,
                     near ? "'%s' weighs nothing here: it is no scope, no memory order and no "
                            "instruction of the tests; did you mean '%s'?"
                          : "'%s' weighs nothing here: it is no scope, no memory order and no "
                            "instruction of the tests",
                     weight->word, near);
        diag_meant_by(diag, weight->span, weight->word, near);
    }
    VEC_FREE(&names.items);
}

/* ---- The sum ---- */

uint64_t place_weigh(const struct place_weights *weights, struct arena *arena,
                     const struct sketch *sketch, const struct sketch_filling *filling)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < sketch->choice_count; i++)
        sum += weigh_choice(weights, arena, sketch, &sketch->choices[i], filling->value[i]);
    return sum;
}

/* ---- Order ---- */

uint32_t place_changes(const struct sketch *sketch, const struct sketch_filling *filling)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < sketch->choice_count; c++)
        count +=
            sketch->choices[c].original >= 0 && filling->value[c] != sketch->choices[c].original;
    return count;
}

struct rank {
    uint64_t changes, weight;
    uint32_t number;
};

static int by_rank(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;
    if (x->changes != y->changes)
        return x->changes < y->changes ? -1 : 1;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

void place_order(const struct place_weights *weights, struct arena *arena,
                 struct placement *placement, bool by_changes)
{
    struct rank *ranks = ARENA_ARRAY(arena, struct rank, placement->count);
    struct placement_filling *ordered =
        ARENA_ARRAY(arena, struct placement_filling, placement->count);
    for (uint32_t i = 0; i < placement->count; i++) {
        const struct sketch_filling *filling = &placement->fillings[i].filling;
        ranks[i] = (struct rank){by_changes ? place_changes(placement->sketch, filling) : 0,
                                 place_weigh(weights, arena, placement->sketch, filling), i};
    }
    if (placement->count)
        qsort(ranks, placement->count, sizeof *ranks, by_rank);
    for (uint32_t i = 0; i < placement->count; i++)
        ordered[i] = placement->fillings[ranks[i].number];
    placement->fillings = ordered;
}
