#include "cli/cli_options.h"

#include "session/session_engines.h"
#include "cli/cli_folder.h"
#include "report/report_sink.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

/* Options: X(identifier, long name, short name or 0, argument or NULL, help). */
#define CLI_OPTIONS(X)                                                                             \
    X(MODEL, "model", 'm', "NAME|FILE.cat", "visibility model (default hrf-direct)")               \
    X(PERSISTENCY, "persistency", 'p', "NAME|FILE.cat", "persistency model (default epoch)")       \
    X(INCLUDE, "include", 'I', "FOLDER", "look for cat files there, too; may be repeated")         \
    X(ALLOW_PATH, "allow-path", 0, "FOLDER",                                                       \
      "let tests and models name files below it; may be repeated")                                 \
    X(ENGINE, "engine", 'e', "enum|smt|machine|all", "engine (default enum); all compares them")   \
    X(MACHINE, "machine", 0, "NAME|FILE.machine",                                                  \
      "machine (default: the one that promises the model pair)")                                   \
    X(FAULT, "fault", 0, "NAME", "give the machine a fault (default machine nvw-fifo)")            \
    X(MAX_STATES, "max-states", 0, "N", "states kept of a machine (default 4000000)")              \
    X(CRASH, "crash", 0, "anywhere|points|end",                                                    \
      "where the crash may come (default: points if the test has any)")                            \
    X(UNROLL, "unroll", 0, "N", "loop bound (default 2 beyond awaits)")                            \
    X(FORMAT, "format", 'f', "NAME[=FILE]",                                                        \
      "text (default), json, junit, tap, sarif, html, dot, svg; =FILE: to a file as well")         \
    X(JOBS, "jobs", 'j', "N", "tests checked at the same time (default 1)")                        \
    X(TIMEOUT, "timeout", 0, "SECONDS", "time limit for one test, model pair and engine")          \
    X(MEMORY, "memory", 0, "MIB", "memory limit of each worker process")                           \
    X(SHARD, "shard", 0, "K/N", "check the K-th of N parts of the tests, K from 1")                \
    X(RECOVERY_CRASH, "recovery-crash", 0, NULL, "let recovery crash, restartable or not")         \
    X(ROUNDS, "rounds", 0, "N", "restarts of recovery: rounds looked at (default 8)")              \
    X(DECIDE, "decide", 0, NULL, "decide the conditions, list no states")                          \
    X(NO_REDUCTION, "no-reduction", 0, NULL, "a machine keeps all states, not normal forms")       \
    X(EXPECTED, "expected", 0, "FILE.csv", "peers: the known answers, path,0|1 a line")            \
    X(CONDITION, "condition", 0, "N", "explain, trace: the N-th condition alone, from 1")          \
    X(STATE, "state", 0, "\"Y=0,Z=1\"", "trace: a state to be reached, of some locations")         \
    X(PROPERTY, "property", 0, "idempotent-recovery|recovers-to P",                                \
      "check: judge recovery by this, not by conditions")                                          \
    X(PROPERTY_OF_PEERS, "property", 0, "condition|race",                                          \
      "peers: what 1 means (default condition)")                                                   \
    X(MODELS, "models", 0, "A,B,C", "compare: model pairs, each VISIBILITY+PERSISTENCY or a name") \
    X(RESUME, "resume", 0, "FILE.jsonl", "leave out what this earlier run answered")               \
    X(MANIFEST, "manifest", 0, "DIR|@LIST", "merge: the tests that have to be there")              \
    X(VERBOSE, "verbose", 'v', NULL, "models, machines, crosscheck, version: say more")            \
    X(DUMP_AST, "dump-ast", 0, NULL, "print each test as it was understood")                       \
    X(DUMP_IR, "dump-ir", 0, NULL, "print each model pair as it was understood")                   \
    X(DUMP_EXEC, "dump-exec", 0, NULL, "print one execution for each state")                       \
    X(HELP, "help", 'h', NULL, "this text")                                                        \
    X(VERSION, "version", 'V', NULL, "version")

enum {
    OPTION_BASE = 256,
#define X(identifier, name, letter, argument, help) OPTION_##identifier,
    CLI_OPTIONS(X)
#undef X
};

