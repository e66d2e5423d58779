/* Tests side by side as documents: HTML, SVG and Markdown. */
#include "report/report_compare.h"

#include "report/report_string.h"

enum {
    MARGIN = 16,
    BAR_WIDTH = 640,
    BAR_HEIGHT = 22,
    BAR_ROW = 92, /* two titles, the bar, its counts */
    KEY_WIDTH = 160,
    KEY_ROW = 22
};

static const char *const colours[CONTRAST_CLASS_COUNT] = {
    [CONTRAST_SAME] = "#a9d8b8",
    [CONTRAST_FIRST] = "#7db6f2",
    [CONTRAST_SECOND] = "#f0b866",
    [CONTRAST_BOTH] = "#d98cc8",
    [CONTRAST_UNDEFINED_FIRST] = "#3f7fbf",
    [CONTRAST_UNDEFINED_SECOND] = "#c07f1e",
    [CONTRAST_UNDEFINED] = "#b8a0c8",
    [CONTRAST_UNKNOWN] = "#9aa6b5",
};

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

/* ---- SVG ---- */

static void add_text_at(struct strbuf *out, int x, int y, const char *attributes)
{
    strbuf_printf(out, "<text x=\"%d\" y=\"%d\" font-size=\"12\" fill=\"#1c2430\" %s>", x, y,
                  attributes);
}

static void add_bar(const struct report_compare *report, uint32_t column, int top,
                    struct strbuf *out)
{
    const struct contrast_totals *totals = &report->totals[column];
    int y = top + 42;
    size_t before = 0;
    add_text_at(out, MARGIN, top + 14, "font-weight=\"bold\"");
    add_direction(report, column, add_escaped, out);
    strbuf_add(out, "</text>\n");
    add_text_at(out, MARGIN, top + 32, "class=\"counts\"");
    add_counts(report, column, add_escaped, out);
    strbuf_add(out, "</text>\n");
    for (int i = 0; i < CONTRAST_CLASS_COUNT; i++) {
        size_t count = totals->classes[i];
        if (!count)
            continue;
        int left = (int)(before * BAR_WIDTH / totals->tests);
        before += count;
        int right = (int)(before * BAR_WIDTH / totals->tests);
        strbuf_printf(out,
                      "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                      "fill=\"%s\" stroke=\"#ffffff\"><title>%s: %zu</title></rect>\n",
                      contrast_class_word((enum contrast_class)i), MARGIN + left, y,
                      right > left ? right - left : 1, (int)BAR_HEIGHT, colours[i],
                      contrast_class_word((enum contrast_class)i), count);
    }
}

static void add_keys(int top, struct strbuf *out)
{
    for (int i = 0; i < CONTRAST_CLASS_COUNT; i++) {
        int x = MARGIN + i % 4 * KEY_WIDTH, y = top + i / 4 * KEY_ROW;
        strbuf_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"14\" fill=\"%s\"/>", x, y,
                      colours[i]);
        add_text_at(out, x + 20, y + 12, "class=\"key\"");
        strbuf_printf(out, "%s</text>\n", contrast_class_word((enum contrast_class)i));
    }
}

/* The longest line, at seven pixels a character. */
static int width_of(const struct report_compare *report)
{
    struct strbuf text = {0};
    size_t longest = 0;
    for (uint32_t i = 1; i < report->pair_count && report->directed; i++) {
        strbuf_clear(&text);
        report_compare_counts(report, i, &text);
        longest = text.length > longest ? text.length : longest;
        strbuf_clear(&text);
        report_compare_direction(report, i, &text);
        longest = text.length > longest ? text.length : longest;
    }
    strbuf_fini(&text);
    int width = (int)(longest < 1000 ? longest : 1000) * 8;
    return (width > BAR_WIDTH ? width : BAR_WIDTH) + 2 * MARGIN;
}

void report_compare_svg(const struct report_compare *report, struct strbuf *out)
{
    int bars = report->directed ? (int)report->pair_count - 1 : 0, width = width_of(report);
    int height = 2 * MARGIN + bars * BAR_ROW + 2 * KEY_ROW;
    strbuf_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                  "viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans, Liberation Sans, sans-serif\">"
                  "\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
                  width, height, width, height, width, height);
    for (int i = 0; i < bars; i++)
        add_bar(report, (uint32_t)i + 1, MARGIN + i * BAR_ROW, out);
    if (!bars)
        strbuf_printf(out, "<text x=\"%d\" y=\"%d\">verdicts alone were asked for</text>\n",
                      (int)MARGIN, (int)MARGIN + 14);
    add_keys(MARGIN + bars * BAR_ROW, out);
    strbuf_add(out, "</svg>\n");
}

/* ---- HTML ---- */

static const char *const style[] = {
#define LINE(text) text "\n",
#include "report/report_html_style.def"
#undef LINE
};

static void html_head(const struct report_compare *report, struct strbuf *out)
{
    strbuf_add(out, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">"
                    "<head><meta charset=\"utf-8\"/><title>crashlit compare</title>\n<style>\n");
    for (size_t i = 0; i < sizeof style / sizeof *style; i++)
        strbuf_add(out, style[i]);
    strbuf_add(out, "</style></head>\n<body><header class=\"top\"><h1>");
    for (uint32_t i = 0; i < report->pair_count; i++)
        report_xml_between(out, i ? " · " : "", report->names[i], "");
    strbuf_printf(out, "</h1><p class=\"counts\">%zu tests, engine ", report->row_count);
    report_xml_between(out, "", report->engine, "</p></header>\n<main>\n");
}

