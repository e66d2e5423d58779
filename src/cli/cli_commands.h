/* cli_commands: the functions behind the commands of ask_commands.def, except commands that only
 * read records (run_merge.h). Statuses are those of run_plan.h.
 */
#ifndef CRASHLIT_CLI_COMMANDS_H
#define CRASHLIT_CLI_COMMANDS_H

#include "ask/ask_check.h"
#include "run/run_inputs.h"
#include "run/run_single.h"

/* Runs `check`, `crosscheck`, `refines`, `explain` or `trace` on all files; see run_batch_run. It
 * stands apart from ask_check since the library has ask_check, too, and the library starts no
 * workers. */
int cli_plan_run(const struct ask_options *options, struct run_output *out);

/* Runs `bless`: rewrites the verdicts of `expect` lines that are others than the tests have, and shows
 * what it changes; all other bytes of a file stay. A verdict that is unknown is refused, with
 * RUN_EXIT_UNKNOWN. With --dry-run nothing is written, and RUN_EXIT_DIFFERS says that something
 * would be. */
int cli_bless_run(const struct ask_options *options, struct run_output *out);

/* Runs `generate` with --shape, --shape-from, or options that go with them: makes tests and writes
 * them to `out` or into a folder (cli_shape.h). */
bool cli_shape_is_asked(const struct ask_options *options);
int cli_shape_run(const struct ask_options *options, struct run_output *out);

/* Explains the conditions of one test under one model pair, as text, JSON or pictures, what is
 * violated first. Where the question's parts can say something, each is handed on as soon as it is
 * there. The result's status tells if something was not explained, or if engines disagree. */
ask_of_pair cli_explain_pair;
/* The same of some conditions, as of those that are violated, behind their verdict. */
ask_of_conditions cli_explain_conditions;

/* Tells instead why the test's states are all there are: each case, with what ends it. The status
 * tells if that is not known. */
ask_of_pair cli_explain_cases;

/* Shows a machine's shortest run to the state that the options name, or for each condition to a
 * state that decides it. The result's status is 1 when the machine does not show a state, 2 when
 * the test has no such state or condition, 3 when it is not known. */
ask_of_test cli_trace_test;

/* Shows the same tests under the pairs of --models as a table. A pair is VISIBILITY+PERSISTENCY, or
 * a single model that -m or -p completes. The table has a row for each test and a column for each
 * pair. A cell has the verdict and the number of crash states, and a mark when they differ from the
 * first column. Differences are no failure. RUN_EXIT_UNKNOWN when some verdict is unknown,
 * RUN_EXIT_INPUT when some input or model could not be read. */
int cli_compare_run(const struct ask_options *options, struct run_output *standard);

/* Compares a suite of other people's tests with its known answers: a file with `path,0|1` a line,
 * paths relative to the folder. With the property `condition` 1 means that the test's conditions
 * hold, and races are ignored; with `race` it means that no consistent execution raises a flag or
 * is undefined. Models default to hrf-direct and none. Prints disagreements and a last line with
 * the counts; returns 1 on a disagreement, 2 when something could not be read, 3 when an answer is
 * unknown. The context is a struct ask_options. */
run_single_command cli_peers;

/* Searches the smallest tests that two model pairs answer differently, in workers, and writes them
 * where the options say. RUN_EXIT_DIFFERS when there is none up to the bound. */
int cli_distinguish_run(const struct ask_options *options, struct run_output *standard);
/* Finds the order of models by the states that they allow on all programs up to a bound.
 * RUN_EXIT_UNKNOWN when some pair is open. */
int cli_lattice_run(const struct ask_options *options, struct run_output *standard);

/* Asks tests of the mutants of a model, the first input, and tells which survive. RUN_EXIT_DIFFERS
 * when the score is below what the options want, RUN_EXIT_UNKNOWN when that is not known. */
int cli_mutate_run(const struct ask_options *options, struct run_output *standard);

/* Tells what a change of a model does: the first two inputs are the old model and the new one, the
 * others tests. RUN_EXIT_DIFFERS when a verdict, states or a program up to the bound show a change,
 * RUN_EXIT_UNKNOWN when none does and something is not known. */
int cli_review_run(const struct ask_options *options, struct run_output *standard);

/* These functions list what is built in, or the named part of it, a line each; with --verbose in
 * full. Texts and diagnostics may point into `arena`. */
typedef void cli_list(struct arena *arena, const struct ask_options *options, struct strbuf *out,
                      struct diag *diag);
/* What begins a record of these. */
void cli_list_record(const char *name, const char *title, struct strbuf *out);
/* Models, built in or named by their path (FILE.cat): kind, name and title; in full, the files that
 * they consist of, with their text. */
cli_list cli_list_models;
/* The paths of the tests that a run takes; as LaTeX the tests. */
cli_list cli_list_files;
void cli_list_tests(struct arena *arena, const struct run_inputs *inputs,
                    const struct ask_options *options, struct strbuf *out, struct diag *diag);
/* What to cite of the tool, and of the models and machines that are named. */
cli_list cli_cite;
/* Prints the test that a mapping, the first input, makes of the second input. */
cli_list cli_map;
/* Mappings: name and title; in full, schemes and the file. */
cli_list cli_list_mappings;
/* Machines: in full, file and faults. */
cli_list cli_list_machines;
/* Prints the overview of commands, or a page for each command that is an input. With --words it
 * prints words for completions, one a line. Without an input these are the commands; with a
 * command, its options; with an option of it, without dashes, the words that may follow the option;
 * with "", the words that may stand anywhere. "/" stands for a path. */
cli_list cli_help;
/* Prints what the program says without arguments. */
void cli_help_brief(struct arena *arena, struct strbuf *out);

/* Appends the words of a text, broken into lines that begin at column `margin`. The first line is
 * there already. */
void cli_help_wrapped(const char *text, size_t margin, struct strbuf *out);

/* Lists the lessons (session_lesson.h), shows one, or judges a file as an answer to its exercise.
 */
int cli_lesson_run(const struct ask_options *options, struct run_output *standard);

/* Runs `hw`: writes tests for a device, plays them, or judges what was seen. */
int cli_hw_run(const struct ask_options *options, struct run_output *standard);
/* In a worker: judges the results among the inputs. The context is a struct ask_options. */
run_single_command cli_hw_judge;

/* The settings for commands that read a test but ask no engine about it: with the user's definition
 * files. */
struct session_settings cli_as_written(const struct session_settings *settings);

#endif
