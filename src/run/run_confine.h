/* run_confine: what a worker process gives up before it looks at a test.
 *
 * It keeps its line to the caller, standard error and standard input, and may read files; it may
 * not make files, processes or connections (run_sandbox.h), and takes no more memory than it may.
 */
#ifndef CRASHLIT_RUN_CONFINE_H
#define CRASHLIT_RUN_CONFINE_H

#include "run/run_sandbox.h"

#include <stdint.h>
#include <sys/types.h>

/* Of a child that was just forked: it ends when the process `caller` does. */
void run_confine_to_caller(pid_t caller);

/* The rest, for good. The line stays open under the number that is returned. `memory_mib`: what it
 * may take beyond what it has; 0: no limit. `sandbox`: what it may read; NULL: everything. */
int run_confine(int line, uint32_t memory_mib, const struct run_sandbox *sandbox);

#endif
