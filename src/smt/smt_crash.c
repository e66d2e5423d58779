/* The crash cut in the formula: which events have executed and which writes are durable,
 * closed as docs/models/semantics.md says. */
#include "smt/smt_query.h"

#include "base/bits.h"
#include "smt/smt_rules.h"
#include "smt/smt_spread.h"

static bool is_nvm_write(const struct smt_query *q, uint32_t e)
{
    BASE_ASSERT(e < q->program.dim.n);
    const struct ev *ev = &q->program.events[e].ev;
    return ev->kind == EV_WRITE && smt_program_test(&q->program)->locations[ev->location].nvm;
}

/* "What is true of b requires what is true of a", when the pair is in the relation. */
static void require(struct smt_query *q, smt_term of_b, smt_term of_a, enum cat_reserved name,
                    uint32_t a, uint32_t b)
{
    static const enum explanation_reason_kind kinds[CAT_RESERVED_COUNT] = {
        [CAT_EXECUTES_BEFORE] = EXPLANATION_BY_EXECUTES_BEFORE,
        [CAT_DURABLE_BEFORE] = EXPLANATION_BY_DURABLE_BEFORE,
        [CAT_PERSIST_BEFORE] = EXPLANATION_BY_PERSIST_BEFORE,
        [CAT_DURABLE_AFTER] = EXPLANATION_BY_DURABLE_AFTER,
        [CAT_PERSIST_ATOMIC] = EXPLANATION_BY_PERSIST_ATOMIC};
    struct smt_solver *s = q->program.solver;
    cat_node_id node = q->request->model->reserved[name];
    BASE_ASSERT(kinds[name] == EXPLANATION_BY_EXECUTES_BEFORE || kinds[name]);
    BASE_ASSERT(of_a && of_b);
    BASE_ASSERT(q->program.events[a].guard && q->program.events[b].guard);
    if (!rel_has(q->program.dim, smt_relation_may(q->relations, node), a, b))
        return;
    smt_term pair = smt_relation_has(q->relations, node, a, b, SMT_AT_LEAST);
    smt_term cause = smt_and(s, smt_and(s, of_b, q->program.events[b].guard),
                             smt_and(s, q->program.events[a].guard, pair));
    smt_rules_assert(&q->program, kinds[name], name, a, b, smt_implies(s, cause, of_a));
}

/* The term that version a of a location lands before version b; NULL: it never does. Initial
 * versions land before all others. */
static smt_term lands_before(struct smt_query *q, uint32_t a, uint32_t b)
{
    BASE_ASSERT(is_nvm_write(q, a) && is_nvm_write(q, b));
    const struct smt_program *p = &q->program;
    const struct cat_model *model = q->request->model;
    cat_node_id node = model->reserved[CAT_LANDS_BEFORE];
    if (a == b || p->events[a].ev.location != p->events[b].ev.location)
        return NULL;
    if (model->lands_by_coherence)
        return p->co[smt_pair(p, a, b)];
    if (p->events[a].ev.init)
        return smt_truth(p->solver, true);
    return rel_has(p->dim, smt_relation_may(q->relations, node), a, b)
               ? smt_relation_has(q->relations, node, a, b, SMT_AT_LEAST)
               : NULL;
}

static void keep_versions(struct smt_query *q, const struct smt_crash *c, uint32_t a, uint32_t b)
{
    BASE_ASSERT(c->durable[a] && c->durable[b]);
    struct smt_program *p = &q->program;
    struct smt_solver *s = p->solver;
    bool coherence = q->request->model->lands_by_coherence;
    smt_term lands = lands_before(q, a, b);
    if (!lands)
        return;
    smt_term cause = smt_and(s, smt_and(s, lands, c->durable[b]), p->events[a].guard);
    smt_rules_assert(p, coherence ? EXPLANATION_BY_COHERENCE : EXPLANATION_BY_LANDS_BEFORE,
                     coherence ? 0 : CAT_LANDS_BEFORE, a, b, smt_implies(s, cause, c->durable[a]));
}

/* What one of the contract's relations says of each of its pairs. */
static void require_each(struct smt_query *q, const smt_term *of_b, const smt_term *of_a,
                         enum cat_reserved name)
{
    struct smt_program *p = &q->program;
    for (uint32_t a = 0; a < p->dim.n && !smt_out_of_time(p); a++)
        for (uint32_t b = 0; b < p->dim.n; b++)
            if (of_b[b] && of_a[a] && rel_has(p->dim, p->compatible, a, b))
                require(q, of_b[b], of_a[a], name, a, b);
}

