/* The things of footprints: memory at a location; a run's entries on their way; arrivals in an
 * instance of a stage; who meets or is in a transaction; stores to NVM, which all want room. Why
 * steps with independent footprints are independent:
 *
 * An instruction without a rule changes its work-item, memory and, by a store to NVM, its run; a
 * read that a view holds back looks at the run. Stores to two runs hinder each other only where
 * there is no room for both. A move changes its run and hinders nobody. It leaves the masks of
 * entries in other runs that stand behind it, in either order.
 *
 * An entry behind one of another run, in its instance or in another, may move once that one leaves.
 * So these two moves are not independent, whatever else the entry behind can do already.
 *
 * An entry that comes to a stage gets the last turn there: the order of two arrivals matters.
 * Whether two versions merge may depend on entries between or before them. So leaving an instance
 * with turns or marks is not independent of coming there.
 *
 * A rule obliges or marks entries before a stage or in it. An entry that leaves the stage loses
 * that, first or later. So the rule depends only on entries that come to the stage, or to an
 * instance that the rule asks for, and on entries that have to get past a further stage. Others'
 * stores matter if the rule asks for more than its work-item's own. Whether a work-item goes on at
 * an await depends on a move only if entries of one run alone hold it back. With further entries it
 * stays, and with none it goes, whatever comes first. */
#include "pipeline/pipe_footprint.h"

#include "machine/mach_instr.h"
#include "pipeline/pipe_ops.h"
#include "pipeline/pipe_state.h"
#include "pipeline/pipeline.h"

static const uint64_t everything = UINT64_MAX;

/* Things of one kind share bits when there are many. */
enum { MEMORY_BITS = 28, RUN_BITS = 28, INSTANCE_BITS = 6 };

static uint64_t memory_of(uint32_t location)
{
    return UINT64_C(1) << location % MEMORY_BITS;
}

static uint64_t run_of(const struct pipe_plan *plan, uint32_t location)
{
    return UINT64_C(1) << (MEMORY_BITS + plan->home_of[location]->number % RUN_BITS);
}

static uint64_t instance_of(uint32_t stage, uint32_t instance)
{
    return UINT64_C(1) << (MEMORY_BITS + RUN_BITS + (stage + instance) % INSTANCE_BITS);
}

static const uint64_t control = UINT64_C(1) << 62, stores = UINT64_C(1) << 63;

static bool has_marks(const struct mach_pipe_stage *stage)
{
    return stage->order == MACH_PIPE_ORDER_MARKS && stage->merge;
}

/* Who comes there comes behind somebody. */
static uint64_t arrival(const struct pipe_plan *plan, uint32_t stage, uint32_t instance)
{
    const struct mach_pipe_stage *its = pipe_stage(plan, stage);
    return its->order == MACH_PIPE_ORDER_FIFO || its->group || has_marks(its)
               ? instance_of(stage, instance)
               : 0;
}

static uint64_t departure(const struct pipe_plan *plan, uint32_t stage, uint32_t instance)
{
    const struct mach_pipe_stage *its = pipe_stage(plan, stage);
    return its->order == MACH_PIPE_ORDER_FIFO || has_marks(its) ? instance_of(stage, instance) : 0;
}

/* ---- Of instructions, without their rules ---- */

static void add_location(const struct pipe_plan *plan, const struct mach_test *test,
                         uint32_t thread, uint32_t pc, uint32_t location,
                         struct mach_footprint *footprint)
{
    BASE_ASSERT(thread < test->program->thread_count);
    BASE_ASSERT(location < test->program->location_count);
    const struct lit_instr *instr = &test->program->threads[thread].code[pc];
    bool nvm = test->program->locations[location].nvm;
    footprint->looks |= memory_of(location);
    if (nvm && plan->views.code[thread][pc])
        footprint->looks |= run_of(plan, location);
    if (!lit_instruction_writes(instr->op))
        return;
    footprint->changes |= memory_of(location) | (nvm ? run_of(plan, location) : 0);
    if (nvm && plan->may_fill)
        footprint->changes |= stores;
    if (nvm)
        footprint->looks |= stores;
    for (uint32_t s = 0; nvm && s < plan->stages; s++)
        footprint->changes |= arrival(plan, s, plan->instance_of[s][thread]);
}

