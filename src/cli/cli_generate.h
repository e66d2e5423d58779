/* cli_generate: `crashlit generate`: the tests of a vocabulary, or the minimal tests of a model
 * pair.
 *
 * Workers do the units of an enumeration and send each test back as text. This process numbers the
 * tests, and prints or writes them. So the output depends on the options alone, not on the number
 * of jobs.
 */
#ifndef CRASHLIT_CLI_GENERATE_H
#define CRASHLIT_CLI_GENERATE_H

#include "ask/ask_options.h"
#include "run/run_output.h"

/* Returns a status: 0 when all tests were found, 2 when an option or model is wrong, 3 when some
 * program is not decided or some test is not confirmed, 4 when engines disagree about one. */
int cli_generate_run(const struct ask_options *options, struct run_output *standard);

#endif
