#include "cli/cli_check.h"

#include "base/utf8.h"
#include "cli/cli_cross.h"
#include "cli/cli_explain.h"
#include "run/run_resume.h"
#include "cli/cli_show.h"
#include "cli/cli_trace.h"
#include "litmus/lit_parse.h"
#include "report/report.h"
#include "session/session_ask.h"
#include "session/session_machines.h"
#include "session/session_test.h"

#include <string.h>
#include <sys/resource.h>

struct check {
    const struct cli_options *options;
    const struct cli_surroundings *surroundings;
    const struct lit_program *program;
    const char *folder; /* of the test; NULL: none */
    struct run_result *result;
};

/* The engines' answers about one model pair. */
struct answered {
    struct session_answers answers;
    struct session_standing standings[SESSION_MAX_ENGINES - 1]; /* of all but the first */
    const struct containment *containment; /* of the machine among several; NULL: there is none */
    struct report_gallery galleries[SESSION_MAX_ENGINES]; /* empty unless a report shows them */
};

static long peak_kib(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
}

static bool prints_json(const struct check *check)
{
    return check->options->format == RUN_JSON;
}

static bool asks_all(const struct check *check)
{
    return session_engine_is_all(check->options->settings.engine);
}

static struct report_test judge(const struct check *check, const struct session_model *model,
                                const struct session_answers *answers, uint32_t number)
{
    const struct engine_entry *engine = answers->engines[number];
    const struct outcome *outcome = &answers->outcomes[number];
    const struct lit_expect *expect = session_ask_expectation(check->program, model->visibility,
                                                              model->persistency, engine->name);
    return (struct report_test){.program = check->program,
                                .model = model->model,
                                .outcome = outcome,
                                .engine = engine->name,
                                .machine = engine->trace ? answers->machine : NULL,
                                .crash_mode =
                                    session_crash_mode(&check->options->settings, check->program),
                                .verdict = outcome_verdict(outcome, check->program),
                                .expected = session_ask_expected(expect),
                                .expectation = expect,
                                .decided = check->options->settings.decide,
                                .peak_kib = peak_kib()};
}

static void account_words(struct check *check, const char *verdict, const char *wanted)
{
    bool expected = strcmp(verdict, wanted) == 0;
    check->result->as_expected += expected;
    check->result->otherwise += !expected;
    if (!expected)
        run_result_raise(check->result, RUN_EXIT_DIFFERS);
    if (strcmp(verdict, lit_verdict_text(LIT_UNKNOWN)) == 0)
        run_result_raise(check->result, RUN_EXIT_UNKNOWN);
}

static void account(struct check *check, const struct report_test *test)
{
    account_words(check, lit_verdict_text(test->verdict), lit_verdict_text(test->expected));
}

/* Nothing but JSON lines may stand among JSON lines, nothing else in a document. */
static struct strbuf *dumps_of(struct check *check)
{
    return check->options->format == RUN_TEXT ? &check->result->out : &check->result->err;
}

static void count_contained(struct check *check, const struct answered *answered)
{
    static const enum run_machine_count counts[] = {RUN_CONTAINED, RUN_OUTSIDE, RUN_UNDEFINED,
                                                    RUN_PARTLY};
    const struct containment *c = answered->containment;
    uint64_t *machines = check->result->machines;
    if (!c)
        return;
    machines[counts[c->answer]]++;
    machines[RUN_ALLOWED] += c->is_counted ? answered->answers.outcomes[0].crash.count : 0;
    machines[RUN_NEVER_SHOWN] += c->never_crash;
}

/* Where there is no report to remark on, only disagreement is told, or with --verbose what a
 * machine shows. */
static void add_accord(struct check *check, const struct cat_model *model, const char *accord,
                       const char *details)
{
    struct strbuf *out = dumps_of(check);
    utf8_add_name(out, check->program->source->name);
    strbuf_printf(out, ": %s under ", check->program->name);
    report_pair(model->visibility, model->persistency, out);
    strbuf_printf(out, ": engines %s\n%s", accord, details);
}

