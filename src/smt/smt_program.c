/* Each thread's paths (exec_path.h) share the events of their common beginnings, so a thread is a
 * tree of events. A variable chooses its path. An event's guard says that the path goes through it,
 * and for a joined path that the event's part is taken. Values are bit-vectors; rf and co are
 * variables per pair. */
#include "smt/smt_program.h"

#include "base/bits.h"

#include <string.h>

/* ---- Events: the trees of the threads' paths ---- */

/* Does the path's event at `index` happen as this one does, the beginnings being the same? */
static bool same_event(const struct smt_event *node, const struct exec_path *path, uint32_t index)
{
    BASE_ASSERT(index < path->event_count && node->index == index);
    const struct ev *a = &node->ev, *b = &path->events[index];
    const struct exec_path *other = node->path;
    return a->instr == b->instr && a->kind == b->kind && a->location == b->location &&
           a->order == b->order && a->rmw == b->rmw && a->meeting.resource == b->meeting.resource &&
           a->meeting.quorum == b->meeting.quorum && node->under == path->guards[index] &&
           exec_value_same(a->value, b->value) &&
           exec_deps_same(&other->addr[index], &path->addr[index]) &&
           exec_deps_same(&other->data[index], &path->data[index]) &&
           exec_deps_same(&other->ctrl[index], &path->ctrl[index]);
}

typedef VEC(struct smt_event) event_list;

static uint32_t find_or_add(event_list *events, uint32_t first, uint32_t parent,
                            const struct exec_path *path, uint32_t index)
{
    BASE_ASSERT(parent == LIT_NONE || (parent >= first && parent < events->count));
    for (uint32_t e = first; e < events->count; e++)
        if (events->items[e].parent == parent && same_event(&events->items[e], path, index))
            return e;
    VEC_PUSH(events, (struct smt_event){.ev = path->events[index],
                                        .parent = parent,
                                        .under = path->guards[index],
                                        .path = path,
                                        .index = index});
    return (uint32_t)events->count - 1;
}

static void add_thread(struct smt_program *p, event_list *events, uint32_t t)
{
    BASE_ASSERT(t < smt_program_test(p)->thread_count);
    struct smt_thread *thread = &p->threads[t];
    uint32_t first = (uint32_t)events->count;
    thread->nodes = ARENA_ARRAY(p->arena, uint32_t *, thread->paths.count);
    for (uint32_t i = 0; i < thread->paths.count && events->count <= REL_MAX_EVENTS; i++) {
        const struct exec_path *path = thread->paths.items[i];
        uint32_t parent = LIT_NONE;
        thread->nodes[i] = ARENA_ARRAY(p->arena, uint32_t, path->event_count);
        for (uint32_t k = 0; k < path->event_count; k++)
            thread->nodes[i][k] = parent = find_or_add(events, first, parent, path, k);
    }
}

static void add_initial_writes(struct smt_program *p, event_list *events)
{
    BASE_ASSERT(events->count == 0);
    const struct lit_program *test = smt_program_test(p);
    for (uint32_t l = 0; l < test->location_count; l++)
        VEC_PUSH(events, (struct smt_event){
                             .ev = {.kind = EV_WRITE,
                                    .init = true,
                                    .thread = LIT_NONE,
                                    .location = l,
                                    .spaces = test->locations[l].spaces,
                                    .value = exec_value_const(p->arena, test->locations[l].type,
                                                              test->locations[l].init)},
                             .parent = LIT_NONE});
    p->init_count = test->location_count;
}

/* Could an execution have more events than a skeleton holds? */
static bool executions_fit(const struct smt_program *p)
{
    uint64_t most = p->init_count;
    for (uint32_t t = 0; t < smt_program_test(p)->thread_count; t++) {
        uint32_t longest = 0;
        for (uint32_t i = 0; i < p->threads[t].paths.count; i++)
            if (p->threads[t].paths.items[i]->event_count > longest)
                longest = p->threads[t].paths.items[i]->event_count;
        most += longest;
    }
    return most <= EXEC_MAX_EVENTS;
}

/* The bounds of a model's expressions are kept, two of each. */
enum { FEW_EVENTS = 2048, MOST_WORDS = 1 << 28 };

static bool bounds_fit(const struct smt_program *p, size_t events)
{
    size_t words = (size_t)p->request->model->node_count * 2 * events * BITS_WORDS(events);
    return events <= FEW_EVENTS || (events <= REL_MAX_EVENTS && words <= MOST_WORDS);
}