static const struct option long_options[] = {
#define X(identifier, name, letter, argument, help) \
    {name, (argument) != NULL ? required_argument : no_argument, NULL, OPTION_##identifier},
    CLI_OPTIONS(X)
#undef X
        {NULL, 0, NULL, 0},
};

static const struct {
    char letter;
    int option;
} letters[] = {
#define X(identifier, name, letter, argument, help) {letter, OPTION_##identifier},
    CLI_OPTIONS(X)
#undef X
};

static const struct {
    const char *name;
    char letter;
    const char *argument, *help;
} helps[] = {
#define X(identifier, name, letter, argument, help) {name, letter, argument, help},
    CLI_OPTIONS(X)
#undef X
};

static const struct {
    const char *name;
    enum cli_command command;
} commands[] = {
    {"check", CLI_CHECK},       {"crosscheck", CLI_CROSSCHECK},
    {"explain", CLI_EXPLAIN},   {"merge", CLI_MERGE},
    {"diff", CLI_DIFF},         {"compare", CLI_COMPARE},
    {"peers", CLI_PEERS},       {"models", CLI_MODELS},
    {"machines", CLI_MACHINES}, {"trace", CLI_TRACE},
    {"help", CLI_HELP},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

void cli_print_help(struct strbuf *out)
{
    strbuf_add(
        out,
        "crashlit: which states can a crash leave in non-volatile memory?\n\n"
        "  crashlit [check] [options] FILE|DIR|@LIST ...   check tests\n"
        "  crashlit crosscheck [options] FILE|DIR ...      do the engines agree?\n"
        "  crashlit explain [options] FILE ...             why each condition holds or not\n"
        "  crashlit compare --models A,B FILE|DIR ...      the same tests under several models\n"
        "  crashlit merge FILE.jsonl ...                   put the parts of a run together\n"
        "  crashlit diff OLD.jsonl NEW.jsonl               what changed from run to run\n"
        "  crashlit peers --expected FILE.csv -m M DIR     compare with known answers\n"
        "  crashlit models [-v] [NAME]                     built-in models\n"
        "  crashlit machines [-v] [NAME]                   built-in machines\n"
        "  crashlit trace [options] FILE ...               a machine's shortest run to a "
        "state\n\n"
        "Options:\n");
    for (size_t i = 0; i < sizeof helps / sizeof *helps; i++) {
        struct strbuf name = {0};
        if (helps[i].letter)
            strbuf_printf(&name, "-%c, ", helps[i].letter);
        strbuf_printf(&name, "--%s%s%s", helps[i].name, helps[i].argument ? " " : "",
                      helps[i].argument ? helps[i].argument : "");
        strbuf_printf(out, "  %-36s %s\n", strbuf_text(&name), helps[i].help);
        strbuf_fini(&name);
    }
    strbuf_add(out,
               "\nExit status: 0 every verdict is the expected one, 1 some differs, 2 usage,\n"
               "unreadable input or output that cannot be written, 3 some verdict is unknown,\n"
               "4 engines disagree, 70 internal error; the largest that applies. 129, 130,\n"
               "131 or 143 when a signal ended the run (128 and its number).\n");
}

static const struct span nowhere = {NULL, 0, 0, 0, 0};

static bool read_number(const char *text, const char *option, uint32_t low, uint32_t high,
                        uint32_t *number, struct diag *diag)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (*text && !*end && !errno && value >= (long)low && value <= (long)high)
        return *number = (uint32_t)value, true;
    diag_error(diag, DIAG_CLI_OPTION_VALUE, nowhere,
               "--%s wants a whole number from %u to %u, found '%s'", option, low, high, text);
    return false;
}

static void read_seconds(const char *text, double *seconds, struct diag *diag)
{
    char *end;
    double value = strtod(text, &end);
    if (*text && !*end && value > 0 && value < 1e9)
        *seconds = value;
    else
        diag_error(diag, DIAG_CLI_OPTION_VALUE, nowhere,
                   "--timeout wants a number of seconds greater than 0, found '%s'", text);
}

/* Index of `text` among `names`, or `count` with a diagnostic. */
static size_t read_choice(const char *text, const char *option, const char *const *names,
                          size_t count, struct diag *diag)
{
    struct strbuf list = {0};
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], text) == 0) {
            strbuf_fini(&list);
            return i;
        }
        strbuf_printf(&list, "%s%s", i ? ", " : "", names[i]);
    }
    diag_error(diag, DIAG_CLI_OPTION_VALUE, nowhere, "--%s wants one of %s, found '%s'", option,
               strbuf_text(&list), text);
    strbuf_fini(&list);
    return count;
}

