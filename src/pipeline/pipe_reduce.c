/* The rules hold for a machine without faults. "Less is owed" below: a state in which less is owed,
 * all else alike, simulates the other, since what is owed only holds a work-item back at an
 * await. The same holds of a state with fewer entries to look at, unless a work-item may look at
 * entries, wait for them, and then access memory (may_miss). */
#include "pipeline/pipe_reduce.h"

#include "machine/mach_instr.h"
#include "pipeline/pipe_ops.h"
#include "pipeline/pipeline.h"
#include "machine/mach_reduce.h"

#include <string.h>

/* ---- What is ahead ---- */

/* Rules that may be of the instruction at which a work-item is, or behind which it is stalled. */
static uint64_t rules_of(const struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    const struct pipe_plan *plan = pipe_plan(test);
    return plan->rules.code[thread][pipe_pc(plan, test, state, thread)];
}

/* Rules that a work-item may still execute, the one it is in the midst of included. */
static uint64_t ahead_of(const struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    if (mach_status(test, state, thread) == MACH_FAULTED)
        return 0;
    return pipe_plan(test)->ahead[thread][mach_pc(test, state, thread)] |
           rules_of(test, state, thread);
}

static uint64_t ahead_of_all(const struct mach_test *test, const uint8_t *state)
{
    uint64_t rules = 0;
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        rules |= ahead_of(test, state, t);
    return rules;
}

static bool has_effect(const struct pipe_plan *plan, uint64_t rules, uint32_t effect)
{
    return (rules & plan->effects[effect]) != 0;
}

/* ---- Instructions that may as well come first ---- */

/* May a stage hold an entry, of a transaction that is open or to come? Whoever is obliged to that,
 * or to what is behind it, may wait for ever, which is to be told. */
static bool may_be_held(const struct mach_test *test, const uint8_t *state)
{
    const struct pipe_plan *plan = pipe_plan(test);
    for (uint32_t t = 0; plan->holds && t < test->program->thread_count; t++)
        if (pipe_has(state, plan->open, t) ||
            has_effect(plan, ahead_of(test, state, t), PIPE_BEGINS))
            return true;
    return false;
}

static bool may_await_others(const struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    return has_effect(pipe_plan(test), ahead_of(test, state, thread), PIPE_AWAITS_OTHERS);
}

/* May another work-item wait for what is owed to this one? */
static bool is_awaited(const struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    return ANY(u, test->program->thread_count, u != thread && may_await_others(test, state, u));
}

/* May a work-item look at others' entries in the stage, wait, and access memory when entries have
 * come that it does not wait for? With nothing to wait for it would access memory as it looks, and
 * miss none: then less is shown when an entry has left the stage early. */
static bool may_miss(const struct mach_test *test, const uint8_t *state, uint32_t stage)
{
    BASE_ASSERT(stage < MACH_PIPE_STAGES);
    uint32_t threads = test->program->thread_count;
    return ANY(t, threads,
               has_effect(pipe_plan(test), ahead_of(test, state, t), PIPE_MISSES_IN + stage) &&
                   ANY(u, threads, u != t && mach_outlook(test, state, u)->nv_writes > 0));
}

/* Are all rules that may be for it silent? To move, to drain and to await do nothing but oblige the
 * work-item itself, and hold back those that may wait for what is owed to it. Done early they
 * oblige it to what is there now: of that, what is left later is owed later too, so less is owed,
 * unless it is something that never leaves (one that has to get past a further stage is not silent:
 * who leaves the first before is not owed). Marks of one's own entries, and of one's strand, in the
 * first stage cover what the work-item has stored, early or late: nobody else adds to that. A new
 * strand is the work-item's own affair. */
static bool has_silent_rules(const struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    const struct pipe_plan *plan = pipe_plan(test);
    uint64_t rules = rules_of(test, state, thread);
    return !rules || (!(rules & plan->effects[PIPE_NOT_SILENT]) && !may_be_held(test, state) &&
                      !is_awaited(test, state, thread));
}

static bool has_rule(const struct mach_test *test, uint32_t thread, uint32_t pc)
{
    BASE_ASSERT(thread < test->program->thread_count);
    return pipe_plan(test)->rules.code[thread][pc] != 0;
}

