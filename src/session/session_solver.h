/* session_solver: whether questions go to the solver, and its library.
 *
 * It is loaded with the first question that needs it (smt/smt_library.h). A process that can open
 * no library any more defers that to its caller.
 */
#ifndef CRASHLIT_SESSION_SOLVER_H
#define CRASHLIT_SESSION_SOLVER_H

#include "base/strbuf.h"

#include <stdbool.h>

/* Does this choice of engines surely ask it, whatever the tests? */
bool session_solver_is_asked(const char *engines);
/* False when there is none; what needs it is in doubt then. */
bool session_solver_load(void);
/* `ask` is called when it is to be loaded, and does not return. */
void session_solver_defer(void (*ask)(void));
/* Would that be called now? */
bool session_solver_is_deferred(void);
/* Which there is, or why there is none; a line. Loads it. */
void session_solver_describe(struct strbuf *out);

#endif
