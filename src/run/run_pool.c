/* One line (a socket pair) a worker: the caller sends numbers of tasks, the worker answers in their
 * order, each with a head (run_worker.h) and that many bytes. A number of PART begins that part,
 * and one of DEAR names a run, which a worker knows of that does the task again. Standard error is
 * a second line, and a head says how much of it is of the tasks so far. The caller waits for all
 * lines at once with poll. Of small tasks a worker has some ahead, as many as take AHEAD seconds,
 * so that it need not wait for the next one, and the caller, while nobody can run out, does not get
 * up for each answer. At most WINDOW tasks are handed out beyond the oldest whose answer is
 * missing, and none when MAX_WAITING bytes of answers wait for their turn.
 */
#include "run/run_pool.h"

#include "base/clock.h"
#include "base/vec.h"
#include "run/run_confine.h"
#include "session/session_solver.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WINDOW = 1024, TICK_MS = 200, PIECE = 1 << 16, GRACE_SECONDS = 60 };

/* What is kept of a worker's answer, and of its last words: tests of strangers are what it reads.
 */
enum { MAX_ANSWER = 1 << 30, MAX_SAID = 4 << 20 };

/* When as much waits for its turn, nothing more is handed out until the oldest is answered. */
enum { MAX_WAITING = 64 << 20 };

/* Of tasks ahead: how many there may be, and for how many seconds they may keep a worker; and how
 * long the caller lies down when all have enough for twice that. */
enum { MOST_AHEAD = 64 };

static const double AHEAD = 0.01, NAP = 0.001;

/* With this status a worker leaves whose task needs the solver, which it cannot load. */
enum { WANTS_SOLVER = 71 };

static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

enum { INTERRUPTS = sizeof interrupts / sizeof *interrupts };

/* A worker as the caller sees it. */
struct line {
    pid_t process; /* 0: none */
    int line, errors;
    size_t tasks[MOST_AHEAD]; /* that it has: the one at hand, and those ahead */
    uint32_t count;
    uint32_t part;       /* of the task at hand, the last that it told of; 0: none */
    uint32_t dear;       /* likewise the run that it told of last; 0: none */
    bool used;           /* it did other tasks before */
    bool has_solver;     /* it knows of the caller's attempt to load it */
    run_lost_parts lost; /* of the task; a worker knows what there was when it began */
    struct strbuf in, said;
    struct timespec heard;
};

/* A task's answer that waits for its turn. */
struct kept {
    bool there;
    enum run_pool_end end;
    struct strbuf bytes, errors, reason;
};

struct run {
    const struct run_pool *pool;
    struct line *lines;
    struct kept kept[WINDOW]; /* of task t: kept[t % WINDOW] */
    size_t tasks, next, taken, done;
    struct timespec began;
    size_t waiting;  /* bytes of the answers that are kept */
    int interrupt;   /* the signal; 0: none */
    bool has_solver; /* it was loaded, or cannot be */
    sigset_t heard;  /* what interrupts it */
    sigset_t old_signals;
};

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
    _exit(WANTS_SOLVER);
}

static uint32_t bytes_said(void)
{
    int bytes = 0;
    fflush(stderr);
    return ioctl(STDERR_FILENO, FIONREAD, &bytes) == 0 && bytes > 0 ? (uint32_t)bytes : 0;
}

static bool do_task(const struct run_pool *pool, struct run_worker *worker, size_t task,
                    struct strbuf *answer)
{
    struct run_worker_head head = {.task = (uint32_t)task};
    worker->part = worker->choice = 0;
    strbuf_clear(answer);
    strbuf_add_bytes(answer, (const char *)&head, sizeof head); /* room for it */
    pool->work(pool->context, task, answer, worker);
    head.length = answer->length - sizeof head;
    head.said = bytes_said();
    memcpy(answer->text, &head, sizeof head);
    return run_worker_write(worker->line, answer->text, answer->length);
}

static _Noreturn void work(const struct run_pool *pool, int own, const struct line *line)
{
    static const run_lost_parts none = {NULL, 0, 0};
    struct run_worker worker = {.line = run_confine(own, pool->memory_mib, pool->sandbox),
                                .lost = &line->lost,
                                .dear = line->dear};
    struct strbuf answer = {0};
    uint64_t task;
    worker.tells = pool->part_seconds > 0 || pool->memory_mib;
    while (run_worker_read(worker.line, &task, sizeof task) &&
           do_task(pool, &worker, (size_t)task, &answer)) {
        worker.lost = &none;
        worker.dear = 0;
    }
    strbuf_fini(&answer);
    leave();
}