static bool is_viewed(const struct mach_test *test, uint32_t thread, uint32_t pc)
{
    BASE_ASSERT(thread < test->program->thread_count);
    return pipe_plan(test)->views.code[thread][pc] != 0;
}

/* Is it in a log, from where it may come to memory? */
static bool is_logged(const struct mach_test *test, uint8_t *state, uint32_t location)
{
    return pipe_logged(pipe_plan(test), state, location) != NULL;
}

/* A load of what nobody else writes any more finds the same now as later, and entries are not
 * touched by it. */
static bool is_settled(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    uint32_t location = mach_location(test, state, thread, mach_instr(test, state, thread));
    return !mach_others_write(test, state, thread, test->line_of[location]) &&
           !is_logged(test, state, location);
}

/* Does nobody else notice an entry that he makes in the first stage that it enters, nor its way on
 * from there, earlier than he had to? No rule that others may still execute asks for it: those of
 * his scope ask when he has met them, and then he has stored. It hinders no other entry, and no
 * older version is there for it to merge with. A crash leaves the same, as the stage is volatile,
 * and there is room for all that may come. */
static bool is_unnoticed(const struct mach_test *test, uint8_t *state, uint32_t thread,
                         uint32_t location, uint8_t bypasses)
{
    const struct pipe_plan *plan = pipe_plan(test);
    uint64_t rules = 0;
    struct pipe_flow flow;
    for (uint32_t u = 0; u < test->program->thread_count; u++)
        rules |= u == thread ? 0 : ahead_of(test, state, u);
    if (!plan->apart || plan->lines || plan->may_fill ||
        has_effect(plan, rules, PIPE_LOOKS_OTHERS) || has_effect(plan, rules, PIPE_SETS))
        return false;
    uint32_t stage = pipe_next_stage(plan, state, 0, bypasses);
    if (stage >= plan->durable || pipe_stage(plan, stage)->apart)
        return false;
    pipe_load_run(&flow, test, state, location, LIT_NONE);
    return pipe_newest(&flow, location) == LIT_NONE;
}

/* Of a location that nobody asks for: can what he stores go all the way to the medium at once? It
 * is in nobody's way then, and nobody finds it anywhere (move_unasked). */
static bool passes_through(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                           uint32_t location, uint8_t bypasses)
{
    uint8_t next[MACH_MAX_STATE];
    struct pipe_flow flow;
    memcpy(next, state, test->size);
    pipe_load(&flow, test, next);
    if (flow.count >= flow.plan->pipe->entries || pipe_newest(&flow, location) != LIT_NONE ||
        !pipe_store(&flow, thread, location, 0, bypasses, false))
        return false;
    uint32_t first = pipe_newest(&flow, location);
    if (first != LIT_NONE && may_miss(test, state, flow.entries[first].stage))
        return false;
    for (uint32_t i; (i = pipe_newest(&flow, location)) != LIT_NONE; pipe_move(&flow, i))
        if (pipe_stage(flow.plan, flow.entries[i].stage)->group || !pipe_may_move(&flow, i))
            return false;
    return true;
}

static bool is_silent_store(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    uint32_t location;
    if (has_rule(test, thread, mach_pc(test, state, thread)) ||
        !mach_is_private_store(test, state, thread))
        return false;
    location = mach_location(test, state, thread, mach_instr(test, state, thread));
    if (!test->program->locations[location].nvm || pipe_has(state, pipe_plan(test)->open, thread))
        return !test->program->locations[location].nvm;
    if (is_logged(test, state, location))
        return false;
    uint8_t bypasses =
        pipe_bypasses(pipe_plan(test), thread, mach_pc(test, state, thread), location, false);
    return mach_is_watched(test, location)
               ? is_unnoticed(test, state, thread, location, bypasses)
               : passes_through(test, state, thread, location, bypasses);
}