/* With whom somebody meets makes a difference to others, unless that is nobody. */
static uint64_t meeting(const struct mach_test *test, uint32_t thread,
                        const struct lit_instr *instr)
{
    return mach_is_alone(test, thread, instr->exec_scope) &&
                   mach_is_alone(test, thread, instr->scope)
               ? 0
               : control;
}

static struct mach_footprint of_instr(const struct pipe_plan *plan, const struct mach_test *test,
                                      uint32_t thread, uint32_t pc)
{
    BASE_ASSERT(thread < test->program->thread_count);
    const struct lit_instr *instr = &test->program->threads[thread].code[pc];
    struct mach_footprint footprint = {0, 0, thread < MACH_ACTORS ? thread : MACH_NOBODY};
    if (lit_instruction_meets(instr->op))
        footprint.changes = meeting(test, thread, instr);
    if (lit_instruction_accesses(instr->op))
        for (uint32_t i = 0; i < (instr->addr.index ? instr->addr.count : 1); i++)
            add_location(plan, test, thread, pc, instr->addr.first + i * instr->addr.stride,
                         &footprint);
    return footprint;
}

void pipe_find_footprints(struct pipe_plan *plan, const struct mach_test *test, struct arena *arena)
{
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        uint32_t count = test->program->threads[t].code_count;
        struct mach_footprint *footprints = ARENA_ARRAY(arena, struct mach_footprint, count + 1);
        for (uint32_t pc = 0; pc < count; pc++)
            footprints[pc] = of_instr(plan, test, t, pc);
        plan->footprints[t] = footprints;
    }
}

/* ---- Of rules ---- */

static bool is_there(const struct mach_pipe_op *op, const struct pipe_entry *entry)
{
    return op->op == MACH_PIPE_DRAIN ? entry->stage <= op->stage : entry->stage == op->stage;
}

/* Of others' stores, that make entries which an operation may mean. */
static void add_stores(const struct pipe_flow *flow, const struct pipe_doing *doing,
                       const struct mach_pipe_op *op, struct mach_footprint *footprint)
{
    const struct lit_program *program = flow->test->program;
    enum mach_pipe_which which = op->which;
    bool own = which == MACH_PIPE_WHICH_OWN || which == MACH_PIPE_WHICH_STRAND ||
               (which == MACH_PIPE_WHICH_SCOPE &&
                mach_is_alone(flow->test, doing->thread, doing->instr->scope));
    if (own || (op->op != MACH_PIPE_DRAIN && op->stage > 0 && flow->plan->all_enter_first))
        return;
    if (which != MACH_PIPE_WHICH_LINE && which != MACH_PIPE_WHICH_HERE) {
        footprint->changes |= stores;
        return;
    }
    for (uint32_t l = 0; doing->location < program->location_count && l < program->location_count;
         l++)
        if (program->locations[l].nvm &&
            program->locations[l].line == program->locations[doing->location].line)
            footprint->looks |= run_of(flow->plan, l);
}

/* Of the entries it means, and of those that would come to be meant. Adds to `owed` the runs of
 * those that the work-item waits for from now on. */
static void add_obligation(const struct pipe_flow *flow, const struct pipe_doing *doing,
                           const struct mach_pipe_op *op, uint64_t *owed,
                           struct mach_footprint *footprint)
{
    add_stores(flow, doing, op, footprint);
    for (uint32_t i = 0; i < flow->count; i++) {
        const struct pipe_entry *entry = &flow->entries[i];
        uint64_t run = run_of(flow->plan, entry->location);
        bool meant = is_there(op, entry) && !pipe_is_open(flow->plan, entry) &&
                     pipe_is_meant(flow, doing, op->which, i);
        bool comes = entry->stage < op->stage &&
                     (op->op != MACH_PIPE_DRAIN || op->which == MACH_PIPE_WHICH_UNIT ||
                      op->which == MACH_PIPE_WHICH_HERE);
        if (comes || (meant && op->further))
            footprint->looks |= run;
        if (op->op != MACH_PIPE_MARK && meant)
            *owed |= run;
    }
}

