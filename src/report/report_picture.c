/* An execution as SVG: paper, scopes, the cut, edges, boxes, labels, in this order from below. */
#include "report/report_picture.h"

#include "report/report_layout.h"
#include "report/report_string.h"
#include "report/report_wrap.h"

#include <string.h>

enum {
    MARGIN = 16,
    TITLE_WIDTH = 640, /* titles make a picture this wide at most, and go on below */
    LEGEND = 34,
    LEGEND_WIDTH = 480,
    KEY_LENGTH = 26,
    KEY_HEIGHT = 24,
    KEY_TENTHS = 67, /* the width of a character */
    HATCH = 9,
    ARROW = 9
};

#define INK "#1c2430"
#define SOFT "#5b6675"
#define PAPER "#ffffff"
#define CUT "#b3261e"
#define FONT "DejaVu Sans Mono, Liberation Mono, Menlo, Consolas, monospace"

struct drawing {
    const struct report_graph *graph;
    const struct report_layout *layout;
    struct strbuf *out;
    struct report_size size;
};

static void add_text(const struct drawing *d, const char *attributes, int x, int y,
                     const char *text)
{
    strbuf_printf(d->out, "<text x=\"%d\" y=\"%d\" %s>", x, y, attributes);
    report_xml_text(d->out, text);
    strbuf_add(d->out, "</text>\n");
}

/* ---- Frame ---- */

enum { TITLES = 3 };

struct title {
    const char *text;
    struct report_wrap wrap;
};

static void titles_of(const struct report_graph *graph, int width, struct title titles[TITLES])
{
    static const char soft[] = "fill=\"" SOFT "\" class=\"title soft\" font-size=\"12\"";
    const struct report_wrap wrap = {MARGIN, MARGIN + 12, width - 2 * MARGIN, REPORT_CHARACTER,
                                     soft};
    titles[0] = (struct title){graph->name, wrap};
    titles[1] = (struct title){graph->state, wrap};
    titles[2] = (struct title){graph->note, wrap};
    titles[0].wrap.tenths = 86;
    titles[0].wrap.attributes = "fill=\"" INK "\" class=\"title ink\" font-size=\"14\" "
                                "font-weight=\"bold\"";
}

/* Returns how many lines they take; `out` may be NULL. */
static uint32_t add_titles(const struct drawing *d, int width, struct strbuf *out)
{
    struct title titles[TITLES];
    uint32_t lines = 0;
    titles_of(d->graph, width, titles);
    for (int i = 0; i < TITLES; i++) {
        titles[i].wrap.y += (int)lines * REPORT_LINE;
        lines += report_wrap_add(&titles[i].wrap, titles[i].text, out);
    }
    return lines;
}

static int width_of(const struct drawing *d)
{
    struct title titles[TITLES];
    int width = d->graph->crash ? LEGEND_WIDTH : 0;
    titles_of(d->graph, TITLE_WIDTH, titles);
    for (int i = 0; i < TITLES; i++) {
        int tenths = (int)report_wrap_characters(titles[i].text) * titles[i].wrap.tenths;
        int title = (tenths + 9) / 10 + 2 * MARGIN;
        title = title < TITLE_WIDTH ? title : TITLE_WIDTH;
        width = width > title ? width : title;
    }
    return width > d->layout->width ? width : d->layout->width;
}

/* What titles take beyond the room for one line each that a layout has. */
static int overhang_of(const struct drawing *d, int width)
{
    uint32_t lines = add_titles(d, width, NULL);
    return lines > TITLES ? (int)(lines - TITLES) * REPORT_LINE : 0;
}

static void add_scopes(const struct drawing *d)
{
    for (uint32_t i = 0; i < d->layout->scope_count; i++) {
        const struct report_scope_box *scope = &d->layout->scopes[i];
        strbuf_printf(d->out,
                      "<g class=\"scope\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                      "rx=\"5\" fill=\"#5b6675\" fill-opacity=\"0.05\" stroke=\"#aab4c0\"/>",
                      scope->box.x, scope->box.y, scope->box.width, scope->box.height);
        add_text(d, "font-size=\"10\" fill=\"" SOFT "\" class=\"soft\"", scope->box.x + 6,
                 scope->box.y + 12, scope->label);
        strbuf_add(d->out, "</g>\n");
    }
    for (uint32_t c = 0; c < d->graph->column_count; c++)
        add_text(d,
                 "font-size=\"12\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"" INK
                 "\" class=\"ink\"",
                 d->layout->heads[c].x, d->layout->heads[c].y, d->graph->columns[c]->name);
}

static void add_cut(const struct drawing *d)
{
    if (!d->graph->crash)
        return;
    strbuf_printf(d->out,
                  "<g class=\"cut\"><path d=\"M%d %dH%d\" stroke=\"" CUT
                  "\" stroke-width=\"2.5\" stroke-dasharray=\"10 5\" fill=\"none\"/>",
                  d->layout->left, d->layout->cut, d->layout->right);
    add_text(d, "font-size=\"12\" font-weight=\"bold\" fill=\"" CUT "\"", d->layout->right + 6,
             d->layout->cut + 4, "crash");
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
    strbuf_add(out, "\" stroke=\"" CUT "\" stroke-opacity=\"0.45\" fill=\"none\"/>");
}

