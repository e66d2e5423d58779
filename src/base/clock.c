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
