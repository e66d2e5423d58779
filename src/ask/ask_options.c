/* The command line is read twice. The command may stand behind options, so it is looked for first;
 * then each option is read as that command takes it. getopt hands out words and options in the
 * order in which they stand, and moves none. */
#include "ask/ask_options.h"

#include "format/report_sink.h"
#include "report/report_string.h"
#include "run/run_checker.h"
#include "session/session_engines.h"

#include <getopt.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct ask_command_row ask_commands[ASK_COMMAND_COUNT] = {
#ifdef ASK_BRIEFLY /* of a page, which has no room for what the manual page says */
#define COMMAND(identifier, name, fewest, most, inputs, purpose, description, statuses) \
    {name, fewest, most, inputs, purpose, "", statuses},
#else
#define COMMAND(identifier, ...) {__VA_ARGS__},
#endif
#include "ask/ask_commands.def"
#undef COMMAND
};

enum ask_command ask_command_find(const char *name)
{
    int i = 0;
    while (i < ASK_COMMAND_COUNT && strcmp(ask_commands[i].name, name) != 0)
        i++;
    return (enum ask_command)i;
}

size_t ask_command_words(struct arena *arena, const char **names)
{
    (void)arena;
    for (int i = 0; i < ASK_COMMAND_COUNT; i++)
        names[i] = ask_commands[i].name;
    return ASK_COMMAND_COUNT;
}

uint32_t ask_option_takers(const char *name)
{
    uint32_t takers = 0;
    for (int i = 0; i < ASK_OPTION_COUNT; i++)
        if (strcmp(ask_option_rows[i].name, name) == 0)
            takers |= ask_option_rows[i].takers;
    return takers & ((UINT32_C(1) << ASK_COMMAND_COUNT) - 1);
}

const char *ask_option_list_takers(struct arena *arena, uint32_t takers)
{
    const char *names[ASK_COMMAND_COUNT];
    size_t count = 0;
    for (int i = 0; i < ASK_COMMAND_COUNT; i++)
        if (takers >> i & 1)
            names[count++] = ask_commands[i].name;
    return arena_list(arena, names, count);
}

/* ---- Words of the line ---- */

enum { WORD = 1, UNKNOWN = '?', VALUELESS = ':', OPTION_BASE = 256 };

struct line {
    int argc;
    char **argv;
    struct option names[ASK_OPTION_COUNT + 1];
    char letters[3 + 2 * ASK_OPTION_COUNT];
    const char *given;       /* the option as it stands in the line, what is behind `=` too */
    const char *proposition; /* the word behind `--property recovers-to`, which is part of it */
};

/* Its first row. */
static const struct ask_option *named(const char *name, size_t length)
{
    return FIND(i, ask_option_rows, ASK_OPTION_COUNT,
                *ask_option_rows[i].name == *name &&
                    strncmp(ask_option_rows[i].name, name, length) == 0 &&
                    !ask_option_rows[i].name[length]);
}

static void line_init(struct line *line, int argc, char **argv)
{
    *line = (struct line){.argc = argc, .argv = argv, .letters = "-:"};
    size_t count = 0;
    char *letter = line->letters + strlen(line->letters);
    for (int i = 0; i < ASK_OPTION_COUNT; i++) {
        const struct ask_option *option = &ask_option_rows[i];
        bool valued = option->value.kind != ASK_VALUE_FLAG;
        if (named(option->name, strlen(option->name)) != option)
            continue;
        line->names[count++] = (struct option){
            option->name, valued ? required_argument : no_argument, NULL, OPTION_BASE + i};
        if (option->letter)
            *letter++ = option->letter;
        if (option->letter && valued)
            *letter++ = ':';
    }
    opterr = 0;
}

/* getopt takes the beginning of a name for the name: what a script means by that changes with the
 * options that there are. */
static bool is_cut_short(const struct line *line, const char *name)
{
    const char *given = line->given;
    return strncmp(given, "--", 2) == 0 && strcspn(given + 2, "=") != strlen(name);
}

/* WORD, UNKNOWN, VALUELESS, -1 at the end, or OPTION_BASE and the number of a row, the first of its
 * name. Begins anew where optind is 0. */
