#define _GNU_SOURCE /* for O_PATH, syscall */
#include "run/run_sandbox.h"

#include "base/arena.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__) && !defined(CRASHLIT_UNCONFINED)

#include "run_filter.h" /* build/gen */

#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* ---- seccomp ---- */

/* A filter that tools/sandbox_filter.c made of its rules. */
static bool enter_filter(const struct sock_filter *made, unsigned count, unsigned own)
{
    SCOPED(arena) arena = {0};
    struct sock_filter *steps = arena_copy(&arena, made, count * sizeof *made);
    struct sock_fprog filter = {(unsigned short)count, steps};
    steps[own].k = (uint32_t)getpid();
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/* ---- Landlock ---- */

/* The numbers are the same on all architectures. The C library has no functions for these, and its
 * header may be older than the kernel. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { ASK_VERSION = 1, PATH_BENEATH = 1 };
enum { EXECUTE = 1 << 0, READ_FILE = 1 << 2, READ_DIR = 1 << 3 };

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

/* NULL: everything may be read, and `allowed` besides. */
static unsigned restrict_files(const struct run_sandbox *sandbox, uint64_t allowed)
{
    struct run_sandbox all;
    bool entered;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (sandbox)
        return enter_landlock(sandbox->rules) ? RUN_GUARD_LANDLOCK : 0;
    run_sandbox_init(&all);
    if (all.rules >= 0)
        add_rule(all.rules, "/", READ_FILE | READ_DIR | allowed);
    entered = enter_landlock(all.rules);
    run_sandbox_fini(&all);
    return entered ? RUN_GUARD_LANDLOCK : 0;
}

unsigned run_sandbox_enter(const struct run_sandbox *sandbox)
{
    unsigned guards = restrict_files(sandbox, 0);
    if (enter_filter(run_filter_steps, run_filter_count, run_filter_own))
        guards |= RUN_GUARD_SECCOMP;
    return guards;
}

unsigned run_sandbox_enter_program(void)
{
    unsigned guards = restrict_files(NULL, EXECUTE);
    if (enter_filter(run_program_filter_steps, run_program_filter_count, run_program_filter_own))
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

unsigned run_sandbox_enter_program(void)
{
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
    SCOPED(strbuf) folder = {0};
    if (slash)
        strbuf_add_bytes(&folder, file, (size_t)(slash - file) + 1);
    run_sandbox_allow_folder(sandbox, slash ? strbuf_text(&folder) : ".");
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
