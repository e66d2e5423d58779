/* recovery: runs the recovery program on crash states, whichever engine is asked.
 *
 * Recovery of a crash state is an ordinary program: recovery's threads, non-volatile
 * locations at the values that the crash left, volatile ones at their first. An engine's
 * function for one program runs it; what it finds goes into the outcome of the test
 * (outcome.h): recovered states, undefined behaviour, doubts of recovery, livelocks. When
 * recovery may crash, it is started on the states that crashes within it leave, round by
 * round, until there is no new one or the bound on rounds is met.
 *
 * States that agree on what recovery looks at share one run: what that run never looked at
 * can have no part in it, and stays as it was unless recovery writes it. An engine that fills
 * engine_initials tells exactly; for others two states share when they agree on all locations
 * that the code can name.
 *
 * An engine makes a driver for each request, starts it on every crash state it finds (while
 * it searches, or when it is done), finishes it, and ends it. Undefined behaviour and
 * livelocks count only on states that are reachable, so nothing else may be given to it.
 *
 * Ownership: request and outcome must outlive the driver.
 */
#ifndef CRASHLIT_RECOVERY_H
#define CRASHLIT_RECOVERY_H

#include "engine/engine.h"

struct recovery;

struct recovery_options {
    engine_function *run; /* runs one program, without its recovery */
    bool tracks_initials; /* it fills engine_initials and knows LIT_ATOM_KEPT */
    bool share_nothing;   /* one run for each state, to compare with */
};

/* The driver takes the doubt NO_RECOVERY back. */
struct recovery *recovery_new(const struct engine_request *request, struct outcome *outcome,
                              const struct recovery_options *options);
void recovery_free(struct recovery *recovery);

/* Recovers this crash state (columns of the outcome's `crash`), in the first round. */
void recovery_start(struct recovery *recovery, const int64_t *crash);
/* Can it take sets of states: is recovery not started again on what a crash in it leaves? */
bool recovery_takes_products(const struct engine_request *request);
/* Recovers all states of a set, which is of a store with the columns and the order of the outcome's
 * `crash`: once for all that agree on what recovery looks at. Pairs are not kept; of livelocks one
 * for each run. The store is full when that took too many nodes, and recovery in doubt. */
void recovery_start_product(struct recovery *recovery, struct mdd *store, mdd_node set);
/* Is the test's verdict known whatever else there is: something is undefined, or recovery can
 * be neither undefined nor a livelock, and every `recovered` condition has a witness? (A
 * livelock alone is not enough: that recovery is undefined from another state goes before.) */
bool recovery_is_settled(const struct recovery *recovery);
/* The further rounds; with `request->decide` only until it is settled. Then, for each `recovered`
 * condition that a state decides, the shortest chain to one, by running the engine on its
 * states again. The outcome is sorted by this. */
void recovery_finish(struct recovery *recovery);

/* All of it, for an engine that has found the crash states: nothing without a recovery. */
void recovery_run(const struct engine_request *request, struct outcome *outcome,
                  const struct recovery_options *options);

/* Fills the steps of a chain (of an outcome of the request's program), whose states are known, by
 * running the engine on each start once more. They live in the outcome's arena. */
void recovery_retrace(const struct engine_request *request, struct outcome *outcome,
                      const struct recovery_options *options, struct outcome_chain *chain);

#endif
