/* pipe_footprint: which steps of a pipeline are independent. Private to the pipeline. */
#ifndef CRASHLIT_PIPE_FOOTPRINT_H
#define CRASHLIT_PIPE_FOOTPRINT_H

#include "pipeline/pipe_plan.h"

/* Fills plan->footprints, of instructions, when all else is there. Cost: instructions times
 * locations, once. */
void pipe_find_footprints(struct pipe_plan *plan, const struct mach_test *test,
                          struct arena *arena);
/* The `footprints` of mach.h. */
void pipe_footprints(struct mach_test *test, const uint8_t *state, const struct mach_step *steps,
                     uint32_t count, struct mach_footprint *footprints);

#endif
