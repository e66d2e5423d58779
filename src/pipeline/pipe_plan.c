#include "pipeline/pipe_plan.h"

#include "litmus/lit_code.h"
#include "pipeline/pipe_footprint.h"
#include "machine/mach_store.h"

#include <string.h>

/* ---- What is ahead ---- */

static const uint64_t *look_ahead(const struct lit_thread *thread, const uint64_t *code,
                                  struct arena *arena)
{
    uint64_t *ahead = ARENA_ARRAY(arena, uint64_t, thread->code_count + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t pc = thread->code_count; pc-- > 0;) {
            struct lit_next next = lit_code_next(thread, pc);
            uint64_t mask = code[pc];
            for (uint32_t i = 0; i < next.count; i++)
                mask |= ahead[next.pcs[i]];
            changed |= mask != ahead[pc];
            ahead[pc] = mask;
        }
    }
    return ahead;
}

/* May it be executed as soon as its work-item comes to it? See pipe_reduce.c. */
static bool is_silent(const struct mach_pipe_op *op)
{
    switch (op->op) {
    case MACH_PIPE_AWAIT:
    case MACH_PIPE_MEET:
    case MACH_PIPE_ACCESS: /* silent where the instruction is */
    case MACH_PIPE_STRAND: return true;
    case MACH_PIPE_MOVE:
    case MACH_PIPE_DRAIN: return op->further == 0;
    case MACH_PIPE_MARK:
        return op->stage == 0 &&
               (op->which == MACH_PIPE_WHICH_OWN || op->which == MACH_PIPE_WHICH_STRAND);
    case MACH_PIPE_THROUGH:
    case MACH_PIPE_BEGIN:
    case MACH_PIPE_ENQUEUE:
    case MACH_PIPE_COMMIT:
    case MACH_PIPE_ABORT:
    case MACH_PIPE_RELEASE:
    case MACH_PIPE_SET: return false;
    }
    BASE_UNREACHABLE("an operation");
}

/* Does it mean an entry by the instance that has it, and so one that comes from another one's? */
static bool means_where_it_is(const struct mach_pipe_op *op)
{
    return op->op == MACH_PIPE_DRAIN &&
           (op->which == MACH_PIPE_WHICH_UNIT || op->which == MACH_PIPE_WHICH_HERE);
}

/* `met`: after a MEET. */
static void note_effects(struct pipe_plan *plan, const struct mach_pipe_op *op, uint64_t bit,
                         bool met)
{
    bool moves = op->op == MACH_PIPE_MOVE || op->op == MACH_PIPE_MARK;
    bool looks = moves || op->op == MACH_PIPE_DRAIN;
    if (moves)
        plan->effects[PIPE_MOVES_IN + op->stage] |= bit;
    if (means_where_it_is(op))
        for (uint32_t s = 0; s <= op->stage; s++)
            plan->effects[PIPE_MOVES_IN + s] |= bit;
    if (op->op == MACH_PIPE_AWAIT)
        plan->effects[PIPE_AWAITS] |= bit;
    if (op->op == MACH_PIPE_AWAIT && op->scope != LIT_SCOPE_WI)
        plan->effects[PIPE_AWAITS_OTHERS] |= bit;
    if (op->op == MACH_PIPE_SET)
        plan->effects[PIPE_SETS] |= bit;
    if (op->op == MACH_PIPE_BEGIN)
        plan->effects[PIPE_BEGINS] |= bit;
    if (op->op == MACH_PIPE_ABORT)
        plan->effects[PIPE_ABORTS] |= bit;
    bool own = op->which == MACH_PIPE_WHICH_OWN ||
               (op->op == MACH_PIPE_MARK && op->which == MACH_PIPE_WHICH_LINE); /* of others */
    if (looks && own)
        plan->effects[PIPE_LOOKS_OWN] |= bit;
    if (looks && op->which == MACH_PIPE_WHICH_SCOPE)
        plan->effects[PIPE_LOOKS_SCOPE] |= bit;
    if (looks && op->which == MACH_PIPE_WHICH_STRAND)
        plan->effects[PIPE_LOOKS_STRAND] |= bit;
    if (looks && (op->which == MACH_PIPE_WHICH_LINE || op->which == MACH_PIPE_WHICH_HERE ||
                  op->which == MACH_PIPE_WHICH_UNIT ||
                  (op->which == MACH_PIPE_WHICH_ALL &&
                   (op->stage == 0 || !moves || !plan->all_enter_first)) ||
                  (op->which == MACH_PIPE_WHICH_SCOPE && !met)))
        plan->effects[PIPE_LOOKS_OTHERS] |= bit;
    if (!is_silent(op))
        plan->effects[PIPE_NOT_SILENT] |= bit;
}

