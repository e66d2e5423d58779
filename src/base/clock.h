/* clock: time that passes, whatever the wall clock is set to, and limits on it. */
#ifndef CRASHLIT_CLOCK_H
#define CRASHLIT_CLOCK_H

#include <stdbool.h>
#include <time.h>

struct timespec clock_now_monotonic(void);
double clock_seconds_since(const struct timespec *then);

/* A moment: what is still at work then is late. A zeroed one never comes. It is set once for a
 * whole question and copied into all that the question asks on the way, so that no part of it
 * begins to count anew. */
struct clock_limit {
    struct timespec start; /* since when `seconds` count */
    double seconds;        /* 0: no limit */
};

/* From now on; never for 0 seconds. */
struct clock_limit clock_limit_in(double seconds);
/* A part (0 to 1) of the time that is left. */
struct clock_limit clock_limit_part(const struct clock_limit *limit, double part);
bool clock_is_late(const struct clock_limit *limit);
/* Above 0 unless it is late; 0 when there is no limit; below 0 when it is late. */
double clock_seconds_left(const struct clock_limit *limit);

#endif
