/* cat_merged: what several models say, as one graph in which each expression is one node.
 *
 * Two models that differ in a rule share the nodes of all else. Operands come before users. A node
 * has an operator of cat_ir.h, or one of these:
 *
 * - CAT_MERGED_SOURCE is what a choice picks from: the orders on a set (a) that contain a relation
 *   on it (b). Of models with the same sources the same may be picked. A CAT_CHOICE has its source
 *   (a), and tells by `key` how many choices before it have the same.
 * - CAT_MERGED_ALONE is like nothing else: a member of a recursion, a choice among alternatives.
 *
 * Ownership: everything lives in the arena; tags are the models'. */
#ifndef CRASHLIT_CAT_MERGED_H
#define CRASHLIT_CAT_MERGED_H

#include "base/arena.h"
#include "cat/cat_ir.h"

enum { CAT_MERGED_SOURCE = CAT_CHOICE + 1, CAT_MERGED_ALONE, CAT_MERGED_OPS };

struct cat_merged_node {
    uint8_t op, sort;
    cat_node_id a, b; /* CAT_NONE: none */
    uint32_t key;     /* CAT_BASE: index into the basis; CAT_TAGGED: into `tagged`; else what tells
                         it from others */
};

/* A name of the contract, a check, or what a choice picks from. */
struct cat_merged_rule {
    enum { CAT_MERGED_NAME, CAT_MERGED_CHECK, CAT_MERGED_CHOICE } kind;
    uint8_t what; /* which name; which kind of check */
    uint8_t test;
    bool negated;
    cat_node_id node;
};

/* The names of the contract, then choices, then the checks in their order; no flags. */
struct cat_merged_rules {
    const struct cat_merged_rule *items;
    uint32_t count;
};

struct cat_merged {
    const struct cat_merged_node *nodes;
    uint32_t node_count;
    const struct cat_tagged *const *tagged;
    const struct cat_merged_rules *rules; /* per model */
};

/* Cost: linear in the nodes of all models. */
struct cat_merged cat_merge(struct arena *arena, const struct cat_model *const *models,
                            uint32_t count);

#endif
