/* session_trace: a machine's shortest run to a state. */
#ifndef CRASHLIT_SESSION_TRACE_H
#define CRASHLIT_SESSION_TRACE_H

#include "engine/trace.h"
#include "session/session_case.h"

/* Fills a trace that trace_init has made; that of a lost question says what is not known. */
void session_trace(const struct session_case *question, const struct trace_goal *goal,
                   struct trace *trace);
/* The run to one row of `states`, under the question's model pair. */
void session_trace_state(const struct session_case *question, const struct outcome_states *states,
                         const int64_t *row, bool crash, struct trace *trace);

#endif
