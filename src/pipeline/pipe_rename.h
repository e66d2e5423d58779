/* pipe_rename: which pipelines treat work-items and locations alike, and what a renaming makes
 * of what is in their stages (mach_symmetry.h). Private to the pipeline. */
#ifndef CRASHLIT_PIPE_RENAME_H
#define CRASHLIT_PIPE_RENAME_H

#include "machine/mach_symmetry.h"

bool pipe_describe(const struct mach_test *test, struct arena *arena, struct mach_layout *layout);
void pipe_rename(const struct mach_test *test, uint8_t *state, const struct mach_renaming *by);

#endif
