/* ask_account: what a run fails for: what it makes of a verdict, of warnings and of conditions that
 * ask nothing, by its options and by what is known to fail (docs/using/runs.md).
 *
 * All is counted in the result, whose status is raised. */
#ifndef CRASHLIT_ASK_ACCOUNT_H
#define CRASHLIT_ASK_ACCOUNT_H

#include "ask/ask_options.h"
#include "run/run_known.h"
#include "run/run_result.h"

struct ask_account {
    const struct ask_options *options;
    const struct run_records *known; /* failures that are known; NULL: none */
    struct run_result *result;
};

/* Takes an engine's answer; the first of a model pair also for its conditions that ask nothing.
 * Sets whether it is known to fail, and what it fails for besides. One that passes and is known to
 * fail is told. */
void ask_account_answer(const struct ask_account *account, struct report_test *test, bool first);
/* The same of an answer that is a record, the first of its pair or not. Returns whether it is known
 * to fail. */
bool ask_account_record(const struct ask_account *account, const struct run_record *record,
                        const struct json_t *json, bool first);

#endif
