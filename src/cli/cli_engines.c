#include "cli/cli_engines.h"

#include "enumerate/enumerate.h"
#include "machine/mach_engine.h"
#include "smt/smt.h"

#include <string.h>

const struct engine_entry cli_engines[] = {
    {"enum", "lists every consistent execution", enum_run},
    {"smt", "asks Z3", smt_run},
    {"machine", "explores a hardware model", mach_run},
    {CLI_ALL_ENGINES, "runs the others and compares them", NULL},
    {NULL, NULL, NULL},
};

const struct engine_entry *cli_engine_find(const char *name)
{
    for (const struct engine_entry *engine = cli_engines; engine->name; engine++)
        if (strcmp(engine->name, name) == 0)
            return engine;
    return NULL;
}

uint32_t cli_engines_of(const char *choice, const struct engine_entry *engines[CLI_MAX_ENGINES])
{
    bool all = strcmp(choice, CLI_ALL_ENGINES) == 0;
    uint32_t count = 0;
    for (const struct engine_entry *engine = cli_engines; engine->name; engine++)
        if (engine->run && (all || strcmp(engine->name, choice) == 0)) {
            BASE_CHECK(count < CLI_MAX_ENGINES);
            engines[count++] = engine;
        }
    return count;
}