static void read_crash(const char *text, struct cli_options *options, struct diag *diag)
{
    const char *const names[] = {report_crash_mode(EXEC_CRASH_ANYWHERE),
                                 report_crash_mode(EXEC_CRASH_POINTS),
                                 report_crash_mode(EXEC_CRASH_END)};
    size_t choice = read_choice(text, "crash", names, 3, diag);
    if (choice < 3)
        options->settings.crash = (enum session_crash)(SESSION_CRASH_ANYWHERE + choice);
}

static void read_report_file(const char *name, const char *path, struct cli_options *options,
                             struct diag *diag)
{
    const struct report_format *format = report_format_find(name);
    if (!format || !*path)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, nowhere,
                   format ? "--format %s= wants the name of a file"
                          : "--format %s=FILE is not there: text goes to standard output",
                   name);
    else if (cli_folder_is_meant(path) && !report_format_is_of_pictures(format))
        diag_error(diag, DIAG_CLI_OPTION_VALUE, nowhere,
                   "--format %s=%s names a folder; a file for each test is there of svg and dot",
                   name, path);
    else if (options->report_count == CLI_MAX_REPORTS)
        diag_error(diag, DIAG_CLI_USAGE, nowhere, "--format is given more than %d times",
                   (int)CLI_MAX_REPORTS);
    else
        options->reports[options->report_count++] = (struct cli_report){format, path};
}

/* Of standard output; the last one counts. */
static void set_format(const char *name, struct cli_options *options)
{
    options->format = strcmp(name, "text") == 0   ? CLI_TEXT
                      : strcmp(name, "json") == 0 ? CLI_JSON
                                                  : CLI_DOCUMENT;
    options->document = options->format == CLI_DOCUMENT ? report_format_find(name) : NULL;
}

/* The document on standard output is the last report. */
static void add_document(struct cli_options *options, struct diag *diag)
{
    if (!options->document)
        return;
    if (options->report_count == CLI_MAX_REPORTS)
        diag_error(diag, DIAG_CLI_USAGE, nowhere, "--format is given more than %d times",
                   (int)CLI_MAX_REPORTS);
    else
        options->reports[options->report_count++] = (struct cli_report){options->document, NULL};
}

static void read_format(const char *text, struct cli_options *options, struct diag *diag)
{
    static const char *const names[] = {"text",
#define X(name) #name,
                                        REPORT_FORMATS(X)
#undef X
    };
    const size_t count = sizeof names / sizeof *names;
    char name[16] = "";
    size_t length = strcspn(text, "=");
    if (length < sizeof name)
        memcpy(name, text, length);
    size_t choice = read_choice(*name ? name : text, "format", names, count, diag);
    if (choice < count && text[length])
        read_report_file(name, text + length + 1, options, diag);
    else if (choice < count)
        set_format(name, options);
}

/* `recovers-to P` may be one word of the command line or two: true when the next one belongs
 * to it. */
static bool read_property(const char *text, struct cli_options *options, struct diag *diag)
{
    static const char *const names[] = {"condition", "race", "idempotent-recovery", "recovers-to"};
    enum { NAMES = sizeof names / sizeof *names };
    size_t length = strlen(names[SESSION_RECOVERS_TO]);
    if (strncmp(text, names[SESSION_RECOVERS_TO], length) == 0 &&
        (!text[length] || text[length] == ' ')) {
        options->settings.property = SESSION_RECOVERS_TO;
        options->settings.recovers_to = text + length;
        return !text[length];
    }
    size_t choice = read_choice(text, "property", names, NAMES, diag);
    if (choice < NAMES)
        options->settings.property = (enum session_property)choice;
    options->settings.recovery_crash |= options->settings.property == SESSION_IDEMPOTENT_RECOVERY;
    return false;
}

