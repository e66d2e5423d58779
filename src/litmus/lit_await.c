/* Is a loop a side-effect-free wait? Its code must only load, compute and jump
 * forward, and no iteration may see a register as an earlier one left it: each
 * register it assigns is assigned before it is read on every path, and on every path
 * to the end. The second half matters to what reads the register after the loop. */
#include "litmus/lit_lower.h"

#include <string.h>

enum { LONGEST_AWAIT = 512 };

/* What is known of a register before an instruction. */
enum knowledge { NOT_ASSIGNED, ASSIGNED, UNREACHED };

static bool uses(const struct lit_expr *expr, uint32_t reg)
{
    if (!expr)
        return false;
    if (expr->op == LIT_OP_REG)
        return expr->reg == reg;
    return uses(expr->a, reg) || uses(expr->b, reg) || uses(expr->c, reg);
}

static bool instr_uses(const struct lit_instr *instr, uint32_t reg)
{
    return uses(instr->value, reg) || uses(instr->expected, reg) || uses(instr->addr.index, reg);
}

static void meet(uint8_t *known, uint8_t more)
{
    if (*known == UNREACHED || more < *known)
        *known = more;
}

/* Walks code[0..count) once, which suffices as jumps lead forward. */
static bool carries(const struct lit_instr *code, uint32_t begin, uint32_t count, uint32_t reg)
{
    uint8_t known[LONGEST_AWAIT + 1];
    memset(known, UNREACHED, sizeof known);
    known[0] = NOT_ASSIGNED;
    for (uint32_t i = 0; i < count; i++) {
        if (known[i] == UNREACHED)
            continue;
        if (known[i] == NOT_ASSIGNED && instr_uses(&code[i], reg))
            return true;
        uint8_t after = code[i].dst == reg ? ASSIGNED : known[i];
        bool jumps = code[i].op == LIT_JUMP || code[i].op == LIT_BRANCH;
        if (jumps)
            meet(&known[code[i].target - begin], after);
        if (code[i].op != LIT_JUMP)
            meet(&known[i + 1], after);
    }
    return known[count] == NOT_ASSIGNED;
}

bool lit_await_holds(struct lit_lower *lower, uint32_t begin, const struct lit_expr *again)
{
    uint32_t end = lit_thread_here(lower), count = end - begin;
    const struct lit_instr *code = lower->code.items + begin;
    bool loads = false;
    if (count > LONGEST_AWAIT)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        enum lit_instr_op op = code[i].op;
        if (op != LIT_SET && op != LIT_LOAD && op != LIT_JUMP && op != LIT_BRANCH)
            return false;
        BASE_CHECK(op == LIT_SET || op == LIT_LOAD ||
                   (code[i].target > begin + i && code[i].target <= end));
        loads |= op == LIT_LOAD;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t reg = code[i].dst;
        bool kept = reg != LIT_NONE && (lower->registers.items[reg].name || uses(again, reg));
        if (kept && carries(code, begin, count, reg))
            return false;
    }
    return loads;
}

bool lit_await_assigns(const struct lit_lower *lower, uint32_t begin, const struct lit_expr *expr)
{
    for (size_t i = begin; i < lower->code.count; i++) {
        const struct lit_instr *instr = &lower->code.items[i];
        if ((instr->dst != LIT_NONE && uses(expr, instr->dst)) ||
            (instr->dst_old != LIT_NONE && uses(expr, instr->dst_old)))
            return true;
    }
    return false;
}
