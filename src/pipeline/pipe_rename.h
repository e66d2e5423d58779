/* pipe_rename: symmetry reduction of pipelines: which of them treat work-items and locations alike,
 * and how their stages are renamed (mach_symmetry.h). Private to the pipeline. */
#ifndef CRASHLIT_PIPE_RENAME_H
#define CRASHLIT_PIPE_RENAME_H

#include "machine/mach_symmetry.h"

bool pipe_describe(const struct mach_test *test, struct arena *arena, struct mach_layout *layout);
void pipe_rename(const struct mach_test *test, uint8_t *state, const struct mach_renaming *by);

#endif
