/* Worker processes: answers in order, and what becomes of a task whose worker dies or is
 * silent. */
#include "unit.h"

#include "base/arena.h"
#include "run/run_pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    TASKS = 40,
    DIES = 3,
    LEAVES = 5,
    SLEEPS = 7,
    SAYS = 9,
};

struct taken {
    size_t order[TASKS], count, watched;
    enum run_pool_end ends[TASKS];
    char bytes[TASKS][64], errors[TASKS][256], reasons[TASKS][128];
    size_t interrupt_at; /* 0: never */
    int signal;
};

static void copy(char *to, size_t room, const char *text)
{
    snprintf(to, room, "%s", text);
}

static void take(void *context, size_t task, const struct run_pool_answer *answer)
{
    struct taken *taken = context;
    taken->order[taken->count++] = task;
    taken->ends[task] = answer->end;
    if (answer->end == RUN_POOL_ANSWERED) {
        CU_ASSERT_EQUAL(answer->length, strlen(answer->bytes));
        copy(taken->bytes[task], sizeof taken->bytes[task], answer->bytes);
    } else {
        copy(taken->reasons[task], sizeof taken->reasons[task], answer->reason);
    }
    copy(taken->errors[task], sizeof taken->errors[task], answer->errors);
    if (taken->interrupt_at && taken->count == taken->interrupt_at)
        raise(taken->signal);
}

static void watch(void *context, size_t done)
{
    struct taken *taken = context;
    CU_ASSERT(done >= taken->watched);
    taken->watched = done;
}

static void answer(void *context, size_t task, struct strbuf *out, struct run_worker *worker)
{
    (void)context;
    (void)worker;
    strbuf_printf(out, "task %zu", task);
}

static void answer_or_fail(void *context, size_t task, struct strbuf *out,
                           struct run_worker *worker)
{
    answer(context, task, out, worker);
    if (task == DIES)
        raise(SIGKILL);
    if (task == LEAVES)
        _exit(70);
    if (task == SLEEPS)
        sleep(60);
    if (task == SAYS)
        fputs("a word\n", stderr);
}

static void expect_order(const struct taken *taken)
{
    CU_ASSERT_EQUAL_FATAL(taken->count, TASKS);
    for (size_t i = 0; i < TASKS; i++)
        CU_ASSERT_EQUAL(taken->order[i], i);
}

static void expect_answer(const struct taken *taken, size_t task)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "task %zu", task);
    CU_ASSERT_EQUAL(taken->ends[task], RUN_POOL_ANSWERED);
    CU_ASSERT_STRING_EQUAL(taken->bytes[task], wanted);
}

static void test_order(void)
{
    for (uint32_t workers = 1; workers <= 3; workers++) {
        struct taken taken = {.count = 0};
        struct run_pool pool = {
            .workers = workers, .work = answer, .take = take, .watch = watch, .context = &taken};
        CU_ASSERT_EQUAL(0, run_pool_run(&pool, TASKS));
        expect_order(&taken);
        CU_ASSERT_EQUAL(taken.watched, TASKS);
        for (size_t i = 0; i < TASKS; i++)
            expect_answer(&taken, i);
    }
}

/* Says its first part, then two of one name behind a part that takes too long the first time. */
static void answer_ahead(void *context, size_t task, struct strbuf *out, struct run_worker *worker)
{
    const struct session_parts parts = run_worker_parts(worker);
    SCOPED(strbuf) text = {0};
    strbuf_printf(&text, "%zu.", task);
    parts.say(parts.context, "first", &text);
    if (parts.begin(parts.context) == SESSION_LOSS_NONE && task == SLEEPS)
        sleep(60);
    parts.say(parts.context, "second", &text);
    parts.say(parts.context, "second", &text);
    answer(context, task, out, worker);
}

struct heard {
    struct taken taken;
    struct strbuf said;
};

static void hear(void *context, size_t task, const char *bytes, size_t length)
{
    struct heard *heard = context;
    CU_ASSERT_EQUAL(task, heard->taken.count); /* its turn, and before its answer */
    strbuf_add_bytes(&heard->said, bytes, length);
}

