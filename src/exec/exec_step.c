/* One instruction of one run. Whatever depends on a read splits the run: a branch, the element that
 * an index selects, the success of a compare-exchange, a divisor that may be zero, a barrier that
 * may never be left. */
#include "exec/exec_run.h"

#include "base/bits.h"

/* By events from `first` on; without any it is computed. */
static void set_register(struct runner *r, struct run *run, uint32_t reg,
                         const struct exec_value *value, const struct exec_deps *deps,
                         uint32_t first)
{
    if (reg == LIT_NONE)
        return;
    run->registers[reg] = exec_value_cast(r->arena, r->thread->registers[reg].type, value);
    BASE_ASSERT(reg < r->thread->register_count);
    run->register_deps[reg] = *deps;
    run_assign(r, run, reg, first == run->event_count ? 0 : first);
}

void run_link_event(struct run *run, struct run_event *event)
{
    BASE_ASSERT(event->event.thread != LIT_NONE && !event->event.init);
    event->previous = run->events;
    run->events = event;
    run->event_count++;
}

static struct run_event *new_event(struct runner *r, const struct run *run, enum ev_kind kind)
{
    const struct lit_instr *instr = run_instr(r, run);
    return ARENA_MAKE(r->arena, struct run_event,
                      .event = {.kind = kind,
                                .thread = r->thread_index,
                                .location = LIT_NONE,
                                .order = instr->order,
                                .scope = instr->scope,
                                .spaces = instr->spaces,
                                .instr = instr},
                      .ctrl = run->ctrl);
}

struct run_event *run_add_event(struct runner *r, struct run *run, enum ev_kind kind)
{
    struct run_event *event = new_event(r, run, kind);
    run_link_event(run, event);
    return event;
}

/* An access: which location, with which order, and what the address depended on. */
struct access {
    uint32_t location;
    struct exec_deps deps;
};

static struct run_event *new_access(struct runner *r, const struct run *run, enum ev_kind kind,
                                    const struct access *at, enum lit_order order)
{
    BASE_ASSERT(ev_kind_accesses(kind) && at->location < r->program->location_count);
    struct run_event *link = new_event(r, run, kind);
    struct ev *event = &link->event;
    event->location = at->location;
    event->order = order;
    event->has_order = true;
    event->atomic = order != LIT_ORDER_NA;
    event->has_scope = event->atomic;
    link->addr = at->deps;
    return link;
}

/* The order of one half of a read-modify-write: all of it, or what the half can do. */
static enum lit_order order_of_half(const struct runner *r, enum lit_order order,
                                    enum lit_order half)
{
    if (!r->program->split_rmw)
        return order;
    bool carries = order == half || order == LIT_ORDER_ACQ_REL || order == LIT_ORDER_SC;
    return carries ? half : LIT_ORDER_RLX;
}

/* What the thread's own transaction has written, or else a read of memory. */
static const struct exec_value *add_read(struct runner *r, struct run *run, const struct access *at,
                                         enum lit_order order, bool rmw, struct exec_deps *deps)
{
    BASE_ASSERT(at->location < r->program->location_count);
    const struct run_event *own = run_logged_write(run, at->location);
    if (own) {
        *deps = own->data;
        return own->event.value;
    }
    uint32_t index = run->event_count;
    struct run_event *link = new_access(r, run, EV_READ, at, order);
    enum lit_type type = r->program->locations[at->location].type;
    link->event.rmw = rmw && !run_keeps_write(r, run, at->location);
    link->event.value = exec_value_read(r->arena, type, index);
    *deps = run_deps_of(r, index);
    run_link_event(run, link);
    return link->event.value;
}

static void add_write(struct runner *r, struct run *run, const struct access *at,
                      enum lit_order order, bool rmw, const struct exec_value *value,
                      const struct exec_deps *deps)
{
    BASE_ASSERT(value && at->location < r->program->location_count);
    struct run_event *link = new_access(r, run, EV_WRITE, at, order);
    enum lit_type type = r->program->locations[at->location].type;
    bool keeps = run_keeps_write(r, run, at->location);
    link->event.rmw = rmw && !keeps;
    link->event.deferred = keeps;
    link->event.value = exec_value_cast(r->arena, type, value);
    link->data = *deps;
    if (keeps) {
        run_log_write(r, run, link);
        return;
    }
    run_forget_logged(r, run, at->location);
    run_link_event(run, link);
}

