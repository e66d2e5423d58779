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

enum {
    MOST_DETAILS = 8, /* of one; the rest is counted */
    MOST_NAME = 200,  /* characters of what a record has, such as a path or a state */
    MOST_FAULTS = 2000
};

struct run_diff_kept {
    struct run_diff_kept *next; /* one that comes behind it */
    struct arena arena;         /* which it is in */
    bool fails;
    uint64_t size;
    const char *file, *asked, *what, *details[MOST_DETAILS];
    size_t detail_count; /* with those that are not here */
};

static void drop(struct run_diff_kept *kept)
{
    struct arena arena = kept->arena;
    arena_fini(&arena);
}

/* As much of what a stranger's record has as a reader looks at, on one line. */
static const char *shorten(struct arena *arena, const char *text, size_t characters)
{
    SCOPED(strbuf) shown = {0};
    size_t bytes = 0;
    for (size_t i = 0; i < characters && text[bytes]; i++) {
        const size_t length = utf8_length(text + bytes);
        bytes += length ? length : 1;
    }
    utf8_add_name(&shown, arena_strndup(arena, text, bytes));
    strbuf_add(&shown, text[bytes] ? "..." : "");
    return arena_strdup(arena, strbuf_text(&shown));
}

static size_t count_shown(size_t details)
{
    return details < MOST_DETAILS ? details : MOST_DETAILS;
}

static struct run_diff_kept *keep(const struct run_diff_change *change)
{
    struct arena arena = {0};
    SCOPED(strbuf) asked = {0};
    struct run_diff_kept *kept = ARENA_NEW(&arena, struct run_diff_kept);
    add_asked(change->record, &asked);
    kept->fails = change->fails;
    kept->size = change->size;
    kept->file = shorten(&arena, change->record->file, MOST_NAME);
    kept->asked = shorten(&arena, strbuf_text(&asked), MOST_NAME);
    kept->what = shorten(&arena, change->what, MOST_NAME);
    kept->detail_count = change->detail_count;
    for (size_t i = 0; i < count_shown(change->detail_count); i++)
        kept->details[i] = shorten(&arena, change->details[i], MOST_NAME);
    kept->arena = arena;
    return kept;
}

/* What fails comes before the rest, and the smaller test before the larger one. */
static bool comes_before(const struct run_diff_kept *kept, const struct run_diff_change *change)
{
    return kept->fails != change->fails ? kept->fails : kept->size <= change->size;
}

/* What comes behind those that are listed is only counted. */
static void tell_markdown(struct run_diff_teller *teller, const struct run_diff_change *change)
{
    struct run_diff_kept **at = &teller->kept[change->fate];
    size_t before = 0;
    for (; *at && comes_before(*at, change); at = &(*at)->next)
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
    const size_t shown = count_shown(kept->detail_count);
    report_tree_begin(tree, REPORT_ITEM, NULL);
    report_tree_add(tree, REPORT_CODE, NULL, "%s%s", kept->file, kept->asked);
    strbuf_printf(&tree->text, ": %s", kept->what);
    if (shown)
        report_tree_begin(tree, REPORT_LIST, NULL);
    for (size_t i = 0; i < shown; i++) {
        report_tree_begin(tree, REPORT_ITEM, NULL);
        report_tree_add(tree, REPORT_CODE, NULL, "%s", kept->details[i]);
        report_tree_end(tree);
    }
    if (shown < kept->detail_count)
        report_tree_add(tree, REPORT_ITEM, NULL, "and %zu more", kept->detail_count - shown);
    if (shown)
        report_tree_end(tree);
    report_tree_end(tree);
}

static void add_fate(const struct run_diff_teller *teller, enum run_diff_fate fate, size_t most,
                     struct report_tree *tree)
{
    const size_t count = teller->counts[fate];
    if (count == 0)
        return;
    report_tree_begin(tree, REPORT_SECTION, NULL);
    report_tree_add(tree, REPORT_HEAD, NULL, "%zu %s", count, words[fate]);
    report_tree_begin(tree, REPORT_LIST, NULL);
    const struct run_diff_kept *kept = teller->kept[fate];
    for (size_t i = 0; kept && i < most; i++, kept = kept->next)
        add_kept(kept, tree);
    if (count > most)
        report_tree_add(tree, REPORT_ITEM, NULL, "and %zu more", count - most);
    report_tree_end(tree);
    report_tree_end(tree);
}

static const char *faults_on_a_line(struct arena *arena, const char *faults)
{
    char *line = arena_strdup(arena, faults);
    for (char *end = line; (end = strchr(end, '\n'));)
        *end = ' ';
    return shorten(arena, line, MOST_FAULTS);
}

static void add_comment(const struct run_diff_teller *teller, const char *faults, size_t most,
                        struct report_tree *tree)
{
    static const enum run_diff_fate order[] = {RUN_DIFF_REGRESSED, RUN_DIFF_GONE, RUN_DIFF_CHANGED,
                                               RUN_DIFF_NEW, RUN_DIFF_MENDED};
    const size_t regressed = teller->counts[RUN_DIFF_REGRESSED];
    report_tree_add(tree, REPORT_HEAD, NULL, "%zu regressed, %zu gone that may not", regressed,
                    teller->failures - regressed);
    report_tree_begin(tree, REPORT_LINE, NULL);
    add_counts(teller, &tree->text);
    report_tree_end(tree);
    if (*faults)
        report_tree_line(tree, "Not all could be compared: %s",
                         faults_on_a_line(&tree->arena, faults));
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        add_fate(teller, order[i], most, tree);
    report_tree_line(tree, "crashlit %s", base_version);
}

/* At most so many of each fate; does a comment take it? */
static bool write_comment(const struct run_diff_teller *teller, const char *faults, size_t most,
                          struct strbuf *out)
{
    struct report_tree tree = {.where = 0};
    struct report_paper paper = {.sheet = 0};
    add_comment(teller, faults, most, &tree);
    report_tree_markdown(&tree, &paper);
    const bool fits = paper.out.length <= REPORT_COMMENT_MOST || most == 0;
    if (fits)
        strbuf_add_bytes(out, strbuf_text(&paper.out), paper.out.length);
    strbuf_fini(&paper.out);
    report_tree_fini(&tree);
    return fits;
}

static void end_markdown(struct run_diff_teller *teller, const char *faults)
{
    for (size_t most = RUN_DIFF_LISTED; !write_comment(teller, faults, most, teller->out);)
        most /= 2;
    for (size_t fate = 0; fate < RUN_DIFF_FATES; fate++)
        for (struct run_diff_kept *kept = teller->kept[fate], *next; kept; kept = next) {
            next = kept->next;
            drop(kept);
        }
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
    teller->failures += change->fails;
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
