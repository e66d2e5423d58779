/* Apart from what writes JSON: jansson's names are those of base/json.h. */
#include "lsp/lsp_message.h"

#include "base/arena.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* The value is its own handle. */
static json_t *root(const struct lsp_message *message)
{
    return (json_t *)message;
}

struct lsp_message *lsp_message_read(const char *text, size_t length)
{
    return (struct lsp_message *)json_loadb(text, length, JSON_ALLOW_NUL | JSON_DECODE_ANY, NULL);
}

bool lsp_message_is_object(const struct lsp_message *message)
{
    return json_is_object(root(message));
}

void lsp_message_free(struct lsp_message *message)
{
    json_decref(root(message));
}

static json_t *member(const json_t *json, const char *name)
{
    if (json_is_object(json))
        return json_object_get(json, name);
    char *end;
    unsigned long number = strtoul(name, &end, 10);
    return json_is_array(json) && end != name && !*end ? json_array_get(json, number) : NULL;
}

static json_t *at(const struct lsp_message *message, const char *place)
{
    enum { LONGEST = 64 };
    json_t *json = root(message);
    while (json && *place) {
        char name[LONGEST];
        size_t length = strcspn(place, "/");
        BASE_CHECK(length < sizeof name);
        memcpy(name, place, length);
        name[length] = '\0';
        json = member(json, name);
        place += length + (place[length] == '/');
    }
    return json;
}

bool lsp_message_has(const struct lsp_message *message, const char *place)
{
    return at(message, place) != NULL;
}

const char *lsp_message_text(const struct lsp_message *message, const char *place, size_t *length)
{
    const json_t *json = at(message, place);
    *length = json_string_length(json);
    return json_string_value(json);
}

bool lsp_message_number(const struct lsp_message *message, const char *place, uint32_t *number)
{
    const json_t *json = at(message, place);
    json_int_t value = json_is_integer(json) ? json_integer_value(json) : -1;
    if (value < 0 || value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    return true;
}

size_t lsp_message_count(const struct lsp_message *message, const char *place)
{
    return json_array_size(at(message, place));
}

void lsp_message_add(const struct lsp_message *message, const char *place, struct strbuf *out)
{
    const json_t *json = at(message, place);
    char *text = json ? json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    if (text)
        strbuf_add(out, text);
    base_free_foreign(text);
}
