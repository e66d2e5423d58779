/* ptx_live: which registers of a kernel are used from where on. A state keeps these and no others.
 */
#ifndef CRASHLIT_PTX_LIVE_H
#define CRASHLIT_PTX_LIVE_H

#include "ptx/ptx_module.h"

/* Inlines what is called, finds out which registers are live where, and leaves out those that are not used; each kernel
 * needs it once. */
void ptx_live_prepare(struct arena *arena, struct ptx_kernel *kernel);
/* What is no register is memory of the thread, and always live. */
bool ptx_is_live(const struct ptx_kernel *kernel, uint32_t pc, uint32_t reg);

#endif
