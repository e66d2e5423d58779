/* HTML of many tests: a table of those that are not as expected, with all there is to say of each;
 * the others by folder, those with the same verdicts in a row. A column is for a visibility model,
 * whose pairs unfold.
 *
 * In a folder it is an index and parts of bounded size. In one file the page is bounded, and says
 * what it has no room for. */
#include "base/hash.h"
#include "base/json.h"
#include "base/pack.h"
#include "document/report_document.h"
#include "format/report_html.h"
#include "report/report_string.h"

#include <stdlib.h>
#include <string.h>

enum {
    PART_TESTS = 2000,
    MOST_COLUMNS = 40,
    MOST_ARTICLES = 2200000, /* bytes, of a part and of a page without parts */
    MOST_ODD = 400000,       /* bytes, of rows */
    MOST_EXPECTED = 2000000,
    MOST_FOLDERS = 400000
};
static const char INDEX[] = "index.html", NAMES[] = "tests.js";

static const char *const pages_script[] = {
#define LINE(text) text "\n",
#include "format/report_html_many_script.def"
#undef LINE
};
static const char *const index_script[] = {
#define LINE(text) text "\n",
#include "format/report_html_index_script.def"
#undef LINE
};

/* Answers to a test, as tests of the same verdicts share them. */
struct report_html_set {
    const char *bytes; /* packed */
    size_t length;
    uint32_t number; /* from 0 */
    bool odd;
    VEC(struct report_html_cell) cells;
    UT_hash_handle hh;
};

struct families {
    VEC(const char *)
    names;        /* of visibility models, in the order of the tests; at most one more
                                than have a column each */
    bool engines; /* some pair has two */
    bool faults;
};

/* ---- Tests ---- */

static struct report_html_set *new_set(struct report_html_many *many, struct unpack *from)
{
    struct report_html_set *set = ARENA_NEW(&many->arena, struct report_html_set);
    set->length = (size_t)(from->end - from->at);
    set->bytes = arena_copy(&many->arena, from->at, set->length);
    set->number = HASH_COUNT(many->sets);
    while (from->at < from->end && !from->short_of_bytes) {
        VEC_PUSH(&set->cells, report_html_unpack_cell(&many->arena, from));
        set->odd |= report_html_is_odd(&VEC_LAST(&set->cells));
    }
    HASH_ADD_KEYPTR(hh, many->sets, set->bytes, set->length, set);
    return set;
}

static struct report_html_set *set_of(struct report_html_many *many, struct unpack *from)
{
    struct report_html_set *set;
    const size_t length = (size_t)(from->end - from->at);
    HASH_FIND(hh, many->sets, from->at, length, set);
    return set ? set : new_set(many, from);
}

static void end_part(struct report_sink *sink, bool last);

static size_t bytes_of(const struct report_piece *piece)
{
    enum { NUMBER = 6 };
    return piece->out.text.length + NUMBER * piece->out.marks.count;
}

void report_html_many_add(struct report_sink *sink, const struct report_piece *piece)
{
    struct report_html_many *many = sink->state;
    const size_t bytes = bytes_of(piece);
    const bool parts = sink->run.begin != NULL;
    const bool fits = many->articles + bytes <= MOST_ARTICLES;
    if (parts && !many->part)
        many->part = 1;
    if (parts && many->begin < many->tests.count &&
        (!fits || many->tests.count - many->begin >= PART_TESTS))
        end_part(sink, false);
    struct unpack from = unpack_start(strbuf_text(&piece->parcel), piece->parcel.length);
    struct report_html_test test = {.name = unpack_copy(&from, &many->arena),
                                    .path = arena_strdup(&many->arena, piece->file),
                                    .number = sink->pieces,
                                    .faults = piece->faults,
                                    .part = many->part,
                                    .has_article = bytes > 0 && (parts || fits)};
    test.disagree = unpack_number(&from);
    many->tally.disagree += test.disagree;
    test.answers = set_of(many, &from);
    test.odd = test.faults > 0 || test.disagree > 0 || test.answers->odd;
    EACH_IN (const struct report_html_cell, cell, test.answers->cells)
        report_html_count(&many->tally, cell);
    sink->skips = !test.has_article;
    many->articles += test.has_article ? bytes : 0;
    VEC_PUSH(&many->tests, test);
}

