#include "cli/cli_survey_record.h"

#include "base/json.h"
#include "document/report_survey.h"

static void write_find(const struct gen_find *find, struct strbuf *out)
{
    emit_object(out, NULL);
    emit_number(out, "number", find->number);
    emit_bool(out, "undefined", find->undefined);
    emit_string(out, "kind", agree_aspect_text(find->kind));
    emit_number(out, "count", find->count);
    emit_string(out, "state", find->state);
    emit_string(out, "row", find->row);
    emit_end(out, '}');
}

/* Models by their numbers on the command line, from 0. */
static void begin_pair(const struct gen_survey *survey, uint32_t pair, uint64_t programs,
                       struct strbuf *out)
{
    emit_object(out, NULL);
    emit_number(out, "first", pair / survey->model_count);
    emit_number(out, "second", pair % survey->model_count);
    emit_number(out, "programs", programs);
}

static void write_found(const struct gen_survey *survey, const struct gen_part *part, uint32_t pair,
                        struct strbuf *out)
{
    const struct gen_pair *found = &part->pairs[pair];
    if (!found->find_count)
        return;
    begin_pair(survey, pair, found->smallest, out);
    emit_array(out, "tests");
    for (uint32_t i = 0; i < found->find_count; i++)
        write_find(&found->finds[i], out);
    emit_end(out, ']');
    emit_end(out, '}');
}

static void write_open(const struct gen_survey *survey, const struct gen_part *part, uint32_t pair,
                       struct strbuf *out)
{
    const struct gen_pair *open = &part->pairs[pair];
    if (!open->open)
        return;
    begin_pair(survey, pair, open->open, out);
    emit_string(out, "doubt", open->doubt);
    emit_string(out, "at", open->open_at);
    emit_end(out, '}');
}

void cli_survey_record_write(const struct gen_survey *survey, const struct gen_part *part,
                             struct strbuf *out)
{
    uint32_t pairs = survey->model_count * survey->model_count;
    emit_string(out, "vocabulary", survey->bounds[part->bound].vocabulary->name);
    emit_number(out, "operations", part->size);
    report_survey_json_counts(&part->counts, survey->is_mapped, out);
    emit_array(out, "found");
    for (uint32_t i = 0; i < pairs; i++)
        write_found(survey, part, i, out);
    emit_end(out, ']');
    emit_array(out, "open");
    for (uint32_t i = 0; i < pairs; i++)
        write_open(survey, part, i, out);
    emit_end(out, ']');
}
