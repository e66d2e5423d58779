/* cli_peers: hold a suite of other people's tests against its known answers. */
#ifndef CRASHLIT_CLI_PEERS_H
#define CRASHLIT_CLI_PEERS_H

#include "cli/cli_options.h"
#include "run/run_single.h"

/* The file has `path,0|1` a line, paths relative to the folder. With the property
 * `condition` 1 means that the test's conditions hold, races left aside; with `race`
 * that no consistent execution raises a flag or is undefined. Models default to
 * hrf-direct and none. Prints disagreements and a last line with the counts; returns
 * 1 on a disagreement, 2 when something could not be read, 3 when an answer is
 * unknown. */
run_single_command cli_peers; /* the context is a struct cli_options */

#endif
