#include "litmus/lit_code.h"

#include <string.h>

struct lit_next lit_code_next(const struct lit_thread *thread, uint32_t pc)
{
    BASE_ASSERT(pc < thread->code_count);
    const struct lit_instr *instr = &thread->code[pc];
    if (instr->op == LIT_JUMP)
        return (struct lit_next){{instr->target, 0}, 1};
    if (instr->op == LIT_BRANCH)
        return (struct lit_next){{pc + 1, instr->target}, 2};
    return (struct lit_next){{pc + 1, 0}, 1};
}

uint32_t lit_code_ways_meet(const struct lit_instr *code, uint32_t target)
{
    BASE_ASSERT(target > 0);
    const struct lit_instr *last = &code[target - 1];
    return last->op == LIT_JUMP && last->target > target ? last->target : target;
}

bool lit_code_has_barrier(const struct lit_thread *thread, enum lit_instr_op op, const char *label)
{
    return ANY(i, thread->code_count, thread->code[i].op == op && thread->code[i].label == label);
}

bool lit_code_same_list(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count)
{
    return a_count == b_count && (a_count == 0 || memcmp(a, b, a_count * sizeof *a) == 0);
}

bool lit_code_same(const struct lit_expr *a, const struct lit_expr *b)
{
    if (!a || !b)
        return a == b;
    return a->op == b->op && a->type == b->type && a->operands == b->operands &&
           a->value == b->value && a->reg == b->reg && lit_code_same(a->a, b->a) &&
           lit_code_same(a->b, b->b) && lit_code_same(a->c, b->c);
}

bool lit_code_divides(const struct lit_expr *expr)
{
    return expr && (expr->op == LIT_OP_DIV || expr->op == LIT_OP_MOD || lit_code_divides(expr->a) ||
                    lit_code_divides(expr->b) || lit_code_divides(expr->c));
}

bool lit_code_may_fault(const struct lit_expr *expr)
{
    if (!expr)
        return false;
    const bool divides = expr->op == LIT_OP_DIV || expr->op == LIT_OP_MOD;
    return (divides && (expr->b->op != LIT_OP_CONST || expr->b->value == 0)) ||
           lit_code_may_fault(expr->a) || lit_code_may_fault(expr->b) ||
           lit_code_may_fault(expr->c);
}

int lit_code_decided(enum lit_operator op, const struct lit_expr *a, const struct lit_expr *b)
{
    bool turned = op == LIT_OP_GT || op == LIT_OP_LE;
    const struct lit_expr *value = turned ? b : a, *zero = turned ? a : b;
    bool is_signed = lit_type_is_signed(value->type) &&
                     lit_type_is_signed(lit_type_common(value->type, zero->type));
    if (op < LIT_OP_LT || op > LIT_OP_GE || value->op == LIT_OP_CONST || is_signed ||
        zero->op != LIT_OP_CONST || zero->value != 0)
        return -1;
    return op == LIT_OP_GE || op == LIT_OP_LE;
}

uint32_t lit_code_into(const struct lit_instr *instr)
{
    return instr->op == LIT_CAS ? instr->dst_old : instr->dst;
}

bool lit_code_assigns(const struct lit_instr *instr, uint32_t reg)
{
    return reg != LIT_NONE && (instr->dst == reg || instr->dst_old == reg);
}

void lit_code_mark_read(const struct lit_expr *expr, bool *registers)
{
    if (!expr)
        return;
    if (expr->op == LIT_OP_REG) {
        BASE_ASSERT(expr->reg != LIT_NONE);
        registers[expr->reg] = true;
    }
    lit_code_mark_read(expr->a, registers);
    lit_code_mark_read(expr->b, registers);
    lit_code_mark_read(expr->c, registers);
}

void lit_code_mark_used(const struct lit_instr *instr, bool *registers)
{
    lit_code_mark_read(instr->value, registers);
    lit_code_mark_read(instr->expected, registers);
    lit_code_mark_read(instr->addr.index, registers);
    lit_code_mark_read(instr->resource, registers);
    lit_code_mark_read(instr->quorum, registers);
}

/* ---- Registers that are still to be read ---- */

