/* cli_single: a command that is one task of one worker process, under the limits of the options. */
#ifndef CRASHLIT_CLI_SINGLE_H
#define CRASHLIT_CLI_SINGLE_H

#include "cli/cli_options.h"
#include "session/session_case.h"

/* Appends what is to be printed to `out`, messages to `err`. */
typedef enum cli_status cli_single_command(const struct cli_options *options,
                                           struct session_parts parts, struct strbuf *out,
                                           struct strbuf *err);

/* Returns the command's status; that of a worker which did not come to the end, 3 or 70; or 128 and
 * the signal's number when it was interrupted. */
int cli_single_run(const struct cli_options *options, cli_single_command *command,
                   struct strbuf *out, struct strbuf *err);

/* How long a part of a task may take: engines keep to the time limit by themselves, and a worker
 * that does not is stopped. 0: as long as it takes. */
double cli_part_seconds(const struct cli_options *options);

#endif
