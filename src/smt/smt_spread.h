/* smt_spread: reachability along a relation, by labels of events instead of pairs of a closure.
 * Private to the symbolic engine.
 *
 * "Whatever a pair leads to has this as well" needs no term for each pair of a closure. A label
 * goes from event to event, step by step. So a relation of n events costs as many clauses as its
 * expression has steps: at most a few times n * n, not n * n * n. Labels may be true of more events
 * than those reached, so use them only where being reached is forbidden.
 *
 * Ownership: the arena and the solver of the program; smt_spread_free releases the facts. */
#ifndef CRASHLIT_SMT_SPREAD_H
#define CRASHLIT_SMT_SPREAD_H

#include "base/vec.h"
#include "smt/smt_relation.h"

struct smt_spread {
    struct smt_relations *relations;
    bool backwards;      /* from the second event of a pair to the first */
    VEC(smt_term) facts; /* they make `to` of each call follow from its `from` */
};

/* For each pair of the relation: where `from` is true of the event at one end, `to` is true of the
 * executed event at the other. `from` has a term per event that implies its guard, or NULL. `to`
 * has a term per event, or NULL where nothing is asked. */
void smt_spread_along(struct smt_spread *spread, cat_node_id node, const smt_term *from,
                      const smt_term *to);
void smt_spread_assert(struct smt_spread *spread);
void smt_spread_free(struct smt_spread *spread);

#endif
