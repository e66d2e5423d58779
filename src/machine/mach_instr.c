#include "machine/mach_instr.h"

static bool meets(const struct lit_instr *a, const struct lit_instr *b)
{
    return b && a->op == b->op && a->exec_scope == b->exec_scope && a->label == b->label;
}

bool mach_waits_with(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                     uint32_t other)
{
    BASE_ASSERT(thread != other || mach_status(test, state, other) <= MACH_FAULTED);
    return mach_status(test, state, other) == MACH_WAITING &&
           meets(mach_instr(test, state, thread), mach_instr(test, state, other));
}

bool mach_all_wait(const struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    BASE_ASSERT(mach_instr(test, state, thread));
    enum lit_scope scope = mach_instr(test, state, thread)->exec_scope;
    return !ANY(u, test->program->thread_count,
                mach_is_member(test, thread, u, scope) && !mach_waits_with(test, state, thread, u));
}

bool mach_leads(const struct mach_test *test, const uint8_t *state, uint32_t thread, bool early)
{
    const struct lit_instr *instr = mach_instr(test, state, thread);
    if (mach_status(test, state, thread) != MACH_WAITING || instr->op != LIT_PBARRIER ||
        !(early || mach_all_wait(test, state, thread)))
        return false;
    return !ANY(u, thread,
                mach_status(test, state, u) == MACH_WAITING &&
                    mach_is_member(test, thread, u, instr->scope));
}

void mach_leave(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    enum lit_scope scope = mach_instr(test, state, thread)->exec_scope;
    for (uint32_t u = 0; u < test->program->thread_count; u++)
        if (mach_is_member(test, thread, u, scope))
            mach_go_on(test, state, u);
}

bool mach_all_done(const struct mach_test *test, const uint8_t *state)
{
    return ALL(t, test->program->thread_count, mach_status(test, state, t) == MACH_DONE);
}

bool mach_meets_widely(const struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    BASE_ASSERT(mach_instr(test, state, thread));
    const struct lit_instr *instr = mach_instr(test, state, thread);
    enum lit_scope scope = instr->exec_scope;
    return scope > LIT_SCOPE_WG || instr->scope > LIT_SCOPE_WG ||
           ANY(u, test->program->thread_count,
               mach_is_member(test, thread, u, scope) && mach_waits_with(test, state, thread, u) &&
                   mach_instr(test, state, u)->scope > LIT_SCOPE_WG);
}

bool mach_meets_beyond_group(const struct mach_test *test, enum lit_instr_op op)
{
    EACH (const struct lit_thread, thread, test->program->threads, test->program->thread_count)
        for (uint32_t i = 0; i < thread->code_count; i++)
            if (thread->code[i].op == op && thread->code[i].exec_scope > LIT_SCOPE_WG)
                return true;
    return false;
}

bool mach_is_wide(const struct lit_instr *instr)
{
    return (instr->op == LIT_FENCE || instr->order != LIT_ORDER_NA) && instr->scope > LIT_SCOPE_WG;
}

bool mach_acquires(enum lit_order order)
{
    return order == LIT_ORDER_ACQ || order == LIT_ORDER_ACQ_REL || order == LIT_ORDER_SC;
}

bool mach_releases(enum lit_order order)
{
    return order == LIT_ORDER_REL || order == LIT_ORDER_ACQ_REL || order == LIT_ORDER_SC;
}

enum lit_order mach_order_of(const struct lit_instr *instr, bool writes)
{
    BASE_ASSERT(!writes || lit_instruction_writes(instr->op));
    return instr->op == LIT_CAS && !writes ? instr->fail_order : instr->order;
}

static int64_t combine(const struct lit_instr *instr, enum lit_type type, int64_t old,
                       int64_t operand)
{
    BASE_ASSERT(instr->op == LIT_RMW || instr->op == LIT_CAS);
    enum lit_type own = instr->computes ? instr->computes - 1 : type;
    int64_t result =
        lit_rmw_apply(instr->rmw, own, lit_value_wrap(own, old), lit_value_wrap(own, operand));
    return lit_value_wrap(type, instr->computes ? lit_value_wrap(lit_type_unsigned(own), result)
                                                : result);
}

bool mach_access(struct mach_test *test, uint8_t *state, uint32_t thread,
                 const struct lit_instr *instr, uint32_t location, uint8_t old, uint8_t *number)
{
    BASE_ASSERT(location < test->program->location_count);
    BASE_ASSERT(lit_instruction_is(instr->op, LIT_PLACED));
    enum lit_type type = test->program->locations[location].type;
    int64_t found = mach_value(test, old);
    int64_t value = instr->value ? mach_evaluate(test, state, thread, instr->value) : 0;
    int64_t wanted = instr->expected ? mach_evaluate(test, state, thread, instr->expected) : 0;
    bool writes = lit_instruction_writes(instr->op);
    if (instr->op == LIT_RMW || instr->op == LIT_CAS)
        value = combine(instr, type, found, value);
    if (instr->op == LIT_CAS) {
        writes = (found == lit_value_wrap(type, wanted)) != instr->unless;
        mach_set_register(test, state, thread, instr->dst, writes);
        mach_set_register(test, state, thread, instr->dst_old, found);
    } else if (lit_instruction_reads(instr->op)) {
        mach_set_register(test, state, thread, instr->dst, found);
    }
    if (writes)
        *number = mach_number(test, lit_value_wrap(type, value));
    return writes;
}