static uint64_t owed_runs(const struct pipe_flow *flow, uint64_t threads)
{
    uint64_t runs = 0;
    for (uint32_t i = 0; i < flow->count; i++)
        for (uint32_t slot = 0; slot < flow->plan->owed_count; slot++)
            if (flow->entries[i].owed[slot] & threads)
                runs |= run_of(flow->plan, flow->entries[i].location);
    return runs;
}

static bool is_single(uint64_t mask)
{
    return mask && !(mask & (mask - 1));
}

/* An await; false when the work-item stays at it. What others oblige themselves to makes a
 * difference where it is waited for, too. */
static bool add_await(const struct pipe_flow *flow, const struct pipe_doing *doing,
                      const struct mach_pipe_op *op, uint64_t owed,
                      struct mach_footprint *footprint)
{
    if (op->scope == LIT_SCOPE_WI) {
        footprint->looks |= is_single(owed) ? owed : 0;
        return owed == 0;
    }
    owed |= owed_runs(flow, pipe_awaited(flow->test, op, doing->thread));
    footprint->looks |= owed;
    footprint->changes |= control;
    return owed == 0;
}

/* An operation; false when the work-item stays at it. */
static bool add_op(const struct pipe_flow *flow, const struct pipe_doing *doing,
                   const struct mach_pipe_op *op, uint64_t *owed, struct mach_footprint *footprint)
{
    bool awaited = flow->plan->effects[PIPE_AWAITS_OTHERS];
    switch (op->op) {
    case MACH_PIPE_MOVE:
    case MACH_PIPE_DRAIN:
    case MACH_PIPE_MARK:
        footprint->looks |= awaited ? control : 0;
        add_obligation(flow, doing, op, owed, footprint);
        return true;
    case MACH_PIPE_THROUGH: footprint->looks |= awaited ? control : 0; return true;
    case MACH_PIPE_ACCESS: /* of its instruction */
    case MACH_PIPE_STRAND: return true;
    case MACH_PIPE_AWAIT: return add_await(flow, doing, op, *owed, footprint);
    case MACH_PIPE_MEET:
        footprint->changes |= meeting(flow->test, doing->thread, doing->instr);
        return false;
    case MACH_PIPE_BEGIN:
    case MACH_PIPE_RELEASE: footprint->changes |= control; return true;
    case MACH_PIPE_ENQUEUE:
    case MACH_PIPE_COMMIT:
    case MACH_PIPE_ABORT:
    case MACH_PIPE_SET: footprint->changes = everything; return true;
    }
    BASE_UNREACHABLE("an operation");
}

/* Of a work-item's rule from operation `from` on, until it stays somewhere. */
static void add_rule(const struct pipe_flow *flow, const struct pipe_doing *doing, uint32_t from,
                     struct mach_footprint *footprint)
{
    uint64_t owed = owed_runs(flow, UINT64_C(1) << doing->thread);
    for (uint32_t i = from; doing->rule && i < doing->rule->count; i++)
        if (!add_op(flow, doing, &doing->rule->ops[i], &owed, footprint))
            break;
}

/* ---- Of steps ---- */

static bool is_of_group(const struct pipe_flow *flow, const struct pipe_entry *leader,
                        const struct pipe_entry *entry)
{
    return entry->stage == leader->stage && entry->instance == leader->instance &&
           entry->turn == leader->turn && !pipe_is_open(flow->plan, entry);
}

/* Does the other one wait for this one to leave, or may someone of its group? */
static bool is_behind(const struct pipe_flow *flow, const struct pipe_entry *other,
                      const struct pipe_entry *entry)
{
    const struct pipe_run *const *home_of = flow->plan->home_of;
    uint32_t number = (uint32_t)(entry - flow->entries);
    bool behind = other->before >> number & 1 ||
                  (other->stage == entry->stage && other->instance == entry->instance &&
                   other->turn > entry->turn);
    bool group = pipe_stage(flow->plan, other->stage)->group;
    for (uint32_t i = 0; group && !behind && i < flow->count; i++)
        behind = is_of_group(flow, other, &flow->entries[i]) &&
                 home_of[flow->entries[i].location] == home_of[entry->location];
    return behind;
}

/* Runs of which an entry may be next when this one leaves: what else they can do is then more. */
static uint64_t runs_behind(const struct pipe_flow *flow, const struct pipe_entry *entry)
{
    uint64_t runs = 0;
    for (uint32_t i = 0; i < flow->count; i++)
        if (is_behind(flow, &flow->entries[i], entry))
            runs |= run_of(flow->plan, flow->entries[i].location);
    return runs;
}

