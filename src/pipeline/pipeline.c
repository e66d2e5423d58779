#include "pipeline/pipeline.h"

#include "machine/mach_instr.h"
#include "pipeline/pipe_footprint.h"
#include "pipeline/pipe_ops.h"
#include "pipeline/pipe_reduce.h"
#include "pipeline/pipe_rename.h"
#include "pipeline/pipe_view.h"

#include <string.h>

/* ---- Rules ---- */

static void set_phase(const struct pipe_flow *flow, uint32_t thread, uint32_t phase, bool inside)
{
    BASE_ASSERT(thread < flow->test->program->thread_count);
    if (flow->plan->phases.bytes)
        flow->bytes[flow->plan->phases.at + thread] =
            (uint8_t)(phase | (inside && flow->plan->keeps_inside ? PIPE_INSIDE : 0));
}

/* Was it in a transaction when it came to the instruction that it is stalled at? */
static bool was_inside(const struct pipe_flow *flow, uint32_t thread)
{
    BASE_ASSERT(thread < flow->test->program->thread_count);
    return flow->plan->keeps_inside && flow->bytes[flow->plan->phases.at + thread] & PIPE_INSIDE;
}

/* Where what a work-item stores is to be found: memory, or its log. */
static uint8_t *place_of_store(const struct pipe_flow *flow, const struct pipe_doing *doing,
                               bool open)
{
    const struct pipe_plan *plan = flow->plan;
    if (!open || !plan->log.bytes || !flow->test->program->locations[doing->location].nvm)
        return pipe_memory(plan, flow->bytes, doing->location);
    uint8_t *log = &flow->bytes[plan->log.at + 2 * doing->location];
    log[0] = 1;
    return &log[1];
}

/* Executes the access itself, and goes on. What others store waits for a log that has the location,
 * as its version would be the older one. */
static bool finish(struct mach_test *test, struct pipe_flow *flow, const struct pipe_doing *doing)
{
    const struct lit_instr *instr = doing->instr;
    const struct pipe_plan *plan = flow->plan;
    uint8_t *state = flow->bytes, number;
    if (!lit_instruction_accesses(instr->op))
        return true;
    bool open = pipe_has(state, plan->open, doing->thread);
    const uint8_t *logged = pipe_logged(plan, state, doing->location);
    if (!open && logged && lit_instruction_writes(instr->op))
        return false;
    if (!mach_access(test, state, doing->thread, instr, doing->location,
                     open && logged ? *logged : *pipe_memory(plan, state, doing->location),
                     &number))
        return true;
    *place_of_store(flow, doing, open) = number;
    if (!test->program->locations[doing->location].nvm)
        return true;
    uint8_t bypasses = pipe_bypasses(plan, doing->thread, doing->pc, doing->location, open);
    return pipe_store(flow, doing->thread, doing->location, number, bypasses, doing->through);
}

/* Does a read have to wait for entries that it may not overtake? */
static bool waits_to_see(const struct pipe_flow *flow, const struct pipe_doing *doing)
{
    const struct mach_test *test = flow->test;
    if (!lit_instruction_reads(doing->instr->op) || mach_has_fault(test, MACH_FAULT_PIPE_VIEW))
        return false;
    uint32_t view = pipe_view(flow->plan, doing->thread, doing->pc, doing->location,
                              pipe_has(flow->bytes, flow->plan->open, doing->thread));
    return ANY(i, flow->count,
               flow->entries[i].location == doing->location && flow->entries[i].stage < view &&
                   !pipe_is_open(flow->plan, &flow->entries[i]));
}

/* Arrives at an execution barrier, or at one that a rule has the scope meet at. */
static void arrive(struct mach_test *test, uint8_t *state, uint32_t thread, bool barrier)
{
    mach_set_status(test, state, thread, MACH_WAITING);
    if (barrier && mach_all_wait(test, state, thread))
        mach_leave(test, state, thread);
}

/* Does a work-item stay at an await? */
static bool awaits(const struct pipe_flow *flow, const struct mach_pipe_op *op, uint32_t thread)
{
    return !mach_has_fault(flow->test, MACH_FAULT_PIPE_AWAIT) &&
           pipe_is_owed(flow, pipe_awaited(flow->test, op, thread));
}

/* The access, where the rule has it, and what the work-item does to its registers up to its next
 * instruction. False when it has to wait. */
static bool access_early(struct mach_test *test, struct pipe_flow *flow, struct pipe_doing *doing)
{
    if (!lit_instruction_accesses(doing->instr->op))
        return true;
    if (waits_to_see(flow, doing) || !finish(test, flow, doing))
        return false;
    mach_go_on(test, flow->bytes, doing->thread);
    doing->done = true;
    return true;
}

