#include "ptx/ptx_module.h"

#include "base/scoped.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Tokens ---- */

enum { MAX_NAME = 4096, MAX_WORD = 256, MAX_BRACES = 16 };
/* Places of inlined code that are kept for finding those around them; how deep these are told. */
enum { MAX_INLINED = 64, MAX_CHAIN = 8 };
enum token_kind { END, WORD, NUMBER, FLOAT, STRING, SIGN };

struct token {
    enum token_kind kind;
    const char *text;
    size_t length;
    uint32_t line, column;
    int64_t number;
    bool bad; /* a number that is not read */
};

/* What stands before the names of these braces. */
struct scope {
    size_t registers, labels, code, owned, tables;
};

/* `crashlit: clwb [%rd2]` in a comment, to be read before the statement that follows. */
struct marker {
    const char *begin, *end;
    struct span span;
};

struct reader {
    struct arena *arena;
    struct intern *names;
    struct diag *diag;
    const char *at, *end;
    uint32_t line;
    const char *line_start;
    struct token token; /* the next one */
    struct ptx_module *module;
    struct ptx_kernel *kernel;
    struct scope scope;
    struct ptx_place place;                       /* of the instructions that follow */
    const struct ptx_place *inlined[MAX_INLINED]; /* the last ones, in a ring */
    uint32_t inlined_next;
    const struct ptx_place *near; /* the last one in the kernel's own file */
    VEC(struct marker) markers;
    uint32_t asm_depth;   /* inline assembly stands here, perhaps a marker's in another's */
    bool in_instruction;  /* up to its ';' */
    bool targeted, sized; /* the target and the size of addresses are said */
    bool failed;
};

static struct span span_of(const struct reader *r, const struct token *token)
{
    return (struct span){r->module->source, token->line, token->column, token->line,
                         token->column + (uint32_t)token->length};
}

#define REPORT(r, id, ...)                                                   \
    do {                                                                     \
        if (!(r)->failed)                                                    \
            diag_error((r)->diag, id, span_of(r, &(r)->token), __VA_ARGS__); \
        (r)->failed = true;                                                  \
    } while (0)

static void add_marker(struct reader *r, const char *begin, const char *end)
{
    while (begin < end && isspace((unsigned char)*begin))
        begin++;
    const uint32_t column = (uint32_t)(begin - r->line_start) + 1;
    const struct marker marker = {
        begin,
        end,
        {r->module->source, r->line, column, r->line, column + (uint32_t)(end - begin)}};
    const bool within = r->in_instruction && *r->token.text != ';';
    if (r->asm_depth && !within && r->kernel) {
        VEC_PUSH(&r->markers, marker);
    } else if (!r->failed) {
        diag_error(r->diag, DIAG_PTX_SYNTAX, marker.span,
                   within ? "this marker stands within an instruction"
                          : "this marker stands outside of inline assembly, where the compiler may "
                            "have moved what is around it: write it by CRASHLIT of "
                            "crashlit_kernel.h");
        r->failed = true;
    }
}

/* What is meant as a marker is never passed over. */
static void check_comment(struct reader *r, const char *begin, const char *end)
{
    static const char name[] = "crashlit";
    const size_t length = sizeof name - 1;
    for (; begin + length <= end && !r->failed; begin++)
        if (strncasecmp(begin, name, length) == 0) {
            diag_error(r->diag, DIAG_PTX_SYNTAX,
                       (struct span){r->module->source, r->line, 1, r->line, 2},
                       "this comment of inline assembly is no marker: a marker is a comment of one "
                       "line that begins with 'crashlit:', as CRASHLIT of crashlit_kernel.h "
                       "writes it");
            r->failed = true;
        }
}

/* What a comment says; compilers put inline assembly between two of them. */
static void take_comment(struct reader *r, const char *begin, const char *end)
{
    static const char mark[] = "crashlit:";
    const size_t length = sizeof mark - 1;
    while (begin < end && isspace((unsigned char)*begin))
        begin++;
    while (end > begin && isspace((unsigned char)end[-1]))
        end--;
    const size_t size = (size_t)(end - begin);
    if (size == 16 && memcmp(begin, "begin inline asm", 16) == 0)
        r->asm_depth++;
    else if (size == 14 && memcmp(begin, "end inline asm", 14) == 0)
        r->asm_depth -= r->asm_depth > 0;
    else if (size > length && memcmp(begin, mark, length) == 0)
        add_marker(r, begin + length, end);
    else if (r->asm_depth && (size != length || memcmp(begin, mark, length) != 0))
        check_comment(r, begin, end);
}

static void pass_line(struct reader *r)
{
    const char *begin = r->at + 2;
    while (r->at < r->end && *r->at != '\n')
        r->at++;
    take_comment(r, begin, r->at);
}

static void pass_block(struct reader *r)
{
    const char *begin = r->at + 2;
    for (r->at += 2; r->at + 1 < r->end && !(r->at[0] == '*' && r->at[1] == '/'); r->at++)
        if (*r->at == '\n') {
            r->line++;
            r->line_start = r->at + 1;
        }
    if (begin >= r->line_start && begin <= r->at)
        take_comment(r, begin, r->at);
    else if (r->asm_depth)
        check_comment(r, begin, r->at);
    r->at += r->at + 1 < r->end;
}

