/* run_pool, run_checker and run_sandbox where there are no processes: in a browser, or another WebAssembly host.
 *
 * Tasks are done one after the other, by the caller, under a guard with one pool, since what a task
 * leaves in memory, such as models that were read, serves the next. After one that failed, or had
 * no more memory, nothing of that can be used, so the tasks behind it are not done either, and say
 * why. What a worker process would be kept from (files, connections, other processes) a WebAssembly
 * instance has not in the first place. Time limits are kept by the engines; a task that does not is
 * ended from outside, with the instance.
 */
#include "base/arena.h"
#include "base/guard.h"
#include "run/run_pool.h"

struct task {
    const struct run_pool *pool;
    size_t number;
    struct strbuf answer;
};

static void do_task(void *context)
{
    struct task *task = context;
    static const run_lost_parts none = {NULL, 0, 0};
    struct run_worker worker = {.line = -1, .checker = -1, .threads = 1, .lost = &none};
    task->pool->work(task->pool->context, task->number, &task->answer, &worker);
}

static struct run_pool_answer failure(const struct base_guard *guard)
{
    bool full = guard->failure == BASE_FAILURE_MEMORY;
    return (struct run_pool_answer){full ? RUN_POOL_FULL : RUN_POOL_DIED, "", 0, "",
                                    full ? "the memory limit was met" : guard->message};
}

/* False when it failed: the guard has the reason. */
static bool answer_task(const struct run_pool *pool, size_t number, struct base_guard *guard)
{
    struct task task = {.pool = pool, .number = number};
    if (!base_guard_call(guard, do_task, &task))
        return false;
    const struct run_pool_answer answer = {RUN_POOL_ANSWERED, strbuf_text(&task.answer),
                                           task.answer.length, "", ""};
    pool->take(pool->context, number, &answer);
    strbuf_fini(&task.answer);
    return true;
}

const struct run_checker *run_checker_find(struct arena *arena)
{
    (void)arena;
    return NULL;
}

bool run_checker_ask(int line, const char *certificate, struct strbuf *answer)
{
    (void)line;
    (void)certificate;
    strbuf_add(answer, "there are no other programs here");
    return false;
}

int run_pool_run(const struct run_pool *pool, size_t tasks)
{
    struct base_pool memory = {.limit = (size_t)pool->memory_mib << 20};
    struct base_guard guard = {.pool = &memory};
    bool sound = true;
    for (size_t i = 0; i < tasks; i++) {
        sound = sound && answer_task(pool, i, &guard);
        if (!sound) {
            const struct run_pool_answer answer = failure(&guard);
            pool->take(pool->context, i, &answer);
        }
        if (pool->watch)
            pool->watch(pool->context, i + 1);
    }
    base_pool_give(&memory, NULL);
    return 0;
}

void run_pool_hold_signals(sigset_t *old)
{
    sigemptyset(old);
}

struct session_parts run_worker_parts(struct run_worker *worker)
{
    return (struct session_parts){.context = worker, .threads = worker->threads};
}

void run_sandbox_init(struct run_sandbox *sandbox)
{
    sandbox->rules = -1;
}

/* Whoever started the instance ends it whole. */
bool run_pool_is_interrupted(void)
{
    return false;
}

void run_sandbox_fini(struct run_sandbox *sandbox)
{
    sandbox->rules = -1;
}

void run_sandbox_allow_folder(struct run_sandbox *sandbox, const char *folder)
{
    (void)sandbox;
    (void)folder;
}

void run_sandbox_allow_file(struct run_sandbox *sandbox, const char *file)
{
    (void)sandbox;
    (void)file;
}

unsigned run_sandbox_enter(const struct run_sandbox *sandbox)
{
    (void)sandbox;
    return 0;
}

void run_sandbox_describe(struct strbuf *out)
{
    strbuf_add(out,
               "workers: none; a WebAssembly instance has no files but its own, and no network\n");
}
