/* mach_nvw_reduce: normal forms of the states of nvw-fifo. Private to the machine. */
#ifndef CRASHLIT_MACH_NVW_REDUCE_H
#define CRASHLIT_MACH_NVW_REDUCE_H

#include "machine/mach_reduce.h"

/* For struct machine. Leaves states alone when the machine has a fault, or does not evict. */
void nvw_reduce(struct mach_test *test, uint8_t *state);

#endif