static void pass_blanks(struct reader *r)
{
    for (; r->at < r->end; r->at++) {
        bool more = r->at + 1 < r->end;
        if (*r->at == '\n') {
            r->line++;
            r->line_start = r->at + 1;
        } else if (more && r->at[0] == '/' && r->at[1] == '/') {
            pass_line(r);
            r->at--;
        } else if (more && r->at[0] == '/' && r->at[1] == '*') {
            pass_block(r);
        } else if (!isspace((unsigned char)*r->at)) {
            return;
        }
    }
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.' || c == ':';
}

/* A label's colon is no part of a word, those of `shared::cta` are. */
static size_t word_length(const struct reader *r)
{
    const char *at = r->at;
    while (at < r->end && is_word(*at) &&
           (*at != ':' || (at + 1 < r->end && at[1] == ':') || at[-1] == ':'))
        at++;
    return (size_t)(at - r->at);
}

/* Decimal, octal, hexadecimal or binary, perhaps with a U. */
static void read_number(const struct reader *r, struct token *token)
{
    char *end;
    bool binary = r->at[0] == '0' && (r->at[1] == 'b' || r->at[1] == 'B') && token->length > 2;
    errno = 0;
    token->number = (int64_t)strtoull(r->at + 2 * binary, &end, binary ? 2 : 0);
    end += *end == 'U';
    token->bad = errno || end != r->at + token->length;
}

/* 0f3F800000 and 0d3FF0000000000000: the bits of a float and of a double. */
static void read_bits(const struct reader *r, struct token *token)
{
    char *end;
    token->number = (int64_t)strtoull(r->at + 2, &end, 16);
    bool single = r->at[1] == 'f' || r->at[1] == 'F';
    token->bad = end != r->at + token->length || token->length != (single ? 10 : 18) ||
                 !isxdigit((unsigned char)r->at[2]);
}

static void next(struct reader *r)
{
    pass_blanks(r);
    struct token *token = &r->token;
    *token = (struct token){.kind = END,
                            .text = r->at,
                            .line = r->line,
                            .column = (uint32_t)(r->at - r->line_start) + 1};
    if (r->at >= r->end)
        return;
    token->kind = SIGN;
    token->length = 1;
    if (*r->at == '"') {
        const char *close = memchr(r->at + 1, '"', (size_t)(r->end - r->at - 1));
        token->kind = STRING;
        token->length = close ? (size_t)(close - r->at) + 1 : 1;
        if (!close)
            REPORT(r, DIAG_PTX_SYNTAX, "this string does not end");
    } else if (is_word(*r->at) && *r->at != ':') {
        token->length = word_length(r);
        bool digit = isdigit((unsigned char)*r->at);
        bool floats = digit && token->length > 2 && strchr("fFdD", r->at[1]) && r->at[0] == '0';
        token->kind = floats ? FLOAT : digit ? NUMBER : WORD;
        if (token->kind == NUMBER)
            read_number(r, token);
        else if (floats)
            read_bits(r, token);
    }
    r->at += token->length;
}

static bool is(const struct reader *r, const char *text)
{
    return r->token.length == strlen(text) && r->token.kind != END &&
           memcmp(r->token.text, text, r->token.length) == 0;
}

static bool accept(struct reader *r, const char *text)
{
    bool found = is(r, text);
    if (found)
        next(r);
    return found;
}

static void expect(struct reader *r, const char *text)
{
    if (!accept(r, text))
        REPORT(r, DIAG_PTX_SYNTAX, "found %s%.*s%s, expected '%s'",
               r->token.kind == END ? "the end of the file" : "'",
               (int)(r->token.length < 40 ? r->token.length : 40), r->token.text,
               r->token.kind == END ? "" : "'", text);
}

static const char *take_name(struct reader *r)
{
    if (r->token.kind != WORD)
        REPORT(r, DIAG_PTX_SYNTAX, "expected a name here");
    if (r->token.length > MAX_NAME)
        REPORT(r, DIAG_LIT_TOO_LARGE, "this name has more than %d characters", MAX_NAME);
    const char *name = intern_bytes(r->names, r->token.text, r->token.length);
    next(r);
    return name;
}

static int64_t take_number(struct reader *r)
{
    bool negative = accept(r, "-");
    int64_t number = r->token.number;
    if (r->token.kind != NUMBER || r->token.bad)
        REPORT(r, DIAG_PTX_SYNTAX,
               r->token.bad ? "this number is not read" : "expected a number here");
    next(r);
    return negative ? (int64_t)(0 - (uint64_t)number) : number;
}

/* Up to a sign at this level of braces, which is passed as well. */
static void pass_to(struct reader *r, char sign)
{
    uint32_t depth = 0;
    while (r->token.kind != END && !r->failed) {
        char c = r->token.kind == SIGN ? *r->token.text : '\0';
        if (depth == 0 && c == sign)
            break;
        depth += c == '{';
        depth -= c == '}' && depth > 0;
        next(r);
    }
    expect(r, (char[]){sign, '\0'});
}

/* ---- Directives ---- */

static void read_target(struct reader *r)
{
    const char *text = r->token.text;
    bool known = r->token.kind == WORD && r->token.length > 3 && strncmp(text, "sm_", 3) == 0;
    if (!known || strtol(text + 3, NULL, 10) < 70)
        REPORT(r, DIAG_PTX_TARGET,
               "this is PTX for '%.*s'; the memory model holds from sm_70 on: compile with "
               "-arch=sm_70 or later",
               (int)(r->token.length < 40 ? r->token.length : 40), text);
    r->targeted = true;
    next(r);
    while (accept(r, ","))
        next(r);
}

