/* A spelling is walked with an odometer: one digit for each of its alternatives. What the user
 * wrote is matched against each text that comes out, and the qualifiers behind it one by one. There
 * are some seventy words, so nothing is looked up in any cleverer way. */
#include "generate/gen_words.h"

#include "base/diag.h"

#include <string.h>

struct row {
    const char *spelling;
    uint32_t qualifiers;
    const char *source, *target, *relation, *says;
};

static const struct row rows[] = {
#define X(identifier, ...) {__VA_ARGS__},
    GEN_WORDS(X)
#undef X
};

enum { MOST_TEXT = 64 };

/* ---- Spellings ---- */

/* The text of a spelling under choices; *counts is how many alternatives each has, if wanted. */
static void spell(const char *spelling, const uint8_t choice[GEN_MOST_CHOICES],
                  char text[MOST_TEXT], uint8_t counts[GEN_MOST_CHOICES])
{
    size_t length = 0, group = 0;
    memset(counts, 1, GEN_MOST_CHOICES);
    for (const char *at = spelling; *at; at++) {
        if (*at != '(') {
            text[length++] = *at;
            continue;
        }
        uint8_t number = 0;
        for (at++; *at != ')'; at++)
            if (*at == '|')
                number++;
            else if (number == choice[group])
                text[length++] = *at;
        counts[group++] = (uint8_t)(number + 1);
    }
    BASE_CHECK(length < MOST_TEXT && group <= GEN_MOST_CHOICES);
    text[length] = '\0';
}

/* The next choices; false behind the last. */
static bool advance(uint8_t choice[GEN_MOST_CHOICES], const uint8_t counts[GEN_MOST_CHOICES])
{
    for (size_t i = GEN_MOST_CHOICES; i-- > 0;) {
        if (++choice[i] < counts[i])
            return true;
        choice[i] = 0;
    }
    return false;
}

/* Does a text fit a pattern in which `*` is any letters? No more than one `*` is tried at a time.
 */
