/* What is drawn of a witness: its threads, its events with their labels, what became of them. */
#include "answer/report_graph_edges.h"

#include "base/bits.h"
#include "engine/witness.h"

#include <stdlib.h>
#include <string.h>

static bool look_alike(const struct report_edge *a, const struct report_edge *b)
{
    return a->kind == b->kind && strcmp(a->label, b->label) == 0;
}

bool report_edge_leads(const struct report_graph *graph, uint32_t edge)
{
    BASE_ASSERT(edge < graph->edge_count);
    if (!graph->edges[edge].keyed)
        return false;
    return !ANY(i, edge, look_alike(&graph->edges[i], &graph->edges[edge]));
}

const char *report_edge_text(const struct report_edge *edge)
{
    return edge->keyed ? "" : edge->label;
}

const char *report_fate_class(enum report_fate fate)
{
    static const char *const classes[] = {REPORT_FATES(TABLE_SECOND)};
    return classes[fate];
}

/* ---- Threads and events ---- */

static int compare_threads(const void *left, const void *right)
{
    const struct lit_thread *a = *(const struct lit_thread *const *)left;
    const struct lit_thread *b = *(const struct lit_thread *const *)right;
    const uint32_t as[] = {a->dev, a->kr, a->wg, a->sg, a->number};
    const uint32_t bs[] = {b->dev, b->kr, b->wg, b->sg, b->number};
    for (size_t i = 0; i < sizeof as / sizeof *as; i++)
        if (as[i] != bs[i])
            return as[i] < bs[i] ? -1 : 1;
    return 0;
}

static void make_columns(struct maker *m)
{
    const struct lit_program *program = m->request->program;
    uint32_t count = program->thread_count;
    const struct lit_thread **columns =
        ARENA_ARRAY(&m->graph->arena, const struct lit_thread *, count);
    for (uint32_t t = 0; t < count; t++)
        columns[t] = &program->threads[t];
    qsort(columns, count, sizeof *columns, compare_threads);
    m->graph->columns = columns;
    m->graph->column_count = count;
}

static uint32_t column_of(const struct maker *m, uint32_t thread)
{
    BASE_ASSERT(thread < m->request->program->thread_count);
    uint32_t column = 0;
    while (m->graph->columns[column] != &m->request->program->threads[thread]) {
        BASE_ASSERT(column < m->graph->column_count);
        column++;
    }
    return column;
}

static void add_tags(const struct ev *event, struct strbuf *out)
{
    if (event->has_order || (ev_kind_accesses(event->kind) && !event->atomic))
        strbuf_printf(out, " %s", lit_order_tags[event->has_order ? event->order : LIT_ORDER_NA]);
    if (event->has_scope)
        strbuf_printf(out, " %s", lit_scope_tags[event->scope]);
}

static const char *label_of(struct maker *m, const struct ev *event,
                            const struct report_event *drawn)
{
    struct strbuf text = {0};
    strbuf_add(&text, drawn->access);
    if (drawn->has_value) {
        strbuf_add_char(&text, '=');
        report_short_value(drawn->type, drawn->value, &text);
    }
    if (event->meeting.label && (event->kind == EV_BARRIER || event->meeting.named))
        strbuf_printf(&text, " %s", event->meeting.label);
    if (!event->init && !ev_kind_meets(event->kind))
        add_tags(event, &text);
    return strbuf_take(&text, &m->graph->arena);
}

const char *report_graph_source(struct arena *arena, const struct lit_instr *instr)
{
    size_t length = 0;
    const char *text = instr && instr->span.source ? source_slice(&instr->span, &length) : "";
    while (length && strchr(" \t", *text))
        text++, length--;
    while (length && strchr(" \t\r", text[length - 1]))
        length--;
    return arena_strndup(arena, text, length);
}

