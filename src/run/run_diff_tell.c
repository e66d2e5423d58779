#include "run/run_diff_tell.h"

#include "base/build.h"
#include "base/json.h"
#include "base/table.h"
#include "base/utf8.h"
#include "document/report_json.h"
#include "document/report_tree.h"
#include "report/report.h"
#include "report/report_string.h"

#include <string.h>
#include <time.h>

static const char *const words[] = {RUN_DIFF_FATES(TABLE_SECOND)};

/* " under sc + epoch by auto" */
static void add_asked(const struct run_record *record, struct strbuf *out)
{
    if (*record->model) {
        strbuf_add(out, " under ");
        report_pair(record->model, record->persistency, out);
    }
    if (*record->engine)
        strbuf_printf(out, " by %s", record->engine);
}

/* ---- Text ---- */

/* What stands in a record keeps to its line. */
static void tell_text(struct strbuf *out, const struct run_diff_change *change)
{
    SCOPED(strbuf) line = {0};
    strbuf_printf(&line, "%-9s %s", words[change->fate], change->record->file);
    add_asked(change->record, &line);
    strbuf_printf(&line, ": %s", change->what);
    utf8_add_name(out, strbuf_text(&line));
    strbuf_add_char(out, '\n');
    for (size_t i = 0; i < change->detail_count; i++) {
        strbuf_add(out, "  ");
        utf8_add_name(out, change->details[i]);
        strbuf_add_char(out, '\n');
    }
}

static void add_counts(const struct run_diff_teller *teller, struct strbuf *out)
{
    for (size_t fate = 0; fate < RUN_DIFF_FATES; fate++)
        strbuf_printf(out, "%s%zu %s", fate ? ", " : "", teller->counts[fate], words[fate]);
}

static void end_text(struct run_diff_teller *teller)
{
    strbuf_add(teller->out, "Summary: ");
    add_counts(teller, teller->out);
    strbuf_add_char(teller->out, '\n');
}

/* ---- JSON lines ---- */

static void tell_json(struct strbuf *out, const struct run_diff_change *change)
{
    const struct run_record *record = change->record, *was = change->was;
    report_json_begin(record->test, out);
    emit_string(out, "fate", words[change->fate]);
    emit_string(out, "file", record->file);
    emit_string(out, "model", record->model);
    emit_string(out, "persistency", record->persistency);
    emit_string(out, "engine", record->engine);
    emit_string(out, "verdict", record->verdict);
    emit_string(out, "expected", record->expected);
    if (was) {
        emit_string(out, "was", was->verdict);
        emit_string(out, "was_expected", was->expected);
    }
    emit_array(out, "details");
    for (size_t i = 0; i < change->detail_count; i++)
        emit_string(out, NULL, change->details[i]);
    emit_end(out, ']');
    report_json_end(out);
}

static void end_json(struct run_diff_teller *teller)
{
    emit_object(teller->out, NULL);
    emit_number(teller->out, "schema", 1);
    for (size_t fate = 0; fate < RUN_DIFF_FATES; fate++)
        emit_number(teller->out, words[fate], teller->counts[fate]);
    report_json_end(teller->out);
}

/* ---- Markdown ---- */

struct run_diff_kept {
    struct run_diff_kept *next; /* one that is as large, or larger */
    struct arena arena;         /* which it is in */
    uint64_t size;
    const char *file, *asked, *what, **details;
    size_t detail_count;
};

static void drop(struct run_diff_kept *kept)
{
    struct arena arena = kept->arena;
    arena_fini(&arena);
}

static struct run_diff_kept *keep(const struct run_diff_change *change)
{
    struct arena arena = {0};
    SCOPED(strbuf) asked = {0};
    struct run_diff_kept *kept = ARENA_NEW(&arena, struct run_diff_kept);
    add_asked(change->record, &asked);
    kept->size = change->size;
    kept->file = arena_strdup(&arena, change->record->file);
    kept->asked = arena_strdup(&arena, strbuf_text(&asked));
    kept->what = arena_strdup(&arena, change->what);
    kept->detail_count = change->detail_count;
    kept->details = ARENA_ARRAY(&arena, const char *, change->detail_count);
    for (size_t i = 0; i < change->detail_count; i++)
        kept->details[i] = arena_strdup(&arena, change->details[i]);
    kept->arena = arena;
    return kept;
}

/* What comes behind those that are listed is only counted. */
static void tell_markdown(struct run_diff_teller *teller, const struct run_diff_change *change)
{
    struct run_diff_kept **at = &teller->kept[change->fate];
    size_t before = 0;
    for (; *at && (*at)->size <= change->size; at = &(*at)->next)
        before++;
    if (before >= RUN_DIFF_LISTED)
        return;
    struct run_diff_kept *kept = keep(change);
    kept->next = *at;
    *at = kept;
    for (; *at && before < RUN_DIFF_LISTED; at = &(*at)->next)
        before++;
    if (*at)
        drop(*at);
    *at = NULL;
}

static void add_kept(const struct run_diff_kept *kept, struct report_tree *tree)
{
    report_tree_begin(tree, REPORT_ITEM, NULL);
    utf8_add_name(&tree->text, kept->file);
    strbuf_printf(&tree->text, "%s: %s", kept->asked, kept->what);
    if (kept->detail_count)
        report_tree_begin(tree, REPORT_LIST, NULL);
    for (size_t i = 0; i < kept->detail_count; i++)
        report_tree_add(tree, REPORT_ITEM, NULL, "%s", kept->details[i]);
    if (kept->detail_count)
        report_tree_end(tree);
    report_tree_end(tree);
}

