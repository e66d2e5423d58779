/* cat_kinds: what a model can be seen to mean whatever the test, from the kinds of events alone.
 *
 * Reads, writes, initial writes, fences and barriers are told apart, and accesses to non-volatile
 * memory from others. Of each expression it is known which kinds it may hold, or relate; where
 * that is nothing, it is empty in every execution. Warnings are about a user's mistakes: a name of
 * the contract that can have no effect, a visibility model none of whose checks can fail, and an
 * expression that would only hold anything if a read-modify-write were one event in R and in W, as
 * it is in herd.
 */
#ifndef CRASHLIT_CAT_KINDS_H
#define CRASHLIT_CAT_KINDS_H

#include "base/diag.h"
#include "cat/cat_ir.h"

struct cat_kinds_places {
    struct span defined[CAT_RESERVED_COUNT]; /* the names of the contract */
    struct span visibility;                  /* the visibility model; its first checks are of it */
    size_t visibility_checks;
    bool visibility_chooses; /* by `with`, and so that there may be nothing to choose */
};

/* Warns of what is found in a model that has been resolved. */
void cat_kinds_warn(const struct cat_model *model, const struct cat_kinds_places *places,
                    struct diag *diag);

#endif
