#include "hw/hw_result.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/source.h"
#include "base/utf8.h"
#include "report/report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

enum { SCHEMA = 1, MOST_LINE = 16 << 20 };

const char *hw_result_digest(struct arena *arena, uint64_t digest)
{
    return arena_printf(arena, "%016" PRIx64, digest);
}

void hw_result_begin(struct arena *arena, struct hw_result *result, const struct hw_plan *plan,
                     const char *text)
{
    const char **names = ARENA_ARRAY(arena, const char *, plan->value_count);
    for (uint32_t i = 0; i < plan->value_count; i++) {
        struct strbuf name = {0};
        report_item(plan->program, &plan->values[i].atom, &name);
        names[i] = strbuf_take(&name, arena);
    }
    *result = (struct hw_result){.test = plan->program->name,
                                 .test_digest = hw_result_digest(arena, plan->program->digest),
                                 .emitted_digest =
                                     hw_result_digest(arena, XXH3_64bits(text, strlen(text))),
                                 .target = "ptx",
                                 .widened = plan->widened,
                                 .names = names,
                                 .width = plan->value_count};
}

static void write_outcome(const struct hw_result *result, const struct hw_seen *seen,
                          struct strbuf *out)
{
    emit_object(out, NULL);
    emit_object(out, "state");
    for (uint32_t i = 0; i < result->width; i++) {
        emit_name(out, result->names[i]);
        strbuf_printf(out, "%" PRId64, seen->values[i]);
    }
    emit_end(out, '}');
    emit_number(out, "count", seen->count);
    emit_number(out, "launches", seen->launches);
    emit_number(out, "first", seen->first);
    emit_end(out, '}');
}

void hw_result_write(const struct hw_result *result, struct strbuf *out)
{
    emit_object(out, NULL);
    emit_number(out, "schema", SCHEMA);
    emit_string(out, "kind", "hardware");
    emit_string(out, "test", result->test);
    emit_string(out, "test_digest", result->test_digest);
    emit_string(out, "emitted_digest", result->emitted_digest);
    emit_string(out, "target", result->target);
    emit_string(out, "widened", result->widened);
    emit_string(out, "device", result->device);
    emit_number(out, "seed", result->seed);
    emit_number(out, "launches", result->launches);
    emit_number(out, "instances", result->instances);
    emit_number(out, "unfinished", result->unfinished);
    emit_number(out, "other", result->other);
    emit_array(out, "outcomes");
    for (size_t i = 0; i < result->seen_count; i++)
        write_outcome(result, &result->seen[i], out);
    emit_end(out, ']');
    emit_end(out, '}');
    strbuf_add_char(out, '\n');
}

/* ---- Reading ---- */

struct reading {
    struct arena *arena;
    const char *path;
    uint32_t line;
    struct diag *diag;
    bool failed;
};

static void refuse(struct reading *r, const char *what)
{
    if (!r->failed)
        diag_error(r->diag, DIAG_CLI_RECORD, NOWHERE,
                   "'%s', line %" PRIu32 ": found %s, expected a line that crashlit hw run prints",
                   r->path, r->line, what);
    r->failed = true;
}

/* What is shown of it later is UTF-8 of one line, as jansson has checked it and JSON text has no
 * control characters but as escapes, which are shown as such. */
static const char *take_text(struct reading *r, const json_t *json, const char *name)
{
    const char *text = json_string_value(json_object_get(json, name));
    SCOPED(strbuf) shown = {0};
    if (!text) {
        refuse(r, arena_printf(r->arena, "no text '%s'", name));
        return "";
    }
    utf8_add_name(&shown, text);
    return arena_strdup(r->arena, strbuf_text(&shown));
}

static uint64_t take_number(struct reading *r, const json_t *json, const char *name)
{
    const json_t *number = json_object_get(json, name);
    if (json_is_integer(number) && json_integer_value(number) >= 0)
        return (uint64_t)json_integer_value(number);
    refuse(r, arena_printf(r->arena, "no count '%s'", name));
    return 0;
}

