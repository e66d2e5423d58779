/* The parts of an execution as SVG: scopes, the cut, edges, boxes, labels, in this order from
 * below.
 */
#include "picture/report_picture_parts.h"

#include "report/report_string.h"

#include <string.h>

enum { HATCH = 9, ARROW = 9, DOT = 4 };

void report_picture_text(const struct drawing *d, const char *attributes, int x, int y,
                         const char *text)
{
    strbuf_printf(d->out, "<text x=\"%d\" y=\"%d\" %s>", x, y, attributes);
    report_xml_text(d->out, text);
    strbuf_add(d->out, "</text>\n");
}

/* With a size that the metrics say. */
static void add_sized(const struct drawing *d, int font, const char *attributes,
                      struct report_point at, const char *text)
{
    char whole[256];
    snprintf(whole, sizeof whole, "font-size=\"%d\" %s", font, attributes);
    report_picture_text(d, whole, at.x, at.y, text);
}

/* ---- Scopes and the cut ---- */

static void add_scopes(const struct drawing *d)
{
    EACH (const struct report_scope_box, scope, d->layout->scopes, d->layout->scope_count) {
        strbuf_printf(d->out,
                      "<g class=\"scope\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                      "rx=\"5\" fill=\"" REPORT_SOFT
                      "\" fill-opacity=\"0.03\" stroke=\"#aab4c0\"/>",
                      scope->box.x, scope->box.y, scope->box.width, scope->box.height);
        add_sized(
            d, d->metrics->scope_font, "fill=\"" REPORT_SOFT "\" class=\"soft\"",
            (struct report_point){scope->box.x + 6, scope->box.y + d->metrics->scope_font + 2},
            scope->label);
        strbuf_add(d->out, "</g>\n");
    }
    for (uint32_t c = 0; c < d->graph->column_count; c++)
        add_sized(d, d->metrics->font,
                  "font-weight=\"bold\" text-anchor=\"middle\" fill=\"" REPORT_INK
                  "\" class=\"ink\"",
                  d->layout->heads[c], d->graph->columns[c]->name);
}

static void add_cut(const struct drawing *d)
{
    if (!d->graph->crash)
        return;
    strbuf_printf(d->out,
                  "<g class=\"cut\"><path d=\"M%d %dH%d\" stroke=\"" REPORT_CUT
                  "\" stroke-width=\"2.5\" stroke-dasharray=\"10 5\" fill=\"none\"/>",
                  d->layout->left, d->layout->cut, d->layout->right);
    add_sized(d, d->metrics->font, "font-weight=\"bold\" fill=\"" REPORT_CUT "\"",
              (struct report_point){d->layout->right + 6, d->layout->cut + d->metrics->font / 3},
              "crash");
    strbuf_add(d->out, "</g>\n");
}

/* ---- Events ---- */

/* Lines at 45 degrees within a box. */
static void add_hatch(struct strbuf *out, const struct report_box *box)
{
    strbuf_add(out, "<path class=\"hatch\" d=\"");
    for (int k = HATCH; k < box->width + box->height; k += HATCH) {
        int x0 = k < box->width ? k : box->width, y0 = k - x0;
        int y1 = k < box->height ? k : box->height, x1 = k - y1;
        strbuf_printf(out, "M%d %dL%d %d", box->x + x0, box->y + y0, box->x + x1, box->y + y1);
    }
    strbuf_add(out, "\" stroke=\"" REPORT_CUT "\" stroke-opacity=\"0.45\" fill=\"none\"/>");
}

static void add_rect(struct strbuf *out, const struct report_box *box, int inset,
                     const char *attributes)
{
    strbuf_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\" %s/>",
                  box->x + inset, box->y + inset, box->width - 2 * inset, box->height - 2 * inset,
                  inset > 0 ? 2 : 4 - inset, attributes);
}

