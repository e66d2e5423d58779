/* smt_relation: the model's expressions as terms, one pair at a time and only on demand. Private to
 * the symbolic engine.
 *
 * Must and may sets (smt_bounds.h) come first. Only pairs between the two become terms.
 *
 * Ownership: the arena and the solver of the program. */
#ifndef CRASHLIT_SMT_RELATION_H
#define CRASHLIT_SMT_RELATION_H

#include "smt/smt_program.h"

enum { SMT_AT_LEAST = 1, SMT_AT_MOST = 2, SMT_EXACTLY = 3 };

struct smt_relations;

/* NULL when the time has run out. NULL too when a recursion that is iterated without a least
 * solution (cat_rec_group.inflates) depends on a thread's path, which is not encoded. */
struct smt_relations *smt_relations_new(struct smt_program *program);
void smt_relations_free(struct smt_relations *relations);
struct smt_program *smt_relations_program(const struct smt_relations *relations);

/* Is the pair in the relation, given that both events are executed? */
smt_term smt_relation_has(struct smt_relations *relations, cat_node_id node, uint32_t a, uint32_t b,
                          int need);
smt_term smt_set_has(struct smt_relations *relations, cat_node_id node, uint32_t a, int need);
/* The pairs that may be in the relation, over the program's events. */
const rel_word *smt_relation_may(const struct smt_relations *relations, cat_node_id node);
/* Is every pair that may be in the relation in it whenever both events are executed? */
bool smt_relation_is_known(const struct smt_relations *relations, cat_node_id node);

/* Asserts the definitions of pending closures. Call before the solver is asked. */
void smt_relations_settle(struct smt_relations *relations);

/* ---- The model's checks as terms over its expressions (smt_checks.c) ---- */

/* smt_assert_check asserts that the check's test holds, negation included. smt_check_fails returns
 * a term that is true only where it fails. */
void smt_assert_check(struct smt_relations *relations, const struct cat_check *check);
smt_term smt_check_fails(struct smt_relations *relations, const struct cat_check *check);

#endif
