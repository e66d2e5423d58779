/* ptx_compute: the operands of instructions, and those that compute a value.
 *
 * What is known is computed without code. Of what depends on a read, an address keeps the form of
 * its object with an index, and all else is code.
 */
#ifndef CRASHLIT_PTX_COMPUTE_H
#define CRASHLIT_PTX_COMPUTE_H

#include "ptx/ptx_value.h"

struct ptx_value ptx_opaque_value(const struct ptx_walk *s);
struct ptx_value ptx_value_of(struct ptx_walk *s, const struct ptx_operand *operand);
const struct lit_expr *ptx_operand_expr(struct ptx_walk *s, const struct ptx_operand *operand,
                                        const struct ptx_value *value);
/* False after reporting that the value is opaque, where `what` needs it. */
bool ptx_check_known(struct ptx_walk *s, const struct ptx_value *value, const char *what);
uint64_t ptx_narrow(uint64_t value, uint32_t bits);

/* The register holds a number from outside of the code, perhaps an address. */
void ptx_know(struct ptx_walk *s, uint32_t reg, const struct ptx_type *type, uint64_t value);
/* The bits of the one in the other, both registers, or a number in the second; where that is
 * narrower, by the type's sign. */
void ptx_move(struct ptx_walk *s, const struct ptx_operand *to, const struct ptx_operand *from,
              const struct ptx_type *type);
void ptx_step_fold(struct ptx_walk *s, const struct ptx_instr *instr);

#endif