#define PROPOSITION_MISSING \
    "--property recovers-to wants a proposition, as in recovers-to \"x = 1\""

static void take_proposition(int argc, char **argv, struct cli_options *options, struct diag *diag)
{
    if (optind < argc)
        options->settings.recovers_to = argv[optind++];
    else
        diag_error(diag, DIAG_CLI_USAGE, nowhere, PROPOSITION_MISSING);
}

static void read_engine(const char *text, struct cli_options *options, struct diag *diag)
{
    const char *names[16] = {NULL};
    size_t count = 0;
    for (const struct engine_entry *engine = session_engines; engine->name; engine++)
        names[count++] = engine->name;
    size_t choice = read_choice(text, "engine", names, count, diag);
    if (choice < count)
        options->settings.engine = names[choice];
}

static void read_shard(const char *text, struct cli_options *options, struct diag *diag)
{
    char *end;
    long shard = strtol(text, &end, 10), shards = 0;
    if (end != text && *end == '/')
        shards = strtol(end + 1, &end, 10);
    if (*end || shards < 1 || shards > 1000000 || shard < 1 || shard > shards) {
        diag_error(diag, DIAG_CLI_OPTION_VALUE, nowhere,
                   "--shard wants K/N with 1 <= K <= N, found '%s'", text);
        return;
    }
    options->shard = (uint32_t)shard;
    options->shards = (uint32_t)shards;
}

/* Test runners number shards from 0; an explicit --shard goes first. */
static void read_shard_environment(struct cli_options *options, struct diag *diag)
{
    const char *total = getenv("TEST_TOTAL_SHARDS"), *index = getenv("TEST_SHARD_INDEX");
    uint32_t shards, shard;
    if (options->shards || !total || !index)
        return;
    if (read_number(total, "shard (TEST_TOTAL_SHARDS)", 1, 1000000, &shards, diag) &&
        read_number(index, "shard (TEST_SHARD_INDEX)", 0, shards - 1, &shard, diag)) {
        options->shard = shard + 1;
        options->shards = shards;
    }
}

static void add_folder(const char *folder, const char *option, const char **folders,
                       uint32_t *count, struct diag *diag)
{
    struct stat status;
    if (*count == REACH_MAX_FOLDERS)
        diag_error(diag, DIAG_CLI_USAGE, nowhere, "--%s is given more than %d times", option,
                   (int)REACH_MAX_FOLDERS);
    else if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode))
        diag_error(diag, DIAG_CLI_OPTION_VALUE, nowhere,
                   "--%s names '%s', where a folder was expected", option, folder);
    else
        folders[(*count)++] = folder;
}

