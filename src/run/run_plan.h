/* run_plan: the parameters of a run of many tests, and its exit statuses.
 *
 * Ownership: what it points to is the caller's, and outlives the run. */
#ifndef CRASHLIT_RUN_PLAN_H
#define CRASHLIT_RUN_PLAN_H

#include "run/run_cache.h"
#include "run/run_choice.h"
#include "session/session_settings.h"

/* Exit statuses; the largest that applies wins. BOTH: some verdict differs and some is unknown,
 * where a policy tells it from UNKNOWN alone; it has the rank of that. */
enum run_status {
    RUN_EXIT_OK = 0,
    RUN_EXIT_DIFFERS = 1,
    RUN_EXIT_INPUT = 2,
    RUN_EXIT_UNKNOWN = 3,
    RUN_EXIT_DISAGREE = 4,
    RUN_EXIT_BOTH = 5,
    RUN_EXIT_INTERNAL = 70
};

static inline void run_status_raise(enum run_status *status, enum run_status to)
{
    if (to > *status)
        *status = to;
}

/* What `unknown` verdicts come to: UNKNOWN, even where others differ; nothing; or UNKNOWN and, where
 * others differ, BOTH. */
enum run_unknown { RUN_UNKNOWN_HIDES, RUN_UNKNOWN_OK, RUN_UNKNOWN_FAILS };

/* What a run fails for. All zero: the usual. */
struct run_policy {
    enum run_unknown unknown;
    const char *known; /* a file of records: what fails there, too, fails nothing; NULL: none */
    bool fail_on_warnings, fail_on_vacuous;
    bool fail_on_wide; /* of warnings those of --warn-wide */
};

static inline bool run_policy_tells_both(const struct run_policy *policy)
{
    return policy->unknown != RUN_UNKNOWN_HIDES || policy->known;
}
static inline enum run_status run_policy_status(const struct run_policy *policy,
                                                enum run_status status, bool differs)
{
    return status == RUN_EXIT_UNKNOWN && differs && run_policy_tells_both(policy) ? RUN_EXIT_BOTH
                                                                                  : status;
}

/* What standard output has; RUN_DOCUMENT: one of the reports. */
enum run_format { RUN_TEXT, RUN_JSON, RUN_DOCUMENT };
enum { RUN_MAX_REPORTS = 6 };

/* `--format NAME=FILE`, or a document on standard output. */
struct run_report {
    const struct report_format *format;
    const char *path; /* NULL: standard output, for at most one */
    const char *name; /* the name of the format; `format` is NULL for a command's own format */
    bool certifies;   /* --certify: the path is a folder's, even without a '/' at its end */
};

/* FILE, DIR and @LIST arguments. */
struct run_arguments {
    const char *const *items;
    uint32_t count;
    uint32_t shard, shards;   /* which part of the tests, from 1, and of how many; shards 0: all */
    uint32_t memory_mib;      /* the limit for lists and names; 0: none set by a user */
    struct run_choice choice; /* before the tests are parted */
};

/* What standard output has besides the tests' answers. */
enum run_kind { RUN_ANSWERS, RUN_CROSSCHECKS, RUN_OTHER };

struct run_surroundings;
struct run_result;
/* Checks one file in a worker; `context` is the plan's. The result has been initialised. */
typedef void run_checker(const void *context, const struct run_surroundings *surroundings,
                         const char *path, struct run_result *result);

/* Called in the caller's process with what a worker has of a file, before it is printed. */
typedef void run_taker(void *context, const char *path, struct run_result *result);

struct run_plan {
    enum run_kind kind;
    const struct session_settings *settings;
    struct run_arguments inputs;
    enum run_format format;
    bool brief;     /* as text: a line for each test */
    bool sentences; /* as text, and not in herd's shape */
    bool several;   /* tests, or what may have several */
    bool quiet;     /* as text: only of tests for which the run fails, and a summary if it does */
    const struct run_report *reports;
    uint32_t report_count;
    uint32_t jobs;
    struct run_policy policy;
    bool in_order;      /* of records: the tests as they come there */
    const char *limits; /* a file (run_limits.h); NULL: none */
    const char *resume; /* records of an earlier run; NULL: none */
    const char *frozen; /* records that it is held to; NULL: none */
    struct run_cache cache;
    const char *version, *command_line; /* for reports; quoted for a shell */
    run_checker *check;
    const void *context; /* of `check` */
    run_taker *take;     /* NULL: nobody */
    void *taker;         /* its context */
};

#endif
