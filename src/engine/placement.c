#include "engine/placement.h"

const char *placement_reason_word(enum placement_reason_kind kind)
{
    static const char *const words[] = {PLACEMENT_REASONS(TABLE_SECOND)};
    return words[kind];
}

uint32_t placement_minimal_count(const struct placement *placement)
{
    return COUNT_IF(i, placement->count, !placement->fillings[i].unreduced);
}

const char *placement_disputed_by(const struct placement *placement)
{
    const struct placement_filling *filling =
        FIND(i, placement->fillings, placement->count, placement->fillings[i].disputed_by);
    return filling ? filling->disputed_by : NULL;
}

static void print_item(const struct lit_program *program, const struct lit_thread *threads,
                       const struct lit_atom *item, int64_t value, struct strbuf *out)
{
    enum lit_type type;
    if (item->kind == LIT_ATOM_LOCATION) {
        type = program->locations[item->location].type;
        strbuf_add(out, program->locations[item->location].name);
    } else {
        type = threads[item->thread].registers[item->reg].type;
        strbuf_printf(out, "%u:%s", threads[item->thread].number,
                      threads[item->thread].registers[item->reg].name);
    }
    strbuf_add_char(out, '=');
    lit_value_print(type, value, out);
}

static bool is_shown(const struct lit_program *program, const struct lit_atom *items,
                     const int64_t *row, uint32_t column)
{
    const struct lit_atom *item = &items[column];
    if (item->kind == LIT_ATOM_LOCATION)
        return !program->locations[item->location].hidden;
    return item->kind == LIT_ATOM_REGISTER && !outcome_lacks_value(items, row, column);
}

const char *placement_state(struct arena *arena, const struct lit_program *program,
                            const struct outcome_states *states, const int64_t *row, bool recovered)
{
    const struct lit_thread *threads = recovered ? program->recovery : program->threads;
    struct strbuf out = {0};
    for (uint32_t i = 0; i < states->width; i++) {
        if (!is_shown(program, states->items, row, i))
            continue;
        strbuf_add(&out, out.length ? ", " : "");
        print_item(program, threads, &states->items[i], row[i], &out);
    }
    return strbuf_take(&out, arena);
}
