/* run_await: reading and writing that an interrupt ends. While signals are held (run_pool.h) none
 * ends a read or write that waits for somebody else, so here it is looked after them meanwhile.
 * Where none is held a signal ends the process, and this is the usual reading and writing.
 */
#ifndef CRASHLIT_RUN_AWAIT_H
#define CRASHLIT_RUN_AWAIT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

/* The most that may be written behind run_await_room: a pipe with room has it for that much. */
enum { RUN_AWAIT_PIECE = 4096 };

/* Waits until something can be written. False when an interrupt has come and nobody makes room: it
 * is not to be written. */
bool run_await_room(int file) __attribute__((warn_unused_result));
/* As source_open; what comes from a pipe or a terminal ends at an interrupt. */
FILE *run_await_open(struct arena *arena, const char *path, const char **why)
    __attribute__((warn_unused_result));
/* As open for writing; a pipe is waited for until somebody reads it. -1 with errno, EINTR at an
 * interrupt. */
int run_await_reader(const char *path) __attribute__((warn_unused_result));

#endif
