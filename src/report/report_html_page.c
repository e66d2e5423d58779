/* The page: style, counts, the table of tests and model pairs, then the tests, then the script
 * that filters. Without scripts everything but the filter works. */
#include "report/report_html.h"
#include "report/report_string.h"

#include <string.h>

static const char *const style[] = {
#define LINE(text) text "\n",
#include "report/report_html_style.def"
#undef LINE
};

static const char *const script[] = {
#define LINE(text) text "\n",
#include "report/report_html_script.def"
#undef LINE
};

void report_html_open(struct report_sink *sink)
{
    sink->spool = tmpfile();
}

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(base_realloc(NULL, size), text, size);
}

/* The piece takes its own away. */
static void own_names(struct report_cell *cell, struct arena *arena)
{
    cell->visibility = arena_strdup(arena, cell->visibility);
    cell->persistency = arena_strdup(arena, cell->persistency);
    cell->engine = arena_strdup(arena, cell->engine);
}

void report_html_add(struct report_sink *sink, struct report_piece *piece)
{
    struct report_row row = {.name = copy_text(strbuf_text(&piece->name)),
                             .path = copy_text(piece->file),
                             .number = sink->pieces,
                             .faults = piece->faults,
                             .cell_count = piece->cells.count};
    if (row.cell_count) {
        size_t size = row.cell_count * sizeof *row.cells;
        row.cells = memcpy(base_realloc(NULL, size), piece->cells.items, size);
        for (size_t i = 0; i < row.cell_count; i++)
            own_names(&row.cells[i], &sink->names);
    }
    VEC_PUSH(&sink->rows, row);
    report_sink_flush(sink, piece, report_sink_spool);
}

/* ---- The table ---- */

struct table {
    VEC(struct report_cell) columns; /* visibility model by visibility model */
    bool engines;                    /* there is more than one */
    bool faults;
};

static bool same_column(const struct report_cell *a, const struct report_cell *b)
{
    return strcmp(a->visibility, b->visibility) == 0 &&
           strcmp(a->persistency, b->persistency) == 0 && strcmp(a->engine, b->engine) == 0;
}

/* Behind the last column of the same visibility model, else at the end. */
static void add_column(struct table *table, const struct report_cell *cell)
{
    size_t at = table->columns.count;
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct report_cell *column = &table->columns.items[i];
        if (same_column(column, cell))
            return;
        if (strcmp(column->visibility, cell->visibility) == 0)
            at = i + 1;
        table->engines |= strcmp(column->engine, cell->engine) != 0;
    }
    VEC_PUSH(&table->columns, *cell);
    for (size_t i = table->columns.count - 1; i > at; i--)
        table->columns.items[i] = table->columns.items[i - 1];
    table->columns.items[at] = *cell;
}

static void find_columns(struct table *table, const struct report_sink *sink)
{
    for (size_t i = 0; i < sink->rows.count; i++) {
        const struct report_row *row = &sink->rows.items[i];
        table->faults |= row->faults > 0;
        for (size_t k = 0; k < row->cell_count; k++)
            add_column(table, &row->cells[k]);
    }
}

static void add_heads(struct strbuf *out, const struct table *table)
{
    strbuf_add(out, "<thead><tr><th rowspan=\"2\" class=\"first\">test</th>");
    if (table->faults)
        strbuf_add(out, "<th rowspan=\"2\">input</th>");
    for (size_t i = 0, next; i < table->columns.count; i = next) {
        const char *visibility = table->columns.items[i].visibility;
        for (next = i; next < table->columns.count &&
                       strcmp(table->columns.items[next].visibility, visibility) == 0;)
            next++;
        strbuf_printf(out, "<th colspan=\"%zu\" class=\"group\">", next - i);
        report_xml_text(out, visibility);
        strbuf_add(out, "</th>");
    }
    strbuf_add(out, "</tr>\n<tr>");
    for (size_t i = 0; i < table->columns.count; i++) {
        strbuf_add(out, "<th>");
        report_xml_text(out, table->columns.items[i].persistency);
        if (table->engines) {
            strbuf_add(out, "<br/><small>");
            report_xml_text(out, table->columns.items[i].engine);
            strbuf_add(out, "</small>");
        }
        strbuf_add(out, "</th>");
    }
    strbuf_add(out, "</tr></thead>\n");
}

static void add_cell(struct strbuf *out, const struct report_row *row,
                     const struct report_cell *column)
{
    for (size_t k = 0; k < row->cell_count; k++) {
        const struct report_cell *cell = &row->cells[k];
        if (!same_column(cell, column))
            continue;
        const char *verdict = lit_verdict_text(cell->verdict);
        bool expected = cell->verdict == cell->expected;
        strbuf_printf(out, "<td class=\"v-%s%s\"><a href=\"#f%zu-p%zu\">%s&#160;%s</a>", verdict,
                      expected ? "" : " off", row->number, k,
                      report_html_glyph(cell->verdict, cell->expected), verdict);
        if (!expected)
            strbuf_printf(out, "<br/><small>expected %s</small>", lit_verdict_text(cell->expected));
        strbuf_add(out, "</td>");
        return;
    }
    strbuf_add(out, "<td></td>");
}

static bool is_as_expected(const struct report_row *row)
{
    for (size_t k = 0; k < row->cell_count; k++)
        if (row->cells[k].verdict != row->cells[k].expected)
            return false;
    return row->faults == 0;
}

