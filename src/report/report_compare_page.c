/* Tests side by side as documents: HTML and Markdown. */
#include "report/report_compare.h"

#include "report/report_page.h"

#include "report/report_string.h"

static void add_escaped(struct strbuf *out, const char *text)
{
    report_xml_text(out, text);
}

static void add_direction(const struct report_compare *report, uint32_t column,
                          void add(struct strbuf *, const char *), struct strbuf *out)
{
    struct strbuf text = {0};
    report_compare_direction(report, column, &text);
    add(out, strbuf_text(&text));
    strbuf_fini(&text);
}

static void add_counts(const struct report_compare *report, uint32_t column,
                       void add(struct strbuf *, const char *), struct strbuf *out)
{
    struct strbuf text = {0};
    report_compare_counts(report, column, &text);
    add(out, strbuf_text(&text));
    strbuf_fini(&text);
}

/* ---- HTML ---- */

static void html_head(const struct report_compare *report, struct strbuf *out)
{
    report_page_begin("crashlit compare", out);
    strbuf_add(out, "<h1>");
    for (uint32_t i = 0; i < report->pair_count; i++)
        report_xml_between(out, i ? " · " : "", report->names[i], "");
    strbuf_printf(out, "</h1><p class=\"counts\">%zu tests, engine ", report->row_count);
    report_xml_between(out, "", report->engine, "</p></header>\n<main>\n");
}

/* ---- Tables, in either language ---- */

/* What stands where: a cell of a table's head, the name that a row begins with, what is said of it,
 * and that as it would be written. */
enum cell { CELL_HEAD, CELL_NAME, CELL_TEXT, CELL_CODE };

struct table {
    const char *begin, *behind_head, *end, *row, *row_end;
    /* `class` of a verdict, or ""; a marked one differs. */
    void (*add)(struct strbuf *out, enum cell cell, const char *text, const char *class,
                bool marked);
};

/* Markdown has a row of its own there, a cell a column. */
static void add_behind_head(const struct table *table, uint32_t columns, struct strbuf *out)
{
    strbuf_add(out, table->behind_head ? table->behind_head : "\n|");
    for (uint32_t i = 0; i < columns && !table->behind_head; i++)
        strbuf_add(out, "---|");
    strbuf_add(out, table->behind_head ? "" : "\n");
}

static void add_verdicts(const struct report_compare *report, const struct table *table,
                         struct strbuf *out)
{
    strbuf_add(out, table->begin);
    table->add(out, CELL_HEAD, "test", "first", false);
    for (uint32_t i = 0; i < report->pair_count; i++)
        table->add(out, CELL_HEAD, report->names[i], "", false);
    if (report->lacking)
        table->add(out, CELL_HEAD, "without meaning", "", false);
    add_behind_head(table, report->pair_count + 1 + (report->lacking > 0), out);
    for (size_t k = 0; k < report->row_count; k++) {
        const struct report_compare_row *row = &report->rows[k];
        strbuf_add(out, table->row);
        table->add(out, CELL_NAME, row->name, "first", false);
        for (uint32_t i = 0; i < report->pair_count; i++)
            table->add(out, CELL_TEXT, row->cells[i].text, lit_verdict_text(row->cells[i].verdict),
                       report_compare_differs(row, i));
        if (report->lacking)
            table->add(out, CELL_TEXT, row->without_meaning, "", false);
        strbuf_add(out, table->row_end);
    }
    strbuf_add(out, table->end);
}

/* The tests on which the pairs differ, and what each has more. */
static void add_differing(const struct report_compare *report, uint32_t column,
                          const struct table *table, struct strbuf *out)
{
    struct strbuf more = {0};
    const char *const heads[] = {"test", "class", report->names[0], report->names[column]};
    strbuf_add(out, table->begin);
    for (int i = 0; i < 4; i++)
        table->add(out, CELL_HEAD, heads[i], i ? "" : "first", false);
    add_behind_head(table, 4, out);
    for (size_t k = 0; k < report->row_count; k++) {
        const struct report_compare_held *held = &report->rows[k].held[column];
        enum contrast_class class = contrast_class_of(&held->contrast);
        if (!held->held || class == CONTRAST_SAME)
            continue;
        strbuf_add(out, table->row);
        table->add(out, CELL_NAME, report->rows[k].name, "first", false);
        table->add(out, CELL_TEXT, contrast_class_word(class), "", false);
        for (int side = 0; side < 2; side++) {
            strbuf_clear(&more);
            report_compare_more(held, side, &more);
            table->add(out, CELL_CODE, strbuf_text(&more), "", false);
        }
        strbuf_add(out, table->row_end);
    }
    strbuf_add(out, table->end);
    strbuf_fini(&more);
}

