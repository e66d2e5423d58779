/* What the model shows: relations as edges, sets as a word at their events. */
#include "answer/report_graph_edges.h"

#include "base/bits.h"

#include <string.h>

/* ---- What pictures have anyway ---- */

cat_node_id report_graph_base(const struct maker *m, enum exec_base base)
{
    const struct cat_model *model = m->request->model;
    for (cat_node_id node = 0; node < model->picture_node_count; node++)
        if (model->nodes[node].op == CAT_BASE && model->nodes[node].base == (uint32_t)base)
            return node;
    return CAT_NONE;
}

bool report_graph_hides(const struct maker *m, const char *name, cat_node_id node)
{
    const struct cat_model *model = m->request->model;
    for (uint32_t i = 0; i < model->hidden_count; i++)
        if (strcmp(model->hidden[i], name) == 0)
            return true;
    for (uint32_t i = 0; i < model->shown_count; i++)
        if (strcmp(model->shown[i].name, name) == 0)
            return model->shown[i].node != node;
    return false;
}

static bool is_there_anyway(const struct maker *m, const struct cat_shown *shown)
{
    static const enum exec_base bases[] = {EXEC_REL_PO, EXEC_REL_RF, EXEC_REL_CO, EXEC_REL_FR};
    return ANY(i, sizeof bases / sizeof *bases,
               shown->node == report_graph_base(m, bases[i]) &&
                   strcmp(shown->name, exec_basis()->names[bases[i]].name) == 0);
}

/* ---- Sets ---- */

static void add_word(struct maker *m, uint32_t event, const char *name)
{
    BASE_ASSERT(event < m->dim.n);
    report_graph_add_pair(m, name, event, event);
    m->events[event].label =
        arena_printf(&m->graph->arena, "%s [%s]", m->events[event].label, name);
}

static void add_set(struct maker *m, const char *name, const rel_word *set)
{
    for (uint32_t e = 0; e < m->dim.n; e++)
        if (bits_get(set, e))
            add_word(m, e, name);
}

/* ---- Relations ---- */

/* A relation, and which of its events are on a cycle together. */
struct drawn {
    const rel_word *pairs, *closure;
    bool from_initial; /* pairs from initial writes are drawn */
};

static bool together(const struct maker *m, const struct drawn *d, uint32_t a, uint32_t b)
{
    return a == b || (rel_has(m->dim, d->closure, a, b) && rel_has(m->dim, d->closure, b, a));
}

/* By way of another event, which is on no cycle with either. */
static bool follows(const struct maker *m, const struct drawn *d, uint32_t a, uint32_t b)
{
    return ANY(c, m->dim.n,
               rel_has(m->dim, d->pairs, a, c) && rel_has(m->dim, d->pairs, c, b) &&
                   !together(m, d, a, c) && !together(m, d, c, b));
}

/* Of a rendezvous, or another cycle, all of which is before or after an event, the edge is drawn
 * that stays in the event's column, if there is one. */
static bool is_told_in_column(const struct maker *m, const struct drawn *d, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < m->dim.n && b < m->dim.n);
    if (m->events[a].column == m->events[b].column)
        return false;
    for (uint32_t c = m->skeleton->init_count; c < m->dim.n; c++) {
        if (c != b && m->events[c].column == m->events[a].column && together(m, d, b, c) &&
            rel_has(m->dim, d->pairs, a, c))
            return true;
        if (c != a && m->events[c].column == m->events[b].column && together(m, d, a, c) &&
            rel_has(m->dim, d->pairs, c, b))
            return true;
    }
    return false;
}

static bool meet(const struct maker *m, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < m->dim.n && b < m->dim.n);
    return m->events[a].meeting != LIT_NONE && m->events[a].meeting == m->events[b].meeting;
}

/* From an initial write, or back to one in a relation that goes both ways. */
static bool touches_initial(const struct maker *m, const struct drawn *d, uint32_t a, uint32_t b)
{
    uint32_t count = m->skeleton->init_count;
    return a < count || (b < count && rel_has(m->dim, d->pairs, b, a));
}

static bool is_drawn(const struct maker *m, const struct drawn *d, uint32_t a, uint32_t b)
{
    if (a == b || !rel_has(m->dim, d->pairs, a, b) || meet(m, a, b))
        return false;
    if (!d->from_initial && touches_initial(m, d, a, b))
        return false;
    return together(m, d, a, b) || (!follows(m, d, a, b) && !is_told_in_column(m, d, a, b));
}

