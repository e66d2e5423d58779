/* smt_least: of the executions that reach a crash state's condition one in which the crash does
 * little: as few writes as may be are lost, and of these executions one in which as few events as
 * may be have executed. Private to the symbolic engine.
 */
#ifndef CRASHLIT_SMT_LEAST_H
#define CRASHLIT_SMT_LEAST_H

#include "smt/smt_attempt.h"

/* After SMT_SAT under all rules, for a condition on crash states: leaves the solution at hand. When
 * the time runs out that is the best so far. The rules hold from now on. */
void smt_least_find(struct smt_attempt *attempt);

#endif