void report_html_many_fini(struct report_sink *sink)
{
    struct report_html_many *many = sink->state;
    struct report_html_set *set, *next;
    HASH_ITER (hh, many->sets, set, next) {
        HASH_DEL(many->sets, set);
        VEC_FREE(&set->cells);
    }
    VEC_FREE(&many->tests);
    arena_fini(&many->arena);
}

/* ---- Folders ---- */

/* "litmus/spb/" of a path. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

struct folder {
    const char *path; /* begins with its name */
    size_t length;
    uint32_t number;
    size_t tests, odd;
    uint32_t first, last; /* parts */
    UT_hash_handle hh;
};

struct sorted {
    const struct report_html_test *test;
    const struct folder *folder;
};

/* Tests by folder, and by verdicts. */
struct sorting {
    struct folder *folders;
    struct arena arena;
    VEC(struct sorted) tests;
};

static struct folder *folder_of(struct sorting *sorting, const struct report_html_test *test)
{
    const size_t length = folder_length(test->path);
    struct folder *folder;
    HASH_FIND(hh, sorting->folders, test->path, length, folder);
    if (folder)
        return folder;
    folder = ARENA_MAKE(&sorting->arena, struct folder, .path = test->path, .length = length,
                        .number = HASH_COUNT(sorting->folders), .first = test->part);
    HASH_ADD_KEYPTR(hh, sorting->folders, folder->path, length, folder);
    return folder;
}

static int order(const void *a, const void *b)
{
    const struct sorted *left = a, *right = b;
    if (left->folder != right->folder)
        return left->folder->number < right->folder->number ? -1 : 1;
    if (left->test->answers != right->test->answers)
        return left->test->answers->number < right->test->answers->number ? -1 : 1;
    return left->test->number < right->test->number ? -1 : 1;
}

/* Of some tests those that are as expected, in order. Folders count all. */
static void sort(struct sorting *sorting, const struct report_html_test *tests, size_t count)
{
    EACH (const struct report_html_test, test, tests, count) {
        struct folder *folder = folder_of(sorting, test);
        folder->tests++;
        folder->odd += test->odd;
        folder->last = test->part;
        if (!test->odd)
            VEC_PUSH(&sorting->tests, (struct sorted){test, folder});
    }
    if (sorting->tests.count)
        qsort(sorting->tests.items, sorting->tests.count, sizeof *sorting->tests.items, order);
}

static void sorting_fini(struct sorting *sorting)
{
    HASH_CLEAR(hh, sorting->folders);
    VEC_FREE(&sorting->tests);
    arena_fini(&sorting->arena);
}

static void add_folder_name(struct strbuf *out, const struct folder *folder)
{
    report_xml_bytes(out, folder->path, folder->length);
    strbuf_add(out, folder->length ? "" : "the working folder");
}

/* ---- Cells ---- */

static void find_families(struct families *families, const struct report_html_test *test)
{
    families->faults |= test->faults > 0;
    EACH_IN (const struct report_html_cell, cell, test->answers->cells) {
        const struct report_html_cell *first = test->answers->cells.items;
        families->engines |= strcmp(cell->engine, first->engine) != 0;
        if (families->names.count <= MOST_COLUMNS &&
            !ANY(i, families->names.count, strcmp(families->names.items[i], cell->visibility) == 0))
            VEC_PUSH(&families->names, cell->visibility);
    }
}

/* Too many for a column each: they stand in one. */
static bool are_many(const struct families *families)
{
    return families->names.count > MOST_COLUMNS;
}

static void add_heads(struct strbuf *out, const struct families *families, const char *first,
                      bool faults)
{
    strbuf_printf(out, "<thead><tr><th class=\"first\">%s</th>%s", first,
                  faults ? "<th>input</th>" : "");
    strbuf_add(out, are_many(families) ? "<th>models</th>" : "");
    for (size_t i = 0; i < families->names.count && !are_many(families); i++)
        report_xml_between(out, "<th>", families->names.items[i], "</th>");
    strbuf_add(out, "</tr></thead>\n");
}

/* "part-0002.html", where the place is not on this page. */
static void add_part(struct strbuf *out, const struct report_html_test *test, bool here)
{
    if (!here)
        strbuf_printf(out, "part-%04u.html", test->part);
}

