/* The table of options, and how each row's value is read. */
#include "base/team.h"
#include "cat/cat_model.h"
#include "run/run_choice.h"
#include "run/run_folder.h"
#include "ask/ask_options.h"
#include "engine/engine.h"
#include "generate/gen_cycle.h"
#include "explore/mach_engine.h"
#include "format/report_sink.h"
#include "session/session_engines.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ASK_MAX_SHARDS = 1000000 };

static ask_read read_judge, read_uses, read_launch, read_variants, read_folder, read_crash,
    read_property, read_filter, read_exclude, read_may_go, read_unknown, read_format, read_seconds,
    read_cpu_seconds, read_total, read_shard, read_under, read_thresholds, read_certify;

/* ---- The table ---- */

/* The field is of that type. */
#define FIELD(name, type)                \
    offsetof(struct ask_options, name) + \
        0 * sizeof(_Generic(&((struct ask_options *)NULL)->name, type * : 0))

#define FLAG(name)                                         \
    {                                                      \
        .kind = ASK_VALUE_FLAG, .field = FIELD(name, bool) \
    }
#define TEXT(name, known)                                                                        \
    {                                                                                            \
        .kind = ASK_VALUE_TEXT, .once = true, .field = FIELD(name, const char *), .words = known \
    }
#define NAME(name, known)                                                                        \
    {                                                                                            \
        .kind = ASK_VALUE_NAME, .once = true, .field = FIELD(name, const char *), .words = known \
    }
#define WORD(name, known)                                                                        \
    {                                                                                            \
        .kind = ASK_VALUE_WORD, .once = true, .field = FIELD(name, const char *), .words = known \
    }
#define COUNT(name, least, most, usual)                                                      \
    {                                                                                        \
        .kind = ASK_VALUE_COUNT, .field = FIELD(name, uint32_t), .low = least, .high = most, \
        .standard = usual                                                                    \
    }
/* One of several things, by its number. */
#define NUMBER(name, least, most)                                                            \
    {                                                                                        \
        .kind = ASK_VALUE_COUNT, .once = true, .field = FIELD(name, uint32_t), .low = least, \
        .high = most                                                                         \
    }
#define READ(function, known)                                    \
    {                                                            \
        .kind = ASK_VALUE_READ, .words = known, .read = function \
    }
#define READ_ONCE(function, known)                                             \
    {                                                                          \
        .kind = ASK_VALUE_READ, .once = true, .words = known, .read = function \
    }

/* Who takes it. */
#define OF(command) (UINT32_C(1) << ASK_##command)
#define EVERYBODY (OF(LIBRARY) - 1)
#define WORKING (BATCHED | OF(GENERATE) | OF(BLESS))
#define BATCHED (OF(CHECK) | OF(CROSSCHECK) | OF(EXPLAIN) | OF(TRACE) | OF(REFINES))
#define NAMING_TESTS \
    (BATCHED | OF(BLESS) | OF(COMPARE) | OF(MUTATE) | OF(REVIEW) | OF(MERGE) | OF(LIST) | OF(HW))
#define NAMING_MODELS                                                                           \
    (OF(CHECK) | OF(CROSSCHECK) | OF(EXPLAIN) | OF(COMPARE) | OF(PEERS) | OF(PLACE) | OF(LSP) | \
     OF(BLESS))
#define SURVEYING (OF(DISTINGUISH) | OF(LATTICE))
#define ASKING (NAMING_MODELS | OF(REFINES))
#define READING_CAT                                                                        \
    (ASKING | SURVEYING | OF(MUTATE) | OF(REVIEW) | OF(TRACE) | OF(GENERATE) | OF(MERGE) | \
     OF(MODELS) | OF(CITE) | OF(MAP) | OF(MAPPINGS) | OF(HW) | OF(LIBRARY))
#define READING_VARIANTS                                                                 \
    (ASKING | SURVEYING | OF(MUTATE) | OF(REVIEW) | OF(GENERATE) | OF(MODELS) | OF(HW) | \
     OF(LIBRARY))
#define RUNNING_MACHINES \
    (OF(CHECK) | OF(BLESS) | OF(CROSSCHECK) | OF(COMPARE) | OF(REFINES) | OF(LIBRARY))