static int next(struct line *line)
{
    int code = getopt_long(line->argc, line->argv, line->letters, line->names, NULL);
    line->proposition = NULL;
    bool apart = optarg && optind > 1 && optarg == line->argv[optind - 1];
    line->given =
        code == -1 || optind < 2 ? "" : line->argv[optind - (apart && code != WORD ? 2 : 1)];
    if (code >= OPTION_BASE && is_cut_short(line, ask_option_rows[code - OPTION_BASE].name))
        return optopt = 0, UNKNOWN;
    for (int i = 0; i < ASK_OPTION_COUNT && code != UNKNOWN && code != VALUELESS; i++)
        if (ask_option_rows[i].letter == code && code > WORD) {
            code = OPTION_BASE + i;
            break;
        }
    if (code == OPTION_BASE + ASK_OPTION_PROPERTY && strcmp(optarg, "recovers-to") == 0 &&
        optind < line->argc)
        line->proposition = line->argv[optind++];
    return code;
}

/* ---- Faults of the line ---- */

/* The nearest name of an option, of those that the command takes if there is one. */
static const char *nearest(const char *name, enum ask_command command)
{
    const char *names[ASK_OPTION_COUNT], *near = NULL;
    for (int all = 0; all < 2 && !near; all++) {
        size_t count = 0;
        for (int i = 0; i < ASK_OPTION_COUNT; i++)
            if (all || ask_option_is_taken(&ask_option_rows[i], command))
                names[count++] = ask_option_rows[i].name;
        near = diag_nearest(name, names, count);
    }
    return near;
}

/* How many options of the command begin so, and which. */
static size_t begun(const char *name, enum ask_command command, struct strbuf *list)
{
    size_t count = 0;
    for (int i = 0; i < ASK_OPTION_COUNT && *name; i++)
        if (strncmp(ask_option_rows[i].name, name, strlen(name)) == 0 &&
            ask_option_is_taken(&ask_option_rows[i], command))
            strbuf_printf(list, "%s--%s", count++ ? ", " : "", ask_option_rows[i].name);
    return count;
}

static void refuse_unknown(const struct line *line, enum ask_command command, struct diag *diag)
{
    const char *given = line->given;
    given = arena_strndup(&diag->arena, given, strcspn(given, "="));
    if (optopt)
        given = arena_printf(&diag->arena, "-%c", optopt);
    const char *bare = given + strspn(given, "-"), *near = optopt ? NULL : nearest(bare, command);
    SCOPED(strbuf) list = {0};
    size_t count = optopt ? 0 : begun(bare, command, &list);
    if (count == 0 && near)
        strbuf_printf(&list, "--%s", near);
    if (count > 1)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE, "option '%s' can be any of %s", given,
                   strbuf_text(&list));
    else if (count || near)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE, "unknown option '%s', did you mean '%s'?", given,
                   strbuf_text(&list));
    else
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
                   "unknown option '%s'%s; crashlit %s --help lists those there are", given,
                   ask_option_place(bare, command, &diag->arena), ask_commands[command].name);
}

static void refuse_misuse(const struct line *line, int code, enum ask_command command,
                          struct diag *diag)
{
    if (code == VALUELESS)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE, "option '%s' wants a value",
                   line->argv[optind - 1]);
    else if (optopt >= OPTION_BASE)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE, "option '--%s' has no value",
                   ask_option_rows[optopt - OPTION_BASE].name);
    else
        refuse_unknown(line, command, diag);
}

/* Of the model's name, or path, that the text begins with. */
static size_t length_of_name(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./");
}

static bool is_name(const char *text)
{
    return *text && *text != '-' && !text[length_of_name(text)];
}

