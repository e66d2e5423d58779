#include "session/session_launch.h"

#include "base/strbuf.h"
#include "litmus/lit_program.h"

#include <ctype.h>
#include <string.h>

/* A part of the text; blanks around it do not count. */
struct part {
    const char *text;
    size_t length;
};

static struct part part_of(const char *from, const char *to)
{
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    return (struct part){from, (size_t)(to - from)};
}

static size_t word_length(const char *text, const char *end)
{
    size_t length = 0;
    while (text + length < end && (isalnum((unsigned char)text[length]) || text[length] == '_'))
        length++;
    return length;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* ---- Types: those of CUDA and PTX, as tests have them; floats as their bits ---- */

static const struct {
    const char *word, *type;
} types[] = {
    {"u8", "uchar"},      {"s8", "char"},           {"u16", "ushort"},    {"s16", "short"},
    {"u32", "uint"},      {"s32", "int"},           {"u64", "ulong"},     {"s64", "long"},
    {"b8", "uchar"},      {"b16", "ushort"},        {"b32", "uint"},      {"b64", "ulong"},
    {"f32", "uint"},      {"f64", "ulong"},         {"float", "uint"},    {"double", "ulong"},
    {"int", "int"},       {"unsigned", "unsigned"}, {"uint", "uint"},     {"long", "long"},
    {"ulong", "ulong"},   {"short", "short"},       {"ushort", "ushort"}, {"char", "char"},
    {"uchar", "uchar"},   {"nvm", "nvm"},           {"int8_t", "char"},   {"uint8_t", "uchar"},
    {"int16_t", "short"}, {"uint16_t", "ushort"},   {"int32_t", "int"},   {"uint32_t", "uint"},
    {"int64_t", "long"},  {"uint64_t", "ulong"},    {"size_t", "ulong"}};

enum { TYPES = sizeof types / sizeof *types };

/* NULL: the word is none of a type. */
static const char *type_of(const char *text, size_t length)
{
    for (int i = 0; i < TYPES; i++)
        if (is_word(text, length, types[i].word))
            return types[i].type;
    return NULL;
}

/* ---- One launch ---- */

struct launching {
    struct strbuf objects, launches;
};

/* `nvm u32 data[64] = {1, 2}`: the object, and the argument that is its address. */
static void add_object(struct launching *l, struct part part)
{
    const char *at = part.text, *end = part.text + part.length, *type;
    size_t length = word_length(at, end);
    while (length && (type = type_of(at, length))) {
        strbuf_printf(&l->objects, "%s ", type);
        at = part_of(at + length, end).text;
        length = word_length(at, end);
    }
    strbuf_add_bytes(&l->objects, at, (size_t)(end - at));
    strbuf_add(&l->objects, "; ");
    const char *behind = part_of(at + length, end).text;
    strbuf_add(&l->launches, behind < end && *behind == '[' ? "" : "&");
    strbuf_add_bytes(&l->launches, at, length);
}

static void add_argument(struct launching *l, struct part part)
{
    if (type_of(part.text, word_length(part.text, part.text + part.length)))
        add_object(l, part);
    else
        strbuf_add_bytes(&l->launches, part.text, part.length);
}

/* Commas within brackets part nothing. */
static void add_arguments(struct launching *l, const char *at, const char *end)
{
    const char *from = at;
    int depth = 0;
    for (; at < end; at++) {
        depth += (strchr("([{", *at) != NULL) - (strchr(")]}", *at) != NULL);
        if (*at == ',' && depth == 0) {
            add_argument(l, part_of(from, at));
            strbuf_add(&l->launches, ", ");
            from = at + 1;
        }
    }
    if (part_of(from, end).length)
        add_argument(l, part_of(from, end));
}

/* It could end the place that it is written to, and what follows would be read as the test's. */
static bool leaves_its_place(const char *at, const char *end)
{
    char open[16];
    size_t depth = 0;
    for (; at < end; at++) {
        const char *closing = strchr(")]}", *at);
        if (*at == ';' || *at == '"' || strncmp(at, "//", 2) == 0 || strncmp(at, "/*", 2) == 0 ||
            (iscntrl((unsigned char)*at) && !isspace((unsigned char)*at)))
            return true;
        if (strchr("([{", *at) && depth == sizeof open)
            return true;
        if (strchr("([{", *at))
            open[depth++] = *at == '(' ? ')' : *at == '[' ? ']' : '}';
        else if (closing && (!depth || open[--depth] != *at))
            return true;
    }
    return depth > 0;
}

/* False: it has not the form of a launch. */
static bool add_launch(struct launching *l, const char *text)
{
    const char *open = strstr(text, "<<<"), *close = open ? strstr(open, ">>>") : NULL;
    const char *paren = close ? part_of(close + 3, strchr(close, '\0')).text : NULL;
    const char *end = strrchr(text, ')');
    if (!paren || *paren != '(' || !end || strspn(end + 1, "; \t\n") != strlen(end + 1) ||
        leaves_its_place(text, end + 1))
        return false;
    const struct part kernel = part_of(text, open);
    strbuf_add_bytes(&l->launches, kernel.text, kernel.length);
    strbuf_add_bytes(&l->launches, open, (size_t)(close - open));
    strbuf_add(&l->launches, ">>>(");
    add_arguments(l, paren + 1, end);
    strbuf_add(&l->launches, "); ");
    return kernel.length && word_length(kernel.text, open) == kernel.length;
}

/* ---- The test ---- */

enum {
    FAULTS = 1u << LIT_PROPERTY_RACE | 1u << LIT_PROPERTY_DIVERGENCE | 1u << LIT_PROPERTY_BOUNDS |
             1u << LIT_PROPERTY_ASSERT
};

static void add_properties(const struct session_settings *settings, struct strbuf *out)
{
    uint32_t asked = settings->property == SESSION_PROPERTIES ? settings->properties : FAULTS;
    const char *between = "property ";
    for (uint32_t property = LIT_NO_PROPERTY + 1; property < LIT_PROPERTY_END; property++)
        if (asked >> property & 1) {
            strbuf_printf(out, "%s%s", between, lit_property_words[property]);
            between = ", ";
        }
    strbuf_add(out, ";\n");
}

static void add_test(const struct session_settings *settings, const struct launching *l,
                     const char *file, struct strbuf *out)
{
    const char *first = settings->launches[0];
    const struct part kernel = part_of(first, strstr(first, "<<<"));
    strbuf_printf(out, "CUDA %.*s\n", (int)kernel.length, kernel.text);
    strbuf_printf(out, "uses \"cuda.def\"\ncode \"%s\"\n", file);
    strbuf_printf(out, "{ %s}\n", l->objects.length ? strbuf_text(&l->objects) : "");
    strbuf_printf(out, "host { %s}\n", strbuf_text(&l->launches));
    add_properties(settings, out);
}

/* The test names it between quotes. */
static bool may_be_named(const char *file)
{
    for (; *file; file++)
        if (*file == '"' || *file == '\\' || iscntrl((unsigned char)*file))
            return false;
    return true;
}

bool session_launch_is_code(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".ptx") == 0;
}

