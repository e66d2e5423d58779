/* hw_check: which tests can be emitted for a device, and why another cannot. */
#ifndef CRASHLIT_HW_CHECK_H
#define CRASHLIT_HW_CHECK_H

#include "litmus/lit_program.h"

enum { HW_MAX_ITEMS = 12, HW_MAX_LOCATIONS = 8, HW_MAX_BINS = 65536, HW_MAX_BARRIERS = 15 };

/* Why a test is refused: X(identifier, what stands in its way). */
#define HW_REFUSALS(X)                                                                         \
    X(CRASHES, "only conditions on crashes, of which a device shows nothing")                  \
    X(ITEMS, "more than 12 work-items")                                                        \
    X(LOCATIONS, "more than 8 locations")                                                      \
    X(BINS, "more than 65536 outcomes to tell apart")                                          \
    X(DEVICES, "several devices")                                                              \
    X(KERNELS, "several kernels at one time, or a work-item of the host")                      \
    X(RECOVERY, "recovery")                                                                    \
    X(COMPILED, "compiled code")                                                               \
    X(CHECKS, "assertions, or accesses that may be out of bounds")                             \
    X(WIDTH, "a location of more or fewer than 32 bits, or a condition on a register of more") \
    X(PERSISTS, "a persist barrier, which no GPU has")                                         \
    X(MAINTAINS, "cache maintenance")                                                          \
    X(TAGS, "a tag, or a fence without an order, for which PTX has no word")                   \
    X(UNKNOWN, "an instruction for which PTX has no word")                                     \
    X(ATOMIC, "an atomic operation that PTX lacks")                                            \
    X(SPLIT, "a barrier that is split or counted, or of another scope than the work-group")    \
    X(BRANCH, "a barrier behind a branch")                                                     \
    X(MEETING, "barriers that not all come to, or not all in one order")

enum hw_refusal {
    HW_EMITTED, /* none: it can be emitted */
#define X(identifier, text) HW_REFUSED_##identifier,
    HW_REFUSALS(X)
#undef X
};

/* HW_REFUSED_BINS, and WIDTH of registers, are not found here, but by hw_plan_make. */
enum hw_refusal hw_check(const struct lit_program *program);
/* NULL of HW_EMITTED. */
const char *hw_refusal_text(enum hw_refusal refusal);

/* The number of the barrier, from 0, among all that the program has: those of one name and one
 * resource are one. HW_MAX_BARRIERS: there are too many. */
uint32_t hw_check_barrier(const struct lit_program *program, const struct lit_instr *barrier);
/* Has the work-item this barrier, or one that is the same? */
bool hw_check_meets(const struct lit_thread *thread, const struct lit_instr *barrier);

#endif
