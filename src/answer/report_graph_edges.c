/* Edges. The model is evaluated once more, for what it says beyond rf and co: how durability is
 * ordered, what it shows, and which pairs or cycles break a check. */
#include "answer/report_graph_edges.h"

#include <string.h>

/* ---- The execution's and the model's ---- */

static void add_edge(struct maker *m, enum report_edge_kind kind, uint32_t from, uint32_t to,
                     const char *label)
{
    bool both = kind == REPORT_EDGE_MEET;
    bool unseen = kind == REPORT_EDGE_PO && m->po_hidden;
    EACH_IN (const struct report_edge, edge, m->edges)
        if (edge->kind == kind && edge->from == from && edge->to == to &&
            strcmp(edge->label, label) == 0)
            return;
    VEC_PUSH(&m->edges,
             ((struct report_edge){kind, from, to, label, .both_ways = both, .unseen = unseen}));
    if (*label)
        report_graph_add_pair(m, label, from, to);
}

/* The one below it in its column; LIT_NONE: none. What had executed at the crash stands first: of events
 * that have no order, as the elements of a vector, these need not be the first. */
static uint32_t find_next(const struct maker *m, uint32_t event)
{
    const bool is_ahead = m->events[event].fate == REPORT_AHEAD;
    for (int ahead = is_ahead; ahead <= 1; ahead++)
        for (uint32_t e = ahead == is_ahead ? event + 1 : m->skeleton->init_count; e < m->dim.n;
             e++)
            if (m->events[e].column == m->events[event].column &&
                (m->events[e].fate == REPORT_AHEAD) == ahead)
                return e;
    return LIT_NONE;
}

/* The halves of a read-modify-write are named as such. */
static void add_po(struct maker *m)
{
    rel_word *rmw = ARENA_ARRAY(&m->scratch, rel_word, rel_words(m->dim));
    exec_skeleton_base(m->skeleton, EXEC_REL_RMW_PAIR, rmw);
    for (uint32_t e = m->skeleton->init_count; e < m->dim.n; e++) {
        const uint32_t next = find_next(m, e);
        if (next != LIT_NONE)
            add_edge(m, REPORT_EDGE_PO, e, next, rel_has(m->dim, rmw, e, next) ? "rmw" : "");
    }
}

static void add_rf(struct maker *m)
{
    for (uint32_t a = 0; a < m->dim.n; a++)
        for (uint32_t b = 0; b < m->dim.n; b++)
            if (rel_has(m->dim, m->witness->rf, a, b))
                add_edge(m, REPORT_EDGE_RF, a, b, "rf");
}

/* Is there something between the two? */
static bool is_implied(const struct maker *m, const rel_word *first, const rel_word *second,
                       uint32_t a, uint32_t b)
{
    return ANY(c, m->dim.n,
               c != a && c != b && rel_has(m->dim, first, a, c) && rel_has(m->dim, second, c, b));
}

/* `relation` without what follows by `step`, and without what comes from initial writes. */
static void add_reduced(struct maker *m, enum report_edge_kind kind, const rel_word *relation,
                        const rel_word *step, const char *label)
{
    for (uint32_t a = m->skeleton->init_count; relation && a < m->dim.n; a++)
        for (uint32_t b = 0; b < m->dim.n; b++)
            if (a != b && rel_has(m->dim, relation, a, b) && !is_implied(m, relation, step, a, b))
                add_edge(m, kind, a, b, label);
}

const rel_word *report_graph_reserved(const struct maker *m, enum cat_reserved name)
{
    return cat_eval_value(m->eval, m->request->model->reserved[name]);
}

rel_word *report_graph_among_nvm(struct maker *m, const rel_word *relation, uint32_t first)
{
    rel_word *out = ARENA_ARRAY(&m->scratch, rel_word, rel_words(m->dim));
    for (uint32_t a = first; a < m->dim.n; a++)
        for (uint32_t b = first; b < m->dim.n; b++)
            if (m->events[a].nvm && m->events[b].nvm && rel_has(m->dim, relation, a, b))
                rel_add(m->dim, out, a, b);
    return out;
}

void report_graph_add_mark(struct maker *m, uint32_t from, uint32_t to, const char *label,
                           bool both_ways)
{
    VEC_PUSH(&m->edges,
             ((struct report_edge){REPORT_EDGE_MARK, from, to, label, .both_ways = both_ways}));
}

void report_graph_add_pair(struct maker *m, const char *relation, uint32_t from, uint32_t to)
{
    VEC_PUSH(&m->pairs, ((struct report_pair){relation, from, to}));
}

void report_graph_add_break(struct maker *m, const char *rule, const char *relation, uint32_t from,
                            uint32_t to)
{
    VEC_PUSH(&m->breaks, ((struct report_break){rule, relation, from, to}));
}

/* persist-before is about durable writes alone. */
static void add_persist(struct maker *m)
{
    const rel_word *between = report_graph_among_nvm(
        m, report_graph_reserved(m, CAT_PERSIST_BEFORE), m->skeleton->init_count);
    add_reduced(m, REPORT_EDGE_PERSIST, between, between, "persist-before");
}

/* Which events wait for which, those apart that wait for each other, as at a rendezvous. */
static rel_word *waiting_order(struct maker *m)
{
    rel_word *order = ARENA_ARRAY(&m->scratch, rel_word, rel_words(m->dim));
    rel_word *back = ARENA_ARRAY(&m->scratch, rel_word, rel_words(m->dim));
    exec_skeleton_base(m->skeleton, EXEC_REL_PO, order);
    rel_union(m->dim, order, order, report_graph_reserved(m, CAT_EXECUTES_BEFORE));
    rel_union(m->dim, order, order, m->witness->rf);
    rel_plus(m->dim, order, order);
    rel_inverse(m->dim, back, order);
    rel_diff(m->dim, order, order, back);
    return order;
}

