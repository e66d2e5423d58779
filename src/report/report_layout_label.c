/* Labels of edges, beside arcs and on all others: of some places along each edge, the one where it
 * hides least. Boxes weigh most, then labels that stand already, then other edges, then the way
 * from the middle. */
#include "report/report_layout_route.h"

#include <stdlib.h>
#include <string.h>

enum {
    PLACES = 24,
    SAMPLES = 24, /* points of an edge that a label may hide */
    LABEL_HEIGHT = 13,
    COST_BOX = 4000,
    COST_LABEL = 1500,
    COST_EDGE = 60,
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

static bool holds(const struct report_box *box, struct report_point point)
{
    return point.x >= box->x && point.x < box->x + box->width && point.y >= box->y &&
           point.y < box->y + box->height;
}

static struct report_box label_box(const char *label, struct report_point middle)
{
    int width = (int)strlen(label) * REPORT_LABEL / 10 + 4;
    return (struct report_box){middle.x - width / 2, middle.y - LABEL_HEIGHT / 2, width,
                               LABEL_HEIGHT};
}

struct places {
    struct report_point *samples; /* SAMPLES for each edge */
    struct report_box *labels;    /* of edges before this one; width 0 without */
};

static long cost(const struct layout *l, const struct places *places, uint32_t edge,
                 const struct report_box *box)
{
    long sum = 0;
    for (uint32_t e = 0; e < l->graph->event_count; e++)
        sum += overlap(box, &l->out->events[e]) ? COST_BOX : 0;
    for (uint32_t c = 0; c < l->graph->column_count; c++)
        sum += overlap(box, &(struct report_box){l->out->heads[c].x - 12, l->out->heads[c].y - 12,
                                                 24, 16})
                   ? COST_LABEL
                   : 0;
    for (uint32_t i = 0; i < l->scope_count; i++) {
        const struct report_scope_box *scope = &l->out->scopes[i];
        const struct report_box head = {scope->box.x, scope->box.y, (int)strlen(scope->label) * 6,
                                        14};
        sum += overlap(box, &head) ? COST_LABEL : 0;
    }
    for (uint32_t i = 0; i < l->graph->edge_count; i++) {
        if (i < edge && places->labels[i].width && overlap(box, &places->labels[i]))
            sum += COST_LABEL;
        for (int k = 0; i != edge && k < SAMPLES; k++)
            if (holds(box, places->samples[i * SAMPLES + (uint32_t)k])) {
                sum += COST_EDGE;
                break;
            }
    }
    int level = box->y + box->height / 2;
    if (l->graph->crash && abs(level - l->out->cut) < LABEL_HEIGHT)
        sum += COST_LABEL;
    return sum;
}

static void place_label(struct layout *l, struct places *places, uint32_t edge)
{
    const char *label = report_edge_text(&l->graph->edges[edge]);
    struct report_route *route = &l->out->routes[edge];
    long best = -1;
    places->labels[edge] = (struct report_box){0};
    for (int place = 2; *label && place <= PLACES - 2; place++) {
        struct report_point middle = report_route_point(route, place, PLACES);
        struct report_box box = label_box(label, middle);
        if (l->ways[edge].kind == WAY_ARC)
            middle.x += (l->ways[edge].from_right ? 1 : -1) * (box.width / 2 + 2);
        box = label_box(label, middle);
        long sum = cost(l, places, edge, &box) + COST_AWAY * labs((long)place - PLACES / 2);
        if (best < 0 || sum < best) {
            best = sum;
            places->labels[edge] = box;
            route->label = (struct report_point){middle.x, middle.y + 4};
        }
    }
}

void report_layout_set_labels(struct layout *l)
{
    uint32_t count = l->graph->edge_count;
    struct places places = {ARENA_ARRAY(l->arena, struct report_point, (size_t)count * SAMPLES + 1),
                            ARENA_ARRAY(l->arena, struct report_box, count + 1)};
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < SAMPLES; k++)
            places.samples[i * SAMPLES + (uint32_t)k] =
                report_route_point(&l->out->routes[i], k, SAMPLES - 1);
    for (uint32_t i = 0; i < count; i++)
        place_label(l, &places, i);
}
