/* session_ask: which model pairs a test is asked about, and what its `expect` lines expect there.
 *
 * Pure functions of the settings and the test.
 */
#ifndef CRASHLIT_SESSION_ASK_H
#define CRASHLIT_SESSION_ASK_H

#include "litmus/lit_program.h"
#include "session/session_settings.h"

/* The line for this engine goes before the one for all; NULL: none. `all` is any engine. */
const struct lit_expect *session_ask_expectation(const struct lit_program *program,
                                                 const char *visibility, const char *persistency,
                                                 const char *engine);
/* Without a line a condition is its own expectation. */
enum lit_verdict session_ask_expected(const struct lit_expect *expect);

/* A model pair by its names, and the line that asks for it, NULL when none does. */
struct session_pair {
    const char *visibility, *persistency;
    const struct span *asked_at;
};
typedef void session_ask_visit(void *context, const struct session_pair *pair);
/* The pair that the settings name, as far as they do; else this one. */
struct session_pair session_pair_or(const struct session_settings *settings, const char *visibility,
                                    const char *persistency);
/* Calls back for each pair, once: that of the settings; without one those that the test's `expect`
 * lines for the engine name; without lines the default. Returns how many: 0 when the test expects
 * something, but nothing of the machine that is asked. */
uint32_t session_ask_each_pair(const struct session_settings *settings,
                               const struct lit_program *program, session_ask_visit *visit,
                               void *context);

#endif
