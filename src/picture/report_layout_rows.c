/* Rows of a drawn execution: the longest path through program order and reads-from, members of a
 * rendezvous on one level. What had not executed at the crash stands below what had. */
#include "picture/report_layout.h"

#include <string.h>

enum { INIT_SLOTS = 2 }; /* initial writes side by side, over one thread */

/* What rows follow, beside program order. */
struct guide {
    bool meetings, rf;
};

struct rows {
    const struct report_graph *graph;
    uint32_t *row; /* per event, counted from the first row of threads */
    struct guide guide;
};

static bool raise_to(struct rows *r, uint32_t event, uint32_t row)
{
    if (r->row[event] >= row)
        return false;
    r->row[event] = row;
    return true;
}

/* One step for one edge; whether something moved. */
static bool follow_edge(struct rows *r, const struct report_edge *edge)
{
    if (edge->from < r->graph->init_count)
        return false;
    if (edge->kind == REPORT_EDGE_PO)
        return raise_to(r, edge->to, r->row[edge->from] + 1);
    bool level = edge->kind == REPORT_EDGE_RF && r->guide.rf;
    return level && raise_to(r, edge->to, r->row[edge->from]);
}

static bool level_meetings(struct rows *r)
{
    bool moved = false;
    EACH (const struct report_edge, edge, r->graph->edges, r->graph->edge_count) {
        if (edge->kind != REPORT_EDGE_MEET || !r->guide.meetings)
            continue;
        moved |= raise_to(r, edge->to, r->row[edge->from]);
        moved |= raise_to(r, edge->from, r->row[edge->to]);
    }
    return moved;
}

/* Returns false when what is followed goes in a circle, so that rows would rise for ever. */
static bool settle(struct rows *r)
{
    bool moved = true;
    for (uint32_t round = 0; moved && round <= 2 * r->graph->event_count; round++) {
        moved = level_meetings(r);
        for (uint32_t i = 0; i < r->graph->edge_count; i++)
            moved |= follow_edge(r, &r->graph->edges[i]);
    }
    return !moved;
}

static void clear(struct rows *r)
{
    memset(r->row, 0, r->graph->event_count * sizeof *r->row);
}

static void lower_what_is_ahead(struct rows *r)
{
    uint32_t below = 0;
    for (uint32_t e = r->graph->init_count; e < r->graph->event_count; e++)
        if (r->graph->events[e].fate != REPORT_AHEAD && r->row[e] >= below)
            below = r->row[e] + 1;
    for (uint32_t e = r->graph->init_count; e < r->graph->event_count; e++)
        if (r->graph->events[e].fate == REPORT_AHEAD)
            raise_to(r, e, below);
}

uint32_t report_layout_slots(const struct report_graph *graph)
{
    uint32_t wanted = graph->init_count < INIT_SLOTS ? graph->init_count : INIT_SLOTS;
    return graph->column_count > wanted ? graph->column_count : wanted;
}

uint32_t *report_layout_rows(struct arena *arena, const struct report_graph *graph, uint32_t *first)
{
    uint32_t slots = report_layout_slots(graph);
    /* Reads-from may go against the rest, and in a near miss meetings against one another. */
    static const struct guide guides[] = {
        {true, true}, {true, false}, {false, true}, {false, false}};
    struct rows r = {graph, ARENA_ARRAY(arena, uint32_t, graph->event_count), guides[0]};
    for (uint32_t i = 1; !settle(&r); i++) {
        BASE_CHECK(i < sizeof guides / sizeof *guides);
        clear(&r);
        r.guide = guides[i];
    }
    lower_what_is_ahead(&r);
    (void)settle(&r);
    *first = slots ? (graph->init_count + slots - 1) / slots : 0;
    for (uint32_t e = graph->init_count; e < graph->event_count; e++)
        r.row[e] += *first;
    return r.row;
}
