/* Boxes on a grid of rows and columns; between them channels and gaps that are as wide as the edges
 * in them need. Edges are sorted by how they go: plumb down a column, in an arc beside it, through
 * the channel to the next column, or over columns in a lane between two rows. */
#include "picture/report_layout_route.h"

#include "base/strbuf.h"
#include "report/report_wrap.h"

#include <string.h>

enum {
    MARGIN = 16,
    CUT = 22,       /* what the cut adds to a gap */
    CUT_ABOVE = 16, /* and how far it is above the next row */
    PAD = 8,        /* between nested scope boxes */
    AROUND = 22,    /* what a box is wider than its text */
    LEAST_BOX = 70
};

const struct report_metrics report_metrics_screen = {.font = 12,
                                                     .source_font = 10,
                                                     .label_font = 11,
                                                     .scope_font = 10,
                                                     .source = REPORT_SOURCE_BELOW,
                                                     .most_source = 32,
                                                     .box = 36,
                                                     .port = 15,
                                                     .gap = 30,
                                                     .lane = 14,
                                                     .channel = 34,
                                                     .track = 9,
                                                     .head = 22,
                                                     .scope = 17,
                                                     .title = 62};

/* Tenths of a pixel of a character of a monospaced font, rounded up. */
int report_text_width(const char *text, int font)
{
    return (int)report_wrap_characters(text) * ((font * 61 + 9) / 10) / 10;
}

const char *report_shown_source(struct arena *arena, const struct report_metrics *metrics,
                                const struct report_event *event)
{
    size_t most = (size_t)metrics->most_source, at = 0;
    if (metrics->source == REPORT_SOURCE_NONE)
        return "";
    if (report_wrap_characters(event->source) <= most)
        return event->source;
    for (size_t i = 0; i + 3 < most; i++)
        at += report_wrap_step(event->source + at);
    return arena_printf(arena, "%.*s...", (int)at, event->source);
}

/* ---- The grid ---- */

static void place_threads(struct layout *l)
{
    const struct report_graph *graph = l->graph;
    l->slots = report_layout_slots(graph);
    l->offset = (l->slots - graph->column_count) / 2;
    for (uint32_t e = graph->init_count; e < graph->event_count; e++) {
        l->column[e] = l->offset + graph->events[e].column;
        if (l->out->rows[e] >= l->row_count)
            l->row_count = l->out->rows[e] + 1;
    }
    if (l->row_count < l->first)
        l->row_count = l->first;
}

/* The first writer of an initial write's location, else the first event that an edge joins with
 * it; LIT_NONE without either. */
static uint32_t wanted_below(const struct layout *l, uint32_t init)
{
    BASE_ASSERT(init < l->graph->event_count);
    const struct report_graph *graph = l->graph;
    uint32_t found = LIT_NONE;
    for (uint32_t e = graph->init_count; e < graph->event_count; e++)
        if (graph->events[e].writes != LIT_NONE &&
            graph->events[e].writes == graph->events[init].writes &&
            (found == LIT_NONE || l->out->rows[e] < l->out->rows[found]))
            found = e;
    for (uint32_t i = 0; found == LIT_NONE && i < graph->edge_count; i++)
        if (graph->edges[i].from == init && graph->edges[i].to >= graph->init_count)
            found = graph->edges[i].to;
    return found;
}

static uint32_t wanted_column(const struct layout *l, uint32_t init)
{
    uint32_t below = wanted_below(l, init);
    return below == LIT_NONE ? init % l->slots : l->column[below];
}

/* As near to where it is wanted as there is room, the lowest row first. */
static void place_init(struct layout *l, bool *taken, uint32_t init)
{
    BASE_ASSERT(init < l->graph->event_count);
    uint32_t wanted = wanted_column(l, init);
    for (uint32_t away = 0; away < 2 * l->slots; away++)
        for (uint32_t row = l->first; row-- > 0;) {
            uint32_t step = (away + 1) / 2;
            uint32_t column = away % 2 ? wanted + step : wanted - step;
            if (column >= l->slots || taken[row * l->slots + column])
                continue;
            taken[row * l->slots + column] = true;
            l->column[init] = column;
            l->out->rows[init] = row;
            return;
        }
}

static void place_inits(struct layout *l)
{
    bool *taken = ARENA_ARRAY(l->arena, bool, (size_t)l->first * l->slots + 1);
    for (uint32_t e = l->graph->init_count; e-- > 0;) /* rows fill from below */
        place_init(l, taken, e);
}

/* ---- Scopes ---- */

