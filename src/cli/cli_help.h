/* cli_help: what `crashlit help` prints, from the tables of commands and options. */
#ifndef CRASHLIT_CLI_HELP_H
#define CRASHLIT_CLI_HELP_H

#include "cli/cli_options.h"

/* The overview, or a page for each command that is an input. With --words, for completions, a word
 * a line: the commands; with a command its options; with an option of it, without dashes, what may
 * stand behind that, and with "" what may stand anywhere: words, and "/" where it may be a path. */
void cli_help(struct arena *arena, const struct cli_options *options, struct strbuf *out,
              struct diag *diag);

#endif
