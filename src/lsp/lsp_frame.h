/* lsp_frame: messages of the protocol in a stream of bytes, and back: a header of lines, of which
 * one says how long the content is, an empty line, the content (LSP 3.17, "Base Protocol").
 *
 * What comes in is anybody's bytes. A header that does not say a length as it should leaves no way
 * to find the next message, so it is the end of the stream.
 */
#ifndef CRASHLIT_LSP_FRAME_H
#define CRASHLIT_LSP_FRAME_H

#include "base/strbuf.h"

enum { LSP_MAX_HEADER = 4096, LSP_MAX_CONTENT = 32 << 20 };

/* What has come and is not taken yet. Zeroed: nothing. */
struct lsp_input {
    struct strbuf bytes;
    size_t taken; /* of these */
};

enum lsp_news { LSP_WAIT, LSP_MESSAGE, LSP_FAULT };

void lsp_input_fini(struct lsp_input *input);
void lsp_input_add(struct lsp_input *input, const char *bytes, size_t length);
/* The next message, valid until more is added; or a fault, and why. */
enum lsp_news lsp_input_next(struct lsp_input *input, const char **content, size_t *length,
                             const char **why);

/* Appends a message of this content. */
void lsp_frame_add(struct strbuf *out, const struct strbuf *content);

#endif
