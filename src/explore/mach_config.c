#include "explore/mach_config.h"

#include "cat/cat_model.h"
#include "fifo/bpfs.h"
#include "fifo/ideal.h"
#include "fifo/nvw.h"
#include "pipeline/pipe_parse.h"
#include "pipeline/pipeline.h"

#include <ctype.h>
#include <string.h>

const struct machine *const mach_machines[] = {&nvw_fifo,     &ideal_sc, &bpfs,
                                               &bpfs_no_wait, &pipeline, NULL};

enum { MOST_MACHINES = 8, MOST_DIGITS = 6 };
enum { MACHINE_KEY, PLACEMENT_KEY, PROMISES_KEY, ENTRIES_KEY, UNITS_KEY };

/* From `units` on those of the other machines. */
static const char *const keys[] = {"machine", "placement", "promises", "entries",
#define X(key, initial, least, most) #key,
                                   MACH_NUMBERS(X)
#undef X
#define X(key, initial) #key,
                                       MACH_EVICTION_KEYS(X)
#undef X
};

enum { KEYS = sizeof keys / sizeof keys[0] };

const char *mach_key_at(size_t number)
{
    return number < KEYS ? keys[number] : NULL;
}

const char *const mach_placements[] = {"in-turn", "one-unit", NULL};

struct parser {
    const struct source *source;
    struct diag *diag;
    struct mach_file *file;
    struct arena *arena;
    uint32_t line;
    struct span seen[KEYS]; /* where a key was given */
    struct span places[MACH_MAX_PLACES];
    struct mach_pipe_reader *pipe;
    struct span statement; /* the first one */
    bool lost;             /* the file is none of a machine */
    uint32_t entries;
};

/* A part of a line. */
struct word {
    const char *text;
    size_t length;
    struct span span;
};

static struct word word_of(const struct parser *p, const char *line, size_t begin, size_t end)
{
    while (begin < end && isspace((unsigned char)line[begin]))
        begin++;
    while (end > begin && isspace((unsigned char)line[end - 1]))
        end--;
    uint32_t from = (uint32_t)begin + 1, to = (uint32_t)end + 1;
    return (struct word){line + begin, end - begin, {p->source, p->line, from, p->line, to}};
}

static bool is(const struct word *word, const char *text)
{
    return word->length == strlen(text) && memcmp(word->text, text, word->length) == 0;
}

/* ---- Values ---- */

static void set_machine(struct parser *p, const struct word *value)
{
    const char *names[MOST_MACHINES], *near;
    size_t count = 0;
    for (; mach_machines[count]; count++) {
        BASE_CHECK(count < MOST_MACHINES);
        names[count] = mach_machines[count]->name;
        if (is(value, names[count]))
            p->file->machine = mach_machines[count];
    }
    if (p->file->machine)
        return;
    const char *name = arena_strndup(&p->diag->arena, value->text, value->length);
    near = diag_nearest(name, names, count);
    diag_error(p->diag, DIAG_MACH_UNKNOWN, value->span,
               "found `%s`, expected the name of a machine, such as `%s`", name,
               near ? near : names[0]);
    diag_meant_by(p->diag, value->span, name, near);
}

static uint32_t number(struct parser *p, const struct word *value, uint32_t initial, uint32_t least,
                       uint32_t most)
{
    uint32_t result = 0;
    bool good = value->length > 0 && value->length <= MOST_DIGITS;
    for (size_t i = 0; i < value->length && good; i++) {
        good = isdigit((unsigned char)value->text[i]);
        result = result * 10 + (uint32_t)(value->text[i] - '0');
    }
    if (good && result >= least && result <= most)
        return result;
    diag_error(p->diag, DIAG_MACH_VALUE, value->span,
               "found `%.*s`, expected a number from %u to %u", (int)value->length, value->text,
               least, most);
    return initial;
}

static enum mach_eviction eviction(struct parser *p, const struct word *value)
{
    static const char *const words[] = {MACH_EVICTIONS(TABLE_SECOND)};
    for (int which = 0; which <= MACH_EVICT_ANY; which++)
        if (is(value, words[which]))
            return (enum mach_eviction)which;
    diag_error(p->diag, DIAG_MACH_VALUE, value->span,
               "found `%.*s`, expected which lines leave: `none`, `clean`, `dirty` or `any`",
               (int)value->length, value->text);
    return MACH_EVICT_ANY;
}

