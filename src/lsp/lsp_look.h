/* lsp_look: the diagnostics of a text that need no engine, in the form of the protocol. */
#ifndef CRASHLIT_LSP_LOOK_H
#define CRASHLIT_LSP_LOOK_H

#include "base/diag.h"
#include "lsp/lsp_question.h"

enum lsp_severity { LSP_ERROR = 1, LSP_WARNING, LSP_INFORMATION, LSP_HINT };

/* Appends a diagnostic to the open array. One about another file is placed at the beginning of the
 * text, and its words name the place. `code` NULL: it has no code. */
void lsp_diagnostic_begin(const struct lsp_question *question, const struct span *span,
                          enum lsp_severity severity, const char *code, const char *message,
                          struct strbuf *out);
void lsp_diagnostic_relate(const struct lsp_question *question, const struct span *span,
                           const char *message, struct strbuf *out);
void lsp_diagnostic_end(struct strbuf *out);

/* Is the source the text of the question? */
bool lsp_is_own(const struct lsp_question *question, const struct source *source);

/* Loads the text as a model, in a pair with a built-in model. It chooses the partner with which
 * there are the fewest faults. NULL when faults remain. Sets `kind` to "visibility" or
 * "persistency". The model is in the arena. */
const struct cat_model *lsp_load_model(struct arena *arena, const struct lsp_question *question,
                                       const struct source *source, const char **kind,
                                       struct diag *diag);

#endif