static bool fits(const char *pattern, size_t length, const char *text)
{
    const char *end = pattern + length, *star = NULL, *resume = NULL;
    while (*text) {
        if (pattern < end && *pattern == '*') {
            star = ++pattern;
            resume = text;
        } else if (pattern < end && *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++resume;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

/* ---- Words of a text ---- */

/* A text that is matched: the word, then its qualifiers. */
struct match {
    const struct gen_vocabulary *vocabulary;
    const char *text, *end;
    size_t length; /* of the word alone */
    gen_word_vec *words;
};

static bool may_be_scope(const struct match *match, const struct gen_word *word, uint32_t scope)
{
    switch (rows[word->kind].qualifiers) {
    case GEN_PLACED: return scope != LIT_SCOPE_WI;
    case GEN_SCOPED:
        return word->kind != GEN_WORD_FAMILY ||
               match->vocabulary->families[word->family].scopes >> scope & 1;
    default: return false;
    }
}

/* What stands behind the word: nothing, or one qualifier. */
static void add_qualified(const struct match *match, struct gen_word word)
{
    const char *rest = match->text + match->length;
    if (rest == match->end) {
        VEC_PUSH(match->words, word);
        return;
    }
    size_t length = (size_t)(match->end - ++rest);
    if (rows[word.kind].qualifiers == GEN_ALONE && fits(rest, length, "alone")) {
        word.alone = 1;
        VEC_PUSH(match->words, word);
        return;
    }
    for (uint32_t scope = 0; scope < LIT_SCOPE_COUNT; scope++)
        if (may_be_scope(match, &word, scope) &&
            fits(rest, length, gen_scope_text((enum lit_scope)scope))) {
            word.scope = (uint8_t)scope;
            VEC_PUSH(match->words, word);
        }
}

static void match_row(const struct match *match, uint32_t kind)
{
    struct gen_word word = {.kind = (uint8_t)kind, .scope = GEN_UNSAID};
    uint8_t counts[GEN_MOST_CHOICES];
    char text[MOST_TEXT];
    do {
        spell(rows[kind].spelling, word.choice, text, counts);
        if (fits(match->text, match->length, text))
            add_qualified(match, word);
    } while (advance(word.choice, counts));
}

/* What every mechanism has, and marks of transactions, have words of their own. */
static bool is_own(const struct gen_vocabulary *vocabulary, uint32_t family)
{
    return !gen_is_language(vocabulary->families[family].name, GEN_LANGUAGE) &&
           !(vocabulary->families[family].traits & (GEN_OPENS | GEN_CLOSES));
}

/* Persist barriers and transactions are not in every vocabulary. */
static bool has_kind(const struct gen_vocabulary *vocabulary, uint32_t kind)
{
    uint32_t marks = 0;
    for (uint32_t i = 0; i < vocabulary->family_count; i++)
        marks |= vocabulary->families[i].traits & (GEN_OPENS | GEN_CLOSES);
    if (kind == GEN_WORD_PB)
        return gen_family_find(vocabulary, "p_barrier") < vocabulary->family_count;
    return (kind != GEN_WORD_TX && kind != GEN_WORD_ALONE) || marks;
}

void gen_words_match(const struct gen_vocabulary *vocabulary, const char *text, size_t length,
                     gen_word_vec *words)
{
    const char *point = memchr(text, '.', length);
    struct match match = {.vocabulary = vocabulary,
                          .text = text,
                          .end = text + length,
                          .length = point ? (size_t)(point - text) : length,
                          .words = words};
    if (length == 0)
        return;
    for (uint32_t kind = 0; kind < GEN_WORD_FAMILY; kind++)
        if (has_kind(vocabulary, kind))
            match_row(&match, kind);
    for (uint32_t i = 0; i < vocabulary->family_count; i++)
        if (is_own(vocabulary, i) && fits(text, match.length, vocabulary->families[i].name))
            add_qualified(&match, (struct gen_word){.kind = GEN_WORD_FAMILY,
                                                    .scope = GEN_UNSAID,
                                                    .family = (uint8_t)i});
}

const char *gen_words_nearest(struct arena *arena, const struct gen_vocabulary *vocabulary,
                              const char *text)
{
    VEC(const char *) names = {0};
    const char *bare = arena_strndup(arena, text, strcspn(text, "."));
    for (uint32_t kind = 0; kind < GEN_WORD_FAMILY; kind++) {
        uint8_t choice[GEN_MOST_CHOICES] = {0}, counts[GEN_MOST_CHOICES];
        char spelt[MOST_TEXT];
        if (!has_kind(vocabulary, kind))
            continue;
        do {
            spell(rows[kind].spelling, choice, spelt, counts);
            VEC_PUSH(&names, arena_strdup(arena, spelt));
        } while (advance(choice, counts));
    }
    for (uint32_t i = 0; i < vocabulary->family_count; i++)
        if (is_own(vocabulary, i))
            VEC_PUSH(&names, vocabulary->families[i].name);
    const char *near = diag_nearest(bare, names.items, names.count);
    VEC_FREE(&names);
    return near;
}

void gen_word_add(const struct gen_vocabulary *vocabulary, const struct gen_word *word,
                  struct strbuf *out)
{
    uint8_t counts[GEN_MOST_CHOICES];
    char text[MOST_TEXT];
    spell(rows[word->kind].spelling, word->choice, text, counts);
    strbuf_add(out, word->kind == GEN_WORD_FAMILY ? vocabulary->families[word->family].name : text);
    if (word->alone)
        strbuf_add(out, ".alone");
    if (word->scope != GEN_UNSAID)
        strbuf_printf(out, ".%s", gen_scope_text((enum lit_scope)word->scope));
}

int gen_word_order(const struct gen_word *a, const struct gen_word *b)
{
    const uint8_t left[] = {a->kind,  a->choice[0], a->choice[1], a->choice[2],
                            a->scope, a->alone,     a->family};
    const uint8_t right[] = {b->kind,  b->choice[0], b->choice[1], b->choice[2],
                             b->scope, b->alone,     b->family};
    return memcmp(left, right, sizeof left);
}

void gen_words_list(struct strbuf *out)
{
    static const char *const qualifiers[] = {"", "`.PLACE`", "`.SCOPE`", "`.alone`"};
    strbuf_add(out, "| word | behind it | relation | what it says |\n|---|---|---|---|\n");
    for (uint32_t kind = 0; kind < GEN_WORD_COUNT; kind++) {
        strbuf_add(out, "| ");
        strbuf_add(out, kind == GEN_WORD_FAMILY ? "a name" : "`");
        for (const char *at = rows[kind].spelling; *at; at++) /* a bar ends a cell */
            strbuf_printf(out, *at == '|' ? "\\%c" : "%c", *at);
        strbuf_printf(out, "%s | %s | `%s` | %s |\n", kind == GEN_WORD_FAMILY ? "" : "`",
                      qualifiers[rows[kind].qualifiers], rows[kind].relation, rows[kind].says);
    }
}

void gen_words_list_vocabularies(struct gen_vocabularies *all, struct strbuf *out)
{
    const char *names[GEN_MAX_VOCABULARIES];
    size_t count = gen_vocabulary_names(all->arena, names);
    strbuf_add(out, "| vocabulary | words of its own | instructions by name |\n|---|---|---|\n");
    for (size_t n = 0; n < count; n++) {
        const struct gen_vocabulary *v = gen_vocabulary_find(all, names[n]);
        strbuf_printf(out, "| `%s` | %s |", v->name,
                      has_kind(v, GEN_WORD_PB)   ? "`PB`"
                      : has_kind(v, GEN_WORD_TX) ? "`Tx` `Tx1`"
                                                 : "");
        for (uint32_t i = 0; i < v->family_count; i++)
            if (is_own(v, i))
                strbuf_printf(out, " `%s`", v->families[i].name);
        strbuf_add(out, " |\n");
    }
}

/* ---- What a word is ---- */

#define OF(kind) (1u << GEN_WORD_##kind)
enum { OUTWARD = OF(RFE) | OF(WSE) | OF(FRE), INWARD = OF(RFI) | OF(WSI) | OF(FRI) };

bool gen_word_communicates(const struct gen_word *word)
{
    return (OUTWARD | INWARD) >> word->kind & 1;
}

bool gen_word_leaves(const struct gen_word *word)
{
    return (OUTWARD | OF(GAP) | OF(CRASH)) >> word->kind & 1;
}

/* Of Po and Dp the first choice is s or d. */
static bool says_location(const struct gen_word *word)
{
    return word->kind >= GEN_WORD_PO && word->kind <= GEN_WORD_CTRL;
}

bool gen_word_stays(const struct gen_word *word)
{
    return gen_word_communicates(word) || word->kind == GEN_WORD_RMW ||
           (says_location(word) && word->choice[0] == 0);
}

bool gen_word_moves(const struct gen_word *word)
{
    return word->kind == GEN_WORD_GAP || (says_location(word) && word->choice[0] == 1);
}

static const char *direction(const struct gen_word *word, const char *end)
{
    bool is_choice = *end >= '0' && *end <= '9';
    return !is_choice ? end : word->choice[*end - '0'] ? "R" : "W";
}

const char *gen_word_source(const struct gen_word *word)
{
    return direction(word, rows[word->kind].source);
}

const char *gen_word_target(const struct gen_word *word)
{
    return direction(word, rows[word->kind].target);
}

bool gen_word_is_inserted(const struct gen_vocabulary *vocabulary, const struct gen_word *word)
{
    if (word->kind == GEN_WORD_FAMILY)
        return vocabulary->families[word->family].class >= GEN_LINE;
    return word->kind == GEN_WORD_PB || word->kind == GEN_WORD_FENCE || word->kind == GEN_WORD_SYNC;
}

enum lit_order gen_word_memory_order(const struct gen_word *word)
{
    static const enum lit_order of_access[] = {LIT_ORDER_NA,  LIT_ORDER_RLX,     LIT_ORDER_ACQ,
                                               LIT_ORDER_REL, LIT_ORDER_ACQ_REL, LIT_ORDER_SC};
    static const enum lit_order of_fence[] = {LIT_ORDER_ACQ, LIT_ORDER_REL, LIT_ORDER_ACQ_REL,
                                              LIT_ORDER_SC};
    return (word->kind == GEN_WORD_FENCE ? of_fence : of_access)[word->choice[0]];
}
