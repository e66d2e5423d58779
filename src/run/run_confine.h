/* run_confine: the rights that a worker process gives up before it looks at a test.
 *
 * It keeps its line to the caller, standard error and standard input, and may read files. It may
 * not make files, processes or connections (run_sandbox.h), nor exceed its memory limit. */
#ifndef CRASHLIT_RUN_CONFINE_H
#define CRASHLIT_RUN_CONFINE_H

#include "run/run_sandbox.h"

#include <stdint.h>
#include <sys/types.h>

/* For a child just forked: it will end when the process `caller` does. */
void run_confine_to_caller(pid_t caller);

/* Has nothing open any more but a line, whose number it returns. */
int run_confine_to_line(int line);
/* Closes all files from this number on. */
void run_confine_close_from(int first);

/* Gives up the rest, for good. Returns the number of the line, which stays open; so does another,
 * unless it is -1, which is changed to its number. `memory_mib`: the limit beyond what it has; 0:
 * none. `sandbox`: what it may read; NULL: everything. */
int run_confine(int line, int *other, uint32_t memory_mib, const struct run_sandbox *sandbox);

#endif
