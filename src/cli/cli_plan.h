/* cli_plan: a command line as the plan of a run over files.
 *
 * Apart from cli_check, which the library has as well: the library starts no workers.
 */
#ifndef CRASHLIT_CLI_PLAN_H
#define CRASHLIT_CLI_PLAN_H

#include "cli/cli_options.h"
#include "run/run_batch.h"

/* `check`, `crosscheck`, `explain` and `trace` of all files; see run_batch_run. */
int cli_plan_run(const struct cli_options *options, struct run_output *out);

#endif
