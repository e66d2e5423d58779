/* The legend: fates of events, labels of edges that have none of their own, and tags, one behind
 * the other in as many lines as they take. */
#include "picture/report_picture_parts.h"

#include "report/report_string.h"

#include <string.h>

enum { BOX = 26, STROKE = 34, BETWEEN = 18, AFTER_SIGN = 6 };

struct flow {
    const struct drawing *d;
    struct report_box area;
    int x, y, line;
    bool drawn, begun;
};

/* Where the next key begins, which is so wide. */
static void advance(struct flow *flow, int width)
{
    if (flow->begun && flow->x + width > flow->area.x + flow->area.width) {
        flow->x = flow->area.x;
        flow->y += flow->line;
    }
    flow->begun = true;
}

static int text_width(const struct flow *flow, const char *text)
{
    return report_text_width(text, flow->d->metrics->label_font);
}

static void add_words(const struct flow *flow, int x, const char *text)
{
    char attributes[96];
    snprintf(attributes, sizeof attributes,
             "font-size=\"%d\" fill=\"" REPORT_SOFT "\" class=\"soft\"",
             flow->d->metrics->label_font);
    report_picture_text(flow->d, attributes, x, flow->y + flow->d->metrics->label_font + 1, text);
}

static void add_text(struct flow *flow, const char *text)
{
    int width = text_width(flow, text);
    advance(flow, width);
    if (flow->drawn)
        add_words(flow, flow->x, text);
    flow->x += width + BETWEEN;
}

/* ---- Boxes ---- */

static void add_fate(struct flow *flow, enum report_fate fate, bool nvm, const char *text)
{
    int width = BOX + AFTER_SIGN + text_width(flow, text),
        height = flow->d->metrics->label_font + 5;
    advance(flow, width);
    struct report_box box = {flow->x, flow->y, BOX, height};
    if (flow->drawn) {
        strbuf_printf(flow->d->out, "<g class=\"key %s\">", report_fate_class(fate));
        report_picture_box(flow->d->out, &box, fate, false, nvm);
        add_words(flow, flow->x + BOX + AFTER_SIGN, text);
        strbuf_add(flow->d->out, "</g>\n");
    }
    flow->x += width + BETWEEN;
}

static void add_fates(struct flow *flow)
{
    if (!flow->d->graph->crash)
        return;
    add_fate(flow, REPORT_DURABLE, true, "durable");
    add_fate(flow, REPORT_LOST, true, "executed, lost");
    add_fate(flow, REPORT_AHEAD, false, "not executed");
}

/* ---- Edges ---- */

static void add_edge(struct flow *flow, const struct report_edge *edge, const char *text)
{
    int width = STROKE + AFTER_SIGN + text_width(flow, text);
    advance(flow, width);
    if (flow->drawn) {
        strbuf_printf(flow->d->out, "<g class=\"key %s\"><path d=\"M%d %dh%d",
                      report_edge_class(flow->d->graph, edge), flow->x,
                      flow->y + flow->d->metrics->label_font / 2 + 2, (int)STROKE);
        report_picture_stroke(flow->d->out, report_edge_stroke(flow->d->graph, edge));
        add_words(flow, flow->x + STROKE + AFTER_SIGN, text);
        strbuf_add(flow->d->out, "</g>\n");
    }
    flow->x += width + BETWEEN;
}

static void add_edges(struct flow *flow)
{
    const struct report_graph *graph = flow->d->graph;
    bool hubs = false;
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        hubs |= graph->edges[i].hub_from || graph->edges[i].hub_to;
        if (report_edge_leads(graph, i))
            add_edge(flow, &graph->edges[i], graph->edges[i].label);
    }
    if (hubs)
        add_text(flow, "\xe2\x97\x8f all who meet there");
}

/* ---- Words ---- */

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (size_t here; *text; text += here + strspn(text + here, " ")) {
        here = strcspn(text, " ");
        if (here == length && memcmp(text, word, length) == 0)
            return true;
    }
    return false;
}

/* Of the label of an event or a scope. */
static bool is_in_labels(const struct drawing *d, const char *word)
{
    for (uint32_t e = 0; e < d->graph->event_count; e++)
        if (has_word(d->graph->events[e].label, word))
            return true;
    return ANY(i, d->layout->scope_count, has_word(d->layout->scopes[i].label, word));
}

static void add_tags(struct flow *flow)
{
    static const struct {
        const char *word, *meaning;
    } tags[] = {{"R", "read"},
                {"W", "write"},
                {"F", "fence"},
                {"B", "execution barrier"},
                {"PB", "persist barrier"},
                {"NA", "not atomic"},
                {"RLX", "relaxed"},
                {"ACQ", "acquire"},
                {"REL", "release"},
                {"ACQ_REL", "acquire and release"},
                {"SC", "sequentially consistent"},
                {"WI", "work-item"},
                {"SG", "sub-group"},
                {"WG", "work-group"},
                {"KR", "kernel"},
                {"DV", "device"},
                {"ALL", "all devices"}};
    char text[64];
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        if (!is_in_labels(flow->d, tags[i].word))
            continue;
        snprintf(text, sizeof text, "%s %s", tags[i].word, tags[i].meaning);
        add_text(flow, text);
    }
}

static void add_frames(struct flow *flow)
{
    static const char text[] = "double frame: in NVRAM";
    bool nvm = false;
    for (uint32_t e = 0; e < flow->d->graph->event_count; e++)
        nvm |= flow->d->graph->events[e].nvm;
    if (nvm)
        add_text(flow, text);
}

int report_picture_legend(const struct drawing *d, struct report_box area, bool drawn)
{
    struct flow flow = {d, area, area.x, area.y, d->metrics->label_font * 3 / 2 + 4, drawn, false};
    if (drawn)
        strbuf_add(d->out, "<g class=\"legend\">\n");
    add_fates(&flow);
    add_edges(&flow);
    add_tags(&flow);
    add_frames(&flow);
    if (drawn)
        strbuf_add(d->out, "</g>\n");
    return flow.begun ? flow.y - area.y + flow.line : 0;
}