/* In how many stages, from the first on, does it look at entries that others may make, and wait for
 * these before it accesses memory, or does something else that others notice? */
static uint32_t may_miss_in(const struct mach_pipe_rule *rule)
{
    bool accesses = pipe_may_access(rule->match.kind), acts = false;
    uint32_t looked = 0, missed = 0;
    EACH (const struct mach_pipe_op, op, rule->ops, rule->count) {
        bool looks =
            op->op == MACH_PIPE_MOVE || op->op == MACH_PIPE_DRAIN || op->op == MACH_PIPE_MARK;
        uint32_t stages = (op->further > op->stage ? op->further : op->stage) + 1u;
        if (looks && op->which != MACH_PIPE_WHICH_OWN && op->which != MACH_PIPE_WHICH_STRAND)
            looked = stages > looked ? stages : looked;
        if (op->op == MACH_PIPE_AWAIT)
            missed = looked;
        acts |= missed && ((op->op == MACH_PIPE_ACCESS && accesses) || (!looks && !is_silent(op)));
        accesses &= op->op != MACH_PIPE_ACCESS;
    }
    return acts || accesses ? missed : 0;
}

static void find_effects(struct pipe_plan *plan)
{
    for (uint32_t s = 0; s < plan->stages; s++)
        plan->holds |= plan->pipe->stages[s].hold;
    for (uint32_t i = 0; i < plan->pipe->rule_count; i++) {
        bool met = false;
        for (uint32_t s = may_miss_in(&plan->pipe->rules[i]); s-- > 0;)
            plan->effects[PIPE_MISSES_IN + s] |= UINT64_C(1) << i;
        for (uint32_t k = 0; k < plan->pipe->rules[i].count; k++) {
            met |= plan->pipe->rules[i].ops[k].op == MACH_PIPE_MEET;
            note_effects(plan, &plan->pipe->rules[i].ops[k], UINT64_C(1) << i, met);
        }
    }
}

/* ---- Instances ---- */

static bool are_together(const struct mach_test *test, enum mach_pipe_per per, uint32_t a,
                         uint32_t b)
{
    const struct lit_thread *threads = test->program->threads;
    switch (per) {
    case MACH_PIPE_PER_THREAD: return a == b;
    case MACH_PIPE_PER_UNIT:
        return threads[a].dev == threads[b].dev && test->unit_of[a] == test->unit_of[b];
    case MACH_PIPE_PER_DEVICE: return threads[a].dev == threads[b].dev;
    case MACH_PIPE_PER_SYSTEM: return true;
    }
    BASE_UNREACHABLE("instances of a stage");
}

/* Numbered in the order of their first work-items. */
static void number_instances(struct pipe_plan *plan, const struct mach_test *test)
{
    uint32_t threads = test->program->thread_count;
    for (uint32_t s = 0; s < plan->stages; s++)
        for (uint32_t t = 0; t < threads; t++) {
            uint32_t u = 0;
            while (u < t && !are_together(test, plan->pipe->stages[s].per, t, u))
                u++;
            plan->instance_of[s][t] =
                u < t ? plan->instance_of[s][u] : (uint8_t)plan->instances[s]++;
        }
    for (uint32_t s = 0; s < plan->stages; s++)
        for (uint32_t t = threads; t-- > 0;)
            for (uint32_t next = s + 1; next < plan->stages; next++)
                plan->next_instance[s][plan->instance_of[s][t]][next] = plan->instance_of[next][t];
}

/* ---- Layout ---- */

/* What rules make use of. */
struct uses {
    bool transactions, phases, keeps_inside, behind;
    bool own_marks, strand_marks, strands, instance_marks;
};

