/* smt_explain: explains a condition by one execution that reaches its state, or by a minimal unsat
 * core: reasons why no execution does, none of which can be spared.
 *
 * The state asked for decides the condition: it satisfies `exists` or `~exists`, or breaks
 * `forall`. Undefined behaviour is not looked for.
 *
 * If the state can be reached, the crash of the execution shown loses as little as possible
 * (smt_least.c). */
#ifndef CRASHLIT_SMT_EXPLAIN_H
#define CRASHLIT_SMT_EXPLAIN_H

#include "engine/explanation.h"

/* `explanation` has been initialised. With the request's callback, the witness is shown before its
 * steps are taken from it. With `on_near_miss`, an execution that breaks as few reasons as possible
 * is shown, if there is time to find it. Limits hold for the whole. Conditions on recovery are
 * EXPLANATION_UNKNOWN. */
void smt_explain(const struct engine_request *request, const struct lit_condition *condition,
                 struct explanation *explanation);

#endif