static void tell_accord(struct check *check, const struct session_case *question,
                        const struct answered *answered, struct strbuf *remarks)
{
    static const char *const words[] = {"agree", "were not compared", "disagree"};
    static const enum report_result results[] = {REPORT_PASSED, REPORT_SKIPPED, REPORT_FAILED};
    const struct cat_model *model = question->model->model;
    struct strbuf details = {0};
    enum session_accord accord =
        cli_cross_tell(question, &answered->answers, answered->standings, &details);
    check->result->accords[accord]++;
    run_result_raise(check->result, cli_cross_status(check->options->command, accord));
    count_contained(check, answered);
    bool tells = accord != SESSION_AGREE || (check->options->verbose && answered->containment);
    if (remarks)
        strbuf_printf(remarks, "Engines %s\n%s", words[accord], strbuf_text(&details));
    else if (tells)
        add_accord(check, model, words[accord], strbuf_text(&details));
    const struct report_accord told = {check->program, model, results[accord],
                                       strbuf_text(&details)};
    run_pieces_accord(&check->result->pieces, &told);
    strbuf_fini(&details);
}

/* The first engine's report stands for all, but for verdicts that are not the expected
 * ones. */
static void report_as_text(struct check *check, struct report_test *tests,
                           const struct session_case *question, const struct answered *answered)
{
    struct strbuf remarks = {0};
    for (uint32_t i = 1; i < answered->answers.count; i++)
        if (tests[i].verdict != tests[i].expected)
            strbuf_printf(&remarks, "Engine %s: verdict %s, expected %s\n", tests[i].engine,
                          lit_verdict_text(tests[i].verdict), lit_verdict_text(tests[i].expected));
    if (asks_all(check))
        tell_accord(check, question, answered, &remarks);
    tests[0].remarks = strbuf_text(&remarks);
    report_text(&tests[0], &check->result->out);
    strbuf_fini(&remarks);
}

/* As a line of JSON, or to who takes it. */
static void add_record(struct check *check, const struct report_test *answer,
                       const struct report_failure *failure)
{
    const struct cli_surroundings *s = check->surroundings;
    if (!prints_json(check) || check->options->command != CLI_CHECK)
        return;
    if (s->take)
        s->take(s->context, answer, failure);
    else if (answer)
        report_json(answer, &check->result->out);
    else
        report_json_failure(failure, &check->result->out);
}

/* Of JSON and documents; the latter have their pieces already. */
static void report_as_json(struct check *check, const struct report_test *tests,
                           const struct session_case *question, const struct answered *answered)
{
    for (uint32_t i = 0; i < answered->answers.count; i++)
        add_record(check, &tests[i], NULL);
    if (asks_all(check))
        tell_accord(check, question, answered, NULL);
}

/* The property of the command line in place of conditions. */
static void judge_idempotence(const struct check *check, const struct session_case *question,
                              struct outcome *outcome, struct report_test *test)
{
    if (check->options->settings.property != SESSION_IDEMPOTENT_RECOVERY)
        return;
    struct idempotence *answer = ARENA_NEW(&outcome->arena, struct idempotence);
    *answer = session_idempotence(question, &outcome->arena, outcome);
    test->idempotence = answer;
    test->verdict = answer->verdict;
}

static void report(struct check *check, const struct session_case *question,
                   struct answered *answered)
{
    struct report_test tests[SESSION_MAX_ENGINES];
    const struct cli_options *options = check->options;
    const struct report_asked asked = {options->settings.model, options->settings.persistency,
                                       options->settings.engine, options->settings.machine,
                                       options->settings.property != SESSION_CONDITION};
    for (uint32_t i = 0; i < answered->answers.count; i++) {
        tests[i] = judge(check, question->model, &answered->answers, i);
        tests[i].containment = tests[i].machine ? answered->containment : NULL;
        tests[i].gallery = &answered->galleries[i];
        tests[i].asked = &asked;
        judge_idempotence(check, question, &answered->answers.outcomes[i], &tests[i]);
        account(check, &tests[i]);
        run_pieces_test(&check->result->pieces, &tests[i]);
    }
    if (check->options->format == RUN_TEXT)
        report_as_text(check, tests, question, answered);
    else
        report_as_json(check, tests, question, answered);
}

