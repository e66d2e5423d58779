/* lsp_document: the texts that an editor has open, and the answers that are known about their
 * present state. */
#ifndef CRASHLIT_LSP_DOCUMENT_H
#define CRASHLIT_LSP_DOCUMENT_H

#include "base/vec.h"
#include "lsp/lsp_message.h"
#include "lsp/lsp_question.h"

enum { LSP_MAX_DOCUMENTS = 1000, LSP_MAX_TEXT = 256 << 20 };

struct lsp_document {
    struct arena arena; /* of its names */
    const char *uri, *path;
    enum lsp_language language;
    uint32_t version; /* the editor's number for this text */
    bool versioned;
    uint64_t revision; /* our number: each text that any document ever had has its own */
    struct strbuf text;
    struct lsp_message *looked, *checked, *mended; /* answers about this revision; NULL: none */
};

struct lsp_documents {
    VEC(struct lsp_document *) items;
    uint64_t revisions;
};

void lsp_documents_fini(struct lsp_documents *documents);
/* The open document of that URI; NULL: none is open. */
struct lsp_document *lsp_document_find(const struct lsp_documents *documents, const char *uri);
struct lsp_document *lsp_document_of(const struct lsp_documents *documents, uint64_t revision);
/* Opens a document, and closes one that was open under the same URI. NULL with *why when it must
 * not be opened. `language`: the editor's word, or NULL. */
struct lsp_document *lsp_document_open(struct lsp_documents *documents, const char *uri,
                                       const char *language, const char *text, size_t length,
                                       const char **why);
/* Replaces the text of a document and forgets the answers about it. False: there is too much text.
 */
bool lsp_document_change(struct lsp_documents *documents, struct lsp_document *document,
                         const char *text, size_t length) __attribute__((warn_unused_result));
void lsp_document_close(struct lsp_documents *documents, const char *uri);

#endif