static bool is_silent(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    uint32_t pc = mach_pc(test, state, thread);
    const struct lit_instr *instr = mach_instr(test, state, thread);
    if (mach_status(test, state, thread) != MACH_RUNNING || mach_is_shown(test, thread) ||
        !has_silent_rules(test, state, thread))
        return false;
    bool once = !mach_outlook(test, state, thread)->on_cycle;
    switch (instr->op) {
    case LIT_FENCE:
    case LIT_CM: return once;
    case LIT_LOAD: return once && !is_viewed(test, thread, pc) && is_settled(test, state, thread);
    case LIT_PBARRIER: return once && !mach_shows_any(test);
    case LIT_BARRIER:
        return !has_rule(test, thread, pc) &&
               mach_is_silent(test, state, thread, MACH_SILENT_MEETINGS);
    case LIT_CRASH: return mach_is_silent(test, state, thread, 0);
    case LIT_STORE: return is_silent_store(test, state, thread);
    case LIT_RMW:
    case LIT_CAS:
    case LIT_SET:
    case LIT_CHECK:
    case LIT_JUMP:
    case LIT_BRANCH:
    case LIT_LOOP:
    case LIT_AWAIT: return false;
    }
    BASE_UNREACHABLE("an instruction");
}

/* Is there nothing in its rule behind the await at which it is? */
static bool has_no_more(struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    const struct mach_pipe_rule *rule = pipe_doing(test, state, thread).rule;
    return pipe_phase_of(pipe_plan(test), state, thread, rule) + 1 == rule->count;
}

/* Who was held back, and is not any more, goes on: nothing will ever hold it back again there, as
 * only itself and those it meets add to what is owed to it. Behind an access it does nothing then but
 * what its rule has left. Its registers are as they were, so a crash does not show that. */
static bool goes_on_silently(struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    if (mach_status(test, state, thread) == MACH_STALLED_BEHIND)
        return has_no_more(test, state, thread) || has_silent_rules(test, state, thread);
    const struct lit_instr *instr = mach_instr(test, state, thread);
    return !mach_is_shown(test, thread) && has_silent_rules(test, state, thread) &&
           !mach_outlook(test, state, thread)->on_cycle &&
           (instr->op == LIT_FENCE || instr->op == LIT_CM ||
            (instr->op == LIT_PBARRIER && !mach_shows_any(test)));
}

/* May it go on with its rule? `owed`: to whom something is. */
static bool is_let_go(struct mach_test *test, const uint8_t *state, uint32_t thread, uint64_t owed)
{
    return mach_status(test, state, thread) == MACH_WAITING
               ? mach_leads(test, state, thread, false)
               : pipe_may_go_on(test, state, thread, owed);
}

static bool runs_silently(struct mach_test *test, uint8_t *state, uint32_t thread, uint64_t owed)
{
    enum mach_status status = mach_status(test, state, thread);
    struct mach_step step = {.kind = PIPE_RUN, .thread = (uint8_t)thread};
    if (mach_is_stalled(status) || status == MACH_WAITING) {
        if (!goes_on_silently(test, state, thread) || !is_let_go(test, state, thread, owed))
            return false;
        step.kind = status == MACH_WAITING ? PIPE_MEET : PIPE_GO_ON;
    } else if (!is_silent(test, state, thread)) {
        return false;
    }
    BASE_CHECK(test->machine->perform(test, state, step));
    return true;
}

/* Who waits for entries, if anybody is stalled. */
static uint64_t owed_now(const struct mach_test *test, const uint8_t *state)
{
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        if (mach_is_stalled(mach_status(test, state, t)))
            return pipe_owed(pipe_plan(test), state);
    return 0;
}

/* When one has gone on others may. Returns whether one has. */
static bool run_silently(struct mach_test *test, uint8_t *state)
{
    uint64_t owed = owed_now(test, state);
    uint32_t threads = test->program->thread_count;
    bool any = false;
    for (uint32_t t = 0, idle = 0; idle < threads; t = (t + 1) % threads, idle++)
        while (runs_silently(test, state, t, owed)) {
            owed = owed_now(test, state);
            any = true;
            idle = 0;
        }
    return any;
}

/* ---- Entries that may as well move on ---- */

/* To the medium, from behind the durable line: a crash leaves the same before and after, as the
 * entry is committed, and all that is older. Whatever else it could do there (merge with a newer
 * version, which is then durable; be obliged to leave; stand before others, or in the way of a
 * read) it does less of in the medium. */
