/* Self-justifying values: a read returns what is computed from that same read. Every value that
 * solves the equations makes an execution, so a list of states may have 2^32 entries and more. A
 * solution shows whether it is such an execution. That it is not is a formula with clocks: whatever
 * a write's value is computed from was read earlier than the write is read. */
#include "smt/smt_query.h"

/* What of a solution is known without a guess. */
struct grounds {
    struct smt_query *query;
    bool *known;     /* per event: a read whose value follows */
    int64_t *values; /* of one path, by index */
    bool *given;
};

static bool is_executed(const struct smt_query *q, uint32_t e)
{
    BASE_ASSERT(e < q->program.dim.n);
    return smt_model_holds(q->program.solver, q->program.events[e].guard);
}

/* The numbers of the events of the path that the event is on. */
static const uint32_t *nodes_of(const struct smt_program *p, const struct smt_event *event)
{
    const struct smt_thread *thread = &p->threads[event->ev.thread];
    uint32_t i = 0;
    while (thread->paths.items[i] != event->path)
        i++;
    return thread->nodes[i];
}

static uint32_t source_of(const struct smt_query *q, uint32_t read)
{
    const struct smt_program *p = &q->program;
    for (uint32_t w = 0; w < p->dim.n; w++) {
        smt_term rf = p->rf[smt_pair(p, w, read)];
        if (rf && smt_model_holds(p->solver, rf) && is_executed(q, w))
            return w;
    }
    return LIT_NONE;
}

/* Is the value that is written computed from what is known? */
static bool is_known(struct grounds *g, uint32_t write)
{
    const struct smt_program *p = &g->query->program;
    const struct smt_event *event = &p->events[write];
    int64_t result;
    if (event->ev.init)
        return true;
    const uint32_t *nodes = nodes_of(p, event);
    for (uint32_t i = 0; i < event->index; i++) {
        const struct smt_event *read = &p->events[nodes[i]];
        g->given[i] = read->ev.kind == EV_READ && g->known[nodes[i]];
        if (g->given[i])
            g->values[i] = smt_model_value(
                p->solver, smt_program_test(p)->locations[read->ev.location].type, read->value);
    }
    struct exec_reads reads = {g->values, g->given};
    return exec_value_get(event->ev.value, &reads, &result);
}

static bool is_circular(struct smt_query *q)
{
    const struct smt_program *p = &q->program;
    uint32_t n = p->dim.n, left = 0, before;
    uint32_t *sources = ARENA_ARRAY(&q->arena, uint32_t, n);
    struct grounds g = {q, ARENA_ARRAY(&q->arena, bool, n), ARENA_ARRAY(&q->arena, int64_t, n + 1),
                        ARENA_ARRAY(&q->arena, bool, n + 1)};
    for (uint32_t e = 0; e < n; e++) {
        bool reads = p->events[e].ev.kind == EV_READ && is_executed(q, e);
        sources[e] = reads ? source_of(q, e) : LIT_NONE;
        g.known[e] = sources[e] == LIT_NONE;
        left += !g.known[e];
    }
    do {
        before = left;
        for (uint32_t e = 0; e < n; e++)
            if (!g.known[e] && is_known(&g, sources[e])) {
                g.known[e] = true;
                left--;
            }
    } while (left && left < before);
    return left > 0;
}

/* ---- None is ---- */

static void order(struct smt_query *q, smt_term *clocks, const struct exec_value *value,
                  const uint32_t *nodes, smt_term when, uint32_t read)
{
    struct smt_solver *s = q->program.solver;
    if (!value || value->op == LIT_OP_CONST)
        return;
    if (value->op == LIT_OP_REG)
        smt_assert(s,
                   smt_implies(s, when, smt_earlier(s, clocks[nodes[value->read]], clocks[read])));
    order(q, clocks, value->a, nodes, when, read);
    order(q, clocks, value->b, nodes, when, read);
    order(q, clocks, value->c, nodes, when, read);
}

