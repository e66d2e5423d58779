/* cat_contract: does a resolved model keep what cat_ir.h promises to who evaluates it?
 *
 * Operands come before users, sorts are as operators want them, and whatever depends on something
 * dynamic says so: else an evaluation would be of relations of another execution. What is not so
 * is our bug, and ends the process with status 70. Cost: one pass over the nodes.
 */
#ifndef CRASHLIT_CAT_CONTRACT_H
#define CRASHLIT_CAT_CONTRACT_H

#include "cat/cat_ir.h"

void cat_contract_check(const struct cat_model *model);

#endif
