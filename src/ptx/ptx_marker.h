/* ptx_marker: comments of inline assembly that call a definition of the test's definition files, by
 * crashlit_kernel.h: `crashlit: clwb [%rd2]`. So a mechanism for which the compiler has no word can
 * be written in a kernel. `pbarrier.cta` and `crash "name"` are built in.
 */
#ifndef CRASHLIT_PTX_MARKER_H
#define CRASHLIT_PTX_MARKER_H

#include "ptx/ptx_value.h"

/* Refuses what no definition file has, with a near name. */
void ptx_step_marker(struct ptx_walk *s, const struct ptx_instr *instr);
/* Declares what ptx_marker_emit needs where a marker has an address. */
void ptx_marker_declare(struct lit_lower *lower, struct span span);
/* Emits what the step calls into the thread at hand; `addr`: of the location that it is called
 * with, as of `step->access`. */
void ptx_marker_emit(struct lit_lower *lower, const struct ptx_step *step,
                     const struct lit_address *addr, struct span span);

#endif
