/* cat_same: do two models check the same?
 *
 * Their checks are the same expressions, operand by operand, under the same names, in the same
 * order; what else the models define may differ. So of any test they allow the same executions, and
 * find the same undefined behaviour and flags, and what is made of the checks is the same to the
 * letter. Nothing is said of models with choices, or with a recursion that need not have a least
 * solution: they are never called the same. Both have one basis. Cost: one walk through what the
 * checks are made of.
 */
#ifndef CRASHLIT_CAT_SAME_H
#define CRASHLIT_CAT_SAME_H

#include "base/arena.h"
#include "cat/cat_ir.h"

/* `scratch` is rewound. */
bool cat_same_checks(struct arena *scratch, const struct cat_model *a, const struct cat_model *b);
/* And do they say the same of what is durable? Then they allow the same crash states as well. Names
 * of checks may differ, and flags, which allow and forbid nothing. */
bool cat_same(struct arena *scratch, const struct cat_model *a, const struct cat_model *b);

#endif
