/* run_line: a worker process as the caller of a pool sees it (run_pool.h).
 *
 * A line is a socket pair: the caller sends numbers of tasks, the worker answers in their order,
 * each with a head (run_worker.h) and that many bytes. A number of PART begins that part, and one
 * of DEAR names a run, which a worker knows of that does the task again. Standard error is a second
 * line, and a head says how much of it is of its task: a worker begins the next one when that is
 * heard.
 *
 * Ownership: a line owns its process, its files and texts. All zero it has no worker.
 */
#ifndef CRASHLIT_RUN_LINE_H
#define CRASHLIT_RUN_LINE_H

#include "run/run_pool.h"

#include <sys/types.h>
#include <time.h>

/* Of tasks that a worker has; of bytes of its words that are kept. Tests of strangers are what it
 * reads. */
enum { RUN_LINE_TASKS = 8, RUN_LINE_SAID = 4 << 20 };

/* With these a worker leaves whose task needs the solver, which it cannot load, and one that has no
 * more memory. The loader of libraries ends a process with the third. A worker's libraries are
 * there and bound when it begins, so that what the loader can lack is memory of a new thread. */
enum { RUN_LINE_WANTS_SOLVER = 71, RUN_LINE_FULL = 72, RUN_LINE_LOADER_FAILED = 127 };

struct run_line {
    pid_t process; /* 0: none */
    int line, errors;
    size_t tasks[RUN_LINE_TASKS]; /* that it has: the one at hand, and those ahead */
    uint32_t count;
    uint32_t part;       /* of the task at hand, the last that it told of; 0: none */
    uint32_t dear;       /* likewise the run that it told of last; 0: none */
    bool used;           /* it did other tasks before */
    bool ended;          /* no more tasks come: run_line_end */
    bool has_solver;     /* it knows of the caller's attempt to load it */
    run_lost_parts lost; /* of the task at hand; a worker knows what there was when it began */
    struct strbuf in, said;
    struct timespec heard;
};

/* Starts a worker; one that has no solver says when it wants it. False, and the line is as it was,
 * when there is no room for one more: errno says why. */
bool run_line_start(struct run_line *line, const struct run_pool *pool, bool has_solver)
    __attribute__((warn_unused_result));
/* Sends the last `count` of its tasks. */
void run_line_send(struct run_line *line, uint32_t count);
/* No more tasks will come: the worker, if there is one, leaves when it has done those it has. */
void run_line_end(struct run_line *line);

/* Takes what the worker has sent; false when it is gone. */
bool run_line_hear(struct run_line *line) __attribute__((warn_unused_result));
/* The same for up to `most` bytes of what it said. */
void run_line_hear_errors(struct run_line *line, size_t most);

/* The same when it says so much that it may wait for somebody to hear it. */
void run_line_make_room(struct run_line *line);

enum run_line_news {
    RUN_LINE_NOTHING, /* more: what there is is no whole message */
    RUN_LINE_ANSWER,  /* to the task at hand: `answer`, valid until anything else is asked here */
    RUN_LINE_FAULT,   /* what no worker sends */
};

/* What it sent next, in order; parts and runs are noted in passing. `*at` begins at 0 and is handed
 * to run_line_forget at the end. */
enum run_line_news run_line_read(struct run_line *line, size_t *at, const char **answer,
                                 size_t *length);
void run_line_forget(struct run_line *line, size_t at);
/* The task at hand is done with: the next one is. */
void run_line_next(struct run_line *line);

/* Waits for the end of the worker, which leaves when its line is shut, or is stopped after a while;
 * its status. What it said last is heard. */
int run_line_await_end(struct run_line *line);
/* Of one that has ended: its tasks and what was lost of the one at hand stay. */
void run_line_drop(struct run_line *line);

#endif