static void read_version(struct reader *r)
{
    if (r->token.kind != NUMBER || strtol(r->token.text, NULL, 10) < 6)
        REPORT(r, DIAG_PTX_TARGET,
               "this is no PTX of version 6.0 or later, from which on the "
               "memory model holds");
    next(r);
}

static void read_address_size(struct reader *r)
{
    if (r->token.kind != NUMBER || r->token.number != 64)
        REPORT(r, DIAG_PTX_TARGET,
               "addresses have 64 bits in what is read here; compile with -m64");
    r->sized = true;
    next(r);
}

/* .file N "path" */
static void read_file(struct reader *r)
{
    int64_t number = take_number(r);
    if (r->token.kind == STRING && !r->failed && number > 0 &&
        number < (int64_t)(sizeof r->module->files / sizeof *r->module->files))
        r->module->files[number] = arena_strndup(r->arena, r->token.text + 1, r->token.length - 2);
    next(r);
    while (accept(r, ","))
        next(r);
}

static struct ptx_place take_place(struct reader *r)
{
    struct ptx_place place = {.file = (uint32_t)take_number(r)};
    place.line = (uint32_t)take_number(r);
    place.column = (uint32_t)take_number(r);
    return place;
}

/* Where it was inlined: a place that may be of inlined code itself. */
static const struct ptx_place *find_outer(struct reader *r, struct ptx_place outer)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < MAX_INLINED; i++) {
        const struct ptx_place *other = r->inlined[(r->inlined_next + i) % MAX_INLINED];
        if (other && other->file == outer.file && other->line == outer.line &&
            other->column == outer.column)
            outer = *other;
    }
    for (const struct ptx_place *at = outer.at; at; at = at->at)
        depth++;
    if (depth >= MAX_CHAIN)
        outer.at = NULL;
    return arena_copy(r->arena, &outer, sizeof outer);
}

static void note_inlined(struct reader *r)
{
    r->inlined[r->inlined_next] = arena_copy(r->arena, &r->place, sizeof r->place);
    r->inlined_next = (r->inlined_next + 1) % MAX_INLINED;
}

/* .loc file line column [, function_name L [+ n], inlined_at file line column] */
static void read_loc(struct reader *r)
{
    struct ptx_place place = take_place(r);
    uint32_t line = r->token.line;
    while (accept(r, ",")) {
        if (accept(r, "inlined_at")) {
            place.at = find_outer(r, take_place(r));
        } else if (accept(r, "function_name")) {
            place.function = take_name(r);
            if (is(r, "+")) /* within a table of names, which is not cut */
                place.function = NULL;
            while (!r->failed && !is(r, ",") && r->token.line == line && r->token.kind != END)
                next(r);
        } else {
            while (!r->failed && !is(r, ",") && r->token.line == line && r->token.kind != END)
                next(r);
        }
    }
    if (r->kernel && !r->kernel->place.file && !place.at)
        r->kernel->place = place;
    const bool own = r->kernel && place.file == r->kernel->place.file;
    if (own && !place.at)
        r->near = arena_copy(r->arena, &place, sizeof place);
    else if (!place.at)
        place.near = r->near;
    r->place = place;
    if (place.at)
        note_inlined(r);
}

/* ---- Variables ---- */

static struct ptx_type take_type(struct reader *r)
{
    struct ptx_type type = {0};
    if (r->token.kind == WORD && r->token.length > 1 && *r->token.text == '.')
        type = ptx_type_of(r->token.text + 1, r->token.length - 1);
    if (!type.bits)
        REPORT(r, DIAG_PTX_SYNTAX, "expected a type here, such as .u32");
    next(r);
    return type;
}

/* .align 4, .ptr .global .align 4, .attribute(..) in front of a type or behind it. */
static void pass_attributes(struct reader *r)
{
    for (;;)
        if (accept(r, ".align"))
            (void)take_number(r);
        else if (accept(r, ".attribute"))
            pass_to(r, ')');
        else if (!accept(r, ".ptr") && !accept(r, ".global") && !accept(r, ".shared") &&
                 !accept(r, ".const") && !accept(r, ".local"))
            return;
}

/* `name`, `name[16]`, `name[]`: how many elements; 0: open. */
static uint64_t take_extent(struct reader *r)
{
    uint64_t count = 1;
    while (accept(r, "[") && !r->failed) {
        uint64_t extent = is(r, "]") ? 0 : (uint64_t)take_number(r);
        count = extent > UINT32_MAX || count * extent > UINT32_MAX ? UINT32_MAX : count * extent;
        expect(r, "]");
    }
    return count;
}

/* `7`, `-1`, `0f3F800000`, `log`, `log+8`, `generic(log)+8`. */
static void take_datum(struct reader *r, struct ptx_variable *variable)
{
    struct ptx_datum datum = {0};
    if (r->token.kind == FLOAT) {
        datum.number = (uint64_t)r->token.number;
        next(r);
    } else if (r->token.kind == WORD) {
        bool generic = accept(r, "generic");
        if (generic)
            expect(r, "(");
        datum.name = take_name(r);
        if (generic)
            expect(r, ")");
        if (is(r, "-") || accept(r, "+"))
            datum.number = (uint64_t)take_number(r);
        if (variable->unit != 8)
            variable->why = "a part of an address";
    } else {
        datum.number = (uint64_t)take_number(r);
    }
    if (variable->data.count >= PTX_MAX_DATA)
        REPORT(r, DIAG_LIT_TOO_LARGE, "a variable has more than %d values", PTX_MAX_DATA);
    else
        VEC_PUSH(&variable->data, datum);
}

