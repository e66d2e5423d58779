/* mach_trace: the shortest run of a machine to a state.
 *
 * The exploration is breadth first and ends at the first state that will do, so no run to such
 * a state has fewer steps. Limits are those of the engine (mach_engine.h).
 */
#ifndef CRASHLIT_MACH_TRACE_H
#define CRASHLIT_MACH_TRACE_H

#include "engine/trace.h"
#include "machine/mach_engine.h"

/* Fills a trace that trace_init has made, on the machine that mach_run would take. */
void mach_trace(const struct engine_request *request, const struct trace_goal *goal,
                struct trace *trace);

#endif