void report_picture_box(struct strbuf *out, const struct report_box *box, enum report_fate fate,
                        bool init, bool nvm)
{
    static const char *const fates[] = {
        "class=\"body\" fill=\"#ffffff\" stroke=\"" REPORT_INK "\"",
        "class=\"body\" fill=\"#a9dcb3\" stroke=\"" REPORT_INK "\"",
        "class=\"body\" fill=\"#ffffff\" stroke=\"" REPORT_INK "\"",
        "class=\"body\" fill=\"#ffffff\" stroke=\"#8a96a6\" stroke-dasharray=\"4 3\"",
        "class=\"body\" fill=\"#e8ecf1\" stroke=\"" REPORT_MARKED "\" stroke-width=\"2\""};
    bool plain_init = init && fate == REPORT_EXECUTED;
    add_rect(out, box, 0,
             plain_init ? "class=\"body\" fill=\"#e8ecf1\" stroke=\"" REPORT_INK "\""
                        : fates[fate]);
    if (fate == REPORT_LOST)
        add_hatch(out, box);
    if (nvm)
        add_rect(out, box, 3,
                 fate == REPORT_AHEAD
                     ? "class=\"nvm\" fill=\"none\" stroke=\"#8a96a6\" stroke-dasharray=\"4 3\""
                     : "class=\"nvm\" fill=\"none\" stroke=\"" REPORT_INK "\"");
}

/* Under edges, whose tips end at the box. */
static void add_halo(const struct drawing *d, uint32_t e)
{
    if (!d->graph->events[e].marked)
        return;
    add_rect(d->out, &d->layout->events[e], -4,
             "class=\"halo\" fill=\"#fbd0e6\" stroke=\"" REPORT_MARKED "\" stroke-width=\"2\"");
    strbuf_add_char(d->out, '\n');
}

/* Its label, and what the program says: below it, or beside it. */
static void add_event_texts(const struct drawing *d, const struct report_event *event,
                            const struct report_box *box)
{
    const struct report_metrics *metrics = d->metrics;
    const char *source = report_shown_source(d->arena, metrics, event);
    bool ahead = event->fate == REPORT_AHEAD, below = metrics->source == REPORT_SOURCE_BELOW;
    int halo = event->fate == REPORT_LOST ? 4 : 0, middle = box->x + box->width / 2;
    int level = box->y + box->height / 2 + metrics->font / 3, whole = box->width - 22;
    struct report_point label = {middle, level}, text = {middle, level};
    if (*source && below) {
        label.y = box->y + box->height / 2 - 3;
        text.y = box->y + box->height / 2 + metrics->source_font + 1;
    } else if (*source) {
        label.x = box->x + 11 + report_text_width(event->label, metrics->font) / 2;
        text.x = box->x + 11 + whole - report_text_width(source, metrics->source_font) / 2;
    }
    static const char form[] = "text-anchor=\"middle\" fill=\"%s\" %sstroke=\"" REPORT_PAPER
                               "\" stroke-width=\"%d\" paint-order=\"stroke\"";
    char attributes[160];
    snprintf(attributes, sizeof attributes, form, ahead ? REPORT_SOFT : REPORT_INK, "", halo);
    add_sized(d, metrics->font, attributes, label, event->label);
    snprintf(attributes, sizeof attributes, form,
             event->fate == REPORT_DURABLE ? REPORT_INK : REPORT_SOFT, "class=\"soft\" ", halo);
    if (*source)
        add_sized(d, metrics->source_font, attributes, text, source);
}

static void add_event(const struct drawing *d, uint32_t e)
{
    const struct report_event *event = &d->graph->events[e];
    const struct report_box *box = &d->layout->events[e];
    bool init = e < d->graph->init_count;
    strbuf_printf(d->out, "<g class=\"event %s%s\">", init ? "init " : "",
                  report_fate_class(event->fate));
    report_picture_box(d->out, box, event->fate, init, event->nvm);
    add_event_texts(d, event, box);
    strbuf_add(d->out, "</g>\n");
}

/* ---- Edges ---- */

static void add_path(struct strbuf *out, const struct report_route *route)
{
    const struct report_point *p = route->points;
    strbuf_printf(out, "M%d %d", p[0].x, p[0].y);
    for (uint32_t i = 1; i + 2 < route->count; i += 3)
        strbuf_printf(out, "C%d %d %d %d %d %d", p[i].x, p[i].y, p[i + 1].x, p[i + 1].y, p[i + 2].x,
                      p[i + 2].y);
}

