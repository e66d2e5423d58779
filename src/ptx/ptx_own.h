/* ptx_own: loads and stores of a thread's own memory, which move registers.
 *
 * What is stored is a slot, a register behind those of the kernel. Of the slots that hold something
 * no two overlap: a store cuts what it meets of others, and a load puts together what it finds. What
 * nobody has stored is opaque. Where the address depends on a read, all places that it may be take
 * part: a load chooses among them, and a store changes each or leaves it.
 */
#ifndef CRASHLIT_PTX_OWN_H
#define CRASHLIT_PTX_OWN_H

#include "ptx/ptx_value.h"

/* Is the instruction's address one of the thread's own memory, or near it? */
bool ptx_own_is(const struct ptx_walk *s, const struct ptx_operand *address);
/* `values`: what is stored, or where what is loaded goes. */
void ptx_own_step(struct ptx_walk *s, const struct ptx_operand *address,
                  const struct ptx_operand *values);

#endif
