/* session_common: where a test and its source are compared: the locations that both have by name,
 * non-volatile in both. An element of an array and a member of a structure are locations of their
 * own.
 *
 * Ownership: all that is made lives in the arena; names are of the two programs.
 */
#ifndef CRASHLIT_SESSION_COMMON_H
#define CRASHLIT_SESSION_COMMON_H

#include "base/diag.h"
#include "litmus/lit_program.h"

/* The k-th is `target[k]` in the test that refines, in the order in which that declares them, and
 * `source[k]` in the other. */
struct session_common {
    const uint32_t *target, *source;
    uint32_t count;
    const char *const *alone; /* of non-volatile ones that are not, or not so, in the other test */
    uint32_t alone_count;
};

/* False, and a diagnostic at `span`, when they have no location in common, or one of another type
 * or first value: then states of the one say nothing about those of the other. */
bool session_common_find(struct arena *arena, const struct lit_program *target,
                         const struct lit_program *source, struct span span,
                         struct session_common *common, struct diag *diag)
    __attribute__((warn_unused_result));

#endif
