/* lsp_frame: finds the messages of the protocol in a stream of bytes, and writes them. A message
 * has header lines, one of which says the length of the content, then an empty line, then the
 * content (LSP 3.17, "Base Protocol").
 *
 * The input may be any bytes. Without a valid length in the header the next message cannot be
 * found, so such a header ends the stream.
 */
#ifndef CRASHLIT_LSP_FRAME_H
#define CRASHLIT_LSP_FRAME_H

#include "base/strbuf.h"

enum { LSP_MAX_HEADER = 4096, LSP_MAX_CONTENT = 32 << 20 };

/* The bytes that have come and are not taken yet. Zeroed: none. */
struct lsp_input {
    struct strbuf bytes;
    size_t taken; /* of these bytes, those that are taken */
};

enum lsp_news { LSP_WAIT, LSP_MESSAGE, LSP_FAULT };

void lsp_input_fini(struct lsp_input *input);
void lsp_input_add(struct lsp_input *input, const char *bytes, size_t length);
/* Finds the next message, which is valid until more bytes are added; or a fault, and its reason. */
enum lsp_news lsp_input_next(struct lsp_input *input, const char **content, size_t *length,
                             const char **why);

/* Appends a message with this content. */
void lsp_frame_add(struct strbuf *out, const struct strbuf *content);

#endif