/* True when the option takes the next word as well. */
static bool read_option(int option, const char *argument, struct cli_options *options,
                        struct diag *diag)
{
    switch (option) {
    case OPTION_MODEL: options->settings.model = argument; break;
    case OPTION_PERSISTENCY: options->settings.persistency = argument; break;
    case OPTION_INCLUDE:
        add_folder(argument, "include", options->settings.reach.searched,
                   &options->settings.reach.searched_count, diag);
        break;
    case OPTION_ALLOW_PATH:
        add_folder(argument, "allow-path", options->settings.reach.permitted,
                   &options->settings.reach.permitted_count, diag);
        break;
    case OPTION_ENGINE: read_engine(argument, options, diag); break;
    case OPTION_MACHINE: options->settings.machine = argument; break;
    case OPTION_FAULT: options->settings.fault = argument; break;
    case OPTION_MAX_STATES:
        read_number(argument, "max-states", 1, 1 << 30, &options->settings.max_states, diag);
        break;
    case OPTION_CRASH: read_crash(argument, options, diag); break;
    case OPTION_UNROLL:
        read_number(argument, "unroll", 0, 1000, &options->settings.unroll, diag);
        break;
    case OPTION_FORMAT: read_format(argument, options, diag); break;
    case OPTION_JOBS: read_number(argument, "jobs", 1, 256, &options->jobs, diag); break;
    case OPTION_TIMEOUT: read_seconds(argument, &options->settings.timeout_seconds, diag); break;
    case OPTION_MEMORY:
        read_number(argument, "memory", 1, 1 << 20, &options->settings.memory_mib, diag);
        break;
    case OPTION_SHARD: read_shard(argument, options, diag); break;
    case OPTION_EXPECTED: options->expected = argument; break;
    case OPTION_CONDITION:
        read_number(argument, "condition", 1, 1000000, &options->condition, diag);
        break;
    case OPTION_STATE: options->state = argument; break;
    case OPTION_VERBOSE: options->verbose = true; break;
    case OPTION_PROPERTY: return read_property(argument, options, diag);
    case OPTION_MODELS: options->models = argument; break;
    case OPTION_RESUME: options->resume = argument; break;
    case OPTION_MANIFEST: options->manifest = argument; break;
    case OPTION_DECIDE: options->settings.decide = true; break;
    case OPTION_NO_REDUCTION: options->settings.no_reduction = true; break;
    case OPTION_RECOVERY_CRASH: options->settings.recovery_crash = true; break;
    case OPTION_ROUNDS:
        read_number(argument, "rounds", 1, 1000000, &options->settings.rounds, diag);
        break;
    case OPTION_DUMP_AST: options->dump_ast = true; break;
    case OPTION_DUMP_IR: options->dump_ir = true; break;
    case OPTION_DUMP_EXEC: options->dump_exec = true; break;
    case OPTION_HELP: options->command = CLI_HELP; break;
    case OPTION_VERSION: options->command = CLI_VERSION; break;
    default: break;
    }
    return false;
}

static void report_bad_option(char **argv, int code, struct diag *diag)
{
    static const char *names[] = {
#define X(identifier, name, letter, argument, help) name,
        CLI_OPTIONS(X)
#undef X
    };
    const char *given = argv[optind - 1];
    if (code == ':') {
        diag_error(diag, DIAG_CLI_USAGE, nowhere, "option '%s' wants a value", given);
        return;
    }
    const char *bare = given + strspn(given, "-");
    const char *near = diag_nearest(bare, names, sizeof names / sizeof *names);
    if (near)
        diag_error(diag, DIAG_CLI_USAGE, nowhere, "unknown option '%s', did you mean '--%s'?",
                   given, near);
    else
        diag_error(diag, DIAG_CLI_USAGE, nowhere, "unknown option '%s'; crashlit --help lists them",
                   given);
}

static int option_of_letter(int code)
{
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].letter && letters[i].letter == code)
            return letters[i].option;
    return code;
}

/* Without a word for one it is `check`. */
static enum cli_command read_command(int *argc, char ***argv)
{
    for (size_t i = 0; i<sizeof commands / sizeof *commands && * argc> 1; i++)
        if (strcmp((*argv)[1], commands[i].name) == 0) {
            --*argc;
            ++*argv;
            return commands[i].command;
        }
    return CLI_CHECK;
}

static bool asks_all(const struct cli_options *options)
{
    return strcmp(options->settings.engine, SESSION_ALL_ENGINES) == 0;
}

/* A property belongs to one of the commands. */
static void check_property(const struct cli_options *options, struct diag *diag)
{
    bool recovery = options->settings.property == SESSION_IDEMPOTENT_RECOVERY ||
                    options->settings.property == SESSION_RECOVERS_TO;
    if (options->command == CLI_PEERS && recovery)
        diag_error(
            diag, DIAG_CLI_USAGE, nowhere,
            "the properties of peers are condition and race; those of recovery are for check");
    if (options->command == CLI_CHECK && options->settings.property == SESSION_RACE)
        diag_error(diag, DIAG_CLI_USAGE, nowhere,
                   "--property race is for peers; check has idempotent-recovery and recovers-to P");
    if (options->settings.property == SESSION_IDEMPOTENT_RECOVERY &&
        options->command == CLI_EXPLAIN)
        diag_error(diag, DIAG_CLI_USAGE, nowhere,
                   "explain tells why a condition holds or not: for idempotent-recovery use check");
    if (options->settings.property == SESSION_IDEMPOTENT_RECOVERY && options->settings.decide)
        diag_error(diag, DIAG_CLI_USAGE, nowhere,
                   "idempotent-recovery is judged by all states: leave --decide away");
}

