/* naive: evaluates a model's expressions by definition, for recheck.h and for tests.
 *
 * A set over n events is a row of BITS_WORDS(n) words. A relation is n rows, with (a, b) at bit b
 * of row a, as in rel/relation.h; nothing else of that module is used. */
#ifndef CRASHLIT_NAIVE_H
#define CRASHLIT_NAIVE_H

#include "cat/cat_ir.h"
#include "base/arena.h"
#include "base/bits.h"

/* The caller gives the model, the events and the leaves' values; `values` is computed. */
struct naive_model {
    struct arena *arena; /* of the values */
    const struct cat_model *model;
    uint32_t n;
    uint64_t **values;              /* per node, NULL: not evaluated; NULL: none is */
    const uint64_t *const *bases;   /* per base that is evaluated */
    const uint64_t *const *choices; /* per choice of the model; NULL without any */
    const uint64_t *const *tagged;  /* per entry of model->tagged; NULL without any */
};

/* The nodes that checks of a kind and choices need, and the names that say which writes are events:
 * a bool per node. */
const bool *naive_checked(struct arena *arena, const struct cat_model *model,
                          enum cat_check_kind kind);
/* naive_checked, and the reserved names' nodes. */
const bool *naive_needed(struct arena *arena, const struct cat_model *model,
                         enum cat_check_kind kind);
/* The nodes that may change with a dynamic base or a choice: a bool per node. */
const bool *naive_changing(struct arena *arena, const struct cat_model *model);

/* A list of nodes, operands first. */
struct naive_nodes {
    const cat_node_id *ids;
    uint32_t count, sets;
};

/* Lists the nodes in `wanted` (NULL: all), without those in `but` (NULL: none) or in `listed`, and
 * marks them in `listed`. Each is a bool per node. */
struct naive_nodes naive_list(struct arena *arena, const struct cat_model *model,
                              const bool *wanted, const bool *but, bool *listed);

/* Evaluates these nodes on top of `before`, which lends its values and what it was given. All other
 * operands must have values there. */
struct naive_model naive_add(struct arena *arena, const struct naive_model *before,
                             const struct naive_nodes *nodes);
/* The bit of a relation over n events; of a set with row 0. */
bool naive_has(uint32_t n, const uint64_t *value, uint32_t row, uint32_t event);
bool naive_holds(struct arena *arena, const struct naive_model *naive,
                 const struct cat_check *check);

#endif
