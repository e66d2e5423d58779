/* ptx_float: arithmetic of f32 and f64 on numbers that are known, rounded to nearest.
 *
 * The host computes as IEEE 754 says (so is the build set up). What would depend on more is left
 * opaque: other roundings, .ftz, .approx, results that are no number.
 */
#ifndef CRASHLIT_PTX_FLOAT_H
#define CRASHLIT_PTX_FLOAT_H

#include "ptx/ptx_word.h"

/* The bits of the result. False: it is opaque. */
bool ptx_float(const struct ptx_meaning *meaning, const uint64_t *operands, uint32_t count,
               uint64_t *result) __attribute__((warn_unused_result));

#endif