static void forbid_circles(struct smt_query *q)
{
    struct smt_program *p = &q->program;
    smt_term *clocks = ARENA_ARRAY(&q->arena, smt_term, p->dim.n);
    for (uint32_t e = 0; e < p->dim.n; e++)
        if (p->events[e].ev.kind == EV_READ)
            clocks[e] = smt_clock(p->solver, p->dim.n);
    for (uint32_t e = 0; e < p->dim.n; e++)
        for (uint32_t w = 0; clocks[e] && w < p->dim.n; w++) {
            smt_term rf = p->rf[smt_pair(p, w, e)];
            if (rf && !p->events[w].ev.init)
                order(q, clocks, p->events[w].ev.value, nodes_of(p, &p->events[w]),
                      smt_program_present(p, w, e, rf), e);
        }
}

/* ---- Is there one? ---- */

/* The value is computed from a read that is taken. */
static smt_term takes(struct smt_query *q, const smt_term *taken, const struct exec_value *value,
                      const uint32_t *nodes)
{
    struct smt_solver *s = q->program.solver;
    if (!value || value->op == LIT_OP_CONST)
        return smt_truth(s, false);
    if (value->op == LIT_OP_REG)
        return taken[nodes[value->read]];
    return smt_or(s, takes(q, taken, value->a, nodes),
                  smt_or(s, takes(q, taken, value->b, nodes), takes(q, taken, value->c, nodes)));
}

/* The read's source is computed from a read that is taken. */
static smt_term follows(struct smt_query *q, const smt_term *taken, uint32_t read)
{
    struct smt_program *p = &q->program;
    smt_term some = smt_truth(p->solver, false);
    for (uint32_t w = 0; w < p->dim.n; w++) {
        const struct smt_event *event = &p->events[w];
        smt_term rf = p->rf[smt_pair(p, w, read)];
        if (rf && !event->ev.init)
            some = smt_or(p->solver, some,
                          smt_and(p->solver, smt_program_present(p, w, read, rf),
                                  takes(q, taken, event->ev.value, nodes_of(p, event))));
    }
    return some;
}

bool smt_may_be_circular(struct smt_query *q)
{
    struct smt_program *p = &q->program;
    smt_term *taken = ARENA_ARRAY(&q->arena, smt_term, p->dim.n),
             some = smt_truth(p->solver, false);
    smt_relations_settle(q->relations);
    smt_push(p->solver);
    for (uint32_t e = 0; e < p->dim.n; e++)
        if (p->events[e].ev.kind == EV_READ) {
            taken[e] = smt_bool(p->solver);
            some = smt_or(p->solver, some, taken[e]);
        }
    for (uint32_t e = 0; e < p->dim.n; e++)
        if (taken[e])
            smt_assert(p->solver, smt_implies(p->solver, taken[e], follows(q, taken, e)));
    smt_assert(p->solver, some);
    bool may = smt_ask(q) != SMT_UNSAT;
    smt_pop(p->solver);
    return may;
}

/* ---- Lists ---- */

/* The first solutions of a list are not asked whether their values justify themselves. The list
 * ends after so many solutions whose values do. */
enum { FIRST_SOLUTIONS = 8, MOST_CIRCULAR = 8 };

enum smt_answer smt_list_next(struct smt_query *q, struct smt_list *list)
{
    enum smt_answer answer = smt_ask(q);
    if (answer != SMT_SAT || list->is_cut || list->count++ < FIRST_SOLUTIONS)
        return answer;
    list->circular += is_circular(q);
    list->is_cut = list->circular > MOST_CIRCULAR;
    if (!list->is_cut)
        return answer;
    q->outcome->doubts[OUTCOME_DOUBT_THIN_AIR] = true;
    smt_push(q->program.solver);
    forbid_circles(q);
    return smt_ask(q);
}

void smt_list_end(struct smt_query *q, struct smt_list *list)
{
    if (list->is_cut)
        smt_pop(q->program.solver);
}
