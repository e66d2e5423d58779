/* mach_bpfs_reduce: normal forms of the states of bpfs and bpfs-no-wait. Private to these.
 *
 * Only what holds of work-items on every machine: silent instructions come first, dead registers
 * are alike. The last arrival at a barrier is not silent, as tags change with it. */
#ifndef CRASHLIT_MACH_BPFS_REDUCE_H
#define CRASHLIT_MACH_BPFS_REDUCE_H

#include "machine/mach.h"

/* For struct machine: where persist barriers wait for their scope, and where they do not. Leave
 * states alone when the machine has a fault, or does not evict at any time. */
void bpfs_reduce_waiting(struct mach_test *test, uint8_t *state);
void bpfs_reduce_passing(struct mach_test *test, uint8_t *state);

#endif