static bool collect_events(struct smt_program *p)
{
    event_list events = {0};
    add_initial_writes(p, &events);
    for (uint32_t t = 0; t < smt_program_test(p)->thread_count; t++)
        add_thread(p, &events, t);
    bool fits = bounds_fit(p, events.count) && executions_fit(p);
    if (fits) {
        p->dim = rel_dim_make((uint32_t)events.count);
        BASE_ASSERT(p->init_count <= events.count);
        p->events = VEC_KEEP(p->arena, &events);
        p->outcome->stats.events = events.count;
    }
    VEC_FREE(&events);
    return fits && smt_order_fits(p);
}

bool smt_program_share(const struct smt_program *p, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < p->dim.n && b < p->dim.n);
    return !exec_guards_exclude(p->events[a].under, p->events[b].under);
}

bool smt_program_needs(const struct smt_program *p, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < p->dim.n && b < p->dim.n);
    return exec_guard_implies(p->events[b].under, p->events[a].under);
}

/* Two events of one thread are compatible when one comes before the other, and no part that
 * has the one lacks the other. */
static void find_compatible(struct smt_program *p)
{
    uint32_t n = p->dim.n;
    p->compatible = ARENA_ARRAY(p->arena, rel_word, rel_words(p->dim));
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            if (a == b || p->events[a].ev.thread != p->events[b].ev.thread || p->events[a].ev.init)
                rel_add(p->dim, p->compatible, a, b);
    for (uint32_t e = p->init_count; e < n; e++)
        for (uint32_t a = p->events[e].parent; a != LIT_NONE; a = p->events[a].parent) {
            BASE_ASSERT(a < e && p->events[a].ev.thread == p->events[e].ev.thread);
            if (!smt_program_share(p, a, e))
                continue;
            rel_add(p->dim, p->compatible, a, e);
            rel_add(p->dim, p->compatible, e, a);
        }
}

/* ---- Values ---- */

/* The read with this number on a path: an event, or a read of an await that spins. */
static smt_term read_value(struct smt_program *p, uint32_t thread, uint32_t path, uint32_t read)
{
    BASE_ASSERT(thread < smt_program_test(p)->thread_count);
    const struct exec_path *on = p->threads[thread].paths.items[path];
    BASE_ASSERT(read < on->slot_count);
    if (read < on->event_count)
        return p->events[p->threads[thread].nodes[path][read]].value;
    uint32_t location = on->events[read].location;
    if (!p->latest[location]) {
        smt_term *present = ARENA_ARRAY(p->arena, smt_term, p->dim.n);
        for (uint32_t e = 0; e < p->dim.n; e++)
            present[e] = p->events[e].guard;
        p->latest[location] = ARENA_NEW(p->arena, smt_term);
        *p->latest[location] = smt_program_latest(p, location, present);
    }
    return *p->latest[location];
}

static enum lit_type type_of_read(const struct smt_program *p, uint32_t thread, uint32_t path,
                                  uint32_t read)
{
    BASE_ASSERT(path < p->threads[thread].paths.count &&
                read < p->threads[thread].paths.items[path]->slot_count);
    BASE_ASSERT(thread < smt_program_test(p)->thread_count);
    uint32_t location = p->threads[thread].paths.items[path]->events[read].location;
    return smt_program_test(p)->locations[location].type;
}

static smt_term operand(struct smt_program *p, uint32_t thread, uint32_t path, enum lit_type type,
                        const struct exec_value *value)
{
    return smt_cast(p->solver, type, value->type, smt_program_value(p, thread, path, value));
}

smt_term smt_program_value(struct smt_program *p, uint32_t thread, uint32_t path,
                           const struct exec_value *v)
{
    BASE_ASSERT(path < p->threads[thread].paths.count);
    struct smt_solver *s = p->solver;
    switch (v->op) {
    case LIT_OP_CONST: return smt_constant(s, v->type, v->value);
    case LIT_OP_REG:
        return smt_cast(s, v->type, type_of_read(p, thread, path, v->read),
                        read_value(p, thread, path, v->read));
    case LIT_OP_CAST: return operand(p, thread, path, v->type, v->a);
    case LIT_OP_SELECT:
        return smt_select(s, smt_nonzero(s, v->a->type, smt_program_value(p, thread, path, v->a)),
                          operand(p, thread, path, v->type, v->b),
                          operand(p, thread, path, v->type, v->c));
    default: break;
    }
    enum lit_type common = v->operands;
    smt_term a = operand(p, thread, path, common, v->a);
    smt_term b = v->b ? operand(p, thread, path, common, v->b) : NULL;
    smt_term result = smt_apply(s, v->op, common, a, b);
    bool truth = (v->op >= LIT_OP_LT && v->op <= LIT_OP_OR) || v->op == LIT_OP_NOT;
    return smt_cast(s, v->type, truth ? LIT_INT : common, result);
}

