#include "session/session_solver.h"

#include "session/session_engines.h"
#include "smt/smt_library.h"

bool session_solver_is_asked(const char *engines)
{
    const struct engine_entry *chosen[SESSION_MAX_ENGINES];
    uint32_t count = session_engines_of(engines, chosen);
    return ANY(i, count, chosen[i] == session_engine_explaining);
}

bool session_solver_load(void)
{
    return smt_library_load();
}

void session_solver_defer(void (*ask)(void))
{
    smt_library_defer(ask);
}

bool session_solver_is_deferred(void)
{
    return smt_library_is_deferred();
}

void session_solver_describe(struct strbuf *out)
{
    if (smt_library_load())
        strbuf_printf(out, "solver: %s\n", smt_library_version());
    else
        strbuf_printf(out, "solver: none, what needs it is unknown: %s\n", smt_library_fault());
}
