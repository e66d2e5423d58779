/* rf, co and the order of SC fences: variables per pair, and the axioms of orders. First everything
 * that a check for cycles leaves no choice about is settled. For one thread under sequential
 * consistency that is everything. */
#include "smt/smt_program.h"

#include "exec/exec_basis.h"
#include "smt/smt_bounds.h"
#include "smt/smt_chain.h"

/* Where a read may read from, as far as control flow goes. */
static void find_sources(struct smt_program *p, uint32_t read)
{
    BASE_ASSERT(read >= p->init_count && read < p->dim.n && p->events[read].ev.kind == EV_READ);
    const struct smt_event *event = &p->events[read];
    for (uint32_t w = 0; w < p->dim.n; w++)
        if (smt_writes_to(&p->events[w], event->ev.location) &&
            rel_has(p->dim, p->compatible, w, read)) {
            BASE_ASSERT(!p->rf[smt_pair(p, w, read)]);
            p->rf[smt_pair(p, w, read)] = smt_bool(p->solver);
        }
}

/* An only source needs no variable. */
static void find_only_source(struct smt_program *p, uint32_t read)
{
    BASE_ASSERT(p->events[read].ev.kind == EV_READ);
    uint32_t count = 0, only = 0;
    for (uint32_t w = 0; w < p->dim.n; w++)
        if (p->rf[smt_pair(p, w, read)]) {
            count++;
            only = w;
        }
    if (count == 1)
        p->rf[smt_pair(p, only, read)] = smt_truth(p->solver, true);
}

static void choose_source(struct smt_program *p, uint32_t read)
{
    BASE_ASSERT(p->events[read].ev.kind == EV_READ);
    struct smt_solver *s = p->solver;
    const struct smt_event *event = &p->events[read];
    smt_term *sources = ARENA_ARRAY(p->arena, smt_term, p->dim.n);
    uint32_t count = 0;
    for (uint32_t w = 0; w < p->dim.n; w++) {
        if (!p->rf[smt_pair(p, w, read)])
            continue;
        smt_term source = p->rf[smt_pair(p, w, read)];
        smt_term taken = smt_is(s, source, true) ? event->guard : source;
        for (uint32_t k = 0; k < count; k++)
            smt_assert(s, smt_not(s, smt_and(s, source, sources[k])));
        smt_assert(s, smt_implies(s, taken, smt_and(s, p->events[w].guard, event->guard)));
        smt_assert(s, smt_implies(s, taken, smt_equal(s, p->events[w].value, event->value)));
        BASE_ASSERT(count < p->dim.n);
        sources[count++] = source;
    }
    smt_assert(s, smt_implies(s, event->guard, smt_any(s, sources, count)));
}

static bool is_settled(const struct smt_program *p, smt_term order)
{
    return !order || smt_is(p->solver, order, true) || smt_is(p->solver, order, false);
}

/* What is settled between two writes holds where both are executed: then nothing follows from it
 * for a third, be they in a cycle, unless all are. What is left open has room for any order. */
static smt_term follows(struct smt_program *p, const smt_term *order, uint32_t i, uint32_t j,
                        uint32_t k)
{
    BASE_ASSERT(i != j && j != k && i != k);
    struct smt_solver *s = p->solver;
    smt_term ij = order[smt_pair(p, i, j)], jk = order[smt_pair(p, j, k)];
    smt_term ik = order[smt_pair(p, i, k)], both = smt_and(s, ij, jk);
    if (is_settled(p, ij) || is_settled(p, jk) || is_settled(p, ik))
        both = smt_and(s, smt_program_present(p, i, k, both), p->events[j].guard);
    return smt_implies(s, both, ik ? ik : smt_truth(s, false));
}