static void add_row(struct strbuf *out, const struct table *table, const struct report_row *row)
{
    strbuf_printf(out, "<tr data-file=\"f%zu\"%s><th class=\"first\"><a href=\"#f%zu\">",
                  row->number, is_as_expected(row) ? "" : " class=\"unexpected\"", row->number);
    report_xml_text(out, row->name);
    strbuf_add(out, "</a> <small>");
    if (strcmp(row->name, row->path) != 0)
        report_xml_text(out, row->path);
    strbuf_add(out, "</small></th>");
    if (row->faults)
        strbuf_printf(
            out,
            "<td class=\"v-error off\"><a href=\"#f%zu\">\xe2\x9c\x97&#160;%zu error%s</a>"
            "</td>",
            row->number, row->faults, row->faults == 1 ? "" : "s");
    else if (table->faults)
        strbuf_add(out, "<td></td>");
    for (size_t i = 0; i < table->columns.count; i++)
        add_cell(out, row, &table->columns.items[i]);
    strbuf_add(out, "</tr>\n");
}

static void write_table(struct report_sink *sink)
{
    struct table table = {0};
    struct strbuf out = {0};
    find_columns(&table, sink);
    strbuf_add(&out, "<div class=\"scroll\"><table id=\"tests\" class=\"tests\">");
    add_heads(&out, &table);
    strbuf_add(&out, "<tbody>\n");
    for (size_t i = 0; i < sink->rows.count; i++) {
        add_row(&out, &table, &sink->rows.items[i]);
        report_sink_write(sink, &out);
        strbuf_clear(&out);
    }
    strbuf_add(&out, "</tbody></table></div>\n");
    report_sink_write(sink, &out);
    strbuf_fini(&out);
    VEC_FREE(&table.columns);
}

/* ---- The whole ---- */

struct tally {
    size_t verdicts[LIT_ERROR + 1];
    size_t expected, otherwise;
};

static struct tally tally_of(const struct report_sink *sink)
{
    struct tally tally = {0};
    for (size_t i = 0; i < sink->rows.count; i++)
        for (size_t k = 0; k < sink->rows.items[i].cell_count; k++) {
            const struct report_cell *cell = &sink->rows.items[i].cells[k];
            tally.verdicts[cell->verdict]++;
            *(cell->verdict == cell->expected ? &tally.expected : &tally.otherwise) += 1;
        }
    return tally;
}

static void add_counts(struct strbuf *out, const struct report_sink *sink, int status)
{
    struct tally tally = tally_of(sink);
    strbuf_printf(out,
                  "<p class=\"counts\"><strong>%zu</strong> as expected, <strong%s>%zu</strong> "
                  "otherwise, <strong%s>%zu</strong> files with errors; exit status %d</p>\n"
                  "<p class=\"legend\">",
                  tally.expected, tally.otherwise ? " class=\"unexpected\"" : "", tally.otherwise,
                  sink->unread ? " class=\"unexpected\"" : "", sink->unread, status);
    for (int verdict = LIT_OK; verdict <= LIT_ERROR; verdict++) {
        const char *name = lit_verdict_text((enum lit_verdict)verdict);
        strbuf_printf(out, "<span class=\"badge v-%s\">%s</span> %zu ", name, name,
                      tally.verdicts[verdict]);
    }
    strbuf_add(out, "<span class=\"key\">\xe2\x9c\x93 expected, \xe2\x9c\x97 not expected, ? "
                    "expected and not known</span></p>\n");
}

static void write_head(struct report_sink *sink, int status)
{
    struct strbuf out = {0};
    strbuf_add(&out, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">"
                     "<head><meta charset=\"utf-8\"/>\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                     "<link rel=\"icon\" href=\"data:,\"/>\n<title>crashlit report</title>\n"
                     "<style>\n");
    for (size_t i = 0; i < sizeof style / sizeof *style; i++)
        strbuf_add(&out, style[i]);
    strbuf_add(&out, "</style></head>\n<body>\n<header class=\"top\"><h1>crashlit report</h1>\n"
                     "<p class=\"path\">crashlit ");
    report_xml_text(&out, sink->run.version);
    strbuf_printf(&out, ", %s UTC, <code>", sink->run.timestamp);
    report_xml_text(&out, sink->run.command);
    strbuf_add(&out, "</code></p>\n");
    if (sink->interrupted)
        strbuf_add(&out, "<p class=\"unexpected\">" REPORT_INTERRUPTED "</p>\n");
    add_counts(&out, sink, status);
    strbuf_add(&out, "<p id=\"filter\" hidden=\"hidden\"><label>Filter <input type=\"search\" "
                     "placeholder=\"words of name, path or verdict\"/></label> <label><input "
                     "type=\"checkbox\"/> only unexpected</label> <output></output></p>\n"
                     "</header>\n<main>\n");
    report_sink_write(sink, &out);
    strbuf_fini(&out);
}

void report_html_close(struct report_sink *sink, int status)
{
    struct strbuf out = {0};
    write_head(sink, status);
    write_table(sink);
    report_sink_unspool(sink);
    strbuf_add(&out, "</main>\n<script>\n");
    for (size_t i = 0; i < sizeof script / sizeof *script; i++)
        strbuf_add(&out, script[i]);
    strbuf_add(&out, "</script>\n</body></html>\n");
    report_sink_write(sink, &out);
    strbuf_fini(&out);
}
