#include "machine/mach_config.h"

#include "machine/mach_bpfs.h"
#include "machine/mach_ideal.h"
#include "machine/mach_nvw.h"

#include <ctype.h>
#include <string.h>

const struct machine *const mach_machines[] = {&mach_nvw_fifo, &mach_ideal_sc, &mach_bpfs,
                                               &mach_bpfs_no_wait, NULL};

enum { MOST_MACHINES = 8, MOST_DIGITS = 6 };
enum { MACHINE_KEY, PLACEMENT_KEY };

static const char *const keys[] = {"machine", "placement",
#define X(key, initial, least, most) #key,
                                   MACH_NUMBERS(X)
#undef X
#define X(key, initial) #key,
                                       MACH_EVICTION_KEYS(X)
#undef X
};

enum { KEYS = sizeof keys / sizeof keys[0] };

struct parser {
    const struct source *source;
    struct diag *diag;
    struct mach_file *file;
    uint32_t line, seen[KEYS]; /* the line a key was given in */
    struct span places[MACH_MAX_PLACES];
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
    if (is(value, "one-unit"))
        set_place(p, &first);
    if (is(value, "one-unit") || is(value, "in-turn"))
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

static void set(struct parser *p, const struct word *key, const struct word *value)
{
    struct mach_config *config = &p->file->config;
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

/* The number of a key; KEYS when it is none, or was given before. */
static uint32_t find_key(struct parser *p, const struct word *key)
{
    uint32_t k = 0;
    while (k < KEYS && !is(key, keys[k]))
        k++;
    const char *name = arena_strndup(&p->diag->arena, key->text, key->length);
    if (k == KEYS) {
        const char *near = diag_nearest(name, keys, KEYS);
        diag_error(p->diag, DIAG_MACH_KEY, key->span, "found `%s`, expected a key%s%s%s", name,
                   near ? " such as `" : "", near ? near : "", near ? "`" : "");
    } else if (p->seen[k]) {
        diag_error(p->diag, DIAG_MACH_KEY, key->span,
                   "`%s` was given in line %u already: remove one of them", name, p->seen[k]);
        return KEYS;
    }
    return k;
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
    if (!equals || key.length == 0) {
        diag_error(p->diag, DIAG_MACH_SYNTAX, all.span, "found `%.*s`, expected `key = value`",
                   (int)all.length, all.text);
        return;
    }
    struct word value = word_of(p, line, middle + 1, end);
    uint32_t k = find_key(p, &key);
    if (k == KEYS)
        return;
    p->seen[k] = p->line;
    if (value.length == 0)
        diag_error(p->diag, DIAG_MACH_SYNTAX, key.span, "`%s =` has no value after it", keys[k]);
    else
        set(p, &key, &value);
}

const struct mach_file *mach_config_parse(struct arena *arena, const struct source *source,
                                          struct diag *diag)
{
    struct parser p = {source, diag, ARENA_NEW(arena, struct mach_file), 0, {0}, {{0}}};
    uint32_t errors = diag->errors;
    p.file->name = source->name;
    p.file->config = (struct mach_config){
#define X(name, initial, least, most) .name = initial,
        MACH_NUMBERS(X)
#undef X
#define X(name, initial) .name = initial,
            MACH_EVICTION_KEYS(X)
#undef X
    };
    for (size_t at = 0; at < source->length;) {
        const char *line = source->text + at;
        const char *end = memchr(line, '\n', source->length - at);
        size_t length = end ? (size_t)(end - line) : source->length - at;
        p.line++;
        parse_line(&p, line, length);
        at += length + 1;
    }
    if (!p.seen[MACHINE_KEY])
        diag_error(diag, DIAG_MACH_SYNTAX, (struct span){.source = source},
                   "found no `machine`, expected a line such as `machine = %s`",
                   mach_machines[0]->name);
    check_places(&p);
    return diag->errors == errors ? p.file : NULL;
}

/* ---- Files ---- */

bool mach_config_is_path(const char *name)
{
    size_t length = strlen(name), suffix = strlen(".machine");
    return strchr(name, '/') || (length > suffix && !strcmp(name + length - suffix, ".machine"));
}

static const struct source *builtin(struct arena *arena, const char *name, struct diag *diag)
{
    const char **names = ARENA_ARRAY(arena, const char *, mach_builtin_count);
    for (size_t i = 0; i < mach_builtin_count; i++) {
        names[i] = source_builtin_name(arena, &mach_builtins[i]);
        if (strcmp(names[i], name) == 0)
            return source_from_text(arena, names[i], mach_builtins[i].text,
                                    mach_builtins[i].length);
    }
    const char *near = diag_nearest(name, names, mach_builtin_count);
    diag_error(
        diag, DIAG_MACH_UNKNOWN, (struct span){.line = 0},
        "found machine `%s`, expected a built-in such as `%s` or the path of a .machine file", name,
        near ? near : names[mach_builtin_count - 1]);
    return NULL;
}

const struct mach_file *mach_config_load(struct arena *arena, const char *name, struct diag *diag)
{
    const struct source *source;
    const char *why = NULL;
    if (!mach_config_is_path(name)) {
        source = builtin(arena, name, diag);
    } else {
        source = source_load(arena, name, &why);
        if (!source)
            diag_error(diag, DIAG_FILE_READ, (struct span){.line = 0}, "cannot read `%s`: %s", name,
                       why);
    }
    return source ? mach_config_parse(arena, source, diag) : NULL;
}

const struct mach_file *mach_config_promising(struct arena *arena, const char *visibility,
                                              const char *persistency)
{
    struct diag diag;
    uint32_t i = 0;
    while (mach_machines[i] && visibility &&
           (strcmp(mach_machines[i]->visibility, visibility) != 0 ||
            strcmp(mach_machines[i]->persistency, persistency) != 0))
        i++;
    diag_init(&diag);
    const struct mach_file *file =
        mach_config_load(arena, mach_machines[mach_machines[i] ? i : 0]->name, &diag);
    BASE_CHECK(file);
    diag_fini(&diag);
    return file;
}
