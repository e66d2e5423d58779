/* cat_same: do two models have the same checks?
 *
 * The same means: the same expressions, operand by operand, under the same names, in the same
 * order; other definitions may differ. Such models allow the same executions of any test, find the
 * same undefined behaviour and flags, and yield literally the same formulas. Models with choices,
 * or with a recursion that need not have a least solution, are never called the same. Both must
 * have one basis. Cost: one walk through the checks' expressions. */
#ifndef CRASHLIT_CAT_SAME_H
#define CRASHLIT_CAT_SAME_H

#include "base/arena.h"
#include "cat/cat_ir.h"

/* `scratch` is rewound. */
bool cat_same_checks(struct arena *scratch, const struct cat_model *a, const struct cat_model *b);
/* Do they also say the same of what is durable? Then they allow the same crash states as well.
 * Names of checks may differ, and so may flags, which allow and forbid nothing. */
bool cat_same(struct arena *scratch, const struct cat_model *a, const struct cat_model *b);
/* The same of executions in which some bases are empty. `empty`: per name of the basis. */
bool cat_same_without(struct arena *scratch, const struct cat_model *a, const struct cat_model *b,
                      const bool *empty);

#endif