static void take_data(struct reader *r, struct ptx_variable *variable)
{
    if (!accept(r, "{")) {
        take_datum(r, variable);
        return;
    }
    do {
        if (is(r, "{")) {
            variable->why = "a list within a list";
            while (!is(r, ";") && r->token.kind != END)
                next(r);
            return;
        }
        take_datum(r, variable);
    } while (!r->failed && accept(r, ","));
    expect(r, "}");
}

static void add_variable(struct reader *r, enum ptx_space space)
{
    struct ptx_variable variable = {.space = space};
    pass_attributes(r);
    struct ptx_type type = take_type(r);
    variable.span = span_of(r, &r->token);
    variable.name = take_name(r);
    variable.unit = type.bits / 8;
    if (!variable.unit && !r->failed)
        REPORT(r, DIAG_PTX_SYNTAX, "no variable has this type");
    variable.size = take_extent(r) * variable.unit;
    if (accept(r, "="))
        take_data(r, &variable);
    expect(r, ";");
    if (!variable.size) /* `a[] = {1, 2}` */
        variable.size = variable.data.count * variable.unit;
    if (r->module->variables.count >= PTX_MAX_VARIABLES)
        REPORT(r, DIAG_LIT_TOO_LARGE, "this file has more than %d variables", PTX_MAX_VARIABLES);
    if (!r->failed)
        VEC_PUSH(&r->module->variables, variable);
    else
        VEC_FREE(&variable.data);
}

static bool read_variable(struct reader *r)
{
    if (accept(r, ".shared"))
        add_variable(r, PTX_SHARED);
    else if (accept(r, ".global"))
        add_variable(r, PTX_GLOBAL);
    else if (accept(r, ".const"))
        add_variable(r, PTX_CONST);
    else if (accept(r, ".local"))
        add_variable(r, PTX_LOCAL);
    else
        return false;
    return true;
}

/* ---- Kernels ---- */

/* The innermost one. */
static uint32_t find_register(const struct reader *r, const char *name)
{
    for (size_t i = r->kernel->registers.count; i-- > 0;)
        if (r->kernel->registers.items[i].name == name)
            return (uint32_t)i;
    return LIT_NONE;
}

static uint32_t find_own(const struct reader *r, const char *name)
{
    for (size_t i = r->kernel->owned.count; i-- > 0;)
        if (r->kernel->owned.items[i].name == name)
            return (uint32_t)i;
    return LIT_NONE;
}

static void add_own(struct reader *r, struct ptx_own own)
{
    if (r->kernel->owned.count >= PTX_MAX_REGISTERS)
        REPORT(r, DIAG_LIT_TOO_LARGE, "this kernel has more than %d variables", PTX_MAX_REGISTERS);
    else
        VEC_PUSH(&r->kernel->owned, own);
}

static void add_register(struct reader *r, const char *name, struct ptx_type type)
{
    uint32_t other = find_register(r, name);
    if (other != LIT_NONE && other >= r->scope.registers)
        REPORT(r, DIAG_PTX_SYNTAX, "a register is declared twice, which is not read: '%.40s'",
               name);
    else if (r->kernel->registers.count >= PTX_MAX_REGISTERS)
        REPORT(r, DIAG_LIT_TOO_LARGE, "this kernel has more than %d registers", PTX_MAX_REGISTERS);
    else
        VEC_PUSH(&r->kernel->registers, (struct ptx_register){name, type});
}

/* .reg .b32 %r<10>, %x; of a family each number is a register. */
static void read_registers(struct reader *r)
{
    struct ptx_type type = take_type(r);
    do {
        const char *name = take_name(r);
        if (!accept(r, "<")) {
            add_register(r, name, type);
            continue;
        }
        int64_t count = take_number(r);
        expect(r, ">");
        for (int64_t i = 0; i < count && !r->failed; i++) {
            const char *one = arena_printf(r->arena, "%s%d", name, (int)i);
            add_register(r, intern_text(r->names, one), type);
        }
    } while (!r->failed && accept(r, ","));
    expect(r, ";");
}

static struct ptx_operand take_operand(struct reader *r);

static struct ptx_operand take_vector(struct reader *r)
{
    struct ptx_operand vector = {.kind = PTX_VECTOR};
    vector.elements = ARENA_ARRAY(r->arena, struct ptx_operand, PTX_MAX_VECTOR);
    do {
        if (is(r, "{")) {
            REPORT(r, DIAG_PTX_SYNTAX, "a vector stands in another one");
            break;
        }
        struct ptx_operand element = take_operand(r);
        if (vector.count == PTX_MAX_VECTOR || element.kind == PTX_VECTOR)
            REPORT(r, DIAG_PTX_SYNTAX, "a vector has at most %d elements", PTX_MAX_VECTOR);
        else
            vector.elements[vector.count++] = element;
    } while (!r->failed && accept(r, ","));
    expect(r, "}");
    return vector;
}

