#include "cli/cli_explain.h"

#include "session/session_engines.h"
#include "cli/cli_explain_recovery.h"
#include "cli/cli_run.h"
#include "engine/recheck.h"
#include "report/report.h"
#include "smt/smt_explain.h"

struct explain {
    const struct cli_options *options;
    const struct session_model *model;
    const struct lit_program *program;
    const struct cli_case *question; /* of the pair, whose conditions share its clock */
    struct cli_result *result;
    struct outcome outcome; /* undefined behaviour and doubts */
};

static void raise_status(struct explain *explain, enum cli_status status)
{
    if (status > explain->result->status)
        explain->result->status = status;
}

void cli_explain_on_witness(void *context, const struct engine_witness *witness)
{
    const char *fault = recheck_witness(context, witness);
    if (fault)
        base_die("internal error: an explanation: %s", fault);
}

/* That nothing reaches the state is known only when nothing was left out. */
static void heed_doubts(const struct explain *explain, struct explanation *explanation,
                        struct report_gallery *gallery)
{
    const char *doubt = outcome_doubt(&explain->outcome);
    if (explanation->answer == EXPLANATION_UNREACHABLE && doubt) {
        explanation->answer = EXPLANATION_UNKNOWN;
        explanation->doubt = doubt;
        report_gallery_fini(gallery);
        *gallery = (struct report_gallery){0};
    }
}

/* ---- Pictures ---- */

/* Witnesses of one condition, and where they go. */
struct watch {
    const struct engine_request *request;
    const struct lit_condition *condition;
    struct recheck *recheck;
    struct report_gallery *gallery; /* NULL: nobody draws them */
};

static void on_witness(void *context, const struct engine_witness *witness)
{
    struct watch *watch = context;
    cli_explain_on_witness(watch->recheck, witness);
    if (watch->gallery)
        report_gallery_add_reaching(watch->gallery, watch->request, witness, watch->condition);
}

static void on_near_miss(void *context, const struct near_miss *miss)
{
    struct watch *watch = context;
    const char *fault = recheck_near_miss(watch->recheck, miss);
    if (fault)
        base_die("internal error: a near miss: %s", fault);
    report_gallery_add_near_miss(watch->gallery, watch->request, miss);
}

/* Whether the condition holds because there is nothing to hold it against, and why. */
static struct outcome_judgement vacuity_of(const struct report_explanation *report)
{
    struct outcome_judgement judgement =
        outcome_judge(report->test.outcome, report->test.program, report->condition);
    judgement.vacuous &= report->explanation->answer == EXPLANATION_UNREACHABLE;
    return judgement;
}

/* What the answer means for the condition. */
static enum lit_verdict verdict_of(const struct report_explanation *report)
{
    bool exists = report->condition->quantifier == LIT_EXISTS;
    if (report->test.outcome->undefined.count)
        return LIT_UNDEFINED;
    if (vacuity_of(report).vacuous)
        return vacuity_of(report).verdict;
    switch (report->explanation->answer) {
    case EXPLANATION_REACHABLE: return exists ? LIT_OK : LIT_VIOLATED;
    case EXPLANATION_UNREACHABLE: return exists ? LIT_VIOLATED : LIT_OK;
    case EXPLANATION_UNKNOWN: break;
    }
    return LIT_UNKNOWN;
}

/* Why there is no picture. */
static const char *lack_of(const struct report_explanation *report)
{
    const struct explanation *explanation = report->explanation;
    if (explanation->answer == EXPLANATION_UNKNOWN)
        return explanation->doubt ? explanation->doubt : "the solver gave up";
    if (vacuity_of(report).vacuous)
        return vacuity_of(report).reason;
    if (report->condition->when == LIT_RECOVERED)
        return report->test.outcome->livelocks.count ? "livelock, which the text explains"
                                                     : "no recovery leaves such a state";
    if (explanation->reasons.count && explanation->reasons.items[0].kind == EXPLANATION_BY_WAITS)
        return "work-items wait at persist barriers, so no candidate execution has such a state";
    if (explanation->reasons.count)
        return "the time ran out before a near miss was found";
    return explanation->minimal ? "no candidate execution has such a state"
                                : "the time ran out before it was known why";
}

static void draw(struct explain *explain, const struct report_explanation *report,
                 struct report_gallery *gallery)
{
    struct report_test test = report->test;
    struct strbuf remark = {0};
    strbuf_printf(&remark, "condition %u: %s, no execution to be drawn", report->number,
                  lack_of(report));
    report_gallery_remark(gallery, strbuf_text(&remark));
    strbuf_fini(&remark);
    test.engine = explain->options->settings.engine;
    test.verdict = test.expected = verdict_of(report);
    test.gallery = gallery;
    cli_pieces_test(&explain->result->pieces, &test);
}

/* ---- Answers ---- */

