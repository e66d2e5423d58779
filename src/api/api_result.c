/* The JSON lines are cut apart in place and read back by jansson, whose objects keep the texts. */
#include "api/api_result.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct record {
    const char *line;
    json_t *json;
};

struct crashlit_result {
    enum crashlit_status status;
    char *lines, *diagnostics;
    struct record *records;
    size_t count;
};

static char *copy(const struct strbuf *text)
{
    char *copied = malloc(text->length + 1);
    return copied ? memcpy(copied, strbuf_text(text), text->length + 1) : NULL;
}

static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (; (text = strchr(text, '\n')); text++)
        count++;
    return count;
}

static bool read_records(struct crashlit_result *result)
{
    char *line = result->lines;
    for (char *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        json_t *json = json_loads(line, 0, NULL);
        if (!json)
            return false;
        result->records[result->count++] = (struct record){line, json};
    }
    return true;
}

struct crashlit_result *api_result_new(const struct cli_result *from)
{
    struct crashlit_result *result = calloc(1, sizeof *result);
    if (!result)
        return NULL;
    result->status = (enum crashlit_status)from->status;
    result->lines = copy(&from->out);
    result->diagnostics = copy(&from->err);
    if (result->lines && result->diagnostics)
        result->records = calloc(count_lines(result->lines) + 1, sizeof *result->records);
    if (result->records && read_records(result))
        return result;
    crashlit_result_free(result);
    return NULL;
}

void crashlit_result_free(struct crashlit_result *result)
{
    if (!result)
        return;
    for (size_t i = 0; i < result->count; i++)
        json_decref(result->records[i].json);
    base_free_foreign(result->records);
    base_free_foreign(result->lines);
    base_free_foreign(result->diagnostics);
    base_free_foreign(result);
}

enum crashlit_status crashlit_result_status(const struct crashlit_result *result)
{
    return result->status;
}

const char *crashlit_result_diagnostics(const struct crashlit_result *result)
{
    return result->diagnostics;
}

size_t crashlit_result_count(const struct crashlit_result *result)
{
    return result->count;
}

static const char *field(const struct crashlit_result *result, size_t index, const char *name)
{
    return index < result->count
               ? json_string_value(json_object_get(result->records[index].json, name))
               : NULL;
}

const char *crashlit_result_test(const struct crashlit_result *result, size_t index)
{
    return field(result, index, "test");
}

const char *crashlit_result_model(const struct crashlit_result *result, size_t index)
{
    return field(result, index, "model");
}

const char *crashlit_result_persistency(const struct crashlit_result *result, size_t index)
{
    return field(result, index, "persistency");
}

const char *crashlit_result_engine(const struct crashlit_result *result, size_t index)
{
    return field(result, index, "engine");
}

const char *crashlit_result_verdict(const struct crashlit_result *result, size_t index)
{
    return field(result, index, "verdict");
}

const char *crashlit_result_expected(const struct crashlit_result *result, size_t index)
{
    return field(result, index, "expected");
}

const char *crashlit_result_json(const struct crashlit_result *result, size_t index)
{
    return index < result->count ? result->records[index].line : NULL;
}
