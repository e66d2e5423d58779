/* json: JSON text, written value by value at the end of a strbuf.
 *
 *     emit_object(out, NULL);
 *     emit_string(out, "name", "kv");
 *     emit_array(out, "lines");
 *     emit_number(out, NULL, 3);
 *     emit_number(out, NULL, 4);
 *     emit_end(out, ']');
 *     emit_end(out, '}');                        {"name":"kv","lines":[3,4]}
 *
 * `name` is a member's of an object; NULL for an element of an array, for what follows emit_name,
 * and for what is no part of anything. A comma comes by itself before what follows a value, so a
 * text of its own begins where nothing stands, or behind a line end. Nothing is kept meanwhile.
 * What is written is UTF-8 whatever the bytes, without control characters: bytes that are none
 * become \ufffd.
 */
#ifndef CRASHLIT_JSON_H
#define CRASHLIT_JSON_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

void emit_object(struct strbuf *out, const char *name);
void emit_array(struct strbuf *out, const char *name);
/* With '}' or ']'. */
void emit_end(struct strbuf *out, char bracket);
/* `text` NULL: null. */
void emit_string(struct strbuf *out, const char *name, const char *text);
void emit_number(struct strbuf *out, const char *name, uint64_t number);
void emit_bool(struct strbuf *out, const char *name, bool value);
/* What stands before a value, which the caller adds. */
void emit_name(struct strbuf *out, const char *name);

#endif
