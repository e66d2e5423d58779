/* place_bounds: bounds (cat_bounds.h) over a family of executions that share their events but for
 * some that are not in all of them. Of each base name, tag and choice there is a lower bound, what
 * is in it in every execution, and an upper one, what is in it in some. A lower bound has none but
 * `sure` events, which all executions have, and an upper bound says nothing about pairs with events
 * that an execution does not have.
 *
 * Ownership: bounds live in the arena; nothing is allocated after place_bounds_new.
 */
#ifndef CRASHLIT_PLACE_BOUNDS_H
#define CRASHLIT_PLACE_BOUNDS_H

#include "cat/cat_bounds.h"

struct place_bounds {
    const struct cat_model *model;
    const bool *needed; /* per node */
    struct cat_domain domain;
    struct cat_bounds of;         /* of.values: per side and node */
    rel_word **bases[2];          /* per side and base name: the caller's to write */
    rel_word **tagged[2];         /* per side and entry of model->tagged */
    rel_word **picks;             /* per choice of the model what the execution picked: a relation,
                                     CAT_LINEARISATIONS; the caller's to write */
    uint32_t *alternatives;       /* per choice the alternative that was picked, CAT_ALTERNATIVES */
    rel_word *sure;               /* a set: the caller's to write */
    rel_word *sure_pairs, *order; /* a relation each */
};

struct place_bounds *place_bounds_new(struct arena *arena, const struct cat_model *model,
                                      struct rel_dim dim, const bool *needed);
/* With all of the caller's written. False: a choice has no pick that serves all executions. */
bool place_bounds_evaluate(struct place_bounds *bounds) __attribute__((warn_unused_result));

#endif
