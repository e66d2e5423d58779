#include "api/api_record.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
#define X(identifier, name) name,
    API_FIELDS(X)
#undef X
};

/* \" and \\, \u00XX of a control character, and \ufffd: json_string writes no others. What
 * is written is no longer than what is read. */
static char *decode_escape(char *to, char **from)
{
    char *at = *from + 1, digits[5] = "";
    if (*at != 'u') {
        *to = *at;
        *from = at + 1;
        return to + 1;
    }
    memcpy(digits, at + 1, 4);
    *from = at + 5;
    unsigned long code = strtoul(digits, NULL, 16);
    if (code < 0x80) {
        *to = (char)code;
        return to + 1;
    }
    memcpy(to, "\xef\xbf\xbd", 3);
    return to + 3;
}

/* Decodes the string that begins at `*at`, and goes behind it. */
static char *take_string(char **at)
{
    char *text = *at + 1, *to = text, *from = text;
    while (*from != '"')
        if (*from == '\\')
            to = decode_escape(to, &from);
        else
            *to++ = *from++;
    *at = from + 1;
    *to = '\0';
    return text;
}

/* Goes to the comma or brace behind a value of another kind. */
static void skip_value(char **at)
{
    for (int depth = 0; depth || (**at != ',' && **at != '}');)
        if (**at == '"') {
            (void)take_string(at);
        } else {
            depth += **at == '{' || **at == '[';
            depth -= **at == '}' || **at == ']';
            ++*at;
        }
}

void api_record_read(struct api_record *record, const char *line, char *copy)
{
    *record = (struct api_record){.line = line};
    for (char *at = copy; *at == '{' || *at == ',';) {
        at++;
        const char *name = take_string(&at), *value = NULL;
        at++; /* the colon */
        if (*at == '"')
            value = take_string(&at);
        else
            skip_value(&at);
        for (int i = 0; i < API_FIELD_COUNT; i++)
            if (strcmp(names[i], name) == 0)
                record->fields[i] = value;
    }
}
