/* run_pool: runs tasks in worker processes, so that no task harms another.
 *
 * A worker is forked, does one task after the other, and sends each answer back as bytes. Answers
 * are taken in the order of the tasks, whichever finished first. A worker that dies costs only its
 * own task: another takes its place.
 *
 * A task has parts, which its worker announces (run_worker.h). When a part takes too long, or the
 * worker runs out of memory, the worker is ended. A fresh one does the task again and is told that
 * this part is lost, so it skips the part. So one part is lost, and the task is still answered.
 *
 * A worker can open no library. One whose task needs the solver says so and leaves. The caller,
 * which never looks at a test, loads it; a fresh worker inherits it and does the task again.
 *
 * What a worker writes to standard error, such as its last words, comes back with the answer.
 * SIGINT, SIGTERM, SIGHUP and SIGQUIT stop everything; the answers present by then are taken. A
 * worker whose caller is gone ends at once.
 *
 * Not for tasks that need each other's results in memory: workers share only what existed when the
 * pool began. */
#ifndef CRASHLIT_RUN_POOL_H
#define CRASHLIT_RUN_POOL_H

#include "base/strbuf.h"
#include "run/run_checker.h"
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
    const char *errors; /* its standard error; "" for FULL */
    const char *reason; /* DIED, LATE, FULL: in words */
};

/* Does a task in a worker, and appends the answer. */
typedef void run_pool_work(void *context, size_t task, struct strbuf *answer,
                           struct run_worker *worker);
/* Takes an answer in the caller's process; it is valid during the call. */
typedef void run_pool_take(void *context, size_t task, const struct run_pool_answer *answer);
/* Takes a part of the answer to the task whose turn it is, in the caller's process, ahead of it. At
 * an interrupt it also takes what was known so far of each task that has no answer: the last that it
 * said without a name (session_case.h). */
typedef void run_pool_hear(void *context, size_t task, const char *bytes, size_t length);
/* Called after each answer has come, and about five times a second. */
typedef void run_pool_watch(void *context, size_t done);

struct run_pool {
    uint32_t workers;                  /* at least 1 */
    double part_seconds;               /* a part that takes longer is stopped; 0: no limit */
    double part_cpu_seconds;           /* likewise, of its worker's processor time */
    uint32_t memory_mib;               /* the limit of a worker; 0: none */
    const struct run_sandbox *sandbox; /* what a worker may read; NULL: everything */
    const struct run_checker *checker; /* of certificates, for each worker one; NULL: none */
    bool solver;                       /* tasks surely need it: it is loaded before workers begin */
    run_pool_work *work;
    run_pool_take *take;
    run_pool_hear *hear;   /* NULL: answers come whole */
    run_pool_watch *watch; /* may be NULL */
    void *context;
};

/* Does all tasks. Returns the signal's number if interrupted, else 0. The four signals are blocked
 * meanwhile, unless they are ignored, so one that was blocked and has come before counts. After an
 * interrupt they stay blocked, and it pending: further output must not wait for anybody
 * (run_await.h), and the process leaves by itself. */
int run_pool_run(const struct run_pool *pool, size_t tasks);

/* Blocks the four signals until the caller restores the mask `old`. */
void run_pool_hold_signals(sigset_t *old);
/* Has one of them come meanwhile? Then the next run of a pool ends at once. */
bool run_pool_is_interrupted(void);
/* Takes one that has come while they were blocked, so that a pool can tell what is known; a further
 * one ends that. Returns its number; 0: none has come. */
int run_pool_put_off(void);
/* Gives it back, before anything is printed. Nothing for 0. */
void run_pool_put_back(int number);

#endif