const struct ask_option ask_option_rows[ASK_OPTION_COUNT] = {
#define OPTION(identifier, name, letter, value, argument, help, standard, takers) \
    {name, letter, value, argument, help, standard, takers},
#include "ask/ask_options.def"
#undef OPTION
};

const struct ask_option *ask_option_find(const char *name, enum ask_command command)
{
    return FIND(i, ask_option_rows, ASK_OPTION_COUNT,
                strcmp(ask_option_rows[i].name, name) == 0 &&
                    ask_option_is_taken(&ask_option_rows[i], command));
}

/* ---- Words ---- */

struct known {
    const char *names[ASK_MAX_WORDS];
    size_t count;
};

static struct known known_of(const struct ask_option *option, struct arena *arena)
{
    struct known known = {.count = 0};
    if (option->value.words)
        known.count = option->value.words(arena, known.names);
    return known;
}

/* The number of a word, or that of all when it is none of them. */
static size_t find_word(const struct known *known, const char *text)
{
    size_t i = 0;
    while (i < known->count && strcmp(known->names[i], text) != 0)
        i++;
    return i;
}

static bool knows(const struct ask_option *option, const char *word, struct arena *arena)
{
    const struct known known = known_of(option, arena);
    return find_word(&known, word) < known.count;
}

const char *ask_option_place(const char *word, enum ask_command command, struct arena *arena)
{
    EACH (const struct ask_option, row, ask_option_rows, ASK_OPTION_COUNT) {
        if (!ask_option_is_taken(row, command) || !knows(row, word, arena))
            continue;
        return row->letter
                   ? arena_printf(arena, ", which goes with --%s (-%c)", row->name, row->letter)
                   : arena_printf(arena, ", which goes with --%s", row->name);
    }
    return "";
}

/* Where a word belongs that stands behind an option in vain: to that option as other commands take
 * it, or to another one. */
static const char *place_of(const struct ask_option *option, const char *word,
                            enum ask_command command, struct arena *arena)
{
    uint32_t others = 0;
    for (int i = 0; i < ASK_OPTION_COUNT; i++)
        if (strcmp(ask_option_rows[i].name, option->name) == 0 &&
            knows(&ask_option_rows[i], word, arena))
            others |= ask_option_rows[i].takers & EVERYBODY;
    return others ? arena_printf(arena, ", which is for %s", ask_option_list_takers(arena, others))
                  : ask_option_place(word, command, arena);
}

static void refuse_word(const struct ask_option *option, const char *text,
                        const struct known *known, enum ask_command command, struct diag *diag)
{
    const char *place = place_of(option, text, command, &diag->arena);
    const char *near = diag_meant(text, known->names, known->count);
    SCOPED(strbuf) list = {0};
    for (size_t i = 0; i < known->count; i++)
        strbuf_printf(&list, "%s%s", i ? ", " : "", known->names[i]);
    if (near && !*place)
        place = arena_printf(&diag->arena, "; did you mean '%s'?", near);
    diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE, "--%s wants %s%s, found '%s'%s", option->name,
               known->count > 1 ? "one of " : "", strbuf_text(&list), text, place);
}

/* One of the option's words; NULL with a diagnostic when it is none. `number`: which one. */
static const char *read_word(const struct ask_option *option, const char *text,
                             const struct ask_options *options, size_t *number, struct diag *diag)
{
    const struct known known = known_of(option, &diag->arena);
    *number = find_word(&known, text);
    if (*number < known.count)
        return known.names[*number];
    refuse_word(option, text, &known, options->command, diag);
    return NULL;
}

/* `-p epoch,strict` names two of a kind, `-m sc+epoch` one of each. */
static const char *several_of(const struct ask_option *option, const char *text, const char *rest,
                              struct arena *arena)
{
    const char *first = arena_strndup(arena, text, (size_t)(rest - text)), *second = rest + 1;
    bool same = knows(option, first, arena) && knows(option, second, arena);
    if (same && option->letter == 'p')
        return arena_printf(arena,
                            "; it takes one; several side by side: crashlit compare --models %s,%s",
                            first, second);
    if (same)
        return "; it takes one; several side by side: crashlit compare --models M+P,M+P";
    return arena_printf(arena, "; write -m %s -p %s", first, second);
}

