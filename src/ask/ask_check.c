#include "ask/ask_check.h"

#include "base/utf8.h"
#include "ask/ask_account.h"
#include "ask/ask_certify.h"
#include "ask/ask_recall.h"
#include "ask/ask_show.h"
#include "ask/ask_wide.h"
#include "engine/meaning.h"
#include "litmus/lit_parse.h"
#include "document/report_answer.h"
#include "document/report_brief.h"
#include "report/report_vacuous.h"
#include "document/report_json.h"
#include "document/report_text.h"
#include "document/report_view.h"
#include "format/report_format.h"
#include "session/session_ask.h"
#include "session/session_bare.h"
#include "session/session_waits.h"
#include "session/session_digest.h"
#include "session/session_mapping.h"
#include "session/session_refine.h"
#include "session/session_test.h"

#include <string.h>
#include <sys/resource.h>

struct check {
    const struct ask_options *options;
    const struct session_settings *settings; /* of these */
    const struct ask_surroundings *surroundings;
    const struct lit_program *program;
    const char *folder; /* of the test; NULL: none */
    struct run_result *result;
    struct ask_account account;
    struct ask_recall recall;
    struct report_brief *brief;     /* in place of text; NULL: none */
    struct report_answers *answers; /* the same, in sentences */
    struct engine_kept kept;        /* from one pair to the next */
    struct strbuf messages;         /* of the file, until a record has them */
    bool disputed;                  /* states of a source that it is held against are */
};

/* The engines' answers about one model pair. */
struct answered {
    struct session_answers answers;
    enum session_accord accord;
    struct report_gallery galleries[SESSION_MAX_ENGINES]; /* empty unless a report shows them */
    const struct report_certificate *certificate; /* of the first engine's; NULL: nobody asked */
    const struct report_wide *wide;               /* what could be less; NULL: nobody asked */
    const bool *bare;                             /* report_test.bare */
    struct waits waits;
    bool late;     /* a limit was met on the way */
    bool disputed; /* the first engine's answer is */
};

static long peak_kib(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
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
                                .crash_mode = session_crash_mode(check->settings, check->program),
                                .verdict = outcome_verdict(outcome, check->program),
                                .expected = session_ask_expected(expect),
                                .expectation = expect,
                                .models = session_ask_models(check->settings, check->program),
                                .decided = outcome->decided,
                                .question_digest = session_digest_question(check->settings, engine),
                                .peak_kib = peak_kib()};
}

/* Nothing but JSON lines may stand among JSON lines, nothing else in a document. */
static struct strbuf *dumps_of(struct check *check)
{
    return check->options->format == RUN_TEXT ? &check->result->out : &check->result->err;
}

