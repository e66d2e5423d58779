/* Each hole is settled: its kind, and the values that its place and its limits leave. Then holes of
 * one name become one choice, with the values that all of them have. */
#include "litmus/lit_sketch_scan.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_HOLES = 1 << 14 };

struct reading {
    struct arena *arena;
    struct diag *diag;
    const struct lit_sketch_wish *wish;
    struct lit_holes holes;
    const struct source *const *files;
    uint32_t count;
    VEC(struct lit_choice) choices;
};

#define FAULT(reading, hole, ...) \
    diag_error((reading)->diag, DIAG_LIT_HOLE, (hole)->place.span, __VA_ARGS__)

static const char *const kind_names[] = {"scope", "memory order", "tag", "statement that may go",
                                         "slot"};

/* ---- Kinds ---- */

static const struct lit_hole *settled_of(const struct reading *reading, const char *name,
                                         const struct lit_hole *end)
{
    for (const struct lit_hole *hole = reading->holes.items.items; name && hole < end; hole++)
        if (hole->name && strcmp(hole->name, name) == 0 && !hole->is_word)
            return hole;
    return NULL;
}

static bool settle(struct lit_hole *hole, enum lit_open_kind kind)
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
        (void)settle(hole, (enum lit_open_kind)last);
    else if (hole->list_count)
        (void)settle(hole, lit_sketch_kind(hole->list[0]));
}

/* By the other holes of its name, or the order of arguments. */
static void settle_together(struct reading *reading, struct lit_hole *hole)
{
    const struct lit_hole *end = reading->holes.items.items + reading->holes.items.count;
    if (!hole->is_word)
        return;
    const struct lit_hole *other = settled_of(reading, hole->name, end);
    if (other && other->kind <= LIT_OPEN_TAG && settle(hole, other->kind))
        return;
    if (!settle(hole, LIT_OPEN_ORDER))
        (void)settle(hole, LIT_OPEN_SCOPE);
}

/* ---- Values ---- */

static void list_values(struct lit_open_values values, struct strbuf *out)
{
    for (uint32_t i = 0; i < values.count; i++)
        strbuf_printf(out, "%s%s", i ? ", " : "", values.items[i].label);
}

static void report_word(struct reading *reading, const struct lit_hole *hole, const char *word,
                        struct lit_open_values values)
{
    struct strbuf list = {0};
    const char *near = DIAG_NEAREST(word, values.items, values.count, label);
    list_values(values, &list);
    FAULT(reading, hole,
          near ? "'%s' cannot be the %s here; did you mean '%s'? Expected %s"
               : "'%s' cannot be the %s here; expected %s%s",
          word, kind_names[hole->kind], near ? near : "", strbuf_text(&list));
    strbuf_fini(&list);
}

/* Those of the values that the hole's limits name. */
static struct lit_open_values limited(struct reading *reading, const struct lit_hole *hole,
                                      struct lit_open_values values)
{
    struct lit_open_value *items = ARENA_ARRAY(reading->arena, struct lit_open_value, values.count);
    uint64_t named = 0;
    for (uint32_t i = 0; i < hole->list_count; i++) {
        uint32_t v = 0;
        while (v < values.count && !lit_sketch_means(hole->kind, hole->list[i], &values.items[v]))
            v++;
        if (v == values.count)
            report_word(reading, hole, hole->list[i], values);
        else
            named |= UINT64_C(1) << v;
    }
    uint32_t count = 0;
    for (uint32_t v = 0; v < values.count; v++)
        if (named >> v & 1)
            items[count++] = values.items[v];
    return (struct lit_open_values){items, count};
}

static struct lit_open_values presence(struct reading *reading, const struct lit_hole *hole)
{
    struct lit_open_value values[] = {{hole->only ? ";" : "", "left out", 0}, {NULL, "there", 1}};
    return (struct lit_open_values){arena_copy(reading->arena, values, sizeof values), 2};
}

static struct lit_open_values values_of(struct reading *reading, const struct lit_hole *hole)
{
    switch (hole->kind) {
    case LIT_OPEN_SCOPE:
    case LIT_OPEN_ORDER:
    case LIT_OPEN_TAG:
        return hole->list ? limited(reading, hole, hole->can[hole->kind]) : hole->can[hole->kind];
    case LIT_OPEN_PRESENCE: return presence(reading, hole);
    case LIT_OPEN_SLOT: break;
    }
    return lit_sketch_statements(reading->arena, hole->list, hole->list_count, hole->table);
}

/* ---- Choices ---- */

