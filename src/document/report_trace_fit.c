/* The table of a run as text, as narrow as a terminal. First the column of statements is shortened.
 * Where that is not enough the table is folded where its parts begin: below each other stand
 * tables, each with some of the parts, behind the first of the steps alone that change them.
 * Characters that are cut off are told by `..`. */
#include "document/report_trace_table.h"
#include "report/report_wrap.h"

#include <string.h>

enum { NARROWEST = 40, FEWEST_OF_STATEMENTS = 16, BETWEEN = 3, CUT = 2 };
enum { STEPS = REPORT_TRACE_STEP_COLUMNS, LEAD = 2 /* number and who */ };
enum { HEADS, PLACES, RULE, ABOVE_STEPS }; /* rows; heads reach over the columns of their part */

struct fit {
    const struct report_trace_table *table;
    size_t columns; /* that there are characters for */
    struct strbuf *out;
};

/* ---- Columns ---- */

/* Behind the last column of the part that begins there. */
static size_t end_of(const struct fit *f, size_t from)
{
    size_t end = from ? from + 1 : STEPS;
    while (end < f->table->columns.count && !f->table->columns.items[end].begins_part)
        end++;
    return end;
}

/* In characters; before the first column are two blanks. */
static size_t width_of(const struct fit *f, size_t from, size_t end)
{
    size_t width = from ? 0 : 2;
    for (size_t i = from; i < end; i++)
        width += f->table->columns.items[i].width + (i > from);
    return width;
}

static void add_filled(struct strbuf *out, const char *text, size_t width)
{
    size_t used = report_wrap_characters(text);
    strbuf_printf(out, "%s%*s", text, used < width ? (int)(width - used) : 0, "");
}

static void add_columns(const struct fit *f, size_t from, size_t end, uint32_t row,
                        struct strbuf *out)
{
    const struct report_trace_column *columns = f->table->columns.items;
    strbuf_add(out, from ? "" : "  ");
    if (row == HEADS)
        strbuf_add(out, columns[from].head ? columns[from].head : "");
    for (size_t i = from; i < end && row != HEADS; i++) {
        strbuf_add(out, i == from ? "" : row == RULE ? "-" : " ");
        for (size_t k = 0; k < columns[i].width && row == RULE; k++)
            strbuf_add_char(out, '-');
        if (row != RULE)
            add_filled(out, row == PLACES ? columns[i].below : columns[i].cells[row - ABOVE_STEPS],
                       columns[i].width);
    }
}

static void drop_blanks(struct strbuf *out)
{
    while (out->length && out->text[out->length - 1] == ' ')
        out->text[--out->length] = '\0';
}

/* Cut and filled up to the width. */
static void add_piece(const struct fit *f, size_t from, size_t end, uint32_t row, size_t width)
{
    SCOPED(strbuf) text = {0};
    add_columns(f, from, end, row, &text);
    drop_blanks(&text);
    if (report_wrap_characters(strbuf_text(&text)) > width) {
        size_t left = row == RULE ? width : width - CUT, bytes = 0;
        while (left--)
            bytes += report_wrap_step(text.text + bytes);
        text.text[text.length = bytes] = '\0';
        strbuf_add(&text, row == RULE ? "" : "..");
    }
    add_filled(f->out, strbuf_text(&text), width);
}

/* ---- Tables ---- */

/* Is all of it as in the row above? */
static bool is_same(const struct fit *f, size_t from, size_t end, uint32_t row)
{
    for (size_t i = from; i < end; i++)
        if (row < ABOVE_STEPS ||
            strcmp(f->table->columns.items[i].cells[row - ABOVE_STEPS], ".") != 0)
            return false;
    return true;
}

/* The first columns, up to `lead`, in so many characters; then the parts from `first` on. */
static void add_rows(const struct fit *f, size_t lead, size_t width, size_t first, size_t behind)
{
    for (uint32_t row = 0; row < f->table->steps + ABOVE_STEPS; row++) {
        if (lead == LEAD && is_same(f, first, behind, row))
            continue; /* the first table has it */
        add_piece(f, 0, lead, row, width);
        for (size_t from = first, end; from < behind; from = end) {
            end = end_of(f, from);
            size_t room = f->columns - width - BETWEEN, own = width_of(f, from, end);
            strbuf_add(f->out, row == RULE ? "-+-" : " | ");
            add_piece(f, from, end, row, own < room ? own : room);
        }
        drop_blanks(f->out);
        strbuf_add_char(f->out, '\n');
    }
}

/* Behind the last part that has room beside `width` characters, from `first` on. */
static size_t fill(const struct fit *f, size_t width, size_t first)
{
    for (size_t end; first < f->table->columns.count; first = end) {
        end = end_of(f, first);
        width += BETWEEN + width_of(f, first, end);
        if (width > f->columns)
            break;
    }
    return first;
}

static void fold(const struct fit *f, size_t least)
{
    const size_t lead = width_of(f, 0, LEAD), count = f->table->columns.count;
    size_t width = width_of(f, 0, STEPS), next = fill(f, width, STEPS);
    width = width < f->columns ? width : f->columns;
    /* One part beside the steps at least, if these can be shortened so far. */
    if (next == STEPS && count > STEPS) {
        size_t own = BETWEEN + width_of(f, STEPS, end_of(f, STEPS));
        if (least + own <= f->columns) {
            width = f->columns - own;
            next = end_of(f, STEPS);
        }
    }
    add_rows(f, STEPS, width, STEPS, next);
    for (size_t first = next, rest; first < count; first = rest) {
        rest = fill(f, lead, first);
        rest = rest == first ? end_of(f, first) : rest;
        strbuf_add_char(f->out, '\n');
        add_rows(f, LEAD, lead, first, rest);
    }
}

void report_trace_table_text(const struct report_trace_table *table, size_t columns,
                             struct strbuf *out)
{
    struct fit f = {table, columns && columns < NARROWEST ? NARROWEST : columns, out};
    const size_t count = table->columns.count, steps = width_of(&f, 0, STEPS);
    const size_t least = width_of(&f, 0, STEPS - 1) + 1 + FEWEST_OF_STATEMENTS;
    size_t rest = 0;
    for (size_t from = STEPS, end; from < count; from = end) {
        end = end_of(&f, from);
        rest += BETWEEN + width_of(&f, from, end);
    }
    if (!columns || steps + rest <= f.columns) {
        f.columns = steps + rest;
        add_rows(&f, STEPS, steps, STEPS, count);
    } else if (rest && rest + least <= f.columns)
        add_rows(&f, STEPS, f.columns - rest, STEPS, count);
    else
        fold(&f, least);
}
