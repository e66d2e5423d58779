/* A table: a row a step, a column a place or queue. A part that never changes is left out, and of a
 * part with places those that never change; the last part, the memory that survives, is always
 * whole. A cell that is as in the row above is `.`, one that holds nothing `-`. */
#include "report/report_trace.h"

#include "base/json.h"
#include "report/report.h"

#include <string.h>

struct column {
    const char *head, *below; /* the part's name over its first column; the place's */
    bool begins_part;
    const char **cells; /* one a step */
    size_t width;
};

struct table {
    const struct report_trace *report;
    struct arena arena;
    VEC(struct column) columns;
};

/* What a terminal shows as one character: bytes that continue a UTF-8 sequence are none. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

/* The column holds this text, too. */
static void widen(struct column *column, const char *text)
{
    size_t width = width_of(text);
    column->width = column->width < width ? width : column->width;
}

static void add_padded(struct strbuf *out, const char *text, size_t width)
{
    size_t used = width_of(text);
    strbuf_add(out, text);
    if (used < width)
        strbuf_printf(out, "%*s", (int)(width - used), "");
}

/* ---- Cells ------------------------------------------------------------------------------ */

static const char *place_text(struct table *t, const struct trace_cell *cell)
{
    struct strbuf text = {0};
    if (!cell->has_value)
        return "-";
    lit_value_print(cell->type, cell->value, &text);
    strbuf_add(&text, cell->mark);
    return strbuf_take(&text, &t->arena);
}

static const char *queue_text(struct table *t, const struct trace_part *part)
{
    struct strbuf text = {0};
    if (part->count == 0)
        return "-";
    for (uint32_t i = 0; i < part->count; i++)
        strbuf_printf(&text, "%s%s", i ? " " : "", part->cells[i].name);
    return strbuf_take(&text, &t->arena);
}

/* The text of one place, or of a whole queue, after a step. */
static const char *cell_text(struct table *t, uint32_t step, uint32_t part, uint32_t place)
{
    const struct trace_part *p = &t->report->trace->steps[step].parts[part];
    return p->kind == TRACE_QUEUE ? queue_text(t, p) : place_text(t, &p->cells[place]);
}

/* Adds a column when something changes in it, or anyway; returns whether it did. */
static bool add_column(struct table *t, uint32_t part, uint32_t place, bool anyway)
{
    uint32_t steps = t->report->trace->count;
    const struct trace_part *first = &t->report->trace->steps[0].parts[part];
    struct column column = {.cells = ARENA_ARRAY(&t->arena, const char *, steps), .width = 1};
    const char *before = NULL;
    for (uint32_t i = 0; i < steps; i++) {
        const char *text = cell_text(t, i, part, place);
        bool same = before && strcmp(text, before) == 0;
        anyway |= before && !same;
        column.cells[i] = same ? "." : text;
        before = text;
        widen(&column, column.cells[i]);
    }
    column.below = first->kind == TRACE_PLACES ? first->cells[place].name : "";
    widen(&column, column.below);
    if (anyway)
        VEC_PUSH(&t->columns, column);
    return anyway;
}

/* ---- Columns ---------------------------------------------------------------------------- */

/* A queue's name stands on two lines, as it has no places to be named. */
static void name_queue(struct table *t, struct column *column, const char *name)
{
    const char *space = strchr(name, ' ');
    column->head = space ? arena_strndup(&t->arena, name, (size_t)(space - name)) : name;
    column->below = space ? space + 1 : "";
    widen(column, column->head);
    widen(column, column->below);
}

/* The name stands over all columns of the part: the last takes what it is longer. */
static void name_places(struct table *t, size_t from, const char *name)
{
    size_t width = 0, wanted = width_of(name);
    for (size_t i = from; i < t->columns.count; i++)
        width += t->columns.items[i].width + (i > from);
    t->columns.items[from].head = name;
    if (width < wanted)
        VEC_LAST(&t->columns).width += wanted - width;
}

static void add_part(struct table *t, uint32_t part, bool last)
{
    const struct trace_part *first = &t->report->trace->steps[0].parts[part];
    size_t from = t->columns.count;
    uint32_t places = first->kind == TRACE_QUEUE ? 1 : first->count;
    for (uint32_t place = 0; place < places; place++)
        add_column(t, part, place, last);
    if (t->columns.count == from)
        return;
    t->columns.items[from].begins_part = true;
    if (first->kind == TRACE_QUEUE)
        name_queue(t, &t->columns.items[from], first->name);
    else
        name_places(t, from, first->name);
}

