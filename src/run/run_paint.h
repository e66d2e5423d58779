/* run_paint: colours of what a terminal shows.
 *
 * Texts are made without knowing who reads them; a line that is ready to be printed, strangers'
 * control characters gone, is painted by what it looks like. So files and pipes have no colours,
 * nothing is told by a colour alone, and a text that only looks like a verdict does no harm.
 */
#ifndef CRASHLIT_RUN_PAINT_H
#define CRASHLIT_RUN_PAINT_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

/* Lines left of a difference; zeroed at first. */
struct run_paint {
    uint32_t removed, added;
};

/* Of --color; NULL: not given. Done once, by whoever reads the command line: what was asked is in
 * the environment afterwards, as NO_COLOR or CLICOLOR_FORCE, for all that this process begins. */
void run_paint_ask(const char *when);
/* Is this open file to be painted: is it a terminal that can, and nobody against it? */
bool run_paint_is_wanted(int file);
/* Appends the lines of a text, painted. What it ends with is a line even without an end. */
void run_paint_add(struct run_paint *paint, const char *text, size_t length, struct strbuf *out);

#endif