static struct ptx_operand take_plain(struct reader *r)
{
    struct ptx_operand operand = {.kind = PTX_NUMBER};
    if (r->token.kind == WORD) {
        operand.name = take_name(r);
        operand.reg = find_register(r, operand.name);
        operand.kind = PTX_REGISTER;
        if (operand.reg == LIT_NONE) {
            operand.reg = find_own(r, operand.name);
            operand.kind = operand.reg == LIT_NONE ? PTX_NAME : PTX_OWN;
        }
    } else if (r->token.kind == FLOAT) {
        operand.kind = PTX_FLOAT;
        operand.number = r->token.number;
        if (r->token.bad)
            REPORT(r, DIAG_PTX_SYNTAX, "this number is not read");
        next(r);
    } else {
        operand.number = take_number(r);
    }
    return operand;
}

static struct ptx_operand take_operand(struct reader *r)
{
    if (accept(r, "{"))
        return take_vector(r);
    bool negated = accept(r, "!"), bracket = accept(r, "[");
    struct ptx_operand operand = take_plain(r);
    operand.negated = negated;
    operand.in_brackets = bracket;
    if (operand.kind != PTX_NUMBER && accept(r, "+"))
        operand.number = take_number(r);
    else if (operand.kind != PTX_NUMBER && is(r, "-"))
        operand.number = take_number(r);
    if (bracket)
        expect(r, "]");
    return operand;
}

static void read_guard(struct reader *r, struct ptx_instr *instr)
{
    instr->guard = LIT_NONE;
    if (!accept(r, "@"))
        return;
    instr->unless = accept(r, "!");
    const char *name = take_name(r);
    instr->guard = find_register(r, name);
    if (instr->guard == LIT_NONE)
        REPORT(r, DIAG_PTX_SYNTAX, "there is no register '%s'", name);
}

/* `(a, b)` of a call; nothing but .param variables and numbers stand there. */
#define TAKE_LIST(r, list)                          \
    do {                                            \
        if (accept(r, "(") && !accept(r, ")")) {    \
            do                                      \
                VEC_PUSH(list, take_operand(r));    \
            while (!(r)->failed && accept(r, ",")); \
            expect(r, ")");                         \
        }                                           \
    } while (0)

/* call (results), name, (args) [, prototype]; */
static void read_call(struct reader *r, struct ptx_instr *instr)
{
    struct ptx_call *call = ARENA_NEW(r->arena, struct ptx_call);
    VEC_PUSH(&r->kernel->calls, call);
    instr->call = call;
    if (is(r, "(")) {
        TAKE_LIST(r, &call->results);
        expect(r, ",");
    }
    struct ptx_operand callee = take_operand(r);
    call->name = callee.kind == PTX_NAME ? callee.name : NULL;
    if (accept(r, ","))
        TAKE_LIST(r, &call->args);
    pass_to(r, ';');
}

static void read_operands(struct reader *r, struct ptx_instr *instr)
{
    struct ptx_operand operands[PTX_MAX_OPERANDS];
    while (!r->failed && !is(r, ";")) {
        if (instr->count)
            expect(r, ",");
        struct ptx_operand operand = take_operand(r);
        if (accept(r, "|")) /* setp.. %p|%q: told when it is decoded */
            operand.kind = PTX_VECTOR, (void)take_operand(r);
        if (instr->count == PTX_MAX_OPERANDS)
            REPORT(r, DIAG_PTX_SYNTAX, "this instruction has too many operands");
        else
            operands[instr->count++] = operand;
    }
    expect(r, ";");
    instr->operands = arena_copy(r->arena, operands, instr->count * sizeof *operands);
}

static void add_instruction(struct reader *r, struct ptx_instr instr)
{
    if (r->kernel->code.count >= PTX_MAX_INSTRUCTIONS)
        REPORT(r, DIAG_LIT_TOO_LARGE, "this kernel has more than %d instructions",
               PTX_MAX_INSTRUCTIONS);
    else if (!r->failed)
        VEC_PUSH(&r->kernel->code, instr);
}

/* Up to its ';'. */
static void read_instruction(struct reader *r)
{
    struct ptx_instr instr = {.place = r->place, .target = LIT_NONE};
    instr.whole = span_of(r, &r->token);
    r->in_instruction = true;
    read_guard(r, &instr);
    instr.span = span_of(r, &r->token);
    instr.whole.end_line = instr.span.end_line;
    instr.whole.end_column = instr.span.end_column;
    if (r->token.length > MAX_WORD)
        REPORT(r, DIAG_LIT_TOO_LARGE, "this word has more than %d characters", MAX_WORD);
    instr.text = take_name(r);
    if (strcmp(instr.text, "call") == 0 || strncmp(instr.text, "call.", 5) == 0)
        read_call(r, &instr);
    else
        read_operands(r, &instr);
    r->in_instruction = false;
    add_instruction(r, instr);
}

static bool read_label(struct reader *r)
{
    if (r->token.kind != WORD || r->at >= r->end || *r->at != ':')
        return false;
    const char *name = take_name(r);
    expect(r, ":");
    if (r->kernel->labels.count >= PTX_MAX_INSTRUCTIONS)
        REPORT(r, DIAG_LIT_TOO_LARGE, "this kernel has more than %d labels", PTX_MAX_INSTRUCTIONS);
    for (size_t i = r->scope.labels; i < r->kernel->labels.count; i++)
        if (r->kernel->labels.items[i].name == name)
            REPORT(r, DIAG_PTX_SYNTAX, "a label stands twice, which is not read: '%.40s'", name);
    VEC_PUSH(&r->kernel->labels, (struct ptx_label){name, (uint32_t)r->kernel->code.count});
    return true;
}

