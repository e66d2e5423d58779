#include "cli/cli_run.h"

#include "cli/cli_engines.h"
#include "engine/recheck.h"
#include "litmus/lit_parse.h"
#include "report/report.h"

void cli_test_init(struct cli_test *test, const char *path, struct strbuf *err)
{
    const char *why;
    *test = (struct cli_test){.names = intern_new()};
    arena_init(&test->arena);
    diag_init(&test->diag);
    const struct source *source = source_load(&test->arena, path, &why);
    if (source)
        test->program = lit_parse(&test->arena, test->names, source, &test->diag);
    else
        diag_error(&test->diag, DIAG_FILE_READ, (struct span){NULL, 0, 0, 0, 0},
                   "cannot read '%s': %s", path, why);
    diag_render(&test->diag, err);
}

void cli_test_fini(struct cli_test *test)
{
    diag_fini(&test->diag);
    intern_free(test->names);
    arena_fini(&test->arena);
}

enum exec_crash_mode cli_crash_mode(const struct cli_options *options,
                                    const struct lit_program *program)
{
    switch (options->crash) {
    case CLI_CRASH_ANYWHERE: return EXEC_CRASH_ANYWHERE;
    case CLI_CRASH_POINTS: return EXEC_CRASH_POINTS;
    case CLI_CRASH_END: return EXEC_CRASH_END;
    case CLI_CRASH_DEFAULT: break;
    }
    return engine_default_crash_mode(program);
}

struct watch {
    const struct engine_request *request;
    const struct engine_request *recovery; /* while a run of it shows witnesses, else NULL */
    struct recheck *recheck, *recovery_recheck;
    struct strbuf *out;                 /* NULL: witnesses are not printed */
    struct report_gallery *gallery;     /* NULL: nor kept */
    const struct outcome_states *crash; /* for its columns */
    const int64_t *only;                /* the one state to print, NULL: all */
    bool only_crash;                    /* that state is a crash state */
};

static bool is_wanted(const struct watch *watch, const struct engine_witness *witness)
{
    if (!watch->out || !watch->only)
        return watch->out != NULL;
    if (watch->recovery)
        return false;
    if ((witness->cut != NULL) != watch->only_crash)
        return false;
    for (uint32_t i = 0; i < witness->width; i++)
        if (witness->row[i] != watch->only[i])
            return false;
    return true;
}

/* A witness that does not stand would make a wrong verdict: that is our bug. */
static void on_witness(void *context, const struct engine_witness *witness)
{
    struct watch *watch = context;
    const char *fault =
        recheck_witness(watch->recovery ? watch->recovery_recheck : watch->recheck, witness);
    if (fault)
        base_die("internal error: %s: %s", watch->request->program->source->name, fault);
    if (is_wanted(watch, witness))
        report_witness(watch->recovery ? watch->recovery : watch->request, witness, watch->out);
    if (watch->gallery && !watch->recovery)
        report_gallery_add(watch->gallery, watch->request, witness);
}

/* Each run of recovery is a program of its own, so it is rechecked anew. */
static void on_recovery(void *context, const struct engine_request *recovery, const int64_t *start)
{
    struct watch *watch = context;
    if (watch->recovery_recheck)
        recheck_free(watch->recovery_recheck);
    watch->recovery_recheck = recovery ? recheck_new(recovery) : NULL;
    watch->recovery = recovery;
    if (!recovery || !watch->out || watch->only)
        return;
    strbuf_add(watch->out, "Recovery from ");
    report_text_row(watch->request->program, watch->crash->items, watch->crash->width, start,
                    watch->out);
}

static void run(const struct cli_case *question, const struct engine_entry *engine,
                struct outcome *outcome, struct watch *watch)
{
    const struct cli_options *options = question->options;
    struct engine_request request = {
        .program = question->program,
        .model = question->model->model,
        .plan = question->model->plan,
        .crash_mode = cli_crash_mode(options, question->program),
        .limits = {options->unroll, options->timeout_seconds, options->memory_mib},
        .decide = options->decide,
        .conditions_alone = options->conditions_alone,
        .recovery_crash = options->recovery_crash,
        .rounds = options->rounds,
        .on_witness = on_witness,
        .on_recovery = on_recovery,
        .context = watch};
    watch->request = &request;
    watch->crash = &outcome->crash;
    watch->recheck = recheck_new(&request);
    outcome_init(outcome, question->program);
    engine->run(&request, outcome);
    recheck_free(watch->recheck);
}

void cli_run_engine(const struct cli_case *question, const struct engine_entry *engine,
                    struct outcome *outcome, const struct cli_view *view)
{
    struct watch watch = {.out = question->options->dump_exec ? view->out : NULL,
                          .gallery = view->gallery};
    run(question, engine, outcome, &watch);
}

void cli_run(const struct cli_options *options, const struct cli_model *model,
             const struct lit_program *program, struct outcome *outcome, struct strbuf *out)
{
    const struct cli_case question = {options, model, program};
    cli_run_engine(&question, cli_engine_find(options->engine), outcome,
                   &(struct cli_view){out, NULL});
}

void cli_run_show(const struct cli_case *question, const struct engine_entry *engine, bool crash,
                  const int64_t *row, struct strbuf *out)
{
    struct watch watch = {.out = out, .only = row, .only_crash = crash};
    struct outcome outcome;
    run(question, engine, &outcome, &watch);
    outcome_fini(&outcome);
}