static void add_fate(struct run_diff_teller *teller, enum run_diff_fate fate,
                     struct report_tree *tree)
{
    const size_t count = teller->counts[fate];
    if (count == 0)
        return;
    report_tree_begin(tree, REPORT_SECTION, NULL);
    report_tree_add(tree, REPORT_HEAD, NULL, "%zu %s", count, words[fate]);
    report_tree_begin(tree, REPORT_LIST, NULL);
    for (struct run_diff_kept *kept = teller->kept[fate], *next; kept; kept = next) {
        add_kept(kept, tree);
        next = kept->next;
        drop(kept);
    }
    if (count > RUN_DIFF_LISTED)
        report_tree_add(tree, REPORT_ITEM, NULL, "and %zu more", count - RUN_DIFF_LISTED);
    report_tree_end(tree);
    report_tree_end(tree);
}

static void end_markdown(struct run_diff_teller *teller, const char *faults)
{
    static const enum run_diff_fate order[] = {RUN_DIFF_REGRESSED, RUN_DIFF_GONE, RUN_DIFF_CHANGED,
                                               RUN_DIFF_NEW, RUN_DIFF_MENDED};
    struct report_tree tree = {.where = 0};
    struct report_paper paper = {.sheet = 0};
    report_tree_add(&tree, REPORT_HEAD, NULL, "%zu regressed, %zu gone",
                    teller->counts[RUN_DIFF_REGRESSED], teller->counts[RUN_DIFF_GONE]);
    report_tree_begin(&tree, REPORT_LINE, NULL);
    add_counts(teller, &tree.text);
    report_tree_end(&tree);
    if (*faults)
        report_tree_line(&tree, "Not all could be compared: %s", faults);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        add_fate(teller, order[i], &tree);
    report_tree_markdown(&tree, &paper);
    strbuf_add(teller->out, strbuf_text(&paper.out));
    strbuf_fini(&paper.out);
    report_tree_fini(&tree);
}

/* ---- JUnit ---- */

static void add_case(struct run_diff_teller *teller, const char *name, const char *element,
                     const char *message, const char *details)
{
    struct strbuf *out = &teller->cases;
    strbuf_add(out, "    <testcase name=\"");
    report_xml_attribute(out, name);
    strbuf_printf(out, "\" classname=\"crashlit.diff\" time=\"0.000000\"%s\n",
                  element ? ">" : "/>");
    if (!element)
        return;
    strbuf_printf(out, "      <%s message=\"", element);
    report_xml_attribute(out, message);
    strbuf_add(out, "\" type=\"diff\">");
    report_xml_text(out, details);
    strbuf_printf(out, "</%s>\n    </testcase>\n", element);
}

static void tell_junit(struct run_diff_teller *teller, const struct run_diff_change *change)
{
    SCOPED(strbuf) name = {0}, details = {0}, message = {0};
    utf8_add_name(&name, change->record->file);
    add_asked(change->record, &name);
    strbuf_printf(&message, "%s: %s", words[change->fate], change->what);
    tell_text(&details, change);
    teller->failures += change->fails;
    add_case(teller, strbuf_text(&name), change->fails ? "failure" : NULL, strbuf_text(&message),
             strbuf_text(&details));
}

static size_t count_told(const struct run_diff_teller *teller)
{
    size_t count = 0;
    for (size_t fate = 0; fate < RUN_DIFF_FATES; fate++)
        count += fate == RUN_DIFF_SAME ? 0 : teller->counts[fate];
    return count;
}

/* A suite without cases is taken for a run of nothing, so one case is of all. */
static void end_junit(struct run_diff_teller *teller, const char *faults)
{
    struct strbuf *out = teller->out;
    SCOPED(strbuf) counts = {0};
    char date[32];
    const time_t now = time(NULL);
    struct tm utc;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", gmtime_r(&now, &utc));
    add_counts(teller, &counts);
    add_case(teller, "all is compared", *faults ? "error" : NULL, "not all could be compared",
             faults);
    strbuf_printf(out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                  "  <testsuite name=\"crashlit diff\" tests=\"%zu\" failures=\"%zu\""
                  " errors=\"%d\" skipped=\"0\" time=\"0.000\" hostname=\"localhost\""
                  " package=\"crashlit\" id=\"0\" timestamp=\"%s\">\n    <properties>\n"
                  "      <property name=\"crashlit\" value=\"%s\"/>\n    </properties>\n%s"
                  "    <system-out>%s</system-out>\n    <system-err></system-err>\n"
                  "  </testsuite>\n</testsuites>\n",
                  count_told(teller) + 1, teller->failures, *faults != '\0', date, base_version,
                  strbuf_text(&teller->cases), strbuf_text(&counts));
    strbuf_fini(&teller->cases);
}

/* ---- All ---- */

void run_diff_tell(struct run_diff_teller *teller, const struct run_diff_change *change)
{
    teller->counts[change->fate]++;
    if (change->fate == RUN_DIFF_SAME)
        return;
    switch (teller->format) {
    case RUN_DIFF_TEXT: tell_text(teller->out, change); break;
    case RUN_DIFF_JSON: tell_json(teller->out, change); break;
    case RUN_DIFF_MARKDOWN: tell_markdown(teller, change); break;
    case RUN_DIFF_JUNIT: tell_junit(teller, change); break;
    }
}

void run_diff_tell_end(struct run_diff_teller *teller, const char *faults)
{
    switch (teller->format) {
    case RUN_DIFF_TEXT: end_text(teller); break;
    case RUN_DIFF_JSON: end_json(teller); break;
    case RUN_DIFF_MARKDOWN: end_markdown(teller, faults); break;
    case RUN_DIFF_JUNIT: end_junit(teller, faults); break;
    }
}
