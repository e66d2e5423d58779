/* cli_pairs: reads model pairs from the command line, for commands that compare models.
 *
 * A pair is VISIBILITY+PERSISTENCY, or a single model that -m, -p or a default completes. A single
 * file is a persistency model if it defines a name of the contract.
 */
#ifndef CRASHLIT_CLI_PAIRS_H
#define CRASHLIT_CLI_PAIRS_H

#include "base/diag.h"
#include "run/run_plan.h"
#include "session/session_ask.h"
#include "session/session_models.h"

enum { CLI_MAX_PAIRS = 64 };

struct cli_pairs {
    const struct session_settings *settings;
    const char *visibility, *persistency; /* what completes a single name */
    const char *where;                    /* "--models names": how a message begins */
    bool may_repeat;                      /* the same pair may be given twice */
    struct arena *arena;
    struct session_models *models;
    const struct session_model *items[CLI_MAX_PAIRS];
    const char *names[CLI_MAX_PAIRS];  /* "sc + epoch" */
    const char *titles[CLI_MAX_PAIRS]; /* what pictures call them: "SC + epoch" */
    uint32_t count;
};

/* Adds a pair. Reports one that could not be loaded, which raises the status, and one that is there
 * already. */
void cli_pairs_add(struct cli_pairs *pairs, const char *text, struct diag *diag, struct strbuf *err,
                   enum run_status *status);
/* Titles that are the same say nothing: of these the names are. */
void cli_pairs_tell_apart(const char *const *names, const char **titles, uint32_t count);

#endif
