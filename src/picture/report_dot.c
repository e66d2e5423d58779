/* An execution for Graphviz: rows are ranks, a cluster for each scope instance, and a chain of
 * points for the crash cut, one in each column. */
#include "base/utf8.h"
#include "picture/report_layout.h"
#include "picture/report_picture.h"

struct dot {
    struct arena *arena;
    const struct report_graph *graph;
    const uint32_t *rows;
    uint32_t first, row_count, above; /* above: rows over the cut */
    uint32_t clusters;
    struct strbuf *out;
};

/* Graphviz reads strings of at most 16384 bytes. */
enum { MOST_BYTES = 8192 };

void report_dot_string(struct strbuf *out, const char *text)
{
    const size_t end = out->length + MOST_BYTES;
    strbuf_add_char(out, '"');
    while (*text && out->length < end) {
        size_t length = utf8_length(text);
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            strbuf_printf(out, "\\%c", c);
        else if (c == '\n')
            strbuf_add(out, "\\l");
        else if (length == 0 || utf8_control(text, length) >= 0)
            strbuf_add(out, UTF8_REPLACEMENT);
        else
            strbuf_add_bytes(out, text, length);
        text += length ? length : 1;
    }
    strbuf_add(out, *text ? "...\"" : "\"");
}

static void add_node(struct dot *d, uint32_t e)
{
    static const char *const fates[] = {
        "style=filled fillcolor=white", "style=filled fillcolor=\"#a9dcb3\"",
        "style=striped fillcolor=\"#f4c7c3:white:#f4c7c3:white:#f4c7c3\"",
        "style=\"dashed\" color=\"#8a96a6\" fontcolor=\"" REPORT_SOFT "\"",
        "style=filled fillcolor=\"#e8ecf1\" color=\"" REPORT_MARKED "\""};
    const struct report_event *event = &d->graph->events[e];
    bool init = e < d->graph->init_count;
    const char *source = report_shown_source(d->arena, &report_metrics_screen, event);
    const char *label =
        *source ? arena_printf(d->arena, "%s\n%s\n", event->label, source) : event->label;
    strbuf_printf(d->out, "  e%u [label=", e);
    report_dot_string(d->out, label);
    strbuf_printf(d->out, " class=\"event %s%s\" ", init ? "init " : "",
                  report_fate_class(event->fate));
    strbuf_add(d->out, init && event->fate == REPORT_EXECUTED ? "style=filled fillcolor=\"#e8ecf1\""
                                                              : fates[event->fate]);
    strbuf_printf(d->out, "%s%s];\n", event->nvm ? " peripheries=2" : "",
                  event->marked ? " penwidth=3 color=\"" REPORT_MARKED "\"" : "");
}

/* ---- Clusters ---- */

static void add_column(struct dot *d, uint32_t c)
{
    strbuf_printf(d->out, "  p%u [shape=plaintext label=", c);
    report_dot_string(d->out, d->graph->columns[c]->name);
    strbuf_add(d->out, "];\n");
    for (uint32_t e = d->graph->init_count; e < d->graph->event_count; e++)
        if (d->graph->events[e].column == c)
            add_node(d, e);
    if (d->graph->crash)
        strbuf_printf(d->out, "  cut%u [shape=point width=0.05 color=\"" REPORT_CUT "\"];\n", c);
}

enum { LEVELS = 3 }; /* without sub-groups */

/* A device or kernel that has all threads is told in the title: with a cluster around everything
 * dot loses the order of the clusters in it. */
static bool is_told(const struct dot *d, uint32_t level)
{
    bool all = d->graph->column_count > 0 && level + 1 < LEVELS;
    for (uint32_t c = 1; c < d->graph->column_count; c++)
        all &= report_in_one(d->graph, 0, c, level);
    return all;
}

