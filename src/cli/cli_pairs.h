/* cli_pairs: model pairs as command lines name them: VISIBILITY+PERSISTENCY, or one model, the
 * other being that of -m or -p or a default. A file alone that defines a name of the contract is a
 * persistency model. For commands that hold models against each other.
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
    bool may_repeat;                      /* one pair may be there twice */
    struct arena *arena;
    struct session_models *models;
    const struct session_model *items[CLI_MAX_PAIRS];
    const char *names[CLI_MAX_PAIRS]; /* "sc + epoch" */
    uint32_t count;
};

/* A pair that could not be loaded, or is there already, is told; the former raises the status. */
void cli_pairs_add(struct cli_pairs *pairs, const char *text, struct diag *diag, struct strbuf *err,
                   enum run_status *status);

#endif
