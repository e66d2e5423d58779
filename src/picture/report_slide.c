/* An execution on a slide. Ways to lay it out are tried in an order, from the one that says most to
 * the one that takes least room, until the execution fits with letters as large as they should be:
 * labels at all edges, or in the legend; the program's text below events, beside them or not at
 * all; rows apart or close; the legend below or at the right. If none fits, the largest is scaled
 * down. Where titles alone would fill half of the slide, its letters are smaller as a whole. */
#include "picture/report_picture_parts.h"

#include "report/report_wrap.h"

#include <string.h>

enum {
    WIDTH = 1280,
    HEIGHT = 720,
    MARGIN = 16,
    LINE = 25,
    NAME_FONT = 22,
    FONT = 18,
    SIDE = 300,       /* a legend at the right */
    SHORT_LABEL = 5,  /* characters that stay at edges */
    MOST_TRIED = 40,  /* events past which one way is tried */
    MOST_LARGER = 140 /* in hundredths, how far an execution is scaled up */
};

struct way_out {
    bool keyed;
    enum report_source source;
    int close; /* how much, from 0 */
};

static const struct way_out ways_out[] = {
    {false, REPORT_SOURCE_BELOW, 0}, {false, REPORT_SOURCE_BESIDE, 0},
    {false, REPORT_SOURCE_BELOW, 1}, {false, REPORT_SOURCE_BESIDE, 1},
    {true, REPORT_SOURCE_BELOW, 0},  {true, REPORT_SOURCE_BESIDE, 0},
    {true, REPORT_SOURCE_BELOW, 1},  {true, REPORT_SOURCE_BESIDE, 1},
    {true, REPORT_SOURCE_BESIDE, 2}, {false, REPORT_SOURCE_NONE, 1},
    {true, REPORT_SOURCE_NONE, 1},   {true, REPORT_SOURCE_NONE, 2}};

enum { WAYS_OUT = sizeof ways_out / sizeof *ways_out };

struct slide {
    struct drawing d;
    struct report_metrics metrics;
    struct report_titles titles;
    struct report_size page; /* 16 to 9 */
    int top;                 /* below the titles */
    struct report_box body, legend;
    int hundredths; /* scale of the body */
};

static struct report_metrics metrics_of(const struct way_out *way)
{
    static const struct {
        int box, port, gap, lane, channel, track, head, scope;
    } sizes[] = {{30, 14, 28, 14, 26, 9, 28, 24},
                 {30, 14, 16, 14, 26, 9, 28, 24},
                 {26, 9, 11, 10, 18, 7, 26, 22}};
    bool below = way->source == REPORT_SOURCE_BELOW;
    int close = way->close;
    return (struct report_metrics){.font = FONT,
                                   .source_font = FONT,
                                   .label_font = FONT,
                                   .scope_font = FONT,
                                   .source = way->source,
                                   .brief = close > 1,
                                   .most_source = below ? 22 : 26,
                                   .box = sizes[close].box + (below ? 22 : 0),
                                   .port = sizes[close].port,
                                   .gap = sizes[close].gap,
                                   .lane = sizes[close].lane,
                                   .channel = sizes[close].channel,
                                   .track = sizes[close].track,
                                   .head = sizes[close].head,
                                   .scope = sizes[close].scope,
                                   .title = 0};
}

/* The same graph with all long labels in the legend, but for marks. */
static const struct report_graph *keyed(struct arena *arena, const struct report_graph *graph)
{
    struct report_graph *copy = ARENA_NEW(arena, struct report_graph);
    struct report_edge *edges = ARENA_ARRAY(arena, struct report_edge, graph->edge_count + 1);
    *copy = *graph;
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        edges[i] = graph->edges[i];
        edges[i].keyed |= edges[i].kind != REPORT_EDGE_MARK && strlen(edges[i].label) > SHORT_LABEL;
    }
    copy->edges = edges;
    return copy;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Scales and places the body in what the legend leaves. */
static void fit(struct slide *s, bool at_side)
{
    struct report_size *page = &s->page;
    struct report_box area = {0, s->top, page->width - (at_side ? SIDE : 0), 0};
    s->legend = (struct report_box){at_side ? page->width - SIDE : MARGIN, s->top + 8,
                                    at_side ? SIDE - MARGIN : page->width - 2 * MARGIN, 0};
    s->legend.height = report_picture_legend(&s->d, s->legend, false);
    area.height = page->height - s->top - (at_side ? 0 : s->legend.height);
    int width = s->d.layout->width, height = s->d.layout->height;
    s->hundredths =
        smaller(MOST_LARGER, smaller(100 * area.width / width, 100 * area.height / height));
    if (at_side && s->legend.height > area.height)
        s->hundredths = 0;
    if (!at_side)
        s->legend.y = page->height - s->legend.height;
    s->body = (struct report_box){area.x + (area.width - width * s->hundredths / 100) / 2,
                                  area.y + (area.height - height * s->hundredths / 100) / 2, 0, 0};
}

