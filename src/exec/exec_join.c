/* Joins runs that part and meet again. Before a run splits, run_fork notes where its parts will
 * meet: behind the branch, or behind the access. The parts run up to there. Parts that differ only
 * in events, constraints and registers become one run. What a part relied on becomes the guard of
 * its events. A register that differs becomes a choice between the parts' values.
 *
 * The parts' events stand one after the other, so reads of later parts get other numbers. */
#include "exec/exec_run.h"

#include "litmus/lit_code.h"

#include <string.h>

/* ---- Guards ----------------------------------------------------------------------------- */

bool exec_guard_implies(const struct exec_guard *a, const struct exec_guard *b)
{
    while (a && a != b)
        a = a->outer;
    return a == b;
}

bool exec_guards_exclude(const struct exec_guard *a, const struct exec_guard *b)
{
    for (const struct exec_guard *x = a; x; x = x->outer)
        for (const struct exec_guard *y = b; y; y = y->outer)
            if (x != y && x->fork == y->fork && x->outer == y->outer)
                return true;
    return false;
}

/* ---- Where runs part and meet ----------------------------------------------------------- */

uint32_t run_branch_ends(const struct runner *r, const struct run *run, uint32_t target)
{
    return target <= run->pc ? run->pc + 1 : lit_code_ways_meet(r->thread->code, target);
}

void run_fork(struct runner *r, const struct run *run, uint32_t join)
{
    if (!r->options->join || r->drops || r->waits_at[run->pc])
        return;
    VEC_PUSH(&r->forks, (struct run_fork){.join = join,
                                          .open = r->open.count,
                                          .events = run->events,
                                          .event_count = run->event_count,
                                          .constraints = run->constraints,
                                          .constraint_count = run->constraint_count,
                                          .crashes = run->crashes,
                                          .assignments = run->assignments,
                                          .log = run->log,
                                          .transaction = run->transaction});
}

bool run_arrives(struct runner *r, struct run *run)
{
    if (!r->forks.count || run->pc != VEC_LAST(&r->forks).join)
        return false;
    VEC_PUSH(&VEC_LAST(&r->forks).arrived, run);
    return true;
}

/* ---- One part --------------------------------------------------------------------------- */

/* A part on its way into a joined run. */
struct part {
    const struct run *run;
    const struct exec_value *when; /* its reads renumbered, like everything below */
    uint32_t shift;
    struct exec_guard *guard;
};

struct joining {
    struct runner *runner;
    const struct run_fork *fork;
    struct part *parts;
    uint32_t count;
    uint32_t event_count;
    uint32_t number;
};

/* The value with reads after the fork renumbered. */
static const struct exec_value *renumber(const struct joining *j, const struct exec_value *value,
                                         uint32_t shift)
{
    return run_value_shift(j->runner, value, j->fork->event_count, shift);
}

/* What the part relied on since the fork. */
static const struct exec_value *condition(const struct joining *j, const struct run *run)
{
    const struct exec_value *all = NULL;
    for (const struct run_constraint *link = run->constraints; link != j->fork->constraints;
         link = link->previous) {
        const struct exec_constraint *one = &link->constraint;
        const struct exec_value *holds =
            one->truth ? one->value : run_logic(j->runner, LIT_OP_NOT, one->value, NULL);
        if (one->truth && holds->type != LIT_INT)
            holds = run_logic(j->runner, LIT_OP_NOT, run_logic(j->runner, LIT_OP_NOT, holds, NULL),
                              NULL);
        all = all ? run_logic(j->runner, LIT_OP_AND, holds, all) : holds;
    }
    return all ? all : exec_value_const(j->runner->arena, LIT_INT, 1);
}

/* Whoever shares a barrier with other threads counts how many came before it; and so do fences that
 * name the tokens of all but the newest. */
static bool may_be_left_out(const struct runner *r, const struct ev *event)
{
    if (!ev_kind_meets(event->kind))
        return !r->options->dependencies || !run_tells_token(r->counted, event);
    return !event->meeting.label && !event->meeting.quorum && event->meeting.resource == LIT_NONE &&
           !run_has_company(r, event->meeting.scope);
}

