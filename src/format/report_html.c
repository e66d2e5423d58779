/* HTML: what there is to say of one test: its source with marked lines, and a part for each
 * model pair and engine. The page around these is in report_html_page.c.
 *
 * The text is well-formed XML too, so that any XML reader can check it. */
#include "format/report_format.h"
#include "answer/report_gallery.h"
#include "format/report_html.h"
#include "picture/report_picture.h"
#include "document/report_product.h"
#include "report/report_string.h"
#include "document/report_wide.h"
#include "report/report_vacuous.h"
#include "document/report_cases.h"
#include "document/report_explain.h"
#include "document/report_text.h"

#include <string.h>

enum { UNEXPECTED = 2 };
enum { MAX_ROWS = 200, OPEN_ROWS = 16, MAX_LINES = 5000 };

/* "f12": the file's number is known to the sink alone. */
static void add_id(struct report_stream *stream, const char *before)
{
    strbuf_add(&stream->text, before);
    report_stream_mark(stream);
}

static void add_line_link(struct report_stream *stream, uint32_t line)
{
    add_id(stream, "<a href=\"#f");
    strbuf_printf(&stream->text, "-L%u\">line %u</a>", line, line);
}

/* An element with the text, which is released; none without text. */
static void add_taken(struct strbuf *out, const char *begin, struct strbuf *text, const char *end)
{
    if (text->length)
        report_xml_between(out, begin, strbuf_text(text), end);
    strbuf_fini(text);
}

/* A sentence about a source line, with the number of model pairs it holds under. */
struct note {
    uint32_t line;
    const char *text;
    uint32_t count;
};

/* Of a model pair and engine, or, without a number, of something else. */
struct answer {
    struct report_stream text;
    size_t number;  /* of the pair, from 1 */
    bool open;      /* anyway */
    unsigned worth; /* being the one that is open: more of what is not expected, and not ok */
};

struct html_piece {
    VEC(struct answer) answers;
    size_t pairs;                /* that there are answers for */
    uint64_t disagree;           /* pairs about which engines do */
    struct strbuf cells;         /* these, for the parcel */
    const struct source *source; /* of a fault */
    VEC(struct note) notes;
    struct arena texts; /* theirs */
};

/* ---- Notes at source lines ---- */

static void add_note(struct html_piece *own, uint32_t line, const char *text)
{
    EACH_IN (struct note, note, own->notes) {
        if (note->line == line && strcmp(note->text, text) == 0) {
            note->count++;
            return;
        }
    }
    VEC_PUSH(&own->notes, (struct note){line, arena_strdup(&own->texts, text), 1});
}

struct noting {
    struct html_piece *own;
    const struct source *source; /* whose lines are shown */
};

static void note_finding(void *context, const struct report_finding *finding)
{
    const struct noting *noting = context;
    struct html_piece *own = noting->own;
    if (finding->span.source != noting->source)
        return;
    if (finding->span.line)
        add_note(own, finding->span.line, finding->message);
    if (finding->related.source == finding->span.source && finding->related.line &&
        finding->related.line != finding->span.line)
        add_note(own, finding->related.line, finding->message);
}

/* ---- Conditions and states ---- */

static const char *const heading_words[] = {"Final states", "Crash states", "Recovered states"};

static void add_counts(struct strbuf *out, const struct report_test *test,
                       const struct lit_condition *condition,
                       const struct outcome_judgement *judgement)
{
    strbuf_add(out, "</td><td>");
    report_count(test, condition, judgement->positive, true, out);
    strbuf_add(out, "</td><td>");
    report_count(test, condition, judgement->negative, false, out);
    strbuf_add(out, "</td></tr>\n");
}

