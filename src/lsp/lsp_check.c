/* What engines say of a test: for CHECK its verdicts, as diagnostics where somebody has to look, as
 * text, and as what stands behind each condition and expectation; for EXPLAIN why. */
#include "base/json.h"
#include "lsp/lsp_look.h"
#include "document/report_answer.h"
#include "document/report_finding.h"
#include "report/report_vacuous.h"
#include "document/report_text.h"
#include "session/session_models.h"

#include <string.h>

/* A condition or an `expect` line, and what is known of it. */
struct hover {
    struct span span;
    struct strbuf text; /* Markdown */
};

struct checking {
    const struct lsp_question *question;
    const struct report_test *answer; /* the one at hand */
    struct strbuf findings, text;     /* diagnostics; as `check` prints it */
    struct report_answers said;       /* for the latter */
    VEC(struct hover) hovers;
    enum lit_verdict worst;
    uint32_t answers, as_expected;
};

/* ---- What stands behind a place ---- */

static struct strbuf *hover_of(struct checking *checking, const struct span *span)
{
    for (size_t i = 0; i < checking->hovers.count; i++)
        if (memcmp(&checking->hovers.items[i].span, span, sizeof *span) == 0)
            return &checking->hovers.items[i].text;
    VEC_PUSH(&checking->hovers, (struct hover){*span, {0}});
    return &VEC_LAST(&checking->hovers).text;
}

static void add_pair(const struct report_test *answer, struct strbuf *out)
{
    strbuf_printf(out, "under %s + %s (engine %s)", answer->model->visibility,
                  answer->model->persistency,
                  answer->outcome->decided_by ? answer->outcome->decided_by : answer->engine);
}

/* A list that is a diagram, or that deciding did not make, is not shown. */
static void add_states(const struct report_test *answer, enum lit_when when, struct strbuf *out)
{
    enum { MOST = 8 };
    static const char *const kinds[] = {"Final states", "Crash states", "Recovered states"};
    const struct outcome_states *states = outcome_states_of(answer->outcome, when);
    if (answer->decided || states->product || !states->count)
        return;
    strbuf_printf(out, "\n\n%s %zu:\n", kinds[when], states->count);
    for (size_t i = 0; i < states->count && i < MOST; i++) {
        strbuf_add(out, "\n    ");
        report_state(answer, when, i, out);
    }
    if (states->count > MOST)
        strbuf_add(out, "\n    ...");
    strbuf_add(out, "\n");
}

static void note_condition(struct checking *checking, const struct lit_condition *condition)
{
    const struct report_test *answer = checking->answer;
    const struct outcome_judgement judged =
        outcome_judge(answer->outcome, answer->program, condition);
    struct strbuf *out = hover_of(checking, &condition->span), vacuous = {0};
    strbuf_printf(out, "%s**%s** ", out->length ? "\n\n" : "", lit_verdict_text(judged.verdict));
    add_pair(answer, out);
    if (judged.reason) {
        strbuf_add(out, ": ");
        report_reason(judged.verdict, judged.reason, false, out);
    }
    report_vacuous_words(answer, (uint32_t)(condition - answer->program->conditions), &vacuous);
    strbuf_printf(out, vacuous.length ? ": %s" : "%s", strbuf_text(&vacuous));
    strbuf_fini(&vacuous);
    add_states(answer, condition->when, out);
}

static void note_expectation(struct checking *checking)
{
    const struct report_test *answer = checking->answer;
    struct strbuf *out = hover_of(checking, &answer->expectation->span);
    strbuf_printf(out, "%s**%s**, %s expected, ", out->length ? "\n\n" : "",
                  lit_verdict_text(answer->verdict),
                  answer->verdict == answer->expected ? "as" : lit_verdict_text(answer->expected));
    add_pair(answer, out);
}

/* ---- Diagnostics ---- */

/* What the test says to expect is to be seen, and nothing wrong. */
static enum lsp_severity severity_of(const struct report_test *answer,
                                     const struct report_finding *finding)
{
    if (report_is_warning(finding->kind))
        return LSP_WARNING;
    if (report_is_aside(finding->kind))
        return LSP_INFORMATION;
    if (answer->verdict == answer->expected)
        return answer->expected == LIT_OK ? LSP_INFORMATION : LSP_HINT;
    return answer->verdict == LIT_UNKNOWN ? LSP_WARNING : LSP_ERROR;
}

static void add_finding(void *context, const struct report_finding *finding)
{
    struct checking *checking = context;
    const struct report_test *answer = checking->answer;
    SCOPED(strbuf) message = {0};
    strbuf_printf(&message, "%s + %s: %s", answer->model->visibility, answer->model->persistency,
                  finding->message);
    lsp_diagnostic_begin(checking->question, &finding->span, severity_of(answer, finding),
                         lit_verdict_text(answer->verdict), strbuf_text(&message),
                         &checking->findings);
    if (finding->related.line)
        lsp_diagnostic_relate(checking->question, &finding->related, finding->related_message,
                              &checking->findings);
    lsp_diagnostic_end(&checking->findings);
}