/* What a register of a crash condition holds behind a crash statement depends on whether there is
 * an event between. */
static bool joins_anything(const struct runner *r, const struct run_fork *fork,
                           const struct run *run)
{
    for (const struct run_event *link = run->events; link != fork->events; link = link->previous)
        if (!may_be_left_out(r, &link->event))
            return false;
    return run->crashes == fork->crashes && run->assignments == fork->assignments &&
           run->log == fork->log && run->transaction == fork->transaction &&
           !(run->crashes && r->shows_registers);
}

static bool are_alike(const struct runner *r, const struct run *a, const struct run *b)
{
    return a->probe == b->probe && a->bound == b->bound &&
           a->branch_was_open == b->branch_was_open &&
           (r->thread->loop_count == 0 ||
            memcmp(a->iterations, b->iterations, r->thread->loop_count * sizeof *a->iterations) ==
                0);
}

/* ---- Registers -------------------------------------------------------------------------- */

static const struct exec_value *joined_register(const struct joining *j, uint32_t reg)
{
    const struct exec_value *value = NULL;
    enum lit_type type = j->runner->thread->registers[reg].type;
    for (uint32_t i = 0; i < j->count; i++) {
        const struct part *part = &j->parts[i];
        const struct exec_value *mine = renumber(j, part->run->registers[reg], part->shift);
        if (!value)
            value = mine;
        else if (!exec_value_same(value, mine))
            value = exec_value_apply(j->runner->arena, LIT_OP_SELECT, type, part->when->type,
                                     part->when, mine, value);
    }
    return value;
}

/* ---- Dependencies ----------------------------------------------------------------------- */

/* Of the parts' own dependencies; where nobody asks for them, whether there are any. */
static struct exec_deps joined_deps(const struct joining *j, const struct exec_deps *own)
{
    struct runner *r = j->runner;
    struct run_deps_part *parts = ARENA_ARRAY(r->arena, struct run_deps_part, j->count);
    struct exec_deps any = {0};
    for (uint32_t i = 0; i < j->count; i++) {
        if (r->options->dependencies)
            parts[i] = (struct run_deps_part){
                run_deps_shift(r, &own[i], j->fork->event_count, j->parts[i].shift),
                j->parts[i].when};
        else
            run_deps_join(r, &any, &own[i]);
    }
    return r->options->dependencies ? run_deps_choose(r, parts, j->count, j->fork->event_count)
                                    : any;
}

static struct exec_deps joined_register_deps(const struct joining *j, uint32_t reg)
{
    struct exec_deps *own = ARENA_ARRAY(j->runner->arena, struct exec_deps, j->count);
    for (uint32_t i = 0; i < j->count; i++)
        own[i] = j->parts[i].run->register_deps[reg];
    return joined_deps(j, own);
}

static struct exec_deps joined_region_deps(const struct joining *j, const struct run_region *region)
{
    struct exec_deps *own = ARENA_ARRAY(j->runner->arena, struct exec_deps, j->count);
    for (uint32_t i = 0; i < j->count; i++) {
        const struct run_region *like = run_region_like(j->parts[i].run, region);
        if (like)
            own[i] = like->deps;
    }
    return joined_deps(j, own);
}

/* Is the region one of a part before? */
static bool is_joined(const struct joining *j, uint32_t part, const struct run_region *region)
{
    while (part-- > 0)
        if (run_region_like(j->parts[part].run, region))
            return true;
    return false;
}

/* Those that some part is in. */
static void join_regions(const struct joining *j, struct run *joined)
{
    uint32_t most = 0, count = 0;
    for (uint32_t i = 0; i < j->count; i++)
        most += j->parts[i].run->region_count;
    struct run_region *regions = ARENA_ARRAY(j->runner->arena, struct run_region, most);
    for (uint32_t i = 0; i < j->count; i++)
        for (uint32_t k = 0; k < j->parts[i].run->region_count; k++) {
            const struct run_region *one = &j->parts[i].run->regions[k];
            if (!is_joined(j, i, one))
                regions[count++] =
                    (struct run_region){one->end, one->decides, joined_region_deps(j, one)};
        }
    run_region_set(j->runner, joined, regions, count);
}