static void stall(const struct pipe_flow *flow, const struct pipe_doing *doing, uint32_t phase)
{
    set_phase(flow, doing->thread, phase, doing->inside);
    if (doing->done)
        pipe_stall_behind(flow, doing);
    else
        mach_set_status(flow->test, flow->bytes, doing->thread, MACH_STALLED);
}

/* The rule from operation `from` on, up to where the work-item has to stay, then the instruction
 * itself. False when none of it can be done now. */
static bool go_through(struct mach_test *test, struct pipe_flow *flow, struct pipe_doing *doing,
                       uint32_t from)
{
    uint8_t *state = flow->bytes;
    for (uint32_t i = from; doing->rule && i < doing->rule->count; i++) {
        const struct mach_pipe_op *op = &doing->rule->ops[i];
        if (op->op == MACH_PIPE_MEET) {
            set_phase(flow, doing->thread, 0, doing->inside);
            pipe_save(flow);
            arrive(test, state, doing->thread, false);
            return true;
        }
        if (op->op == MACH_PIPE_AWAIT && awaits(flow, op, doing->thread)) {
            stall(flow, doing, i);
            pipe_save(flow);
            return true;
        }
        if (op->op != MACH_PIPE_AWAIT &&
            !(op->op == MACH_PIPE_ACCESS ? access_early(test, flow, doing)
                                         : pipe_do(flow, doing, op)))
            return false;
    }
    if (!doing->done && (waits_to_see(flow, doing) || !finish(test, flow, doing)))
        return false;
    set_phase(flow, doing->thread, 0, false);
    pipe_save(flow);
    if (doing->done)
        return true;
    if (doing->instr->op == LIT_BARRIER)
        arrive(test, state, doing->thread, true);
    else
        mach_go_on(test, state, doing->thread);
    return true;
}

/* ---- Meetings ---- */

/* Those who met, of whom `thread` is one. */
static bool is_of_meeting(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                          uint32_t other)
{
    return mach_is_member(test, thread, other, mach_instr(test, state, thread)->exec_scope);
}

/* What comes after the meeting, from operation `from` on, for each of them; at an await all stay
 * until nothing is owed to any. */
static bool conclude(struct mach_test *test, struct pipe_flow *flow, struct pipe_doing *doing,
                     uint32_t from)
{
    uint8_t *state = flow->bytes;
    uint32_t leader = doing->thread, threads = test->program->thread_count, i = from;
    bool stay = false;
    doing->met = test->members[leader][doing->instr->exec_scope];
    for (; i < doing->rule->count && !stay; i++)
        for (uint32_t u = leader; u < threads; u++) {
            if (!is_of_meeting(test, state, leader, u))
                continue;
            doing->thread = u;
            if (doing->rule->ops[i].op == MACH_PIPE_AWAIT)
                stay |= awaits(flow, &doing->rule->ops[i], u);
            else if (!pipe_do(flow, doing, &doing->rule->ops[i]))
                return false;
        }
    for (uint32_t u = leader; u < threads; u++)
        if (is_of_meeting(test, state, leader, u)) {
            set_phase(flow, u, stay ? i - 1 : 0, stay && was_inside(flow, u));
            if (stay)
                mach_set_status(test, state, u, MACH_STALLED);
        }
    pipe_save(flow);
    if (!stay)
        mach_leave(test, state, leader);
    return true;
}

/* Of those stalled together the first; of one stalled alone that. */
static bool leads_stalled(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                          const struct mach_pipe_rule *rule)
{
    for (uint32_t u = 0; pipe_after_meeting(rule) && u < thread; u++)
        if (is_of_meeting(test, state, thread, u))
            return false;
    return true;
}

/* ---- Steps ---- */

static bool run_instruction(struct mach_test *test, uint8_t *state, struct pipe_flow *flow,
                            uint32_t thread)
{
    struct pipe_doing doing = pipe_doing(test, state, thread);
    enum lit_instr_op op = doing.instr->op;
    bool write = lit_instruction_writes(op) && test->program->locations[doing.location].nvm;
    if (!doing.rule && !write && !pipe_plan(test)->pipe->views.count) {
        /* Nothing that is in a stage has to do with it. */
        if (op == LIT_BARRIER) {
            arrive(test, state, thread, true);
            return true;
        }
        flow->test = test;
        flow->plan = pipe_plan(test);
        flow->bytes = state;
        finish(test, flow, &doing);
        mach_go_on(test, state, thread);
        return true;
    }
    if (!doing.rule && doing.location < test->program->location_count &&
        test->program->locations[doing.location].nvm)
        pipe_load_run(flow, test, state, doing.location, LIT_NONE);
    else
        pipe_load(flow, test, state);
    return go_through(test, flow, &doing, 0);
}

