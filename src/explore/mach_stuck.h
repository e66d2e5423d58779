/* mach_stuck: work-items that wait at a barrier for ever (barrier divergence). Private to the
 * machines.
 *
 * Whoever is not done waits at a barrier, or spins in a wait that nothing can end any more. It is
 * asked of states in which the machine has nothing to do of its own accord; a run in which
 * work-items hang comes to one sooner or later, if lines may leave caches at any time. A few
 * hundred states are looked at from there; where that does not do, nothing is claimed.
 */
#ifndef CRASHLIT_MACH_STUCK_H
#define CRASHLIT_MACH_STUCK_H

#include "machine/mach.h"

/* Memory for the question, of one test or copies of it. */
struct mach_stuck;
struct mach_stuck *mach_stuck_new(struct arena *arena, const struct mach_test *test);

/* Of a state without a step: does the machine hold somebody, such as two transactions that wait for
 * each other at their ends, or a store for room that never comes? A flag says so. */
#define MACH_STUCK_FLAG "stuck"
bool mach_holds_some(const struct mach_test *test, const uint8_t *state);

/* Does somebody wait at a barrier for ever? */
bool mach_is_stuck(struct mach_stuck *stuck, struct mach_test *test, const uint8_t *state);
/* Of the state asked about last: adds every pair of one who waits and one who never comes, and the
 * flag, to the outcome. Whether one is new. */
bool mach_stuck_report(const struct mach_stuck *stuck, const uint8_t *state,
                       struct outcome *outcome);

#endif
