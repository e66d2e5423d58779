/* mach_instr: what instructions mean on every machine. Private to the machines.
 *
 * Who meets at a barrier, and what an access does to its work-item once the machine has found
 * the value. Where values are held, and when they can be seen, is the machine's affair.
 */
#ifndef CRASHLIT_MACH_INSTR_H
#define CRASHLIT_MACH_INSTR_H

#include "machine/mach.h"

/* Is it in the work-item's instance of the scope? */
static inline bool mach_is_member(const struct mach_test *test, uint32_t thread, uint32_t other,
                                  enum lit_scope scope)
{
    BASE_ASSERT(thread < test->program->thread_count && other < test->program->thread_count);
    BASE_ASSERT(scope < LIT_SCOPE_COUNT);
    return test->members[thread][scope] >> other & 1;
}

/* Is nobody else? */
static inline bool mach_is_alone(const struct mach_test *test, uint32_t thread,
                                 enum lit_scope scope)
{
    BASE_ASSERT(thread < test->program->thread_count && scope < LIT_SCOPE_COUNT);
    return test->members[thread][scope] == UINT64_C(1) << thread;
}

/* Does `other` wait at the barrier that `thread` waits at? Scopes are left to mach_is_member. */
bool mach_waits_with(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                     uint32_t other);
/* Does everybody whom this work-item, itself waiting at a barrier, waits for wait there too? */
bool mach_all_wait(const struct mach_test *test, const uint8_t *state, uint32_t thread);

/* Is it the first of those waiting at a persist barrier to which all have come, or, when it begins
 * `early`, some have? */
bool mach_leads(const struct mach_test *test, const uint8_t *state, uint32_t thread, bool early);
/* Those whom the barrier concerns that a work-item waits at go on. */
void mach_leave(struct mach_test *test, uint8_t *state, uint32_t thread);
/* Have all work-items ended? */
bool mach_all_done(const struct mach_test *test, const uint8_t *state);

/* Of a work-item at an execution barrier: does it reach beyond a work-group, by its own scope or by
 * that of anybody it meets? Those who meet may name different scopes; who comes last makes no
 * difference. */
bool mach_meets_widely(const struct mach_test *test, const uint8_t *state, uint32_t thread);
/* Has some work-item such an instruction that work-items of several work-groups meet at? */
bool mach_meets_beyond_group(const struct mach_test *test, enum lit_instr_op op);

/* Of an access or FENCE: does it reach beyond the work-group, and so beyond an L1? */
bool mach_is_wide(const struct lit_instr *instr);
bool mach_acquires(enum lit_order order);
bool mach_releases(enum lit_order order);

/* The order of an access: a compare-exchange that does not write has one of its own. */
enum lit_order mach_order_of(const struct lit_instr *instr, bool writes);

/* A LOAD, STORE, RMW or CAS that finds the value of number `old` (a STORE ignores it): sets the
 * registers, and returns whether it writes, and then the number of what. */
bool mach_access(struct mach_test *test, uint8_t *state, uint32_t thread,
                 const struct lit_instr *instr, uint32_t location, uint8_t old, uint8_t *number);

#endif