/* A name that is not known is for its loader to refuse, unless it is known to be something else. */
static void check_name(const struct ask_option *option, const char *text,
                       const struct ask_options *options, struct diag *diag)
{
    const char *rest = strpbrk(text, "+,"), *place = "";
    if (option->letter && rest && !cat_model_is_path(text))
        place = several_of(option, text, rest, &diag->arena);
    else if (!knows(option, text, &diag->arena))
        place = place_of(option, text, options->command, &diag->arena);
    if (*place)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE, "--%s wants %s, found '%s'%s",
                   option->name, option->argument, text, place);
}

/* ---- Values ---- */

static bool read_number(const char *text, const char *option, uint32_t low, uint32_t high,
                        uint32_t *number, struct diag *diag)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (*text && !*end && !errno && value >= (long)low && value <= (long)high)
        return *number = (uint32_t)value, true;
    diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
               "--%s wants a whole number from %u to %u, found '%s'", option, low, high, text);
    return false;
}

static void read_time(const struct ask_option *option, const char *text, double *seconds,
                      struct diag *diag)
{
    char *end;
    double value = strtod(text, &end);
    bool decimal = !text[strspn(text, "0123456789.e+-")];
    if (*text && !*end && decimal && value > 0 && value < 1e9)
        *seconds = value;
    else
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--%s wants a number of seconds greater than 0, found '%s'", option->name, text);
}

static void read_seconds(const struct ask_option *option, const char *text,
                         struct ask_options *options, struct diag *diag)
{
    read_time(option, text, &options->settings.timeout_seconds, diag);
}

static void read_cpu_seconds(const struct ask_option *option, const char *text,
                             struct ask_options *options, struct diag *diag)
{
    read_time(option, text, &options->settings.timeout_cpu, diag);
}

static void read_total(const struct ask_option *option, const char *text,
                       struct ask_options *options, struct diag *diag)
{
    read_time(option, text, &options->total_seconds, diag);
}

static void read_crash(const struct ask_option *option, const char *text,
                       struct ask_options *options, struct diag *diag)
{
    size_t number;
    if (read_word(option, text, options, &number, diag))
        options->settings.crash = (enum session_crash)(SESSION_CRASH_ANYWHERE + number);
}

static void refuse_threshold(const struct ask_option *option, const char *wrong, struct diag *diag)
{
    SCOPED(strbuf) list = {0};
    for (int i = 0; i < ENGINE_THRESHOLD_COUNT; i++)
        strbuf_printf(&list, "%s%s from %u", i ? ", " : "", engine_threshold_rows[i].name,
                      engine_threshold_rows[i].least);
    diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
               "--%s wants least, or NAME=N with a whole number N (%s), found '%.*s'", option->name,
               strbuf_text(&list), (int)strcspn(wrong, ","), wrong);
}

static void read_thresholds(const struct ask_option *option, const char *text,
                            struct ask_options *options, struct diag *diag)
{
    struct session_settings *settings = &options->settings;
    if (!settings->thresholds_given)
        settings->thresholds = engine_usual_thresholds;
    settings->thresholds_given = true;
    const char *wrong = engine_thresholds_read(&settings->thresholds, text);
    if (wrong)
        refuse_threshold(option, wrong, diag);
}

/* Of runs `html` is a page of its own. */
static const struct report_format *format_named(const char *name, const struct ask_options *options)
{
    bool page = options->command == ASK_TRACE && strcmp(name, "html") == 0;
    return report_format_find(page ? "run-html" : name);
}

/* One answer about all of its tests, in one file. */
static bool answers_once(enum ask_command command)
{
    return command == ASK_PLACE || command == ASK_COMPARE || command == ASK_DISTINGUISH ||
           command == ASK_LATTICE;
}

/* The argument of an option says which of the formats may be written, else all may. */
static bool is_written(const struct ask_option *option, const char *name)
{
    char words[32];
    snprintf(words, sizeof words, "%s[=FILE]", name);
    return strstr(option->argument, "html[=FILE]") ? strstr(option->argument, words) != NULL
                                                   : report_format_find(name) != NULL;
}

