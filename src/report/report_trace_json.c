/* A run of a machine as JSON; docs/using/reports.md has the fields. */
#include "base/json.h"
#include "report/report.h"
#include "report/report_trace.h"

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

static void add_row(const char *name, const struct lit_program *program,
                    const struct lit_atom *items, uint32_t width, const int64_t *row,
                    struct strbuf *out)
{
    const struct outcome_states states = {.items = items, .width = width};
    report_json_row(name, program, &states, row, out);
}

static void add_json_step(const struct lit_program *program, const struct trace *trace,
                          uint32_t number, struct strbuf *out)
{
    const struct trace_step *step = &trace->steps[number];
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
    for (uint32_t i = 0; i < program->thread_count; i++)
        add_json_thread(&program->threads[i], &step->threads[i], out);
    json_end(out, ']');
    if (step->leaves)
        add_row("leaves", program, trace->left, trace->left_width, step->leaves, out);
    if (step->recovery != LIT_NONE)
        json_number(out, "recovery", step->recovery);
    json_end(out, '}');
}

static void add_steps(const struct lit_program *program, const struct trace *trace,
                      struct strbuf *out)
{
    json_array(out, "steps");
    for (uint32_t i = 0; i < trace->count; i++)
        add_json_step(program, trace, i, out);
    json_end(out, ']');
}

static void add_answer(const struct trace *trace, struct strbuf *out)
{
    static const char *const answers[] = {"found", "never", "unknown"};
    json_string(out, "answer", answers[trace->answer]);
    if (trace->doubt)
        json_string(out, "doubt", trace->doubt);
    json_number(out, "states", trace->states);
}

static void add_recoveries(const struct report_trace *report, struct strbuf *out)
{
    const struct trace *trace = report->trace;
    const struct lit_program recovery = lit_recovery_program(report->program);
    json_array(out, "recoveries");
    for (uint32_t i = 0; i < trace->recovery_count; i++) {
        const struct trace *run = &trace->recoveries[i];
        json_object(out, NULL);
        add_answer(run, out);
        if (run->answer == TRACE_FOUND) {
            add_row("state", &recovery, run->items, run->width, run->row, out);
            add_steps(&recovery, run, out);
        }
        json_end(out, '}');
    }
    json_end(out, ']');
    json_bool(out, "all_recoveries", !trace->recoveries_missing);
}

/* Who shows what this machine never shows. */
static void add_other(const struct trace *trace, struct strbuf *out)
{
    const struct trace_other *other = &trace->other;
    if (trace->answer != TRACE_NONE || !other->visibility)
        return;
    json_object(out, "elsewhere");
    if (other->answer == TRACE_FOUND) {
        json_string(out, "machine", other->machine);
        json_string(out, "model", other->visibility);
        json_string(out, "persistency", other->persistency);
        json_number(out, "steps", other->steps);
    }
    json_bool(out, "known", other->answer != TRACE_UNKNOWN);
    json_end(out, '}');
}

static void add_promised(const struct trace *trace, struct strbuf *out)
{
    static const char *const answers[] = {[TRACE_ALLOWED] = "allowed",
                                          [TRACE_FORBIDDEN] = "forbidden",
                                          [TRACE_UNDEFINED] = "undefined",
                                          [TRACE_UNDECIDED] = "unknown"};
    const struct trace_model *model = &trace->promised;
    if (trace->answer != TRACE_NONE || model->answer == TRACE_NOT_ASKED)
        return;
    json_object(out, "promised");
    json_string(out, "model", model->visibility);
    json_string(out, "persistency", model->persistency);
    json_string(out, "answer", answers[model->answer]);
    json_end(out, '}');
}

static void add_json_found(const struct report_trace *report, struct strbuf *out)
{
    const struct trace *trace = report->trace;
    static const char *const kinds[] = {"final", "crash", "recovered"};
    const struct lit_program recovery = lit_recovery_program(report->program);
    const bool recovered = report->when == LIT_RECOVERED;
    json_string(out, "shows", kinds[report->when]);
    add_row("state", recovered ? &recovery : report->program, trace->items, trace->width,
            trace->row, out);
    add_steps(report->program, trace, out);
    if (report->program->recovery_count)
        add_recoveries(report, out);
}

void report_trace_json(const struct report_trace *report, struct strbuf *out)
{
    const struct trace *trace = report->trace;
    report_json_begin(report->program->name, out);
    json_string(out, "file", report->program->source->name);
    json_string(out, "machine", trace->machine);
    json_string(out, "crash", report_crash_mode(report->crash_mode));
    if (report->number)
        json_number(out, "condition", report->number);
    json_string(out, "goal", report->goal);
    add_answer(trace, out);
    add_promised(trace, out);
    add_other(trace, out);
    if (trace->answer == TRACE_FOUND)
        add_json_found(report, out);
    strbuf_add(out, "}\n");
}