/* Edges enter level or, down a column, plumb. A dot stands for all who meet there. */
static void add_end(struct strbuf *out, const struct report_edge *edge,
                    const struct report_route *route, const char *colour)
{
    struct report_point tip = route->points[route->count - 1];
    struct report_point from = route->points[route->count - 2];
    if (edge->hub_from)
        strbuf_printf(out, "<circle class=\"tip\" cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"%s\"/>",
                      route->points[0].x, route->points[0].y, (int)DOT, colour);
    if (edge->hub_to) {
        strbuf_printf(out, "<circle class=\"tip\" cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"%s\"/>",
                      tip.x, tip.y, (int)DOT, colour);
        return;
    }
    strbuf_printf(out, "<path d=\"M%d %d", tip.x, tip.y);
    if (edge->kind == REPORT_EDGE_PO)
        strbuf_printf(out, "l-4 -%dh8z", ARROW);
    else
        strbuf_printf(out, "l%d -4v8z", from.x < tip.x ? -ARROW : ARROW);
    strbuf_printf(out, "\" fill=\"%s\" class=\"tip\"/>", colour);
}

/* Of a marked edge, under all edges. */
static void add_glow(const struct drawing *d, uint32_t i)
{
    if (!d->graph->edges[i].marked)
        return;
    strbuf_add(d->out, "<path class=\"glow\" d=\"");
    add_path(d->out, &d->layout->routes[i]);
    strbuf_add(d->out, "\" fill=\"none\" stroke=\"#f9bcdb\" stroke-width=\"11\" "
                       "stroke-linecap=\"round\"/>\n");
}

void report_picture_stroke(struct strbuf *out, const struct report_stroke *stroke)
{
    strbuf_printf(out, "\" class=\"line\" fill=\"none\" stroke=\"%s\" stroke-width=\"%u.%u\"",
                  stroke->colour, stroke->tenths / 10, stroke->tenths % 10);
    if (*stroke->dash)
        strbuf_printf(out, " stroke-dasharray=\"%s\"", stroke->dash);
    strbuf_add(out, "/>");
}

static void add_edge(const struct drawing *d, uint32_t i)
{
    const struct report_edge *edge = &d->graph->edges[i];
    const struct report_route *route = &d->layout->routes[i];
    const struct report_stroke *stroke = report_edge_stroke(d->graph, edge);
    if (edge->unseen)
        return;
    strbuf_printf(d->out, "<g class=\"edge %s%s%s\"><path d=\"", report_edge_class(d->graph, edge),
                  edge->marked ? " marked" : "", edge->hub_from || edge->hub_to ? " hub" : "");
    add_path(d->out, route);
    report_picture_stroke(d->out, stroke);
    if (!edge->both_ways)
        add_end(d->out, edge, route, stroke->colour);
    strbuf_add(d->out, "</g>\n");
}

static void add_label(const struct drawing *d, uint32_t i)
{
    const struct report_edge *edge = &d->graph->edges[i];
    const struct report_route *route = &d->layout->routes[i];
    if (!*report_edge_text(edge))
        return;
    strbuf_printf(d->out,
                  "<text class=\"label %s\" x=\"%d\" y=\"%d\" font-size=\"%d\" "
                  "text-anchor=\"middle\" fill=\"%s\" stroke=\"" REPORT_PAPER
                  "\" stroke-width=\"4\" paint-order=\"stroke\" stroke-linejoin=\"round\"%s>",
                  report_edge_class(d->graph, edge), route->label.x, route->label.y,
                  d->metrics->label_font, report_edge_stroke(d->graph, edge)->colour,
                  edge->kind == REPORT_EDGE_MARK ? " font-weight=\"bold\"" : "");
    report_xml_text(d->out, edge->label);
    strbuf_add(d->out, "</text>\n");
}

void report_picture_execution(const struct drawing *d)
{
    const struct report_graph *graph = d->graph;
    add_scopes(d);
    add_cut(d);
    for (uint32_t e = 0; e < graph->event_count; e++)
        add_halo(d, e);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        add_glow(d, i);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        add_edge(d, i);
    for (uint32_t e = 0; e < graph->event_count; e++)
        add_event(d, e);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        add_label(d, i);
}