static enum report_fate fate_of(const struct maker *m, uint32_t e)
{
    BASE_ASSERT(e < m->dim.n);
    const struct exec_cut *cut = m->witness->cut;
    if (!cut)
        return REPORT_EXECUTED;
    if (!bits_get(cut->executed, e))
        return REPORT_AHEAD;
    if (!witness_persists(m->witness, e))
        return REPORT_EXECUTED;
    return bits_get(cut->durable, e) ? REPORT_DURABLE : REPORT_LOST;
}

/* What records tell of it. */
static void add_data(struct maker *m, uint32_t e, struct report_event *out)
{
    const struct lit_program *program = m->request->program;
    const struct ev *event = &m->skeleton->events[e];
    struct ev *kept = ARENA_NEW(&m->graph->arena, struct ev);
    *kept = *event;
    out->ev = kept;
    out->access = ev_name(&m->graph->arena, event, program);
    out->has_value = witness_value(m->witness, e, &out->value);
    if (event->instr)
        out->span = event->instr->span;
    if (event->location != LIT_NONE)
        out->type = program->locations[event->location].type;
}

static void make_events(struct maker *m)
{
    m->events = ARENA_ARRAY(&m->scratch, struct report_event, m->dim.n);
    for (uint32_t e = 0; e < m->dim.n; e++) {
        const struct ev *event = &m->skeleton->events[e];
        struct report_event *drawn = &m->events[e];
        *drawn =
            (struct report_event){.source = report_graph_source(&m->graph->arena, event->instr),
                                  .column = event->init ? LIT_NONE : column_of(m, event->thread),
                                  .line = event->init ? 0 : event->instr->span.line,
                                  .meeting = LIT_NONE,
                                  .writes = event->kind == EV_WRITE ? event->location : LIT_NONE,
                                  .fate = fate_of(m, e),
                                  .nvm = witness_persists(m->witness, e)};
        add_data(m, e, drawn);
        drawn->label = label_of(m, event, drawn);
    }
}

/* ---- The whole ---- */

/* Per thread: does somebody wait for it in vain? */
struct missed {
    bool by_any[LIT_MAX_THREADS];
    uint32_t end[LIT_MAX_THREADS]; /* the event that stands for where it is; LIT_NONE without */
};

static struct missed find_missed(const struct maker *m)
{
    struct missed missed = {{false}, {0}};
    struct exec_divergences divergences;
    struct exec_divergence found;
    memset(missed.end, 0xff, sizeof missed.end);
    exec_divergences_init(&divergences, m->skeleton);
    while (exec_divergences_next(&divergences, m->skeleton, &found))
        if (found.missing != LIT_NONE)
            missed.by_any[found.missing] = true;
    return missed;
}

static const char *stuck_label(struct maker *m, const struct exec_path *path)
{
    static const char *const ends[] = {[EXEC_COMPLETE] = "ends without it",
                                       [EXEC_AT_BARRIER] = "waits in",
                                       [EXEC_AT_AWAIT] = "spins",
                                       [EXEC_AT_BOUND] = "bound met",
                                       [EXEC_AT_FAULT] = "undefined"};
    struct strbuf text = {0};
    strbuf_add(&text, ends[path->end]);
    if (path->end == EXEC_AT_BARRIER)
        strbuf_printf(&text, " %s",
                      ev_meeting_name(&m->graph->arena, &path->meeting, path->end_instr));
    if (path->end_instr && span_told(path->end_instr->span).line)
        strbuf_printf(&text, ", line %u", path->end_instr->span.line);
    return strbuf_take(&text, &m->graph->arena);
}

/* Where a thread is stuck, or has ended while others wait for it, as one more event of its column.
 */
