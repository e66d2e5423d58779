/* What is drawn of a witness. The model is evaluated once more, for what it says beyond rf and co:
 * how durability is ordered, who synchronises, and which pairs or cycles break a check. */
#include "report/report_graph.h"

#include "base/bits.h"
#include "base/vec.h"
#include "exec/exec_basis.h"
#include "report/report.h"

#include <string.h>

struct maker {
    const struct engine_request *request;
    const struct engine_witness *witness;
    const struct exec_skeleton *skeleton;
    struct rel_dim dim;
    struct arena scratch;
    struct cat_eval *eval;
    struct report_graph *graph;
    struct report_event *events; /* in the skeleton's numbering */
    uint32_t *number;            /* of each of these in the graph */
    const struct lit_thread **order;
    VEC(struct report_edge) edges; /* in the skeleton's numbering */
    VEC(struct report_edge) stuck; /* to where threads are stuck, in the graph's */
};

const char *report_edge_class(enum report_edge_kind kind)
{
    static const char *const classes[] = {
#define X(identifier, name, class_, colour, dashed) class_,
        REPORT_EDGES(X)
#undef X
    };
    return classes[kind];
}

const char *report_edge_colour(enum report_edge_kind kind)
{
    static const char *const colours[] = {
#define X(identifier, name, class_, colour, dashed) colour,
        REPORT_EDGES(X)
#undef X
    };
    return colours[kind];
}

bool report_edge_dashed(enum report_edge_kind kind)
{
    static const bool dashes[] = {
#define X(identifier, name, class_, colour, dashed) dashed,
        REPORT_EDGES(X)
#undef X
    };
    return dashes[kind];
}

const char *report_fate_class(enum report_fate fate)
{
    static const char *const classes[] = {
#define X(identifier, class_) class_,
        REPORT_FATES(X)
#undef X
    };
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
    struct report_column *columns = ARENA_ARRAY(&m->graph->arena, struct report_column, count);
    m->order = ARENA_ARRAY(&m->scratch, const struct lit_thread *, count);
    for (uint32_t t = 0; t < count; t++)
        m->order[t] = &program->threads[t];
    qsort(m->order, count, sizeof *m->order, compare_threads);
    for (uint32_t c = 0; c < count; c++)
        columns[c].thread = m->order[c];
    m->graph->columns = columns;
    m->graph->column_count = count;
}

static uint32_t column_of(const struct maker *m, uint32_t thread)
{
    uint32_t column = 0;
    while (m->order[column] != &m->request->program->threads[thread])
        column++;
    return column;
}

/* The value that an event reads or writes. */
static bool value_of(struct maker *m, const struct ev *event, int64_t *value)
{
    if (event->kind != EV_READ && event->kind != EV_WRITE)
        return false;
    uint32_t base = event->init ? 0 : m->skeleton->value_base[event->thread];
    bool *known = ARENA_ARRAY(&m->scratch, bool, m->skeleton->slot_count + 1);
    memset(known, true, m->skeleton->slot_count + 1);
    struct exec_reads reads = {m->witness->values + base, known};
    return exec_value_get(event->value, &reads, value);
}

static void add_tags(const struct ev *event, struct strbuf *out)
{
    static const char *const orders[] = {
#define X(name, tag, text) tag,
        LIT_ORDERS(X)
#undef X
    };
    static const char *const scopes[] = {
#define X(name, tag, text) tag,
        LIT_SCOPES(X)
#undef X
    };
    bool access = event->kind == EV_READ || event->kind == EV_WRITE;
    if (event->has_order || (access && !event->atomic))
        strbuf_printf(out, " %s", orders[event->has_order ? event->order : LIT_ORDER_NA]);
    if (event->has_scope && event->kind != EV_PBARRIER)
        strbuf_printf(out, " %s", scopes[event->scope]);
}

static const char *label_of(struct maker *m, const struct ev *event)
{
    const struct lit_program *program = m->request->program;
    struct strbuf text = {0};
    int64_t value;
    ev_print(event, program, &text);
    if (value_of(m, event, &value)) {
        struct lit_atom atom = {.kind = LIT_ATOM_LOCATION, .location = event->location};
        strbuf_add_char(&text, '=');
        report_item_value(program, &atom, value, &text);
    }
    if (event->meeting.label && event->kind == EV_BARRIER)
        strbuf_printf(&text, " %s", event->meeting.label);
    if (!event->init && event->kind != EV_BARRIER)
        add_tags(event, &text);
    const char *label = arena_strdup(&m->graph->arena, strbuf_text(&text));
    strbuf_fini(&text);
    return label;
}

