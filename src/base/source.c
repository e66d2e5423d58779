#include "base/source.h"

#include "base/guard.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* Is there a byte order mark, which says nothing in UTF-8? */
static bool is_marked(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, SOURCE_MARK, 3) == 0;
}

/* The text with '\n' for each CR LF and CR, in the same place; returns its length. */
static size_t unite_line_ends(char *text, size_t length)
{
    const char *first = memchr(text, '\r', length);
    size_t to = first ? (size_t)(first - text) : length;
    for (size_t at = to; at < length; at++) {
        if (text[at] == '\r' && at + 1 < length && text[at + 1] == '\n')
            continue;
        text[to++] = text[at] == '\r' ? '\n' : text[at];
    }
    text[to] = '\0';
    return to;
}

/* Does each line that ends do so with CR LF, and some line end? */
static bool has_cr_lf(const char *text, size_t length)
{
    bool has = false;
    if (!memchr(text, '\r', length))
        return false;
    for (size_t at = 0; at < length; at++) {
        bool is = text[at] == '\r' && at + 1 < length && text[at + 1] == '\n';
        if (!is && (text[at] == '\r' || text[at] == '\n'))
            return false;
        at += is;
        has |= is;
    }
    return has;
}

/* Keeps the text, which is the arena's, and has room for a byte behind it. */
static struct source *keep_text(struct arena *arena, const char *name, char *text, size_t length)
{
    struct source *source = ARENA_NEW(arena, struct source);
    source->path = arena_strdup(arena, name);
    source->name = utf8_name(arena, source->path);
    source->is_marked = is_marked(text, length);
    text += source->is_marked ? 3 : 0;
    length -= source->is_marked ? 3 : 0;
    source->has_cr_lf = has_cr_lf(text, length);
    source->length = unite_line_ends(text, length);
    source->text = text;
    return source;
}

const struct source *source_from_text(struct arena *arena, const char *name, const char *text,
                                      size_t length)
{
    return keep_text(arena, name, arena_strndup(arena, text, length), length);
}

const struct source *source_from_builtin(struct arena *arena, const struct source_builtin *builtin)
{
    struct source *source =
        keep_text(arena, arena_printf(arena, "builtin:%s", builtin->path),
                  arena_strndup(arena, builtin->text, builtin->length), builtin->length);
    source->is_builtin = true;
    return source;
}

uint64_t source_digest(uint64_t before, const struct source *source)
{
    return XXH3_64bits_withSeed(source->text, source->length, before);
}

bool span_begins_in(struct span place, struct span within)
{
    return place.source == within.source &&
           (place.line != within.line ? place.line > within.line : place.column >= within.column) &&
           (place.line != within.end_line ? place.line < within.end_line
                                          : place.column < within.end_column);
}

const char *source_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Behind slashes, and names of the folder itself, that say nothing. */
static const char *pass_same(const char *path, bool begins)
{
    for (; (*path == '/' && !begins) || (path[0] == '.' && path[1] == '/'); path++)
        begins = false;
    return path;
}

bool source_same_path(const char *a, const char *b)
{
    for (bool begins = true;; begins = false) {
        a = pass_same(a, begins);
        b = pass_same(b, begins);
        const size_t length = strcspn(a, "/") + (*a == '/');
        if (length != strcspn(b, "/") + (*b == '/') || memcmp(a, b, length) != 0)
            return false;
        a += length;
        b += length;
        if (!*a || !*b)
            return *a == *b;
    }
}

bool source_same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    if (!a || !b)
        return false;
    return source_same_path(a, b) || (stat(a, &of_a) == 0 && stat(b, &of_b) == 0 &&
                                      of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino);
}

const char *source_builtin_name(struct arena *arena, const struct source_builtin *builtin)
{
    const char *file = source_file_name(builtin->path);
    const char *end = strrchr(file, '.');
    return end ? arena_strndup(arena, file, (size_t)(end - file)) : file;
}

bool source_builtin_is_in(const struct source_builtin *builtin, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(builtin->path, folder, length) == 0 && builtin->path[length] == '/';
}

/* Reads on after a signal. */
static ssize_t read_some(int file, char *bytes, size_t room)
{
    ssize_t got;
    do
        got = read(file, bytes, room);
    while (got < 0 && errno == EINTR);
    return got;
}

/* Behind the `length` bytes that are there, up to the end, or beyond what a source may have. */
static const struct source *read_on(struct arena *arena, int file, const char *there, size_t length,
                                    const char *path, const char **why)
{
    SCOPED(strbuf) bytes = {0};
    char piece[1 << 16];
    ssize_t got = (ssize_t)length;
    strbuf_add_bytes(&bytes, there, length);
    while (got > 0 && bytes.length <= SOURCE_MAX_BYTES) {
        got = read_some(file, piece, sizeof piece);
        strbuf_add_bytes(&bytes, piece, got > 0 ? (size_t)got : 0);
    }
    const struct source *source = NULL;
    if (got < 0)
        *why = arena_strdup(arena, strerror(errno));
    else if (bytes.length > SOURCE_MAX_BYTES)
        *why = "larger than 4 MiB";
    else
        source = source_from_text(arena, path, strbuf_text(&bytes), bytes.length);
    return source;
}

/* NULL where it is a regular file, or may be what it is. */
static const char *kind_fault(int file, size_t size)
{
    struct stat status;
    return size == SOURCE_ANY          ? NULL
           : fstat(file, &status) == 0 ? source_kind_fault(status.st_mode)
                                       : "cannot be looked at";
}

/* A regular file that still has as many bytes as before it was opened is taken for what it was.
 * What has not was written to or exchanged since, and is looked at. */
