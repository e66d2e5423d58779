#include "base/source.h"

#include "base/guard.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Is there a byte order mark, which says nothing in UTF-8? */
static bool is_marked(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
}

/* The text with '\n' for each CR LF and CR, in the same place; returns its length. */
static size_t unite_line_ends(char *text, size_t length)
{
    size_t to = 0;
    for (size_t at = 0; at < length; at++) {
        if (text[at] == '\r' && at + 1 < length && text[at + 1] == '\n')
            continue;
        text[to++] = text[at] == '\r' ? '\n' : text[at];
    }
    text[to] = '\0';
    return to;
}

const struct source *source_from_text(struct arena *arena, const char *name, const char *text,
                                      size_t length)
{
    struct source *source = ARENA_NEW(arena, struct source);
    source->name = arena_strdup(arena, name);
    size_t mark = is_marked(text, length) ? 3 : 0;
    char *copy = arena_strndup(arena, text + mark, length - mark);
    length -= mark;
    source->length = unite_line_ends(copy, length);
    source->text = copy;
    return source;
}

static const struct source *read_all(struct arena *arena, FILE *file, const char *path,
                                     const char **why)
{
    size_t capacity = 1 << 16, length = 0;
    char *bytes = base_realloc(NULL, capacity);
    size_t got;
    while ((got = fread(bytes + length, 1, capacity - length, file)) > 0) {
        length += got;
        if (length > SOURCE_MAX_BYTES)
            break;
        if (length == capacity)
            bytes = base_realloc(bytes, capacity *= 2);
    }
    const struct source *source = NULL;
    if (ferror(file))
        *why = arena_strdup(arena, strerror(errno));
    else if (length > SOURCE_MAX_BYTES)
        *why = "larger than 4 MiB";
    else
        source = source_from_text(arena, path, bytes, length);
    base_free(bytes);
    return source;
}

static void close_file(void *file)
{
    fclose(file);
}

const struct source *source_load(struct arena *arena, const char *path, const char **why)
{
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        *why = "is a directory";
        return NULL;
    }
    FILE *file = fopen(path, "rb");
    if (!file) {
        *why = arena_strdup(arena, strerror(errno));
        return NULL;
    }
    struct base_cleanup cleanup;
    base_cleanup_add(&cleanup, close_file, file);
    const struct source *source = read_all(arena, file, path, why);
    base_cleanup_remove(&cleanup);
    fclose(file);
    return source;
}

struct span source_span_in(struct arena *arena, const char *name, const char *text, size_t offset)
{
    uint32_t column = (uint32_t)offset + 1;
    const struct source *source = source_from_text(arena, name, text, strlen(text));
    return (struct span){source, 1, column, 1, column + 1};
}

const char *source_line(const struct source *source, uint32_t line, size_t *length)
{
    const char *at = source->text, *end = source->text + source->length;
    for (uint32_t i = 1; i < line && at < end; i++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    *length = (size_t)((stop ? stop : end) - at);
    return at;
}
