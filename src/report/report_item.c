#include "report/report.h"

#include "base/utf8.h"

#include <inttypes.h>

enum { MOST_DECIMAL = 999999 };

const char *report_crash_mode(enum exec_crash_mode mode)
{
    static const char *const names[] = {"anywhere", "points", "end"};
    return names[mode];
}

const char *report_condition_kind(const struct lit_condition *condition)
{
    static const char *const kinds[] = {"final", "crash", "recovered"};
    return condition->property ? "property" : kinds[condition->when];
}

void report_item(const struct lit_program *program, const struct lit_atom *item, struct strbuf *out)
{
    if (item->kind == LIT_ATOM_LOCATION)
        strbuf_add(out, program->locations[item->location].name);
    else
        strbuf_printf(out, "%u:%s", program->threads[item->thread].number,
                      program->threads[item->thread].registers[item->reg].name);
}

void report_item_value(const struct lit_program *program, const struct lit_atom *item,
                       int64_t value, struct strbuf *out)
{
    lit_value_print(lit_atom_type(program, item), value, out);
}

bool report_is_shown(const struct lit_atom *item)
{
    return item->kind == LIT_ATOM_LOCATION || item->kind == LIT_ATOM_REGISTER;
}

void report_column(const struct lit_program *program, const struct lit_atom *items,
                   const int64_t *row, uint32_t column, struct strbuf *out)
{
    if (outcome_lacks_value(items, row, column))
        strbuf_add_char(out, '-');
    else
        report_item_value(program, &items[column], row[column], out);
}

void report_pair(const char *visibility, const char *persistency, struct strbuf *out)
{
    utf8_add_name(out, visibility);
    strbuf_add(out, " + ");
    utf8_add_name(out, persistency);
}

struct span report_head(const struct lit_program *program)
{
    return (struct span){program->source, program->line, 1, program->line, 1};
}

void report_short_value(enum lit_type type, int64_t value, struct strbuf *out)
{
    bool negative = type != LIT_ULONG && value < 0;
    uint64_t size = negative ? -(uint64_t)value : (uint64_t)value;
    if (size > MOST_DECIMAL)
        strbuf_printf(out, "%s0x%" PRIx64, negative ? "-" : "", size);
    else
        lit_value_print(type, value, out);
}

/* How a row is written: which columns (NULL: all), what stands between two, and how a value. */
struct form {
    const bool *parts;
    const char *between;
    void (*print)(enum lit_type type, int64_t value, struct strbuf *out);
};

static void add_row(const struct form *form, const struct lit_program *program,
                    const struct lit_atom *items, uint32_t width, const int64_t *row,
                    struct strbuf *out)
{
    const char *between = "";
    for (uint32_t i = 0; i < width; i++) {
        if (!report_is_shown(&items[i]) || (form->parts && !form->parts[i]))
            continue;
        strbuf_add(out, between);
        report_item(program, &items[i], out);
        strbuf_add_char(out, '=');
        if (outcome_lacks_value(items, row, i))
            strbuf_add_char(out, '-');
        else
            form->print(lit_atom_type(program, &items[i]), row[i], out);
        between = form->between;
    }
}

void report_row_parts(const struct lit_program *program, const struct lit_atom *items,
                      uint32_t width, const int64_t *row, const bool *parts, const char *between,
                      struct strbuf *out)
{
    add_row(&(struct form){parts, between, lit_value_print}, program, items, width, row, out);
}

void report_row(const struct lit_program *program, const struct lit_atom *items, uint32_t width,
                const int64_t *row, struct strbuf *out)
{
    report_row_parts(program, items, width, row, NULL, "; ", out);
}

void report_short_row(const struct lit_program *program, const struct lit_atom *items,
                      uint32_t width, const int64_t *row, struct strbuf *out)
{
    add_row(&(struct form){NULL, "; ", report_short_value}, program, items, width, row, out);
}

void report_text_row(const struct lit_program *program, const struct lit_atom *items,
                     uint32_t width, const int64_t *row, struct strbuf *out)
{
    report_row(program, items, width, row, out);
    strbuf_add(out, width ? ";\n" : "\n");
}

void report_where(const struct lit_program *program, uint32_t thread, uint32_t line,
                  struct strbuf *out)
{
    if (!program->source->option)
        strbuf_printf(out, " at line %u", line);
    else if (program->threads[0].hosts)
        strbuf_printf(out, " in launch %u", outcome_thread(program, thread)->kr);
}

void report_event(const struct lit_program *program, const struct outcome_event *event,
                  struct strbuf *out)
{
    if (event->thread == LIT_NONE)
        strbuf_printf(out, "the initial %s", event->access);
    else {
        strbuf_printf(out, "%s's %s", outcome_thread(program, event->thread)->name, event->access);
        report_where(program, event->thread, event->line, out);
    }
}
