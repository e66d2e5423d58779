/* lit_contract: does a lowered program keep what lit_program.h promises to who reads it?
 *
 * A number that is out of range would be a wrong answer or worse, in whatever engine comes by it
 * first: so it ends the process here, with status 70. Cost: one pass over the program.
 */
#ifndef CRASHLIT_LIT_CONTRACT_H
#define CRASHLIT_LIT_CONTRACT_H

#include "litmus/lit_program.h"

void lit_contract_check(const struct lit_program *program);

#endif
