/* witness: what a witness says of its events, and what of it breaks a check of the model.
 *
 * Whoever names events, or tells what failed, asks here: engines that record undefined behaviour,
 * explanations, chains of recovery, cuts, pictures. The recheck (recheck.h) does not: it tests a
 * witness from the definitions.
 *
 * Ownership: texts live in the arena that is given; all else is the witness's.
 */
#ifndef CRASHLIT_WITNESS_H
#define CRASHLIT_WITNESS_H

#include "engine/engine.h"

/* What the event reads or writes; false: it is no access. */
bool witness_value(const struct engine_witness *witness, uint32_t event, int64_t *value);
/* The write that a read has its value from; LIT_NONE: it is no read. */
uint32_t witness_source(const struct engine_witness *witness, uint32_t event);
/* Is it a write to non-volatile memory? */
bool witness_persists(const struct engine_witness *witness, uint32_t event);
/* All of this, with names. */
struct outcome_step witness_step(struct arena *arena, const struct engine_witness *witness,
                                 uint32_t event);

/* Of a check that fails, or of a flag that is raised, `value` being that of its expression: calls
 * back with a shortest cycle, of `acyclic` and `irreflexive`; else with each pair, the lower event
 * first where it is related both ways, or each event. A check that is negated, or a flag that is
 * not, has nothing to show. Costs O(n^3) for a cycle. */
typedef void witness_break(void *context, const uint32_t *events, uint32_t count, bool both_ways);
void witness_each_break(const struct engine_witness *witness, const struct cat_model *model,
                        const struct cat_check *check, const rel_word *value, witness_break *visit,
                        void *context);

#endif
