/* cat_imply: propagation from violated constraints: what a model's checks decide about a partial
 * witness.
 *
 * A required check may fail if one pair is added to the lower bound of a base, or removed from the
 * upper bound. Then the check decides that pair. All such pairs of all bases are found at once, by
 * one walk from the checks down to the bases. The walk computes which pairs each node must not gain
 * (in its lower bound) or must not lose (in its upper bound). A node hands that on to the pairs of
 * its operands that would cause it; the other operand has the evaluation's bounds.
 *
 * Pairs may be missing, but are never there wrongly. The walk skips recursive definitions, sets and
 * negated checks, and follows one way at a time where a pair takes two at once.
 *
 * Ownership: lives in the arena it is made in, beside its evaluation, which must outlive it.
 * Nothing is allocated later. Cost: about that of an evaluation. */
#ifndef CRASHLIT_CAT_IMPLY_H
#define CRASHLIT_CAT_IMPLY_H

#include "cat/cat_eval.h"

struct cat_implied;

struct cat_implied *cat_implied_new(struct arena *arena, const struct cat_eval *eval);

/* Call after cat_eval_viable or cat_eval_still_viable said true, and before any bound changes. */
void cat_implied_find(struct cat_implied *implied);

/* cat_implied_out: pairs of a dynamic base that no completion has, besides those that its upper
 * bound lacks. cat_implied_in: pairs that every completion has. NULL: no check decides any. Valid
 * until the next search. */
const rel_word *cat_implied_out(const struct cat_implied *implied, uint32_t base);
const rel_word *cat_implied_in(const struct cat_implied *implied, uint32_t base);

#endif
