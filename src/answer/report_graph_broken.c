/* What breaks a check of the model: a pair, an event, or a cycle, which is told in steps that every
 * reader knows: the base relations that its pairs are made of. */
#include "answer/report_graph_edges.h"

#include "base/bits.h"
#include "engine/witness.h"
#include "engine/witness_way.h"

#include <string.h>

/* ---- Steps on edges that are drawn ---- */

/* Is it among the relations that the edge shows? */
static bool shows(const struct report_edge *edge, const struct maker *m, const char *name)
{
    const struct cat_model *model = m->request->model;
    return edge->kind == REPORT_EDGE_SHOWN &&
           ANY(i, model->shown_count,
               bits_get(edge->shows, i) && strcmp(model->shown[i].name, name) == 0);
}

/* Which edges a step can be told by: those of its own kind, and for fr the coherence order after
 * the next write. */
static bool tells(const struct report_edge *edge, const struct maker *m,
                  const struct witness_way_step *step)
{
    const struct cat_node *node = &m->request->model->nodes[step->node];
    if (edge->unseen)
        return false;
    if (node->op != CAT_BASE)
        return shows(edge, m, step->label);
    switch (node->base) {
    case EXEC_REL_PO: return edge->kind == REPORT_EDGE_PO;
    case EXEC_REL_RF: return edge->kind == REPORT_EDGE_RF;
    case EXEC_REL_CO: return edge->kind == REPORT_EDGE_CO;
    case EXEC_REL_FR: return edge->kind == REPORT_EDGE_FR || edge->kind == REPORT_EDGE_CO;
    case EXEC_REL_SYNCBAR:
    case EXEC_REL_SYNCPB: return edge->kind == REPORT_EDGE_MEET;
    default: return shows(edge, m, step->label);
    }
}

static bool leaves(const struct report_edge *edge, uint32_t event, uint32_t *to)
{
    *to = edge->from == event ? edge->to : edge->from;
    return edge->from == event || (edge->both_ways && edge->to == event);
}

/* Marks the shortest way along drawn edges; false when there is none. */
static bool mark_drawn(struct maker *m, const struct witness_way_step *step)
{
    uint32_t *by = ARENA_ARRAY(&m->scratch, uint32_t, m->dim.n);
    uint32_t *queue = ARENA_ARRAY(&m->scratch, uint32_t, m->dim.n);
    uint32_t head = 0, tail = 0, to;
    memset(by, 0xff, m->dim.n * sizeof *by);
    queue[tail++] = step->from;
    while (head < tail && by[step->to] == LIT_NONE) {
        uint32_t at = queue[head++];
        for (uint32_t i = 0; i < m->edges.count; i++)
            if (tells(&m->edges.items[i], m, step) && leaves(&m->edges.items[i], at, &to) &&
                by[to] == LIT_NONE && to != step->from) {
                by[to] = i;
                queue[tail++] = to;
            }
    }
    if (by[step->to] == LIT_NONE)
        return false;
    for (uint32_t at = step->to; at != step->from;) {
        struct report_edge *edge = &m->edges.items[by[at]];
        edge->marked = true;
        at = edge->to == at ? edge->from : edge->to;
    }
    return true;
}

static void mark_steps(struct maker *m, const struct witness_way *way, const char *rule)
{
    EACH_IN (const struct witness_way_step, step, way->items) {
        const bool filters = step->from == step->to && way->items.count > 1;
        if (!filters)
            report_graph_add_break(m, rule, step->label, step->from, step->to);
        m->events[step->from].marked = m->events[step->to].marked = true;
        if (step->from != step->to && !mark_drawn(m, step))
            report_graph_add_mark(m, step->from, step->to, step->label, false);
    }
}

/* ---- Checks ---- */

/* A check that fails, or a flag that is raised. */
struct failure {
    struct maker *maker;
    const struct cat_check *check;
};

/* Events of a cycle, one of which may be related to itself. */
static void mark_cycle(struct maker *m, const struct cat_check *check, const uint32_t *cycle,
                       uint32_t length)
{
    const struct witness_ways *ways =
        witness_ways_new(&m->scratch, m->request->model, m->eval, m->dim);
    struct witness_way way = {{0}};
    for (uint32_t i = 0; i < length; i++)
        witness_add_way(ways, check->node, cycle[i], cycle[(i + 1) % length], &way);
    mark_steps(m, &way, check->name);
    VEC_FREE(&way.items);
}

static void mark_break(void *context, const uint32_t *events, uint32_t count, bool both_ways)
{
    const struct failure *failure = context;
    struct maker *m = failure->maker;
    const uint32_t from = events[0], to = events[count - 1];
    for (uint32_t i = 0; i < count; i++)
        m->events[events[i]].marked = true;
    if (failure->check->test != CAT_IS_EMPTY) {
        mark_cycle(m, failure->check, events, count);
        return;
    }
    report_graph_add_break(m, failure->check->name, "", from, to);
    if (from != to)
        report_graph_add_mark(m, from, to, failure->check->name, both_ways);
}

/* A flag is raised when its test holds, everything else fails its test. */
static bool is_broken(const struct maker *m, const struct cat_check *check)
{
    return cat_eval_holds(m->eval, check) == (check->kind == CAT_FLAG);
}

static void mark_check(struct maker *m, const struct cat_check *check)
{
    struct failure failure = {m, check};
    if (!is_broken(m, check))
        return;
    if (!m->broken && check->kind != CAT_FLAG)
        m->broken = check->name;
    witness_each_break(m->witness, m->request->model, check, cat_eval_value(m->eval, check->node),
                       mark_break, &failure);
}

void report_graph_mark_checks(struct maker *m)
{
    const struct cat_model *model = m->request->model;
    for (uint32_t c = 0; c < model->check_count; c++)
        mark_check(m, &model->checks[c]);
}
