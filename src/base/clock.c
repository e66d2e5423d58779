#include "base/clock.h"

struct timespec clock_now_monotonic(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now;
}

double clock_seconds_since(const struct timespec *then)
{
    struct timespec now = clock_now_monotonic();
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

struct clock_limit clock_limit_in(double seconds)
{
    return (struct clock_limit){clock_now_monotonic(), seconds};
}

double clock_seconds_left(const struct clock_limit *limit)
{
    if (limit->seconds <= 0)
        return 0;
    double left = limit->seconds - clock_seconds_since(&limit->start);
    return left == 0 ? -1e-9 : left;
}

struct clock_limit clock_limit_part(const struct clock_limit *limit, double part)
{
    double left = clock_seconds_left(limit);
    return left > 0 ? clock_limit_in(left * part) : *limit;
}

bool clock_is_late(const struct clock_limit *limit)
{
    return clock_seconds_left(limit) < 0;
}
