#include "enumerate/enum_search.h"

static bool same_expr(const struct lit_expr *a, const struct lit_expr *b)
{
    if (!a || !b)
        return a == b;
    return a->op == b->op && a->type == b->type && a->operands == b->operands &&
           a->value == b->value && a->reg == b->reg && same_expr(a->a, b->a) &&
           same_expr(a->b, b->b) && same_expr(a->c, b->c);
}

static bool same_ranges(const struct lit_range *a, const struct lit_range *b)
{
    for (; a && b; a = a->next, b = b->next)
        if (a->begin != b->begin || a->end != b->end)
            return false;
    return a == b;
}

static bool same_instr(const struct lit_instr *a, const struct lit_instr *b)
{
    return a->op == b->op && a->tags == b->tags && a->order == b->order &&
           a->fail_order == b->fail_order && a->scope == b->scope &&
           a->exec_scope == b->exec_scope && a->rmw == b->rmw && a->spaces == b->spaces &&
           a->nonatomic == b->nonatomic && a->unscoped == b->unscoped && a->unless == b->unless &&
           a->dst == b->dst && a->dst_old == b->dst_old && a->addr.first == b->addr.first &&
           a->addr.count == b->addr.count && a->addr.stride == b->addr.stride &&
           same_expr(a->addr.index, b->addr.index) && same_expr(a->value, b->value) &&
           same_expr(a->expected, b->expected) && a->target == b->target && a->loop == b->loop &&
           a->label == b->label && a->named == b->named && a->arrive == b->arrive &&
           same_expr(a->resource, b->resource) && same_expr(a->quorum, b->quorum) &&
           text_same(a->text, b->text) && same_ranges(a->unsequenced, b->unsequenced);
}

static bool same_registers(const struct lit_thread *a, const struct lit_thread *b)
{
    if (a->register_count != b->register_count)
        return false;
    for (uint32_t i = 0; i < a->register_count; i++)
        if (a->registers[i].type != b->registers[i].type ||
            a->registers[i].init != b->registers[i].init)
            return false;
    return true;
}

static bool same_thread(const struct lit_thread *a, const struct lit_thread *b)
{
    if (a->tags != b->tags || a->sg != b->sg || a->wg != b->wg || a->kr != b->kr ||
        a->dev != b->dev || a->code_count != b->code_count || !same_registers(a, b))
        return false;
    for (uint32_t i = 0; i < a->code_count; i++)
        if (!same_instr(&a->code[i], &b->code[i]))
            return false;
    return true;
}

static void mention(void *context, const struct lit_atom *atom)
{
    bool *mentioned = context;
    if (lit_atom_is_of_register(atom))
        mentioned[atom->thread] = true;
}

struct enum_symmetry enum_symmetry_new(struct arena *arena, const struct lit_program *program,
                                       const struct outcome *outcome)
{
    bool mentioned[LIT_MAX_THREADS] = {false};
    uint32_t *twin = ARENA_ARRAY(arena, uint32_t, program->thread_count);
    uint32_t *first = ARENA_ARRAY(arena, uint32_t, program->thread_count);
    for (uint32_t i = 0; i < outcome->final.width; i++)
        mention(mentioned, &outcome->final.items[i]);
    for (uint32_t i = 0; i < outcome->crash.width; i++)
        mention(mentioned, &outcome->crash.items[i]);
    lit_prop_each_atom(program->filter, mention, mentioned);
    for (uint32_t t = 0; t < program->thread_count; t++) {
        twin[t] = LIT_NONE;
        first[t] = t;
        for (uint32_t u = t; u-- > 0 && !mentioned[t] && twin[t] == LIT_NONE;)
            if (!mentioned[u] && same_thread(&program->threads[t], &program->threads[u])) {
                twin[t] = u;
                first[t] = first[u];
            }
    }
    return (struct enum_symmetry){twin, first};
}