static void add_condition(struct report_stream *stream, const struct report_test *test, uint32_t i)
{
    const struct lit_condition *condition = &test->program->conditions[i];
    struct outcome_judgement judgement = outcome_judge(test->outcome, test->program, condition);
    const char *verdict = lit_verdict_text(judgement.verdict);
    struct strbuf *out = &stream->text;
    strbuf_printf(out, "<tr><td>%u</td><td>%s</td><td><code>", i + 1,
                  report_condition_kind(condition));
    report_xml_text(out, condition->text);
    strbuf_add(out, "</code> <small>");
    if (condition->span.source == test->program->source) /* else another file's, or an option's */
        add_line_link(stream, condition->span.line);
    strbuf_printf(out, "</small></td><td class=\"v-%s\">%s", verdict, verdict);
    struct strbuf more = {0};
    if (judgement.reason)
        report_reason(judgement.verdict, judgement.reason, judgement.vacuous, &more);
    add_taken(out, "<br/><small>", &more, "</small>");
    report_vacuous_words(test, i, &more);
    add_taken(out, "<br/><small>", &more, "</small>");
    report_text_source(test, condition, &more);
    add_taken(out, "<br/><small>", &more, "</small>");
    if (test->decided)
        strbuf_add(out, "</td><td></td><td></td></tr>\n");
    else
        add_counts(out, test, condition, &judgement);
}