/* How many hundredths it comes to; what is found is in the slide. */
static int lay_out(struct slide *s, const struct report_graph *graph, const struct way_out *way)
{
    s->metrics = metrics_of(way);
    s->d.graph = way->keyed ? keyed(s->d.arena, graph) : graph;
    s->d.metrics = &s->metrics;
    s->d.layout = report_layout_new(s->d.arena, s->d.graph, &s->metrics);
    fit(s, true);
    int at_side = s->hundredths;
    fit(s, false);
    if (s->hundredths < at_side)
        fit(s, true);
    return s->hundredths;
}

static void choose_way(struct slide *s, const struct report_graph *graph)
{
    int first = graph->event_count > MOST_TRIED ? WAYS_OUT - 1 : 0, best = first, most = -1;
    for (int i = first; i < WAYS_OUT && most < 100; i++) {
        int hundredths = lay_out(s, graph, &ways_out[i]);
        if (hundredths > most) {
            most = hundredths;
            best = i;
        }
    }
    (void)lay_out(s, graph, &ways_out[best]);
}

static struct report_size larger(struct report_size page)
{
    int sixteenths = page.width / 64 * 5;
    return (struct report_size){16 * sixteenths, 9 * sixteenths};
}

/* A page on which titles and legend take no more than half. */
static void choose_page(struct slide *s, const struct report_graph *graph)
{
    struct report_box legend = {0};
    s->metrics = metrics_of(&ways_out[WAYS_OUT - 1]);
    s->d.metrics = &s->metrics;
    s->d.graph = keyed(s->d.arena, graph);
    s->d.layout = report_layout_new(s->d.arena, s->d.graph, &s->metrics);
    s->page = (struct report_size){WIDTH, HEIGHT};
    for (;;) {
        s->titles = (struct report_titles){s->page.width, LINE, NAME_FONT, FONT};
        s->top = MARGIN + LINE * (int)report_picture_titles(graph, &s->titles, NULL);
        legend.width = s->page.width - 2 * MARGIN;
        if (s->top + report_picture_legend(&s->d, legend, false) <= s->page.height / 2)
            return;
        s->page = larger(s->page);
    }
}

struct report_size report_slide(const struct report_graph *graph, const char *attributes,
                                struct strbuf *svg)
{
    SCOPED(arena) arena = {0};
    const struct report_size size = {WIDTH, HEIGHT};
    struct slide s = {.d = {.arena = &arena, .graph = graph, .out = svg}};
    choose_page(&s, graph);
    choose_way(&s, graph);
    report_picture_open(&s.d, size, s.page, attributes);
    (void)report_picture_titles(graph, &s.titles, svg);
    strbuf_printf(svg, "<g class=\"execution\" transform=\"translate(%d %d) scale(%d.%02d)\">\n",
                  s.body.x, s.body.y, s.hundredths / 100, s.hundredths % 100);
    report_picture_execution(&s.d);
    strbuf_add(svg, "</g>\n");
    (void)report_picture_legend(&s.d, s.legend, true);
    strbuf_add(svg, "</svg>\n");
    return size;
}

/* Returns how many lines; `out` may be NULL. */
static int add_words(const char *text, int width, struct strbuf *out)
{
    const struct report_wrap wrap = {
        .x = MARGIN,
        .y = MARGIN + FONT,
        .width = width - 2 * MARGIN,
        .tenths = (FONT * 61 + 9) / 10,
        .attributes = "font-size=\"18\" class=\"title ink\" fill=\"" REPORT_INK "\"",
        .line = LINE};
    return (int)report_wrap_lines(&wrap, text, out);
}

struct report_size report_slide_words(const char *text, struct strbuf *svg)
{
    const struct report_size size = {WIDTH, HEIGHT};
    const struct report_graph graph = {.name = "words"};
    const struct drawing d = {.graph = &graph, .out = svg};
    struct report_size page = size;
    while (2 * MARGIN + LINE * add_words(text, page.width, NULL) > page.height)
        page = larger(page);
    report_picture_open(&d, size, page, "");
    (void)add_words(text, page.width, svg);
    strbuf_add(svg, "</svg>\n");
    return size;
}