static void set_place(struct parser *p, const struct word *value)
{
    struct mach_placement *placement = &p->file->config.placement;
    if (placement->count == MACH_MAX_PLACES) {
        diag_error(p->diag, DIAG_MACH_VALUE, value->span,
                   "found `%.*s`, expected at most %d places", (int)value->length, value->text,
                   MACH_MAX_PLACES);
        return;
    }
    p->places[placement->count] = value->span;
    placement->units[placement->count++] = (uint8_t)number(p, value, 0, 0, MACH_MAX_UNITS - 1);
}

static void set_placement(struct parser *p, const struct word *value)
{
    struct word first = {"0", 1, value->span};
    if (is(value, mach_placements[1]))
        set_place(p, &first);
    if (is(value, mach_placements[0]) || is(value, mach_placements[1]))
        return;
    if (!isdigit((unsigned char)value->text[0])) {
        diag_error(
            p->diag, DIAG_MACH_VALUE, value->span,
            "found `%.*s`, expected `in-turn`, `one-unit` or numbers of units, as in `0 0 1`",
            (int)value->length, value->text);
        return;
    }
    const char *line = value->text - (value->span.column - 1);
    for (size_t at = value->span.column - 1, end = at + value->length; at < end;) {
        size_t begin = at;
        while (at < end && !isspace((unsigned char)line[at]))
            at++;
        struct word place = word_of(p, line, begin, at);
        set_place(p, &place);
        while (at < end && isspace((unsigned char)line[at]))
            at++;
    }
}

/* `units` may come after `placement`. */
static void check_places(struct parser *p)
{
    const struct mach_config *config = &p->file->config;
    for (uint32_t i = 0; i < config->placement.count; i++)
        if (config->placement.units[i] >= config->units)
            diag_error(p->diag, DIAG_MACH_VALUE, p->places[i],
                       "found unit %u, expected a number below that of `units`, %u",
                       config->placement.units[i], config->units);
}

/* Whether a model of that kind is built in, or a file's; else it is reported. */
static bool is_model(struct parser *p, const char *kind, const char *name, struct span span)
{
    const char **names = ARENA_ARRAY(p->arena, const char *, cat_builtin_count);
    size_t count = 0;
    if (cat_model_is_path(name))
        return true;
    for (size_t i = 0; i < cat_builtin_count; i++)
        if (source_builtin_is_in(&cat_builtins[i], kind))
            names[count++] = source_builtin_name(p->arena, &cat_builtins[i]);
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    const char *near = diag_nearest(name, names, count);
    if (near)
        diag_error(p->diag, DIAG_MACH_UNKNOWN, span,
                   "found `%s`, expected a %s model such as `%s`, or the path of a .cat file", name,
                   kind, near);
    else
        diag_error(p->diag, DIAG_MACH_UNKNOWN, span,
                   "found `%s`, expected a %s model that crashlit models lists, or the path of a "
                   ".cat file",
                   name, kind);
    diag_meant_by(p->diag, span, name, near);
    return false;
}

static void add_promise(struct parser *p, const struct word *pair)
{
    struct mach_file *file = p->file;
    const char *plus = memchr(pair->text, '+', pair->length);
    const char *line = pair->text - (pair->span.column - 1);
    size_t begin = pair->span.column - 1, end = begin + pair->length;
    size_t middle = plus ? (size_t)(plus - line) : end;
    struct word visibility = word_of(p, line, begin, middle);
    struct word persistency = word_of(p, line, plus ? middle + 1 : end, end);
    if (visibility.length == 0 || persistency.length == 0) {
        diag_error(p->diag, DIAG_MACH_VALUE, pair->span,
                   "found `%.*s`, expected a model pair such as `sc + lin-adr`", (int)pair->length,
                   pair->text);
        return;
    }
    const char *v = arena_strndup(p->arena, visibility.text, visibility.length);
    const char *q = arena_strndup(p->arena, persistency.text, persistency.length);
    if (!is_model(p, "visibility", v, visibility.span) ||
        !is_model(p, "persistency", q, persistency.span))
        return;
    if (file->promise_count == MACH_MOST_PROMISES || mach_file_promises(file, v, q))
        diag_error(p->diag, DIAG_MACH_VALUE, pair->span,
                   "found `%s + %s`, expected at most %d pairs, each once", v, q,
                   MACH_MOST_PROMISES);
    else
        file->promises[file->promise_count++] = (struct mach_promise){v, q};
}