static void read_report_file(const struct ask_option *option, const char *name, const char *path,
                             struct ask_options *options, struct diag *diag)
{
    const struct report_format *format = format_named(name, options);
    if (format && run_folder_is_meant(path))
        format = report_format_of_many(format);
    bool pictures = format && (report_format_has(format, REPORT_PICTURES) ||
                               report_format_has(format, REPORT_PARTS));
    bool written = is_written(option, name);
    if (!written || !*path)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   written ? "--format %s= wants the name of a file"
                           : "--format %s=FILE is not there: %s goes to standard output",
                   name, name);
    else if (run_folder_is_meant(path) && answers_once(options->command))
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--format %s=%s names a folder; %s answers in one file", name, path,
                   ask_commands[options->command].name);
    else if (run_folder_is_meant(path) && !pictures)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--format %s=%s names a folder, which svg, dot, tex and html may do", name,
                   path);
    else if (options->report_count == RUN_MAX_REPORTS)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE, "--format is given more than %d times",
                   (int)RUN_MAX_REPORTS);
    else
        options->reports[options->report_count++] = (struct run_report){format, path, name, false};
}

/* Of standard output the last one counts. */
static void read_format(const struct ask_option *option, const char *text,
                        struct ask_options *options, struct diag *diag)
{
    size_t length = strcspn(text, "="), number;
    const char *name =
        read_word(option, arena_strndup(&diag->arena, text, length), options, &number, diag);
    if (!name)
        return;
    if (text[length] && !strchr(option->argument ? option->argument : "", '='))
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--format NAME=FILE is not for %s, which answers on standard output alone",
                   ask_commands[options->command].name);
    else if (text[length])
        read_report_file(option, name, text + length + 1, options, diag);
    else
        options->format = strcmp(name, "text") == 0 || strcmp(name, "herd") == 0 ? RUN_TEXT
                          : strcmp(name, "json") == 0                            ? RUN_JSON
                                                                                 : RUN_DOCUMENT;
    if (!text[length]) {
        options->shape = name;
        options->document = options->format == RUN_DOCUMENT ? format_named(name, options) : NULL;
    }
}

/* A report of its own, with a file for each test. */
static void read_certify(const struct ask_option *option, const char *text,
                         struct ask_options *options, struct diag *diag)
{
    const struct report_format *format = report_format_find("cert");
    if (options->report_count == RUN_MAX_REPORTS)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
                   "--%s and --format NAME=FILE are given more than %d times", option->name,
                   (int)RUN_MAX_REPORTS);
    else
        options->reports[options->report_count++] =
            (struct run_report){format, text, report_format_name(format), true};
    options->settings.certify = true;
}

/* `race,bounds`: properties of lines `property ..`; false: the first word is another. */
static bool read_properties(const char *text, struct ask_options *options, struct diag *diag)
{
    struct session_settings *settings = &options->settings;
    size_t length = strcspn(text, ",");
    bool peers = options->command == ASK_PEERS;
    if (peers || !lit_property_named(text, length))
        return false;
    settings->property = SESSION_PROPERTIES;
    settings->properties = 0;
    for (;; text += length + 1, length = strcspn(text, ",")) {
        enum lit_property property = lit_property_named(text, length);
        if (property == LIT_NO_PROPERTY)
            diag_error(
                diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                "--property has '%.*s' in its list, which is none of race, divergence, bounds, "
                "assert, ends and robust",
                (int)length, text);
        settings->properties |= 1u << property;
        if (!text[length])
            return true;
    }
}

/* `recovers-to P` may be one word of the command line or two: the second is set by who reads that.
 */
static void read_property(const struct ask_option *option, const char *text,
                          struct ask_options *options, struct diag *diag)
{
    struct session_settings *settings = &options->settings;
    const char *blank = strchr(text, ' '), *word;
    size_t number;
    if (read_properties(text, options, diag))
        return;
    if (blank)
        text = arena_strndup(&diag->arena, text, (size_t)(blank - text));
    word = read_word(option, text, options, &number, diag);
    if (!word)
        return;
    settings->recovers_to = blank;
    settings->property = strcmp(word, "race") == 0                  ? SESSION_RACE
                         : strcmp(word, "idempotent-recovery") == 0 ? SESSION_IDEMPOTENT_RECOVERY
                         : strcmp(word, "recovers-to") == 0         ? SESSION_RECOVERS_TO
                                                                    : SESSION_CONDITION;
    settings->recovery_crash |= settings->property == SESSION_IDEMPOTENT_RECOVERY;
}