/* Parts of answers come in the order of the tasks, what was heard before once, though a task is done again. */
static void test_ahead(void)
{
    struct heard heard = {.said = {0}};
    SCOPED(strbuf) wanted = {0};
    struct run_pool pool = {.workers = 2,
                            .part_seconds = 0.5,
                            .work = answer_ahead,
                            .take = take,
                            .hear = hear,
                            .context = &heard};
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, TASKS));
    expect_order(&heard.taken);
    for (size_t i = 0; i < TASKS; i++) {
        expect_answer(&heard.taken, i);
        strbuf_printf(&wanted, "%zu.%zu.%zu.", i, i, i);
    }
    CU_ASSERT_STRING_EQUAL(strbuf_text(&heard.said), strbuf_text(&wanted));
    strbuf_fini(&heard.said);
}

/* Words of its own, and every tenth task is as long as a caller waits in silence. */
static void answer_aloud(void *context, size_t task, struct strbuf *out, struct run_worker *worker)
{
    static const struct timespec pause = {0, 210000000};
    if (task % 10 == 5)
        nanosleep(&pause, NULL);
    fprintf(stderr, "word %zu\n", task);
    answer(context, task, out, worker);
}

/* Words are of the task that said them, though its worker has others ahead. */
static void test_own_words(void)
{
    struct taken taken = {.count = 0};
    struct run_pool pool = {.workers = 2, .work = answer_aloud, .take = take, .context = &taken};
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, TASKS));
    expect_order(&taken);
    for (size_t i = 0; i < TASKS; i++) {
        char words[32];
        snprintf(words, sizeof words, "word %zu\n", i);
        CU_ASSERT_STRING_EQUAL(taken.errors[i], words);
    }
}

static void test_harm(void)
{
    struct taken taken = {.count = 0};
    struct run_pool pool = {
        .workers = 2, .part_seconds = 0.5, .work = answer_or_fail, .take = take, .context = &taken};
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, TASKS));
    expect_order(&taken);
    for (size_t i = 0; i < TASKS; i++)
        if (i != DIES && i != LEAVES && i != SLEEPS)
            expect_answer(&taken, i);
    CU_ASSERT_EQUAL(taken.ends[DIES], RUN_POOL_DIED);
    CU_ASSERT_PTR_NOT_NULL(strstr(taken.reasons[DIES], "signal 9"));
    CU_ASSERT_EQUAL(taken.ends[LEAVES], RUN_POOL_DIED);
    CU_ASSERT_STRING_EQUAL(taken.reasons[LEAVES], "its worker left with status 70");
    CU_ASSERT_EQUAL(taken.ends[SLEEPS], RUN_POOL_LATE);
    CU_ASSERT_STRING_EQUAL(taken.reasons[SLEEPS],
                           "the time limit ran out: its worker was stopped after 0.5 s");
    CU_ASSERT_STRING_EQUAL(taken.errors[SAYS], "a word\n");
    CU_ASSERT_STRING_EQUAL(taken.errors[SAYS + 1], "");
}

/* Of parts that take no notice of the time. */
static void answer_or_spin(void *context, size_t task, struct strbuf *out,
                           struct run_worker *worker)
{
    volatile bool spins = task == LEAVES;
    if (task == SLEEPS)
        sleep(2);
    while (spins)
        continue;
    answer(context, task, out, worker);
}

/* Who sleeps for 2 s has used no 0.5 s of the processor; who never ends has, some time. */
static void test_processor_time(void)
{
    struct taken taken = {.count = 0};
    struct run_pool pool = {.workers = 2,
                            .part_cpu_seconds = 0.5,
                            .work = answer_or_spin,
                            .take = take,
                            .context = &taken};
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, TASKS));
    expect_order(&taken);
    for (size_t i = 0; i < TASKS; i++)
        if (i != LEAVES)
            expect_answer(&taken, i);
    CU_ASSERT_EQUAL(taken.ends[LEAVES], RUN_POOL_LATE);
    CU_ASSERT_STRING_EQUAL(taken.reasons[LEAVES], "the time limit ran out: its worker was stopped");
}

