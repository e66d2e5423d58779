#include "document/report_brief.h"

#include "base/utf8.h"
#include "document/report_finding.h"
#include "document/report_wide.h"
#include "report/report_vacuous.h"

#include <string.h>

/* ---- Why a verdict is what it is ---- */

static bool is_why(enum lit_verdict verdict, enum report_finding_kind kind)
{
    switch (verdict) {
    case LIT_OK: return false;
    case LIT_VIOLATED: return kind == REPORT_CONDITION;
    case LIT_UNKNOWN: return kind == REPORT_UNKNOWN;
    case LIT_ERROR: return kind == REPORT_LIVELOCK;
    case LIT_UNDEFINED:
        return kind == REPORT_RACE || kind == REPORT_DIVERGENCE || kind == REPORT_TRANSACTION ||
               kind == REPORT_UNSET || kind == REPORT_FAULT || kind == REPORT_CHECK;
    }
    return false;
}

/* Appends ": crash ~exists (x=1) is violated by the crash state x=1, and 2 more", or nothing. */
static void add_why(const struct report_view *view, struct strbuf *out)
{
    const char *why = view->reason;
    size_t count = 0;
    for (size_t i = 0; i < view->finding_count && !view->reason; i++)
        if (is_why(view->verdict, view->findings[i].kind) && count++ == 0)
            why = view->findings[i].message;
    if (!why && view->verdict == LIT_UNKNOWN)
        why = view->doubt;
    if (why)
        strbuf_printf(out, ": %s", why);
    if (count > 1)
        strbuf_printf(out, ", and %zu more", count - 1);
}

/* ---- What is told beside any verdict ---- */

/* Adds the line unless it is there. */
static void add_aside(struct report_brief *brief, const char *line)
{
    if (!ANY(i, brief->asides.count, strcmp(brief->asides.items[i], line) == 0))
        VEC_PUSH(&brief->asides, arena_strdup(&brief->arena, line));
}

/* Remarks are told only of a test without `expect` lines: who wrote these has seen them. */
static void note_aside(struct report_brief *brief, const struct report_view *view,
                       const struct report_finding *finding)
{
    bool warns = report_is_warning(finding->kind) || finding->kind == REPORT_WIDTH ||
                 finding->kind == REPORT_VACUOUS;
    bool remarks = finding->kind == REPORT_REMARK || finding->kind == REPORT_MEANING;
    SCOPED(strbuf) line = {0};
    if (!warns && (!remarks || view->expectation))
        return;
    strbuf_add(&line, "    ");
    utf8_add_name(&line, view->file);
    if (span_told(finding->span).line)
        strbuf_printf(&line, ":%u:%u", finding->span.line, finding->span.column);
    const char *name = report_wide_name(finding->kind);
    strbuf_printf(&line, ": %s%s", report_is_warning(finding->kind) && name ? "warning: " : "",
                  finding->message);
    strbuf_printf(&line, name ? " [%s]\n" : "\n", name);
    add_aside(brief, strbuf_text(&line));
}

/* ---- Pairs ---- */

static void add_odd(struct report_brief *brief, const char *visibility, const char *persistency,
                    const char *verdict, const char *why, const char *expected)
{
    strbuf_add(&brief->odd, "    ");
    report_pair(visibility, persistency, &brief->odd);
    strbuf_printf(&brief->odd, ": %s%s", verdict, why);
    strbuf_printf(&brief->odd, expected ? " (expected %s)\n" : "\n", expected);
}

/* Appends the lines with an indentation. */
static void add_indented(struct strbuf *out, const char *lines)
{
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        strbuf_add(out, "      ");
        strbuf_add_bytes(out, lines, length);
        strbuf_add_char(out, '\n');
        lines += length + (lines[length] == '\n');
    }
}

void report_brief_view(struct report_brief *brief, const struct report_view *view)
{
    SCOPED(strbuf) why = {0};
    bool odd = view->verdict != view->expected && !view->known,
         remarked = view->remarks && *view->remarks;
    add_why(view, &why);
    if (brief->pairs++ == 0) {
        brief->expected = view->expected;
        strbuf_add(&brief->finding, strbuf_text(&why));
    }
    brief->verdicts[view->verdict]++;
    brief->otherwise += odd || remarked;
    brief->known += view->known;
    if (odd || remarked)
        add_odd(brief, view->visibility, view->persistency, lit_verdict_text(view->verdict),
                strbuf_text(&why), odd ? lit_verdict_text(view->expected) : NULL);
    brief->remarked |= remarked;
    if (remarked)
        add_indented(&brief->odd, view->remarks);
    for (size_t i = 0; i < view->finding_count; i++)
        note_aside(brief, view, &view->findings[i]);
}

