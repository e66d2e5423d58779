/* cat_kinds: warnings about a model by abstract interpretation over kinds of events, whatever the
 * test.
 *
 * Kinds are reads, writes, initial writes, fences and barriers; accesses to non-volatile memory are
 * kinds of their own. Bounds tell which kinds each expression may hold, or relate. If there are
 * none, it is empty in every execution. Three mistakes of users are warned of: a name of the
 * contract that can have no effect; a visibility model none of whose checks can fail; an expression
 * that could only hold anything if a read-modify-write were one event in R and in W, as in herd. */
#ifndef CRASHLIT_CAT_KINDS_H
#define CRASHLIT_CAT_KINDS_H

#include "base/diag.h"
#include "cat/cat_ir.h"

struct cat_kinds_places {
    struct span defined[CAT_RESERVED_COUNT]; /* the names of the contract */
    struct span visibility;                  /* the visibility model; the first checks are its
                                                own */
    size_t visibility_checks;
    bool visibility_chooses; /* by `with`, so there may be nothing to choose */
};

/* Warns about what it finds in a resolved model. */
void cat_kinds_warn(const struct cat_model *model, const struct cat_kinds_places *places,
                    struct diag *diag);

#endif