static void add_clusters(struct dot *d, uint32_t begin, uint32_t end, uint32_t level)
{
    for (uint32_t at = begin, next; at < end; at = next) {
        bool told = is_told(d, level);
        for (next = at + 1; next < end && report_in_one(d->graph, at, next, level); next++)
            ;
        if (!told) {
            strbuf_printf(d->out, "subgraph cluster%u { label=\"", d->clusters++);
            report_scope_name(d->graph, at, level, d->out);
            strbuf_add(d->out, "\";\n");
        }
        if (level + 1 < LEVELS)
            add_clusters(d, at, next, level + 1);
        for (uint32_t c = at; level + 1 == LEVELS && c < next; c++)
            add_column(d, c);
        strbuf_add(d->out, told ? "" : "}\n");
    }
}

/* ---- Ranks ---- */

static void add_ranks(struct dot *d)
{
    for (uint32_t row = 0; row < d->row_count; row++) {
        strbuf_printf(d->out, "{ rank=same; r%u;", row);
        for (uint32_t e = 0; e < d->graph->event_count; e++)
            if (d->rows[e] == row && (e >= d->graph->init_count || row == 0))
                strbuf_printf(d->out, " e%u;", e);
        strbuf_add(d->out, " }\n");
    }
    strbuf_add(d->out, "{ rank=same; heads;");
    for (uint32_t c = 0; c < d->graph->column_count; c++)
        strbuf_printf(d->out, " p%u;", c);
    strbuf_add(d->out, " }\n");
    if (d->graph->crash) {
        strbuf_add(d->out, "{ rank=same; cut;");
        for (uint32_t c = 0; c < d->graph->column_count; c++)
            strbuf_printf(d->out, " cut%u;", c);
        strbuf_add(d->out, " }\n");
    }
}

/* Unseen nodes, one a rank, that hold the ranks in their order. */
static void add_spine(struct dot *d)
{
    strbuf_add(d->out, "node [style=invis shape=point width=0 label=\"\"]; heads;");
    for (uint32_t row = 0; row < d->row_count; row++)
        strbuf_printf(d->out, " r%u;", row);
    strbuf_add(d->out, "\n");
    if (d->graph->crash)
        strbuf_add(d->out, "cut [style=\"\" shape=plaintext label=\"crash\" "
                           "fontcolor=\"" REPORT_CUT "\"];\n");
    bool fresh = true;
    for (uint32_t row = 0; row <= d->row_count; row++) {
        if (row == d->first) {
            strbuf_printf(d->out, "%sheads", fresh ? "" : " -> ");
            fresh = false;
        }
        if (d->graph->crash && row == d->above) {
            strbuf_printf(d->out, "%scut", fresh ? "" : " -> ");
            fresh = false;
        }
        if (row < d->row_count) {
            strbuf_printf(d->out, "%sr%u", fresh ? "" : " -> ", row);
            fresh = false;
        }
    }
    strbuf_add(d->out, " [style=invis];\n");
}

/* ---- Edges ---- */

static void add_edge(struct dot *d, const struct report_edge *edge)
{
    bool po = edge->kind == REPORT_EDGE_PO;
    const struct report_stroke *stroke = report_edge_stroke(d->graph, edge);
    const char *colour = stroke->colour;
    if (edge->unseen) {
        strbuf_printf(d->out, "e%u -> e%u [style=invis weight=20];\n", edge->from, edge->to);
        return;
    }
    strbuf_printf(d->out, "e%u -> e%u [class=\"edge %s%s\" color=\"%s%s\" fontcolor=\"%s\"",
                  edge->from, edge->to, report_edge_class(d->graph, edge),
                  edge->marked ? " marked" : "", colour, edge->marked ? ":" REPORT_MARKED : "",
                  colour);
    if (*edge->label) {
        strbuf_add(d->out, " label=");
        report_dot_string(d->out, edge->label);
    }
    strbuf_printf(d->out, "%s%s%s%s%s];\n", po ? " weight=20" : " constraint=false", stroke->dot,
                  edge->both_ways  ? " dir=none"
                  : edge->hub_from ? " dir=both arrowtail=dot"
                                   : "",
                  edge->hub_to ? " arrowhead=dot" : "", edge->marked ? " penwidth=2" : "");
}

