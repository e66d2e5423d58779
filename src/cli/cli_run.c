#include "cli/cli_run.h"

#include "session/session_ask.h"
#include "session/session_engines.h"
#include "engine/recheck.h"
#include "engine/recovery.h"
#include "enumerate/enumerate.h"
#include "litmus/lit_parse.h"
#include "report/report.h"

#include <string.h>

static const struct span nowhere = {NULL, 0, 0, 0, 0};

static const struct lit_program *read_program(struct cli_test *test,
                                              const struct cli_options *options,
                                              const struct source *source, struct diag *diag)
{
    const char *text = options->settings.recovers_to;
    if (options->settings.property == SESSION_RECOVERS_TO)
        return lit_parse_property(
            &test->arena, test->names, source,
            source_from_text(&test->arena, "--property recovers-to", text, strlen(text)), diag);
    const struct lit_program *program = lit_parse(&test->arena, test->names, source, diag);
    if (!program || options->settings.property != SESSION_IDEMPOTENT_RECOVERY)
        return program;
    struct lit_program *bare = ARENA_NEW(&test->arena, struct lit_program);
    *bare = *program;
    bare->condition_count = bare->expect_count = 0;
    if (program->recovery_count)
        return bare;
    diag_error(diag, DIAG_LIT_RECOVERY,
               (struct span){program->source, program->line, 1, program->line, 2},
               "--property idempotent-recovery needs a recovery program, and this test has none");
    return NULL;
}

void cli_test_init(struct cli_test *test, const char *path, struct strbuf *err)
{
    const struct cli_options none = {.settings.property = SESSION_CONDITION};
    cli_test_init_for(test, &none, path, err);
}

static void start(struct cli_test *test)
{
    *test = (struct cli_test){.names = intern_new()};
    arena_init(&test->arena);
    diag_init(&test->diag);
}

static const char *found_model(struct cli_test *test, const struct cli_options *options,
                               const char *name)
{
    return cat_model_is_path(name)
               ? reach_find(&test->arena, &options->settings.reach, test->folder, name)
               : name;
}

/* The program with the paths of the models that it expects something of, as the user would write
 * them. */
static const struct lit_program *with_models(struct cli_test *test,
                                             const struct cli_options *options,
                                             const struct lit_program *program)
{
    struct lit_program *found = ARENA_NEW(&test->arena, struct lit_program);
    struct lit_expect *expects =
        ARENA_ARRAY(&test->arena, struct lit_expect, program->expect_count);
    *found = *program;
    found->expects = expects;
    for (uint32_t i = 0; i < program->expect_count; i++) {
        expects[i] = program->expects[i];
        expects[i].visibility = found_model(test, options, expects[i].visibility);
        expects[i].persistency = found_model(test, options, expects[i].persistency);
    }
    return found;
}

/* `source` is NULL when the text could not be had, and `why` says so. */
static void read_source(struct cli_test *test, const struct cli_options *options, const char *name,
                        const struct source *source, const char *why, struct strbuf *err)
{
    if (source)
        test->program = read_program(test, options, source, &test->diag);
    if (test->program)
        test->program = with_models(test, options, test->program);
    else if (!source)
        diag_error(&test->diag, DIAG_FILE_READ, nowhere, "cannot read '%s': %s", name, why);
    diag_render(&test->diag, err);
}

void cli_test_init_for(struct cli_test *test, const struct cli_options *options, const char *path,
                       struct strbuf *err)
{
    const char *why = NULL;
    start(test);
    test->folder = reach_folder(&test->arena, path);
    const struct source *source = source_load(&test->arena, path, &why);
    read_source(test, options, path, source, why, err);
}

