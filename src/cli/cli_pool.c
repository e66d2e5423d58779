/* One line (a socket pair) a worker: the caller sends a task's number, the worker messages of a
 * length and that many bytes; the length ALIVE stands for "still at it" and has none. Standard
 * error is a second line. The caller waits for all lines at once with poll. At most WINDOW tasks
 * are handed out beyond the oldest whose answer is missing, which bounds what waits for its turn.
 */
#include "cli/cli_pool.h"

#include "base/clock.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WINDOW = 1024, TICK_MS = 200, PIECE = 1 << 16 };

#define ALIVE UINT64_MAX
#define NO_TASK SIZE_MAX

struct cli_pool_worker {
    int line;
};

/* A worker as the caller sees it. */
struct line {
    pid_t process; /* 0: none */
    int line, errors;
    size_t task; /* NO_TASK when it is idle */
    struct strbuf in, said;
    struct timespec heard;
};

/* A task's answer that waits for its turn. */
struct kept {
    bool there;
    enum cli_pool_end end;
    struct strbuf bytes, errors, reason;
};

struct run {
    const struct cli_pool *pool;
    struct line *lines;
    struct kept kept[WINDOW]; /* of task t: kept[t % WINDOW] */
    size_t tasks, next, taken, done;
    bool interrupted;
    sigset_t old_signals;
    bool deaf; /* SIGINT is ignored by whoever started this */
};

/* ---- The worker's side ---- */

static bool write_all(int file, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length > 0) {
        ssize_t written = write(file, at, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        length -= (size_t)written;
    }
    return true;
}

static bool read_all(int file, void *bytes, size_t length)
{
    char *at = bytes;
    while (length > 0) {
        ssize_t got = read(file, at, length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        length -= (size_t)got;
    }
    return true;
}

void cli_pool_alive(struct cli_pool_worker *worker)
{
    uint64_t length = ALIVE;
    if (worker && !write_all(worker->line, &length, sizeof length))
        _exit(0); /* the caller is gone */
}

static void limit_memory(uint32_t mib)
{
    struct rlimit limit = {(rlim_t)mib << 20, (rlim_t)mib << 20};
    if (mib && setrlimit(RLIMIT_AS, &limit) != 0)
        base_die("cannot limit a worker's memory: %s", strerror(errno));
}

static _Noreturn void work(const struct cli_pool *pool, int line)
{
    struct cli_pool_worker worker = {line};
    uint64_t task, length;
    limit_memory(pool->memory_mib);
    while (read_all(line, &task, sizeof task)) {
        struct strbuf answer = {0};
        pool->work(pool->context, (size_t)task, &answer, &worker);
        fflush(stderr);
        length = answer.length;
        if (!write_all(line, &length, sizeof length) ||
            !write_all(line, strbuf_text(&answer), answer.length))
            break;
        strbuf_fini(&answer);
    }
    _exit(0);
}

/* ---- The caller's side ---- */

/* In a child: no line of another worker stays open, or its end would not be noticed. */
static void close_others(const struct run *run)
{
    for (uint32_t i = 0; i < run->pool->workers; i++)
        if (run->lines[i].process) {
            close(run->lines[i].line);
            close(run->lines[i].errors);
        }
}

static void start(struct run *run, struct line *line)
{
    int ends[2], errors[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || pipe(errors) != 0)
        base_die("cannot make a line to a worker: %s", strerror(errno));
    fflush(stdout);
    fflush(stderr);
    pid_t process = fork();
    if (process < 0)
        base_die("cannot start a worker: %s", strerror(errno));
    if (process == 0) {
        close_others(run);
        close(ends[0]);
        close(errors[0]);
        if (dup2(errors[1], STDERR_FILENO) < 0)
            _exit(1);
        close(errors[1]);
        work(run->pool, ends[1]);
    }
    close(ends[1]);
    close(errors[1]);
    fcntl(errors[0], F_SETFL, O_NONBLOCK);
    *line =
        (struct line){.process = process, .line = ends[0], .errors = errors[0], .task = NO_TASK};
}

static void hand_out(struct run *run, struct line *line)
{
    if (run->interrupted || run->next == run->tasks || run->next - run->taken >= WINDOW)
        return;
    if (!line->process)
        start(run, line);
    uint64_t task = run->next;
    line->task = run->next++;
    line->heard = clock_now_monotonic();
    /* Eight bytes into an empty socket; a worker that is gone is noticed by poll. */
    (void)!send(line->line, &task, sizeof task, MSG_NOSIGNAL);
}

static void take(struct run *run, size_t task)
{
    struct kept *kept = &run->kept[task % WINDOW];
    const struct cli_pool_answer answer = {kept->end, strbuf_text(&kept->bytes), kept->bytes.length,
                                           strbuf_text(&kept->errors), strbuf_text(&kept->reason)};
    run->pool->take(run->pool->context, task, &answer);
    strbuf_fini(&kept->bytes);
    strbuf_fini(&kept->errors);
    strbuf_fini(&kept->reason);
    *kept = (struct kept){0};
}

static void take_in_order(struct run *run)
{
    for (; run->taken < run->tasks && run->kept[run->taken % WINDOW].there; run->taken++)
        take(run, run->taken);
}

/* What is done when an interrupt comes, gaps left out. */
static void take_rest(struct run *run)
{
    for (; run->taken < run->next; run->taken++)
        if (run->kept[run->taken % WINDOW].there)
            take(run, run->taken);
}

static void hear_errors(struct line *line)
{
    char piece[4096];
    for (ssize_t got; (got = read(line->errors, piece, sizeof piece)) > 0;)
        strbuf_add_bytes(&line->said, piece, (size_t)got);
}

static struct kept *keep(struct run *run, struct line *line, enum cli_pool_end end)
{
    struct kept *kept = &run->kept[line->task % WINDOW];
    hear_errors(line);
    *kept = (struct kept){.there = true, .end = end, .errors = line->said};
    line->said = (struct strbuf){0};
    line->task = NO_TASK;
    run->done++;
    return kept;
}

/* Messages that are whole. */
static void read_messages(struct run *run, struct line *line)
{
    size_t at = 0;
    for (uint64_t length; line->in.length - at >= sizeof length;) {
        memcpy(&length, line->in.text + at, sizeof length);
        if (length == ALIVE) {
            at += sizeof length;
            continue;
        }
        if (line->in.length - at - sizeof length < length)
            break;
        struct kept *kept = keep(run, line, CLI_POOL_ANSWERED);
        strbuf_add_bytes(&kept->bytes, line->in.text + at + sizeof length, (size_t)length);
        at += sizeof length + (size_t)length;
    }
    if (at > 0) {
        memmove(line->in.text, line->in.text + at, line->in.length - at);
        line->in.length -= at;
    }
}

static void bury(struct run *run, struct line *line, enum cli_pool_end end)
{
    int status = 0;
    if (end == CLI_POOL_SILENT)
        kill(line->process, SIGKILL);
    while (waitpid(line->process, &status, 0) < 0 && errno == EINTR)
        ;
    if (line->task != NO_TASK) {
        struct kept *kept = keep(run, line, end);
        if (end == CLI_POOL_SILENT)
            strbuf_printf(&kept->reason, "its worker said nothing for %g s and was stopped",
                          run->pool->silent_seconds);
        else if (WIFSIGNALED(status))
            strbuf_printf(&kept->reason, "its worker was ended by signal %d (%s)", WTERMSIG(status),
                          strsignal(WTERMSIG(status)));
        else
            strbuf_printf(&kept->reason, "its worker left with status %d", WEXITSTATUS(status));
    }
    close(line->line);
    close(line->errors);
    strbuf_fini(&line->in);
    strbuf_fini(&line->said);
    *line = (struct line){.task = NO_TASK};
}

static void hear(struct run *run, struct line *line)
{
    char piece[PIECE];
    ssize_t got = read(line->line, piece, sizeof piece);
    if (got < 0 && errno == EINTR)
        return;
    if (got <= 0) {
        bury(run, line, CLI_POOL_DIED);
        return;
    }
    line->heard = clock_now_monotonic();
    strbuf_add_bytes(&line->in, piece, (size_t)got);
    read_messages(run, line);
}

/* A blocked signal is pending even where it would be ignored. */
static void note_interrupt(struct run *run)
{
    sigset_t wanted, pending;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGINT);
    sigpending(&pending);
    if (!run->deaf && sigismember(&pending, SIGINT) == 1) {
        int signal_number;
        sigwait(&wanted, &signal_number);
        run->interrupted = true;
    }
}

