/* Every row has every level, so a node's level follows from the way to it and is not kept. A table
 * remembers results of operations on two sets; newer ones replace older ones. */
#include "mdd/mdd_store.h"

#include <string.h>

/* ---- The store ---- */

struct mdd *mdd_new(uint32_t width, const uint32_t *order, uint32_t most_nodes)
{
    struct mdd *s = base_realloc(NULL, sizeof *s);
    *s = (struct mdd){.width = width, .most_nodes = most_nodes};
    s->column_of = base_realloc(NULL, 2 * ((size_t)width + 1) * sizeof *s->column_of);
    s->level_of = s->column_of + width;
    s->room = base_realloc(NULL, ((size_t)width + 1) * sizeof *s->room);
    for (uint32_t level = 0; level < width; level++) {
        s->column_of[level] = order ? order[level] : level;
        BASE_ASSERT(s->column_of[level] < width);
        s->level_of[s->column_of[level]] = level;
    }
    VEC_PUSH(&s->nodes, ((struct node){0, 0}));
    VEC_PUSH(&s->nodes, ((struct node){0, 0}));
    return s;
}

struct mdd *mdd_like(const struct mdd *store)
{
    struct mdd *like = mdd_new(store->width, store->column_of, store->most_nodes);
    mdd_heed(like, store->clock);
    return like;
}

void mdd_free(struct mdd *store)
{
    if (!store)
        return;
    base_free(store->column_of);
    base_free(store->room);
    base_free(store->slots);
    base_free(store->memory);
    VEC_FREE(&store->nodes);
    VEC_FREE(&store->edges);
    VEC_FREE(&store->work);
    VEC_FREE(&store->pairs);
    VEC_FREE(&store->walk);
    base_free(store);
}

bool mdd_is_full(const struct mdd *store)
{
    return store->full;
}

void mdd_retry(struct mdd *store)
{
    store->full = false;
    store->steps = 0;
    VEC_CLEAR(&store->work);
}

void mdd_fill_up(struct mdd *store)
{
    store->full = true;
}

uint32_t mdd_size(const struct mdd *store)
{
    BASE_ASSERT(store->nodes.count >= 2);
    return (uint32_t)store->nodes.count - 2;
}

uint32_t mdd_width(const struct mdd *store)
{
    return store->width;
}

uint32_t mdd_column(const struct mdd *store, uint32_t level)
{
    BASE_ASSERT(level < store->width);
    return store->column_of[level];
}

uint32_t mdd_level(const struct mdd *store, uint32_t column)
{
    BASE_ASSERT(column < store->width);
    return store->level_of[column];
}

const struct mdd_arc *mdd_edges(const struct mdd *store, mdd_node node, uint32_t *count)
{
    BASE_ASSERT(node < store->nodes.count);
    *count = store->nodes.items[node].count;
    return store->edges.items + store->nodes.items[node].first;
}

int64_t *mdd_room(const struct mdd *store)
{
    return store->room;
}

static uint64_t hash_edges(const struct mdd_arc *edges, uint32_t count)
{
    BASE_ASSERT(count > 0);
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        hash = (hash ^ (uint64_t)edges[i].value) * UINT64_C(0x9e3779b97f4a7c15);
        hash = (hash ^ (hash >> 29) ^ edges[i].to) * UINT64_C(0xbf58476d1ce4e5b9);
    }
    return hash ^ (hash >> 32);
}

static bool same_edges(const struct mdd_arc *a, const struct mdd_arc *b, uint32_t count)
{
    return !ANY(i, count, a[i].value != b[i].value || a[i].to != b[i].to);
}

/* Where the node with these edges is, or would be. */
static uint32_t slot_of(const struct mdd *s, const struct mdd_arc *edges, uint32_t count)
{
    BASE_ASSERT(s->slot_count && (s->slot_count & (s->slot_count - 1)) == 0);
    uint32_t at = (uint32_t)hash_edges(edges, count) & (s->slot_count - 1);
    while (s->slots[at] &&
           (edges_of(s, s->slots[at]) != count ||
            !same_edges(s->edges.items + s->nodes.items[s->slots[at]].first, edges, count)))
        at = (at + 1) & (s->slot_count - 1);
    return at;
}

static void grow(struct mdd *s)
{
    s->slot_count = s->slot_count ? 2 * s->slot_count : 256;
    base_free(s->slots);
    s->slots = base_realloc(NULL, s->slot_count * sizeof *s->slots);
    memset(s->slots, 0, s->slot_count * sizeof *s->slots);
    for (uint32_t node = 2; node < s->nodes.count; node++)
        s->slots[slot_of(s, s->edges.items + s->nodes.items[node].first, edges_of(s, node))] = node;
    s->memory_count = s->slot_count;
    base_free(s->memory);
    s->memory = base_realloc(NULL, s->memory_count * sizeof *s->memory);
    memset(s->memory, 0, s->memory_count * sizeof *s->memory);
}

