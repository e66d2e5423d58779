/* run_line: a worker process, seen from the caller of a pool (run_pool.h).
 *
 * A line is a socket pair. The caller sends numbers of tasks. The worker answers in their order,
 * each time with a head (run_worker.h) and that many bytes. A PART number announces a part. A DEAR
 * number names a dear run; a worker that does the task again is told of it. A part of the answer may
 * come ahead of it, with a name by which it is known when the task is done again. What comes without
 * a name is what is known so far, and takes the place of the last such. Standard error is a
 * second line; a head says how many of its bytes belong to the task. A worker begins the next task
 * once they have been read.
 *
 * Ownership: a line owns its process, its files and texts. All zero: it has no worker. */
#ifndef CRASHLIT_RUN_LINE_H
#define CRASHLIT_RUN_LINE_H

#include "run/run_pool.h"

#include <sys/types.h>
#include <time.h>

/* The most tasks of a worker, the most bytes kept of its standard error, and the most parts of an
 * answer. Workers read strangers' tests. */
enum { RUN_LINE_TASKS = 8, RUN_LINE_SAID = 4 << 20, RUN_LINE_PARTS = 1 << 20 };

/* Exit statuses of workers: the task needs the solver, which the worker cannot load; it is out of
 * memory; the loader of libraries failed. A worker's libraries are loaded and bound when it begins,
 * so the loader can fail only for lack of memory for a new thread. */
enum { RUN_LINE_WANTS_SOLVER = 71, RUN_LINE_FULL = 72, RUN_LINE_LOADER_FAILED = 127 };

struct run_line {
    pid_t process; /* 0: none */
    int line, errors;
    size_t tasks[RUN_LINE_TASKS]; /* the present one, and those ahead */
    uint32_t count;
    uint32_t part;        /* the part of the present task that it last announced; 0: none */
    uint32_t dear;        /* the dear run that it last announced, likewise */
    bool used;            /* it has done other tasks */
    bool ended;           /* no more tasks come: run_line_end */
    bool has_solver;      /* it knows that the caller has tried to load it */
    run_lost_parts lost;  /* for the present task; a worker knows those from before its start */
    VEC(char *) heard_of; /* the names of parts of its answer that have come */
    size_t told_before;   /* how many of these, the first ones, an earlier worker has told */
    struct strbuf ahead;  /* the parts themselves, as long as others have their turn */
    struct strbuf so_far; /* the last of its words that have no name */
    struct strbuf in, said;
    struct timespec heard;
    struct timespec measured; /* the `heard` for which `cpu_then` was measured */
    double cpu_then;          /* the worker's processor time a moment after that */
};

/* Starts a worker; without the solver it will say when it needs that. False, with errno and the
 * line unchanged, when there is no room for one more. */
bool run_line_start(struct run_line *line, const struct run_pool *pool, bool has_solver)
    __attribute__((warn_unused_result));
/* Sends the last `count` of its tasks. */
void run_line_send(struct run_line *line, uint32_t count);
/* Announces that no more tasks come: the worker, if any, leaves after those it has. */
void run_line_end(struct run_line *line);

/* Reads what the worker has sent; false when it is gone. */
bool run_line_hear(struct run_line *line) __attribute__((warn_unused_result));

/* Reads its standard error if that is so full that the worker may block. */
void run_line_make_room(struct run_line *line);

enum run_line_news {
    RUN_LINE_NOTHING, /* no whole message is there */
    RUN_LINE_ANSWER,  /* to the present task: `answer`, valid until the next call for this line */
    RUN_LINE_PART,    /* likewise: a part of it that comes ahead, for the first time */
    RUN_LINE_FAULT,   /* nothing that a worker sends */
};

/* The next message, in order; notes parts and runs in passing. `*at` begins at 0; pass it to
 * run_line_forget at the end. */
enum run_line_news run_line_read(struct run_line *line, size_t *at, const char **answer,
                                 size_t *length);
void run_line_forget(struct run_line *line, size_t at);
/* Goes on to the next task. */
void run_line_next(struct run_line *line);
/* Frees what is kept of the present task, with the worker gone. */
void run_line_fini(struct run_line *line);

/* Waits for the end of the worker and returns its status. The worker leaves when its line is shut,
 * or is stopped after a while. Its last words are read. */
int run_line_await_end(struct run_line *line);
/* Clears the line of an ended worker, except its tasks, and of the present one the lost parts and
 * what has come ahead. */
void run_line_drop(struct run_line *line);

#endif
