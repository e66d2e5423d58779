/* Each hole is settled: its kind, and the values that its place and its limits leave. Then holes of
 * one name become one choice, with the values that all of them have. */
#include "sketch/sketch_scan.h"

#include <string.h>

enum { MOST_HOLES = 1 << 14 };

struct reading {
    struct arena *arena;
    struct diag *diag;
    struct lit_holes *holes;
    const char *kinds; /* of slots without limits */
    VEC(struct sketch_choice) choices;
};

#define FAULT(reading, hole, ...) \
    diag_error((reading)->diag, DIAG_LIT_HOLE, (hole)->place.span, __VA_ARGS__)

static const char *const kind_names[] = {"scope", "memory order", "tag", "statement that may go",
                                         "slot"};

/* ---- Kinds ---- */

static const struct lit_hole *settled_of(const struct reading *reading, const char *name)
{
    const struct lit_hole *holes = reading->holes->items.items;
    for (size_t i = 0; name && i < reading->holes->items.count; i++)
        if (holes[i].name && strcmp(holes[i].name, name) == 0 && !holes[i].is_word)
            return &holes[i];
    return NULL;
}

static bool settle(struct lit_hole *hole, enum sketch_open_kind kind)
{
    if (!hole->may_be[kind])
        return false;
    hole->kind = kind;
    hole->is_word = false;
    return true;
}

/* By what stands in the text alone. */
static void settle_alone(struct lit_hole *hole)
{
    uint32_t kinds = 0, last = 0;
    if (!hole->is_word)
        return;
    for (uint32_t kind = 0; kind < 3; kind++)
        if (hole->may_be[kind]) {
            kinds++;
            last = kind;
        }
    if (kinds == 1)
        (void)settle(hole, (enum sketch_open_kind)last);
    else if (hole->list_count)
        (void)settle(hole, sketch_kind(hole->list[0]));
}

/* By the other holes of its name, or the order of arguments. */
static void settle_together(struct reading *reading, struct lit_hole *hole)
{
    if (!hole->is_word)
        return;
    const struct lit_hole *other = settled_of(reading, hole->name);
    if (other && other->kind <= LIT_OPEN_TAG && settle(hole, other->kind))
        return;
    if (hole->vague)
        FAULT(reading, hole,
              "found a hole that may be a scope, a memory order or a tag; say which by its limits, "
              "as in %s in {wi, wg}",
              hole->name ? arena_printf(reading->arena, "?%s", hole->name) : "?");
    else if (!settle(hole, LIT_OPEN_ORDER))
        (void)settle(hole, LIT_OPEN_SCOPE);
}

/* ---- Values ---- */

static void list_values(struct sketch_open_values values, struct strbuf *out)
{
    for (uint32_t i = 0; i < values.count; i++)
        strbuf_printf(out, "%s%s", i ? ", " : "", values.items[i].label);
}

/* A word in the limits that is no value there. */
static void report_word(struct reading *reading, const struct lit_hole *hole, const char *word,
                        struct sketch_open_values values)
{
    SCOPED(strbuf) list = {0};
    const char *near = NULL;
    if (sketch_kind(word) == LIT_OPEN_TAG)
        near = hole->table
                   ? DIAG_NEAREST(word, values.items, values.count, label)
                   : lit_word_nearest(
                         hole->kind == LIT_OPEN_SCOPE ? LIT_WORD_SCOPE : LIT_WORD_ORDER, word);
    list_values(values, &list);
    if (near)
        FAULT(reading, hole, "'%s' is no %s; did you mean '%s'? Here it can be %s", word,
              kind_names[hole->kind], near, strbuf_text(&list));
    else
        FAULT(reading, hole, "'%s' cannot be the %s here; expected %s", word,
              kind_names[hole->kind], strbuf_text(&list));
    diag_meant_by(reading->diag, hole->place.span, word, near);
}

/* Those of the values that the hole's limits name. */
static struct sketch_open_values limited(struct reading *reading, const struct lit_hole *hole,
                                         struct sketch_open_values values)
{
    struct sketch_open_value *items =
        ARENA_ARRAY(reading->arena, struct sketch_open_value, values.count);
    uint64_t named = 0;
    for (uint32_t i = 0; i < hole->list_count; i++) {
        uint32_t v = 0;
        while (v < values.count && !sketch_means(hole->kind, hole->list[i], &values.items[v]))
            v++;
        if (v == values.count && hole->list[i][0])
            report_word(reading, hole, hole->list[i], values);
        else if (v < values.count)
            named |= UINT64_C(1) << v;
    }
    uint32_t count = 0;
    for (uint32_t v = 0; v < values.count; v++)
        if (named >> v & 1)
            items[count++] = values.items[v];
    return (struct sketch_open_values){items, count};
}