static const struct source *read_all(struct arena *arena, int file, size_t size, const char *path,
                                     const char **why)
{
    size_t room = size < SOURCE_MAX_BYTES ? size : 0;
    char *bytes = arena_alloc_unset(arena, room + 1);
    ssize_t got = read_some(file, bytes, room + 1);
    if (got >= 0 && (size_t)got == size)
        return keep_text(arena, path, bytes, size);
    *why = got < 0 ? arena_strdup(arena, strerror(errno)) : NULL;
    const char *fault = kind_fault(file, size);
    if (fault)
        *why = fault;
    return *why ? NULL : read_on(arena, file, bytes, (size_t)got, path, why);
}

static void close_file(void *file)
{
    close(*(int *)file);
}

const struct source *source_read(struct arena *arena, int file, size_t size, const char *path,
                                 const char **why)
{
    struct base_cleanup cleanup;
    base_cleanup_add(&cleanup, close_file, &file);
    const struct source *source = read_all(arena, file, size, path, why);
    base_cleanup_remove(&cleanup);
    close(file);
    return source;
}

const char *source_kind_fault(unsigned mode)
{
    return S_ISREG(mode)    ? NULL
           : S_ISDIR(mode)  ? "is a directory"
           : S_ISFIFO(mode) ? "is a pipe, expected a regular file; a pipe is read as /dev/stdin"
           : S_ISSOCK(mode) ? "is a socket, expected a regular file"
                            : "is a device, expected a regular file";
}

/* To open a device can do something, and to open a pipe can wait: so its kind is looked at before.
 */
static int open_regular(struct arena *arena, const char *path, size_t *size, const char **why)
{
    struct stat status;
    int file = -1;
    *size = SOURCE_ANY;
    if (strcmp(path, "/dev/stdin") == 0)
        file = dup(STDIN_FILENO);
    else if (stat(path, &status) == 0) {
        *why = source_kind_fault(status.st_mode);
        if (*why)
            return -1;
        *size = (size_t)status.st_size;
        file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    }
    if (file < 0)
        *why = arena_strdup(arena, strerror(errno));
    return file;
}

const struct source *source_load(struct arena *arena, const char *path, const char **why)
{
    size_t size;
    int file = open_regular(arena, path, &size, why);
    return file < 0 ? NULL : source_read(arena, file, size, path, why);
}

FILE *source_open(struct arena *arena, const char *path, const char **why)
{
    size_t size;
    int file = open_regular(arena, path, &size, why);
    if (file < 0)
        return NULL;
    *why = kind_fault(file, size);
    FILE *stream = *why ? NULL : fdopen(file, "r");
    if (!stream && !*why)
        *why = arena_strdup(arena, strerror(errno));
    if (!stream)
        close(file);
    return stream;
}

struct span source_span_in(struct arena *arena, const char *name, const char *text, size_t offset)
{
    uint32_t column = (uint32_t)offset + 1;
    const struct source *source = source_from_text(arena, name, text, strlen(text));
    return (struct span){source, 1, column, 1, column + 1};
}

struct span span_told(struct span place)
{
    return place.source && place.source->option ? (struct span){.source = place.source} : place;
}

uint32_t span_line_in(const struct span *span, const char *path)
{
    return span->source && strcmp(span->source->path, path) == 0 ? span_told(*span).line : 0;
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

size_t source_offset(const struct source *source, uint32_t line, uint32_t column)
{
    size_t length;
    size_t at = (size_t)(source_line(source, line, &length) - source->text) + column - 1;
    return at < source->length ? at : source->length;
}

size_t source_origin(const struct source *source, size_t offset, uint32_t *choice)
{
    size_t next = 1;
    BASE_ASSERT(source->piece_count && offset <= source->length);
    while (next < source->piece_count && source->pieces[next].at <= offset)
        next++;
    const struct source_piece *piece = &source->pieces[next - 1];
    *choice = piece->choice;
    return piece->choice == UINT32_MAX ? piece->from + (offset - piece->at) : piece->from;
}

void source_add_file(const struct source *source, const char *text, size_t length,
                     struct strbuf *out)
{
    if (source->is_marked)
        strbuf_add(out, SOURCE_MARK);
    for (size_t at = 0; at < length; at++) {
        if (text[at] == '\n' && source->has_cr_lf)
            strbuf_add_char(out, '\r');
        strbuf_add_char(out, text[at]);
    }
}

void source_skip_lines(uint32_t *line, uint32_t *column, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        ++*column;
        if (text[i] == '\n') {
            ++*line;
            *column = 1;
        }
    }
}

void source_pass_lines(struct source_place *place, size_t length)
{
    struct span *last = &place->last;
    const char *text = last->source->text, *next = text + place->byte;
    size_t left = last->source->length - place->byte;
    last->end_column = last->column;
    source_skip_lines(&last->end_line, &last->end_column, next - length, length);
    const char *end = memchr(next, '\n', left);
    place->line_end = place->byte + (end ? (size_t)(end - next) : left);
}

uint32_t source_indentation(struct source_place *place)
{
    uint32_t column = 1, next = place->last.end_column;
    if (place->indented_line == place->last.end_line)
        return place->indentation;
    const char *line = place->last.source->text + place->byte - (next - 1);
    while (column < next && (line[column - 1] == ' ' || line[column - 1] == '\t'))
        column++;
    if (column < next) {
        place->indented_line = place->last.end_line;
        place->indentation = column;
    }
    return column;
}

const char *source_slice(const struct span *span, size_t *length)
{
    size_t line_length;
    const char *line = source_line(span->source, span->line, &line_length);
    size_t start = span->column - 1u;
    size_t end = span->end_line == span->line ? span->end_column - 1u : line_length;
    if (start > line_length)
        start = line_length;
    if (end > line_length)
        end = line_length;
    *length = end > start ? end - start : 0;
    return line + start;
}