/* What to do instead; else who takes it. */
static const char *mend_of(const char *name, enum ask_command command, struct arena *arena)
{
    static const struct {
        enum ask_command command;
        const char *name, *mend;
    } mends[] = {
        {ASK_TRACE, "model", ": it runs a machine, which --machine names"},
        {ASK_TRACE, "persistency", ": it runs a machine, which --machine names"},
        {ASK_EXPLAIN, "engine", ": it asks smt"},
        {ASK_PLACE, "map",
         ": print what the mapping makes of the test with crashlit map, and ask about that"},
        {ASK_CROSSCHECK, "format",
         ": crashlit check --engine all --format json has each engine's answers"},
    };
    for (size_t i = 0; i < sizeof mends / sizeof *mends; i++)
        if (mends[i].command == command && strcmp(mends[i].name, name) == 0)
            return mends[i].mend;
    if (strcmp(name, "models") == 0 && ask_option_find("model", command)) {
        const size_t length = length_of_name(optarg);
        if (optarg[length] == '+' && is_name(optarg + length + 1) && length && *optarg != '-')
            return arena_printf(arena, "; one pair is named by -m %.*s -p %s", (int)length, optarg,
                                optarg + length + 1);
    }
    return arena_printf(arena, "; it is an option of %s",
                        ask_option_list_takers(arena, ask_option_takers(name)));
}

static void refuse_option(const char *name, enum ask_command command, bool meant, struct diag *diag)
{
    diag_error(diag, DIAG_CLI_USAGE, NOWHERE, "%s%s takes no --%s%s",
               meant ? "" : "no command is named, and ", ask_commands[command].name, name,
               mend_of(name, command, &diag->arena));
}

/* `-engine`, or a long option behind a dash that a word processor made of two. */
static void check_dashes(const struct line *line, struct diag *diag)
{
    for (int i = 1; i < line->argc && strcmp(line->argv[i], "--") != 0; i++) {
        const char *word = line->argv[i];
        size_t dashes = strspn(word, "-\xe2\x80\x93\x94");
        size_t length = strcspn(word + dashes, "=");
        if (dashes && strncmp(word, "--", 2) != 0 && length > 1 && named(word + dashes, length))
            diag_error(diag, DIAG_CLI_USAGE, NOWHERE, "found '%s', expected two dashes: --%s", word,
                       word + dashes);
    }
}

/* ---- The command ---- */

/* A word that stands where a command could, and is neither a file nor a list. */
static void check_first(const char *word, struct diag *diag)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    const char *names[ASK_MAX_WORDS];
    const char *near = diag_nearest(word, names, ask_command_words(&diag->arena, names));
    if (*word == '@' || access(word, F_OK) == 0 || (!near && word[strspn(word, letters)]))
        return;
    diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
               near ? "'%s' is neither a command nor a file; did you mean '%s'?"
                    : "'%s' is neither a command nor a file; crashlit --help lists the commands",
               word, near);
}

/* The command and the word that names it, or NULL; without one it is `check`. What an unknown
 * option is followed by may be its value. */
static const char *find_command(struct line *line, enum ask_command *command, struct diag *diag)
{
    bool unknown = false;
    int code;
    optind = 0;
    *command = ASK_CHECK;
    while ((code = next(line)) != -1) {
        if (code == OPTION_BASE + ASK_OPTION_VERSION)
            return *command = ASK_VERSION, NULL;
        if (code == WORD && ask_command_find(optarg) < ASK_COMMAND_COUNT)
            return *command = ask_command_find(optarg), optarg;
        if (code == WORD && !unknown)
            return check_first(optarg, diag), NULL;
        unknown = code == UNKNOWN;
    }
    return NULL;
}

/* ---- What goes together ---- */

/* A list of something, each time something. */
static void check_kinds(const struct ask_options *options, struct diag *diag)
{
    const char *kinds = options->kinds;
    bool empty = true, hollow = false;
    for (const char *c = kinds; c && (c == kinds || c[-1]); c++) {
        hollow |= empty && (*c == ',' || !*c);
        empty = *c == ',' || (empty && strchr(" \t\n", *c));
    }
    if (hollow)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--kinds wants p_barrier, fence, barrier or statements, with commas between, "
                   "found '%s'",
                   kinds);
    if (kinds && options->narrow)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
                   "--kinds says what may be added, and --narrow adds nothing: leave one away");
}

