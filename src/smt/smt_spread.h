/* smt_spread: what follows along a relation, as labels of events instead of pairs. Private to the
 * symbolic engine.
 *
 * "Whatever a pair leads to has this as well" needs no term for each pair of a closure: a label
 * goes from event to event, step by step, so a relation of n events costs as many clauses as its
 * expression has steps, at most a few times n * n, and not n * n * n. Labels may be true of more
 * events than those reached, so they serve where being reached is what is forbidden.
 *
 * Ownership: the arena and the solver of the program; smt_spread_free releases the facts.
 */
#ifndef CRASHLIT_SMT_SPREAD_H
#define CRASHLIT_SMT_SPREAD_H

#include "base/vec.h"
#include "smt/smt_relation.h"

struct smt_spread {
    struct smt_relations *relations;
    bool backwards;      /* from the second event of a pair to the first */
    VEC(smt_term) facts; /* that make `to` of each call follow from its `from` */
};

/* For each pair of the relation: where `from` (a term per event that implies its guard, or NULL)
 * is true of the event at one end, `to` (a term per event, or NULL where nothing is asked) is true
 * of the executed one at the other. */
void smt_spread_along(struct smt_spread *spread, cat_node_id node, const smt_term *from,
                      const smt_term *to);
void smt_spread_assert(struct smt_spread *spread);
void smt_spread_free(struct smt_spread *spread);

#endif
