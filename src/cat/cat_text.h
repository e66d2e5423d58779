/* cat_text: the text of a model as it was written, for what its syntax tree does not say. */
#ifndef CRASHLIT_CAT_TEXT_H
#define CRASHLIT_CAT_TEXT_H

#include "base/source.h"

/* Behind the comment that begins at this place, or the place itself where none begins. Comments in
 * brackets nest. */
const char *cat_text_behind_comment(const char *at);
/* Behind the string, the name or the single byte that begins at this place. */
const char *cat_text_behind_word(const char *at);

/* How often a name stands in the text, outside of comments and strings, whether what it stands in
 * is looked at or not. */
size_t cat_text_count(const struct source *source, const char *name);

#endif
