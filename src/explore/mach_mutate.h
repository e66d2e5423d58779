/* mach_mutate: lists the mutants of a machine's file: copies of it in which one statement, one operation
 * of an `on` line, one word or one number is another, or is gone.
 *
 * A mutant is a change of the text; it may be no machine, as where the name of a stage that is gone
 * stands in another line. What the machine is and what it promises is left as it is. Ownership:
 * everything lives in the arena. */
#ifndef CRASHLIT_MACH_MUTATE_H
#define CRASHLIT_MACH_MUTATE_H

#include "base/mutation.h"
#include "explore/mach_config.h"

/* Of a file that was read without errors. */
struct mutations mach_mutate(struct arena *arena, const struct mach_file *file);

#endif