static void take_names(struct reading *r, const json_t *state, struct hw_result *result)
{
    const char *name, **names = ARENA_ARRAY(r->arena, const char *, json_object_size(state));
    json_t *value;
    json_object_foreach ((json_t *)state, name, value)
        names[result->width++] = arena_strdup(r->arena, name);
    result->names = names;
}

static const int64_t *take_state(struct reading *r, const json_t *state, struct hw_result *result)
{
    int64_t *values = ARENA_ARRAY(r->arena, int64_t, result->width);
    if (!json_is_object(state) || json_object_size(state) != result->width)
        refuse(r, "outcomes that do not name the same");
    for (uint32_t i = 0; i < result->width && !r->failed; i++) {
        const json_t *value = json_object_get(state, result->names[i]);
        if (!json_is_integer(value))
            refuse(r, "outcomes that do not name the same");
        else
            values[i] = json_integer_value(value);
    }
    return values;
}

/* Of a row of values, with how many there are in front. */
static int by_values(const void *a, const void *b)
{
    const int64_t *x = *(const int64_t *const *)a, *y = *(const int64_t *const *)b;
    for (int64_t i = 0; i <= x[0]; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static bool has_twice(struct reading *r, const struct hw_result *result)
{
    const int64_t **rows = ARENA_ARRAY(r->arena, const int64_t *, result->seen_count);
    for (size_t i = 0; i < result->seen_count; i++) {
        int64_t *row = ARENA_ARRAY(r->arena, int64_t, result->width + 1u);
        row[0] = result->width;
        memcpy(row + 1, result->seen[i].values, result->width * sizeof *row);
        rows[i] = row;
    }
    if (result->seen_count > 1)
        qsort(rows, result->seen_count, sizeof *rows, by_values);
    return ANY(i, result->seen_count, i > 0 && by_values(&rows[i - 1], &rows[i]) == 0);
}

static void take_outcome(struct reading *r, const json_t *json, struct hw_result *result)
{
    const json_t *state = json_object_get(json, "state");
    struct hw_seen *seen = &result->seen[result->seen_count++];
    if (result->seen_count == 1 && json_is_object(state))
        take_names(r, state, result);
    seen->seed = result->seed;
    seen->file = r->path;
    seen->line = r->line;
    seen->values = take_state(r, state, result);
    seen->count = take_number(r, json, "count");
    seen->launches = take_number(r, json, "launches");
    seen->first = take_number(r, json, "first");
    if (!r->failed && (!seen->count || !seen->launches || seen->launches > result->launches ||
                       seen->launches > seen->count))
        refuse(r, "an outcome with counts that cannot be");
}

/* No count is larger than 2^63, so a sum that is too large shows before the next is added. */
static void check_sum(struct reading *r, const struct hw_result *result)
{
    uint64_t sum = result->unfinished;
    bool fits = sum <= result->instances && result->other <= result->instances - sum;
    sum += fits ? result->other : 0;
    for (size_t i = 0; i < result->seen_count && fits; i++) {
        fits = result->seen[i].count <= result->instances - sum;
        sum += fits ? result->seen[i].count : 0;
    }
    if (!fits || sum != result->instances || !result->instances || !result->launches)
        refuse(r, "counts that do not add up to the instances");
}

static void take_outcomes(struct reading *r, const json_t *json, struct hw_result *result)
{
    const json_t *outcomes = json_object_get(json, "outcomes");
    size_t count = json_array_size(outcomes);
    if (!json_is_array(outcomes) || count > HW_RESULT_MOST_OUTCOMES) {
        refuse(r, "no list 'outcomes', or too long a one");
        return;
    }
    result->seen = ARENA_ARRAY(r->arena, struct hw_seen, count);
    for (size_t i = 0; i < count && !r->failed; i++)
        take_outcome(r, json_array_get(outcomes, i), result);
    if (!r->failed)
        check_sum(r, result);
    if (!r->failed && has_twice(r, result))
        refuse(r, "an outcome twice");
}

/* Fields that are not known may be of a later crashlit: what they say about the counts is not known
 * either. */
static void check_fields(struct reading *r, const json_t *json)
{
    static const char *const known[] = {
        "schema",  "kind",   "test", "test_digest", "emitted_digest", "target",
        "widened", "device", "seed", "launches",    "instances",      "unfinished",
        "other",   "driver", "when", "seconds",     "outcomes"};
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)json, name, value)
        if (!ANY(i, sizeof known / sizeof *known, strcmp(known[i], name) == 0)) {
            SCOPED(strbuf) shown = {0};
            utf8_add_name(&shown, name);
            refuse(r, arena_printf(r->arena, "the field '%s', which is not known",
                                   strbuf_text(&shown)));
        }
}

