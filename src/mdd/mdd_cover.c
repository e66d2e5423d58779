/* A column is a factor alone when in each node of its level all values lead to one node, and all
 * these nodes have the same values. The rest splits where a level has a single node. A column that
 * follows the one before it stays with that one, unless that one is a factor alone. Each part is
 * copied to a store of its own, and boxes are taken from it greedily. A box starts as the row with
 * the fewest nonzero values that no box has yet. Values are added one at a time as long as the part
 * has all rows of the box. */
#include "mdd/mdd_cover.h"

#include "base/arena.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(mdd_node) node_list;
typedef VEC(int64_t) value_list;
typedef VEC(struct mdd_values) values_list;

/* How many edges are looked at for the boxes of a factor. */
enum { MOST_STEPS = 1 << 27, MOST_NODES = 1 << 20 };

/* ---- Levels ---- */

struct levels {
    const struct mdd *store;
    node_list *nodes; /* per level, and one for what comes behind the last */
    uint32_t *stamps; /* per node */
    uint32_t stamp;
};

static void meet(struct levels *l, node_list *list, mdd_node node)
{
    if (l->stamps[node] == l->stamp)
        return;
    l->stamps[node] = l->stamp;
    VEC_PUSH(list, node);
}

static void levels_init(struct levels *l, const struct mdd *store, mdd_node set)
{
    uint32_t width = mdd_width(store);
    size_t nodes = (size_t)mdd_size(store) + 2;
    *l = (struct levels){.store = store};
    l->nodes = base_realloc(NULL, (width + 1) * sizeof *l->nodes);
    memset(l->nodes, 0, (width + 1) * sizeof *l->nodes);
    l->stamps = base_realloc(NULL, nodes * sizeof *l->stamps);
    memset(l->stamps, 0, nodes * sizeof *l->stamps);
    VEC_PUSH(&l->nodes[0], set);
    for (uint32_t level = 0; level < width; level++) {
        l->stamp++;
        for (size_t i = 0; i < l->nodes[level].count; i++) {
            uint32_t count;
            const struct mdd_arc *arcs = mdd_edges(store, l->nodes[level].items[i], &count);
            for (uint32_t k = 0; k < count; k++)
                meet(l, &l->nodes[level + 1], arcs[k].to);
        }
    }
}

static void levels_fini(struct levels *l)
{
    for (uint32_t level = 0; level <= mdd_width(l->store); level++)
        VEC_FREE(&l->nodes[level]);
    base_free(l->nodes);
    base_free(l->stamps);
}

static bool is_alone(const struct levels *l, uint32_t level)
{
    uint32_t first_count, count;
    const struct mdd_arc *first = mdd_edges(l->store, l->nodes[level].items[0], &first_count);
    for (size_t i = 0; i < l->nodes[level].count; i++) {
        const struct mdd_arc *arcs = mdd_edges(l->store, l->nodes[level].items[i], &count);
        if (count != first_count)
            return false;
        for (uint32_t k = 0; k < count; k++)
            if (arcs[k].value != first[k].value || arcs[k].to != arcs[0].to)
                return false;
    }
    return true;
}

