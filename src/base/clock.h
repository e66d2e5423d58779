/* clock: time that passes, whatever the wall clock is set to, and limits on it. */
#ifndef CRASHLIT_CLOCK_H
#define CRASHLIT_CLOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct timespec clock_now_monotonic(void);
double clock_seconds_since(const struct timespec *then);

/* A moment: what is still at work then is late. A zeroed one never comes. It is set once for a
 * whole question and copied into all that the question asks on the way, so that no part of it
 * begins to count anew. */
struct clock_limit {
    struct timespec start;             /* since when `seconds` count */
    double seconds;                    /* 0: no limit */
    struct clock_call_off *call_off;   /* once it is called off it is late; NULL: nobody may */
    struct clock_allowance *allowance; /* once it is used up it is late; NULL: none */
};

/* Work that is no longer wanted is called off by another thread. Who looks at the clock notices;
 * who is in somebody else's code for long says how that is interrupted. */
struct clock_call_off {
    atomic_bool called;
    pthread_mutex_t lock; /* of the rest */
    void (*interrupt)(void *context);
    void *context;
};

void clock_call_off_init(struct clock_call_off *call_off);
void clock_call_off_fini(struct clock_call_off *call_off);
/* May come more than once. */
void clock_call_off(struct clock_call_off *call_off);
/* From now on, and at once where it was called off already, `interrupt` is what calling off does as
 * well, in the thread of who calls; NULL: nothing, and no such call is under way any more. */
void clock_interrupt_by(struct clock_call_off *call_off, void (*interrupt)(void *context),
                        void *context);

/* Steps of work, the same on every machine and in every run, unlike seconds. Of one thread. */
struct clock_allowance {
    uint64_t left;
    uint32_t least_times; /* so many times the least that the question can take are allowed in any
                             case; who knows that adds it, once, and leaves 0 here */
    double reserve;       /* it is used up as well when so many seconds are left of a limit */
    void (*used_up)(void *context); /* NULL, or called once it is, in its thread, by who looks at
                                       the clock: work goes on then, without an allowance but for
                                       what is set anew */
    void *context;
};

static inline void clock_spend(const struct clock_limit *limit, uint64_t steps)
{
    struct clock_allowance *allowance = limit->allowance;
    if (allowance)
        allowance->left = allowance->left > steps ? allowance->left - steps : 0;
}

/* From now on; never for 0 seconds. */
struct clock_limit clock_limit_in(double seconds);
/* A part (0 to 1) of the time that is left; called off with the whole. */
struct clock_limit clock_limit_part(const struct clock_limit *limit, double part);
bool clock_is_late(const struct clock_limit *limit);
/* Above 0 unless it is late; 0 when there is no limit of time; below 0 when it is late. */
double clock_seconds_left(const struct clock_limit *limit);

#endif
