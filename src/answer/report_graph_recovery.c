/* A run of recovery as a drawn execution, from the steps of a chain: program order, and from where
 * each read has its value. */
#include "answer/report_graph_edges.h"

#include <string.h>

struct run {
    const struct report_test *test;
    const struct outcome_link *link;
    struct report_graph *graph;
    struct report_event *events;
    struct report_edge *edges;
    uint32_t *event_of; /* per step */
};

/* Of an access and its value: "W x=1". */
static const char *label_of(struct run *run, const struct outcome_step *step,
                            const struct outcome_event *access)
{
    struct strbuf text = {0};
    strbuf_add(&text, access->access);
    if (step->has_value) {
        strbuf_add_char(&text, '=');
        report_short_value(step->type, step->value, &text);
    }
    return strbuf_take(&text, &run->graph->arena);
}

/* The location that it writes; LIT_NONE: it writes none. */
static uint32_t written(const struct outcome_event *event)
{
    return event->kind == EV_WRITE ? event->location : LIT_NONE;
}

static bool is_nvm_write(const struct run *run, const struct outcome_event *event)
{
    return written(event) != LIT_NONE && run->test->program->locations[written(event)].nvm;
}

static void add_edge(struct run *run, enum report_edge_kind kind, uint32_t from, uint32_t to,
                     const char *label)
{
    run->edges[run->graph->edge_count++] = (struct report_edge){kind, from, to, .label = label};
}

/* ---- What recovery found ---- */

static bool is_found(const struct outcome_step *step)
{
    return step->is_read && step->has_value && step->source.thread == LIT_NONE;
}

static uint32_t find_init(const struct run *run, const char *label)
{
    uint32_t e = 0;
    while (e < run->graph->init_count && strcmp(run->events[e].label, label) != 0)
        e++;
    return e;
}

static void add_inits(struct run *run)
{
    EACH (const struct outcome_step, step, run->link->steps, run->link->step_count) {
        if (!is_found(step))
            continue;
        const char *label = label_of(run, step, &step->source);
        if (find_init(run, label) < run->graph->init_count)
            continue;
        bool nvm = is_nvm_write(run, &step->source);
        run->events[run->graph->init_count++] =
            (struct report_event){.label = label,
                                  .source = "",
                                  .writes = written(&step->source),
                                  .column = LIT_NONE,
                                  .meeting = LIT_NONE,
                                  .fate = nvm ? REPORT_DURABLE : REPORT_EXECUTED,
                                  .nvm = nvm};
    }
    run->graph->event_count = run->graph->init_count;
}

/* ---- What it did ---- */

static void add_event(struct run *run, uint32_t number, uint32_t column)
{
    const struct outcome_step *step = &run->link->steps[number];
    struct report_graph *graph = run->graph;
    uint32_t e = graph->event_count++;
    bool nvm = is_nvm_write(run, &step->event);
    run->events[e] =
        (struct report_event){.label = label_of(run, step, &step->event),
                              .source = report_graph_source(&graph->arena, step->event.instr),
                              .writes = written(&step->event),
                              .column = column,
                              .line = step->event.line,
                              .meeting = LIT_NONE,
                              .fate = step->lost                     ? REPORT_LOST
                                      : nvm && !run->link->completes ? REPORT_DURABLE
                                                                     : REPORT_EXECUTED,
                              .nvm = nvm};
    run->event_of[number] = e;
    if (e > graph->init_count && run->events[e - 1].column == column)
        add_edge(run, REPORT_EDGE_PO, e - 1, e, "");
}

static void add_events(struct run *run)
{
    for (uint32_t c = 0; c < run->graph->column_count; c++)
        for (uint32_t i = 0; i < run->link->step_count; i++)
            if (run->link->steps[i].event.thread == run->test->program->thread_count + c)
                add_event(run, i, c);
}

/* The last write before the read that is the one named; else the first after it. */
static uint32_t source_of(const struct run *run, uint32_t read)
{
    const struct outcome_step *steps = run->link->steps;
    const struct outcome_event *source = &steps[read].source;
    uint32_t found = LIT_NONE;
    for (uint32_t i = 0; i < run->link->step_count; i++) {
        const struct outcome_event *event = &steps[i].event;
        bool same = !steps[i].is_read && outcome_same_event(event, source) &&
                    (!steps[i].has_value || steps[i].value == steps[read].value);
        if (same && (i < read || found == LIT_NONE))
            found = i;
    }
    return found;
}

static void add_rf(struct run *run)
{
    for (uint32_t i = 0; i < run->link->step_count; i++) {
        const struct outcome_step *step = &run->link->steps[i];
        uint32_t source =
            step->is_read && step->has_value && !is_found(step) ? source_of(run, i) : LIT_NONE;
        if (is_found(step))
            add_edge(run, REPORT_EDGE_RF, find_init(run, label_of(run, step, &step->source)),
                     run->event_of[i], "rf");
        else if (source != LIT_NONE)
            add_edge(run, REPORT_EDGE_RF, run->event_of[source], run->event_of[i], "rf");
    }
}

/* ---- The whole ---- */

static void make_columns(struct run *run)
{
    const struct lit_program *program = run->test->program;
    const struct lit_thread **columns =
        ARENA_ARRAY(&run->graph->arena, const struct lit_thread *, program->recovery_count);
    for (uint32_t c = 0; c < program->recovery_count; c++)
        columns[c] = &program->recovery[c];
    run->graph->columns = columns;
    run->graph->column_count = program->recovery_count;
}

static void make_texts(struct run *run, const struct outcome_chain *chain, uint32_t link,
                       const char *note)
{
    const struct report_test *test = run->test;
    const struct lit_program recovery = lit_recovery_program(test->program);
    struct arena *arena = &run->graph->arena;
    struct strbuf text = {0};
    run->graph->name = arena_printf(arena, "recovery of %s under %s + %s", test->program->name,
                                    test->model->called[0], test->model->called[1]);
    strbuf_add(&text, "from ");
    report_short_row(test->program, test->outcome->starts.items, test->outcome->starts.width,
                     run->link->start, &text);
    run->graph->state = strbuf_take(&text, arena);
    if (link + 1 == chain->link_count) {
        strbuf_add(&text, "recovered ");
        report_short_row(&recovery, test->outcome->recovered.items, test->outcome->recovered.width,
                         chain->recovered, &text);
        strbuf_printf(&text, ": %s", note);
    } else if (!run->link->completes) {
        strbuf_add(&text, "a crash interrupts it");
    }
    run->graph->note = strbuf_take(&text, arena);
}

struct report_graph *report_graph_of_link(const struct report_test *test,
                                          const struct outcome_chain *chain, uint32_t link,
                                          const char *note)
{
    struct run run = {.test = test, .link = &chain->links[link]};
    uint32_t steps = run.link->step_count;
    if (steps == 0 || 2 * steps > REPORT_MAX_DRAWN_EVENTS)
        return NULL;
    run.graph = base_realloc(NULL, sizeof *run.graph);
    *run.graph = (struct report_graph){.condition = "", .crash = !run.link->completes};
    arena_init(&run.graph->arena);
    run.graph->events = run.events =
        ARENA_ARRAY(&run.graph->arena, struct report_event, 2 * (size_t)steps);
    run.graph->edges = run.edges =
        ARENA_ARRAY(&run.graph->arena, struct report_edge, 2 * (size_t)steps);
    run.event_of = ARENA_ARRAY(&run.graph->arena, uint32_t, steps);
    make_columns(&run);
    add_inits(&run);
    add_events(&run);
    add_rf(&run);
    make_texts(&run, chain, link, note);
    return run.graph;
}