static void add_unloaded(struct check *check, const struct session_model *model,
                         const struct report_failure *failure, const struct span *asked_at)
{
    struct strbuf message = {0};
    strbuf_add(&message, "the model pair ");
    report_pair(failure->visibility, failure->persistency, &message);
    strbuf_add(&message, " could not be loaded");
    struct report_fault fault = {.severity = DIAG_ERROR,
                                 .id = diag_id_text(DIAG_CLI_EXPECT_MODEL),
                                 .message = strbuf_text(&message),
                                 .details = model->faults,
                                 .unknown = failure->verdict == LIT_UNKNOWN,
                                 .pair = failure};
    if (asked_at)
        fault.span = *asked_at;
    run_pieces_fault(&check->result->pieces, &fault);
    strbuf_fini(&message);
}

static void print_unloaded(struct check *check, const struct report_failure *failure,
                           const struct span *asked_at)
{
    struct diag diag;
    diag_init(&diag);
    diag_error(&diag, DIAG_CLI_EXPECT_MODEL, *asked_at,
               "the model pair %s + %s could not be loaded", failure->visibility,
               failure->persistency);
    diag_render(&diag, &check->result->err);
    diag_fini(&diag);
}

/* Whatever engine was to be asked, the pair has one record. `asked_at` is NULL when no line of the
 * test asks for the pair. `lost`: at which limit it could not be loaded. */
static void refuse_pair(struct check *check, const struct session_model *model,
                        const char *visibility, const char *persistency,
                        const struct span *asked_at, enum session_loss lost)
{
    const struct lit_program *program = check->program;
    const struct lit_expect *expect =
        session_ask_expectation(program, visibility, persistency, check->options->settings.engine);
    const struct report_failure failure = {.path = program->source->path,
                                           .verdict = lost ? LIT_UNKNOWN : LIT_ERROR,
                                           .expected = session_ask_expected(expect),
                                           .reason = model->reason,
                                           .program = program,
                                           .visibility = visibility,
                                           .persistency = persistency};
    run_result_raise(check->result, lost ? RUN_EXIT_UNKNOWN : RUN_EXIT_INPUT);
    check->result->otherwise += lost != SESSION_LOSS_NONE;
    add_unloaded(check, model, &failure, asked_at);
    add_record(check, NULL, &failure);
    if (asked_at)
        print_unloaded(check, &failure, asked_at);
}

/* To be shown once in a run, whoever meets them. */
static void note_faults(struct check *check, const struct session_model *model)
{
    if (*model->faults) {
        char *fault = base_realloc(NULL, strlen(model->faults) + 1);
        strcpy(fault, model->faults);
        VEC_PUSH(&check->result->faults, fault);
    }
}

/* A machine's name is in `arena`. */
static struct run_question question_of(const struct check *check, struct arena *arena,
                                       const char *visibility, const char *persistency,
                                       const char *engine)
{
    const char *machine =
        session_engine_is_machine(engine)
            ? session_machine_name(arena, &check->options->settings, visibility, persistency)
            : NULL;
    return (struct run_question){.settings = &check->options->settings,
                                 .program = check->program,
                                 .visibility = visibility,
                                 .persistency = persistency,
                                 .engine = engine,
                                 .machine = machine,
                                 .expected = session_ask_expected(session_ask_expectation(
                                     check->program, visibility, persistency, engine))};
}

/* Every engine that is asked has a record of an earlier run: these count instead. */
static bool is_answered(struct check *check, const char *visibility, const char *persistency)
{
    const struct run_records *earlier = check->surroundings->run.earlier;
    const struct engine_entry *engines[SESSION_MAX_ENGINES];
    const struct run_record *records[SESSION_MAX_ENGINES];
    uint32_t count =
        session_answers_engines(&check->options->settings, visibility, persistency, engines);
    struct arena arena;
    bool all = earlier->items.count > 0;
    arena_init(&arena);
    for (uint32_t i = 0; i < count && all; i++) {
        const struct run_question question =
            question_of(check, &arena, visibility, persistency, engines[i]->name);
        records[i] = run_resume_find(earlier, &question);
        all = records[i] != NULL;
    }
    for (uint32_t i = 0; i < count && all; i++)
        account_words(check, records[i]->verdict, records[i]->expected);
    arena_fini(&arena);
    return all;
}

