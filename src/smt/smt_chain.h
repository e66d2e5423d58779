/* smt_chain: read-modify-writes that the model keeps atomic. Private to the symbolic engine.
 *
 * Where nothing may come between the halves of a read-modify-write, it reads the write that is
 * coherence-next before its own. So what it comes before is known from coherence alone, and where
 * all writes of a location add one constant each value is a place in coherence. Solvers do not find
 * that by themselves: it is an induction along coherence, or an argument by counting.
 *
 * Ownership: the arena and the solver of the program.
 */
#ifndef CRASHLIT_SMT_CHAIN_H
#define CRASHLIT_SMT_CHAIN_H

#include "smt/smt_program.h"

/* Fills `program->half`. After `rf` and `co` are known, before anybody looks at fr. */
void smt_chain_find(struct smt_program *program);
/* Asserts what halves leave `fr` to say, and what follows from them. After coherence and values. */
void smt_chain_build(struct smt_program *program);

/* ---- Counters (smt_counter.c): nothing of a location that is none ---- */

/* Takes pairs out of `compatible`, and of `rf`, that need two reads to return one value. */
void smt_counter_keep_apart(struct smt_program *program, uint32_t location);
/* Asserts each read's place. */
void smt_counter_build(struct smt_program *program, uint32_t location);

#endif