static bool is_nvm_write(const struct maker *m, const struct ev *event)
{
    return event->kind == EV_WRITE && m->request->program->locations[event->location].nvm;
}

static enum report_fate fate_of(const struct maker *m, uint32_t e)
{
    const struct exec_cut *cut = m->witness->cut;
    if (!cut)
        return REPORT_EXECUTED;
    if (!bits_get(cut->executed, e))
        return REPORT_AHEAD;
    if (!is_nvm_write(m, &m->skeleton->events[e]))
        return REPORT_EXECUTED;
    return bits_get(cut->durable, e) ? REPORT_DURABLE : REPORT_LOST;
}

static void make_events(struct maker *m)
{
    m->events = ARENA_ARRAY(&m->scratch, struct report_event, m->dim.n);
    for (uint32_t e = 0; e < m->dim.n; e++) {
        const struct ev *event = &m->skeleton->events[e];
        m->events[e] =
            (struct report_event){.label = label_of(m, event),
                                  .column = event->init ? LIT_NONE : column_of(m, event->thread),
                                  .line = event->init ? 0 : event->instr->span.line,
                                  .meeting = LIT_NONE,
                                  .fate = fate_of(m, e),
                                  .nvm = is_nvm_write(m, event)};
    }
}

/* ---- Edges ---- */

static void add_edge(struct maker *m, enum report_edge_kind kind, uint32_t from, uint32_t to,
                     const char *label)
{
    bool both = kind == REPORT_EDGE_MEET;
    for (size_t i = 0; i < m->edges.count; i++) {
        const struct report_edge *edge = &m->edges.items[i];
        if (edge->kind == kind && edge->from == from && edge->to == to &&
            strcmp(edge->label, label) == 0)
            return;
    }
    VEC_PUSH(&m->edges, (struct report_edge){kind, from, to, label, both});
}

static void add_po(struct maker *m)
{
    for (uint32_t e = m->skeleton->init_count; e + 1 < m->dim.n; e++)
        if (m->events[e].column == m->events[e + 1].column)
            add_edge(m, REPORT_EDGE_PO, e, e + 1, "");
}

static void add_rf(struct maker *m)
{
    for (uint32_t a = 0; a < m->dim.n; a++)
        for (uint32_t b = 0; b < m->dim.n; b++)
            if (rel_has(m->dim, m->witness->rf, a, b))
                add_edge(m, REPORT_EDGE_RF, a, b, "rf");
}

/* Is there something between the two? */
static bool is_implied(const struct maker *m, const rel_word *first, const rel_word *second,
                       uint32_t a, uint32_t b)
{
    for (uint32_t c = 0; c < m->dim.n; c++)
        if (c != a && c != b && rel_has(m->dim, first, a, c) && rel_has(m->dim, second, c, b))
            return true;
    return false;
}

/* `relation` without what follows by `step`, and without what comes from initial writes. */
static void add_reduced(struct maker *m, enum report_edge_kind kind, const rel_word *relation,
                        const rel_word *step, const char *label)
{
    for (uint32_t a = m->skeleton->init_count; relation && a < m->dim.n; a++)
        for (uint32_t b = 0; b < m->dim.n; b++)
            if (a != b && rel_has(m->dim, relation, a, b) && !is_implied(m, relation, step, a, b))
                add_edge(m, kind, a, b, label);
}

static const rel_word *reserved(const struct maker *m, enum cat_reserved name)
{
    return cat_eval_value(m->eval, m->request->model->reserved[name]);
}

/* persist-before is about durable writes alone. */
static void add_persist(struct maker *m)
{
    const rel_word *given = reserved(m, CAT_PERSIST_BEFORE);
    rel_word *between = ARENA_ARRAY(&m->scratch, rel_word, rel_words(m->dim));
    rel_clear(m->dim, between);
    for (uint32_t a = m->skeleton->init_count; a < m->dim.n; a++)
        for (uint32_t b = m->skeleton->init_count; b < m->dim.n; b++)
            if (m->events[a].nvm && m->events[b].nvm && rel_has(m->dim, given, a, b))
                rel_add(m->dim, between, a, b);
    add_reduced(m, REPORT_EDGE_PERSIST, between, between, "persist-before");
}

/* Of the events that need a write to be durable, those that wait for no other such event, or only
 * for one that waits for them, as at a rendezvous. */
