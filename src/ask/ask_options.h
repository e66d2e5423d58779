/* ask_options: reads the command line once, by the tables of commands (ask_commands.def) and
 * options (ask_options.def). Help, completions and manual page are made from the same tables.
 *
 * Ownership: strings point into argv.
 */
#ifndef CRASHLIT_ASK_OPTIONS_H
#define CRASHLIT_ASK_OPTIONS_H

#include "base/diag.h"
#include "run/run_plan.h"

#include <stdbool.h>
#include <stdint.h>

enum ask_command {
#define COMMAND(identifier, ...) ASK_##identifier,
#include "ask/ask_commands.def"
#undef COMMAND
    ASK_COMMAND_COUNT,
    ASK_LIBRARY = ASK_COMMAND_COUNT /* include/crashlit.h, which takes options like a command */
};

enum { ASK_ANY_NUMBER = 1 << 30 };

enum { ASK_MAX_GIVEN = 64 };

struct ask_command_row {
    const char *name;
    uint32_t fewest, most; /* inputs */
    const char *inputs, *purpose, *description, *statuses;
};

extern const struct ask_command_row ask_commands[ASK_COMMAND_COUNT];

enum { ASK_MAX_PATTERNS = 32, ASK_MAX_JUDGES = 16 };

struct ask_patterns {
    const char *items[ASK_MAX_PATTERNS];
    uint32_t count;
};

struct ask_options {
    enum ask_command command;
    struct session_settings settings;
    enum run_format format;
    const char *shape;                    /* the word of --format on standard output */
    const struct report_format *document; /* with RUN_DOCUMENT; also the last of `reports` */
    const char *layout;                   /* of svg: "screen" or "slide" */
    const char *executions;               /* of json: ask_execution_words */
    struct run_report reports[RUN_MAX_REPORTS];
    uint32_t report_count;
    uint32_t jobs;
    uint32_t shard, shards;                        /* shard counts from 1; shards 0: everything */
    struct ask_patterns filters, excludes, may_go; /* of tests; the last: diff */
    struct run_policy policy;                      /* check, refines, merge */
    const char *models;                            /* compare: the pairs, separated by commas */
    const char *limits;                            /* a file of limits; NULL: none */
    const char *resume;                            /* records of an earlier run; NULL: none */
    const char *frozen;                            /* records that the run is held to; NULL: none */
    const char *cache;                             /* a folder of answers; NULL: none */
    const char *manifest;                          /* merge: FILE, DIR or @LIST; NULL: none */
    const char *expected;                          /* peers: the file of known answers */
    uint32_t condition;                            /* explain, trace: which one, from 1; 0: all */
    const char *state;                             /* trace: NULL when not given */
    bool explain;                                  /* check */
    uint32_t fail_under;                           /* mutate: in percent */
    bool cases;                                    /* explain */
    bool dry_run;                                  /* bless */
    const char *target, *device, *forget;          /* hw; the last NULL: not given */
    uint32_t seed, launches, launch;               /* hw; the last 0: not given */
    bool weak;
    const char *judges[ASK_MAX_JUDGES]; /* hw: models */
    uint32_t judge_count;
    bool narrow, repair, cheapest, all; /* place */
    const char *weights, *kinds;        /* place: a file; what may be added. NULL: not given */
    const char *output;                 /* a folder; NULL: nothing is written */
    const char *comprehensive, *dialect, *name; /* generate; NULL: not given */
    const char *bound, *vocabulary;             /* of generated programs; NULL: not given */
    const char *from; /* distinguish: where the search begins; NULL: at its beginning */
    bool defined;     /* distinguish, lattice: programs that are defined under all models alone */
    const char *shape_words, *shape_list, *expect; /* generate; NULL: not given */
    uint32_t shape_size, shape_threads;            /* generate; 0: not given */
    double total_seconds;                          /* for the whole question; 0: no limit */
    const char *color;                             /* auto, always or never */
    const char *messages;                          /* text or json */
    uint32_t columns;                              /* of the terminal; set by main */
    bool verbose, quiet, words, help, version;
    bool several;   /* several inputs, or one that may hold several tests */
    bool brief;     /* check, as text: a line for each test */
    bool sentences; /* as text: what is not brief is told in sentences, not in herd's shape */
    bool print_launch;
    bool dump_ast, dump_ir, dump_exec;
    const char *command_line; /* quoted for a shell; set by main */
    const char *const *inputs;
    uint32_t input_count;
    struct ask_given {
        const char *name, *value, *more; /* of an option; the words behind it, or NULL */
    } given[ASK_MAX_GIVEN];              /* the question's options, as they stand in the line */
    uint32_t given_count;
};

#define CRASHLIT_VERSION "0.2"

/* These functions list the words that an option may take, for messages and completions
 * (ask_words.c). Each fills `names`, which has room for ASK_MAX_WORDS, and returns the number of
 * words. Words that are no literals are in the arena. */
enum { ASK_MAX_WORDS = 64 };

typedef size_t ask_words(struct arena *arena, const char **names);

/* Built-in names: visibility models, persistency models, model pairs, machines, mappings, lessons,
 * definition files, faults of machines, and thresholds of engines. */
