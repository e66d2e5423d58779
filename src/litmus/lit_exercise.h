/* lit_exercise: is a test an answer to an exercise?
 *
 * An exercise is a test; an answer changes what its work-items and its recovery do, and nothing
 * around them: it has every location of the exercise as it is declared there (and may have more),
 * the same work-items in the same places, the same crash statements, and a recovery of the same
 * kind if there is one. Conditions are the exercise's own (lit_parse.h), so none are compared.
 */
#ifndef CRASHLIT_LIT_EXERCISE_H
#define CRASHLIT_LIT_EXERCISE_H

#include "base/diag.h"
#include "litmus/lit_program.h"

/* Reports each thing in which the answer differs, at its place in the answer. */
void lit_exercise_compare(const struct lit_program *answer, const struct lit_program *exercise,
                          struct diag *diag);

#endif