bool report_in_one(const struct report_graph *graph, uint32_t a, uint32_t b, uint32_t level)
{
    static const enum lit_scope scopes[REPORT_LEVELS] = {LIT_SCOPE_DV, LIT_SCOPE_KR, LIT_SCOPE_WG,
                                                         LIT_SCOPE_SG};
    return lit_same_instance(graph->columns[a], graph->columns[b], scopes[level]);
}

static void add_scope(const struct report_graph *graph, uint32_t column, uint32_t level, bool brief,
                      struct strbuf *out)
{
    BASE_ASSERT(column < graph->column_count);
    static const char *const names[REPORT_LEVELS] = {"device", "kernel", "work-group", "sub-group"};
    static const enum lit_scope tags[REPORT_LEVELS] = {LIT_SCOPE_DV, LIT_SCOPE_KR, LIT_SCOPE_WG,
                                                       LIT_SCOPE_SG};
    const struct lit_thread *t = graph->columns[column];
    const uint32_t numbers[REPORT_LEVELS] = {t->dev, t->kr, t->wg, t->sg};
    strbuf_printf(out, "%s %u", brief ? lit_scope_tags[tags[level]] : names[level], numbers[level]);
}

void report_scope_name(const struct report_graph *graph, uint32_t column, uint32_t level,
                       struct strbuf *out)
{
    add_scope(graph, column, level, false, out);
}

static uint32_t levels_drawn(const struct report_graph *graph)
{
    for (uint32_t c = 1; c < graph->column_count; c++)
        if (report_in_one(graph, c - 1, c, 2) && !report_in_one(graph, c - 1, c, 3))
            return REPORT_LEVELS;
    return REPORT_LEVELS - 1;
}

static uint32_t end_of(const struct report_graph *graph, uint32_t begin, uint32_t level)
{
    uint32_t end = begin + 1;
    while (end < graph->column_count && report_in_one(graph, begin, end, level))
        end++;
    return end;
}

static const char *scope_label(const struct layout *l, const struct scope *scope)
{
    struct strbuf text = {0};
    for (uint32_t level = scope->level; level < scope->below; level++) {
        strbuf_add(&text, level == scope->level ? "" : l->metrics->brief ? " " : " \xc2\xb7 ");
        add_scope(l->graph, scope->begin, level, l->metrics->brief, &text);
    }
    return strbuf_take(&text, l->arena);
}

/* A box for the threads from `begin` to `end`, and those within it. Returns how deep they nest. */
static uint32_t find_scopes(struct layout *l, uint32_t begin, uint32_t end, uint32_t level,
                            uint32_t depth)
{
    uint32_t levels = levels_drawn(l->graph), deepest = depth;
    for (uint32_t at = begin; level < levels && at < end;) {
        struct scope scope = {at, end_of(l->graph, at, level), level, level + 1, depth};
        while (scope.below < levels && end_of(l->graph, at, scope.below) == scope.end)
            scope.below++;
        l->scopes[l->scope_count++] = scope;
        uint32_t inner = find_scopes(l, at, scope.end, scope.below, depth + 1);
        deepest = inner > deepest ? inner : deepest;
        at = scope.end;
    }
    return deepest;
}

static void make_scopes(struct layout *l)
{
    l->scopes =
        ARENA_ARRAY(l->arena, struct scope, (size_t)l->graph->column_count * REPORT_LEVELS + 1);
    l->depth = find_scopes(l, 0, l->graph->column_count, 0, 0);
    l->out->scopes = ARENA_ARRAY(l->arena, struct report_scope_box, l->scope_count + 1);
    l->out->scope_count = l->scope_count;
    for (uint32_t i = 0; i < l->scope_count; i++)
        l->out->scopes[i].label = scope_label(l, &l->scopes[i]);
}

/* ---- Sizes ---- */

static void widen(int *width, int wanted)
{
    if (*width < wanted)
        *width = wanted;
}

static int box_width(const struct layout *l, const struct report_event *event)
{
    const struct report_metrics *metrics = l->metrics;
    const char *source = report_shown_source(l->arena, metrics, event);
    int label = report_text_width(event->label, metrics->font);
    int text = report_text_width(source, metrics->source_font);
    if (metrics->source == REPORT_SOURCE_BESIDE && *source)
        return label + text + 2 * AROUND;
    return (label > text ? label : text) + AROUND;
}

