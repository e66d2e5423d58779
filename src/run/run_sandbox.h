/* run_sandbox: confines a process to computing and reading.
 *
 * Two guards of Linux, each used where the kernel has it. seccomp allows only the calls listed in
 * tools/sandbox_filter.c: no file is made or opened for writing, no process is started, no other
 * process gets a signal, there are no sockets, and no memory becomes code. Landlock allows reading
 * files only in folders named before.
 *
 * A forbidden call fails (EPERM, EACCES) and does not end the process. The promise is only that the
 * call has no effect; a newer C library that tries a further call should find its way without it.
 *
 * For a process with one thread; its later threads are confined as well. There is no way out. Only
 * for our own processes: the library never uses it. */
#ifndef CRASHLIT_RUN_SANDBOX_H
#define CRASHLIT_RUN_SANDBOX_H

#include "base/strbuf.h"

/* What may be read, as Landlock holds it. */
struct run_sandbox {
    int rules; /* a file; -1: no restriction */
};

void run_sandbox_init(struct run_sandbox *sandbox);
void run_sandbox_fini(struct run_sandbox *sandbox);
/* Allows reading in this folder and below. */
void run_sandbox_allow_folder(struct run_sandbox *sandbox, const char *folder);
/* Allows reading this file, and in its folder and below; of a link, the file it leads to. */
void run_sandbox_allow_file(struct run_sandbox *sandbox, const char *file);

/* Guards: X(identifier, bit). */
#define RUN_GUARDS(X) X(SECCOMP, 1) X(LANDLOCK, 2)

enum run_guard {
#define X(identifier, bit) RUN_GUARD_##identifier = bit,
    RUN_GUARDS(X)
#undef X
};

/* Confines this process; NULL: everything may be read. Returns the guards in force from now on. */
unsigned run_sandbox_enter(const struct run_sandbox *sandbox);
/* The same, all that there is to read, for a process that becomes another program, which is confined
 * as well: that may become a third one, and map files as code. */
unsigned run_sandbox_enter_program(void);

/* Describes in a line the guards of workers on this system, tried out in a process of its own. */
void run_sandbox_describe(struct strbuf *out);

#endif
