/* lsp_place: converts places between sources and the protocol, and URIs to paths.
 *
 * The protocol counts lines from 0, and characters as UTF-16 code units from the beginning of the
 * line. Columns of sources are bytes (base/source.h). Sources drop a byte order mark, which the
 * protocol counts as a code unit of the first line.
 */
#ifndef CRASHLIT_LSP_PLACE_H
#define CRASHLIT_LSP_PLACE_H

#include "base/source.h"

struct lsp_position {
    uint32_t line, character;
};

struct lsp_position lsp_position_of(const struct source *source, uint32_t line, uint32_t column);
/* The line and byte of a position, both from 1. A position past the end of its line becomes that
 * end. */
void lsp_position_in(const struct source *source, struct lsp_position position, uint32_t *line,
                     uint32_t *column);

/* Appends a range from one position to another, as the member `name` (NULL: as an element). */
void lsp_range_add(struct strbuf *out, const char *name, struct lsp_position start,
                   struct lsp_position end);
/* Appends the range of a span. Line 0 becomes the beginning of the text; a span without an end
 * extends to that of its line. */
void lsp_span_add(struct strbuf *out, const char *name, const struct span *span);
/* Is the place within the span? */
bool lsp_span_has(const struct span *span, uint32_t line, uint32_t column);

/* The path that a file:// URI names, with its escapes decoded. NULL for any other URI, and for a
 * path that is not absolute, lies on another machine, or contains a NUL. */
const char *lsp_uri_path(struct arena *arena, const char *uri, size_t length);

#endif
