/* Operations on one set: they remember one result for each node. */
#include "mdd/mdd_store.h"

#include <string.h>

/* ---- Walks ---- */

/* Whether the result for a node is known; if not, node and level may be those of one further on
 * that is to be made in its place. */
typedef bool walk_known(void *walk, mdd_node *node, uint32_t *level, mdd_node *result);
/* The node was made. */
typedef void walk_keep(void *walk, mdd_node node, mdd_node result);
/* Is the edge that a node is at left out? */
typedef bool walk_skips(const void *walk, const struct node_at *at);

/* Makes of each node one with the same values, that lead to what is made of where they led.
 * `skips` NULL: no edge is left out. */
static inline mdd_node walk(struct mdd *to, const struct mdd *from, void *context,
                            walk_known *known, walk_keep *keep, walk_skips *skips,
                            struct node_at at)
{
    mdd_node result;
    size_t bottom = to->walk.count;
    if (known(context, &at.node, &at.level, &result))
        return result;
    at.mark = to->work.count;
    for (;;) {
        if (at.i < edges_of(from, at.node)) {
            if (skips && skips(context, &at)) {
                at.i++;
                continue;
            }
            struct mdd_arc edge = edge_of(from, at.node, at.i);
            uint32_t level = at.level + 1;
            if (!known(context, &edge.to, &level, &result)) {
                VEC_PUSH(&to->walk, at);
                at = (struct node_at){edge.to, level, 0, to->work.count};
                continue;
            }
        } else {
            result = mdd_make(to, at.mark);
            keep(context, at.node, result);
            if (to->walk.count == bottom)
                return result;
            at = VEC_POP(&to->walk);
        }
        mdd_push(to, edge_of(from, at.node, at.i++).value, result);
    }
}

/* ---- One set ---- */

/* What an operation on one set made of each node; PENDING: nothing yet. */
#define PENDING UINT32_MAX

static mdd_node *remember_nodes(const struct mdd *s)
{
    mdd_node *made = base_realloc(NULL, s->nodes.count * sizeof *made);
    memset(made, 0xff, s->nodes.count * sizeof *made);
    made[MDD_EMPTY] = MDD_EMPTY;
    made[MDD_END] = MDD_END;
    return made;
}

struct change;
typedef mdd_node change_node(struct change *change, mdd_node node);

struct change {
    struct mdd *store;
    mdd_node *made;
    uint32_t last;       /* level; those above it stay as they are but for where they lead, and for
                            values that a column does not keep */
    change_node *change; /* what is made of its nodes */
    mdd_keeps *keeps;
    mdd_keeps_in *keeps_in; /* NULL: all are kept */
    const void *context;
    int64_t value;
    struct pair *pair; /* of columns */
};

static bool change_known(void *context, mdd_node *node, uint32_t *level, mdd_node *result)
{
    struct change *c = context;
    *result = c->made[*node];
    if (*result != PENDING)
        return true;
    *result = MDD_EMPTY;
    if (!mdd_step(c->store))
        return true;
    if (*level == c->last)
        *result = c->made[*node] = c->change(c, *node);
    return *level == c->last;
}

static void change_keep(void *context, mdd_node node, mdd_node result)
{
    struct change *c = context;
    c->made[node] = result;
}

static bool change_skips(const void *context, const struct node_at *at)
{
    const struct change *c = context;
    return c->keeps_in && !c->keeps_in(c->context, c->store->column_of[at->level],
                                       edge_of(c->store, at->node, at->i).value);
}

/* Goes down to the level where something changes. */
static mdd_node change(struct change *c, mdd_node set, change_node *at_last)
{
    c->store->steps = 0;
    c->made = remember_nodes(c->store);
    c->change = at_last;
    mdd_node result = walk(c->store, c->store, c, change_known, change_keep, change_skips,
                           (struct node_at){.node = set});
    base_free(c->made);
    return result;
}

static mdd_node filter_edges(struct change *c, mdd_node node)
{
    BASE_ASSERT(node > MDD_END);
    struct mdd *s = c->store;
    size_t mark = s->work.count;
    for (uint32_t i = 0; i < edges_of(s, node); i++) {
        struct mdd_arc edge = edge_of(s, node, i);
        if (c->keeps(c->context, edge.value))
            mdd_push(s, edge.value, edge.to);
    }
    return mdd_make(s, mark);
}

mdd_node mdd_filter(struct mdd *s, mdd_node set, uint32_t column, mdd_keeps *keeps,
                    const void *context)
{
    BASE_ASSERT(column < s->width && set < s->nodes.count);
    struct change c = {.store = s, .last = s->level_of[column], .keeps = keeps, .context = context};
    return change(&c, set, filter_edges);
}

/* ---- All columns at once ---- */

