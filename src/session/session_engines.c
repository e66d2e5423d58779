#include "session/session_engines.h"

#include "enumerate/enumerate.h"
#include "explore/mach_engine.h"
#include "smt/smt.h"
#include "smt/smt_explain.h"

#include <string.h>

enum { ENUM, SMT, MACHINE, AUTO };

const struct engine_entry session_engines[] = {
    [ENUM] = {"enum", "lists every consistent execution", .run = enum_run,
              .run_alone = enum_run_alone},
    [SMT] = {"smt", "asks Z3", .run = smt_run, .explain = smt_explain},
    [MACHINE] = {"machine", "explores a hardware model", .run = mach_run, .trace = mach_trace},
    [AUTO] = {"auto", "whichever of enum and smt decides first", .chooses = true},
    {SESSION_ALL_ENGINES, "runs the others and compares them", .run = NULL},
    {.name = NULL},
};

const struct engine_entry *const session_engine_alone = &session_engines[ENUM];
const struct engine_entry *const session_engine_explaining = &session_engines[SMT];
const struct engine_entry *const session_engine_tracing = &session_engines[MACHINE];
const struct engine_entry *const session_engine_choosing = &session_engines[AUTO];

const struct engine_entry *session_engine_find(const char *name)
{
    for (const struct engine_entry *engine = session_engines; engine->name; engine++)
        if (strcmp(engine->name, name) == 0)
            return engine;
    return NULL;
}

const char *session_engine_names(struct arena *arena)
{
    const char *names[SESSION_MAX_ENGINES];
    uint32_t count = 0;
    for (const struct engine_entry *engine = session_engines; engine->name; engine++)
        if (engine->run)
            names[count++] = engine->name;
    return arena_list(arena, names, count);
}

bool session_engine_is_all(const char *choice)
{
    return strcmp(choice, SESSION_ALL_ENGINES) == 0;
}

const struct engine_entry *session_engine_of(const struct engine_entry *asked,
                                             const struct outcome *outcome)
{
    if (!asked->chooses)
        return asked;
    return outcome->decided_by ? session_engine_find(outcome->decided_by) : session_engine_alone;
}

bool session_wants_states(const struct session_settings *settings)
{
    const struct engine_entry *engine = session_engine_find(settings->engine);
    bool asked = settings->states || settings->property == SESSION_IDEMPOTENT_RECOVERY;
    return asked || (!settings->decide && !(engine && engine->chooses));
}

bool session_engine_is_machine(const char *choice)
{
    const struct engine_entry *engine = session_engine_find(choice);
    return engine && engine->trace;
}

uint32_t session_engines_of(const char *choice,
                            const struct engine_entry *engines[SESSION_MAX_ENGINES])
{
    bool all = session_engine_is_all(choice);
    uint32_t count = 0;
    for (const struct engine_entry *engine = session_engines; engine->name; engine++)
        if ((engine->run && all) ||
            ((engine->run || engine->chooses) && strcmp(engine->name, choice) == 0)) {
            BASE_CHECK(count < SESSION_MAX_ENGINES);
            engines[count++] = engine;
        }
    return count;
}
