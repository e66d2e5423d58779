/* cli_explain_recovery: why a condition on recovery is answered as it is.
 *
 * The enumerator finds the chain: a crash state, runs of recovery, the recovered state. Each
 * crash on it is then explained as that of any program. What order is missing is tried out: with
 * a persist barrier put there, does the condition hold?
 */
#ifndef CRASHLIT_CLI_EXPLAIN_RECOVERY_H
#define CRASHLIT_CLI_EXPLAIN_RECOVERY_H

#include "cli/cli_run.h"
#include "report/report.h"

struct cli_recovery_explained {
    struct arena arena;
    struct outcome outcome;         /* of the enumerator */
    const char *engine;             /* its name */
    struct explanation explanation; /* the answer alone */
    struct explanation *parts;      /* of the crashes */
    struct report_crash *crashes;
    uint32_t count;
};

/* The question's program is the test; `index` is that of a condition on recovery. */
void cli_explain_recovery(const struct cli_case *question, uint32_t index,
                          struct cli_recovery_explained *explained);
void cli_recovery_explained_fini(struct cli_recovery_explained *explained);

/* Fills what becomes of the condition when a gap of its crash is closed, for those gaps that one
 * barrier in one work-item closes. */
void cli_explain_mend(const struct cli_case *question, uint32_t index,
                      struct explanation *explanation);

/* A witness that does not stand ends the process. */
engine_witness_callback cli_explain_on_witness;

#endif
