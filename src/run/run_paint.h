/* run_paint: colours for terminals.
 *
 * Texts are made without regard to colours. A line that is ready to be printed, free of strangers'
 * control characters, is painted by its form. So files and pipes have no colours, no information is
 * in a colour alone, and text that only looks like a verdict does no harm. */
#ifndef CRASHLIT_RUN_PAINT_H
#define CRASHLIT_RUN_PAINT_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

/* How many lines of a difference are left; zero at first. */
struct run_paint {
    uint32_t removed, added;
};

/* Applies --color (NULL: not given). Call it once, when the command line is read: it sets NO_COLOR
 * or CLICOLOR_FORCE in the environment, for all processes that this one starts. */
void run_paint_ask(const char *when);
/* Is this open file to be painted: is it a capable terminal, and does nothing forbid it? */
bool run_paint_is_wanted(int file);
/* Appends the lines of a text, painted. The last line counts without a line end, too. */
void run_paint_add(struct run_paint *paint, const char *text, size_t length, struct strbuf *out);

#endif
