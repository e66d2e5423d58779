/* Runs are continued one at a time from a stack. A run that splits pushes its parts;
 * one that ends is flattened from lists to arrays and becomes a path. */
#include "exec/exec_run.h"

struct run *run_split(struct runner *runner, const struct run *run)
{
    uint32_t registers = runner->thread->register_count, loops = runner->thread->loop_count;
    struct run *copy = arena_copy(runner->arena, run, sizeof *run);
    copy->registers =
        arena_copy(runner->arena, run->registers, registers * sizeof *copy->registers);
    copy->register_deps =
        arena_copy(runner->arena, run->register_deps, registers * sizeof *copy->register_deps);
    copy->iterations = arena_copy(runner->arena, run->iterations, loops * sizeof *copy->iterations);
    copy->visits = arena_copy(runner->arena, run->visits, loops * sizeof *copy->visits);
    copy->passes = arena_copy(runner->arena, run->passes, loops * sizeof *copy->passes);
    copy->opened = arena_copy(runner->arena, run->opened, loops * sizeof *copy->opened);
    return copy;
}

/* ---- What constraints say of one read ---- */

/* The newest constraints that are looked at. */
enum { MOST_LOOKED_AT = 64 };

/* What the one read of a constraint returns where that is a comparison with a constant, `r == 2`, that holds. */
static bool find_pin(const struct exec_constraint *constraint, int64_t *value)
{
    const struct exec_value *equal = constraint->value, *read = equal->a, *constant = equal->b;
    if (!constraint->truth || equal->op != LIT_OP_EQ)
        return false;
    if (read->op == LIT_OP_CONST) {
        read = equal->b;
        constant = equal->a;
    }
    bool is_told_apart = lit_type_keeps(read->type, equal->operands);
    for (; read->op == LIT_OP_CAST; read = read->a)
        is_told_apart = is_told_apart && lit_type_keeps(read->a->type, read->type);
    *value = lit_value_wrap(read->type, constant->value);
    return is_told_apart && read->op == LIT_OP_REG && constant->op == LIT_OP_CONST;
}

/* Does the constraint, on this one read, hold where the read returns the value? */
static bool holds_for(struct runner *runner, const struct exec_constraint *constraint,
                      uint32_t read, int64_t value)
{
    struct arena_mark mark = arena_mark(runner->arena);
    int64_t *values = ARENA_ARRAY(runner->arena, int64_t, read + 1), result = 0;
    bool *known = ARENA_ARRAY(runner->arena, bool, read + 1);
    struct exec_reads reads = {values, known};
    values[read] = value;
    known[read] = true;
    const bool is_known = exec_value_get(constraint->value, &reads, &result);
    arena_rewind(runner->arena, mark);
    return !is_known || (result != 0) == constraint->truth;
}

/* No value of the read fulfils the newest constraint together with an earlier one. An index that was chosen once, as
 * `list[n]` is, is so for `next[n]`. Where runs join, a read may be one that only some of them have. */
static bool contradicts_itself(struct runner *runner, const struct run *run)
{
    const struct exec_constraint *newest = &run->constraints->constraint;
    const uint32_t read = exec_value_single_read(newest->value);
    const struct run_constraint *link = run->constraints->previous;
    int64_t value = 0;
    if (read == LIT_NONE || runner->options->join || runner->options->any_value)
        return false;
    const bool is_pin = find_pin(newest, &value);
    if (is_pin && !holds_for(runner, newest, read, value))
        return false;
    for (uint32_t i = 0; link && i < MOST_LOOKED_AT; i++, link = link->previous) {
        const struct exec_constraint *earlier = &link->constraint;
        if (exec_value_single_read(earlier->value) != read)
            continue;
        if (is_pin && !holds_for(runner, earlier, read, value))
            return true;
        if (!is_pin && find_pin(earlier, &value) && holds_for(runner, earlier, read, value))
            return !holds_for(runner, newest, read, value);
    }
    return false;
}

void run_constrain(struct runner *runner, struct run *run, const struct exec_value *value,
                   bool truth)
{
    BASE_ASSERT(value);
    run->constraints =
        ARENA_MAKE(runner->arena, struct run_constraint, {value, truth}, run->constraints);
    run->constraint_count++;
    run->is_off |= exec_value_is_const(value) && (value->value != 0) != truth;
    int64_t known;
    if (runner->options->follow && exec_value_get(value, runner->options->follow, &known))
        run->is_off |= (known != 0) != truth;
    run->is_off = run->is_off || contradicts_itself(runner, run);
}