/* A machine that is named, or made faulty, is there to be run. */
static void check_machine(const struct cli_options *options, struct diag *diag)
{
    bool runs = options->command == CLI_TRACE || options->command == CLI_MACHINES ||
                asks_all(options) || strcmp(options->settings.engine, SESSION_MACHINE_ENGINE) == 0;
    if (!runs && (options->settings.machine || options->settings.fault))
        diag_error(diag, DIAG_CLI_USAGE, nowhere,
                   "--%s wants a machine to be run: add --engine machine, or --engine all",
                   options->settings.machine ? "machine" : "fault");
}

/* An option that a command would pass over in silence is refused. */
static void check_places(const struct cli_options *options, struct diag *diag)
{
#define OF(command) (1u << CLI_##command)
    const struct {
        bool given;
        const char *name;
        uint32_t commands;
        const char *which;
    } places[] = {
        {options->expected, "expected", OF(PEERS), "peers"},
        {options->condition, "condition", OF(EXPLAIN) | OF(TRACE), "explain and trace"},
        {options->state, "state", OF(TRACE), "trace"},
        {options->models, "models", OF(COMPARE), "compare"},
        {options->manifest, "manifest", OF(MERGE), "merge"},
    };
#undef OF
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (places[i].given && !(places[i].commands >> options->command & 1) &&
            options->command != CLI_HELP && options->command != CLI_VERSION)
            diag_error(diag, DIAG_CLI_USAGE, nowhere,
                       "--%s is an option of %s: write the command before it, or leave it away",
                       places[i].name, places[i].which);
}

/* What the commands other than `check` write; `crosscheck` and `compare` have words of their own.
 */
static void check_reports(const struct cli_options *options, struct diag *diag)
{
    bool pictures = true;
    for (uint32_t i = 0; i < options->report_count; i++)
        pictures = pictures && report_format_is_of_pictures(options->reports[i].format);
    if (options->command == CLI_CHECK || options->command == CLI_CROSSCHECK ||
        options->report_count == 0)
        return;
    if (options->command != CLI_EXPLAIN)
        diag_error(
            diag, DIAG_CLI_USAGE, nowhere,
            "--format junit, tap, sarif, html and NAME=FILE are for check alone, dot and svg "
            "for check and explain");
    else if (!pictures)
        diag_error(diag, DIAG_CLI_USAGE, nowhere,
                   "explain writes text, json, dot, svg, dot=FILE and svg=FILE; "
                   "--format junit, tap, sarif, html and json=FILE are for check alone");
}

static void check_usage(const struct cli_options *options, struct diag *diag)
{
    check_property(options, diag);
    check_machine(options, diag);
    check_places(options, diag);
    bool crosscheck = options->command == CLI_CROSSCHECK, peers = options->command == CLI_PEERS;
    bool trace = options->command == CLI_TRACE;
    bool wants_tests = crosscheck || trace || options->command == CLI_CHECK ||
                       options->command == CLI_EXPLAIN || options->command == CLI_COMPARE ||
                       options->command == CLI_MERGE;
    if (wants_tests && options->input_count == 0 && diag->errors == 0)
        diag_error(diag, DIAG_CLI_NO_INPUT, nowhere,
                   "no test given: name a file, a folder or @LIST; crashlit --help explains");
    if (peers && (options->input_count != 1 || !options->expected))
        diag_error(diag, DIAG_CLI_USAGE, nowhere,
                   "peers wants one folder and --expected FILE.csv; crashlit --help explains");
    if (trace && (options->settings.model || options->settings.persistency))
        diag_error(diag, DIAG_CLI_USAGE, nowhere,
                   "trace runs a machine, not a model: leave --model and --persistency away; "
                   "--machine chooses");
    if (trace && options->state && options->condition)
        diag_error(diag, DIAG_CLI_USAGE, nowhere,
                   "trace looks for one thing: give --state or --condition");
    if (peers && strcmp(options->settings.engine, "machine") == 0)
        diag_error(diag, DIAG_CLI_USAGE, nowhere,
                   "peers asks a model: leave --engine machine away");
    if (peers && asks_all(options))
        diag_error(diag, DIAG_CLI_USAGE, nowhere,
                   "peers asks one engine: leave --engine all away; crosscheck compares engines");
    if (options->command == CLI_DIFF && options->input_count != 2)
        diag_error(
            diag, DIAG_CLI_USAGE, nowhere,
            "diff wants two files: OLD.jsonl NEW.jsonl, each of crashlit check --format json");
    if (options->command == CLI_COMPARE && (options->format != CLI_TEXT || options->report_count))
        diag_error(diag, DIAG_CLI_USAGE, nowhere,
                   "compare prints a table as text alone: leave --format away");
    if (options->command == CLI_COMPARE && (!options->models || asks_all(options)))
        diag_error(diag, DIAG_CLI_USAGE, nowhere,
                   "compare wants --models A,B,C and asks one engine; crashlit --help explains");
    if (crosscheck && strcmp(options->settings.engine, session_engines[0].name) == 0)
        diag_error(diag, DIAG_CLI_USAGE, nowhere,
                   "crosscheck holds the others against --engine %s: name another, or none",
                   options->settings.engine);
    check_reports(options, diag);
    if (crosscheck && (options->format != CLI_TEXT || options->report_count))
        diag_error(diag, DIAG_CLI_USAGE, nowhere,
                   "crosscheck prints text alone: for JSON lines of each engine use "
                   "crashlit check --engine all --format json");
}

