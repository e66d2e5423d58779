/* Ways are chosen on the grid, before anything has a place: which side of a box, which lane. Then
 * they become curves. */
#include "picture/report_layout_route.h"

#include <stdlib.h>

enum { BULGE = 20, BULGE_STEP = 13, OVERHANG = 6 };

/* ---- Ways ---- */

static void choose_way(struct layout *l, uint32_t i)
{
    BASE_ASSERT(i < l->graph->edge_count);
    const struct report_edge *edge = &l->graph->edges[i];
    struct way *way = &l->ways[i];
    BASE_ASSERT(edge->from < l->graph->event_count && edge->to < l->graph->event_count);
    BASE_ASSERT(edge->from != edge->to);
    uint32_t a = l->column[edge->from], b = l->column[edge->to];
    if (edge->kind == REPORT_EDGE_PO)
        way->kind = WAY_PLUMB;
    else if (a == b)
        *way = (struct way){.kind = WAY_ARC,
                            .from_right = 2 * a + 1 >= l->slots,
                            .to_right = 2 * a + 1 >= l->slots};
    else
        *way = (struct way){.kind = a + 1 == b || b + 1 == a ? WAY_CHANNEL : WAY_LANE,
                            .from_right = a < b,
                            .to_right = b < a};
    if (way->kind != WAY_PLUMB) {
        way->from_port = l->ports[way->from_right][edge->from]++;
        way->to_port = l->ports[way->to_right][edge->to]++;
    }
}

/* Lanes below a row: which of its columns are taken. */
struct lanes {
    bool *taken; /* [row][lane][column] */
    uint32_t most;
};

static bool *lane_at(const struct layout *l, const struct lanes *lanes, uint32_t row, uint32_t lane)
{
    BASE_ASSERT(row < l->row_count && lane < lanes->most);
    return lanes->taken + ((size_t)row * lanes->most + lane) * (l->slots + 1);
}

static bool is_free(const bool *lane, uint32_t begin, uint32_t end)
{
    BASE_ASSERT(begin <= end);
    for (uint32_t c = begin; c <= end; c++)
        if (lane[c])
            return false;
    return true;
}

static uint32_t first_free(const struct layout *l, const struct lanes *lanes, uint32_t row,
                           uint32_t begin, uint32_t end)
{
    uint32_t lane = 0;
    while (lane + 1 < lanes->most && !is_free(lane_at(l, lanes, row, lane), begin, end))
        lane++;
    return lane;
}

/* Between the rows of both ends, where there is most room. */
static void choose_lane(struct layout *l, const struct lanes *lanes, uint32_t i)
{
    BASE_ASSERT(i < l->graph->edge_count && l->ways[i].kind == WAY_LANE);
    const struct report_edge *edge = &l->graph->edges[i];
    struct way *way = &l->ways[i];
    uint32_t a = l->out->rows[edge->from], b = l->out->rows[edge->to];
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    uint32_t from = l->column[edge->from], to = l->column[edge->to];
    uint32_t begin = from < to ? from : to, end = from < to ? to : from;
    if (low == high && low > l->first)
        low--;
    way->row = low;
    way->lane = first_free(l, lanes, low, begin, end);
    for (uint32_t row = low + 1; row < high; row++) {
        uint32_t lane = first_free(l, lanes, row, begin, end);
        if (lane < way->lane) {
            way->row = row;
            way->lane = lane;
        }
    }
    for (uint32_t c = begin; c <= end; c++)
        lane_at(l, lanes, way->row, way->lane)[c] = true;
    if (l->lanes[way->row] <= way->lane)
        l->lanes[way->row] = way->lane + 1;
}

static void choose_lanes(struct layout *l)
{
    struct lanes lanes = {.most = 1};
    for (uint32_t i = 0; i < l->graph->edge_count; i++)
        lanes.most += l->ways[i].kind == WAY_LANE;
    lanes.most = lanes.most < 64 ? lanes.most : 64;
    lanes.taken = ARENA_ARRAY(l->arena, bool, (size_t)l->row_count *lanes.most *(l->slots + 1) + 1);
    for (uint32_t i = 0; i < l->graph->edge_count; i++)
        if (l->ways[i].kind == WAY_LANE)
            choose_lane(l, &lanes, i);
}