/* The option is given, and of machines alone. */
static void check_machine(const struct ask_options *options, const char *given, struct diag *diag)
{
    const char *engine = options->settings.engine;
    bool runs = options->command == ASK_TRACE || options->command == ASK_MUTATE ||
                session_engine_is_all(engine) || session_engine_is_machine(engine);
    if (!runs && given)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
                   "--%s wants a machine to be run: add --engine machine%s", given,
                   options->command == ASK_COMPARE ? "" : ", or --engine all");
}

/* Of a line, which asks once: a context of the library has limits for whatever it is asked. */
static void check_limits(const struct ask_options *options, struct diag *diag)
{
    const struct mach_choice *choice = &options->settings.on_machine;
    check_machine(options,
                  choice->max_states     ? "max-states"
                  : choice->threads      ? "machine-threads"
                  : choice->no_reduction ? "no-reduction"
                                         : NULL,
                  diag);
}

/* Is another format asked for than those that --cases has? */
static bool draws_cases(const struct ask_options *options)
{
    for (uint32_t i = 0; i < options->report_count; i++) {
        const char *name = report_format_name(options->reports[i].format);
        if (options->cases && strcmp(name, "html") != 0 && strcmp(name, "json") != 0)
            return true;
    }
    return false;
}

#define REFUSE(diag, wrong, ...) \
    ((wrong) ? diag_error(diag, DIAG_CLI_USAGE, NOWHERE, __VA_ARGS__) : (void)0)

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Code is launched from a file by its name. */
static void check_launched(const struct ask_options *options, struct diag *diag)
{
    for (uint32_t i = 0; i < options->input_count && options->settings.launch_count; i++) {
        const char *input = options->inputs[i];
        REFUSE(diag, strcmp(input, "-") == 0,
               "--launch launches kernels of a .ptx file, found standard input; write the code to "
               "a file and name it");
        REFUSE(diag, is_folder(input),
               "--launch launches kernels of a .ptx file, found the folder '%s'; name the file in "
               "it",
               input);
    }
}

