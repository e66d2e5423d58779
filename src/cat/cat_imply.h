/* cat_imply: propagation from a model's checks: what they leave to be chosen, of a partial witness.
 *
 * A required check that is lost when one pair is added to the lower bound of a base, or taken from
 * the upper bound, decides that pair. All such pairs of all bases are found at once, by one walk
 * from the checks down to the bases: of each node on the way, which pairs it must not gain (on the
 * side of lower bounds) or must not lose (on that of upper bounds). What holds for a pair of a node
 * is handed to the pairs of its operands that would bring it about; bounds of the other operand are
 * those of the evaluation.
 *
 * Pairs may be missing, never there wrongly: recursive definitions, sets and negated checks are
 * not walked through, and one pair that takes two ways at once is looked at one way at a time.
 *
 * Ownership: lives in the arena it is made in, beside its evaluation, which must outlive it.
 * Nothing is allocated later. Cost: about that of an evaluation.
 */
#ifndef CRASHLIT_CAT_IMPLY_H
#define CRASHLIT_CAT_IMPLY_H

#include "cat/cat_eval.h"

struct cat_implied;

struct cat_implied *cat_implied_new(struct arena *arena, const struct cat_eval *eval);

/* After cat_eval_viable or cat_eval_still_viable said true, and before any bound is changed. */
void cat_implied_find(struct cat_implied *implied);

/* Of a dynamic base: pairs that no completion has, beside those that its upper bound lacks already;
 * and those that every completion has. NULL: no check says anything of it. Valid until the next
 * search. */
const rel_word *cat_implied_out(const struct cat_implied *implied, uint32_t base);
const rel_word *cat_implied_in(const struct cat_implied *implied, uint32_t base);

#endif
