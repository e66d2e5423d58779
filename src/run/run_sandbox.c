#define _GNU_SOURCE /* for O_PATH, syscall */
#include "run/run_sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__) && !defined(CRASHLIT_UNCONFINED)

#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* ---- seccomp ---- */

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

static void allow(scmp_filter_ctx filter, const char *name)
{
    int number = seccomp_syscall_resolve_name(name);
    if (number != __NR_SCMP_ERROR)
        (void)seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 0);
}

static void allow_if(scmp_filter_ctx filter, const char *name, struct scmp_arg_cmp argument)
{
    int number = seccomp_syscall_resolve_name(name);
    if (number != __NR_SCMP_ERROR)
        (void)seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, 1, &argument);
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
    allow_if(filter, "tgkill", is(0, (uint64_t)getpid()));
    allow_if(filter, "clone", bits(0, CLONE_THREAD, true));
    /* Its flags are out of sight; without it the C library takes clone. */
    (void)seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

static bool enter_seccomp(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter)
        return false;
    (void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* a tree of calls, not a list */
    add_rules(filter);
    bool entered = seccomp_load(filter) == 0;
    seccomp_release(filter);
    return entered;
}

/* ---- Landlock ---- */

/* The numbers are the same on all architectures. The C library has no functions for these, and its
 * header may be older than the kernel. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { ASK_VERSION = 1, PATH_BENEATH = 1 };
enum { READ_FILE = 1 << 2, READ_DIR = 1 << 3 };

/* Later versions have longer ones. */
struct rules {
    uint64_t files, network, scopes;
};

struct beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

static long landlock_version(void)
{
    return syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
}

/* Each version's rights over files, connections, and other processes are all held back. */
static int new_rules(void)
{
    static const int file_rights[] = {13, 14, 15, 15, 16};
    enum { VERSIONS = sizeof file_rights / sizeof *file_rights };
    long version = landlock_version();
    if (version < 1)
        return -1;
    int rights = file_rights[(version < VERSIONS ? version : VERSIONS) - 1];
    struct rules rules = {((uint64_t)1 << rights) - 1, version >= 4 ? 3 : 0, version >= 6 ? 3 : 0};
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    return (int)syscall(CREATE_RULESET, &rules, size, 0);
}

static void add_rule(int rules, const char *path, uint64_t allowed)
{
    struct beneath beneath = {allowed, open(path, O_PATH | O_CLOEXEC)};
    if (beneath.parent < 0)
        return; /* it cannot be read then, as reading it will say */
    (void)syscall(ADD_RULE, rules, PATH_BENEATH, &beneath, 0);
    close(beneath.parent);
}

static bool enter_landlock(int rules)
{
    return rules >= 0 && syscall(RESTRICT_SELF, rules, 0) == 0;
}

void run_sandbox_init(struct run_sandbox *sandbox)
{
    sandbox->rules = new_rules();
}

void run_sandbox_fini(struct run_sandbox *sandbox)
{
    if (sandbox->rules >= 0)
        close(sandbox->rules);
}

void run_sandbox_allow_folder(struct run_sandbox *sandbox, const char *folder)
{
    if (sandbox->rules >= 0)
        add_rule(sandbox->rules, folder, READ_FILE | READ_DIR);
}

/* ---- Both ---- */

unsigned run_sandbox_enter(const struct run_sandbox *sandbox)
{
    struct run_sandbox all;
    unsigned guards = 0;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (!sandbox) {
        run_sandbox_init(&all);
        run_sandbox_allow_folder(&all, "/");
    }
    if (enter_landlock(sandbox ? sandbox->rules : all.rules))
        guards |= RUN_GUARD_LANDLOCK;
    if (!sandbox)
        run_sandbox_fini(&all);
    if (enter_seccomp())
        guards |= RUN_GUARD_SECCOMP;
    return guards;
}

static void allow_alone(struct run_sandbox *sandbox, const char *file)
{
    if (sandbox->rules >= 0)
        add_rule(sandbox->rules, file, READ_FILE);
}

#else

void run_sandbox_init(struct run_sandbox *sandbox)
{
    sandbox->rules = -1;
}

void run_sandbox_fini(struct run_sandbox *sandbox)
{
    (void)sandbox;
}

void run_sandbox_allow_folder(struct run_sandbox *sandbox, const char *folder)
{
    (void)sandbox;
    (void)folder;
}

unsigned run_sandbox_enter(const struct run_sandbox *sandbox)
{
    (void)sandbox;
    return 0;
}

static void allow_alone(struct run_sandbox *sandbox, const char *file)
{
    (void)sandbox;
    (void)file;
}

#endif

void run_sandbox_allow_file(struct run_sandbox *sandbox, const char *file)
{
    const char *slash = strrchr(file, '/');
    struct strbuf folder = {0};
    if (slash)
        strbuf_add_bytes(&folder, file, (size_t)(slash - file) + 1);
    run_sandbox_allow_folder(sandbox, slash ? strbuf_text(&folder) : ".");
    strbuf_fini(&folder);
    allow_alone(sandbox, file);
}

void run_sandbox_describe(struct strbuf *out)
{
    int status = 0;
    fflush(stdout);
    pid_t process = fork();
    if (process == 0)
        _exit((int)run_sandbox_enter(NULL));
    if (process < 0 || waitpid(process, &status, 0) != process || !WIFEXITED(status))
        status = 0;
    unsigned guards = (unsigned)WEXITSTATUS(status);
    strbuf_printf(out, "workers: %s seccomp, %s Landlock%s\n",
                  guards & RUN_GUARD_SECCOMP ? "under" : "without",
                  guards & RUN_GUARD_LANDLOCK ? "under" : "without",
                  guards == (RUN_GUARD_SECCOMP | RUN_GUARD_LANDLOCK)
                      ? ""
                      : "; what is missing this kernel lacks or forbids, or this build leaves out");
}
