/* enumerate: the engine that lists every consistent execution.
 *
 * For every combination of control-flow paths (a skeleton) it chooses what each
 * read reads from and how writes to one location are ordered, abandons a partial
 * choice as soon as the model's bounds or the paths' constraints are broken, and
 * records what the complete witnesses show.
 *
 * Memory is bounded by the program, not by the number of executions: states found
 * are kept, executions are not.
 */
#ifndef CRASHLIT_ENUMERATE_H
#define CRASHLIT_ENUMERATE_H

#include "engine/engine.h"

void enum_run(const struct engine_request *request, struct outcome *outcome);
/* The program without its recovery; fills the request's initials. */
void enum_run_alone(const struct engine_request *request, struct outcome *outcome);

#endif