/* Is what such an operation makes of a value and this operand the value? */
static bool keeps_value(enum lit_rmw op, const struct exec_value *operand)
{
    bool of_zero = op == LIT_RMW_ADD || op == LIT_RMW_SUB || op == LIT_RMW_OR || op == LIT_RMW_XOR;
    return exec_value_is_const(operand) &&
           ((of_zero && operand->value == 0) ||
            (op == LIT_RMW_AND && operand->value == lit_value_wrap(operand->type, -1)));
}

/* INC and DEC: within the operand. */
static const struct exec_value *rmw_step(struct runner *r, enum lit_rmw op, enum lit_type type,
                                         const struct exec_value *old,
                                         const struct exec_value *operand)
{
    const struct exec_value *one = exec_value_const(r->arena, type, 1);
    const struct exec_value *less =
        exec_value_apply(r->arena, LIT_OP_SUB, type, type, old, one, NULL);
    const struct exec_value *within = exec_value_apply(
        r->arena, LIT_OP_LT, LIT_INT, type, op == LIT_RMW_INC ? old : less, operand, NULL);
    if (op == LIT_RMW_DEC)
        return exec_value_apply(r->arena, LIT_OP_SELECT, type, type, within, less, operand);
    return exec_value_apply(r->arena, LIT_OP_SELECT, type, type, within,
                            exec_value_apply(r->arena, LIT_OP_ADD, type, type, old, one, NULL),
                            exec_value_const(r->arena, type, 0));
}

static const struct exec_value *rmw_result(struct runner *r, enum lit_rmw op, enum lit_type type,
                                           const struct exec_value *old,
                                           const struct exec_value *value)
{
    BASE_ASSERT(op == LIT_RMW_EXCHANGE || old);
    const struct exec_value *operand = exec_value_cast(r->arena, type, value);
    if (op == LIT_RMW_EXCHANGE)
        return operand;
    if (keeps_value(op, operand))
        return old;
    if (op == LIT_RMW_INC || op == LIT_RMW_DEC)
        return rmw_step(r, op, type, old, operand);
    if (op != LIT_RMW_MIN && op != LIT_RMW_MAX)
        return exec_value_apply(r->arena, lit_rmw_operators[op], type, type, old, operand, NULL);
    const struct exec_value *keep =
        exec_value_apply(r->arena, lit_rmw_operators[op], LIT_INT, type, old, operand, NULL);
    return exec_value_apply(r->arena, LIT_OP_SELECT, type, type, keep, old, operand);
}

/* In a type of its own, whose bits the location has. */
static const struct exec_value *rmw_within(struct runner *r, const struct lit_instr *instr,
                                           const struct exec_value *old,
                                           const struct exec_value *value)
{
    enum lit_type type = instr->computes - 1;
    old = exec_value_cast(r->arena, type, old);
    return exec_value_cast(r->arena, lit_type_unsigned(type),
                           rmw_result(r, instr->rmw, type, old, value));
}

/* The write of a read-modify-write that read `old`. */
static void add_result(struct runner *r, struct run *run, const struct lit_instr *instr,
                       const struct access *at, const struct run_value *operand,
                       const struct exec_value *old, const struct exec_deps *old_deps)
{
    bool has_read = !run_logged_write(run, at->location);
    enum lit_type type = r->program->locations[at->location].type;
    const struct exec_value *new = instr->computes
                                       ? rmw_within(r, instr, old, operand->value)
                                       : rmw_result(r, instr->rmw, type, old, operand->value);
    struct exec_deps data = operand->deps;
    if (instr->rmw != LIT_RMW_EXCHANGE)
        run_deps_join(r, &data, old_deps);
    add_write(r, run, at, order_of_half(r, instr->order, LIT_ORDER_REL), has_read, new, &data);
}