/* ---- Paths and guards ---- */

static uint32_t path_number(const struct smt_program *p, const struct smt_event *event)
{
    BASE_ASSERT(!event->ev.init);
    const struct exec_paths *paths = &p->threads[event->ev.thread].paths;
    uint32_t i = 0;
    while (paths->items[i] != event->path) {
        BASE_ASSERT(i < paths->count);
        i++;
    }
    return i;
}

static void choose_paths(struct smt_program *p, uint32_t t)
{
    BASE_ASSERT(t < smt_program_test(p)->thread_count);
    struct smt_solver *s = p->solver;
    struct smt_thread *thread = &p->threads[t];
    uint32_t count = thread->paths.count;
    BASE_ASSERT(count > 0);
    thread->chosen = ARENA_ARRAY(p->arena, smt_term, count);
    if (count == 1) {
        thread->chosen[0] = smt_truth(s, true);
        return;
    }
    smt_term number = smt_value(s, LIT_UINT);
    for (uint32_t i = 0; i < count; i++)
        thread->chosen[i] = smt_equal(s, number, smt_constant(s, LIT_UINT, i));
    smt_assert(s, smt_any(s, thread->chosen, count));
}

/* The parts of a path that have an event are taken. */
static smt_term on_part(struct smt_program *p, uint32_t t, uint32_t i,
                        const struct exec_guard *guard)
{
    struct smt_solver *s = p->solver;
    smt_term taken = smt_truth(s, true);
    for (; guard; guard = guard->outer)
        taken = smt_and(
            s, smt_nonzero(s, guard->when->type, smt_program_value(p, t, i, guard->when)), taken);
    return taken;
}

static void guard_events(struct smt_program *p, uint32_t t)
{
    BASE_ASSERT(t < smt_program_test(p)->thread_count);
    struct smt_solver *s = p->solver;
    const struct smt_thread *thread = &p->threads[t];
    uint32_t *through = ARENA_ARRAY(p->arena, uint32_t, p->dim.n);
    for (uint32_t i = 0; i < thread->paths.count; i++)
        for (uint32_t k = 0; k < thread->paths.items[i]->event_count; k++) {
            struct smt_event *event = &p->events[thread->nodes[i][k]];
            smt_term before = event->guard ? event->guard : smt_truth(s, false);
            event->guard = smt_or(s, before, thread->chosen[i]);
            if (++through[thread->nodes[i][k]] == thread->paths.count)
                event->guard = smt_truth(s, true);
        }
    for (uint32_t e = p->init_count; e < p->dim.n && !smt_out_of_time(p); e++)
        if (p->events[e].ev.thread == t)
            p->events[e].guard =
                smt_and(s, p->events[e].guard,
                        on_part(p, t, path_number(p, &p->events[e]), p->events[e].under));
}

smt_term smt_program_depends(struct smt_program *p, uint32_t base, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < p->dim.n && b < p->dim.n);
    const struct smt_event *to = &p->events[b];
    BASE_ASSERT(to->path && to->index < to->path->event_count);
    BASE_ASSERT(p->events[a].ev.thread == to->ev.thread);
    const struct exec_value *when =
        exec_deps_when(exec_path_deps(to->path, base, to->index), p->events[a].index);
    BASE_ASSERT(when);
    return smt_nonzero(p->solver, when->type,
                       smt_program_value(p, to->ev.thread, path_number(p, to), when));
}

static bool accesses(const struct exec_path *path, uint32_t location)
{
    BASE_ASSERT(location != LIT_NONE);
    return ANY(k, path->event_count, path->events[k].location == location && !path->guards[k]);
}

/* An initial write is there when its location is accessed: in every execution when all paths
 * of some thread do. */
static smt_term location_in_use(struct smt_program *p, uint32_t location)
{
    BASE_ASSERT(location < smt_program_test(p)->location_count);
    smt_term some = smt_truth(p->solver, false);
    for (uint32_t t = 0; t < smt_program_test(p)->thread_count; t++) {
        const struct smt_thread *thread = &p->threads[t];
        uint32_t paths = 0;
        while (paths < thread->paths.count && accesses(thread->paths.items[paths], location))
            paths++;
        if (paths == thread->paths.count)
            return smt_truth(p->solver, true);
    }
    for (uint32_t e = p->init_count; e < p->dim.n; e++)
        if (p->events[e].ev.location == location)
            some = smt_or(p->solver, some, p->events[e].guard);
    return some;
}

