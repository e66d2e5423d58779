/* cat_mutate: lists the mutants of a model file: copies of it in which one rule, one operand or one
 * check is weaker, stronger or gone.
 *
 * A mutant is a change of the text, so a reader sees what was changed where. It takes the place of
 * the file by cat_asker.instead. A mutant may fail to load, as where a sort is no longer right.
 *
 * Definitions that only pictures show, choices (`with`), conditions (`when`, `if`) and branches that
 * are off are left as they are. Ownership: everything lives in the arena. Cost: linear in the
 * text, for each mutant. */
#ifndef CRASHLIT_CAT_MUTATE_H
#define CRASHLIT_CAT_MUTATE_H

#include "base/mutation.h"
#include "base/diag.h"
#include "cat/cat_variants.h"

/* Appends to `diag` what makes the file unreadable; there are no mutants then. */
struct mutations cat_mutate(struct arena *arena, const struct cat_variants *variants,
                            const struct source *source, struct diag *diag);
/* The text of a place in one line, without comments. */
const char *cat_mutate_shown(struct arena *arena, const struct span *place);

#endif
