#include "smt/smt_attempt.h"

/* Is this the write that the event leaves its work-item with: itself, or what it reads? NULL: it
 * never is. */
static smt_term leaves_with(const struct smt_program *p, uint32_t event, uint32_t write)
{
    BASE_ASSERT(event < p->dim.n && write < p->dim.n);
    if (p->events[event].ev.kind == EV_WRITE)
        return event == write ? smt_truth(p->solver, true) : NULL;
    return p->rf[smt_pair(p, write, event)];
}

/* May `w` at `a` and `v` at `b`, which is po-after `a`, not come together? */
static smt_term is_backwards(const struct smt_program *p, uint32_t a, uint32_t w, uint32_t b,
                             uint32_t v)
{
    if (w == v) /* the one thing that is wrong is to read it before it is written */
        return smt_truth(p->solver, v == b && w != a);
    return p->co[smt_pair(p, v, w)];
}

/* Coherence may be partial: then two writes could also have no order. */
static void keep_written(struct smt_program *p, smt_term both, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < p->dim.n && b < p->dim.n);
    smt_assert(p->solver, smt_implies(p->solver, both, p->co[smt_pair(p, a, b)]));
}

/* `a` and `b`, po-after it, do not see the location's writes in the wrong order. */
static void keep_seen(struct smt_program *p, smt_term both, uint32_t a, uint32_t b)
{
    struct smt_solver *s = p->solver;
    for (uint32_t w = 0; w < p->dim.n; w++) {
        smt_term first = leaves_with(p, a, w);
        for (uint32_t v = 0; first && v < p->dim.n; v++) {
            smt_term second = leaves_with(p, b, v);
            smt_term backwards = second ? is_backwards(p, a, w, b, v) : NULL;
            if (backwards)
                smt_assert(s, smt_implies(s, smt_and(s, both, smt_and(s, first, second)),
                                          smt_not(s, backwards)));
        }
    }
}

/* All pairs of po-loc, of two writes or of others. */
smt_term smt_coherent(struct smt_program *p, bool of_writes)
{
    smt_term kept = smt_bool(p->solver);
    for (uint32_t b = p->init_count; b < p->dim.n && !smt_out_of_time(p); b++) {
        const struct ev *last = &p->events[b].ev;
        for (uint32_t a = p->events[b].parent; a != LIT_NONE; a = p->events[a].parent) {
            const struct ev *first = &p->events[a].ev;
            bool writes = first->kind == EV_WRITE && last->kind == EV_WRITE;
            if (first->location != LIT_NONE && first->location == last->location &&
                writes == of_writes && smt_program_share(p, a, b))
                (of_writes ? keep_written : keep_seen)(p, smt_program_present(p, a, b, kept), a, b);
        }
    }
    return kept;
}
