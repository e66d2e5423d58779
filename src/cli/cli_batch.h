/* cli_batch: all files of a run, for `check`, `crosscheck` and `explain`.
 *
 * Files are checked by --jobs worker processes, so that a crash, a limit of time or memory that is
 * not kept to, or an interrupt costs no other test's answer, and a test harms nobody; results are
 * printed in the order of the inputs whatever finished first.
 */
#ifndef CRASHLIT_CLI_BATCH_H
#define CRASHLIT_CLI_BATCH_H

#include "cli/cli_options.h"
#include "run/run_output.h"

/* Prints to `out`, whose failures are the caller's to look at, and to standard error. 128 + the
 * signal when the run was interrupted. */
int cli_batch_run(const struct cli_options *options, const char *version, struct run_output *out);

#endif
