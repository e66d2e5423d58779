/* source: texts that are parsed, and places in them.
 *
 * A source keeps its text for the life of its arena, so that a diagnostic can
 * show the line. A byte order mark at its start is dropped. Its lines end with
 * '\n', whatever they ended with: CR LF and CR alone have become one. Lines and
 * columns count from 1; a column is a byte, as compilers count it.
 */
#ifndef CRASHLIT_SOURCE_H
#define CRASHLIT_SOURCE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct source {
    const char *name; /* as the user wrote it; shown in messages */
    const char *text; /* NUL-terminated; may contain further NULs */
    size_t length;
};

/* A place: from (line, column) up to, not including, (end_line, end_column).
 * line 0 means "the file as a whole". source may be NULL (command line). */
struct span {
    const struct source *source;
    uint32_t line, column;
    uint32_t end_line, end_column;
};

enum { SOURCE_MAX_BYTES = 4 << 20 };

/* Reads a file. Returns NULL and sets *why (a static or arena text) when it
 * cannot be read, is a directory, or is larger than SOURCE_MAX_BYTES. */
const struct source *source_load(struct arena *arena, const char *path, const char **why)
    __attribute__((warn_unused_result));
/* A source of a text in memory; copies both. */
const struct source *source_from_text(struct arena *arena, const char *name, const char *text,
                                      size_t length);
/* The byte at `offset` of a text of one line, such as an option's value, which is called `name`. */
struct span source_span_in(struct arena *arena, const char *name, const char *text, size_t offset);
/* The bytes of line `line` without its end; *length is 0 past the end. */
const char *source_line(const struct source *source, uint32_t line, size_t *length);

#endif