/* ---- Events ----------------------------------------------------------------------------- */

/* Guards of a part as they were, and as they stand within the part's own. */
struct guard_copy {
    const struct exec_guard *own, *copy;
};
typedef VEC(struct guard_copy) guard_copies;

static const struct exec_guard *guard_within(const struct joining *j, const struct part *part,
                                             const struct exec_guard *own, guard_copies *copies)
{
    if (!own)
        return part->guard;
    for (size_t i = 0; i < copies->count; i++)
        if (copies->items[i].own == own)
            return copies->items[i].copy;
    const struct exec_guard *copy =
        ARENA_MAKE(j->runner->arena, struct exec_guard, renumber(j, own->when, part->shift),
                   guard_within(j, part, own->outer, copies), own->fork);
    VEC_PUSH(copies, (struct guard_copy){own, copy});
    return copy;
}

static void renumber_deps(const struct joining *j, struct run_event *event, uint32_t shift)
{
    uint32_t from = j->fork->event_count;
    event->addr = run_deps_shift(j->runner, &event->addr, from, shift);
    event->data = run_deps_shift(j->runner, &event->data, from, shift);
    event->ctrl = run_deps_shift(j->runner, &event->ctrl, from, shift);
}

/* Adds a part's events since the fork behind `last`. */
static const struct run_event *add_events(const struct joining *j, const struct part *part,
                                          const struct run_event *last)
{
    uint32_t count = part->run->event_count - j->fork->event_count;
    const struct run_event **own = ARENA_ARRAY(j->runner->arena, const struct run_event *, count);
    const struct run_event *link = part->run->events;
    guard_copies copies = {0};
    for (uint32_t i = count; i-- > 0; link = link->previous)
        own[i] = link;
    for (uint32_t i = 0; i < count; i++) {
        struct run_event *copy = arena_copy(j->runner->arena, own[i], sizeof *copy);
        copy->event.value = renumber(j, own[i]->event.value, part->shift);
        if (j->runner->options->dependencies)
            renumber_deps(j, copy, part->shift);
        copy->guard = guard_within(j, part, own[i]->guard, &copies);
        copy->previous = last;
        last = copy;
    }
    VEC_FREE(&copies);
    return last;
}

/* ---- The joined run --------------------------------------------------------------------- */

/* Parts of one joined run. */
enum { MOST_PARTS = 64 };

static bool fits(const struct joining *j, const struct run *joined)
{
    if (j->count > MOST_PARTS)
        return false;
    for (uint32_t i = 0; i < j->count; i++)
        if (j->parts[i].when->size > EXEC_MAX_VALUE_SIZE)
            return false;
    for (uint32_t i = 0; i < j->runner->thread->register_count; i++)
        if (joined->registers[i]->size > EXEC_MAX_VALUE_SIZE ||
            !run_deps_fit(&joined->register_deps[i]))
            return false;
    return run_deps_fit(&joined->ctrl) && joined->event_count <= j->runner->most_events;
}

static void give_parts(struct joining *j, struct run *const *runs)
{
    uint32_t shift = 0;
    for (uint32_t i = 0; i < j->count; i++) {
        struct part *part = &j->parts[i];
        *part = (struct part){.run = runs[i], .shift = shift};
        part->when = condition(j, runs[i]);
        if (part->when->size <= EXEC_MAX_VALUE_SIZE) /* else nothing is joined */
            part->when = renumber(j, part->when, shift);
        part->guard = ARENA_MAKE(j->runner->arena, struct exec_guard, part->when, NULL, j->number);
        shift += runs[i]->event_count - j->fork->event_count;
    }
    j->event_count = j->fork->event_count + shift;
}

/* Does the value depend on a read since the fork? */
static bool depends_on_part(const struct joining *j, const struct exec_value *value)
{
    if (!value)
        return false;
    return (value->op == LIT_OP_REG && value->read >= j->fork->event_count) ||
           depends_on_part(j, value->a) || depends_on_part(j, value->b) ||
           depends_on_part(j, value->c);
}