static void end_stall_behind(struct mach_test *test, const struct pipe_flow *flow, uint32_t thread)
{
    memset(&flow->bytes[flow->plan->behind.at + thread * PIPE_BEHIND_BYTES], 0, PIPE_BEHIND_BYTES);
    mach_end_stall(test, flow->bytes, thread);
}

static bool go_on(struct mach_test *test, uint8_t *state, struct pipe_flow *flow, uint32_t thread)
{
    struct pipe_doing doing = pipe_doing(test, state, thread);
    uint32_t from = pipe_phase_of(pipe_plan(test), state, thread, doing.rule);
    pipe_load(flow, test, state);
    if (pipe_after_meeting(doing.rule) && from >= pipe_after_meeting(doing.rule))
        return conclude(test, flow, &doing, from);
    if (awaits(flow, &doing.rule->ops[from], thread))
        return false;
    for (uint32_t i = 0; i < from; i++) /* of the store that is still to come */
        if (doing.rule->ops[i].op == MACH_PIPE_THROUGH)
            pipe_do(flow, &doing, &doing.rule->ops[i]);
    if (doing.done)
        end_stall_behind(test, flow, thread);
    else
        mach_set_status(test, state, thread, MACH_RUNNING);
    return go_through(test, flow, &doing, from + 1);
}

static bool meet(struct mach_test *test, uint8_t *state, struct pipe_flow *flow, uint32_t thread)
{
    struct pipe_doing doing = pipe_doing(test, state, thread);
    pipe_load(flow, test, state);
    return conclude(test, flow, &doing, pipe_after_meeting(doing.rule));
}

static bool pipeline_perform(struct mach_test *test, uint8_t *state, struct mach_step step)
{
    struct pipe_flow flow;
    switch ((enum pipe_step)step.kind) {
    case PIPE_RUN: return run_instruction(test, state, &flow, step.thread);
    case PIPE_GO_ON: return go_on(test, state, &flow, step.thread);
    case PIPE_MEET: return meet(test, state, &flow, step.thread);
    case PIPE_MOVE:
        pipe_move(&flow, pipe_load_run(&flow, test, state, step.unit, step.line));
        pipe_save(&flow);
        return true;
    }
    BASE_UNREACHABLE("a step of the pipeline");
}

bool pipe_may_go_on(struct mach_test *test, const uint8_t *state, uint32_t thread, uint64_t owed)
{
    BASE_ASSERT(thread < test->program->thread_count);
    const struct pipe_plan *plan = pipe_plan(test);
    struct pipe_doing doing = pipe_doing(test, state, thread);
    uint32_t meeting = pipe_after_meeting(doing.rule);
    uint32_t phase = pipe_phase_of(plan, state, thread, doing.rule);
    if (mach_has_fault(test, MACH_FAULT_PIPE_AWAIT))
        owed = 0;
    if (!meeting || phase < meeting)
        return !(owed & pipe_awaited(test, &doing.rule->ops[phase], thread));
    return !(owed & test->members[thread][doing.instr->exec_scope]) &&
           leads_stalled(test, state, thread, doing.rule);
}

static uint32_t pipeline_enabled(struct mach_test *test, const uint8_t *state,
                                 struct mach_step *steps)
{
    struct pipe_flow flow;
    uint32_t count = 0;
    pipe_load(&flow, test, state);
    uint64_t owed = pipe_owed(flow.plan, state);
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        enum mach_status status = mach_status(test, state, t);
        if (status == MACH_RUNNING)
            steps[count++] = (struct mach_step){.kind = PIPE_RUN, .thread = (uint8_t)t};
        else if (mach_is_stalled(status) && pipe_may_go_on(test, state, t, owed))
            steps[count++] = (struct mach_step){.kind = PIPE_GO_ON, .thread = (uint8_t)t};
        else if (mach_leads(test, state, t, false))
            steps[count++] = (struct mach_step){.kind = PIPE_MEET, .thread = (uint8_t)t};
    }
    for (uint32_t i = 0; i < flow.count; i++)
        if (pipe_may_move(&flow, i) && pipe_leads_group(&flow, i))
            steps[count++] = (struct mach_step){
                .kind = PIPE_MOVE, .unit = flow.entries[i].location, .line = (uint8_t)i};
    return count;
}

/* Does a work-item access what is in its log alone? */
static bool is_computing(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    const struct pipe_plan *plan = pipe_plan(test);
    if (mach_status(test, state, thread) != MACH_RUNNING || !pipe_has(state, plan->open, thread))
        return false;
    const struct pipe_doing doing = pipe_doing(test, state, thread);
    return !doing.rule && lit_instruction_accesses(doing.instr->op) &&
           test->program->locations[doing.location].nvm &&
           (pipe_logged(plan, state, doing.location) || !lit_instruction_reads(doing.instr->op));
}

