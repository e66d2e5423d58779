/* mach_engine: the engine that explores executable machines: explicit-state model checking.
 *
 * It knows no model: it finds what this hardware does, races or not. It shows no witness, as its
 * runs have no rf and co; a run that leads to a state is a trace (mach_trace.c). Undefined
 * behaviour is barrier divergence of work-items that hang, and an index or divisor out of bounds;
 * of the latter the first is named.
 *
 * The exploration ends early at the time limit or the limit on states (doubts TIMEOUT, STATES), and
 * when a run needs more values than there is room for (LENGTH). When conditions are only to be
 * decided, it ends as soon as all are. */
#ifndef CRASHLIT_MACH_ENGINE_H
#define CRASHLIT_MACH_ENGINE_H

#include "engine/engine.h"
#include "engine/trace.h"
#include "explore/mach_config.h"

/* The default limit on states: so many for each MiB of a memory limit. A state takes up to 85 bytes
 * with its place in the tables, so 8 GiB hold 10^8. Without a memory limit as many as for 1 GiB. */
enum { MACH_STATES_A_MIB = 12288, MACH_DEFAULT_STATES = 1024 * MACH_STATES_A_MIB };

/* The request's settings for machines, with the default number of states filled in. */
struct mach_choice mach_choice_of(const struct engine_request *request);

/* Threads of an exploration: as the setting or the request says, TEAM_MOST at most. */
uint32_t mach_threads_of(const struct engine_request *request);

/* Explores the request's machine; without one the built-in that promises the model pair; or else,
 * and without a model, nvw-fifo. */
void mach_run(const struct engine_request *request, struct outcome *outcome);
/* The machine that mach_run takes. In `arena`, unless it is the request's own. */
const struct mach_file *mach_file_for(struct arena *arena, const struct engine_request *request);

/* ---- The shortest run to a state (mach_trace.c) ----
 *
 * The exploration is breadth first and ends at the first state that will do, so no run to such a
 * state has fewer steps. */

/* Fills a trace that trace_init has made, on the machine that mach_run would take. */
void mach_trace(const struct engine_request *request, const struct trace_goal *goal,
                struct trace *trace);

#endif
