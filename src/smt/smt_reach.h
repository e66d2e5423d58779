/* smt_reach: property-directed reachability (IC3; Bradley, 2011) of the states that recovery may
 * start on, however often it was interrupted before, without listing them. Private to the symbolic
 * engine.
 *
 * Clauses are about columns having a value, so values are kept to those that writes can
 * make (smt_values.h).
 *
 * Ownership: smt_reach_free. Both stages must outlive it.
 */
#ifndef CRASHLIT_SMT_REACH_H
#define CRASHLIT_SMT_REACH_H

#include "smt/smt_stage.h"

struct smt_reach;

/* `first` starts on the crash image of `test`; `any` on free terms, restricted here to values
 * that there may be. NULL when these are not known to be few. */
struct smt_reach *smt_reach_new(struct smt_query *test, const struct smt_crash *crash,
                                struct smt_stage *first, struct smt_stage *any);
void smt_reach_free(struct smt_reach *reach);

/* What is looked for: executions of recovery of which `holds` is true, a term of `any`. `reads`
 * are columns of the start that it looks at by itself; `start_alone`: and nothing else is to
 * be looked at. */
struct smt_target {
    smt_term holds;
    smt_term fails; /* NULL, or of executions that show it fails: where no execution from a
                       start has this, all complete ones from there are of the sort */
    const bool *reads;
    bool start_alone;
};

/* Is there such an execution, from a state that recovery may start on, after at least one
 * interruption? (Others are a question to `first`; one that is found all the same is
 * an answer.) SMT_SAT: the chain says how the state comes about. SMT_UNSAT: there is none after
 * any number of rounds. SMT_UNKNOWN: a doubt of `any` says why.
 *
 * What is shown on the way to hold for ever is asserted in `any`. */
enum smt_answer smt_reach_find(struct smt_reach *reach, const struct smt_target *target);
/* After SMT_SAT: rows, oldest first: a crash state of the test, then what each crash in recovery
 * left; the last is what the execution starts on. Until the next call of smt_reach_find. */
const int64_t *const *smt_reach_chain(const struct smt_reach *reach, uint32_t *count);

#endif