static void find_always(struct smt_program *p)
{
    p->always = ARENA_ARRAY(p->arena, rel_word, p->dim.words);
    for (uint32_t e = 0; e < p->dim.n; e++) {
        if (e < p->init_count)
            p->events[e].guard = location_in_use(p, p->events[e].ev.location);
        if (smt_is(p->solver, p->events[e].guard, true))
            bits_set(p->always, e);
    }
}

/* Which paths stand side by side as far as meetings at barriers go. */
static void pair_paths(struct smt_program *p, uint32_t t, uint32_t i, uint32_t u)
{
    BASE_ASSERT(t < smt_program_test(p)->thread_count);
    struct smt_solver *s = p->solver;
    const struct exec_path *path = p->threads[t].paths.items[i];
    for (uint32_t j = 0; j < p->threads[u].paths.count; j++)
        if (!exec_two_paths_agree(smt_program_test(p), &p->options, path,
                                  p->threads[u].paths.items[j]))
            smt_assert(s, smt_not(s, smt_and(s, p->threads[t].chosen[i], p->threads[u].chosen[j])));
}

static void justify_stuck_path(struct smt_program *p, uint32_t t, uint32_t i)
{
    BASE_ASSERT(t < smt_program_test(p)->thread_count);
    struct smt_solver *s = p->solver;
    const struct exec_path *path = p->threads[t].paths.items[i];
    smt_term missing = smt_truth(s, false);
    if (path->end != EXEC_AT_BARRIER || path->meeting.quorum)
        return;
    for (uint32_t u = 0; u < smt_program_test(p)->thread_count; u++)
        for (uint32_t j = 0; u != t && j < p->threads[u].paths.count; j++)
            if (exec_path_is_missing(smt_program_test(p), path, p->threads[u].paths.items[j]))
                missing = smt_or(s, missing, p->threads[u].chosen[j]);
    smt_assert(s, smt_implies(s, p->threads[t].chosen[i], missing));
}

static void meet_at_barriers(struct smt_program *p)
{
    uint32_t threads = smt_program_test(p)->thread_count;
    for (uint32_t t = 0; t < threads; t++)
        for (uint32_t i = 0; i < p->threads[t].paths.count && !smt_out_of_time(p); i++) {
            for (uint32_t u = t + 1; u < threads && !smt_out_of_time(p); u++)
                pair_paths(p, t, i, u);
            justify_stuck_path(p, t, i);
        }
}

/* ---- Values of events ---- */

static void value_reads(struct smt_program *p)
{
    for (uint32_t e = 0; e < p->dim.n; e++) {
        struct smt_event *event = &p->events[e];
        if (event->ev.kind == EV_READ)
            event->value =
                smt_value(p->solver, smt_program_test(p)->locations[event->ev.location].type);
    }
}

static smt_term initial_value(struct smt_program *p, const struct ev *ev)
{
    smt_term given = p->initial ? p->initial[ev->location] : NULL;
    enum lit_type type = smt_program_test(p)->locations[ev->location].type;
    return given ? given : smt_constant(p->solver, type, ev->value->value);
}

static void value_writes(struct smt_program *p)
{
    for (uint32_t e = 0; e < p->dim.n && !smt_out_of_time(p); e++) {
        struct smt_event *event = &p->events[e];
        if (event->ev.kind != EV_WRITE)
            continue;
        enum lit_type type = smt_program_test(p)->locations[event->ev.location].type;
        event->value = event->ev.init
                           ? initial_value(p, &event->ev)
                           : smt_cast(p->solver, type, event->ev.value->type,
                                      smt_program_value(p, event->ev.thread, path_number(p, event),
                                                        event->ev.value));
    }
}

static void constrain(struct smt_program *p, uint32_t t, uint32_t i,
                      const struct exec_constraint *constraint)
{
    BASE_ASSERT(t < smt_program_test(p)->thread_count);
    struct smt_solver *s = p->solver;
    smt_term holds =
        smt_nonzero(s, constraint->value->type, smt_program_value(p, t, i, constraint->value));
    smt_assert(
        s, smt_implies(s, p->threads[t].chosen[i], constraint->truth ? holds : smt_not(s, holds)));
}

static void constrain_paths(struct smt_program *p)
{
    for (uint32_t t = 0; t < smt_program_test(p)->thread_count; t++)
        for (uint32_t i = 0; i < p->threads[t].paths.count; i++) {
            const struct exec_path *path = p->threads[t].paths.items[i];
            for (uint32_t k = 0; k < path->constraint_count && !smt_out_of_time(p); k++)
                constrain(p, t, i, &path->constraints[k]);
            for (uint32_t k = 0; k < path->spin_count && !smt_out_of_time(p); k++)
                constrain(p, t, i, &path->spins[k]);
        }
}

