/* idempotence: may recovery be repeated, and be interrupted?
 *
 * It judges the pairs of a listing, with crashes in recovery (docs/models/semantics.md, Recovery):
 *   1. recovery of a recovered state, without a crash, leaves its non-volatile locations as they
 *      are;
 *   2. whatever recovery leaves when it is interrupted and restarted any number of times after a
 *      crash, it can also leave uninterrupted after that crash.
 *
 * A pure function of a sorted outcome. */
#ifndef CRASHLIT_IDEMPOTENCE_H
#define CRASHLIT_IDEMPOTENCE_H

#include "engine/outcome.h"

struct idempotence {
    enum lit_verdict verdict;   /* like that of a condition on recovery */
    const char *reason;         /* of VIOLATED: which of the two; of UNKNOWN and ERROR: why */
    bool vacuous;               /* UNKNOWN since there is no recovered state */
    struct outcome_chain chain; /* of VIOLATED: a shortest one; without steps */
};

/* The chain lives in `arena`, some of its states in the outcome. */
struct idempotence idempotence_check(struct arena *arena, const struct outcome *outcome);

#endif
