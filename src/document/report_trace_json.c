/* A run of a machine as JSON; docs/using/reports.md has the fields. */
#include "base/json.h"
#include "document/report_json.h"
#include "document/report_trace.h"

static void add_json_part(const struct trace_part *part, struct strbuf *out)
{
    static const char *const kinds[] = {TRACE_PARTS(TABLE_SECOND)};
    emit_object(out, NULL);
    emit_string(out, "name", part->name);
    emit_string(out, "kind", kinds[part->kind]);
    emit_array(out, "cells");
    EACH (const struct trace_cell, cell, part->cells, part->count) {
        emit_object(out, NULL);
        emit_string(out, "name", cell->name);
        if (cell->has_value) {
            emit_name(out, "value");
            lit_value_print(cell->type, cell->value, out);
        }
        if (*cell->mark)
            emit_string(out, "mark", cell->mark);
        emit_end(out, '}');
    }
    emit_end(out, ']');
    emit_end(out, '}');
}

static void add_json_thread(const struct lit_thread *thread, const struct trace_thread *state,
                            struct strbuf *out)
{
    emit_object(out, NULL);
    emit_string(out, "name", thread->name);
    emit_string(out, "status", state->status);
    if (state->line)
        emit_number(out, "line", state->line);
    emit_object(out, "registers");
    for (uint32_t r = 0; r < thread->register_count; r++) {
        if (!thread->registers[r].name)
            continue;
        emit_name(out, thread->registers[r].name);
        lit_value_print(thread->registers[r].type, state->registers[r], out);
    }
    emit_end(out, '}');
    emit_end(out, '}');
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
    emit_object(out, NULL);
    emit_number(out, "number", number);
    emit_string(out, "kind", step->kind);
    emit_string(out, "actor", step->actor);
    emit_string(out, "text", step->text);
    if (step->source)
        emit_string(out, "source", step->source);
    if (step->line)
        emit_number(out, "line", step->line);
    emit_array(out, "parts");
    for (uint32_t i = 0; i < step->part_count; i++)
        add_json_part(&step->parts[i], out);
    emit_end(out, ']');
    emit_array(out, "threads");
    for (uint32_t i = 0; i < program->thread_count; i++)
        add_json_thread(&program->threads[i], &step->threads[i], out);
    emit_end(out, ']');
    if (step->leaves)
        add_row("leaves", program, trace->left, trace->left_width, step->leaves, out);
    if (step->recovery != LIT_NONE)
        emit_number(out, "recovery", step->recovery);
    emit_end(out, '}');
}

static void add_steps(const struct lit_program *program, const struct trace *trace,
                      struct strbuf *out)
{
    emit_array(out, "steps");
    for (uint32_t i = 0; i < trace->count; i++)
        add_json_step(program, trace, i, out);
    emit_end(out, ']');
}

static void add_answer(const struct trace *trace, struct strbuf *out)
{
    static const char *const answers[] = {"found", "never", "unknown"};
    emit_string(out, "answer", answers[trace->answer]);
    if (trace->doubt)
        emit_string(out, "doubt", trace->doubt);
    emit_number(out, "states", trace->states);
}

static void add_recoveries(const struct report_trace *report, struct strbuf *out)
{
    const struct trace *trace = report->trace;
    const struct lit_program recovery = lit_recovery_program(report->program);
    emit_array(out, "recoveries");
    EACH (const struct trace, run, trace->recoveries, trace->recovery_count) {
        emit_object(out, NULL);
        add_answer(run, out);
        if (run->answer == TRACE_FOUND) {
            add_row("state", &recovery, run->items, run->width, run->row, out);
            add_steps(&recovery, run, out);
        }
        emit_end(out, '}');
    }
    emit_end(out, ']');
    emit_bool(out, "all_recoveries", !trace->recoveries_missing);
}

/* Who shows what this machine never shows. */
static void add_other(const struct trace *trace, struct strbuf *out)
{
    const struct trace_other *other = &trace->other;
    if (trace->answer != TRACE_NONE || !other->visibility)
        return;
    emit_object(out, "elsewhere");
    if (other->answer == TRACE_FOUND) {
        emit_string(out, "machine", other->machine);
        emit_string(out, "model", other->visibility);
        emit_string(out, "persistency", other->persistency);
        emit_number(out, "steps", other->steps);
    }
    emit_bool(out, "known", other->answer != TRACE_UNKNOWN);
    emit_end(out, '}');
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
    emit_object(out, "promised");
    emit_string(out, "model", model->visibility);
    emit_string(out, "persistency", model->persistency);
    emit_string(out, "answer", answers[model->answer]);
    emit_end(out, '}');
}

static void add_pair(const char *name, const char *visibility, const char *persistency,
                     struct strbuf *out)
{
    emit_object(out, name);
    emit_string(out, "model", visibility);
    emit_string(out, "persistency", persistency);
    emit_end(out, '}');
}

/* Why it is this machine. */
static void add_choice(const struct trace_choice *choice, struct strbuf *out)
{
    if (!choice->visibility)
        return;
    add_pair("promises", choice->visibility, choice->persistency, out);
    if (!trace_choice_fits(choice))
        add_pair("asked", choice->asked_visibility, choice->asked_persistency, out);
}

static void add_json_found(const struct report_trace *report, struct strbuf *out)
{
    const struct trace *trace = report->trace;
    static const char *const kinds[] = {"final", "crash", "recovered"};
    const struct lit_program recovery = lit_recovery_program(report->program);
    const bool recovered = report->when == LIT_RECOVERED;
    emit_string(out, "shows", kinds[report->when]);
    add_row("state", recovered ? &recovery : report->program, trace->items, trace->width,
            trace->row, out);
    add_steps(report->program, trace, out);
    if (report->program->recovery_count)
        add_recoveries(report, out);
}

void report_trace_json(const void *answer, struct strbuf *out)
{
    const struct report_trace *report = answer;
    const struct trace *trace = report->trace;
    report_json_begin(report->program->name, out);
    emit_string(out, "file", report->program->source->name);
    emit_string(out, "machine", trace->machine);
    add_choice(&report->choice, out);
    emit_string(out, "crash", report_crash_mode(report->crash_mode));
    if (report->number)
        emit_number(out, "condition", report->number);
    emit_string(out, "goal", report->goal);
    add_answer(trace, out);
    add_promised(trace, out);
    add_other(trace, out);
    if (trace->answer == TRACE_FOUND)
        add_json_found(report, out);
    report_json_end(out);
}
