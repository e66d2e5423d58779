/* pipe_view: states and steps of a pipeline for traces (mach_view.h). Private to the pipeline.
 */
#ifndef CRASHLIT_PIPE_VIEW_H
#define CRASHLIT_PIPE_VIEW_H

#include "machine/mach_view.h"

/* `view` and `tell` of struct machine. */
void pipe_view_state(const struct mach_test *test, const uint8_t *state, struct mach_view *view);
void pipe_tell(const struct mach_test *test, const uint8_t *state, struct mach_step step,
               struct mach_view *view);

#endif