static void add_move(const struct pipe_flow *flow, const struct pipe_entry *entry,
                     struct mach_footprint *footprint)
{
    const struct pipe_plan *plan = flow->plan;
    uint32_t next = pipe_next_stage(plan, flow->bytes, entry->stage + 1u, entry->bypasses);
    footprint->changes |= run_of(plan, entry->location);
    footprint->looks |= departure(plan, entry->stage, entry->instance) | runs_behind(flow, entry);
    if (next < plan->stages)
        footprint->changes |=
            arrival(plan, next, plan->next_instance[entry->stage][entry->instance][next]);
}

/* Of an entry, or its group. */
static struct mach_footprint of_move(const struct pipe_flow *flow, uint32_t number)
{
    BASE_ASSERT(number < flow->count);
    const struct pipe_plan *plan = flow->plan;
    const struct pipe_entry *leader = &flow->entries[number];
    uint64_t run = (uint64_t)(plan->home_of[leader->location] - plan->runs);
    uint64_t actor = flow->test->program->thread_count + run;
    struct mach_footprint footprint = {0, 0, actor < MACH_ACTORS ? (uint32_t)actor : MACH_NOBODY};
    add_move(flow, leader, &footprint);
    for (uint32_t i = 0; pipe_stage(plan, leader->stage)->group && i < flow->count; i++)
        if (is_of_group(flow, leader, &flow->entries[i]))
            add_move(flow, &flow->entries[i], &footprint);
    return footprint;
}

/* Of those who met, from operation `from` on: they stay and go on together. */
static void add_meeting(const struct pipe_flow *flow, struct pipe_doing doing, uint32_t from,
                        struct mach_footprint *footprint)
{
    const struct mach_test *test = flow->test;
    uint32_t leader = doing.thread;
    enum lit_scope scope = doing.instr->exec_scope;
    uint64_t owed = 0;
    footprint->changes |= meeting(test, leader, doing.instr);
    for (uint32_t u = 0; u < test->program->thread_count; u++)
        owed |= mach_is_member(test, leader, u, scope) ? owed_runs(flow, UINT64_C(1) << u) : 0;
    for (uint32_t i = from; i < doing.rule->count; i++)
        for (doing.thread = 0; doing.thread < test->program->thread_count; doing.thread++)
            if (mach_is_member(test, leader, doing.thread, scope) &&
                !add_op(flow, &doing, &doing.rule->ops[i], &owed, footprint))
                i = doing.rule->count;
}

static struct mach_footprint of_work_item(struct mach_test *test, const struct pipe_flow *flow,
                                          struct mach_step step)
{
    const struct pipe_plan *plan = flow->plan;
    uint32_t t = step.thread;
    struct pipe_doing doing = pipe_doing(test, flow->bytes, t);
    struct mach_footprint footprint = plan->footprints[t][doing.pc];
    uint32_t meeting = pipe_after_meeting(doing.rule), from = 0;
    if (step.kind == PIPE_GO_ON)
        from = pipe_phase_of(plan, flow->bytes, t, doing.rule);
    if (step.kind == PIPE_MEET)
        from = meeting;
    if (meeting && from >= meeting)
        add_meeting(flow, doing, from, &footprint);
    else
        add_rule(flow, &doing, from, &footprint);
    return footprint;
}

void pipe_footprints(struct mach_test *test, const uint8_t *state, const struct mach_step *steps,
                     uint32_t count, struct mach_footprint *footprints)
{
    const struct pipe_plan *plan = pipe_plan(test);
    struct pipe_flow flow;
    bool loaded = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t t = steps[i].thread, pc = mach_pc(test, state, t);
        if (steps[i].kind == PIPE_RUN && !plan->rules.code[t][pc]) {
            footprints[i] = plan->footprints[t][pc];
            continue;
        }
        if (!loaded)
            pipe_load(&flow, test, state);
        loaded = true;
        footprints[i] = steps[i].kind == PIPE_MOVE ? of_move(&flow, steps[i].line)
                                                   : of_work_item(test, &flow, steps[i]);
    }
}