static void size_columns(struct layout *l)
{
    const struct report_graph *graph = l->graph;
    for (uint32_t c = 0; c < l->slots; c++)
        l->box_width[c] = LEAST_BOX;
    for (uint32_t e = 0; e < graph->event_count; e++)
        widen(&l->box_width[l->column[e]], box_width(l, &graph->events[e]));
    for (uint32_t c = 0; c < l->slots; c++)
        l->column_width[c] = l->box_width[c];
    for (uint32_t c = 0; c < graph->column_count; c++)
        widen(&l->column_width[c + l->offset],
              report_text_width(graph->columns[c]->name, l->metrics->font) + 8);
    for (uint32_t i = 0; i < l->scope_count; i++)
        if (l->scopes[i].end == l->scopes[i].begin + 1)
            widen(&l->column_width[l->scopes[i].begin + l->offset],
                  report_text_width(l->out->scopes[i].label, l->metrics->scope_font));
}

/* A channel lies left of the column of its number. */
static void count_in_channel(struct layout *l, uint32_t channel, const struct report_edge *edge)
{
    l->channel_width[channel] += l->metrics->track;
    widen(&l->label_width[channel],
          report_text_width(report_edge_text(edge), l->metrics->label_font));
}

/* An arc keeps its label beside it. */
static void fit_arcs(struct layout *l)
{
    for (uint32_t i = 0; i < l->graph->edge_count; i++) {
        const struct report_edge *edge = &l->graph->edges[i];
        const struct way *way = &l->ways[i];
        if (way->kind == WAY_ARC)
            widen(&l->channel_width[l->column[edge->from] + (way->from_right ? 1 : 0)],
                  report_layout_reach(way) +
                      report_text_width(report_edge_text(edge), l->metrics->label_font) + 12);
    }
}

static void size_channels(struct layout *l)
{
    for (uint32_t i = 0; i < l->graph->edge_count; i++) {
        const struct report_edge *edge = &l->graph->edges[i];
        const struct way *way = &l->ways[i];
        uint32_t a = l->column[edge->from], b = l->column[edge->to];
        if (way->kind == WAY_PLUMB)
            continue;
        count_in_channel(l, a + (way->from_right ? 1 : 0), edge);
        if (way->kind == WAY_LANE)
            count_in_channel(l, b + (way->to_right ? 1 : 0), edge);
    }
    for (uint32_t c = 0; c <= l->slots; c++) {
        bool outer = c == 0 || c == l->slots;
        int tracks = l->channel_width[c] < 150 ? l->channel_width[c] : 150;
        bool crossed = tracks > 0;
        l->channel_width[c] = (outer ? 4 : l->metrics->channel) + tracks;
        if (crossed)
            l->channel_width[c] += l->label_width[c] + (outer ? 0 : 16);
    }
    fit_arcs(l);
    for (uint32_t i = 0; i < l->scope_count; i++) {
        int pad = PAD * (int)(l->depth - l->scopes[i].depth) + 6;
        widen(&l->channel_width[l->scopes[i].begin + l->offset], 2 * pad);
        widen(&l->channel_width[l->scopes[i].end + l->offset], 2 * pad);
    }
}

static void size_rows(struct layout *l)
{
    for (uint32_t row = 0; row < l->row_count; row++)
        l->row_height[row] = l->metrics->box;
    for (uint32_t e = 0; e < l->graph->event_count; e++)
        for (int side = 0; side < 2; side++)
            widen(&l->row_height[l->out->rows[e]], l->metrics->port * (int)l->ports[side][e] + 6);
}

/* Rows above the cut; those of initial writes always are. */
static uint32_t rows_above_cut(const struct layout *l)
{
    uint32_t above = l->first;
    for (uint32_t e = l->graph->init_count; e < l->graph->event_count; e++)
        if (l->graph->events[e].fate != REPORT_AHEAD && l->out->rows[e] >= above)
            above = l->out->rows[e] + 1;
    return above;
}

static int add_cut(struct layout *l, int y)
{
    l->out->cut = y + CUT - CUT_ABOVE;
    return y + CUT;
}

static int add_heads(struct layout *l, int y)
{
    l->head_top = y;
    return y + l->metrics->head + l->metrics->scope * (int)l->depth;
}

static void set_levels(struct layout *l)
{
    int y = MARGIN + l->metrics->title;
    uint32_t above = l->graph->crash ? rows_above_cut(l) : UINT32_MAX;
    for (uint32_t row = 0; row <= l->row_count; row++) {
        if (row == l->first)
            y = add_heads(l, y);
        if (row == above)
            y = add_cut(l, y);
        if (row == l->row_count)
            break;
        l->row_y[row] = y;
        y += l->row_height[row];
        l->lane_y[row] = y + l->metrics->gap / 2;
        y += l->metrics->gap + (l->lanes[row] ? l->metrics->lane * (int)(l->lanes[row] - 1) : 0);
    }
    l->bottom = l->row_count && !l->lanes[l->row_count - 1] ? y - l->metrics->gap / 3 : y;
}