struct run *run_where(struct runner *runner, const struct run *run, const struct exec_value *value)
{
    bool known = exec_value_is_const(value);
    if (known && value->value == 0)
        return NULL;
    struct run *part = run_split(runner, run);
    if (!known)
        run_constrain(runner, part, value, true);
    return part;
}

static void keep_events(struct runner *runner, struct exec_path *path, const struct run_event *last,
                        uint32_t count)
{
    struct ev *events = ARENA_ARRAY(runner->arena, struct ev, count);
    struct exec_deps *addr = ARENA_ARRAY(runner->arena, struct exec_deps, count);
    struct exec_deps *data = ARENA_ARRAY(runner->arena, struct exec_deps, count);
    struct exec_deps *ctrl = ARENA_ARRAY(runner->arena, struct exec_deps, count);
    const struct exec_guard **guards = ARENA_ARRAY(runner->arena, const struct exec_guard *, count);
    for (uint32_t i = count; i-- > 0; last = last->previous) {
        BASE_ASSERT(last && last->event.thread == runner->thread_index);
        BASE_ASSERT(last->addr.count <= count / 64 + 1);
        events[i] = last->event;
        addr[i] = last->addr;
        data[i] = last->data;
        ctrl[i] = last->ctrl;
        guards[i] = last->guard;
        path->joined |=
            last->guard || last->addr.case_count || last->data.case_count || last->ctrl.case_count;
    }
    path->events = events;
    path->addr = addr;
    path->data = data;
    path->ctrl = ctrl;
    path->guards = guards;
    path->slot_count = count;
    BASE_ASSERT(count == path->event_count || path->end == EXEC_AT_AWAIT);
}

/* The newest `count` constraints, oldest first. */
static const struct exec_constraint *
keep_constraints(struct runner *runner, const struct run_constraint *last, uint32_t count)
{
    struct exec_constraint *items = ARENA_ARRAY(runner->arena, struct exec_constraint, count);
    for (uint32_t i = count; i-- > 0; last = last->previous) {
        BASE_ASSERT(last);
        items[i] = last->constraint;
    }
    return items;
}

static const struct exec_crash_mark *keep_crashes(struct runner *runner, const struct run *run)
{
    struct exec_crash_mark *items =
        ARENA_ARRAY(runner->arena, struct exec_crash_mark, run->crash_count);
    const struct run_crash *last = run->crashes;
    for (uint32_t i = run->crash_count; i-- > 0; last = last->previous) {
        BASE_ASSERT(last->mark.before <= run->event_count);
        items[i] = last->mark;
    }
    return items;
}

/* Those that are there once the first `event_count` events are. */
static void keep_assignments(struct runner *runner, struct exec_path *path, const struct run *run,
                             uint32_t event_count)
{
    const struct run_assignment *last = run->assignments;
    uint32_t count = run->assignment_count;
    for (; count && last->assignment.end > event_count; last = last->previous)
        count--;
    struct exec_assignment *items = ARENA_ARRAY(runner->arena, struct exec_assignment, count);
    for (uint32_t i = count; i-- > 0; last = last->previous) {
        BASE_ASSERT(last->assignment.first <= last->assignment.end &&
                    last->assignment.end <= event_count);
        items[i] = last->assignment;
    }
    path->assignments = items;
    path->assignment_count = count;
}

static struct exec_path *new_path(struct runner *runner, const struct run *run, enum exec_end end,
                                  const struct lit_instr *instr)
{
    if (run->is_off)
        return NULL;
    if (runner->forks.count)
        VEC_LAST(&runner->forks).lost = true;
    if (run_is_vain(run))
        return NULL;
    runner->late |= end != EXEC_COMPLETE && run->event_count > EXEC_CUT_EVENTS;
    *runner->options->path_events += run->event_count + 1;
    if (runner->done.count >= EXEC_MAX_PATHS ||
        *runner->options->path_events > EXEC_MAX_PATH_EVENTS) {
        runner->truncated = true;
        return NULL;
    }
    BASE_ASSERT(end == EXEC_COMPLETE || instr);
    struct exec_path *path =
        ARENA_MAKE(runner->arena, struct exec_path, .thread = runner->thread_index, .end = end,
                   .end_instr = instr, .probe = run->probe, .shares = run->shares,
                   .event_count = run->event_count, .constraint_count = run->constraint_count,
                   .crash_count = run->crash_count, .registers = run->registers);
    path->constraints = keep_constraints(runner, run->constraints, run->constraint_count);
    path->crashes = keep_crashes(runner, run);
    keep_assignments(runner, path, run, run->event_count);
    VEC_PUSH(&runner->done, path);
    return path;
}

