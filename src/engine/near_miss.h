/* near_miss: an execution that shows why a state cannot be reached: a candidate execution, for a
 * crash state with a cut, that reaches it and breaks just enough of what forbids it.
 *
 * Everything else the model, the test and the crash cut demand holds, and where that is possible so
 * does coherence along program order: the writes of a work-item to one location come in po, and
 * what it reads does not turn back. Of the rules that are broken each one is needed: with it and
 * without the others no candidate execution that keeps as much of coherence reaches the state.
 * recheck_near_miss (recheck.h) looks at what is broken and at what is not.
 *
 * Ownership: all of it is valid during the callback only.
 */
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
    const struct near_miss_rule *rules;    /* broken; the reason that was looked for comes first */
    uint32_t count;
};

#endif
