/* lone: what cannot go wrong where one work-item runs alone.
 *
 * A single work-item waits for nobody and races with nobody. Whether that is all there is to say
 * depends on its code and on the model: a user's may call undefined what one work-item does, or
 * leave it no consistent execution at all. What is not known to be harmless counts as
 * harm. Cost: linear in the code.
 */
#ifndef CRASHLIT_LONE_H
#define CRASHLIT_LONE_H

#include "cat/cat_ir.h"
#include "litmus/lit_program.h"

/* Whether a run of this work-item alone may be undefined or come to no end, in some state of
 * memory. */
bool lone_may_fail(const struct lit_thread *thread, const struct cat_model *model);
/* Whether such a run may raise a flag. */
bool lone_may_flag(const struct lit_thread *thread, const struct cat_model *model);

#endif
