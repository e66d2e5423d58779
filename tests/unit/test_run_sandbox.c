/* What a worker may not do any more, tried in a process of its own. */
#define _DEFAULT_SOURCE /* for MAP_ANONYMOUS */
#include "unit.h"

#include "run/run_confine.h"
#include "run/run_pool.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef CRASHLIT_UNCONFINED

/* A folder with a file, and a file outside of it. */
struct place {
    char folder[64], inside[80], outside[80], fresh[80];
    struct run_sandbox sandbox;
};

static void write_file(const char *path)
{
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs("text", file);
    fclose(file);
}

static void place_init(struct place *p)
{
    snprintf(p->folder, sizeof p->folder, "/tmp/crashlit-sandbox-%ld", (long)getpid());
    CU_ASSERT_EQUAL_FATAL(mkdir(p->folder, 0700), 0);
    snprintf(p->inside, sizeof p->inside, "%s/inside", p->folder);
    snprintf(p->fresh, sizeof p->fresh, "%s/fresh", p->folder);
    snprintf(p->outside, sizeof p->outside, "%s.outside", p->folder);
    write_file(p->inside);
    write_file(p->outside);
    run_sandbox_init(&p->sandbox);
    run_sandbox_allow_folder(&p->sandbox, p->folder);
}

static void place_fini(struct place *p)
{
    run_sandbox_fini(&p->sandbox);
    unlink(p->inside);
    unlink(p->outside);
    CU_ASSERT_EQUAL(access(p->fresh, F_OK), -1);
    unlink(p->fresh);
    rmdir(p->folder);
}

/* Runs the trial in a child under the guards; its number, or 100 and more without these guards. */
static int try_in(const struct place *p, unsigned guards, int trial(const struct place *))
{
    int status = 0;
    fflush(stdout);
    pid_t process = fork();
    if (process == 0) {
        unsigned entered = run_sandbox_enter(&p->sandbox);
        _exit((entered & guards) == guards ? trial(p) : 100);
    }
    CU_ASSERT_EQUAL_FATAL(waitpid(process, &status, 0), process);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 200;
}

static bool opens(const char *path, int how)
{
    int file = open(path, how, 0600);
    if (file >= 0)
        close(file);
    return file >= 0;
}

static int make_files(const struct place *p)
{
    if (!opens(p->inside, O_RDONLY))
        return 1;
    if (opens(p->inside, O_WRONLY) || opens(p->inside, O_RDWR))
        return 2;
    if (opens(p->fresh, O_RDONLY | O_CREAT) || opens(p->inside, O_RDONLY | O_TRUNC))
        return 3;
    if (mkdir(p->fresh, 0700) == 0 || rename(p->inside, p->fresh) == 0 ||
        link(p->inside, p->fresh) == 0 || symlink(p->inside, p->fresh) == 0 ||
        unlink(p->inside) == 0 || chmod(p->inside, 0777) == 0 || truncate(p->inside, 0) == 0)
        return 4;
    return 0;
}

static int start_processes(const struct place *p)
{
    char *none[] = {NULL};
    (void)p;
    pid_t process = fork();
    if (process == 0)
        _exit(0);
    if (process > 0 || errno != EPERM)
        return 1;
    execve("/bin/true", none, none); /* true would leave with 0 */
    return kill(getppid(), 0) == 0 ? 2 : 3;
}

/* The filter lets a process send itself a signal, as abort does, and nobody else, not even who has
 * begun it. */
static int signal_others(const struct place *p)
{
    (void)p;
    signal(SIGUSR1, SIG_IGN);
    if (raise(SIGUSR1) != 0)
        return 1;
    long own = syscall(SYS_tgkill, getpid(), getpid(), SIGUSR1);
    long other = syscall(SYS_tgkill, getppid(), getppid(), 0);
    return own == 0 && other != 0 && errno == EPERM ? 0 : 2;
}

static int connect_somewhere(const struct place *p)
{
    int ends[2];
    (void)p;
    if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || socket(AF_INET, SOCK_STREAM, 0) >= 0)
        return 1;
    return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 || pipe(ends) == 0 ? 2 : 0;
}

