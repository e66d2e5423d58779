/* ptx_access: loads, stores, atomics, fences and barriers, as steps of the residue.
 *
 * An access covers one cell, or one of several by an index that depends on a read.
 */
#ifndef CRASHLIT_PTX_ACCESS_H
#define CRASHLIT_PTX_ACCESS_H

#include "ptx/ptx_value.h"

void ptx_step_load(struct ptx_walk *s, const struct ptx_instr *instr);
void ptx_step_store(struct ptx_walk *s, const struct ptx_instr *instr);
void ptx_step_atomic(struct ptx_walk *s, const struct ptx_instr *instr);
void ptx_step_fence(struct ptx_walk *s, const struct ptx_instr *instr);
void ptx_step_barrier(struct ptx_walk *s, const struct ptx_instr *instr);
/* What the code asserts is not so. */
void ptx_step_trap(struct ptx_walk *s);
/* What is accessed at the address, so many bytes. */
struct ptx_access *ptx_access_of(struct ptx_walk *s, const struct ptx_operand *operand,
                                 uint32_t bytes);

#endif
