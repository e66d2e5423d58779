/* session_engines: the one table of engines. Nobody compares engines' names: a row says what its
 * engine can do (engine/engine.h). */
#ifndef CRASHLIT_SESSION_ENGINES_H
#define CRASHLIT_SESSION_ENGINES_H

#include "engine/engine.h"
#include "session/session_settings.h"

/* The name that stands for all built-in engines, asked one after the other. */
#define SESSION_ALL_ENGINES "all"

/* Entries end with a NULL name; `run` is NULL for what is no engine of its own: the one that
 * `chooses` among them, and SESSION_ALL_ENGINES. */
extern const struct engine_entry session_engines[];

enum { SESSION_MAX_ENGINES = 4 }; /* crosscheck of one engine adds the first */

/* NULL: there is no engine of that name. */
const struct engine_entry *session_engine_find(const char *name);
/* The names as "enum, smt and machine"; in the arena. */
const char *session_engine_names(struct arena *arena);
/* The engines that a choice stands for, in the table's order: one row, or all. */
uint32_t session_engines_of(const char *choice,
                            const struct engine_entry *engines[SESSION_MAX_ENGINES]);
/* Does the choice mean every engine? Does it mean one that explores machines, which is compared by
 * containment (engine/agree.h)? */
bool session_engine_is_all(const char *choice);
bool session_engine_is_machine(const char *choice);
/* The engine that gave the outcome when `asked` was asked; the first of all if none settled it. */
const struct engine_entry *session_engine_of(const struct engine_entry *asked,
                                             const struct outcome *outcome);
/* Have states to be listed at any cost? Else verdicts are enough. */
bool session_wants_states(const struct session_settings *settings);
/* The engines that run a program without its recovery, explain, trace, and choose. */
extern const struct engine_entry *const session_engine_alone,
    *const session_engine_explaining, *const session_engine_tracing, *const session_engine_choosing;

#endif
