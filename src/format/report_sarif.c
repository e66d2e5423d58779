/* SARIF 2.1.0: one run, one result for each finding and input fault. Section numbers are those of
 * the OASIS standard.
 *
 * What an `expect` line expects is not left out: it is a result that the source suppresses
 * (3.27.23), so that a viewer may show it and does not count it. */
#include "base/json.h"
#include "base/pack.h"
#include "document/report_explain.h"
#include "format/report_format.h"
#include "document/report_place.h"
#include "document/report_sarif.h"

#include <string.h>

static const struct report_sarif_rule rules[REPORT_FINDING_COUNT] = {
#define RULE(kind, id, name, text, help) [REPORT_##kind] = {id, name, text, help, NULL},
#include "format/report_sarif_rules.def"
#undef RULE
};

/* 3.55: one word is another. */
static void add_fix(struct strbuf *out, const struct report_fault *fault)
{
    const struct diag_fix *fix = &fault->fix;
    struct span place = fault->fix_at;
    SCOPED(strbuf) title = {0};
    if (!place.source && !diag_fix_place(fix, &place))
        return;
    strbuf_printf(&title, "Change '%s' to '%s'.", fix->word, fix->meant);
    emit_array(out, "fixes");
    emit_object(out, NULL);
    report_sarif_text(out, "description", strbuf_text(&title));
    emit_array(out, "artifactChanges");
    emit_object(out, NULL);
    report_sarif_artifact(out, place.source->path);
    emit_array(out, "replacements");
    emit_object(out, NULL);
    report_sarif_region(out, "deletedRegion", &place);
    report_sarif_text(out, "insertedContent", fix->meant);
    strbuf_add(out, "}]}]}]");
}

/* The link text of an embedded link (3.11.6). */
static void add_link(struct strbuf *out, const char *text)
{
    strbuf_add(out, " ([");
    for (; *text; text++) {
        if (*text == '[' || *text == ']' || *text == '\\')
            strbuf_add_char(out, '\\');
        strbuf_add_char(out, *text);
    }
    strbuf_add(out, "](1))");
}

static void add_message(struct strbuf *out, const struct report_finding *result)
{
    SCOPED(strbuf) message = {0};
    strbuf_add(&message, result->message);
    if (result->related.line)
        add_link(&message, result->related_message);
    report_sarif_message(strbuf_text(&message), out);
}

static void add_related(struct report_piece *piece, uint32_t id, const struct span *span,
                        const char *message)
{
    struct strbuf *out = &piece->out.text;
    emit_object(out, NULL);
    emit_number(out, "id", id);
    report_sarif_place(out, piece->path, span);
    report_sarif_text(out, "message", message);
    emit_end(out, '}');
}

/* A result begins at a mark; the parcel has whether it may be left out for others. */
static void begin_result(struct report_piece *piece, const struct report_finding *result,
                         const char *kind, const char *level, bool minor)
{
    struct strbuf *out = &piece->out.text;
    const bool compiled = result->source.line;
    report_stream_mark(&piece->out);
    pack_number(&piece->parcel, minor);
    report_sarif_result(rules, result->kind, kind, level, out);
    add_message(out, result);
    emit_array(out, "locations");
    emit_object(out, NULL);
    report_sarif_place(out, piece->path, compiled ? &result->source : &result->span);
    strbuf_add(out, "}]");
    const bool launched = compiled && span_told(result->launch).line;
    if (result->related.line || launched)
        emit_array(out, "relatedLocations");
    if (result->related.line)
        add_related(piece, 1,
                    result->related_source.line ? &result->related_source : &result->related,
                    result->related_message);
    if (launched)
        add_related(piece, 2, &result->launch, "launched here");
    if (launched && result->kind == REPORT_CONDITION)
        add_related(piece, 3, &result->span, "the condition");
    if (result->related.line || launched)
        emit_end(out, ']');
}

/* One finding under two model pairs is two results. */
static void add_fingerprint(struct strbuf *out, const struct report_view *view,
                            const struct report_finding *finding)
{
    SCOPED(strbuf) text = {0};
    strbuf_printf(&text, "%s: %s + %s [%s]: %s", view->test, view->visibility, view->persistency,
                  view->engine, finding->message);
    report_sarif_fingerprint(strbuf_text(&text), out);
}

