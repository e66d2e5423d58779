/* Everything that indexes something is followed once: code by code, then what is said about states.
 * A fault here is of the front end. */
#include "litmus/lit_program.h"

#include "base/arena.h"

static void check_register(const struct lit_thread *thread, uint32_t reg)
{
    BASE_CHECK(reg == LIT_NONE || reg < thread->register_count);
}

static void check_expr(const struct lit_thread *thread, const struct lit_expr *expr)
{
    if (!expr)
        return;
    BASE_CHECK(expr->op != LIT_OP_REG || expr->reg < thread->register_count);
    check_expr(thread, expr->a);
    check_expr(thread, expr->b);
    check_expr(thread, expr->c);
}

static void check_address(const struct lit_program *program, const struct lit_address *addr)
{
    BASE_CHECK(addr->count > 0 && (addr->index || addr->count == 1));
    BASE_CHECK(lit_address_element(addr, addr->count - 1) < program->location_count);
}

static void check_instr(const struct lit_program *program, const struct lit_thread *thread,
                        const struct lit_instr *instr)
{
    check_register(thread, instr->dst);
    check_register(thread, instr->dst_old);
    check_register(thread, instr->decides);
    check_expr(thread, instr->value);
    check_expr(thread, instr->expected);
    check_expr(thread, instr->resource);
    check_expr(thread, instr->quorum);
    if (lit_instruction_is(instr->op, LIT_PLACED)) {
        check_address(program, &instr->addr);
        check_expr(thread, instr->addr.index);
    }
    if (lit_instruction_jumps(instr->op) || instr->op == LIT_AWAIT)
        BASE_CHECK(instr->target <= thread->code_count);
    if (instr->op == LIT_LOOP || instr->op == LIT_AWAIT)
        BASE_CHECK(instr->loop < thread->loop_count);
    for (uint32_t i = 0; i < instr->kept_count; i++)
        BASE_CHECK(instr->kept[i] < thread->register_count);
    for (uint32_t i = 0; i < instr->tried_count; i++)
        BASE_CHECK(instr->tried[i] < program->location_count);
    for (uint32_t i = 0; instr->op == LIT_AWAIT && i < instr->shown_count; i++)
        BASE_CHECK(instr->shown[i] < thread->register_count);
}

static void check_threads(const struct lit_program *program, const struct lit_thread *threads,
                          uint32_t count)
{
    BASE_CHECK(count <= LIT_MAX_THREADS);
    for (uint32_t t = 0; t < count; t++) {
        BASE_CHECK(t == 0 || threads[t - 1].number < threads[t].number);
        for (uint32_t i = 0; i < threads[t].code_count; i++)
            check_instr(program, &threads[t], &threads[t].code[i]);
    }
}

static void check_atom(void *context, const struct lit_atom *atom)
{
    const struct lit_program *program = context;
    if (atom->kind == LIT_ATOM_LOCATION)
        BASE_CHECK(atom->location < program->location_count);
    if (lit_atom_is_of_register(atom))
        BASE_CHECK(atom->thread < program->thread_count &&
                   atom->reg < program->threads[atom->thread].register_count);
}

void lit_contract_check(const struct lit_program *program)
{
    struct lit_program own = *program, recovery = lit_recovery_program(program);
    for (uint32_t i = 0; i < program->location_count; i++)
        BASE_CHECK(program->locations[i].line <= i);
    check_threads(program, program->threads, program->thread_count);
    check_threads(program, program->recovery, program->recovery_count);
    EACH (const struct lit_condition, condition, program->conditions, program->condition_count) {
        lit_prop_each_atom(condition->prop, check_atom,
                           condition->when == LIT_RECOVERED ? &recovery : &own);
    }
    lit_prop_each_atom(program->filter, check_atom, &own);
    for (uint32_t i = 0; i < program->observed_count; i++)
        check_atom(&own, &program->observed[i]);
}
