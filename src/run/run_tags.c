#include "run/run_tags.h"

#include "base/strbuf.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char TAGS[] = "Tags", BETWEEN[] = ", \t\n";

/* Behind what begins at `at` and ends with `end`; the end of the text when it does not. */
static const char *behind(const char *at, const char *end)
{
    const char *found = strstr(at, end);
    return found ? found + strlen(end) : at + strlen(at);
}

/* Behind a comment that others may stand in. */
static const char *pass_nest(const char *at)
{
    size_t depth = 0;
    do {
        const bool opens = strncmp(at, "(*", 2) == 0, closes = strncmp(at, "*)", 2) == 0;
        depth += opens;
        depth -= closes;
        at += opens || closes ? 2 : 1;
    } while (*at && depth);
    return at;
}

/* Behind a comment or title at `at`; NULL: there is none. */
static const char *pass_words(const char *at)
{
    if (strncmp(at, "(*", 2) == 0)
        return pass_nest(at);
    if (strncmp(at, "/*", 2) == 0)
        return behind(at + 2, "*/");
    if (strncmp(at, "//", 2) == 0)
        return at + strcspn(at, "\n");
    return *at == '"' ? behind(at + 1, "\"") : NULL;
}

/* Behind the `=` of a line `Name=text` at `at`, or NULL. */
static const char *value_of(const char *at, size_t *name)
{
    for (*name = 0; isalnum((unsigned char)at[*name]) || at[*name] == '_';)
        ++*name;
    const char *equals = at + *name + strspn(at + *name, " \t");
    return isupper((unsigned char)*at) && *equals == '=' ? equals + 1 : NULL;
}

/* Its lines end with LF, whatever they ended with. */
static const char *with_line_ends(struct arena *arena, const char *text)
{
    char *lines = arena_strdup(arena, text);
    for (char *at = lines; (at = strchr(at, '\r'));)
        *at = '\n';
    return lines;
}

const char *run_tags_of(struct arena *arena, const char *text)
{
    SCOPED(strbuf) tags = {0};
    for (const char *at = with_line_ends(arena, text); *at && *at != '{';) {
        size_t name;
        at += strspn(at, " \t\n");
        const char *value = value_of(at, &name), *next = pass_words(at);
        if (value)
            next = at + strcspn(at, "\n");
        if (value && name == sizeof TAGS - 1 && strncmp(at, TAGS, name) == 0)
            strbuf_printf(&tags, "%.*s\n", (int)(next - value), value);
        for (; !next && *at && !strchr("\n{\"", *at) && !pass_words(at); at++)
            ;
        at = next ? next : at;
    }
    return arena_strdup(arena, strbuf_text(&tags));
}

/* A pipe would be emptied by it. */
const char *run_tags_read(struct arena *arena, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return "";
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    char *text = ARENA_ARRAY(arena, char, RUN_TAGS_BYTES + 1);
    const ssize_t length = file < 0 ? 0 : pread(file, text, RUN_TAGS_BYTES, 0);
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
    return run_tags_of(arena, text);
}

size_t run_tags_next(const char **at, const char **tag)
{
    *tag = *at + strspn(*at, BETWEEN);
    const size_t length = strcspn(*tag, BETWEEN);
    *at = *tag + length;
    return length;
}
