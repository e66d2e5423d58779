#include "document/report_survey.h"

#include "base/json.h"

#include <inttypes.h>

void report_survey_figures(const struct report_survey *survey, struct strbuf *out)
{
    strbuf_printf(out,
                  "%s: %" PRIu64 " programs up to symmetry, %" PRIu64 " states compared, engine %s",
                  survey->bound, survey->counts.programs, survey->counts.states, survey->engine);
}

void report_survey_left_out(const struct report_survey *survey, struct report_tree *tree)
{
    if (survey->left_out)
        report_tree_line(tree, "Left out of the search: %s", survey->left_out);
}

void report_survey_json_test(const struct report_survey_test *test, struct strbuf *out)
{
    emit_number(out, "operations", test->size);
    emit_string(out, "line", test->line);
    emit_string(out, "litmus", test->litmus);
    emit_bool(out, "undefined", test->undefined);
    emit_string(out, "kind", test->kind);
    emit_string(out, "state", test->state);
}

void report_survey_json_counts(const struct contrast_counts *counts, bool mapped,
                               struct strbuf *out)
{
    emit_number(out, "programs", counts->programs);
    emit_number(out, "alike", counts->alike);
    emit_number(out, "states", counts->states);
    emit_number(out, "undefined", counts->undefined);
    if (mapped)
        emit_number(out, "refused", counts->refused);
}

void report_survey_json_begin(const struct report_survey *survey, struct strbuf *out)
{
    strbuf_printf(out, "{\"schema\":1,%s", survey->tail);
    emit_string(out, "bound", survey->bound);
    emit_string(out, "engine", survey->engine);
    if (survey->mapping)
        emit_string(out, "mapping", survey->mapping);
    report_survey_json_counts(&survey->counts, survey->mapping, out);
    if (survey->left_out)
        emit_string(out, "left_out", survey->left_out);
    if (!survey->ended)
        emit_number(out, "next", survey->next);
}