static void add_stuck(struct maker *m, uint32_t column, struct missed *missed,
                      struct report_event *events, uint32_t *count)
{
    uint32_t thread = (uint32_t)(m->graph->columns[column] - m->request->program->threads);
    const struct exec_path *path = m->skeleton->paths[thread];
    if ((path->end == EXEC_COMPLETE && !missed->by_any[thread]) || m->witness->cut)
        return;
    missed->end[thread] = *count;
    const char *label = stuck_label(m, path);
    events[*count] =
        (struct report_event){.label = label,
                              .access = label,
                              .span = path->end_instr ? path->end_instr->span : (struct span){0},
                              .source = report_graph_source(&m->graph->arena, path->end_instr),
                              .column = column,
                              .line = path->end_instr ? path->end_instr->span.line : 0,
                              .meeting = LIT_NONE,
                              .writes = LIT_NONE,
                              .fate = REPORT_STUCK};
    if (*count > m->graph->init_count && events[*count - 1].column == column)
        VEC_PUSH(&m->stuck,
                 ((struct report_edge){REPORT_EDGE_PO, *count - 1, *count, .label = ""}));
    ++*count;
}

/* Who waits for whom. */
static void add_waits(struct maker *m, const struct missed *missed)
{
    struct exec_divergences divergences;
    struct exec_divergence found;
    exec_divergences_init(&divergences, m->skeleton);
    while (!m->witness->cut && exec_divergences_next(&divergences, m->skeleton, &found))
        if (found.missing != LIT_NONE)
            VEC_PUSH(&m->stuck,
                     ((struct report_edge){REPORT_EDGE_WAIT, missed->end[found.stuck],
                                           missed->end[found.missing], .label = "waits for"}));
}

/* Of initial writes are drawn those with an edge and those to non-volatile memory. */
static void number_events(struct maker *m)
{
    struct report_graph *graph = m->graph;
    struct report_event *events =
        ARENA_ARRAY(&graph->arena, struct report_event, m->dim.n + graph->column_count);
    bool *used = ARENA_ARRAY(&m->scratch, bool, m->dim.n + 1);
    struct missed missed = find_missed(m);
    uint32_t count = 0;
    m->number = ARENA_ARRAY(&m->scratch, uint32_t, m->dim.n);
    memset(used, 0, m->dim.n + 1);
    for (size_t i = 0; i < m->edges.count; i++)
        used[m->edges.items[i].from] = used[m->edges.items[i].to] = true;
    for (uint32_t e = 0; e < m->skeleton->init_count; e++) {
        used[e] |= m->events[e].nvm;
        m->number[e] = used[e] ? count : LIT_NONE;
        if (used[e])
            events[count++] = m->events[e];
    }
    graph->init_count = count;
    for (uint32_t c = 0; c < graph->column_count; c++) {
        for (uint32_t e = m->skeleton->init_count; e < m->dim.n; e++)
            if (m->events[e].column == c) {
                m->number[e] = count;
                events[count++] = m->events[e];
            }
        add_stuck(m, c, &missed, events, &count);
    }
    add_waits(m, &missed);
    for (uint32_t e = 0; e < count; e++)
        if (events[e].meeting != LIT_NONE)
            events[e].meeting = m->number[events[e].meeting];
    graph->events = events;
    graph->event_count = count;
}

/* Marks stay labelled, as they are what the picture is about. */
static void key_edges(struct report_edge *edges, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t alike = 0;
        for (uint32_t k = 0; k < count; k++)
            alike += look_alike(&edges[i], &edges[k]);
        edges[i].keyed =
            *edges[i].label && edges[i].kind != REPORT_EDGE_MARK && alike > REPORT_MAX_LABELLED;
    }
}

static void number_edges(struct maker *m)
{
    struct report_graph *graph = m->graph;
    struct report_edge *edges =
        ARENA_ARRAY(&graph->arena, struct report_edge, m->edges.count + m->stuck.count);
    for (size_t i = 0; i < m->edges.count; i++) {
        edges[i] = m->edges.items[i];
        edges[i].from = m->number[edges[i].from];
        edges[i].to = m->number[edges[i].to];
        edges[i].label = arena_strdup(&graph->arena, edges[i].label);
    }
    graph->edges = edges;
    for (size_t i = 0; i < m->stuck.count; i++)
        edges[m->edges.count + i] = m->stuck.items[i];
    graph->edge_count = (uint32_t)(m->edges.count + m->stuck.count);
    key_edges(edges, graph->edge_count);
}

