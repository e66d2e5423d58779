/* recovery: runs the recovery program on crash states, for any engine.
 *
 * Recovery of a crash state is an ordinary program: recovery's threads, non-volatile locations at
 * the values that the crash left, volatile ones at their first. The engine's function for one
 * program runs it. What it finds goes into the outcome of the test (outcome.h): recovered states,
 * undefined behaviour, doubts of recovery, livelocks. When recovery may crash, it is also started
 * on the states that crashes within it leave, round by round, until there is no new one or the
 * bound on rounds is met.
 *
 * States that agree on everything recovery looks at share one run. A location that the run never
 * looked at has no influence, and keeps its value unless recovery writes it. An engine that fills
 * engine_initials tells exactly what was looked at. For others two states share a run when they
 * agree on all locations that the code can name.
 *
 * An engine makes a driver for each request, starts it on every crash state it finds (while it
 * searches, or afterwards), finishes it, and frees it. Give it only reachable states: undefined
 * behaviour and livelocks count only there.
 *
 * Ownership: request and outcome must outlive the driver. */
#ifndef CRASHLIT_RECOVERY_H
#define CRASHLIT_RECOVERY_H

#include "engine/engine.h"

struct recovery;

struct recovery_options {
    engine_function *run; /* runs one program, without its recovery */
    bool tracks_initials; /* it fills engine_initials and knows LIT_ATOM_KEPT */
    bool share_nothing;   /* one run for each state, for comparison */
    /* Told, unless NULL, of a state that shares an earlier run: recovery's program as it starts there,
     * and which run it is, from 0. */
    void (*on_share)(const struct engine_request *request, const struct lit_program *program,
                     uint32_t run);
};

/* Makes a driver, and takes the doubt NO_RECOVERY back. */
struct recovery *recovery_new(const struct engine_request *request, struct outcome *outcome,
                              const struct recovery_options *options);
void recovery_free(struct recovery *recovery);

/* Recovers this crash state (columns of the outcome's `crash`), in the first round. */
void recovery_start(struct recovery *recovery, const int64_t *crash);
/* Can the driver take sets of states? It can if recovery is not restarted on what crashes in it
 * leave. */
bool recovery_takes_products(const struct engine_request *request);
/* Recovers all states of a set, once for all that agree on what recovery looks at. The set's store
 * has the columns and the order of the outcome's `crash`. Pairs are not kept; each run gives at
 * most one livelock. If that takes too many nodes, the store is full and recovery is in doubt. */
void recovery_start_product(struct recovery *recovery, struct mdd *store, mdd_node set);
/* Is the test's verdict known whatever else is found? Either something is undefined. Or recovery
 * can be neither undefined nor a livelock, and every `recovered` condition has a witness. (A
 * livelock alone is not enough, as undefined recovery from another state takes precedence.) */
bool recovery_is_settled(const struct recovery *recovery);
/* Runs the further rounds; with `request->decide` only until the verdict is settled. Then, for each
 * `recovered` condition that a state decides, finds the shortest chain to one, by running the
 * engine on its states again. Sorts the outcome. */
void recovery_finish(struct recovery *recovery);

/* All steps in one, for an engine that has found the crash states. Does nothing without a
 * recovery. */
void recovery_run(const struct engine_request *request, struct outcome *outcome,
                  const struct recovery_options *options);

/* Fills the steps of a chain of the outcome, which is of the request's program, by running the
 * engine on each start once more. The chain's states are known. Steps live in the outcome's
 * arena. */
void recovery_retrace(const struct engine_request *request, struct outcome *outcome,
                      const struct recovery_options *options, struct outcome_chain *chain);

#endif
