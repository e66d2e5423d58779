/* smt_chain: read-modify-writes that the model keeps atomic. Private to the symbolic engine.
 *
 * Where nothing may come between the halves of a read-modify-write, it reads the write that is
 * coherence-next before its own. So coherence alone decides its `fr`. Where all writes of a
 * location add one constant, each value is a place in coherence. Solvers cannot find either: one
 * needs an induction along coherence, the other an argument by counting.
 *
 * Ownership: the arena and the solver of the program. */
#ifndef CRASHLIT_SMT_CHAIN_H
#define CRASHLIT_SMT_CHAIN_H

#include "smt/smt_program.h"

/* Fills `program->half`. Call when `rf` and `co` are known, and before anything looks at fr. */
void smt_chain_find(struct smt_program *program);
/* Asserts what atomic halves mean for `fr`, and what follows. Call after coherence and values. */
void smt_chain_build(struct smt_program *program);

/* ---- Counters (smt_counter.c); both do nothing for other locations ---- */

/* Removes from `compatible` and `rf` the pairs that need two reads to return one value. */
void smt_counter_keep_apart(struct smt_program *program, uint32_t location);
/* Asserts each read's place. */
void smt_counter_build(struct smt_program *program, uint32_t location);

#endif
