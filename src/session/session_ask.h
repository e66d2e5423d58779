/* session_ask: which model pairs a test is asked about, and what its `expect` lines expect there.
 *
 * Pure functions of the settings and the test, but the last two.
 */
#ifndef CRASHLIT_SESSION_ASK_H
#define CRASHLIT_SESSION_ASK_H

#include "litmus/lit_program.h"
#include "cat/cat_model.h"
#include "session/session_models.h"

/* The `expect` line for this engine, else the one for all engines; NULL: none. `all` matches any
 * engine. */
const struct lit_expect *session_ask_expectation(const struct lit_program *program,
                                                 const char *visibility, const char *persistency,
                                                 const char *engine);
/* The expected verdict; without a line the condition expects itself. */
enum lit_verdict session_ask_expected(const struct lit_expect *expect);

/* A model pair by its names, and the line that asks for it; NULL: none. */
struct session_pair {
    const char *visibility, *persistency;
    const struct span *asked_at;
    const struct lit_models *by; /* that line is a definition file's; NULL: it is the test's */
};
typedef void session_ask_visit(void *context, const struct session_pair *pair);
/* The pair that the settings name; names that they lack are taken from the arguments. */
struct session_pair session_pair_or(const struct session_settings *settings, const char *visibility,
                                    const char *persistency);
/* Who names its models; `folder` is the test's. */
struct cat_asker session_pair_asker(const struct session_settings *settings, const char *folder,
                                    const struct session_pair *pair);
/* The pair of the test's definition files, where it is asked for in place of the default; NULL: it
 * is not. */
const struct lit_models *session_ask_models(const struct session_settings *settings,
                                            const struct lit_program *program);
/* Calls back once for each pair: the one of the settings; else those of the test's `expect` lines
 * for the engine; else that of its definition files, or of a machine the promised pair nearest to it; else the default. Names are there
 * during the call. Returns how many. 0: the test expects something, but not of the
 * machine that is asked. */
uint32_t session_ask_each_pair(const struct session_settings *settings,
                               const struct lit_program *program, session_ask_visit *visit,
                               void *context);

/* Warns of each host that the model takes for a work-item of a GPU (meaning_lacks_host), with the
 * fix where nobody else is of its kernel. Is there one? */
bool session_ask_hosts_under(const struct lit_program *program, const struct cat_model *model,
                             struct diag *diag);
/* The same under the first of the pairs that has one. Loads the pairs' models where there are
 * hosts. */
void session_ask_hosts(const struct session_settings *settings, struct session_models *models,
                       const struct lit_program *program, const char *folder, struct diag *diag);

/* Warns of a store that the first of the pairs which knows units of persistence keeps whole in each
 * alone (meaning_torn). Loads models where there are stores wider than a location. */
void session_ask_torn(const struct session_settings *settings, struct session_models *models,
                      const struct lit_program *program, const char *folder, struct diag *diag);

#endif
