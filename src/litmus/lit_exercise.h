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
#include "litmus/lit_ast.h"
#include "litmus/lit_program.h"

/* Reports a test that is no change of the exercise at all, and returns false: it has another name, and lacks one of its
 * locations. */
bool lit_exercise_recognize(const struct ast_test *answer, const struct ast_test *exercise,
                            const struct source *source, struct diag *diag)
    __attribute__((warn_unused_result));
/* Reports each thing in which the answer differs, at its place in the answer. */
void lit_exercise_compare(const struct lit_program *answer, const struct lit_program *exercise,
                          struct diag *diag);

#endif
