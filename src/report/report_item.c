#include "report/report.h"

const char *report_crash_mode(enum exec_crash_mode mode)
{
    static const char *const names[] = {"anywhere", "points", "end"};
    return names[mode];
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
    enum lit_type type = lit_atom_type(program, item);
    lit_value_print(type, value, out);
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

struct span report_head(const struct lit_program *program)
{
    return (struct span){program->source, program->line, 1, program->line, 1};
}

void report_row_parts(const struct lit_program *program, const struct lit_atom *items,
                      uint32_t width, const int64_t *row, const bool *parts, const char *between,
                      struct strbuf *out)
{
    bool first = true;
    for (uint32_t i = 0; i < width; i++) {
        if (!report_is_shown(&items[i]) || (parts && !parts[i]))
            continue;
        strbuf_add(out, first ? "" : between);
        report_item(program, &items[i], out);
        strbuf_add_char(out, '=');
        report_column(program, items, row, i, out);
        first = false;
    }
}

void report_row(const struct lit_program *program, const struct lit_atom *items, uint32_t width,
                const int64_t *row, struct strbuf *out)
{
    report_row_parts(program, items, width, row, NULL, "; ", out);
}

void report_text_row(const struct lit_program *program, const struct lit_atom *items,
                     uint32_t width, const int64_t *row, struct strbuf *out)
{
    report_row(program, items, width, row, out);
    strbuf_add(out, width ? ";\n" : "\n");
}

void report_event(const struct lit_program *program, const struct outcome_event *event,
                  struct strbuf *out)
{
    if (event->thread == LIT_NONE)
        strbuf_printf(out, "the initial %s", event->access);
    else
        strbuf_printf(out, "%s's %s at line %u", outcome_thread(program, event->thread)->name,
                      event->access, event->line);
}
