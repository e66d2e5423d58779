/* mach_stuck: finds barrier divergence: work-items that wait at a barrier for ever. Asked so, it finds
 * those that wait for ever in an await. Private to the machines.
 *
 * Work-items are stuck when each that is not done waits at a barrier, or spins in a wait that
 * nothing can end any more. Ask it of states in which the machine has nothing to do by itself. A
 * run in which work-items hang reaches such a state, if lines may leave caches at any time. A few
 * hundred states are searched from there; if that is not enough, nothing is claimed. */
#ifndef CRASHLIT_MACH_STUCK_H
#define CRASHLIT_MACH_STUCK_H

#include "machine/mach.h"

/* Memory for these questions about one test, or about copies of it. `endless`: asked is whether
 * some work-item spins for ever. */
struct mach_stuck;
struct mach_stuck *mach_stuck_new(struct arena *arena, const struct mach_test *test, bool endless);

/* In a state without steps: does the machine itself hold some work-item back? Examples are two
 * transactions that wait for each other at their ends, and a store that waits for room in vain. The
 * flag reports it. */
#define MACH_STUCK_FLAG "stuck"
bool mach_holds_some(const struct mach_test *test, const uint8_t *state);

/* Does some work-item wait at a barrier, or spin, for ever? */
bool mach_is_stuck(struct mach_stuck *stuck, struct mach_test *test, const uint8_t *state);
/* For the state of the last question: adds every pair of a work-item that waits and one that never
 * comes, and the flag, or who spins, to the outcome. Returns whether one is new. */
bool mach_stuck_report(const struct mach_stuck *stuck, const uint8_t *state,
                       struct outcome *outcome);

#endif