/* A word that is no file, but a command, or nearly one. */
static void check_command(const struct cli_options *options, struct diag *diag)
{
    const char *names[COMMANDS];
    const char *first = options->input_count ? options->inputs[0] : "";
    if (options->command != CLI_CHECK || !*first || access(first, F_OK) == 0)
        return;
    for (size_t i = 0; i < COMMANDS; i++) {
        names[i] = commands[i].name;
        if (strcmp(first, names[i]) == 0)
            diag_error(diag, DIAG_CLI_USAGE, nowhere,
                       "the command '%s' stands before all options; write it first", first);
    }
    const char *near = diag_nearest(first, names, COMMANDS);
    if (near)
        diag_error(diag, DIAG_CLI_USAGE, nowhere,
                   "'%s' is neither a command nor a file; did you mean '%s'?", first, near);
}

/* Words that are neither options nor their values. */
static void take_inputs(int argc, char **argv, struct cli_options *options)
{
    options->inputs = (const char *const *)(argv + optind);
    options->input_count = (uint32_t)(argc - optind);
}

void cli_options_init(struct cli_options *options, enum cli_command command)
{
    *options = (struct cli_options){.command = command, .settings.unroll = 2, .jobs = 1};
    options->settings.engine = command == CLI_CROSSCHECK ? SESSION_ALL_ENGINES : "enum";
}

void cli_options_set(struct cli_options *options, const char *name, const char *value,
                     struct diag *diag)
{
    const struct option *option = long_options;
    while (option->name && strcmp(option->name, name) != 0)
        option++;
    BASE_CHECK(option->name && (option->has_arg == required_argument) == (value != NULL));
    if (read_option(option->val, value, options, diag))
        diag_error(diag, DIAG_CLI_USAGE, nowhere, PROPOSITION_MISSING);
}

bool cli_options_check(const struct cli_options *options, struct diag *diag)
{
    check_usage(options, diag);
    return diag->errors == 0;
}

bool cli_options_read(int argc, char **argv, struct cli_options *options, struct diag *diag)
{
    cli_options_init(options, read_command(&argc, &argv));
    opterr = 0;
    optind = 1;
    int code;
    while ((code = getopt_long(argc, argv, ":m:p:I:e:f:j:vhV", long_options, NULL)) != -1) {
        if (code == '?' || code == ':')
            report_bad_option(argv, code, diag);
        else if (read_option(option_of_letter(code), optarg, options, diag))
            take_proposition(argc, argv, options, diag);
    }
    if (options->command == CLI_EXPLAIN)
        options->settings.engine = "smt";
    read_shard_environment(options, diag);
    take_inputs(argc, argv, options);
    add_document(options, diag);
    check_command(options, diag);
    return cli_options_check(options, diag);
}