struct exec_path *run_end(struct runner *runner, const struct run *run, enum exec_end end,
                          const struct lit_instr *instr)
{
    struct exec_path *path = new_path(runner, run, end, instr);
    if (path)
        keep_events(runner, path, run->events, run->event_count);
    return path;
}

void run_end_spinning(struct runner *runner, const struct run *visit, const struct run *run,
                      const struct lit_instr *instr, const struct exec_constraint *spins,
                      uint32_t spin_count)
{
    BASE_ASSERT(visit->event_count <= run->event_count);
    struct exec_path *path = new_path(runner, visit, EXEC_AT_AWAIT, instr);
    if (!path)
        return;
    keep_events(runner, path, run->events, run->event_count);
    /* What the iteration left out computes before its first read is there as well. */
    keep_assignments(runner, path, run, visit->event_count);
    path->shares = run->shares;
    path->spins = spins;
    path->spin_count = spin_count;
}

/* ---- Runs that are cut ---- */

/* What a run computes before its next event is there with its last one. Where a crash would show
 * that and it is not known, none comes behind the last event that the run has whichever ways it
 * took. A run without such an event is not kept. */
static struct exec_path *cut(struct runner *runner, const struct run *run,
                             const struct lit_instr *instr)
{
    const bool computes = runner->shows_registers && lit_instruction_is(instr->op, LIT_PRIVATE);
    const struct run_event *last = run->events;
    uint32_t hidden = computes;
    for (; computes && last && last->guard; last = last->previous)
        hidden++;
    if (computes && !last) {
        runner->truncated = true;
        return NULL;
    }
    struct exec_path *path = run_end(runner, run, EXEC_AT_BOUND, instr);
    if (path)
        path->hidden_count = hidden;
    return path;
}

void run_end_too_long(struct runner *runner, const struct run *run, const struct lit_instr *instr)
{
    struct exec_path *path = cut(runner, run, instr);
    runner->cut |= run->event_count > EXEC_CUT_EVENTS;
    if (path)
        path->too_long = true;
}

bool run_meet_bound(struct runner *runner, struct run *run, const struct lit_instr *instr)
{
    if (run->bound || !runner->shows_registers) {
        cut(runner, run, instr);
        return false;
    }
    run->bound = instr;
    run->pc++;
    return true;
}

void run_assign(struct runner *runner, struct run *run, uint32_t reg, uint32_t first)
{
    BASE_ASSERT(reg < runner->thread->register_count);
    BASE_ASSERT(first <= run->event_count);
    if (!runner->thread->registers[reg].at_crash)
        return;
    bool behind = run->crashes && run->crashes->mark.before == run->event_count;
    struct exec_assignment assignment = {.reg = reg,
                                         .first = first,
                                         .end = run->event_count,
                                         .behind = behind ? run->crash_count : 0,
                                         .value = run->registers[reg]};
    run->assignments =
        ARENA_MAKE(runner->arena, struct run_assignment, assignment, run->assignments);
    run->assignment_count++;
}

static struct run *first_run(struct runner *runner)
{
    uint32_t count = runner->thread->register_count;
    struct run *run = ARENA_NEW(runner->arena, struct run);
    run->registers = ARENA_ARRAY(runner->arena, const struct exec_value *, count);
    run->register_deps = ARENA_ARRAY(runner->arena, struct exec_deps, count);
    run->iterations = ARENA_ARRAY(runner->arena, uint32_t, runner->thread->loop_count);
    run->visits = ARENA_ARRAY(runner->arena, const struct run *, runner->thread->loop_count);
    run->passes = ARENA_ARRAY(runner->arena, const struct run_pass *, runner->thread->loop_count);
    run->opened = ARENA_ARRAY(runner->arena, bool, runner->thread->loop_count);
    for (uint32_t i = 0; i < count; i++) {
        const struct lit_register *reg = &runner->thread->registers[i];
        run->registers[i] = exec_value_const(runner->arena, reg->type, reg->init);
        if (reg->given)
            run_assign(runner, run, i, 0);
    }
    return run;
}

