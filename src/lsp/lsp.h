/* lsp: the language server: `crashlit lsp`, the Language Server Protocol 3.17 on standard input and
 * output (docs/using/editors.md).
 *
 * This process reads messages, keeps the texts that are open, and looks into none of them: that is
 * for workers, one process for what is soon answered and one for what takes an engine (lsp_lane.h).
 */
#ifndef CRASHLIT_LSP_H
#define CRASHLIT_LSP_H

#include "lsp/lsp_question.h"
#include "run/run_output.h"

/* Until `exit`, or the end of input. The status: 0 after `shutdown`, 1 without, 2 when what came
 * was no message. */
int lsp_serve(const struct ask_options *options, const struct lsp_services *services,
              struct run_output *out);

#endif
