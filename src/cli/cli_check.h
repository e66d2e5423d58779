/* cli_check: check one file under the model pairs it asks for, for `check` and
 * `crosscheck`. */
#ifndef CRASHLIT_CLI_CHECK_H
#define CRASHLIT_CLI_CHECK_H

#include "cli/cli_cross.h"
#include "run/run_record.h"
#include "cli/cli_result.h"

/* What a record is of: an engine's answer, or a failure of the test or of a model pair; the other
 * is NULL. Valid during the call. */
typedef void cli_record_taker(void *context, const struct report_test *answer,
                              const struct report_failure *failure);

/* What all files of a run have in common. */
struct cli_surroundings {
    const struct cli_options *options;
    struct session_models *models;
    const struct run_records *earlier; /* what need not be answered again */
    struct session_parts parts;        /* who is told of parts of the work */
    cli_record_taker *take;            /* gets the records in place of JSON lines; NULL: nobody */
    void *context;
};

/* Fills `result`, which the caller ends. Never fails as a whole: faults are in its `err` and
 * status. */
void cli_check_file(const struct cli_surroundings *surroundings, const char *path,
                    struct cli_result *result);
/* The same for a test in memory, `length` bytes that are called `name`. */
void cli_check_text(const struct cli_surroundings *surroundings, const char *name, const char *text,
                    size_t length, struct cli_result *result);

#endif
