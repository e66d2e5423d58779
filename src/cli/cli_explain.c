#include "cli/cli_commands.h"

#include "ask/ask_show.h"
#include "place/place_explain.h"
#include "document/report_answer.h"
#include "document/report_explain.h"
#include "session/session_ask.h"
#include "session/session_explain.h"
#include "session/session_refine.h"
#include "session/session_waits.h"
#include "report/report_vacuous.h"

#include <string.h>

/* The text that was told last, and for which condition first; 0: none was. */
struct last {
    uint32_t number;
    struct strbuf text;
};
/* Of advice, and of an execution. */
struct told {
    struct last advised, shown;
};

static void told_fini(struct told *told)
{
    strbuf_fini(&told->advised.text);
    strbuf_fini(&told->shown.text);
}

struct explain {
    const struct ask_options *options;
    struct told *told;
    struct session_explain session;
    struct place_explainer *place; /* NULL: it is not the text of a test that is explained */
    struct run_result *result;
    struct arena arena;
    struct waits waits;
};

static void explain_init(struct explain *explain, const struct session_case *question)
{
    session_explain_init(&explain->session, question);
    arena_init(&explain->arena);
    explain->waits = session_waits(&explain->arena, question, &explain->session.outcome);
    if (explain->place)
        place_explainer_init(explain->place, question, &explain->session.clock);
}

static void explain_fini(struct explain *explain)
{
    if (explain->place)
        place_explainer_fini(explain->place);
    arena_fini(&explain->arena);
    session_explain_fini(&explain->session);
}

/* ---- Pictures ---- */

/* Why there is no picture. */
static const char *lack_of(const struct session_explained *x)
{
    const struct explanation *explanation = &x->explanation;
    if (explanation->answer == EXPLANATION_UNKNOWN)
        return explanation->doubt ? explanation->doubt : "the solver gave up";
    if (x->condition->when == LIT_RECOVERED)
        return x->outcome->livelocks.count ? "livelock, which the text explains"
                                           : "no recovery leaves such a state";
    if (explanation->reasons.count && explanation->reasons.items[0].kind == EXPLANATION_BY_WAITS)
        return "work-items wait at persist barriers, so no candidate execution has such a state";
    if (explanation->reasons.count)
        return "the time ran out before a near miss was found";
    return explanation->minimal ? "no candidate execution has such a state"
                                : "the time ran out before it was known why";
}

static void remark(const struct session_explained *x, const struct report_explanation *report,
                   struct report_gallery *gallery)
{
    SCOPED(strbuf) remark = {0};
    strbuf_printf(&remark, "condition %u: ", report->number);
    if (x->vacuity.reason)
        report_reason(x->vacuity.verdict, x->vacuity.reason, x->vacuity.vacuous, &remark);
    else
        strbuf_add(&remark, lack_of(x));
    strbuf_add(&remark, gallery->items.count ? "" : ", no execution to be drawn");
    report_gallery_remark(gallery, strbuf_text(&remark));
    gallery->remark_stands = x->vacuity.reason != NULL;
}

static void draw(struct explain *explain, enum lit_verdict verdict,
                 const struct report_explanation *report)
{
    struct report_test test = report->test;
    if (explain->options->command != ASK_EXPLAIN)
        return; /* the pieces are those of the answers */
    test.engine = explain->options->settings.engine;
    test.verdict = test.expected = verdict;
    struct report_explanation explained = *report;
    explained.test = test;
    test.explained = &explained;
    run_pieces_test(&explain->result->pieces, &test);
}

/* ---- Answers ---- */

/* What would help against a state that should not be, or undefined behaviour, or what keeps a state
 * out of reach. */
static void ask_place(struct explain *explain, uint32_t index, uint32_t left,
                      const struct session_explained *x, struct report_explanation *report)
{
    bool reached = x->explanation.answer == EXPLANATION_REACHABLE;
    bool out_of_reach = x->explanation.answer == EXPLANATION_UNREACHABLE && !x->vacuity.reason &&
                        !x->outcome->undefined.count;
    if (!explain->place)
        return;
    if ((reached && x->condition->quantifier != LIT_EXISTS) || x->outcome->undefined.count)
        report->advice = place_advise(explain->place, index, left);
    else if (out_of_reach)
        report->support = place_support(explain->place, index, left);
}

/* The number of the condition for which the text was told last; else 0, and it is told now. */
static uint32_t note(struct last *last, uint32_t number, const char *text)
{
    if (last->number && strcmp(strbuf_text(&last->text), text) == 0)
        return last->number;
    last->number = number;
    strbuf_clear(&last->text);
    strbuf_add(&last->text, text);
    return 0;
}

static void note_shown(struct explain *explain, struct report_explanation *report)
{
    SCOPED(strbuf) steps = {0};
    if (!explain->place || report->explanation->answer != EXPLANATION_REACHABLE ||
        report->crash_count)
        return; /* a source is another program */
    report_text_execution(report, &steps);
    report->shown_for = note(&explain->told->shown, report->number, strbuf_text(&steps));
}