/* Waits for what any worker says, for a fifth of a second at most. */
static void listen_to_all(struct run *run, struct pollfd *files)
{
    uint32_t count = run->pool->workers;
    for (uint32_t i = 0; i < count; i++) {
        files[2 * i] = (struct pollfd){run->lines[i].process ? run->lines[i].line : -1, POLLIN, 0};
        files[2 * i + 1] =
            (struct pollfd){run->lines[i].process ? run->lines[i].errors : -1, POLLIN, 0};
    }
    if (poll(files, 2 * count, TICK_MS) < 0)
        return;
    for (uint32_t i = 0; i < count; i++) {
        struct line *line = &run->lines[i];
        if (files[2 * i + 1].revents & POLLIN)
            hear_errors(line);
        if (files[2 * i].revents)
            hear(run, line);
        else if (line->process && line->task != NO_TASK && run->pool->silent_seconds > 0 &&
                 clock_seconds_since(&line->heard) > run->pool->silent_seconds)
            bury(run, line, CLI_POOL_SILENT);
    }
}

static void stop_all(struct run *run)
{
    for (uint32_t i = 0; i < run->pool->workers; i++) {
        struct line *line = &run->lines[i];
        if (!line->process)
            continue;
        line->task = NO_TASK;
        kill(line->process, SIGKILL);
        bury(run, line, CLI_POOL_DIED);
    }
}

static void run_all(struct run *run)
{
    struct pollfd *files = base_realloc(NULL, 2 * run->pool->workers * sizeof *files);
    while (run->taken < run->tasks && !run->interrupted) {
        for (uint32_t i = 0; i < run->pool->workers; i++)
            if (run->lines[i].task == NO_TASK)
                hand_out(run, &run->lines[i]);
        listen_to_all(run, files);
        take_in_order(run);
        if (run->pool->watch)
            run->pool->watch(run->pool->context, run->done);
        note_interrupt(run);
    }
    take_rest(run);
    base_free(files);
}

bool cli_pool_run(const struct cli_pool *pool, size_t tasks)
{
    struct run *run = base_realloc(NULL, sizeof *run);
    sigset_t blocked;
    *run = (struct run){.pool = pool, .tasks = tasks};
    run->lines = base_realloc(NULL, pool->workers * sizeof *run->lines);
    for (uint32_t i = 0; i < pool->workers; i++)
        run->lines[i] = (struct line){.task = NO_TASK};
    struct sigaction action;
    run->deaf = sigaction(SIGINT, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigprocmask(SIG_BLOCK, &blocked, &run->old_signals);
    run_all(run);
    stop_all(run);
    sigprocmask(SIG_SETMASK, &run->old_signals, NULL);
    bool whole = !run->interrupted;
    base_free(run->lines);
    base_free(run);
    return whole;
}