static void do_rmw(struct runner *r, struct run *run, const struct lit_instr *instr,
                   const struct access *at, const struct run_value *operand)
{
    struct exec_deps deps;
    uint32_t first = run->event_count;
    const struct exec_value *old =
        add_read(r, run, at, order_of_half(r, instr->order, LIT_ORDER_ACQ), true, &deps);
    add_result(r, run, instr, at, operand, old, &deps);
    set_register(r, run, instr->dst, old, &deps, first);
}

struct cas {
    const struct lit_instr *instr;
    const struct access *at;
    const struct run_value *expected, *desired;
};

/* The part of a run that succeeds, or fails, which is only a read. */
static void do_part_of_cas(struct runner *r, struct run *part, const struct cas *cas, bool success)
{
    BASE_ASSERT(cas->instr->op == LIT_CAS);
    const struct lit_instr *instr = cas->instr;
    enum lit_type type = r->program->locations[cas->at->location].type;
    struct exec_deps deps, outcome;
    uint32_t first = part->event_count;
    enum lit_order order = success ? instr->order : instr->fail_order;
    const struct exec_value *old =
        add_read(r, part, cas->at, order_of_half(r, order, LIT_ORDER_ACQ), success, &deps);
    const struct exec_value *wanted = exec_value_cast(r->arena, type, cas->expected->value);
    run_constrain(r, part, exec_value_apply(r->arena, LIT_OP_EQ, LIT_INT, type, old, wanted, NULL),
                  success != instr->unless);
    if (success)
        add_result(r, part, instr, cas->at, cas->desired, old, &deps);
    outcome = deps;
    run_deps_join(r, &outcome, &cas->expected->deps);
    set_register(r, part, instr->dst_old, old, &deps, first);
    set_register(r, part, instr->dst, exec_value_const(r->arena, LIT_INT, success), &outcome,
                 first);
}

/* Success and failure are two runs. */
static void do_cas(struct runner *r, struct run *run, const struct cas *cas)
{
    struct run *fails = run_split(r, run);
    do_part_of_cas(r, fails, cas, false);
    fails->pc++;
    VEC_PUSH(&r->open, fails);
    do_part_of_cas(r, run, cas, true);
}

/* Its register, if it has one, depends on the event alone. The value is the same of all tokens. */
static void give_token(struct runner *r, struct run *run, const struct lit_instr *instr)
{
    BASE_ASSERT(run->event_count > 0);
    if (instr->dst == LIT_NONE)
        return;
    struct exec_deps deps = run_deps_of(r, run->event_count - 1);
    set_register(r, run, instr->dst, exec_value_const(r->arena, LIT_INT, 1), &deps,
                 run->event_count - 1);
}

/* Of the fence that is next: of the events before it. None of these has a guard (run_tells_token). */
static struct exec_deps named_tokens(struct runner *r, struct run *run,
                                     const struct lit_instr *instr)
{
    struct exec_deps deps = {0};
    uint32_t index = run->event_count, newer = 0;
    if (!instr->counted)
        return instr->value ? run_evaluate(r, run, instr->value).deps : deps;
    uint64_t *words = ARENA_ARRAY(r->arena, uint64_t, index / 64 + 1);
    for (const struct run_event *link = run->events; link; link = link->previous) {
        index--;
        if (!run_tells_token(instr->counted, &link->event) || newer++ < instr->but)
            continue;
        bits_set(words, index);
        deps.count = deps.count ? deps.count : index / 64 + 1;
    }
    deps.words = words;
    return deps;
}

static void do_maintenance(struct runner *r, struct run *run, const struct lit_instr *instr,
                           const struct access *at)
{
    BASE_ASSERT(instr->op == LIT_CM);
    struct run_event *link = run_add_event(r, run, EV_CM);
    link->event.location = at->location;
    link->event.has_order = instr->order != LIT_ORDER_NA;
    link->event.has_scope = !instr->unscoped;
    link->addr = at->deps;
    give_token(r, run, instr);
}

