/* mach_explore: all states that a machine reaches. Private to the machines.
 *
 * Breadth first, so that a state's first way is a shortest one. States are kept once each, in
 * the order they were found (mach_store.h). With test->future they are normal forms, of
 * which there are fewer (mach_reduce.h).
 *
 * Of steps that are independent one order is enough: where an actor's steps have been taken, it
 * sleeps in what others' independent steps lead to, as those states are reached with the steps
 * the other way round (sleep sets: Godefroid, 1996). All states are found, by fewer steps. An actor
 * sleeps in a state when it does so on every way there; when a way on which it does not comes after
 * the state was looked at, its steps are made up for.
 */
#ifndef CRASHLIT_MACH_EXPLORE_H
#define CRASHLIT_MACH_EXPLORE_H

#include "machine/mach.h"

struct mach_exploration;

/* Called for each state once, in their order, by whoever called mach_explore; false ends the
 * exploration. `final` when no step is enabled. */
typedef bool mach_visit(void *context, const uint8_t *state, uint64_t number, bool final);

/* What a state is good for, a bit each: to be visited; to be counted. */
enum mach_interest { MACH_VISIT = 1, MACH_COUNT = 2 };

/* Asked about each state once or more, by any of the threads, with that thread's context and copy
 * of the test, before it is visited; allocates nothing. Of the states that one context is asked
 * about in a row those that come later have higher numbers. A state may be visited all the same. */
typedef uint8_t mach_filter(void *context, struct mach_test *test, const uint8_t *state,
                            bool final);

struct mach_limits {
    uint64_t states; /* most to keep */
    struct clock_limit clock;
    bool paths;           /* keep how each state was reached, for mach_path; not with a reduction */
    bool every_step;      /* nobody sleeps; so it is with `paths`, and with a reduction */
    uint32_t threads;     /* at most TEAM_MOST; 0: one. What comes out is the same */
    mach_filter *filter;  /* NULL: all are visited */
    void *const *filters; /* its contexts, one a thread */
};

struct mach_exploration *mach_explore(struct mach_test *test, const struct mach_limits *limits,
                                      mach_visit *visit, void *context);
void mach_exploration_free(struct mach_exploration *exploration);

struct mach_totals {
    uint64_t states, steps;
    uint64_t looked_at, counted; /* states whose steps were taken; those with MACH_COUNT of them */
    uint64_t bytes, table_bytes; /* in use for all states, and for the hash tables beside them */
    /* TIMEOUT, LENGTH or STATES: why not all states were looked at, or not as they are.
     * OUTCOME_DOUBT_COUNT when no limit was met. */
    enum outcome_doubt doubt;
};

struct mach_totals mach_totals(const struct mach_exploration *exploration);
/* The steps of a shortest way from the first state to state `number`, in their order. Returns how
 * many there are; when `room` is less, none is written. The exploration has to have been made
 * with `paths`. In time of the way's length; may be called from a visit. */
uint32_t mach_path(const struct mach_exploration *exploration, uint64_t number,
                   struct mach_step *steps, uint32_t room);

#endif
