/* run_single: a command that is one task of one worker process, under the limits of the settings.
 */
#ifndef CRASHLIT_RUN_SINGLE_H
#define CRASHLIT_RUN_SINGLE_H

#include "base/strbuf.h"
#include "run/run_plan.h"
#include "session/session_case.h"

/* Appends what is to be printed to `out`, messages to `err`. */
typedef enum run_status run_single_command(const void *context, struct session_parts parts,
                                           struct strbuf *out, struct strbuf *err);

/* Returns the command's status; that of a worker which did not come to the end, 3 or 70; or 128 and
 * the signal's number when it was interrupted. */
int run_single_run(const struct session_settings *settings, run_single_command *command,
                   const void *context, struct strbuf *out, struct strbuf *err);

/* How long a part of a task may take: engines keep to the time limit by themselves, and a worker
 * that does not is stopped. 0: as long as it takes. */
double run_part_seconds(const struct session_settings *settings);

#endif
