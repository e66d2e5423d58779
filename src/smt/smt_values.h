/* smt_values: the values that a location may ever have. Private to the symbolic engine.
 *
 * An over-approximation by a fixpoint over the writes of the test and of its recovery. A location
 * may have its initial value, and what its writes compute from what their reads may return. Paths
 * are ignored. A location with too many values has no set. Self-justifying values are not
 * considered: there must be none (smt_may_be_circular).
 *
 * Ownership: the given arena. */
#ifndef CRASHLIT_SMT_VALUES_H
#define CRASHLIT_SMT_VALUES_H

#include "smt/smt_program.h"

enum { SMT_MAX_VALUES = 64 };

struct smt_value_set {
    bool any; /* too many to keep: any value is possible */
    uint32_t count;
    int64_t values[SMT_MAX_VALUES];
};

/* Per location of the test. `recovery` has the same locations. */
struct smt_value_set *smt_values_find(struct arena *arena, const struct smt_program *test,
                                      const struct smt_program *recovery);

#endif
