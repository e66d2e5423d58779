/* smt: the engine that asks Z3.
 *
 * One formula says what a consistent execution is: the threads' paths, values, rf, co, the
 * model's checks. Final states and crash states are projections of its solutions, listed by
 * asking again with those found ruled out; `decide` asks once for each condition. What is
 * not encoded, and what the solver gives up on, leaves a doubt.
 */
#ifndef CRASHLIT_SMT_H
#define CRASHLIT_SMT_H

#include "engine/engine.h"

void smt_run(const struct engine_request *request, struct outcome *outcome);

#endif