static void read_shard(const struct ask_option *option, const char *text,
                       struct ask_options *options, struct diag *diag)
{
    char *end;
    long shard = strtol(text, &end, 10), shards = 0;
    if (end != text && *end == '/')
        shards = strtol(end + 1, &end, 10);
    if (*end || shards < 1 || shards > ASK_MAX_SHARDS || shard < 1 || shard > shards) {
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--%s wants K/N with 1 <= K <= N, found '%s'", option->name, text);
        return;
    }
    options->shard = (uint32_t)shard;
    options->shards = (uint32_t)shards;
}

static void read_launch(const struct ask_option *option, const char *text,
                        struct ask_options *options, struct diag *diag)
{
    struct session_settings *settings = &options->settings;
    if (settings->launch_count == SESSION_MAX_LAUNCHES)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE, "--%s is given more than %d times", option->name,
                   (int)SESSION_MAX_LAUNCHES);
    else
        settings->launches[settings->launch_count++] = text;
}

/* A file that is not there may be a built-in one. */
static void read_uses(const struct ask_option *option, const char *text,
                      struct ask_options *options, struct diag *diag)
{
    struct session_settings *settings = &options->settings;
    if (settings->uses_count == SESSION_MAX_USES)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE, "--%s is given more than %d times", option->name,
                   (int)SESSION_MAX_USES);
    else
        settings->uses[settings->uses_count++] = text;
}

static void read_judge(const struct ask_option *option, const char *text,
                       struct ask_options *options, struct diag *diag)
{
    if (options->judge_count == ASK_MAX_JUDGES)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE, "--%s is given more than %d times", option->name,
                   (int)ASK_MAX_JUDGES);
    else
        options->judges[options->judge_count++] = text;
}

static void read_pattern(const struct ask_option *option, const char *text,
                         struct ask_patterns *patterns, struct diag *diag)
{
    size_t length = strlen(text);
    while (length > 1 && text[length - 1] == '/')
        length--;
    if (!length)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--%s wants a pattern of a test's name, or of a folder's, found nothing",
                   option->name);
    else if (patterns->count == ASK_MAX_PATTERNS)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE, "--%s is given more than %d times", option->name,
                   (int)ASK_MAX_PATTERNS);
    else
        patterns->items[patterns->count++] = arena_strndup(&diag->arena, text, length);
}

static void read_filter(const struct ask_option *option, const char *text,
                        struct ask_options *options, struct diag *diag)
{
    read_pattern(option, text, &options->filters, diag);
}

static void read_exclude(const struct ask_option *option, const char *text,
                         struct ask_options *options, struct diag *diag)
{
    read_pattern(option, text, &options->excludes, diag);
}

static void read_may_go(const struct ask_option *option, const char *text,
                        struct ask_options *options, struct diag *diag)
{
    if (strncmp(text, RUN_CHOICE_TAG, sizeof RUN_CHOICE_TAG - 1) == 0)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--%s: found '%s', expected a pattern of paths: of a test that is gone nobody "
                   "knows its tags",
                   option->name, text);
    read_pattern(option, text, &options->may_go, diag);
}

static void read_unknown(const struct ask_option *option, const char *text,
                         struct ask_options *options, struct diag *diag)
{
    size_t number;
    if (read_word(option, text, options, &number, diag))
        options->policy.unknown = (enum run_unknown)(RUN_UNKNOWN_OK + number);
}

/* As many as there are room for; false: one is refused. */
static bool add_variant(struct cat_variants *variants, struct cat_variant variant)
{
    for (uint32_t i = 0; i < variants->count; i++)
        if (variants->on[i].length == variant.length &&
            memcmp(variants->on[i].text, variant.text, variant.length) == 0)
            return true;
    if (variants->count < CAT_MAX_VARIANTS)
        return variants->on[variants->count++] = variant, true;
    return false;
}

static void read_variants(const struct ask_option *option, const char *text,
                          struct ask_options *options, struct diag *diag)
{
    for (const char *at = text;; at++) {
        const struct cat_variant variant = {at, strcspn(at, ",")};
        if (variant.length == 0) {
            diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                       "--%s wants names with commas between, found '%s'", option->name, text);
            return;
        }
        if (!add_variant(&options->settings.variants, variant)) {
            diag_error(diag, DIAG_CLI_USAGE, NOWHERE, "--%s names more than %d variants",
                       option->name, (int)CAT_MAX_VARIANTS);
            return;
        }
        at += variant.length;
        if (!*at)
            return;
    }
}

