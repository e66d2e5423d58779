#include "base/json.h"
#include "document/report_json.h"
#include "document/report_place.h"

#include <math.h>

static const struct sketch *sketch_of(const struct report_place *report)
{
    return report->placement->sketch;
}

static void json_choice(const struct report_place *report, const struct sketch_choice *choice,
                        struct strbuf *out)
{
    static const char *const kinds[] = {"scope", "order", "tag", "presence", "slot", "swap"};
    const struct sketch *sketch = sketch_of(report);
    emit_object(out, NULL);
    emit_string(out, "name", choice->name);
    emit_string(out, "kind", kinds[choice->kind]);
    emit_array(out, "values");
    for (uint32_t v = 0; v < choice->value_count; v++)
        emit_string(out, NULL, choice->values[v].label);
    emit_end(out, ']');
    if (choice->original >= 0)
        emit_number(out, "present", (uint64_t)choice->original);
    emit_array(out, "places");
    for (uint32_t i = 0; i < choice->place_count; i++) {
        emit_object(out, NULL);
        const struct lit_origin *origin = choice->places[i].origin;
        emit_string(out, "file",
                    origin && origin->source.line ? origin->source.source->name
                                                  : sketch->files[choice->places[i].file]->name);
        emit_number(out, "line", choice->places[i].span.line);
        emit_number(out, "column", choice->places[i].span.column);
        emit_end(out, '}');
    }
    emit_end(out, ']');
    emit_end(out, '}');
}

static void json_values(const struct report_place *report, const char *name,
                        const struct sketch_filling *filling, struct strbuf *out)
{
    emit_array(out, name);
    for (uint32_t i = 0; i < sketch_of(report)->choice_count; i++)
        emit_number(out, NULL, filling->value[i]);
    emit_end(out, ']');
}

void report_place_json_reason(const struct report_place *report,
                              const struct placement_reason *reason, struct strbuf *out)
{
    emit_string(out, "reason", placement_reason_word(reason->kind));
    emit_string(out, "file", sketch_of(report)->files[reason->file]->name);
    emit_string(out, "condition", reason->condition_text);
    emit_string(out, "words", reason->words);
}

static void json_steps(const struct report_place *report, const struct placement_filling *filling,
                       struct strbuf *out)
{
    emit_array(out, "steps");
    for (uint32_t i = 0; i < filling->step_count; i++) {
        emit_object(out, NULL);
        emit_number(out, "choice", filling->steps[i].choice);
        emit_number(out, "value", filling->steps[i].value);
        report_place_json_reason(report, &filling->steps[i].reason, out);
        emit_end(out, '}');
    }
    emit_end(out, ']');
}

/* The lines before and after, then the same as an edit: what the span says goes, and the text
 * comes. */
static void json_change(const struct source *source, const struct change *change,
                        struct strbuf *out)
{
    const struct span span = change_span(source, change);
    SCOPED(strbuf) text = {0};
    change_add_text(source, change, &text);
    emit_object(out, NULL);
    emit_string(out, "file", source->name);
    emit_number(out, "line", change->line);
    emit_string(out, "before", change->before);
    emit_string(out, "after", change->after);
    emit_number(out, "column", span.column);
    emit_number(out, "end_line", span.end_line);
    emit_number(out, "end_column", span.end_column);
    emit_string(out, "text", strbuf_text(&text));
    emit_end(out, '}');
}

void report_place_json_changes(const struct report_place *report, const struct changes *changes,
                               struct strbuf *out)
{
    const struct sketch *sketch = sketch_of(report);
    emit_array(out, "changes");
    for (uint32_t f = 0; f < sketch->file_count; f++)
        for (uint32_t i = 0; i < changes[f].count; i++)
            json_change(sketch->files[f], &changes[f].items[i], out);
    emit_end(out, ']');
}

static void json_written(const struct report_place *report, uint32_t number, struct strbuf *out)
{
    const char *const *paths = report->written ? report->written[number] : NULL;
    if (!paths)
        return;
    emit_array(out, "written");
    for (uint32_t f = 0; f < sketch_of(report)->file_count; f++)
        emit_string(out, NULL, paths[f]);
    emit_end(out, ']');
}