static void add_durable(struct maker *m)
{
    const rel_word *given = reserved(m, CAT_DURABLE_BEFORE);
    rel_word *order = ARENA_ARRAY(&m->scratch, rel_word, rel_words(m->dim));
    rel_word *writes = ARENA_ARRAY(&m->scratch, rel_word, rel_words(m->dim));
    exec_skeleton_base(m->skeleton, EXEC_REL_PO, order);
    rel_union(m->dim, order, order, reserved(m, CAT_EXECUTES_BEFORE));
    rel_union(m->dim, order, order, m->witness->rf);
    rel_plus(m->dim, order, order);
    rel_inverse(m->dim, writes, order);
    rel_diff(m->dim, order, order, writes);
    rel_copy(m->dim, writes, given);
    for (uint32_t a = 0; a < m->dim.n; a++)
        for (uint32_t b = 0; b < m->dim.n; b++)
            if (!m->events[a].nvm || rel_has(m->dim, order, b, a))
                rel_remove(m->dim, writes, a, b);
    add_reduced(m, REPORT_EDGE_DURABLE, writes, order, "durable-before");
}

/* fr to the next write in coherence order. */
static void add_fr(struct maker *m)
{
    for (uint32_t a = 0; a < m->dim.n; a++)
        for (uint32_t b = 0; b < m->dim.n; b++)
            if (rel_has(m->dim, m->witness->fr, a, b) &&
                !is_implied(m, m->witness->fr, m->witness->co, a, b))
                add_edge(m, REPORT_EDGE_FR, a, b, "fr");
}

/* Names by which models say that one event synchronises with another. */
static bool is_synchronisation(const char *name)
{
    static const char *const names[] = {"sw",    "gsw",   "lsw",   "so-WI",  "so-SG",
                                        "so-WG", "so-KR", "so-DV", "so-ALL", "synchronizes"};
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool has_sync(const struct maker *m, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < m->edges.count; i++) {
        const struct report_edge *edge = &m->edges.items[i];
        if (edge->kind == REPORT_EDGE_SYNC && edge->from == a && edge->to == b)
            return true;
    }
    return false;
}

/* What holds at a wider scope as well is drawn for the narrowest. */
static void add_sync(struct maker *m)
{
    const struct cat_model *model = m->request->model;
    for (cat_node_id node = 0; node < model->node_count; node++) {
        const struct cat_node *at = &model->nodes[node];
        const rel_word *value = cat_eval_value(m->eval, node);
        if (at->sort != CAT_REL || !is_synchronisation(at->name) || !value)
            continue;
        for (uint32_t a = m->skeleton->init_count; a < m->dim.n; a++)
            for (uint32_t b = m->skeleton->init_count; b < m->dim.n; b++)
                if (m->events[a].column != m->events[b].column && rel_has(m->dim, value, a, b) &&
                    (m->events[a].meeting == LIT_NONE ||
                     m->events[a].meeting != m->events[b].meeting) &&
                    !has_sync(m, a, b))
                    add_edge(m, REPORT_EDGE_SYNC, a, b, at->name);
    }
}

/* ---- Rendezvous ---- */

static bool meets(const struct maker *m, const bool waiting[LIT_SCOPE_COUNT], uint32_t e)
{
    const struct ev *event = &m->skeleton->events[e];
    const struct ev_meeting *meeting = &event->meeting;
    return (event->kind == EV_BARRIER && !event->late && !meeting->arrive) ||
           (event->kind == EV_PBARRIER && waiting[meeting->scope]);
}

static bool meet_each_other(const struct maker *m, uint32_t a, uint32_t b)
{
    const struct ev *x = &m->skeleton->events[a], *y = &m->skeleton->events[b];
    const struct lit_program *program = m->request->program;
    return x->thread != y->thread && m->events[a].fate == m->events[b].fate &&
           ev_same_meeting(&x->meeting, &y->meeting) &&
           ev_same_instance(&program->threads[x->thread], &program->threads[y->thread],
                            x->meeting.scope);
}

/* Each with the next of its meeting, column by column. */
static void add_meetings(struct maker *m)
{
    bool waiting[LIT_SCOPE_COUNT] = {false};
    engine_find_waiting(&m->scratch, m->request, waiting);
    for (uint32_t a = m->skeleton->init_count; a < m->dim.n; a++) {
        uint32_t next = LIT_NONE;
        for (uint32_t b = m->skeleton->init_count; meets(m, waiting, a) && b < m->dim.n; b++)
            if (meets(m, waiting, b) && meet_each_other(m, a, b)) {
                uint32_t first = m->events[b].meeting == LIT_NONE ? a : m->events[b].meeting;
                m->events[a].meeting = first < a ? first : a;
                m->events[b].meeting = m->events[a].meeting;
                if (m->events[b].column > m->events[a].column &&
                    (next == LIT_NONE || m->events[b].column < m->events[next].column))
                    next = b;
            }
        if (next != LIT_NONE)
            add_edge(m, REPORT_EDGE_MEET, a, next, "");
    }
}

