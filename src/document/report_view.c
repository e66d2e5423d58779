#include "document/report_view.h"

#include "base/json.h"
#include "base/utf8.h"
#include "document/report_place.h"
#include "report/report_vacuous.h"

#include <string.h>

/* ---- Of an answer ---- */

struct keeper {
    struct arena *arena;
    VEC(struct report_finding) findings;
};

static void keep(void *context, const struct report_finding *finding)
{
    struct keeper *keeper = context;
    struct report_finding kept = *finding;
    kept.message = arena_strdup(keeper->arena, finding->message);
    if (finding->related_message)
        kept.related_message = arena_strdup(keeper->arena, finding->related_message);
    VEC_PUSH(&keeper->findings, kept);
}

static const char *reason_of(struct arena *arena, const struct idempotence *answer)
{
    SCOPED(strbuf) reason = {0};
    if (!answer || !answer->reason)
        return NULL;
    report_reason(answer->verdict, answer->reason, answer->vacuous, &reason);
    return arena_strdup(arena, strbuf_text(&reason));
}

struct report_view report_view_of(struct arena *arena, const struct report_test *test)
{
    const struct lit_program *program = test->program;
    struct keeper keeper = {arena, {0}};
    report_each_finding(test, keep, &keeper);
    const struct report_view view = {
        .file = program->source->name,
        .test = program->name,
        .title = program->title,
        .visibility = test->model->visibility,
        .persistency = test->model->persistency,
        .engine = test->engine,
        .decided_by = test->outcome->decided_by,
        .verdict = test->verdict,
        .expected = test->expected,
        .known = test->known,
        .fails = test->fails,
        .expectation = test->expectation ? &test->expectation->span : NULL,
        .head = report_head(program),
        .doubt = outcome_any_doubt(test->outcome),
        .reason = reason_of(arena, test->idempotence),
        .explanation = test->explanation,
        .remarks = test->remarks,
        .seconds = test->outcome->stats.seconds,
        .findings = arena_copy(arena, keeper.findings.items,
                               keeper.findings.count * sizeof *keeper.findings.items),
        .finding_count = keeper.findings.count};
    VEC_FREE(&keeper.findings);
    return view;
}

/* ---- Lines about other engines ---- */

const char *report_accord_words(enum report_result result)
{
    static const char *const words[] = {"agree", "were not compared", "disagree", "disagree"};
    return words[result];
}

void report_accord_remark(enum report_result result, const char *details, struct strbuf *out)
{
    strbuf_printf(out, "Engines %s\n%s", report_accord_words(result), details);
}

void report_verdict_remark(const char *engine, enum lit_verdict verdict, enum lit_verdict expected,
                           struct strbuf *out)
{
    strbuf_printf(out, "Engine %s: verdict %s, expected %s\n", engine, lit_verdict_text(verdict),
                  lit_verdict_text(expected));
}

/* ---- As JSON ---- */

/* Columns are bytes; those in characters stand beside them where they are others. Nothing of a place
 * in no file. */
static void add_place(const char *name, const char *file, const struct span *span,
                      struct strbuf *out)
{
    if (!span->source)
        return;
    emit_object(out, name);
    if (strcmp(span->source->name, file) != 0)
        emit_string(out, "file", span->source->name);
    if (span_told(*span).line) {
        const uint32_t first = report_character_column(span->source, span->line, span->column);
        const uint32_t end =
            report_character_column(span->source, span->end_line, span->end_column);
        emit_number(out, "line", span->line);
        emit_number(out, "column", span->column);
        emit_number(out, "end_line", span->end_line);
        emit_number(out, "end_column", span->end_column);
        if (first != span->column || end != span->end_column) {
            emit_array(out, "characters");
            emit_number(out, NULL, first);
            emit_number(out, NULL, end);
            emit_end(out, ']');
        }
    }
    emit_end(out, '}');
}

static void add_finding(const char *file, const struct report_finding *finding, struct strbuf *out)
{
    emit_object(out, NULL);
    emit_string(out, "kind", report_finding_word(finding->kind));
    emit_string(out, "message", finding->message);
    add_place("at", file, &finding->span, out);
    if (finding->related.line) {
        add_place("related", file, &finding->related, out);
        emit_string(out, "related_message", finding->related_message);
    }
    if (finding->source.line)
        add_place("source", file, &finding->source, out);
    if (finding->related_source.line)
        add_place("related_source", file, &finding->related_source, out);
    if (finding->launch.line)
        add_place("launch", file, &finding->launch, out);
    if (finding->place)
        report_place_sarif_fixes(finding->place, out);
    emit_end(out, '}');
}

static void add_accord(const struct report_accord *accord, struct strbuf *out)
{
    static const char *const words[] = {"agree", "not-compared", "disagree", "disagree"};
    if (!accord)
        return;
    emit_object(out, "accord");
    emit_string(out, "result", words[accord->result]);
    emit_string(out, "details", accord->details);
    emit_end(out, '}');
}

void report_json_view(const struct report_test *test, struct strbuf *out)
{
    SCOPED(arena) arena = {0};
    const struct report_view view = report_view_of(&arena, test);
    if (*view.title)
        emit_string(out, "title", view.title);
    if (view.expectation)
        add_place("expectation", view.file, view.expectation, out);
    emit_array(out, "findings");
    for (size_t i = 0; i < view.finding_count; i++)
        add_finding(view.file, &view.findings[i], out);
    emit_end(out, ']');
    if (view.explanation)
        emit_string(out, "explanation", view.explanation);
    add_accord(test->accord, out);
    report_json_said(test->messages, out);
}

static bool find_fix(const struct report_fault *fault, struct span *place)
{
    *place = fault->fix_at;
    return place->source || diag_fix_place(&fault->fix, place);
}

void report_json_message(const char *file, const struct report_fault *fault, struct strbuf *out)
{
    struct span fix;
    emit_object(out, NULL);
    emit_string(out, "severity", diag_severity_text(fault->severity));
    emit_string(out, "id", fault->id);
    emit_string(out, "text", fault->message);
    if (fault->details)
        emit_string(out, "details", fault->details);
    add_place("at", file, &fault->span, out);
    if (find_fix(fault, &fix)) {
        emit_object(out, "fix");
        add_place("at", file, &fix, out);
        emit_string(out, "found", fault->fix.word);
        emit_string(out, "text", fault->fix.meant);
        emit_end(out, '}');
    }
    emit_end(out, '}');
}

void report_json_messages(const char *file, const struct diag *diag, struct strbuf *out)
{
    EACH_IN (const struct diag_entry, entry, diag->entries)
        if (entry->severity != DIAG_NOTE)
            report_json_message(file,
                                &(struct report_fault){.severity = entry->severity,
                                                       .id = diag_id_text(entry->id),
                                                       .message = entry->message,
                                                       .span = entry->span,
                                                       .fix = entry->fix},
                                out);
}

void report_json_said(const char *messages, struct strbuf *out)
{
    if (!messages || !*messages)
        return;
    emit_array(out, "messages");
    strbuf_add(out, messages);
    emit_end(out, ']');
}
