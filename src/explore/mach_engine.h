/* mach_engine: the engine that explores an executable machine.
 *
 * It knows no model: what it finds is what this hardware does, races or not. It shows no
 * witness, as its runs have no rf and co; a run that leads to a state is a trace (mach_trace.c).
 * Undefined are divergence at a barrier, of work-items that hang, and an index or divisor out of
 * bounds, of which the first is named.
 *
 * The exploration ends early at the time limit or at the limit on states (doubts TIMEOUT, STATES),
 * when a run takes more values than there is room for (LENGTH), and, when conditions are only to
 * be decided, as soon as each is.
 */
#ifndef CRASHLIT_MACH_ENGINE_H
#define CRASHLIT_MACH_ENGINE_H

#include "engine/engine.h"
#include "engine/trace.h"
#include "explore/mach_config.h"

/* States kept when nobody says how many: for each MiB of a limit of memory, as a state takes up to
 * 85 bytes with its place in the tables, so 10^8 of 8 GiB; without a limit as many as of 1 GiB. */
enum { MACH_STATES_A_MIB = 12288, MACH_DEFAULT_STATES = 1024 * MACH_STATES_A_MIB };

/* What the request says to machines, a struct mach_choice, with the default number of states. */
struct mach_choice mach_choice_of(const struct engine_request *request);

/* Threads of an exploration: as many as was said, or the request leaves, TEAM_MOST at most. */
uint32_t mach_threads_of(const struct engine_request *request);

/* On the request's machine; without one on the built-in that promises the model pair, or else, and
 * when there is no model, on nvw-fifo. */
void mach_run(const struct engine_request *request, struct outcome *outcome);
/* Which machine mach_run takes. In `arena`, but for the request's own. */
const struct mach_file *mach_file_for(struct arena *arena, const struct engine_request *request);

/* ---- The shortest run to a state (mach_trace.c) ----
 *
 * The exploration is breadth first and ends at the first state that will do, so no run to such a
 * state has fewer steps. */

/* Fills a trace that trace_init has made, on the machine that mach_run would take. */
void mach_trace(const struct engine_request *request, const struct trace_goal *goal,
                struct trace *trace);

#endif