static void order_transitively(struct smt_program *p, const smt_term *order, const uint32_t *events,
                               uint32_t count)
{
    for (uint32_t i = 0; i < count && !smt_out_of_time(p); i++)
        for (uint32_t j = 0; j < count; j++)
            for (uint32_t k = 0; k < count; k++)
                if (order[smt_pair(p, events[i], events[j])] && i != k &&
                    order[smt_pair(p, events[j], events[k])])
                    smt_assert(p->solver, follows(p, order, events[i], events[j], events[k]));
}

/* One variable orders two events either way; in a partial order neither may hold. */
static void order_pair(struct smt_program *p, smt_term *order, uint32_t a, uint32_t b, bool partial)
{
    BASE_ASSERT(a != b);
    BASE_ASSERT(!order[smt_pair(p, a, b)] && !order[smt_pair(p, b, a)]);
    struct smt_solver *s = p->solver;
    smt_term forward = smt_bool(s);
    smt_term backward = partial ? smt_bool(s) : smt_not(s, forward);
    order[smt_pair(p, a, b)] = forward;
    order[smt_pair(p, b, a)] = backward;
}

static uint32_t writes_to(const struct smt_program *p, uint32_t location, uint32_t *writes)
{
    BASE_ASSERT(location < smt_program_test(p)->location_count);
    uint32_t count = 0;
    for (uint32_t w = 0; w < p->dim.n; w++)
        if (smt_writes_to(&p->events[w], location))
            writes[count++] = w;
    return count;
}

static void find_co(struct smt_program *p, uint32_t location)
{
    BASE_ASSERT(location < smt_program_test(p)->location_count);
    struct arena_mark mark = arena_mark(p->arena);
    uint32_t *writes = ARENA_ARRAY(p->arena, uint32_t, p->dim.n);
    uint32_t count = writes_to(p, location, writes);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++) {
            if (p->events[writes[k]].ev.init)
                p->co[smt_pair(p, writes[k], writes[i])] = smt_truth(p->solver, true);
            else {
                BASE_ASSERT(p->events[writes[k]].ev.location == p->events[writes[i]].ev.location);
                order_pair(p, p->co, writes[k], writes[i], smt_program_test(p)->partial_coherence);
            }
        }
    arena_rewind(p->arena, mark);
}

/* Does a check keep cycles of co out? Then an order of two writes each is one of all. */
static bool is_co_acyclic(const struct smt_program *p);

/* What is counted up needs no search when the order of all is at hand. */
static bool is_chained(const struct smt_program *p, uint32_t location)
{
    BASE_ASSERT(location < smt_program_test(p)->location_count);
    for (uint32_t e = p->init_count; e < p->dim.n; e++)
        if (p->events[e].ev.location == location && p->half[e] != LIT_NONE)
            return true;
    return false;
}

static void choose_co(struct smt_program *p, uint32_t location)
{
    BASE_ASSERT(location < smt_program_test(p)->location_count);
    struct smt_solver *s = p->solver;
    struct arena_mark mark = arena_mark(p->arena);
    uint32_t *writes = ARENA_ARRAY(p->arena, uint32_t, p->dim.n);
    uint32_t count = writes_to(p, location, writes);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++) {
            smt_term forward = p->co[smt_pair(p, writes[k], writes[i])];
            smt_term backward = p->co[smt_pair(p, writes[i], writes[k])];
            if (backward && smt_program_test(p)->partial_coherence)
                smt_assert(s, smt_not(s, smt_and(s, forward, backward)));
        }
    if (!is_co_acyclic(p) || is_chained(p, location))
        order_transitively(p, p->co, writes, count);
    arena_rewind(p->arena, mark);
}