static void set_columns(struct layout *l)
{
    int x = MARGIN + PAD * (int)l->depth;
    for (uint32_t c = 0; c < l->slots; c++) {
        x += l->channel_width[c];
        l->column_x[c] = x;
        x += l->column_width[c];
    }
    l->end_x = x + l->channel_width[l->slots];
    l->out->left = MARGIN;
    l->out->right = l->end_x + PAD * (int)l->depth;
    l->out->width = l->out->right + MARGIN +
                    (l->graph->crash ? report_text_width("crash", l->metrics->font) + 6 : 0);
    l->out->height = l->bottom + PAD * (int)l->depth + MARGIN;
}

/* ---- What stands on it ---- */

/* Boxes of one column are as wide as the widest, so that arcs beside it pass all of them. */
static void set_boxes(struct layout *l)
{
    for (uint32_t e = 0; e < l->graph->event_count; e++) {
        uint32_t row = l->out->rows[e], column = l->column[e];
        int width = l->box_width[column];
        l->out->events[e] =
            (struct report_box){l->column_x[column] + (l->column_width[column] - width) / 2,
                                l->row_y[row], width, l->row_height[row]};
    }
}

static void set_scopes(struct layout *l)
{
    for (uint32_t i = 0; i < l->scope_count; i++) {
        const struct scope *scope = &l->scopes[i];
        uint32_t last = scope->end - 1 + l->offset;
        int pad = PAD * (int)(l->depth - scope->depth) - 2;
        int left = l->column_x[scope->begin + l->offset] - pad;
        int top = l->head_top + l->metrics->scope * (int)scope->depth - 4;
        l->out->scopes[i].box =
            (struct report_box){left, top, l->column_x[last] + l->column_width[last] + pad - left,
                                l->bottom + pad - 4 - top};
    }
    l->out->heads = ARENA_ARRAY(l->arena, struct report_point, l->graph->column_count + 1);
    for (uint32_t c = 0; c < l->graph->column_count; c++)
        l->out->heads[c] = (struct report_point){
            l->column_x[c + l->offset] + l->column_width[c + l->offset] / 2,
            l->head_top + l->metrics->scope * (int)l->depth + l->metrics->head - 10};
}

static void allocate(struct layout *l)
{
    uint32_t events = l->graph->event_count + 1, edges = l->graph->edge_count + 1;
    l->column = ARENA_ARRAY(l->arena, uint32_t, events);
    l->ports[0] = ARENA_ARRAY(l->arena, uint32_t, events);
    l->ports[1] = ARENA_ARRAY(l->arena, uint32_t, events);
    l->ways = ARENA_ARRAY(l->arena, struct way, edges);
    l->out->events = ARENA_ARRAY(l->arena, struct report_box, events);
    l->out->routes = ARENA_ARRAY(l->arena, struct report_route, edges);
}

static void allocate_grid(struct layout *l)
{
    uint32_t rows = l->row_count + 1, columns = l->slots + 2;
    int **const of_rows[] = {&l->row_y, &l->row_height, &l->lane_y};
    int **const of_columns[] = {&l->column_x, &l->column_width, &l->box_width, &l->channel_width,
                                &l->label_width};
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++)
        *of_rows[i] = ARENA_ARRAY(l->arena, int, rows);
    for (size_t i = 0; i < sizeof of_columns / sizeof *of_columns; i++)
        *of_columns[i] = ARENA_ARRAY(l->arena, int, columns);
    l->lanes = ARENA_ARRAY(l->arena, uint32_t, rows);
}

struct report_layout *report_layout_new(struct arena *arena, const struct report_graph *graph,
                                        const struct report_metrics *metrics)
{
    struct layout l = {.arena = arena, .graph = graph, .metrics = metrics};
    l.out = ARENA_NEW(arena, struct report_layout);
    l.out->rows = report_layout_rows(arena, graph, &l.first);
    allocate(&l);
    place_threads(&l);
    place_inits(&l);
    allocate_grid(&l);
    make_scopes(&l);
    report_layout_choose_ways(&l);
    size_columns(&l);
    size_channels(&l);
    size_rows(&l);
    set_levels(&l);
    set_columns(&l);
    set_boxes(&l);
    set_scopes(&l);
    report_layout_set_routes(&l);
    return l.out;
}
