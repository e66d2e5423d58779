/* smt_bounds: must and may sets of each expression of the model. A pair must be in it if it is
 * there in every execution that has both events. Private to the symbolic engine.
 *
 * Lower bounds keep formulas small: they hold whatever tags and program order decide. Upper bounds
 * leave only pairs that matter.
 *
 * Ownership: the arena of the program. */
#ifndef CRASHLIT_SMT_BOUNDS_H
#define CRASHLIT_SMT_BOUNDS_H

#include "smt/smt_program.h"

struct smt_bounds;

struct smt_bounds *smt_bounds_new(struct smt_program *program);
/* Bounds of the first nodes alone: `last` and what it is made of. */
struct smt_bounds *smt_bounds_up_to(struct smt_program *program, cat_node_id last);
/* As smt_bounds_up_to, where no order is chosen: a choice of the model has just the pairs that it
 * has to contain. */
struct smt_bounds *smt_bounds_unchosen(struct smt_program *program, cat_node_id last);
/* The pairs of x+ that are there whatever is chosen; `node` is the relation x. */
const rel_word *smt_bounds_closure(struct smt_bounds *bounds, cat_node_id node);
/* A set or a relation over the program's events, by the node's sort. */
const rel_word *smt_bounds_lower(const struct smt_bounds *bounds, cat_node_id node);
const rel_word *smt_bounds_upper(const struct smt_bounds *bounds, cat_node_id node);
/* Is event k executed in every execution that has a and b? */
bool smt_bounds_surely(const struct smt_bounds *bounds, uint32_t a, uint32_t k, uint32_t b);

#endif
