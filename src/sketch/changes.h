/* changes: the lines that a filling changes, and the filled text in the form that a user keeps.
 *
 * The text of a filling keeps the numbers of lines (sketch.h). The text for the user differs in two
 * things. It has no line of which the filling leaves nothing. A statement that the filling adds in
 * front of a line gets a line of its own, with the same indentation. So both texts are the same
 * test.
 *
 * Ownership: everything is in the arena. Cost: linear in the text.
 */
#ifndef CRASHLIT_CHANGES_H
#define CRASHLIT_CHANGES_H

#include "sketch/sketch.h"

/* The change of one line of the source. */
struct change {
    uint32_t line;
    const char *before; /* the old line; NULL: `after` is added in front of the line */
    const char *after;  /* the new line; NULL: the line is removed */
    size_t length;      /* of the new line, which may have NULs; 0: it has none */
};

struct changes {
    const struct change *items; /* in the order of the text */
    uint32_t count;
    const char *text; /* as it stands in a file: source_add_file */
    size_t length;
};

/* The change as an edit: returns the span to replace, and appends the text for it. A removed line
 * goes with its line end; a line that is added has one. */
struct span change_span(const struct source *source, const struct change *change);
void change_add_text(const struct source *source, const struct change *change, struct strbuf *out);

struct changes changes_of(struct arena *arena, const struct sketch *sketch,
                          const struct sketch_filling *filling, uint32_t file);

#endif
