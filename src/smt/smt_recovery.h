/* smt_recovery: runs recovery on the states that a crash leaves. Private to the symbolic engine. */
#ifndef CRASHLIT_SMT_RECOVERY_H
#define CRASHLIT_SMT_RECOVERY_H

#include "smt/smt_stage.h"

/* Fills the outcome's part on recovery, after the test's crash states have been answered. `crash`
 * is the cut in the test's formula, whose solver may be added to. */
void smt_recover(struct smt_query *test, const struct smt_crash *crash);

/* Does some execution of this stage from a state have undefined behaviour, or is it cut short by a
 * bound? Then it says nothing that none completes. `fixed` says what the start is. */
bool smt_recovery_fails(struct smt_stage *stage, smt_term fixed);

/* Call when everything looked for was found: sorts the test's outcome and fills its chains. Every
 * start met must be a solution of the stage. */
void smt_show_chains(struct smt_stage *stage);

#endif
