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

struct naive_model {
    struct arena *arena; /* of the values */
    const struct cat_model *model;
    uint32_t n;
    uint64_t **values;              /* per node */
    bool *changes;                  /* per node: its value may change with a dynamic base */
    const uint64_t *const *bases;   /* per base of the basis */
    const uint64_t *const *choices; /* per choice of the model */
    const uint64_t *const *tagged;  /* per entry of model->tagged */
};

/* Which nodes the checks of a kind, the reserved names and the choices need: a bool per node. */
const bool *naive_needed(struct arena *arena, const struct cat_model *model,
                         enum cat_check_kind kind);

/* What is evaluated, and what it may take from an earlier evaluation. */
struct naive_options {
    const bool *needed;             /* NULL: all nodes; else values of others are NULL */
    bool fixed;                     /* so are those that change with the dynamic bases */
    const struct naive_model *same; /* NULL, or an evaluation where all but the dynamic bases
                                       were the same: lends what cannot have changed */
    const uint64_t *const *choices; /* values of the model's choices; NULL without any */
    const uint64_t *const *tagged;  /* of its CAT_TAGGED nodes; NULL without any */
};

/* Values of nodes, in `arena`. `bases` gives each base name's value. */
struct naive_model naive_evaluate(struct arena *arena, const struct cat_model *model, uint32_t n,
                                  const uint64_t *const *bases, struct naive_options options);
/* Of a relation over n events, or with row 0 of a set. */
bool naive_has(uint32_t n, const uint64_t *value, uint32_t row, uint32_t event);
bool naive_holds(struct arena *arena, const struct naive_model *naive,
                 const struct cat_check *check);

#endif
