/* witness_way: how two events of a witness are related.
 *
 * A pair of a model's relation is told in steps that every reader knows: pairs of the base
 * relations that it is made of. Of a closure the steps are a shortest path. Of an intersection they
 * are those of the operand that says why one event comes before the other.
 *
 * Ownership: labels live in the arena of the ways, or are the model's; VEC_FREE releases the steps.
 */
#ifndef CRASHLIT_WITNESS_WAY_H
#define CRASHLIT_WITNESS_WAY_H

#include "base/vec.h"
#include "engine/engine.h"

struct witness_way_step {
    uint32_t from, to; /* the same for a filter, such as [NVW] */
    const char *label;
    cat_node_id node; /* whose pair it is */
};

struct witness_way {
    VEC(struct witness_way_step) items;
};

/* All ways in one witness, of which `eval` has all values, by a plan for pictures. */
struct witness_ways;
const struct witness_ways *witness_ways_new(struct arena *arena, const struct cat_model *model,
                                            const struct cat_eval *eval, struct rel_dim dim);

/* Appends the steps of a pair that the relation has; none for an event and itself in [S], r? and
 * r*. Costs at most O(n^2) for each of the model's operators; where a model nests them very deep
 * a pair is one step. */
void witness_add_way(const struct witness_ways *ways, cat_node_id node, uint32_t from, uint32_t to,
                     struct witness_way *steps);

#endif
