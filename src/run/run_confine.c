#define _DEFAULT_SOURCE /* for syscall */
#include "run/run_confine.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

void run_confine_to_caller(pid_t caller)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != caller) /* it was gone before that */
        _exit(0);
}

/* ---- Files ---- */

enum { LINE = STDERR_FILENO + 1, MOST_FILES = 64 };

void run_confine_close_from(int first)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0)
        return;
#endif
    struct rlimit limit;
    int end = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536 ? (int)limit.rlim_cur
                                                                              : 65536;
    for (int file = first; file < end; file++)
        close(file);
}

static void drop_output(void)
{
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
        close(STDOUT_FILENO);
}

/* A terminal is open for writing as well. What cannot be opened anew, as a socket, stays as it is.
 */
static void read_input_alone(void)
{
    int mode = fcntl(STDIN_FILENO, F_GETFL);
    if (mode < 0 || (mode & O_ACCMODE) == O_RDONLY)
        return;
    int file = open("/dev/stdin", O_RDONLY | O_NOCTTY);
    if (file >= 0)
        (void)dup2(file, STDIN_FILENO);
}

static void keep(int file, int as)
{
    if (file != as && dup2(file, as) < 0)
        base_die("cannot keep a worker's line: %s", strerror(errno));
}

/* `other` is moved out of the way first. */
static int keep_lines(int line, int *other)
{
    int moved = *other < 0 ? -1 : fcntl(*other, F_DUPFD, LINE + 2);
    keep(line, LINE);
    if (moved >= 0)
        keep(moved, LINE + 1);
    *other = moved < 0 ? -1 : LINE + 1;
    run_confine_close_from(LINE + 1 + (moved >= 0));
    return LINE;
}

int run_confine_to_line(int line)
{
    int nowhere = open("/dev/null", O_RDWR), none = -1;
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (nowhere < 0 || dup2(nowhere, file) < 0)
            close(file);
    return keep_lines(line, &none);
}

/* ---- Limits ---- */

static void lower(int resource, rlim_t most)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0)
        return;
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > most)
        limit.rlim_max = most;
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > limit.rlim_max)
        limit.rlim_cur = limit.rlim_max;
    if (setrlimit(resource, &limit) != 0)
        base_die("cannot limit a worker: %s", strerror(errno));
}

#ifndef CRASHLIT_UNCONFINED

/* Beyond --memory: stacks and tables; of addresses also what is only set aside. */
enum { ROOM_MIB = 64, ADDRESSES_MIB = 1024 };

/* What the process has already, in bytes: addresses, and data of its own. */
static void look_at_self(rlim_t *addresses, rlim_t *data)
{
    unsigned long pages[6] = {0};
    rlim_t size = (rlim_t)sysconf(_SC_PAGESIZE);
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        if (fscanf(file, "%lu %lu %lu %lu %lu %lu", &pages[0], &pages[1], &pages[2], &pages[3],
                   &pages[4], &pages[5]) != 6)
            memset(pages, 0, sizeof pages);
        fclose(file);
    }
    *addresses = pages[0] * size;
    *data = pages[5] * size;
}

static void limit_memory(uint32_t mib)
{
    rlim_t addresses, data;
    look_at_self(&addresses, &data);
    lower(RLIMIT_AS, addresses + (((rlim_t)mib + ADDRESSES_MIB) << 20));
#ifdef RLIMIT_DATA
    lower(RLIMIT_DATA, data + (((rlim_t)mib + ROOM_MIB) << 20));
#endif
}

#endif

int run_confine(int line, int *other, uint32_t memory_mib, const struct run_sandbox *sandbox)
{
    drop_output();
    read_input_alone();
    lower(RLIMIT_CORE, 0);
    lower(RLIMIT_NOFILE, MOST_FILES);
#ifndef CRASHLIT_UNCONFINED
    lower(RLIMIT_FSIZE, 0);
    if (memory_mib)
        limit_memory(memory_mib);
#else
    (void)memory_mib;
#endif
    (void)run_sandbox_enter(sandbox); /* where there are no guards, the limits are what there is */
    return keep_lines(line, other);
}
