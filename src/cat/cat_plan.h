/* cat_plan: the order in which a model's nodes are computed, by stage.
 *
 * Private to the evaluation of models (cat_plan.c, cat_slots.c, cat_eval.c, cat_imply.c). */
#ifndef CRASHLIT_CAT_PLAN_H
#define CRASHLIT_CAT_PLAN_H

#include "cat/cat_eval.h"
#include "cat/cat_operate.h"

/* What a node may change with: a bit for each dynamic base; one bit for those past the last and for
 * all choices. */
enum { CAT_SOURCE_BITS = 5, CAT_SOURCE_OTHERS = CAT_SOURCE_BITS - 1 };

/* A node's value on one side, or (node == CAT_NONE) the test of a check. */
struct cat_step {
    cat_node_id node;
    enum cat_side side;
    uint32_t check;
    uint32_t sources; /* of a step of `viable`: the bits of what the node may change with */
};

struct cat_steps {
    const struct cat_step *items;
    uint32_t count;
};

/* How many values of each kind there are room for. */
struct cat_slots {
    uint32_t fixed_sets, fixed_rels; /* of static nodes */
    uint32_t open_sets, open_rels;   /* of others, on both sides */
    uint32_t passing_rels; /* of static nodes that only static nodes read: slots are reused after
                              the last reader */
};

/* Where values stand: a region for each kind of value (struct cat_slots). */
enum cat_region {
    CAT_FIXED_SETS,
    CAT_FIXED_RELS,
    CAT_OPEN_SETS,
    CAT_OPEN_RELS,
    CAT_PASSING_RELS,
    CAT_REGIONS
};

struct cat_place {
    cat_node_id node;
    enum cat_region region;
    uint32_t slot[2]; /* per side: which value of the region */
};

struct cat_plan {
    const struct cat_model *model;
    uint32_t node_count, group_count; /* how many of the model's may be wanted */
    struct cat_steps fixed;           /* static nodes and checks */
    struct cat_steps viable;          /* bounds and checks of partial witnesses */
    struct cat_steps outlook;         /* for flags, undefined behaviour or crashes: further bounds,
                                         and tests of the first two */
    struct cat_steps may_be_undefined,
        may_be_flagged;            /* for cases: before the outlook, on crashes */
    struct cat_steps exact;        /* dynamic nodes and checks of complete witnesses: */
    uint32_t exact_of_checks;      /* the first ones, those of required checks */
    struct cat_steps implied;      /* from checks to bases (cat_imply.h): users first */
    struct cat_steps *group_nodes; /* per let-rec group: nodes to iterate, in order */
    bool *needs_upper;             /* per node: viable wants its upper bound */
    bool *live;                    /* per node: some check or reserved name needs it */
    uint32_t rel_values;           /* of live nodes: relations computed, both bounds counted */
    bool *passes;                  /* per node: it has a passing slot */
    struct cat_place *places;      /* of the live nodes, in their order */
    uint32_t place_count;
    cat_node_id *chosen; /* live nodes whose value the caller writes, at first empty; others are
                            computed before they are read */
    uint32_t chosen_count;
    struct cat_slots slots;
    uint32_t *base_sources;    /* per base name: its bit, 0 when it is not dynamic */
    cat_node_id *base_nodes;   /* per base name: its live node, CAT_NONE without */
    cat_node_id *tagged_nodes; /* per entry of model->tagged: its live node, CAT_NONE without */
    cat_node_id *choice_nodes; /* per choice: its node */
};

/* Does the caller write the node's value? */
static inline bool cat_is_chosen(const struct cat_node *node)
{
    return node->op == CAT_BASE || node->op == CAT_TAGGED || node->op == CAT_CHOICE;
}

/* Fills `passes`, `places`, `chosen` and `slots` of a plan whose other fields are set.
 * `open_groups`: per node the let-rec groups whose variables it depends on. `keeps_all`: every
 * value may be asked for afterwards. */
void cat_slots_find(struct arena *arena, struct cat_plan *plan, const uint64_t *open_groups,
                    bool keeps_all);

/* For the private files: an evaluation's plan and shape, and, after cat_eval_viable, a node's bound
 * on a side that is wanted. */
const struct cat_plan *cat_eval_plan(const struct cat_eval *eval);
struct rel_dim cat_eval_dim(const struct cat_eval *eval);
const rel_word *cat_eval_bound(const struct cat_eval *eval, cat_node_id node, enum cat_side side);

#endif
