/* mach_observe: what a state of a machine shows about the test. Private to the machines. */
#ifndef CRASHLIT_MACH_OBSERVE_H
#define CRASHLIT_MACH_OBSERVE_H

#include "machine/mach.h"

struct mach_observer {
    struct mach_test *test;
    enum exec_crash_mode crash_mode;
    const uint8_t *state; /* the state looked at */
    uint8_t *room;        /* room for a state */
    bool final;           /* look at it as a final state, not at what a crash leaves */
};

/* Sets the state looked at. False: only a thread that works alone can look at it. */
bool mach_observe(struct mach_observer *observer, const uint8_t *state);
/* May the crash come now? */
bool mach_may_crash(const struct mach_observer *observer);
/* Have all work-items ended, and does memory hold what was written last? */
bool mach_is_done(const struct mach_observer *observer);
/* As mach_is_done, and the test's filter holds. */
bool mach_is_final(const struct mach_observer *observer);
/* An outcome_lookup; the context is the observer. A location has the value that survives a crash;
 * in a final state a volatile one has a value, too. */
int64_t mach_look_up(const void *observer, const struct lit_atom *atom);

/* The doubt why a machine cannot explore the test under a model, such as barriers for part of a
 * scope; OUTCOME_DOUBT_COUNT: it can. */
enum outcome_doubt mach_obstacle(const struct mach_test *test, const struct cat_model *model);

#endif
