/* smt_library: Z3, opened when a question goes to it.
 *
 * Loading it takes longer than most enumerations, so nothing is linked with it: the functions that
 * are used are looked up in the library when the first solver is wanted, once a process. It is
 * found as the system finds libraries, under the name that it had when this was built.
 *
 * A process that can open no library any more, such as a worker, says with smt_library_defer who is
 * to be told instead.
 *
 * Errors: where there is no such library, or it lacks a function, nothing is loaded, and the reason
 * is kept; engines answer with OUTCOME_DOUBT_SOLVER. Any thread may come here.
 */
#ifndef CRASHLIT_SMT_LIBRARY_H
#define CRASHLIT_SMT_LIBRARY_H

#include <stdbool.h>

bool smt_library_load(void) __attribute__((warn_unused_result));
/* Why it could not be loaded; "" when nobody tried, or it was. */
const char *smt_library_fault(void);
/* From now on `ask` is called in the place of a first attempt to load; it does not return. For a
 * process that has one thread so far. */
void smt_library_defer(void (*ask)(void));
/* Would the next attempt to load call that? */
bool smt_library_is_deferred(void);
/* Of what was loaded. */
const char *smt_library_version(void);

#endif