void report_brief_test(struct report_brief *brief, const struct report_test *test)
{
    SCOPED(arena) arena = {0};
    const struct report_view view = report_view_of(&arena, test);
    report_brief_view(brief, &view);
}

void report_brief_failure(struct report_brief *brief, const struct report_failure *failure)
{
    SCOPED(strbuf) why = {0};
    strbuf_printf(&why, ": %s", failure->reason);
    if (brief->pairs++ == 0) {
        brief->expected = failure->expected;
        strbuf_add(&brief->finding, strbuf_text(&why));
    }
    brief->verdicts[failure->verdict]++;
    brief->otherwise++;
    if (failure->visibility && *failure->visibility)
        add_odd(brief, failure->visibility, failure->persistency,
                lit_verdict_text(failure->verdict), strbuf_text(&why), NULL);
}

/* ---- The line ---- */

void report_brief_line(bool odd, const char *word, const char *path, const char *reason,
                       struct strbuf *out)
{
    strbuf_printf(out, "%c %-10s ", odd ? '!' : ' ', word);
    utf8_add_name(out, path);
    strbuf_add(out, reason);
    strbuf_add_char(out, '\n');
}

/* The verdict of all pairs; "mixed" if they have several. */
static const char *word_of(const struct report_brief *brief)
{
    for (int i = 0; i <= LIT_ERROR; i++)
        if (brief->verdicts[i] == brief->pairs)
            return lit_verdict_text((enum lit_verdict)i);
    return "mixed";
}

/* ": 6 ok, 3 violated" */
static void add_counts(const struct report_brief *brief, struct strbuf *out)
{
    const char *between = ": ";
    for (int i = 0; i <= LIT_ERROR; i++) {
        if (!brief->verdicts[i])
            continue;
        strbuf_printf(out, "%s%zu %s", between, brief->verdicts[i],
                      lit_verdict_text((enum lit_verdict)i));
        between = ", ";
    }
}

/* " (expected ok)", " (18 model pairs, 2 to be looked at)" */
static void add_close(const struct report_brief *brief, struct strbuf *out)
{
    bool ok = brief->verdicts[LIT_OK] == brief->pairs;
    if (brief->pairs > 1 && brief->otherwise)
        strbuf_printf(out, " (%zu model pairs, %zu not as expected)", brief->pairs,
                      brief->otherwise);
    else if (brief->pairs > 1 && brief->known)
        strbuf_printf(out, " (%zu model pairs, %zu known to fail)", brief->pairs, brief->known);
    else if (brief->pairs > 1)
        strbuf_printf(out, " (%zu model pairs%s)", brief->pairs, ok ? "" : ", as expected");
    else if (!brief->verdicts[brief->expected])
        strbuf_printf(out, " (expected %s%s)", lit_verdict_text(brief->expected),
                      brief->known ? ", a known failure" : "");
    else if (!ok)
        strbuf_add(out, " (as expected)");
}

void report_brief_end(const struct report_brief *brief, const char *path, struct strbuf *out)
{
    SCOPED(strbuf) rest = {0};
    if (brief->pairs == 0)
        return;
    if (strcmp(word_of(brief), "mixed") == 0)
        add_counts(brief, &rest);
    else
        strbuf_add(&rest, strbuf_text(&brief->finding));
    add_close(brief, &rest);
    report_brief_line(brief->otherwise, word_of(brief), path, strbuf_text(&rest), out);
    if (brief->pairs > 1 || brief->remarked)
        strbuf_add(out, strbuf_text(&brief->odd));
    for (size_t i = 0; i < brief->asides.count; i++)
        strbuf_add(out, brief->asides.items[i]);
}

void report_brief_fini(struct report_brief *brief)
{
    strbuf_fini(&brief->finding);
    strbuf_fini(&brief->odd);
    VEC_FREE(&brief->asides);
    arena_fini(&brief->arena);
}
