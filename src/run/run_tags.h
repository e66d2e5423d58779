/* run_tags: the tags that a test has, in its lines of metadata `Tags=slow, gpm` before the initial
 * state.
 *
 * Runs choose tests by them before anybody reads the tests, so this looks at the first bytes alone,
 * and parses nothing. */
#ifndef CRASHLIT_RUN_TAGS_H
#define CRASHLIT_RUN_TAGS_H

#include "base/arena.h"

enum { RUN_TAGS_BYTES = 16384 };

/* The tags of the test in the file, separated by commas, blanks or line ends, as they stand in its
 * first RUN_TAGS_BYTES bytes; "" when there are none, or the file cannot be read. */
const char *run_tags_read(struct arena *arena, const char *path);
/* The same of a text. */
const char *run_tags_of(struct arena *arena, const char *text);
/* The next tag at *at, which moves behind it; its length, 0 at the end. */
size_t run_tags_next(const char **at, const char **tag);

#endif
