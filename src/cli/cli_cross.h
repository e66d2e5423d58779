/* cli_cross: how engines stand to one another, in words and as a status. */
#ifndef CRASHLIT_CLI_CROSS_H
#define CRASHLIT_CLI_CROSS_H

#include "cli/cli_options.h"
#include "session/session_answers.h"

/* Writes an indented line for each difference to the first engine, followed by an execution, or a
 * machine's shortest run, when it is a state, one for each reason why something was not compared,
 * and one on what a machine shows; of engines that agree nothing else. */
void cli_cross_tell(const struct session_case *question, const struct session_answers *answers,
                    struct strbuf *out);
/* The status it asks for. Crosscheck has nothing to say of what was not compared: 3. */
enum run_status cli_cross_status(enum cli_command command, enum session_accord accord);

#endif
