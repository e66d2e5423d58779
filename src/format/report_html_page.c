/* The page: style, counts, the table of tests and model pairs, then the tests, then the script
 * that filters. Without scripts everything but the filter works. */
#include "base/pack.h"
#include "format/report_html.h"
#include "document/report_document.h"
#include "document/report_explain.h"
#include "format/report_player.h"
#include "report/report_string.h"

#include <string.h>

static const char *const script[] = {
#define LINE(text) text "\n",
#include "format/report_html_script.def"
#undef LINE
};

/* ---- Rows ---- */

void report_html_pack_cell(const struct report_html_cell *cell, struct strbuf *cells)
{
    pack_text(cells, cell->visibility);
    pack_text(cells, cell->persistency);
    pack_text(cells, cell->engine);
    pack_number(cells, cell->verdict);
    pack_number(cells, cell->expected);
    pack_number(cells, cell->explains);
    pack_number(cells, cell->known);
    pack_number(cells, cell->fails);
    pack_number(cells, cell->remarked);
}

void report_html_pack(const char *name, uint64_t disagree, const struct strbuf *cells,
                      struct strbuf *parcel)
{
    pack_text(parcel, name);
    pack_number(parcel, disagree);
    strbuf_add_bytes(parcel, strbuf_text(cells), cells->length);
}

static enum lit_verdict unpack_verdict(struct unpack *from)
{
    uint64_t verdict = unpack_number(from);
    BASE_CHECK(verdict <= LIT_ERROR);
    return (enum lit_verdict)verdict;
}

static enum report_failing unpack_fails(struct unpack *from)
{
    uint64_t fails = unpack_number(from);
    BASE_CHECK(fails <= REPORT_FAILS_OPEN);
    return (enum report_failing)fails;
}

struct report_html_cell report_html_unpack_cell(struct arena *arena, struct unpack *from)
{
    struct report_html_cell cell = {.visibility = unpack_copy(from, arena)};
    cell.persistency = unpack_copy(from, arena);
    cell.engine = unpack_copy(from, arena);
    cell.verdict = unpack_verdict(from);
    cell.expected = unpack_verdict(from);
    cell.explains = unpack_number(from);
    cell.known = unpack_number(from);
    cell.fails = unpack_fails(from);
    cell.remarked = unpack_number(from);
    return cell;
}

void report_html_add(struct report_sink *sink, const struct report_piece *piece)
{
    struct report_html_rows *rows = sink->state;
    struct unpack from = unpack_start(strbuf_text(&piece->parcel), piece->parcel.length);
    struct report_html_row row = {.name = unpack_copy(&from, &rows->arena),
                                  .path = arena_strdup(&rows->arena, piece->file),
                                  .number = sink->pieces,
                                  .faults = piece->faults};
    row.disagree = unpack_number(&from);
    while (from.at < from.end && !from.short_of_bytes)
        VEC_PUSH(&row.cells, report_html_unpack_cell(&rows->arena, &from));
    VEC_PUSH(&rows->items, row);
}

void report_html_fini(struct report_sink *sink)
{
    struct report_html_rows *rows = sink->state;
    for (size_t i = 0; i < rows->items.count; i++)
        VEC_FREE(&rows->items.items[i].cells);
    VEC_FREE(&rows->items);
    arena_fini(&rows->arena);
}

/* ---- The table ---- */

struct table {
    VEC(struct report_html_cell) columns; /* visibility model by visibility model */
    bool engines;                         /* there is more than one */
    bool faults;
};

static bool same_column(const struct report_html_cell *a, const struct report_html_cell *b)
{
    return strcmp(a->visibility, b->visibility) == 0 &&
           strcmp(a->persistency, b->persistency) == 0 && strcmp(a->engine, b->engine) == 0;
}