static int span_of(const struct layout *l, uint32_t i)
{
    const struct report_edge *edge = &l->graph->edges[i];
    return abs((int)l->out->rows[edge->from] - (int)l->out->rows[edge->to]);
}

static bool arcs_meet(const struct layout *l, uint32_t i, uint32_t k)
{
    BASE_ASSERT(l->ways[i].kind == WAY_ARC && l->ways[k].kind == WAY_ARC);
    const struct report_edge *x = &l->graph->edges[i], *y = &l->graph->edges[k];
    const uint32_t *rows = l->out->rows;
    uint32_t a = rows[x->from] < rows[x->to] ? rows[x->from] : rows[x->to];
    uint32_t b = rows[y->from] < rows[y->to] ? rows[y->from] : rows[y->to];
    return l->column[x->from] == l->column[y->from] && a <= b + (uint32_t)span_of(l, k) &&
           b <= a + (uint32_t)span_of(l, i);
}

/* Shorter arcs lie within longer ones. */
static void choose_bulges(struct layout *l)
{
    for (uint32_t i = 0; i < l->graph->edge_count; i++)
        for (uint32_t k = 0; k < l->graph->edge_count; k++)
            if (l->ways[i].kind == WAY_ARC && l->ways[k].kind == WAY_ARC && i != k &&
                arcs_meet(l, i, k) &&
                (span_of(l, k) < span_of(l, i) || (span_of(l, k) == span_of(l, i) && k < i)))
                l->ways[i].bulge++;
}

void report_layout_choose_ways(struct layout *l)
{
    for (uint32_t i = 0; i < l->graph->edge_count; i++)
        choose_way(l, i);
    choose_lanes(l);
    choose_bulges(l);
}

/* ---- Ports ---- */

/* One end of an edge at one side of a box. */
struct end {
    uint32_t event;
    bool right;
    int towards; /* the level it goes to or comes from; ends are sorted by it */
    uint32_t edge;
    uint32_t *port;
};

static int compare_ends(const void *left, const void *right)
{
    const struct end *a = left, *b = right;
    if (a->event != b->event)
        return a->event < b->event ? -1 : 1;
    if (a->right != b->right)
        return a->right ? 1 : -1;
    if (a->towards != b->towards)
        return a->towards < b->towards ? -1 : 1;
    return a->edge < b->edge ? -1 : a->edge > b->edge;
}

static int level_of(const struct layout *l, const struct way *way, uint32_t other)
{
    if (way->kind == WAY_LANE)
        return l->lane_y[way->row] + (int)way->lane * l->metrics->lane;
    return l->out->events[other].y;
}

static void sort_ports(struct layout *l)
{
    struct end *ends = ARENA_ARRAY(l->arena, struct end, 2 * (size_t)l->graph->edge_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < l->graph->edge_count; i++) {
        const struct report_edge *edge = &l->graph->edges[i];
        struct way *way = &l->ways[i];
        if (way->kind == WAY_PLUMB)
            continue;
        ends[count++] = (struct end){edge->from, way->from_right, level_of(l, way, edge->to), i,
                                     &way->from_port};
        ends[count++] =
            (struct end){edge->to, way->to_right, level_of(l, way, edge->from), i, &way->to_port};
    }
    qsort(ends, count, sizeof *ends, compare_ends);
    for (uint32_t i = 0, first = 0; i < count; i++) {
        if (ends[i].event != ends[first].event || ends[i].right != ends[first].right)
            first = i;
        BASE_ASSERT(i >= first && i - first < l->ports[ends[i].right][ends[i].event]);
        *ends[i].port = i - first;
    }
}