/* A marker's text is a name with at most an address or a text behind it. */
static void read_marker(struct reader *r, const struct marker *marker)
{
    static const struct ptx_word word = {.text = "crashlit", .kind = PTX_MARKER};
    struct reader inner = *r;
    memset(&inner.markers, 0, sizeof inner.markers);
    inner.at = marker->begin;
    inner.end = marker->end;
    inner.line = marker->span.line;
    inner.line_start = marker->begin - (marker->span.column - 1);
    inner.token = (struct token){0};
    next(&inner);
    struct ptx_instr instr = {.place = r->place,
                              .target = LIT_NONE,
                              .guard = LIT_NONE,
                              .span = marker->span,
                              .whole = marker->span,
                              .meaning.word = &word,
                              .marks = ""};
    instr.text = take_name(&inner);
    if (inner.token.kind == STRING && !inner.failed) {
        instr.marks = intern_bytes(r->names, inner.token.text + 1, inner.token.length - 2);
        next(&inner);
    } else if (inner.token.kind != END) {
        struct ptx_operand operand = take_operand(&inner);
        operand.in_brackets = true;
        instr.operands = arena_copy(r->arena, &operand, sizeof operand);
        instr.count = 1;
    }
    if (!inner.failed && inner.token.kind != END)
        REPORT(&inner, DIAG_PTX_SYNTAX, "a marker is a name, with an address such as [%%rd1]");
    if (inner.markers.count)
        REPORT(&inner, DIAG_PTX_SYNTAX, "a second marker stands in this one's comment");
    r->failed |= inner.failed;
    VEC_FREE(&inner.markers);
    add_instruction(r, instr);
}

static void read_markers(struct reader *r)
{
    for (size_t i = 0; i < r->markers.count && !r->failed; i++)
        read_marker(r, &r->markers.items[i]);
    VEC_CLEAR(&r->markers);
}

/* `.param .align 8 .b8 param0[16];` or `.local ..` in braces. */
static void read_own(struct reader *r, bool local)
{
    struct ptx_own own = {.local = local};
    pass_attributes(r);
    struct ptx_type type = take_type(r);
    own.name = take_name(r);
    own.size = take_extent(r) * (type.bits / 8);
    expect(r, ";");
    add_own(r, own);
}

/* The label before it names the list. */
static void read_table(struct reader *r)
{
    const struct ptx_kernel *kernel = r->kernel;
    struct ptx_table table = {0};
    if (kernel->labels.count)
        table.name = VEC_LAST(&kernel->labels).name;
    do
        VEC_PUSH(&table.labels, take_name(r));
    while (!r->failed && accept(r, ",") && table.labels.count < PTX_MAX_LABELS);
    if (table.labels.count == PTX_MAX_LABELS)
        REPORT(r, DIAG_LIT_TOO_LARGE, "a table has %d labels or more", PTX_MAX_LABELS);
    expect(r, ";");
    VEC_PUSH(&r->kernel->tables, table);
}

static void read_statement(struct reader *r)
{
    if (read_label(r))
        return;
    if (accept(r, ".local"))
        read_own(r, true);
    else if (accept(r, ".param"))
        read_own(r, false);
    else if (accept(r, ".branchtargets"))
        read_table(r);
    else if (read_variable(r))
        return;
    else if (accept(r, ".reg"))
        read_registers(r);
    else if (accept(r, ".loc"))
        read_loc(r);
    else if (accept(r, ".file"))
        read_file(r);
    else if (accept(r, ".pragma") || accept(r, ".calltargets") || accept(r, ".callprototype"))
        pass_to(r, ';'); /* of what is refused */
    else if (r->token.kind == WORD && *r->token.text == '.')
        REPORT(r, DIAG_PTX_SYNTAX, "'%.*s' is not read within a kernel",
               (int)(r->token.length < 40 ? r->token.length : 40), r->token.text);
    else
        read_instruction(r);
}

static struct scope scope_of(const struct ptx_kernel *kernel)
{
    return (struct scope){kernel->registers.count, kernel->labels.count, kernel->code.count,
                          kernel->owned.count, kernel->tables.count};
}

static uint32_t label_in(const struct reader *r, const char *name)
{
    const struct ptx_kernel *kernel = r->kernel;
    for (size_t k = r->scope.labels; k < kernel->labels.count; k++)
        if (kernel->labels.items[k].name == name)
            return kernel->labels.items[k].at;
    return LIT_NONE;
}

/* brx %r, table; a label that is not there leaves it without targets. */
static void aim_table(struct reader *r, struct ptx_instr *instr)
{
    const struct ptx_kernel *kernel = r->kernel;
    for (size_t i = r->scope.tables; i < kernel->tables.count; i++) {
        const struct ptx_table *table = &kernel->tables.items[i];
        if (table->name != instr->operands[1].name)
            continue;
        uint32_t count = (uint32_t)table->labels.count;
        instr->targets = ARENA_ARRAY(r->arena, uint32_t, count);
        instr->target_count = count;
        for (uint32_t k = 0; k < count; k++) {
            instr->targets[k] = label_in(r, table->labels.items[k]);
            if (instr->targets[k] == LIT_NONE)
                instr->target_count = 0;
        }
    }
}