/* The transitive closure of the orders of fences in each other's scope and of one thread. */
static void choose_fence_order(struct smt_program *p)
{
    struct smt_solver *s = p->solver;
    uint32_t n = p->dim.n;
    smt_term no = smt_truth(s, false);
    smt_term *clocks = ARENA_ARRAY(p->arena, smt_term, n), *order = p->sync_fence;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < a; b++) {
            const struct smt_event *x = &p->events[b], *y = &p->events[a];
            if (!ev_has_sc_fence(&x->ev) || !ev_has_sc_fence(&y->ev) ||
                !rel_has(p->dim, p->compatible, a, b))
                continue;
            bool one_thread = x->ev.thread == y->ev.thread;
            clocks[a] = clocks[a] ? clocks[a] : smt_clock(s, n);
            clocks[b] = clocks[b] ? clocks[b] : smt_clock(s, n);
            smt_term forward = smt_earlier(s, clocks[b], clocks[a]);
            smt_term backward = smt_earlier(s, clocks[a], clocks[b]);
            bool ordered =
                one_thread || exec_events_mutually_scoped(smt_program_test(p), &x->ev, &y->ev);
            if (one_thread)
                smt_assert(s, forward);
            else if (ordered)
                smt_assert(s, smt_or(s, forward, backward));
            order[smt_pair(p, b, a)] = ordered ? forward : no;
            order[smt_pair(p, a, b)] = ordered && !one_thread ? backward : no;
        }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t a = 0; clocks[k] && a < n; a++)
            for (uint32_t b = 0; b < n; b++) {
                smt_term ak = order[smt_pair(p, a, k)], kb = order[smt_pair(p, k, b)];
                smt_term *ab = &order[smt_pair(p, a, b)];
                if (ak && kb && *ab)
                    *ab = smt_or(s, *ab, smt_and(s, p->events[k].guard, smt_and(s, ak, kb)));
            }
}

/* ---- What the checks leave no choice about ---------------------------------------------- */

/* A check that a relation has no cycle. */
struct order_check {
    const struct smt_bounds *bounds;
    const rel_word *surely; /* pairs in its closure, when both are executed */
    /* Pairs that are in it when they are in the base, and both executed. */
    const rel_word *rf, *co, *fr;
};

/* Is the base a part of the node, as a member of a union? */
static bool has_part(const struct cat_model *model, cat_node_id id, uint32_t base)
{
    BASE_ASSERT(id < model->node_count);
    const struct cat_node *node = &model->nodes[id];
    return node->op == CAT_UNION ? has_part(model, node->a, base) || has_part(model, node->b, base)
                                 : node->op == CAT_BASE && node->base == base;
}

static bool is_acyclic(const struct cat_check *check)
{
    return check->kind == CAT_CHECK && !check->negated && check->test == CAT_ACYCLIC;
}

static bool is_co_acyclic(const struct smt_program *p)
{
    const struct cat_model *model = p->request->model;
    if (smt_program_test(p)->partial_coherence || p->rules || p->unchecked)
        return false;
    return ANY(i, model->check_count,
               is_acyclic(&model->checks[i]) &&
                   has_part(model, model->checks[i].node, EXEC_REL_CO));
}

/* Pairs that are in the node when they are in the base; `out` is empty. */
static void find_carried(struct smt_program *p, const struct smt_bounds *bounds, cat_node_id id,
                         uint32_t base, rel_word *out)
{
    BASE_ASSERT(id < p->request->model->node_count);
    const struct cat_node *node = &p->request->model->nodes[id];
    if (node->op == CAT_BASE && node->base == base)
        rel_comp(p->dim, out, out);
    if (node->op != CAT_UNION && node->op != CAT_INTER)
        return;
    rel_word *part = ARENA_ARRAY(p->arena, rel_word, rel_words(p->dim));
    find_carried(p, bounds, node->a, base, out);
    find_carried(p, bounds, node->b, base, part);
    if (node->op == CAT_INTER) {
        rel_union(p->dim, out, out, smt_bounds_lower(bounds, node->a));
        rel_union(p->dim, part, part, smt_bounds_lower(bounds, node->b));
        rel_inter(p->dim, out, out, part);
    } else {
        rel_union(p->dim, out, out, part);
    }
}

/* Is anything that is chosen in the node, or a part of it? */
static bool may_carry(const struct cat_model *model, cat_node_id id)
{
    BASE_ASSERT(id < model->node_count);
    const struct cat_node *node = &model->nodes[id];
    return node->op == CAT_UNION || node->op == CAT_INTER
               ? may_carry(model, node->a) || may_carry(model, node->b)
               : node->op == CAT_BASE && model->basis->names[node->base].dynamic;
}

