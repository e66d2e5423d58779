#include "engine/lone.h"

#include "litmus/lit_code.h"

/* Without waits, checks, run-time indices and divisions it has no fault, and so comes to its end.
 */
static bool code_may_fail(const struct lit_thread *thread)
{
    EACH (const struct lit_instr, instr, thread->code, thread->code_count)
        if (instr->op == LIT_AWAIT || instr->op == LIT_CHECK || instr->addr.index ||
            instr->quorum || instr->resource || lit_code_divides(instr->value) ||
            lit_code_divides(instr->expected))
            return true;
    return false;
}

/* What the built-in models call undefined are races of different work-items; and each of them lets
 * pass what one work-item does in program order, every read taking the latest write before it.
 * Transactions of one work-item come one after the other; where one is left open is a CHECK. */
bool lone_may_fail(const struct lit_thread *thread, const struct cat_model *model)
{
    return code_may_fail(thread) || !model->builtin;
}

/* What the built-in models flag is a race, of one work-item between operands. */
bool lone_may_flag(const struct lit_thread *thread, const struct cat_model *model)
{
    bool has_flags = false, has_operands = false;
    for (uint32_t c = 0; c < model->check_count; c++)
        has_flags |= model->checks[c].kind == CAT_FLAG;
    for (uint32_t i = 0; i < thread->code_count; i++)
        has_operands |= thread->code[i].unsequenced != NULL;
    return has_flags && (has_operands || !model->builtin);
}