/* Jumps in these braces that lead to a label of theirs. */
static void aim(struct reader *r)
{
    const struct ptx_kernel *kernel = r->kernel;
    for (size_t i = r->scope.code; i < kernel->code.count; i++) {
        struct ptx_instr *instr = &kernel->code.items[i];
        if (instr->count == 1 && instr->target == LIT_NONE && instr->operands[0].name)
            instr->target = label_in(r, instr->operands[0].name);
        else if (instr->count == 2 && instr->operands[1].name && !instr->target_count)
            aim_table(r, instr);
    }
}

/* Where the braces begin, what is declared in them holds nothing. */
static void enter(struct reader *r)
{
    struct ptx_instr instr = {.text = "{",
                              .declares = ARENA_NEW(r->arena, struct ptx_declared),
                              .span = span_of(r, &r->token),
                              .place = r->place,
                              .guard = LIT_NONE,
                              .target = LIT_NONE};
    add_instruction(r, instr);
    r->scope = scope_of(r->kernel);
}

static void note_declared(const struct reader *r)
{
    const struct ptx_kernel *kernel = r->kernel;
    struct ptx_declared declared = {(uint32_t)r->scope.registers, (uint32_t)kernel->registers.count,
                                    (uint32_t)r->scope.owned, (uint32_t)kernel->owned.count};
    kernel->code.items[r->scope.code - 1].declares =
        arena_copy(r->arena, &declared, sizeof declared);
}

/* Nothing behind the braces has the names that are declared in them. */
static void leave(struct reader *r)
{
    const struct ptx_kernel *kernel = r->kernel;
    aim(r);
    for (size_t i = r->scope.registers; i < kernel->registers.count; i++)
        kernel->registers.items[i].name = NULL;
    for (size_t i = r->scope.labels; i < kernel->labels.count; i++)
        kernel->labels.items[i].name = NULL;
    for (size_t i = r->scope.owned; i < kernel->owned.count; i++)
        kernel->owned.items[i].name = NULL;
    for (size_t i = r->scope.tables; i < kernel->tables.count; i++)
        kernel->tables.items[i].name = NULL;
}

/* The braces of calls and of inline assembly stand within others. */
static void read_body(struct reader *r)
{
    struct scope outer[MAX_BRACES];
    uint32_t depth = 1;
    outer[0] = r->scope = scope_of(r->kernel);
    while (!r->failed && depth) {
        read_markers(r);
        if (r->token.kind == END) {
            expect(r, "}");
        } else if (depth == MAX_BRACES && is(r, "{")) {
            REPORT(r, DIAG_LIT_TOO_LARGE, "more than %d braces stand in each other", MAX_BRACES);
        } else if (accept(r, "{")) {
            outer[depth++] = r->scope;
            enter(r);
        } else if (accept(r, "}")) {
            if (depth > 1)
                note_declared(r);
            leave(r);
            r->scope = outer[--depth];
        } else {
            read_statement(r);
        }
    }
}

static struct ptx_param take_param(struct reader *r)
{
    struct ptx_param param = {0};
    expect(r, ".param");
    pass_attributes(r);
    param.type = take_type(r);
    pass_attributes(r);
    param.name = take_name(r);
    param.by_value = is(r, "[");
    param.size = take_extent(r) * (param.type.bits / 8);
    add_own(r, (struct ptx_own){.name = param.name, .size = param.size});
    return param;
}

#define TAKE_PARAMS(r, list)                        \
    do {                                            \
        if (accept(r, "(") && !accept(r, ")")) {    \
            do                                      \
                VEC_PUSH(list, take_param(r));      \
            while (!(r)->failed && accept(r, ",")); \
            expect(r, ")");                         \
        }                                           \
    } while (0)

/* `.maxntid 32, 4`: what is not said is 1, and no launch is as large as what is cut. */
static void take_extents(struct reader *r, uint32_t *extents)
{
    extents[0] = extents[1] = extents[2] = 1;
    for (uint32_t i = 0; i < 3; i++) {
        int64_t extent = take_number(r);
        extents[i] = extent < 0 || extent > UINT16_MAX ? UINT16_MAX : (uint32_t)extent;
        if (!accept(r, ","))
            return;
    }
}

static struct ptx_kernel *begin_kernel(struct reader *r)
{
    struct ptx_kernel *kernel = r->kernel = ARENA_NEW(r->arena, struct ptx_kernel);
    kernel->module = r->module;
    kernel->span = span_of(r, &r->token);
    r->place = (struct ptx_place){0};
    memset(r->inlined, 0, sizeof r->inlined);
    r->near = NULL;
    r->scope = (struct scope){0};
    return kernel;
}

static void read_kernel(struct reader *r)
{
    struct ptx_kernel *kernel = begin_kernel(r);
    VEC_PUSH(&r->module->kernels, kernel);
    kernel->name = take_name(r);
    TAKE_PARAMS(r, &kernel->params);
    while (!r->failed && !is(r, "{") && r->token.kind != END)
        if (accept(r, ".reqntid"))
            take_extents(r, kernel->exact);
        else if (accept(r, ".maxntid"))
            take_extents(r, kernel->most);
        else
            next(r);
    expect(r, "{");
    read_body(r);
    r->kernel = NULL;
}

/* `.func (.param .b32 result) name (.param .b64 a) { .. }`, or a declaration without the braces.
 * What a function owns begins with its results, and its parameters. */
