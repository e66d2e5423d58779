/* The caller polls the lines of all workers (run_line.h) at once. With small tasks a worker has
 * some ahead, as many as take AHEAD seconds. So it need not wait for the next one, and the caller
 * need not wake for each answer while no worker can run out. At most WINDOW tasks are handed out
 * beyond the oldest whose answer is missing, and none while MAX_WAITING bytes of answers wait for
 * their turn. */
#include "run/run_pool.h"

#include "base/clock.h"
#include "run/run_line.h"
#include "session/session_solver.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { WINDOW = 1024, TICK_MS = 200 };

/* When as much waits for its turn, nothing more is handed out until the oldest is answered. */
enum { MAX_WAITING = 64 << 20 };

/* For how many seconds tasks ahead may keep a worker; and how long the caller lies down when all
 * have enough for twice that. */
static const double AHEAD = 0.01, NAP = 0.0002;

static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

enum { INTERRUPTS = sizeof interrupts / sizeof *interrupts };

/* A task's answer that waits for its turn. */
struct kept {
    bool there;
    enum run_pool_end end;
    struct strbuf ahead, bytes, errors, reason;
};

struct run {
    const struct run_pool *pool;
    struct run_line *lines;
    struct kept *kept; /* a ring: kept_of */
    size_t window;     /* how long that is: WINDOW, or all tasks */
    size_t tasks, next, taken, done;
    struct timespec began;
    size_t waiting;  /* bytes of the answers that are kept */
    int interrupt;   /* the signal; 0: none */
    bool has_solver; /* it was loaded, or cannot be */
    sigset_t heard;  /* what interrupts it */
    sigset_t old_signals;
};

static struct kept *kept_of(struct run *run, size_t task)
{
    BASE_ASSERT(task >= run->taken && task < run->taken + run->window);
    return &run->kept[task % run->window];
}

static bool has_workers(const struct run *run)
{
    return ANY(i, run->pool->workers, run->lines[i].process);
}

/* Without room for one more those that there are go on; without any there is no way. */
static void start(struct run *run, struct run_line *line)
{
    if (!run_line_start(line, run->pool, run->has_solver) && !has_workers(run))
        base_die("cannot start a worker: %s", strerror(errno));
}

/* What a task takes, by those that are done; a second until then. */
static double seconds_each(const struct run *run)
{
    BASE_ASSERT(run->done <= run->next);
    double workers = run->pool->workers, done = (double)run->done;
    return run->done ? clock_seconds_since(&run->began) * workers / done : 1;
}

/* How many a worker may have: one until it is known how long they take, and fewer when not many are
 * left, as another may have time for them. */
static size_t may_have(const struct run *run)
{
    size_t left = (run->tasks - run->next) / (2 * (size_t)run->pool->workers),
           most = RUN_LINE_TASKS;
    double each = seconds_each(run);
    if (RUN_LINE_TASKS * each > AHEAD)
        most = (size_t)(AHEAD / each);
    most = most < left ? most : left;
    BASE_ASSERT(run->next <= run->tasks);
    return most ? most : 1;
}

/* A worker leaves by itself when it has done its tasks and no more will come, while its last
 * answers are taken. */
static void end_lines(struct run *run)
{
    for (uint32_t i = 0; i < run->pool->workers && run->next == run->tasks; i++)
        run_line_end(&run->lines[i]);
}

/* Nothing while it has half of what it may have. */
static void hand_out(struct run *run, struct run_line *line)
{
    size_t most = may_have(run);
    uint32_t count = 0;
    if (run->interrupt || run->waiting >= MAX_WAITING || line->count > most / 2)
        return;
    if (!line->process && run->next < run->tasks)
        start(run, line);
    if (!line->process)
        return;
    while (line->count < most && run->next < run->tasks && run->next - run->taken < run->window) {
        line->tasks[line->count++] = run->next++;
        BASE_ASSERT(line->count <= RUN_LINE_TASKS);
        count++;
    }
    if (count)
        run_line_send(line, count);
    end_lines(run);
}

