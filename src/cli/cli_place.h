/* cli_place: `crashlit place`: the minimal fillings of the tests that leave something open, or of
 * ordinary ones that are to be narrowed or repaired. All its files are one question.
 */
#ifndef CRASHLIT_CLI_PLACE_H
#define CRASHLIT_CLI_PLACE_H

#include "ask/ask_options.h"
#include "run/run_output.h"

/* Asks in a worker process, prints, and writes the filled tests where the options want them.
 * Returns a status: RUN_EXIT_DIFFERS when there is no filling that will do, RUN_EXIT_UNKNOWN when
 * what is known is not all, RUN_EXIT_DISAGREE when an engine disputes one. */
int cli_place_run(const struct ask_options *options, struct run_output *standard);

#endif
