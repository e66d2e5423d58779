#include "cli/cli_commands.h"

#include <string.h>

/* ---- Pages ---- */

static void add_words(ask_words *words, const char *between, const char *end, struct arena *arena,
                      struct strbuf *out)
{
    const char *names[ASK_MAX_WORDS];
    size_t count = words ? words(arena, names) : 0;
    for (size_t i = 0; i < count; i++)
        strbuf_printf(out, "%s%s", names[i], i + 1 < count ? between : end);
}

/* "-e, --engine enum|smt" */
static void add_heading(const struct ask_option *option, struct arena *arena, struct strbuf *out)
{
    if (option->letter)
        strbuf_printf(out, "-%c, ", option->letter);
    strbuf_printf(out, "--%s%s", option->name, option->value.kind == ASK_VALUE_FLAG ? "" : " ");
    if (option->argument)
        strbuf_add(out, option->argument);
    else
        add_words(option->value.words, "|", "", arena, out);
}

/* "loop bound beyond awaits (0 to 1000, default 2)" */
static void add_meaning(const struct ask_option *option, struct arena *arena, struct strbuf *out)
{
    const struct ask_value *value = &option->value;
    strbuf_add(out, option->help);
    if (option->argument && strncmp(option->argument, "NAME[", 5) == 0) {
        strbuf_add(out, ": ");
        add_words(option->value.words, ", ", "", arena, out);
    }
    if (value->kind == ASK_VALUE_COUNT)
        strbuf_printf(out, " (%u to %u", value->low, value->high);
    if (value->kind == ASK_VALUE_COUNT && value->standard)
        strbuf_printf(out, ", default %u", value->standard);
    if (option->standard)
        strbuf_printf(out, "%s %s", value->kind == ASK_VALUE_COUNT ? ", default" : " (default",
                      option->standard);
    strbuf_add(out, value->kind == ASK_VALUE_COUNT || option->standard ? ")" : "");
}

void cli_help_wrapped(const char *text, size_t margin, struct strbuf *out)
{
    enum { WIDTH = 98 };
    size_t at = margin;
    for (size_t length; (length = strcspn(text, " ")); text += length + (text[length] == ' ')) {
        if (at > margin && at + 1 + length > WIDTH)
            strbuf_printf(out, "\n%*s", (int)(at = margin), "");
        else if (at > margin)
            at++, strbuf_add_char(out, ' ');
        strbuf_add_bytes(out, text, length);
        at += length;
    }
    strbuf_add_char(out, '\n');
}

/* `takers`: whose option it is, when that is to be said. */
static void add_option(const struct ask_option *option, const char *takers, struct arena *arena,
                       struct strbuf *out)
{
    enum { COLUMN = 38 };
    SCOPED(strbuf) heading = {0}, meaning = {0};
    strbuf_add(&heading, "  ");
    add_heading(option, arena, &heading);
    strbuf_printf(out, "%-*s", COLUMN, strbuf_text(&heading));
    if (heading.length + 2 > COLUMN)
        strbuf_printf(out, "\n%*s", COLUMN, "");
    if (takers)
        strbuf_printf(&meaning, "%s: ", takers);
    add_meaning(option, arena, &meaning);
    cli_help_wrapped(strbuf_text(&meaning), COLUMN, out);
}

static const char *usage_of(enum ask_command command, struct arena *arena)
{
    const struct ask_command_row *row = &ask_commands[command];
    return arena_printf(arena, command == ASK_CHECK ? "[%s] [options]%s%s" : "%s [options]%s%s",
                        row->name, *row->inputs ? " " : "", row->inputs);
}

