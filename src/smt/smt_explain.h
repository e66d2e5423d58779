/* smt_explain: one execution that reaches a condition's state, or a minimal unsatisfiable core:
 * reasons why no execution does, of which none can be spared.
 *
 * The state asked for is the one that decides the condition: it satisfies `exists` or
 * `~exists`, or breaks `forall`. Undefined behaviour is not looked for.
 *
 * Of what can be reached an execution is taken whose crash loses as little as may be (smt_least.c).
 */
#ifndef CRASHLIT_SMT_EXPLAIN_H
#define CRASHLIT_SMT_EXPLAIN_H

#include "engine/explanation.h"

/* `explanation` has been initialised. With the request's callback a witness is shown
 * before its steps are taken from it, with `on_near_miss` an execution that breaks as few of the
 * reasons as may be, if there is time to find it; limits hold for the whole. Conditions on recovery
 * are EXPLANATION_UNKNOWN. */
void smt_explain(const struct engine_request *request, const struct lit_condition *condition,
                 struct explanation *explanation);

#endif
