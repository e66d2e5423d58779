/* place_box: a counterexample of one filling, made one of many.
 *
 * A box has a set of values for each choice. An execution that was carried over (place_carry.h) is
 * one of all fillings of a box when bounds over the box show it: the checks of the model surely
 * hold, the threads meet as they did, the crash cut is surely allowed, or the undefined behaviour
 * is surely there. State and values are the same then. A box is grown from the filling, choice by
 * choice and value by value, as long as that can be shown.
 */
#ifndef CRASHLIT_PLACE_BOX_H
#define CRASHLIT_PLACE_BOX_H

#include "place/place_cut.h"

/* What the execution shows is its final state, a crash state that is wanted, or undefined
 * behaviour, if it is that of a witness without a state. `box` holds the filling; false: it could
 * not be shown of that alone, and the box is as it was. When the clock has run out it grows no
 * more.
 */
bool place_box_grow(struct arena *scratch, const struct place_asker *asker,
                    const struct clock_limit *clock, struct place_carried *carried,
                    const struct place_wanted *wanted, uint64_t *box);

#endif