static void check_settings(const struct ask_options *options, struct diag *diag)
{
    const struct session_settings *settings = &options->settings;
    check_machine(options, settings->machine ? "machine" : settings->fault ? "fault" : NULL, diag);
    REFUSE(diag, settings->property == SESSION_RECOVERS_TO && !settings->recovers_to,
           "--property recovers-to wants a proposition, as in recovers-to \"x = 1\"");
    REFUSE(diag, settings->property == SESSION_IDEMPOTENT_RECOVERY && settings->decide,
           "idempotent-recovery is judged by all states: leave --decide away");
    REFUSE(
        diag,
        options->print_launch &&
            (strcmp(settings->volatiles, "sys") != 0 || settings->model || settings->persistency),
        "--print-launch writes a test, which does not keep --volatile, -m and -p: leave them away "
        "and give them to the test");
    REFUSE(diag, options->print_launch && !settings->launch_count,
           "--print-launch writes the test of a launch: give it, as in --launch 'k<<<2, 32>>>(nvm "
           "u32 data[64], 7)'");
    check_launched(options, diag);
    REFUSE(diag, settings->exercise && settings->property != SESSION_CONDITION,
           "--exercise judges by the conditions of its file: leave --property away");
    REFUSE(diag, settings->states && settings->decide,
           "--states lists all states, --decide does without: leave one away");
    REFUSE(diag, options->command == ASK_REFINES && !settings->model && diag->errors == 0,
           "refines wants --under VISIBILITY+PERSISTENCY twice, once for the source and once "
           "for what is to refine it%s",
           settings->source_model ? "; found one" : "");
    if (options->command == ASK_REFINES && options->input_count == 1 && !settings->mapping)
        diag_error(
            diag, DIAG_CLI_NO_INPUT, NOWHERE,
            "refines wants a test to be held against the source '%s', or --map MAPPING to make "
            "one of it",
            options->inputs[0]);
    REFUSE(diag, options->command == ASK_REFINES && options->input_count > 1 && settings->mapping,
           "--map makes the test of the source; found '%s' as well", options->inputs[1]);
    REFUSE(diag, options->state && options->condition,
           "trace looks for one thing: give --state or --condition");
    REFUSE(diag, options->narrow && options->repair,
           "--narrow asks for less, --repair for more: leave one away");
    check_kinds(options, diag);
    REFUSE(diag, options->explain && session_engine_is_machine(settings->engine),
           "--explain asks the model: leave --engine %s away, or ask crashlit trace",
           settings->engine);
    REFUSE(diag, options->cases && options->condition,
           "--cases is of all states: leave --condition %u away", options->condition);
    REFUSE(diag, draws_cases(options),
           "--cases is told as text, json or html: leave other formats away");
    REFUSE(diag, options->explain && settings->property == SESSION_IDEMPOTENT_RECOVERY,
           "--explain is of conditions: leave --property idempotent-recovery away");
    struct arena arena;
    arena_init(&arena);
    REFUSE(diag, settings->certified && !run_checker_find(&arena),
           "--certified needs the program crashlit-check beside this one, and the "
           "folder of models; crashlit's documentation, inside/certificates.md, says how to build "
           "it");
    arena_fini(&arena);
    REFUSE(diag,
           (settings->certify || settings->certified) &&
               session_engine_is_machine(settings->engine),
           "--%s is of what the model says: leave --engine %s away",
           settings->certify ? "certify" : "certified", settings->engine);
    REFUSE(diag, (settings->certify || settings->certified) && options->resume,
           "an earlier run's answers have no certificates here: leave --resume away");
    REFUSE(diag, settings->narrowest && session_engine_is_machine(settings->engine),
           "--warn-wide asks what the model needs: leave --engine %s away", settings->engine);
    REFUSE(
        diag,
        options->quiet && (options->verbose || options->dump_ast || options->dump_ir ||
                           options->dump_exec || settings->states || options->explain),
        "--quiet says less, and --verbose, --states, --explain and --dump-... say more: leave one "
        "away");
    REFUSE(diag, options->weights && !options->cheapest,
           "--weights says what is cheapest: add --cheapest");
    if (options->output && !*options->output)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE, "--output wants the name of a folder");
    REFUSE(diag, options->command == ASK_PEERS && !options->expected,
           "peers wants --expected FILE.csv; crashlit peers --help explains");
    REFUSE(diag, options->command == ASK_COMPARE && !options->models,
           "compare wants --models A,B,C; crashlit compare --help explains");
}

static void check_inputs(const struct ask_options *options, struct diag *diag)
{
    const struct ask_command_row *command = &ask_commands[options->command];
    const char *inputs = *command->inputs ? command->inputs : "nothing", *found = "nothing";
    uint32_t count = options->input_count;
    if (count >= command->fewest && count <= command->most)
        return;
    if (count > command->most)
        found = arena_printf(&diag->arena, "'%s' as well", options->inputs[command->most]);
    else if (count)
        found = arena_printf(&diag->arena, "'%s' alone", options->inputs[0]);
    diag_error(diag, count ? DIAG_CLI_USAGE : DIAG_CLI_NO_INPUT, NOWHERE,
               "%s wants %s, found %s; crashlit %s --help explains", command->name, inputs, found,
               command->name);
}

bool ask_options_check(const struct ask_options *options, struct diag *diag)
{
    check_settings(options, diag);
    if (diag->errors == 0)
        check_inputs(options, diag);
    return diag->errors == 0;
}

/* ---- The line ---- */

/* The document on standard output is the last report. */
static void add_document(struct ask_options *options, struct diag *diag)
{
    if (options->document && options->report_count == RUN_MAX_REPORTS)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE, "--format is given more than %d times",
                   (int)RUN_MAX_REPORTS);
    else if (options->document)
        options->reports[options->report_count++] =
            (struct run_report){.format = options->document};
}

static void keep_given(const struct ask_option *option, const char *more,
                       struct ask_options *options)
{
    bool valued = option->value.kind != ASK_VALUE_FLAG;
    if (option < &ask_option_rows[ASK_OPTION_FORMAT] && options->given_count < ASK_MAX_GIVEN)
        options->given[options->given_count++] =
            (struct ask_given){option->name, valued ? optarg : NULL, more};
}

