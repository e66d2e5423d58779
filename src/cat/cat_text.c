#include "cat/cat_text.h"

#include <string.h>

const char *cat_text_behind_comment(const char *at)
{
    uint32_t depth = 0;
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
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

/* Behind a string, a name or any other byte. */
static const char *behind_word(const char *at, size_t letters)
{
    if (*at == '"')
        at += 1 + strcspn(at + 1, "\"");
    return at + (letters ? letters : *at != '\0');
}

size_t cat_text_count(const struct source *source, const char *name)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-'";
    size_t count = 0, length = strlen(name);
    for (const char *at = source->text, *next; *at; at = next) {
        size_t word = strspn(at, letters);
        next = cat_text_behind_comment(at);
        if (next != at)
            continue;
        count += word == length && memcmp(at, name, length) == 0;
        next = behind_word(at, word);
    }
    return count;
}
