/* Edges through a barrier. What is ordered before all who meet there is drawn to one of them, and
 * what is ordered across the barrier is drawn to it and from it: as many edges as there are events
 * on both sides, where there would be as many as pairs. Such ends are hubs: they stand for all who
 * meet. */
#include "answer/report_graph_edges.h"

#include <string.h>

static bool is_of(const struct report_edge *edge, const struct report_edge *like)
{
    return edge->kind == like->kind && edge->both_ways == like->both_ways &&
           strcmp(edge->label, like->label) == 0;
}

static bool can_have_hubs(const struct report_edge *edge)
{
    return (edge->kind == REPORT_EDGE_DURABLE || edge->kind == REPORT_EDGE_AFTER ||
            edge->kind == REPORT_EDGE_PERSIST) &&
           !edge->hub_from && !edge->hub_to;
}

static bool has_edge(const struct maker *m, const struct report_edge *like, uint32_t a, uint32_t b)
{
    EACH_IN (const struct report_edge, edge, m->edges) {
        bool marks = edge->kind == REPORT_EDGE_MARK && strcmp(edge->label, like->label) == 0;
        if (edge->from == a && edge->to == b && (marks || is_of(edge, like)))
            return true;
    }
    return false;
}

/* Removes those for which `drop` is set. */
static void remove_edges(struct maker *m, const bool *drop)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->edges.count; i++)
        if (!drop[i])
            m->edges.items[kept++] = m->edges.items[i];
    m->edges.count = kept;
}

/* ---- To all who meet, and from them ---- */

static uint32_t count_members(const struct maker *m, uint32_t meeting)
{
    return COUNT_IF(e, m->dim.n, m->events[e].meeting == meeting);
}

/* Is the edge's end, or its begin, there for each member of its meeting? */
static bool goes_to_all(const struct maker *m, const struct report_edge *edge, bool at_end)
{
    uint32_t meeting = m->events[at_end ? edge->to : edge->from].meeting;
    return !ANY(e, m->dim.n,
                m->events[e].meeting == meeting &&
                    !has_edge(m, edge, at_end ? edge->from : e, at_end ? e : edge->to));
}

/* The member whose edge stays: that of the other end's column, else the first. */
static uint32_t chosen_member(const struct maker *m, uint32_t meeting, uint32_t column)
{
    uint32_t first = LIT_NONE;
    for (uint32_t e = 0; e < m->dim.n; e++) {
        if (m->events[e].meeting != meeting)
            continue;
        if (m->events[e].column == column)
            return e;
        first = first == LIT_NONE ? e : first;
    }
    return first;
}

static void gather(struct maker *m, bool at_end)
{
    bool *drop = ARENA_ARRAY(&m->scratch, bool, m->edges.count + 1);
    bool *hub = ARENA_ARRAY(&m->scratch, bool, m->edges.count + 1);
    for (size_t i = 0; i < m->edges.count; i++) {
        const struct report_edge *edge = &m->edges.items[i];
        uint32_t inner = at_end ? edge->to : edge->from, outer = at_end ? edge->from : edge->to;
        uint32_t meeting = m->events[inner].meeting;
        drop[i] = hub[i] = false;
        if (!can_have_hubs(edge) || meeting == LIT_NONE || m->events[outer].meeting == meeting ||
            count_members(m, meeting) < 2 || !goes_to_all(m, edge, at_end))
            continue;
        hub[i] = chosen_member(m, meeting, m->events[outer].column) == inner;
        drop[i] = !hub[i];
    }
    for (size_t i = 0; i < m->edges.count; i++)
        if (hub[i])
            *(at_end ? &m->edges.items[i].hub_to : &m->edges.items[i].hub_from) = true;
    remove_edges(m, drop);
}

/* ---- Across ---- */

/* In a column events stand in their order. */
static uint32_t member_in_column(const struct maker *m, uint32_t meeting, uint32_t column)
{
    for (uint32_t e = m->skeleton->init_count; e < m->dim.n; e++)
        if (m->events[e].meeting == meeting && m->events[e].column == column)
            return e;
    return LIT_NONE;
}

static bool is_across(const struct maker *m, uint32_t meeting, uint32_t a, uint32_t b)
{
    uint32_t leaves = member_in_column(m, meeting, m->events[a].column);
    uint32_t enters = member_in_column(m, meeting, m->events[b].column);
    return leaves != LIT_NONE && enters != LIT_NONE && a < leaves && enters < b;
}

struct sides {
    bool *before, *behind; /* per event */
    uint32_t before_count, behind_count;
};

static void note_side(bool *side, uint32_t *count, uint32_t event)
{
    *count += !side[event];
    side[event] = true;
}

/* Which events edges like this one join across the meeting. */
static struct sides find_sides(struct maker *m, uint32_t meeting, const struct report_edge *like)
{
    struct sides s = {.before = ARENA_ARRAY(&m->scratch, bool, m->dim.n + 1),
                      .behind = ARENA_ARRAY(&m->scratch, bool, m->dim.n + 1)};
    memset(s.before, false, m->dim.n + 1);
    memset(s.behind, false, m->dim.n + 1);
    EACH_IN (const struct report_edge, edge, m->edges) {
        if (!is_of(edge, like) || edge->hub_from || edge->hub_to ||
            !is_across(m, meeting, edge->from, edge->to))
            continue;
        note_side(s.before, &s.before_count, edge->from);
        note_side(s.behind, &s.behind_count, edge->to);
    }
    return s;
}

/* Each with each, and fewer edges through a hub than without one? */
static bool is_worth_it(const struct maker *m, const struct sides *s,
                        const struct report_edge *like)
{
    if (s->before_count * s->behind_count <= s->before_count + s->behind_count)
        return false;
    for (uint32_t a = 0; a < m->dim.n; a++)
        for (uint32_t b = 0; s->before[a] && b < m->dim.n; b++)
            if (s->behind[b] && !has_edge(m, like, a, b))
                return false;
    return true;
}

static void lead_across(struct maker *m, uint32_t meeting, struct report_edge like)
{
    const struct sides s = find_sides(m, meeting, &like);
    if (!is_worth_it(m, &s, &like))
        return;
    bool *drop = ARENA_ARRAY(&m->scratch, bool, m->edges.count + 1);
    for (size_t i = 0; i < m->edges.count; i++) {
        const struct report_edge *edge = &m->edges.items[i];
        drop[i] = is_of(edge, &like) && !edge->hub_from && !edge->hub_to && s.before[edge->from] &&
                  s.behind[edge->to];
    }
    remove_edges(m, drop);
    for (uint32_t e = 0; e < m->dim.n; e++) {
        struct report_edge edge = like;
        uint32_t member =
            s.before[e] || s.behind[e] ? member_in_column(m, meeting, m->events[e].column) : e;
        edge.hub_to = s.before[e];
        edge.hub_from = s.behind[e];
        edge.from = s.before[e] ? e : member;
        edge.to = s.before[e] ? member : e;
        if (edge.hub_to || edge.hub_from)
            VEC_PUSH(&m->edges, edge);
    }
}

void report_graph_lead_through_barriers(struct maker *m)
{
    gather(m, true);
    gather(m, false);
    for (uint32_t e = m->skeleton->init_count; e < m->dim.n; e++)
        for (size_t i = 0; m->events[e].meeting == e && i < m->edges.count; i++)
            if (can_have_hubs(&m->edges.items[i]) &&
                is_across(m, e, m->edges.items[i].from, m->edges.items[i].to))
                lead_across(m, e, m->edges.items[i]);
}