static void use_op(struct pipe_plan *plan, struct uses *uses, const struct mach_pipe_op *op)
{
    enum mach_pipe_which which = op->which;
    uint32_t owed = MACH_PIPE_STAGES;
    if (op->op == MACH_PIPE_MOVE || op->op == MACH_PIPE_DRAIN)
        owed = op->stage + op->further;
    if (op->op == MACH_PIPE_THROUGH && plan->stages > 0)
        owed = plan->stages - 1;
    if (owed < MACH_PIPE_STAGES && plan->owed_slot[owed] == MACH_PIPE_STAGES)
        plan->owed_slot[owed] = (uint8_t)plan->owed_count++;
    uses->transactions |= op->op == MACH_PIPE_BEGIN;
    uses->strands |= op->op <= MACH_PIPE_MARK && which == MACH_PIPE_WHICH_STRAND;
    if (op->op != MACH_PIPE_MARK)
        return;
    uses->own_marks |= which == MACH_PIPE_WHICH_OWN || which == MACH_PIPE_WHICH_SCOPE ||
                       which == MACH_PIPE_WHICH_LINE;
    uses->strand_marks |= which == MACH_PIPE_WHICH_STRAND;
    uses->instance_marks |= which == MACH_PIPE_WHICH_UNIT || which == MACH_PIPE_WHICH_ALL;
}

/* Does it wait behind an operation that may begin or end a transaction? */
static bool waits_elsewhere(const struct mach_pipe_rule *rule)
{
    bool changes = false;
    for (uint32_t k = 0; k < rule->count; k++) {
        enum mach_pipe_operation op = rule->ops[k].op;
        if (changes && (op == MACH_PIPE_AWAIT || op == MACH_PIPE_MEET))
            return true;
        changes |= op == MACH_PIPE_BEGIN || op == MACH_PIPE_ENQUEUE || op == MACH_PIPE_COMMIT ||
                   op == MACH_PIPE_ABORT;
    }
    return false;
}

/* Does it wait behind the access? */
static bool waits_behind(const struct mach_pipe_rule *rule)
{
    uint32_t access = 0;
    while (access < rule->count && rule->ops[access].op != MACH_PIPE_ACCESS)
        access++;
    return access < rule->count &&
           ANY(k, rule->count, k > access && rule->ops[k].op == MACH_PIPE_AWAIT);
}

static struct uses find_uses(struct pipe_plan *plan)
{
    struct uses uses = {0};
    bool asks = false;
    memset(plan->owed_slot, MACH_PIPE_STAGES, sizeof plan->owed_slot);
    EACH (const struct mach_pipe_rule, rule, plan->pipe->rules, plan->pipe->rule_count) {
        uint32_t awaits = 0;
        for (uint32_t k = 0; k < rule->count; k++) {
            /* The operands of others than these say nothing. */
            use_op(plan, &uses, &rule->ops[k]);
            awaits += rule->ops[k].op == MACH_PIPE_AWAIT;
        }
        uses.phases |= awaits > 1;
        uses.keeps_inside |= waits_elsewhere(rule);
        uses.behind |= waits_behind(rule);
        asks |= rule->match.inside >= 0;
    }
    uses.keeps_inside &= asks;
    uses.phases |= uses.keeps_inside;
    return uses;
}

static struct pipe_place place(uint32_t *at, bool used, uint32_t bytes)
{
    struct pipe_place found = {*at, used ? bytes : 0};
    *at += found.bytes;
    return found;
}

static uint32_t field(uint32_t *size, bool used, uint32_t bytes)
{
    uint32_t at = used ? *size : 0;
    *size += used ? bytes : 0;
    return at;
}

static struct pipe_layout lay_out_entry(const struct pipe_plan *plan, const struct mach_test *test,
                                        const struct uses *uses)
{
    const struct mach_pipe *pipe = plan->pipe;
    struct pipe_layout layout = {.mask_bytes = (test->program->thread_count + 7) / 8,
                                 .entry_bytes = (pipe->entries + 7) / 8,
                                 .size = 3};
    bool turns = false, marks = false, bypasses = false;
    for (uint32_t s = 0; s < plan->stages; s++) {
        turns |= pipe->stages[s].order == MACH_PIPE_ORDER_FIFO || pipe->stages[s].group;
        marks |= pipe->stages[s].order == MACH_PIPE_ORDER_MARKS;
    }
    EACH_IN (const struct mach_pipe_way, bypass, pipe->bypasses)
        bypasses |= bypass->stage > 0;
    layout.writers = field(&layout.size, true, layout.mask_bytes);
    layout.owed = field(&layout.size, plan->owed_count > 0, plan->owed_count * layout.mask_bytes);
    layout.before = field(&layout.size, marks, layout.entry_bytes);
    layout.turn = field(&layout.size, turns, 1);
    layout.transaction = field(&layout.size, uses->transactions, 1);
    layout.bypasses = field(&layout.size, bypasses, 1);
    return layout;
}