/* ---- What breaks a check ---- */

static void mark_edge(struct maker *m, uint32_t a, uint32_t b, const char *name, bool both)
{
    m->events[a].marked = m->events[b].marked = true;
    VEC_PUSH(&m->edges, (struct report_edge){REPORT_EDGE_MARK, a, b, name, both});
}

static void mark_cycle(struct maker *m, const struct cat_check *check, const rel_word *value)
{
    uint32_t *cycle = ARENA_ARRAY(&m->scratch, uint32_t, m->dim.n);
    uint32_t length = rel_find_cycle(m->dim, value, cycle);
    for (uint32_t i = 0; i < length; i++) {
        m->events[cycle[i]].marked = true;
        if (length > 1)
            mark_edge(m, cycle[i], cycle[(i + 1) % length], check->name, false);
    }
}

static void mark_pairs(struct maker *m, const struct cat_check *check, const rel_word *value)
{
    for (uint32_t a = 0; a < m->dim.n; a++)
        for (uint32_t b = 0; b < m->dim.n; b++)
            if (rel_has(m->dim, value, a, b) && (a < b || !rel_has(m->dim, value, b, a)))
                mark_edge(m, a, b, check->name, rel_has(m->dim, value, b, a));
}

/* A flag is raised when its test holds, undefined is what fails its test; what there is to see is
 * a relation that is not empty, or has a cycle. */
static void mark_check(struct maker *m, const struct cat_check *check)
{
    bool shows = check->kind == CAT_FLAG ? check->negated : !check->negated;
    bool applies =
        check->kind == CAT_FLAG ? cat_eval_holds(m->eval, check) : !cat_eval_holds(m->eval, check);
    const rel_word *value = cat_eval_value(m->eval, check->node);
    if (check->kind == CAT_CHECK || !shows || !applies || !value)
        return;
    if (check->test != CAT_IS_EMPTY)
        mark_cycle(m, check, value);
    else if (m->request->model->nodes[check->node].sort == CAT_REL)
        mark_pairs(m, check, value);
    else
        for (uint32_t e = 0; e < m->dim.n; e++)
            m->events[e].marked |= bits_get(value, e);
}

static void evaluate(struct maker *m)
{
    const struct cat_model *model = m->request->model;
    const struct engine_witness *w = m->witness;
    const struct {
        uint32_t base;
        const rel_word *value;
    } dynamic[] = {{EXEC_REL_RF, w->rf},
                   {EXEC_REL_CO, w->co},
                   {EXEC_REL_FR, w->fr},
                   {EXEC_REL_SYNC_FENCE, w->sync_fence}};
    m->eval = cat_eval_new(&m->scratch, m->request->plan, m->dim);
    exec_skeleton_fill(m->skeleton, m->eval);
    for (size_t i = 0; i < sizeof dynamic / sizeof *dynamic; i++) {
        rel_word *at = cat_eval_base(m->eval, dynamic[i].base, false);
        if (at && dynamic[i].value)
            rel_copy(m->dim, at, dynamic[i].value);
    }
    for (uint32_t i = 0; i < model->choice_count; i++)
        rel_copy(m->dim, cat_eval_choice(m->eval, i, false), w->choices[i]);
    (void)cat_eval_static(m->eval);
    (void)cat_eval_exact(m->eval);
}

static void make_edges(struct maker *m)
{
    const struct cat_model *model = m->request->model;
    add_po(m);
    add_meetings(m);
    add_sync(m);
    add_durable(m);
    add_persist(m);
    add_reduced(m, REPORT_EDGE_CO, m->witness->co, m->witness->co, "co");
    add_fr(m);
    add_rf(m);
    for (uint32_t c = 0; c < model->check_count; c++)
        mark_check(m, &model->checks[c]);
}

/* ---- The whole ---- */

