/* mach_nvw: SPB's section 6.1 as docs/models/semantics.md states it: write-combining L1s, a shared
 * L2, NVW-FIFOs beside each, and persist barriers as markers that flow through them. */
#ifndef CRASHLIT_MACH_NVW_H
#define CRASHLIT_MACH_NVW_H

#include "machine/mach.h"

extern const struct machine mach_nvw_fifo;

#endif
