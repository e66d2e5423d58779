/* cli_options: the command line, read once, by the tables of commands (cli_commands.def) and
 * options (cli_options.def), from which help, completions and manual page come as well.
 *
 * Ownership: strings point into argv.
 */
#ifndef CRASHLIT_CLI_OPTIONS_H
#define CRASHLIT_CLI_OPTIONS_H

#include "base/diag.h"
#include "run/run_plan.h"

#include <stdbool.h>
#include <stdint.h>

enum cli_command {
#define COMMAND(identifier, ...) CLI_##identifier,
#include "cli/cli_commands.def"
#undef COMMAND
    CLI_COMMAND_COUNT,
    CLI_LIBRARY = CLI_COMMAND_COUNT /* include/crashlit.h, as who takes options */
};

enum { CLI_ANY_NUMBER = 1 << 30 };

struct cli_command_row {
    const char *name;
    uint32_t fewest, most; /* inputs */
    const char *inputs, *purpose, *description, *statuses;
};

extern const struct cli_command_row cli_commands[CLI_COMMAND_COUNT];

struct cli_options {
    enum cli_command command;
    struct session_settings settings;
    enum run_format format;
    const struct report_format *document; /* with RUN_DOCUMENT; also the last of `reports` */
    struct run_report reports[RUN_MAX_REPORTS];
    uint32_t report_count;
    uint32_t jobs;
    uint32_t shard, shards; /* shard counts from 1; shards 0: everything */
    const char *models;     /* compare: the pairs, separated by commas */
    const char *resume;     /* records of an earlier run; NULL: none */
    const char *manifest;   /* merge: FILE, DIR or @LIST; NULL: none */
    const char *expected;   /* peers: the file of known answers */
    uint32_t condition;     /* explain, trace: which one, from 1; 0: all */
    const char *state;      /* trace: NULL when not given */
    bool verbose, words, help, version;
    bool dump_ast, dump_ir, dump_exec;
    const char *command_line; /* quoted for a shell; set by main */
    const char *const *inputs;
    uint32_t input_count;
};

#define CRASHLIT_VERSION "0.1"

/* The words that may stand behind options, for messages and completions (cli_words.c). Each
 * function fills `names`, which has room for CLI_MAX_WORDS, and returns how many there are. What is
 * no literal is in the arena. */
enum { CLI_MAX_WORDS = 64 };

typedef size_t cli_words(struct arena *arena, const char **names);

/* Built in: models of either kind, both, machines, and what machines can be given. */
cli_words cli_visibility_words, cli_persistency_words, cli_model_words, cli_machine_words,
    cli_fault_words;
/* Engines: all, with the word for every one; all but the first, which others are held against; one
 * at a time; one at a time, of those that ask a model. */
cli_words cli_engine_words, cli_other_engine_words, cli_single_engine_words, cli_model_engine_words;
/* Crash modes and properties in the order of their enums (session/session_settings.h), from the
 * first that is named. */
cli_words cli_crash_words, cli_recovery_words, cli_recovered_words, cli_peer_words;
/* Formats: of check, explain and trace. */
cli_words cli_format_words, cli_explain_words, cli_trace_words;

/* How a value is read. */
enum cli_value_kind {
    CLI_VALUE_FLAG, /* there is none; a bool */
    CLI_VALUE_TEXT,
    CLI_VALUE_NAME, /* a text: a name that is known, or a path */
    CLI_VALUE_WORD, /* a text: one of those that are known */
    CLI_VALUE_COUNT,
    CLI_VALUE_READ /* by a function of its own */
};

struct cli_option;
typedef void cli_read(const struct cli_option *option, const char *text,
                      struct cli_options *options, struct diag *diag);

struct cli_value {
    enum cli_value_kind kind;
    size_t field;                 /* of struct cli_options; not of CLI_VALUE_READ */
    uint32_t low, high, standard; /* of a count; standard 0: no default */
    cli_words *words;             /* that are known; NULL: none */
    cli_read *read;
};

/* A row of cli_options.def. */
struct cli_option {
    const char *name;
    char letter; /* or '\0' */
    struct cli_value value;
    const char *argument, *help, *standard; /* NULL: none */
    uint32_t takers;                        /* a bit for each command, and CLI_LIBRARY */
};

enum {
#define OPTION(identifier, ...) CLI_OPTION_##identifier,
#include "cli/cli_options.def"
#undef OPTION
    CLI_OPTION_COUNT
};

extern const struct cli_option cli_option_rows[CLI_OPTION_COUNT];

/* The command of a name, CLI_COMMAND_COUNT when there is none. */
enum cli_command cli_command_find(const char *name);
cli_words cli_command_words;
static inline bool cli_option_is_taken(const struct cli_option *option, enum cli_command command)
{
    return option->takers >> command & 1;
}
/* As a command takes it; NULL when it takes none of that name. */
const struct cli_option *cli_option_find(const char *name, enum cli_command command);
/* The commands that take an option of that name, a bit each; and "check, explain and trace", in the
 * arena. */
uint32_t cli_option_takers(const char *name);
const char *cli_option_list_takers(struct arena *arena, uint32_t takers);

/* ", which goes with --format (-f)": the option of the command that has such a word behind it; ""
 * when none has. */
const char *cli_option_place(const char *word, enum cli_command command, struct arena *arena);

/* The defaults of a command. */
void cli_options_init(struct cli_options *options, enum cli_command command);
/* One option of the command, or of the library for `check`; `value` NULL for a flag. */
void cli_options_set(struct cli_options *options, const struct cli_option *option,
                     const char *value, struct diag *diag);
/* TEST_TOTAL_SHARDS and TEST_SHARD_INDEX, for --shard. */
void cli_options_read_environment(struct cli_options *options, struct diag *diag);
/* Do the options go together? `diag` may have errors already. Returns whether it has none. */
bool cli_options_check(const struct cli_options *options, struct diag *diag)
    __attribute__((warn_unused_result));

/* Fills `options`, of any order of words; faults go to `diag`. Returns whether there were none. */
bool cli_options_read(int argc, char **argv, struct cli_options *options, struct diag *diag)
    __attribute__((warn_unused_result));

#endif