/* How often a location is written at most, so far as that is of use. */
static uint32_t most_writes(const struct lit_program *program, uint32_t location)
{
    uint32_t writes = 0;
    EACH (const struct lit_thread, thread, program->threads, program->thread_count) {
        for (uint32_t pc = 0; pc < thread->code_count; pc++) {
            const struct lit_instr *instr = &thread->code[pc];
            struct lit_next next = lit_code_next(thread, pc);
            for (uint32_t i = 0; i < next.count; i++)
                if (next.pcs[i] <= pc)
                    return MACH_PIPE_ENTRIES;
            writes += lit_instruction_writes(instr->op) &&
                      (instr->addr.index || instr->addr.first == location);
        }
    }
    return writes;
}

/* In memory, or, if it has one, in the medium. */
static void lay_out_location(struct pipe_plan *plan, const struct lit_program *program,
                             uint32_t location, bool memory, uint32_t *at)
{
    uint32_t *places = (uint32_t *)(uintptr_t)(memory ? plan->memory_at : plan->medium_at);
    if (memory || program->locations[location].nvm)
        places[location] = (*at)++;
}

/* Memory and medium of a run's locations, where these have no place yet, then its entries. Returns
 * how many of its entries may find no room here. Adds to `most` how many there may be. */
static uint32_t lay_out_run(struct pipe_plan *plan, const struct lit_program *program,
                            struct pipe_run *run, uint32_t *at, uint32_t *most)
{
    const struct pipe_run **home_of = (const struct pipe_run **)(uintptr_t)plan->home_of;
    uint32_t writes = 0, nvm = 0;
    for (uint32_t l = 0; l < program->location_count; l++) {
        if (plan->run_of[l] != run->number)
            continue;
        for (int memory = 1; plan->apart && memory >= 0; memory--)
            lay_out_location(plan, program, l, memory, at);
        if (!program->locations[l].nvm)
            continue;
        home_of[l] = run;
        writes += most_writes(program, l);
        nvm++;
    }
    plan->run_count += nvm > 0;
    *most += writes;
    run->count = plan->apart ? nvm : 0;
    run->at = *at;
    *at += run->count * plan->layout.size;
    return writes > run->count ? writes - run->count : 0;
}

static void lay_out_runs(struct pipe_plan *plan, const struct lit_program *program,
                         struct arena *arena, uint32_t *at)
{
    uint32_t locations = program->location_count, number = 0, spill = 0, most = 0;
    struct pipe_run *runs = ARENA_ARRAY(arena, struct pipe_run, locations + 1);
    plan->runs = runs;
    plan->memory_at = ARENA_ARRAY(arena, uint32_t, locations + 1);
    plan->medium_at = ARENA_ARRAY(arena, uint32_t, locations + 1);
    plan->home_of = ARENA_ARRAY(arena, const struct pipe_run *, locations + 1);
    for (uint32_t i = 0; !plan->apart && i < 2 * locations; i++)
        lay_out_location(plan, program, i % locations, i < locations, at);
    plan->count_at = place(at, true, 1).at;
    if (plan->apart)
        *at = (*at + MACH_SECTION_BYTES - 1) / MACH_SECTION_BYTES * MACH_SECTION_BYTES;
    while (number != LIT_NONE) {
        uint32_t next = LIT_NONE;
        struct pipe_run *run = &runs[plan->run_count];
        *run = (struct pipe_run){.number = number};
        spill += lay_out_run(plan, program, run, at, &most);
        for (uint32_t l = 0; l < locations; l++)
            if (plan->run_of[l] > number && plan->run_of[l] < next)
                next = plan->run_of[l];
        number = next;
    }
    plan->may_fill = most > plan->pipe->entries;
    plan->spill_at = *at;
    plan->spill_room = spill < plan->pipe->entries ? spill : plan->pipe->entries;
    *at += plan->spill_room * plan->layout.size;
}

