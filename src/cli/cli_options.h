/* cli_options: the command line, read once.
 *
 * Ownership: strings point into argv.
 */
#ifndef CRASHLIT_CLI_OPTIONS_H
#define CRASHLIT_CLI_OPTIONS_H

#include "base/diag.h"
#include "session/session_settings.h"

#include <stdbool.h>
#include <stdint.h>

enum cli_command {
    CLI_CHECK,
    CLI_CROSSCHECK,
    CLI_EXPLAIN,
    CLI_COMPARE,
    CLI_MERGE,
    CLI_DIFF,
    CLI_TRACE,
    CLI_PEERS,
    CLI_MODELS,
    CLI_MACHINES,
    CLI_HELP,
    CLI_VERSION
};
/* What standard output has; CLI_DOCUMENT: one of `reports`. */
enum cli_format { CLI_TEXT, CLI_JSON, CLI_DOCUMENT };
enum { CLI_MAX_REPORTS = 6 };
/* Exit statuses; the largest that applies wins. */
enum cli_status {
    CLI_EXIT_OK = 0,
    CLI_EXIT_DIFFERS = 1,
    CLI_EXIT_INPUT = 2,
    CLI_EXIT_UNKNOWN = 3,
    CLI_EXIT_DISAGREE = 4,
    CLI_EXIT_INTERNAL = 70
};

/* `--format NAME=FILE`, or a document on standard output. */
struct cli_report {
    const struct report_format *format;
    const char *path; /* NULL: standard output, for one at most */
};

struct cli_options {
    enum cli_command command;
    struct session_settings settings;
    enum cli_format format;
    const struct report_format *document; /* with CLI_DOCUMENT; also the last of `reports` */
    struct cli_report reports[CLI_MAX_REPORTS];
    uint32_t report_count;
    uint32_t jobs;
    uint32_t shard, shards; /* shard counts from 1; shards 0: everything */
    const char *models;     /* compare: the pairs, separated by commas */
    const char *resume;     /* records of an earlier run; NULL: none */
    const char *manifest;   /* merge: FILE, DIR or @LIST; NULL: none */
    const char *expected;   /* peers: the file of known answers */
    uint32_t condition;     /* explain, trace: which one, from 1; 0: all */
    const char *state;      /* trace: NULL when not given */
    bool verbose;
    bool dump_ast, dump_ir, dump_exec;
    const char *command_line; /* quoted for a shell; set by main */
    const char *const *inputs;
    uint32_t input_count;
};

#define CRASHLIT_VERSION "0.1"

/* The defaults of a command. */
void cli_options_init(struct cli_options *options, enum cli_command command);
/* One option by its long name, without dashes; `value` NULL for one without. */
void cli_options_set(struct cli_options *options, const char *name, const char *value,
                     struct diag *diag);
/* Do the options go together? `diag` may have errors already. Returns whether it has none. */
bool cli_options_check(const struct cli_options *options, struct diag *diag)
    __attribute__((warn_unused_result));

/* Fills `options`; faults go to `diag`. Returns whether there were none. */
bool cli_options_read(int argc, char **argv, struct cli_options *options, struct diag *diag)
    __attribute__((warn_unused_result));

void cli_print_help(struct strbuf *out);

#endif