ask_words ask_visibility_words, ask_persistency_words, ask_model_words, ask_machine_words,
    ask_mapping_words, ask_lesson_words, ask_definition_words, ask_fault_words, ask_threshold_words;
/* For generated tests: vocabularies and dialects. */
ask_words ask_vocabulary_words, ask_dialect_words;
/* Engines. In order: every engine, and the word for all of them; every engine but the first, with
 * which crosscheck compares the others; single engines; single engines that ask a model. */
ask_words ask_engine_words, ask_other_engine_words, ask_single_engine_words, ask_model_engine_words;
/* Crash modes and properties in the order of their enums (session/session_settings.h), from the
 * first that is named. */
ask_words ask_color_words, ask_message_words, ask_unknown_words, ask_crash_words,
    ask_volatile_words, ask_recovery_words, ask_recovered_words, ask_peer_words;
/* Formats: of check, explain, trace, place, compare, mutate, distinguish and
 * lattice, lists, listings, two runs, records. */
ask_words ask_format_words, ask_layout_words, ask_execution_words, ask_explain_words,
    ask_trace_words, ask_place_words, ask_compare_words, ask_mutate_words, ask_review_words,
    ask_search_words, ask_list_words, ask_model_list_words, ask_listing_words, ask_cite_words,
    ask_diff_words, ask_report_words;
/* Of hw. */
ask_words ask_target_words, ask_device_words, ask_flaw_words;

/* How the value of an option is read. */
enum ask_value_kind {
    ASK_VALUE_FLAG, /* the option takes no value and sets a bool */
    ASK_VALUE_TEXT,
    ASK_VALUE_NAME, /* a text: a known name, or a path */
    ASK_VALUE_WORD, /* a text: one of the known words */
    ASK_VALUE_COUNT,
    ASK_VALUE_READ /* a function of the option's own reads it */
};

struct ask_option;
typedef void ask_read(const struct ask_option *option, const char *text,
                      struct ask_options *options, struct diag *diag);

struct ask_value {
    enum ask_value_kind kind;
    size_t field;                 /* of struct ask_options; not of ASK_VALUE_READ */
    uint32_t low, high, standard; /* of a count; standard 0: no default */
    bool once;        /* of what is asked: another value is refused; else the last counts,
                                     or all do */
    ask_words *words; /* lists the known words; NULL: there are none */
    ask_read *read;
};

/* A row of ask_options.def. */
struct ask_option {
    const char *name;
    char letter; /* or '\0' */
    struct ask_value value;
    const char *argument, *help, *standard; /* NULL: none */
    uint32_t takers;                        /* a bit for each command, and ASK_LIBRARY */
};

enum {
#define OPTION(identifier, ...) ASK_OPTION_##identifier,
#include "ask/ask_options.def"
#undef OPTION
    ASK_OPTION_COUNT
};

extern const struct ask_option ask_option_rows[ASK_OPTION_COUNT];

/* Does the command give verdicts, and so a record for each answer? */
static inline bool ask_command_judges(enum ask_command command)
{
    return command == ASK_CHECK || command == ASK_REFINES;
}
/* The command of this name; ASK_COMMAND_COUNT when there is none. */
enum ask_command ask_command_find(const char *name);
ask_words ask_command_words;
static inline bool ask_option_is_taken(const struct ask_option *option, enum ask_command command)
{
    return option->takers >> command & 1;
}
/* The row of the option as the command takes it; NULL when it takes no option of that name. */
const struct ask_option *ask_option_find(const char *name, enum ask_command command);
/* The commands that take an option of that name, a bit each. The second function lists such
 * commands as text, "check, explain and trace", in the arena. */
uint32_t ask_option_takers(const char *name);
const char *ask_option_list_takers(struct arena *arena, uint32_t takers);

/* ", which goes with --format (-f)": names the option of the command that takes this word; "" when
 * none does. */
const char *ask_option_place(const char *word, enum ask_command command, struct arena *arena);

/* " --crash points": the options of the question that another command takes as well, quoted for a
 * shell. False: the other command cannot ask the same question, as it would judge by something
 * else. */
bool ask_options_repeat(const struct ask_options *options, enum ask_command command,
                        struct strbuf *out);
/* What of the tests that are named is taken. */
struct run_choice ask_options_choice(const struct ask_options *options);
/* Are pictures asked for as slides? */
bool ask_options_want_slides(const struct ask_options *options);
/* Sets the defaults of a command. */
void ask_options_init(struct ask_options *options, enum ask_command command);
/* Sets one option of the command, or of the library for `check`. `value` is NULL for a flag. */
void ask_options_set(struct ask_options *options, const struct ask_option *option,
                     const char *value, struct diag *diag);
/* Reads TEST_TOTAL_SHARDS and TEST_SHARD_INDEX, which stand for --shard. */
void ask_options_read_environment(struct ask_options *options, struct diag *diag);
/* Checks that the options go together. Returns whether `diag` has no errors then; it may have some
 * before. */
bool ask_options_check(const struct ask_options *options, struct diag *diag)
    __attribute__((warn_unused_result));

/* Fills `options` from the words, in any order. Faults go to `diag`. Returns whether there were
 * none. */
bool ask_options_read(int argc, char **argv, struct ask_options *options, struct diag *diag)
    __attribute__((warn_unused_result));

#endif
