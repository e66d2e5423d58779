#include "cli/cli_check.h"

#include "base/utf8.h"
#include "session/session_ask.h"
#include "cli/cli_cross.h"
#include "cli/cli_explain.h"
#include "session/session_machines.h"
#include "cli/cli_resume.h"
#include "cli/cli_trace.h"
#include "litmus/lit_parse.h"
#include "report/report.h"

#include <string.h>
#include <sys/resource.h>

struct check {
    const struct cli_options *options;
    const struct cli_surroundings *surroundings;
    const struct lit_program *program;
    const char *folder; /* of the test; NULL: none */
    struct cli_result *result;
};

static long peak_kib(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
}

static bool prints_json(const struct check *check)
{
    return check->options->format == CLI_JSON;
}

static bool asks_all(const struct check *check)
{
    return strcmp(check->options->settings.engine, SESSION_ALL_ENGINES) == 0;
}

static bool is_machine(const char *engine)
{
    return strcmp(engine, SESSION_MACHINE_ENGINE) == 0;
}

static struct report_test judge(const struct check *check, const struct session_model *model,
                                const struct cli_answers *answers, uint32_t number)
{
    const struct engine_entry *engine = answers->engines[number];
    const struct outcome *outcome = &answers->outcomes[number];
    bool machine = is_machine(engine->name);
    const struct lit_expect *expect = session_ask_expectation(check->program, model->visibility,
                                                              model->persistency, engine->name);
    return (struct report_test){.program = check->program,
                                .model = model->model,
                                .outcome = outcome,
                                .engine = engine->name,
                                .machine = machine ? answers->machine : NULL,
                                .containment =
                                    machine && answers->is_contained ? &answers->containment : NULL,
                                .crash_mode = cli_crash_mode(check->options, check->program),
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
        cli_result_raise(check->result, CLI_EXIT_DIFFERS);
    if (strcmp(verdict, lit_verdict_text(LIT_UNKNOWN)) == 0)
        cli_result_raise(check->result, CLI_EXIT_UNKNOWN);
}

static void account(struct check *check, const struct report_test *test)
{
    account_words(check, lit_verdict_text(test->verdict), lit_verdict_text(test->expected));
}

/* Nothing but JSON lines may stand among JSON lines, nothing else in a document. */
static struct strbuf *dumps_of(struct check *check)
{
    return check->options->format == CLI_TEXT ? &check->result->out : &check->result->err;
}

static void count_contained(struct check *check, const struct cli_answers *answers)
{
    if (!answers->is_contained)
        return;
    static const enum cli_machine_count counts[] = {CLI_CONTAINED, CLI_OUTSIDE, CLI_UNDEFINED,
                                                    CLI_PARTLY};
    const struct containment *c = &answers->containment;
    uint64_t *machines = check->result->machines;
    machines[counts[c->answer]]++;
    machines[CLI_ALLOWED] += c->is_counted ? answers->outcomes[0].crash.count : 0;
    machines[CLI_NEVER_SHOWN] += c->never_crash;
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

static void tell_accord(struct check *check, const struct cli_case *question,
                        const struct cli_answers *answers, struct strbuf *remarks)
{
    static const char *const words[] = {"agree", "were not compared", "disagree"};
    static const enum report_result results[] = {REPORT_PASSED, REPORT_SKIPPED, REPORT_FAILED};
    const struct cat_model *model = question->model->model;
    struct strbuf details = {0};
    enum cli_accord accord = cli_answers_compare(question, answers, &details);
    check->result->accords[accord]++;
    cli_result_raise(check->result, cli_accord_status(check->options->command, accord));
    count_contained(check, answers);
    bool tells = accord != CLI_AGREE || (check->options->verbose && answers->is_contained);
    if (remarks)
        strbuf_printf(remarks, "Engines %s\n%s", words[accord], strbuf_text(&details));
    else if (tells)
        add_accord(check, model, words[accord], strbuf_text(&details));
    const struct report_accord told = {check->program, model, results[accord],
                                       strbuf_text(&details)};
    cli_pieces_accord(&check->result->pieces, &told);
    strbuf_fini(&details);
}

/* The first engine's report stands for all, but for verdicts that are not the expected
 * ones. */
static void report_as_text(struct check *check, struct report_test *tests,
                           const struct cli_case *question, const struct cli_answers *answers)
{
    struct strbuf remarks = {0};
    for (uint32_t i = 1; i < answers->count; i++)
        if (tests[i].verdict != tests[i].expected)
            strbuf_printf(&remarks, "Engine %s: verdict %s, expected %s\n", tests[i].engine,
                          lit_verdict_text(tests[i].verdict), lit_verdict_text(tests[i].expected));
    if (asks_all(check))
        tell_accord(check, question, answers, &remarks);
    tests[0].remarks = strbuf_text(&remarks);
    report_text(&tests[0], &check->result->out);
    strbuf_fini(&remarks);
}

/* Of JSON and documents; the latter have their pieces already. */
static void report_as_json(struct check *check, const struct report_test *tests,
                           const struct cli_case *question, const struct cli_answers *answers)
{
    for (uint32_t i = 0; prints_json(check) && i < answers->count; i++)
        report_json(&tests[i], &check->result->out);
    if (asks_all(check))
        tell_accord(check, question, answers, NULL);
}

/* The property of the command line in place of conditions. */
static void judge_idempotence(const struct check *check, const struct cli_case *question,
                              struct outcome *outcome, struct report_test *test)
{
    if (check->options->settings.property != SESSION_IDEMPOTENT_RECOVERY)
        return;
    struct idempotence *answer = ARENA_NEW(&outcome->arena, struct idempotence);
    *answer = cli_run_idempotence(question, &outcome->arena, outcome);
    test->idempotence = answer;
    test->verdict = answer->verdict;
}

static void report(struct check *check, const struct cli_case *question,
                   struct cli_answers *answers)
{
    struct report_test tests[SESSION_MAX_ENGINES];
    const struct cli_options *options = check->options;
    const struct report_asked asked = {options->settings.model, options->settings.persistency,
                                       options->settings.engine, options->settings.machine,
                                       options->settings.property != SESSION_CONDITION};
    for (uint32_t i = 0; i < answers->count; i++) {
        tests[i] = judge(check, question->model, answers, i);
        tests[i].gallery = &answers->galleries[i];
        tests[i].asked = &asked;
        judge_idempotence(check, question, &answers->outcomes[i], &tests[i]);
        account(check, &tests[i]);
        cli_pieces_test(&check->result->pieces, &tests[i]);
    }
    if (check->options->format == CLI_TEXT)
        report_as_text(check, tests, question, answers);
    else
        report_as_json(check, tests, question, answers);
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
    cli_pieces_fault(&check->result->pieces, &fault);
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
                        const struct span *asked_at, enum cli_loss lost)
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
    cli_result_raise(check->result, lost ? CLI_EXIT_UNKNOWN : CLI_EXIT_INPUT);
    check->result->otherwise += lost != CLI_LOSS_NONE;
    add_unloaded(check, model, &failure, asked_at);
    if (prints_json(check) && check->options->command == CLI_CHECK)
        report_json_failure(&failure, &check->result->out);
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
static struct cli_question question_of(const struct check *check, struct arena *arena,
                                       const char *visibility, const char *persistency,
                                       const char *engine)
{
    const char *machine =
        is_machine(engine)
            ? session_machine_name(arena, &check->options->settings, visibility, persistency)
            : NULL;
    return (struct cli_question){.options = check->options,
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
    const struct cli_records *earlier = check->surroundings->earlier;
    const struct engine_entry *engines[SESSION_MAX_ENGINES];
    const struct cli_record *records[SESSION_MAX_ENGINES];
    uint32_t count = cli_answers_engines(check->options, visibility, persistency, engines);
    struct arena arena;
    bool all = earlier->items.count > 0;
    arena_init(&arena);
    for (uint32_t i = 0; i < count && all; i++) {
        const struct cli_question question =
            question_of(check, &arena, visibility, persistency, engines[i]->name);
        records[i] = cli_resume_find(earlier, &question);
        all = records[i] != NULL;
    }
    for (uint32_t i = 0; i < count && all; i++)
        account_words(check, records[i]->verdict, records[i]->expected);
    arena_fini(&arena);
    return all;
}

static void check_pair(void *context, const char *visibility, const char *persistency,
                       const struct span *asked_at)
{
    struct check *check = context;
    struct cli_worker *worker = check->surroundings->worker;
    enum cli_loss lost = cli_worker_part(worker);
    if (is_answered(check, visibility, persistency))
        return;
    if (lost != CLI_LOSS_NONE) {
        const struct cli_case never = {.lost = lost};
        const char *reason = cli_case_doubt(&never);
        struct strbuf *err = &check->result->err;
        strbuf_add(err, "crashlit: ");
        utf8_add_name(err, visibility);
        strbuf_add(err, " + ");
        utf8_add_name(err, persistency);
        strbuf_printf(err, ": %s\n", reason);
        refuse_pair(check, &(struct session_model){.faults = "", .reason = reason}, visibility,
                    persistency, asked_at, lost);
        return;
    }
    struct cat_asker asker = session_models_user(&check->options->settings);
    if (asked_at)
        asker =
            (struct cat_asker){.reach = &check->options->settings.reach, .folder = check->folder};
    struct session_model *model =
        session_models_get(check->surroundings->models, &asker, visibility, persistency);
    note_faults(check, model);
    if (!model->model) {
        refuse_pair(check, model, visibility, persistency, asked_at, CLI_LOSS_NONE);
        return;
    }
    if (check->options->dump_ir)
        cat_model_dump(model->model, dumps_of(check));
    struct cli_case question = {check->options, model, check->program, worker, {{0, 0}, 0}, lost};
    if (check->options->command == CLI_EXPLAIN) {
        question = cli_case_again(&question);
        cli_explain_pair(&question, check->result);
        return;
    }
    struct cli_answers answers;
    cli_answers_get(&question, &answers, dumps_of(check));
    question = cli_case_again(&question); /* for what is made of them */
    if (check->options->command == CLI_CROSSCHECK && answers.count == 1)
        check->result->machines[CLI_NOT_ASKED]++;
    else if (check->options->command == CLI_CROSSCHECK)
        tell_accord(check, &question, &answers, NULL);
    else
        report(check, &question, &answers);
    cli_answers_fini(&answers);
}

/* Of a test that expects something, but nothing of a machine, no verdict would be right. */
static void pass_over(struct check *check)
{
    check->result->machines[CLI_NOT_ASKED]++;
    if (check->options->format == CLI_TEXT && check->options->command != CLI_CROSSCHECK)
        strbuf_printf(&check->result->out,
                      "Test %s: not asked, as it has no expectation for %s; name a model pair with "
                      "--model and --persistency\n\n",
                      check->program->name,
                      check->options->settings.machine ? check->options->settings.machine
                                                       : "a machine");
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
                       struct cli_test *test, struct cli_result *result)
{
    cli_pieces_faults(&result->pieces, &test->diag);
    struct check check = {surroundings->options, surroundings, test->program, test->folder, result};
    if (check.program)
        check_program(&check);
    else
        cli_result_refuse(result, surroundings->options, name, &test->diag);
    cli_pieces_end(&result->pieces, test->program);
    cli_test_fini(test);
}

void cli_check_file(const struct cli_surroundings *surroundings, const char *path,
                    struct cli_result *result)
{
    struct cli_test test;
    cli_result_init(result, surroundings->options, path);
    cli_test_init_for(&test, surroundings->options, path, &result->err);
    check_test(surroundings, path, &test, result);
}

void cli_check_text(const struct cli_surroundings *surroundings, const char *name, const char *text,
                    size_t length, struct cli_result *result)
{
    struct cli_test test;
    cli_result_init(result, surroundings->options, name);
    cli_test_init_text(&test, surroundings->options, name, text, length, &result->err);
    check_test(surroundings, name, &test, result);
}
