/* report_wrap: a text of an SVG picture on as many lines as it takes.
 *
 * SVG 1.1 breaks no lines. A line ends at the last space that leaves it within the width, which is
 * behind a ';' where states are listed; a word that alone is wider ends where the width does. Lines
 * after the first are set in by two characters. Nothing is left out.
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

/* Appends the text's lines as <text> elements, unless `out` is NULL. Returns how many they are;
 * none when it is empty. */
uint32_t report_wrap_add(const struct report_wrap *wrap, const char *text, struct strbuf *out);
/* The same for each line of a text by itself, set in as it is, to half of the width at most. */
uint32_t report_wrap_lines(const struct report_wrap *wrap, const char *text, struct strbuf *out);
/* Bytes of the line that begins at `text`, which begins with no space, in so many characters. */
size_t report_wrap_fit(const char *text, size_t room);
/* In characters, as they are shown. */
size_t report_wrap_characters(const char *text);
/* The bytes of the character that the text begins with. */
size_t report_wrap_step(const char *text);

#endif
