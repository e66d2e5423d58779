/* smt_checks: the model's checks as terms over its expressions. Private to the symbolic engine.
 *
 * A check is asserted, or asked about: then its term says that it fails. Acyclic relations
 * have events with clocks that each pair moves forward; a cycle is some events each of which has
 * a next one among them.
 */
#ifndef CRASHLIT_SMT_CHECKS_H
#define CRASHLIT_SMT_CHECKS_H

#include "smt/smt_relation.h"

/* The check's test holds, negation included: asserted; or that it fails, as a term that may be
 * true only where it does. */
void smt_assert_check(struct smt_relations *relations, const struct cat_check *check);
smt_term smt_check_fails(struct smt_relations *relations, const struct cat_check *check);

#endif
