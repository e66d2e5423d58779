/* session_solver: does a question need the solver, and which library is it?
 *
 * The first question that needs it loads it (smt/smt_library.h). A process that can no longer open
 * a library defers to its caller. */
#ifndef CRASHLIT_SESSION_SOLVER_H
#define CRASHLIT_SESSION_SOLVER_H

#include "base/strbuf.h"

#include <stdbool.h>

/* Does this choice of engines surely ask the solver, whatever the tests? */
bool session_solver_is_asked(const char *engines);
/* False: there is none, and whatever needs it is in doubt. */
bool session_solver_load(void);
/* Sets a function that is called instead of loading, and does not return. */
void session_solver_defer(void (*ask)(void));
/* Would loading call that function now? */
bool session_solver_is_deferred(void);
/* Describes the solver in a line, or why there is none. Loads it. */
void session_solver_describe(struct strbuf *out);

#endif