/* ---- The caller's side ---- */

static bool has_workers(const struct run *run)
{
    for (uint32_t i = 0; i < run->pool->workers; i++)
        if (run->lines[i].process)
            return true;
    return false;
}

/* Without room for one more those that there are go on; without any there is no way. */
static void do_without(const struct run *run)
{
    if (!has_workers(run))
        base_die("cannot start a worker: %s", strerror(errno));
}

static void close_both(const int *ends)
{
    close(ends[0]);
    close(ends[1]);
}

/* Leaves the line as it is when there is no room for one more worker. */
static void start(struct run *run, struct line *line)
{
    int ends[2], errors[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        do_without(run);
        return;
    }
    if (pipe(errors) != 0) {
        do_without(run);
        close_both(ends);
        return;
    }
    fflush(NULL); /* what a worker that dies would write once more, where its line is now */
    pid_t caller = getpid();
    pid_t process = fork();
    if (process < 0) {
        do_without(run);
        close_both(ends);
        close_both(errors);
        return;
    }
    if (process == 0) {
        run_confine_to_caller(caller);
        if (dup2(errors[1], STDERR_FILENO) < 0)
            _exit(1);
        if (!run->has_solver)
            session_solver_defer(ask_for_solver);
        work(run->pool, ends[1], line);
    }
    close(ends[1]);
    close(errors[1]);
    fcntl(errors[0], F_SETFL, O_NONBLOCK);
    line->process = process;
    line->line = ends[0];
    line->errors = errors[0];
    line->used = false;
    line->has_solver = run->has_solver;
}

/* The last so many of those that it has. */
static void send_tasks(struct line *line, uint32_t count)
{
    uint64_t tasks[MOST_AHEAD];
    for (uint32_t i = 0; i < count; i++)
        tasks[i] = line->tasks[line->count - count + i];
    if (count == line->count) {
        line->part = line->dear = 0;
        line->heard = clock_now_monotonic();
    }
    /* Some bytes into a socket that has room; a worker that is gone is noticed by poll. */
    (void)!send(line->line, tasks, count * sizeof *tasks, MSG_NOSIGNAL);
}

/* What a task takes, by those that are done; a second until then. */
static double seconds_each(const struct run *run)
{
    double workers = run->pool->workers, done = (double)run->done;
    return run->done ? clock_seconds_since(&run->began) * workers / done : 1;
}

/* How many a worker may have: one until it is known how long they take, and fewer when not many are
 * left, as another may have time for them. */
static size_t may_have(const struct run *run)
{
    size_t left = (run->tasks - run->next) / (2 * (size_t)run->pool->workers), most = MOST_AHEAD;
    double each = seconds_each(run);
    if (MOST_AHEAD * each > AHEAD)
        most = (size_t)(AHEAD / each);
    most = most < left ? most : left;
    return most ? most : 1;
}

/* Nothing while it has half of what it may have. */
static void hand_out(struct run *run, struct line *line)
{
    size_t most = may_have(run);
    uint32_t count = 0;
    if (run->interrupt || run->waiting >= MAX_WAITING || line->count > most / 2)
        return;
    if (!line->process && run->next < run->tasks)
        start(run, line);
    if (!line->process)
        return;
    while (line->count < most && run->next < run->tasks && run->next - run->taken < WINDOW) {
        line->tasks[line->count++] = run->next++;
        count++;
    }
    if (count)
        send_tasks(line, count);
}