bool ask_options_repeat(const struct ask_options *options, enum ask_command command,
                        struct strbuf *out)
{
    EACH (const struct ask_given, given, options->given, options->given_count) {
        bool named = strcmp(given->name, "model") == 0 || strcmp(given->name, "persistency") == 0;
        if (named || !ask_option_find(given->name, command))
            continue;
        strbuf_printf(out, " --%s", given->name);
        for (int k = 0; k < 2 && (k ? given->more : given->value); k++) {
            strbuf_add_char(out, ' ');
            report_shell_word(out, k ? given->more : given->value);
        }
    }
    return options->command == ASK_CHECK && options->given_count < ASK_MAX_GIVEN &&
           options->settings.property != SESSION_IDEMPOTENT_RECOVERY;
}

/* It was given before, with another value; whoever names two wants both. */
static void refuse_second(const struct ask_option *option, const char *before, const char *second,
                          struct diag *diag)
{
    const char *name = option->name, *argument = option->argument ? option->argument : "";
    const char *advice = "; it takes one";
    if (option->letter == 'm' || option->letter == 'p')
        advice = arena_printf(&diag->arena,
                              "; it takes one; several side by side: crashlit compare --models "
                              "%s,%s",
                              before, second);
    else if (strchr(argument, ','))
        advice =
            arena_printf(&diag->arena, "; write both in one: --%s '%s,%s'", name, before, second);
    else if (option->value.kind == ASK_VALUE_COUNT)
        advice = "; it takes one; without it all are looked at";
    diag_error(diag, DIAG_CLI_USAGE, NOWHERE, "--%s is given twice, '%s' and '%s'%s", name, before,
               second, advice);
}

/* Options of how it is run or told are no part of the question: there the last one counts. */
static void check_second(const struct ask_option *option, const char *more,
                         const struct ask_options *options, struct diag *diag)
{
    EACH (const struct ask_given, given, options->given, options->given_count)
        if (option->value.once && strcmp(given->name, option->name) == 0 &&
            (strcmp(given->value, optarg) != 0 || !text_same(given->more, more)))
            refuse_second(option, given->more ? given->more : given->value, more ? more : optarg,
                          diag);
}

static void read_option(const struct line *line, const char *name, bool meant,
                        struct ask_options *options, struct diag *diag)
{
    const struct ask_option *option = ask_option_find(name, options->command);
    if (!option)
        refuse_option(name, options->command, meant, diag);
    else if (optarg && strncmp(optarg, "--", 2) == 0 && named(optarg + 2, strcspn(optarg + 2, "=")))
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE, "option '--%s' wants a value, found '%s'", name,
                   optarg);
    else
        ask_options_set(options, option, optarg, diag);
    if (option && diag->errors == 0)
        check_second(option, line->proposition, options, diag);
    if (option && diag->errors == 0)
        keep_given(option, line->proposition, options);
    if (line->proposition)
        options->settings.recovers_to = line->proposition;
}

/* `word` names the command; NULL: none does. What is neither an option nor a value goes to the
 * front of the line, as far as that was read. */
static void read_words(struct line *line, const char *word, struct ask_options *options,
                       struct diag *diag)
{
    char **inputs = line->argv + 1;
    int code;
    optind = 0;
    while ((code = next(line)) != -1)
        if (code == UNKNOWN || code == VALUELESS)
            refuse_misuse(line, code, options->command, diag);
        else if (code != WORD)
            read_option(line, ask_option_rows[code - OPTION_BASE].name, word != NULL, options,
                        diag);
        else if (optarg != word)
            inputs[options->input_count++] = optarg;
    for (int i = optind; i < line->argc; i++)
        inputs[options->input_count++] = line->argv[i];
    options->inputs = (const char *const *)inputs;
    for (uint32_t i = 0; i < options->input_count && options->command == ASK_CHECK && !word; i++)
        if (ask_command_find(inputs[i]) < ASK_COMMAND_COUNT && access(inputs[i], F_OK) != 0)
            diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
                       "the command '%s' stands before all files: crashlit %s ...", inputs[i],
                       inputs[i]);
}