static void add_conditions(struct report_stream *stream, const struct report_test *test)
{
    if (test->program->condition_count == 0)
        return;
    strbuf_add(&stream->text, "<table class=\"conditions\"><thead><tr><th>#</th><th>about</th>"
                              "<th>condition</th><th>verdict</th><th>states with</th>"
                              "<th>without</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < test->program->condition_count; i++)
        add_condition(stream, test, i);
    strbuf_add(&stream->text, "</tbody></table>\n");
}

/* What a state means for the conditions: "breaks 2", "shows 1". */
static void add_meaning(struct strbuf *out, const struct report_test *test, enum lit_when when,
                        const int64_t *row)
{
    const struct lit_program *program = test->program;
    const char *separator = "";
    for (uint32_t i = 0; i < program->condition_count; i++) {
        const struct lit_condition *condition = &program->conditions[i];
        if (condition->when != when || !outcome_decides(test->outcome, program, condition, row))
            continue;
        const char *word = condition->quantifier == LIT_EXISTS ? "shows" : "breaks";
        strbuf_printf(out, "%s<span class=\"%s\">%s %u</span>", separator, word, word, i + 1);
        separator = ", ";
    }
}

static void add_state_heads(struct strbuf *out, const struct lit_program *program,
                            const struct outcome_states *states)
{
    SCOPED(strbuf) name = {0};
    strbuf_add(out, "<table><thead><tr><th></th>");
    for (uint32_t k = 0; k < states->width; k++) {
        if (!report_is_shown(&states->items[k]))
            continue;
        strbuf_clear(&name);
        report_item(program, &states->items[k], &name);
        report_xml_between(out, "<th>", strbuf_text(&name), "</th>");
    }
    strbuf_add(out, "<th>conditions</th></tr></thead><tbody>\n");
}

static void add_rows(struct strbuf *out, const struct report_test *test, enum lit_when when,
                     size_t count)
{
    const struct outcome_states *states = outcome_states_of(test->outcome, when);
    const struct lit_program program = report_program(test, when);
    add_state_heads(out, &program, states);
    for (size_t i = 0; i < count; i++) {
        const int64_t *row = outcome_row(states, i);
        strbuf_add(out, report_state_decides(test, when, row)
                            ? "<tr class=\"decides\"><td>*&gt;</td>"
                            : "<tr><td></td>");
        for (uint32_t k = 0; k < states->width; k++) {
            if (!report_is_shown(&states->items[k]))
                continue;
            strbuf_add(out, "<td>");
            report_column(&program, states->items, row, k, out);
            strbuf_add(out, "</td>");
        }
        strbuf_add(out, "<td>");
        add_meaning(out, test, when, row);
        strbuf_add(out, "</td></tr>\n");
    }
    strbuf_add(out, "</tbody></table>");
}

/* Too many to be listed. */
static void add_product(struct strbuf *out, const struct report_test *test, enum lit_when when)
{
    const struct outcome_states *states = outcome_states_of(test->outcome, when);
    const struct lit_program program = report_program(test, when);
    struct strbuf text = {0};
    strbuf_printf(out,
                  "<details class=\"states\" open=\"open\"><summary>%s: ", heading_words[when]);
    outcome_state_count_text(states, out);
    strbuf_add(out, "</summary>");
    report_text_product(&program, states, &text);
    add_taken(out, "<pre>", &text, "</pre></details>\n");
}

static void add_states(struct strbuf *out, const struct report_test *test, enum lit_when when)
{
    const struct outcome_states *states = outcome_states_of(test->outcome, when);
    if (states->width == 0 || outcome_is_empty(states))
        return;
    if (states->product) {
        add_product(out, test, when);
        return;
    }
    size_t shown = states->count < MAX_ROWS ? states->count : MAX_ROWS;
    strbuf_printf(out, "<details class=\"states\"%s><summary>%s: %zu</summary>",
                  states->count <= OPEN_ROWS ? " open=\"open\"" : "", heading_words[when],
                  states->count);
    add_rows(out, test, when, shown);
    if (shown < states->count)
        strbuf_printf(out, "<p>and %zu more, which the JSON report lists</p>",
                      states->count - shown);
    strbuf_add(out, "</details>\n");
}

/* ---- Undefined behaviour, doubts, executions ---- */

static void add_undefined(struct report_stream *stream, const struct report_test *test)
{
    const struct outcome *outcome = test->outcome;
    SCOPED(strbuf) text = {0};
    if (outcome->undefined.count)
        strbuf_add(&stream->text, "<h4>Undefined behaviour</h4><ul class=\"undefined\">\n");
    EACH_IN (const struct outcome_undefined, undefined, outcome->undefined) {
        strbuf_clear(&text);
        report_undefined(test, undefined, &text);
        report_xml_between(&stream->text, "<li>", strbuf_text(&text), " <small>");
        for (uint32_t k = 0; k < undefined->event_count; k++) {
            struct span span = report_event_span(test->program, &undefined->events[k]);
            strbuf_add(&stream->text, k ? ", " : "");
            if (span.line)
                add_line_link(stream, span.line);
        }
        strbuf_add(&stream->text, "</small></li>\n");
    }
    if (outcome->undefined.count)
        strbuf_add(&stream->text, "</ul>\n");
}

/* How recovered states that decide conditions come about, and where recovery does not end. */
static void add_recovery(struct strbuf *out, const struct report_test *test)
{
    struct strbuf text = {0};
    for (uint32_t i = 0; i < test->program->condition_count; i++)
        report_text_chain(test, i, &text);
    report_text_livelocks(test, &text);
    add_taken(out, "<h4>Recovery</h4><pre class=\"chain\">", &text, "</pre>\n");
}

static void add_remarks(struct strbuf *out, const struct report_test *test)
{
    const struct outcome *outcome = test->outcome;
    if (outcome_any_doubt(outcome))
        report_xml_between(out, "<p class=\"doubt\">Doubt: ", outcome_any_doubt(outcome), "</p>\n");
    if (report_nothing_judged(test))
        strbuf_printf(out, "<p class=\"doubt\">Remark: %s</p>\n", report_nothing_judged(test));
    struct strbuf names = {0}, text = {0};
    report_all_lacking(test, &names);
    add_taken(out, "<p class=\"doubt\">Without meaning: ", &names, "</p>\n");
    for (size_t i = 0; i < outcome->flags.count; i++) {
        report_text_flag(test, i, &text);
        add_taken(out, "<p class=\"flag\">", &text, "</p>\n");
    }
    report_text_wide(test, &text);
    add_taken(out, "<p class=\"flag\">", &text, "</p>\n");
}

static void add_execution_head(const struct report_execution *execution, struct strbuf *out)
{
    if (execution->undefined) {
        strbuf_add(out, "undefined behaviour");
    } else {
        strbuf_printf(out, "%s state <code>", execution->crash ? "crash" : "final");
        report_xml_text(out, execution->state);
        strbuf_add(out, "</code>");
    }
    strbuf_printf(out, "%s</summary>", execution->decides ? ", which decides a condition" : "");
}

static void add_figure(const struct report_graph *graph, struct strbuf *out)
{
    strbuf_add(out, "<figure>");
    report_picture(graph, REPORT_SCREEN, "", out);
    strbuf_add(out, "</figure>");
}

void report_html_execution(const struct report_execution *execution, bool open, struct strbuf *out)
{
    strbuf_printf(out, "<details class=\"execution\"%s><summary>", open ? " open=\"open\"" : "");
    add_execution_head(execution, out);
    if (execution->graph)
        add_figure(execution->graph, out);
    for (size_t i = 0; i < execution->recoveries.count; i++)
        add_figure(execution->recoveries.items[i], out);
    report_xml_between(out, "<pre>", execution->text, "</pre></details>\n");
}

/* The first is open where something is not ok. */
static void add_executions(struct strbuf *out, const struct report_test *test)
{
    const struct report_gallery *gallery = test->gallery;
    size_t shown = 0;
    for (size_t i = 0; gallery && i < gallery->items.count; i++) {
        const struct report_execution *execution = &gallery->items.items[i];
        if (!report_gallery_tells(gallery, i))
            continue;
        if (shown++ == 0)
            strbuf_add(out, "<h4>Executions</h4>\n");
        report_html_execution(execution, shown == 1 && test->verdict != LIT_OK, out);
    }
}

/* ---- A model pair ---- */

const char *report_html_glyph(const struct report_html_cell *cell)
{
    if (cell->verdict != cell->expected || cell->fails)
        return "\xe2\x9c\x97";                                  /* ballot x */
    return cell->verdict == LIT_UNKNOWN ? "?" : "\xe2\x9c\x93"; /* check mark */
}

/* "sc + epoch enum, decided by smt [violated] as expected" */
static void add_summary(struct strbuf *out, const struct report_html_cell *cell,
                        const char *decided_by)
{
    const char *verdict = lit_verdict_text(cell->verdict);
    bool expected = cell->verdict == cell->expected,
         fine = (expected || cell->known) && !cell->fails;
    report_xml_between(out, "<summary><span class=\"models\">", cell->visibility, " + ");
    report_xml_between(out, "", cell->persistency, "</span> <span class=\"small\">");
    report_xml_text(out, cell->engine);
    if (!cell->explains && decided_by)
        strbuf_printf(out, ", decided by %s", decided_by);
    strbuf_printf(out, "</span> <span class=\"badge v-%s\">%s</span>", verdict, verdict);
    if (!cell->explains)
        strbuf_printf(out, " <span class=\"%s\">%s %s%s%s%s%s</span>",
                      fine ? "expected" : "unexpected", report_html_glyph(cell),
                      expected ? "as expected" : "expected ",
                      expected ? "" : lit_verdict_text(cell->expected),
                      cell->known ? ", a known failure" : "", cell->fails ? ", but " : "",
                      report_failing_words(cell->fails));
    strbuf_add(out, "</summary>\n");
}

/* What was found of all conditions. */
static void add_answer(struct report_stream *stream, const struct report_test *test)
{
    struct strbuf *out = &stream->text;
    add_conditions(stream, test);
    if (!test->explanation)
        report_html_why(out, test);
    strbuf_add(out, "<div class=\"columns\">");
    if (!test->decided) {
        add_states(out, test, LIT_FINAL);
        add_states(out, test, LIT_CRASHED);
        add_states(out, test, LIT_RECOVERED);
    }
    strbuf_add(out, "</div>\n");
    add_undefined(stream, test);
    add_recovery(out, test);
    if (test->explanation)
        report_xml_between(out, "<h4>Explanation</h4><pre class=\"chain words\">",
                           test->explanation, "</pre>\n");
    add_remarks(out, test);
    add_executions(out, test);
    strbuf_printf(out,
                  "<p class=\"small\">crash %s, %llu events, %llu candidates, %llu "
                  "consistent, %llu cuts, %.4f s</p>\n",
                  report_crash_mode(test->crash_mode),
                  (unsigned long long)test->outcome->stats.events,
                  (unsigned long long)test->outcome->stats.candidates,
                  (unsigned long long)test->outcome->stats.consistent,
                  (unsigned long long)test->outcome->stats.cuts, test->outcome->stats.seconds);
}

static struct report_stream *new_answer(struct html_piece *own)
{
    VEC_PUSH(&own->answers, (struct answer){.number = 0});
    return &VEC_LAST(&own->answers).text;
}

static void note_aside(void *context, const struct report_finding *finding)
{
    *(bool *)context |= report_is_aside(finding->kind);
}

static struct report_html_cell cell_of(struct html_piece *own, const struct report_test *test)
{
    const struct report_explanation *explained = test->explained;
    return (struct report_html_cell){
        .visibility = test->model->visibility,
        .persistency = test->model->persistency,
        .engine =
            explained ? arena_printf(&own->texts, "condition %u", explained->number) : test->engine,
        .verdict = test->verdict,
        .expected = test->expected,
        .explains = explained != NULL,
        .known = test->known,
        .fails = test->fails};
}

static void add_answer_to(struct html_piece *own, const struct report_html_cell *cell,
                          const struct report_test *test)
{
    struct report_stream *stream = new_answer(own);
    struct answer *answer = &VEC_LAST(&own->answers);
    answer->number = own->pairs;
    answer->open = cell->explains && cell->verdict != cell->expected;
    answer->worth = report_html_is_odd(cell) && (!cell->known || cell->fails)
                        ? UNEXPECTED
                        : cell->verdict != LIT_OK;
    add_summary(&stream->text, cell, test->outcome->decided_by);
    if (test->explained) { /* which speaks of lines itself */
        report_html_explained(test->explained, &stream->text);
    } else if (test->cases) {
        report_document_part("html", &report_cases, test->cases, &stream->text);
    } else {
        add_answer(stream, test);
        report_each_finding(test, note_finding, &(struct noting){own, test->program->source});
    }
}

/* Of many tests, what is as expected is in the table alone. */
static void html_test(struct report_piece *piece, const struct report_test *test)
{
    struct html_piece *own = piece->state;
    struct report_html_cell cell = cell_of(own, test);
    const bool many = report_format_has(piece->format, REPORT_PARTS);
    own->pairs++;
    if (many)
        report_each_finding(test, note_aside, &cell.remarked);
    if (!many || cell.explains || report_html_is_odd(&cell))
        add_answer_to(own, &cell, test);
    report_html_pack_cell(&cell, &own->cells);
}

/* ---- Records ---- */

static void add_found(struct strbuf *out, const struct report_finding *finding)
{
    report_xml_between(out, "<li>", finding->message, "");
    if (span_told(finding->span).line)
        strbuf_printf(out, " <small>line %u</small>", finding->span.line);
    strbuf_add(out, "</li>\n");
}

/* RFC 4648, 4 */
static void add_base64(struct strbuf *out, const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t left = strlen(text), n; left; left -= n, text += n) {
        n = left < 3 ? left : 3;
        uint32_t bits = 0;
        for (size_t i = 0; i < 3; i++)
            bits = bits << 8 | (i < n ? (unsigned char)text[i] : 0);
        for (size_t i = 0; i < 4; i++)
            strbuf_add_char(out, i <= n ? digits[bits >> (18 - 6 * i) & 63] : '=');
    }
}

