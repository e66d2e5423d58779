/* inclusion: turns a set of states into a proposition that holds of just these states. So whoever
 * judges, decides or explains conditions can judge an inclusion, and no engine has to know of
 * it. */
#ifndef CRASHLIT_INCLUSION_H
#define CRASHLIT_INCLUSION_H

#include "engine/outcome.h"

/* The proposition: the atoms have values that these columns have in one of `states`. It is a tree
 * over the columns in turn, about as large as the number of states that differ in them. `distinct`
 * is that number (UINT64_MAX: so many or more). False if there are no states. `count` is at least
 * 1. In the arena. NULL: the states are a diagram that is not read off as a product in full. */
const struct lit_prop *inclusion_prop(struct arena *arena, const struct outcome_states *states,
                                      const uint32_t *columns, const struct lit_atom *atoms,
                                      uint32_t count, uint64_t *distinct);

#endif