/* The same as labels that go from each event to those it requires. */
static void require_along(struct smt_query *q, const smt_term *of_b, const smt_term *of_a,
                          enum cat_reserved name)
{
    struct smt_program *p = &q->program;
    struct smt_spread spread = {.relations = q->relations, .backwards = true};
    smt_term *from = ARENA_ARRAY(&q->arena, smt_term, p->dim.n);
    for (uint32_t e = 0; e < p->dim.n; e++)
        from[e] = of_b[e] ? smt_and(p->solver, of_b[e], p->events[e].guard) : NULL;
    smt_spread_along(&spread, q->request->model->reserved[name], from, of_a);
    smt_spread_assert(&spread);
    smt_spread_free(&spread);
}

/* For an explanation each pair is a rule of its own. */
static void close_under(struct smt_query *q, const smt_term *of_b, const smt_term *of_a,
                        enum cat_reserved name)
{
    (q->program.rules ? require_each : require_along)(q, of_b, of_a, name);
}

static void close_cut(struct smt_query *q, const struct smt_crash *c)
{
    struct smt_program *p = &q->program;
    smt_term *written = ARENA_ARRAY(&q->arena, smt_term, p->dim.n);
    for (uint32_t e = 0; e < p->dim.n; e++)
        written[e] = p->events[e].ev.init ? NULL : c->durable[e];
    close_under(q, c->executed, c->executed, CAT_EXECUTES_BEFORE);
    close_under(q, written, c->executed, CAT_DURABLE_AFTER);
    close_under(q, c->executed, c->durable, CAT_DURABLE_BEFORE);
    close_under(q, c->durable, c->durable, CAT_PERSIST_BEFORE);
    for (uint32_t a = 0; a < p->dim.n && !smt_out_of_time(p); a++)
        for (uint32_t b = 0; b < p->dim.n; b++) {
            if (a == b || !c->durable[a] || !c->durable[b] || !rel_has(p->dim, p->compatible, a, b))
                continue;
            require(q, c->durable[b], c->durable[a], CAT_PERSIST_ATOMIC, a, b);
            require(q, c->durable[a], c->durable[b], CAT_PERSIST_ATOMIC, a, b);
            keep_versions(q, c, a, b);
        }
}

static void ask_whether_it_can(struct smt_query *q, const struct smt_crash *c, uint32_t write)
{
    BASE_ASSERT(is_nvm_write(q, write) && c->durable[write]);
    struct smt_solver *s = q->program.solver;
    cat_node_id node = q->request->model->reserved[CAT_CAN_PERSIST];
    smt_term can = smt_set_has(q->relations, node, write, SMT_AT_MOST);
    smt_rules_assert(&q->program, EXPLANATION_BY_CAN_PERSIST, CAT_CAN_PERSIST, write, write,
                     smt_implies(s, c->durable[write], can));
}

static void make_nodes(struct smt_query *q, struct smt_crash *c)
{
    struct smt_program *p = &q->program;
    struct smt_solver *s = p->solver;
    c->executed = ARENA_ARRAY(&q->arena, smt_term, p->dim.n);
    c->durable = ARENA_ARRAY(&q->arena, smt_term, p->dim.n);
    for (uint32_t e = 0; e < p->dim.n; e++) {
        bool init = p->events[e].ev.init;
        c->executed[e] = init ? smt_truth(s, true) : smt_bool(s);
        if (!init)
            smt_assert(s, smt_implies(s, c->executed[e], p->events[e].guard));
        if (!is_nvm_write(q, e))
            continue;
        c->durable[e] = init ? smt_truth(s, true) : smt_bool(s);
        smt_assert(s, smt_implies(s, c->durable[e], c->executed[e]));
        if (!init)
            ask_whether_it_can(q, c, e);
    }
}

/* No crash comes behind the last events of a path that hides them. */
static void hide_events(struct smt_query *q, const struct smt_crash *c)
{
    struct smt_program *p = &q->program;
    for (uint32_t t = 0; t < smt_program_test(p)->thread_count; t++)
        for (uint32_t i = 0; i < p->threads[t].paths.count; i++) {
            const struct exec_path *path = p->threads[t].paths.items[i];
            for (uint32_t k = path->event_count - path->hidden_count; k < path->event_count; k++)
                smt_assert(p->solver,
                           smt_not(p->solver, smt_and(p->solver, p->threads[t].chosen[i],
                                                      c->executed[p->threads[t].nodes[i][k]])));
        }
}

/* ---- Crash statements ---- */

/* The place of a path's first crash statement among those of the thread. */
static uint32_t first_mark(const struct smt_program *p, uint32_t t, uint32_t path)
{
    BASE_ASSERT(path <= p->threads[t].paths.count);
    uint32_t at = 0;
    for (uint32_t i = 0; i < path; i++)
        at += p->threads[t].paths.items[i]->crash_count;
    return at;
}

/* Does a register have a value as soon as a crash statement is passed, with no event between? */
static bool tells_passing(const struct exec_paths *paths)
{
    return ANY(i, paths->count,
               ANY(k, paths->items[i]->assignment_count, paths->items[i]->assignments[k].behind));
}

