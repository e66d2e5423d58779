/* cli_trace: a machine's shortest run to a state of one test. */
#ifndef CRASHLIT_CLI_TRACE_H
#define CRASHLIT_CLI_TRACE_H

#include "cli/cli_check.h"

/* `crashlit trace`: to the state that the options name, or for each condition to one that decides
 * it. Appends to the result's output; its status is 1 when the machine does not show a
 * state, 2 when the state or condition is none of the test's, 3 when it is not known. */
void cli_trace_program(const struct cli_surroundings *surroundings,
                       const struct lit_program *program, struct run_result *result);

#endif
