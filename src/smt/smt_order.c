/* rf, co and the order of SC fences: variables per pair, and what makes them orders. */
#include "smt/smt_order.h"

static const struct lit_program *test_of(const struct smt_program *p)
{
    return p->request->program;
}

static bool is_write_to(const struct smt_event *event, uint32_t location)
{
    return event->ev.kind == EV_WRITE && event->ev.location == location;
}

static void choose_source(struct smt_program *p, uint32_t read)
{
    struct smt_solver *s = p->solver;
    const struct smt_event *event = &p->events[read];
    smt_term *sources = ARENA_ARRAY(p->arena, smt_term, p->dim.n);
    uint32_t count = 0;
    for (uint32_t w = 0; w < p->dim.n; w++) {
        if (!is_write_to(&p->events[w], event->ev.location) ||
            !rel_has(p->dim, p->compatible, w, read))
            continue;
        smt_term source = smt_bool(s);
        for (uint32_t k = 0; k < count; k++)
            smt_assert(s, smt_not(s, smt_and(s, source, sources[k])));
        smt_assert(s, smt_implies(s, source, smt_and(s, p->events[w].guard, event->guard)));
        smt_assert(s, smt_implies(s, source, smt_equal(s, p->events[w].value, event->value)));
        p->rf[smt_pair(p, w, read)] = sources[count++] = source;
    }
    smt_assert(s, smt_implies(s, event->guard, smt_any(s, sources, count)));
}

static void order_transitively(struct smt_program *p, const smt_term *order, const uint32_t *events,
                               uint32_t count)
{
    struct smt_solver *s = p->solver;
    for (uint32_t i = 0; i < count && !smt_out_of_time(p); i++)
        for (uint32_t j = 0; j < count; j++)
            for (uint32_t k = 0; k < count; k++) {
                smt_term ij = order[smt_pair(p, events[i], events[j])];
                smt_term jk = order[smt_pair(p, events[j], events[k])];
                smt_term ik = order[smt_pair(p, events[i], events[k])];
                if (ij && jk && i != k)
                    smt_assert(s,
                               smt_implies(s, smt_and(s, ij, jk), ik ? ik : smt_truth(s, false)));
            }
}

/* One variable orders two events either way; in a partial order neither may hold. */
static void order_pair(struct smt_program *p, smt_term *order, uint32_t a, uint32_t b, bool partial)
{
    struct smt_solver *s = p->solver;
    smt_term forward = smt_bool(s);
    smt_term backward = partial ? smt_bool(s) : smt_not(s, forward);
    if (partial)
        smt_assert(s, smt_not(s, smt_and(s, forward, backward)));
    order[smt_pair(p, a, b)] = forward;
    order[smt_pair(p, b, a)] = backward;
}

static void choose_co(struct smt_program *p, uint32_t location)
{
    uint32_t *writes = ARENA_ARRAY(p->arena, uint32_t, p->dim.n), count = 0;
    bool partial = test_of(p)->partial_coherence;
    for (uint32_t w = 0; w < p->dim.n; w++) {
        if (!is_write_to(&p->events[w], location))
            continue;
        for (uint32_t k = 0; k < count; k++) {
            if (p->events[writes[k]].ev.init)
                p->co[smt_pair(p, writes[k], w)] = smt_truth(p->solver, true);
            else
                order_pair(p, p->co, writes[k], w, partial);
        }
        writes[count++] = w;
    }
    order_transitively(p, p->co, writes, count);
}

static bool is_sc_fence(const struct smt_event *event)
{
    return event->ev.kind == EV_FENCE && event->ev.order == LIT_ORDER_SC;
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
            if (!is_sc_fence(x) || !is_sc_fence(y) || !rel_has(p->dim, p->compatible, a, b))
                continue;
            bool one_thread = x->ev.thread == y->ev.thread;
            clocks[a] = clocks[a] ? clocks[a] : smt_clock(s);
            clocks[b] = clocks[b] ? clocks[b] : smt_clock(s);
            smt_term forward = smt_earlier(s, clocks[b], clocks[a]);
            smt_term backward = smt_earlier(s, clocks[a], clocks[b]);
            bool ordered = one_thread || exec_events_mutually_scoped(test_of(p), &x->ev, &y->ev);
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

void smt_order_build(struct smt_program *p)
{
    size_t pairs = (size_t)p->dim.n * p->dim.n;
    p->rf = ARENA_ARRAY(p->arena, smt_term, pairs);
    p->co = ARENA_ARRAY(p->arena, smt_term, pairs);
    p->sync_fence = ARENA_ARRAY(p->arena, smt_term, pairs);
    for (uint32_t e = 0; e < p->dim.n && !smt_out_of_time(p); e++)
        if (p->events[e].ev.kind == EV_READ)
            choose_source(p, e);
    for (uint32_t l = 0; l < test_of(p)->location_count; l++)
        choose_co(p, l);
    choose_fence_order(p);
}

smt_term smt_program_latest(struct smt_program *p, uint32_t location, const smt_term *present)
{
    struct smt_solver *s = p->solver;
    smt_term value = smt_value(s, test_of(p)->locations[location].type);
    smt_term *taken = ARENA_ARRAY(p->arena, smt_term, p->dim.n);
    uint32_t count = 0;
    for (uint32_t w = 0; w < p->dim.n; w++) {
        if (!is_write_to(&p->events[w], location))
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

/* Coherence is said for every three writes of a location. */
enum { MAX_TRIPLES = 2000000 };

bool smt_order_fits(struct smt_program *p)
{
    uint64_t triples = 0;
    for (uint32_t l = 0; l < test_of(p)->location_count; l++) {
        uint64_t writes = 0;
        for (uint32_t w = 0; w < p->dim.n; w++)
            writes += is_write_to(&p->events[w], l);
        triples += writes * writes * writes;
    }
    p->outcome->doubts[OUTCOME_DOUBT_EVENTS] |= triples > MAX_TRIPLES;
    return triples <= MAX_TRIPLES;
}
