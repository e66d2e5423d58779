/* naive: a model's expressions by definition, for recheck.h and for tests.
 *
 * A set over n events is a row of BITS_WORDS(n) words, a relation n rows with (a, b) at bit b of
 * row a, as in rel/relation.h, of which nothing else is used here.
 */
#ifndef CRASHLIT_NAIVE_H
#define CRASHLIT_NAIVE_H

#include "cat/cat_ir.h"
#include "base/arena.h"
#include "base/bits.h"

/* Given are the model, the events and what the nodes begin with; `values` is found. */
struct naive_model {
    struct arena *arena; /* of the values */
    const struct cat_model *model;
    uint32_t n;
    uint64_t **values;              /* per node, NULL: not evaluated; NULL: none is */
    const uint64_t *const *bases;   /* per base of the basis, of those that are evaluated */
    const uint64_t *const *choices; /* per choice of the model; NULL without any */
    const uint64_t *const *tagged;  /* per entry of model->tagged; NULL without any */
};

/* Which nodes the checks of a kind, the choices, and the names that say which writes are events
 * need: a bool per node. */
const bool *naive_checked(struct arena *arena, const struct cat_model *model,
                          enum cat_check_kind kind);
/* The same of these and the reserved names. */
const bool *naive_needed(struct arena *arena, const struct cat_model *model,
                         enum cat_check_kind kind);
/* Which may change with a dynamic base or a choice: a bool per node. */
const bool *naive_changing(struct arena *arena, const struct cat_model *model);

/* Some nodes, each behind what it is made of. */
struct naive_nodes {
    const cat_node_id *ids;
    uint32_t count, sets;
};

/* Those that are wanted (NULL: all) but for some (NULL: none) and for what is listed, a bool per
 * node, where they are noted. */
struct naive_nodes naive_list(struct arena *arena, const struct cat_model *model,
                              const bool *wanted, const bool *but, bool *listed);

/* What was evaluated before, which lends its values, and these nodes with what is given now: the
 * rest of what they are made of has to be there. */
struct naive_model naive_add(struct arena *arena, const struct naive_model *before,
                             const struct naive_nodes *nodes);
/* All that is needed (NULL: all nodes) of what is given. */
struct naive_model naive_evaluate(struct arena *arena, const struct naive_model *given,
                                  const bool *needed);
/* Of a relation over n events, or with row 0 of a set. */
bool naive_has(uint32_t n, const uint64_t *value, uint32_t row, uint32_t event);
bool naive_holds(struct arena *arena, const struct naive_model *naive,
                 const struct cat_check *check);

#endif