static bool pass(const struct lit_thread *thread, bool *live, bool *row)
{
    bool changed = false;
    uint32_t width = thread->register_count;
    for (uint32_t pc = thread->code_count; pc-- > 0;) {
        const struct lit_instr *instr = &thread->code[pc];
        struct lit_next next = lit_code_next(thread, pc);
        memset(row, 0, width);
        for (uint32_t i = 0; i < next.count; i++)
            for (uint32_t r = 0; r < width; r++) {
                BASE_ASSERT(next.pcs[i] <= thread->code_count);
                row[r] |= live[next.pcs[i] * width + r];
            }
        if (instr->dst != LIT_NONE)
            row[instr->dst] = false;
        if (instr->dst_old != LIT_NONE)
            row[instr->dst_old] = false;
        lit_code_mark_used(instr, row);
        changed |= memcmp(row, live + pc * width, width) != 0;
        memcpy(live + pc * width, row, width);
    }
    return changed;
}

void lit_code_find_live(const struct lit_thread *thread, bool *live, struct arena *scratch)
{
    bool *row = ARENA_ARRAY(scratch, bool, thread->register_count + 1u);
    while (thread->register_count && pass(thread, live, row))
        ;
}

/* ---- Where ways meet ---- */

/* Where a way goes on, never backwards: a jump back ends the body, and the loop ends behind it. */
static uint32_t onward(const struct lit_thread *thread, uint32_t pc, uint32_t target)
{
    uint32_t last = pc;
    BASE_ASSERT(pc < thread->code_count && target <= thread->code_count);
    if (target > pc)
        return target;
    for (uint32_t i = pc + 1; i < thread->code_count; i++)
        if (thread->code[i].op == LIT_JUMP && thread->code[i].target == target)
            last = i;
    return last > pc ? last : pc + 1;
}

void lit_code_find_meets(const struct lit_thread *thread, uint32_t *meets)
{
    for (uint32_t pc = thread->code_count; pc-- > 0;) {
        struct lit_next next = lit_code_next(thread, pc);
        uint32_t a = onward(thread, pc, next.pcs[0]);
        uint32_t b = next.count > 1 ? onward(thread, pc, next.pcs[1]) : a;
        while (a != b)
            *(a < b ? &a : &b) = meets[a < b ? a : b];
        meets[pc] = a;
        BASE_ASSERT(a > pc && a <= thread->code_count);
    }
}

/* ---- Leaving instructions out ---- */

/* The new place of each instruction, and of the end. */
static uint32_t *places(struct arena *arena, const struct lit_thread *thread, const bool *gone)
{
    uint32_t *place = ARENA_ARRAY(arena, uint32_t, thread->code_count + 1u), here = 0;
    for (uint32_t i = 0; i < thread->code_count; i++) {
        place[i] = here;
        here += !gone[i];
    }
    place[thread->code_count] = here;
    return place;
}

static const struct lit_range *moved(struct arena *arena, const struct lit_range *range,
                                     const uint32_t *place)
{
    if (!range)
        return NULL;
    BASE_ASSERT(range->begin <= range->end);
    return ARENA_MAKE(arena, struct lit_range, place[range->begin], place[range->end],
                      moved(arena, range->next, place));
}

void lit_code_leave_out(struct arena *arena, struct lit_thread *thread, const bool *gone)
{
    uint32_t *place = places(arena, thread, gone);
    uint32_t count = place[thread->code_count];
    BASE_ASSERT(count <= thread->code_count);
    struct lit_instr *code = ARENA_ARRAY(arena, struct lit_instr, count);
    if (count == thread->code_count)
        return;
    for (uint32_t i = 0; i < thread->code_count; i++) {
        struct lit_instr *instr = &code[place[i]];
        if (gone[i])
            continue;
        *instr = thread->code[i];
        BASE_ASSERT(instr->target <= thread->code_count && instr->begin <= thread->code_count);
        instr->target = place[instr->target];
        instr->begin = place[instr->begin];
        instr->unsequenced = moved(arena, instr->unsequenced, place);
    }
    thread->code = code;
    thread->code_count = count;
}