static const rel_word *carried(struct smt_program *p, const struct smt_bounds *bounds,
                               cat_node_id id, uint32_t base)
{
    rel_word *out = ARENA_ARRAY(p->arena, rel_word, rel_words(p->dim));
    find_carried(p, bounds, id, base, out);
    return out;
}

static bool is_sure(const struct smt_program *p, const struct order_check *check, uint32_t a,
                    uint32_t b)
{
    BASE_ASSERT(a < p->dim.n && b < p->dim.n);
    return rel_has(p->dim, check->surely, a, b);
}

/* Two writes that are surely in one order cannot be coherent in the other. */
static void settle_co(struct smt_program *p, const struct order_check *check)
{
    for (uint32_t a = 0; a < p->dim.n; a++)
        for (uint32_t b = 0; b < p->dim.n; b++) {
            if (!p->co[smt_pair(p, b, a)] || !is_sure(p, check, a, b) || p->events[a].ev.init ||
                !rel_has(p->dim, check->co, b, a))
                continue;
            BASE_ASSERT(a != b);
            p->co[smt_pair(p, b, a)] = smt_truth(p->solver, false);
            if (!smt_program_test(p)->partial_coherence)
                p->co[smt_pair(p, a, b)] = smt_truth(p->solver, true);
        }
}

/* Some write is surely executed, after `w`, and before the read: then `w` is overwritten. */
static bool is_overwritten(const struct smt_program *p, const struct order_check *check, uint32_t w,
                           uint32_t read)
{
    BASE_ASSERT(p->events[w].ev.kind == EV_WRITE && p->events[read].ev.kind == EV_READ);
    for (uint32_t v = 0; v < p->dim.n; v++) {
        smt_term later = v == w ? NULL : p->co[smt_pair(p, w, v)];
        if (later && smt_is(p->solver, later, true) && is_sure(p, check, v, read) &&
            rel_has(p->dim, check->fr, read, v) && rel_has(p->dim, p->compatible, w, v) &&
            smt_bounds_surely(check->bounds, w, v, read))
            return true;
    }
    return false;
}

static void settle_rf(struct smt_program *p, const struct order_check *check)
{
    for (uint32_t r = p->init_count; r < p->dim.n; r++) {
        if (p->events[r].ev.kind != EV_READ)
            continue;
        for (uint32_t w = 0; w < p->dim.n; w++)
            if (p->rf[smt_pair(p, w, r)] &&
                ((rel_has(p->dim, check->rf, w, r) && is_sure(p, check, r, w)) ||
                 is_overwritten(p, check, w, r)))
                p->rf[smt_pair(p, w, r)] = NULL;
        find_only_source(p, r);
    }
}

/* What one check settles another may build on, so all are looked at twice. Where checks may be
 * taken back, or are none of the formula's, nothing is settled. */
static void settle_by_checks(struct smt_program *p)
{
    const struct cat_model *model = p->request->model;
    for (uint32_t i = 0; i < 2 * model->check_count && !p->rules && !p->unchecked; i++) {
        const struct cat_check *check = &model->checks[i % model->check_count];
        if (!is_acyclic(check) || !may_carry(model, check->node) || smt_out_of_time(p))
            continue;
        struct arena_mark mark = arena_mark(p->arena);
        struct smt_bounds *bounds = smt_bounds_up_to(p, check->node);
        const struct order_check order = {.bounds = bounds,
                                          .surely = smt_bounds_closure(bounds, check->node),
                                          .rf = carried(p, bounds, check->node, EXEC_REL_RF),
                                          .co = carried(p, bounds, check->node, EXEC_REL_CO),
                                          .fr = carried(p, bounds, check->node, EXEC_REL_FR)};
        settle_co(p, &order);
        settle_rf(p, &order);
        arena_rewind(p->arena, mark);
    }
}

