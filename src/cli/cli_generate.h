/* cli_generate: `crashlit generate`: tests out of a vocabulary, or the minimal tests of a model
 * pair.
 *
 * Units of an enumeration are the tasks of workers, which send each test back as text; here they
 * are numbered, printed or written. So the output depends on the options alone, not on the number
 * of jobs.
 */
#ifndef CRASHLIT_CLI_GENERATE_H
#define CRASHLIT_CLI_GENERATE_H

#include "ask/ask_options.h"
#include "run/run_output.h"

/* Statuses: 0 all there is was found, 2 an option or model is wrong, 3 some program is not decided
 * or some test not confirmed, 4 engines disagree about one. */
int cli_generate_run(const struct ask_options *options, struct run_output *standard);

#endif
