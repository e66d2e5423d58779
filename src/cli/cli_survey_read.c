#include "cli/cli_survey_record.h"

#include "run/run_record.h"

#include <jansson.h>
#include <string.h>

struct reading {
    const struct gen_survey *survey;
    struct arena *arena;
    struct gen_part *part;
    bool sound;
};

static uint64_t read_number(struct reading *r, const json_t *json, const char *name)
{
    uint64_t number;
    r->sound &= run_record_number(json, name, &number);
    return r->sound ? number : 0;
}

/* NULL where it is null. */
static const char *text_of(struct reading *r, const json_t *json, const char *name)
{
    const json_t *member = json_object_get(json, name);
    r->sound &= json_is_string(member) || json_is_null(member);
    return json_is_string(member) ? arena_strdup(r->arena, json_string_value(member)) : NULL;
}

static enum agree_aspect kind_of(struct reading *r, const json_t *json)
{
    const char *text = text_of(r, json, "kind");
    for (int kind = 0; text && kind < AGREE_ASPECT_COUNT; kind++)
        if (strcmp(agree_aspect_text((enum agree_aspect)kind), text) == 0)
            return (enum agree_aspect)kind;
    r->sound = false;
    return AGREE_FINAL;
}

static struct gen_find find_of(struct reading *r, const json_t *json)
{
    struct gen_find find = {.unit = r->part->unit,
                            .number = read_number(r, json, "number"),
                            .undefined = json_is_true(json_object_get(json, "undefined")),
                            .kind = kind_of(r, json),
                            .count = (size_t)read_number(r, json, "count"),
                            .state = text_of(r, json, "state"),
                            .row = text_of(r, json, "row")};
    r->sound &= find.number < r->part->counts.programs + r->part->counts.refused;
    return find;
}

/* NULL, or unsound, when it is of no pair. */
static struct gen_pair *pair_of(struct reading *r, const json_t *json, bool *wanted)
{
    uint32_t count = r->survey->model_count;
    uint64_t first = read_number(r, json, "first"), second = read_number(r, json, "second");
    r->sound &= first < count && second < count && first != second;
    if (!r->sound)
        return NULL;
    size_t pair = (size_t)first * count + (size_t)second;
    *wanted = r->survey->all || r->part->size <= r->survey->pairs[pair].size;
    return &r->part->pairs[pair];
}

/* Whether it is wanted. */
static bool read_found(struct reading *r, const json_t *json)
{
    bool wanted = false;
    const json_t *tests = json_object_get(json, "tests"), *test;
    struct gen_pair *pair = pair_of(r, json, &wanted);
    size_t i;
    if (!pair || !wanted)
        return false;
    pair->smallest = read_number(r, json, "programs");
    pair->finds = ARENA_ARRAY(r->arena, struct gen_find, GEN_MAX_FINDS);
    pair->find_count = 0;
    r->sound &= json_array_size(tests) > 0 && json_array_size(tests) <= GEN_MAX_FINDS;
    json_array_foreach (tests, i, test)
        if (r->sound)
            pair->finds[pair->find_count++] = find_of(r, test);
    return true;
}

static bool read_open(struct reading *r, const json_t *json)
{
    bool wanted = false;
    struct gen_pair *pair = pair_of(r, json, &wanted);
    if (!pair || !wanted)
        return false;
    pair->open = read_number(r, json, "programs");
    pair->doubt = text_of(r, json, "doubt");
    pair->open_at = text_of(r, json, "at");
    r->sound &= pair->open > 0 && pair->doubt && pair->open_at;
    return true;
}

/* Those that are not wanted are removed. */
static void read_each(struct reading *r, json_t *list,
                      bool read(struct reading *r, const json_t *json))
{
    r->sound &= json_is_array(list);
    for (size_t i = 0; r->sound && i < json_array_size(list);) {
        if (read(r, json_array_get(list, i)))
            i++;
        else
            (void)json_array_remove(list, i);
    }
}

bool cli_survey_record_read(const struct gen_survey *survey, struct arena *arena, json_t *record,
                            struct gen_part *part)
{
    struct reading r = {.survey = survey, .arena = arena, .part = part, .sound = true};
    *part = (struct gen_part){.unit = read_number(&r, record, "unit")};
    uint64_t size = read_number(&r, record, "operations");
    part->size = size < UINT32_MAX ? (uint32_t)size : 0;
    part->counts.programs = read_number(&r, record, "programs");
    part->counts.alike = read_number(&r, record, "alike");
    part->counts.states = read_number(&r, record, "states");
    part->counts.undefined = read_number(&r, record, "undefined");
    part->counts.refused = survey->is_mapped ? read_number(&r, record, "refused") : 0;
    part->pairs = ARENA_ARRAY(arena, struct gen_pair, survey->model_count * survey->model_count);
    read_each(&r, json_object_get(record, "found"), read_found);
    read_each(&r, json_object_get(record, "open"), read_open);
    return r.sound;
}