static struct report_edge *find_shown(struct maker *m, uint32_t a, uint32_t b, bool both)
{
    EACH_IN (struct report_edge, edge, m->edges)
        if (edge->kind == REPORT_EDGE_SHOWN && edge->both_ways == both && edge->from == a &&
            edge->to == b)
            return edge;
    return NULL;
}

/* What is related by several names has one edge with all of them. */
static void add_edge(struct maker *m, uint32_t a, uint32_t b, bool both, uint32_t shown)
{
    const char *name = m->request->model->shown[shown].name;
    struct report_edge *edge = find_shown(m, a, b, both);
    report_graph_add_pair(m, name, a, b);
    if (both)
        report_graph_add_pair(m, name, b, a);
    if (edge) {
        edge->label = arena_printf(&m->scratch, "%s, %s", edge->label, name);
    } else {
        uint64_t *shows =
            ARENA_ARRAY(&m->scratch, uint64_t, BITS_WORDS(m->request->model->shown_count));
        VEC_PUSH(&m->edges, ((struct report_edge){REPORT_EDGE_SHOWN, a, b, name, .both_ways = both,
                                                  .shown = shown, .shows = shows}));
        edge = &VEC_LAST(&m->edges);
    }
    bits_set(edge->shows, shown);
}

/* An initial write comes before all else, which says nothing; who reads from it does. */
static bool reads_from_initial(const struct maker *m, const rel_word *pairs)
{
    return !ANY(
        a, m->skeleton->init_count,
        ANY(b, m->dim.n, rel_has(m->dim, pairs, a, b) && !rel_has(m->dim, m->witness->rf, a, b)));
}

static void add_relation(struct maker *m, uint32_t shown, const rel_word *pairs)
{
    rel_word *closure = ARENA_ARRAY(&m->scratch, rel_word, rel_words(m->dim));
    rel_plus(m->dim, closure, pairs);
    const struct drawn d = {pairs, closure, reads_from_initial(m, pairs)};
    for (uint32_t a = 0; a < m->dim.n; a++)
        for (uint32_t b = 0; b < m->dim.n; b++) {
            bool both = is_drawn(m, &d, b, a);
            if (is_drawn(m, &d, a, b) && !(both && b < a))
                add_edge(m, a, b, both, shown);
        }
}

/* A relation of events to themselves alone is a set. */
static bool is_identity(const struct maker *m, const rel_word *pairs)
{
    return !ANY(a, m->dim.n, ANY(b, m->dim.n, a != b && rel_has(m->dim, pairs, a, b)));
}

/* ---- The whole ---- */

/* Per node, whether its value is known. Engines give an order of SC fences when a check looks at
 * it; without one there is nothing to show of it. */
static bool *find_known(struct maker *m)
{
    const struct cat_model *model = m->request->model;
    bool *known = ARENA_ARRAY(&m->scratch, bool, model->picture_node_count);
    for (cat_node_id id = 0; id < model->picture_node_count; id++) {
        const struct cat_node *node = &model->nodes[id];
        known[id] =
            (node->a == CAT_NONE || known[node->a]) && (node->b == CAT_NONE || known[node->b]) &&
            !(node->op == CAT_BASE && node->base == EXEC_REL_SYNC_FENCE && !m->witness->sync_fence);
        for (uint32_t i = 0; node->op == CAT_FIX && i < model->rec_groups[node->group].count; i++)
            known[id] &= known[model->rec_groups[node->group].bodies[i]];
    }
    return known;
}

static void add_shown(struct maker *m, uint32_t number)
{
    const struct cat_shown *shown = &m->request->model->shown[number];
    const rel_word *value = cat_eval_value(m->eval, shown->node);
    if (m->request->model->nodes[shown->node].sort == CAT_SET) {
        add_set(m, shown->name, value);
    } else if (is_identity(m, value)) {
        rel_word *set = ARENA_ARRAY(&m->scratch, rel_word, rel_set_words(m->dim));
        rel_domain(m->dim, set, value);
        add_set(m, shown->name, set);
    } else {
        add_relation(m, number, value);
    }
}

void report_graph_add_shown(struct maker *m)
{
    const struct cat_model *model = m->request->model;
    const bool *known = find_known(m);
    const char **names = ARENA_ARRAY(&m->graph->arena, const char *, model->shown_count);
    for (uint32_t i = 0; i < model->shown_count; i++) {
        names[i] = arena_strdup(&m->graph->arena, model->shown[i].name);
        if (!is_there_anyway(m, &model->shown[i]) && known[model->shown[i].node])
            add_shown(m, i);
    }
    m->graph->shown = names;
}
