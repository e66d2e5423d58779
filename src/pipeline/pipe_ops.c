#include "pipeline/pipe_ops.h"

#include "machine/mach_instr.h"

static const uint8_t *behind_of(const struct pipe_plan *plan, const uint8_t *state, uint32_t thread)
{
    BASE_ASSERT(plan->behind.bytes);
    return &state[plan->behind.at + thread * PIPE_BEHIND_BYTES];
}

uint32_t pipe_pc(const struct pipe_plan *plan, const struct mach_test *test, const uint8_t *state,
                 uint32_t thread)
{
    if (mach_status(test, state, thread) != MACH_STALLED_BEHIND)
        return mach_pc(test, state, thread);
    const uint8_t *behind = behind_of(plan, state, thread);
    return behind[0] | (uint32_t)behind[1] << 8;
}

struct pipe_doing pipe_doing(struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    const struct pipe_plan *plan = pipe_plan(test);
    const uint32_t pc = pipe_pc(plan, test, state, thread);
    struct pipe_doing doing = {.instr = &test->program->threads[thread].code[pc],
                               .thread = thread,
                               .pc = pc,
                               .location = test->program->location_count,
                               .inside = pipe_has(state, plan->open, thread)};
    if (plan->keeps_inside && mach_status(test, state, thread) != MACH_RUNNING)
        doing.inside = state[plan->phases.at + thread] & PIPE_INSIDE;
    doing.done = mach_status(test, state, thread) == MACH_STALLED_BEHIND;
    if (doing.done) /* what its index was made of may have changed */
        doing.location = behind_of(plan, state, thread)[2] - 1u;
    else if (lit_instruction_is(doing.instr->op, LIT_PLACED))
        doing.location = mach_location(test, state, thread, doing.instr);
    doing.rule = pipe_rule(plan, thread, pc, doing.location, doing.inside);
    return doing;
}

void pipe_stall_behind(const struct pipe_flow *flow, const struct pipe_doing *doing)
{
    uint8_t *behind = &flow->bytes[flow->plan->behind.at + doing->thread * PIPE_BEHIND_BYTES];
    behind[0] = (uint8_t)doing->pc;
    behind[1] = (uint8_t)(doing->pc >> 8);
    behind[2] = (uint8_t)(doing->location + 1);
    mach_set_status(flow->test, flow->bytes, doing->thread, MACH_STALLED_BEHIND);
}

uint32_t pipe_phase_of(const struct pipe_plan *plan, const uint8_t *state, uint32_t thread,
                       const struct mach_pipe_rule *rule)
{
    uint32_t phase = 0;
    if (plan->phases.bytes)
        return state[plan->phases.at + thread] & ~(uint32_t)PIPE_INSIDE;
    while (rule->ops[phase].op != MACH_PIPE_AWAIT)
        phase++;
    return phase;
}

uint64_t pipe_awaited(const struct mach_test *test, const struct mach_pipe_op *op, uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    return op->scope == LIT_SCOPE_WI ? UINT64_C(1) << thread : test->members[thread][op->scope];
}

uint32_t pipe_after_meeting(const struct mach_pipe_rule *rule)
{
    for (uint32_t i = 0; rule && i < rule->count; i++)
        if (rule->ops[i].op == MACH_PIPE_MEET)
            return i + 1;
    return 0;
}

static uint64_t scope_of(const struct mach_test *test, const struct pipe_doing *doing)
{
    return test->members[doing->thread][doing->instr->scope];
}

static bool is_in_instance(const struct pipe_flow *flow, const struct pipe_entry *entry,
                           uint32_t thread)
{
    BASE_ASSERT(thread < flow->test->program->thread_count);
    return entry->instance == flow->plan->instance_of[entry->stage][thread];
}

static bool is_of_line(const struct pipe_flow *flow, const struct pipe_entry *entry,
                       uint32_t location)
{
    BASE_ASSERT(location <= flow->test->program->location_count);
    const struct lit_program *program = flow->test->program;
    return location < program->location_count &&
           program->locations[entry->location].line == program->locations[location].line;
}

bool pipe_is_meant(const struct pipe_flow *flow, const struct pipe_doing *doing,
                   enum mach_pipe_which which, uint32_t number)
{
    BASE_ASSERT(number < flow->count);
    const struct pipe_entry *entry = &flow->entries[number];
    switch (which) {
    case MACH_PIPE_WHICH_LINE: return is_of_line(flow, entry, doing->location);
    case MACH_PIPE_WHICH_HERE:
        return is_of_line(flow, entry, doing->location) &&
               is_in_instance(flow, entry, doing->thread);
    case MACH_PIPE_WHICH_OWN: return entry->writers >> doing->thread & 1;
    case MACH_PIPE_WHICH_STRAND: return flow->strands[doing->thread] >> number & 1;
    case MACH_PIPE_WHICH_UNIT: return is_in_instance(flow, entry, doing->thread);
    case MACH_PIPE_WHICH_SCOPE: return (entry->writers & scope_of(flow->test, doing)) != 0;
    case MACH_PIPE_WHICH_ALL: return true;
    }
    BASE_UNREACHABLE("which entries");
}

/* MOVE, DRAIN */
static void oblige(struct pipe_flow *flow, const struct pipe_doing *doing,
                   const struct mach_pipe_op *op)
{
    uint64_t mask = 0;
    for (uint32_t i = 0; i < flow->count; i++) {
        const struct pipe_entry *entry = &flow->entries[i];
        bool there =
            op->op == MACH_PIPE_DRAIN ? entry->stage <= op->stage : entry->stage == op->stage;
        if (there && !pipe_is_open(flow->plan, entry) && pipe_is_meant(flow, doing, op->which, i))
            mask |= UINT64_C(1) << i;
    }
    if (mask && mach_has_fault(flow->test, MACH_FAULT_PIPE_OBLIGATION))
        mask &= ~(UINT64_C(1) << (63 - __builtin_clzll(mask)));
    for (; mask; mask &= mask - 1)
        pipe_owe(flow->plan, &flow->entries[__builtin_ctzll(mask)], doing->thread,
                 op->stage + op->further);
}