static const char *number_text(struct table *t, uint32_t number)
{
    return number ? arena_printf(&t->arena, "%u", number) : "";
}

/* "*x = 1;  (waits for its scope)" */
static const char *what_text(struct table *t, const struct trace_step *step)
{
    if (!step->source)
        return step->text;
    bool executes = strcmp(step->kind, "executes") == 0;
    const char *kind = executes ? "" : arena_printf(&t->arena, "%s: ", step->kind);
    return arena_printf(&t->arena, "%s%s%s%s%s", kind, step->source, *step->text ? "  (" : "",
                        step->text, *step->text ? ")" : "");
}

static void add_text_column(struct table *t, const char *below)
{
    struct column column = {.below = below,
                            .width = width_of(below),
                            .cells = ARENA_ARRAY(&t->arena, const char *, t->report->trace->count)};
    VEC_PUSH(&t->columns, column);
}

static void set_text(struct table *t, size_t column, uint32_t step, const char *text)
{
    t->columns.items[column].cells[step] = text;
    widen(&t->columns.items[column], text);
}

static void add_steps(struct table *t)
{
    static const char *const heads[] = {"#", "who", "line", "what"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        add_text_column(t, heads[i]);
    for (uint32_t i = 0; i < t->report->trace->count; i++) {
        const struct trace_step *step = &t->report->trace->steps[i];
        set_text(t, 0, i, i ? number_text(t, i) : "0");
        set_text(t, 1, i, step->actor);
        set_text(t, 2, i, number_text(t, step->line));
        set_text(t, 3, i, i ? what_text(t, step) : "start");
    }
}

/* ---- The table -------------------------------------------------------------------------- */

/* Where the line ends, blanks are not written. */
static void end_line(struct strbuf *out)
{
    while (out->length && out->text[out->length - 1] == ' ')
        out->text[--out->length] = '\0';
    strbuf_add_char(out, '\n');
}

/* Between the heads and the steps. */
static void add_rule(const struct table *t, struct strbuf *out)
{
    strbuf_add(out, "  ");
    for (size_t i = 0; i < t->columns.count; i++) {
        const struct column *column = &t->columns.items[i];
        strbuf_add(out, i == 0 ? "" : column->begins_part ? "-+-" : "-");
        for (size_t k = 0; k < column->width; k++)
            strbuf_add_char(out, '-');
    }
    strbuf_add_char(out, '\n');
}

static const char *text_at(const struct column *column, int64_t row)
{
    const char *text = row == -2 ? column->head : row == -1 ? column->below : column->cells[row];
    return text ? text : "";
}

/* Row -2 has the parts' names, which may reach over the columns of their part, row -1 the places'.
 */
static void add_row(const struct table *t, int64_t row, struct strbuf *out)
{
    strbuf_add(out, "  ");
    for (size_t i = 0; i < t->columns.count; i++) {
        const struct column *column = &t->columns.items[i];
        size_t width = column->width;
        strbuf_add(out, i == 0 ? "" : column->begins_part ? " | " : " ");
        for (; row == -2 && i + 1 < t->columns.count && column->begins_part &&
               !t->columns.items[i + 1].begins_part;
             i++)
            width += 1 + t->columns.items[i + 1].width;
        add_padded(out, text_at(column, row), width);
    }
    end_line(out);
}

void report_trace_table(const struct report_trace *report, struct strbuf *out)
{
    struct table t = {.report = report};
    const struct trace *trace = report->trace;
    arena_init(&t.arena);
    add_steps(&t);
    for (uint32_t part = 0; part < trace->steps[0].part_count; part++)
        add_part(&t, part, part + 1 == trace->steps[0].part_count);
    add_row(&t, -2, out);
    add_row(&t, -1, out);
    add_rule(&t, out);
    for (uint32_t step = 0; step < trace->count; step++)
        add_row(&t, step, out);
    VEC_FREE(&t.columns);
    arena_fini(&t.arena);
}

void report_trace_text(const struct report_trace *report, struct strbuf *out)
{
    const struct trace *trace = report->trace;
    strbuf_printf(out, "Trace %s on %s\n", report->program->name, trace->machine);
    if (report->number)
        strbuf_printf(out, "Condition %u %s\n", report->number, report->goal);
    else
        strbuf_printf(out, "State %s\n", report->goal);
    if (trace->answer == TRACE_FOUND) {
        report_trace_table(report, out);
        strbuf_printf(out, "%s after %u steps:%s", report->crash ? "Crash" : "Final state",
                      trace->count - 1, trace->width ? " " : "");
        report_text_row(report->program, trace->items, trace->width, trace->row, out);
    } else if (trace->answer == TRACE_NONE) {
        strbuf_printf(out, "Never: the machine does not show it in any of its %llu states\n",
                      (unsigned long long)trace->states);
    } else {
        strbuf_printf(out, "Unknown: not found in %llu states; %s\n",
                      (unsigned long long)trace->states, trace->doubt);
    }
    strbuf_add_char(out, '\n');
}

/* ---- JSON ------------------------------------------------------------------------------- */

static void add_json_part(const struct trace_part *part, struct strbuf *out)
{
    static const char *const kinds[] = {TRACE_PARTS(TABLE_SECOND)};
    json_object(out, NULL);
    json_string(out, "name", part->name);
    json_string(out, "kind", kinds[part->kind]);
    json_array(out, "cells");
    for (uint32_t i = 0; i < part->count; i++) {
        const struct trace_cell *cell = &part->cells[i];
        json_object(out, NULL);
        json_string(out, "name", cell->name);
        if (cell->has_value) {
            json_name(out, "value");
            lit_value_print(cell->type, cell->value, out);
        }
        if (*cell->mark)
            json_string(out, "mark", cell->mark);
        json_end(out, '}');
    }
    json_end(out, ']');
    json_end(out, '}');
}

static void add_json_thread(const struct lit_thread *thread, const struct trace_thread *state,
                            struct strbuf *out)
{
    json_object(out, NULL);
    json_string(out, "name", thread->name);
    json_string(out, "status", state->status);
    if (state->line)
        json_number(out, "line", state->line);
    json_object(out, "registers");
    for (uint32_t r = 0; r < thread->register_count; r++) {
        if (!thread->registers[r].name)
            continue;
        json_name(out, thread->registers[r].name);
        lit_value_print(thread->registers[r].type, state->registers[r], out);
    }
    json_end(out, '}');
    json_end(out, '}');
}

static void add_json_step(const struct report_trace *report, uint32_t number, struct strbuf *out)
{
    const struct trace_step *step = &report->trace->steps[number];
    json_object(out, NULL);
    json_number(out, "number", number);
    json_string(out, "kind", step->kind);
    json_string(out, "actor", step->actor);
    json_string(out, "text", step->text);
    if (step->source)
        json_string(out, "source", step->source);
    if (step->line)
        json_number(out, "line", step->line);
    json_array(out, "parts");
    for (uint32_t i = 0; i < step->part_count; i++)
        add_json_part(&step->parts[i], out);
    json_end(out, ']');
    json_array(out, "threads");
    for (uint32_t i = 0; i < report->program->thread_count; i++)
        add_json_thread(&report->program->threads[i], &step->threads[i], out);
    json_end(out, ']');
    json_end(out, '}');
}

static void add_json_found(const struct report_trace *report, struct strbuf *out)
{
    const struct trace *trace = report->trace;
    const struct outcome_states state = {.items = trace->items, .width = trace->width};
    json_string(out, "shows", report->crash ? "crash" : "final");
    report_json_row("state", report->program, &state, trace->row, out);
    json_array(out, "steps");
    for (uint32_t i = 0; i < trace->count; i++)
        add_json_step(report, i, out);
    json_end(out, ']');
}

void report_trace_json(const struct report_trace *report, struct strbuf *out)
{
    static const char *const answers[] = {"found", "never", "unknown"};
    const struct trace *trace = report->trace;
    report_json_begin(report->program->name, out);
    json_string(out, "file", report->program->source->name);
    json_string(out, "machine", trace->machine);
    json_string(out, "crash", report_crash_mode(report->crash_mode));
    if (report->number)
        json_number(out, "condition", report->number);
    json_string(out, "goal", report->goal);
    json_string(out, "answer", answers[trace->answer]);
    if (trace->doubt)
        json_string(out, "doubt", trace->doubt);
    json_number(out, "states", trace->states);
    if (trace->answer == TRACE_FOUND)
        add_json_found(report, out);
    strbuf_add(out, "}\n");
}