static void json_filling(const struct report_place *report, uint32_t number, struct strbuf *out)
{
    const struct placement_filling *filling = &report->placement->fillings[number];
    emit_object(out, NULL);
    json_values(report, "values", &filling->filling, out);
    if (report->weights)
        emit_number(out, "weight", report->weights[number]);
    emit_string(out, "confirmed_by", filling->confirmed_by);
    if (filling->unconfirmed)
        emit_string(out, "unconfirmed", filling->unconfirmed);
    if (filling->disputed_by)
        emit_string(out, "disputed_by", filling->disputed_by);
    if (filling->unreduced)
        emit_bool(out, "minimal", false);
    json_steps(report, filling, out);
    report_place_json_changes(report, report_place_changes(report, number), out);
    json_written(report, number, out);
    emit_end(out, '}');
}

static void json_clash(const struct report_place *report, const struct placement_clash *clash,
                       struct strbuf *out)
{
    emit_object(out, NULL);
    report_place_json_reason(report, &clash->reason, out);
    json_values(report, "broken_by", &clash->broken_by, out);
    if (clash->can_be_met)
        json_values(report, "met_by", &clash->met_by, out);
    emit_end(out, '}');
}

static void json_lists(const struct report_place *report, struct strbuf *out)
{
    const struct placement *placement = report->placement;
    emit_array(out, "choices");
    for (uint32_t i = 0; i < placement->sketch->choice_count; i++)
        json_choice(report, &placement->sketch->choices[i], out);
    emit_end(out, ']');
    emit_array(out, "fillings");
    for (uint32_t i = 0; i < report->shown_count; i++)
        json_filling(report, report->shown[i], out);
    emit_end(out, ']');
    emit_array(out, "clashes");
    for (uint32_t i = 0; i < placement->clash_count; i++)
        json_clash(report, &placement->clashes[i], out);
    emit_end(out, ']');
    emit_array(out, "open");
    for (uint32_t i = 0; i < placement->open_count; i++) {
        emit_object(out, NULL);
        report_place_json_reason(report, &placement->open_reasons[i], out);
        json_values(report, "values", &placement->open[i], out);
        emit_end(out, '}');
    }
    emit_end(out, ']');
}

void report_place_json(const void *answer, struct strbuf *out)
{
    const struct report_place *report = answer;
    static const char *const further[] = {[REPORT_PLACE_FURTHER] = "minimal",
                                          [REPORT_PLACE_NEITHER] = "none",
                                          [REPORT_PLACE_OPEN] = "unknown"};
    if (!report)
        return;
    const struct placement *placement = report->placement;
    emit_object(out, NULL);
    emit_number(out, "schema", 1);
    emit_string(out, "test", report->titles[0]);
    emit_array(out, "tests");
    for (uint32_t f = 0; f < placement->sketch->given_count; f++)
        emit_string(out, NULL, report->titles[f]);
    emit_end(out, ']');
    emit_array(out, "files");
    for (uint32_t f = 0; f < placement->sketch->given_count; f++)
        emit_string(out, NULL, placement->sketch->files[f]->name);
    emit_end(out, ']');
    emit_string(out, "model", report->visibility);
    emit_string(out, "persistency", report->persistency);
    if (report->as_it_is) {
        emit_object(out, "as_it_is");
        report_place_json_reason(report, report->as_it_is, out);
        emit_end(out, '}');
    }
    json_lists(report, out);
    if (!placement->count && placement->complete)
        report_place_json_tried(placement->sketch, out);
    if (report->several != REPORT_PLACE_ONE)
        emit_string(out, "several", further[report->several]);
    if (report->swaps != REPORT_PLACE_ONE)
        emit_string(out, "swaps", further[report->swaps]);
    emit_number(out, "minimal", placement_minimal_count(placement));
    emit_bool(out, "complete", placement->complete);
    emit_bool(out, "stands", placement->stands);
    emit_string(out, "limit", placement->limit);
    emit_name(out, "total");
    if (isfinite(placement->total))
        strbuf_printf(out, "%.0f", placement->total);
    else
        strbuf_add(out, "null");
    emit_number(out, "tried", placement->tried);
    emit_number(out, "executions", placement->executions);
    report_json_end(out);
}