static void read_function(struct reader *r)
{
    struct ptx_kernel *function = begin_kernel(r);
    VEC_PUSH(&r->module->functions, function);
    TAKE_PARAMS(r, &function->results);
    function->name = take_name(r);
    TAKE_PARAMS(r, &function->params);
    while (!r->failed && !is(r, "{") && !is(r, ";") && r->token.kind != END)
        next(r);
    function->declared = accept(r, ";");
    if (!function->declared) {
        expect(r, "{");
        read_body(r);
    }
    r->kernel = NULL;
}

/* `LABEL: .b8 95, 90, ..` up to a zero. */
static void read_string(struct reader *r)
{
    struct strbuf text = {0};
    const char *name = take_name(r);
    bool ended = false;
    expect(r, ":");
    while (!r->failed && accept(r, ".b8"))
        do {
            int64_t byte = take_number(r);
            ended |= byte == 0;
            if (!ended)
                strbuf_add_char(&text, (char)byte);
        } while (accept(r, ","));
    VEC_PUSH(&r->module->strings, (struct ptx_string){name, strbuf_take(&text, r->arena)});
}

/* Of the debugger's the texts are read, which are names of functions. */
static void read_section(struct reader *r)
{
    bool texts = is(r, ".debug_str");
    next(r);
    expect(r, "{");
    while (texts && !r->failed && r->token.kind == WORD && r->at < r->end && *r->at == ':')
        read_string(r);
    pass_to(r, '}');
}

static void read_directive(struct reader *r)
{
    if (accept(r, ".version"))
        read_version(r);
    else if (accept(r, ".target"))
        read_target(r);
    else if (accept(r, ".address_size"))
        read_address_size(r);
    else if (accept(r, ".file"))
        read_file(r);
    else if (accept(r, ".loc"))
        read_loc(r);
    else if (accept(r, ".entry"))
        read_kernel(r);
    else if (accept(r, ".func"))
        read_function(r);
    else if (accept(r, ".section"))
        read_section(r);
    else if (!accept(r, ".visible") && !accept(r, ".weak") && !accept(r, ".extern") &&
             !accept(r, ".common") && !accept(r, ";") && !read_variable(r))
        REPORT(r, DIAG_PTX_SYNTAX, "'%.*s' is not read here; is this PTX?",
               (int)(r->token.length < 40 ? r->token.length : 40), r->token.text);
}

static void free_kernel(struct ptx_kernel *kernel)
{
    for (size_t i = 0; i < kernel->tables.count; i++)
        VEC_FREE(&kernel->tables.items[i].labels);
    for (size_t i = 0; i < kernel->calls.count; i++) {
        VEC_FREE(&kernel->calls.items[i]->results);
        VEC_FREE(&kernel->calls.items[i]->args);
    }
    VEC_FREE(&kernel->tables);
    VEC_FREE(&kernel->locals);
    VEC_FREE(&kernel->calls);
    VEC_FREE(&kernel->params);
    VEC_FREE(&kernel->results);
    VEC_FREE(&kernel->owned);
    VEC_FREE(&kernel->registers);
    VEC_FREE(&kernel->code);
    VEC_FREE(&kernel->labels);
}

void ptx_module_free(struct ptx_module *module)
{
    for (size_t i = 0; i < module->kernels.count; i++)
        free_kernel(module->kernels.items[i]);
    for (size_t i = 0; i < module->functions.count; i++)
        free_kernel(module->functions.items[i]);
    for (size_t i = 0; i < module->variables.count; i++)
        VEC_FREE(&module->variables.items[i].data);
    VEC_FREE(&module->kernels);
    VEC_FREE(&module->functions);
    VEC_FREE(&module->variables);
    VEC_FREE(&module->strings);
}

struct ptx_module *ptx_module_read(struct arena *arena, struct intern *names, struct diag *diag,
                                   const struct source *source)
{
    struct reader r = {.arena = arena,
                       .names = names,
                       .diag = diag,
                       .at = source->text,
                       .end = source->text + source->length,
                       .line = 1,
                       .line_start = source->text,
                       .module = ARENA_NEW(arena, struct ptx_module)};
    r.module->source = source;
    next(&r);
    while (r.token.kind != END && !r.failed)
        read_directive(&r);
    if (!r.targeted || !r.sized)
        REPORT(&r, DIAG_PTX_TARGET, "expected .target sm_70 or later and .address_size 64");
    VEC_FREE(&r.markers);
    if (!r.failed)
        return r.module;
    ptx_module_free(r.module);
    return NULL;
}

/* ---- Names ---- */

/* Is `name` the C++ name in `_Z5applyPjS_i`? */
static bool is_mangled(const char *mangled, const char *name)
{
    char *end;
    if (strncmp(mangled, "_Z", 2) != 0 || !isdigit((unsigned char)mangled[2]))
        return false;
    size_t length = strtoul(mangled + 2, &end, 10);
    return length == strlen(name) && strncmp(end, name, length) == 0;
}

struct ptx_kernel *ptx_kernel_named(const struct ptx_module *module, const char *name,
                                    bool *several)
{
    struct ptx_kernel *found = NULL;
    for (size_t i = 0; i < module->kernels.count; i++) {
        struct ptx_kernel *kernel = module->kernels.items[i];
        if (strcmp(kernel->name, name) == 0)
            return kernel;
        if (is_mangled(kernel->name, name)) {
            *several |= found != NULL;
            found = kernel;
        }
    }
    return *several ? NULL : found;
}
