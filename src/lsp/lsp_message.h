/* lsp_message: a JSON text that somebody sent, and what stands where in it.
 *
 * A place is named by its members from the outside in, with '/' between: "params/position/line". Of
 * an array a member is a number from 0. What is not there, or is of another kind, is answered as
 * that; nobody has to look first.
 */
#ifndef CRASHLIT_LSP_MESSAGE_H
#define CRASHLIT_LSP_MESSAGE_H

#include "base/strbuf.h"

#include <stdint.h>

struct lsp_message;

/* Any JSON value. NULL when it is no JSON; to be ended by lsp_message_free, which takes NULL. */
struct lsp_message *lsp_message_read(const char *text, size_t length);
bool lsp_message_is_object(const struct lsp_message *message);
void lsp_message_free(struct lsp_message *message);

bool lsp_message_has(const struct lsp_message *message, const char *place);
/* A string, which may hold NULs; NULL: there is none. Lives as long as the message. */
const char *lsp_message_text(const struct lsp_message *message, const char *place, size_t *length);
/* A whole number that is no less than 0; false: there is none. */
bool lsp_message_number(const struct lsp_message *message, const char *place, uint32_t *number);
/* Of an array; 0: there is none. */
size_t lsp_message_count(const struct lsp_message *message, const char *place);
/* Appends what stands there, as JSON; nothing where nothing does. */
void lsp_message_add(const struct lsp_message *message, const char *place, struct strbuf *out);

#endif
