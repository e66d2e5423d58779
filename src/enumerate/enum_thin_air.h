/* enum_thin_air: executions in which values justify themselves.
 *
 * Under models that allow cycles of po and rf, what a read returns may depend on the
 * read itself: r = x; y = r  beside  s = y; x = s. No value is forced, and every value
 * that solves the equations makes an execution. The solutions are tried at the
 * constants of the test; that none exists is found when the equation is affine.
 */
#ifndef CRASHLIT_ENUM_THIN_AIR_H
#define CRASHLIT_ENUM_THIN_AIR_H

#include "enumerate/enum_search.h"

/* A complete consistent witness, some of whose reads have no known value: hands the
 * solutions found to enum_leaf, and raises OUTCOME_DOUBT_THIN_AIR unless it is certain
 * that there are no others. */
void enum_thin_air(struct enum_search *search);

#endif
