/* lsp_look: what is said of a text without asking an engine, as diagnostics of the protocol. */
#ifndef CRASHLIT_LSP_LOOK_H
#define CRASHLIT_LSP_LOOK_H

#include "base/diag.h"
#include "lsp/lsp_question.h"

enum lsp_severity { LSP_ERROR = 1, LSP_WARNING, LSP_INFORMATION, LSP_HINT };

/* An element of the array that is open. What is of another file stands at the begin of the text, in
 * words with its place. `code` NULL: none. */
void lsp_diagnostic_begin(const struct lsp_question *question, const struct span *span,
                          enum lsp_severity severity, const char *code, const char *message,
                          struct strbuf *out);
void lsp_diagnostic_relate(const struct lsp_question *question, const struct span *span,
                           const char *message, struct strbuf *out);
void lsp_diagnostic_end(struct strbuf *out);

/* Is it the text of the question? */
bool lsp_is_own(const struct lsp_question *question, const struct source *source);

/* The model that the text is, in a pair with a built-in one that it goes with, of as few faults as
 * with any; NULL where there are some. `kind`: "visibility" or "persistency". In the arena. */
const struct cat_model *lsp_load_model(struct arena *arena, const struct lsp_question *question,
                                       const struct source *source, const char **kind,
                                       struct diag *diag);

#endif