static void take(struct run *run, size_t task)
{
    struct kept *kept = &run->kept[task % WINDOW];
    const struct run_pool_answer answer = {kept->end, strbuf_text(&kept->bytes), kept->bytes.length,
                                           strbuf_text(&kept->errors), strbuf_text(&kept->reason)};
    run->pool->take(run->pool->context, task, &answer);
    run->waiting -= kept->bytes.length + kept->errors.length;
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

/* So many bytes of what it said, or what there is. */
static void hear_errors(struct line *line, size_t most)
{
    char piece[4096];
    ssize_t got = 1;
    for (int i = 0; i < MAX_SAID / (int)sizeof piece && got > 0 && most > 0; i++) {
        got = read(line->errors, piece, most < sizeof piece ? most : sizeof piece);
        most -= got > 0 ? (size_t)got : 0;
        if (got > 0 && line->said.length < MAX_SAID)
            strbuf_add_bytes(&line->said, piece, (size_t)got);
    }
}

/* An answer to the task at hand, or its end without one. */
static struct kept *keep(struct run *run, struct line *line, enum run_pool_end end)
{
    struct kept *kept = &run->kept[line->tasks[0] % WINDOW];
    *kept = (struct kept){.there = true, .end = end, .errors = line->said};
    line->said = (struct strbuf){0};
    run->waiting += kept->errors.length;
    line->count--;
    memmove(line->tasks, line->tasks + 1, line->count * sizeof *line->tasks);
    line->part = line->dear = 0;
    line->used = true;
    VEC_CLEAR(&line->lost);
    run->done++;
    return kept;
}

/* A head is of the task at hand and within bounds, or the worker does not keep to what is agreed:
 * a message for no task would take the place of another's. */
static bool is_agreed(const struct line *line, const struct run_worker_head *head)
{
    return line->count > 0 && head->length <= MAX_ANSWER && head->task == (uint32_t)line->tasks[0];
}

/* Bytes of the next message, which is noted when it is whole; 0: it is not yet. -1: it is not as
 * agreed. */
static ssize_t read_message(struct run *run, struct line *line, const char *bytes, size_t length)
{
    struct run_worker_head head;
    if (length < sizeof head.length)
        return 0;
    memcpy(&head.length, bytes, sizeof head.length);
    if (head.length & (RUN_WORKER_PART | RUN_WORKER_DEAR)) {
        *(head.length & RUN_WORKER_PART ? &line->part : &line->dear) = (uint32_t)head.length;
        return line->count ? (ssize_t)sizeof head.length : -1;
    }
    if (length < sizeof head)
        return 0;
    memcpy(&head, bytes, sizeof head);
    if (!is_agreed(line, &head))
        return -1;
    if (length - sizeof head < head.length)
        return 0;
    hear_errors(line, head.said);
    strbuf_add_bytes(&keep(run, line, RUN_POOL_ANSWERED)->bytes, bytes + sizeof head,
                     (size_t)head.length);
    run->waiting += (size_t)head.length;
    return (ssize_t)(sizeof head + head.length);
}

/* Messages that are whole. False when one is not as agreed. */
static bool read_messages(struct run *run, struct line *line)
{
    size_t at = 0;
    ssize_t length = 1;
    while (length > 0) {
        length = read_message(run, line, line->in.text + at, line->in.length - at);
        at += length > 0 ? (size_t)length : 0;
    }
    if (at > 0) {
        memmove(line->in.text, line->in.text + at, line->in.length - at);
        line->in.length -= at;
    }
    return length == 0;
}

/* A worker that ran out of its memory says so with its last words. */
static bool is_full(const struct run *run, const struct line *line)
{
    const char *words = strbuf_text(&line->said);
    return run->pool->memory_mib &&
           (strstr(words, BASE_OUT_OF_MEMORY) || strstr(words, "bad_alloc"));
}

static void add_reason(const struct run *run, enum run_pool_end end, int status, struct strbuf *out)
{
    if (end == RUN_POOL_LATE)
        strbuf_printf(out, "the time limit ran out: its worker was stopped after %g s",
                      run->pool->part_seconds);
    else if (end == RUN_POOL_FULL)
        strbuf_printf(out, "the memory limit was met: its worker has no more than %u MiB",
                      (unsigned)run->pool->memory_mib);
    else if (WIFSIGNALED(status))
        strbuf_printf(out, "its worker was ended by signal %d (%s)", WTERMSIG(status),
                      strsignal(WTERMSIG(status)));
    else
        strbuf_printf(out, "its worker left with status %d", WEXITSTATUS(status));
}

static void load_solver(struct run *run)
{
    if (!run->has_solver)
        (void)session_solver_load(); /* where there is none, answers say so */
    run->has_solver = true;
}

/* Is the task to be done again? Yes by a worker that has the solver, where that is what it lacked.
 * Not without the part at which a limit was met, unless the worker
 * had done other tasks before, whose memory it may be: what becomes of a task does not depend on
 * those before. A part that is passed over and still meets a limit is the end. */
static bool may_retry(struct run *run, struct line *line, enum run_pool_end end, int status)
{
    if (run->interrupt)
        return false;
    if (end == RUN_POOL_DIED && WIFEXITED(status) && WEXITSTATUS(status) == WANTS_SOLVER &&
        !line->has_solver) {
        load_solver(run);
        return true;
    }
    if (end != RUN_POOL_LATE && end != RUN_POOL_FULL)
        return false;
    if (end == RUN_POOL_FULL && line->used)
        return true;
    if (line->part == 0 || run_worker_loss(&line->lost, line->part) != SESSION_LOSS_NONE)
        return false;
    enum session_loss loss = end == RUN_POOL_LATE ? SESSION_LOSS_TIME : SESSION_LOSS_MEMORY;
    VEC_PUSH(&line->lost, (struct run_lost_part){line->part, loss});
    return true;
}

static void drop_worker(struct line *line)
{
    close(line->line);
    close(line->errors);
    strbuf_fini(&line->in);
    strbuf_fini(&line->said);
    line->process = 0;
}

/* One whose line is shut leaves, soon. */
static int await_end(pid_t process)
{
    const struct timespec began = clock_now_monotonic();
    struct timespec pause = {0, 20000};
    int status = 0;
    bool stopped = false;
    for (pid_t left = 0; left == 0 || (left < 0 && errno == EINTR);) {
        left = waitpid(process, &status, stopped ? 0 : WNOHANG);
        if (left == 0 && clock_seconds_since(&began) > GRACE_SECONDS)
            stopped = kill(process, SIGKILL) == 0;
        else if (left == 0)
            nanosleep(&pause, NULL);
        if (pause.tv_nsec < 1000000)
            pause.tv_nsec *= 2;
    }
    return status;
}

/* With the tasks that are left. */
static void start_again(struct run *run, struct line *line)
{
    start(run, line);
    if (!line->process)
        base_die("cannot start a worker again: %s", strerror(errno));
    send_tasks(line, line->count);
}

static void bury(struct run *run, struct line *line, enum run_pool_end end)
{
    if (end == RUN_POOL_LATE)
        kill(line->process, SIGKILL);
    int status = await_end(line->process);
    hear_errors(line, MAX_SAID);
    if (end == RUN_POOL_DIED && is_full(run, line))
        end = RUN_POOL_FULL;
    if (end == RUN_POOL_FULL)
        strbuf_clear(&line->said);
    if (line->count && !may_retry(run, line, end, status))
        add_reason(run, end, status, &keep(run, line, end)->reason);
    else if (!line->count && !run->interrupt && status != 0)
        base_die("internal error: a worker that had done its tasks did not leave as it should: %s",
                 strbuf_text(&line->said));
    drop_worker(line);
    if (line->count)
        start_again(run, line);
}

static void hear(struct run *run, struct line *line)
{
    char piece[PIECE];
    ssize_t got = read(line->line, piece, sizeof piece);
    if (got < 0 && errno == EINTR)
        return;
    if (got <= 0) {
        bury(run, line, RUN_POOL_DIED);
        return;
    }
    line->heard = clock_now_monotonic();
    strbuf_add_bytes(&line->in, piece, (size_t)got);
    if (!read_messages(run, line)) {
        kill(line->process, SIGKILL);
        bury(run, line, RUN_POOL_DIED);
    }
}

/* Those of the four that are not ignored by whoever started this. */
static void list_interrupts(sigset_t *heard)
{
    struct sigaction action;
    sigemptyset(heard);
    for (int i = 0; i < INTERRUPTS; i++)
        if (sigaction(interrupts[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(heard, interrupts[i]);
}

void run_pool_hold_signals(sigset_t *old)
{
    sigset_t heard;
    list_interrupts(&heard);
    sigprocmask(SIG_BLOCK, &heard, old);
}

static void note_interrupt(struct run *run)
{
    sigset_t pending;
    sigpending(&pending);
    for (int i = 0; i < INTERRUPTS && !run->interrupt; i++)
        if (sigismember(&run->heard, interrupts[i]) == 1 &&
            sigismember(&pending, interrupts[i]) == 1)
            run->interrupt = interrupts[i];
}

/* While nobody will run out. */
static void nap(const struct run *run)
{
    static const struct timespec pause = {0, (long)(NAP * 1e9)};
    double each = seconds_each(run);
    bool all = has_workers(run);
    for (uint32_t i = 0; i < run->pool->workers; i++)
        all &= !run->lines[i].process || run->lines[i].count * each > 2 * NAP;
    if (all && each < NAP)
        nanosleep(&pause, NULL);
}

/* It says nothing on its line, be it that it waits for somebody to hear its words. */
static void mind_silence(struct run *run, struct line *line)
{
    double silent = clock_seconds_since(&line->heard);
    if (silent > TICK_MS / 1000.0)
        hear_errors(line, MAX_SAID);
    if (run->pool->part_seconds > 0 && silent > run->pool->part_seconds)
        bury(run, line, RUN_POOL_LATE);
}

/* Waits for what any worker says, for a fifth of a second at most. */
static void listen_to_all(struct run *run, struct pollfd *lines)
{
    uint32_t count = run->pool->workers;
    for (uint32_t i = 0; i < count; i++)
        lines[i] = (struct pollfd){run->lines[i].process ? run->lines[i].line : -1, POLLIN, 0};
    if (poll(lines, count, TICK_MS) < 0)
        return;
    for (uint32_t i = 0; i < count; i++) {
        if (lines[i].revents)
            hear(run, &run->lines[i]);
        else if (run->lines[i].count)
            mind_silence(run, &run->lines[i]);
    }
}

/* It is no longer pending, so that it does not end the caller as well. */
static void take_interrupt(const struct run *run)
{
    sigset_t wanted;
    int signal_number;
    sigemptyset(&wanted);
    sigaddset(&wanted, run->interrupt);
    if (run->interrupt)
        sigwait(&wanted, &signal_number);
}

static void stop_all(struct run *run)
{
    for (uint32_t i = 0; i < run->pool->workers; i++) {
        struct line *line = &run->lines[i];
        if (!line->process)
            continue;
        if (run->interrupt)
            kill(line->process, SIGKILL);
        else
            shutdown(line->line, SHUT_WR); /* there is nothing more to do, and it leaves */
        line->count = 0;
        bury(run, line, RUN_POOL_DIED);
    }
}

static void run_all(struct run *run)
{
    struct pollfd *lines = base_realloc(NULL, run->pool->workers * sizeof *lines);
    run->began = clock_now_monotonic();
    while (run->taken < run->tasks && !run->interrupt) {
        for (uint32_t i = 0; i < run->pool->workers; i++)
            hand_out(run, &run->lines[i]);
        nap(run);
        listen_to_all(run, lines);
        take_in_order(run);
        if (run->pool->watch)
            run->pool->watch(run->pool->context, run->done);
        note_interrupt(run);
    }
    take_rest(run);
    base_free(lines);
}

/* A worker takes two files of this process, which needs some for what it opens. */
static uint32_t affordable(uint32_t workers)
{
    enum { SPARE = 16 };
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= SPARE + 2 * (rlim_t)workers)
        return workers;
    return files.rlim_cur > SPARE + 2 ? (uint32_t)(files.rlim_cur - SPARE) / 2 : 1;
}

int run_pool_run(const struct run_pool *wanted, size_t tasks)
{
    struct run_pool own = *wanted, *pool = &own;
    own.workers = affordable(wanted->workers);
    struct run *run = base_realloc(NULL, sizeof *run);
    *run = (struct run){.pool = pool, .tasks = tasks};
    run->lines = base_realloc(NULL, pool->workers * sizeof *run->lines);
    for (uint32_t i = 0; i < pool->workers; i++)
        run->lines[i] = (struct line){0};
    if (pool->solver)
        load_solver(run);
    list_interrupts(&run->heard);
    run_pool_hold_signals(&run->old_signals);
    run_all(run);
    stop_all(run);
    take_interrupt(run);
    sigprocmask(SIG_SETMASK, &run->old_signals, NULL);
    int interrupt = run->interrupt;
    for (uint32_t i = 0; i < pool->workers; i++)
        VEC_FREE(&run->lines[i].lost);
    base_free(run->lines);
    base_free(run);
    return interrupt;
}
