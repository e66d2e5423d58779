/* place_bounds: a model's expressions where even what is fixed in an execution is known by bounds.
 *
 * Of each base name, tag and choice there is a lower bound, what is in it in every execution of a
 * family, and an upper one, what is in it in some. Executions of a family share their events but
 * for some that are not in all of them (`sure` has the others): a lower bound has none of these,
 * and an upper bound says nothing about pairs with events that an execution does not have. Bounds
 * follow every operator as those of cat_eval.h do; that one has no bounds of static bases, as its
 * callers know these.
 *
 * Ownership: bounds live in the arena; nothing is allocated after place_bounds_new.
 */
#ifndef CRASHLIT_PLACE_BOUNDS_H
#define CRASHLIT_PLACE_BOUNDS_H

#include "cat/cat_ir.h"
#include "rel/relation.h"

enum place_side { PLACE_LOWER, PLACE_UPPER };

struct place_bounds {
    const struct cat_model *model;
    struct rel_dim dim;
    const bool *needed;     /* per node */
    rel_word **nodes[2];    /* per side and node; NULL: not needed */
    rel_word **bases[2];    /* per side and base name: the caller's to write */
    rel_word **tagged[2];   /* per side and entry of model->tagged */
    rel_word **picks;       /* per choice of the model what the execution picked: a relation,
                               CAT_LINEARISATIONS; the caller's to write */
    uint32_t *alternatives; /* per choice the alternative that was picked, CAT_ALTERNATIVES */
    rel_word *sure;         /* a set: the caller's to write */
    rel_word *scratch[2];   /* a relation each */
};

struct arena;
struct place_bounds *place_bounds_new(struct arena *arena, const struct cat_model *model,
                                      struct rel_dim dim, const bool *needed);
/* With all of the caller's written. False: a choice has no pick that serves all executions. */
bool place_bounds_evaluate(struct place_bounds *bounds) __attribute__((warn_unused_result));

/* Does the check hold, or fail, in all executions of the family? */
bool place_bounds_hold(struct place_bounds *bounds, const struct cat_check *check);
bool place_bounds_fail(struct place_bounds *bounds, const struct cat_check *check);

#endif
