#include "session/session_engines.h"

#include "enumerate/enumerate.h"
#include "machine/mach_engine.h"
#include "smt/smt.h"

#include <string.h>

const struct engine_entry session_engines[] = {
    {"enum", "lists every consistent execution", enum_run},
    {"smt", "asks Z3", smt_run},
    {"machine", "explores a hardware model", mach_run},
    {SESSION_ALL_ENGINES, "runs the others and compares them", NULL},
    {NULL, NULL, NULL},
};

const struct engine_entry *session_engine_find(const char *name)
{
    for (const struct engine_entry *engine = session_engines; engine->name; engine++)
        if (strcmp(engine->name, name) == 0)
            return engine;
    return NULL;
}

uint32_t session_engines_of(const char *choice,
                            const struct engine_entry *engines[SESSION_MAX_ENGINES])
{
    bool all = strcmp(choice, SESSION_ALL_ENGINES) == 0;
    uint32_t count = 0;
    for (const struct engine_entry *engine = session_engines; engine->name; engine++)
        if (engine->run && (all || strcmp(engine->name, choice) == 0)) {
            BASE_CHECK(count < SESSION_MAX_ENGINES);
            engines[count++] = engine;
        }
    return count;
}
