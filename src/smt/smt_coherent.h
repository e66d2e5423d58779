/* smt_coherent: what an execution that breaks a rule is better off keeping, since everyone takes it
 * for granted: coherence along program order. Private to the symbolic engine.
 *
 * Each is a variable, asserted to imply what it says; assume it or leave it. Call once each, before
 * the solver is asked.
 *
 * Ownership: the arena and the solver of the program.
 */
#ifndef CRASHLIT_SMT_COHERENT_H
#define CRASHLIT_SMT_COHERENT_H

#include "smt/smt_program.h"

/* A work-item's writes to one location are in coherence order as in program order. */
smt_term smt_coherent_writes(struct smt_program *program);
/* The rest of acyclic po-loc | rf | co | fr: a work-item that has read or written a write later
 * reads none that is coherence-before it, and reads none that it has yet to write. */
smt_term smt_coherent_reads(struct smt_program *program);

#endif
