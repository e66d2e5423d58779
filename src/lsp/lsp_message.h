/* lsp_message: a JSON text that was received, and access to its parts.
 *
 * A path names a part by its members from the outside in, with '/' between: "params/position/line".
 * A member of an array is a number from 0. Each function has an answer for a part that is missing
 * or of another kind, so callers need no test before.
 */
#ifndef CRASHLIT_LSP_MESSAGE_H
#define CRASHLIT_LSP_MESSAGE_H

#include "base/strbuf.h"

#include <stdint.h>

struct lsp_message;

/* Reads any JSON value. NULL when the text is no JSON. Free it by lsp_message_free, which takes
 * NULL. */
struct lsp_message *lsp_message_read(const char *text, size_t length);
bool lsp_message_is_object(const struct lsp_message *message);
void lsp_message_free(struct lsp_message *message);

bool lsp_message_has(const struct lsp_message *message, const char *place);
/* The string at that place, which may hold NULs; NULL: there is none. It lives as long as the
 * message. */
const char *lsp_message_text(const struct lsp_message *message, const char *place, size_t *length);
/* Sets *number to the whole number at that place, at least 0; false: there is none. */
bool lsp_message_number(const struct lsp_message *message, const char *place, uint32_t *number);
/* The length of the array at that place; 0: there is none. */
size_t lsp_message_count(const struct lsp_message *message, const char *place);
/* Appends the value at that place, as JSON; nothing if there is none. */
void lsp_message_add(const struct lsp_message *message, const char *place, struct strbuf *out);

#endif
