/* session_machines: the machine that the settings name, and which model pairs it is asked about. */
#ifndef CRASHLIT_SESSION_MACHINES_H
#define CRASHLIT_SESSION_MACHINES_H

#include "base/diag.h"
#include "litmus/lit_program.h"
#include "session/session_settings.h"

/* Loads what --machine and --fault name into `settings`; the file lives in `arena`. Faults go to
 * `diag`; returns whether there were none. Without either option nothing is loaded: each model
 * pair has a machine of its own. */
bool session_machine_load(struct arena *arena, struct session_settings *settings, struct diag *diag)
    __attribute__((warn_unused_result));
/* The machine of that name. Of a file, tags that its lines name are held against those that the
 * models know which it promises: of each that none of them knows there is a warning. NULL when it
 * could not be read. */
const struct mach_file *session_machine_read(struct arena *arena,
                                             const struct session_settings *settings,
                                             const char *name, struct diag *diag)
    __attribute__((warn_unused_result));
/* The same of the machine that a text is. */
const struct mach_file *session_machine_parse(struct arena *arena,
                                              const struct session_settings *settings,
                                              const struct source *source, struct diag *diag)
    __attribute__((warn_unused_result));
/* May one name it who is not the user, as a record does? It is read then, and quoted in messages.
 * Built-in machines, files whose real path ends in ".machine", and where the user permits. */
bool session_machine_is_in_reach(const struct reach *reach, const char *machine);

/* Does the chosen machine, or without a choice some built-in, promise the model pair? */
bool session_machine_promises(const struct session_settings *settings, const char *visibility,
                              const char *persistency);
/* Is an expectation one that the machine is to meet: its pair is promised, or it is labelled
 * `[machine]` and no built-in promises its pair? */
bool session_machine_is_bound(const struct session_settings *settings,
                              const struct lit_expect *expect);
/* The pair that the chosen machine promises first; without a choice the two are left as they are.
 */
void session_machine_pair(const struct session_settings *settings, const char **visibility,
                          const char **persistency);
/* The name of the machine that is asked about a pair, for reports; in `arena`. */
const char *session_machine_name(struct arena *arena, const struct session_settings *settings,
                                 const char *visibility, const char *persistency);

#endif
