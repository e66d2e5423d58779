/* smt_decide: the verdicts on recovery, without its states. Private to the symbolic engine. */
#ifndef CRASHLIT_SMT_DECIDE_H
#define CRASHLIT_SMT_DECIDE_H

#include "smt/smt_reach.h"

/* What is asked about recovery: `first` starts on the test's crash image, in its solver; `any`,
 * when recovery may crash, on whatever there may be, as far as `reach` knows. */
struct smt_recovery {
    struct smt_query *test;
    const struct smt_crash *crash;
    struct smt_stage first, any;
    struct smt_reach *reach; /* NULL when recovery does not crash */
    bool completes;          /* known: from every state */
};

/* Looks for a state for each condition, for undefined behaviour and for livelocks, and fills
 * the outcome's part on recovery. False, having found nothing, when locations have too many
 * values for that, or the model may leave some state no execution of recovery, not even
 * one that is stuck: formulas are about executions, and none would tell of that state. */
bool smt_decide_recovery(struct smt_query *test, const struct smt_crash *crash);

/* smt_livelock.c: does recovery complete from every state there can be? False: not known. */
bool smt_always_completes(struct smt_recovery *recovery);
/* Is there a state that recovery may start on and never completes from? One
 * goes into the outcome. After undefined behaviour was looked for. */
void smt_look_for_livelock(struct smt_recovery *recovery);

#endif
