/* Labels of edges: of some places along each edge and next to it, the one where it hides least.
 * Boxes weigh most, then other labels, then other edges, then the way from the edge and its middle.
 * Places are tried from the lightest on, so a label that is free soon stands. Those that hide
 * something are placed again when all stand, some times. */
#include "picture/report_layout_route.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLACES = 40,
    ENDS = 3,     /* places at either end where no label stands */
    SAMPLES = 48, /* points of an edge; between two of them it is straight */
    ASIDE = 17,   /* places across an edge */
    ROUNDS = 4,
    MANY = 128, /* edges */
    HALO = 5,   /* around what is marked */
    COST_BOX = 40000,
    COST_LABEL = 9000,
    COST_EDGE = 1500,
    COST_HALO = 1400,
    COST_AWAY = 4,
    MOST_COST = COST_AWAY * PLACES / 2 + 120,
    CANDIDATES = (PLACES - 2 * ENDS + 1) * ASIDE
};

struct report_point report_route_point(const struct report_route *route, int at, int of)
{
    int curves = (int)(route->count - 1) / 3, place = at * curves;
    int number = place / of < curves ? place / of : curves - 1;
    const struct report_point *p = &route->points[number * 3];
    double t = (double)(place - number * of) / of, s = 1 - t;
    double w[] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
    return (struct report_point){
        (int)(w[0] * p[0].x + w[1] * p[1].x + w[2] * p[2].x + w[3] * p[3].x + 0.5),
        (int)(w[0] * p[0].y + w[1] * p[1].y + w[2] * p[2].y + w[3] * p[3].y + 0.5)};
}

/* Or touch. */
static bool overlap(const struct report_box *a, const struct report_box *b)
{
    return a->x <= b->x + b->width && b->x <= a->x + a->width && a->y <= b->y + b->height &&
           b->y <= a->y + a->height;
}

/* Is what of a line is between `from` and `to`, which are parts of its whole, within bounds? */
static bool clip(double start, double step, double low, double high, double *from, double *to)
{
    if (step == 0)
        return start >= low && start <= high;
    double a = (low - start) / step, b = (high - start) / step;
    double first = a < b ? a : b, last = a < b ? b : a;
    *from = first > *from ? first : *from;
    *to = last < *to ? last : *to;
    return *from <= *to;
}

static bool line_meets(struct report_point a, struct report_point b, const struct report_box *box)
{
    double from = 0, to = 1;
    return clip(a.x, b.x - a.x, box->x, box->x + box->width, &from, &to) &&
           clip(a.y, b.y - a.y, box->y, box->y + box->height, &from, &to);
}

/* Points of an edge, from end to end, once somebody asked for them. */
struct trace {
    bool known;
    struct report_point points[SAMPLES + 1];
};

static void follow(const struct report_route *route, struct trace *trace)
{
    trace->known = true;
    for (int k = 0; k <= SAMPLES; k++)
        trace->points[k] = report_route_point(route, k, SAMPLES);
}

static bool trace_meets(const struct trace *trace, const struct report_box *box)
{
    return ANY(k, SAMPLES, line_meets(trace->points[k], trace->points[k + 1], box));
}

bool report_route_meets(const struct report_route *route, const struct report_box *box)
{
    struct trace trace;
    follow(route, &trace);
    return trace_meets(&trace, box);
}

struct report_box report_label_box(const char *label, int font, struct report_point middle)
{
    int width = report_text_width(label, font) + 4, height = font + 2;
    return (struct report_box){middle.x - width / 2, middle.y - height / 2, width, height};
}

struct candidate {
    int place, aside;
    long cost;
};

struct places {
    struct report_box *bounds; /* of each edge */
    struct trace *traces;
    struct report_box *labels; /* of each edge; width 0 without, or not yet */
    long *costs;
    const struct candidate *candidates; /* the lightest first */
    int tried;                          /* of them, for a label */
};

static struct report_box bounds_of(const struct report_route *route)
{
    struct report_point low = route->points[0], high = low;
    for (uint32_t i = 1; i < route->count; i++) {
        const struct report_point *p = &route->points[i];
        low = (struct report_point){p->x < low.x ? p->x : low.x, p->y < low.y ? p->y : low.y};
        high = (struct report_point){p->x > high.x ? p->x : high.x, p->y > high.y ? p->y : high.y};
    }
    return (struct report_box){low.x, low.y, high.x - low.x + 1, high.y - low.y + 1};
}

/* What of the paper, and of other words, the box hides. */
static long cost_of_words(const struct layout *l, const struct report_box *box)
{
    const struct report_metrics *metrics = l->metrics;
    long sum = 0;
    for (uint32_t e = 0; e < l->graph->event_count; e++) {
        const struct report_box *at = &l->out->events[e];
        const struct report_box halo = {at->x - HALO, at->y - HALO, at->width + 2 * HALO,
                                        at->height + 2 * HALO};
        if (overlap(box, at))
            sum += COST_BOX;
        else if (l->graph->events[e].marked && overlap(box, &halo))
            sum += COST_HALO;
    }
    for (uint32_t c = 0; c < l->graph->column_count; c++) {
        const struct report_box head =
            report_label_box(l->graph->columns[c]->name, metrics->font, l->out->heads[c]);
        sum += overlap(box, &head) ? COST_LABEL : 0;
    }
    EACH (const struct report_scope_box, scope, l->out->scopes, l->scope_count) {
        const struct report_box head = {scope->box.x, scope->box.y,
                                        report_text_width(scope->label, metrics->scope_font) + 6,
                                        metrics->scope_font + 4};
        sum += overlap(box, &head) ? COST_LABEL : 0;
    }
    if (l->graph->crash && abs(box->y + box->height / 2 - l->out->cut) < box->height)
        sum += COST_LABEL;
    if (box->x < 0 || box->x + box->width > l->out->width)
        sum += COST_BOX;
    return sum;
}