void cli_test_init_text(struct cli_test *test, const struct cli_options *options, const char *name,
                        const char *text, size_t length, struct strbuf *err)
{
    const struct source *source = NULL;
    start(test);
    if (length <= SOURCE_MAX_BYTES)
        source = source_from_text(&test->arena, name, text, length);
    read_source(test, options, name, source, "larger than 4 MiB", err);
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
    switch (options->settings.crash) {
    case SESSION_CRASH_ANYWHERE: return EXEC_CRASH_ANYWHERE;
    case SESSION_CRASH_END: return EXEC_CRASH_END;
    case SESSION_CRASH_POINTS: /* where there are none: anywhere */
    case SESSION_CRASH_DEFAULT: break;
    }
    return engine_default_crash_mode(program);
}

struct watch {
    const struct engine_request *request;
    const struct engine_request *recovery; /* while a run of it shows witnesses, else NULL */
    struct recheck *recheck, *recovery_recheck;
    struct strbuf *out;                  /* NULL: witnesses are not printed */
    struct report_gallery *gallery;      /* NULL: nor kept */
    const struct outcome *outcome;       /* as far as it is filled */
    const int64_t *only;                 /* the one state to print, NULL: all */
    bool only_crash;                     /* that state is a crash state */
    const struct report_test *recovered; /* its crash is to be kept, of this condition's chain */
    uint32_t condition;
};

static bool is_only(const struct watch *watch, const struct engine_witness *witness)
{
    if (watch->recovery)
        return false;
    if ((witness->cut != NULL) != watch->only_crash)
        return false;
    for (uint32_t i = 0; i < witness->width; i++)
        if (witness->row[i] != watch->only[i])
            return false;
    return true;
}

static bool is_wanted(const struct watch *watch, const struct engine_witness *witness)
{
    if (!watch->out || !watch->only)
        return watch->out != NULL;
    return is_only(watch, witness);
}

/* A witness that does not stand would make a wrong verdict: that is our bug. */
static void refuse(const struct watch *watch, const char *fault)
{
    if (fault)
        base_die("internal error: %s: %s", watch->request->program->source->name, fault);
}

static void on_witness(void *context, const struct engine_witness *witness)
{
    struct watch *watch = context;
    refuse(watch,
           recheck_witness(watch->recovery ? watch->recovery_recheck : watch->recheck, witness));
    if (is_wanted(watch, witness))
        report_witness(watch->recovery ? watch->recovery : watch->request, witness, watch->out);
    if (watch->recovered && is_only(watch, witness))
        report_gallery_add_chain(watch->gallery, watch->request, witness, watch->recovered,
                                 watch->condition);
    else if (watch->gallery && !watch->recovered && !watch->recovery)
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
    const struct outcome_states *crash = &watch->outcome->crash;
    report_text_row(watch->request->program, crash->items, crash->width, start, watch->out);
}

static void on_undefined(void *context, const struct engine_witness *witness)
{
    struct watch *watch = context;
    refuse(watch, recheck_undefined(watch->recheck, witness, watch->outcome));
    if (watch->gallery && !watch->recovered && !watch->recovery)
        report_gallery_add_undefined(watch->gallery, watch->request, witness);
}

struct cli_case cli_case_begin(const struct cli_options *options, const struct session_model *model,
                               const struct lit_program *program, struct cli_worker *worker)
{
    enum cli_loss lost = cli_worker_part(worker);
    return (struct cli_case){
        options, model, program, worker, clock_limit_in(options->settings.timeout_seconds), lost};
}

struct cli_case cli_case_again(const struct cli_case *question)
{
    return cli_case_begin(question->options, question->model, question->program, question->worker);
}

static void add_doubt(enum cli_loss lost, struct outcome *outcome)
{
    enum outcome_doubt doubt =
        lost == CLI_LOSS_MEMORY ? OUTCOME_DOUBT_MEMORY : OUTCOME_DOUBT_TIMEOUT;
    outcome->doubts[doubt] = true;
}

const char *cli_case_doubt(const struct cli_case *question)
{
    struct outcome outcome = {0};
    if (question->lost != CLI_LOSS_NONE)
        add_doubt(question->lost, &outcome);
    return outcome_doubt(&outcome);
}