/* At its end, or before an event behind a loop's bound? */
static bool is_over(const struct runner *runner, const struct run *run)
{
    return run->pc >= runner->thread->code_count ||
           (run->bound && !lit_instruction_is(run_instr(runner, run)->op, LIT_PRIVATE));
}

/* A run that has the most events goes on to its next one, as in run_meet_bound. */
static bool is_too_long(const struct runner *runner, const struct run *run)
{
    const uint32_t *until = runner->options->follow_until;
    bool full = run->event_count > runner->most_events || (until && run->event_count >= *until);
    bool goes_with_last =
        runner->shows_registers && lit_instruction_is(run_instr(runner, run)->op, LIT_PRIVATE);
    return run->steps > EXEC_MAX_STEPS || !run_deps_fit(&run->ctrl) || (full && !goes_with_last);
}

static void continue_run(struct runner *runner, struct run *run)
{
    do {
        run_region_leave(runner, run);
        if (run->is_off || run_arrives(runner, run))
            return;
        if (is_over(runner, run)) {
            run_end(runner, run, run->bound ? EXEC_AT_BOUND : EXEC_COMPLETE, run->bound);
            return;
        }
        BASE_ASSERT(run->pc < runner->thread->code_count);
        const struct lit_instr *instr = &runner->thread->code[run->pc];
        run->steps++;
        if (is_too_long(runner, run)) {
            run_end_too_long(runner, run, instr);
            return;
        }
    } while (run_step(runner, run));
}

/* Is the thread to be run again, with its runs cut off early? */
static bool is_cut_early(const struct runner *runner)
{
    return !runner->options->follow && runner->most_events > EXEC_CUT_EVENTS &&
           (runner->cut || (runner->truncated && runner->late));
}

static void run_all(struct runner *runner)
{
    const struct exec_run_options *options = runner->options;
    VEC_PUSH(&runner->open, first_run(runner));
    while ((runner->open.count > 0 || runner->forks.count > 0) && !runner->truncated &&
           !is_cut_early(runner)) {
        if (runner->forks.count && VEC_LAST(&runner->forks).open == runner->open.count)
            run_join(runner);
        else
            continue_run(runner, VEC_POP(&runner->open));
        runner->truncated |= options->out_of_time && options->out_of_time(options->clock);
    }
}

static void forget_runs(struct runner *runner)
{
    runner->open.count = runner->done.count = 0;
    for (size_t i = 0; i < runner->forks.count; i++)
        VEC_FREE(&runner->forks.items[i].arrived);
    runner->forks.count = 0;
    runner->truncated = runner->late = runner->cut = false;
}

void exec_run_thread(struct arena *arena, const struct lit_program *program, uint32_t thread,
                     const struct exec_run_options *options, struct exec_paths *paths)
{
    BASE_ASSERT(thread < program->thread_count);
    BASE_ASSERT(options->path_events);
    BASE_ASSERT(options->most_events < EXEC_MAX_THREAD_EVENTS);
    struct runner runner = {.arena = arena,
                            .program = program,
                            .thread = &program->threads[thread],
                            .thread_index = thread,
                            .options = options,
                            .most_events = options->most_events ? options->most_events
                                                                : EXEC_MAX_THREAD_EVENTS};
    run_find_waits(&runner);
    run_find_meets(&runner);
    run_find_bounds(&runner);
    run_find_effects(&runner);
    for (uint32_t i = 0; i < runner.thread->register_count; i++)
        runner.shows_registers |= runner.thread->registers[i].at_crash;
    for (uint32_t i = 0; i < runner.thread->code_count; i++)
        runner.counted |= runner.thread->code[i].counted;
    struct arena_mark mark = arena_mark(arena);
    uint32_t path_events = *options->path_events;
    run_all(&runner);
    if (is_cut_early(&runner)) {
        forget_runs(&runner);
        arena_rewind(arena, mark);
        *options->path_events = path_events;
        runner.most_events = EXEC_CUT_EVENTS;
        run_all(&runner);
    }
    paths->items = VEC_KEEP(arena, &runner.done);
    paths->count = (uint32_t)runner.done.count;
    paths->truncated = runner.truncated;
    forget_runs(&runner);
    VEC_FREE(&runner.open);
    VEC_FREE(&runner.done);
    VEC_FREE(&runner.forks);
}
