/* Operations on one set: they remember one result for each node. */
#include "engine/product_store.h"

#include <string.h>

/* ---- One set ---- */

/* What an operation on one set made of each node; PENDING: nothing yet. */
#define PENDING UINT32_MAX

static product_node *remember_nodes(const struct product *s)
{
    product_node *made = base_realloc(NULL, s->nodes.count * sizeof *made);
    memset(made, 0xff, s->nodes.count * sizeof *made);
    return made;
}

struct change {
    struct product *store;
    product_node *made;
    uint32_t last; /* level; those above it stay as they are but for where they lead */
    product_keeps *keeps;
    const void *context;
    int64_t value;
    struct pair *pair; /* of columns */
};

typedef product_node change_node(struct change *change, product_node node);

/* Goes down to the level where something changes. */
static product_node descend(struct change *c, product_node node, uint32_t level, change_node *last)
{
    struct product *s = c->store;
    if (node == PRODUCT_EMPTY || c->made[node] != PENDING)
        return node == PRODUCT_EMPTY ? node : c->made[node];
    if (!product_step(s))
        return PRODUCT_EMPTY;
    if (level == c->last)
        return c->made[node] = last(c, node);
    size_t mark = s->work.count;
    for (uint32_t i = 0; i < edges_of(s, node); i++) {
        struct product_arc edge = edge_of(s, node, i);
        product_push(s, edge.value, descend(c, edge.to, level + 1, last));
    }
    return c->made[node] = product_make(s, mark);
}

static product_node change(struct change *c, product_node set, uint32_t level, change_node *last)
{
    c->store->steps = 0;
    c->made = remember_nodes(c->store);
    product_node result = descend(c, set, level, last);
    base_free(c->made);
    return result;
}

static product_node filter_edges(struct change *c, product_node node)
{
    struct product *s = c->store;
    size_t mark = s->work.count;
    for (uint32_t i = 0; i < edges_of(s, node); i++) {
        struct product_arc edge = edge_of(s, node, i);
        if (c->keeps(c->context, edge.value))
            product_push(s, edge.value, edge.to);
    }
    return product_make(s, mark);
}

product_node product_filter(struct product *s, product_node set, uint32_t column,
                            product_keeps *keeps, const void *context)
{
    struct change c = {.store = s, .last = s->level_of[column], .keeps = keeps, .context = context};
    return change(&c, set, 0, filter_edges);
}

static product_node assign_edges(struct change *c, product_node node)
{
    product_node all = PRODUCT_EMPTY;
    for (uint32_t i = 0; i < edges_of(c->store, node); i++)
        all = product_combine(c->store, UNION, all, edge_of(c->store, node, i).to);
    size_t mark = c->store->work.count;
    product_push(c->store, c->value, all);
    return product_make(c->store, mark);
}

product_node product_assign(struct product *s, product_node set, uint32_t column, int64_t value)
{
    struct change c = {.store = s, .last = s->level_of[column], .value = value};
    return change(&c, set, 0, assign_edges);
}

struct pair {
    struct product *store;
    product_keeps_pair *keeps;
    const void *context;
    bool turned;            /* the second column comes first */
    uint32_t first, second; /* levels */
    int64_t value;          /* of the first */
    VEC(int64_t) values;    /* of the first, so far */
};

static bool keeps_second(const void *context, int64_t value)
{
    const struct pair *pair = context;
    return pair->turned ? pair->keeps(pair->context, value, pair->value)
                        : pair->keeps(pair->context, pair->value, value);
}

/* Which of the first column's values this is. */
static uint32_t number_of(struct pair *pair, int64_t value)
{
    uint32_t at = 0;
    while (at < pair->values.count && pair->values.items[at] != value)
        at++;
    if (at == pair->values.count)
        VEC_PUSH(&pair->values, value);
    return at;
}

/* What is behind a value of the first column is the same wherever that is met. */
static product_node filter_second(struct pair *pair, product_node node, uint32_t level, uint32_t by)
{
    struct product *s = pair->store;
    struct change c = {.store = s, .keeps = keeps_second, .context = pair};
    uint32_t operation = RENAME + s->width;
    if (level == pair->second)
        return filter_edges(&c, node);
    const struct remembered *known = product_recall(s, operation, node, by);
    if (known->operation == operation && known->a == node && known->b == by)
        return known->result;
    if (!product_step(s))
        return PRODUCT_EMPTY;
    size_t mark = s->work.count;
    for (uint32_t i = 0; i < edges_of(s, node); i++) {
        struct product_arc edge = edge_of(s, node, i);
        product_push(s, edge.value, filter_second(pair, edge.to, level + 1, by));
    }
    product_node result = product_make(s, mark);
    if (!s->full)
        *product_recall(s, operation, node, by) = (struct remembered){operation, node, by, result};
    return result;
}

static product_node filter_behind(struct change *c, product_node node)
{
    struct product *s = c->store;
    struct pair *pair = c->pair;
    size_t mark = s->work.count;
    for (uint32_t i = 0; i < edges_of(s, node); i++) {
        struct product_arc edge = edge_of(s, node, i);
        uint32_t by = s->renamings + number_of(pair, edge.value);
        pair->value = edge.value;
        product_push(s, edge.value, filter_second(pair, edge.to, pair->first + 1, by));
    }
    return product_make(s, mark);
}

