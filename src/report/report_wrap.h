/* report_wrap: breaks a text of an SVG picture into lines.
 *
 * SVG 1.1 breaks no lines. A line ends at the last space within the width; in lists of states that
 * space stands behind a ';'. A word that is wider than a line is cut at the width. Lines after the
 * first are indented by two characters. Nothing is left out.
 */
#ifndef CRASHLIT_REPORT_WRAP_H
#define CRASHLIT_REPORT_WRAP_H

#include "base/strbuf.h"

#include <stdint.h>

enum { REPORT_LINE_HEIGHT = 19 /* pixels from one line to the next, unless said */ };

struct report_wrap {
    int x, y;               /* of the first line's start, on its base line */
    int width;              /* in pixels, at least that of four characters */
    int tenths;             /* of a pixel, that a character is wide */
    const char *attributes; /* of each line */
    int line;               /* pixels from one line to the next; 0: REPORT_LINE_HEIGHT */
};

/* Appends the lines as <text> elements, unless `out` is NULL. Returns their number, 0 for an empty
 * text. */
uint32_t report_wrap_add(const struct report_wrap *wrap, const char *text, struct strbuf *out);
/* The same for each line of a text by itself. Each keeps its indentation, at most half of the
 * width. */
uint32_t report_wrap_lines(const struct report_wrap *wrap, const char *text, struct strbuf *out);
/* The number of bytes of the line of at most so many characters that begins at `text`. The text
 * must not begin with a space. */
size_t report_wrap_fit(const char *text, size_t room);
/* The number of characters, as they are shown. */
size_t report_wrap_characters(const char *text);
/* The bytes of the character that the text begins with. */
size_t report_wrap_step(const char *text);

#endif