/* Where a thread is stuck, as one more event of its column. */
static void add_stuck(struct maker *m, uint32_t column, struct report_event *events,
                      uint32_t *count)
{
    uint32_t thread = (uint32_t)(m->order[column] - m->request->program->threads);
    const struct exec_path *path = m->skeleton->paths[thread];
    static const char *const ends[] = {[EXEC_AT_BARRIER] = "waits in",
                                       [EXEC_AT_AWAIT] = "spins",
                                       [EXEC_AT_BOUND] = "bound met",
                                       [EXEC_AT_FAULT] = "undefined"};
    struct strbuf text = {0};
    if (path->end == EXEC_COMPLETE || m->witness->cut)
        return;
    strbuf_add(&text, ends[path->end]);
    if (path->end == EXEC_AT_BARRIER) {
        const struct ev barrier = {
            .kind = path->meeting.kind, .location = LIT_NONE, .meeting = path->meeting};
        strbuf_add_char(&text, ' ');
        ev_print(&barrier, m->request->program, &text);
    }
    if (path->end_instr)
        strbuf_printf(&text, ", line %u", path->end_instr->span.line);
    events[*count] =
        (struct report_event){.label = arena_strdup(&m->graph->arena, strbuf_text(&text)),
                              .column = column,
                              .line = path->end_instr ? path->end_instr->span.line : 0,
                              .meeting = LIT_NONE,
                              .fate = REPORT_STUCK};
    if (*count > m->graph->init_count && events[*count - 1].column == column)
        VEC_PUSH(&m->stuck, (struct report_edge){REPORT_EDGE_PO, *count - 1, *count, "", false});
    ++*count;
    strbuf_fini(&text);
}

/* Of initial writes are drawn those with an edge and those to non-volatile memory. */
static void number_events(struct maker *m)
{
    struct report_graph *graph = m->graph;
    struct report_event *events =
        ARENA_ARRAY(&graph->arena, struct report_event, m->dim.n + graph->column_count);
    bool *used = ARENA_ARRAY(&m->scratch, bool, m->dim.n + 1);
    uint32_t count = 0;
    m->number = ARENA_ARRAY(&m->scratch, uint32_t, m->dim.n);
    memset(used, 0, m->dim.n + 1);
    for (size_t i = 0; i < m->edges.count; i++)
        used[m->edges.items[i].from] = used[m->edges.items[i].to] = true;
    for (uint32_t e = 0; e < m->skeleton->init_count; e++) {
        m->number[e] = count;
        used[e] |= m->events[e].nvm;
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
        add_stuck(m, c, events, &count);
    }
    for (uint32_t e = 0; e < count; e++)
        if (events[e].meeting != LIT_NONE)
            events[e].meeting = m->number[events[e].meeting];
    graph->events = events;
    graph->event_count = count;
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
}

static void make_texts(struct maker *m, const char *note)
{
    const struct lit_program *program = m->request->program;
    const struct engine_witness *w = m->witness;
    struct strbuf text = {0};
    m->graph->name = arena_printf(&m->graph->arena, "%s under %s + %s", program->name,
                                  m->request->model->visibility, m->request->model->persistency);
    if (w->width)
        strbuf_add(&text, w->cut ? "crash state " : "final state ");
    for (uint32_t i = 0, shown = 0; i < w->width; i++) {
        if (w->items[i].kind == LIT_ATOM_KEPT)
            continue;
        strbuf_add(&text, shown++ ? "; " : "");
        report_item(program, &w->items[i], &text);
        strbuf_add_char(&text, '=');
        report_item_value(program, &w->items[i], w->row[i], &text);
    }
    m->graph->state = arena_strdup(&m->graph->arena, strbuf_text(&text));
    strbuf_clear(&text);
    strbuf_add(&text, note);
    if (!w->width && m->graph->edge_count &&
        m->graph->edges[m->graph->edge_count - 1].kind == REPORT_EDGE_MARK)
        strbuf_printf(&text, ": %s", m->graph->edges[m->graph->edge_count - 1].label);
    m->graph->note = arena_strdup(&m->graph->arena, strbuf_text(&text));
    strbuf_fini(&text);
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
    *m.graph = (struct report_graph){.crash = witness->cut != NULL};
    arena_init(&m.graph->arena);
    arena_init(&m.scratch);
    make_columns(&m);
    make_events(&m);
    evaluate(&m);
    make_edges(&m);
    number_events(&m);
    number_edges(&m);
    make_texts(&m, note);
    VEC_FREE(&m.edges);
    VEC_FREE(&m.stuck);
    arena_fini(&m.scratch);
    return m.graph;
}

void report_graph_free(struct report_graph *graph)
{
    if (!graph)
        return;
    arena_fini(&graph->arena);
    free(graph);
}