static int make_code(const struct place *p)
{
    (void)p;
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return 1;
    return mprotect(memory, 4096, PROT_READ | PROT_EXEC) == 0 ? 2 : 0;
}

static void *work(void *context)
{
    *(int *)context = 7;
    return NULL;
}

/* What an engine needs. */
static int compute(const struct place *p)
{
    pthread_t thread;
    int done = 0;
    (void)p;
    char *memory = malloc((size_t)64 << 20);
    if (!memory)
        return 1;
    memset(memory, 1, (size_t)64 << 20);
    free(memory);
    if (pthread_create(&thread, NULL, work, &done) != 0 || pthread_join(thread, NULL) != 0)
        return 2;
    return done == 7 ? 0 : 3;
}

static int look_outside(const struct place *p)
{
    return !opens(p->inside, O_RDONLY) ? 1 : opens(p->outside, O_RDONLY) ? 2 : 0;
}

/* Becomes a shell, which may become a third program; its status. */
static int run_shell(const struct place *p, const char *script)
{
    int status = 0;
    fflush(stdout);
    pid_t process = fork();
    if (process == 0) {
        const unsigned both = RUN_GUARD_SECCOMP | RUN_GUARD_LANDLOCK;
        if (run_sandbox_enter_program() != both)
            _exit(100);
        execl("/bin/sh", "sh", "-c", script, p->fresh, p->outside, (char *)NULL);
        _exit(127);
    }
    CU_ASSERT_EQUAL_FATAL(waitpid(process, &status, 0), process);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 200;
}

/* A program that the process becomes reads, makes no file, and starts no process. */
static void test_programs(void)
{
    static const struct {
        const char *script;
        int wanted;
    } trials[] = {{"exec 2>&-; read line <\"$1\"; test \"$line\" = text", 0},
                  {"exec 2>&-; exec /usr/bin/env -i test -s \"$1\"", 0},
                  {"exec 2>&-; true >\"$0\" && exit 1; exit 3", 3},
                  {"exec 2>&-; (exit 0); exit 0", 2}};
    struct place place;
    place_init(&place);
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        int status = run_shell(&place, trials[i].script);
        CU_ASSERT(status == 100 || status == trials[i].wanted);
    }
    place_fini(&place);
}

static void expect(unsigned guards, int trial(const struct place *), int wanted)
{
    struct place place;
    place_init(&place);
    int status = try_in(&place, guards, trial);
    if (status == 100)
        printf("this kernel lacks a guard, or forbids it: not tried\n");
    else
        CU_ASSERT_EQUAL(status, wanted);
    place_fini(&place);
}

static int raise_limits(const struct place *p)
{
    struct rlimit limit;
    (void)p;
    if (getrlimit(RLIMIT_CORE, &limit) != 0)
        return 1;
    return setrlimit(RLIMIT_CORE, &limit) == 0 ? 2 : 0;
}

static void test_limits(void)
{
    expect(RUN_GUARD_SECCOMP, raise_limits, 0);
}

static void test_files(void)
{
    expect(RUN_GUARD_SECCOMP, make_files, 0);
    expect(RUN_GUARD_LANDLOCK, make_files, 0);
}

static void test_processes(void)
{
    expect(RUN_GUARD_SECCOMP, start_processes, 3);
}

static void test_signals(void)
{
    expect(RUN_GUARD_SECCOMP, signal_others, 0);
}

static void test_connections(void)
{
    expect(RUN_GUARD_SECCOMP, connect_somewhere, 0);
}

static void test_code(void)
{
    expect(RUN_GUARD_SECCOMP, make_code, 0);
}

static void test_computing(void)
{
    expect(RUN_GUARD_SECCOMP | RUN_GUARD_LANDLOCK, compute, 0);
}

static void test_reading(void)
{
    expect(RUN_GUARD_LANDLOCK, look_outside, 0);
}

#endif

/* A worker has its line, standard error and standard input, and no more. */
static void count_files(void *context, size_t task, struct strbuf *answer,
                        struct run_worker *worker)
{
    (void)context;
    (void)task;
    (void)worker;
    for (int file = 0; file < 1024; file++)
        if (file != STDIN_FILENO && fcntl(file, F_GETFD) >= 0)
            strbuf_printf(answer, " %d", file);
}