static void add_edges(struct dot *d)
{
    for (uint32_t i = 0; i < d->graph->edge_count; i++)
        add_edge(d, &d->graph->edges[i]);
    for (uint32_t c = 0; c + 1 < d->graph->column_count; c++) {
        strbuf_printf(d->out, "p%u -> p%u [style=invis];\n", c, c + 1);
        if (d->graph->crash)
            strbuf_printf(d->out,
                          "cut%u -> cut%u [class=\"cut\" dir=none style=dashed penwidth=2 "
                          "color=\"" REPORT_CUT "\"];\n",
                          c, c + 1);
    }
    if (d->graph->crash && d->graph->column_count)
        strbuf_printf(d->out,
                      "cut%u -> cut [class=\"cut\" dir=none style=dashed penwidth=2 "
                      "color=\"" REPORT_CUT "\"];\n",
                      d->graph->column_count - 1);
    for (uint32_t c = 0; c < d->graph->column_count; c++) {
        uint32_t e = d->graph->init_count;
        while (e < d->graph->event_count && d->graph->events[e].column != c)
            e++;
        if (e < d->graph->event_count)
            strbuf_printf(d->out, "p%u -> e%u [style=invis weight=20];\n", c, e);
    }
}

static void count_rows(struct dot *d)
{
    d->row_count = d->first = d->first ? 1 : 0;
    d->above = d->first;
    for (uint32_t e = d->graph->init_count; e < d->graph->event_count; e++) {
        uint32_t row = d->rows[e] + 1;
        d->row_count = row > d->row_count ? row : d->row_count;
        if (d->graph->events[e].fate != REPORT_AHEAD && row > d->above)
            d->above = row;
    }
}

/* Of several rows of initial writes there is one rank. */
static const uint32_t *ranks_of(struct arena *arena, const struct report_graph *graph,
                                uint32_t *first)
{
    uint32_t *rows = report_layout_rows(arena, graph, first);
    for (uint32_t e = graph->init_count; *first && e < graph->event_count; e++)
        rows[e] -= *first - 1;
    return rows;
}

void report_dot(const struct report_graph *graph, struct strbuf *out)
{
    SCOPED(arena) arena = {0};
    struct dot d = {.arena = &arena, .graph = graph, .out = out};
    d.rows = ranks_of(&arena, graph, &d.first);
    count_rows(&d);
    strbuf_add(out, "digraph ");
    report_dot_string(out, graph->name);
    strbuf_add(out, " {\nnewrank=true; compound=true; fontname=\"DejaVu Sans Mono\"; "
                    "fontsize=11; labelloc=t; labeljust=l; nodesep=0.5; ranksep=0.35; label=");
    SCOPED(strbuf) title = {0};
    const char *const lines[] = {graph->name, graph->state, graph->condition, graph->note};
    strbuf_add(&title, graph->forbidden ? "FORBIDDEN: " : "");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        strbuf_printf(&title, "%s%s", lines[i], *lines[i] ? "\n" : "");
    for (uint32_t level = 0; level < LEVELS && is_told(&d, level); level++) {
        strbuf_add(&title, level ? ", " : "");
        report_scope_name(graph, 0, level, &title);
    }
    if (is_told(&d, 0))
        strbuf_add_char(&title, '\n');
    report_dot_string(out, strbuf_text(&title));
    strbuf_add(out, ";\nnode [shape=box fontname=\"DejaVu Sans Mono\" fontsize=11 height=0.35];\n"
                    "edge [fontname=\"DejaVu Sans Mono\" fontsize=10 arrowsize=0.7];\n");
    for (uint32_t e = 0; e < graph->init_count; e++)
        add_node(&d, e);
    add_clusters(&d, 0, graph->column_count, 0);
    add_spine(&d);
    add_ranks(&d);
    add_edges(&d);
    strbuf_add(out, "}\n");
}

void report_dot_text(const char *text, struct strbuf *out)
{
    strbuf_add(out, "digraph ");
    report_dot_string(out, text);
    strbuf_add(out, " {\nnothing [shape=plaintext label=");
    report_dot_string(out, text);
    strbuf_add(out, "];\n}\n");
}
