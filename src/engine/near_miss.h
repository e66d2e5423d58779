/* near_miss: an execution that shows why a state cannot be reached. It is a candidate execution,
 * for a crash state with a cut, that reaches the state and breaks just enough rules that forbid it.
 *
 * Everything else that the model, the test and the crash cut demand holds. Where possible coherence
 * along program order holds too: a work-item's writes to one location come in po, and its reads do
 * not go back. Each broken rule is needed: no candidate execution that keeps as much of coherence
 * reaches the state with this rule unbroken and only the others broken. recheck_near_miss
 * (recheck.h) checks what is broken and what is not.
 *
 * Ownership: all of it is valid during the callback only. */
#ifndef CRASHLIT_NEAR_MISS_H
#define CRASHLIT_NEAR_MISS_H

#include "engine/explanation.h"

struct near_miss_rule {
    enum explanation_reason_kind kind; /* CHECK, FILTER, CRASH_POINT, or of the crash cut */
    uint32_t check;                    /* of CHECK: which of the model's */
    const struct ev *from, *to; /* of the crash cut: the pair, by an event of each statement */
};

struct near_miss {
    const struct engine_witness *witness;
    const struct lit_condition *condition; /* which the state decides */
    const struct near_miss_rule *rules;    /* the broken ones; the reason that was looked for comes
                                              first */
    uint32_t count;
};

#endif