static struct run_patterns patterns_of(const struct ask_patterns *patterns)
{
    return (struct run_patterns){patterns->items, patterns->count};
}

struct run_choice ask_options_choice(const struct ask_options *options)
{
    return (struct run_choice){patterns_of(&options->filters), patterns_of(&options->excludes)};
}

bool ask_options_want_slides(const struct ask_options *options)
{
    return options->layout && strcmp(options->layout, "slide") == 0;
}

/* Pictures as slides, of each report that is svg. */
static void lay_out(struct ask_options *options, struct diag *diag)
{
    bool drawn = options->command == ASK_DISTINGUISH && options->output;
    if (!ask_options_want_slides(options))
        return;
    drawn |= options->shape && strcmp(options->shape, "svg") == 0;
    for (uint32_t i = 0; i < options->report_count; i++) {
        const struct report_format **format = &options->reports[i].format;
        drawn |= strcmp(report_format_name(*format), "svg") == 0;
        *format = report_format_of_slides(*format);
    }
    if (!drawn)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
                   "--layout slide is for pictures: add --format svg%s",
                   options->command == ASK_DISTINGUISH ? ", or --output FOLDER/" : "");
}

/* What records have of executions needs records. */
static void check_executions(const struct ask_options *options, struct diag *diag)
{
    bool told = options->format == RUN_JSON;
    for (uint32_t i = 0; i < options->report_count; i++)
        told |= strcmp(report_format_name(options->reports[i].format), "json") == 0;
    if (options->executions && strcmp(options->executions, "none") != 0 && !told)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE, "--executions is for records: add --format json");
}

/* The first input of `refines` is read for each of the others. */
static void take_source(struct ask_options *options)
{
    if (options->command != ASK_REFINES || options->input_count == 0)
        return;
    options->settings.source = options->inputs[0];
}

/* --help and --version are commands of their own, one of them about the command that is named. */
static void turn(struct ask_options *options, bool meant)
{
    static const char *const no_inputs[] = {NULL};
    if (!options->help && !options->version)
        return;
    bool page = options->help && meant;
    options->inputs = page ? &ask_commands[options->command].name : no_inputs;
    options->input_count = page;
    options->command = options->help ? ASK_HELP : ASK_VERSION;
}

/* A folder, a list, a stream or several files. */
static bool has_several(const struct ask_options *options)
{
    uint32_t first = options->command == ASK_REFINES && !options->settings.mapping;
    const char *input = options->input_count > first ? options->inputs[first] : "";
    return options->input_count > first + 1 || *input == '@' || strcmp(input, "-") == 0 ||
           access(input, F_OK) != 0 || is_folder(input);
}

/* One file is what somebody looks at; of several a line each will do. */
static void choose_text(struct ask_options *options)
{
    const bool merges = options->command == ASK_MERGE;
    const bool judges =
        ask_command_judges(options->command) || merges || options->command == ASK_REPORT;
    if (merges && !options->shape)
        options->format = RUN_JSON;
    bool text = options->format == RUN_TEXT;
    options->several = has_several(options);
    options->brief = options->command == ASK_CHECK && text &&
                     (options->several || options->quiet) && !options->verbose &&
                     !options->dump_ast && !options->dump_ir && !options->dump_exec &&
                     !options->settings.states;
    options->sentences =
        judges && text && strcmp(options->shape ? options->shape : "", "herd") != 0;
}

bool ask_options_read(int argc, char **argv, struct ask_options *options, struct diag *diag)
{
    struct line line;
    enum ask_command command;
    line_init(&line, argc, argv);
    check_dashes(&line, diag);
    const char *word = find_command(&line, &command, diag);
    if (diag->errors)
        return false;
    ask_options_init(options, command);
    read_words(&line, word, options, diag);
    take_source(options);
    ask_options_read_environment(options, diag);
    add_document(options, diag);
    lay_out(options, diag);
    check_executions(options, diag);
    turn(options, word != NULL);
    choose_text(options);
    check_limits(options, diag);
    return ask_options_check(options, diag);
}
