/* mapping_edit: changes of a text, by places in it.
 *
 * Changes are collected in any order and made at once. Those at one place stand in the order in
 * which they were asked for.
 */
#ifndef CRASHLIT_MAPPING_EDIT_H
#define CRASHLIT_MAPPING_EDIT_H

#include "base/source.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct lit_edit {
    size_t begin, end; /* the bytes that `text` takes the place of */
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

/* Of a text without changes yet; what is made of it lives in the arena. One pass over the text. */
struct lit_edits lit_edits_of(struct arena *arena, const struct source *source);

/* The byte at which a place begins. */
size_t lit_edit_offset(const struct lit_edits *edits, uint32_t line, uint32_t column);
size_t lit_edit_begin(const struct lit_edits *edits, struct span span);
size_t lit_edit_end(const struct lit_edits *edits, struct span span);
/* The bytes of a span, of any number of lines, in the arena. */
const char *lit_edit_text(const struct lit_edits *edits, struct span span);
/* The blanks that the line of this byte begins with; *first says whether the byte is the first that
 * is no blank. */
const char *lit_edit_indent(const struct lit_edits *edits, size_t offset, bool *first);

void lit_edit_replace(struct lit_edits *edits, size_t begin, size_t end, const char *text);
/* Puts lines behind what ends at `end`, in lines of their own that begin with `indent`; without one
 * behind it, in its line. */
void lit_edit_behind(struct lit_edits *edits, size_t end, const char *indent,
                     const char *const *lines, size_t count);
/* Takes what stands there away, with its line when that has nothing else, and puts `text`, which
 * may be "", in its place. */
void lit_edit_drop(struct lit_edits *edits, struct span span, const char *text);

/* The text with all changes made; the edits are empty then. */
void lit_edit_apply(struct lit_edits *edits, struct strbuf *out);

#endif
