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

static bool is_called_off(const struct clock_limit *limit)
{
    return limit->call_off && atomic_load_explicit(&limit->call_off->called, memory_order_relaxed);
}

/* `left`: seconds, 0 when there is no limit of time. */
static bool is_used_up(struct clock_allowance *allowance, double left)
{
    if (allowance->left && (left == 0 || left > allowance->reserve))
        return false;
    if (!allowance->used_up)
        return true;
    void (*used_up)(void *context) = allowance->used_up;
    *allowance = (struct clock_allowance){.left = UINT64_MAX, .context = allowance->context};
    used_up(allowance->context);
    return false;
}

double clock_seconds_left(const struct clock_limit *limit)
{
    double left = 0;
    if (is_called_off(limit))
        return -1e-9;
    if (limit->seconds > 0) {
        left = limit->seconds - clock_seconds_since(&limit->start);
        left = left == 0 ? -1e-9 : left;
    }
    if (left >= 0 && limit->allowance && is_used_up(limit->allowance, left))
        return -1e-9;
    return left;
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
