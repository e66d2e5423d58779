/* smt_bounds: for each expression of the model, the pairs that are in it in every execution
 * that has both events, and those that may be. Private to the symbolic engine.
 *
 * Lower bounds are what makes formulas small: whatever tags and program order decide is
 * known here. Upper bounds keep the rest to pairs that matter.
 *
 * Ownership: the arena of the program.
 */
#ifndef CRASHLIT_SMT_BOUNDS_H
#define CRASHLIT_SMT_BOUNDS_H

#include "smt/smt_program.h"

struct smt_bounds;

struct smt_bounds *smt_bounds_new(struct smt_program *program);
/* Of the nodes up to this one, and what it is made of, alone. */
struct smt_bounds *smt_bounds_up_to(struct smt_program *program, cat_node_id last);
/* The same where no order is chosen: a choice of the model has what it has to contain, no more. */
struct smt_bounds *smt_bounds_unchosen(struct smt_program *program, cat_node_id last);
/* The pairs of x+ that are there whatever is chosen, for the relation x. */
const rel_word *smt_bounds_closure(struct smt_bounds *bounds, cat_node_id node);
/* A set or a relation over the program's events, by the node's sort. */
const rel_word *smt_bounds_lower(const struct smt_bounds *bounds, cat_node_id node);
const rel_word *smt_bounds_upper(const struct smt_bounds *bounds, cat_node_id node);
/* Is event k executed in every execution that has a and b? */
bool smt_bounds_surely(const struct smt_bounds *bounds, uint32_t a, uint32_t k, uint32_t b);

#endif