static bool is_done(const struct pipe_plan *plan, const struct pipe_entry *entry, uint32_t next)
{
    return next == plan->stages && entry->stage >= plan->durable && !entry->transaction;
}

static bool is_stored_again(const struct mach_test *test, const uint8_t *state, uint32_t location)
{
    BASE_ASSERT(location < test->program->location_count);
    return ANY(t, test->program->thread_count,
               mach_has_line(&mach_outlook(test, state, t)->writes, test->line_of[location]));
}

static bool has_version(const struct pipe_flow *flow, uint32_t stage, uint32_t location)
{
    return ANY(i, flow->count,
               flow->entries[i].stage == stage && flow->entries[i].location == location);
}

/* From a volatile stage to a volatile one of order `any`, when no store will merge with it where it
 * is, nor it with an older version where it comes to; and when nobody obliges himself, or marks,
 * there any more what he would have missed, and the way from there stays what it is. Then it is
 * nearer to the medium and in nobody's way: of those it left some may go on sooner. */
static bool is_on_its_way(const struct pipe_flow *flow, const struct pipe_entry *entry,
                          uint32_t next, uint64_t rules)
{
    const struct pipe_plan *plan = flow->plan;
    if (next >= plan->durable)
        return false;
    const struct mach_pipe_stage *from = pipe_stage(plan, entry->stage),
                                 *to = pipe_stage(plan, next);
    return to->order == MACH_PIPE_ORDER_ANY && !to->group && !to->lines && !to->apart &&
           !from->group && !from->apart && !has_effect(plan, rules, PIPE_MOVES_IN + next) &&
           !has_effect(plan, rules, PIPE_SETS) && !has_version(flow, next, entry->location) &&
           !is_stored_again(flow->test, flow->bytes, entry->location);
}

static bool may_move_silently(const struct pipe_flow *flow, uint32_t number, uint64_t rules,
                              bool *done)
{
    BASE_ASSERT(number < flow->count);
    const struct pipe_plan *plan = flow->plan;
    const struct pipe_entry *entry = &flow->entries[number];
    uint32_t next = pipe_next_stage(plan, flow->bytes, entry->stage + 1u, entry->bypasses);
    *done = is_done(plan, entry, next);
    return (*done || next < plan->durable) && !pipe_stage(plan, entry->stage)->group &&
           !may_miss(flow->test, flow->bytes, entry->stage) && pipe_may_move(flow, number) &&
           (*done || is_on_its_way(flow, entry, next, rules));
}

/* Of a location that nobody asks for an entry, the oldest there, that can go all the way to the
 * medium now: nobody sees that it is durable, and there it holds nobody back. Part of the way is
 * not as good: where it comes to, it may be behind others, and somebody may oblige himself to wait
 * for it, or mark it, who would have missed it. Returns whether it went. */
static bool move_unasked(struct pipe_flow *flow, uint32_t number)
{
    BASE_ASSERT(number < flow->count);
    uint32_t location = flow->entries[number].location;
    if (mach_is_watched(flow->test, location) || pipe_previous(flow, number) != LIT_NONE ||
        may_miss(flow->test, flow->bytes, flow->entries[number].stage))
        return false;
    const struct pipe_flow before = *flow;
    uint32_t left = flow->count - 1;
    while (flow->count > left) {
        uint32_t oldest = 0;
        while (flow->entries[oldest].location != location)
            oldest++;
        if (pipe_stage(flow->plan, flow->entries[oldest].stage)->group ||
            !pipe_may_move(flow, oldest)) {
            *flow = before;
            return false;
        }
        pipe_move(flow, oldest);
    }
    return true;
}

static bool move_silently(struct pipe_flow *flow)
{
    const struct pipe_plan *plan = flow->plan;
    bool any = false, done;
    if (flow->count == 0 ||
        (plan->durable == plan->stages && plan->stages < 2 && !mach_watches_some(flow->test)))
        return false;
    uint64_t rules = ahead_of_all(flow->test, flow->bytes);
    for (uint32_t i = 0; i < flow->count; i++) {
        if (move_unasked(flow, i))
            done = true;
        else if (may_move_silently(flow, i, rules, &done))
            pipe_move(flow, i);
        else
            continue;
        any = true;
        /* Others may move now: where it was in nobody's way but of its run's, those behind it. */
        i = done && plan->apart ? i - 1 : LIT_NONE;
    }
    if (any)
        pipe_save(flow);
    return any;
}

