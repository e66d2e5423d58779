/* inclusion: a set of states as a proposition, to ask of other states whether they are in it.
 *
 * Whoever judges, decides or explains a condition on states can so judge an inclusion, and no
 * engine has to know of it.
 */
#ifndef CRASHLIT_INCLUSION_H
#define CRASHLIT_INCLUSION_H

#include "engine/outcome.h"

/* That the atoms, of other states, have the values that these columns have in one of `states`: a
 * tree over the columns in turn, so that it is of about the size of the states that differ in
 * them, which are counted in `distinct` (UINT64_MAX: so many or more). False of no states. `count`
 * is at least 1. In the arena. NULL: the states are a diagram that is not read off as a product in
 * full.
 */
const struct lit_prop *inclusion_prop(struct arena *arena, const struct outcome_states *states,
                                      const uint32_t *columns, const struct lit_atom *atoms,
                                      uint32_t count, uint64_t *distinct);

#endif
