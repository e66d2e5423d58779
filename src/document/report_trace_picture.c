/* A run drawn: a row a step, a lane a part; a box where something changes, a line down where it
 * stays as it is. */
#include "picture/report_paint.h"
#include "report/report_string.h"
#include "document/report_trace_table.h"
#include "report/report_wrap.h"

#include <string.h>

enum {
    EDGE = REPORT_TRACE_EDGE,
    HEADS = REPORT_TRACE_HEADS,
    CHARACTER = REPORT_TRACE_CHARACTER,
    WHAT = REPORT_TRACE_WHAT,
    ROW = 28,
    PADDING = 16,
    BOX = 22
};

#define INK "class=\"ink\" fill=\"" REPORT_INK "\""
#define SOFT "class=\"soft\" fill=\"" REPORT_SOFT "\""

struct drawing {
    const struct report_trace_table *table;
    struct strbuf *out;
    struct report_trace_layout at;
};

static void add_text(const struct drawing *d, int x, int y, const char *attributes,
                     const char *text)
{
    strbuf_printf(d->out, "<text x=\"%d\" y=\"%d\" %s>", x, y, attributes);
    report_xml_text(d->out, text);
    strbuf_add(d->out, "</text>\n");
}

/* ---- Where things are ---- */

static uint32_t what_lines(const char *what)
{
    const struct report_wrap wrap = {.width = WHAT * CHARACTER,
                                     .tenths = 10 * CHARACTER,
                                     .attributes = "",
                                     .line = REPORT_LINE_HEIGHT};
    uint32_t lines = report_wrap_add(&wrap, what, NULL);
    return lines ? lines : 1;
}

static void place_columns(const struct report_trace_table *table, struct report_trace_layout *at)
{
    int x = EDGE;
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct report_trace_column *column = &table->columns.items[i];
        size_t width =
            i + 1 == REPORT_TRACE_STEP_COLUMNS && column->width > WHAT ? WHAT : column->width;
        x += column->begins_part ? PADDING : 0;
        at->x[i] = x;
        at->width[i] = (int)width * CHARACTER + PADDING;
        x += at->width[i];
    }
    at->right = x + EDGE;
}

static void place_steps(const struct report_trace_table *table, struct report_trace_layout *at)
{
    at->y[0] = HEADS;
    for (uint32_t i = 0; i < table->steps; i++) {
        const char *what = table->columns.items[REPORT_TRACE_STEP_COLUMNS - 1].cells[i];
        at->y[i + 1] = at->y[i] + ROW + ((int)what_lines(what) - 1) * REPORT_LINE_HEIGHT;
    }
}

struct report_trace_layout report_trace_layout(struct report_trace_table *table)
{
    struct report_trace_layout at = {ARENA_ARRAY(&table->arena, int, table->columns.count),
                                     ARENA_ARRAY(&table->arena, int, table->columns.count),
                                     ARENA_ARRAY(&table->arena, int, table->steps + 1), 0};
    place_columns(table, &at);
    place_steps(table, &at);
    return at;
}

size_t report_trace_part_end(const struct report_trace_table *table, size_t from)
{
    size_t end = from + 1;
    while (end < table->columns.count && !table->columns.items[end].begins_part)
        end++;
    return end - 1;
}

/* ---- Lanes ---- */

static void add_lane(const struct drawing *d, size_t from, size_t last, bool survives, int bottom)
{
    int x = d->at.x[from] - 6, width = d->at.x[last] + d->at.width[last] + 2 - x;
    const struct report_trace_column *first = &d->table->columns.items[from];
    strbuf_printf(d->out,
                  "<g class=\"lane\"><rect class=\"sheet%s\" x=\"%d\" y=\"%d\" width=\"%d\" "
                  "height=\"%d\" rx=\"4\" fill=\"%s\" stroke=\"%s\" stroke-width=\"%s\"/>\n",
                  survives ? " survives" : "", x, HEADS - 46, width, bottom - HEADS + 52,
                  survives ? "#e6f4ea" : "#f6f7f9", survives ? "#1f5a33" : "#b9c1cc",
                  survives ? "3" : "1");
    add_text(d, d->at.x[from], HEADS - 28, "font-size=\"14\" font-weight=\"bold\" " INK,
             first->head ? first->head : "");
    for (size_t i = from; i <= last; i++)
        add_text(d, d->at.x[i] + 4, HEADS - 10, "font-size=\"13\" " SOFT,
                 d->table->columns.items[i].below);
    strbuf_add(d->out, "</g>\n");
}

static void add_lanes(const struct drawing *d, int bottom)
{
    size_t count = d->table->columns.count;
    for (size_t from = REPORT_TRACE_STEP_COLUMNS; from < count;) {
        size_t last = report_trace_part_end(d->table, from);
        add_lane(d, from, last, last + 1 == count, bottom);
        from = last + 1;
    }
}

/* ---- Steps ---- */

