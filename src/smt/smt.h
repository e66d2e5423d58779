/* smt: the symbolic engine; it asks Z3. */
#ifndef CRASHLIT_SMT_H
#define CRASHLIT_SMT_H

#include "engine/engine.h"

void smt_run(const struct engine_request *request, struct outcome *outcome);

#endif