/* So that a worker has two at most, as they take ten milliseconds together. */
static void answer_slowly(void *context, size_t task, struct strbuf *out, struct run_worker *worker)
{
    static const struct timespec pause = {0, 5000000};
    nanosleep(&pause, NULL);
    answer(context, task, out, worker);
}

static void take_signal(int number)
{
    sigset_t set;
    int taken;
    sigemptyset(&set);
    sigaddset(&set, number);
    CU_ASSERT_EQUAL(0, sigwait(&set, &taken));
    sigemptyset(&set);
    sigprocmask(SIG_SETMASK, &set, NULL);
}

/* One worker has answered ten tasks when the interrupt comes; at most two more are under way. */
static void expect_interrupt(int number)
{
    struct taken taken = {.interrupt_at = 10, .signal = number};
    struct sigaction usual = {.sa_handler = SIG_DFL}, old;
    sigaction(number, &usual, &old); /* a test run in the background has some ignored */
    struct run_pool pool = {.workers = 1, .work = answer_slowly, .take = take, .context = &taken};
    CU_ASSERT_EQUAL(number, run_pool_run(&pool, TASKS));
    CU_ASSERT(run_pool_is_interrupted()); /* to the end of a process, but of this one */
    take_signal(number);
    sigaction(number, &old, NULL);
    CU_ASSERT(taken.count >= 10);
    CU_ASSERT(taken.count <= 12);
    for (size_t i = 0; i < taken.count; i++)
        CU_ASSERT_EQUAL(taken.order[i], i);
}

static void test_interrupt(void)
{
    expect_interrupt(SIGINT);
    expect_interrupt(SIGTERM);
    expect_interrupt(SIGHUP);
    expect_interrupt(SIGQUIT);
}

/* One that is ignored, as by nohup, interrupts nothing. */
static void test_ignored(void)
{
    struct taken taken = {.interrupt_at = 10, .signal = SIGHUP};
    struct sigaction ignored = {.sa_handler = SIG_IGN}, old;
    sigaction(SIGHUP, &ignored, &old);
    struct run_pool pool = {.workers = 1, .work = answer, .take = take, .context = &taken};
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, TASKS));
    sigaction(SIGHUP, &old, NULL);
    expect_order(&taken);
}

/* Three parts. What was lost of them is told in the answer; the second is late when it is begun,
 * the third of one task takes all the memory there is. */
static void answer_in_parts(void *context, size_t task, struct strbuf *out,
                            struct run_worker *worker)
{
    const struct session_parts parts = run_worker_parts(worker);
    (void)context;
    for (int part = 1; part <= 3; part++) {
        enum session_loss loss = session_part_begin(&parts);
        strbuf_printf(out, "%d", (int)loss);
        if (loss == SESSION_LOSS_NONE && part == 2 && task == SLEEPS)
            sleep(60);
        if (loss == SESSION_LOSS_NONE && part == 3 && (task == SLEEPS || task == DIES))
            base_fail(BASE_FAILURE_MEMORY, "out of memory");
    }
}

/* A part that is lost costs the task nothing else, and no other task. When a process dies, a
 * sanitizer looks at all of its memory, which takes seconds. */
static void test_parts(void)
{
    struct taken taken = {.count = 0};
    struct run_pool pool = {.workers = 2,
                            .part_seconds = 8,
                            .memory_mib = 512,
                            .work = answer_in_parts,
                            .take = take,
                            .context = &taken};
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, TASKS));
    expect_order(&taken);
    for (size_t i = 0; i < TASKS; i++) {
        const char *wanted = i == SLEEPS ? "012" : i == DIES ? "002" : "000";
        CU_ASSERT_EQUAL(taken.ends[i], RUN_POOL_ANSWERED);
        CU_ASSERT_STRING_EQUAL(taken.bytes[i], wanted);
        CU_ASSERT_STRING_EQUAL(taken.errors[i], "");
    }
}

/* Three runs whose engine is to be chosen. The second is dear, and leaves as one that lacks the
 * solver does, unless that is known. */
