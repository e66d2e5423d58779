/* nvw: the machine of SPB's section 6.1 as docs/models/semantics.md states it: write-combining L1s,
 * a shared L2, an NVW-FIFO beside each, and persist barriers as markers that flow through the
 * FIFOs. */
#ifndef CRASHLIT_NVW_H
#define CRASHLIT_NVW_H

#include "machine/mach.h"

extern const struct machine nvw_fifo;

#endif