/* Pairs with commas between. */
static void set_promises(struct parser *p, const struct word *value)
{
    const char *line = value->text - (value->span.column - 1);
    for (size_t at = value->span.column - 1, end = at + value->length; at <= end;) {
        const char *comma = memchr(line + at, ',', end - at);
        size_t to = comma ? (size_t)(comma - line) : end;
        struct word pair = word_of(p, line, at, to);
        add_promise(p, &pair);
        at = to + 1;
    }
}

static void set(struct parser *p, const struct word *key, const struct word *value)
{
    struct mach_config *config = &p->file->config;
    if (is(key, keys[PROMISES_KEY]))
        set_promises(p, value);
    if (is(key, keys[ENTRIES_KEY]))
        p->entries = number(p, value, MACH_PIPE_DEFAULT_ENTRIES, 1, MACH_PIPE_ENTRIES);
    if (is(key, keys[MACHINE_KEY]))
        set_machine(p, value);
    if (is(key, keys[PLACEMENT_KEY]))
        set_placement(p, value);
#define X(name, initial, least, most) \
    if (is(key, #name))               \
        config->name = number(p, value, initial, least, most);
    MACH_NUMBERS(X)
#undef X
#define X(name, initial) \
    if (is(key, #name))  \
        config->name = eviction(p, value);
    MACH_EVICTION_KEYS(X)
#undef X
}

/* ---- Lines ---- */

static uint32_t number_of_word(const struct word *word, const char *const *list, uint32_t count)
{
    uint32_t i = 0;
    while (i < count && !is(word, list[i]))
        i++;
    return i;
}

/* The number of a key; KEYS when it is none, or was given before. One that is nearly there is not
 * missed later. */
static uint32_t find_key(struct parser *p, const struct word *key)
{
    uint32_t k = number_of_word(key, keys, KEYS);
    const char *name = arena_strndup(&p->diag->arena, key->text, key->length);
    if (k == KEYS) {
        const char *near = diag_nearest(name, keys, KEYS);
        for (uint32_t i = 0; i < KEYS; i++)
            if (keys[i] == near)
                p->seen[i] = key->span;
        diag_error(p->diag, DIAG_MACH_KEY, key->span, "found `%s`, expected a key%s%s%s", name,
                   near ? " such as `" : "", near ? near : "", near ? "`" : "");
        diag_meant_by(p->diag, key->span, name, near);
    } else if (p->seen[k].line) {
        diag_error(p->diag, DIAG_MACH_KEY, key->span,
                   "`%s` was given in line %u already: remove one of them", name, p->seen[k].line);
        return KEYS;
    }
    return k;
}

static const char *all_statements(struct arena *arena)
{
    const char *all = "";
    for (uint32_t i = 0; i < mach_pipe_statement_count; i++)
        all = arena_printf(arena, "%s%s`%s`", all, i ? ", " : "", mach_pipe_statements[i]);
    return all;
}

/* A line that is neither a key with its value nor a statement: a key alone, what is nearly a
 * statement and read as that, or neither. With such a line before `machine` it is no machine's
 * file, and what follows is left alone. */
static void tell_neither(struct parser *p, const struct word *first, const struct word *all,
                         size_t end)
{
    const char *name = arena_strndup(p->arena, first->text, first->length);
    const char *near = diag_nearest(name, mach_pipe_statements, mach_pipe_statement_count);
    uint32_t key = number_of_word(first, keys, KEYS);
    if (key < KEYS) {
        p->seen[key] = first->span;
        diag_error(p->diag, DIAG_MACH_SYNTAX, all->span,
                   "found `%.*s`, expected `=` between `%s` and its value", (int)all->length,
                   all->text, name);
        return;
    }
    if (near) {
        const char *const *list = mach_pipe_statements;
        const char *line = first->text - (first->span.column - 1);
        uint32_t statement = 0;
        diag_error(p->diag, DIAG_MACH_SYNTAX, first->span,
                   "found `%s`, expected `key = value`, or a statement such as `%s`", name, near);
        diag_meant_by(p->diag, first->span, name, near);
        while (list[statement] != near)
            statement++;
        p->statement = p->statement.line ? p->statement : first->span;
        mach_pipe_read(p->pipe, statement, line, end, p->line);
        return;
    }
    p->lost = !p->seen[MACHINE_KEY].line;
    bool comment =
        strncmp(name, "//", 2) == 0 || strncmp(name, "/*", 2) == 0 || strncmp(name, "(*", 2) == 0;
    diag_error(p->diag, DIAG_MACH_SYNTAX, all->span, "found `%.*s`, expected %s", (int)all->length,
               all->text,
               comment ? "a comment to begin with `#`"
               : p->lost
                   ? "a machine's file, with a line such as `machine = pipeline` before others"
                   : arena_printf(p->arena, "`key = value`, or a statement: %s",
                                  all_statements(p->arena)));
}

static void parse_line(struct parser *p, const char *line, size_t length)
{
    const char *comment = memchr(line, '#', length);
    size_t end = comment ? (size_t)(comment - line) : length;
    const char *equals = memchr(line, '=', end);
    size_t middle = equals ? (size_t)(equals - line) : end;
    struct word all = word_of(p, line, 0, end), key = word_of(p, line, 0, middle);
    if (all.length == 0)
        return;
    size_t begin = all.span.column - 1, behind = begin;
    while (behind < end && !isspace((unsigned char)line[behind]) && line[behind] != '=')
        behind++;
    struct word first = word_of(p, line, begin, behind);
    uint32_t statement = number_of_word(&first, mach_pipe_statements, mach_pipe_statement_count);
    if (statement < mach_pipe_statement_count) {
        p->statement = p->statement.line ? p->statement : first.span;
        mach_pipe_read(p->pipe, statement, line, end, p->line);
        return;
    }
    if (!equals || first.length < key.length || key.length == 0) {
        tell_neither(p, &first, &all, end);
        return;
    }
    struct word value = word_of(p, line, middle + 1, end);
    uint32_t k = find_key(p, &key);
    if (k == KEYS)
        return;
    p->seen[k] = key.span;
    if (value.length == 0)
        diag_error(p->diag, DIAG_MACH_SYNTAX, key.span, "`%s =` has no value after it", keys[k]);
    else
        set(p, &key, &value);
}

static void forbid(struct parser *p, struct span span, const char *text)
{
    if (span.line > 0)
        diag_error(p->diag, DIAG_MACH_KEY, span, "%s", text);
}

/* What is of pipelines alone, or of the other machines alone. */
static void finish(struct parser *p)
{
    const char *const foreign = "found what says nothing to this machine: remove it, or write "
                                "`machine = pipeline`";
    struct mach_file *file = p->file;
    if (file->machine != &pipeline) {
        forbid(p, p->statement, foreign);
        forbid(p, p->seen[PROMISES_KEY], foreign);
        forbid(p, p->seen[ENTRIES_KEY], foreign);
        file->promises[0] =
            (struct mach_promise){file->machine->visibility, file->machine->persistency};
        file->promise_count = 1;
        return;
    }
    for (uint32_t k = UNITS_KEY + 1; k < KEYS; k++)
        forbid(p, p->seen[k], "found what says nothing to a pipeline: remove it");
    if (!p->seen[PROMISES_KEY].line)
        diag_error(p->diag, DIAG_MACH_SYNTAX, (struct span){.source = p->source},
                   "found no `promises`, expected a line such as `promises = sc + lin-adr`");
    file->config.pipe = mach_pipe_finish(p->pipe, p->entries);
}

const struct mach_file *mach_config_parse(struct arena *arena, const struct source *source,
                                          struct diag *diag)
{
    struct parser p = {.source = source,
                       .diag = diag,
                       .file = ARENA_NEW(arena, struct mach_file),
                       .arena = arena,
                       .pipe = mach_pipe_reader_new(arena, source, diag),
                       .entries = MACH_PIPE_DEFAULT_ENTRIES};
    uint32_t errors = diag->errors;
    p.file->name = source->name;
    p.file->source = source;
    p.file->config = (struct mach_config){
#define X(name, initial, least, most) .name = initial,
        MACH_NUMBERS(X)
#undef X
#define X(name, initial) .name = initial,
            MACH_EVICTION_KEYS(X)
#undef X
    };
    for (size_t at = 0; at < source->length && !p.lost;) {
        const char *line = source->text + at;
        const char *end = memchr(line, '\n', source->length - at);
        size_t length = end ? (size_t)(end - line) : source->length - at;
        p.line++;
        parse_line(&p, line, length);
        at += length + 1;
    }
    bool pipes = p.statement.line || p.seen[PROMISES_KEY].line;
    if (!p.seen[MACHINE_KEY].line && !p.lost)
        diag_error(diag, DIAG_MACH_SYNTAX, (struct span){.source = source},
                   "found no `machine`, expected a line such as `machine = %s`",
                   pipes ? pipeline.name : mach_machines[0]->name);
    if (p.file->machine)
        finish(&p);
    check_places(&p);
    return diag->errors == errors ? p.file : NULL;
}
