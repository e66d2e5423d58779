/* smt_decide: decides conditions on recovery without listing its states. Private to the symbolic
 * engine. */
#ifndef CRASHLIT_SMT_DECIDE_H
#define CRASHLIT_SMT_DECIDE_H

#include "smt/smt_reach.h"

/* The two formulas about recovery. `first` starts on the test's crash image, in the test's solver.
 * `any`, used when recovery may crash, starts on any state that `reach` does not exclude. */
struct smt_recovery {
    struct smt_query *test;
    const struct smt_crash *crash;
    struct smt_stage first, any;
    struct smt_reach *reach; /* NULL when recovery does not crash */
    bool completes;          /* known: recovery completes from every state */
};

/* Looks for a state for each condition, for undefined behaviour and for livelocks; fills the
 * outcome's part on recovery. False, with nothing found, in two cases. Some location has too many
 * values. Or the model may leave some state no execution of recovery, not even a stuck one;
 * formulas are about executions, so none would tell of that state. */
bool smt_decide_recovery(struct smt_query *test, const struct smt_crash *crash);

/* smt_livelock.c: does recovery complete from every possible state? False: not known. */
bool smt_always_completes(struct smt_recovery *recovery);
/* Looks for a state that recovery may start on and never completes from; one such state goes into
 * the outcome. Call after undefined behaviour was looked for. */
void smt_look_for_livelock(struct smt_recovery *recovery);

#endif
