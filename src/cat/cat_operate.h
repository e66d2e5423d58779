/* cat_operate: the semantics of cat's operators on sets and relations of events.
 *
 * All evaluations and bounds use it (cat_eval.h, cat_bounds.h). The recheck of witnesses
 * (engine/naive.h) and the solver's terms do not, on purpose. */
#ifndef CRASHLIT_CAT_OPERATE_H
#define CRASHLIT_CAT_OPERATE_H

#include "cat/cat_ir.h"
#include "rel/relation.h"

enum cat_side { CAT_LOWER, CAT_UPPER };

static inline enum cat_side cat_side_flip(enum cat_side side)
{
    BASE_ASSERT(side == CAT_LOWER || side == CAT_UPPER);
    return side == CAT_LOWER ? CAT_UPPER : CAT_LOWER;
}

/* The side of the first or `second` operand that a bound on `side` needs: subtracting more leaves
 * less. */
static inline enum cat_side cat_operand_side(enum cat_op op, bool second, enum cat_side side)
{
    bool flips = second ? op == CAT_DIFF : op == CAT_COMP;
    return flips ? cat_side_flip(side) : side;
}

/* The value of an operator of the given sort with its operands, or of CAT_EMPTY. Missing operands
 * are NULL. `out` is no operand, except of pointwise operators. */
void cat_operate(struct rel_dim dim, enum cat_op op, enum cat_sort sort, const rel_word *a,
                 const rel_word *b, rel_word *out);

/* Does a value pass a test, ignoring negation? `scratch` has rel_set_words words. */
bool cat_passes(struct rel_dim dim, enum cat_test test, enum cat_sort sort, const rel_word *value,
                rel_word *scratch);

/* Operations on values of either sort. */
size_t cat_value_words(struct rel_dim dim, enum cat_sort sort);
void cat_value_clear(struct rel_dim dim, enum cat_sort sort, rel_word *out);
void cat_value_fill(struct rel_dim dim, enum cat_sort sort, rel_word *out);
void cat_value_copy(struct rel_dim dim, enum cat_sort sort, rel_word *out, const rel_word *a);
bool cat_value_equal(struct rel_dim dim, enum cat_sort sort, const rel_word *a, const rel_word *b);

#endif
