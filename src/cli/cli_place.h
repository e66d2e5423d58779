/* cli_place: `crashlit place`: the minimal fillings of tests with holes, or of ordinary tests that
 * are to be narrowed or repaired. All files together are one question.
 */
#ifndef CRASHLIT_CLI_PLACE_H
#define CRASHLIT_CLI_PLACE_H

#include "ask/ask_options.h"
#include "run/run_output.h"

/* Asks in a worker process, prints the answer, and writes the filled tests where the options say.
 * Returns a status: RUN_EXIT_DIFFERS when no filling is accepted, RUN_EXIT_UNKNOWN when the answer
 * is incomplete, RUN_EXIT_DISAGREE when an engine disputes a filling. */
int cli_place_run(const struct ask_options *options, struct run_output *standard);

#endif