/* ---- What makes no difference any more ---- */

/* Who wrote an entry is asked by rules alone, and where marks are of who wrote, by arrivals in a
 * later stage. */
static uint64_t asked_writers(const struct mach_test *test, const uint8_t *state)
{
    const struct pipe_plan *plan = pipe_plan(test);
    uint64_t writers = 0;
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        uint64_t rules = ahead_of(test, state, t);
        if (has_effect(plan, rules, PIPE_LOOKS_SCOPE))
            return UINT64_MAX;
        if (has_effect(plan, rules, PIPE_LOOKS_OWN))
            writers |= UINT64_C(1) << t;
    }
    for (uint32_t s = 1; s < plan->stages; s++)
        if (pipe_stage(plan, s)->order == MACH_PIPE_ORDER_MARKS)
            return UINT64_MAX;
    return writers;
}

/* What is owed to a work-item matters where it awaits, or another for it. */
static uint64_t waiting(const struct mach_test *test, const uint8_t *state)
{
    uint64_t waiting = 0;
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        if (may_await_others(test, state, t))
            return UINT64_MAX;
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        if (has_effect(pipe_plan(test), ahead_of(test, state, t), PIPE_AWAITS))
            waiting |= UINT64_C(1) << t;
    return waiting;
}

/* Marks hold back what comes to a stage: when that is the first, stores. */
static void forget_marks(struct pipe_flow *flow, uint32_t thread)
{
    BASE_ASSERT(thread < flow->test->program->thread_count);
    const struct pipe_plan *plan = flow->plan;
    bool stores = mach_outlook(flow->test, flow->bytes, thread)->nv_writes > 0;
    for (uint32_t s = 1; s < plan->stages; s++)
        if (pipe_stage(plan, s)->order == MACH_PIPE_ORDER_MARKS)
            return;
    if (!stores)
        flow->own_marks[thread] = flow->strand_marks[thread] = 0;
    if (!stores && !has_effect(plan, ahead_of(flow->test, flow->bytes, thread), PIPE_LOOKS_STRAND))
        flow->strands[thread] = 0;
}

static void forget_entries(struct pipe_flow *flow)
{
    const struct mach_test *test = flow->test;
    const struct pipe_plan *plan = flow->plan;
    bool changed = plan->masks;
    if (flow->count == 0 && !plan->masks)
        return;
    uint64_t writers = asked_writers(test, flow->bytes), owed = waiting(test, flow->bytes);
    EACH (struct pipe_entry, entry, flow->entries, flow->count) {
        changed |= (entry->writers & ~writers) != 0;
        entry->writers &= writers;
        for (uint32_t slot = 0; slot < plan->owed_count; slot++) {
            changed |= (entry->owed[slot] & ~owed) != 0;
            entry->owed[slot] &= owed;
        }
    }
    for (uint32_t t = 0; plan->masks && t < test->program->thread_count; t++)
        forget_marks(flow, t);
    if (changed)
        pipe_save(flow);
}

/* Nobody reads it any more. */
static void forget_values(const struct mach_test *test, uint8_t *state)
{
    struct mach_lines read = {{0}};
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        mach_join_lines(&read, &mach_outlook(test, state, t)->reads);
    for (uint32_t l = 0; l < test->program->location_count; l++)
        if (!mach_has_line(&read, test->line_of[l]) && !mach_is_observed(test, l)) {
            *pipe_memory(pipe_plan(test), state, l) = 0;
            if (is_logged(test, state, l))
                *pipe_logged(pipe_plan(test), state, l) = 0;
        }
}

void pipe_reduce(struct mach_test *test, uint8_t *state)
{
    struct pipe_flow flow;
    if (test->config.faults)
        return;
    run_silently(test, state);
    pipe_load(&flow, test, state);
    while (move_silently(&flow) && run_silently(test, state))
        pipe_load(&flow, test, state);
    forget_entries(&flow);
    forget_values(test, state);
    mach_forget_registers(test, state);
}
