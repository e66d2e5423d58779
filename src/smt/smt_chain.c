/* The model's checks say which read-modify-writes are atomic. One check forbids fr; co beside rmw,
 * another forbids cycles of rf, co and program order. Then fr of such a read is co of its own
 * write. Atomicity itself is asserted here, for each source and each other write. */
#include "smt/smt_chain.h"

#include "exec/exec_basis.h"
#include "smt/smt_bounds.h"

/* ---- What the model's checks say -------------------------------------------------------- */

struct finder {
    struct smt_program *program;
    const struct cat_model *model;
    const struct smt_bounds *bounds;
};

static const struct cat_node *node_at(const struct finder *f, cat_node_id id)
{
    return &f->model->nodes[id];
}

/* Is the pair in the expression whenever it is in the base relation? */
static bool has_with(const struct finder *f, cat_node_id id, uint32_t base, uint32_t a, uint32_t b)
{
    const struct cat_node *node = node_at(f, id);
    if (rel_has(f->program->dim, smt_bounds_lower(f->bounds, id), a, b))
        return true;
    switch (node->op) {
    case CAT_BASE: return node->base == base;
    case CAT_UNION: return has_with(f, node->a, base, a, b) || has_with(f, node->b, base, a, b);
    case CAT_INTER: return has_with(f, node->a, base, a, b) && has_with(f, node->b, base, a, b);
    default: return false;
    }
}

/* rmw & (x; y), in any order: fills x and y. */
static bool is_of_halves(const struct finder *f, const struct cat_check *check,
                         const struct cat_node **rmw, const struct cat_node **between)
{
    const struct cat_node *node = node_at(f, check->node);
    if (check->kind != CAT_CHECK || check->negated || check->test != CAT_IS_EMPTY ||
        node->op != CAT_INTER)
        return false;
    *rmw = node_at(f, node->a);
    *between = node_at(f, node->b);
    if ((*between)->op != CAT_SEQ) {
        const struct cat_node *other = *rmw;
        *rmw = *between;
        *between = other;
    }
    return (*rmw)->op == CAT_BASE && (*rmw)->base == EXEC_REL_RMW_PAIR && (*between)->op == CAT_SEQ;
}

/* No write comes between the halves. */
static bool keeps_halves(const struct finder *f, const struct cat_check *check, uint32_t read,
                         uint32_t write)
{
    const struct smt_program *p = f->program;
    const struct cat_node *rmw, *between;
    if (!is_of_halves(f, check, &rmw, &between))
        return false;
    return !ANY(v, p->dim.n,
                v != write && !p->events[v].ev.init &&
                    smt_writes_to(&p->events[v], p->events[write].ev.location) &&
                    !(has_with(f, between->a, EXEC_REL_FR, read, v) &&
                      has_with(f, between->b, EXEC_REL_CO, v, write)));
}

/* What is read is neither the write nor coherence-after it, since read and write are in order. */
static bool keeps_order(const struct finder *f, const struct cat_check *check, uint32_t read,
                        uint32_t write)
{
    const struct smt_program *p = f->program;
    if (check->kind != CAT_CHECK || check->negated || check->test != CAT_ACYCLIC ||
        !rel_has(p->dim, smt_bounds_lower(f->bounds, check->node), read, write))
        return false;
    return !ANY(v, p->dim.n,
                smt_writes_to(&p->events[v], p->events[write].ev.location) &&
                    !(has_with(f, check->node, EXEC_REL_RF, v, read) &&
                      (v == write || has_with(f, check->node, EXEC_REL_CO, write, v))));
}

typedef bool check_says(const struct finder *f, const struct cat_check *check, uint32_t read,
                        uint32_t write);

static bool some_check(const struct finder *f, check_says *says, uint32_t read, uint32_t write)
{
    return ANY(i, f->model->check_count, says(f, &f->model->checks[i], read, write));
}

/* ---- Halves ----------------------------------------------------------------------------- */

