/* clock: time that passes, whatever the wall clock is set to. */
#ifndef CRASHLIT_CLOCK_H
#define CRASHLIT_CLOCK_H

#include <time.h>

struct timespec clock_now_monotonic(void);
double clock_seconds_since(const struct timespec *then);

#endif