static void add_rect(struct strbuf *out, const struct report_box *box, int inset,
                     const char *attributes)
{
    strbuf_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\" %s/>",
                  box->x + inset, box->y + inset, box->width - 2 * inset, box->height - 2 * inset,
                  inset > 0 ? 2 : 4 - inset, attributes);
}

static void add_box(struct strbuf *out, const struct report_box *box, enum report_fate fate,
                    bool init, bool nvm)
{
    static const char *const fates[] = {
        "class=\"body\" fill=\"#ffffff\" stroke=\"" INK "\"",
        "class=\"body\" fill=\"#a9dcb3\" stroke=\"" INK "\"",
        "class=\"body\" fill=\"#ffffff\" stroke=\"" INK "\"",
        "class=\"body\" fill=\"#ffffff\" stroke=\"#8a96a6\" stroke-dasharray=\"4 3\"",
        "class=\"body\" fill=\"#e8ecf1\" stroke=\"#d6007a\" stroke-width=\"2\""};
    bool plain_init = init && fate == REPORT_EXECUTED;
    add_rect(out, box, 0,
             plain_init ? "class=\"body\" fill=\"#e8ecf1\" stroke=\"" INK "\"" : fates[fate]);
    if (fate == REPORT_LOST)
        add_hatch(out, box);
    if (nvm)
        add_rect(out, box, 3,
                 fate == REPORT_AHEAD
                     ? "class=\"nvm\" fill=\"none\" stroke=\"#8a96a6\" stroke-dasharray=\"4 3\""
                     : "class=\"nvm\" fill=\"none\" stroke=\"" INK "\"");
}

/* Under edges, whose tips end at the box. */
static void add_halo(const struct drawing *d, uint32_t e)
{
    if (!d->graph->events[e].marked)
        return;
    add_rect(d->out, &d->layout->events[e], -4,
             "class=\"halo\" fill=\"#fbd0e6\" stroke=\"#d6007a\" stroke-width=\"2\"");
    strbuf_add_char(d->out, '\n');
}

