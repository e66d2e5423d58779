/* cli_compare: the same tests under several model pairs, as a table.
 *
 * A row a test, a column a pair; a cell has the verdict and how many crash states there are, and
 * a mark when it is not what the first column says.
 */
#ifndef CRASHLIT_CLI_COMPARE_H
#define CRASHLIT_CLI_COMPARE_H

#include "cli/cli_options.h"
#include "run/run_single.h"

/* The pairs are those of --models: VISIBILITY+PERSISTENCY, or one model, the other being that of
 * -m or -p. Differences are no failure: RUN_EXIT_UNKNOWN when some verdict is unknown,
 * RUN_EXIT_INPUT when some input or model could not be read. */
run_single_command cli_compare; /* the context is a struct cli_options */

#endif
