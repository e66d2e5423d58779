/* ptx_order: the blocks of a residue in the order of their code.
 *
 * Cost: blocks times the depth of loops; recursion as deep as there are blocks.
 */
#ifndef CRASHLIT_PTX_ORDER_H
#define CRASHLIT_PTX_ORDER_H

#include "ptx/ptx_special.h"

/* The first stays the first, and a loop stands together behind its head. */
void ptx_order(struct arena *arena, struct ptx_residue *residue);

#endif