/* The line that expects the verdict, or the records that have it. */
static void add_suppression(struct report_piece *piece, const struct report_view *view)
{
    struct strbuf *out = &piece->out.text;
    SCOPED(strbuf) why = {0};
    strbuf_printf(&why, "the test expects the verdict %s", lit_verdict_text(view->expected));
    emit_array(out, "suppressions");
    emit_object(out, NULL);
    emit_string(out, "kind", view->known ? "external" : "inSource");
    emit_string(out, "justification", view->known ? "a known failure" : strbuf_text(&why));
    if (!view->known) {
        emit_object(out, "location");
        report_sarif_place(out, piece->path, view->expectation);
        emit_end(out, '}');
    }
    strbuf_add(out, "}]");
}

/* What is said of the verdict, and not beside it. */
static bool is_suppressed(const struct report_view *view, enum report_finding_kind kind)
{
    return (view->known || (view->expectation && view->verdict == view->expected)) &&
           !report_is_warning(kind) && kind != REPORT_WIDTH && kind != REPORT_VACUOUS;
}

static void add_properties(struct strbuf *out, const struct report_view *view)
{
    emit_object(out, "properties");
    emit_string(out, "test", view->test);
    emit_string(out, "model", view->visibility);
    emit_string(out, "persistency", view->persistency);
    emit_string(out, "engine", view->engine);
    if (view->decided_by)
        emit_string(out, "decidedBy", view->decided_by);
    emit_string(out, "verdict", lit_verdict_text(view->verdict));
    emit_string(out, "expected", lit_verdict_text(view->expected));
    emit_end(out, '}');
}

static const char *level_of(enum report_finding_kind kind)
{
    if (report_is_warning(kind))
        return "warning";
    return report_is_aside(kind) ? "none" : "error";
}

static void add_finding(struct report_piece *piece, const struct report_view *view,
                        const struct report_finding *finding)
{
    struct strbuf *out = &piece->out.text, message = {0};
    bool remark = finding->kind == REPORT_REMARK || finding->kind == REPORT_VACUOUS ||
                  finding->kind == REPORT_MEANING;
    strbuf_printf(&message, "%s (under %s + %s)", finding->message, view->visibility,
                  view->persistency);
    struct report_finding result = *finding;
    const bool suppressed = is_suppressed(view, finding->kind);
    result.message = strbuf_text(&message);
    begin_result(piece, &result,
                 finding->kind == REPORT_UNKNOWN || finding->kind == REPORT_WIDTH ? "open"
                 : remark                                                         ? "informational"
                                                                                  : "fail",
                 level_of(finding->kind), suppressed || report_is_aside(finding->kind));
    add_fingerprint(out, view, finding);
    if (suppressed)
        add_suppression(piece, view);
    add_properties(out, view);
    if (finding->place)
        report_place_sarif_fixes(finding->place, out);
    else if (finding->fixes)
        strbuf_printf(out, ",\"fixes\":%s", finding->fixes);
    strbuf_add_char(out, '}');
    strbuf_fini(&message);
}

static void sarif_view(struct report_piece *piece, const struct report_view *view)
{
    for (size_t i = 0; i < view->finding_count; i++)
        add_finding(piece, view, &view->findings[i]);
}

/* ---- Explanations ---- */

/* What is said of a place of the test, if it has one (3.28). */
static void add_said(struct strbuf *out, const struct lit_program *program,
                     const struct outcome_event *event, struct strbuf *words)
{
    const struct span source = report_event_source(event);
    const struct span span = source.line ? source : report_event_span(program, event);
    if (event->line || source.line)
        report_sarif_place(out, program->source->path, &span);
    report_sarif_text(out, "message", strbuf_text(words));
    strbuf_clear(words);
}