static int order_values(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* All values of a level, ascending. */
static struct mdd_values values_at(struct arena *arena, const struct levels *l, uint32_t level)
{
    value_list values = {0};
    for (size_t i = 0; i < l->nodes[level].count; i++) {
        uint32_t count;
        const struct mdd_arc *arcs = mdd_edges(l->store, l->nodes[level].items[i], &count);
        for (uint32_t k = 0; k < count; k++)
            VEC_PUSH(&values, arcs[k].value);
    }
    if (values.count) /* none where nodes were too many */
        qsort(values.items, values.count, sizeof *values.items, order_values);
    size_t kept = 0;
    for (size_t i = 0; i < values.count; i++)
        if (i == 0 || values.items[i] != values.items[i - 1])
            values.items[kept++] = values.items[i];
    values.count = kept;
    const int64_t *items = VEC_KEEP(arena, &values);
    VEC_FREE(&values);
    return (struct mdd_values){items, (uint32_t)kept};
}

/* ---- A factor in a store of its own ---- */

struct part {
    struct arena *arena;
    const struct levels *whole;
    const bool *alone;      /* per level of the whole */
    const uint32_t *places; /* levels of the whole, ascending */
    uint32_t width;
    struct mdd *store;
    mdd_node set;      /* the factor */
    mdd_node *copies;  /* per node of the whole; 0: not made yet */
    struct copied *at; /* per place, what is copied */
    uint64_t steps;
    node_list here, next, reached, beyond; /* room */
    struct levels marks, known;            /* stamps of the part's nodes */
};

/* The first node at this level or behind it that is not of a column which is a factor alone. */
static mdd_node skip(const struct part *p, mdd_node node, uint32_t from, uint32_t to)
{
    for (uint32_t count; from < to; from++)
        node = mdd_edges(p->whole->store, node, &count)[0].to;
    return node;
}

/* A node of the whole whose edges are gone through. */
struct copied {
    mdd_node node, all; /* `all`: of the edges so far */
    uint32_t i;
};

/* Whether there is a copy; if not, it begins. `node` is of the level of place `level`. */
static bool is_copied(const struct part *p, mdd_node node, uint32_t level, mdd_node *copy)
{
    *copy = level == p->width ? MDD_END : p->copies[node];
    if (level == p->width || *copy != MDD_EMPTY || mdd_is_full(p->store))
        return true;
    p->at[level] = (struct copied){.node = node};
    return false;
}

static mdd_node copy(struct part *p, mdd_node node)
{
    mdd_node made;
    if (is_copied(p, node, 0, &made))
        return made;
    for (uint32_t level = 0;;) {
        uint32_t count, from = p->places[level];
        uint32_t behind = level + 1 < p->width ? p->places[level + 1] : from + 1;
        const struct mdd_arc *arcs = mdd_edges(p->whole->store, p->at[level].node, &count);
        if (p->at[level].i < count) {
            node = skip(p, arcs[p->at[level].i].to, from + 1, behind);
            if (!is_copied(p, node, level + 1, &made)) {
                level++;
                continue;
            }
        } else {
            made = p->copies[p->at[level].node] = p->at[level].all;
            if (level-- == 0)
                return made;
            arcs = mdd_edges(p->whole->store, p->at[level].node, &count);
        }
        struct copied *at = &p->at[level];
        mdd_node edge = mdd_edge(p->store, arcs[at->i++].value, made);
        at->all = mdd_union(p->store, at->all, edge);
    }
}

/* ---- Boxes ---- */

static void swap(node_list *a, node_list *b)
{
    node_list kept = *a;
    *a = *b;
    *b = kept;
}

/* Is every way from the nodes `here` of this level on, by the box's values, one of the factor? */
static bool holds(struct part *p, const value_list *box, uint32_t level)
{
    for (; level < p->width && p->here.count; level++) {
        VEC_CLEAR(&p->next);
        p->marks.stamp++;
        for (size_t i = 0; i < p->here.count; i++)
            for (size_t k = 0; k < box[level].count; k++) {
                mdd_node to = mdd_behind(p->store, p->here.items[i], box[level].items[k]);
                p->steps++;
                if (to == MDD_EMPTY)
                    return false;
                meet(&p->marks, &p->next, to);
            }
        swap(&p->here, &p->next);
    }
    return true;
}

/* All rows of the box are in the factor, which comes to the nodes `reached` of this level. Are they
 * with one more value there? What leads to nodes that the box comes to anyway is known to go on. */
static bool may_add(struct part *p, const value_list *box, uint32_t level, int64_t value)
{
    VEC_CLEAR(&p->here);
    p->marks.stamp++;
    for (size_t i = 0; i < p->reached.count; i++) {
        mdd_node to = mdd_behind(p->store, p->reached.items[i], value);
        p->steps++;
        if (to == MDD_EMPTY)
            return false;
        if (p->known.stamps[to] != p->known.stamp)
            meet(&p->marks, &p->here, to);
    }
    return holds(p, box, level + 1);
}

/* The value is one of the box: what it leads to is reached. */
static void reach(struct part *p, int64_t value)
{
    for (size_t i = 0; i < p->reached.count; i++)
        meet(&p->known, &p->beyond, mdd_behind(p->store, p->reached.items[i], value));
}

static bool has_value(const value_list *values, int64_t value)
{
    return ANY(i, values->count, values->items[i] == value);
}

/* Beginning with one row. */
static void widen(struct part *p, value_list *box, const struct mdd_values *domains)
{
    VEC_CLEAR(&p->reached);
    VEC_PUSH(&p->reached, p->set);
    p->known.stamp++;
    for (uint32_t level = 0; level < p->width; level++) {
        VEC_CLEAR(&p->beyond);
        reach(p, box[level].items[0]);
        for (uint32_t k = 0; k < domains[level].count && p->steps < MOST_STEPS; k++) {
            int64_t value = domains[level].items[k];
            if (has_value(&box[level], value) || !may_add(p, box, level, value))
                continue;
            VEC_PUSH(&box[level], value);
            reach(p, value);
        }
        swap(&p->reached, &p->beyond);
    }
}

static mdd_node box_set(struct part *p, const struct mdd_values *box)
{
    mdd_node set = MDD_END;
    for (uint32_t level = p->width; level-- > 0;) {
        mdd_node all = MDD_EMPTY;
        for (uint32_t k = 0; k < box[level].count; k++)
            all = mdd_union(p->store, all, mdd_edge(p->store, box[level].items[k], set));
        set = all;
    }
    return set;
}

/* The box around what of a set there is in this one. */
static void shrink(struct part *p, mdd_node uncovered, struct mdd_values *box)
{
    SCOPED(levels) levels;
    mdd_node inside = mdd_meet(p->store, uncovered, box_set(p, box));
    levels_init(&levels, p->store, inside);
    for (uint32_t level = 0; level < p->width && inside != MDD_EMPTY; level++)
        box[level] = values_at(p->arena, &levels, level);
}

/* Takes a box out of what is not covered yet, and returns the rest. */
static mdd_node take_box(struct part *p, mdd_node uncovered, const struct mdd_values *domains,
                         struct mdd_values *box)
{
    value_list *wide = ARENA_ARRAY(p->arena, value_list, p->width);
    int64_t *row = ARENA_ARRAY(p->arena, int64_t, p->width);
    mdd_smallest(p->store, uncovered, row);
    for (uint32_t level = 0; level < p->width; level++)
        VEC_PUSH(&wide[level], row[level]);
    widen(p, wide, domains);
    for (uint32_t level = 0; level < p->width; level++) {
        qsort(wide[level].items, wide[level].count, sizeof(int64_t), order_values);
        box[level].items = VEC_KEEP(p->arena, &wide[level]);
        box[level].count = (uint32_t)wide[level].count;
        VEC_FREE(&wide[level]);
    }
    shrink(p, uncovered, box);
    return mdd_minus(p->store, uncovered, box_set(p, box));
}

/* ---- Factors ---- */

static int order_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The columns of levels, ascending. */
static const uint32_t *columns_of(struct arena *arena, const struct mdd *store,
                                  const uint32_t *places, uint32_t width)
{
    uint32_t *columns = ARENA_ARRAY(arena, uint32_t, width);
    for (uint32_t i = 0; i < width; i++)
        columns[i] = mdd_column(store, places[i]);
    qsort(columns, width, sizeof *columns, order_numbers);
    return columns;
}

static size_t place_of(const uint32_t *columns, uint32_t width, uint32_t column)
{
    return (
        size_t)((const uint32_t *)bsearch(&column, columns, width, sizeof column, order_numbers) -
                columns);
}

/* Boxes are found level by level, and told column by column. */
static void add_box(const struct part *p, values_list *boxes, const uint32_t *columns,
                    const struct mdd_values *box)
{
    struct mdd_values *told = ARENA_ARRAY(p->arena, struct mdd_values, p->width);
    for (uint32_t level = 0; level < p->width; level++) {
        uint32_t column = mdd_column(p->whole->store, p->places[level]);
        told[place_of(columns, p->width, column)] = box[level];
    }
    for (uint32_t i = 0; i < p->width; i++)
        VEC_PUSH(boxes, told[i]);
}

static void list_boxes(struct part *p, struct mdd_factor *factor)
{
    SCOPED(levels) levels;
    values_list boxes = {0};
    struct mdd_values *domains = ARENA_ARRAY(p->arena, struct mdd_values, p->width);
    struct mdd_values *box = ARENA_ARRAY(p->arena, struct mdd_values, p->width);
    mdd_node uncovered = p->set;
    size_t nodes = (size_t)mdd_size(p->store) + 2;
    levels_init(&levels, p->store, p->set);
    for (uint32_t level = 0; level < p->width; level++)
        domains[level] = values_at(p->arena, &levels, level);
    p->marks = levels;
    p->known.stamps = base_realloc(NULL, nodes * sizeof *p->known.stamps);
    memset(p->known.stamps, 0, nodes * sizeof *p->known.stamps);
    while (uncovered != MDD_EMPTY && factor->box_count < MDD_MOST_BOXES && p->steps < MOST_STEPS &&
           !mdd_is_full(p->store)) {
        mdd_node rest = take_box(p, uncovered, domains, box);
        if (mdd_is_full(p->store))
            break;
        uncovered = rest;
        factor->box_count++;
        add_box(p, &boxes, factor->columns, box);
    }
    factor->partial = uncovered != MDD_EMPTY || mdd_is_full(p->store);
    factor->boxes = VEC_KEEP(p->arena, &boxes);
    VEC_FREE(&boxes);
    base_free(p->known.stamps);
}

static struct mdd_factor factor_of(struct arena *arena, const struct levels *whole,
                                   const bool *alone, const uint32_t *places, uint32_t width)
{
    struct mdd_factor factor = {columns_of(arena, whole->store, places, width), width, NULL, 0,
                                false};
    struct part p = {
        .arena = arena, .whole = whole, .alone = alone, .places = places, .width = width};
    size_t nodes = (size_t)mdd_size(whole->store) + 2;
    p.store = mdd_new(width, NULL, MOST_NODES);
    p.copies = base_realloc(NULL, nodes * sizeof *p.copies);
    memset(p.copies, 0, nodes * sizeof *p.copies);
    p.at = base_realloc(NULL, width * sizeof *p.at);
    p.set = copy(&p, whole->nodes[places[0]].items[0]);
    base_free(p.at);
    list_boxes(&p, &factor);
    VEC_FREE(&p.here);
    VEC_FREE(&p.next);
    VEC_FREE(&p.reached);
    VEC_FREE(&p.beyond);
    base_free(p.copies);
    mdd_free(p.store);
    return factor;
}

/* All columns that know nothing of any other: one box. */
static struct mdd_factor free_factor(struct arena *arena, const struct levels *whole,
                                     const bool *alone)
{
    const struct mdd *store = whole->store;
    uint32_t width = mdd_width(store), count = 0;
    uint32_t *places = ARENA_ARRAY(arena, uint32_t, width);
    for (uint32_t level = 0; level < width; level++)
        if (alone[level])
            places[count++] = level;
    const uint32_t *columns = columns_of(arena, store, places, count);
    struct mdd_values *box = ARENA_ARRAY(arena, struct mdd_values, count);
    for (uint32_t i = 0; i < count; i++)
        box[i] = values_at(arena, whole, mdd_level(store, columns[i]));
    return (struct mdd_factor){columns, count, box, 1, false};
}

static int order_factors(const void *a, const void *b)
{
    return order_numbers(((const struct mdd_factor *)a)->columns,
                         ((const struct mdd_factor *)b)->columns);
}

/* Is it one factor's with the level before it? */
static bool stays_with_last(const struct levels *l, const bool *alone, const bool *follows,
                            uint32_t level)
{
    return follows && level > 0 && !alone[level - 1] && follows[mdd_column(l->store, level)];
}

struct mdd_cover mdd_cover(struct arena *arena, const struct mdd *store, mdd_node set,
                           const bool *follows)
{
    SCOPED(levels) whole;
    uint32_t width = mdd_width(store), first = 0, count = 0, held = 0;
    bool *alone = ARENA_ARRAY(arena, bool, width), *stays = ARENA_ARRAY(arena, bool, width);
    uint32_t *places = ARENA_ARRAY(arena, uint32_t, width);
    struct mdd_factor *factors = ARENA_ARRAY(arena, struct mdd_factor, width + 1);
    levels_init(&whole, store, set);
    for (uint32_t level = 0; level < width; level++) {
        stays[level] = stays_with_last(&whole, alone, follows, level);
        alone[level] = !stays[level] && is_alone(&whole, level);
        if (!alone[level])
            places[held++] = level;
    }
    if (held < width)
        factors[count++] = free_factor(arena, &whole, alone);
    uint32_t ahead = count;
    for (uint32_t i = 1; i <= held; i++)
        if (i == held || (whole.nodes[places[i]].count == 1 && !stays[places[i]])) {
            factors[count++] = factor_of(arena, &whole, alone, places + first, i - first);
            first = i;
        }
    qsort(factors + ahead, count - ahead, sizeof *factors, order_factors);
    return (struct mdd_cover){factors, count};
}

void mdd_box_count(const struct mdd_factor *factor, uint32_t box, struct strbuf *out)
{
    const struct mdd_values *values = factor->boxes + (size_t)box * factor->width;
    struct mdd *store = mdd_new(factor->width, NULL, MOST_NODES);
    mdd_node set = MDD_END;
    for (uint32_t i = factor->width; i-- > 0;) {
        mdd_node all = MDD_EMPTY;
        for (uint32_t k = 0; k < values[i].count; k++)
            all = mdd_union(store, all, mdd_edge(store, values[i].items[k], set));
        set = all;
    }
    mdd_count_text(store, set, out);
    mdd_free(store);
}