static void count_contained(struct check *check, const struct answered *answered)
{
    const struct containment *c = answered->answers.containment;
    uint64_t *counts = check->result->counts;
    if (!c)
        return;
    counts[RUN_CONTAINMENTS + c->answer]++;
    counts[RUN_ALLOWED] +=
        c->is_counted ? outcome_state_count(&answered->answers.outcomes[0].crash) : 0;
    counts[RUN_NEVER_SHOWN] += c->never_crash;
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

static struct report_accord accord_of(const struct check *check,
                                      const struct session_case *question,
                                      const struct answered *answered, const char *details)
{
    static const enum report_result results[] = {REPORT_PASSED, REPORT_SKIPPED, REPORT_FAILED};
    const struct cat_model *model = question->model->model;
    return (struct report_accord){check->program->name,      model->visibility,
                                  model->persistency,        report_head(check->program),
                                  results[answered->accord], details};
}

static void tell_accord(struct check *check, const struct session_case *question,
                        const struct answered *answered, const char *details,
                        struct strbuf *remarks)
{
    const struct cat_model *model = question->model->model;
    const enum session_accord accord = answered->accord;
    check->result->counts[RUN_ACCORDS + accord]++;
    run_result_raise(check->result, ask_cross_status(check->options->command, accord));
    count_contained(check, answered);
    bool tells =
        accord != SESSION_AGREE || (check->options->command == ASK_CROSSCHECK &&
                                    check->options->verbose && answered->answers.containment);
    const struct report_accord told = accord_of(check, question, answered, details);
    if (remarks)
        report_accord_remark(told.result, details, remarks);
    else if (tells)
        add_accord(check, model, report_accord_words(told.result), details);
    run_pieces_accord(&check->result->pieces, &told);
}

/* The first engine's report stands for all, but for verdicts that are not the expected
 * ones. */
static void report_as_text(struct check *check, struct report_test *tests,
                           const struct session_case *question, const struct answered *answered,
                           const char *details)
{
    SCOPED(strbuf) remarks = {0};
    for (uint32_t i = 1; i < answered->answers.count; i++)
        if (tests[i].verdict != tests[i].expected)
            report_verdict_remark(tests[i].engine, tests[i].verdict, tests[i].expected, &remarks);
    if (session_engine_is_all(check->settings->engine))
        tell_accord(check, question, answered, details,
                    check->brief && answered->accord == SESSION_AGREE ? NULL : &remarks);
    if (tests[0].known && !check->brief)
        strbuf_add(&remarks, "This failure is known\n");
    tests[0].remarks = strbuf_text(&remarks);
    if (check->brief)
        report_brief_test(check->brief, &tests[0]);
    else if (check->answers)
        report_answers_add(check->answers, &tests[0]);
    else
        report_text(&tests[0], &check->result->out);
}

/* As a line of JSON, or to who takes it. */
static void add_record(struct check *check, const struct report_test *answer,
                       const struct report_failure *failure)
{
    const struct ask_surroundings *s = check->surroundings;
    if (check->options->format != RUN_JSON || !ask_command_judges(check->options->command))
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
                           const struct session_case *question, const struct answered *answered,
                           const char *details)
{
    for (uint32_t i = 0; i < answered->answers.count; i++)
        add_record(check, &tests[i], NULL);
    if (session_engine_is_all(check->settings->engine))
        tell_accord(check, question, answered, details, NULL);
}

/* The property of the command line in place of conditions. */
static void judge_idempotence(const struct check *check, const struct session_case *question,
                              struct outcome *outcome, struct report_test *test)
{
    if (check->settings->property != SESSION_IDEMPOTENT_RECOVERY)
        return;
    struct idempotence *answer = ARENA_NEW(&outcome->arena, struct idempotence);
    *answer = session_idempotence(question, &outcome->arena, outcome);
    test->idempotence = answer;
    test->verdict = answer->verdict;
}

/* `explanation`: of what is violated, by engines that ask the model; NULL: none. */
static void report(struct check *check, const struct session_case *question,
                   struct answered *answered, const char *explanation)
{
    struct report_test tests[SESSION_MAX_ENGINES];
    const struct session_settings *settings = check->settings;
    SCOPED(strbuf) explain = {0}, trace = {0}, details = {0};
    bool explains = ask_options_repeat(check->options, ASK_EXPLAIN, &explain);
    bool traces = ask_options_repeat(check->options, ASK_TRACE, &trace);
    const struct report_asked asked = {.model = settings->model,
                                       .persistency = settings->persistency,
                                       .engine = settings->engine,
                                       .machine = settings->machine,
                                       .mapping = settings->mapping,
                                       .property = settings->property != SESSION_CONDITION,
                                       .recovery_crash = settings->recovery_crash,
                                       .explain = explains ? strbuf_text(&explain) : NULL,
                                       .trace = traces ? strbuf_text(&trace) : NULL};
    const uint32_t count = answered->answers.count;
    const bool compared = session_engine_is_all(settings->engine);
    if (compared)
        ask_cross_tell(question, &answered->answers, &details);
    const struct report_accord accord = accord_of(check, question, answered, strbuf_text(&details));
    for (uint32_t i = 0; i < count; i++) {
        tests[i] = judge(check, question->model, &answered->answers, i);
        tests[i].containment = tests[i].machine ? answered->answers.containment : NULL;
        tests[i].gallery = &answered->galleries[i];
        tests[i].asked = &asked;
        tests[i].accord = compared && i + 1 == count ? &accord : NULL;
        tests[i].messages = i == 0 ? strbuf_text(&check->messages) : NULL;
        tests[i].explanation = answered->answers.engines[i]->trace ? NULL : explanation;
        tests[i].certificate = i == 0 ? answered->certificate : NULL;
        tests[i].wide = i == 0 ? answered->wide : NULL;
        tests[i].disputed = check->disputed || (i == 0 && answered->disputed);
        if (!tests[i].machine) {
            tests[i].bare = answered->bare;
            tests[i].waits = answered->waits;
        }
        judge_idempotence(check, question, &answered->answers.outcomes[i], &tests[i]);
        ask_account_answer(&check->account, &tests[i], i == 0);
        run_pieces_test(&check->result->pieces, &tests[i]);
    }
    if (check->options->format == RUN_TEXT)
        report_as_text(check, tests, question, answered, strbuf_text(&details));
    else
        report_as_json(check, tests, question, answered, strbuf_text(&details));
    if (!answered->late)
        ask_recall_keep(&check->recall, &tests[0]);
    strbuf_clear(&check->messages);
}

/* The failure and its record say the same. */
static void add_unloaded(struct check *check, const struct session_model *model,
                         struct report_failure *failure, const struct span *asked_at)
{
    SCOPED(strbuf) message = {0};
    strbuf_add(&message, "the model pair ");
    report_pair(failure->visibility, failure->persistency, &message);
    strbuf_add(&message, " gives no answer");
    struct report_fault fault = {.severity = DIAG_ERROR,
                                 .id = diag_id_text(DIAG_CLI_EXPECT_MODEL),
                                 .message = strbuf_text(&message),
                                 .details = model->faults,
                                 .unknown = failure->verdict == LIT_UNKNOWN,
                                 .pair = failure};
    if (asked_at) {
        fault.span = *asked_at;
        fault.fix = (struct diag_fix){*asked_at, model->fix.word, model->fix.meant};
    }
    report_json_message(check->program->source->name, &fault, &check->messages);
    failure->messages = strbuf_text(&check->messages);
    run_pieces_fault(&check->result->pieces, &fault);
}

/* Whatever engine was to be asked, the pair has one record. `lost`: at which limit it could not be
 * loaded. */
static void refuse_pair(struct check *check, const struct session_model *model,
                        const struct session_pair *pair, enum session_loss lost)
{
    const struct lit_program *program = check->program;
    const struct lit_expect *expect = session_ask_expectation(
        program, pair->visibility, pair->persistency, check->settings->engine);
    struct report_failure failure = {.path = program->source->path,
                                     .verdict = lost ? LIT_UNKNOWN : LIT_ERROR,
                                     .expected = session_ask_expected(expect),
                                     .reason = model->reason,
                                     .program = program,
                                     .visibility = pair->visibility,
                                     .persistency = pair->persistency};
    if (lost)
        run_result_raise_unknown(check->result, &check->options->policy);
    else
        run_result_raise(check->result, RUN_EXIT_INPUT);
    if (check->brief)
        report_brief_failure(check->brief, &failure);
    if (check->answers)
        report_answers_fail(check->answers, &failure);
    check->result->counts[RUN_OTHERWISE] += lost != SESSION_LOSS_NONE;
    add_unloaded(check, model, &failure, pair->asked_at);
    add_record(check, NULL, &failure);
    strbuf_clear(&check->messages);
    if (pair->asked_at)
        diag_tell(&check->result->err, DIAG_CLI_EXPECT_MODEL, *pair->asked_at,
                  "the model pair %s + %s gives no answer", pair->visibility, pair->persistency);
}

/* To be shown once in a run, whoever meets them. */
static void note_faults(struct run_result *result, const char *faults)
{
    if (*faults)
        VEC_PUSH(&result->faults, arena_strdup(&result->arena, faults));
}

/* Does a report tell the places of compiled code, where what a state lacks stands? */
static bool tells_sources(const struct check *check)
{
    return check->program->outline_count &&
           ANY(i, check->options->report_count,
               check->options->reports[i].format == &report_format_sarif);
}

static void ask_next(struct check *check, const struct session_case *question,
                     struct answered *answered)
{
    struct session_answers *answers = &answered->answers;
    uint32_t number = answers->asked;
    struct report_gallery *gallery = &answered->galleries[number];
    if (!ask_show_wants(check->options, gallery))
        gallery = NULL;
    const struct ask_show show = {check->options->dump_exec ? dumps_of(check) : NULL, gallery};
    const struct session_view view = ask_show_view(&show);
    const bool shows = gallery || check->options->dump_exec;
    const struct session_case own = session_answers_ask(answers, question, shows ? &view : NULL);
    for (uint32_t c = 0; gallery && c < check->program->condition_count; c++)
        ask_show_chain(&own, answers->engines[number], &answers->outcomes[number], c, gallery);
    if (gallery)
        ask_show_recoveries(&own, gallery);
    else if ((check->answers || tells_sources(check)) && number == 0)
        ask_show_told(&own, answers->engines[0], &answers->outcomes[0], &answered->galleries[0]);
}

/* A part of the worker's task that met a limit before the model was loaded. */
static void lose_pair(struct check *check, const struct session_pair *pair, enum session_loss lost)
{
    const char *reason = session_loss_doubt(lost);
    SCOPED(strbuf) name = {0};
    report_pair(pair->visibility, pair->persistency, &name);
    diag_say(&check->result->err, "%s: %s", strbuf_text(&name), reason);
    refuse_pair(check, &(struct session_model){.faults = "", .reason = reason}, pair, lost);
}

/* A model that means an instruction of the test by other events than it has answers nothing. */
static bool refuse_misplaced(struct check *check, const struct session_model *model,
                             const struct session_pair *pair)
{
    const char *tag;
    const struct lit_instr *instr = meaning_misplaced(check->program, model->model, &tag);
    if (!instr)
        return false;
    SCOPED(strbuf) faults = {0};
    diag_tell(&faults, DIAG_CAT_TAG, instr->span,
              "'%s' has a meaning for fences in this model, and none for read-modify-writes, "
              "around which herd puts such fences; declare it, as in instructions RMW['%s], and "
              "use the set in the model",
              tag, tag);
    const struct session_model refused = {.faults = strbuf_text(&faults),
                                          .reason = "an instruction has no meaning"};
    note_faults(check->result, refused.faults);
    refuse_pair(check, &refused, pair, SESSION_LOSS_NONE);
    return true;
}

/* What is held to records answers nothing else. */
static bool refuse_unfrozen(struct check *check, const struct session_model *model,
                            const struct session_pair *pair)
{
    const struct run_frozen *frozen = check->surroundings->run.frozen;
    SCOPED(arena) arena = {0};
    SCOPED(strbuf) faults = {0};
    const char *why = frozen ? run_frozen_fault(frozen, &arena, check->settings, check->program,
                                                pair, model->model)
                             : NULL;
    if (!why)
        return false;
    SCOPED(strbuf) name = {0};
    report_pair(pair->visibility, pair->persistency, &name);
    diag_tell(&faults, DIAG_CLI_FROZEN, NOWHERE,
              "%s is %s; check anew without --frozen, and keep those records", strbuf_text(&name),
              why);
    const struct session_model refused = {.faults = strbuf_text(&faults), .reason = why};
    note_faults(check->result, refused.faults);
    refuse_pair(check, &refused, pair, SESSION_LOSS_NONE);
    return true;
}

/* NULL when it could not be loaded, which is told. */
static struct session_model *load_pair(struct check *check, const struct session_pair *pair)
{
    struct cat_asker asker = session_pair_asker(check->settings, check->folder, pair);
    struct session_model *model = session_models_get(check->surroundings->run.models, &asker,
                                                     pair->visibility, pair->persistency);
    note_faults(check->result, model->faults);
    if (model->model &&
        (check->settings->certify || check->settings->certified || check->options->cases))
        session_models_cases(check->surroundings->run.models, model);
    if (model->model && lit_asks_property(check->program, LIT_PROPERTY_RACE))
        session_models_races(check->surroundings->run.models, model);
    if (model->model)
        return refuse_misplaced(check, model, pair) || refuse_unfrozen(check, model, pair) ? NULL
                                                                                           : model;
    refuse_pair(check, model, pair, SESSION_LOSS_NONE);
    return NULL;
}

/* Does an engine that asks the model find it violated? Of a machine's runs `trace` tells. */
static bool is_violated(const struct check *check, const struct session_answers *answers,
                        const struct lit_condition *condition)
{
    return ANY(i, answers->count,
               !answers->engines[i]->trace &&
                   outcome_judge(&answers->outcomes[i], check->program, condition).verdict ==
                       LIT_VIOLATED);
}

/* Is all well where a violation was expected? */
static bool holds_unexpected(const struct check *check, const struct session_model *model,
                             const struct session_answers *answers)
{
    for (uint32_t i = 0; i < answers->count; i++) {
        const struct report_test test = judge(check, model, answers, i);
        if (!test.machine && test.verdict == LIT_OK && test.expected == LIT_VIOLATED)
            return true;
    }
    return false;
}

/* What is to be said of violated conditions, as text or as JSON lines. */
static void explain_violated(struct check *check, const struct session_case *question,
                             const struct session_answers *answers, enum run_format format,
                             struct strbuf *out)
{
    struct ask_options options = *check->options;
    SCOPED(run_result) told = {0};
    options.format = format;
    const struct lit_program *program = check->program;
    bool all = holds_unexpected(check, question->model, answers);
    bool *which = base_realloc(NULL, program->condition_count + 1u);
    for (uint32_t c = 0; c < program->condition_count; c++)
        which[c] = all || is_violated(check, answers, &program->conditions[c]);
    check->surroundings->of_violated(&options, question, which, &told);
    base_free(which);
    strbuf_add_bytes(out, strbuf_text(&told.out), told.out.length);
    strbuf_add_bytes(&check->result->err, strbuf_text(&told.err), told.err.length);
    if (told.status == RUN_EXIT_UNKNOWN)
        run_result_raise_unknown(check->result, &check->options->policy);
    else
        run_result_raise(check->result, told.status);
}

/* Documents have explanations in them, text and JSON lines behind the answers. */
static void report_explained(struct check *check, const struct session_case *question,
                             struct answered *answered)
{
    const struct session_answers *answers = &answered->answers;
    const struct ask_options *options = check->options;
    SCOPED(strbuf) told = {0};
    if (options->format == RUN_TEXT || options->report_count)
        explain_violated(check, question, answers, RUN_TEXT, &told);
    report(check, question, answered, told.length ? strbuf_text(&told) : NULL);
    if (options->format == RUN_TEXT && !check->answers)
        strbuf_add_bytes(&check->result->out, strbuf_text(&told), told.length);
    else if (options->format == RUN_JSON)
        explain_violated(check, question, answers, RUN_JSON, &check->result->out);
}

/* Whoever writes down what is to be answered under a pair has seen the answer. */
static const bool *ask_bare(const struct check *check, struct arena *arena,
                            const struct session_case *question,
                            const struct session_answers *answers)
{
    const struct session_model *model = question->model;
    if (check->options->command == ASK_CROSSCHECK || answers->engines[0]->trace ||
        check->settings->property != SESSION_CONDITION ||
        session_ask_expectation(check->program, model->visibility, model->persistency, "all"))
        return NULL;
    return session_bare(arena, question, &answers->outcomes[0]);
}

static struct waits ask_waits(const struct check *check, struct arena *arena,
                              const struct session_case *question,
                              const struct session_answers *answers)
{
    if (check->options->command == ASK_CROSSCHECK || answers->engines[0]->trace ||
        check->settings->property != SESSION_CONDITION)
        return (struct waits){NULL, 0, NULL, NULL};
    return session_waits(arena, question, &answers->outcomes[0]);
}

static void crosscheck(struct check *check, const struct session_case *question,
                       const struct answered *answered)
{
    SCOPED(strbuf) details = {0};
    ask_cross_tell(question, &answered->answers, &details);
    tell_accord(check, question, answered, strbuf_text(&details), NULL);
}

/* What is made of the answers is a part of its own. */
static void answer_pair(struct check *check, const struct session_case *question)
{
    struct answered answered = {.accord = SESSION_AGREE};
    session_answers_init(&answered.answers, question);
    while (answered.answers.asked < answered.answers.count)
        ask_next(check, question, &answered);
    answered.accord = session_answers_compare(&answered.answers, question);
    struct session_case again = session_case_again(question);
    struct ask_wide wide;
    SCOPED(arena) arena = {0};
    struct report_certificate certificate;
    if (check->settings->certify || check->settings->certified) {
        certificate = ask_certify(check->surroundings->run.checker, &arena, &again,
                                  &answered.answers, check->result);
        answered.certificate = &certificate;
        answered.disputed = certificate.disputed;
        again = session_case_again(question);
    }
    answered.bare = ask_bare(check, &arena, &again, &answered.answers);
    answered.waits = ask_waits(check, &arena, &again, &answered.answers);
    answered.late = again.lost != SESSION_LOSS_NONE || clock_is_late(&again.clock);
    if (check->settings->narrowest) {
        ask_wide_ask(&wide, &again, check->folder, &answered.answers);
        answered.wide = &wide.told;
        if (ask_wide_is_disputed(&wide)) {
            answered.disputed = true;
            run_result_raise(check->result, RUN_EXIT_DISAGREE);
        }
        again = session_case_again(question);
    }
    if (check->options->command == ASK_CROSSCHECK && answered.answers.count == 1)
        check->result->counts[RUN_NOT_ASKED]++;
    else if (check->options->command == ASK_CROSSCHECK)
        crosscheck(check, &again, &answered);
    else if (check->surroundings->of_violated)
        report_explained(check, &again, &answered);
    else
        report(check, &again, &answered, NULL);
    if (check->settings->narrowest)
        ask_wide_fini(&wide);
    for (uint32_t i = 0; i < answered.answers.count; i++)
        report_gallery_fini(&answered.galleries[i]);
    session_answers_fini(&answered.answers);
}

/* Which of the states that decide a condition an engine finds may depend on what it was asked
 * before. Where reports show such a state, each pair is asked as if alone; a line for all pairs has
 * that of the first, which nothing was asked before. */
static bool may_keep(const struct check *check)
{
    const struct ask_options *options = check->options;
    bool lists = !check->settings->decide && !check->program->recovery_count;
    bool shows = !check->brief || options->report_count;
    return check->program->expect_count > 1 && !check->settings->model &&
           !check->settings->persistency && (lists || !shows || options->command == ASK_CROSSCHECK);
}

/* What is held against a source whose states are in dispute is judged by those of one engine. */
static void tell_sources(struct check *check)
{
    SCOPED(strbuf) name = {0};
    utf8_add_name(&name, check->program->source->name);
    diag_say(&check->result->err,
             "%s: engines disagree about the states of a source that it is held against; "
             "crashlit crosscheck tells more of the source",
             strbuf_text(&name));
    check->disputed = true;
    run_result_raise(check->result, RUN_EXIT_DISAGREE);
}

/* What is kept is of the test as it was read. */
static const struct lit_program *settle_robust(struct check *check, struct session_case *question,
                                               const struct session_pair *pair, struct arena *arena)
{
    const struct cat_asker asker = session_pair_asker(check->settings, check->folder, pair);
    bool disagree = false;
    question->kept = NULL;
    const struct lit_program *settled =
        session_robust(arena, question, check->surroundings->run.models, &asker, &disagree);
    if (disagree)
        tell_sources(check);
    return settled;
}

static void check_pair(void *context, const struct session_pair *pair)
{
    struct check *check = context;
    struct session_case question = {.settings = check->settings,
                                    .program = check->program,
                                    .parts = check->surroundings->run.parts,
                                    .kept = may_keep(check) ? &check->kept : NULL};
    enum session_loss lost = session_part_begin(&question.parts);
    if (lost != SESSION_LOSS_NONE) {
        lose_pair(check, pair, lost);
        return;
    }
    question.model = load_pair(check, pair);
    if (!question.model)
        return;
    const struct cat_model *model = question.model->model;
    if (ask_recall_resumed(&check->recall, pair, model) ||
        ask_recall_kept(&check->recall, pair, model, &check->messages))
        return;
    const struct lit_program *read = check->program;
    const bool disputed = check->disputed;
    SCOPED(arena) arena = {0};
    if (lit_asks_property(read, LIT_PROPERTY_ROBUST))
        check->program = question.program = settle_robust(check, &question, pair, &arena);
    if (check->options->dump_ir)
        cat_model_dump(question.model->model, dumps_of(check));
    if (check->surroundings->of_pair) {
        const struct session_case again = session_case_again(&question);
        check->surroundings->of_pair(check->options, &again, check->result);
    } else {
        answer_pair(check, &question);
    }
    check->program = read;
    check->disputed = disputed;
}

/* Of a test that expects something, but nothing of a machine, no verdict would be right. */
static void pass_over(struct check *check)
{
    check->result->counts[RUN_NOT_ASKED]++;
    if (check->brief)
        report_brief_line(false, "not asked", check->program->source->name,
                          ": no expectation for such a machine", &check->result->out);
    else if (check->options->format == RUN_TEXT && check->options->command != ASK_CROSSCHECK)
        strbuf_printf(&check->result->out,
                      "Test %s: not asked, as it has no expectation for %s; name a model pair with "
                      "--model and --persistency\n\n",
                      check->program->name,
                      check->settings->machine ? check->settings->machine : "a machine");
}

/* The test could not be read: its record names the first error. */
static void refuse_test(struct check *check, const char *name, const struct diag *diag)
{
    const struct diag_entry *error = diag_first_error(diag);
    const struct report_failure failure = {.path = name,
                                           .verdict = LIT_ERROR,
                                           .expected = LIT_OK,
                                           .reason = error->message,
                                           .line = span_line_in(&error->span, name),
                                           .messages = strbuf_text(&check->messages)};
    add_record(check, NULL, &failure);
    if (check->brief)
        report_brief_failure(check->brief, &failure);
    run_result_raise(check->result, RUN_EXIT_INPUT);
}

static void check_program(struct check *check)
{
    if (check->options->dump_ast)
        lit_program_dump(check->program, dumps_of(check));
    if (check->surroundings->of_test)
        check->surroundings->of_test(check->surroundings, check->program, check->result);
    else if (session_ask_each_pair(check->settings, check->program, check_pair, check) == 0)
        pass_over(check);
}

/* Of one file that somebody looks at; a folder may have tests with recovery beside others. */
static void warn_of_recovery(const struct ask_options *options, struct session_test *test)
{
    const struct session_settings *settings = &options->settings;
    bool crashes = settings->recovery_crash;
    bool counts = settings->rounds && settings->rounds != ENGINE_ROUNDS;
    if (!test->program || test->program->recovery_count || options->brief || (!crashes && !counts))
        return;
    diag_warning(&test->diag, DIAG_CLI_USAGE, NOWHERE,
                 "--%s is about recovery, and '%s' has none: write recovery { ... } behind the "
                 "work-items, or leave the option away",
                 crashes ? "recovery-crash" : "rounds", test->program->name);
}

/* What was said of sources, behind what reading the test said: once in a run where others
 * say the same. */
static void warn_of_sources(struct session_test *test, size_t read, const char *name,
                            struct strbuf *messages, struct run_result *result)
{
    SCOPED(strbuf) text = {0};
    struct diag sources = test->diag; /* a part of it */
    sources.entries.items += read;
    sources.entries.count -= read;
    diag_render(&sources, &text);
    note_faults(result, strbuf_text(&text));
    run_pieces_faults(&result->pieces, &sources);
    report_json_messages(name, &sources, messages);
    test->diag.entries.count = read;
}

/* Is what was said of no place? Of tests of standard input it is the same for all, and is said once. */
static bool is_of_stream(const struct session_settings *settings, const struct diag *diag)
{
    return settings->stream &&
           ALL(i, diag->entries.count, diag->entries.items[i].span.source == NULL);
}

static const char *diag_text(struct arena *arena, const struct diag *diag)
{
    struct strbuf text = {0};
    diag_render(diag, &text);
    return strbuf_take(&text, arena);
}

/* Checks what was read, and ends it. */
static void check_test(const struct ask_surroundings *surroundings, const char *name,
                       struct session_test *test, struct run_result *result)
{
    const size_t read = test->diag.entries.count;
    bool refined = session_refine(test, &surroundings->options->settings, surroundings->run.models,
                                  surroundings->run.parts);
    SCOPED(arena) names = {0};
    struct strbuf messages = {0};
    if (refined && test->diag.entries.count > read)
        warn_of_sources(test, read, utf8_name(&names, name), &messages, result);
    if (!refined && test->model_faults)
        note_faults(result, test->model_faults);
    warn_of_recovery(surroundings->options, test);
    if (test->program)
        session_ask_hosts(&surroundings->options->settings, surroundings->run.models, test->program,
                          test->folder, &test->diag);
    if (test->program)
        session_ask_torn(&surroundings->options->settings, surroundings->run.models, test->program,
                         test->folder, &test->diag);
    if (is_of_stream(&surroundings->options->settings, &test->diag))
        note_faults(result, diag_text(&names, &test->diag));
    else
        diag_render(&test->diag, &result->err);
    run_pieces_faults(&result->pieces, &test->diag);
    report_json_messages(utf8_name(&names, name), &test->diag, &messages);
    const struct ask_options *options = surroundings->options;
    struct report_brief brief = {0};
    struct report_answers answers = {.whole = options->settings.states || options->verbose,
                                     .alone = !options->several};
    struct check check = {.options = options,
                          .settings = &options->settings,
                          .surroundings = surroundings,
                          .program = test->program,
                          .folder = test->folder,
                          .result = result,
                          .brief = options->brief ? &brief : NULL,
                          .answers = options->sentences && !options->brief ? &answers : NULL,
                          .kept = {.program = test->program},
                          .messages = messages};
    check.account = (struct ask_account){options, surroundings->run.known, result};
    check.recall = (struct ask_recall){.account = &check.account,
                                       .run = &surroundings->run,
                                       .settings = &options->settings,
                                       .program = test->program,
                                       .brief = check.brief,
                                       .name = utf8_name(&names, name)};
    if (test->sources_disagree)
        tell_sources(&check);
    if (check.program)
        check_program(&check);
    else
        refuse_test(&check, name, &test->diag);
    ask_recall_end(&check.recall);
    ask_recall_fini(&check.recall);
    engine_kept_fini(&check.kept);
    strbuf_fini(&check.messages);
    report_brief_end(&brief, name, &result->out);
    result->odd = brief.otherwise > 0;
    report_brief_fini(&brief);
    if (answers.pairs && result->out.length) /* behind what was dumped */
        strbuf_add_char(&result->out, '\n');
    report_answers_end(&answers, &result->out);
    if (check.answers && options->several && result->out.length)
        strbuf_add_char(&result->out, '\n');
    run_pieces_end(&result->pieces, test->program);
    session_test_fini(test);
}

static void print_launch(const struct session_settings *settings, const char *path,
                         struct run_result *result)
{
    struct session_test test;
    const char *text = session_test_launches(&test, settings, path);
    diag_render(&test.diag, &result->err);
    strbuf_add(&result->out, text ? text : "");
    if (!text)
        run_result_raise(result, RUN_EXIT_INPUT);
    session_test_fini(&test);
}

void ask_check_file(const struct ask_surroundings *surroundings, const char *path,
                    struct run_result *result)
{
    struct session_test test;
    const struct session_settings *settings = &surroundings->options->settings;
    if (surroundings->options->print_launch) {
        print_launch(settings, path, result);
        return;
    }
    if (settings->mapping)
        (void)session_mapping_test(&test, settings, path, settings->mapping);
    else
        session_test_load(&test, settings, path);
    check_test(surroundings, session_test_shown(&test.arena, settings, path), &test, result);
}

void ask_check_text(const struct ask_surroundings *surroundings, const char *name, const char *text,
                    size_t length, struct run_result *result)
{
    struct session_test test;
    session_test_read(&test, &surroundings->options->settings, name, text, length);
    check_test(surroundings, name, &test, result);
}

void ask_check_edited(const struct ask_surroundings *surroundings, const char *path,
                      const char *text, size_t length, struct run_result *result)
{
    struct session_test test;
    session_test_begin(&test, path);
    session_test_take(&test, &surroundings->options->settings, path, text, length);
    check_test(surroundings, path, &test, result);
}