/* As the edges of a node do. For assertions. */
__attribute__((unused)) static bool edges_ascend(const struct mdd_arc *edges, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (edges[i - 1].value >= edges[i].value)
            return false;
    return true;
}

mdd_node mdd_make(struct mdd *s, size_t mark)
{
    BASE_ASSERT(mark <= s->work.count);
    const struct mdd_arc *edges = s->work.items + mark;
    uint32_t count = (uint32_t)(s->work.count - mark);
    s->work.count = mark;
    if (count == 0 || s->full)
        return MDD_EMPTY;
    if (2 * s->nodes.count >= s->slot_count)
        grow(s);
    BASE_ASSERT(edges_ascend(edges, count));
    BASE_ASSERT(s->nodes.count < s->slot_count);
    uint32_t at = slot_of(s, edges, count);
    if (s->slots[at])
        return s->slots[at];
    if (s->nodes.count >= s->most_nodes || s->edges.count / 8 >= s->most_nodes) {
        s->full = true;
        return MDD_EMPTY;
    }
    s->slots[at] = (uint32_t)s->nodes.count;
    VEC_PUSH(&s->nodes, ((struct node){(uint32_t)s->edges.count, count}));
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(&s->edges, edges[i]);
    return s->slots[at];
}

void mdd_push(struct mdd *s, int64_t value, mdd_node to)
{
    BASE_ASSERT(to == MDD_EMPTY || to < s->nodes.count);
    if (to != MDD_EMPTY)
        VEC_PUSH(&s->work, ((struct mdd_arc){value, to}));
}

void mdd_heed(struct mdd *s, const struct clock_limit *clock)
{
    s->clock = clock;
}

/* In steps of the evaluator, for one of ours; and how many of these come between looks. */
enum { STEPS_OF_CLOCK = 512, STEPS_BETWEEN_LOOKS = 256 };

bool mdd_step(struct mdd *s)
{
    if (s->clock)
        clock_spend(s->clock, STEPS_OF_CLOCK);
    if (s->clock && s->steps % STEPS_BETWEEN_LOOKS == 0)
        s->full |= clock_is_late(s->clock);
    s->full |= ++s->steps > MOST_STEPS;
    return !s->full;
}

bool mdd_steps(struct mdd *s, uint32_t count)
{
    while (count > 0 && mdd_step(s))
        count--;
    return !s->full;
}

/* ---- Rows ---- */

mdd_node mdd_row(struct mdd *s, const int64_t *row)
{
    mdd_node node = MDD_END;
    for (uint32_t level = s->width; level-- > 0;) {
        size_t mark = s->work.count;
        mdd_push(s, row[s->column_of[level]], node);
        node = mdd_make(s, mark);
    }
    return node;
}

mdd_node mdd_edge(struct mdd *s, int64_t value, mdd_node behind)
{
    BASE_ASSERT(behind < s->nodes.count);
    size_t mark = s->work.count;
    mdd_push(s, value, behind);
    return mdd_make(s, mark);
}

/* Halved until they are single, so that a row is passed as often as halving goes. */
mdd_node mdd_rows(struct mdd *s, const int64_t *rows, size_t count)
{
    if (count < 2)
        return count ? mdd_row(s, rows) : MDD_EMPTY;
    size_t half = count / 2;
    mdd_node a = mdd_rows(s, rows, half);
    mdd_node b = mdd_rows(s, rows + half * s->width, count - half);
    return mdd_union(s, a, b);
}

mdd_node mdd_behind(const struct mdd *s, mdd_node node, int64_t value)
{
    BASE_ASSERT(node < s->nodes.count);
    uint32_t low = 0, high = edges_of(s, node);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (edge_of(s, node, middle).value < value)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < edges_of(s, node) && edge_of(s, node, low).value == value;
    return found ? edge_of(s, node, low).to : MDD_EMPTY;
}

bool mdd_has(const struct mdd *s, mdd_node set, const int64_t *row)
{
    BASE_ASSERT(set < s->nodes.count);
    for (uint32_t level = 0; level < s->width && set != MDD_EMPTY; level++)
        set = mdd_behind(s, set, row[s->column_of[level]]);
    return set != MDD_EMPTY;
}

/* ---- Two sets ---- */

static bool is_plain(uint32_t operation, mdd_node a, mdd_node b, mdd_node *result)
{
    BASE_ASSERT(operation == UNION || operation == MINUS || operation == MEET);
    if (a == b) {
        *result = operation == MINUS ? MDD_EMPTY : a;
    } else if (a == MDD_EMPTY) {
        *result = operation == UNION ? b : MDD_EMPTY;
    } else if (b == MDD_EMPTY) {
        *result = operation == MEET ? MDD_EMPTY : a;
    } else {
        return false;
    }
    return true;
}

