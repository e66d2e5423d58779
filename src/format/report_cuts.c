/* An execution with all that a crash anywhere in it may leave (engine/cuts.h), as JSON
 * (docs/using/reports.md has the fields) and as tables of HTML. */
#include "base/json.h"
#include "engine/cuts.h"
#include "engine/outcome.h"
#include "format/report_html.h"
#include "format/report_player.h"
#include "report/report_string.h"
#include "document/report_json.h"

/* ---- Events ---- */

static void add_step(const char *name, const struct lit_program *program,
                     const struct outcome_step *step, bool persists, struct strbuf *out)
{
    emit_object(out, name);
    report_json_event_fields(program, &step->event, out);
    if (step->has_value) {
        emit_name(out, "value");
        lit_value_print(step->type, step->value, out);
    }
    if (step->is_read)
        report_json_event("from", program, &step->source, out);
    if (persists)
        emit_bool(out, "persists", true);
    emit_end(out, '}');
}

/* ---- Cuts ---- */

static void add_cut(const struct cuts *cuts, const struct cuts_cut *cut, struct strbuf *out)
{
    emit_object(out, NULL);
    emit_number(out, "place", cut->place);
    emit_array(out, "durable");
    for (uint32_t i = 0; i < cuts->count; i++)
        if (cut->durable[i])
            emit_number(out, NULL, i);
    emit_end(out, ']');
    report_json_row("state", cuts->program, &cuts->columns.crash, cut->row, out);
    emit_array(out, "switches");
    for (uint32_t i = 0; i < cuts->count; i++) {
        if (cut->turned[i] == LIT_NONE)
            continue;
        emit_object(out, NULL);
        emit_number(out, "event", i);
        emit_number(out, "cut", cut->turned[i]);
        emit_end(out, '}');
    }
    emit_end(out, ']');
    if (cut->recovery != LIT_NONE)
        emit_number(out, "recovery", cut->recovery);
    emit_end(out, '}');
}

static void add_place(const struct cuts_place *place, struct strbuf *out)
{
    emit_object(out, NULL);
    emit_number(out, "first", place->first);
    emit_number(out, "count", place->count);
    if (place->count)
        emit_number(out, "start", place->start);
    emit_bool(out, "all", !place->more);
    emit_end(out, '}');
}

/* ---- Recovery ---- */

static void add_run(const struct cuts *cuts, const struct cuts_run *run, struct strbuf *out)
{
    const struct lit_program recovery = lit_recovery_program(cuts->program);
    emit_object(out, NULL);
    report_json_row("state", &recovery, &cuts->columns.recovered, run->row, out);
    emit_array(out, "steps");
    for (uint32_t i = 0; i < run->link.step_count; i++)
        add_step(NULL, cuts->program, &run->link.steps[i], false, out);
    emit_end(out, ']');
    emit_end(out, '}');
}

static void add_recoveries(const struct cuts *cuts, struct strbuf *out)
{
    emit_array(out, "recoveries");
    EACH (const struct cuts_recovery, recovery, cuts->recoveries, cuts->recovery_count) {
        emit_object(out, NULL);
        emit_array(out, "runs");
        for (uint32_t k = 0; k < recovery->run_count; k++)
            add_run(cuts, &recovery->runs[k], out);
        emit_end(out, ']');
        if (recovery->doubt)
            emit_string(out, "doubt", recovery->doubt);
        emit_end(out, '}');
    }
    emit_end(out, ']');
    emit_bool(out, "all_recoveries", !cuts->recoveries_missing);
}

/* One object, one line. `test` has program, model and crash mode, and may have the outcome. */
static void add_json(const struct report_test *test, const struct report_execution *execution,
                     struct strbuf *out)
{
    const struct cuts *cuts = execution->cuts;
    report_json_begin(test->program->name, out);
    emit_string(out, "file", test->program->source->name);
    emit_string(out, "model", test->model->visibility);
    emit_string(out, "persistency", test->model->persistency);
    emit_string(out, "crash", report_crash_mode(test->crash_mode));
    emit_string(out, "execution", execution->note);
    if (test->outcome && test->outcome->undefined.count)
        emit_bool(out, "undefined", true);
    emit_array(out, "events");
    for (uint32_t i = 0; i < cuts->count; i++)
        add_step(NULL, cuts->program, &cuts->events[i], cuts->persists[i], out);
    emit_end(out, ']');
    emit_array(out, "places");
    for (uint32_t k = 0; k <= cuts->count; k++)
        add_place(&cuts->places[k], out);
    emit_end(out, ']');
    emit_array(out, "cuts");
    for (size_t i = 0; i < cuts->cuts.count; i++)
        add_cut(cuts, &cuts->cuts.items[i], out);
    emit_end(out, ']');
    if (cuts->shown != LIT_NONE)
        emit_number(out, "shown", cuts->shown);
    if (cuts->program->recovery_count)
        add_recoveries(cuts, out);
    report_json_end(out);
}

/* ---- HTML ---- */

static void add_states(const struct cuts *cuts, uint32_t number, struct strbuf *out)
{
    const struct cuts_place *place = &cuts->places[number];
    SCOPED(strbuf) text = {0};
    for (uint32_t i = place->first; i < place->first + place->count; i++) {
        strbuf_add(&text, i > place->first ? " | " : "");
        report_row(cuts->program, cuts->columns.crash.items, cuts->columns.crash.width,
                   cuts->cuts.items[i].row, &text);
    }
    strbuf_add(&text, place->count == 0 ? "no crash just here" : place->more ? " | more" : "");
    report_xml_between(out, "<td>", strbuf_text(&text), "</td></tr>\n");
}

static void add_table(const struct cuts *cuts, struct strbuf *out)
{
    SCOPED(strbuf) text = {0};
    strbuf_add(out, "<table class=\"events\"><thead><tr><th>event</th><th>a crash behind it "
                    "leaves</th></tr></thead>\n<tbody><tr><td>start</td>");
    add_states(cuts, 0, out);
    for (uint32_t i = 0; i < cuts->count; i++) {
        const struct outcome_step *step = &cuts->events[i];
        strbuf_clear(&text);
        report_event(cuts->program, &step->event, &text);
        if (step->has_value) {
            strbuf_add(&text, step->is_read ? " reads " : " = ");
            lit_value_print(step->type, step->value, &text);
        }
        report_xml_between(out, "<tr><td>", strbuf_text(&text), "</td>");
        add_states(cuts, i + 1, out);
    }
    strbuf_add(out, "</tbody></table>\n");
}

void report_cuts_html(const struct report_test *test, const struct report_execution *execution,
                      struct strbuf *out)
{
    SCOPED(strbuf) record = {0};
    if (!execution->cuts)
        return;
    strbuf_add(out, "<div class=\"play\">\n");
    add_table(execution->cuts, out);
    add_json(test, execution, &record);
    report_player_record("cuts", strbuf_text(&record), out);
    strbuf_add(out, "</div>\n");
}

/* ---- The format: a line for each execution that is kept ---- */

static void cuts_test(struct report_piece *piece, const struct report_test *test)
{
    for (size_t i = 0; test->gallery && i < test->gallery->items.count; i++)
        if (test->gallery->items.items[i].cuts)
            add_json(test, &test->gallery->items.items[i], &piece->out.text);
}

const struct report_format report_format_cuts = {
    .name = "cuts", .traits = REPORT_EXECUTIONS | REPORT_CUTS, .test = cuts_test};