/* "strict: violated, expected ok" */
static void add_pair(struct strbuf *out, const struct report_html_test *test, size_t pair,
                     bool engines, bool here)
{
    const struct report_html_cell *cell = &test->answers->cells.items[pair];
    const bool link = test->has_article && report_html_is_odd(cell);
    if (link) {
        strbuf_add(out, "<a href=\"");
        add_part(out, test, here);
        strbuf_printf(out, "#f%zu-p%zu\">", test->number, pair);
    }
    report_xml_text(out, cell->persistency);
    if (engines || cell->explains)
        report_xml_between(out, " [", cell->engine, "]");
    strbuf_printf(out, ": %s%s", lit_verdict_text(cell->verdict), link ? "</a>" : "");
    if (report_html_is_odd(cell))
        report_html_otherwise(out, ", ", cell);
    strbuf_add(out, cell->remarked && !cell->fails ? ", remark" : "");
}

struct family {
    const char *name;
    size_t count, odd, verdicts[LIT_ERROR + 1];
    const struct report_html_cell *first; /* one that is odd, else the worst */
};

static bool is_worse(const struct report_html_cell *cell, const struct report_html_cell *than)
{
    if (!than || report_html_is_odd(cell) != report_html_is_odd(than))
        return !than || report_html_is_odd(cell);
    return cell->verdict > than->verdict;
}

static struct family family_of(const struct report_html_set *set, const char *name)
{
    struct family family = {.name = name};
    EACH_IN (const struct report_html_cell, cell, set->cells) {
        if (strcmp(cell->visibility, name) != 0)
            continue;
        family.count++;
        family.odd += report_html_is_odd(cell);
        family.verdicts[cell->verdict]++;
        family.first = is_worse(cell, family.first) ? cell : family.first;
    }
    return family;
}

static void add_family_words(struct strbuf *out, const struct family *family)
{
    const char *separator = "";
    if (family->odd) {
        strbuf_printf(out, "%zu of %zu not as expected", family->odd, family->count);
        return;
    }
    for (int i = LIT_OK; i <= LIT_ERROR; i++) {
        if (!family->verdicts[i])
            continue;
        strbuf_printf(out, "%s%zu %s", separator, family->verdicts[i],
                      lit_verdict_text((enum lit_verdict)i));
        separator = ", ";
    }
}

static void add_pairs(struct strbuf *out, const struct report_html_test *test,
                      const struct family *family, bool engines, bool here)
{
    const struct report_html_set *set = test->answers;
    for (int odd = 1; odd >= 0; odd--)
        for (size_t i = 0; i < set->cells.count; i++) {
            if (report_html_is_odd(&set->cells.items[i]) != odd ||
                strcmp(set->cells.items[i].visibility, family->name) != 0)
                continue;
            strbuf_add(out, family->odd && !odd ? "<span class=\"plain\">" : "");
            add_pair(out, test, i, engines, here);
            strbuf_add(out, family->odd && !odd ? "</span>" : "");
            strbuf_add(out, family->count > 1 ? "<br/>\n" : "");
        }
}

static void add_family(struct strbuf *out, const struct report_html_test *test,
                       const struct family *family, bool engines, bool here)
{
    if (family->count > 1)
        strbuf_printf(out, "<details%s><summary>", family->odd ? " open=\"open\"" : "");
    if (!family->first->explains)
        strbuf_printf(out, "%s&#160;", report_html_glyph(family->first));
    if (family->count > 1) {
        add_family_words(out, family);
        strbuf_add(out, "</summary>");
    }
    add_pairs(out, test, family, engines, here);
    strbuf_add(out, family->count > 1 ? "</details>" : "");
}

static void add_column(struct strbuf *out, const struct report_html_test *test, const char *name,
                       bool engines, bool here)
{
    const struct family family = family_of(test->answers, name);
    if (!family.count) {
        strbuf_add(out, "<td></td>");
        return;
    }
    strbuf_printf(out, "<td class=\"v-%s%s\">", lit_verdict_text(family.first->verdict),
                  family.odd ? " off" : "");
    add_family(out, test, &family, engines, here);
    strbuf_add(out, "</td>");
}