static const uint8_t *pipeline_computed(struct mach_test *test, const uint8_t *state, uint8_t *room)
{
    enum { MOST = 4096 }; /* instructions: a loop may have no end */
    struct pipe_flow flow;
    if (!pipe_plan(test)->log.bytes)
        return state;
    memcpy(room, state, test->size);
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        for (uint32_t i = 0; i < MOST && is_computing(test, room, t) && !test->wanting; i++)
            if (!run_instruction(test, room, &flow, t))
                break;
    return room;
}

/* ---- States ---- */

static uint32_t pipeline_size(struct mach_test *test, struct arena *arena)
{
    uint32_t size;
    test->plan = pipe_plan_new(test, arena, &size);
    return size;
}

static void pipeline_start(struct mach_test *test, uint8_t *state)
{
    const struct pipe_plan *plan = pipe_plan(test);
    const struct lit_program *program = test->program;
    mach_start_threads(test, state);
    for (uint32_t l = 0; l < program->location_count; l++) {
        *pipe_memory(plan, state, l) = mach_number(test, program->locations[l].init);
        if (program->locations[l].nvm)
            *pipe_medium(plan, state, l) = *pipe_memory(plan, state, l);
    }
    for (uint32_t v = 0; v < plan->pipe->variable_count; v++)
        state[plan->variables.at + v] = plan->pipe->initial[v];
}

static uint8_t pipeline_last(const struct mach_test *test, const uint8_t *state, uint32_t location)
{
    BASE_ASSERT(location < test->program->location_count);
    return state[pipe_plan(test)->memory_at[location]];
}

static uint8_t pipeline_memory(const struct mach_test *test, const uint8_t *state,
                               uint32_t location)
{
    BASE_ASSERT(location < test->program->location_count);
    return test->program->locations[location].nvm ? pipe_image(test, state, location)
                                                  : pipeline_last(test, state, location);
}

static bool pipeline_quiet(const struct mach_test *test, const uint8_t *state)
{
    return state[pipe_plan(test)->count_at] == 0;
}

static const struct lit_instr *pipeline_behind(const struct mach_test *test, const uint8_t *state,
                                               uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    return &test->program->threads[thread].code[pipe_pc(pipe_plan(test), test, state, thread)];
}

/* ---- Faults ---- */

static uint64_t faults_of_stage(const struct mach_pipe_stage *stage)
{
#define FAULT(condition, name) ((condition) ? UINT64_C(1) << MACH_FAULT_PIPE_##name : 0)
    return FAULT(stage->order != MACH_PIPE_ORDER_ANY, ORDER) | FAULT(stage->hold, HELD) |
           FAULT(stage->merge, OVERWRITTEN) | FAULT(stage->group, TORN) |
           FAULT(stage->durable, DURABLE_LOST) | FAULT(true, OLDER_LAST);
}

static uint64_t faults_of_op(enum mach_pipe_operation op)
{
    bool obliges = op == MACH_PIPE_MOVE || op == MACH_PIPE_DRAIN;
    return FAULT(op == MACH_PIPE_AWAIT, AWAIT) | FAULT(obliges, OBLIGATION) |
           FAULT(op == MACH_PIPE_THROUGH, THROUGH) | FAULT(op == MACH_PIPE_MARK, MARK) |
           FAULT(op == MACH_PIPE_SET, WINDOW);
}

uint64_t mach_pipe_faults(const struct mach_pipe *pipe)
{
    uint64_t faults = FAULT(pipe->views.count > 0, VIEW) | FAULT(pipe->isolate, ISOLATION);
    bool transactions = false;
    for (uint32_t i = 0; i < pipe->rule_count; i++)
        for (uint32_t k = 0; k < pipe->rules[i].count; k++) {
            faults |= faults_of_op(pipe->rules[i].ops[k].op);
            transactions |= pipe->rules[i].ops[k].op == MACH_PIPE_BEGIN;
        }
    for (uint32_t s = 0; s < pipe->stage_count; s++)
        faults |= faults_of_stage(&pipe->stages[s]);
    return transactions ? faults : faults & ~FAULT(true, OVERWRITTEN);
#undef FAULT
}

const struct machine pipeline = {
    .name = "pipeline",
    .description = "stages through which writes travel to durability, as a file describes them",
    .size = pipeline_size,
    .start = pipeline_start,
    .enabled = pipeline_enabled,
    .perform = pipeline_perform,
    .footprints = pipe_footprints,
    .memory = pipeline_memory,
    .last = pipeline_last,
    .computed = pipeline_computed,
    .quiet = pipeline_quiet,
    .reduce = pipe_reduce,
    .describe = pipe_describe,
    .rename = pipe_rename,
    .view = pipe_view_state,
    .behind = pipeline_behind,
    .tell = pipe_tell,
};
