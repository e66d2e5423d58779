/* mach_explore: explicit-state exploration of all states that a machine reaches. Private to the
 * machines.
 *
 * It is breadth first, so a state's first way is a shortest one. Each state is kept once, in the
 * order of discovery (mach_store.h). With test->future states are normal forms, of which there are
 * fewer (mach_reduce.h).
 *
 * Partial-order reduction by sleep sets (Godefroid, 1996): one order of independent steps is
 * enough. Once an actor's steps have been taken in a state, it sleeps in successors by others'
 * independent steps, as the other order reaches the same states. All states are found, by fewer
 * steps. An actor sleeps in a state if it sleeps on every way there. If a way on which it is awake
 * comes after the state was looked at, its steps are made up for. */
#ifndef CRASHLIT_MACH_EXPLORE_H
#define CRASHLIT_MACH_EXPLORE_H

#include "machine/mach.h"

struct mach_exploration;

/* Called for each state once, in their order, by the thread that called mach_explore; false ends
 * the exploration. `final`: no step is enabled. */
typedef bool mach_visit(void *context, const uint8_t *state, uint64_t number, bool final);

/* The uses of a state, a bit each: to be visited, to be counted. */
enum mach_interest { MACH_VISIT = 1, MACH_COUNT = 2 };

/* Asked about each state at least once before it is visited, by any thread, with that thread's
 * context and copy of the test. It allocates nothing. The states that one context is asked about in
 * a row have ascending numbers. A state may be visited whatever the answer. */
typedef uint8_t mach_filter(void *context, struct mach_test *test, const uint8_t *state,
                            bool final);

struct mach_limits {
    uint64_t states; /* most to keep */
    struct clock_limit clock;
    bool paths;           /* keep how each state was reached, for mach_path; not allowed with a
                             reduction */
    bool every_step;      /* no sleep sets; implied by `paths` and by a reduction */
    uint32_t threads;     /* at most TEAM_MOST; 0: one. Results do not depend on it */
    mach_filter *filter;  /* NULL: all states are visited */
    void *const *filters; /* its contexts, one a thread */
};

struct mach_exploration *mach_explore(struct mach_test *test, const struct mach_limits *limits,
                                      mach_visit *visit, void *context);
void mach_exploration_free(struct mach_exploration *exploration);

struct mach_totals {
    uint64_t states, steps;
    uint64_t looked_at, counted; /* states whose steps were taken; those of them with MACH_COUNT */
    uint64_t bytes, table_bytes; /* in use for all states, and for their hash tables */
    /* TIMEOUT, LENGTH or STATES: why not all states were looked at, or not as they are.
     * OUTCOME_DOUBT_COUNT: no limit was met. */
    enum outcome_doubt doubt;
};

struct mach_totals mach_totals(const struct mach_exploration *exploration);
/* The steps of a shortest way from the first state to state `number`, in order. Returns how many
 * there are; writes none when there are more than `room`. The exploration must have `paths`. Costs
 * time in the way's length; may be called from a visit. */
uint32_t mach_path(const struct mach_exploration *exploration, uint64_t number,
                   struct mach_step *steps, uint32_t room);

#endif
