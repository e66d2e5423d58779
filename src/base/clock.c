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

static double seconds_of(const struct timespec *time)
{
    return (double)time->tv_sec + 1e-9 * (double)time->tv_nsec;
}

/* Where a process has no such clock it has no others beside it, as in a browser. */
double clock_cpu_seconds(void)
{
    struct timespec used;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0)
        used = clock_now_monotonic();
    return seconds_of(&used);
}

double clock_cpu_seconds_of(pid_t process)
{
    clockid_t clock;
    struct timespec used;
    bool told = clock_getcpuclockid(process, &clock) == 0 && clock_gettime(clock, &used) == 0;
    return told ? seconds_of(&used) : 0;
}

struct clock_limit clock_limit_of(double seconds, double cpu_seconds)
{
    return (struct clock_limit){.start = clock_now_monotonic(),
                                .seconds = seconds,
                                .cpu_end = cpu_seconds > 0 ? clock_cpu_seconds() + cpu_seconds : 0};
}

struct clock_limit clock_limit_in(double seconds)
{
    return clock_limit_of(seconds, 0);
}

bool clock_is_limited(const struct clock_limit *limit)
{
    return limit->seconds > 0 || limit->cpu_end > 0;
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

double clock_cpu_left(const struct clock_limit *limit)
{
    if (!(limit->cpu_end > 0))
        return 0;
    double left = limit->cpu_end - clock_cpu_seconds();
    return left == 0 ? -1e-9 : left;
}

double clock_seconds_left(const struct clock_limit *limit)
{
    double left = 0;
    if (is_called_off(limit) || clock_cpu_left(limit) < 0)
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
    double left = clock_seconds_left(limit), cpu_left = clock_cpu_left(limit);
    struct clock_limit some = *limit;
    if (left > 0) {
        some.start = clock_now_monotonic();
        some.seconds = left * part;
    }
    if (cpu_left > 0)
        some.cpu_end = limit->cpu_end - cpu_left * (1 - part);
    return some;
}

static double seconds_to_end(const struct clock_limit *limit)
{
    return limit->seconds - clock_seconds_since(&limit->start);
}

struct clock_limit clock_limit_within(const struct clock_limit *limit,
                                      const struct clock_limit *whole)
{
    struct clock_limit both = *limit;
    if (whole->seconds > 0 &&
        (limit->seconds == 0 || seconds_to_end(whole) < seconds_to_end(limit))) {
        both.start = whole->start;
        both.seconds = whole->seconds;
    }
    if (whole->cpu_end > 0 && (limit->cpu_end == 0 || whole->cpu_end < limit->cpu_end))
        both.cpu_end = whole->cpu_end;
    return both;
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
