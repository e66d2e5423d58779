/* mach_observe: what a state of a machine shows to whoever asks about the test. Private to the
 * machines. */
#ifndef CRASHLIT_MACH_OBSERVE_H
#define CRASHLIT_MACH_OBSERVE_H

#include "machine/mach.h"

struct mach_observer {
    struct mach_test *test;
    enum exec_crash_mode crash_mode;
    const uint8_t *state; /* the one that is asked about */
    uint8_t *room;        /* of a state */
    bool final;           /* as a final state, not for what a crash leaves */
};

/* Asks about this state from here on. False: only who works alone can. */
bool mach_observe(struct mach_observer *observer, const uint8_t *state);
/* May the crash come now? */
bool mach_may_crash(const struct mach_observer *observer);
/* Everybody is done, and memory holds what was written last. */
bool mach_is_done(const struct mach_observer *observer);
/* The same, and the test's filter holds. */
bool mach_is_final(const struct mach_observer *observer);
/* An outcome_lookup; the context is the observer. A location has the value that survives a
 * crash, in a final state also when it is volatile. */
int64_t mach_look_up(const void *observer, const struct lit_atom *atom);

/* What no machine has, such as barriers of a part of a scope: the doubt why a test cannot be
 * explored under a model, OUTCOME_DOUBT_COUNT when it can. */
enum outcome_doubt mach_obstacle(const struct mach_test *test, const struct cat_model *model);

#endif