const char *session_launch_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *session_launch_text(struct arena *arena, const struct session_settings *settings,
                                const char *path, struct diag *diag)
{
    struct launching l = {{0}, {0}};
    const char *wrong = NULL;
    struct strbuf text = {0};
    if (!session_launch_is_code(path)) {
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
                   "--launch launches kernels of a .ptx file, found '%s'", path);
        return NULL;
    }
    if (!may_be_named(session_launch_file(path))) {
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
                   "a test cannot name a file whose name has quotes, backslashes or control "
                   "characters: rename '%s'",
                   path);
        return NULL;
    }
    if (!settings->launch_count) {
        diag_error(
            diag, DIAG_CLI_USAGE, NOWHERE,
            "'%s' is compiled code: say what is launched, as in --launch 'k<<<2, 32>>>(nvm u32 "
            "data[64], 7)', or write a test that names it",
            path);
        return NULL;
    }
    for (uint32_t i = 0; i < settings->launch_count && !wrong; i++)
        wrong = add_launch(&l, settings->launches[i]) ? NULL : settings->launches[i];
    if (wrong)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--launch wants KERNEL<<<GRID, BLOCK>>>(ARGUMENTS), as in 'k<<<2, 32>>>(nvm u32 "
                   "data[64], 7)', found '%.80s'",
                   wrong);
    else
        add_test(settings, &l, session_launch_file(path), &text);
    strbuf_fini(&l.objects);
    strbuf_fini(&l.launches);
    return wrong ? NULL : strbuf_take(&text, arena);
}
