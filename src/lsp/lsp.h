/* lsp: the language server: `crashlit lsp`, the Language Server Protocol 3.17 on standard input and
 * output (docs/using/editors.md).
 *
 * This process reads messages and keeps the open texts, but never looks into a text. Workers do
 * that: one process for quick answers, and one for questions that need an engine (lsp_lane.h).
 */
#ifndef CRASHLIT_LSP_H
#define CRASHLIT_LSP_H

#include "lsp/lsp_question.h"
#include "run/run_output.h"

/* Serves until `exit` or the end of input. Returns the exit status: 0 after `shutdown`, 1 without
 * it, 2 when the input was no message. */
int lsp_serve(const struct ask_options *options, const struct lsp_services *services,
              struct run_output *out);

#endif