static void add_event(const struct drawing *d, uint32_t e)
{
    const struct report_event *event = &d->graph->events[e];
    const struct report_box *box = &d->layout->events[e];
    bool init = e < d->graph->init_count, ahead = event->fate == REPORT_AHEAD;
    strbuf_printf(d->out, "<g class=\"event %s%s\">", init ? "init " : "",
                  report_fate_class(event->fate));
    add_box(d->out, box, event->fate, init, event->nvm);
    strbuf_printf(d->out,
                  "<text x=\"%d\" y=\"%d\" font-size=\"12\" text-anchor=\"middle\" fill=\"%s\" "
                  "stroke=\"%s\" stroke-width=\"%d\" paint-order=\"stroke\">",
                  box->x + box->width / 2, box->y + box->height / 2 + 4, ahead ? "#78838f" : INK,
                  PAPER, event->fate == REPORT_LOST ? 4 : 0);
    report_xml_text(d->out, event->label);
    strbuf_add(d->out, "</text></g>\n");
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

/* Edges enter level or, down a column, plumb. */
static void add_arrow(struct strbuf *out, const struct report_edge *edge,
                      const struct report_route *route, const char *colour)
{
    struct report_point tip = route->points[route->count - 1];
    struct report_point from = route->points[route->count - 2];
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

static void add_edge(const struct drawing *d, uint32_t i)
{
    const struct report_edge *edge = &d->graph->edges[i];
    const struct report_route *route = &d->layout->routes[i];
    const char *colour = report_edge_colour(edge);
    bool mark = edge->kind == REPORT_EDGE_MARK, meet = edge->kind == REPORT_EDGE_MEET;
    if (edge->unseen)
        return;
    strbuf_printf(d->out, "<g class=\"edge %s%s\"><path d=\"", report_edge_class(edge->kind),
                  edge->marked ? " marked" : "");
    add_path(d->out, route);
    strbuf_printf(d->out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"%s/>", colour,
                  mark   ? "3"
                  : meet ? "4"
                         : "1.6",
                  report_edge_dashed(edge->kind) ? " stroke-dasharray=\"6 4\"" : "");
    if (!edge->both_ways)
        add_arrow(d->out, edge, route, colour);
    strbuf_add(d->out, "</g>\n");
}

static void add_label(const struct drawing *d, uint32_t i)
{
    const struct report_edge *edge = &d->graph->edges[i];
    const struct report_route *route = &d->layout->routes[i];
    if (!*report_edge_text(edge))
        return;
    strbuf_printf(d->out,
                  "<text class=\"label %s\" x=\"%d\" y=\"%d\" font-size=\"11\" "
                  "text-anchor=\"middle\" fill=\"%s\" stroke=\"" PAPER
                  "\" stroke-width=\"4\" paint-order=\"stroke\" stroke-linejoin=\"round\"%s>",
                  report_edge_class(edge->kind), route->label.x, route->label.y,
                  report_edge_colour(edge),
                  edge->kind == REPORT_EDGE_MARK ? " font-weight=\"bold\"" : "");
    report_xml_text(d->out, edge->label);
    strbuf_add(d->out, "</text>\n");
}

/* ---- Legend and the whole ---- */

static void add_key(const struct drawing *d, const struct report_edge *edge, int x, int y)
{
    strbuf_printf(
        d->out, "<g class=\"key %s\"><path d=\"M%d %dh%d\" stroke=\"%s\" stroke-width=\"1.6\"%s/>",
        report_edge_class(edge->kind), x, y + 8, KEY_LENGTH, report_edge_colour(edge),
        report_edge_dashed(edge->kind) ? " stroke-dasharray=\"6 4\"" : "");
    add_text(d, "font-size=\"11\" fill=\"" SOFT "\" class=\"soft\"", x + KEY_LENGTH + 6, y + 12,
             edge->label);
    strbuf_add(d->out, "</g>\n");
}

/* Labels of many edges, side by side as far as there is room. Returns how high they are; without
 * `drawn` that is all. */
static int add_keys(const struct drawing *d, int y, bool drawn)
{
    int x = MARGIN, lines = 0;
    for (uint32_t i = 0; i < d->graph->edge_count; i++) {
        const struct report_edge *edge = &d->graph->edges[i];
        int width = KEY_LENGTH + 26 + (int)strlen(edge->label) * KEY_TENTHS / 10;
        if (!report_edge_leads(d->graph, i))
            continue;
        if (lines == 0 || x + width > d->size.width) {
            x = MARGIN;
            lines++;
        }
        if (drawn)
            add_key(d, edge, x, y + (lines - 1) * KEY_HEIGHT);
        x += width;
    }
    return lines * KEY_HEIGHT;
}

static void add_legend(const struct drawing *d)
{
    static const struct {
        enum report_fate fate;
        bool nvm;
        const char *text;
    } keys[] = {{REPORT_DURABLE, true, "durable"},
                {REPORT_LOST, true, "executed, lost"},
                {REPORT_AHEAD, false, "not executed"}};
    struct report_box box = {MARGIN, d->layout->height, 26, 16};
    if (!d->graph->crash)
        return;
    strbuf_add(d->out, "<g class=\"legend\">");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        strbuf_printf(d->out, "<g class=\"key %s\">", report_fate_class(keys[i].fate));
        add_box(d->out, &box, keys[i].fate, false, keys[i].nvm);
        add_text(d, "font-size=\"11\" fill=\"" SOFT "\" class=\"soft\"", box.x + 32, box.y + 12,
                 keys[i].text);
        strbuf_add(d->out, "</g>");
        box.x += 52 + (int)strlen(keys[i].text) * KEY_TENTHS / 10;
    }
    add_text(d, "font-size=\"11\" fill=\"" SOFT "\" class=\"soft\"", box.x, box.y + 12,
             "double: NVM");
    strbuf_add(d->out, "</g>\n");
}

static void add_open(const struct drawing *d, const char *attributes)
{
    strbuf_printf(d->out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\"\n class=\"picture\" width=\"%d\" "
                  "height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"" FONT
                  "\" role=\"img\" aria-label=\"",
                  d->size.width, d->size.height, d->size.width, d->size.height);
    report_xml_attribute(d->out, d->graph->name);
    strbuf_printf(d->out,
                  "\"%s>\n<rect class=\"paper\" width=\"%d\" height=\"%d\" fill=\"" PAPER "\"/>\n",
                  attributes, d->size.width, d->size.height);
}

static void add_execution(const struct drawing *d)
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
    add_legend(d);
    (void)add_keys(d, graph->crash ? d->layout->height + KEY_HEIGHT : d->layout->height, true);
}

struct report_size report_picture(const struct report_graph *graph, const char *attributes,
                                  struct strbuf *svg)
{
    struct arena arena;
    arena_init(&arena);
    struct drawing d = {graph, report_layout_new(&arena, graph), svg, {0, 0}};
    d.size.width = width_of(&d);
    int overhang = overhang_of(&d, d.size.width);
    d.size.height =
        overhang + d.layout->height + (graph->crash ? LEGEND : 0) + add_keys(&d, 0, false);
    add_open(&d, attributes);
    (void)add_titles(&d, d.size.width, svg);
    if (overhang)
        strbuf_printf(svg, "<g class=\"lowered\" transform=\"translate(0 %d)\">\n", overhang);
    add_execution(&d);
    strbuf_add(svg, overhang ? "</g>\n</svg>\n" : "</svg>\n");
    arena_fini(&arena);
    return d.size;
}
