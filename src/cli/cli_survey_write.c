#include "cli/cli_survey_record.h"

#include "base/json.h"

static void write_find(const struct gen_find *find, struct strbuf *out)
{
    json_object(out, NULL);
    json_number(out, "number", find->number);
    json_bool(out, "undefined", find->undefined);
    json_string(out, "kind", agree_aspect_text(find->kind));
    json_number(out, "count", find->count);
    json_string(out, "state", find->state);
    json_string(out, "row", find->row);
    json_end(out, '}');
}

/* Models by their numbers on the command line, from 0. */
static void begin_pair(const struct gen_survey *survey, uint32_t pair, uint64_t programs,
                       struct strbuf *out)
{
    json_object(out, NULL);
    json_number(out, "first", pair / survey->model_count);
    json_number(out, "second", pair % survey->model_count);
    json_number(out, "programs", programs);
}

static void write_found(const struct gen_survey *survey, const struct gen_part *part, uint32_t pair,
                        struct strbuf *out)
{
    const struct gen_pair *found = &part->pairs[pair];
    if (!found->find_count)
        return;
    begin_pair(survey, pair, found->smallest, out);
    json_array(out, "tests");
    for (uint32_t i = 0; i < found->find_count; i++)
        write_find(&found->finds[i], out);
    json_end(out, ']');
    json_end(out, '}');
}

static void write_open(const struct gen_survey *survey, const struct gen_part *part, uint32_t pair,
                       struct strbuf *out)
{
    const struct gen_pair *open = &part->pairs[pair];
    if (!open->open)
        return;
    begin_pair(survey, pair, open->open, out);
    json_string(out, "doubt", open->doubt);
    json_string(out, "at", open->open_at);
    json_end(out, '}');
}

void cli_survey_record_write(const struct gen_survey *survey, const struct gen_part *part,
                             struct strbuf *out)
{
    uint32_t pairs = survey->model_count * survey->model_count;
    json_string(out, "vocabulary", survey->bounds[part->bound].vocabulary->name);
    json_number(out, "operations", part->size);
    json_number(out, "programs", part->programs);
    json_number(out, "alike", part->alike);
    json_number(out, "states", part->states);
    json_number(out, "undefined", part->undefined);
    if (survey->is_mapped)
        json_number(out, "refused", part->refused);
    json_array(out, "found");
    for (uint32_t i = 0; i < pairs; i++)
        write_found(survey, part, i, out);
    json_end(out, ']');
    json_array(out, "open");
    for (uint32_t i = 0; i < pairs; i++)
        write_open(survey, part, i, out);
    json_end(out, ']');
}
