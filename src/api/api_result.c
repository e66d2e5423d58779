/* The JSON lines are cut apart in place; a copy of them has the fields, decoded in place as well.
 */
#include "api/api_result.h"

#include "api/api_record.h"

#include <stdlib.h>
#include <string.h>

struct crashlit_result {
    enum crashlit_status status;
    char *lines, *fields, *diagnostics;
    struct api_record *records;
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

static void read_records(struct crashlit_result *result)
{
    char *line = result->lines;
    for (char *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        api_record_read(&result->records[result->count++], line,
                        result->fields + (line - result->lines));
    }
}

struct crashlit_result *api_result_new(const struct cli_result *from)
{
    struct crashlit_result *result = calloc(1, sizeof *result);
    if (!result)
        return NULL;
    result->status = (enum crashlit_status)from->status;
    result->lines = copy(&from->out);
    result->fields = copy(&from->out);
    result->diagnostics = copy(&from->err);
    if (result->lines && result->fields && result->diagnostics)
        result->records = calloc(count_lines(result->lines) + 1, sizeof *result->records);
    if (!result->records) {
        crashlit_result_free(result);
        return NULL;
    }
    read_records(result);
    return result;
}

void crashlit_result_free(struct crashlit_result *result)
{
    if (!result)
        return;
    base_free_foreign(result->records);
    base_free_foreign(result->lines);
    base_free_foreign(result->fields);
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

static const char *field(const struct crashlit_result *result, size_t index, enum api_field field)
{
    return index < result->count ? result->records[index].fields[field] : NULL;
}

const char *crashlit_result_test(const struct crashlit_result *result, size_t index)
{
    return field(result, index, API_FIELD_TEST);
}

const char *crashlit_result_model(const struct crashlit_result *result, size_t index)
{
    return field(result, index, API_FIELD_MODEL);
}

const char *crashlit_result_persistency(const struct crashlit_result *result, size_t index)
{
    return field(result, index, API_FIELD_PERSISTENCY);
}

const char *crashlit_result_engine(const struct crashlit_result *result, size_t index)
{
    return field(result, index, API_FIELD_ENGINE);
}

const char *crashlit_result_verdict(const struct crashlit_result *result, size_t index)
{
    return field(result, index, API_FIELD_VERDICT);
}

const char *crashlit_result_expected(const struct crashlit_result *result, size_t index)
{
    return field(result, index, API_FIELD_EXPECTED);
}

const char *crashlit_result_json(const struct crashlit_result *result, size_t index)
{
    return index < result->count ? result->records[index].line : NULL;
}