/* They are passed in their order, and before what stands behind them executes. */
static void pass_marks(struct smt_query *q, const struct smt_crash *c, uint32_t t, uint32_t i)
{
    BASE_ASSERT(i < q->program.threads[t].paths.count);
    struct smt_program *p = &q->program;
    struct smt_solver *s = p->solver;
    const struct exec_path *path = p->threads[t].paths.items[i];
    smt_term *passed = c->passed[t] + first_mark(p, t, i);
    for (uint32_t k = 0; k < path->crash_count; k++) {
        bool ends = q->request->crash_mode == EXEC_CRASH_END;
        passed[k] = ends ? smt_truth(s, true) : smt_bool(s);
        if (k > 0)
            smt_assert(s, smt_implies(s, passed[k], passed[k - 1]));
        BASE_ASSERT(path->crashes[k].before <= path->event_count);
        for (uint32_t n = path->crashes[k].before; n < path->event_count; n++)
            smt_assert(s, smt_implies(s,
                                      smt_and(s, p->threads[t].chosen[i],
                                              c->executed[p->threads[t].nodes[i][n]]),
                                      passed[k]));
    }
}

static void pass_all_marks(struct smt_query *q, struct smt_crash *c)
{
    struct smt_program *p = &q->program;
    uint32_t threads = smt_program_test(p)->thread_count;
    c->passed = ARENA_ARRAY(&q->arena, smt_term *, threads);
    for (uint32_t t = 0; t < threads; t++) {
        const struct exec_paths *paths = &p->threads[t].paths;
        if (!tells_passing(paths))
            continue;
        c->passed[t] = ARENA_ARRAY(&q->arena, smt_term, first_mark(p, t, paths->count));
        for (uint32_t i = 0; i < paths->count; i++)
            pass_marks(q, c, t, i);
    }
}

/* The thread stands exactly at a crash statement of the path it is on. */
static smt_term at_mark(struct smt_query *q, const struct smt_crash *c, uint32_t t, uint32_t i,
                        uint32_t number)
{
    BASE_ASSERT(t < smt_program_test(&q->program)->thread_count);
    struct smt_program *p = &q->program;
    const struct exec_crash_mark *mark = &p->threads[t].paths.items[i]->crashes[number];
    const smt_term *passed = c->passed[t] ? c->passed[t] + first_mark(p, t, i) : NULL;
    smt_term here = p->threads[t].chosen[i];
    if (passed)
        here = smt_and(p->solver, here, smt_not(p->solver, passed[number]));
    if (passed && number > 0)
        here = smt_and(p->solver, here, passed[number - 1]);
    for (uint32_t k = 0; k < p->threads[t].paths.items[i]->event_count; k++) {
        uint32_t e = p->threads[t].nodes[i][k];
        smt_term executed = c->executed[e];
        here = smt_and(p->solver, here,
                       k < mark->before ? smt_implies(p->solver, p->events[e].guard, executed)
                                        : smt_not(p->solver, executed));
    }
    return here;
}

static void stand_at_a_point(struct smt_query *q, struct smt_crash *c)
{
    struct smt_program *p = &q->program;
    smt_term some = smt_truth(p->solver, false);
    c->marks = ARENA_ARRAY(&q->arena, smt_term *, smt_program_test(&q->program)->thread_count);
    for (uint32_t t = 0; t < smt_program_test(&q->program)->thread_count; t++) {
        const struct exec_paths *paths = &p->threads[t].paths;
        uint32_t at = 0;
        c->marks[t] = ARENA_ARRAY(&q->arena, smt_term, first_mark(p, t, paths->count));
        for (uint32_t i = 0; i < paths->count; i++)
            for (uint32_t k = 0; k < paths->items[i]->crash_count; k++, at++) {
                c->marks[t][at] = at_mark(q, c, t, i, k);
                some = smt_or(p->solver, some, c->marks[t][at]);
            }
    }
    smt_rules_assert(p, EXPLANATION_BY_CRASH_POINT, 0, LIT_NONE, LIT_NONE, some);
}

static void stand_at_the_end(struct smt_query *q, const struct smt_crash *c)
{
    struct smt_program *p = &q->program;
    smt_assert(p->solver, smt_not(p->solver, smt_program_some_on(p, smt_path_ends_at_bound)));
    for (uint32_t e = 0; e < p->dim.n; e++)
        smt_rules_assert(p, EXPLANATION_BY_CRASH_POINT, 0, LIT_NONE, LIT_NONE,
                         smt_implies(p->solver, p->events[e].guard, c->executed[e]));
}

