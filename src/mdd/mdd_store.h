/* mdd_store: the data of a store of sets. Private to mdd.c and mdd_change.c. */
#ifndef CRASHLIT_MDD_STORE_H
#define CRASHLIT_MDD_STORE_H

#include "base/vec.h"
#include "mdd/mdd.h"

struct node {
    uint32_t first, count; /* of its edges */
};

/* RENAME is of the first level, and so on; behind the last, of a pair's first value. */
enum { UNION, MINUS, MEET, RENAME };

struct remembered {
    uint32_t operation, a, b; /* `a` is 0: the slot is empty */
    mdd_node result;
};

/* Work in progress is kept here and not on the stack, as a set is as deep as it has columns. */

/* Two nodes whose edges are combined. */
struct pair_at {
    mdd_node a, b;
    uint32_t i, j; /* how many edges of each were taken */
    int64_t value; /* of the edges being followed */
    size_t mark;   /* in the store's work */
};

/* A node whose edges are gone through. */
struct node_at {
    mdd_node node;
    uint32_t level, i; /* the edge that is followed */
    size_t mark;       /* in the store's work */
};

/* The most steps of one operation. */
enum { MOST_STEPS = 1 << 26 };

struct mdd {
    uint32_t width, most_nodes;
    uint32_t *column_of, *level_of;
    int64_t *room;
    VEC(struct node) nodes;
    VEC(struct mdd_arc) edges;
    VEC(struct mdd_arc) work;  /* edges of nodes that are not made yet, as a stack */
    VEC(struct pair_at) pairs; /* a stack for operations on two sets */
    VEC(struct node_at) walk;  /* a stack for operations on one set */
    uint32_t *slots;           /* open-addressing table of nodes; 0: free */
    uint32_t slot_count;
    struct remembered *memory;
    uint32_t memory_count;
    uint32_t renamings; /* so far; also counts filters of pairs by a value */
    uint64_t steps;
    const struct clock_limit *clock; /* NULL: none */
    bool full;
};

static inline struct mdd_arc edge_of(const struct mdd *s, mdd_node node, uint32_t i)
{
    BASE_ASSERT(node < s->nodes.count && i < s->nodes.items[node].count);
    return s->edges.items[s->nodes.items[node].first + i];
}

static inline uint32_t edges_of(const struct mdd *s, mdd_node node)
{
    BASE_ASSERT(node < s->nodes.count);
    return s->nodes.items[node].count;
}

/* Pushes an edge for a node to be made, unless it leads nowhere. */
void mdd_push(struct mdd *store, int64_t value, mdd_node to);
/* Pops the edges from `mark` on and makes their node; without edges MDD_EMPTY. */
mdd_node mdd_make(struct mdd *store, size_t mark);
/* Counts a step; returns whether to go on. */
bool mdd_step(struct mdd *store);
/* The result of an operation, as long as nothing else takes its place; MDD_EMPTY if it is not
 * remembered. Nothing is remembered by a store that is full. */
bool mdd_recall(const struct mdd *store, uint32_t operation, uint32_t a, uint32_t b,
                mdd_node *result);
void mdd_remember(struct mdd *store, uint32_t operation, uint32_t a, uint32_t b, mdd_node result);
/* An operation within another one, which counts its steps. */
mdd_node mdd_combine(struct mdd *store, uint32_t operation, mdd_node a, mdd_node b);

#endif