static void note_advised(struct explain *explain, struct report_explanation *report)
{
    const struct changes *changes = report->advice ? report->advice->changes : NULL;
    if (explain->place && changes)
        report->advised_for = note(&explain->told->advised, report->number, changes->text);
}

/* Hands on what is there to be read. Done once more, a part is known by its pair, condition and
 * place. */
static void say(const struct explain *explain, const struct report_explanation *report)
{
    const struct session_parts *parts = &explain->session.question->parts;
    struct strbuf *out = &explain->result->out;
    SCOPED(strbuf) name = {0};
    if (explain->options->command != ASK_EXPLAIN || explain->options->format == RUN_DOCUMENT ||
        !parts->say)
        return;
    strbuf_printf(&name, "%s+%s %u %d %d", report->test.model->visibility,
                  report->test.model->persistency, report->number, (int)report->part,
                  explain->place == NULL);
    parts->say(parts->context, strbuf_text(&name), out);
    strbuf_clear(out);
}

static void print(struct explain *explain, const struct report_explanation *report)
{
    struct strbuf *out = &explain->result->out;
    if (explain->options->format == RUN_TEXT)
        report_explain_text(report, out);
    else if (explain->options->format == RUN_JSON && report->part != REPORT_EXPLAINED_STEPS)
        report_explain_json(report, out);
}

/* A state that is there, and the steps to it, before anything else is asked. */
static void tell_steps(struct explain *explain, struct report_explanation *report)
{
    note_shown(explain, report);
    if (report->explanation->answer != EXPLANATION_REACHABLE || report->crash_count ||
        report->condition->when == LIT_RECOVERED)
        return;
    report->part = REPORT_EXPLAINED_STEPS;
    print(explain, report);
    say(explain, report);
    report->part = REPORT_EXPLAINED_REST;
}

static bool is_disputed(const struct explanation_search *search)
{
    return search && placement_disputed_by(search->placement);
}

static void raise_status(const struct explain *explain, const struct session_explained *x,
                         const struct explanation_advice *advice)
{
    if (x->verdict == LIT_UNKNOWN)
        run_result_raise(explain->result, RUN_EXIT_UNKNOWN);
    if (x->disputed_by || (advice && (is_disputed(advice->whole) || is_disputed(advice->alone))))
        run_result_raise(explain->result, RUN_EXIT_DISAGREE);
}

static struct report_explanation report_of(const struct explain *explain,
                                           const struct session_case *question, uint32_t index,
                                           const struct outcome *outcome,
                                           const struct report_gallery *gallery)
{
    return (struct report_explanation){
        .test = {.program = question->program,
                 .model = question->model->model,
                 .outcome = outcome,
                 .models = session_ask_models(question->settings, question->program),
                 .crash_mode = session_crash_mode(question->settings, question->program),
                 .waits = explain->waits,
                 .gallery = gallery},
        .number = index + 1,
        .condition = &question->program->conditions[index]};
}

static void tell(struct explain *explain, uint32_t index, uint32_t left,
                 struct session_explained *x, struct report_gallery *gallery)
{
    struct report_explanation report = report_of(explain, &x->question, index, x->outcome, gallery);
    report.condition = x->condition;
    report.explanation = &x->explanation;
    report.crashes = x->crashes;
    report.crash_count = x->crash_count;
    tell_steps(explain, &report);
    ask_place(explain, index, left, x, &report);
    note_advised(explain, &report);
    remark(x, &report, gallery);
    session_explain_choose_gaps(x, report.advice ? report.advice->changes : NULL);
    raise_status(explain, x, report.advice);
    print(explain, &report);
    say(explain, &report);
    report.part = REPORT_EXPLAINED;
    draw(explain, x->verdict, &report);
}

static void explain_source(struct explain *explain, uint32_t index,
                           const struct session_explained *x);

/* One of so many that are still to be explained. */
static void explain_condition(struct explain *explain, uint32_t index, uint32_t left)
{
    const struct session_explain *session = &explain->session;
    struct report_gallery gallery = {0};
    bool shown = ask_show_wants(explain->options, &gallery);
    gallery.as_if_defined = session->outcome.undefined.count > 0;
    gallery.wants_reasons = false; /* the answer has them */
    gallery.wants_cuts = run_reports_have(explain->options->reports, explain->options->report_count,
                                          REPORT_EXECUTIONS);
    const struct ask_reaching reaching = {&session->question->program->conditions[index], &gallery};
    const struct session_explain_view view =
        shown ? ask_show_reasons(&reaching) : (struct session_explain_view){NULL, NULL, NULL};
    SCOPED(session_explained) explained;
    session_explain_condition(session, index, left, &view, &explained);
    if (explained.withdrawn || explained.engine) {
        report_gallery_fini(&gallery);
        gallery = (struct report_gallery){.telling = gallery.telling};
    }
    if (shown && explained.engine)
        ask_show_chain(&explained.question, explained.engine, explained.outcome, index, &gallery);
    ask_show_recoveries(&explained.question, &gallery);
    tell(explain, index, left, &explained, &gallery);
    explain_source(explain, index, &explained);
    report_gallery_fini(&gallery);
}

