/* utf8: characters of a text, and texts made fit to be shown.
 *
 * Names of files, and what stands in tests, are bytes that somebody else chose. In a message or a
 * report for a terminal control characters are shown as C escapes, and so are bytes that are no
 * UTF-8, so that a message keeps to its line and commands the terminal nothing.
 */
#ifndef CRASHLIT_UTF8_H
#define CRASHLIT_UTF8_H

#include "base/arena.h"
#include "base/strbuf.h"

#include <stdbool.h>

/* The length of the UTF-8 sequence that `text` starts with, 0 when it starts with none.
 * Reads no further than the first byte that does not belong to it. */
size_t utf8_length(const char *text);

/* The number of a character of `length` bytes that is a control character: C0, DEL, C1 (U+0080 to
 * U+009F), with which terminals do the same, or one that has the rest of its line shown in another
 * direction (U+202A to U+202E, U+2066 to U+2069; Unicode UAX 9), so that a reader sees other code
 * than is read; -1 of any other. */
int utf8_control(const char *character, size_t length);

/* The name of a file as valid UTF-8, by which a record, report or message calls it. Names that
 * differ still do: a byte that is no UTF-8 becomes \xhh, and a backslash that stands before xhh
 * \x5c. `name` itself when it has neither. */
const char *utf8_name(struct arena *arena, const char *name);

/* The name, in the arena, that utf8_name shows so. */
const char *utf8_bytes_of(struct arena *arena, const char *shown);

/* Appends a name: "a\nb" with a line end in it becomes a\nb. A backslash stays one. */
void utf8_add_name(struct strbuf *out, const char *name);
/* Appends the first character of a line of a source, a control character as a blank; its length.
 * *columns: how many it takes, where each character takes one. */
size_t utf8_add_character(struct strbuf *out, const char *text, size_t *columns);
/* Appends `length` bytes of text, in which line ends and tabs stay, and CR as a part of CR LF. */
void utf8_add_lines(struct strbuf *out, const char *text, size_t length);

/* What every language takes for itself. */
static inline bool utf8_is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ' ||
           c == '_' || c == '=' || c == ';' || c == '/';
}

/* Writes something in place of a character of `length` bytes that is not plain, where a language
 * has it otherwise; returns whether it did. */
typedef bool utf8_escape(struct strbuf *out, const char *character, size_t length);
/* Appends `length` bytes, each character by itself; `bad` is for a byte that is no UTF-8. What
 * follows them must not continue a sequence. */
void utf8_add_escaped(struct strbuf *out, const char *text, size_t length, const char *bad,
                      utf8_escape *escape);
#define UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

#endif