mdd_node mdd_filter_all(struct mdd *s, mdd_node set, mdd_keeps_in *keeps, const void *context)
{
    struct change c = {.store = s, .last = UINT32_MAX, .keeps_in = keeps, .context = context};
    return change(&c, set, NULL);
}

/* ---- Other columns, other values ---- */

static mdd_node assign_edges(struct change *c, mdd_node node)
{
    mdd_node all = MDD_EMPTY;
    for (uint32_t i = 0; i < edges_of(c->store, node); i++)
        all = mdd_combine(c->store, UNION, all, edge_of(c->store, node, i).to);
    size_t mark = c->store->work.count;
    mdd_push(c->store, c->value, all);
    return mdd_make(c->store, mark);
}

mdd_node mdd_assign(struct mdd *s, mdd_node set, uint32_t column, int64_t value)
{
    BASE_ASSERT(column < s->width && set < s->nodes.count);
    struct change c = {.store = s, .last = s->level_of[column], .value = value};
    return change(&c, set, assign_edges);
}

struct pair {
    struct mdd *store;
    mdd_keeps_pair *keeps;
    const void *context;
    bool turned;            /* the second column comes first */
    uint32_t first, second; /* levels */
    int64_t value;          /* of the first */
    uint32_t by;            /* its number */
    VEC(int64_t) values;    /* of the first, so far */
};

static bool keeps_second(const void *context, int64_t value)
{
    const struct pair *pair = context;
    return pair->turned ? pair->keeps(pair->context, value, pair->value)
                        : pair->keeps(pair->context, pair->value, value);
}

/* Which of the first column's values this is. */
static uint32_t number_of_value(struct pair *pair, int64_t value)
{
    uint32_t at = 0;
    while (at < pair->values.count && pair->values.items[at] != value)
        at++;
    if (at == pair->values.count)
        VEC_PUSH(&pair->values, value);
    return at;
}

static bool pair_known(void *context, mdd_node *node, uint32_t *level, mdd_node *result)
{
    struct pair *pair = context;
    struct mdd *s = pair->store;
    struct change c = {.store = s, .keeps = keeps_second, .context = pair};
    if (*level == pair->second) {
        *result = filter_edges(&c, *node);
        return true;
    }
    return mdd_recall(s, RENAME + s->width, *node, pair->by, result) || !mdd_step(s);
}

static void pair_keep(void *context, mdd_node node, mdd_node result)
{
    struct pair *pair = context;
    mdd_remember(pair->store, RENAME + pair->store->width, node, pair->by, result);
}

/* What is behind a value of the first column is the same wherever that is met. */
static mdd_node filter_behind(struct change *c, mdd_node node)
{
    struct mdd *s = c->store;
    struct pair *pair = c->pair;
    size_t mark = s->work.count;
    for (uint32_t i = 0; i < edges_of(s, node); i++) {
        struct mdd_arc edge = edge_of(s, node, i);
        struct node_at behind = {.node = edge.to, .level = pair->first + 1};
        pair->by = s->renamings + number_of_value(pair, edge.value);
        pair->value = edge.value;
        mdd_push(s, edge.value, walk(s, s, pair, pair_known, pair_keep, NULL, behind));
    }
    return mdd_make(s, mark);
}

mdd_node mdd_filter_pair(struct mdd *s, mdd_node set, uint32_t a, uint32_t b, mdd_keeps_pair *keeps,
                         const void *context)
{
    BASE_ASSERT(a < s->width && b < s->width && a != b);
    uint32_t first = s->level_of[a], second = s->level_of[b];
    bool turned = first > second;
    struct pair pair = {.store = s,
                        .keeps = keeps,
                        .context = context,
                        .turned = turned,
                        .first = turned ? second : first,
                        .second = turned ? first : second};
    struct change c = {.store = s, .last = pair.first, .pair = &pair};
    mdd_node result = change(&c, set, filter_behind);
    s->renamings += (uint32_t)pair.values.count;
    VEC_FREE(&pair.values);
    return result;
}

/* ---- Another store, other columns ---- */

struct copy {
    struct mdd *to;
    const struct mdd *from;
    mdd_node *made;
};

static bool copy_known(void *context, mdd_node *node, uint32_t *level, mdd_node *result)
{
    const struct copy *c = context;
    (void)level;
    *result = c->made[*node];
    return *result != PENDING;
}

static void copy_keep(void *context, mdd_node node, mdd_node result)
{
    struct copy *c = context;
    c->made[node] = result;
}

mdd_node mdd_copy(struct mdd *store, const struct mdd *from, mdd_node set)
{
    struct copy c = {store, from, remember_nodes(from)};
    mdd_node result =
        walk(store, from, &c, copy_known, copy_keep, NULL, (struct node_at){.node = set});
    base_free(c.made);
    return result;
}

