/* lsp_place: places as the protocol counts them, and files as it names them.
 *
 * A line counts from 0, and a character is a UTF-16 code unit from the begin of its line; columns
 * of sources are bytes (base/source.h). Of a source without its byte order mark the first line has
 * a code unit more where the protocol counts.
 */
#ifndef CRASHLIT_LSP_PLACE_H
#define CRASHLIT_LSP_PLACE_H

#include "base/source.h"

struct lsp_position {
    uint32_t line, character;
};

struct lsp_position lsp_position_of(const struct source *source, uint32_t line, uint32_t column);
/* The line, from 1, and byte, from 1, of a position; of one past the end of its line that end. */
void lsp_position_in(const struct source *source, struct lsp_position position, uint32_t *line,
                     uint32_t *column);

/* A member `name` (NULL: an element), from one position to another. */
void lsp_range_add(struct strbuf *out, const char *name, struct lsp_position start,
                   struct lsp_position end);
/* That of a span: of line 0 the begin of the text; without an end the rest of the line. */
void lsp_span_add(struct strbuf *out, const char *name, const struct span *span);
/* Is it within the span? */
bool lsp_span_has(const struct span *span, uint32_t line, uint32_t column);

/* The path that a file:// URI names, escapes undone; NULL of any other, and of a path that is not
 * absolute, is of another machine, or has a NUL in it. */
const char *lsp_uri_path(struct arena *arena, const char *uri, size_t length);

#endif
