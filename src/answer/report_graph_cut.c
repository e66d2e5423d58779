/* What a crash cut breaks: pairs of the contract's relations of which the later has happened, has
 * executed or is durable, and the earlier has not. A cut of a model has none; that of a near miss
 * has what excludes it.
 *
 * Of the pairs of one rule those are marked between whose ends nothing stands, in the rule's
 * closure: of a longer one some shorter pair on the way is broken as well. */
#include "answer/report_graph_edges.h"

#include "base/bits.h"

/* One rule of a cut. */
struct rule {
    enum report_edge_kind kind; /* the edge it is drawn by where it holds; PO: by none */
    const char *name;
    const rel_word *pairs;
    const rel_word *before, *behind; /* closed: what may stand between, and lead to the second */
    bool of_durable;                 /* the first is durable, else has executed, ... */
    bool for_durable;                /* ... when the second is */
};

static bool has_happened(const struct maker *m, uint32_t e, bool durable)
{
    const struct exec_cut *cut = m->witness->cut;
    return bits_get(durable ? cut->durable : cut->executed, e);
}

static bool is_broken(const struct maker *m, const struct rule *rule, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < m->dim.n && b < m->dim.n);
    return a != b && rel_has(m->dim, rule->pairs, a, b) &&
           (!rule->of_durable || m->events[a].nvm) && (!rule->for_durable || m->events[b].nvm) &&
           has_happened(m, b, rule->for_durable) && !has_happened(m, a, rule->of_durable);
}

static bool is_strict(const struct maker *m, const rel_word *order, uint32_t a, uint32_t b)
{
    return rel_has(m->dim, order, a, b) && !rel_has(m->dim, order, b, a);
}

static bool is_shortest(const struct maker *m, const struct rule *rule, uint32_t a, uint32_t b)
{
    return !ANY(c, m->dim.n, is_strict(m, rule->before, a, c) && is_strict(m, rule->behind, c, b));
}

/* ---- Marks ---- */

/* Takes the place of the edge that says the same. */
static void remove_edge(struct maker *m, enum report_edge_kind kind, uint32_t a, uint32_t b)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->edges.count; i++) {
        const struct report_edge edge = m->edges.items[i];
        if (kind == REPORT_EDGE_PO || edge.kind != kind || edge.from != a || edge.to != b)
            m->edges.items[kept++] = edge;
    }
    m->edges.count = kept;
}

static void mark(struct maker *m, const struct rule *rule, uint32_t a, uint32_t b, bool both)
{
    BASE_ASSERT(a < m->dim.n && b < m->dim.n);
    remove_edge(m, rule->kind, a, b);
    report_graph_add_break(m, rule->name, "", a, b);
    m->events[a].marked = m->events[b].marked = true;
    report_graph_add_mark(m, a, b, rule->name, both);
}

static void mark_rule(struct maker *m, const struct rule *rule)
{
    for (uint32_t a = 0; a < m->dim.n; a++)
        for (uint32_t b = 0; b < m->dim.n; b++)
            if (is_broken(m, rule, a, b) && is_shortest(m, rule, a, b))
                mark(m, rule, a, b, false);
}

/* ---- Rules ---- */

static const rel_word *closed(struct maker *m, const rel_word *relation)
{
    rel_word *out = ARENA_ARRAY(&m->scratch, rel_word, rel_words(m->dim));
    rel_plus(m->dim, out, relation);
    return out;
}

/* The order in which versions of a location land is one order of durability with persist-before,
 * and named where that is silent. */
static void mark_persist(struct maker *m)
{
    const rel_word *lands = report_graph_reserved(m, CAT_LANDS_BEFORE);
    rel_word *persist = report_graph_among_nvm(m, report_graph_reserved(m, CAT_PERSIST_BEFORE), 0);
    rel_word *versions = report_graph_among_nvm(m, lands, 0);
    const char *name = m->request->model->lands_by_coherence ? "coherence" : "lands-before";
    for (uint32_t a = 0; a < m->dim.n; a++)
        for (uint32_t b = 0; b < m->dim.n; b++)
            if (m->skeleton->events[a].location != m->skeleton->events[b].location)
                rel_remove(m->dim, versions, a, b);
    rel_diff(m->dim, versions, versions, persist);
    rel_word *both = ARENA_ARRAY(&m->scratch, rel_word, rel_words(m->dim));
    rel_union(m->dim, both, persist, versions);
    const rel_word *order = closed(m, both);
    mark_rule(m, &(struct rule){REPORT_EDGE_PERSIST, "persist-before", persist, order, order, true,
                                true});
    mark_rule(m, &(struct rule){REPORT_EDGE_PO, name, versions, order, order, true, true});
}

/* Of the events that need a write to be durable the first. */
static void mark_durable(struct maker *m, const rel_word *executes)
{
    const rel_word *pairs = report_graph_reserved(m, CAT_DURABLE_BEFORE);
    mark_rule(m, &(struct rule){REPORT_EDGE_DURABLE, "durable-before", pairs, pairs, executes, true,
                                false});
}

/* Of the events that a durable write waits for the last. */
static void mark_after(struct maker *m, const rel_word *executes)
{
    const rel_word *pairs = report_graph_after(m);
    mark_rule(
        m, &(struct rule){REPORT_EDGE_AFTER, "durable-after", pairs, executes, pairs, false, true});
}

static void mark_impossible(struct maker *m)
{
    const rel_word *can = report_graph_reserved(m, CAT_CAN_PERSIST);
    for (uint32_t e = m->skeleton->init_count; e < m->dim.n; e++)
        if (m->events[e].nvm && has_happened(m, e, true) && !bits_get(can, e)) {
            m->events[e].marked = true;
            report_graph_add_break(m, "can-persist", "", e, e);
        }
}

/* Of a class that is split each lost write, with the first durable one. */
static void mark_atomic(struct maker *m)
{
    const struct rule rule = {.kind = REPORT_EDGE_PO,
                              .name = "persist-atomic",
                              .pairs = report_graph_reserved(m, CAT_PERSIST_ATOMIC),
                              .of_durable = true,
                              .for_durable = true};
    for (uint32_t a = 0; a < m->dim.n; a++)
        for (uint32_t b = 0; b < m->dim.n; b++)
            if (is_broken(m, &rule, a, b)) {
                mark(m, &rule, a, b, true);
                break;
            }
}

void report_graph_mark_cut(struct maker *m)
{
    if (!m->witness->cut)
        return;
    const rel_word *pairs = report_graph_reserved(m, CAT_EXECUTES_BEFORE),
                   *executes = closed(m, pairs);
    mark_rule(m, &(struct rule){REPORT_EDGE_PO, "executes-before", pairs, executes, executes, false,
                                false});
    mark_durable(m, executes);
    mark_after(m, executes);
    mark_impossible(m);
    mark_atomic(m);
    mark_persist(m);
}