/* When not all that parted meet, the joined run relies on being one of those that do. What a
 * part says of its own reads, such as a compare-exchange that succeeds, says nothing when the
 * part is not taken: so that exactly one is must be relied on, too. */
static void rely_on_one(const struct joining *j, struct run *joined, bool all)
{
    const struct exec_value *some = NULL;
    bool own = false;
    for (uint32_t i = 0; i < j->count; i++) {
        const struct exec_value *when = j->parts[i].when;
        some = some ? run_logic(j->runner, LIT_OP_OR, some, when) : when;
        own |= depends_on_part(j, when);
    }
    if (own || !all)
        run_constrain(j->runner, joined, some, true);
    for (uint32_t i = 0; own && i < j->count; i++)
        for (uint32_t k = 0; k < i; k++)
            run_constrain(j->runner, joined,
                          run_logic(j->runner, LIT_OP_AND, j->parts[i].when, j->parts[k].when),
                          false);
}

/* Where some part came by a loop since they parted, that begins anew for the joined run. */
static void join_visits(const struct joining *j, struct run *joined)
{
    for (uint32_t l = 0; l < j->runner->thread->loop_count; l++)
        for (uint32_t i = 1; i < j->count; i++) {
            const struct run *first = j->parts[0].run, *other = j->parts[i].run;
            if (other->visits[l] != first->visits[l])
                joined->visits[l] = NULL;
            if (other->passes[l] != first->passes[l])
                joined->passes[l] = NULL;
            joined->opened[l] |= other->opened[l];
        }
}

/* NULL when the joined run would be larger than is looked at. */
static struct run *join_runs(struct joining *j, struct run *const *runs, bool all)
{
    struct runner *r = j->runner;
    give_parts(j, runs);
    struct run *joined = run_split(r, runs[0]);
    joined->event_count = j->event_count;
    joined->constraints = j->fork->constraints;
    joined->constraint_count = j->fork->constraint_count;
    for (uint32_t i = 0; i < r->thread->register_count; i++) {
        joined->registers[i] = joined_register(j, i);
        joined->register_deps[i] = joined_register_deps(j, i);
    }
    join_regions(j, joined);
    if (!fits(j, joined))
        return NULL;
    joined->events = j->fork->events;
    for (uint32_t i = 0; i < j->count; i++) {
        joined->events = add_events(j, &j->parts[i], joined->events);
        joined->steps = runs[i]->steps > joined->steps ? runs[i]->steps : joined->steps;
    }
    join_visits(j, joined);
    rely_on_one(j, joined, all);
    return joined;
}

/* Takes the runs that join the first one out of `runs`; its size is what is left. */
static uint32_t take_alike(struct runner *r, const struct run_fork *fork, struct run **runs,
                           uint32_t *count, struct run **taken)
{
    uint32_t found = 0, left = 0;
    struct run *first = runs[0];
    for (uint32_t i = 0; i < *count; i++) {
        bool joins = i == 0 || (joins_anything(r, fork, first) &&
                                joins_anything(r, fork, runs[i]) && are_alike(r, first, runs[i]));
        if (joins)
            taken[found++] = runs[i];
        else
            runs[left++] = runs[i];
    }
    *count = left;
    return found;
}

void run_join(struct runner *r)
{
    struct run_fork fork = VEC_POP(&r->forks);
    uint32_t left = (uint32_t)fork.arrived.count, all = left;
    struct run **runs = fork.arrived.items;
    struct run **taken = ARENA_ARRAY(r->arena, struct run *, left);
    while (left > 0) {
        struct joining j = {.runner = r, .fork = &fork, .number = r->fork_number++};
        j.count = take_alike(r, &fork, runs, &left, taken);
        j.parts = ARENA_ARRAY(r->arena, struct part, j.count);
        struct run *joined =
            j.count > 1 ? join_runs(&j, taken, j.count == all && !fork.lost) : NULL;
        if (joined)
            VEC_PUSH(&r->open, joined);
        for (uint32_t i = 0; !joined && i < j.count; i++)
            VEC_PUSH(&r->open, taken[i]);
    }
    if (r->forks.count)
        VEC_LAST(&r->forks).lost |= fork.lost;
    VEC_FREE(&fork.arrived);
}
