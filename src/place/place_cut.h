/* place_cut: does a crash cut that was carried over stand in all executions of a family? */
#ifndef CRASHLIT_PLACE_CUT_H
#define CRASHLIT_PLACE_CUT_H

#include "place/place_bounds.h"
#include "place/place_carry.h"

/* What a crash state has to be: one that decides a condition, or one that begins with these values.
 */
struct place_wanted {
    const struct lit_program *program;     /* of the filling */
    const struct lit_condition *condition; /* NULL: a row is wanted */
    const struct lit_atom *items;
    const int64_t *row;
    uint32_t width; /* of the row, or of the state, as `items` has it */
};

/* Is there such a crash state of the execution, by whatever cut that all of the family allow? Not
 * for states with registers, which depend on how much has executed: that one is then the
 * witness's. */
bool place_cut_reaches(struct arena *scratch, const struct place_carried *carried,
                       const struct place_bounds *bounds, const struct place_wanted *wanted);

#endif
