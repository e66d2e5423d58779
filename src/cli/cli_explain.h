/* cli_explain: the conditions of one test under one model pair, explained as text, JSON or
 * pictures. */
#ifndef CRASHLIT_CLI_EXPLAIN_H
#define CRASHLIT_CLI_EXPLAIN_H

#include "cli/cli_check.h"

/* Appends to the result's output; its status says what was not explained. */
void cli_explain_pair(const struct cli_options *options, const struct session_case *question,
                      struct run_result *result);

#endif
