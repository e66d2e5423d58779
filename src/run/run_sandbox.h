/* run_sandbox: a process that can compute, and read, and nothing else.
 *
 * Two guards of Linux, each used where the kernel has it. seccomp lets through the calls of the
 * list in tools/sandbox_filter.c alone: no file is made or opened for writing, no process is
 * started, none but this one gets a signal, there are no sockets, and no memory becomes code.
 * Landlock lets files be read in folders that were named before, and nowhere else.
 *
 * What is not let through fails (EPERM, EACCES) and does not end the process: that the call is not
 * made is what is promised, and a newer C library that tries something more is to find its way
 * without it.
 *
 * For a process of one thread; its later threads are held as well. There is no way out. Never for a
 * process that is not ours: the library does not come here.
 */
#ifndef CRASHLIT_RUN_SANDBOX_H
#define CRASHLIT_RUN_SANDBOX_H

#include "base/strbuf.h"

/* What may be read, as Landlock holds it. */
struct run_sandbox {
    int rules; /* a file; -1: everything may be read */
};

void run_sandbox_init(struct run_sandbox *sandbox);
void run_sandbox_fini(struct run_sandbox *sandbox);
/* What is in this folder or below may be read. */
void run_sandbox_allow_folder(struct run_sandbox *sandbox, const char *folder);
/* This file may be read, and what is in its folder or below; of a link what it leads to. */
void run_sandbox_allow_file(struct run_sandbox *sandbox, const char *file);

/* Guards: X(identifier, bit). */
#define RUN_GUARDS(X) X(SECCOMP, 1) X(LANDLOCK, 2)

enum run_guard {
#define X(identifier, bit) RUN_GUARD_##identifier = bit,
    RUN_GUARDS(X)
#undef X
};

/* NULL: everything may be read. Returns the guards that this process is under from now on. */
unsigned run_sandbox_enter(const struct run_sandbox *sandbox);

/* What workers are under here, tried out in a process of its own; a line. */
void run_sandbox_describe(struct strbuf *out);

#endif
