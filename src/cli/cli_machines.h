/* cli_machines: the machine that the options name, and which model pairs it is asked about. */
#ifndef CRASHLIT_CLI_MACHINES_H
#define CRASHLIT_CLI_MACHINES_H

#include "cli/cli_options.h"
#include "litmus/lit_program.h"

/* Loads what --machine and --fault name into `options`; the file lives in `arena`. Faults go to
 * `diag`; returns whether there were none. Without either option nothing is loaded: each model
 * pair has a machine of its own. */
bool cli_machine_load(struct arena *arena, struct cli_options *options, struct diag *diag)
    __attribute__((warn_unused_result));

/* Does the chosen machine, or without a choice some built-in, promise the model pair? */
bool cli_machine_promises(const struct cli_options *options, const char *visibility,
                          const char *persistency);
/* Is an expectation one that the machine is to meet: its pair is promised, or it is labelled
 * `[machine]` and no built-in promises its pair? */
bool cli_machine_is_bound(const struct cli_options *options, const struct lit_expect *expect);
/* The pair of the chosen machine; without a choice the two are left as they are. */
void cli_machine_pair(const struct cli_options *options, const char **visibility,
                      const char **persistency);
/* The name of the machine that is asked about a pair, for reports; in `arena`. */
const char *cli_machine_name(struct arena *arena, const struct cli_options *options,
                             const char *visibility, const char *persistency);

/* `crashlit machines`: the built-ins, or those named, a line each, or with --verbose their files
 * and faults. */
void cli_machines_list(struct arena *arena, const struct cli_options *options, struct strbuf *out,
                       struct diag *diag);

#endif
