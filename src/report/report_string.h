/* report_string: text made safe for the format it is put into.
 *
 * Bytes that are no UTF-8 sequence become U+FFFD, so that what is written is UTF-8
 * whatever a file or its name holds.
 */
#ifndef CRASHLIT_REPORT_STRING_H
#define CRASHLIT_REPORT_STRING_H

#include "base/strbuf.h"

/* Escapes for XML and HTML. Characters that XML 1.0 does not allow, mostly controls, become their
 * pictures (U+2400 and on) or U+FFFD. */
void report_xml_text(struct strbuf *out, const char *text);
/* The same between two pieces of markup. */
void report_xml_between(struct strbuf *out, const char *before, const char *text,
                        const char *after);
/* The same for `length` bytes, which may hold NUL. The bytes behind them must not continue a UTF-8
 * sequence. */
void report_xml_bytes(struct strbuf *out, const char *bytes, size_t length);
/* Escapes for an attribute in double quotes. Line ends and tabs keep their meaning. */
void report_xml_attribute(struct strbuf *out, const char *text);

/* A double-quoted YAML scalar of one line, with its quotes. */
void report_yaml_string(struct strbuf *out, const char *text);

/* Quotes a word for a POSIX shell: single quotes, unless every character is plain. */
void report_shell_word(struct strbuf *out, const char *word);

/* `length` bytes for LaTeX, in roman or typewriter letters. Line ends and controls become blanks.
 * Characters behind U+017F, which few fonts of LaTeX have, become [U+2713]. */
void report_tex_bytes(struct strbuf *out, const char *bytes, size_t length);
void report_tex_text(struct strbuf *out, const char *text);
/* The same of code: blanks and line ends stay, and no text can end what it stands in. */
void report_tex_code(struct strbuf *out, const char *bytes, size_t length);

/* A path as a URI reference (RFC 3986): bytes outside its unreserved ones and '/' are
 * percent-encoded; an absolute path becomes a file: URI. */
void report_uri(struct strbuf *out, const char *path);

#endif