static void add_drawn_name(struct strbuf *out, const struct report_drawn *drawn)
{
    const bool undefined = strcmp(drawn->kind, "undefined") == 0;
    if (*drawn->words)
        report_xml_text(out, drawn->words);
    else
        report_xml_between(out, "", drawn->kind, undefined ? " behaviour" : " state");
}

/* A picture of a record is an image, which can do nothing but be looked at, whoever drew it. */
static void add_drawn(struct strbuf *out, const struct report_view *view)
{
    for (size_t i = 0; i < view->drawn_count; i++) {
        const struct report_drawn *drawn = &view->drawn[i];
        strbuf_printf(out, "<details class=\"execution\"%s><summary>", i ? "" : " open=\"open\"");
        add_drawn_name(out, drawn);
        strbuf_add(out, "</summary><figure>");
        strbuf_add(out, "<img alt=\"\" src=\"data:image/svg+xml;base64,");
        add_base64(out, drawn->svg);
        strbuf_add(out, "\"/></figure></details>\n");
    }
}

static void add_told(struct html_piece *own, const struct report_view *view,
                     const struct report_html_cell *cell)
{
    struct strbuf *out = &new_answer(own)->text;
    VEC_LAST(&own->answers).number = own->pairs;
    VEC_LAST(&own->answers).worth = UNEXPECTED;
    add_summary(out, cell, view->decided_by);
    if (view->finding_count)
        strbuf_add(out, "<ul class=\"why\">\n");
    for (size_t i = 0; i < view->finding_count; i++)
        add_found(out, &view->findings[i]);
    strbuf_add(out, view->finding_count ? "</ul>\n" : "");
    if (view->doubt)
        report_xml_between(out, "<p class=\"doubt\">Doubt: ", view->doubt, "</p>\n");
    if (view->explanation)
        report_xml_between(out, "<h4>Explanation</h4><pre class=\"chain words\">",
                           view->explanation, "</pre>\n");
    add_drawn(out, view);
}

