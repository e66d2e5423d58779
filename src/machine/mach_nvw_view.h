/* mach_nvw_view: what a state of nvw-fifo holds, and what its steps do, for traces. */
#ifndef CRASHLIT_MACH_NVW_VIEW_H
#define CRASHLIT_MACH_NVW_VIEW_H

#include "machine/mach.h"

void nvw_view(const struct mach_test *test, const uint8_t *state, struct mach_view *view);
void nvw_tell(const struct mach_test *test, const uint8_t *state, struct mach_step step,
              struct mach_view *view);

#endif
