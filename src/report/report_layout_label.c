/* Labels of edges, beside arcs and on all others: of some places along each edge and next to it,
 * the one where it hides least. Boxes weigh most, then labels that stand already, then other edges,
 * then the way from the edge and its middle. */
#include "report/report_layout_route.h"

#include <stdlib.h>
#include <string.h>

enum {
    PLACES = 24,
    SAMPLES = 48, /* points of an edge; between two of them it is straight */
    ASIDE = 5,    /* places across an edge */
    COST_BOX = 40000,
    COST_LABEL = 9000,
    COST_EDGE = 1500,
    COST_ASIDE = 40,
    COST_AWAY = 6
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

static bool overlap(const struct report_box *a, const struct report_box *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
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

bool report_route_meets(const struct report_route *route, const struct report_box *box)
{
    struct report_point last = route->points[0];
    for (int k = 1; k <= SAMPLES; k++) {
        struct report_point next = report_route_point(route, k, SAMPLES);
        if (line_meets(last, next, box))
            return true;
        last = next;
    }
    return false;
}

struct report_box report_label_box(const char *label, int font, struct report_point middle)
{
    int width = report_text_width(label, font) + 4, height = font + 2;
    return (struct report_box){middle.x - width / 2, middle.y - height / 2, width, height};
}

struct places {
    struct report_box *bounds; /* of each edge */
    struct report_box *labels; /* of edges before this one; width 0 without */
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
    for (uint32_t e = 0; e < l->graph->event_count; e++)
        sum += overlap(box, &l->out->events[e]) ? COST_BOX : 0;
    for (uint32_t c = 0; c < l->graph->column_count; c++) {
        const struct report_box head =
            report_label_box(l->graph->columns[c]->name, metrics->font, l->out->heads[c]);
        sum += overlap(box, &head) ? COST_LABEL : 0;
    }
    for (uint32_t i = 0; i < l->scope_count; i++) {
        const struct report_scope_box *scope = &l->out->scopes[i];
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

static long cost(const struct layout *l, const struct places *places, uint32_t edge,
                 const struct report_box *box)
{
    long sum = cost_of_words(l, box);
    for (uint32_t i = 0; i < l->graph->edge_count; i++) {
        if (i < edge && places->labels[i].width && overlap(box, &places->labels[i]))
            sum += COST_LABEL;
        if (i != edge && !l->graph->edges[i].unseen && overlap(box, &places->bounds[i]) &&
            report_route_meets(&l->out->routes[i], box))
            sum += COST_EDGE;
    }
    return sum;
}

/* Where a label's middle may stand: at a place along the edge, and so far across it. */
static struct report_point place_of(const struct layout *l, uint32_t edge, int place, int aside)
{
    const struct way *way = &l->ways[edge];
    struct report_point middle = report_route_point(&l->out->routes[edge], place, PLACES);
    int step = (aside + 1) / 2 * (aside % 2 ? 1 : -1), height = l->metrics->label_font + 2;
    const char *label = report_edge_text(&l->graph->edges[edge]);
    int half = report_text_width(label, l->metrics->label_font) / 2 + 4;
    if (way->kind == WAY_ARC)
        middle.x += (way->from_right ? 1 : -1) * (half + aside * 4);
    else if (way->kind == WAY_PLUMB)
        middle.x += step * half;
    else
        middle.y += step * (height / 2 + 2);
    return middle;
}

static void place_label(struct layout *l, struct places *places, uint32_t edge)
{
    const char *label = report_edge_text(&l->graph->edges[edge]);
    struct report_route *route = &l->out->routes[edge];
    long best = -1;
    places->labels[edge] = (struct report_box){0};
    for (int i = 0; *label && i <= (PLACES - 4) * ASIDE; i++) {
        int place = 2 + i / ASIDE, aside = i % ASIDE;
        struct report_point middle = place_of(l, edge, place, aside);
        struct report_box box = report_label_box(label, l->metrics->label_font, middle);
        long sum = COST_AWAY * labs((long)place - PLACES / 2) + COST_ASIDE * aside;
        if (best < 0 || sum < best)
            sum += cost(l, places, edge, &box);
        if (best < 0 || sum < best) {
            best = sum;
            places->labels[edge] = box;
            route->label =
                (struct report_point){middle.x, middle.y + l->metrics->label_font * 4 / 11};
        }
    }
}

void report_layout_set_labels(struct layout *l)
{
    uint32_t count = l->graph->edge_count;
    struct places places = {ARENA_ARRAY(l->arena, struct report_box, count + 1),
                            ARENA_ARRAY(l->arena, struct report_box, count + 1)};
    for (uint32_t i = 0; i < count; i++)
        places.bounds[i] = bounds_of(&l->out->routes[i]);
    for (uint32_t i = 0; i < count; i++)
        place_label(l, &places, i);
}
