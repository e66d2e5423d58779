/* gen_cycle_test: makes the program of a cycle, and the condition that the cycle is there.
 *
 * An access to a location shared by work-items is a relaxed atomic unless the shape says otherwise,
 * of scope device, or of all devices when work-items are on several. All other accesses are plain.
 * Locations are non-volatile if the crash has to show something of them, or by Nvm.
 *
 * The condition follows from the cycle alone; no model is asked. Each read returned what its edges
 * say. Where the order of two writes matters, the final value tells it. For more writes, or at a
 * crash, where memory shows durable versions only, an observer tells it: a work-item that reads
 * them one after the other. At a crash memory has what the access before Crash wrote, and the
 * initial value in place of the lost write. The test forbids all that: it is ok where the edges are
 * in one order. */
#ifndef CRASHLIT_GEN_CYCLE_TEST_H
#define CRASHLIT_GEN_CYCLE_TEST_H

#include "generate/gen_cycle.h"
#include "generate/gen_print.h"

struct gen_cycle_test {
    struct gen_program program;
    struct gen_outcome outcome;
    struct gen_test test; /* for gen_print, without expectations; points at the above */
};

/* Texts live in the arena. False with the fault when the program has no room for the cycle, or the
 * dialect no words. */
bool gen_cycle_make(struct arena *arena, const struct gen_vocabulary *vocabulary,
                    enum gen_dialect dialect, const struct gen_cycle *cycle,
                    const struct gen_closed *closed, struct gen_cycle_test *made,
                    struct gen_fault *fault) __attribute__((warn_unused_result));

/* A cycle of the field with a name, and its words. */
struct gen_classic {
    const char *name, *words;
};
extern const struct gen_classic gen_classics[]; /* ends with a NULL name */

#endif
