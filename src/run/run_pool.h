/* run_pool: tasks done by worker processes, so that none harms another.
 *
 * A worker is forked, does one task after the other, and sends each answer back as bytes. The
 * answers are taken in the order of the tasks, whoever finished first. A worker that dies costs its
 * own task only: another takes its place.
 *
 * A task has parts, of which its worker tells (run_worker.h). When a part takes too long, or the
 * worker has no more memory, the worker is ended and a fresh one does the task again, and there
 * the worker says what became of that part: it is not to be begun. So one part is lost, and
 * the task is answered all the same.
 *
 * A worker can open no library. One whose task comes to need the solver leaves and says so; the
 * caller, which never looks at a test, loads it, and a fresh worker, which has what the caller has,
 * does the task again.
 *
 * What a worker writes to standard error, such as its last words, comes back with the answer.
 * SIGINT, SIGTERM, SIGHUP and SIGQUIT stop everything; the answers that are there by then are
 * taken. A worker whose caller is gone ends at once.
 *
 * Not for tasks that need what others left in memory: workers share nothing but what was there
 * when the pool began.
 */
#ifndef CRASHLIT_RUN_POOL_H
#define CRASHLIT_RUN_POOL_H

#include "base/strbuf.h"
#include "run/run_sandbox.h"
#include "run/run_worker.h"

#include <signal.h>

/* How a task ended: X(identifier). DIED: the worker is gone; LATE: it was stopped; FULL: it had no
 * more memory. */
#define RUN_POOL_ENDS(X) X(ANSWERED) X(DIED) X(LATE) X(FULL)

enum run_pool_end {
#define X(identifier) RUN_POOL_##identifier,
    RUN_POOL_ENDS(X)
#undef X
};

struct run_pool_answer {
    enum run_pool_end end;
    const char *bytes; /* ANSWERED */
    size_t length;
    const char *errors; /* what it wrote to standard error; of FULL "" */
    const char *reason; /* DIED, LATE, FULL: in words */
};

/* Does a task, in a worker; the answer is appended. */
typedef void run_pool_work(void *context, size_t task, struct strbuf *answer,
                           struct run_worker *worker);
/* Takes an answer, in the caller's process; valid during the call. */
typedef void run_pool_take(void *context, size_t task, const struct run_pool_answer *answer);
/* Called after each answer has come, and about five times a second. */
typedef void run_pool_watch(void *context, size_t done);

struct run_pool {
    uint32_t workers;                  /* at least 1 */
    double part_seconds;               /* a part that takes longer is stopped; 0: never */
    uint32_t memory_mib;               /* what a worker may take; 0: no limit */
    const struct run_sandbox *sandbox; /* what a worker may read; NULL: everything */
    bool solver;                       /* tasks surely ask it: it is loaded before workers begin */
    run_pool_work *work;
    run_pool_take *take;
    run_pool_watch *watch; /* may be NULL */
    void *context;
};

/* Does all tasks; the signal's number when it was interrupted, else 0. The four signals are blocked
 * meanwhile, unless they are ignored, so that one that was blocked and has come before counts.
 * After an interrupt they stay blocked, and it pending: what is said then may not wait for anybody
 * (run_await.h), and the process leaves by itself. */
int run_pool_run(const struct run_pool *pool, size_t tasks);

/* Blocks the four until the mask in `old` is set again. */
void run_pool_hold_signals(sigset_t *old);
/* Has one of them come meanwhile? The next run of a pool will end at once. */
bool run_pool_is_interrupted(void);

#endif
