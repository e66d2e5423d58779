/* lone: what cannot go wrong in a work-item that runs alone.
 *
 * A single work-item waits for nobody and races with nobody. The rest depends on its code and on
 * the model: a user's model may call undefined what one work-item does, or leave it no consistent
 * execution. Whatever is not known to be harmless counts as harm. Cost: linear in the code. */
#ifndef CRASHLIT_LONE_H
#define CRASHLIT_LONE_H

#include "cat/cat_ir.h"
#include "litmus/lit_program.h"

/* May a run of this work-item alone be undefined or never end, in some state of memory? */
bool lone_may_fail(const struct lit_thread *thread, const struct cat_model *model);
/* May such a run raise a flag? */
bool lone_may_flag(const struct lit_thread *thread, const struct cat_model *model);

#endif
