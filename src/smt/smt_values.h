/* smt_values: which values a location may ever have. Private to the symbolic engine.
 *
 * An over-approximation, by a fixpoint over the writes of the test and of its recovery: a
 * location may have its initial value and what its writes compute from what their reads may
 * return. Paths are not looked at. A location with too many values has no set. Values that justify
 * themselves are not thought of: there must be none (smt_may_be_circular).
 *
 * Ownership: the given arena.
 */
#ifndef CRASHLIT_SMT_VALUES_H
#define CRASHLIT_SMT_VALUES_H

#include "smt/smt_program.h"

enum { SMT_MAX_VALUES = 64 };

struct smt_value_set {
    bool any; /* more than are kept: every value has to be thought of */
    uint32_t count;
    int64_t values[SMT_MAX_VALUES];
};

/* Per location of the test. `recovery` has the same locations. */
struct smt_value_set *smt_values_find(struct arena *arena, const struct smt_program *test,
                                      const struct smt_program *recovery);

#endif