static void tell(struct explain *explain, const struct report_explanation *report,
                 struct report_gallery *gallery)
{
    if (verdict_of(report) == LIT_UNKNOWN)
        raise_status(explain, CLI_EXIT_UNKNOWN);
    if (explain->options->format == CLI_JSON)
        report_explain_json(report, &explain->result->out);
    else if (explain->options->format == CLI_TEXT)
        report_explain_text(report, &explain->result->out);
    draw(explain, report, gallery);
    report_gallery_fini(gallery);
}

static void explain_recovered(struct explain *explain, const struct cli_case *question,
                              uint32_t index)
{
    struct cli_recovery_explained explained;
    struct report_gallery gallery = {0};
    cli_explain_recovery(question, index, &explained);
    if (cli_reports_show_executions(explain->options))
        cli_run_keep_chain(question, session_engine_find(explained.engine), &explained.outcome,
                           index, &gallery);
    const struct report_explanation report = {
        .test = {.program = explain->program,
                 .model = explain->model->model,
                 .outcome = &explained.outcome,
                 .crash_mode = cli_crash_mode(explain->options, explain->program)},
        .number = index + 1,
        .condition = &explain->program->conditions[index],
        .explanation = &explained.explanation,
        .crashes = explained.crashes,
        .crash_count = explained.count};
    tell(explain, &report, &gallery);
    cli_recovery_explained_fini(&explained);
}

/* Of the time that is left, one part of so many. */
static struct cli_case case_of(const struct explain *explain, const struct cli_options *options,
                               uint32_t parts)
{
    struct cli_case question = cli_case_again(explain->question);
    question.options = options;
    question.clock = clock_limit_part(&explain->question->clock, 1.0 / parts);
    return question;
}

/* One of so many that are still to be explained. */
static void explain_condition(struct explain *explain, uint32_t index, uint32_t left)
{
    const struct cli_case question = case_of(explain, explain->options, left);
    if (explain->program->conditions[index].when == LIT_RECOVERED) {
        explain_recovered(explain, &question, index);
        return;
    }
    struct explanation explanation;
    const struct lit_condition *condition = &explain->program->conditions[index];
    struct engine_request request = cli_case_request(&question);
    request.on_witness = on_witness;
    request.on_near_miss = cli_reports_show_executions(explain->options) ? on_near_miss : NULL;
    struct report_gallery gallery = {.as_if_defined = explain->outcome.undefined.count > 0};
    struct watch watch = {&request, condition, recheck_new(&request),
                          request.on_near_miss ? &gallery : NULL};
    request.context = &watch;
    explanation_init(&explanation);
    explanation.doubt = cli_case_doubt(&question);
    if (question.lost == CLI_LOSS_NONE) {
        smt_explain(&request, condition, &explanation);
        heed_doubts(explain, &explanation, &gallery);
        cli_explain_mend(&question, index, &explanation);
    }
    struct report_explanation report = {.test = {.program = explain->program,
                                                 .model = explain->model->model,
                                                 .outcome = &explain->outcome,
                                                 .crash_mode = request.crash_mode},
                                        .number = index + 1,
                                        .condition = condition,
                                        .explanation = &explanation};
    tell(explain, &report, &gallery);
    recheck_free(watch.recheck);
    explanation_fini(&explanation);
}

/* Undefined behaviour, and what was left out, as `check` finds them. */
static void look_at_test(struct explain *explain, uint32_t conditions)
{
    struct cli_options options = *explain->options;
    struct strbuf unused = {0};
    options.settings.engine = "smt";
    options.settings.decide = true;
    options.dump_exec = false;
    const struct cli_case question = case_of(explain, &options, conditions + 1);
    cli_run(&question, &explain->outcome, &unused);
    strbuf_fini(&unused);
}

static void refuse_condition(struct explain *explain)
{
    struct diag diag;
    diag_init(&diag);
    diag_error(&diag, DIAG_CLI_OPTION_VALUE, (struct span){NULL, 0, 0, 0, 0},
               "--condition %u: '%s' has %u conditions, counted from 1",
               explain->options->condition, explain->program->source->name,
               explain->program->condition_count);
    diag_render(&diag, &explain->result->err);
    diag_fini(&diag);
    raise_status(explain, CLI_EXIT_INPUT);
}

void cli_explain_pair(const struct cli_case *question, struct cli_result *result)
{
    const struct cli_options *options = question->options;
    const struct lit_program *program = question->program;
    struct explain explain = {.options = options,
                              .model = question->model,
                              .program = program,
                              .question = question,
                              .result = result};
    uint32_t left = options->condition ? 1 : program->condition_count;
    if (options->condition > program->condition_count ||
        (options->condition == 0 && program->condition_count == 0)) {
        refuse_condition(&explain);
        return;
    }
    look_at_test(&explain, left);
    for (uint32_t i = 0; i < program->condition_count; i++)
        if (options->condition == 0 || options->condition == i + 1)
            explain_condition(&explain, i, left--);
    outcome_fini(&explain.outcome);
}
