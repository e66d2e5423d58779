#include "lsp/lsp_place.h"

#include "base/json.h"
#include "base/utf8.h"

#include <string.h>

/* ---- Positions ---- */

/* Code units of the character that begins there, and its bytes. */
static uint32_t units(const char *text, size_t left, size_t *bytes)
{
    size_t length = left ? utf8_length(text) : 0;
    *bytes = length && length <= left ? length : 1;
    return *bytes == 4 ? 2 : 1;
}

static uint32_t mark_of(const struct source *source, uint32_t line)
{
    return source->is_marked && line == 1;
}

struct lsp_position lsp_position_of(const struct source *source, uint32_t line, uint32_t column)
{
    struct lsp_position position = {line ? line - 1 : 0, mark_of(source, line)};
    size_t length, step;
    const char *text = source_line(source, line, &length);
    for (size_t i = 0; i < length && i + 1 < column; i += step)
        position.character += units(text + i, length - i, &step);
    return position;
}

void lsp_position_in(const struct source *source, struct lsp_position position, uint32_t *line,
                     uint32_t *column)
{
    size_t length, step = 0, at = 0;
    *line = position.line < UINT32_MAX ? position.line + 1 : position.line;
    uint32_t character = mark_of(source, *line);
    const char *text = source_line(source, *line, &length);
    for (; at < length && character < position.character; at += step)
        character += units(text + at, length - at, &step);
    *column = (uint32_t)at + 1;
}

static void add_position(struct strbuf *out, const char *name, struct lsp_position position)
{
    emit_object(out, name);
    emit_number(out, "line", position.line);
    emit_number(out, "character", position.character);
    emit_end(out, '}');
}

void lsp_range_add(struct strbuf *out, const char *name, struct lsp_position start,
                   struct lsp_position end)
{
    emit_object(out, name);
    add_position(out, "start", start);
    add_position(out, "end", end);
    emit_end(out, '}');
}

void lsp_span_add(struct strbuf *out, const char *name, const struct span *span)
{
    struct lsp_position start = {0, 0}, end = {0, 0};
    if (span->source && span->line) {
        bool ends = span->end_line > span->line ||
                    (span->end_line == span->line && span->end_column > span->column);
        size_t length;
        (void)source_line(span->source, span->line, &length);
        start = lsp_position_of(span->source, span->line, span->column);
        end = ends ? lsp_position_of(span->source, span->end_line, span->end_column)
                   : lsp_position_of(span->source, span->line, (uint32_t)length + 1);
    }
    lsp_range_add(out, name, start, end);
}

bool lsp_span_has(const struct span *span, uint32_t line, uint32_t column)
{
    if (!span->source || line < span->line || line > span->end_line)
        return false;
    return (line > span->line || column >= span->column) &&
           (line < span->end_line || column < span->end_column);
}

/* ---- Files ---- */

static int digit(char c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (int)((found - digits) % 16) : -1;
}

/* Behind the scheme and perhaps this machine's name. */
static const char *path_in(const char *uri)
{
    static const char *const heads[] = {"file://localhost/", "file:///"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (strncmp(uri, heads[i], strlen(heads[i])) == 0)
            return uri + strlen(heads[i]) - 1;
    return NULL;
}

const char *lsp_uri_path(struct arena *arena, const char *uri, size_t length)
{
    const char *from = strlen(uri) == length ? path_in(uri) : NULL;
    if (!from)
        return NULL;
    char *path = arena_strdup(arena, from), *to = path;
    while (*from && *from != '?' && *from != '#') {
        int high = *from == '%' ? digit(from[1]) : -1, low = high >= 0 ? digit(from[2]) : -1;
        char c = low >= 0 ? (char)(high * 16 + low) : *from;
        if ((*from == '%' && low < 0) || !c)
            return NULL;
        *to++ = c;
        from += low >= 0 ? 3 : 1;
    }
    *to = '\0';
    return path;
}