static void take_answer(void *context, const struct report_test *answer,
                        const struct report_failure *failure)
{
    struct checking *checking = context;
    if (failure) {
        checking->worst = LIT_ERROR;
        checking->answers++;
        return;
    }
    checking->answer = answer;
    checking->answers++;
    checking->as_expected += answer->verdict == answer->expected;
    if (answer->verdict > checking->worst)
        checking->worst = answer->verdict;
    for (uint32_t c = 0; c < answer->program->condition_count; c++)
        note_condition(checking, &answer->program->conditions[c]);
    if (answer->expectation)
        note_expectation(checking);
    report_each_finding(answer, add_finding, checking);
    report_answers_add(&checking->said, answer);
}

/* ---- The answer ---- */

static void add_summary(const struct checking *checking, struct strbuf *out)
{
    SCOPED(strbuf) text = {0};
    if (checking->answers == 0)
        strbuf_add(&text, "the test cannot be read");
    else if (checking->answers == 1)
        strbuf_printf(&text, "%s%s", lit_verdict_text(checking->worst),
                      checking->as_expected ? ", as expected" : "");
    else
        strbuf_printf(&text, "%u of %u verdicts as expected", checking->as_expected,
                      checking->answers);
    emit_string(out, "summary", strbuf_text(&text));
}

static void add_hovers(struct checking *checking, struct strbuf *out)
{
    emit_array(out, "hovers");
    EACH_IN (struct hover, hover, checking->hovers) {
        emit_object(out, NULL);
        lsp_span_add(out, "range", &hover->span);
        emit_string(out, "text", strbuf_text(&hover->text));
        emit_end(out, '}');
        strbuf_fini(&hover->text);
    }
    emit_end(out, ']');
    VEC_FREE(&checking->hovers);
}

/* Checks the text, with each model pair, as `surroundings` say; what is said goes to `result`. */
static void check_text(const struct lsp_question *question, struct ask_surroundings *surroundings,
                       struct session_parts parts, struct run_result *result)
{
    SCOPED(run_records) none;
    run_records_init(&none);
    surroundings->run =
        (struct run_surroundings){.models = session_models_new(), .earlier = &none, .parts = parts};
    if (question->path)
        ask_check_edited(surroundings, question->path, question->text, question->length, result);
    else
        ask_check_text(surroundings, question->uri, question->text, question->length, result);
    for (size_t i = 0; i < result->faults.count; i++)
        strbuf_add(&result->err, result->faults.items[i]);
    session_models_free(surroundings->run.models);
}

/* Spans point into the test, which is gone after the check: so places are those of a copy. */
static void keep_spans(struct checking *checking, const struct source *source)
{
    for (size_t i = 0; i < checking->hovers.count; i++)
        checking->hovers.items[i].span.source = source;
}

void lsp_check(const struct lsp_question *question, struct session_parts parts, struct strbuf *out)
{
    struct ask_options options = *question->options;
    struct checking checking = {.question = question};
    SCOPED(run_result) result = {0};
    SCOPED(arena) arena = {0};
    options.command = ASK_CHECK;
    options.format = RUN_JSON;
    struct ask_surroundings surroundings = {
        .options = &options, .take = take_answer, .context = &checking};
    check_text(question, &surroundings, parts, &result);
    keep_spans(&checking, lsp_source(&arena, question));
    add_summary(&checking, out);
    report_answers_end(&checking.said, &checking.text);
    strbuf_add(&checking.text, strbuf_text(&result.err));
    emit_string(out, "text", strbuf_text(&checking.text));
    emit_array(out, "diagnostics");
    strbuf_add(out, strbuf_text(&checking.findings));
    emit_end(out, ']');
    add_hovers(&checking, out);
    strbuf_fini(&checking.findings);
    strbuf_fini(&checking.text);
}

void lsp_explain(const struct lsp_question *question, struct session_parts parts,
                 struct strbuf *out)
{
    struct ask_options options = *question->options;
    SCOPED(run_result) result = {0};
    options.command = ASK_EXPLAIN;
    options.format = RUN_TEXT;
    struct ask_surroundings surroundings = {.options = &options,
                                            .of_pair = question->services->explain};
    check_text(question, &surroundings, parts, &result);
    emit_string(out, "summary",
                result.status == RUN_EXIT_OK        ? "explained"
                : result.status == RUN_EXIT_UNKNOWN ? "some answer is unknown"
                                                    : "it could not be explained");
    strbuf_add(&result.out, strbuf_text(&result.err));
    emit_string(out, "text", strbuf_text(&result.out));
}
