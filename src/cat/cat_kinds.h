/* cat_kinds: what abstract interpretation over kinds of events tells of a model, whatever the test:
 * warnings, and which expressions may hold persist barriers.
 *
 * Kinds are reads, writes, initial writes, fences and barriers; accesses to non-volatile memory are
 * kinds of their own. Bounds tell which kinds each expression may hold, or relate. If there are
 * none, it is empty in every execution. Three mistakes of users are warned of: a name of the
 * contract that can have no effect; a visibility model none of whose checks can fail; an expression
 * that could only hold anything if a read-modify-write were one event in R and in W, as in herd. */
#ifndef CRASHLIT_CAT_KINDS_H
#define CRASHLIT_CAT_KINDS_H

#include "base/arena.h"
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

/* How the value of an expression may hold persist barriers, as far as kinds tell: in a relation from
 * one to another event, the reverse, or between two (or of one and itself); of a set, it holds some:
 * CAT_PERSISTS_SELF. */
enum { CAT_PERSISTS_FROM = 1, CAT_PERSISTS_TO = 2, CAT_PERSISTS_SELF = 4 };
/* Per node of the model a sum of these. In the arena. */
const uint8_t *cat_kinds_persists(struct arena *arena, const struct cat_model *model);

#endif