/* 3.36, 3.38: the steps to the state. */
static void add_flow(struct strbuf *out, const struct report_explanation *r, struct strbuf *words)
{
    const struct explanation *e = r->explanation;
    for (size_t i = 0; i < e->steps.count; i++) {
        strbuf_add(out, i ? "" : ",\"codeFlows\":[{\"threadFlows\":[{\"locations\":[");
        report_explain_step(r, &e->steps.items[i], words);
        emit_object(out, NULL);
        emit_object(out, "location");
        add_said(out, r->test.program, &e->steps.items[i].event, words);
        strbuf_add(out, i + 1 < e->steps.count ? "}}" : "}}]}]}]");
    }
}

/* Those of the fault that a property asks for. */
static void add_fault_flow(struct strbuf *out, const struct lit_program *program,
                           const struct outcome_undefined *fault, struct strbuf *words)
{
    for (uint32_t i = 0; i < fault->event_count; i++) {
        strbuf_add(out, i ? "" : ",\"codeFlows\":[{\"threadFlows\":[{\"locations\":[");
        report_event(program, &fault->events[i], words);
        emit_object(out, NULL);
        emit_object(out, "location");
        add_said(out, program, &fault->events[i], words);
        strbuf_add(out, i + 1 < fault->event_count ? "}}" : "}}]}]}]");
    }
}

/* The lines of the test that keep the state out of reach. */
static void add_reasons(struct strbuf *out, const struct report_explanation *r,
                        struct strbuf *words)
{
    static const struct outcome_event nowhere = {0};
    const struct explanation *e = r->explanation;
    for (uint32_t i = 0; i < e->reasons.count; i++) {
        const struct explanation_reason *reason = &e->reasons.items[i];
        strbuf_add(out, i ? "" : ",\"relatedLocations\":[");
        emit_object(out, NULL);
        emit_number(out, "id", i + 1);
        report_explain_reason(r, i, words);
        add_said(out, r->test.program, reason->pair_count ? &reason->pairs[0].from : &nowhere,
                 words);
        strbuf_add(out, i + 1 < e->reasons.count ? "}" : "}]");
    }
}

/* A result for each condition: it holds (3.27.9: pass) or not, by these steps or reasons. */
static void add_explained(struct report_piece *piece, const struct report_explanation *r)
{
    struct strbuf words = {0}, *out = &piece->out.text;
    const enum lit_verdict verdict = r->test.verdict;
    const bool fails = verdict != LIT_OK && verdict != LIT_UNKNOWN;
    struct report_explanation answer = *r;
    size_t at = 0;
    SCOPED(arena) arena = {0};
    const struct outcome_undefined *fault =
        r->explanation ? NULL : outcome_next_fault(r->test.outcome, r->condition->property, &at);
    answer.advice = NULL; /* which is the fix */
    report_explain_text(&answer, &words);
    struct report_finding result = {.kind = verdict == LIT_UNKNOWN     ? REPORT_UNKNOWN
                                            : verdict == LIT_UNDEFINED ? REPORT_CHECK
                                                                       : REPORT_CONDITION,
                                    .message = strbuf_text(&words),
                                    .condition = r->number - 1,
                                    .span = r->condition->span};
    if (fault)
        report_finding_locate(&r->test, &result);
    const char *message = arena_strdup(&arena, strbuf_text(&words));
    begin_result(piece, &result,
                 fails               ? "fail"
                 : verdict == LIT_OK ? "pass"
                                     : "open",
                 fails ? "error" : "none", !fails);
    strbuf_clear(&words);
    if (fault)
        add_fault_flow(out, r->test.program, fault, &words);
    if (r->explanation) {
        add_flow(out, r, &words);
        add_reasons(out, r, &words);
    }
    report_advice_sarif_fixes(r, out);
    struct report_view view = report_view_of(&arena, &r->test);
    if (view.decided_by) /* no engine was asked for */
        view.engine = view.decided_by;
    view.decided_by = NULL;
    result.message = message;
    add_fingerprint(out, &view, &result);
    add_properties(out, &view);
    emit_end(out, '}');
    strbuf_fini(&words);
}

static void sarif_test(struct report_piece *piece, const struct report_test *test)
{
    if (test->explained)
        add_explained(piece, test->explained);
}