/* Of the events that need a write to be durable, those that wait for no other such event. */
static void add_durable(struct maker *m)
{
    const rel_word *given = report_graph_reserved(m, CAT_DURABLE_BEFORE), *order = waiting_order(m);
    rel_word *writes = ARENA_ARRAY(&m->scratch, rel_word, rel_words(m->dim));
    rel_copy(m->dim, writes, given);
    for (uint32_t a = 0; a < m->dim.n; a++)
        for (uint32_t b = 0; b < m->dim.n; b++)
            if (!m->events[a].nvm || rel_has(m->dim, order, b, a))
                rel_remove(m->dim, writes, a, b);
    add_reduced(m, REPORT_EDGE_DURABLE, writes, order, "durable-before");
}

const rel_word *report_graph_after(struct maker *m)
{
    const rel_word *given = report_graph_reserved(m, CAT_DURABLE_AFTER);
    rel_word *out = ARENA_ARRAY(&m->scratch, rel_word, rel_words(m->dim));
    for (uint32_t a = 0; a < m->dim.n; a++)
        for (uint32_t b = m->skeleton->init_count; b < m->dim.n; b++)
            if (m->events[b].nvm && rel_has(m->dim, given, a, b))
                rel_add(m->dim, out, a, b);
    return out;
}

/* Of the events that a write waits for, those that no other such event waits for. */
static void add_after(struct maker *m)
{
    const rel_word *given = report_graph_after(m), *order = waiting_order(m);
    for (uint32_t a = m->skeleton->init_count; a < m->dim.n; a++)
        for (uint32_t b = 0; b < m->dim.n; b++)
            if (a != b && rel_has(m->dim, given, a, b) && !is_implied(m, order, given, a, b))
                add_edge(m, REPORT_EDGE_AFTER, a, b, "durable-after");
}

/* ---- Rendezvous ---- */

static bool meets(const struct maker *m, const struct ev_waits *waits, uint32_t e)
{
    BASE_ASSERT(e < m->dim.n);
    const struct ev *event = &m->skeleton->events[e];
    return ev_kind_meets(event->kind) && !event->late && ev_meeting_waits(waits, &event->meeting);
}

static bool meet_each_other(const struct maker *m, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < m->dim.n && b < m->dim.n);
    const struct ev *x = &m->skeleton->events[a], *y = &m->skeleton->events[b];
    const struct lit_program *program = m->request->program;
    return x->thread != y->thread && m->events[a].fate == m->events[b].fate &&
           ev_same_meeting(&x->meeting, &y->meeting) &&
           lit_same_instance(&program->threads[x->thread], &program->threads[y->thread],
                             x->meeting.scope);
}

/* Each with the next of its meeting, column by column. */
static void add_meetings(struct maker *m)
{
    struct ev_waits waits = {0};
    engine_find_waiting(&m->scratch, m->request, &waits);
    for (uint32_t a = m->skeleton->init_count; a < m->dim.n; a++) {
        uint32_t next = LIT_NONE;
        for (uint32_t b = m->skeleton->init_count; meets(m, &waits, a) && b < m->dim.n; b++)
            if (meets(m, &waits, b) && meet_each_other(m, a, b)) {
                uint32_t first = m->events[b].meeting == LIT_NONE ? a : m->events[b].meeting;
                m->events[a].meeting = first < a ? first : a;
                m->events[b].meeting = m->events[a].meeting;
                if (m->events[b].column > m->events[a].column &&
                    (next == LIT_NONE || m->events[b].column < m->events[next].column))
                    next = b;
            }
        if (next != LIT_NONE)
            add_edge(m, REPORT_EDGE_MEET, a, next, "");
    }
}

/* ---- The whole ---- */

static void evaluate(struct maker *m)
{
    const struct cat_plan *plan =
        cat_plan_new_for(&m->scratch, m->request->model, CAT_FOR_PICTURES);
    m->eval = engine_witness_eval(&m->scratch, plan, m->witness);
    (void)cat_eval_static(m->eval);
    (void)cat_eval_exact(m->eval);
}

static bool hides_base(const struct maker *m, enum exec_base base)
{
    return report_graph_hides(m, exec_basis()->names[base].name, report_graph_base(m, base));
}

static bool hides_reserved(const struct maker *m, const char *name, enum cat_reserved reserved)
{
    return report_graph_hides(m, name, m->request->model->reserved[reserved]);
}

void report_graph_make_edges(struct maker *m)
{
    evaluate(m);
    m->po_hidden = hides_base(m, EXEC_REL_PO);
    add_po(m);
    add_meetings(m);
    report_graph_add_shown(m);
    if (!hides_reserved(m, "durable-before", CAT_DURABLE_BEFORE))
        add_durable(m);
    if (!hides_reserved(m, "durable-after", CAT_DURABLE_AFTER))
        add_after(m);
    if (!hides_reserved(m, "persist-before", CAT_PERSIST_BEFORE))
        add_persist(m);
    if (!hides_base(m, EXEC_REL_CO))
        add_reduced(m, REPORT_EDGE_CO, m->witness->co, m->witness->co, "co");
    if (!hides_base(m, EXEC_REL_FR))
        add_reduced(m, REPORT_EDGE_FR, m->witness->fr, m->witness->co,
                    "fr"); /* to the next write */
    if (!hides_base(m, EXEC_REL_RF))
        add_rf(m);
    report_graph_mark_checks(m);
    report_graph_mark_cut(m);
    report_graph_lead_through_barriers(m);
}
