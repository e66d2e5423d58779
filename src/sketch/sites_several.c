/* Where one statement at each point is too little, several in a row may do: a fence, what drains a
 * queue, and a fence behind it. Of two that stand in an order the greater one is enough. */
#include "sketch/sites_run.h"

#include <string.h>

enum { MOST_PARTS = 3 };

struct rows {
    struct arena *arena;
    const struct sites_wish *wish;
    struct sketch_open_values singles;
    const uint64_t *below; /* of these */
    VEC(struct sketch_open_value) items;
};

static void add(struct rows *rows, const uint32_t *numbers, uint32_t count)
{
    const struct sketch_open_value **parts =
        ARENA_ARRAY(rows->arena, const struct sketch_open_value *, count);
    struct strbuf text = {0}, label = {0};
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = &rows->singles.items[numbers[i]];
        strbuf_printf(&text, "%s%s", i ? " " : "", parts[i]->text);
        strbuf_printf(&label, "%s%s", i ? "; " : "", parts[i]->label);
    }
    const struct sketch_open_value row = {.text = strbuf_take(&text, rows->arena),
                                          .label = strbuf_take(&label, rows->arena),
                                          .meaning = parts[0]->meaning,
                                          .parts = parts,
                                          .part_count = count};
    VEC_PUSH(&rows->items, row);
}

static bool is_of_rows(const struct rows *rows, uint32_t number)
{
    return !rows->wish->row_count ||
           ANY(i, rows->wish->row_count,
               strcmp(rows->wish->rows[i], rows->singles.items[number].label) == 0);
}

static bool may_be_neighbours(const struct rows *rows, uint32_t a, uint32_t b)
{
    return a != b && !(rows->below[a] >> b & 1) && !(rows->below[b] >> a & 1) &&
           is_of_rows(rows, a) && is_of_rows(rows, b);
}

/* All rows of so many. */
static void add_rows(struct rows *rows, uint32_t count)
{
    for (uint32_t a = 1; a < rows->singles.count; a++)
        for (uint32_t b = 1; b < rows->singles.count; b++)
            if (may_be_neighbours(rows, a, b))
                add(rows, (const uint32_t[MOST_PARTS]){a, b, a}, count);
}

struct sketch_open_values sites_several(struct arena *arena, struct sketch_open_values kinds,
                                        const struct sites_wish *wish)
{
    struct rows rows = {.arena = arena, .wish = wish, .singles = kinds};
    if (kinds.count > LIT_MOST_OPEN_VALUES)
        return kinds;
    rows.below = sketch_choice_order(arena, LIT_OPEN_SLOT, kinds.items, kinds.count);
    for (uint32_t k = 0; k < kinds.count; k++)
        VEC_PUSH(&rows.items, kinds.items[k]);
    for (uint32_t count = 2; count <= MOST_PARTS; count++) {
        size_t before = rows.items.count;
        add_rows(&rows, count);
        if (rows.items.count > LIT_MOST_OPEN_VALUES)
            rows.items.count = before;
    }
    struct sketch_open_values all = {.count = (uint32_t)rows.items.count};
    all.items = VEC_KEEP(arena, &rows.items);
    VEC_FREE(&rows.items);
    return all;
}

/* ---- Their order ---- */

static uint32_t count_of(const struct sketch_open_value *kind)
{
    return kind->part_count ? kind->part_count : 1;
}

static const struct sketch_open_value *part_of(const struct sketch_open_value *kind, uint32_t i)
{
    return kind->part_count ? kind->parts[i] : kind;
}

static uint32_t number_of(struct sketch_open_values kinds, const struct sketch_open_value *kind)
{
    uint32_t number = 0;
    while (strcmp(kinds.items[number].label, kind->label) != 0)
        number++;
    return number;
}

/* Each statement of the one in the first place of the other where it is, or a greater one. */
static bool is_part(struct sketch_open_values kinds, const uint64_t *singles, uint32_t small,
                    uint32_t large)
{
    const struct sketch_open_value *a = &kinds.items[small], *b = &kinds.items[large];
    uint32_t found = 0;
    for (uint32_t i = 0; i < count_of(b) && found < count_of(a); i++) {
        uint32_t x = number_of(kinds, part_of(a, found)), y = number_of(kinds, part_of(b, i));
        found += x == y || (singles[y] >> x & 1);
    }
    return found == count_of(a);
}

uint64_t *sites_kinds_order(struct arena *arena, struct sketch_open_values kinds)
{
    const uint64_t *singles = sketch_choice_order(arena, LIT_OPEN_SLOT, kinds.items, kinds.count);
    uint64_t *below = ARENA_ARRAY(arena, uint64_t, kinds.count);
    for (uint32_t v = 0; v < kinds.count; v++)
        for (uint32_t w = 0; w < kinds.count; w++)
            if (v != w && is_part(kinds, singles, w, v))
                below[v] |= UINT64_C(1) << w;
    return below;
}

bool sites_has_several(const struct sketch *sketch)
{
    return ANY(c, sketch->choice_count,
               ANY(v, sketch->choices[c].value_count, sketch->choices[c].values[v].part_count));
}