/* All families of the test, one below the other. */
static void add_models(struct strbuf *out, const struct report_html_test *test, bool engines,
                       bool here)
{
    const struct report_html_set *set = test->answers;
    strbuf_add(out, set->odd ? "<td class=\"off\">" : "<td>");
    for (size_t i = 0; i < set->cells.count; i++) {
        const char *name = set->cells.items[i].visibility;
        if (ANY(k, i, strcmp(set->cells.items[k].visibility, name) == 0))
            continue;
        const struct family family = family_of(set, name);
        strbuf_printf(out, "<div class=\"v-%s%s\">", lit_verdict_text(family.first->verdict),
                      set->odd && !family.odd ? " plain" : "");
        report_xml_between(out, "", name, " ");
        add_family(out, test, &family, engines, here);
        strbuf_add(out, "</div>");
    }
    strbuf_add(out, "</td>");
}

static void add_families(struct strbuf *out, const struct families *families,
                         const struct report_html_test *test, bool here)
{
    if (are_many(families))
        add_models(out, test, families->engines, here);
    for (size_t i = 0; i < families->names.count && !are_many(families); i++)
        add_column(out, test, families->names.items[i], families->engines, here);
    strbuf_add(out, "</tr>\n");
}

/* ---- What is not as expected ---- */

static void add_odd(struct strbuf *out, const struct families *families,
                    const struct report_html_test *test, bool here)
{
    strbuf_printf(out,
                  "<tr class=\"unexpected\" id=\"t%zu\" data-file=\"f%zu\"><th class=\"first\">",
                  test->number, test->number);
    if (test->has_article) {
        strbuf_add(out, "<a href=\"");
        add_part(out, test, here);
        strbuf_printf(out, "#f%zu\">", test->number);
    }
    report_xml_text(out, test->name);
    strbuf_add(out, test->has_article ? "</a>" : "");
    if (strcmp(test->name, test->path) != 0)
        report_xml_between(out, " <small>", test->path, "</small>");
    report_html_disagree(out, test->disagree);
    strbuf_add(out, "</th>");
    if (test->faults)
        strbuf_printf(out, "<td class=\"v-error off\">\xe2\x9c\x97&#160;%zu error%s</td>",
                      test->faults, test->faults == 1 ? "" : "s");
    else if (families->faults)
        strbuf_add(out, "<td></td>");
    add_families(out, families, test, here);
}

/* Of the rows that there is room for. Those without an article stand there too. */
static void write_odd(struct report_sink *sink, const struct report_html_test *tests, size_t count,
                      bool here)
{
    struct families families = {0};
    struct strbuf *out = &sink->out;
    size_t bytes = 0, odd = 0, shown = 0, alone = 0;
    EACH (const struct report_html_test, test, tests, count) {
        odd += test->odd;
        if (test->odd)
            find_families(&families, test);
    }
    strbuf_printf(out, "<section id=\"tests\"><h2>Not as expected: %zu</h2>\n", odd);
    if (odd) {
        strbuf_add(out, "<div class=\"scroll\"><table class=\"tests\">");
        add_heads(out, &families, "test", families.faults);
        strbuf_add(out, "<tbody>\n");
    }
    EACH (const struct report_html_test, test, tests, count) {
        if (!test->odd || bytes > MOST_ODD)
            continue;
        report_sink_flush(sink);
        add_odd(out, &families, test, here);
        bytes += out->length;
        shown++;
        alone += !test->has_article;
    }
    strbuf_add(out, odd ? "</tbody></table></div>\n" : "");
    if (shown < odd)
        strbuf_printf(out, "<p>There are %zu more, which %s.</p>\n", odd - shown,
                      here ? "<code>--format html=FOLDER/</code> has" : "stand in the parts");
    if (alone)
        strbuf_printf(out,
                      "<p class=\"small\">Of %zu of these there is no room for more on this page: "
                      "<code>--format html=FOLDER/</code> has it.</p>\n",
                      alone);
    strbuf_add(out, "</section>\n");
    VEC_FREE(&families.names);
}

/* ---- What is as expected ---- */

