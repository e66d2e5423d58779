/* pipe_footprint: footprints of a pipeline's steps, for partial-order reduction. Private to the
 * pipeline. */
#ifndef CRASHLIT_PIPE_FOOTPRINT_H
#define CRASHLIT_PIPE_FOOTPRINT_H

#include "pipeline/pipe_plan.h"

/* Fills plan->footprints, of instructions. Call when the rest of the plan is filled. Cost:
 * instructions times locations, once. */
void pipe_find_footprints(struct pipe_plan *plan, const struct mach_test *test,
                          struct arena *arena);
/* `footprints` of struct machine. */
void pipe_footprints(struct mach_test *test, const uint8_t *state, const struct mach_step *steps,
                     uint32_t count, struct mach_footprint *footprints);

#endif