void smt_order_build(struct smt_program *p)
{
    size_t pairs = (size_t)p->dim.n * p->dim.n;
    p->rf = ARENA_ARRAY(p->arena, smt_term, pairs);
    p->co = ARENA_ARRAY(p->arena, smt_term, pairs);
    p->sync_fence = ARENA_ARRAY(p->arena, smt_term, pairs);
    for (uint32_t e = 0; e < p->dim.n; e++)
        if (p->events[e].ev.kind == EV_READ)
            find_sources(p, e);
    for (uint32_t l = 0; l < smt_program_test(p)->location_count; l++)
        find_co(p, l);
    smt_order_units(p);
    choose_fence_order(p);
    smt_chain_find(p);
    settle_by_checks(p);
    for (uint32_t e = 0; e < p->dim.n && !smt_out_of_time(p); e++)
        if (p->events[e].ev.kind == EV_READ)
            choose_source(p, e);
    for (uint32_t l = 0; l < smt_program_test(p)->location_count; l++)
        choose_co(p, l);
    smt_chain_build(p);
}

smt_term smt_order_from_read(struct smt_program *p, uint32_t read, uint32_t write)
{
    BASE_ASSERT(read < p->dim.n && write < p->dim.n);
    struct smt_solver *s = p->solver;
    smt_term some = smt_truth(s, false);
    uint32_t half = p->half[read];
    if (half != LIT_NONE)
        return half == write                     ? smt_truth(s, true)
               : p->co[smt_pair(p, half, write)] ? p->co[smt_pair(p, half, write)]
                                                 : some;
    for (uint32_t w = 0; p->events[read].ev.kind == EV_READ && w < p->dim.n; w++) {
        smt_term source = p->rf[smt_pair(p, w, read)], later = p->co[smt_pair(p, w, write)];
        if (source && later && w != write)
            some = smt_or(s, some, smt_and(s, source, later));
    }
    return some;
}

smt_term smt_program_latest(struct smt_program *p, uint32_t location, const smt_term *present)
{
    BASE_ASSERT(location < smt_program_test(p)->location_count);
    struct smt_solver *s = p->solver;
    smt_term value = smt_value(s, smt_program_test(p)->locations[location].type);
    smt_term *taken = ARENA_ARRAY(p->arena, smt_term, p->dim.n);
    uint32_t count = 0;
    for (uint32_t w = 0; w < p->dim.n; w++) {
        if (!smt_writes_to(&p->events[w], location))
            continue;
        smt_term is_taken = smt_bool(s);
        if (!p->events[w].ev.init) /* a location not in use has its initial value, too */
            smt_assert(s, smt_implies(s, is_taken, present[w]));
        smt_assert(s, smt_implies(s, is_taken, smt_equal(s, value, p->events[w].value)));
        for (uint32_t v = 0; v < p->dim.n; v++) {
            smt_term later = p->co[smt_pair(p, w, v)];
            if (later && rel_has(p->dim, p->compatible, w, v))
                smt_assert(s, smt_not(s, smt_and(s, is_taken, smt_and(s, present[v], later))));
        }
        taken[count++] = is_taken;
    }
    smt_assert(s, smt_any(s, taken, count));
    return value;
}

/* Coherence is said for every two writes of a location; where no check keeps its cycles out, for
 * every three. */
enum { MAX_PAIRS = 300000, MAX_TRIPLES = 2000000 };

bool smt_order_fits(struct smt_program *p)
{
    uint64_t pairs = 0, triples = 0;
    for (uint32_t l = 0; l < smt_program_test(p)->location_count; l++) {
        uint64_t writes = 0;
        for (uint32_t w = 0; w < p->dim.n; w++)
            writes += smt_writes_to(&p->events[w], l);
        pairs += writes * writes;
        triples += writes * writes * writes;
    }
    return is_co_acyclic(p) ? pairs <= MAX_PAIRS : triples <= MAX_TRIPLES;
}
