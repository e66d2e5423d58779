/* enumerate: the explicit engine; it lists every consistent execution.
 *
 * For every combination of control-flow paths (a skeleton) it chooses a source for each read and an
 * order of the writes to each location. It abandons a partial choice as soon as the model's bounds
 * or the paths' constraints are broken. It records what complete witnesses show.
 *
 * The program bounds the memory, not the number of executions: states found are kept, executions
 * are not. */
#ifndef CRASHLIT_ENUMERATE_H
#define CRASHLIT_ENUMERATE_H

#include "engine/engine.h"

void enum_run(const struct engine_request *request, struct outcome *outcome);
/* Runs the program without its recovery; fills the request's initials. */
void enum_run_alone(const struct engine_request *request, struct outcome *outcome);
/* Lists what there is, each choice of its own, and writes it into the request's certificate, which
 * has begun. The request's plan is one for cases. */
void enum_certify(const struct engine_request *request, struct outcome *outcome);

#endif
