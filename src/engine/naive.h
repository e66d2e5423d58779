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
    bool **values;            /* per node */
    bool *changes;            /* per node: its value may change with a dynamic base */
    const bool *const *bases; /* per base of the basis */
};

/* Values of all nodes, in `arena`. `bases` gives each base name's value. `same`, NULL or
 * an earlier evaluation where all but the dynamic bases were the same, lends the
 * values that cannot have changed. */
struct naive_model naive_evaluate(struct arena *arena, const struct cat_model *model, uint32_t n,
                                  const bool *const *bases, const struct naive_model *same);
bool naive_holds(struct arena *arena, const struct naive_model *naive,
                 const struct cat_check *check);

#endif