static void take_files(void *context, size_t task, const struct run_pool_answer *answer)
{
    (void)task;
    *(bool *)context = true;
    CU_ASSERT_EQUAL_FATAL(answer->end, RUN_POOL_ANSWERED);
    CU_ASSERT_STRING_EQUAL(answer->bytes, " 1 2 3"); /* 1 leads nowhere */
}

static void test_open_files(void)
{
    bool taken = false;
    int file = open("/dev/null", O_RDONLY), far = dup2(file, 300);
    struct run_pool pool = {
        .workers = 2, .work = count_files, .take = take_files, .context = &taken};
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, 2));
    CU_ASSERT_TRUE(taken);
    close(file);
    close(far);
}

/* Standard input that is open for writing, as a terminal is, is for reading alone. */
static void write_to_input(void *context, size_t task, struct strbuf *answer,
                           struct run_worker *worker)
{
    (void)context;
    (void)task;
    (void)worker;
    strbuf_add(answer, write(STDIN_FILENO, "x", 1) == 1 ? "written" : "not written");
}

static void take_refusal(void *context, size_t task, const struct run_pool_answer *answer)
{
    (void)task;
    *(bool *)context = true;
    CU_ASSERT_EQUAL_FATAL(answer->end, RUN_POOL_ANSWERED);
    CU_ASSERT_STRING_EQUAL(answer->bytes, "not written");
}

static void test_input(void)
{
    char path[64];
    bool taken = false;
    snprintf(path, sizeof path, "/tmp/crashlit-input-%ld", (long)getpid());
    CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
    int was = dup(STDIN_FILENO), both = open(path, O_RDWR);
    CU_ASSERT_FATAL(was >= 0 && both >= 0);
    dup2(both, STDIN_FILENO);
    struct run_pool pool = {
        .workers = 1, .work = write_to_input, .take = take_refusal, .context = &taken};
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, 1));
    CU_ASSERT_TRUE(taken);
    dup2(was, STDIN_FILENO);
    close(was);
    close(both);
    unlink(path);
}

/* A worker whose caller is killed ends as well: the pipe that it holds is then closed. */
static void test_orphans(void)
{
    int ends[2];
    char byte;
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    fflush(stdout);
    pid_t caller = fork();
    if (caller == 0) {
        pid_t self = getpid();
        if (fork() == 0) {
            run_confine_to_caller(self);
            (void)!write(ends[1], "x", 1);
            sleep(60);
            _exit(0);
        }
        sleep(60);
        _exit(0);
    }
    close(ends[1]);
    CU_ASSERT_EQUAL(read(ends[0], &byte, 1), 1);
    kill(caller, SIGKILL);
    CU_ASSERT_EQUAL(waitpid(caller, NULL, 0), caller);
    alarm(30);                                   /* ends the whole rather than wait */
    CU_ASSERT_EQUAL(read(ends[0], &byte, 1), 0); /* nobody holds it any more */
    alarm(0);
    close(ends[0]);
}

/* It was gone before the child could ask to be told. */
static void test_late_orphan(void)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        run_confine_to_caller(getppid() + 1);
        _exit(5);
    }
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

void suite_run_sandbox(void)
{
    CU_pSuite suite = CU_add_suite("run_sandbox", NULL, NULL);
#ifndef CRASHLIT_UNCONFINED
    UNIT_TEST(suite, test_files);
    UNIT_TEST(suite, test_limits);
    UNIT_TEST(suite, test_processes);
    UNIT_TEST(suite, test_signals);
    UNIT_TEST(suite, test_connections);
    UNIT_TEST(suite, test_code);
    UNIT_TEST(suite, test_computing);
    UNIT_TEST(suite, test_reading);
    UNIT_TEST(suite, test_programs);
#endif
    UNIT_TEST(suite, test_open_files);
    UNIT_TEST(suite, test_input);
    UNIT_TEST(suite, test_orphans);
    UNIT_TEST(suite, test_late_orphan);
}