/* Of what reaches `most` no more is counted. */
static long cost(const struct layout *l, const struct places *places, uint32_t edge,
                 const struct report_box *box, long most)
{
    long sum = cost_of_words(l, box);
    for (uint32_t i = 0; i < l->graph->edge_count && sum < most; i++) {
        if (i == edge)
            continue;
        if (places->labels[i].width && overlap(box, &places->labels[i]))
            sum += COST_LABEL;
        if (l->graph->edges[i].unseen || !overlap(box, &places->bounds[i]))
            continue;
        if (!places->traces[i].known)
            follow(&l->out->routes[i], &places->traces[i]);
        sum += trace_meets(&places->traces[i], box) ? COST_EDGE : 0;
    }
    return sum;
}

/* Across an edge: in halves of a label, right and down; what that weighs. The first of each four
 * are those next to an edge that goes down. */
static const struct {
    int x, y, cost;
} asides[ASIDE] = {{0, 0, 0},    {2, 0, 20},  {-2, 0, 20},  {0, 2, 20},  {0, -2, 20}, {2, 1, 40},
                   {2, -1, 40},  {-2, 1, 40}, {-2, -1, 40}, {1, 2, 40},  {-1, 2, 40}, {1, -2, 40},
                   {-1, -2, 40}, {3, 0, 120}, {-3, 0, 120}, {0, 4, 120}, {0, -4, 120}};

/* By what they weigh, else along the edge. */
static const struct candidate *list_candidates(struct arena *arena)
{
    struct candidate *list = ARENA_ARRAY(arena, struct candidate, CANDIDATES);
    int ends[MOST_COST + 2] = {0}; /* of the candidates that weigh less */
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < CANDIDATES; i++) {
            int place = ENDS + i / ASIDE, aside = i % ASIDE;
            int cost = COST_AWAY * abs(place - PLACES / 2) + asides[aside].cost;
            if (turn)
                list[ends[cost]++] = (struct candidate){place, aside, cost};
            else
                ends[cost + 1]++;
        }
        for (int c = 0; !turn && c <= MOST_COST; c++)
            ends[c + 1] += ends[c];
    }
    return list;
}

/* Where a label's middle may stand: at a place along the edge, and so far across it. Beside an arc
 * it begins behind the arc. */
static struct report_point place_of(const struct layout *l, uint32_t edge,
                                    const struct candidate *candidate)
{
    BASE_ASSERT(edge < l->graph->edge_count);
    const struct way *way = &l->ways[edge];
    struct report_point middle =
        report_route_point(&l->out->routes[edge], candidate->place, PLACES);
    int height = l->metrics->label_font + 2, x = asides[candidate->aside].x;
    const char *label = report_edge_text(&l->graph->edges[edge]);
    int half = report_text_width(label, l->metrics->label_font) / 2 + 4;
    if (way->kind == WAY_ARC)
        x = x == 0 ? 2 : x == 2 ? 0 : x;
    x = way->kind == WAY_ARC && !way->from_right ? -x : x;
    middle.x += x * half / 2 +
                (x > 2    ? 8
                 : x < -2 ? -8
                          : 0) -
                (x > 2    ? half / 2
                 : x < -2 ? -half / 2
                          : 0);
    middle.y += asides[candidate->aside].y * (height + 4) / 4;
    return middle;
}

static void place_label(struct layout *l, struct places *places, uint32_t edge)
{
    BASE_ASSERT(edge < l->graph->edge_count);
    const char *label = report_edge_text(&l->graph->edges[edge]);
    struct report_route *route = &l->out->routes[edge];
    long best = -1;
    places->labels[edge] = (struct report_box){0};
    struct report_box stands = {0};
    for (int i = 0; *label && i < places->tried; i++) {
        const struct candidate *candidate = &places->candidates[i];
        if (best >= 0 && candidate->cost >= best)
            break;
        struct report_point middle = place_of(l, edge, candidate);
        struct report_box box = report_label_box(label, l->metrics->label_font, middle);
        long most = best < 0 ? LONG_MAX : best - candidate->cost;
        long sum = candidate->cost;
        if (places->tried > 1)
            sum += cost(l, places, edge, &box, most);
        if (best < 0 || sum < best) {
            best = sum;
            stands = box;
            route->label =
                (struct report_point){middle.x, middle.y + l->metrics->label_font * 4 / 11};
        }
    }
    places->labels[edge] = stands;
    places->costs[edge] = best;
}

/* Each label is held against each edge: of very many, few places are. */
static int tries(uint32_t edges)
{
    double share = edges > MANY ? (double)MANY / edges : 1;
    return 1 + (int)((CANDIDATES - 1) * share * share);
}

void report_layout_set_labels(struct layout *l)
{
    uint32_t count = l->graph->edge_count;
    struct places places = {.bounds = ARENA_ARRAY(l->arena, struct report_box, count + 1),
                            .traces = ARENA_ARRAY(l->arena, struct trace, count + 1),
                            .labels = ARENA_ARRAY(l->arena, struct report_box, count + 1),
                            .costs = ARENA_ARRAY(l->arena, long, count + 1),
                            .candidates = list_candidates(l->arena),
                            .tried = tries(count)};
    for (uint32_t i = 0; i < count; i++)
        places.bounds[i] = bounds_of(&l->out->routes[i]);
    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t i = 0; i < count; i++)
            if (round == 0 || places.costs[i] >= COST_HALO)
                place_label(l, &places, i);
}