/* The first is of the source, the second of what is to refine it. */
static void read_under(const struct ask_option *option, const char *text,
                       struct ask_options *options, struct diag *diag)
{
    struct session_settings *settings = &options->settings;
    char *plus = strchr(text, '+'); /* of the line's words, which may be cut */
    bool of_source = !settings->source_model;
    if (!plus || plus == text || !plus[1] || strchr(plus + 1, '+')) {
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--%s wants a model pair, VISIBILITY+PERSISTENCY, found '%s'", option->name,
                   text);
        return;
    }
    if (settings->model)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
                   "--%s is given more than twice: once for the source, once for what is to refine "
                   "it",
                   option->name);
    *plus = '\0';
    *(of_source ? &settings->source_model : &settings->model) = text;
    *(of_source ? &settings->source_persistency : &settings->persistency) = plus + 1;
}

static void read_folder(const struct ask_option *option, const char *text,
                        struct ask_options *options, struct diag *diag)
{
    struct reach *reach = &options->settings.reach;
    bool searched = option == &ask_option_rows[ASK_OPTION_INCLUDE];
    uint32_t *count = searched ? &reach->searched_count : &reach->permitted_count;
    struct stat status;
    if (*count == REACH_MAX_FOLDERS)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE, "--%s is given more than %d times", option->name,
                   (int)REACH_MAX_FOLDERS);
    else if (stat(text, &status) != 0 || !S_ISDIR(status.st_mode))
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--%s names '%s', where a folder was expected", option->name, text);
    else
        (searched ? reach->searched : reach->permitted)[(*count)++] = text;
}

void ask_options_set(struct ask_options *options, const struct ask_option *option,
                     const char *value, struct diag *diag)
{
    void *field = (char *)options + option->value.field;
    const char *word;
    size_t number;
    BASE_CHECK((option->value.kind == ASK_VALUE_FLAG) == (value == NULL));
    switch (option->value.kind) {
    case ASK_VALUE_FLAG: *(bool *)field = true; break;
    case ASK_VALUE_NAME: check_name(option, value, options, diag); /* fall through */
    case ASK_VALUE_TEXT: *(const char **)field = value; break;
    case ASK_VALUE_WORD:
        if ((word = read_word(option, value, options, &number, diag)))
            *(const char **)field = word;
        break;
    case ASK_VALUE_COUNT:
        read_number(value, option->name, option->value.low, option->value.high, field, diag);
        break;
    case ASK_VALUE_READ: option->value.read(option, value, options, diag); break;
    }
}

void ask_options_init(struct ask_options *options, enum ask_command command)
{
    *options = (struct ask_options){.command = command};
    options->settings.beside_first = command == ASK_CROSSCHECK;
    if (command == ASK_REFINES)
        options->settings.property = SESSION_REFINES;
    options->settings.engine =
        command == ASK_EXPLAIN ? session_engine_explaining->name : session_engine_choosing->name;
    EACH (const struct ask_option, option, ask_option_rows, ASK_OPTION_COUNT) {
        void *field = (char *)options + option->value.field;
        if (ask_option_is_taken(option, command) && option->value.kind == ASK_VALUE_COUNT)
            *(uint32_t *)field = option->value.standard;
        else if (ask_option_is_taken(option, command) && option->value.kind == ASK_VALUE_WORD)
            *(const char **)field = option->standard;
    }
}

/* Test runners number shards from 0; an explicit --shard goes first. */
void ask_options_read_environment(struct ask_options *options, struct diag *diag)
{
    const char *total = getenv("TEST_TOTAL_SHARDS"), *index = getenv("TEST_SHARD_INDEX");
    uint32_t shards, shard;
    if (options->shards || !total || !index || !ask_option_find("shard", options->command))
        return;
    if (read_number(total, "shard (TEST_TOTAL_SHARDS)", 1, ASK_MAX_SHARDS, &shards, diag) &&
        read_number(index, "shard (TEST_SHARD_INDEX)", 0, shards - 1, &shard, diag)) {
        options->shard = shard + 1;
        options->shards = shards;
    }
}
