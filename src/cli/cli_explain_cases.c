/* explain --cases: why the states of a test are all there are. */
#include "cli/cli_commands.h"

#include "document/report_cases.h"
#include "session/session_ask.h"
#include "session/session_certify.h"
#include "session/session_explain.h"

static struct report_cases read_cases(struct arena *arena, const struct report_certificate *told,
                                      struct cases *cases)
{
    struct report_cases report = {.lacks = told->lacks};
    if (told->text && !told->lacks) {
        BASE_CHECK(cases_read(arena, told->text, cases));
        report.cases = cases;
    }
    return report;
}

void cli_explain_cases(const struct ask_options *options, const struct session_case *question,
                       struct run_result *result)
{
    SCOPED(arena) arena = {0};
    SCOPED(session_explain) explain;
    SCOPED(outcome) listed;
    SCOPED(cases) cases = {.ends = 0};
    session_explain_init(&explain, question);
    struct session_case limited = *question;
    limited.clock = explain.clock;
    const struct report_certificate told =
        session_tell_cases(&arena, &limited, &explain.outcome, &listed);
    struct report_cases report = read_cases(&arena, &told, &cases);
    const enum lit_verdict verdict = outcome_verdict(&explain.outcome, question->program);
    if (verdict == LIT_UNKNOWN && outcome_any_doubt(&explain.outcome))
        report.lacks = outcome_any_doubt(&explain.outcome);
    report.test = (struct report_test){
        .program = question->program,
        .model = question->model->model,
        .outcome = &listed,
        .engine = "cases",
        .models = session_ask_models(question->settings, question->program),
        .crash_mode = session_crash_mode(question->settings, question->program),
        .verdict = verdict,
        .expected = verdict};
    if (options->format != RUN_DOCUMENT)
        report_document_part(options->format == RUN_JSON ? "json" : "text", &report_cases, &report,
                             &result->out);
    struct report_test test = report.test;
    test.cases = &report;
    run_pieces_test(&result->pieces, &test);
    if (!report.cases)
        run_result_raise(result, RUN_EXIT_UNKNOWN);
}
