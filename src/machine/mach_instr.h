/* mach_instr: the meaning of instructions that all machines share. Private to the machines.
 *
 * It covers meetings at barriers, and what an access does to its work-item once the machine has
 * found the value. Where values are held, and when they can be seen, is each machine's affair. */
#ifndef CRASHLIT_MACH_INSTR_H
#define CRASHLIT_MACH_INSTR_H

#include "machine/mach.h"

/* Is `other` in the work-item's instance of the scope? */
static inline bool mach_is_member(const struct mach_test *test, uint32_t thread, uint32_t other,
                                  enum lit_scope scope)
{
    BASE_ASSERT(thread < test->program->thread_count && other < test->program->thread_count);
    BASE_ASSERT(scope < LIT_SCOPE_COUNT);
    return test->members[thread][scope] >> other & 1;
}

/* Is the work-item alone in its instance of the scope? */
static inline bool mach_is_alone(const struct mach_test *test, uint32_t thread,
                                 enum lit_scope scope)
{
    BASE_ASSERT(thread < test->program->thread_count && scope < LIT_SCOPE_COUNT);
    return test->members[thread][scope] == UINT64_C(1) << thread;
}

/* Does `other` wait at the same barrier as `thread`? Ignores scopes; see mach_is_member. */
bool mach_waits_with(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                     uint32_t other);
/* Does every work-item that this one, itself at a barrier, waits for wait there too? */
bool mach_all_wait(const struct mach_test *test, const uint8_t *state, uint32_t thread);

/* Is it the first of those waiting at a persist barrier where all have arrived, or, with `early`,
 * where some have? */
bool mach_leads(const struct mach_test *test, const uint8_t *state, uint32_t thread, bool early);
/* Lets all go on that the work-item's barrier concerns. */
void mach_leave(struct mach_test *test, uint8_t *state, uint32_t thread);
/* Have all work-items ended? */
bool mach_all_done(const struct mach_test *test, const uint8_t *state);

/* For a work-item at an execution barrier: does the barrier reach beyond a work-group, by its own
 * scope or by that of anyone it meets? Those who meet may name different scopes; who comes last
 * makes no difference. */
bool mach_meets_widely(const struct mach_test *test, const uint8_t *state, uint32_t thread);
/* Does some work-item have such an instruction at which several work-groups meet? */
bool mach_meets_beyond_group(const struct mach_test *test, enum lit_instr_op op);

/* Does an access or FENCE reach beyond the work-group, and so beyond an L1? */
bool mach_is_wide(const struct lit_instr *instr);
bool mach_acquires(enum lit_order order);
bool mach_releases(enum lit_order order);

/* The order of an access; a compare-exchange that does not write has another order. */
enum lit_order mach_order_of(const struct lit_instr *instr, bool writes);

/* Executes a LOAD, STORE, RMW or CAS that finds value number `old` (a STORE ignores it): sets the
 * registers. Returns whether it writes; then `number` is the value's. */
bool mach_access(struct mach_test *test, uint8_t *state, uint32_t thread,
                 const struct lit_instr *instr, uint32_t location, uint8_t old, uint8_t *number);

#endif
