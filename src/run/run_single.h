/* run_single: runs a command as one task of one worker process, under the limits of the
 * settings. */
#ifndef CRASHLIT_RUN_SINGLE_H
#define CRASHLIT_RUN_SINGLE_H

#include "base/strbuf.h"
#include "run/run_plan.h"
#include "session/session_case.h"

/* Appends what is to be printed to `out`, messages to `err`. */
typedef enum run_status run_single_command(const void *context, struct session_parts parts,
                                           struct strbuf *out, struct strbuf *err);

/* Returns the command's status; 3 or 70 if the worker did not finish; 128 + the signal's number if
 * interrupted. Then `out` has what the command said last without a name (session_case.h). */
int run_single_run(const struct session_settings *settings, run_single_command *command,
                   const void *context, struct strbuf *out, struct strbuf *err);

/* The same of several tasks of one command, a context each, `jobs` at a time. What task k prints is
 * appended to `outs[k]`, its messages to `errs[k]`. Returns the largest status. */
int run_single_all(const struct session_settings *settings, uint32_t jobs,
                   run_single_command *command, const void *const *contexts, size_t tasks,
                   struct strbuf *outs, struct strbuf *errs);

/* The time limit of a part of a task, in seconds; 0: none. Engines keep to the time limit by
 * themselves; a worker that does not is stopped. */
double run_part_seconds(const struct session_settings *settings);
/* Likewise of processor time. */
double run_part_cpu_seconds(const struct session_settings *settings);

#endif
