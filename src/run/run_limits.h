/* run_limits: limits of time for some of a run's tests (`--limits FILE`), by patterns of their paths
 * and tags.
 *
 *     # what is slow, and why
 *     timeout-cpu 600 spb/large-*
 *     timeout 2 generated
 *
 * The last line that matches a path counts, for each kind of limit by itself. */
#ifndef CRASHLIT_RUN_LIMITS_H
#define CRASHLIT_RUN_LIMITS_H

#include "base/diag.h"
#include "base/vec.h"
#include "run/run_choice.h"
#include "session/session_settings.h"

struct run_limit {
    const char *pattern;
    bool cpu;
    double seconds;
};

/* Owns its texts; all zero there are no limits. */
struct run_limits {
    struct arena arena;
    VEC(struct run_limit) items;
};

/* False after faults. */
bool run_limits_read(struct run_limits *limits, const char *path, struct diag *diag)
    __attribute__((warn_unused_result));
void run_limits_fini(struct run_limits *limits);
/* The settings of a test. */
void run_limits_apply(const struct run_limits *limits, const char *path,
                      struct session_settings *settings);
/* Warns of lines that none of the tests has the pattern of. */
void run_limits_warn(const struct run_limits *limits, const struct run_named *named,
                     struct diag *diag);
/* Settings with the largest limits that some test has; no limit where some test has none. */
void run_limits_widen(const struct run_limits *limits, struct session_settings *settings);

#endif