/* Behind the last column of the same visibility model, else at the end. */
static void add_column(struct table *table, const struct report_html_cell *cell)
{
    size_t at = table->columns.count;
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct report_html_cell *column = &table->columns.items[i];
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

static void find_columns(struct table *table, const struct report_html_rows *rows)
{
    EACH_IN (const struct report_html_row, row, rows->items) {
        table->faults |= row->faults > 0;
        for (size_t k = 0; k < row->cells.count; k++)
            add_column(table, &row->cells.items[k]);
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
        if (table->engines)
            report_xml_between(out, "<br/><small>", table->columns.items[i].engine, "</small>");
        strbuf_add(out, "</th>");
    }
    strbuf_add(out, "</tr></thead>\n");
}

/* Of an explanation of what is not ok, too, for which nothing is expected. */
static bool is_off(const struct report_html_cell *cell)
{
    return (cell->verdict != cell->expected && !cell->known) || cell->fails;
}

static void add_cell(struct strbuf *out, const struct report_html_row *row,
                     const struct report_html_cell *column)
{
    for (size_t k = 0; k < row->cells.count; k++) {
        const struct report_html_cell *cell = &row->cells.items[k];
        if (!same_column(cell, column))
            continue;
        const char *verdict = lit_verdict_text(cell->verdict);
        strbuf_printf(out, "<td class=\"v-%s%s\"><a href=\"#f%zu-p%zu\">%s%s%s</a>", verdict,
                      is_off(cell) ? " off" : "", row->number, k,
                      cell->explains ? "" : report_html_glyph(cell), cell->explains ? "" : "&#160;",
                      verdict);
        if (cell->verdict != cell->expected || cell->fails) {
            report_html_otherwise(out, "<br/><small>", cell);
            strbuf_add(out, "</small>");
        }
        strbuf_add(out, "</td>");
        return;
    }
    strbuf_add(out, "<td></td>");
}

static bool is_as_expected(const struct report_html_row *row)
{
    for (size_t k = 0; k < row->cells.count; k++)
        if (is_off(&row->cells.items[k]))
            return false;
    return row->faults == 0 && row->disagree == 0;
}

void report_html_otherwise(struct strbuf *out, const char *before,
                           const struct report_html_cell *cell)
{
    if (cell->verdict != cell->expected)
        strbuf_printf(out, "%sexpected %s%s", before, lit_verdict_text(cell->expected),
                      cell->known ? ", known" : "");
    if (cell->fails)
        strbuf_printf(out, "%sbut %s", cell->verdict == cell->expected ? before : ", ",
                      report_failing_words(cell->fails));
}

void report_html_disagree(struct strbuf *out, uint64_t disagree)
{
    strbuf_add(out, disagree ? " <strong class=\"unexpected\">engines disagree</strong>" : "");
}

static void add_row(struct strbuf *out, const struct table *table,
                    const struct report_html_row *row)
{
    strbuf_printf(out, "<tr data-file=\"f%zu\"%s><th class=\"first\"><a href=\"#f%zu\">",
                  row->number, is_as_expected(row) ? "" : " class=\"unexpected\"", row->number);
    report_xml_text(out, row->name);
    strbuf_add(out, "</a> <small>");
    if (strcmp(row->name, row->path) != 0)
        report_xml_text(out, row->path);
    strbuf_add(out, "</small>");
    report_html_disagree(out, row->disagree);
    strbuf_add(out, "</th>");
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
    const struct report_html_rows *rows = sink->state;
    struct table table = {0};
    find_columns(&table, rows);
    strbuf_add(&sink->out, "<div class=\"scroll\"><table id=\"tests\" class=\"tests\">");
    add_heads(&sink->out, &table);
    strbuf_add(&sink->out, "<tbody>\n");
    for (size_t i = 0; i < rows->items.count; i++) {
        add_row(&sink->out, &table, &rows->items.items[i]);
        report_sink_flush(sink);
    }
    strbuf_add(&sink->out, "</tbody></table></div>\n");
    VEC_FREE(&table.columns);
}

/* ---- The whole ---- */

void report_html_count(struct report_html_tally *tally, const struct report_html_cell *cell)
{
    tally->verdicts[cell->verdict]++;
    *(cell->explains                ? &tally->explained
      : !report_html_is_odd(cell)   ? &tally->expected
      : cell->known && !cell->fails ? &tally->known
                                    : &tally->otherwise) += 1;
}

static struct report_html_tally tally_of(const struct report_html_rows *rows)
{
    struct report_html_tally tally = {0};
    EACH_IN (const struct report_html_row, row, rows->items) {
        tally.disagree += row->disagree;
        EACH_IN (const struct report_html_cell, cell, row->cells)
            report_html_count(&tally, cell);
    }
    return tally;
}

void report_html_counts(struct report_sink *sink, const struct report_html_tally *tally, int status)
{
    struct strbuf *out = &sink->out;
    if (tally->explained)
        strbuf_printf(out, "<p class=\"counts\"><strong>%zu</strong> explained, ",
                      tally->explained);
    else
        strbuf_printf(
            out,
            "<p class=\"counts\"><strong>%zu</strong> as expected, <strong%s>%zu</strong> "
            "otherwise, ",
            tally->expected, tally->otherwise ? " class=\"unexpected\"" : "", tally->otherwise);
    if (tally->known)
        strbuf_printf(out, "<strong>%zu</strong> known, ", tally->known);
    if (tally->disagree)
        strbuf_printf(out, "<strong class=\"unexpected\">%zu</strong> where engines disagree, ",
                      tally->disagree);
    strbuf_printf(out,
                  "<strong%s>%zu</strong> files with errors; exit status %d</p>\n"
                  "<p class=\"legend\">",
                  sink->unread ? " class=\"unexpected\"" : "", sink->unread, status);
    for (int verdict = LIT_OK; verdict <= LIT_ERROR; verdict++) {
        const char *name = lit_verdict_text((enum lit_verdict)verdict);
        strbuf_printf(out, "<span class=\"badge v-%s\">%s</span> %zu ", name, name,
                      tally->verdicts[verdict]);
    }
    strbuf_add(out, tally->explained
                        ? "</p>\n"
                        : "<span class=\"key\">\xe2\x9c\x93 expected, \xe2\x9c\x97 not expected, ? "
                          "expected and not known</span></p>\n");
}

void report_html_run(struct report_sink *sink)
{
    struct strbuf *out = &sink->out;
    strbuf_add(out, "<p class=\"path\">crashlit ");
    report_xml_text(out, sink->run.version);
    strbuf_printf(out, ", %s UTC, <code>", sink->run.timestamp);
    report_xml_text(out, sink->run.command);
    strbuf_add(out, "</code></p>\n");
    if (sink->interrupted)
        strbuf_add(out, "<p class=\"unexpected\">" REPORT_INTERRUPTED "</p>\n");
}

static void add_page_head(struct report_sink *sink, int status)
{
    struct strbuf *out = &sink->out;
    const struct report_html_tally tally = tally_of(sink->state);
    report_page_begin("crashlit report", out);
    strbuf_add(out, "<h1>crashlit report</h1>\n");
    report_html_run(sink);
    report_html_counts(sink, &tally, status);
    strbuf_add(out, "<p id=\"filter\" hidden=\"hidden\"><label>Filter <input type=\"search\" "
                    "placeholder=\"words of name, path or verdict\"/></label> <label><input "
                    "type=\"checkbox\"/> only unexpected</label> <output></output></p>\n"
                    "</header>\n<main>\n");
}

void report_html_close(struct report_sink *sink, int status)
{
    struct strbuf *out = &sink->out;
    add_page_head(sink, status);
    write_table(sink);
    report_sink_unspool(sink);
    strbuf_add(out, "</main>\n<script>\n");
    for (size_t i = 0; i < sizeof script / sizeof *script; i++)
        strbuf_add(out, script[i]);
    strbuf_add(out, "</script>\n");
    if (tally_of(sink->state).explained) {
        strbuf_add(out, "<style>\n");
        report_player_style(out);
        strbuf_add(out, "</style>\n");
        report_player_script(out);
    }
    strbuf_add(out, "</body></html>\n");
}
