/* pipe_reduce: the partial-order reduction of a pipeline's states (mach_reduce.h). Private to the
 * pipeline. */
#ifndef CRASHLIT_PIPE_REDUCE_H
#define CRASHLIT_PIPE_REDUCE_H

#include "machine/mach.h"

/* `reduce` of struct machine. */
void pipe_reduce(struct mach_test *test, uint8_t *state);

#endif
