/* report_squeeze: markup made small, as text that stands in a page and that a few lines of a script
 * make markup of again.
 *
 * The pictures of a test differ in little: what was there before is told by where and how much.
 * What comes out is of printable ASCII without `<` and `&`, in which
 *
 *     `            is <, and ^ is &
 *     ~LLDDD       are the L + 8 characters that stand D characters before: numbers of two and
 * three digits to base 64, A-Z a-z 0-9 - _, the first the greatest; they may overlap any other is
 * itself
 *
 * Characters that these stand for, and all that are no ASCII, are character references in the
 * markup, so a place in it is one of bytes and of characters.
 */
#ifndef CRASHLIT_REPORT_SQUEEZE_H
#define CRASHLIT_REPORT_SQUEEZE_H

#include "base/strbuf.h"

/* Appends well-formed markup in UTF-8 as this takes it. */
void report_squeeze_markup(struct strbuf *markup, const char *text, size_t length);
/* Such markup, squeezed. Linear in its length. */
void report_squeeze(const struct strbuf *markup, struct strbuf *out);

#endif