/* "kv.litmus" is "kv"; its own name stands behind if that is another. */
static void add_name(struct strbuf *out, const struct report_html_test *test, bool ids)
{
    static const char suffix[] = ".litmus";
    const char *file = test->path + folder_length(test->path);
    size_t length = strlen(file), tail = sizeof suffix - 1;
    if (length > tail && strcmp(file + length - tail, suffix) == 0)
        length -= tail;
    if (ids)
        strbuf_printf(out, "<span id=\"t%zu\">", test->number);
    else
        strbuf_add(out, "<span>");
    if (test->has_article)
        strbuf_printf(out, "<a href=\"#f%zu\">", test->number);
    report_xml_bytes(out, file, length);
    strbuf_add(out, test->has_article ? "</a>" : "");
    if (strlen(test->name) != length || memcmp(test->name, file, length) != 0)
        report_xml_between(out, " <small>(", test->name, ")</small>");
    strbuf_add(out, "</span> ");
}

/* The tests that are as expected, as far as there is room: of a page of parts for all. */
struct expected {
    struct report_sink *sink;
    const struct sorting *sorting;
    size_t at, bytes; /* of tests, and written */
    bool parts;
};

static void flush(struct expected *e)
{
    e->bytes += e->sink->out.length;
    report_sink_flush(e->sink);
}

/* The next test that there is room for; NULL: there is none. */
static const struct sorted *next_of(const struct expected *e)
{
    return e->at < e->sorting->tests.count && (e->parts || e->bytes <= MOST_EXPECTED)
               ? &e->sorting->tests.items[e->at]
               : NULL;
}

/* A row of the tests of a folder that have the same verdicts. */
static void add_alike(struct expected *e, const struct families *families)
{
    struct strbuf *out = &e->sink->out;
    const struct sorted *first = &e->sorting->tests.items[e->at], *next;
    strbuf_add(out, "<tr><th class=\"names\">");
    while ((next = next_of(e)) && next->folder == first->folder &&
           next->test->answers == first->test->answers) {
        add_name(out, next->test, e->parts);
        flush(e);
        e->at++;
    }
    strbuf_add(out, "</th>");
    add_families(out, families, first->test, true);
    flush(e);
}

static void find_families_of(struct families *families, const struct expected *e)
{
    const struct sorted *first = &e->sorting->tests.items[e->at];
    const struct sorted *end = e->sorting->tests.items + e->sorting->tests.count;
    for (const struct sorted *at = first; at < end && at->folder == first->folder; at++)
        if (at == first || at->test->answers != at[-1].test->answers)
            find_families(families, at->test);
}

static void add_folder(struct expected *e)
{
    struct strbuf *out = &e->sink->out;
    const struct folder *folder = e->sorting->tests.items[e->at].folder;
    const struct sorted *next;
    struct families families = {0};
    find_families_of(&families, e);
    strbuf_add(out, "<details class=\"folder\"><summary>");
    add_folder_name(out, folder);
    strbuf_printf(out, " <small>%zu tests", folder->tests - folder->odd);
    if (folder->odd)
        strbuf_printf(out, ", and %zu not as expected", folder->odd);
    strbuf_add(out, "</small></summary><div class=\"scroll\"><table class=\"tests\">");
    add_heads(out, &families, "tests", false);
    strbuf_add(out, "<tbody>\n");
    while ((next = next_of(e)) && next->folder == folder)
        add_alike(e, &families);
    strbuf_add(out, "</tbody></table></div></details>\n");
    flush(e);
    VEC_FREE(&families.names);
}

static void write_expected(struct report_sink *sink, const struct report_html_test *tests,
                           size_t count)
{
    struct sorting sorting = {0};
    struct expected e = {.sink = sink, .sorting = &sorting, .parts = sink->run.begin != NULL};
    struct strbuf *out = &sink->out;
    sort(&sorting, tests, count);
    strbuf_printf(out, "<section id=\"expected\"><h2>As expected: %zu</h2>\n", sorting.tests.count);
    if (sorting.tests.count) {
        strbuf_add(out,
                   "<p class=\"small\">Verdicts alone, by folder. All there is to say of a test, "
                   "with pictures: <code>crashlit check --format html=test.html ");
        report_xml_text(out, sorting.tests.items[0].test->path);
        strbuf_add(out, "</code></p>\n");
    }
    while (next_of(&e))
        add_folder(&e);
    if (e.at < sorting.tests.count)
        strbuf_printf(out,
                      "<p>There are %zu more tests as expected, which <code>--format "
                      "html=FOLDER/</code> has.</p>\n",
                      sorting.tests.count - e.at);
    strbuf_add(out, "</section>\n");
    sorting_fini(&sorting);
}

