/* session_run: asks one engine one question.
 *
 * Every witness is rechecked before anybody is shown it; one that fails ends the process with
 * status 70. */
#ifndef CRASHLIT_SESSION_RUN_H
#define CRASHLIT_SESSION_RUN_H

#include "engine/cuts.h"
#include "engine/idempotence.h"
#include "engine/trace.h"
#include "session/session_case.h"

/* Callbacks for executions while an engine runs; these are valid during the call. Any member may be
 * NULL. `request` is the witness's: the test's, or that of a run of its recovery. */
struct session_view {
    void (*on_witness)(void *context, const struct engine_request *request,
                       const struct engine_witness *witness);
    /* A run of recovery begins from this crash state, a row of `crash`. */
    void (*on_recovery)(void *context, const struct engine_request *request,
                        const struct outcome_states *crash, const int64_t *start);
    void (*on_recovery_witness)(void *context, const struct engine_request *request,
                                const struct engine_witness *witness);
    void (*on_undefined)(void *context, const struct engine_request *request,
                         const struct engine_witness *witness);
    void *context;
};

/* Asks the engine. Fills `outcome`, which the caller ends with outcome_fini. `view` may be NULL. */
void session_run(const struct session_case *question, const struct engine_entry *engine,
                 struct outcome *outcome, const struct session_view *view);
/* As session_run, but for races that a property asks about. */
void session_run_states(const struct session_case *question, const struct engine_entry *engine,
                        struct outcome *outcome, const struct session_view *view);
/* As session_run, for another program: decides its conditions or lists its states whatever the
 * settings say, within the question's remaining time. Nobody is shown anything. */
void session_run_as(const struct session_case *question, const struct engine_entry *engine,
                    const struct lit_program *program, bool decide, struct outcome *outcome);
/* A crash state or a final state, given by its first columns. */
struct session_sought {
    bool crash;
    const int64_t *row;
    uint32_t width;
};
/* Runs the engine once more and shows its execution of one state. The engine must not be one that
 * chooses. Shows nothing if time runs out first. */
void session_run_for(const struct session_case *question, const struct engine_entry *engine,
                     const struct session_sought *sought, const struct session_view *view);
/* Runs the engine that gave the outcome once more, asked the same, and shows its executions, as far
 * as time goes. */
void session_show(const struct session_case *question, const struct engine_entry *engine,
                  const struct outcome *outcome, const struct session_view *view);

/* Is the test's recovery idempotent, by the outcome? A counterexample's steps live in the
 * outcome. */
struct idempotence session_idempotence(const struct session_case *question, struct arena *arena,
                                       struct outcome *outcome);

/* Runs recovery on what each cut of the question's test leaves. */
void session_recover_cuts(const struct session_case *question, struct cuts *cuts);

/* A machine's shortest run to a state. */

/* Fills a trace that trace_init has made; for a lost question with what is not known. */
void session_trace(const struct session_case *question, const struct trace_goal *goal,
                   struct trace *trace);
/* For a trace that found no run: does another built-in machine that promises a common pair show the
 * state? */
void session_trace_elsewhere(const struct session_case *question, const struct trace_goal *goal,
                             struct trace *trace);
/* For a trace that found no run: does the pair that the machine was chosen for, or else the first that it promises,
 * allow the crash or final state, as far as the enumerator can tell soon? A part of its own. */
void session_trace_promise(const struct session_case *question, struct session_models *models,
                           const struct trace_choice *choice, const struct trace_goal *goal,
                           struct trace *trace);
/* Traces a run to one row of `states`, under the question's model pair. */
void session_trace_state(const struct session_case *question, const struct outcome_states *states,
                         const int64_t *row, bool crash, struct trace *trace);

#endif
