#include "run/run_line.h"

#include "base/clock.h"
#include "base/guard.h"
#include "base/team.h"
#include "run/run_confine.h"
#include "session/session_solver.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIECE = 1 << 16, GRACE_SECONDS = 60, MAX_ANSWER = 1 << 30 };

/* ---- The worker's side ---- */

/* What is counted at the end of a process, leaks and lines that were run, is of workers as well. */
static _Noreturn void leave(void)
{
#ifdef CRASHLIT_UNCONFINED
    exit(0);
#else
    _exit(0);
#endif
}

static void ask_for_solver(void)
{
    _exit(RUN_LINE_WANTS_SOLVER);
}

static uint32_t bytes_said(void)
{
    int bytes = 0;
    fflush(stderr);
    return ioctl(STDERR_FILENO, FIONREAD, &bytes) == 0 && bytes > 0 ? (uint32_t)bytes : 0;
}

/* What nobody has read yet is then of the next task alone. */
static void await_hearing(void)
{
    static const struct timespec pause = {0, 20000};
    while (bytes_said() > 0)
        nanosleep(&pause, NULL);
}

static bool do_task(const struct run_pool *pool, struct run_worker *worker, size_t task,
                    struct strbuf *answer, bool *said)
{
    struct run_worker_head head = {.task = (uint32_t)task};
    worker->part = worker->choice = 0;
    worker->task = task;
    strbuf_clear(answer);
    strbuf_add_bytes(answer, (const char *)&head, sizeof head); /* room for it */
    pool->work(pool->context, task, answer, worker);
    head.length = answer->length - sizeof head;
    head.said = bytes_said();
    *said = head.said > 0;
    memcpy(answer->text, &head, sizeof head);
    return run_worker_write(worker->line, answer->text, answer->length);
}

static _Noreturn void work_on_line(const struct run_pool *pool, int own,
                                   const struct run_line *line)
{
    static const run_lost_parts none = {NULL, 0, 0};
    int checker = pool->checker ? run_checker_start(pool->checker, pool->part_seconds,
                                                    pool->part_cpu_seconds, pool->memory_mib)
                                : -1;
    struct run_worker worker = {.line = run_confine(own, &checker, pool->memory_mib, pool->sandbox),
                                .lost = &line->lost,
                                .threads = team_processors() / pool->workers,
                                .says = pool->hear != NULL,
                                .dear = line->dear};
    SCOPED(strbuf) answer = {0};
    uint64_t task;
    bool said;
    worker.checker = checker;
    worker.tells = pool->part_seconds > 0 || pool->part_cpu_seconds > 0 || pool->memory_mib;
    while (run_worker_read(worker.line, &task, sizeof task) &&
           do_task(pool, &worker, (size_t)task, &answer, &said)) {
        if (said)
            await_hearing();
        worker.lost = &none;
        worker.dear = 0;
    }
    leave();
}

/* ---- The caller's side ---- */

static void close_both(const int *ends)
{
    close(ends[0]);
    close(ends[1]);
}

