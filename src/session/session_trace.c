#include "session/session_trace.h"

#include "machine/mach_engine.h"
#include "session/session_engines.h"

void session_trace(const struct session_case *question, const struct trace_goal *goal,
                   struct trace *trace)
{
    const struct engine_request request = session_case_request(question);
    if (question->lost == SESSION_LOSS_NONE) {
        session_engine_tracing->trace(&request, goal, trace);
        return;
    }
    trace->machine = mach_file_for(&trace->arena, &request)->name;
    trace->doubt = session_loss_doubt(question->lost);
}

void session_trace_state(const struct session_case *question, const struct outcome_states *states,
                         const int64_t *row, bool crash, struct trace *trace)
{
    struct trace_goal goal = {.crash = crash, .wanted = true};
    for (uint32_t i = 0; i < states->width; i++)
        goal.prop = lit_prop_and_equal(&trace->arena, goal.prop, &states->items[i], row[i]);
    if (goal.prop)
        session_trace(question, &goal, trace);
}