product_node product_filter_pair(struct product *s, product_node set, uint32_t a, uint32_t b,
                                 product_keeps_pair *keeps, const void *context)
{
    uint32_t first = s->level_of[a], second = s->level_of[b];
    bool turned = first > second;
    struct pair pair = {.store = s,
                        .keeps = keeps,
                        .context = context,
                        .turned = turned,
                        .first = turned ? second : first,
                        .second = turned ? first : second};
    struct change c = {.store = s, .last = pair.first, .pair = &pair};
    product_node result = change(&c, set, 0, filter_behind);
    s->renamings += (uint32_t)pair.values.count;
    VEC_FREE(&pair.values);
    return result;
}

/* ---- Another store, other columns ---- */

struct copy {
    struct product *to;
    const struct product *from;
    product_node *made;
};

static product_node copy_node(struct copy *c, product_node node)
{
    if (node <= PRODUCT_END || c->made[node] != PENDING)
        return node <= PRODUCT_END ? node : c->made[node];
    size_t mark = c->to->work.count;
    for (uint32_t i = 0; i < edges_of(c->from, node); i++) {
        struct product_arc edge = edge_of(c->from, node, i);
        product_push(c->to, edge.value, copy_node(c, edge.to));
    }
    return c->made[node] = product_make(c->to, mark);
}

product_node product_copy(struct product *store, const struct product *from, product_node set)
{
    struct copy c = {store, from, remember_nodes(from)};
    product_node result = copy_node(&c, set);
    base_free(c.made);
    return result;
}

struct graft {
    struct copy copy;
    uint32_t kept;
    product_node tail;
};

static product_node graft_node(struct graft *g, product_node node, uint32_t level)
{
    const struct product *from = g->copy.from;
    struct product *to = g->copy.to;
    for (; level < from->width && from->column_of[level] >= g->kept; level++)
        node = edge_of(from, node, 0).to;
    if (level == from->width)
        return g->tail;
    if (g->copy.made[node] != PENDING)
        return g->copy.made[node];
    size_t mark = to->work.count;
    for (uint32_t i = 0; i < edges_of(from, node); i++) {
        struct product_arc edge = edge_of(from, node, i);
        product_push(to, edge.value, graft_node(g, edge.to, level + 1));
    }
    return g->copy.made[node] = product_make(to, mark);
}

product_node product_graft(struct product *store, const struct product *from, product_node set,
                           uint32_t kept, const int64_t *row)
{
    struct graft g = {{store, from, remember_nodes(from)}, kept, PRODUCT_END};
    for (uint32_t level = store->width; level > 0 && store->column_of[level - 1] >= kept; level--)
        g.tail = product_edge(store, row[store->column_of[level - 1]], g.tail);
    product_node result = set == PRODUCT_EMPTY ? set : graft_node(&g, set, 0);
    base_free(g.copy.made);
    return result;
}

typedef VEC(int64_t) value_list;

static bool is_value(const void *context, int64_t value)
{
    return value == *(const int64_t *)context;
}

static bool differs(const void *context, int64_t value)
{
    return !is_value(context, value);
}

/* The values that a column has in a set. */
static void list_values(struct product *s, product_node set, uint32_t column, value_list *values)
{
    product_node rest = set;
    int64_t *row = base_realloc(NULL, ((size_t)s->width + 1) * sizeof *row);
    while (rest != PRODUCT_EMPTY) {
        product_smallest(s, rest, row);
        int64_t value = row[column];
        size_t at = values->count;
        VEC_PUSH(values, value);
        for (; at > 0 && values->items[at - 1] > value; at--)
            values->items[at] = values->items[at - 1];
        values->items[at] = value;
        rest = product_filter(s, rest, column, differs, &value);
    }
    base_free(row);
}

struct renaming {
    struct product *store;
    const uint32_t *from;
    product_renames *renames;
    const void *context;
};

/* What was decided is set to zero, so that what is left to be renamed is one set for all that agree
 * on the rest. */
static product_node rename_from(const struct renaming *r, product_node set, uint32_t level)
{
    struct product *s = r->store;
    if (set == PRODUCT_EMPTY || level == s->width)
        return set == PRODUCT_EMPTY ? PRODUCT_EMPTY : PRODUCT_END;
    uint32_t column = r->from[s->column_of[level]], operation = RENAME + level;
    const struct remembered *known = product_recall(s, operation, set, s->renamings);
    if (known->operation == operation && known->a == set && known->b == s->renamings)
        return known->result;
    value_list values = {0};
    product_node all = PRODUCT_EMPTY;
    list_values(s, set, column, &values);
    for (size_t i = 0; i < values.count && !s->full; i++) {
        int64_t value = values.items[i];
        product_node those = product_filter(s, set, column, is_value, &value);
        those = rename_from(r, product_assign(s, those, column, 0), level + 1);
        value = r->renames ? r->renames(r->context, column, value) : value;
        all = product_union(s, all, product_edge(s, value, those));
    }
    VEC_FREE(&values);
    if (!s->full)
        *product_recall(s, operation, set, s->renamings) =
            (struct remembered){operation, set, s->renamings, all};
    return all;
}

product_node product_renamed(struct product *store, product_node set, const uint32_t *from,
                             product_renames *renames, const void *context)
{
    const struct renaming renaming = {store, from, renames, context};
    store->renamings++;
    return rename_from(&renaming, set, 0);
}
