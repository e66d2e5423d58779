/* smt_near_miss: what a state that is out of reach would look like. Private to the symbolic engine.
 */
#ifndef CRASHLIT_SMT_NEAR_MISS_H
#define CRASHLIT_SMT_NEAR_MISS_H

#include "smt/smt_attempt.h"

/* Shows the request's `on_near_miss` an execution of the test, none of whose lines is dropped, that
 * breaks as little as may be: one of the `reasons` alone, if that will do. Nothing when the time
 * runs out. The question's own callback is not called. */
void smt_show_near_miss(const struct smt_attempt_question *question, const struct smt_rule *reasons,
                        uint32_t count);

#endif
