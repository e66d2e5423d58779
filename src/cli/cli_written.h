/* cli_written: what a run of one question prints, and writes to files beside that (`--format
 * NAME=FILE`). A worker makes all of it; the process that began it writes.
 */
#ifndef CRASHLIT_CLI_WRITTEN_H
#define CRASHLIT_CLI_WRITTEN_H

#include "ask/ask_options.h"
#include "base/pack.h"
#include "document/report_document.h"
#include "run/run_output.h"

/* In a worker. Appends, packed, what is printed, behind the text `before` (or NULL), and what each
 * file has: text when nothing else is said. */
void cli_written_pack(const struct ask_options *options, const struct report_subject *subject,
                      const void *answer, const struct strbuf *before, struct strbuf *out);

/* In the process that began it. */
struct cli_written {
    const struct ask_options *options;
    struct run_output files[RUN_MAX_REPORTS];
};

/* Before the work, so that a file that cannot be written is told then. False after reporting. */
bool cli_written_open(struct cli_written *written, const struct ask_options *options,
                      struct diag *diag) __attribute__((warn_unused_result));
/* Prints and writes what was packed. */
void cli_written_take(struct cli_written *written, struct unpack *from, struct run_output *standard,
                      struct diag *diag);
/* What was not written stays as it was. */
void cli_written_close(struct cli_written *written);

/* A file of its own; what is wrong is told. */
void cli_written_file(const char *path, const char *text, size_t length, struct diag *diag);
/* Tells what is wrong; the status to leave with. */
int cli_written_end(struct diag *diag, int status);

#endif
