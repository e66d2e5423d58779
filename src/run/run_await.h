/* run_await: reading and writing that an interrupt ends. While signals are held (run_pool.h) they
 * end no blocking read or write, so these functions look for signals while they wait. Where none is
 * held, a signal ends the process, and these are ordinary reads and writes. */
#ifndef CRASHLIT_RUN_AWAIT_H
#define CRASHLIT_RUN_AWAIT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

/* The most to write after run_await_room: a pipe with room takes that much. */
enum { RUN_AWAIT_PIECE = 4096 };

/* Waits until something can be written. False: an interrupt came first; do not write. */
bool run_await_room(int file) __attribute__((warn_unused_result));
/* As source_open; reading from a pipe or a terminal ends at an interrupt. */
FILE *run_await_open(struct arena *arena, const char *path, const char **why)
    __attribute__((warn_unused_result));
/* Opens for writing; waits until somebody reads a pipe. -1 with errno, EINTR at an interrupt. */
int run_await_reader(const char *path) __attribute__((warn_unused_result));

#endif
