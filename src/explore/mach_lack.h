/* mach_lack: what a test needs and its machine lacks. */
#ifndef CRASHLIT_MACH_LACK_H
#define CRASHLIT_MACH_LACK_H

#include "machine/mach.h"

/* The first thing in a test that its machine lacks: more than MACH_MAX_THREADS work-items; cache
 * maintenance; a barrier that only part of its scope may meet at; a tag that the model gives a
 * meaning to. Such a barrier arrives, has a resource or a quorum, or is named and missing in the
 * code of some work-item of its scope. A pipeline has cache maintenance for which it has a rule,
 * and tags that its description names. `what` is NULL: nothing is lacking. `whose` names the
 * work-item or the location; NULL: all. */
struct mach_lack {
    const char *what, *whose;
    uint32_t line;
    const char *tag; /* the lacking tag, else NULL */
};
struct mach_lack mach_lacking(const struct mach_test *test, const struct cat_model *model);
/* The lack in words, with its place, in the arena; NULL: nothing is lacking. */
const char *mach_not_encoded(struct arena *arena, const struct mach_test *test,
                             const struct cat_model *model);

#endif
