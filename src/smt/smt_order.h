/* smt_order: what is chosen between events: where reads read from, coherence, the order of SC
 * fences. Private to the symbolic engine. */
#ifndef CRASHLIT_SMT_ORDER_H
#define CRASHLIT_SMT_ORDER_H

#include "smt/smt_program.h"

/* Coherence is not more than is written down; else a doubt says so. After events are known. */
bool smt_order_fits(struct smt_program *program);
/* Fills `rf`, `co` and `sync_fence`, and asserts what they need. After values are known. */
void smt_order_build(struct smt_program *program);

#endif