/* ---- The whole ---- */

smt_term smt_program_present(struct smt_program *p, uint32_t a, uint32_t b, smt_term pair)
{
    BASE_ASSERT(a < p->dim.n && b < p->dim.n);
    return smt_and(p->solver, pair, smt_and(p->solver, p->events[a].guard, p->events[b].guard));
}

smt_term smt_program_some_on(struct smt_program *p, smt_path_filter *wanted)
{
    smt_term some = smt_truth(p->solver, false);
    for (uint32_t t = 0; t < smt_program_test(p)->thread_count; t++)
        for (uint32_t i = 0; i < p->threads[t].paths.count; i++)
            if (wanted(p->threads[t].paths.items[i]))
                some = smt_or(p->solver, some, p->threads[t].chosen[i]);
    return some;
}

smt_term smt_program_all_on(struct smt_program *p, smt_path_filter *wanted)
{
    smt_term all = smt_truth(p->solver, true);
    for (uint32_t t = 0; t < smt_program_test(p)->thread_count; t++)
        for (uint32_t i = 0; i < p->threads[t].paths.count; i++)
            if (!wanted(p->threads[t].paths.items[i]))
                all = smt_and(p->solver, all, smt_not(p->solver, p->threads[t].chosen[i]));
    return all;
}

/* Does every thread have a path? */
static bool run_threads(struct smt_program *p)
{
    const struct lit_program *test = smt_program_test(p);
    bool some = true;
    for (uint32_t t = 0; t < test->thread_count && some; t++) {
        exec_run_thread(p->arena, test, t, &p->options, &p->threads[t].paths);
        some = p->threads[t].paths.count > 0;
    }
    return some;
}

static bool may_be_cut(const struct smt_program *p)
{
    for (uint32_t t = 0; t < smt_program_test(p)->thread_count; t++)
        for (uint32_t i = 0; i < p->threads[t].paths.count; i++)
            if (p->threads[t].paths.items[i]->event_count > EXEC_CUT_EVENTS)
                return !smt_out_of_time(p);
    return false;
}

/* All paths have their events beside each other here, so many short ones are too much as well. */
static void doubt_events(struct smt_program *p)
{
    uint32_t most = 0;
    for (uint32_t t = 1; t < smt_program_test(p)->thread_count; t++)
        if (p->threads[t].paths.count > p->threads[most].paths.count)
            most = t;
    if (p->threads[most].paths.count > 1 && executions_fit(p))
        outcome_doubt_paths(p->outcome, smt_program_test(p), most);
    else
        p->outcome->doubts[OUTCOME_DOUBT_EVENTS] = true;
}

/* Paths that are too long together are looked at as far as they fit. */
static bool collect_paths(struct smt_program *p)
{
    uint32_t path_events = *p->options.path_events;
    bool some = run_threads(p), fits = some && collect_events(p);
    if (some && !fits && may_be_cut(p)) {
        p->options.most_events = EXEC_CUT_EVENTS;
        *p->options.path_events = path_events;
        some = run_threads(p);
        fits = some && collect_events(p);
    }
    for (uint32_t t = 0; t < smt_program_test(p)->thread_count; t++)
        if (p->threads[t].paths.truncated)
            outcome_doubt_paths(p->outcome, smt_program_test(p), t);
    if (some && !fits)
        doubt_events(p);
    return fits;
}

bool smt_program_build(struct smt_program *p)
{
    const struct lit_program *test = smt_program_test(p);
    p->threads = ARENA_ARRAY(p->arena, struct smt_thread, test->thread_count);
    if (!collect_paths(p))
        return false;
    find_compatible(p);
    value_reads(p);
    for (uint32_t t = 0; t < test->thread_count; t++) {
        choose_paths(p, t);
        guard_events(p, t);
    }
    if (smt_out_of_time(p)) /* some event has no guard */
        return false;
    find_always(p);
    p->latest = ARENA_ARRAY(p->arena, smt_term *, test->location_count);
    meet_at_barriers(p);
    smt_quorum_build(p);
    value_writes(p);
    if (smt_out_of_time(p)) /* some write has no value */
        return false;
    smt_order_build(p);
    constrain_paths(p);
    return !smt_out_of_time(p);
}

bool smt_path_is_probe(const struct exec_path *path)
{
    return path->probe;
}

bool smt_path_ends_at_bound(const struct exec_path *path)
{
    return path->end == EXEC_AT_BOUND;
}
