/* clock: monotonic time, processor time, and limits on time and on work. */
#ifndef CRASHLIT_CLOCK_H
#define CRASHLIT_CLOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct timespec clock_now_monotonic(void);
double clock_seconds_since(const struct timespec *then);
/* The processor time that this process has used, all of its threads together. */
double clock_cpu_seconds(void);
/* That of another process; 0 when there is none, or the system does not tell. */
double clock_cpu_seconds_of(pid_t process);

/* A deadline. Work that goes on after it is late. A zeroed limit is never reached. A limit is set
 * once for a whole question. Parts of the question copy it, so that none of them starts the time
 * anew. */
struct clock_limit {
    struct timespec start; /* `seconds` count from here */
    double seconds;        /* 0: no limit */
    double cpu_end;        /* likewise of clock_cpu_seconds: late from then on; 0: no limit */
    struct clock_call_off *call_off; /* work is late once this is called off; NULL: it cannot be */
    struct clock_allowance *allowance; /* work is late once this is used up; NULL: there is none */
};

/* Another thread calls work off that is no longer wanted. Code that looks at the clock notices it.
 * Code that spends long in a foreign library says how to interrupt the library. */
struct clock_call_off {
    atomic_bool called;
    pthread_mutex_t lock; /* guards the members below */
    void (*interrupt)(void *context);
    void *context;
};

void clock_call_off_init(struct clock_call_off *call_off);
void clock_call_off_fini(struct clock_call_off *call_off);
/* May be called more than once. */
void clock_call_off(struct clock_call_off *call_off);
/* From now on calling off also calls `interrupt`, in the thread that calls off; at once, if it was
 * called off already. NULL: nothing is called any more, and no such call is still running when this
 * returns. */
void clock_interrupt_by(struct clock_call_off *call_off, void (*interrupt)(void *context),
                        void *context);

/* A number of steps that work may take. Unlike seconds, steps are the same on every machine and in
 * every run. One thread uses it. */
struct clock_allowance {
    uint64_t left;
    uint32_t least_times; /* the engine adds this multiple of the least steps that the question can
                             take, once, and sets 0 here */
    double reserve;       /* the allowance is used up, too, when the limit has fewer seconds left */
    void (*used_up)(void *context); /* called once when the allowance is used up, in its thread, by
                                       the code that looks at the clock; work then goes on without
                                       an allowance, unless the function sets a new one; or NULL */
    void *context;
};

static inline void clock_spend(const struct clock_limit *limit, uint64_t steps)
{
    struct clock_allowance *allowance = limit->allowance;
    if (allowance)
        allowance->left = allowance->left > steps ? allowance->left - steps : 0;
}

/* A limit that begins now. 0 seconds: no limit. */
struct clock_limit clock_limit_in(double seconds);
/* The same with a limit of processor time as well. Work is late past either. */
struct clock_limit clock_limit_of(double seconds, double cpu_seconds);
/* A limit at a part (0 to 1) of the time that is left. Calling off the whole calls off the part. */
struct clock_limit clock_limit_part(const struct clock_limit *limit, double part);
/* The first limit, and no later than the second: of each time what is less is left. */
struct clock_limit clock_limit_within(const struct clock_limit *limit,
                                      const struct clock_limit *whole);
bool clock_is_limited(const struct clock_limit *limit);
bool clock_is_late(const struct clock_limit *limit);
/* The seconds that are left, above 0; 0 when they have no limit; below 0 when it is late, be it
 * that its processor time is used up. */
double clock_seconds_left(const struct clock_limit *limit);
/* Likewise of processor time alone. */
double clock_cpu_left(const struct clock_limit *limit);

#endif
