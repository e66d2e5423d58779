/* run_worker: a worker process's own end of its line to the caller (run_pool.h).
 *
 * A task has parts. One at which a limit was met is lost: the task is done again without it.
 */
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
    bool tells;                 /* of parts; not needed where there are no limits */
    uint32_t part;              /* of the task at hand, from 1 */
    uint32_t choice;            /* a run of the task whose engine is chosen, from 1 */
    uint32_t threads;           /* that its work may use */
    uint32_t dear;              /* such a run that is dear; 0: none is known */
    const run_lost_parts *lost; /* of the task at hand */
};

/* What an answer begins with. */
struct run_worker_head {
    uint64_t length; /* of the bytes behind it */
    uint32_t task;   /* its number's lower half */
    uint32_t said;   /* bytes of standard error that nobody has read yet */
};

/* In the place of a head's length: there is no answer, but the number of the part that begins. */
#define RUN_WORKER_PART ((uint64_t)1 << 63)
/* As well, but the number of a run that is dear (session_case.h). */
#define RUN_WORKER_DEAR ((uint64_t)1 << 62)

/* Who is told that the next part of the task begins. Tasks are to have the same parts whenever they
 * are done. */
struct session_parts run_worker_parts(struct run_worker *worker);
enum session_loss run_worker_loss(const run_lost_parts *lost, uint32_t part);

bool run_worker_write(int file, const void *bytes, size_t length);
bool run_worker_read(int file, void *bytes, size_t length);

#endif
