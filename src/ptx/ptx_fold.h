/* ptx_fold: values and what instructions compute of them.
 *
 * An expression of constants is a constant. So one function says what an instruction computes,
 * whether its operands are known or not.
 */
#ifndef CRASHLIT_PTX_FOLD_H
#define CRASHLIT_PTX_FOLD_H

#include "base/arena.h"
#include "ptx/ptx_word.h"

/* An expression; `operands`: the type that the operands are converted to. Folded where it is of
 * constants; a division by 0 is not. */
const struct lit_expr *ptx_apply(struct arena *arena, enum lit_operator op, enum lit_type operands,
                                 const struct lit_expr *a, const struct lit_expr *b);
const struct lit_expr *ptx_constant(struct arena *arena, enum lit_type type, uint64_t value);
/* With a number as the second operand. */
const struct lit_expr *ptx_with(struct arena *arena, enum lit_operator op, enum lit_type operands,
                                const struct lit_expr *a, uint64_t number);
const struct lit_expr *ptx_cast(struct arena *arena, enum lit_type type, const struct lit_expr *a);

/* The one where the truth holds, else the other; both of the type. */
const struct lit_expr *ptx_choose(struct arena *arena, enum lit_type type,
                                  const struct lit_expr *truth, const struct lit_expr *yes,
                                  const struct lit_expr *no);

/* What the instruction computes of its operands, which hold their registers' bits. NULL: it is not
 * read, for the reason `why`. */
const struct lit_expr *ptx_fold(struct arena *arena, const struct ptx_meaning *meaning,
                                const struct lit_expr *const *operands, uint32_t count,
                                const char **why);
/* The same of f32 and f64, by the host, which computes as IEEE 754 says (so is the build set up): the
 * bits of the result. False: it is opaque, as it depends on more: on another rounding than to nearest,
 * on .ftz or .approx, or is no number. */
bool ptx_float(const struct ptx_meaning *meaning, const uint64_t *operands, uint32_t count,
               uint64_t *result) __attribute__((warn_unused_result));

#endif
