/* sandbox_filter: writes the filters of system calls (src/run/run_sandbox.c) as C on standard
 * output: the one that workers are under, and that of a process that becomes another program.
 *
 * Run when the program is built, on the kind of machine that it is built for: what libseccomp makes
 * of the rules below is the same for every process but for one number, that of the process itself,
 * so no worker has to make it anew.
 *
 * Leaves with 1, and a word, when there is no such filter.
 */
#define _GNU_SOURCE /* for O_TMPFILE */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Let through whatever their arguments are. Those that an architecture or an older library does not
 * know are left out. */
static const char *const calls[] = {
    /* what is open */
    "read", "readv", "pread64", "write", "writev", "close", "lseek", "_llseek", "fstat", "fstat64",
    "dup", "dup2", "dup3", "close_range", "poll", "ppoll", "ppoll_time64",
    /* what a path names, and folders */
    "stat", "stat64", "lstat", "lstat64", "newfstatat", "fstatat64", "statx", "access", "faccessat",
    "faccessat2", "readlink", "readlinkat", "getcwd", "getdents64",
    /* memory */
    "brk", "munmap", "mremap", "madvise",
    /* time and the machine */
    "clock_gettime", "clock_gettime64", "clock_getres", "clock_getres_time64", "gettimeofday",
    "time", "times", "nanosleep", "clock_nanosleep", "clock_nanosleep_time64", "uname", "sysinfo",
    "getrusage", "getrlimit", "ugetrlimit", "getcpu", "getrandom",
    /* threads of this process, and its end */
    "futex", "futex_time64", "set_robust_list", "set_tid_address", "rseq", "membarrier",
    "sched_yield", "sched_getaffinity", "gettid", "getpid", "getppid", "getuid", "getuid32",
    "geteuid", "geteuid32", "getgid", "getgid32", "getegid", "getegid32", "exit", "exit_group",
    /* its own signals */
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall"};

/* Stands for the number of the process, which is no more than 4,194,304. */
static const uint32_t own_process = 0x6b3d0f71;

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "sandbox_filter: %s\n", what);
    exit(1);
}

static void add_rule(scmp_filter_ctx filter, const char *name, unsigned count,
                     struct scmp_arg_cmp argument)
{
    int number = seccomp_syscall_resolve_name(name);
    if (number != __NR_SCMP_ERROR)
        (void)seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, count, &argument);
}

static void allow(scmp_filter_ctx filter, const char *name)
{
    add_rule(filter, name, 0, (struct scmp_arg_cmp){0});
}

static void allow_if(scmp_filter_ctx filter, const char *name, struct scmp_arg_cmp argument)
{
    add_rule(filter, name, 1, argument);
}

/* One argument's bits under the mask are none, or all. */
static struct scmp_arg_cmp bits(unsigned argument, uint64_t mask, bool set)
{
    return SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, mask, set ? mask : 0);
}

static struct scmp_arg_cmp is(unsigned argument, uint64_t value)
{
    return SCMP_CMP64(argument, SCMP_CMP_EQ, value, 0);
}

/* O_RDONLY is 0, and what makes or empties files is not for readers. */
static const uint64_t writing =
    O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);

static void add_rules(scmp_filter_ctx filter)
{
    static const int file_words[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        allow(filter, calls[i]);
    allow_if(filter, "open", bits(1, writing, false));
    allow_if(filter, "openat", bits(2, writing, false));
    for (size_t i = 0; i < sizeof file_words / sizeof *file_words; i++) {
        allow_if(filter, "fcntl", is(1, (uint64_t)file_words[i]));
        allow_if(filter, "fcntl64", is(1, (uint64_t)file_words[i]));
    }
    allow_if(filter, "mmap", bits(2, PROT_EXEC, false));
    allow_if(filter, "mmap2", bits(2, PROT_EXEC, false));
    allow_if(filter, "mprotect", bits(2, PROT_EXEC, false));
    allow_if(filter, "ioctl", is(1, FIONREAD)); /* how much nobody has read yet */
    allow_if(filter, "prlimit64", is(2, 0));    /* to read them: root could raise its own */
    allow_if(filter, "tgkill", is(0, own_process));
    allow_if(filter, "clone", bits(0, CLONE_THREAD, true));
    /* Its flags are out of sight; without it the C library takes clone. */
    (void)seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

/* To become another program, which is under the filter too, and may be loaded with its libraries:
 * what memory has of them is code, and never written. */
static void add_rules_of_program(scmp_filter_ctx filter)
{
    allow(filter, "execve");
    allow(filter, "arch_prctl"); /* where the loader has what belongs to a thread */
    const struct scmp_arg_cmp code =
        SCMP_CMP64(2, SCMP_CMP_MASKED_EQ, PROT_EXEC | PROT_WRITE, PROT_EXEC);
    allow_if(filter, "mmap", code);
    allow_if(filter, "mmap2", code);
}

/* Returns the file that has the filter's steps. */
static FILE *export_filter(bool program)
{
    FILE *file = tmpfile();
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!file || !filter)
        die("no room for a filter");
    (void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* a tree of calls, not a list */
    add_rules(filter);
    if (program)
        add_rules_of_program(filter);
    if (seccomp_export_bpf(filter, fileno(file)) != 0)
        die("libseccomp makes no filter for this machine");
    seccomp_release(filter);
    rewind(file);
    return file;
}

/* Returns the number of its steps; `own`: of the one that holds the number of the process. */
static unsigned write_steps(FILE *file, unsigned *own)
{
    struct sock_filter step;
    unsigned steps = 0, found = 0;
    for (; fread(&step, sizeof step, 1, file) == 1; steps++) {
        printf("    {%u, %u, %u, %u},\n", (unsigned)step.code, (unsigned)step.jt, (unsigned)step.jf,
               (unsigned)step.k);
        if (step.k == own_process) {
            *own = steps;
            found++;
        }
    }
    if (found != 1 || steps > BPF_MAXINSNS)
        die("the filter is not of the shape that was expected");
    return steps;
}

static void write_filter(const char *name, bool program)
{
    unsigned own = 0;
    FILE *file = export_filter(program);
    printf("static const struct sock_filter run_%s_steps[] = {\n", name);
    unsigned steps = write_steps(file, &own);
    printf("};\nstatic const unsigned run_%s_count = %u, run_%s_own = %u;\n", name, steps, name,
           own);
    fclose(file);
}

int main(void)
{
    puts("/* Written by tools/sandbox_filter.c. Of each filter the number of its steps, and the "
         "one\n"
         " * that holds the number of the process. */\n#include <linux/filter.h>");
    write_filter("filter", false);
    write_filter("program_filter", true);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