/* ---- Sources ---- */

/* The state that shows that the test does not refine its source. */
static bool state_of(const struct session_explained *x, uint32_t index,
                     const struct lit_atom **items, uint32_t *width, const int64_t **row)
{
    const struct outcome *outcome = x->outcome;
    *items = x->explanation.items;
    *width = x->explanation.width;
    *row = x->explanation.row;
    if (x->condition->when != LIT_RECOVERED)
        return true;
    *items = outcome->recovered.items;
    *width = outcome->recovered.width;
    *row = outcome->chains ? outcome->chains[index].recovered : NULL;
    return *row != NULL;
}

/* Why the source has no state that the test has. */
static void explain_source(struct explain *explain, uint32_t index,
                           const struct session_explained *x)
{
    const struct lit_atom *items;
    const int64_t *row;
    uint32_t width;
    SCOPED(arena) arena = {0};
    if (!x->condition->refines || x->explanation.answer != EXPLANATION_REACHABLE ||
        !state_of(x, index, &items, &width, &row))
        return;
    const struct session_case source =
        session_refine_ask(&arena, &x->question, x->condition, items, width, row);
    struct explain asked = {
        .options = explain->options, .told = explain->told, .result = explain->result};
    if (explain->options->format == RUN_TEXT)
        strbuf_add(&explain->result->out, "The source, asked for that state:\n");
    explain_init(&asked, &source);
    explain_condition(&asked, 0, 1);
    explain_fini(&asked);
}

static void refuse_condition(const struct ask_options *options, const struct lit_program *program,
                             struct run_result *result)
{
    if (options->condition)
        diag_tell(&result->err, DIAG_CLI_OPTION_VALUE, NOWHERE,
                  "--condition %u: '%s' has %u conditions, counted from 1", options->condition,
                  program->source->name, program->condition_count);
    else
        diag_tell(&result->err, DIAG_CLI_NO_TESTS, NOWHERE,
                  "'%s' has no conditions, so there is nothing to explain", program->source->name);
    run_result_raise(result, RUN_EXIT_INPUT);
}

/* Is it to be told of first? Of a test that is undefined no condition is. */
static bool is_violated(const struct explain *explain, uint32_t condition)
{
    const struct lit_program *program = explain->session.question->program;
    const struct outcome *outcome = &explain->session.outcome;
    return !outcome->undefined.count &&
           outcome_judge(outcome, program, &program->conditions[condition]).verdict == LIT_VIOLATED;
}

/* Of a property that no states decide the faults are all there is to tell. */
static void explain_fault(struct explain *explain, uint32_t index)
{
    const struct session_explain *session = &explain->session;
    SCOPED(report_gallery) gallery = {0};
    SCOPED(strbuf) remark = {0};
    const struct report_explanation report =
        report_of(explain, session->question, index, &session->outcome, &gallery);
    const enum lit_verdict verdict =
        outcome_judge(&session->outcome, report.test.program, report.condition).verdict;
    if (verdict == LIT_UNKNOWN)
        run_result_raise(explain->result, RUN_EXIT_UNKNOWN);
    strbuf_printf(&remark, "condition %u: ", report.number);
    report_answer_condition(&report.test, index, &remark);
    report_gallery_remark(&gallery, strbuf_text(&remark));
    print(explain, &report);
    say(explain, &report);
    draw(explain, verdict, &report);
}

/* What is violated comes first. */
void cli_explain_conditions(const struct ask_options *options, const struct session_case *question,
                            const bool *wanted, struct run_result *result)
{
    const uint32_t count = question->program->condition_count;
    struct place_explainer place;
    struct told told = {0};
    struct explain explain = {.options = options, .told = &told, .place = &place, .result = result};
    uint32_t left = 0;
    for (uint32_t c = 0; c < count; c++)
        left += wanted[c];
    explain_init(&explain, question);
    for (int violated = 1; violated >= 0; violated--)
        for (uint32_t c = 0; c < count; c++)
            if (wanted[c] && is_violated(&explain, c) == violated) {
                if (lit_asks_fault(&question->program->conditions[c]))
                    explain_fault(&explain, c);
                else
                    explain_condition(&explain, c, left);
                left--;
            }
    told_fini(&told);
    explain_fini(&explain);
}

void cli_explain_pair(const struct ask_options *options, const struct session_case *question,
                      struct run_result *result)
{
    const uint32_t count = question->program->condition_count, one = options->condition;
    if (options->cases) {
        cli_explain_cases(options, question, result);
        return;
    }
    if (one > count || count == 0) {
        refuse_condition(options, question->program, result);
        return;
    }
    bool *wanted = base_realloc(NULL, count * sizeof *wanted);
    for (uint32_t c = 0; c < count; c++)
        wanted[c] = !one || one == c + 1;
    cli_explain_conditions(options, question, wanted, result);
    base_free(wanted);
}
