/* cat_operate: what the operators of cat mean, on sets and relations of events.
 *
 * Everybody who computes values or bounds asks here (cat_eval.h, cat_bounds.h). Apart from it
 * stand, on purpose, the recheck of witnesses (engine/naive.h) and the terms of the solver.
 */
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

/* The side of an operand, the `second` or the first, that a bound on `side` is made of: more of
 * what is taken away leaves less. */
static inline enum cat_side cat_operand_side(enum cat_op op, bool second, enum cat_side side)
{
    bool flips = second ? op == CAT_DIFF : op == CAT_COMP;
    return flips ? cat_side_flip(side) : side;
}

/* The value of an operator with operands, of the sort that is given, or of CAT_EMPTY. NULL for an
 * operand that there is not. `out` is no operand, but of pointwise operators it may be one. */
void cat_operate(struct rel_dim dim, enum cat_op op, enum cat_sort sort, const rel_word *a,
                 const rel_word *b, rel_word *out);

/* Does a value pass a test, negation left out? `scratch` has rel_set_words words. */
bool cat_passes(struct rel_dim dim, enum cat_test test, enum cat_sort sort, const rel_word *value,
                rel_word *scratch);

/* Sets and relations alike. */
size_t cat_value_words(struct rel_dim dim, enum cat_sort sort);
void cat_value_clear(struct rel_dim dim, enum cat_sort sort, rel_word *out);
void cat_value_fill(struct rel_dim dim, enum cat_sort sort, rel_word *out);
void cat_value_copy(struct rel_dim dim, enum cat_sort sort, rel_word *out, const rel_word *a);
bool cat_value_equal(struct rel_dim dim, enum cat_sort sort, const rel_word *a, const rel_word *b);

#endif
