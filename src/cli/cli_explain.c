#include "cli/cli_explain.h"

#include "cli/cli_explain_recovery.h"
#include "cli/cli_run.h"
#include "engine/recheck.h"
#include "report/report.h"
#include "smt/smt_explain.h"

struct explain {
    const struct cli_options *options;
    const struct cli_model *model;
    const struct lit_program *program;
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
static void heed_doubts(const struct explain *explain, struct explanation *explanation)
{
    const char *doubt = outcome_doubt(&explain->outcome);
    if (explanation->answer == EXPLANATION_UNREACHABLE && doubt) {
        explanation->answer = EXPLANATION_UNKNOWN;
        explanation->doubt = doubt;
    }
}

static void tell(struct explain *explain, const struct report_explanation *report)
{
    if (report->explanation->answer == EXPLANATION_UNKNOWN)
        raise_status(explain, CLI_EXIT_UNKNOWN);
    if (explain->options->format == CLI_JSON)
        report_explain_json(report, &explain->result->out);
    else
        report_explain_text(report, &explain->result->out);
}

static void explain_recovered(struct explain *explain, const struct cli_case *question,
                              uint32_t index)
{
    struct cli_recovery_explained explained;
    cli_explain_recovery(question, index, &explained);
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
    tell(explain, &report);
    cli_recovery_explained_fini(&explained);
}

static void explain_condition(struct explain *explain, uint32_t index)
{
    const struct cli_case question = {explain->options, explain->model, explain->program};
    if (explain->program->conditions[index].when == LIT_RECOVERED) {
        explain_recovered(explain, &question, index);
        return;
    }
    struct explanation explanation;
    const struct lit_condition *condition = &explain->program->conditions[index];
    struct engine_request request = {
        .program = explain->program,
        .model = explain->model->model,
        .plan = explain->model->plan,
        .crash_mode = cli_crash_mode(explain->options, explain->program),
        .limits = {explain->options->unroll, explain->options->timeout_seconds,
                   explain->options->memory_mib, 0},
        .on_witness = cli_explain_on_witness};
    request.context = recheck_new(&request);
    explanation_init(&explanation);
    smt_explain(&request, condition, &explanation);
    heed_doubts(explain, &explanation);
    cli_explain_mend(&question, index, &explanation);
    struct report_explanation report = {.test = {.program = explain->program,
                                                 .model = explain->model->model,
                                                 .outcome = &explain->outcome,
                                                 .crash_mode = request.crash_mode},
                                        .number = index + 1,
                                        .condition = condition,
                                        .explanation = &explanation};
    tell(explain, &report);
    recheck_free(request.context);
    explanation_fini(&explanation);
}

/* Undefined behaviour, and what was left out, as `check` finds them. */
static void look_at_test(struct explain *explain)
{
    struct cli_options options = *explain->options;
    struct strbuf unused = {0};
    options.engine = "smt";
    options.decide = true;
    options.dump_exec = false;
    cli_run(&options, explain->model, explain->program, &explain->outcome, &unused);
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

void cli_explain_pair(const struct cli_options *options, const struct cli_model *model,
                      const struct lit_program *program, struct cli_result *result)
{
    struct explain explain = {
        .options = options, .model = model, .program = program, .result = result};
    if (options->condition > program->condition_count ||
        (options->condition == 0 && program->condition_count == 0)) {
        refuse_condition(&explain);
        return;
    }
    look_at_test(&explain);
    for (uint32_t i = 0; i < program->condition_count; i++)
        if (options->condition == 0 || options->condition == i + 1)
            explain_condition(&explain, i);
    outcome_fini(&explain.outcome);
}
