/* cli_check: check one file under the model pairs it asks for, for `check` and
 * `crosscheck`. */
#ifndef CRASHLIT_CLI_CHECK_H
#define CRASHLIT_CLI_CHECK_H

#include "cli/cli_options.h"
#include "run/run_batch.h"
#include "session/session_answers.h"

/* What a record is of: an engine's answer, or a failure of the test or of a model pair; the other
 * is NULL. Valid during the call. */
typedef void cli_record_taker(void *context, const struct report_test *answer,
                              const struct report_failure *failure);

/* In what a test is checked. */
struct cli_surroundings {
    const struct cli_options *options;
    struct run_surroundings run;
    cli_record_taker *take; /* gets the records in place of JSON lines; NULL: nobody */
    void *context;
};

/* Adds to `result`, which the caller has initialised. Never fails as a whole: faults are in its
 * `err` and status. */
void cli_check_file(const struct cli_surroundings *surroundings, const char *path,
                    struct run_result *result);
/* The same for a test in memory, `length` bytes that are called `name`. */
void cli_check_text(const struct cli_surroundings *surroundings, const char *name, const char *text,
                    size_t length, struct run_result *result);

/* ---- How engines stand to one another, in words and as a status (cli_cross.c) ---- */

/* Writes an indented line for each difference to the first engine, followed by an execution, or a
 * machine's shortest run, when it is a state, one for each reason why something was not compared,
 * and one on what a machine shows; of engines that agree nothing else. */
void cli_cross_tell(const struct session_case *question, const struct session_answers *answers,
                    struct strbuf *out);
/* The status it asks for. Crosscheck has nothing to say of what was not compared: 3. */
enum run_status cli_cross_status(enum cli_command command, enum session_accord accord);

#endif
