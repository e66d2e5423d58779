#include "document/report_brief.h"

#include "base/utf8.h"
#include "document/report_finding.h"
#include "document/report_wide.h"
#include "report/report_vacuous.h"

#include <string.h>

/* ---- Why a verdict is what it is ---- */

struct finder {
    enum lit_verdict verdict;
    struct strbuf *out;
    size_t count;
};

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

static void note_why(void *context, const struct report_finding *finding)
{
    struct finder *finder = context;
    if (is_why(finder->verdict, finding->kind) && finder->count++ == 0)
        strbuf_add(finder->out, finding->message);
}

/* Appends ": crash ~exists (x=1) is violated by the crash state x=1, and 2 more", or nothing. */
static void add_why(const struct report_test *test, struct strbuf *out)
{
    SCOPED(strbuf) why = {0};
    struct finder finder = {test->verdict, &why, 0};
    const char *doubt = outcome_any_doubt(test->outcome);
    if (test->idempotence && test->idempotence->reason)
        report_reason(test->idempotence->verdict, test->idempotence->reason,
                      test->idempotence->vacuous, &why);
    else
        report_each_finding(test, note_why, &finder);
    if (finder.count > 1)
        strbuf_printf(&why, ", and %zu more", finder.count - 1);
    if (!why.length && test->verdict == LIT_UNKNOWN && doubt)
        strbuf_add(&why, doubt);
    strbuf_printf(out, "%s%s", why.length ? ": " : "", strbuf_text(&why));
}

/* ---- What is told beside any verdict ---- */

/* Adds the line unless it is there. */
static void add_aside(struct report_brief *brief, const char *line)
{
    if (!ANY(i, brief->asides.count, strcmp(brief->asides.items[i], line) == 0))
        VEC_PUSH(&brief->asides, arena_strdup(&brief->arena, line));
}

struct aside {
    struct report_brief *brief;
    const struct report_test *test;
};

/* Remarks are told only of a test without `expect` lines: who wrote these has seen them. */
static void note_aside(void *context, const struct report_finding *finding)
{
    struct aside *aside = context;
    bool warns = report_is_warning(finding->kind) || finding->kind == REPORT_WIDTH ||
                 finding->kind == REPORT_VACUOUS;
    bool remarks = finding->kind == REPORT_REMARK || finding->kind == REPORT_MEANING;
    SCOPED(strbuf) line = {0};
    if (!warns && (!remarks || aside->test->expectation))
        return;
    strbuf_add(&line, "    ");
    utf8_add_name(&line, aside->test->program->source->name);
    if (span_told(finding->span).line)
        strbuf_printf(&line, ":%u:%u", finding->span.line, finding->span.column);
    const char *name = report_wide_name(finding->kind);
    strbuf_printf(&line, ": %s%s", report_is_warning(finding->kind) && name ? "warning: " : "",
                  finding->message);
    strbuf_printf(&line, name ? " [%s]\n" : "\n", name);
    add_aside(aside->brief, strbuf_text(&line));
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

void report_brief_test(struct report_brief *brief, const struct report_test *test)
{
    SCOPED(strbuf) why = {0};
    bool odd = test->verdict != test->expected && !test->known,
         remarked = test->remarks && *test->remarks;
    add_why(test, &why);
    if (brief->pairs++ == 0) {
        brief->expected = test->expected;
        strbuf_add(&brief->finding, strbuf_text(&why));
    }
    brief->verdicts[test->verdict]++;
    brief->otherwise += odd || remarked;
    brief->known += test->known;
    if (odd || remarked)
        add_odd(brief, test->model->visibility, test->model->persistency,
                lit_verdict_text(test->verdict), strbuf_text(&why),
                odd ? lit_verdict_text(test->expected) : NULL);
    brief->remarked |= remarked;
    if (remarked)
        add_indented(&brief->odd, test->remarks);
    report_each_finding(test, note_aside, &(struct aside){brief, test});
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
    if (failure->program)
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
