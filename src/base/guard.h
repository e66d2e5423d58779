/* guard: calls that fail instead of ending the process.
 *
 * Allocation and internal checks never return a failure (base/arena.h): they call base_die. Around
 * a call made under a guard base_die comes back to the guard with its message, and whatever the
 * call allocated can be given back as a whole. Without a guard the process ends with status 70.
 *
 * Not for faults of the user's input: these are diagnostics.
 *
 * Ownership: memory allocated under a guard belongs to the guard's pool until it is freed one by
 * one, by base_free, or with the pool. A pool lives as long as its owner says, over many guarded
 * calls, and is used by one thread at a time.
 * Threads: a guard is its thread's own; the current one is the only state that is kept outside of
 * structures, as base_die has no argument to find it by. Threads that a guarded call starts have
 * none, unless they make one, with a pool of their own. What the process's own status is for
 * exhausted memory is kept likewise, for all threads.
 * Errors: after a failure no structure in the pool may be used any more: base_pool_free is what is
 * left to do.
 * Cost: a list of the pool's pieces, two words written for each that comes or goes.
 */
#ifndef CRASHLIT_GUARD_H
#define CRASHLIT_GUARD_H

#include "base/arena.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

struct base_piece;

/* Everything allocated under a guard and not freed yet. A zeroed pool is empty, without limit. */
struct base_pool {
    struct base_piece *pieces;
    size_t bytes, limit; /* limit 0: none; past it allocation fails as on an exhausted heap */
};

void base_pool_free(struct base_pool *pool);
/* What the pool holds goes over to another, or to none (NULL), whatever the limit of that is. */
void base_pool_give(struct base_pool *pool, struct base_pool *to);
/* That of the guard that is in force; NULL: none. */
struct base_pool *base_pool_current(void);

/* Something that is no memory of ours (a file, a solver), given back when a guarded call fails. It
 * is registered where it is made and taken off where it is given back, the last one first. */
struct base_cleanup {
    void (*function)(void *context);
    void *context;
    struct base_cleanup *next;
};

/* Without a guard both do nothing. */
void base_cleanup_add(struct base_cleanup *cleanup, void (*function)(void *), void *context);
void base_cleanup_remove(struct base_cleanup *cleanup);

struct base_guard {
    struct base_pool *pool;
    struct base_guard *outer;
    struct base_cleanup *cleanups;
    jmp_buf place;
    enum base_failure failure;
    char message[300]; /* of the failure, cut off when it is longer; "" without */
};

/* Calls `function` under the guard, whose `pool` the caller has set; false when it failed.
 * Cleanups have been run then; the pool is as the failure left it. */
bool base_guard_call(struct base_guard *guard, void (*function)(void *context), void *context)
    __attribute__((warn_unused_result));

/* From now on the process ends with this status instead of 70 when memory is exhausted outside of
 * guards, in whichever thread: a worker's caller reads it. Set before there are threads. */
void base_set_memory_status(int status);
/* That status; 0: none is set. */
int base_memory_status(void);

#endif
