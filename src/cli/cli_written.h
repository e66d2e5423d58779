/* cli_written: the output of a command that answers one question: printed text, and files
 * (`--format NAME=FILE`). A worker makes all of it; the process that began the work writes it.
 */
#ifndef CRASHLIT_CLI_WRITTEN_H
#define CRASHLIT_CLI_WRITTEN_H

#include "ask/ask_options.h"
#include "base/pack.h"
#include "document/report_document.h"
#include "run/run_output.h"
#include "run/run_single.h"

/* In a worker: appends, packed, the output that is printed, in the shape of --format or else as
 * text, with `before` (or NULL) at its beginning; then the contents of each file. */
void cli_written_pack(const struct ask_options *options, const struct report_subject *subject,
                      const void *answer, const struct strbuf *before, struct strbuf *out);

/* For the process that began the work. */
struct cli_written {
    const struct ask_options *options;
    struct run_output files[RUN_MAX_REPORTS];
};

/* Opens the files before the work, so that an error shows at once. False after a report. */
bool cli_written_open(struct cli_written *written, const struct ask_options *options,
                      struct diag *diag) __attribute__((warn_unused_result));
/* Prints and writes the packed output. */
void cli_written_take(struct cli_written *written, struct unpack *from, struct run_output *standard,
                      struct diag *diag);
/* Closes the files. One that was not written stays as it was. */
void cli_written_close(struct cli_written *written);

/* Does the work, in workers under these settings, and prints and writes what it packed. Returns the
 * exit status. */
typedef int cli_written_work(const struct ask_options *options,
                             const struct session_settings *settings, struct strbuf *out,
                             struct strbuf *err);
int cli_written_run(const struct ask_options *options, const struct session_settings *settings,
                    cli_written_work *work, struct run_output *standard);

/* Writes a single file. False after a report. */
bool cli_written_file(const char *path, const char *text, size_t length, struct diag *diag);
/* Prints the diagnostics and returns the exit status. */
int cli_written_end(struct diag *diag, int status);

#endif
