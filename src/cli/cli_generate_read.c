#include "cli/cli_generate_read.h"

#include <jansson.h>

bool cli_generate_count(const json_t *record, const char *name, uint64_t *count)
{
    const json_t *member = json_object_get(record, name);
    *count = (uint64_t)json_integer_value(member);
    return json_is_integer(member) && json_integer_value(member) >= 0;
}

static bool read_test(const json_t *test, uint64_t *number, const char **line, const char **body)
{
    *line = json_string_value(json_object_get(test, "line"));
    *body = json_string_value(json_object_get(test, "body"));
    return cli_generate_count(test, "number", number) && *line && *body;
}

bool cli_generate_each(const json_t *record, cli_generate_visit *visit, void *context)
{
    const json_t *tests = json_object_get(record, "tests"), *test;
    const char *line, *body;
    uint64_t number;
    size_t i;
    bool sound = json_is_array(tests);
    json_array_foreach (tests, i, test)
        sound &= read_test(test, &number, &line, &body);
    json_array_foreach (tests, i, test)
        if (sound && read_test(test, &number, &line, &body))
            visit(context, number, line, body);
    return sound;
}