/* ---- Marks ---- */

/* Of the instance of a work-item. */
static uint64_t instance_of(const struct pipe_flow *flow, uint32_t stage, uint32_t thread)
{
    BASE_ASSERT(thread < flow->test->program->thread_count);
    BASE_ASSERT(stage < flow->plan->stages);
    return pipe_in_instance(flow, stage, flow->plan->instance_of[stage][thread]);
}

static void mark_scope(struct pipe_flow *flow, uint64_t scope, uint32_t stage)
{
    uint64_t written = pipe_written_by(flow, scope);
    for (; scope; scope &= scope - 1) {
        uint32_t u = (uint32_t)__builtin_ctzll(scope);
        flow->own_marks[u] |= pipe_close(flow, written & instance_of(flow, stage, u));
    }
}

static void mark_instance(struct pipe_flow *flow, uint32_t stage, uint32_t instance)
{
    BASE_ASSERT(stage < flow->plan->stages);
    flow->instance_marks[stage][instance] |= pipe_in_instance(flow, stage, instance);
}

/* What the work-item stores from here on is behind what others have stored to the line, in whichever
 * instance that is. */
static void mark_line(struct pipe_flow *flow, const struct pipe_doing *doing, uint32_t stage)
{
    uint64_t mask = 0;
    for (uint32_t i = 0; i < flow->count; i++) {
        const struct pipe_entry *entry = &flow->entries[i];
        if (entry->stage == stage && !pipe_is_open(flow->plan, entry) &&
            is_of_line(flow, entry, doing->location) && !(entry->writers >> doing->thread & 1))
            mask |= UINT64_C(1) << i;
    }
    flow->own_marks[doing->thread] |= mask;
}

static void mark(struct pipe_flow *flow, const struct pipe_doing *doing,
                 const struct mach_pipe_op *op)
{
    const struct pipe_plan *plan = flow->plan;
    uint32_t t = doing->thread, stage = op->stage;
    if (mach_has_fault(flow->test, MACH_FAULT_PIPE_MARK) ||
        pipe_stage(plan, stage)->order != MACH_PIPE_ORDER_MARKS)
        return;
    switch (op->which) {
    case MACH_PIPE_WHICH_OWN: mark_scope(flow, UINT64_C(1) << t, stage); return;
    case MACH_PIPE_WHICH_SCOPE: mark_scope(flow, scope_of(flow->test, doing), stage); return;
    case MACH_PIPE_WHICH_STRAND:
        flow->strand_marks[t] |= pipe_close(flow, flow->strands[t] & instance_of(flow, stage, t));
        return;
    case MACH_PIPE_WHICH_UNIT: mark_instance(flow, stage, plan->instance_of[stage][t]); return;
    case MACH_PIPE_WHICH_ALL:
        for (uint32_t i = 0; i < plan->instances[stage]; i++)
            mark_instance(flow, stage, i);
        return;
    case MACH_PIPE_WHICH_LINE: mark_line(flow, doing, stage); return;
    case MACH_PIPE_WHICH_HERE: break; /* not of marks: nothing is behind it */
    }
}

/* ---- Transactions ---- */

static bool begin_transaction(struct pipe_flow *flow, uint32_t thread)
{
    const struct pipe_plan *plan = flow->plan;
    bool broken = mach_has_fault(flow->test, MACH_FAULT_PIPE_ISOLATION);
    if (pipe_has(flow->bytes, plan->open, thread))
        return true;
    for (uint32_t u = 0; u < flow->test->program->thread_count && !broken; u++)
        if (u != thread && pipe_has(flow->bytes, plan->held, u))
            return false;
    pipe_set(flow->bytes, plan->open, thread, true);
    pipe_set(flow->bytes, plan->held, thread, true);
    return true;
}

bool pipe_do(struct pipe_flow *flow, struct pipe_doing *doing, const struct mach_pipe_op *op)
{
    const struct pipe_plan *plan = flow->plan;
    uint32_t t = doing->thread;
    switch (op->op) {
    case MACH_PIPE_MOVE:
    case MACH_PIPE_DRAIN: oblige(flow, doing, op); return true;
    case MACH_PIPE_THROUGH:
        doing->through = !mach_has_fault(flow->test, MACH_FAULT_PIPE_THROUGH);
        return true;
    case MACH_PIPE_MARK: mark(flow, doing, op); return true;
    case MACH_PIPE_STRAND: flow->strands[t] = flow->strand_marks[t] = 0; return true;
    case MACH_PIPE_BEGIN: return begin_transaction(flow, t);
    case MACH_PIPE_ENQUEUE:
    case MACH_PIPE_COMMIT: return pipe_commit(flow, t, doing->met);
    case MACH_PIPE_ABORT: pipe_abort(flow, t); return true;
    case MACH_PIPE_RELEASE: pipe_set(flow->bytes, plan->held, t, false); return true;
    case MACH_PIPE_SET:
        if (!mach_has_fault(flow->test, MACH_FAULT_PIPE_WINDOW))
            flow->bytes[plan->variables.at + op->variable] = op->value;
        return true;
    case MACH_PIPE_AWAIT:
    case MACH_PIPE_ACCESS:
    case MACH_PIPE_MEET: break;
    }
    BASE_UNREACHABLE("an operation that waits");
}