static void ask_next(struct check *check, const struct session_case *question,
                     struct answered *answered)
{
    struct session_answers *answers = &answered->answers;
    uint32_t number = answers->asked;
    struct report_gallery *gallery =
        run_reports_show_executions(check->options->reports, check->options->report_count)
            ? &answered->galleries[number]
            : NULL;
    const struct cli_show show = {check->options->dump_exec ? dumps_of(check) : NULL, gallery};
    const struct session_view view = cli_show_view(&show);
    const struct session_case own = session_answers_ask(answers, question, &view);
    for (uint32_t c = 0; gallery && c < check->program->condition_count; c++)
        cli_show_chain(&own, answers->engines[number], &answers->outcomes[number], c, gallery);
}

static void ask_all(struct check *check, const struct session_case *question,
                    struct answered *answered)
{
    *answered = (struct answered){0};
    session_answers_init(&answered->answers, question);
    while (answered->answers.asked < answered->answers.count)
        ask_next(check, question, answered);
    for (uint32_t i = 1; i < answered->answers.count; i++) {
        struct session_standing *standing = &answered->standings[i - 1];
        *standing = session_answers_stand(&answered->answers, question, i);
        if (standing->is_contained)
            answered->containment = &standing->containment;
    }
}

static void answered_fini(struct answered *answered)
{
    for (uint32_t i = 0; i < answered->answers.count; i++)
        report_gallery_fini(&answered->galleries[i]);
    session_answers_fini(&answered->answers);
}

/* A part of the worker's task that met a limit before the model was loaded. */
static void lose_pair(struct check *check, const char *visibility, const char *persistency,
                      const struct span *asked_at, enum session_loss lost)
{
    const char *reason = session_loss_doubt(lost);
    struct strbuf *err = &check->result->err;
    strbuf_add(err, "crashlit: ");
    utf8_add_name(err, visibility);
    strbuf_add(err, " + ");
    utf8_add_name(err, persistency);
    strbuf_printf(err, ": %s\n", reason);
    refuse_pair(check, &(struct session_model){.faults = "", .reason = reason}, visibility,
                persistency, asked_at, lost);
}

/* NULL when it could not be loaded, which is told. */
static struct session_model *load_pair(struct check *check, const char *visibility,
                                       const char *persistency, const struct span *asked_at)
{
    struct cat_asker asker = session_models_user(&check->options->settings);
    if (asked_at)
        asker =
            (struct cat_asker){.reach = &check->options->settings.reach, .folder = check->folder};
    struct session_model *model =
        session_models_get(check->surroundings->run.models, &asker, visibility, persistency);
    note_faults(check, model);
    if (model->model)
        return model;
    refuse_pair(check, model, visibility, persistency, asked_at, SESSION_LOSS_NONE);
    return NULL;
}

/* What is made of the answers is a part of its own. */
static void answer_pair(struct check *check, const struct session_case *question)
{
    struct answered answered;
    ask_all(check, question, &answered);
    const struct session_case again = session_case_again(question);
    if (check->options->command == CLI_CROSSCHECK && answered.answers.count == 1)
        check->result->machines[RUN_NOT_ASKED]++;
    else if (check->options->command == CLI_CROSSCHECK)
        tell_accord(check, &again, &answered, NULL);
    else
        report(check, &again, &answered);
    answered_fini(&answered);
}

