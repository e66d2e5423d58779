/* smt_quorum: who opens barriers with a quorum. Private to the symbolic engine. */
#ifndef CRASHLIT_SMT_QUORUM_H
#define CRASHLIT_SMT_QUORUM_H

#include "smt/smt_program.h"

/* Asserts what barriers with a quorum need and fills `late`. After guards are known. */
void smt_quorum_build(struct smt_program *program);

#endif