static void hear_ahead(struct run *run, size_t task, struct strbuf *ahead)
{
    if (ahead->length && run->pool->hear)
        run->pool->hear(run->pool->context, task, strbuf_text(ahead), ahead->length);
    run->waiting -= ahead->length;
    strbuf_fini(ahead);
}

static void take_task(struct run *run, size_t task)
{
    struct kept *kept = kept_of(run, task);
    hear_ahead(run, task, &kept->ahead);
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
    for (; run->taken < run->tasks && kept_of(run, run->taken)->there; run->taken++)
        take_task(run, run->taken);
    EACH (struct run_line, line, run->lines, run->pool->workers)
        if (line->count && line->tasks[0] == run->taken)
            hear_ahead(run, run->taken, &line->ahead);
}

/* What is done when an interrupt comes, gaps left out. */
static void take_rest(struct run *run)
{
    for (; run->taken < run->next; run->taken++)
        if (kept_of(run, run->taken)->there)
            take_task(run, run->taken);
}

static void hear_so_far(struct run *run)
{
    EACH (const struct run_line, line, run->lines, run->pool->workers)
        if (line->count && line->so_far.length && run->pool->hear)
            run->pool->hear(run->pool->context, line->tasks[0], strbuf_text(&line->so_far),
                            line->so_far.length);
}

/* An answer to the task at hand, or its end without one. */
static struct kept *keep_answer(struct run *run, struct run_line *line, enum run_pool_end end)
{
    struct kept *kept = kept_of(run, line->tasks[0]);
    *kept = (struct kept){.there = true, .end = end, .ahead = line->ahead, .errors = line->said};
    line->ahead = line->said = (struct strbuf){0};
    run->waiting += kept->errors.length;
    run_line_next(line);
    run->done++;
    return kept;
}

/* Did the worker run out of its memory? */
static bool is_full(const struct run *run, int status)
{
    return run->pool->memory_mib && WIFEXITED(status) &&
           (WEXITSTATUS(status) == RUN_LINE_FULL || WEXITSTATUS(status) == RUN_LINE_LOADER_FAILED);
}