static bool any_differs(const struct report_compare *report, uint32_t column)
{
    for (size_t k = 0; k < report->row_count; k++) {
        const struct report_compare_held *held = &report->rows[k].held[column];
        if (held->held && contrast_class_of(&held->contrast) != CONTRAST_SAME)
            return true;
    }
    return false;
}

/* ---- HTML ---- */

static void html_add(struct strbuf *out, enum cell cell, const char *text, const char *class,
                     bool marked)
{
    bool is_head = cell == CELL_HEAD || cell == CELL_NAME;
    strbuf_add(out, is_head ? "<th" : "<td");
    if (*class)
        strbuf_printf(out, " class=\"%s%s%s\"", is_head ? "" : "v-", class, marked ? " off" : "");
    strbuf_add(out, marked ? ">*&#160;" : ">");
    report_xml_between(out, cell == CELL_CODE ? "<code>" : "", text,
                       cell == CELL_CODE ? "</code>" : "");
    strbuf_add(out, is_head ? "</th>" : "</td>");
}

static const struct table html_table = {
    .begin = "<div class=\"scroll\"><table class=\"tests\"><thead><tr>",
    .behind_head = "</tr></thead>\n<tbody>\n",
    .end = "</tbody></table></div>\n",
    .row = "<tr>",
    .row_end = "</tr>\n",
    .add = html_add};

/* Which way the pairs differ comes first, then on which tests, then the verdicts of all. */
void report_compare_html(const struct report_compare *report, struct strbuf *out)
{
    html_head(report, out);
    if (report->directed) {
        strbuf_add(out, "<figure class=\"wide\">");
        (void)report_compare_picture(report, REPORT_SCREEN, out);
        strbuf_add(out, "</figure>\n");
    }
    for (uint32_t i = 1; i < report->pair_count && report->directed; i++) {
        strbuf_add(out, "<article><h2>");
        add_direction(report, i, add_escaped, out);
        strbuf_add(out, "</h2><p>");
        add_counts(report, i, add_escaped, out);
        strbuf_add(out, "</p>\n");
        add_differing(report, i, &html_table, out);
        strbuf_add(out, "</article>\n");
    }
    add_verdicts(report, &html_table, out);
    strbuf_add(out, "</main></body></html>\n");
}

/* ---- Markdown ---- */

/* What would be markup, or end a cell, is escaped; a control character is a blank. */
static void add_plain(struct strbuf *out, const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < ' ') {
            strbuf_add_char(out, ' ');
            continue;
        }
        if (*text == '<' || *text == '&') {
            strbuf_add(out, *text == '<' ? "&lt;" : "&amp;");
            continue;
        }
        for (const char *mark = "\\`*_[]|~#"; *mark; mark++)
            if (*text == *mark)
                strbuf_add_char(out, '\\');
        strbuf_add_char(out, *text);
    }
}

static void markdown_add(struct strbuf *out, enum cell cell, const char *text, const char *class,
                         bool marked)
{
    (void)cell;
    (void)class;
    strbuf_add(out, marked ? " **" : " ");
    add_plain(out, text);
    strbuf_add(out, marked ? "** |" : " |");
}

static const struct table markdown_table = {
    .begin = "|", .row = "|", .row_end = "\n", .end = "", .add = markdown_add};

/* How many tests have a verdict or a number of states under some pair that the first has not. */
static size_t count_differing(const struct report_compare *report)
{
    size_t count = 0;
    for (size_t k = 0; k < report->row_count; k++) {
        bool differs = false;
        for (uint32_t i = 1; i < report->pair_count; i++)
            differs |= report_compare_differs(&report->rows[k], i);
        count += differs;
    }
    return count;
}

/* As a comment on a change is read: in a sentence which way the pairs differ, then on which tests,
 * then the verdicts of all. */
void report_compare_markdown(const struct report_compare *report, struct strbuf *out)
{
    for (uint32_t i = 1; i < report->pair_count && report->directed; i++) {
        strbuf_add(out, "**");
        add_direction(report, i, add_plain, out);
        strbuf_add(out, "**: ");
        add_counts(report, i, add_plain, out);
        strbuf_add(out, ".\n\n");
        if (!any_differs(report, i))
            continue;
        add_differing(report, i, &markdown_table, out);
        strbuf_add_char(out, '\n');
    }
    strbuf_printf(out, "%zu of %zu test%s differ%s in verdict or number of states:\n\n",
                  count_differing(report), report->row_count, report->row_count == 1 ? "" : "s",
                  count_differing(report) == 1 ? "s" : "");
    add_verdicts(report, &markdown_table, out);
}