static void answer_in_choices(void *context, size_t task, struct strbuf *out,
                              struct run_worker *worker)
{
    enum { LACKS_SOLVER = 71 };
    const struct session_parts parts = run_worker_parts(worker);
    (void)context;
    for (int run = 1; run <= 3; run++) {
        bool dear = session_choice_begin(&parts);
        strbuf_printf(out, "%d", (int)dear);
        if (task != SLEEPS || run != 2 || dear)
            continue;
        session_choice_is_dear(&parts);
        _exit(LACKS_SOLVER);
    }
}

/* Who does the task again knows which run is dear; no other task has one. */
static void test_dear(void)
{
    struct taken taken = {.count = 0};
    struct run_pool pool = {
        .workers = 1, .work = answer_in_choices, .take = take, .context = &taken};
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, TASKS));
    expect_order(&taken);
    for (size_t i = 0; i < TASKS; i++) {
        CU_ASSERT_EQUAL(taken.ends[i], RUN_POOL_ANSWERED);
        CU_ASSERT_STRING_EQUAL(taken.bytes[i], i == SLEEPS ? "010" : "000");
    }
}

/* Past its limit a worker gets no memory, and the task is lost, as it has no parts. */
static void take_memory(void *context, size_t task, struct strbuf *out, struct run_worker *worker)
{
    (void)worker;
    (void)context;
    size_t size = (size_t)256 << 20;
    char *bytes = base_realloc(NULL, size);
    memset(bytes, 1, size);
    strbuf_printf(out, "task %zu has %d", task, bytes[size - 1]);
    base_free(bytes);
}

static void test_memory(void)
{
    (void)take_memory; /* where workers have no limit */
#ifndef CRASHLIT_UNCONFINED
    struct taken taken = {.count = 0};
    struct run_pool pool = {
        .workers = 1, .memory_mib = 64, .work = take_memory, .take = take, .context = &taken};
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, 1));
    CU_ASSERT_EQUAL(taken.ends[0], RUN_POOL_FULL);
    CU_ASSERT_STRING_EQUAL(taken.errors[0], "");
    pool.memory_mib = 512;
    taken.count = 0;
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, 1));
    CU_ASSERT_EQUAL(taken.ends[0], RUN_POOL_ANSWERED);
#endif
}

static void *lack_memory(void *context)
{
    (void)context;
    base_fail(BASE_FAILURE_MEMORY, "out of memory (of a thread)");
}

/* Ways to end. A thread that a task has started has no guard; the loader of libraries leaves with
 * 127; and a worker may speak of memory and end for another reason. */
static void end_in_a_way(void *context, size_t task, struct strbuf *out, struct run_worker *worker)
{
    (void)context;
    (void)out;
    (void)worker;
    pthread_t thread;
    if (task == 0 && pthread_create(&thread, NULL, lack_memory, NULL) == 0)
        pthread_join(thread, NULL);
    if (task == 1)
        _exit(127);
    fputs("out of memory: bad_alloc, cannot allocate memory\n", stderr);
    if (task == 2)
        base_die("out of memory");
    raise(SIGKILL);
}

/* By the status that it left with, and no word. Without a limit there is none to meet. */
static void test_ends(void)
{
    struct taken taken = {.count = 0};
    struct run_pool pool = {
        .workers = 1, .memory_mib = 512, .work = end_in_a_way, .take = take, .context = &taken};
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, 4));
    CU_ASSERT_EQUAL(taken.ends[0], RUN_POOL_FULL);
    CU_ASSERT_STRING_EQUAL(taken.errors[0], "");
    CU_ASSERT_EQUAL(taken.ends[1], RUN_POOL_FULL);
    CU_ASSERT_EQUAL(taken.ends[2], RUN_POOL_DIED);
    CU_ASSERT_STRING_EQUAL(taken.reasons[2], "its worker left with status 70");
    CU_ASSERT_EQUAL(taken.ends[3], RUN_POOL_DIED);
    pool.memory_mib = 0;
    taken.count = 0;
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, 1));
    CU_ASSERT_EQUAL(taken.ends[0], RUN_POOL_DIED);
    CU_ASSERT_STRING_EQUAL(taken.reasons[0], "its worker left with status 72");
}

