#include "engine/trace.h"

void trace_init(struct trace *trace)
{
    *trace = (struct trace){.answer = TRACE_UNKNOWN};
    arena_init(&trace->arena);
}

void trace_fini(struct trace *trace)
{
    arena_fini(&trace->arena);
}
