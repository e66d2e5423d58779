/* mach_bpfs_view: what a state of bpfs or bpfs-no-wait holds, and what its steps do, for traces. */
#ifndef CRASHLIT_MACH_BPFS_VIEW_H
#define CRASHLIT_MACH_BPFS_VIEW_H

#include "machine/mach.h"

void bpfs_view(const struct mach_test *test, const uint8_t *state, struct mach_view *view);
void bpfs_tell(const struct mach_test *test, const uint8_t *state, struct mach_step step,
               struct mach_view *view);

#endif