static void html_record(struct report_piece *piece, const struct report_view *view)
{
    struct html_piece *own = piece->state;
    struct report_html_cell cell = {.visibility = view->visibility,
                                    .persistency = view->persistency,
                                    .engine = view->engine,
                                    .verdict = view->verdict,
                                    .expected = view->expected,
                                    .known = view->known,
                                    .fails = view->fails};
    for (size_t i = 0; i < view->finding_count; i++)
        cell.remarked |= report_is_aside(view->findings[i].kind);
    own->pairs++;
    if (report_html_is_odd(&cell))
        add_told(own, view, &cell);
    report_html_pack_cell(&cell, &own->cells);
}

/* ---- Of the file ---- */

static void html_fault(struct report_piece *piece, const struct report_fault *fault)
{
    struct html_piece *own = piece->state;
    struct report_stream *stream = new_answer(own);
    struct strbuf *out = &stream->text;
    bool placed = fault->span.source && fault->span.line;
    strbuf_printf(out, "<div class=\"fault\"><strong>%s</strong>: ",
                  fault->severity == DIAG_ERROR ? "error" : "warning");
    report_xml_text(out, fault->message);
    strbuf_printf(out, " <code>[%s]</code> ", fault->id);
    if (placed && !fault->span.source->length) /* which a record does not have */
        strbuf_printf(out, "line %u", fault->span.line);
    else if (placed) {
        add_line_link(stream, fault->span.line);
        own->source = fault->span.source;
        add_note(own, fault->span.line, fault->message);
    }
    if (fault->details)
        report_xml_between(out, "<pre>", fault->details, "</pre>");
    strbuf_add(out, "</div>\n");
}