/* Does it keep transactions from each other in this program? */
static bool isolates(const struct pipe_plan *plan, const struct lit_program *program)
{
    bool can_abort =
        ANY(t, program->thread_count, (plan->ahead[t][0] & plan->effects[PIPE_ABORTS]) != 0);
    return plan->pipe->isolate && (can_abort || !plan->pipe->aborts_alone);
}

static uint32_t lay_out(struct pipe_plan *plan, const struct mach_test *test, struct arena *arena)
{
    struct uses uses = find_uses(plan);
    uint32_t at = test->machine_bytes, threads = test->program->thread_count;
    plan->layout = lay_out_entry(plan, test, &uses);
    uint32_t mask = plan->layout.mask_bytes, entries = plan->layout.entry_bytes;
    plan->variables = place(&at, true, plan->pipe->variable_count);
    plan->open = place(&at, uses.transactions, mask);
    const bool isolated = uses.transactions && isolates(plan, test->program);
    plan->held = place(&at, isolated, mask);
    plan->log = place(&at, isolated && plan->pipe->redo, 2 * test->program->location_count);
    plan->phases = place(&at, uses.phases, threads);
    plan->keeps_inside = uses.keeps_inside;
    plan->behind = place(&at, uses.behind, threads * PIPE_BEHIND_BYTES);
    plan->own_marks = place(&at, uses.own_marks, threads * entries);
    plan->strand_marks = place(&at, uses.strand_marks, threads * entries);
    plan->strands = place(&at, uses.strands, threads * entries);
    for (uint32_t s = 0; s < plan->stages; s++)
        plan->instance_marks[s] =
            place(&at, uses.instance_marks && plan->pipe->stages[s].order == MACH_PIPE_ORDER_MARKS,
                  plan->instances[s] * entries);
    plan->masks = plan->layout.before || uses.strands;
    plan->apart = !plan->masks && !plan->layout.turn;
    lay_out_runs(plan, test->program, arena, &at);
    return at - test->machine_bytes;
}

/* Entries of a line stand together where some stage keeps their order. */
static const uint32_t *find_runs(struct pipe_plan *plan, const struct lit_program *program,
                                 struct arena *arena)
{
    uint32_t *run_of = ARENA_ARRAY(arena, uint32_t, program->location_count + 1);
    for (uint32_t s = 0; s < plan->stages; s++)
        plan->lines |= plan->pipe->stages[s].lines;
    for (uint32_t l = 0; l < program->location_count; l++)
        run_of[l] = plan->lines ? program->locations[l].line : l;
    return run_of;
}

static struct pipe_lines find_ways(const struct lit_program *program,
                                   const struct mach_pipe_ways *ways, struct arena *arena)
{
    return pipe_find_lines(program, &ways->items[0].match, sizeof *ways->items, ways->count, arena);
}

const struct pipe_plan *pipe_plan_new(const struct mach_test *test, struct arena *arena,
                                      uint32_t *size)
{
    const struct lit_program *program = test->program;
    const struct mach_pipe *pipe = test->config.pipe;
    struct pipe_plan *plan = ARENA_NEW(arena, struct pipe_plan);
    *plan = (struct pipe_plan){.pipe = pipe, .stages = pipe->stage_count, .durable = 0};
    while (plan->durable < plan->stages && !pipe->stages[plan->durable].durable)
        plan->durable++;
    if (mach_has_fault(test, MACH_FAULT_PIPE_DURABLE_LOST) && plan->durable < plan->stages)
        plan->durable++;
    plan->run_of = find_runs(plan, program, arena);
    plan->rules = pipe_find_lines(program, &pipe->rules[0].match, sizeof pipe->rules[0],
                                  pipe->rule_count, arena);
    plan->bypasses = find_ways(program, &pipe->bypasses, arena);
    plan->views = find_ways(program, &pipe->views, arena);
    plan->all_enter_first = pipe->bypasses.count == 0;
    for (uint32_t s = 0; s < plan->stages; s++)
        plan->all_enter_first &= pipe->stages[s].variable == MACH_PIPE_VARIABLES;
    number_instances(plan, test);
    find_effects(plan);
    for (uint32_t t = 0; t < program->thread_count; t++)
        plan->ahead[t] = look_ahead(&program->threads[t], plan->rules.code[t], arena);
    *size = lay_out(plan, test, arena);
    pipe_find_footprints(plan, test, arena);
    return plan;
}