static struct sketch_open_values presence(struct reading *reading, const struct lit_hole *hole)
{
    struct sketch_open_value values[] = {{.text = hole->only ? ";" : "", .label = "left out"},
                                         {.label = "there", .meaning = 1}};
    return (struct sketch_open_values){arena_copy(reading->arena, values, sizeof values), 2};
}

/* Nothing is an empty statement where one has to be. */
static struct sketch_open_values standing(struct reading *reading, struct sketch_open_values values)
{
    struct sketch_open_value *items =
        arena_copy(reading->arena, values.items, values.count * sizeof *items);
    items[LIT_LEFT_OUT].text = ";";
    return (struct sketch_open_values){items, values.count};
}

/* Tags are those of its limits, or of another place's of its name. */
static struct sketch_open_values tags(struct reading *reading, const struct lit_hole *hole)
{
    const struct lit_hole *holes = reading->holes->items.items, *with = hole;
    for (size_t i = 0; !with->list && hole->name && i < reading->holes->items.count; i++)
        if (holes[i].list && text_same(holes[i].name, hole->name))
            with = &holes[i];
    for (uint32_t i = 0; i < with->list_count; i++)
        if (sketch_kind(with->list[i]) != LIT_OPEN_TAG)
            FAULT(reading, with, "'%s' is no tag, as the other words here are; keep to one kind",
                  with->list[i]);
    return sketch_tags(reading->holes, with->list, with->list_count);
}

static struct sketch_open_values values_of(struct reading *reading, const struct lit_hole *hole)
{
    switch (hole->kind) {
    case LIT_OPEN_SCOPE:
    case LIT_OPEN_ORDER:
        return hole->list ? limited(reading, hole, hole->can[hole->kind]) : hole->can[hole->kind];
    case LIT_OPEN_TAG: return tags(reading, hole);
    case LIT_OPEN_PRESENCE: return presence(reading, hole);
    case LIT_OPEN_SLOT:
    case LIT_OPEN_SWAP: break;
    }
    struct sketch_open_values values =
        hole->list ? sketch_statements(reading->arena, hole->list, hole->list_count, hole->writing)
                   : sketch_kinds(reading->arena, reading->kinds, hole->writing);
    return hole->only ? standing(reading, values) : values;
}

/* ---- Choices ---- */

/* The values of both, with the words of the second. */
static struct sketch_open_values both(struct arena *arena, struct sketch_open_values a,
                                      struct sketch_open_values b)
{
    struct sketch_open_value *items = ARENA_ARRAY(arena, struct sketch_open_value, a.count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < a.count; i++)
        for (uint32_t j = 0; j < b.count; j++)
            if (sketch_same(&a.items[i], &b.items[j]))
                items[count++] = b.items[j];
    return (struct sketch_open_values){items, count};
}

/* The holes of one choice, linked. */
struct member {
    struct lit_hole *hole;
    struct sketch_open_values values;
    struct member *next;
};

/* A memory order in braces that may be none: the comma beside it goes with it. */
static bool widen(const struct lit_hole *hole, struct sketch_open_values values)
{
    return hole->kind == LIT_OPEN_ORDER && hole->wide_end && values.items[0].text[0] == '\0';
}

static const char *widened(struct reading *reading, const struct lit_hole *hole, const char *text)
{
    const char *source = hole->place.span.source->text;
    if (text[0] == '\0')
        return text;
    return arena_printf(reading->arena, "%.*s%s%.*s", (int)(hole->place.begin - hole->wide_begin),
                        source + hole->wide_begin, text, (int)(hole->wide_end - hole->place.end),
                        source + hole->place.end);
}

static void add_place(struct reading *reading, struct sketch_open_values common,
                      const struct member *member, struct sketch_open_place *place)
{
    const struct lit_hole *hole = member->hole;
    const char **texts = ARENA_ARRAY(reading->arena, const char *, common.count);
    struct sketch_open_values own = both(reading->arena, common, member->values);
    bool wide = widen(hole, common);
    for (uint32_t v = 0; v < common.count; v++)
        texts[v] = wide ? widened(reading, hole, own.items[v].text) : own.items[v].text;
    *place = hole->place;
    place->texts = texts;
    if (wide) {
        place->begin = hole->wide_begin;
        place->end = hole->wide_end;
    }
}

