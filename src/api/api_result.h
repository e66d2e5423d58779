/* api_result: results of the library (include/crashlit.h), which need no context. */
#ifndef CRASHLIT_API_RESULT_H
#define CRASHLIT_API_RESULT_H

#include "cli/cli_result.h"
#include "crashlit.h"

/* A copy of the JSON lines in `result->out`, its `err` and its status; NULL when there is no
 * memory. Allocates nothing under a guard. */
struct crashlit_result *api_result_new(const struct cli_result *result);

#endif
