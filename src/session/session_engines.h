/* session_engines: the one table of engines. */
#ifndef CRASHLIT_SESSION_ENGINES_H
#define CRASHLIT_SESSION_ENGINES_H

#include "engine/engine.h"

/* The name that stands for every engine that is built in, one after the other. */
#define SESSION_ALL_ENGINES "all"

/* The engine that is held to the others by containment (engine/agree.h). */
#define SESSION_MACHINE_ENGINE "machine"

/* Entries end with a NULL name; `run` is NULL for SESSION_ALL_ENGINES. */
extern const struct engine_entry session_engines[];

enum { SESSION_MAX_ENGINES = 4 }; /* crosscheck with one adds the first */

/* NULL when there is no engine of that name. */
const struct engine_entry *session_engine_find(const char *name);
/* What a choice stands for, in the table's order: one engine, or all of them. */
uint32_t session_engines_of(const char *choice,
                            const struct engine_entry *engines[SESSION_MAX_ENGINES]);

#endif
