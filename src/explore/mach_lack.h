/* mach_lack: what a test needs that its machine has not. */
#ifndef CRASHLIT_MACH_LACK_H
#define CRASHLIT_MACH_LACK_H

#include "machine/mach.h"

/* The first thing of a test that its machine has not: more than MACH_MAX_THREADS work-items; cache
 * maintenance; a barrier that only a part of its scope may meet at: one that arrives, has a
 * resource or a quorum, or is named and missing in the code of some work-item of the scope; a tag
 * that the model gives a meaning to. A pipeline has cache maintenance that some rule is for, and
 * tags that its description names. `what` is NULL when there is none; `whose` names the work-item
 * or the location, and is NULL when it is all of them. */
struct mach_lack {
    const char *what, *whose;
    uint32_t line;
    const char *tag; /* of what it is that has one; else NULL */
};
struct mach_lack mach_lacking(const struct mach_test *test, const struct cat_model *model);
/* What is told of it, with its place, in the arena; NULL when there is none. */
const char *mach_not_encoded(struct arena *arena, const struct mach_test *test,
                             const struct cat_model *model);

#endif