static struct report_point port(const struct layout *l, uint32_t event, bool right, uint32_t number)
{
    BASE_ASSERT(number < l->ports[right][event]);
    BASE_ASSERT(event < l->graph->event_count);
    const struct report_box *box = &l->out->events[event];
    int count = (int)l->ports[right][event];
    return (struct report_point){box->x + (right ? box->width : 0),
                                 box->y + box->height * ((int)number + 1) / (count + 1)};
}

/* ---- Curves ---- */

static void curve(struct report_route *route, struct report_point a, struct report_point b,
                  struct report_point to)
{
    BASE_ASSERT(route->count + 3 <= sizeof route->points / sizeof *route->points);
    route->points[route->count++] = a;
    route->points[route->count++] = b;
    route->points[route->count++] = to;
}

/* Leaves and enters level. */
static void swing(struct report_route *route, struct report_point to)
{
    BASE_ASSERT(route->count > 0);
    struct report_point from = route->points[route->count - 1];
    int middle = (from.x + to.x) / 2;
    curve(route, (struct report_point){middle, from.y}, (struct report_point){middle, to.y}, to);
}

static void set_plumb(struct layout *l, const struct report_edge *edge, struct report_route *route)
{
    const struct report_box *a = &l->out->events[edge->from], *b = &l->out->events[edge->to];
    struct report_point from = {a->x + a->width / 2, a->y + a->height};
    struct report_point to = {from.x, b->y};
    *route = (struct report_route){.points = {from}, .count = 1};
    curve(route, from, to, to);
}

static void set_arc(const struct way *way, struct report_route *route, struct report_point to)
{
    BASE_ASSERT(way->kind == WAY_ARC && route->count == 1);
    struct report_point from = route->points[0];
    int reach = BULGE + BULGE_STEP * (int)way->bulge;
    int outer = way->from_right ? (from.x > to.x ? from.x : to.x) + reach
                                : (from.x < to.x ? from.x : to.x) - reach;
    curve(route, (struct report_point){outer, from.y}, (struct report_point){outer, to.y}, to);
}

/* Three quarters of the way to its control points, at most. */
int report_layout_reach(const struct way *way)
{
    return (BULGE + BULGE_STEP * (int)way->bulge) * 3 / 4 + 1;
}

/* Through a channel to the lane, along it, through a channel to the box. */
static void set_lane(struct layout *l, const struct report_edge *edge, const struct way *way,
                     struct report_route *route, struct report_point to)
{
    BASE_ASSERT(way->kind == WAY_LANE && l->column[edge->from] != l->column[edge->to]);
    uint32_t a = l->column[edge->from], b = l->column[edge->to];
    uint32_t begin = a < b ? a + 1 : a - 1, end = a < b ? b - 1 : b + 1;
    int level = l->lane_y[way->row] + l->metrics->lane * (int)way->lane;
    int left = l->column_x[a < b ? begin : end] - OVERHANG;
    int right = l->column_x[a < b ? end : begin] + l->column_width[a < b ? end : begin] + OVERHANG;
    struct report_point enter = {a < b ? left : right, level},
                        leave = {a < b ? right : left, level};
    swing(route, enter);
    curve(route, enter, leave, leave);
    swing(route, to);
}

static void set_route(struct layout *l, uint32_t i)
{
    const struct report_edge *edge = &l->graph->edges[i];
    const struct way *way = &l->ways[i];
    struct report_route *route = &l->out->routes[i];
    if (way->kind == WAY_PLUMB) {
        set_plumb(l, edge, route);
        return;
    }
    struct report_point to = port(l, edge->to, way->to_right, way->to_port);
    route->points[0] = port(l, edge->from, way->from_right, way->from_port);
    route->count = 1;
    if (way->kind == WAY_ARC)
        set_arc(way, route, to);
    else if (way->kind == WAY_CHANNEL)
        swing(route, to);
    else
        set_lane(l, edge, way, route, to);
}

void report_layout_set_routes(struct layout *l)
{
    sort_ports(l);
    for (uint32_t i = 0; i < l->graph->edge_count; i++)
        set_route(l, i);
    report_layout_set_labels(l);
}
