/* session_machines: the machine that the settings name, and which model pairs it is asked about. */
#ifndef CRASHLIT_SESSION_MACHINES_H
#define CRASHLIT_SESSION_MACHINES_H

#include "base/diag.h"
#include "engine/trace.h"
#include "litmus/lit_program.h"
#include "session/session_settings.h"

/* Loads what --machine and --fault name into `settings`; the file lives in `arena`. Errors go to
 * `diag`; returns whether there were none. Without either option nothing is loaded: each model pair
 * has a machine of its own. With --fault alone it is the usual machine. */
bool session_machine_load(struct arena *arena, struct session_settings *settings, struct diag *diag)
    __attribute__((warn_unused_result));
/* Reads the machine of that name. For a file it warns of each tag that no model knows which the
 * file promises. NULL when it could not be read. */
const struct mach_file *session_machine_read(struct arena *arena,
                                             const struct session_settings *settings,
                                             const char *name, struct diag *diag)
    __attribute__((warn_unused_result));
/* As session_machine_read, for a text. */
const struct mach_file *session_machine_parse(struct arena *arena,
                                              const struct session_settings *settings,
                                              const struct source *source, struct diag *diag)
    __attribute__((warn_unused_result));
/* May someone other than the user, such as a record, name this machine? It is then read and quoted
 * in messages. Allowed are built-in machines, files whose real path ends in ".machine", and what
 * the user permits. */
bool session_machine_is_in_reach(const struct reach *reach, const char *machine);

/* Does the chosen machine, or without a choice some built-in, promise the model pair? */
bool session_machine_promises(const struct session_settings *settings, const char *visibility,
                              const char *persistency);
/* Must the machine meet an expectation? It must if its pair is promised, or if it is labelled
 * `[machine]`, no built-in promises its pair, and the machine is not a file of the user's, which says
 * itself what it promises. */
bool session_machine_is_bound(const struct session_settings *settings,
                              const struct lit_expect *expect);
/* Sets the pair that the chosen machine promises first. Without a choice it is the one that some built-in promises which is
 * nearest to `models`: the same, or one of the same persistency; where there is none, or no `models` (NULL), nothing changes.
 * The names live in `arena`. */
void session_machine_pair(struct arena *arena, const struct session_settings *settings,
                          const struct lit_models *models, const char **visibility,
                          const char **persistency);
/* Where none was chosen, chooses the built-in machine for a test: the usual one, if it promises a pair that the test is
 * asked about; else one that promises such a pair; else one that promises its persistency. Fills `choice`. It gets the fault
 * that --fault names; false: it cannot have that one, which `diag` says. */
bool session_machine_choose(struct arena *arena, struct session_settings *settings,
                            const struct lit_program *program, struct trace_choice *choice,
                            struct diag *diag) __attribute__((warn_unused_result));
/* The name of the machine that is asked about a pair, for reports; in `arena`. */
const char *session_machine_name(struct arena *arena, const struct session_settings *settings,
                                 const char *visibility, const char *persistency);

#endif