/* Nothing depends on it that a lane has given what another one takes. */
static void take_given(struct runner *r, struct run *run, const struct access *at,
                       const struct exec_value *value)
{
    const struct lit_location *location = &r->program->locations[at->location];
    if (location->exchanged)
        run_constrain(r, run,
                      exec_value_apply(r->arena, LIT_OP_NE, LIT_INT, location->type, value,
                                       exec_value_const(r->arena, location->type, location->init),
                                       NULL),
                      true);
}

static void do_load(struct runner *r, struct run *run, const struct lit_instr *instr,
                    const struct access *at)
{
    struct exec_deps deps;
    uint32_t first = run->event_count;
    const struct exec_value *value = add_read(r, run, at, instr->order, false, &deps);
    set_register(r, run, instr->dst, value, &deps, first);
    take_given(r, run, at, value);
}

static void do_access(struct runner *r, struct run *run, const struct lit_instr *instr,
                      const struct access *at, const struct run_value *value,
                      const struct run_value *expected)
{
    BASE_ASSERT(instr->op == LIT_LOAD || instr->op == LIT_CM || value->value);
    if (instr->op == LIT_CM)
        do_maintenance(r, run, instr, at);
    else if (instr->op == LIT_CAS)
        do_cas(r, run, &(struct cas){instr, at, expected, value});
    else if (instr->op == LIT_RMW)
        do_rmw(r, run, instr, at, value);
    else if (instr->op == LIT_LOAD)
        do_load(r, run, instr, at);
    else
        add_write(r, run, at, instr->order, false, value->value, &value->deps);
    run->pc++;
}

static void step_array_access(struct runner *r, struct run *run, const struct lit_instr *instr,
                              const struct run_value *value, const struct run_value *expected)
{
    BASE_ASSERT(instr->addr.index && instr->addr.count > 0);
    struct run_value index = run_evaluate(r, run, instr->addr.index);
    if (!run_survives(r, run, &index))
        return;
    const struct exec_value *element = exec_value_cast(r->arena, LIT_LONG, index.value);
    if (!exec_value_is_const(element))
        run_fork(r, run, run->pc + 1); /* first, as the parts leave out what is outside */
    run_split_outside(r, run, element, 0, instr->addr.count - 1);
    for (uint32_t i = 0; i < instr->addr.count; i++) {
        struct run *part = run_where(r, run, run_index_is(r, element, i));
        if (!part)
            continue;
        struct access at = {lit_address_element(&instr->addr, i), index.deps};
        do_access(r, part, instr, &at, value, expected);
        VEC_PUSH(&r->open, part);
    }
}

static bool step_access(struct runner *r, struct run *run, const struct lit_instr *instr)
{
    struct run_value value = {0}, expected = {0};
    if (instr->value) {
        value = run_evaluate(r, run, instr->value);
        if (!run_survives(r, run, &value))
            return false;
    }
    if (instr->expected) {
        expected = run_evaluate(r, run, instr->expected);
        if (!run_survives(r, run, &expected))
            return false;
    }
    if (instr->addr.index) {
        step_array_access(r, run, instr, &value, &expected);
        return false;
    }
    if (instr->op == LIT_CAS)
        run_fork(r, run, run->pc + 1);
    do_access(r, run, instr, &(struct access){.location = instr->addr.first}, &value, &expected);
    return true;
}

static bool step_fence(struct runner *r, struct run *run, const struct lit_instr *instr)
{
    if (!run_come_to_mark(r, run, instr))
        return false;
    const struct exec_deps tokens = named_tokens(r, run, instr);
    struct run_event *link = run_add_event(r, run, EV_FENCE);
    link->event.has_order = instr->order != LIT_ORDER_NA;
    link->event.has_scope = !instr->unscoped;
    link->data = tokens;
    give_token(r, run, instr);
    run->pc++;
    run_pass_mark(r, run, instr);
    return true;
}

static bool step_crash(struct runner *r, struct run *run, const struct lit_instr *instr)
{
    run->crashes = ARENA_MAKE(r->arena, struct run_crash, {instr, run->event_count}, run->crashes);
    run->crash_count++;
    run->pc++;
    return true;
}