static void test_nothing(void)
{
    struct taken taken = {.count = 0};
    struct run_pool pool = {.workers = 2, .work = answer, .take = take, .context = &taken};
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, 0));
    CU_ASSERT_EQUAL(taken.count, 0);
}

/* An answer larger than any pipe. */
static void answer_at_length(void *context, size_t task, struct strbuf *out,
                             struct run_worker *worker)
{
    (void)context;
    (void)worker;
    for (size_t i = 0; i < 300000; i++)
        strbuf_add_char(out, (char)('a' + task));
}

static void take_length(void *context, size_t task, const struct run_pool_answer *answer_taken)
{
    size_t *total = context;
    CU_ASSERT_EQUAL(answer_taken->length, 300000);
    CU_ASSERT_EQUAL(answer_taken->bytes[299999], (char)('a' + task));
    *total += answer_taken->length;
}

static void test_length(void)
{
    size_t total = 0;
    struct run_pool pool = {
        .workers = 2, .work = answer_at_length, .take = take_length, .context = &total};
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, 3));
    CU_ASSERT_EQUAL(total, 900000);
}

/* The first answer is late, the others are large: few of them wait for it. */
enum { LARGE = 16 << 20 };

static void answer_largely(void *context, size_t task, struct strbuf *out,
                           struct run_worker *worker)
{
    (void)context;
    (void)worker;
    if (task == 0)
        sleep(2);
    char *bytes = base_realloc(NULL, LARGE);
    memset(bytes, 'a', LARGE);
    strbuf_add_bytes(out, bytes, task == 0 ? 1 : LARGE);
    base_free(bytes);
}

struct waited {
    size_t count, done_before;
};

static void take_largely(void *context, size_t task, const struct run_pool_answer *given)
{
    struct waited *waited = context;
    CU_ASSERT_EQUAL(task, waited->count);
    CU_ASSERT_EQUAL(given->length, task == 0 ? 1 : LARGE);
    waited->count++;
}

static void watch_largely(void *context, size_t done)
{
    struct waited *waited = context;
    if (waited->count == 0)
        waited->done_before = done;
}

static void test_waiting(void)
{
    struct waited waited = {.count = 0};
    struct run_pool pool = {.workers = 2,
                            .work = answer_largely,
                            .take = take_largely,
                            .watch = watch_largely,
                            .context = &waited};
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, TASKS));
    CU_ASSERT_EQUAL(waited.count, TASKS);
    CU_ASSERT(waited.done_before > 0); /* 64 MiB are four of them */
    CU_ASSERT(waited.done_before <= 4);
}

/* ---- A worker that a test has taken over ---- */

/* The second answer, which nobody asked for, would be another task's. */
static void answer_twice(void *context, size_t task, struct strbuf *out, struct run_worker *worker)
{
    (void)context;
    struct run_worker_head head = {.length = 6, .task = (uint32_t)task};
    for (int i = 0; i < 2; i++) {
        strbuf_add_bytes(out, (const char *)&head, sizeof head);
        strbuf_add(out, "forged");
    }
    (void)!run_worker_write(worker->line, strbuf_text(out) + sizeof head,
                            out->length - sizeof head);
    sleep(60);
}

/* Never ends, as it says. */
static void answer_without_end(void *context, size_t task, struct strbuf *out,
                               struct run_worker *worker)
{
    (void)context;
    (void)out;
    struct run_worker_head head = {.length = (uint64_t)1 << 40, .task = (uint32_t)task};
    (void)!run_worker_write(worker->line, &head, sizeof head);
    sleep(60);
}

/* Answers for a task that it does not have. */
static void answer_another(void *context, size_t task, struct strbuf *out,
                           struct run_worker *worker)
{
    (void)context;
    (void)out;
    struct run_worker_head head = {.task = (uint32_t)task + 1};
    (void)!run_worker_write(worker->line, &head, sizeof head);
    sleep(60);
}

