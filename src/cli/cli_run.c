#include "cli/cli_run.h"

#include "cli/cli_engines.h"
#include "engine/recheck.h"
#include "litmus/lit_parse.h"
#include "report/report.h"

void cli_test_init(struct cli_test *test, const char *path, struct strbuf *err)
{
    struct diag diag;
    const char *why;
    *test = (struct cli_test){.names = intern_new()};
    arena_init(&test->arena);
    diag_init(&diag);
    const struct source *source = source_load(&test->arena, path, &why);
    if (source)
        test->program = lit_parse(&test->arena, test->names, source, &diag);
    else
        diag_error(&diag, DIAG_FILE_READ, (struct span){NULL, 0, 0, 0, 0}, "cannot read '%s': %s",
                   path, why);
    diag_render(&diag, err);
    diag_fini(&diag);
}

void cli_test_fini(struct cli_test *test)
{
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
    struct recheck *recheck;
    struct strbuf *out; /* NULL: witnesses are not printed */
};

/* A witness that does not stand would make a wrong verdict: that is our bug. */
static void on_witness(void *context, const struct engine_witness *witness)
{
    struct watch *watch = context;
    const char *fault = recheck_witness(watch->recheck, witness);
    if (fault)
        base_die("internal error: %s: %s", watch->request->program->source->name, fault);
    if (watch->out)
        report_witness(watch->request, witness, watch->out);
}

void cli_run(const struct cli_options *options, const struct cli_model *model,
             const struct lit_program *program, struct outcome *outcome, struct strbuf *out)
{
    struct watch watch = {.out = options->dump_exec ? out : NULL};
    struct engine_request request = {.program = program,
                                     .model = model->model,
                                     .plan = model->plan,
                                     .crash_mode = cli_crash_mode(options, program),
                                     .limits = {options->unroll, options->timeout_seconds},
                                     .decide = options->decide,
                                     .conditions_alone = options->conditions_alone,
                                     .on_witness = on_witness,
                                     .context = &watch};
    watch.request = &request;
    watch.recheck = recheck_new(&request);
    outcome_init(outcome, program);
    cli_engine_find(options->engine)->run(&request, outcome);
    recheck_free(watch.recheck);
}
