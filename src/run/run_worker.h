/* run_worker: a worker process's end of its line to the caller (run_pool.h).
 *
 * A task has parts. A part that met a limit is lost: the task is done again without it. */
#ifndef CRASHLIT_RUN_WORKER_H
#define CRASHLIT_RUN_WORKER_H

#include "base/vec.h"
#include "session/session_case.h"

struct run_lost_part {
    uint32_t part;
    enum session_loss loss;
};

typedef VEC(struct run_lost_part) run_lost_parts;

struct run_worker {
    int line;
    size_t task;      /* the one at hand */
    int checker;      /* a line to the checker of certificates (run_checker.h); -1: none */
    bool tells;       /* it announces parts; not needed without limits */
    bool says;        /* parts of answers are taken ahead of the rest */
    uint32_t part;    /* number of the part in the task, from 1 */
    uint32_t choice;  /* number of the task's run whose engine is chosen, from 1 */
    uint32_t threads; /* that its work may use */
    uint32_t dear;    /* such a run known to be dear; 0: none */
    const run_lost_parts *lost; /* of the task at hand */
};

/* The head of an answer. */
struct run_worker_head {
    uint64_t length; /* of the bytes behind it */
    uint32_t task;   /* its number's lower half */
    uint32_t said;   /* bytes of standard error not read so far */
};

/* Instead of a head's length: no answer follows; the number is that of the part that begins. */
#define RUN_WORKER_PART ((uint64_t)1 << 63)
/* Likewise: the number is that of a run that is dear (session_case.h). */
#define RUN_WORKER_DEAR ((uint64_t)1 << 62)
/* With a head's length: what follows is a part of the answer (session_case.h), behind its name and a
 * zero byte. */
#define RUN_WORKER_SAYS ((uint64_t)1 << 61)

/* A watcher that announces each part. A task must have the same parts whenever it is done. */
struct session_parts run_worker_parts(struct run_worker *worker);
enum session_loss run_worker_loss(const run_lost_parts *lost, uint32_t part);

bool run_worker_write(int file, const void *bytes, size_t length);
bool run_worker_read(int file, void *bytes, size_t length);

#endif
