/* enum_symmetry: work-items that run the same code and of which only one needs to be
 * looked at. Private to the enumerator.
 *
 * Two threads are twins when their code is the same, they sit in the same place of the
 * scope tree, and no final state mentions a register of either. Exchanging twins turns
 * an execution into one with the same states, so of all executions that differ by
 * such an exchange one is enough: the twins' paths are chosen in ascending order, and among
 * twins on one path, what their first access does is ordered too.
 *
 * Ownership: lives in the arena given to enum_symmetry_new. Immutable.
 */
#ifndef CRASHLIT_ENUM_SYMMETRY_H
#define CRASHLIT_ENUM_SYMMETRY_H

#include "engine/outcome.h"

struct enum_symmetry {
    const uint32_t *twin;  /* per thread: the twin before it, LIT_NONE when it is the first */
    const uint32_t *first; /* per thread: the first of its twins, itself without any */
};

struct enum_symmetry enum_symmetry_new(struct arena *arena, const struct lit_program *program,
                                       const struct outcome_states *final);

#endif
