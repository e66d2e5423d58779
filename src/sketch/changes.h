/* changes: what a filling makes of a text, line by line, and the text as one would keep it.
 *
 * A filling keeps the numbers of lines (sketch.h). In the text that is kept a line of which a
 * filling leaves nothing is gone, and a statement that it adds in front of a line has a line of its
 * own, indented as that one. Nothing else differs, so both texts are the same test.
 *
 * Ownership: all is in the arena. Cost: linear in the text.
 */
#ifndef CRASHLIT_CHANGES_H
#define CRASHLIT_CHANGES_H

#include "sketch/sketch.h"

/* Of a line of the source: what stands instead of it. */
struct change {
    uint32_t line;
    const char *before; /* NULL: it is added in front of the line */
    const char *after;  /* NULL: the line is gone */
};

struct changes {
    const struct change *items; /* in the order of the text */
    uint32_t count;
    const char *text; /* as it stands in a file: source_add_file */
    size_t length;
};

/* The same as an edit: the span that goes, and the text in its place, appended. Of a line that is
 * gone its end goes as well; what is added in front of a line has one. */
struct span change_span(const struct source *source, const struct change *change);
void change_add_text(const struct source *source, const struct change *change, struct strbuf *out);

struct changes changes_of(struct arena *arena, const struct sketch *sketch,
                          const struct sketch_filling *filling, uint32_t file);

#endif
