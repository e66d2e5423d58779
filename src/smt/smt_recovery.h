/* smt_recovery: what recovery makes of the states that a crash leaves. Private to the symbolic
 * engine.
 */
#ifndef CRASHLIT_SMT_RECOVERY_H
#define CRASHLIT_SMT_RECOVERY_H

#include "smt/smt_stage.h"

/* After the test's crash states have been answered: `crash` is the cut in its formula, whose
 * solver may be added to. Fills the outcome's part on recovery. */
void smt_recover(struct smt_query *test, const struct smt_crash *crash);

/* Whether an execution of this stage from a state has undefined behaviour, or is cut short by
 * a bound: then that none completes says nothing. `fixed` says what the start is. */
bool smt_recovery_fails(struct smt_stage *stage, smt_term fixed);

/* When all that is looked for was found: sorts the test's outcome and fills its chains. The stage
 * is one that every start met is a solution of. */
void smt_show_chains(struct smt_stage *stage);

#endif
