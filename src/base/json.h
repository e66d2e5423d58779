/* json: JSON text, written value by value at the end of a strbuf.
 *
 *     json_object(out, NULL);
 *     json_string(out, "name", "kv");
 *     json_array(out, "lines");
 *     json_number(out, NULL, 3);
 *     json_number(out, NULL, 4);
 *     json_end(out, ']');
 *     json_end(out, '}');                        {"name":"kv","lines":[3,4]}
 *
 * `name` is a member's of an object; NULL for an element of an array, for what follows json_name,
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

void json_object(struct strbuf *out, const char *name);
void json_array(struct strbuf *out, const char *name);
/* With '}' or ']'. */
void json_end(struct strbuf *out, char bracket);
/* `text` NULL: null. */
void json_string(struct strbuf *out, const char *name, const char *text);
void json_number(struct strbuf *out, const char *name, uint64_t number);
void json_bool(struct strbuf *out, const char *name, bool value);
/* What stands before a value, which the caller adds. */
void json_name(struct strbuf *out, const char *name);

#endif
