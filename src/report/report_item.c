#include "report/report.h"

const char *report_crash_mode(enum exec_crash_mode mode)
{
    static const char *const names[] = {"anywhere", "points", "end"};
    return names[mode];
}

void report_item(const struct lit_program *program, const struct lit_atom *item,
                 struct strbuf *out)
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