static void take_record(struct reading *r, const json_t *json, hw_result_list *list)
{
    struct hw_result result = {.file = r->path, .line = r->line};
    const char *kind = json_string_value(json_object_get(json, "kind"));
    if (!kind || strcmp(kind, "hardware") != 0)
        refuse(r, "a record of another kind");
    if (take_number(r, json, "schema") != SCHEMA)
        refuse(r, "another schema than 1");
    check_fields(r, json);
    result.test = take_text(r, json, "test");
    result.test_digest = take_text(r, json, "test_digest");
    result.emitted_digest = take_text(r, json, "emitted_digest");
    result.target = take_text(r, json, "target");
    result.widened = take_text(r, json, "widened");
    result.device = take_text(r, json, "device");
    result.seed = take_number(r, json, "seed");
    result.launches = take_number(r, json, "launches");
    result.instances = take_number(r, json, "instances");
    result.unfinished = take_number(r, json, "unfinished");
    result.other = take_number(r, json, "other");
    take_outcomes(r, json, &result);
    if (r->failed)
        return;
    const struct hw_result *same =
        FIND(i, list->items, list->count,
             list->items[i].seed == result.seed &&
                 strcmp(list->items[i].test_digest, result.test_digest) == 0 &&
                 strcmp(list->items[i].test, result.test) == 0 &&
                 strcmp(list->items[i].device, result.device) == 0 &&
                 strcmp(list->items[i].target, result.target) == 0);
    if (same)
        refuse(r, arena_printf(r->arena, "what '%s', line %" PRIu32 " says already", same->file,
                               same->line));
    else
        VEC_PUSH(list, result);
}

static void take_line(struct reading *r, const char *line, size_t length, hw_result_list *list)
{
    r->failed = false;
    json_t *json = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(json))
        take_record(r, json, list);
    else
        refuse(r, "no JSON object, or one that is cut off");
    json_decref(json);
}

bool hw_result_read(struct arena *arena, const char *path, hw_result_list *list, struct diag *diag)
{
    struct reading r = {.arena = arena, .path = path, .diag = diag};
    const uint32_t errors = diag->errors;
    const size_t before = list->count;
    char *line = NULL;
    size_t room = 0;
    const char *why;
    FILE *file = source_open(arena, path, &why);
    if (!file) {
        diag_error(diag, DIAG_FILE_READ, NOWHERE, "cannot read '%s': %s", path, why);
        return false;
    }
    r.path = utf8_name(arena, path);
    for (ssize_t length; (length = getline(&line, &room, file)) >= 0;) {
        r.line++;
        if (length > MOST_LINE)
            refuse(&r, "a line that is too long");
        else
            take_line(&r, line, (size_t)length, list);
    }
    if (list->count == before && diag->errors == errors)
        diag_error(diag, DIAG_CLI_RECORD, NOWHERE,
                   "'%s' has no record, expected lines that crashlit hw run prints", path);
    base_free_foreign(line);
    fclose(file);
    return diag->errors == errors;
}