static void check_pair(void *context, const char *visibility, const char *persistency,
                       const struct span *asked_at)
{
    struct check *check = context;
    const struct session_parts parts = check->surroundings->run.parts;
    enum session_loss lost = session_part_begin(&parts);
    if (is_answered(check, visibility, persistency))
        return;
    if (lost != SESSION_LOSS_NONE) {
        lose_pair(check, visibility, persistency, asked_at, lost);
        return;
    }
    struct session_model *model = load_pair(check, visibility, persistency, asked_at);
    if (!model)
        return;
    if (check->options->dump_ir)
        cat_model_dump(model->model, dumps_of(check));
    const struct session_case question = {.settings = &check->options->settings,
                                          .model = model,
                                          .program = check->program,
                                          .parts = parts};
    if (check->options->command == CLI_EXPLAIN) {
        const struct session_case again = session_case_again(&question);
        cli_explain_pair(check->options, &again, check->result);
    } else {
        answer_pair(check, &question);
    }
}

/* Of a test that expects something, but nothing of a machine, no verdict would be right. */
static void pass_over(struct check *check)
{
    check->result->machines[RUN_NOT_ASKED]++;
    if (check->options->format == RUN_TEXT && check->options->command != CLI_CROSSCHECK)
        strbuf_printf(&check->result->out,
                      "Test %s: not asked, as it has no expectation for %s; name a model pair with "
                      "--model and --persistency\n\n",
                      check->program->name,
                      check->options->settings.machine ? check->options->settings.machine
                                                       : "a machine");
}

/* The test could not be read: its record names the first error. */
static void refuse_test(struct check *check, const char *name, const struct diag *diag)
{
    const struct report_failure failure = {
        .path = name, .verdict = LIT_ERROR, .expected = LIT_OK, .reason = diag_first_error(diag)};
    add_record(check, NULL, &failure);
    run_result_raise(check->result, RUN_EXIT_INPUT);
}

static void check_program(struct check *check)
{
    if (check->options->dump_ast)
        lit_program_dump(check->program, dumps_of(check));
    if (check->options->command == CLI_TRACE)
        cli_trace_program(check->surroundings, check->program, check->result);
    else if (session_ask_each_pair(&check->options->settings, check->program, check_pair, check) ==
             0)
        pass_over(check);
}

/* Checks what was read, and ends it. */
static void check_test(const struct cli_surroundings *surroundings, const char *name,
                       struct session_test *test, struct run_result *result)
{
    diag_render(&test->diag, &result->err);
    run_pieces_faults(&result->pieces, &test->diag);
    struct check check = {surroundings->options, surroundings, test->program, test->folder, result};
    if (check.program)
        check_program(&check);
    else
        refuse_test(&check, name, &test->diag);
    run_pieces_end(&result->pieces, test->program);
    session_test_fini(test);
}

void cli_check_file(const struct cli_surroundings *surroundings, const char *path,
                    struct run_result *result)
{
    struct session_test test;
    session_test_load(&test, &surroundings->options->settings, path);
    check_test(surroundings, path, &test, result);
}

void cli_check_text(const struct cli_surroundings *surroundings, const char *name, const char *text,
                    size_t length, struct run_result *result)
{
    struct session_test test;
    session_test_read(&test, &surroundings->options->settings, name, text, length);
    check_test(surroundings, name, &test, result);
}

static void check_one(const void *options, const struct run_surroundings *run, const char *path,
                      struct run_result *result)
{
    const struct cli_surroundings surroundings = {.options = options, .run = *run};
    cli_check_file(&surroundings, path, result);
}

int cli_check_all(const struct cli_options *options, struct run_output *out)
{
    const struct run_plan plan = {
        .kind = options->command == CLI_CHECK        ? RUN_ANSWERS
                : options->command == CLI_CROSSCHECK ? RUN_CROSSCHECKS
                                                     : RUN_OTHER,
        .settings = &options->settings,
        .inputs = {options->inputs, options->input_count, options->shard, options->shards},
        .format = options->format,
        .reports = options->reports,
        .report_count = options->report_count,
        .jobs = options->jobs,
        .resume = options->resume,
        .version = CRASHLIT_VERSION,
        .command_line = options->command_line,
        .check = check_one,
        .context = options};
    return run_batch_run(&plan, out);
}
