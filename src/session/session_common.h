/* session_common: the locations at which a test and its source are compared: those with one name,
 * non-volatile in both. Elements of arrays and members of structures are locations of their own.
 *
 * Ownership: all that is made lives in the arena; names are of the two programs. */
#ifndef CRASHLIT_SESSION_COMMON_H
#define CRASHLIT_SESSION_COMMON_H

#include "base/diag.h"
#include "litmus/lit_program.h"

/* Pairs of locations, in the order of declaration in the test that refines: `target[k]` in that
 * test, `source[k]` in the other. */
struct session_common {
    const uint32_t *target, *source;
    uint32_t count;
    const char *const *alone; /* non-volatile locations without such a counterpart in the other
                                 test */
    uint32_t alone_count;
};

/* False, with a diagnostic at `span`, when they have no location in common, or one with another
 * type or first value: then states of one say nothing about the other's. */
bool session_common_find(struct arena *arena, const struct lit_program *target,
                         const struct lit_program *source, struct span span,
                         struct session_common *common, struct diag *diag)
    __attribute__((warn_unused_result));

#endif
