/* smt_library: loads Z3 when the first question needs it.
 *
 * Loading Z3 takes longer than most enumerations, so nothing is linked with it. When the first
 * solver is wanted, the functions in use are looked up in the library, once a process. The system
 * finds it like any library, under the name that it had at build time.
 *
 * A process that can no longer open a library, such as a worker, registers a function with
 * smt_library_defer, which is called instead.
 *
 * Errors: without such a library, or when it lacks a function, nothing is loaded and the reason is
 * kept; engines answer with OUTCOME_DOUBT_SOLVER. Safe in any thread. */
#ifndef CRASHLIT_SMT_LIBRARY_H
#define CRASHLIT_SMT_LIBRARY_H

#include <stdbool.h>

bool smt_library_load(void) __attribute__((warn_unused_result));
/* Why loading failed; "" when nobody tried, or when it succeeded. */
const char *smt_library_fault(void);
/* From now on a first attempt to load calls `ask` instead, which does not return. Call while the
 * process has one thread. */
void smt_library_defer(void (*ask)(void));
/* Would the next attempt to load call `ask`? */
bool smt_library_is_deferred(void);
/* The version of the loaded library. */
const char *smt_library_version(void);

#endif