static bool agree(struct reading *reading, const struct lit_hole *first,
                  const struct lit_hole *hole, struct sketch_open_values common)
{
    if (hole->kind != first->kind)
        FAULT(reading, hole,
              "'?%s' is a %s here, and a %s where it stands first; give one of them "
              "another name",
              hole->name, kind_names[hole->kind], kind_names[first->kind]);
    else if (!common.count)
        FAULT(reading, hole,
              "nothing that '?%s' may be where it stands first can stand here; give "
              "one of them another name",
              hole->name);
    else
        return true;
    diag_note(reading->diag, first->place.span, "'?%s' stands here first", hole->name);
    return false;
}

static const uint64_t *order_of(const struct reading *reading, enum sketch_open_kind kind,
                                struct sketch_open_values values)
{
    return kind == LIT_OPEN_TAG
               ? sketch_tag_order(reading->holes, values.items, values.count)
               : sketch_choice_order(reading->arena, kind, values.items, values.count);
}

static void add_choice(struct reading *reading, const struct member *first,
                       struct sketch_open_values common, uint32_t place_count)
{
    struct sketch_open_place *places =
        ARENA_ARRAY(reading->arena, struct sketch_open_place, place_count);
    uint32_t count = 0;
    for (const struct member *at = first; at; at = at->next)
        add_place(reading, common, at, &places[count++]);
    const struct lit_hole *hole = first->hole;
    VEC_PUSH(&reading->choices,
             (struct sketch_choice){.kind = hole->kind,
                                    .name = hole->name,
                                    .values = common.items,
                                    .value_count = common.count,
                                    .below = order_of(reading, hole->kind, common),
                                    .places = places,
                                    .place_count = count,
                                    .original = -1});
}

/* All holes of the name of the one at `at`, which is the first of it. */
static void choose(struct reading *reading, size_t at)
{
    struct lit_hole *hole = &reading->holes->items.items[at];
    struct member *first =
        ARENA_MAKE(reading->arena, struct member, hole, values_of(reading, hole), NULL);
    struct member *last = first;
    struct sketch_open_values common = first->values;
    uint32_t count = 1;
    for (size_t i = at + 1; hole->name && i < reading->holes->items.count; i++) {
        struct lit_hole *other = &reading->holes->items.items[i];
        if (!other->name || strcmp(other->name, hole->name) != 0)
            continue;
        struct member *next =
            ARENA_MAKE(reading->arena, struct member, other, values_of(reading, other), NULL);
        struct sketch_open_values left = both(reading->arena, next->values, common);
        if (!agree(reading, hole, other, left))
            continue;
        common = left;
        last = last->next = next;
        count++;
    }
    if (common.count > LIT_MOST_OPEN_VALUES)
        FAULT(reading, hole, "this hole has %u values, and %d are the most", common.count,
              LIT_MOST_OPEN_VALUES);
    else if (common.count)
        add_choice(reading, first, common, count);
}

static bool is_first(const struct reading *reading, size_t at)
{
    const char *name = reading->holes->items.items[at].name;
    for (size_t i = 0; name && i < at; i++)
        if (text_same(reading->holes->items.items[i].name, name))
            return false;
    return true;
}

static void choose_all(struct reading *reading)
{
    for (size_t i = 0; i < reading->holes->items.count; i++)
        settle_alone(&reading->holes->items.items[i]);
    for (size_t i = 0; i < reading->holes->items.count; i++)
        settle_together(reading, &reading->holes->items.items[i]);
    for (size_t i = 0; i < reading->holes->items.count; i++)
        if (reading->choices.count <= LIT_MOST_CHOICES && is_first(reading, i))
            choose(reading, i);
}

bool sketch_choose(struct lit_holes *holes, const char *kinds, struct sketch *sketch)
{
    uint32_t errors = holes->diag->errors;
    struct reading reading = {
        .arena = holes->arena, .diag = holes->diag, .holes = holes, .kinds = kinds};
    if (holes->items.count > MOST_HOLES)
        FAULT(&reading, &holes->items.items[MOST_HOLES],
              "%d holes stand before this one, and that is the most", MOST_HOLES);
    else
        choose_all(&reading);
    sketch->choices = VEC_KEEP(holes->arena, &reading.choices);
    sketch->choice_count = (uint32_t)reading.choices.count;
    if (sketch->choice_count > LIT_MOST_CHOICES)
        diag_error(holes->diag, DIAG_LIT_HOLE, sketch->choices[LIT_MOST_CHOICES].places[0].span,
                   "%d holes that are one choice each stand before this one, and that is the most",
                   LIT_MOST_CHOICES);
    VEC_FREE(&reading.choices);
    return holes->diag->errors == errors;
}
