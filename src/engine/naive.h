/* naive: a model's expressions by definition, for recheck.h and for tests.
 *
 * A set over n events is n bools, a relation n*n bools with (a, b) at a*n+b.
 */
#ifndef CRASHLIT_NAIVE_H
#define CRASHLIT_NAIVE_H

#include "cat/cat_ir.h"
#include "base/arena.h"

struct naive_model {
    const struct cat_model *model;
    uint32_t n;
    bool **values;              /* per node */
    bool *changes;              /* per node: its value may change with a dynamic base */
    const bool *const *bases;   /* per base of the basis */
    const bool *const *choices; /* per choice of the model */
    const bool *const *tagged;  /* per entry of model->tagged */
};

/* Which nodes the checks of a kind, the reserved names and the choices need: a bool per node. */
const bool *naive_needed(struct arena *arena, const struct cat_model *model,
                         enum cat_check_kind kind);

/* What is evaluated, and what it may take from an earlier evaluation. */
struct naive_options {
    const bool *needed;             /* NULL: all nodes; else values of others are NULL */
    const struct naive_model *same; /* NULL, or an evaluation where all but the dynamic bases
                                       were the same: lends what cannot have changed */
    const bool *const *choices;     /* values of the model's choices; NULL without any */
    const bool *const *tagged;      /* of its CAT_TAGGED nodes; NULL without any */
};

/* Values of nodes, in `arena`. `bases` gives each base name's value. */
struct naive_model naive_evaluate(struct arena *arena, const struct cat_model *model, uint32_t n,
                                  const bool *const *bases, struct naive_options options);
bool naive_holds(struct arena *arena, const struct naive_model *naive,
                 const struct cat_check *check);

#endif
