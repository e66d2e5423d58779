/* cli_engines: the one table of engines. */
#ifndef CRASHLIT_CLI_ENGINES_H
#define CRASHLIT_CLI_ENGINES_H

#include "engine/engine.h"

/* Entries end with a NULL name; `run` is NULL for an engine that is not built in yet. */
extern const struct engine_entry cli_engines[];

/* NULL when there is no engine of that name. */
const struct engine_entry *cli_engine_find(const char *name);

#endif