/* ---- Pages ---- */

static void add_lines(struct strbuf *out, const char *const *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        strbuf_add(out, lines[i]);
}

static void add_head_end(struct strbuf *out, const char *hint)
{
    static const char *const style[] = {
#define LINE(text) text "\n",
#include "format/report_html_many_style.def"
#undef LINE
    };
    strbuf_printf(out,
                  "<p id=\"filter\" hidden=\"hidden\"><label>Filter <input type=\"search\" "
                  "placeholder=\"test, folder, model, model:verdict\"/></label> "
                  "<output></output></p>\n%s</header>\n<main>\n<style>\n",
                  hint);
    add_lines(out, style, sizeof style / sizeof *style);
    strbuf_add(out, "</style>\n");
}

static void end_page(struct strbuf *out, const char *const *script, size_t count)
{
    strbuf_add(out, "</main>\n<script>\n");
    add_lines(out, script, count);
    strbuf_add(out, "</script>\n</body></html>\n");
}

/* What is between head and end of a page, and of a part. */
static void write_tests(struct report_sink *sink, size_t begin)
{
    const struct report_html_many *many = sink->state;
    const struct report_html_test *tests = many->tests.items + begin;
    const size_t count = many->tests.count - begin;
    write_odd(sink, tests, count, true);
    write_expected(sink, tests, count);
    report_sink_unspool_all(sink);
    end_page(&sink->out, pages_script, sizeof pages_script / sizeof *pages_script);
    report_sink_flush(sink);
}

static void begin_document(struct report_sink *sink, const char *title)
{
    report_page_begin(title, &sink->out);
    report_xml_between(&sink->out, "<h1>", title, "</h1>\n");
}

static void end_part(struct report_sink *sink, bool last)
{
    struct report_html_many *many = sink->state;
    struct strbuf *out = &sink->out;
    SCOPED(strbuf) name = {0}, title = {0};
    strbuf_printf(&name, "part-%04u.html", many->part);
    strbuf_printf(&title, "crashlit report, part %u", many->part);
    sink->run.begin(sink->run.context, strbuf_text(&name));
    begin_document(sink, strbuf_text(&title));
    strbuf_printf(out, "<p><a href=\"%s\">index</a>", INDEX);
    if (many->part > 1)
        strbuf_printf(out, " \xc2\xb7 <a href=\"part-%04u.html\">previous</a>", many->part - 1);
    if (!last)
        strbuf_printf(out, " \xc2\xb7 <a href=\"part-%04u.html\">next</a>", many->part + 1);
    strbuf_add(out, "</p>\n");
    add_head_end(out, "");
    write_tests(sink, many->begin);
    many->begin = many->tests.count;
    many->articles = 0;
    many->part += !last;
}

/* ---- The index ---- */

static void add_folder_row(struct strbuf *out, const struct folder *folder)
{
    strbuf_add(out, "<tr><th class=\"first\">");
    add_folder_name(out, folder);
    strbuf_printf(out, "</th><td>%zu</td><td%s>%zu</td><td>", folder->tests,
                  folder->odd ? " class=\"off\"" : "", folder->odd);
    strbuf_printf(out, "<a href=\"part-%04u.html\">part %u</a>", folder->first, folder->first);
    if (folder->last > folder->first)
        strbuf_printf(out, " to <a href=\"part-%04u.html\">%u</a>", folder->last, folder->last);
    strbuf_add(out, "</td></tr>\n");
}

static void write_folders(struct report_sink *sink, const struct sorting *sorting)
{
    struct strbuf *out = &sink->out;
    const size_t count = HASH_COUNT(sorting->folders);
    size_t bytes = 0, shown = 0;
    strbuf_printf(out,
                  "<section><h2>Folders: %zu</h2>\n<div class=\"scroll\"><table class=\"tests\">"
                  "<thead><tr><th class=\"first\">folder</th><th>tests</th><th>not as expected</th>"
                  "<th>where</th></tr></thead><tbody>\n",
                  count);
    for (const struct folder *folder = sorting->folders; folder && bytes <= MOST_FOLDERS;
         folder = folder->hh.next) {
        report_sink_flush(sink);
        add_folder_row(out, folder);
        bytes += out->length;
        shown++;
    }
    strbuf_add(out, "</tbody></table></div>\n");
    if (shown < count)
        strbuf_printf(out, "<p>There are %zu more folders, in the parts.</p>\n", count - shown);
    strbuf_add(out, "</section>\n<section><h2>Parts</h2><p class=\"parts\">");
    const struct report_html_many *many = sink->state;
    for (uint32_t part = 1; part <= many->part; part++)
        strbuf_printf(out, "<a href=\"part-%04u.html\">%u</a> ", part, part);
    strbuf_add(out, "</p></section>\n");
}