static void add_cell(const struct drawing *d, size_t column, uint32_t step)
{
    const char *text = d->table->columns.items[column].cells[step];
    int x = d->at.x[column], y = d->at.y[step], middle = x + d->at.width[column] / 2 - 4;
    if (strcmp(text, ".") == 0) {
        strbuf_printf(d->out,
                      "<path class=\"stays\" d=\"M%d %dV%d\" stroke=\"#8a96a6\" "
                      "stroke-dasharray=\"2 4\"/>\n",
                      middle, y, d->at.y[step + 1]);
        return;
    }
    strbuf_printf(d->out,
                  "<g class=\"cell\"><rect class=\"body\" x=\"%d\" y=\"%d\" width=\"%d\" "
                  "height=\"%d\" rx=\"3\" fill=\"" REPORT_PAPER "\" stroke=\"" REPORT_INK "\" "
                  "stroke-width=\"%s\"/>\n",
                  x, y + 2, d->at.width[column] - 8, BOX, step ? "2" : "1");
    add_text(d, x + 4, y + 18,
             step ? "font-size=\"14\" font-weight=\"bold\" " INK : "font-size=\"14\" " INK, text);
    strbuf_add(d->out, "</g>\n");
}

static void add_step(const struct drawing *d, uint32_t step)
{
    const size_t what = REPORT_TRACE_STEP_COLUMNS - 1;
    const struct report_wrap wrap = {.x = d->at.x[what],
                                     .y = d->at.y[step] + 18,
                                     .width = WHAT * CHARACTER,
                                     .tenths = 10 * CHARACTER,
                                     .line = REPORT_LINE_HEIGHT,
                                     .attributes = "font-size=\"14\" " INK};
    for (size_t i = 0; i < what; i++)
        add_text(d, d->at.x[i], d->at.y[step] + 18, "font-size=\"14\" " SOFT,
                 d->table->columns.items[i].cells[step]);
    (void)report_wrap_add(&wrap, d->table->columns.items[what].cells[step], d->out);
    for (size_t i = REPORT_TRACE_STEP_COLUMNS; i < d->table->columns.count; i++)
        add_cell(d, i, step);
}

static void add_heads(const struct drawing *d)
{
    const struct report_trace *report = d->table->report;
    SCOPED(strbuf) title = {0};
    strbuf_printf(&title, "%s on %s", report->program->name,
                  source_file_name(report->trace->machine));
    add_text(d, EDGE, 24, "font-size=\"16\" font-weight=\"bold\" " INK, strbuf_text(&title));
    for (size_t i = 0; i < REPORT_TRACE_STEP_COLUMNS; i++)
        add_text(d, d->at.x[i], HEADS - 10, "font-size=\"13\" " SOFT,
                 d->table->columns.items[i].below);
}

void report_trace_end(const struct report_trace *report, struct strbuf *out)
{
    static const char *const kinds[] = {"final state: ", "power fails here, and leaves: ",
                                        "power fails here, and then recovery leaves: "};
    strbuf_add(out, kinds[report->when]);
    report_trace_state(report, out);
}

/* Returns the height. */
static int add_end(const struct drawing *d, int y)
{
    const struct report_trace *report = d->table->report;
    const struct report_wrap wrap = {
        .x = EDGE,
        .y = y + 26,
        .width = d->at.right - 2 * EDGE,
        .tenths = 10 * CHARACTER,
        .line = REPORT_LINE_HEIGHT,
        .attributes = "font-size=\"15\" font-weight=\"bold\" fill=\"" REPORT_CUT "\""};
    SCOPED(strbuf) text = {0};
    report_trace_end(report, &text);
    strbuf_printf(d->out,
                  "<g class=\"cut\"><path d=\"M%d %dH%d\" stroke=\"" REPORT_CUT
                  "\" stroke-width=\"2.5\"%s/>\n",
                  EDGE, y + 6, d->at.right - EDGE,
                  report->when != LIT_FINAL ? " stroke-dasharray=\"9 5\"" : "");
    int height =
        y + 26 + (int)report_wrap_add(&wrap, strbuf_text(&text), d->out) * REPORT_LINE_HEIGHT;
    strbuf_add(d->out, "</g>\n");
    return height;
}

struct report_size report_trace_picture(const void *of, enum report_sheet sheet, struct strbuf *svg)
{
    const struct report_trace *report = of;
    SCOPED(report_trace_table) table;
    SCOPED(strbuf) body = {0};
    report_trace_table_init(&table, report);
    const struct drawing d = {&table, &body, report_trace_layout(&table)};
    add_lanes(&d, d.at.y[report->trace->count]);
    add_heads(&d);
    for (uint32_t i = 0; i < report->trace->count; i++)
        add_step(&d, i);
    const struct report_size size = {d.at.right, add_end(&d, d.at.y[report->trace->count] + 8)};
    return report_picture_sheet("picture run", sheet, size, &body, svg);
}