static void html_accord(struct report_piece *piece, const struct report_accord *accord)
{
    struct html_piece *own = piece->state;
    if (accord->result == REPORT_PASSED)
        return;
    own->disagree += accord->result == REPORT_FAILED;
    struct strbuf *out = &new_answer(own)->text;
    strbuf_printf(out, "<div class=\"fault\">engines %s under ",
                  accord->result == REPORT_SKIPPED ? "were not compared"
                                                   : "<strong>disagree</strong>");
    report_xml_text(out, accord->visibility);
    report_xml_between(out, " + ", accord->persistency, "<pre>");
    report_xml_text(out, accord->details);
    strbuf_add(out, "</pre></div>\n");
}

/* ---- The source, and the whole ---- */

static void add_notes(struct strbuf *out, const struct html_piece *own, uint32_t line)
{
    EACH_IN (const struct note, note, own->notes) {
        if (note->line != line)
            continue;
        strbuf_add(out, "<span class=\"note\">\xe2\x96\xb2 ");
        report_xml_text(out, note->text);
        if (own->pairs > 1)
            strbuf_printf(out, " <em>(under %u of %zu)</em>", note->count, own->pairs);
        strbuf_add(out, "</span>");
    }
}

static bool has_note(const struct html_piece *own, uint32_t line)
{
    return ANY(i, own->notes.count, own->notes.items[i].line == line);
}

static void add_source(struct report_piece *piece, const struct source *source)
{
    const struct html_piece *own = piece->state;
    struct strbuf *out = &piece->out.text;
    const char *at = source->text, *end = source->text + source->length;
    strbuf_add(out, "<ol class=\"source\">\n");
    for (uint32_t line = 1; at < end && line <= MAX_LINES; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        add_id(&piece->out, "<li id=\"f");
        strbuf_printf(out, "-L%u\"%s><code>", line, has_note(own, line) ? " class=\"marked\"" : "");
        report_xml_bytes(out, at, length);
        strbuf_add(out, "</code>");
        add_notes(out, own, line);
        strbuf_add(out, "</li>\n");
        at += length + 1;
    }
    strbuf_add(out, "</ol>\n");
}