struct engine_request cli_case_request(const struct cli_case *question)
{
    const struct cli_options *options = question->options;
    return (struct engine_request){.program = question->program,
                                   .model = question->model ? question->model->model : NULL,
                                   .plan = question->model ? question->model->plan : NULL,
                                   .crash_mode = cli_crash_mode(options, question->program),
                                   .limits = {options->settings.unroll, question->clock,
                                              options->settings.memory_mib,
                                              options->settings.max_states},
                                   .machine = options->settings.machine_file};
}

static struct engine_request request_of(const struct cli_case *question, struct watch *watch)
{
    const struct cli_options *options = question->options;
    struct engine_request request = cli_case_request(question);
    request.decide = options->settings.decide;
    request.no_reduction = options->settings.no_reduction;
    request.conditions_alone = options->settings.conditions_alone;
    request.recovery_crash = options->settings.recovery_crash;
    request.rounds = options->settings.rounds;
    request.on_witness = on_witness;
    request.on_recovery = on_recovery;
    request.on_undefined = on_undefined;
    request.context = watch;
    return request;
}

/* Does a line of the test say that the pair is ok, so that its author knows? */
static bool is_vacuity_meant(const struct cli_case *question, const struct engine_entry *engine)
{
    const struct session_model *model = question->model;
    const struct lit_expect *expect = session_ask_expectation(question->program, model->visibility,
                                                              model->persistency, engine->name);
    return expect && expect->verdict == LIT_OK;
}

static void run(const struct cli_case *question, const struct engine_entry *engine,
                struct outcome *outcome, struct watch *watch)
{
    struct engine_request request = request_of(question, watch);
    watch->request = &request;
    watch->outcome = outcome;
    watch->recheck = recheck_new(&request);
    outcome_init(outcome, question->program);
    if (question->lost == CLI_LOSS_NONE)
        engine->run(&request, outcome);
    else
        add_doubt(question->lost, outcome);
    outcome->vacuity_is_meant = is_vacuity_meant(question, engine);
    recheck_free(watch->recheck);
}

void cli_run_engine(const struct cli_case *question, const struct engine_entry *engine,
                    struct outcome *outcome, const struct cli_view *view)
{
    struct watch watch = {.out = question->options->dump_exec ? view->out : NULL,
                          .gallery = view->gallery};
    run(question, engine, outcome, &watch);
}

void cli_run(const struct cli_case *question, struct outcome *outcome, struct strbuf *out)
{
    cli_run_engine(question, session_engine_find(question->options->settings.engine), outcome,
                   &(struct cli_view){out, NULL});
}

void cli_run_keep_chain(const struct cli_case *question, const struct engine_entry *engine,
                        const struct outcome *outcome, uint32_t condition,
                        struct report_gallery *gallery)
{
    const struct report_test test = {
        .program = question->program, .model = question->model->model, .outcome = outcome};
    const struct outcome_chain *chain = outcome->chains ? &outcome->chains[condition] : NULL;
    if (!chain || !chain->recovered || !chain->link_count)
        return;
    struct watch watch = {.gallery = gallery,
                          .only = chain->links[0].start,
                          .only_crash = true,
                          .recovered = &test,
                          .condition = condition};
    struct outcome again;
    run(question, engine, &again, &watch);
    outcome_fini(&again);
}

void cli_run_show(const struct cli_case *question, const struct engine_entry *engine, bool crash,
                  const int64_t *row, struct strbuf *out)
{
    struct watch watch = {.out = out, .only = row, .only_crash = crash};
    struct outcome outcome;
    run(question, engine, &outcome, &watch);
    outcome_fini(&outcome);
}

struct idempotence cli_run_idempotence(const struct cli_case *question, struct arena *arena,
                                       struct outcome *outcome)
{
    struct watch watch = {.outcome = outcome};
    struct engine_request request = request_of(question, &watch);
    const struct recovery_options options = {.run = enum_run_alone, .tracks_initials = true};
    struct idempotence answer = idempotence_check(arena, outcome);
    watch.request = &request;
    if (answer.chain.recovered && question->lost == CLI_LOSS_NONE)
        recovery_retrace(&request, outcome, &options, &answer.chain);
    return answer;
}
