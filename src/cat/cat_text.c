#include "cat/cat_text.h"

#include <string.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-'";

/* These do not nest. */
static const char *behind_slashed(const char *at)
{
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
}

const char *cat_text_behind_comment(const char *at)
{
    uint32_t depth = 0;
    if (at[0] == '#' || (at[0] == '/' && at[1] == '/'))
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*')
        return behind_slashed(at);
    if (at[0] != '(' || at[1] != '*')
        return at;
    do {
        bool opens = at[0] == '(' && at[1] == '*', closes = at[0] == '*' && at[1] == ')';
        depth += opens;
        depth -= closes;
        at += opens || closes ? 2 : 1;
    } while (*at && depth);
    return at;
}

const char *cat_text_behind_word(const char *at)
{
    const size_t length = strspn(at, letters);
    if (*at == '"')
        at += 1 + strcspn(at + 1, "\"");
    return at + (length ? length : *at != '\0');
}

size_t cat_text_count(const struct source *source, const char *name)
{
    size_t count = 0, length = strlen(name);
    for (const char *at = source->text, *next; *at; at = next) {
        next = cat_text_behind_comment(at);
        if (next != at)
            continue;
        next = cat_text_behind_word(at);
        count += (size_t)(next - at) == length && memcmp(at, name, length) == 0;
    }
    return count;
}
