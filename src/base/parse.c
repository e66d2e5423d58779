#include "base/parse.h"

#include <string.h>

bool parse_covers(const struct parse_phrase *phrase, const char *token)
{
    size_t length = strlen(token);
    for (const char *at = phrase->members; (at = strstr(at, token)); at++)
        if (strchr(" \"", at[-1]) && strchr(" \"", at[length]))
            return true;
    return strcmp(token, phrase->witness) == 0;
}

bool parse_expects(const char *token, const char *const *expected, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(expected[i], token) == 0)
            return true;
    return false;
}

void parse_add_expected(struct strbuf *out, const char *text, bool quote, int *said)
{
    strbuf_add(out, *said ? ", " : "expected ");
    strbuf_printf(out, quote ? "'%s'" : "%s", text);
    ++*said;
}