static void write_index(struct report_sink *sink, const struct sorting *sorting, int status)
{
    const struct report_html_many *many = sink->state;
    sink->run.begin(sink->run.context, INDEX);
    begin_document(sink, "crashlit report");
    report_html_run(sink);
    report_html_counts(sink, &many->tally, status);
    add_head_end(&sink->out, "<ul id=\"found\" hidden=\"hidden\"></ul>\n");
    write_odd(sink, many->tests.items, many->tests.count, false);
    write_folders(sink, sorting);
    end_page(&sink->out, index_script, sizeof index_script / sizeof *index_script);
    report_sink_flush(sink);
}

/* What the filter of the index looks for, as words: "sc epoch:ok strict:violated". */
static void add_words(struct strbuf *out, const struct report_html_set *set)
{
    const char *visibility = "";
    SCOPED(strbuf) words = {0};
    EACH_IN (const struct report_html_cell, cell, set->cells) {
        if (strcmp(visibility, cell->visibility) != 0)
            strbuf_printf(&words, "%s ", cell->visibility);
        visibility = cell->visibility;
        strbuf_printf(&words, "%s:%s ", cell->persistency, lit_verdict_text(cell->verdict));
    }
    emit_string(out, NULL, strbuf_text(&words));
}

static void add_entry(struct strbuf *out, const struct report_html_test *test,
                      const struct folder *folder)
{
    strbuf_add_char(out, '\n');
    emit_array(out, NULL);
    emit_number(out, NULL, folder->number);
    emit_string(out, NULL, test->path + folder->length);
    emit_string(out, NULL, test->name);
    emit_number(out, NULL, test->answers->number);
    emit_number(out, NULL, test->number);
    emit_number(out, NULL, test->part);
    emit_bool(out, NULL, test->odd);
    emit_end(out, ']');
}

/* Where each test is, for the filter of the index: it is read when somebody looks for one. */
static void write_names(struct report_sink *sink, struct sorting *sorting)
{
    const struct report_html_many *many = sink->state;
    struct strbuf *out = &sink->out;
    sink->run.begin(sink->run.context, NAMES);
    strbuf_add(out, "crashlitTests({");
    emit_array(out, "sets");
    for (const struct report_html_set *set = many->sets; set; set = set->hh.next)
        add_words(out, set);
    emit_end(out, ']');
    emit_array(out, "folders");
    for (const struct folder *folder = sorting->folders; folder; folder = folder->hh.next) {
        SCOPED(strbuf) name = {0};
        strbuf_add_bytes(&name, folder->path, folder->length);
        emit_string(out, NULL, strbuf_text(&name));
    }
    emit_end(out, ']');
    emit_array(out, "tests");
    for (size_t i = 0; i < many->tests.count; i++) {
        strbuf_add(out, i ? "," : "");
        report_sink_flush(sink);
        add_entry(out, &many->tests.items[i], folder_of(sorting, &many->tests.items[i]));
    }
    strbuf_add(out, "]});\n");
    report_sink_flush(sink);
}

static void close_parts(struct report_sink *sink, int status)
{
    struct report_html_many *many = sink->state;
    struct sorting sorting = {0};
    if (many->begin < many->tests.count)
        end_part(sink, true);
    sort(&sorting, many->tests.items, many->tests.count);
    write_names(sink, &sorting);
    write_index(sink, &sorting, status);
    sorting_fini(&sorting);
}

void report_html_many_close(struct report_sink *sink, int status)
{
    const struct report_html_many *many = sink->state;
    if (sink->run.begin) {
        close_parts(sink, status);
        return;
    }
    begin_document(sink, "crashlit report");
    report_html_run(sink);
    report_html_counts(sink, &many->tally, status);
    add_head_end(&sink->out, "");
    write_tests(sink, 0);
}
