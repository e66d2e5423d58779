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

void parse_add_expected(struct strbuf *list, const char *text, bool quote, int *said)
{
    strbuf_add(list, *said ? ", " : "");
    strbuf_printf(list, quote ? "'%s'" : "%s", text);
    ++*said;
}

void parse_tell_expected(struct strbuf *out, const char *list)
{
    const char *last = NULL;
    for (const char *at = list; (at = strstr(at, ", ")); at++)
        last = at;
    strbuf_add(out, "expected ");
    if (last)
        strbuf_printf(out, "%.*s or ", (int)(last - list), list);
    strbuf_add(out, last ? last + 2 : list);
}