static void add_pair(struct report_piece *piece, const struct answer *answer, bool open)
{
    struct strbuf *out = &piece->out.text;
    add_id(&piece->out, "<details class=\"pair\" id=\"f");
    strbuf_printf(out, "-p%zu\"%s>", answer->number - 1, open ? " open=\"open\"" : "");
    report_stream_append(&piece->out, &answer->text);
    strbuf_add(out, "</details>\n");
}

/* One of the pairs is open: that which a reader is to look at first. */
static void add_answers(struct report_piece *piece)
{
    const struct html_piece *own = piece->state;
    const struct answer *first = NULL;
    EACH_IN (const struct answer, answer, own->answers)
        if (answer->number && (!first || answer->worth > first->worth))
            first = answer;
    EACH (const struct answer, answer, own->answers.items, own->answers.count) {
        if (answer->number)
            add_pair(piece, answer, answer == first || answer->open);
        else
            report_stream_append(&piece->out, &answer->text);
    }
}

static void add_article(struct report_piece *piece, const char *name, const char *title,
                        const struct source *source)
{
    struct strbuf *out = &piece->out.text;
    add_id(&piece->out, "<article id=\"f");
    report_xml_between(out, "\"><header><h2>", name, "</h2><p class=\"path\">");
    report_xml_text(out, piece->file);
    strbuf_add(out, "</p>");
    if (title && *title)
        report_xml_between(out, "<p class=\"title\">", title, "</p>");
    const bool alone =
        report_format_has(piece->format, REPORT_PARTS) && (!source || !source->length);
    strbuf_add(out, alone ? "</header>\n<div>"
                          : "</header>\n<div class=\"sheet\"><div class=\"code\">\n");
    if (source && !alone)
        add_source(piece, source);
    strbuf_add(out, alone ? "<div class=\"answers\">\n" : "</div><div class=\"answers\">\n");
    add_answers(piece);
    strbuf_add(out, "</div></div><p class=\"small\"><a href=\"#tests\">to the table</a></p>"
                    "</article>\n");
}

static void html_end(struct report_piece *piece, const struct lit_program *program)
{
    const struct html_piece *own = piece->state;
    const char *name = piece->test ? piece->test : piece->file;
    report_html_pack(name, own->disagree, &own->cells, &piece->parcel);
    if (own->answers.count || !report_format_has(piece->format, REPORT_PARTS))
        add_article(piece, name, piece->title, program ? program->source : own->source);
}

static void html_piece_fini(struct report_piece *piece)
{
    struct html_piece *own = piece->state;
    VEC_FREE(&own->notes);
    arena_fini(&own->texts);
    for (size_t i = 0; i < own->answers.count; i++)
        report_stream_fini(&own->answers.items[i].text);
    VEC_FREE(&own->answers);
    strbuf_fini(&own->cells);
}

static void html_mark(struct report_sink *sink)
{
    strbuf_printf(&sink->out, "%zu", sink->pieces);
}

const struct report_format report_format_html = {.name = "html",
                                                 .traits = REPORT_EXECUTIONS | REPORT_REASONS,
                                                 .waits = true,
                                                 .piece_size = sizeof(struct html_piece),
                                                 .sink_size = sizeof(struct report_html_rows),
                                                 .test = html_test,
                                                 .fault = html_fault,
                                                 .accord = html_accord,
                                                 .end = html_end,
                                                 .piece_fini = html_piece_fini,
                                                 .mark = html_mark,
                                                 .add = report_html_add,
                                                 .close = report_html_close,
                                                 .sink_fini = report_html_fini};

const struct report_format report_format_html_many = {.name = "html",
                                                      .traits = REPORT_EXECUTIONS | REPORT_REASONS |
                                                                REPORT_PARTS,
                                                      .waits = true,
                                                      .piece_size = sizeof(struct html_piece),
                                                      .sink_size = sizeof(struct report_html_many),
                                                      .test = html_test,
                                                      .record = html_record,
                                                      .fault = html_fault,
                                                      .accord = html_accord,
                                                      .end = html_end,
                                                      .piece_fini = html_piece_fini,
                                                      .mark = html_mark,
                                                      .add = report_html_many_add,
                                                      .close = report_html_many_close,
                                                      .sink_fini = report_html_many_fini};