static void sarif_fault(struct report_piece *piece, const struct report_fault *fault)
{
    SCOPED(strbuf) message = {0};
    strbuf_printf(&message, "%s [%s]", fault->message, fault->id);
    begin_result(piece,
                 &(struct report_finding){
                     .kind = REPORT_INPUT, .message = strbuf_text(&message), .span = fault->span},
                 "fail", fault->severity == DIAG_ERROR ? "error" : "warning",
                 fault->severity != DIAG_ERROR);
    report_sarif_fingerprint(strbuf_text(&message), &piece->out.text);
    add_fix(&piece->out.text, fault);
    strbuf_add_char(&piece->out.text, '}');
}

static void sarif_accord(struct report_piece *piece, const struct report_accord *accord)
{
    SCOPED(strbuf) message = {0};
    if (accord->result != REPORT_FAILED)
        return;
    strbuf_printf(&message, "engines disagree under %s + %s:\n%s", accord->visibility,
                  accord->persistency, accord->details);
    begin_result(piece,
                 &(struct report_finding){.kind = REPORT_ENGINES,
                                          .message = strbuf_text(&message),
                                          .span = accord->head},
                 "fail", "error", false);
    report_sarif_fingerprint(strbuf_text(&message), &piece->out.text);
    strbuf_add_char(&piece->out.text, '}');
}

/* ---- The whole ---- */

/* Code scanning refuses more results (GitHub, "SARIF support for code scanning"). What fails comes
 * before what is expected, open or a remark. */
enum { MOST_MINOR = 5000, MOST_MAJOR = 20000 };

struct sarif_sink {
    size_t minor, major; /* that were written */
    size_t left_out;
    bool absolute;
};

static void take_result(struct report_sink *sink, const char *text, size_t length)
{
    struct sarif_sink *own = sink->state;
    const bool first = own->minor + own->major == 0;
    SCOPED(strbuf) result = {0};
    strbuf_add_bytes(&result, text, length);
    own->absolute |= report_sarif_is_absolute(strbuf_text(&result));
    strbuf_add(&sink->out, first ? "" : ",");
    strbuf_add_bytes(&sink->out, text, length);
}

static void sarif_add(struct report_sink *sink, const struct report_piece *piece)
{
    struct sarif_sink *own = sink->state;
    const struct report_stream *all = &piece->out;
    struct unpack from = unpack_start(strbuf_text(&piece->parcel), piece->parcel.length);
    for (size_t i = 0; i < all->marks.count; i++) {
        const size_t begin = all->marks.items[i];
        const size_t end = i + 1 < all->marks.count ? all->marks.items[i + 1] : all->text.length;
        const bool minor = unpack_number(&from) != 0;
        if (minor ? own->minor >= MOST_MINOR : own->major >= MOST_MAJOR) {
            own->left_out++;
            continue;
        }
        take_result(sink, strbuf_text(&all->text) + begin, end - begin);
        *(minor ? &own->minor : &own->major) += 1;
    }
    sink->skips = true;
}

static void sarif_open(struct report_sink *sink)
{
    struct report_sarif_rule levelled[REPORT_FINDING_COUNT];
    for (uint32_t i = 0; i < REPORT_FINDING_COUNT; i++) {
        levelled[i] = rules[i];
        levelled[i].level = level_of(i);
    }
    report_sarif_begin("crashlit/tests/", sink->run.version, levelled, REPORT_FINDING_COUNT,
                       &sink->out);
}

static void sarif_close(struct report_sink *sink, int status)
{
    const struct sarif_sink *own = sink->state;
    report_sarif_end(
        &(struct report_sarif_ending){.command = sink->run.command,
                                      .status = status,
                                      .successful = !sink->faults,
                                      .interrupted = sink->interrupted ? REPORT_INTERRUPTED : NULL,
                                      .left_out = own->left_out,
                                      .absolute = own->absolute},
        &sink->out);
}

const struct report_format report_format_sarif = {.name = "sarif",
                                                  .traits = REPORT_CHARACTERS,
                                                  .sink_size = sizeof(struct sarif_sink),
                                                  .open = sarif_open,
                                                  .test = sarif_test,
                                                  .view = sarif_view,
                                                  .fault = sarif_fault,
                                                  .accord = sarif_accord,
                                                  .add = sarif_add,
                                                  .close = sarif_close};
