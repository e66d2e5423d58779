/* source: texts that are parsed, and places in them.
 *
 * A source keeps its text for the life of its arena, so that a diagnostic can
 * show the line. A byte order mark at its start is dropped. Its lines end with
 * '\n', whatever they ended with: CR LF and CR alone have become one. Lines and
 * columns count from 1; a column is a byte, as compilers count it.
 *
 * Files that the user names are opened here, those that a test or model names by
 * base/reach.h. Neither waits: a pipe, device or socket is refused.
 */
#ifndef CRASHLIT_SOURCE_H
#define CRASHLIT_SOURCE_H

#include "base/arena.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct source {
    const char *name; /* as the user wrote it, made fit by utf8_name; shown in messages */
    const char *path; /* that it was opened by; the name when it is a text in memory */
    const char *text; /* NUL-terminated; may contain further NULs */
    size_t length;
    const char *option; /* "--launch": an option that it was made of, so that nobody has its lines;
                           else NULL */
    bool is_builtin;    /* it is built into the program */
    bool is_marked;     /* a byte order mark was dropped */
    bool has_cr_lf;     /* each of its lines that ended did so with CR LF */
    const struct source_piece *pieces; /* by place, of a text that was made of another one */
    size_t piece_count;                /* 0: it was made of none */
};

/* From `at` up to the next piece a text is another one's from byte `from` on; or it was chosen, and
 * all of it stands in the place of that byte. */
struct source_piece {
    size_t at, from;
    uint32_t choice; /* its number; UINT32_MAX: there was none */
};

/* A place: from (line, column) up to, not including, (end_line, end_column).
 * line 0 means "the file as a whole". source may be NULL (command line). */
struct span {
    const struct source *source;
    uint32_t line, column;
    uint32_t end_line, end_column;
};
/* Does a place begin within another one? */
bool span_begins_in(struct span place, struct span within);
/* The place as a reader is told it: of a text that an option was made to, the text as a whole. */
struct span span_told(struct span place);
/* Its last part: "kv.litmus" of "tests/kv.litmus". */
const char *source_file_name(const char *path);
/* Are they one path as written, but for "./" and "//" in it? */
bool source_same_path(const char *a, const char *b);
/* Are they one path as written, or names of one file that is there? NULL is none. */
bool source_same_file(const char *a, const char *b);

/* A file that is built into the program: the tables are made of models/ by tools/embed-models.sh.
 */
struct source_builtin {
    const char *path; /* below models/: "visibility/sc.cat" */
    const char *text; /* NUL-terminated */
    size_t length;
};

#define SOURCE_MARK "\xef\xbb\xbf" /* a byte order mark */

/* Of what has no place in a text. */
#define NOWHERE ((struct span){NULL, 0, 0, 0, 0})

enum { SOURCE_MAX_BYTES = 4 << 20 };
#define SOURCE_ANY SIZE_MAX

/* Reads a file that the user named: a regular file, or "/dev/stdin". Returns NULL and sets *why (a
 * static or arena text) when it cannot be read, is neither, or is larger than SOURCE_MAX_BYTES. */
const struct source *source_load(struct arena *arena, const char *path, const char **why)
    __attribute__((warn_unused_result));
/* Opens such a file of any size, for the caller to close. */
FILE *source_open(struct arena *arena, const char *path, const char **why)
    __attribute__((warn_unused_result));
/* Reads what the open `file` has, and closes it in any case; as source_load. Before it was opened
 * it was a regular file of `size` bytes, or SOURCE_ANY: it may be of any kind. */
const struct source *source_read(struct arena *arena, int file, size_t size, const char *path,
                                 const char **why) __attribute__((warn_unused_result));
/* What a file of a mode that is not regular is, as a reason; NULL for a regular one. */
const char *source_kind_fault(unsigned mode);

/* A source of a text in memory; copies both. */
const struct source *source_from_text(struct arena *arena, const char *name, const char *text,
                                      size_t length);
/* The source of what is built in: "builtin:visibility/sc.cat". */
const struct source *source_from_builtin(struct arena *arena, const struct source_builtin *builtin);
/* A digest of its text, and of what the digest `before` is of; 0: of nothing. */
uint64_t source_digest(uint64_t before, const struct source *source);
/* What a built-in is called: "sc" of "visibility/sc.cat". */
const char *source_builtin_name(struct arena *arena, const struct source_builtin *builtin);
/* Is it of that folder below models/? */
bool source_builtin_is_in(const struct source_builtin *builtin, const char *folder);
/* The byte at `offset` of a text of one line, such as an option's value, which is called `name`. */
struct span source_span_in(struct arena *arena, const char *name, const char *text, size_t offset);
/* The byte at which a place begins; the length past the end. */
size_t source_offset(const struct source *source, uint32_t line, uint32_t column);
/* Of a text that was made of another one: what byte the one at `offset` is from, and by what
 * choice. Of the end, behind the last byte of the other one that is there. */
size_t source_origin(const struct source *source, size_t offset, uint32_t *choice);
/* Appends what is to stand in the file that the source is of: with its byte order mark, and with CR
 * LF where all its lines ended so. */
void source_add_file(const struct source *source, const char *text, size_t length,
                     struct strbuf *out);
/* The line on which a span begins, if that is in the source that was opened by `path`; else 0. */
uint32_t span_line_in(const struct span *span, const char *path);
/* The bytes of line `line` without its end; *length is 0 past the end. */
const char *source_line(const struct source *source, uint32_t line, size_t *length);
/* For the next function: moves *line and *column behind bytes with the end of a line in them. */
void source_skip_lines(uint32_t *line, uint32_t *column, const char *text, size_t length);
/* The span of the next bytes, which begin at *line and *column; both move behind them. */
static inline struct span source_advance(const struct source *source, uint32_t *line,
                                         uint32_t *column, const char *text, size_t length)
{
    struct span span = {source, *line, *column, 0, 0};
    size_t plain = 0;
    while (plain < length && text[plain] != '\n')
        plain++;
    *column += (uint32_t)plain;
    if (plain < length)
        source_skip_lines(line, column, text + plain, length - plain);
    span.end_line = *line;
    span.end_column = *column;
    return span;
}
/* Where a text is read, token by token: the bytes that were taken last, and what is behind them. */
struct source_place {
    struct span last;
    size_t byte, line_end;               /* the next byte; the line does not end before */
    uint32_t indented_line, indentation; /* of the line that was asked for last */
};
#define SOURCE_START(source) ((struct source_place){.last = {(source), 1, 1, 1, 1}})
/* For the next function: counts the ends of lines in the last `length` bytes. */
void source_pass_lines(struct source_place *place, size_t length);
/* Takes the next bytes. */
static inline void source_take(struct source_place *place, size_t length)
{
    place->last.line = place->last.end_line;
    place->last.column = place->last.end_column;
    place->last.end_column += (uint32_t)length;
    place->byte += length;
    if (place->byte > place->line_end)
        source_pass_lines(place, length);
}
/* Gives back what was taken last, so many bytes. */
static inline void source_give_back(struct source_place *place, size_t length)
{
    if (place->last.end_line != place->last.line)
        place->line_end = 0;
    place->last.end_line = place->last.line;
    place->last.end_column = place->last.column;
    place->byte -= length;
}
/* The column of the first word of the line that the next byte stands in; that of the byte, if none
 * stands before it. A line's blanks are counted once, however many words it has. */
uint32_t source_indentation(struct source_place *place);
/* The bytes of a span within its first line. */
const char *source_slice(const struct span *span, size_t *length);

#endif
