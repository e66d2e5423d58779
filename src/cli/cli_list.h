/* cli_list: what is built in, for `crashlit models` and `crashlit machines`.
 *
 * Texts and diagnostics may point into `arena`.
 */
#ifndef CRASHLIT_CLI_LIST_H
#define CRASHLIT_CLI_LIST_H

#include "cli/cli_options.h"

/* The built-ins, or those named, a line each: kind, name, title; with --verbose their files,
 * resolved, and what stands in them. The path of a model (FILE.cat) is shown by its files alone. */
void cli_list_models(struct arena *arena, const struct cli_options *options, struct strbuf *out,
                     struct diag *diag);
/* The built-ins, or those named, a line each, or with --verbose their files and faults. */
void cli_list_machines(struct arena *arena, const struct cli_options *options, struct strbuf *out,
                       struct diag *diag);

#endif