static void add_page(enum ask_command command, struct arena *arena, struct strbuf *out)
{
    const struct ask_command_row *row = &ask_commands[command];
    strbuf_printf(out, "crashlit %s\n\n", usage_of(command, arena));
    cli_help_wrapped(row->description, 0, out);
    strbuf_add(out, "\nOptions:\n");
    for (int i = 0; i < ASK_OPTION_COUNT; i++)
        if (ask_option_is_taken(&ask_option_rows[i], command))
            add_option(&ask_option_rows[i], NULL, arena, out);
    strbuf_add_char(out, '\n');
    cli_help_wrapped(
        arena_printf(arena,
                     "Exit status: %s; 2 wrong usage, or input or output that cannot be read or "
                     "written; 70 internal error. The largest that applies.",
                     row->statuses),
        0, out);
}

/* Of rows of one name the first. An option of one or two commands says so. */
static void add_overview(struct arena *arena, struct strbuf *out)
{
    strbuf_add(out, "crashlit: which states can a crash leave in non-volatile memory?\n\n");
    for (int i = 0; i < ASK_COMMAND_COUNT; i++)
        strbuf_printf(out, "  crashlit %-53s %s\n", usage_of((enum ask_command)i, arena),
                      ask_commands[i].purpose);
    strbuf_add(out, "\nOptions; crashlit COMMAND --help has those of one command:\n");
    for (int i = 0; i < ASK_OPTION_COUNT; i++) {
        const struct ask_option *option = &ask_option_rows[i];
        uint32_t takers = ask_option_takers(option->name), second = takers & (takers - 1);
        bool few = (second & (second - 1)) == 0;
        if (i == 0 || strcmp(option->name, option[-1].name) != 0)
            add_option(option, few ? ask_option_list_takers(arena, takers) : NULL, arena, out);
    }
    strbuf_add(out,
               "\nExit status: 0 every verdict is the expected one, 1 some differs, 2 usage,\n"
               "unreadable input or output that cannot be written, 3 some verdict is unknown,\n"
               "4 engines disagree, 70 internal error; the largest that applies. 129, 130,\n"
               "131 or 143 when a signal ended the run (128 and its number).\n");
}

/* What somebody does first. */
void cli_help_brief(struct arena *arena, struct strbuf *out)
{
    static const enum ask_command first[] = {ASK_CHECK,   ASK_EXPLAIN, ASK_PLACE,  ASK_TRACE,
                                             ASK_COMPARE, ASK_LESSON,  ASK_MODELS, ASK_HELP};
    strbuf_add(out, "crashlit: which states can a crash leave in non-volatile memory?\n\n");
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        const struct ask_command_row *row = &ask_commands[first[i]];
        bool reads = row->fewest > 0;
        const char *word = first[i] == ASK_CHECK ? "" : row->name;
        strbuf_printf(out, "  %-43s %s\n",
                      arena_printf(arena, "crashlit %s%s%s%s", word, *word && reads ? " " : "",
                                   first[i] == ASK_COMPARE ? "--models A,B " : "",
                                   reads ? "FILE.litmus" : ""),
                      row->purpose);
    }
    strbuf_add(
        out,
        "\nThe models are hrf-direct + epoch unless -m and -p, the test or its definition file "
        "name others.\n");
}

/* ---- Words ---- */

static void add_options(enum ask_command command, struct strbuf *out)
{
    EACH (const struct ask_option, option, ask_option_rows, ASK_OPTION_COUNT) {
        if (ask_option_is_taken(option, command))
            strbuf_printf(out, "--%s\n", option->name);
        if (ask_option_is_taken(option, command) && option->letter)
            strbuf_printf(out, "-%c\n", option->letter);
    }
}

/* What a command may be given, and "/" where that may be a path; so it is with what an option is.
 */
static void add_inputs(enum ask_command command, struct arena *arena, struct strbuf *out)
{
    ask_words *words = command == ASK_MODELS || command == ASK_CITE    ? ask_model_words
                       : command == ASK_MACHINES                       ? ask_machine_words
                       : command == ASK_MAP || command == ASK_MAPPINGS ? ask_mapping_words
                       : command == ASK_LESSON                         ? ask_lesson_words
                       : command == ASK_HELP                           ? ask_command_words
                                                                       : NULL;
    add_words(words, "\n", "\n", arena, out);
    if (strstr(ask_commands[command].inputs, "FILE"))
        strbuf_add(out, "/\n");
}

