/* cli_pool: tasks done by worker processes, so that none harms another.
 *
 * A worker is forked, does one task after the other, and sends each answer back as bytes. The
 * answers are taken in the order of the tasks, whoever finished first. A worker that dies, or is
 * silent for too long and is then stopped, costs its own task only: another takes its place.
 *
 * What a worker writes to standard error, such as its last words, comes back with the answer. SIGINT
 * stops everything; the answers that are there by then are taken.
 *
 * Not for tasks that need what others left in memory: workers share nothing but what was there
 * when the pool began.
 */
#ifndef CRASHLIT_CLI_POOL_H
#define CRASHLIT_CLI_POOL_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a task ended: X(identifier). DIED: the worker is gone; SILENT: it was stopped. */
#define CLI_POOL_ENDS(X) X(ANSWERED) X(DIED) X(SILENT)

enum cli_pool_end {
#define X(identifier) CLI_POOL_##identifier,
    CLI_POOL_ENDS(X)
#undef X
};

struct cli_pool_answer {
    enum cli_pool_end end;
    const char *bytes; /* ANSWERED */
    size_t length;
    const char *errors; /* what it wrote to standard error */
    const char *reason; /* DIED, SILENT: in words */
};

struct cli_pool_worker; /* the worker's own end of the line */

/* Does a task, in a worker; the answer is appended. */
typedef void cli_pool_work(void *context, size_t task, struct strbuf *answer,
                           struct cli_pool_worker *worker);
/* Takes an answer, in the caller's process; valid during the call. */
typedef void cli_pool_take(void *context, size_t task, const struct cli_pool_answer *answer);
/* Called after each answer has come, and about five times a second. */
typedef void cli_pool_watch(void *context, size_t done);

struct cli_pool {
    uint32_t workers;      /* at least 1 */
    double silent_seconds; /* a worker that says nothing for longer is stopped; 0: never */
    uint32_t memory_mib;   /* address space of a worker; 0: no limit */
    cli_pool_work *work;
    cli_pool_take *take;
    cli_pool_watch *watch; /* may be NULL */
    void *context;
};

/* A worker tells that it is alive, to be called at each part of a task. */
void cli_pool_alive(struct cli_pool_worker *worker);

/* Does all tasks; false when it was interrupted. SIGINT is blocked meanwhile. */
bool cli_pool_run(const struct cli_pool *pool, size_t tasks);

#endif