struct graft {
    struct copy copy; /* first, as a graft is a copy to who keeps its nodes */
    uint32_t kept;
    mdd_node tail;
};

static bool graft_known(void *context, mdd_node *node, uint32_t *level, mdd_node *result)
{
    const struct graft *g = context;
    const struct mdd *from = g->copy.from;
    for (; *level < from->width && from->column_of[*level] >= g->kept; ++*level)
        *node = edge_of(from, *node, 0).to;
    *result = *level == from->width ? g->tail : g->copy.made[*node];
    return *result != PENDING;
}

mdd_node mdd_graft(struct mdd *store, const struct mdd *from, mdd_node set, uint32_t kept,
                   const int64_t *row)
{
    BASE_ASSERT(kept <= from->width && kept <= store->width);
    struct graft g = {{store, from, remember_nodes(from)}, kept, MDD_END};
    for (uint32_t level = store->width; level > 0 && store->column_of[level - 1] >= kept; level--)
        g.tail = mdd_edge(store, row[store->column_of[level - 1]], g.tail);
    mdd_node result = set;
    if (set != MDD_EMPTY)
        result = walk(store, from, &g, graft_known, copy_keep, NULL, (struct node_at){.node = set});
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
static void list_values(struct mdd *s, mdd_node set, uint32_t column, value_list *values)
{
    BASE_ASSERT(column < s->width);
    mdd_node rest = set;
    int64_t *row = base_realloc(NULL, ((size_t)s->width + 1) * sizeof *row);
    while (rest != MDD_EMPTY) {
        mdd_smallest(s, rest, row);
        int64_t value = row[column];
        size_t at = values->count;
        VEC_PUSH(values, value);
        for (; at > 0 && values->items[at - 1] > value; at--)
            values->items[at] = values->items[at - 1];
        values->items[at] = value;
        rest = mdd_filter(s, rest, column, differs, &value);
    }
    base_free(row);
}

struct renaming {
    struct mdd *store;
    const uint32_t *from;
    mdd_renames *renames;
    const void *context;
};

/* A set whose rows are renamed from a level on, by the values that a column of it has. */
struct renamed_at {
    mdd_node set, all; /* `all`: so far */
    value_list values;
    size_t i;
};

static bool rename_known(const struct renaming *r, mdd_node set, uint32_t level, mdd_node *result)
{
    *result = set == MDD_EMPTY ? MDD_EMPTY : MDD_END;
    return set == MDD_EMPTY || level == r->store->width ||
           mdd_recall(r->store, RENAME + level, set, r->store->renamings, result);
}

/* What was decided is set to zero, so that what is left to be renamed is one set for all that agree
 * on the rest. */
static mdd_node rename_next(const struct renaming *r, const struct renamed_at *at, uint32_t column)
{
    int64_t value = at->values.items[at->i];
    mdd_node those = mdd_filter(r->store, at->set, column, is_value, &value);
    return mdd_assign(r->store, those, column, 0);
}

static void rename_keep(const struct renaming *r, struct renamed_at *at, uint32_t level)
{
    VEC_FREE(&at->values);
    mdd_remember(r->store, RENAME + level, at->set, r->store->renamings, at->all);
}

/* `at` has a place for each level. */
static mdd_node rename_from(const struct renaming *r, mdd_node set, struct renamed_at *at)
{
    struct mdd *s = r->store;
    mdd_node result;
    bool begins = true;
    if (rename_known(r, set, 0, &result))
        return result;
    for (uint32_t level = 0;;) {
        uint32_t column = r->from[s->column_of[level]];
        if (begins) {
            at[level] = (struct renamed_at){.set = set};
            list_values(s, set, column, &at[level].values);
        }
        if (at[level].i < at[level].values.count && !s->full) {
            set = rename_next(r, &at[level], column);
            begins = !rename_known(r, set, level + 1, &result);
        } else {
            begins = false;
            result = at[level].all;
            rename_keep(r, &at[level], level);
            if (level == 0)
                return result;
            column = r->from[s->column_of[--level]];
        }
        if (begins) {
            level++;
            continue;
        }
        int64_t value = at[level].values.items[at[level].i++];
        value = r->renames ? r->renames(r->context, column, value) : value;
        at[level].all = mdd_union(s, at[level].all, mdd_edge(s, value, result));
    }
}

mdd_node mdd_renamed(struct mdd *store, mdd_node set, const uint32_t *from, mdd_renames *renames,
                     const void *context)
{
    const struct renaming renaming = {store, from, renames, context};
    struct renamed_at *at = base_realloc(NULL, ((size_t)store->width + 1) * sizeof *at);
    store->renamings++;
    mdd_node result = rename_from(&renaming, set, at);
    base_free(at);
    return result;
}