static void html_cell(const struct report_compare_row *row, uint32_t column, struct strbuf *out)
{
    const struct report_compare_cell *cell = &row->cells[column];
    bool other = report_compare_differs(row, column);
    strbuf_printf(out, "<td class=\"v-%s%s\">%s", lit_verdict_text(cell->verdict),
                  other ? " off" : "", other ? "*&#160;" : "");
    report_xml_between(out, "", cell->text, "</td>");
}

static void html_table(const struct report_compare *report, struct strbuf *out)
{
    strbuf_add(out, "<div class=\"scroll\"><table class=\"tests\"><thead><tr>"
                    "<th class=\"first\">test</th>");
    for (uint32_t i = 0; i < report->pair_count; i++)
        report_xml_between(out, "<th>", report->names[i], "</th>");
    strbuf_add(out, report->lacking ? "<th>without meaning</th>" : "");
    strbuf_add(out, "</tr></thead>\n<tbody>\n");
    for (size_t k = 0; k < report->row_count; k++) {
        const struct report_compare_row *row = &report->rows[k];
        report_xml_between(out, "<tr><th class=\"first\">", row->name, "</th>");
        for (uint32_t i = 0; i < report->pair_count; i++)
            html_cell(row, i, out);
        if (report->lacking)
            report_xml_between(out, "<td>", row->without_meaning, "</td>");
        strbuf_add(out, "</tr>\n");
    }
    strbuf_add(out, "</tbody></table></div>\n");
}

static void html_more(const struct report_compare *report, uint32_t column, struct strbuf *out)
{
    struct strbuf more = {0};
    strbuf_add(out, "<table><thead><tr><th>test</th><th>class</th>");
    report_xml_between(out, "<th>", report->names[0], "</th>");
    report_xml_between(out, "<th>", report->names[column], "</th></tr></thead>\n<tbody>\n");
    for (size_t k = 0; k < report->row_count; k++) {
        const struct report_compare_held *held = &report->rows[k].held[column];
        enum contrast_class class = contrast_class_of(&held->contrast);
        if (!held->held || class == CONTRAST_SAME)
            continue;
        report_xml_between(out, "<tr><th>", report->rows[k].name, "</th>");
        strbuf_printf(out, "<td>%s</td>", contrast_class_word(class));
        for (int side = 0; side < 2; side++) {
            strbuf_clear(&more);
            report_compare_more(held, side, &more);
            report_xml_between(out, "<td><code>", strbuf_text(&more), "</code></td>");
        }
        strbuf_add(out, "</tr>\n");
    }
    strbuf_add(out, "</tbody></table>\n");
    strbuf_fini(&more);
}

/* Which way the pairs differ comes first, then on which tests, then the verdicts of all. */
void report_compare_html(const struct report_compare *report, struct strbuf *out)
{
    html_head(report, out);
    if (report->directed)
        report_compare_svg(report, out);
    for (uint32_t i = 1; i < report->pair_count && report->directed; i++) {
        strbuf_add(out, "<article><h2>");
        add_direction(report, i, add_escaped, out);
        strbuf_add(out, "</h2><p>");
        add_counts(report, i, add_escaped, out);
        strbuf_add(out, "</p>\n");
        html_more(report, i, out);
        strbuf_add(out, "</article>\n");
    }
    html_table(report, out);
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

static void add_cell(struct strbuf *out, const char *text)
{
    strbuf_add(out, " ");
    add_plain(out, text);
    strbuf_add(out, " |");
}

static void markdown_table(const struct report_compare *report, struct strbuf *out)
{
    strbuf_add(out, "| test |");
    for (uint32_t i = 0; i < report->pair_count; i++)
        add_cell(out, report->names[i]);
    strbuf_add(out, report->lacking ? " without meaning |\n|---|" : "\n|---|");
    for (uint32_t i = 0; i < report->pair_count + (report->lacking > 0); i++)
        strbuf_add(out, "---|");
    for (size_t k = 0; k < report->row_count; k++) {
        const struct report_compare_row *row = &report->rows[k];
        strbuf_add(out, "\n|");
        add_cell(out, row->name);
        for (uint32_t i = 0; i < report->pair_count; i++) {
            bool other = report_compare_differs(row, i);
            strbuf_add(out, other ? " **" : " ");
            add_plain(out, row->cells[i].text);
            strbuf_add(out, other ? "** |" : " |");
        }
        if (report->lacking)
            add_cell(out, row->without_meaning);
    }
    strbuf_add_char(out, '\n');
}

static void markdown_more(const struct report_compare *report, uint32_t column, struct strbuf *out)
{
    struct strbuf more = {0};
    strbuf_add(out, "\n| test | class |");
    add_cell(out, report->names[0]);
    add_cell(out, report->names[column]);
    strbuf_add(out, "\n|---|---|---|---|\n");
    for (size_t k = 0; k < report->row_count; k++) {
        const struct report_compare_held *held = &report->rows[k].held[column];
        enum contrast_class class = contrast_class_of(&held->contrast);
        if (!held->held || class == CONTRAST_SAME)
            continue;
        strbuf_add(out, "|");
        add_cell(out, report->rows[k].name);
        add_cell(out, contrast_class_word(class));
        for (int side = 0; side < 2; side++) {
            strbuf_clear(&more);
            report_compare_more(held, side, &more);
            add_cell(out, strbuf_text(&more));
        }
        strbuf_add_char(out, '\n');
    }
    strbuf_fini(&more);
}

void report_compare_markdown(const struct report_compare *report, struct strbuf *out)
{
    markdown_table(report, out);
    for (uint32_t i = 1; i < report->pair_count && report->directed; i++) {
        strbuf_add(out, "\n## ");
        add_direction(report, i, add_plain, out);
        strbuf_add(out, "\n\n");
        add_counts(report, i, add_plain, out);
        strbuf_add(out, ".\n");
        markdown_more(report, i, out);
    }
}