/* Those of an initial write that is not drawn go. */
static void number_pairs(struct maker *m)
{
    struct report_graph *graph = m->graph;
    struct report_pair *pairs = ARENA_ARRAY(&graph->arena, struct report_pair, m->pairs.count);
    struct report_break *breaks = ARENA_ARRAY(&graph->arena, struct report_break, m->breaks.count);
    for (size_t i = 0; i < m->pairs.count; i++) {
        struct report_pair pair = m->pairs.items[i];
        pair.from = m->number[pair.from];
        pair.to = m->number[pair.to];
        pair.relation = arena_strdup(&graph->arena, pair.relation);
        if (pair.from != LIT_NONE && pair.to != LIT_NONE)
            pairs[graph->pair_count++] = pair;
    }
    for (size_t i = 0; i < m->breaks.count; i++) {
        struct report_break step = m->breaks.items[i];
        step.from = m->number[step.from];
        step.to = m->number[step.to];
        step.rule = arena_strdup(&graph->arena, step.rule);
        step.relation = arena_strdup(&graph->arena, step.relation);
        if (step.from != LIT_NONE && step.to != LIT_NONE)
            breaks[graph->break_count++] = step;
    }
    graph->pairs = pairs;
    graph->breaks = breaks;
}

static const struct exec_path *some_thread(const struct maker *m, enum exec_end end)
{
    for (uint32_t t = 0; t < m->request->program->thread_count; t++)
        if (m->skeleton->paths[t]->end == end)
            return m->skeleton->paths[t];
    return NULL;
}

/* What is undefined about an execution that is shown without a state, as the text names it. */
static const char *undefined_of(const struct maker *m)
{
    if (m->broken)
        return m->broken;
    const struct exec_path *faulty = some_thread(m, EXEC_AT_FAULT);
    if (faulty)
        return outcome_fault(faulty->thread, faulty->end_instr).name;
    if (m->request->endless)
        return outcome_undefined_text(OUTCOME_ENDLESS);
    return some_thread(m, EXEC_AT_BARRIER) ? outcome_undefined_text(OUTCOME_DIVERGENCE) : NULL;
}

static void make_texts(struct maker *m, const char *note)
{
    const struct lit_program *program = m->request->program;
    const struct engine_witness *w = m->witness;
    struct strbuf text = {0};
    m->graph->name = arena_printf(&m->graph->arena, "%s under %s + %s", program->name,
                                  m->request->model->called[0], m->request->model->called[1]);
    if (w->width)
        strbuf_add(&text, w->cut ? "crash state " : "final state ");
    report_short_row(program, w->items, w->width, w->row, &text);
    m->graph->state = strbuf_take(&text, &m->graph->arena);
    strbuf_add(&text, note);
    const char *undefined = w->width ? NULL : undefined_of(m);
    if (undefined)
        strbuf_printf(&text, ": %s", undefined);
    m->graph->note = strbuf_take(&text, &m->graph->arena);
}

struct report_graph *report_graph_new(const struct engine_request *request,
                                      const struct engine_witness *witness, const char *note)
{
    if (witness->skeleton->dim.n > REPORT_MAX_DRAWN_EVENTS)
        return NULL;
    struct maker m = {.request = request,
                      .witness = witness,
                      .skeleton = witness->skeleton,
                      .dim = witness->skeleton->dim};
    m.graph = base_realloc(NULL, sizeof *m.graph);
    *m.graph = (struct report_graph){.condition = "", .crash = witness->cut != NULL};
    arena_init(&m.graph->arena);
    make_columns(&m);
    make_events(&m);
    report_graph_make_edges(&m);
    number_events(&m);
    number_edges(&m);
    number_pairs(&m);
    make_texts(&m, note);
    VEC_FREE(&m.edges);
    VEC_FREE(&m.stuck);
    VEC_FREE(&m.pairs);
    VEC_FREE(&m.breaks);
    arena_fini(&m.scratch);
    return m.graph;
}

void report_graph_free(struct report_graph *graph)
{
    if (!graph)
        return;
    arena_fini(&graph->arena);
    base_free(graph);
}