/* A durable write of the location that no durable write lands after. */
static void take_last(struct smt_query *q, struct smt_crash *c, uint32_t column, uint32_t location)
{
    BASE_ASSERT(column < q->outcome->crash.width &&
                location < smt_program_test(&q->program)->location_count);
    struct smt_program *p = &q->program;
    struct smt_solver *s = p->solver;
    smt_term *last = ARENA_ARRAY(&q->arena, smt_term, p->dim.n), *some = last;
    smt_term *taken = ARENA_ARRAY(&q->arena, smt_term, p->dim.n);
    uint32_t count = 0;
    c->values[column] = smt_value(s, smt_program_test(&q->program)->locations[location].type);
    for (uint32_t w = 0; w < p->dim.n; w++) {
        if (!c->durable[w] || p->events[w].ev.location != location)
            continue;
        some[w] = taken[count++] = smt_bool(s);
        smt_assert(s, smt_implies(s, some[w], c->durable[w]));
        smt_assert(s, smt_implies(s, some[w], smt_equal(s, c->values[column], p->events[w].value)));
        for (uint32_t v = 0; v < p->dim.n; v++) {
            if (!c->durable[v] || !rel_has(p->dim, p->compatible, w, v))
                continue;
            smt_term later = lands_before(q, w, v);
            if (later)
                smt_assert(s, smt_not(s, smt_and(s, some[w], smt_and(s, later, c->durable[v]))));
        }
    }
    smt_assert(s, smt_any(s, taken, count));
    c->last[column] = last;
}

/* ---- Registers ---- */

/* The events of the path that the value wants, as far as they happen, have executed, and the crash
 * statements before it are passed. */
static smt_term is_assigned(struct smt_query *q, const struct smt_crash *c, uint32_t t, uint32_t i,
                            const struct exec_assignment *assignment)
{
    BASE_ASSERT(t < smt_program_test(&q->program)->thread_count);
    struct smt_program *p = &q->program;
    smt_term all = p->threads[t].chosen[i];
    if (assignment->behind)
        all = smt_and(p->solver, all, c->passed[t][first_mark(p, t, i) + assignment->behind - 1]);
    for (uint32_t k = assignment->first; k < assignment->end; k++) {
        uint32_t e = p->threads[t].nodes[i][k];
        all = smt_and(p->solver, all, smt_implies(p->solver, p->events[e].guard, c->executed[e]));
    }
    return all;
}

/* What a register holds, and whether it holds anything: by the last assignment that all is there
 * for; without one 0. */
static void take_held(struct smt_query *q, const struct smt_crash *c, const struct lit_atom *atom,
                      smt_term *value, smt_term *given)
{
    struct smt_program *p = &q->program;
    struct smt_solver *s = p->solver;
    enum lit_type type = lit_atom_type(smt_program_test(p), atom);
    const struct exec_paths *paths = &p->threads[atom->thread].paths;
    *value = smt_constant(s, type, 0);
    *given = smt_truth(s, false);
    for (uint32_t i = 0; i < paths->count; i++)
        for (uint32_t k = 0; k < paths->items[i]->assignment_count; k++) {
            const struct exec_assignment *assignment = &paths->items[i]->assignments[k];
            if (assignment->reg != atom->reg)
                continue;
            smt_term there = is_assigned(q, c, atom->thread, i, assignment);
            smt_term held = smt_program_value(p, atom->thread, i, assignment->value);
            *value = smt_select(s, there, smt_cast(s, type, assignment->value->type, held), *value);
            *given = smt_or(s, *given, there);
        }
}

/* The column of a register, and the one before it. */
static void take_register(struct smt_query *q, struct smt_crash *c, uint32_t column)
{
    BASE_ASSERT(column < q->outcome->crash.width);
    struct smt_solver *s = q->program.solver;
    smt_term given;
    take_held(q, c, &q->outcome->crash.items[column], &c->values[column], &given);
    c->values[column - 1] =
        smt_select(s, given, smt_constant(s, LIT_INT, 1), smt_constant(s, LIT_INT, 0));
}

struct smt_crash smt_crash_build(struct smt_query *q)
{
    struct smt_crash c = {0};
    const struct outcome_states *states = &q->outcome->crash;
    make_nodes(q, &c);
    hide_events(q, &c);
    close_cut(q, &c);
    pass_all_marks(q, &c);
    if (q->request->crash_mode == EXEC_CRASH_POINTS)
        stand_at_a_point(q, &c);
    else if (q->request->crash_mode == EXEC_CRASH_END)
        stand_at_the_end(q, &c);
    c.values = ARENA_ARRAY(&q->arena, smt_term, states->width);
    c.last = ARENA_ARRAY(&q->arena, smt_term *, states->width);
    for (uint32_t i = 0; i < states->width; i++)
        if (states->items[i].kind == LIT_ATOM_LOCATION)
            take_last(q, &c, i, states->items[i].location);
        else if (states->items[i].kind == LIT_ATOM_REGISTER)
            take_register(q, &c, i);
    return c;
}
