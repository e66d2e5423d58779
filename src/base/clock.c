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
    return (struct clock_limit){.start = clock_now_monotonic(), .seconds = seconds};
}

static bool is_over(const struct clock_limit *limit)
{
    return (limit->call_off &&
            atomic_load_explicit(&limit->call_off->called, memory_order_relaxed)) ||
           (limit->allowance && limit->allowance->left == 0);
}

double clock_seconds_left(const struct clock_limit *limit)
{
    if (is_over(limit))
        return -1e-9;
    if (limit->seconds <= 0)
        return 0;
    double left = limit->seconds - clock_seconds_since(&limit->start);
    return left == 0 ? -1e-9 : left;
}

struct clock_limit clock_limit_part(const struct clock_limit *limit, double part)
{
    double left = clock_seconds_left(limit);
    struct clock_limit some = *limit;
    if (left > 0) {
        some.start = clock_now_monotonic();
        some.seconds = left * part;
    }
    return some;
}

bool clock_is_late(const struct clock_limit *limit)
{
    return clock_seconds_left(limit) < 0;
}

void clock_call_off_init(struct clock_call_off *call_off)
{
    atomic_init(&call_off->called, false);
    pthread_mutex_init(&call_off->lock, NULL);
    call_off->interrupt = NULL;
}

void clock_call_off_fini(struct clock_call_off *call_off)
{
    pthread_mutex_destroy(&call_off->lock);
}

void clock_call_off(struct clock_call_off *call_off)
{
    pthread_mutex_lock(&call_off->lock);
    atomic_store(&call_off->called, true);
    if (call_off->interrupt)
        call_off->interrupt(call_off->context);
    pthread_mutex_unlock(&call_off->lock);
}

void clock_interrupt_by(struct clock_call_off *call_off, void (*interrupt)(void *context),
                        void *context)
{
    pthread_mutex_lock(&call_off->lock);
    call_off->interrupt = interrupt;
    call_off->context = context;
    if (interrupt && atomic_load(&call_off->called))
        interrupt(context);
    pthread_mutex_unlock(&call_off->lock);
}
