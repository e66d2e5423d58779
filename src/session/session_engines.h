/* session_engines: the one table of engines. Nobody compares names: what an engine can do stands in
 * its row (engine/engine.h). */
#ifndef CRASHLIT_SESSION_ENGINES_H
#define CRASHLIT_SESSION_ENGINES_H

#include "engine/engine.h"
#include "session/session_settings.h"

/* The name that stands for every engine that is built in, one after the other. */
#define SESSION_ALL_ENGINES "all"

/* Entries end with a NULL name; `run` is NULL for what is no engine of its own: the one that
 * `chooses` among them, and SESSION_ALL_ENGINES. */
extern const struct engine_entry session_engines[];

enum { SESSION_MAX_ENGINES = 4 }; /* crosscheck with one adds the first */

/* NULL when there is no engine of that name. */
const struct engine_entry *session_engine_find(const char *name);
/* Those of the engines, as "enum, smt and machine"; in the arena. */
const char *session_engine_names(struct arena *arena);
/* What a choice stands for, in the table's order: one row, or all engines. */
uint32_t session_engines_of(const char *choice,
                            const struct engine_entry *engines[SESSION_MAX_ENGINES]);
/* Is it every engine; is it one that explores machines, and is held to the others by containment
 * (engine/agree.h)? */
bool session_engine_is_all(const char *choice);
bool session_engine_is_machine(const char *choice);
/* Who gave the outcome that was asked of this one; the first of all where nobody settled it. */
const struct engine_entry *session_engine_of(const struct engine_entry *asked,
                                             const struct outcome *outcome);
/* Are states to be listed, whatever it costs? Else verdicts will do. */
bool session_wants_states(const struct session_settings *settings);
/* Who runs a program without its recovery, explains, traces, and is asked when none is named. */
extern const struct engine_entry *const session_engine_alone,
    *const session_engine_explaining, *const session_engine_tracing, *const session_engine_choosing;

#endif
