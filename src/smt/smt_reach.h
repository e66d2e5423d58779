/* smt_reach: property-directed reachability (IC3; Bradley, 2011). It finds the states that recovery
 * may start on, however often it was interrupted before, without listing them. Private to the
 * symbolic engine.
 *
 * Clauses say that columns have certain values, so values are restricted to those that writes can
 * make (smt_values.h).
 *
 * Ownership: smt_reach_free. Both stages must outlive it. */
#ifndef CRASHLIT_SMT_REACH_H
#define CRASHLIT_SMT_REACH_H

#include "smt/smt_stage.h"

struct smt_reach;

/* `first` starts on the crash image of `test`. `any` starts on free terms, restricted here to
 * possible values. NULL when some location may have too many values. */
struct smt_reach *smt_reach_new(struct smt_query *test, const struct smt_crash *crash,
                                struct smt_stage *first, struct smt_stage *any);
void smt_reach_free(struct smt_reach *reach);

/* The target: executions of recovery for which `holds`, a term of `any`, is true. `reads` marks the
 * columns of the start that the target itself reads; `start_alone`: it reads nothing else. */
struct smt_target {
    smt_term holds;
    smt_term fails; /* NULL, or what executions that show failure have: if no execution from a start
                       has it, all complete ones from there are of the target */
    const bool *reads;
    bool start_alone;
};

/* Is there such an execution, from a state that recovery may start on after at least one
 * interruption? (`first` answers for uninterrupted starts; one found here all the same is an
 * answer.) SMT_SAT: the chain says how the state comes about. SMT_UNSAT: there is none after any
 * number of rounds. SMT_UNKNOWN: a doubt of `any` says why.
 *
 * Clauses found to hold after any number of rounds are asserted in `any`. */
enum smt_answer smt_reach_find(struct smt_reach *reach, const struct smt_target *target);
/* After SMT_SAT, until the next smt_reach_find: rows, oldest first. The first is a crash state of
 * the test, each next one is left by a crash in recovery, and the execution starts on the last. */
const int64_t *const *smt_reach_chain(const struct smt_reach *reach, uint32_t *count);

#endif
