/* smt_waits: whether a state is out of reach because work-items wait for each other at barriers
 * that leave it to the model, as its `waits` has it. Private to the symbolic engine.
 */
#ifndef CRASHLIT_SMT_WAITS_H
#define CRASHLIT_SMT_WAITS_H

#include "smt/smt_attempt.h"

/* For a state that is out of reach under no rule at all: adds, per kind and scope of barriers that
 * have to wait, a reason with the test's barriers of that kind and scope; none when the state is
 * out of reach whatever waits. SMT_UNSAT when that is known, SMT_UNKNOWN when the time ran out,
 * with nothing added. */
enum smt_answer smt_explain_waits(const struct smt_attempt_question *question,
                                  struct explanation *explanation);

#endif