static void add_reason(const struct run *run, enum run_pool_end end, int status, struct strbuf *out)
{
    if (end == RUN_POOL_LATE && run->pool->part_cpu_seconds > 0)
        strbuf_add(out, "the time limit ran out: its worker was stopped");
    else if (end == RUN_POOL_LATE)
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
 * Not without the part at which a limit was met, unless the worker had done other tasks before,
 * whose memory it may be: what becomes of a task does not depend on those before. A part that is
 * passed over and still meets a limit is the end. */
static bool may_retry(struct run *run, struct run_line *line, enum run_pool_end end, int status)
{
    if (run->interrupt)
        return false;
    if (end == RUN_POOL_DIED && WIFEXITED(status) && WEXITSTATUS(status) == RUN_LINE_WANTS_SOLVER &&
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

/* With the tasks that are left. */
static void start_again(struct run *run, struct run_line *line)
{
    if (!run_line_start(line, run->pool, run->has_solver))
        base_die("cannot start a worker again: %s", strerror(errno));
    run_line_send(line, line->count);
    end_lines(run);
}

static void bury(struct run *run, struct run_line *line, enum run_pool_end end)
{
    if (end == RUN_POOL_LATE)
        kill(line->process, SIGKILL);
    int status = run_line_await_end(line);
    if (end == RUN_POOL_DIED && is_full(run, status))
        end = RUN_POOL_FULL;
    if (end == RUN_POOL_FULL)
        strbuf_clear(&line->said);
    if (line->count && !may_retry(run, line, end, status))
        add_reason(run, end, status, &keep_answer(run, line, end)->reason);
    else if (!line->count && !run->interrupt && status != 0)
        base_die("internal error: a worker that had done its tasks did not leave as it should: %s",
                 strbuf_text(&line->said));
    run_line_drop(line);
    if (line->count)
        start_again(run, line);
}

/* False when something was not as agreed. */
static bool read_answers(struct run *run, struct run_line *line)
{
    size_t at = 0, length;
    const char *answer;
    enum run_line_news news;
    while ((news = run_line_read(line, &at, &answer, &length)) == RUN_LINE_ANSWER ||
           news == RUN_LINE_PART) {
        const bool part = news == RUN_LINE_PART;
        strbuf_add_bytes(part ? &line->ahead : &keep_answer(run, line, RUN_POOL_ANSWERED)->bytes,
                         answer, length);
        run->waiting += length;
    }
    run_line_forget(line, at);
    return news != RUN_LINE_FAULT;
}

static void hear(struct run *run, struct run_line *line)
{
    if (!run_line_hear(line)) {
        bury(run, line, RUN_POOL_DIED);
    } else if (!read_answers(run, line)) {
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

bool run_pool_is_interrupted(void)
{
    sigset_t pending;
    /* not 0 behind a guard, where no signal is held */
    return sigpending(&pending) == 0 &&
           ANY(i, INTERRUPTS, sigismember(&pending, interrupts[i]) == 1);
}

int run_pool_put_off(void)
{
    sigset_t pending, one;
    int number = 0;
    sigpending(&pending);
    for (int i = 0; i < INTERRUPTS && !number; i++)
        number = sigismember(&pending, interrupts[i]) == 1 ? interrupts[i] : 0;
    if (!number)
        return 0;
    sigemptyset(&one);
    sigaddset(&one, number);
    sigwait(&one, &number);
    return number;
}

void run_pool_put_back(int number)
{
    if (number)
        raise(number);
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

/* The worker's processor time since it was heard, but for what was used before the first call. */
static double cpu_since_heard(struct run_line *line)
{
    const double used = clock_cpu_seconds_of(line->process);
    if (memcmp(&line->measured, &line->heard, sizeof line->heard) != 0) {
        line->measured = line->heard;
        line->cpu_then = used;
    }
    return used - line->cpu_then;
}

/* It says nothing on its line, be it that it waits for somebody to hear its words. */
static void mind_silence(struct run *run, struct run_line *line)
{
    double silent = clock_seconds_since(&line->heard);
    if (silent > TICK_MS / 1000.0)
        run_line_make_room(line);
    if (run->pool->part_seconds > 0 && silent > run->pool->part_seconds)
        bury(run, line, RUN_POOL_LATE);
    else if (run->pool->part_cpu_seconds > 0 && silent > TICK_MS / 1000.0 &&
             cpu_since_heard(line) > run->pool->part_cpu_seconds)
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

static void stop_all(struct run *run)
{
    EACH (struct run_line, line, run->lines, run->pool->workers) {
        if (!line->process)
            continue;
        if (run->interrupt)
            kill(line->process, SIGKILL);
        else
            run_line_end(line);
        line->count = 0;
        bury(run, line, RUN_POOL_DIED);
    }
}

static void run_all(struct run *run)
{
    struct pollfd *lines = base_realloc(NULL, run->pool->workers * sizeof *lines);
    run->began = clock_now_monotonic();
    note_interrupt(run);
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
    if (run->interrupt)
        hear_so_far(run);
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
    *run = (struct run){.pool = pool, .tasks = tasks, .window = tasks < WINDOW ? tasks : WINDOW};
    run->kept = base_realloc(NULL, (run->window + 1) * sizeof *run->kept);
    memset(run->kept, 0, run->window * sizeof *run->kept);
    run->lines = base_realloc(NULL, pool->workers * sizeof *run->lines);
    for (uint32_t i = 0; i < pool->workers; i++)
        run->lines[i] = (struct run_line){0};
    if (pool->solver)
        load_solver(run);
    list_interrupts(&run->heard);
    run_pool_hold_signals(&run->old_signals);
    run_all(run);
    stop_all(run);
    int interrupt = run->interrupt;
    if (!interrupt)
        sigprocmask(SIG_SETMASK, &run->old_signals, NULL);
    for (uint32_t i = 0; i < pool->workers; i++)
        run_line_fini(&run->lines[i]);
    base_free(run->lines);
    base_free(run->kept);
    base_free(run);
    return interrupt;
}