/* The values of both, with the words of the second. */
static struct lit_open_values both(struct arena *arena, struct lit_open_values a,
                                   struct lit_open_values b)
{
    struct lit_open_value *items = ARENA_ARRAY(arena, struct lit_open_value, a.count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < a.count; i++)
        for (uint32_t j = 0; j < b.count; j++)
            if (lit_sketch_same(&a.items[i], &b.items[j]))
                items[count++] = b.items[j];
    return (struct lit_open_values){items, count};
}

/* The holes of one choice, linked. */
struct member {
    struct lit_hole *hole;
    struct lit_open_values values;
    struct member *next;
};

static const char *const *texts_of(struct reading *reading, struct lit_open_values common,
                                   const struct member *member)
{
    const char **texts = ARENA_ARRAY(reading->arena, const char *, common.count);
    struct lit_open_values own = both(reading->arena, common, member->values);
    for (uint32_t v = 0; v < common.count; v++)
        texts[v] = own.items[v].text;
    return texts;
}

static bool agree(struct reading *reading, const struct lit_hole *first,
                  const struct lit_hole *hole, struct lit_open_values common)
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

static void add_choice(struct reading *reading, const struct member *first,
                       struct lit_open_values common, uint32_t place_count)
{
    struct lit_open_place *places = ARENA_ARRAY(reading->arena, struct lit_open_place, place_count);
    uint32_t count = 0;
    for (const struct member *at = first; at; at = at->next) {
        places[count] = at->hole->place;
        places[count++].texts = texts_of(reading, common, at);
    }
    const struct lit_hole *hole = first->hole;
    VEC_PUSH(&reading->choices,
             (struct lit_choice){
                 .kind = hole->kind,
                 .name = hole->name,
                 .values = common.items,
                 .value_count = common.count,
                 .below = lit_choice_order(reading->arena, hole->kind, common.items, common.count),
                 .places = places,
                 .place_count = count,
                 .original = -1});
}

/* All holes of the name of the one at `at`, which is the first of it. */
static void choose(struct reading *reading, size_t at)
{
    struct lit_hole *hole = &reading->holes.items.items[at];
    struct member *first =
        ARENA_MAKE(reading->arena, struct member, hole, values_of(reading, hole), NULL);
    struct member *last = first;
    struct lit_open_values common = first->values;
    uint32_t count = 1;
    for (size_t i = at + 1; hole->name && i < reading->holes.items.count; i++) {
        struct lit_hole *other = &reading->holes.items.items[i];
        if (!other->name || strcmp(other->name, hole->name) != 0)
            continue;
        struct member *next =
            ARENA_MAKE(reading->arena, struct member, other, values_of(reading, other), NULL);
        struct lit_open_values left = both(reading->arena, next->values, common);
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
    const char *name = reading->holes.items.items[at].name;
    for (size_t i = 0; name && i < at; i++)
        if (text_same(reading->holes.items.items[i].name, name))
            return false;
    return true;
}

static void choose_all(struct reading *reading)
{
    for (size_t i = 0; i < reading->holes.items.count; i++)
        settle_alone(&reading->holes.items.items[i]);
    for (size_t i = 0; i < reading->holes.items.count; i++)
        settle_together(reading, &reading->holes.items.items[i]);
    for (size_t i = 0; i < reading->holes.items.count; i++)
        if (is_first(reading, i))
            choose(reading, i);
}

const struct lit_sketch *lit_sketch_read(struct arena *arena, const struct source *const *files,
                                         uint32_t count, const struct lit_sketch_wish *wish,
                                         struct diag *diag)
{
    uint32_t errors = diag->errors;
    struct reading reading = {.arena = arena,
                              .diag = diag,
                              .wish = wish,
                              .files = files,
                              .count = count,
                              .holes = {.arena = arena, .diag = diag}};
    for (uint32_t i = 0; i < count; i++)
        lit_sketch_scan(&reading.holes, files[i], i);
    if (reading.holes.items.count > MOST_HOLES)
        FAULT(&reading, &reading.holes.items.items[MOST_HOLES],
              "more than %d holes stand before this one", MOST_HOLES);
    else
        choose_all(&reading);
    struct lit_sketch *sketch = ARENA_NEW(arena, struct lit_sketch);
    *sketch = (struct lit_sketch){files, count, count, VEC_KEEP(arena, &reading.choices),
                                  (uint32_t)reading.choices.count};
    if (sketch->choice_count > LIT_MOST_CHOICES)
        diag_error(diag, DIAG_LIT_HOLE, sketch->choices[LIT_MOST_CHOICES].places[0].span,
                   "%d choices stand before this one, and that is the most", LIT_MOST_CHOICES);
    VEC_FREE(&reading.choices);
    VEC_FREE(&reading.holes.items);
    return diag->errors == errors ? sketch : NULL;
}
