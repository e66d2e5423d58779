/* cli_commands: what each command of ask_commands.def does, but for those on records alone
 * (run_merge.h). Statuses are those of run_plan.h.
 */
#ifndef CRASHLIT_CLI_COMMANDS_H
#define CRASHLIT_CLI_COMMANDS_H

#include "ask/ask_check.h"
#include "run/run_single.h"

/* `check`, `crosscheck`, `refines`, `explain` and `trace` of all files; see run_batch_run. Apart
 * from ask_check, which the library has as well: the library starts no workers. */
int cli_plan_run(const struct ask_options *options, struct run_output *out);

/* `generate` with --shape, --shape-from, or what goes with them: tests are made, and written to
 * `out` or into a folder (cli_shape.h). */
bool cli_shape_is_asked(const struct ask_options *options);
int cli_shape_run(const struct ask_options *options, struct run_output *out);

/* The conditions of one test under one model pair, explained as text, JSON or pictures. The
 * result's status says what was not explained. */
ask_of_pair cli_explain_pair;

/* Conditions that were found violated, explained as text or JSON, behind their verdict. */
ask_of_conditions cli_explain_violated;

/* A machine's shortest run to the state that the options name, or for each condition of the test to
 * one that decides it. The result's status is 1 when the machine does not show a state, 2 when the
 * state or condition is none of the test's, 3 when it is not known. */
ask_of_test cli_trace_test;

/* The same tests under the pairs of --models (VISIBILITY+PERSISTENCY, or one model, the other being
 * that of -m or -p) as a table: a row a test, a column a pair; a cell has the verdict and how many
 * crash states there are, and a mark when it is not what the first column says. Differences are no
 * failure: RUN_EXIT_UNKNOWN when some verdict is unknown, RUN_EXIT_INPUT when some input or model
 * could not be read. */
int cli_compare_run(const struct ask_options *options, struct run_output *standard);

/* Holds a suite of other people's tests against its known answers: a file with `path,0|1` a line,
 * paths relative to the folder. With the property `condition` 1 means that the test's conditions
 * hold, races left aside; with `race` that no consistent execution raises a flag or is undefined.
 * Models default to hrf-direct and none. Prints disagreements and a last line with the counts;
 * returns 1 on a disagreement, 2 when something could not be read, 3 when an answer is unknown. The
 * context is a struct ask_options. */
run_single_command cli_peers;

/* The smallest tests that two model pairs answer differently, searched in a worker, and written
 * where the options want them. RUN_EXIT_DIFFERS when there is none up to the bound. */
int cli_distinguish_run(const struct ask_options *options, struct run_output *standard);
/* The order of models by what they allow on all programs up to a bound. RUN_EXIT_UNKNOWN when some
 * pair is open. */
int cli_lattice_run(const struct ask_options *options, struct run_output *standard);

/* What is built in, or what is named of it, a line each; with --verbose all that is in it.
 *  Texts and diagnostics may point into `arena`. */
typedef void cli_list(struct arena *arena, const struct ask_options *options, struct strbuf *out,
                      struct diag *diag);
/* What begins a record of these. */
void cli_list_record(const char *name, const char *title, struct strbuf *out);
/* Of a model: kind, name, title; its files, resolved, and what stands in them. The path of a model
 * (FILE.cat) is shown by its files alone. */
cli_list cli_list_models;
/* A test as a mapping makes it: the text of the second input, mapped by the first. */
cli_list cli_map;
/* Of a mapping its name and title; its schemes and its file. */
cli_list cli_list_mappings;
/* Of a machine its file and faults. */
cli_list cli_list_machines;
/* The overview of commands, or a page for each that is an input. With --words, for completions, a
 * word a line: the commands; with a command its options; with an option of it, without dashes, what
 * may stand behind that, and with "" what may stand anywhere: words, and "/" where it may be a
 * path. */
cli_list cli_help;
/* What the program says when nothing is asked. */
void cli_help_brief(struct arena *arena, struct strbuf *out);

/* The words of a text in lines that begin at `margin`, as the first has already. */
void cli_help_wrapped(const char *text, size_t margin, struct strbuf *out);

/* The lessons (session_lesson.h), one of them, or whether a file is an answer to its exercise. */
int cli_lesson_run(const struct ask_options *options, struct run_output *standard);

/* How tests are read whose own words alone are asked: with the user's definition files. */
struct session_settings cli_as_written(const struct session_settings *settings);

#endif
