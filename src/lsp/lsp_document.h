/* lsp_document: the texts that an editor has open, and what is known of each as it stands. */
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
    uint32_t version; /* the editor's */
    bool versioned;
    uint64_t revision; /* ours: of all texts of all documents each has its own */
    struct strbuf text;
    struct lsp_message *looked, *checked, *mended; /* answers about this revision; NULL: none */
};

struct lsp_documents {
    VEC(struct lsp_document *) items;
    uint64_t revisions;
};

void lsp_documents_fini(struct lsp_documents *documents);
/* NULL: it is not open. */
struct lsp_document *lsp_document_find(const struct lsp_documents *documents, const char *uri);
struct lsp_document *lsp_document_of(const struct lsp_documents *documents, uint64_t revision);
/* NULL with *why when it may not be opened. What was open under that URI is closed. `language`: the
 * editor's word, or NULL. */
struct lsp_document *lsp_document_open(struct lsp_documents *documents, const char *uri,
                                       const char *language, const char *text, size_t length,
                                       const char **why);
/* Its text is another one, and nothing is known of it. False: there is too much text. */
bool lsp_document_change(struct lsp_documents *documents, struct lsp_document *document,
                         const char *text, size_t length) __attribute__((warn_unused_result));
void lsp_document_close(struct lsp_documents *documents, const char *uri);

#endif
