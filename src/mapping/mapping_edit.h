/* mapping_edit: changes a text at given places.
 *
 * Changes are collected in any order and made at once. Those at one place stand in the order in
 * which they were asked for. */
#ifndef CRASHLIT_MAPPING_EDIT_H
#define CRASHLIT_MAPPING_EDIT_H

#include "base/source.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct lit_edit {
    size_t begin, end; /* `text` replaces these bytes */
    const char *text;
    uint32_t number;
};

struct lit_edits {
    struct arena *arena;
    const struct source *source;
    size_t *line_begins; /* the first byte of each line */
    uint32_t line_count;
    VEC(struct lit_edit) items;
};

/* Starts without changes; results live in the arena. One pass over the text. */
struct lit_edits lit_edits_of(struct arena *arena, const struct source *source);

/* The byte of a place. */
size_t lit_edit_offset(const struct lit_edits *edits, uint32_t line, uint32_t column);
size_t lit_edit_begin(const struct lit_edits *edits, struct span span);
size_t lit_edit_end(const struct lit_edits *edits, struct span span);
/* The bytes of a span, of any number of lines, in the arena. */
const char *lit_edit_text(const struct lit_edits *edits, struct span span);
/* The leading blanks of this byte's line; *first: is the byte the line's first that is no blank? */
const char *lit_edit_indent(const struct lit_edits *edits, size_t offset, bool *first);

void lit_edit_replace(struct lit_edits *edits, size_t begin, size_t end, const char *text);
/* Inserts lines behind what ends at `end`: as lines of their own that begin with `indent`, or,
 * without `indent`, in its line. */
void lit_edit_behind(struct lit_edits *edits, size_t end, const char *indent,
                     const char *const *lines, size_t count);
/* Replaces the span by `text`; if that is "" and leaves its line empty, removes the line. */
void lit_edit_drop(struct lit_edits *edits, struct span span, const char *text);

/* Appends the changed text; the edits are then empty. */
void lit_edit_apply(struct lit_edits *edits, struct strbuf *out);

#endif
