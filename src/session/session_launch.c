#include "session/session_launch.h"

#include "base/each.h"
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

/* ---- What is written as a parameter of the kernel ---- */

/* What such a parameter has and an object has not. */
static bool is_qualifier(const char *text, size_t length)
{
    static const char *const words[] = {"const",        "volatile",     "restrict",   "__restrict",
                                        "__restrict__", "__constant__", "__shared__", "__device__"};
    return ANY(i, sizeof words / sizeof *words, is_word(text, length, words[i]));
}

/* An argument that is a type and a name, if it is. */
struct formal {
    struct strbuf type;     /* its words as they are written, but for qualifiers */
    struct part unknown;    /* a word that stands where a type does and is none; else NULL */
    struct part name;       /* and what follows */
    bool qualified, points; /* it has such words; a star or an ampersand */
};

/* Does a name follow, perhaps behind stars? */
static bool is_followed(const char *at, const char *end)
{
    while (at < end && strchr(" \t\n*&", *at))
        at++;
    return at < end && (isalpha((unsigned char)*at) || *at == '_');
}

static struct formal formal_of(struct part part)
{
    struct formal f = {.name = part};
    const char *at = part.text, *end = part.text + part.length;
    for (size_t length; at < end; at = part_of(at + length, end).text) {
        length = word_length(at, end);
        bool type = length && type_of(at, length), qualifier = is_qualifier(at, length);
        bool stands = f.type.length || f.unknown.text || f.qualified;
        if (!length && strchr("*&", *at) && stands) {
            f.points = true;
            length = 1;
        } else if (type) {
            strbuf_add_bytes(&f.type, at, length);
            strbuf_add_char(&f.type, ' ');
        } else if (qualifier) {
            f.qualified = true;
        } else if (length && !isdigit((unsigned char)*at) && is_followed(at + length, end)) {
            f.unknown = f.unknown.text ? f.unknown : (struct part){at, length};
        } else {
            break;
        }
    }
    f.name = part_of(at, end);
    return f;
}

/* A name without the number of elements that what it points to has. */
static bool is_unsized(const struct formal *f)
{
    const char *open = memchr(f->name.text, '[', f->name.length);
    const char *end = f->name.text + f->name.length;
    if (!open)
        return f->points;
    open = part_of(open + 1, end).text;
    return open == end || *open == ']';
}

struct launching {
    struct strbuf objects, launches;
    struct diag *diag;
};

#define WRONG(l, ...) diag_error((l)->diag, DIAG_CLI_OPTION_VALUE, NOWHERE, __VA_ARGS__)

/* What is to be written for a parameter. */
static void refuse_parameter(struct launching *l, struct part part, const struct formal *f)
{
    const int length = (int)part.length, name = (int)word_length(f->name.text, part.text + length);
    const bool number = name && isdigit((unsigned char)*f->name.text);
    const char *type = f->type.length ? strbuf_text(&f->type) : "u32 ";
    if (number)
        WRONG(l, "for '%.*s' --launch wants '%.*s': the kernel says the type of a number", length,
              part.text, (int)f->name.length, f->name.text);
    else if (!name)
        WRONG(l, "'%.*s' has no name; --launch wants one, as in '%sx[64]'", length, part.text,
              type);
    else if (is_unsized(f))
        WRONG(l,
              "for '%.*s' --launch wants '%s%.*s[N]', where N is the number of elements: it "
              "declares what is passed, with 'nvm' in front if that is non-volatile",
              length, part.text, type, name, f->name.text);
    else
        WRONG(l,
              "for '%.*s' --launch wants '%s%.*s': it declares what is passed, and the code "
              "says how that is accessed",
              length, part.text, type, (int)f->name.length, f->name.text);
}

static void refuse_type(struct launching *l, struct part part, const struct formal *f)
{
    const bool structure = is_word(f->unknown.text, f->unknown.length, "struct");
    WRONG(l,
          structure ? "'%.*s' in '%.*s' is no type of --launch; a test declares structures: begin "
                      "with what --print-launch writes of the other arguments"
                    : "'%.*s' in '%.*s' is no type of --launch; types are u8 to u64, s8 to s64, "
                      "f32, f64 and integers of C, as in 'nvm u32 data[64]'",
          (int)f->unknown.length, f->unknown.text, (int)part.length, part.text);
}

/* ---- One launch ---- */

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

static void refuse(struct launching *l, struct part part, const struct formal *f)
{
    enum { SHOWN = 80 };
    if (part.length > SHOWN)
        WRONG(l,
              "'%.*s..' is no argument of --launch; they are numbers and objects, as in 'nvm u32 "
              "data[64]'",
              SHOWN, part.text);
    else if (f->unknown.text)
        refuse_type(l, part, f);
    else
        refuse_parameter(l, part, f);
}

static void add_argument(struct launching *l, struct part part)
{
    struct formal f = formal_of(part);
    const size_t name = word_length(f.name.text, part.text + part.length);
    if (f.unknown.text || f.qualified || f.points ||
        (f.type.length && (!name || isdigit((unsigned char)*f.name.text) || is_unsized(&f))))
        refuse(l, part, &f);
    else if (f.type.length)
        add_object(l, part);
    else
        strbuf_add_bytes(&l->launches, part.text, part.length);
    strbuf_fini(&f.type);
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
    struct launching l = {.diag = diag};
    const char *wrong = NULL;
    const uint32_t faults = diag->errors;
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
    const bool refused = diag->errors > faults;
    if (wrong)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--launch wants KERNEL<<<GRID, BLOCK>>>(ARGUMENTS), as in 'k<<<2, 32>>>(nvm u32 "
                   "data[64], 7)', found '%.80s'",
                   wrong);
    else if (!refused)
        add_test(settings, &l, session_launch_file(path), &text);
    strbuf_fini(&l.objects);
    strbuf_fini(&l.launches);
    return wrong || refused ? NULL : strbuf_take(&text, arena);
}
