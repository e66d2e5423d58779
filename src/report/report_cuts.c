#include "report/report_cuts.h"

#include "base/json.h"
#include "engine/outcome.h"
#include "report/report_format.h"
#include "report/report_player.h"
#include "report/report_string.h"

/* ---- Events ---- */

static void add_step(const char *name, const struct lit_program *program,
                     const struct outcome_step *step, bool persists, struct strbuf *out)
{
    json_object(out, name);
    report_json_event_fields(program, &step->event, out);
    if (step->has_value) {
        json_name(out, "value");
        lit_value_print(step->type, step->value, out);
    }
    if (step->is_read)
        report_json_event("from", program, &step->source, out);
    if (persists)
        json_bool(out, "persists", true);
    json_end(out, '}');
}

/* ---- Cuts ---- */

static void add_cut(const struct cuts *cuts, const struct cuts_cut *cut, struct strbuf *out)
{
    json_object(out, NULL);
    json_number(out, "place", cut->place);
    json_array(out, "durable");
    for (uint32_t i = 0; i < cuts->count; i++)
        if (cut->durable[i])
            json_number(out, NULL, i);
    json_end(out, ']');
    report_json_row("state", cuts->program, &cuts->columns.crash, cut->row, out);
    json_array(out, "switches");
    for (uint32_t i = 0; i < cuts->count; i++) {
        if (cut->turned[i] == LIT_NONE)
            continue;
        json_object(out, NULL);
        json_number(out, "event", i);
        json_number(out, "cut", cut->turned[i]);
        json_end(out, '}');
    }
    json_end(out, ']');
    if (cut->recovery != LIT_NONE)
        json_number(out, "recovery", cut->recovery);
    json_end(out, '}');
}

static void add_place(const struct cuts_place *place, struct strbuf *out)
{
    json_object(out, NULL);
    json_number(out, "first", place->first);
    json_number(out, "count", place->count);
    if (place->count)
        json_number(out, "start", place->start);
    json_bool(out, "all", !place->more);
    json_end(out, '}');
}

/* ---- Recovery ---- */

static void add_run(const struct cuts *cuts, const struct cuts_run *run, struct strbuf *out)
{
    const struct lit_program recovery = lit_recovery_program(cuts->program);
    json_object(out, NULL);
    report_json_row("state", &recovery, &cuts->columns.recovered, run->row, out);
    json_array(out, "steps");
    for (uint32_t i = 0; i < run->link.step_count; i++)
        add_step(NULL, cuts->program, &run->link.steps[i], false, out);
    json_end(out, ']');
    json_end(out, '}');
}

static void add_recoveries(const struct cuts *cuts, struct strbuf *out)
{
    json_array(out, "recoveries");
    for (uint32_t i = 0; i < cuts->recovery_count; i++) {
        const struct cuts_recovery *recovery = &cuts->recoveries[i];
        json_object(out, NULL);
        json_array(out, "runs");
        for (uint32_t k = 0; k < recovery->run_count; k++)
            add_run(cuts, &recovery->runs[k], out);
        json_end(out, ']');
        if (recovery->doubt)
            json_string(out, "doubt", recovery->doubt);
        json_end(out, '}');
    }
    json_end(out, ']');
    json_bool(out, "all_recoveries", !cuts->recoveries_missing);
}

void report_cuts_json(const struct report_test *test, const struct report_execution *execution,
                      struct strbuf *out)
{
    const struct cuts *cuts = execution->cuts;
    report_json_begin(test->program->name, out);
    json_string(out, "file", test->program->source->name);
    json_string(out, "model", test->model->visibility);
    json_string(out, "persistency", test->model->persistency);
    json_string(out, "crash", report_crash_mode(test->crash_mode));
    json_string(out, "execution", execution->note);
    if (test->outcome && test->outcome->undefined.count)
        json_bool(out, "undefined", true);
    json_array(out, "events");
    for (uint32_t i = 0; i < cuts->count; i++)
        add_step(NULL, cuts->program, &cuts->events[i], cuts->persists[i], out);
    json_end(out, ']');
    json_array(out, "places");
    for (uint32_t k = 0; k <= cuts->count; k++)
        add_place(&cuts->places[k], out);
    json_end(out, ']');
    json_array(out, "cuts");
    for (size_t i = 0; i < cuts->cuts.count; i++)
        add_cut(cuts, &cuts->cuts.items[i], out);
    json_end(out, ']');
    if (cuts->shown != LIT_NONE)
        json_number(out, "shown", cuts->shown);
    if (cuts->program->recovery_count)
        add_recoveries(cuts, out);
    strbuf_add(out, "}\n");
}

/* ---- HTML ---- */

static void add_states(const struct cuts *cuts, uint32_t number, struct strbuf *out)
{
    const struct cuts_place *place = &cuts->places[number];
    struct strbuf text = {0};
    for (uint32_t i = place->first; i < place->first + place->count; i++) {
        strbuf_add(&text, i > place->first ? " | " : "");
        report_row(cuts->program, cuts->columns.crash.items, cuts->columns.crash.width,
                   cuts->cuts.items[i].row, &text);
    }
    strbuf_add(&text, place->count == 0 ? "no crash just here" : place->more ? " | more" : "");
    report_xml_between(out, "<td>", strbuf_text(&text), "</td></tr>\n");
    strbuf_fini(&text);
}

static void add_table(const struct cuts *cuts, struct strbuf *out)
{
    struct strbuf text = {0};
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
    strbuf_fini(&text);
}

void report_cuts_html(const struct report_test *test, const struct report_execution *execution,
                      struct strbuf *out)
{
    struct strbuf record = {0};
    if (!execution->cuts)
        return;
    strbuf_add(out, "<div class=\"play\">\n");
    add_table(execution->cuts, out);
    report_cuts_json(test, execution, &record);
    report_player_record("cuts", strbuf_text(&record), out);
    strbuf_add(out, "</div>\n");
    strbuf_fini(&record);
}

/* ---- The format: a line for each execution that is kept ---- */

static void cuts_test(struct report_piece *piece, const struct report_test *test)
{
    for (size_t i = 0; test->gallery && i < test->gallery->items.count; i++)
        if (test->gallery->items.items[i].cuts)
            report_cuts_json(test, &test->gallery->items.items[i], &piece->out.text);
}

const struct report_format report_format_cuts = {
    .name = "cuts", .shows_executions = true, .shows_cuts = true, .test = cuts_test};
