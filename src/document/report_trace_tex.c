/* A run drawn for LaTeX, as its SVG is laid out, with smaller letters. */
#include "document/report_trace_table.h"
#include "picture/report_tex.h"
#include "report/report_string.h"
#include "report/report_wrap.h"

#include <string.h>

struct drawing {
    const struct report_trace_table *table;
    struct strbuf *out;
    struct report_trace_layout at;
};

static void add_text(const struct drawing *d, const char *style, int x, int y, const char *text)
{
    if (*text)
        report_tex_node(style, (struct report_point){x, y}, text, d->out);
}

static void add_lane(const struct drawing *d, size_t from, size_t last, bool survives)
{
    const struct report_trace_column *columns = d->table->columns.items;
    const int x = d->at.x[from] - 6, bottom = d->at.y[d->table->steps];
    const struct report_box box = {x, REPORT_TRACE_HEADS - 46,
                                   d->at.x[last] + d->at.width[last] + 2 - x,
                                   bottom - REPORT_TRACE_HEADS + 52};
    report_tex_box(survives ? "lane, crashlit survives" : "lane", &box, 0, d->out);
    add_text(d, "head", d->at.x[from], REPORT_TRACE_HEADS - 28,
             columns[from].head ? columns[from].head : "");
    for (size_t i = from; i <= last; i++)
        add_text(d, "place", d->at.x[i] + 4, REPORT_TRACE_HEADS - 10, columns[i].below);
}

static void add_lanes(const struct drawing *d)
{
    const size_t count = d->table->columns.count;
    for (size_t i = 0; i < REPORT_TRACE_STEP_COLUMNS; i++)
        add_text(d, "place", d->at.x[i], REPORT_TRACE_HEADS - 10, d->table->columns.items[i].below);
    for (size_t from = REPORT_TRACE_STEP_COLUMNS, last; from < count; from = last + 1) {
        last = report_trace_part_end(d->table, from);
        add_lane(d, from, last, last + 1 == count);
    }
}

static void add_cell(const struct drawing *d, size_t column, uint32_t step)
{
    const char *text = d->table->columns.items[column].cells[step];
    const int x = d->at.x[column], y = d->at.y[step], width = d->at.width[column] - 8;
    if (strcmp(text, ".") == 0) {
        strbuf_printf(d->out, "\\path[crashlit stays] (%d,%d) -- (%d,%d);\n", x + width / 2, y,
                      x + width / 2, d->at.y[step + 1]);
        return;
    }
    report_tex_box(step ? "cell, crashlit changed" : "cell",
                   &(struct report_box){x, y + 2, width, 22}, 0, d->out);
    add_text(d, "head", x + 4, y + 18, text);
}

/* Line by line. */
static void add_what(const struct drawing *d, uint32_t step)
{
    const char *what = d->table->columns.items[REPORT_TRACE_STEP_COLUMNS - 1].cells[step];
    int y = d->at.y[step] + 18;
    for (size_t length; *what; what += length, y += REPORT_LINE_HEIGHT) {
        what += strspn(what, " ");
        length = report_wrap_fit(what, REPORT_TRACE_WHAT);
        add_text(d, "what", d->at.x[REPORT_TRACE_STEP_COLUMNS - 1], y,
                 arena_strndup(&((struct report_trace_table *)d->table)->arena, what, length));
    }
}

static void add_step(const struct drawing *d, uint32_t step)
{
    for (size_t i = 0; i + 1 < REPORT_TRACE_STEP_COLUMNS; i++)
        add_text(d, "place", d->at.x[i], d->at.y[step] + 18,
                 d->table->columns.items[i].cells[step]);
    add_what(d, step);
    for (size_t i = REPORT_TRACE_STEP_COLUMNS; i < d->table->columns.count; i++)
        add_cell(d, i, step);
}

static void add_end(const struct drawing *d)
{
    const struct report_trace *report = d->table->report;
    const int y = d->at.y[d->table->steps] + 14;
    SCOPED(strbuf) text = {0};
    report_trace_end(report, &text);
    strbuf_printf(d->out, "\\path[crashlit cut%s] (%d,%d) -- (%d,%d);\n",
                  report->when == LIT_FINAL ? ", solid" : "", REPORT_TRACE_EDGE, y,
                  d->at.right - REPORT_TRACE_EDGE, y);
    strbuf_printf(d->out, "\\node[crashlit leaves] at (%d,%d) {", REPORT_TRACE_EDGE, y);
    report_tex_lines(strbuf_text(&text),
                     (size_t)(d->at.right - 2 * REPORT_TRACE_EDGE) / REPORT_TRACE_CHARACTER,
                     d->out);
    strbuf_add(d->out, "};\n");
}

void report_trace_tex(const void *of, struct strbuf *out)
{
    const struct report_trace *report = of;
    SCOPED(report_trace_table) table;
    report_trace_table_init(&table, report);
    const struct drawing d = {&table, out, report_trace_layout(&table)};
    SCOPED(strbuf) title = {0};
    strbuf_printf(&title, "%s on %s", report->program->name,
                  source_file_name(report->trace->machine));
    if (!report_tex_begin_picture(
            (struct report_size){d.at.right, d.at.y[table.steps] + REPORT_TRACE_HEADS}, 56, out))
        return;
    add_lanes(&d);
    for (uint32_t i = 0; i < table.steps; i++)
        add_step(&d, i);
    add_end(&d);
    report_tex_end_picture(strbuf_text(&title), out);
}