static struct remembered *memory_of(const struct mdd *s, uint32_t operation, uint32_t a, uint32_t b)
{
    BASE_ASSERT(s->memory_count && (s->memory_count & (s->memory_count - 1)) == 0);
    uint64_t key = (((uint64_t)a << 32 | b) ^ operation) * UINT64_C(0x9e3779b97f4a7c15);
    return &s->memory[(uint32_t)(key >> 32) & (s->memory_count - 1)];
}

bool mdd_recall(const struct mdd *s, uint32_t operation, uint32_t a, uint32_t b, mdd_node *result)
{
    const struct remembered *known = memory_of(s, operation, a, b);
    bool there = known->operation == operation && known->a == a && known->b == b;
    *result = there ? known->result : MDD_EMPTY;
    return there;
}

void mdd_remember(struct mdd *s, uint32_t operation, uint32_t a, uint32_t b, mdd_node result)
{
    if (!s->full)
        *memory_of(s, operation, a, b) = (struct remembered){operation, a, b, result};
}

/* Whether the result is known; if not, the nodes may be swapped. */
static bool is_known(struct mdd *s, uint32_t operation, mdd_node *a, mdd_node *b, mdd_node *result)
{
    *result = MDD_EMPTY;
    if (is_plain(operation, *a, *b, result) || !mdd_step(s))
        return true;
    if (operation != MINUS && *a > *b) {
        mdd_node swapped = *a;
        *a = *b;
        *b = swapped;
    }
    return mdd_recall(s, operation, *a, *b, result);
}

/* Takes the edge of the least value that is left, or the two that have it. */
static bool take_edges(const struct mdd *s, struct pair_at *at, mdd_node *a, mdd_node *b)
{
    BASE_ASSERT(at->i <= edges_of(s, at->a) && at->j <= edges_of(s, at->b));
    uint32_t a_count = edges_of(s, at->a), b_count = edges_of(s, at->b);
    struct mdd_arc x = {0, 0}, y = {0, 0};
    if (at->i < a_count)
        x = edge_of(s, at->a, at->i);
    if (at->j < b_count)
        y = edge_of(s, at->b, at->j);
    bool takes_a = at->i < a_count && (at->j >= b_count || x.value <= y.value);
    bool takes_b = at->j < b_count && (at->i >= a_count || y.value <= x.value);
    at->i += takes_a;
    at->j += takes_b;
    at->value = takes_a ? x.value : y.value;
    *a = takes_a ? x.to : MDD_EMPTY;
    *b = takes_b ? y.to : MDD_EMPTY;
    return takes_a || takes_b;
}

/* Pushes the edges of what two nodes make, which ascend, until all are there, or one leads to two
 * nodes that are to be combined first. */
static bool push_combined(struct mdd *s, uint32_t operation, struct pair_at *at, mdd_node *a,
                          mdd_node *b)
{
    mdd_node to;
    while (take_edges(s, at, a, b)) {
        if (!is_known(s, operation, a, b, &to))
            return false;
        mdd_push(s, at->value, to);
    }
    return true;
}

mdd_node mdd_combine(struct mdd *s, uint32_t operation, mdd_node a, mdd_node b)
{
    mdd_node result;
    size_t bottom = s->pairs.count;
    if (is_known(s, operation, &a, &b, &result))
        return result;
    struct pair_at at = {a, b, 0, 0, 0, s->work.count};
    for (;;) {
        if (!push_combined(s, operation, &at, &a, &b)) {
            VEC_PUSH(&s->pairs, at);
            at = (struct pair_at){a, b, 0, 0, 0, s->work.count};
            continue;
        }
        result = mdd_make(s, at.mark);
        mdd_remember(s, operation, at.a, at.b, result);
        if (s->pairs.count == bottom)
            return result;
        BASE_ASSERT(s->pairs.count > bottom);
        at = VEC_POP(&s->pairs);
        mdd_push(s, at.value, result);
    }
}

static mdd_node operate(struct mdd *s, uint32_t operation, mdd_node a, mdd_node b)
{
    BASE_ASSERT(a < s->nodes.count && b < s->nodes.count);
    BASE_ASSERT(s->pairs.count == 0);
    s->steps = 0;
    return mdd_combine(s, operation, a, b);
}

mdd_node mdd_union(struct mdd *s, mdd_node a, mdd_node b)
{
    return operate(s, UNION, a, b);
}

mdd_node mdd_minus(struct mdd *s, mdd_node a, mdd_node b)
{
    return operate(s, MINUS, a, b);
}

mdd_node mdd_meet(struct mdd *s, mdd_node a, mdd_node b)
{
    return operate(s, MEET, a, b);
}
