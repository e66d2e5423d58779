/* ptx_inline: one body of a kernel and of all functions that it calls, and which registers are live
 * where.
 *
 * A call is replaced by the body of its function, with registers of its own. Parameters go by value,
 * in memory of the thread. A call that cannot be replaced stays, with the reason for which it is not
 * read.
 */
#ifndef CRASHLIT_PTX_INLINE_H
#define CRASHLIT_PTX_INLINE_H

#include "ptx/ptx_module.h"

/* Memory of one thread lies here, far from all objects. */
#define PTX_LOCAL_BASE (UINT64_C(1) << 62)
#define PTX_LOCAL_BYTES 524288 /* of a thread, as on the device */

/* Is the number an address in it, or near it? */
static inline bool ptx_is_own(const struct ptx_kernel *kernel, uint64_t address)
{
    return kernel->locals.count && (address + PTX_LOCAL_BASE / 4) >> 61 == PTX_LOCAL_BASE >> 61;
}

/* What a launched kernel needs to be walked through, once for each: its one body, with the places and the
 * meanings of instructions. */
void ptx_inline(struct arena *arena, struct ptx_kernel *kernel);
/* Is the register's value used from this instruction on? What is no register is memory of the thread, and
 * always live. */
bool ptx_is_live(const struct ptx_kernel *kernel, uint32_t pc, uint32_t reg);

#endif