bool run_line_start(struct run_line *line, const struct run_pool *pool, bool has_solver)
{
    int ends[2], errors[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return false;
    if (pipe(errors) != 0) {
        close_both(ends);
        return false;
    }
    fflush(NULL); /* what a worker that dies would write once more, where its line is now */
    pid_t caller = getpid();
    pid_t process = fork();
    if (process < 0) {
        close_both(ends);
        close_both(errors);
        return false;
    }
    if (process == 0) {
        run_confine_to_caller(caller);
        if (dup2(errors[1], STDERR_FILENO) < 0)
            _exit(1);
        base_set_memory_status(RUN_LINE_FULL);
        if (!has_solver)
            session_solver_defer(ask_for_solver);
        work_on_line(pool, ends[1], line);
    }
    close(ends[1]);
    close(errors[1]);
    fcntl(errors[0], F_SETFL, O_NONBLOCK);
    line->process = process;
    line->line = ends[0];
    line->errors = errors[0];
    line->used = line->ended = false;
    line->has_solver = has_solver;
    return true;
}

void run_line_send(struct run_line *line, uint32_t count)
{
    uint64_t tasks[RUN_LINE_TASKS];
    for (uint32_t i = 0; i < count; i++)
        tasks[i] = line->tasks[line->count - count + i];
    if (count == line->count) {
        line->part = line->dear = 0;
        line->told_before = line->heard_of.count;
        line->heard = clock_now_monotonic();
    }
    /* Some bytes into a socket that has room; a worker that is gone is noticed by poll. */
    (void)!send(line->line, tasks, count * sizeof *tasks, MSG_NOSIGNAL);
}

void run_line_end(struct run_line *line)
{
    if (line->process && !line->ended)
        line->ended = shutdown(line->line, SHUT_WR) == 0;
}

bool run_line_hear(struct run_line *line)
{
    char piece[PIECE];
    ssize_t got = read(line->line, piece, sizeof piece);
    if (got > 0) {
        line->heard = clock_now_monotonic();
        strbuf_add_bytes(&line->in, piece, (size_t)got);
    }
    return got > 0 || (got < 0 && errno == EINTR);
}

/* Reads up to `most` bytes of its standard error. */
static void hear_errors(struct run_line *line, size_t most)
{
    char piece[4096];
    ssize_t got = 1;
    for (int i = 0; i < RUN_LINE_SAID / (int)sizeof piece && got > 0 && most > 0; i++) {
        got = read(line->errors, piece, most < sizeof piece ? most : sizeof piece);
        most -= got > 0 ? (size_t)got : 0;
        if (got > 0 && line->said.length < RUN_LINE_SAID)
            strbuf_add_bytes(&line->said, piece, (size_t)got);
    }
}

/* Of what a task says nothing is taken before its answer, which counts it, but where it could wait
 * for room. */
void run_line_make_room(struct run_line *line)
{
    enum { MANY = 1 << 15 };
    int bytes = 0;
    if (ioctl(line->errors, FIONREAD, &bytes) == 0 && bytes > MANY)
        hear_errors(line, RUN_LINE_SAID);
}

/* A head is of the task at hand and within bounds, or the worker does not keep to what is agreed:
 * a message for no task would take the place of another's. */
static bool is_agreed(const struct run_line *line, const struct run_worker_head *head)
{
    return line->count > 0 && (head->length & ~RUN_WORKER_SAYS) <= MAX_ANSWER &&
           head->task == (uint32_t)line->tasks[0];
}

/* Passes the name over. A part that an earlier worker has sent is no news, nor is one without a name. */
static enum run_line_news take_part(struct run_line *line, const char **bytes, size_t *length)
{
    const char *end = memchr(*bytes, '\0', *length);
    if (!end || line->heard_of.count == RUN_LINE_PARTS)
        return RUN_LINE_FAULT;
    if (end == *bytes) {
        strbuf_clear(&line->so_far);
        strbuf_add_bytes(&line->so_far, *bytes + 1, *length - 1);
        return RUN_LINE_NOTHING;
    }
    const bool known = ANY(i, line->told_before, strcmp(line->heard_of.items[i], *bytes) == 0);
    const size_t name = (size_t)(end - *bytes) + 1;
    if (!known) {
        char *copy = base_realloc(NULL, name);
        memcpy(copy, *bytes, name);
        VEC_PUSH(&line->heard_of, copy);
    }
    *bytes += name;
    *length -= name;
    return known ? RUN_LINE_NOTHING : RUN_LINE_PART;
}

/* A whole answer, or part of it; nothing where not all of its bytes have come, or it is known. */
static enum run_line_news read_bytes(struct run_line *line, size_t *at, const char **answer,
                                     size_t *length)
{
    struct run_worker_head head;
    const size_t there = line->in.length - *at;
    if (there < sizeof head)
        return RUN_LINE_NOTHING;
    memcpy(&head, line->in.text + *at, sizeof head);
    const bool part = head.length & RUN_WORKER_SAYS;
    if (!is_agreed(line, &head))
        return RUN_LINE_FAULT;
    *length = (size_t)(head.length & ~RUN_WORKER_SAYS);
    if (there - sizeof head < *length)
        return RUN_LINE_NOTHING;
    *answer = line->in.text + *at + sizeof head;
    *at += sizeof head + *length;
    if (part)
        return take_part(line, answer, length);
    hear_errors(line, head.said);
    return RUN_LINE_ANSWER;
}

enum run_line_news run_line_read(struct run_line *line, size_t *at, const char **answer,
                                 size_t *length)
{
    uint64_t number;
    while (line->in.length - *at >= sizeof number) {
        memcpy(&number, line->in.text + *at, sizeof number);
        if (!(number & (RUN_WORKER_PART | RUN_WORKER_DEAR))) {
            const size_t before = *at;
            const enum run_line_news news = read_bytes(line, at, answer, length);
            if (news != RUN_LINE_NOTHING || *at == before)
                return news;
            continue;
        }
        if (line->count == 0)
            return RUN_LINE_FAULT;
        *(number & RUN_WORKER_PART ? &line->part : &line->dear) = (uint32_t)number;
        *at += sizeof number;
    }
    return RUN_LINE_NOTHING;
}

void run_line_forget(struct run_line *line, size_t at)
{
    if (at == 0)
        return;
    memmove(line->in.text, line->in.text + at, line->in.length - at);
    line->in.length -= at;
}

static void forget_parts(struct run_line *line)
{
    for (size_t i = 0; i < line->heard_of.count; i++)
        base_free(line->heard_of.items[i]);
    VEC_CLEAR(&line->heard_of);
    line->told_before = 0;
    strbuf_fini(&line->ahead);
    strbuf_fini(&line->so_far);
}

void run_line_next(struct run_line *line)
{
    line->count--;
    memmove(line->tasks, line->tasks + 1, line->count * sizeof *line->tasks);
    line->part = line->dear = 0;
    line->used = true;
    VEC_CLEAR(&line->lost);
    forget_parts(line);
}

void run_line_fini(struct run_line *line)
{
    forget_parts(line);
    VEC_FREE(&line->heard_of);
    VEC_FREE(&line->lost);
}

/* Its end of the line is closed with its last files, when its memory has been given back. */
static void await_hangup(const struct run_line *line)
{
    struct pollfd end = {line->line, 0, 0};
    (void)poll(&end, 1, GRACE_SECONDS * 1000);
}

int run_line_await_end(struct run_line *line)
{
    const struct timespec began = clock_now_monotonic();
    struct timespec pause = {0, 20000};
    await_hangup(line);
    int status = 0;
    bool stopped = false;
    for (pid_t left = 0; left == 0 || (left < 0 && errno == EINTR);) {
        left = waitpid(line->process, &status, stopped ? 0 : WNOHANG);
        if (left == 0 && clock_seconds_since(&began) > GRACE_SECONDS)
            stopped = kill(line->process, SIGKILL) == 0;
        else if (left == 0)
            nanosleep(&pause, NULL);
        if (pause.tv_nsec < 1000000)
            pause.tv_nsec *= 2;
    }
    hear_errors(line, RUN_LINE_SAID);
    return status;
}

void run_line_drop(struct run_line *line)
{
    close(line->line);
    close(line->errors);
    strbuf_fini(&line->in);
    strbuf_fini(&line->said);
    line->process = 0;
}