static bool step_set(struct runner *r, struct run *run, const struct lit_instr *instr)
{
    struct run_value value = run_evaluate(r, run, instr->value);
    if (!run_survives(r, run, &value))
        return false;
    set_register(r, run, instr->dst, value.value, &value.deps, 0);
    run->pc++;
    return true;
}

static bool step_check(struct runner *r, struct run *run, const struct lit_instr *instr)
{
    struct run_value value = run_evaluate(r, run, instr->value);
    value.fault = exec_value_apply(r->arena, LIT_OP_NOT, LIT_INT, LIT_INT, value.value, NULL, NULL);
    if (!run_survives(r, run, &value))
        return false;
    run->pc++;
    return true;
}

static bool step_branch(struct runner *r, struct run *run, const struct lit_instr *instr)
{
    struct run_value value = run_evaluate(r, run, instr->value);
    if (!run_survives(r, run, &value))
        return false;
    /* A compare-exchange's outcome is a constant on each run, and depends on its read. What a
     * branch on a read has decided depends on none, and is no constant once runs have joined. */
    run->branch_was_open = value.deps.count > 0 || !exec_value_is_const(value.value);
    for (uint32_t l = 0; l < r->thread->loop_count; l++)
        run->opened[l] |= run->branch_was_open;
    struct run_region region = {r->meets ? r->meets[run->pc] : r->thread->code_count,
                                instr->decides, value.deps};
    run_region_enter(r, run, &region);
    if (exec_value_is_const(value.value)) {
        run->pc = value.value->value ? run->pc + 1 : instr->target;
        return true;
    }
    BASE_ASSERT(instr->target <= r->thread->code_count);
    run_fork(r, run, run_branch_ends(r, run, instr->target));
    struct run *taken = run_split(r, run);
    run_constrain(r, taken, value.value, false);
    taken->pc = instr->target;
    VEC_PUSH(&r->open, taken);
    run_constrain(r, run, value.value, true);
    run->pc++;
    return true;
}

/* Loops that stand in this one, and those behind it, are entered anew. */
static void forget_later_loops(struct runner *r, struct run *run)
{
    for (uint32_t pc = run->pc + 1; pc < r->thread->code_count; pc++)
        if (r->thread->code[pc].op == LIT_LOOP) {
            run->iterations[r->thread->code[pc].loop] = 0;
            run->passes[r->thread->code[pc].loop] = NULL;
        }
}

/* Where it may wait, iterations that do more than that count when they are over. A run that has met
 * a bound is on its way to its next event, and may come by here once more. */
static bool step_loop(struct runner *r, struct run *run, const struct lit_instr *instr)
{
    BASE_ASSERT(instr->loop < r->thread->loop_count);
    uint32_t most = r->bounds[instr->loop] + (run->bound ? 2 : 0);
    forget_later_loops(r, run);
    if (run_counts(r, run, instr) && ++run->iterations[instr->loop] > most &&
        (run->bound || !r->waits_in[instr->loop]))
        return run_meet_bound(r, run, instr);
    run->pc++;
    return true;
}

bool run_step(struct runner *r, struct run *run)
{
    const struct lit_instr *instr = run_instr(r, run);
    if (run->bound && instr->op == LIT_AWAIT) {
        run->pc++;
        return true;
    }
    switch (instr->op) {
    case LIT_SET: return step_set(r, run, instr);
    case LIT_CHECK: return step_check(r, run, instr);
    case LIT_STORE:
    case LIT_RMW:
    case LIT_CAS: run_settle_write(r, run); return step_access(r, run, instr);
    case LIT_LOAD:
    case LIT_CM: return step_access(r, run, instr);
    case LIT_FENCE: return step_fence(r, run, instr);
    case LIT_BARRIER:
    case LIT_PBARRIER: return run_step_barrier(r, run, instr);
    case LIT_CRASH: return step_crash(r, run, instr);
    case LIT_JUMP: run->pc = instr->target; return true;
    case LIT_BRANCH: return step_branch(r, run, instr);
    case LIT_LOOP: return step_loop(r, run, instr);
    case LIT_AWAIT: return run_come_by(r, run, instr);
    }
    BASE_UNREACHABLE("an instruction");
}
