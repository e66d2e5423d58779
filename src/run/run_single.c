#include "run/run_single.h"

#include "base/pack.h"
#include "run/run_pool.h"
#include "run/run_progress.h"
#include "session/session_solver.h"

struct single {
    run_single_command *command;
    const void *const *contexts; /* per task */
    struct strbuf *outs, *errs;
    int status;
    struct run_progress progress;
};

static double seconds_of_part(double limit)
{
    return limit > 0 ? 1.25 * limit + 2 : 0;
}

double run_part_seconds(const struct session_settings *settings)
{
    return seconds_of_part(settings->timeout_seconds);
}

double run_part_cpu_seconds(const struct session_settings *settings)
{
    return seconds_of_part(settings->timeout_cpu);
}

static void work_on_task(void *context, size_t task, struct strbuf *answer,
                         struct run_worker *worker)
{
    struct single *single = context;
    SCOPED(strbuf) out = {0}, err = {0};
    enum run_status status =
        single->command(single->contexts[task], run_worker_parts(worker), &out, &err);
    pack_number(answer, (uint64_t)status);
    pack_bytes(answer, strbuf_text(&out), out.length);
    pack_bytes(answer, strbuf_text(&err), err.length);
}

static void raise_status(struct single *single, int status)
{
    if (status > single->status)
        single->status = status;
}

static void take_answer(void *context, size_t task, const struct run_pool_answer *answer)
{
    struct single *single = context;
    strbuf_add(&single->errs[task], answer->errors);
    if (answer->end == RUN_POOL_ANSWERED) {
        struct unpack from = unpack_start(answer->bytes, answer->length);
        raise_status(single, (int)unpack_number(&from));
        unpack_text(&from, &single->outs[task]);
        unpack_text(&from, &single->errs[task]);
        BASE_CHECK(unpack_whole(&from));
        return;
    }
    diag_say(&single->errs[task], "%s", answer->reason);
    raise_status(single, answer->end == RUN_POOL_DIED ? RUN_EXIT_INTERNAL : RUN_EXIT_UNKNOWN);
}

/* Nothing comes behind it. */
static void hear(void *context, size_t task, const char *bytes, size_t length)
{
    struct single *single = context;
    strbuf_add_bytes(&single->outs[task], bytes, length);
}

static void watch(void *context, size_t done)
{
    struct single *single = context;
    run_progress_tell(&single->progress, done);
}

int run_single_all(const struct session_settings *settings, uint32_t jobs,
                   run_single_command *command, const void *const *contexts, size_t tasks,
                   struct strbuf *outs, struct strbuf *errs)
{
    struct single single = {.command = command,
                            .contexts = contexts,
                            .outs = outs,
                            .errs = errs,
                            .status = RUN_EXIT_OK};
    run_progress_init(&single.progress, 0, "still looking");
    const struct run_pool pool = {.workers = jobs,
                                  .part_seconds = run_part_seconds(settings),
                                  .part_cpu_seconds = run_part_cpu_seconds(settings),
                                  .memory_mib = settings->memory_mib,
                                  .solver = session_solver_is_asked(settings->engine),
                                  .work = work_on_task,
                                  .take = take_answer,
                                  .hear = hear,
                                  .watch = watch,
                                  .context = &single};
    int interrupt = run_pool_run(&pool, tasks);
    run_progress_wipe(&single.progress);
    return interrupt ? 128 + interrupt : single.status;
}

int run_single_run(const struct session_settings *settings, run_single_command *command,
                   const void *context, struct strbuf *out, struct strbuf *err)
{
    return run_single_all(settings, 1, command, &context, 1, out, err);
}