/* Has every path through the read the write, too? */
static bool is_sure_of(const struct smt_program *p, uint32_t read, uint32_t write)
{
    BASE_ASSERT(read < p->dim.n);
    const struct smt_thread *thread = &p->threads[p->events[read].ev.thread];
    uint32_t at = p->events[read].index;
    if (!smt_program_needs(p, write, read))
        return false;
    for (uint32_t i = 0; i < thread->paths.count; i++) {
        uint32_t events = thread->paths.items[i]->event_count;
        if (at < events && thread->nodes[i][at] == read &&
            (at + 1 == events || thread->nodes[i][at + 1] != write))
            return false;
    }
    return true;
}

static bool is_half_of_rmw(const struct smt_program *p, uint32_t write)
{
    BASE_ASSERT(write < p->dim.n);
    uint32_t read = p->events[write].parent;
    return write >= p->init_count && p->events[write].ev.kind == EV_WRITE &&
           p->events[write].ev.rmw && read != LIT_NONE && p->events[read].ev.kind == EV_READ &&
           p->events[read].ev.location == p->events[write].ev.location &&
           is_sure_of(p, read, write);
}

static bool has_rmw(const struct smt_program *p)
{
    for (uint32_t e = p->init_count; e < p->dim.n; e++)
        if (is_half_of_rmw(p, e))
            return true;
    return false;
}

/* The read takes the write that is coherence-next before its own. */
static void read_next(struct smt_program *p, uint32_t read)
{
    BASE_ASSERT(read < p->dim.n);
    struct smt_solver *s = p->solver;
    uint32_t own = p->half[read], location = p->events[own].ev.location;
    for (uint32_t w = 0; w < p->dim.n && !smt_out_of_time(p); w++) {
        smt_term source = p->rf[smt_pair(p, w, read)];
        if (!source)
            continue;
        smt_term taken = smt_and(s, source, p->events[read].guard);
        smt_assert(s, w == own ? smt_not(s, taken)
                               : smt_implies(s, taken, p->co[smt_pair(p, w, own)]));
        for (uint32_t v = p->init_count; v < p->dim.n; v++) {
            if (v == w || v == own || !smt_writes_to(&p->events[v], location) ||
                !rel_has(p->dim, p->compatible, v, read))
                continue;
            smt_term before = p->co[smt_pair(p, v, w)];
            smt_term apart =
                smt_or(s, before ? before : smt_truth(s, false), p->co[smt_pair(p, own, v)]);
            smt_assert(s, smt_implies(s, smt_and(s, taken, p->events[v].guard), apart));
        }
    }
}

void smt_chain_find(struct smt_program *p)
{
    struct finder f = {.program = p, .model = p->request->model};
    p->half = ARENA_ARRAY(p->arena, uint32_t, p->dim.n);
    for (uint32_t e = 0; e < p->dim.n; e++)
        p->half[e] = LIT_NONE;
    if (smt_program_test(p)->partial_coherence || p->rules || p->unchecked || !has_rmw(p))
        return;
    struct arena_mark mark = arena_mark(p->arena);
    cat_node_id last = 0;
    for (uint32_t i = 0; i < f.model->check_count; i++)
        if (f.model->checks[i].kind == CAT_CHECK && f.model->checks[i].node > last)
            last = f.model->checks[i].node;
    f.bounds = smt_bounds_up_to(p, last);
    for (uint32_t e = p->init_count; e < p->dim.n && !smt_out_of_time(p); e++)
        if (is_half_of_rmw(p, e) && some_check(&f, keeps_halves, p->events[e].parent, e) &&
            some_check(&f, keeps_order, p->events[e].parent, e))
            p->half[p->events[e].parent] = e;
    arena_rewind(p->arena, mark);
    for (uint32_t l = 0; l < smt_program_test(p)->location_count; l++) {
        smt_counter_keep_apart(p, l);
        arena_rewind(p->arena, mark);
    }
}

void smt_chain_build(struct smt_program *p)
{
    for (uint32_t e = p->init_count; e < p->dim.n && !smt_out_of_time(p); e++)
        if (p->half[e] != LIT_NONE)
            read_next(p, e);
    for (uint32_t l = 0; l < smt_program_test(p)->location_count; l++) {
        struct arena_mark mark = arena_mark(p->arena);
        smt_counter_build(p, l);
        arena_rewind(p->arena, mark);
    }
}