static void take_death(void *context, size_t task, const struct run_pool_answer *given)
{
    (void)context;
    CU_ASSERT_EQUAL(task, 0);
    CU_ASSERT_EQUAL(given->end, RUN_POOL_DIED);
}

/* The status that a process leaves with whose worker is such, which did its task. */
static int status_with_forger(void)
{
    int status = 0;
    fflush(stdout);
    pid_t process = fork();
    if (process == 0) {
        struct run_pool pool = {.workers = 1, .work = answer_twice, .take = take_death};
        (void)!freopen("/dev/null", "w", stderr);
        _exit(run_pool_run(&pool, TASKS));
    }
    waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_forgery(void)
{
    enum { INTERNAL = 70 };
    CU_ASSERT_EQUAL(status_with_forger(), INTERNAL);
    struct run_pool pool = {.workers = 1, .work = answer_without_end, .take = take_death};
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, 1));
    pool.work = answer_another;
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, 1));
}

/* What the caller had in its buffers is not a worker's to write when it dies, least of all on its
 * line: this would be an answer there. */
static void test_buffers(void)
{
    struct taken taken = {.count = 0};
    const uint64_t length = 6;
    FILE *file = tmpfile();
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    int copy_of_third = dup(3);
    FILE *third = fdopen(dup2(fileno(file), 3), "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(third);
    fwrite(&length, sizeof length, 1, third);
    fputs("forged", third);
    struct run_pool pool = {.workers = 1,
                            .memory_mib = 512,
                            .part_seconds = 20,
                            .work = answer_in_parts,
                            .take = take,
                            .context = &taken};
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, DIES + 1));
    CU_ASSERT_EQUAL(taken.ends[DIES], RUN_POOL_ANSWERED);
    CU_ASSERT_STRING_EQUAL(taken.bytes[DIES], "002");
    fclose(third);
    fclose(file);
    if (copy_of_third >= 0)
        dup2(copy_of_third, 3);
    close(copy_of_third);
}

/* Words without end neither fill the caller nor keep it from the clock. */
static void say_without_end(void *context, size_t task, struct strbuf *out,
                            struct run_worker *worker)
{
    char words[4096];
    answer(context, task, out, worker);
    memset(words, 'w', sizeof words);
    while (task == SAYS)
        (void)!write(STDERR_FILENO, words, sizeof words);
}

static void take_words(void *context, size_t task, const struct run_pool_answer *given)
{
    enum { MOST = 5 << 20 };
    size_t *late = context;
    *late += given->end == RUN_POOL_LATE && strlen(given->errors) <= MOST;
    CU_ASSERT_EQUAL(given->end, task == SAYS ? RUN_POOL_LATE : RUN_POOL_ANSWERED);
}

static void test_words(void)
{
    size_t late = 0;
    struct run_pool pool = {.workers = 2,
                            .part_seconds = 0.5,
                            .work = say_without_end,
                            .take = take_words,
                            .context = &late};
    CU_ASSERT_EQUAL(0, run_pool_run(&pool, SAYS + 2));
    CU_ASSERT_EQUAL(late, 1);
}

void suite_run_pool(void)
{
    CU_pSuite suite = CU_add_suite("run_pool", NULL, NULL);
    UNIT_TEST(suite, test_order);
    UNIT_TEST(suite, test_own_words);
    UNIT_TEST(suite, test_ahead);
    UNIT_TEST(suite, test_harm);
    UNIT_TEST(suite, test_processor_time);
    UNIT_TEST(suite, test_interrupt);
    UNIT_TEST(suite, test_ignored);
    UNIT_TEST(suite, test_parts);
    UNIT_TEST(suite, test_dear);
    UNIT_TEST(suite, test_memory);
    UNIT_TEST(suite, test_ends);
    UNIT_TEST(suite, test_nothing);
    UNIT_TEST(suite, test_length);
    UNIT_TEST(suite, test_waiting);
    UNIT_TEST(suite, test_forgery);
    UNIT_TEST(suite, test_buffers);
    UNIT_TEST(suite, test_words);
}