static void add_values(const struct ask_option *option, struct arena *arena, struct strbuf *out)
{
    const char *argument = option->argument ? option->argument : "";
    add_words(option->value.words, "\n", "\n", arena, out);
    if (!strchr(argument, '=') &&
        (strstr(argument, "FILE") || strstr(argument, "FOLDER") || strstr(argument, "DIR")))
        strbuf_add(out, "/\n");
}

/* By its name or letter, as the command takes it if it does. */
static const struct ask_option *find_option(const char *name, enum ask_command command)
{
    const struct ask_option *found = NULL;
    EACH (const struct ask_option, row, ask_option_rows, ASK_OPTION_COUNT) {
        bool meant = name[0] && !name[1] ? row->letter == *name : strcmp(row->name, name) == 0;
        if (meant && (!found || ask_option_is_taken(row, command)))
            found = row;
    }
    return found;
}

static void add_words_of(enum ask_command command, const struct ask_options *options,
                         struct arena *arena, struct strbuf *out)
{
    const struct ask_option *option =
        options->input_count > 1 ? find_option(options->inputs[1], command) : NULL;
    if (options->input_count == 1)
        add_options(command, out);
    else if (option && option->value.kind != ASK_VALUE_FLAG)
        add_values(option, arena, out);
    else
        add_inputs(command, arena, out);
}

/* ---- Messages ---- */

/* `name` or what begins with it, up to a '-'. */
static bool is_asked(enum diag_id id, const char *name)
{
    const char *text = diag_id_text(id);
    size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && (!text[length] || text[length] == '-');
}

static bool is_message(const char *name)
{
    return name[0] == 'E' && (!name[1] || name[1] == '-');
}

/* By its tag, `E-lit-lost`; of a beginning, `E-lit`, all. */
static void add_messages(const char *name, struct diag *diag, struct strbuf *out)
{
    const char *tags[DIAG_COUNT];
    bool found = false;
    for (int id = 0; id < DIAG_COUNT; id++) {
        tags[id] = diag_id_text((enum diag_id)id);
        if (!is_asked((enum diag_id)id, name))
            continue;
        found = true;
        strbuf_printf(out, "%s\n    ", tags[id]);
        cli_help_wrapped(diag_id_about((enum diag_id)id), 4, out);
    }
    const char *near = found ? NULL : diag_nearest(name, tags, DIAG_COUNT);
    if (!found)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
                   near ? "there is no message '%s'; did you mean '%s'?"
                        : "there is no message '%s'; 'crashlit help E' explains all",
                   name, near);
}

/* ---- All of it ---- */

static enum ask_command find_command(const char *name, struct diag *diag)
{
    const char *names[ASK_MAX_WORDS];
    enum ask_command command = ask_command_find(name);
    const char *near = diag_meant(name, names, ask_command_words(&diag->arena, names));
    if (command == ASK_COMMAND_COUNT)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
                   near ? "there is no command '%s'; did you mean '%s'?"
                        : "there is no command '%s'; crashlit --help lists them",
                   name, near);
    return command;
}

void cli_help(struct arena *arena, const struct ask_options *options, struct strbuf *out,
              struct diag *diag)
{
    if (options->input_count == 0 && options->words)
        add_words(ask_command_words, "\n", "\n", arena, out);
    else if (options->input_count == 0)
        add_overview(arena, out);
    for (uint32_t i = 0; i < options->input_count && !(i && options->words); i++) {
        if (is_message(options->inputs[i])) {
            add_messages(options->inputs[i], diag, out);
            continue;
        }
        enum ask_command command = find_command(options->inputs[i], diag);
        if (command < ASK_COMMAND_COUNT && options->words)
            add_words_of(command, options, arena, out);
        else if (command < ASK_COMMAND_COUNT)
            add_page(command, arena, out);
    }
}
