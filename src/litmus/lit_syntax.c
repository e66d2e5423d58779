/* Driving the lexer and the parser, and wording what they find. */
#include "litmus/lit_syntax.h"

#include "litmus/lit_uses.h"
#include "litmus/lit_words.h"

#include <ctype.h>
#include <string.h>

/* True: the text has no fault, and the tree is whole. */
static bool parse_hastily(struct lit_syntax *syntax)
{
    struct diag *diag = syntax->diag, faults;
    uint32_t errors = syntax->errors;
    diag_init(&faults);
    syntax->diag = &faults;
    syntax->errors = 0;
    syntax->hasty = true;
    bool whole = lit_syntax_run(syntax) == 0 && !syntax->broken && faults.entries.count == 0;
    diag_fini(&faults);
    syntax->diag = diag;
    syntax->errors = errors;
    return whole;
}

/* Most texts have no fault: to find the place of one is left to a second reading. */
void lit_syntax_parse(struct lit_syntax *syntax)
{
    const struct lit_syntax start = *syntax;
    const struct ast_test test = *syntax->test;
    struct arena_mark mark = arena_mark(syntax->arena);
    if (parse_hastily(syntax))
        return;
    arena_rewind(syntax->arena, mark);
    *syntax->test = test;
    *syntax = start;
    (void)lit_syntax_run(syntax); /* a status other than 0 was reported when it happened */
}

/* Nothing is read any more; that is reported. */
static bool stop(struct lit_syntax *syntax)
{
    syntax->stopped = syntax->unclosed = syntax->broken = true;
    return false;
}

/* '?' where the operator cannot stand, in code. */
static bool is_hole(const struct lit_syntax *syntax, const char *found)
{
    bool code = syntax->defines || syntax->rows || (syntax->braces && syntax->initialised);
    return code && (found[0] == '?' || (found[0] == '.' && found[1] == '?'));
}

/* Once: what follows it may be anything. */
bool lit_syntax_hole(struct lit_syntax *syntax, struct span span, const char *text)
{
    if (!is_hole(syntax, text))
        return false;
    span.column += *text == '.';
    span.end_column = span.column + 1;
    diag_error(syntax->diag, DIAG_LIT_HOLE, span,
               "found a hole; a test is checked without holes: 'crashlit place' says what can fill "
               "them");
    return !stop(syntax);
}

void lit_syntax_character(struct lit_syntax *syntax, struct span span, const char *text,
                          size_t length)
{
    unsigned char c = (unsigned char)text[0];
    if (lit_syntax_hole(syntax, span, text))
        return;
    if (c == '#' && length > 1)
        diag_error(syntax->diag, DIAG_LIT_CHARACTER, span,
                   "found '#', where there is no preprocessor: a comment begins with //, a "
                   "constant is 'const n = 3;', names of a definition file come by uses "
                   "\"cuda.def\"");
    else if (c == '\'' && length > 1)
        diag_error(syntax->diag, DIAG_LIT_CHARACTER, span,
                   "found a character in quotes, where values are integers; write its number");
    else if (c >= 32 && c < 127)
        diag_error(syntax->diag, DIAG_LIT_CHARACTER, span,
                   "found '%c', which begins no word of a test here; remove it", c);
    else
        diag_error(syntax->diag, DIAG_LIT_CHARACTER, span,
                   "found byte 0x%02x, which may stand only in comments and strings; %s", c,
                   length > 1 ? "write it in ASCII" : "remove it");
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

const char *lit_syntax_trimmed(struct lit_syntax *syntax, const char *text, const char *end,
                               size_t *length)
{
    while (text < end && is_blank(*text))
        text++;
    while (text < end && is_blank(end[-1]))
        end--;
    *length = (size_t)(end - text);
    return intern_bytes(syntax->names, text, *length);
}

/* ---- The header ---- */

static bool ends_line(struct span span)
{
    size_t length;
    const char *at = source_slice(&span, &length) + length;
    at += strspn(at, " \t\r");
    return *at == '\n' || *at == '\0';
}

bool lit_syntax_dialect(struct lit_syntax *syntax, struct span span, const char *word,
                        size_t length)
{
    SCOPED(strbuf) list = {0};
    syntax->test->header = span;
    syntax->test->dialect = lit_dialect_find(word, length);
    if (syntax->test->dialect)
        return true;
    lit_dialect_list(&list);
    int shown = (int)(length < 40 ? length : 40);
    const char *file_to_use = lit_uses_file_like(word, length);
    if (file_to_use)
        diag_error(syntax->diag, DIAG_LIT_DIALECT, span,
                   "'%.*s' is no dialect of litmus tests; begin with 'OPENCL' and the name of the "
                   "test, and write uses \"%s\" before the initial state",
                   shown, word, file_to_use);
    else if (length && ends_line(span))
        diag_error(syntax->diag, DIAG_LIT_DIALECT, span,
                   "a test begins with its dialect, %s, and its name; write 'OPENCL %.*s'",
                   strbuf_text(&list), shown, word);
    else if (length)
        diag_error(syntax->diag, DIAG_LIT_DIALECT, span,
                   "'%.*s' is no dialect of litmus tests that is known here; expected %s and the "
                   "name of the test",
                   shown, word, strbuf_text(&list));
    else
        diag_error(syntax->diag, DIAG_LIT_DIALECT, span,
                   "a test begins with its dialect, %s, and its name, as in 'OPENCL sb'",
                   strbuf_text(&list));
    return stop(syntax);
}

bool lit_syntax_name(struct lit_syntax *syntax, const char *line, size_t length)
{
    const char *name = lit_syntax_trimmed(syntax, line, line + length, &length);
    syntax->test->name = name;
    if (length && strlen(name) == length)
        return true;
    diag_error(syntax->diag, DIAG_LIT_TEST_NAME, syntax->test->header,
               length ? "the name of this test holds a NUL byte; remove it"
                      : "this test has no name; expected one after the dialect, as in 'OPENCL sb'");
    return stop(syntax);
}

bool lit_syntax_empty(struct lit_syntax *syntax)
{
    diag_error(syntax->diag, DIAG_LIT_EMPTY, (struct span){.source = syntax->source},
               "this file holds no test; expected 'OPENCL name', an initial state in braces, "
               "threads and a condition");
    return stop(syntax);
}

/* ---- Tokens ---- */

void lit_syntax_metadata(struct lit_syntax *syntax, const char *text, size_t length)
{
    size_t ignored;
    const char *equals = memchr(text, '=', length);
    BASE_CHECK(equals != NULL);
    CHAIN_ADD(&syntax->test->metadata,
              AST_NEW(syntax, ast_metadata,
                      .name = lit_syntax_trimmed(syntax, text, equals, &ignored),
                      .text = lit_syntax_trimmed(syntax, equals + 1, text + length, &ignored)));
}

/* Behind the threads, or between them. */
static bool is_among_conditions(const struct lit_syntax *syntax)
{
    bool table = syntax->test->dialect && syntax->test->dialect->is_table;
    return syntax->initialised && !syntax->braces && !syntax->heading && !syntax->rows &&
           (table || syntax->test->threads.first);
}

void lit_syntax_unclosed(struct lit_syntax *syntax, struct span span, const char *what)
{
    bool comment = strcmp(what, "comment") == 0;
    span.end_line = span.line;
    span.end_column = span.column + (comment ? 2 : 1);
    syntax->unclosed = comment;
    syntax->broken = true;
    size_t length;
    const char *text = source_slice(&span, &length);
    if (comment && is_among_conditions(syntax) && *text == '(' && isalpha((unsigned char)text[2]))
        diag_error(syntax->diag, DIAG_LIT_UNCLOSED, span,
                   "'(*' opens a comment, which is still open at the end of the file; conditions "
                   "name a location without '*', as in (x = 1)");
    else if (comment)
        diag_error(syntax->diag, DIAG_LIT_UNCLOSED, span,
                   "this comment is still open at the end of the file; close it as it was "
                   "opened (comments in '(* *)' nest)");
    else
        diag_error(syntax->diag, DIAG_LIT_UNCLOSED, span,
                   "this string is still open at the end of the line; close it with '\"'");
}

bool lit_syntax_foreign(struct lit_syntax *syntax, struct span span)
{
    size_t length;
    const char *word = source_slice(&span, &length), *advice = lit_word_foreign(word, length);
    if (!advice)
        return false;
    syntax->broken = true;
    diag_error(syntax->diag, DIAG_LIT_SYNTAX, span, "'%.*s' is not part of the language: %s",
               (int)length, word, advice);
    return true;
}

const char *lit_syntax_title(struct lit_syntax *syntax, const char *text)
{
    char *title = arena_strdup(syntax->arena, text), *out = title;
    for (const char *at = text; *at; at++)
        if (!strchr(" \t\r\n\f\v", *at))
            *out++ = *at;
        else if (out > title && out[-1] != ' ')
            *out++ = ' ';
    while (out > title && out[-1] == ' ')
        out--;
    *out = '\0';
    return title;
}

void lit_syntax_row(struct lit_syntax *syntax, struct span span, uint32_t found, uint32_t expected)
{
    syntax->broken = true;
    diag_error(syntax->diag, DIAG_LIT_ROW, span,
               "this row has %u cell%s, expected %u: one for each thread of the header, with '|' "
               "between them and ';' at the end; a cell may be empty",
               found, found == 1 ? "" : "s", expected);
}

void lit_syntax_too_deep(struct lit_syntax *syntax, struct span span)
{
    if (syntax->too_deep)
        return;
    syntax->too_deep = syntax->broken = true;
    span.end_line = span.line;
    span.end_column = span.column + 1;
    diag_error(syntax->diag, DIAG_LIT_TOO_DEEP, span,
               "more than %d levels are nested here (parentheses, operators, blocks); split "
               "the expression or the block",
               AST_MAX_DEPTH);
}

void lit_syntax_too_large(struct lit_syntax *syntax)
{
    if (syntax->stopped)
        return;
    struct span here = syntax->at.last;
    here.line = here.end_line;
    here.column = here.end_column++;
    diag_error(syntax->diag, DIAG_LIT_TOO_LARGE, here,
               "this %s has more than %d statements, operators and names up to here; it is "
               "read no further",
               syntax->defines ? "file" : "test", AST_MAX_NODES);
    syntax->stopped = syntax->unclosed = syntax->broken = true;
}

/* ---- Numbers ---- */

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

/* u, l, ll and their combinations; false when the text is no suffix. */
static bool read_suffix(const char *text, size_t length, bool *is_unsigned, bool *is_long)
{
    uint32_t longs = 0, unsigneds = 0;
    for (size_t i = 0; i < length; i++) {
        longs += text[i] == 'l' || text[i] == 'L';
        unsigneds += text[i] == 'u' || text[i] == 'U';
    }
    *is_long = longs > 0;
    *is_unsigned = unsigneds > 0;
    return longs + unsigneds == length && longs <= 2 && unsigneds <= 1;
}

/* C's rule: the first type that holds the value; a decimal one without `u` is signed,
 * unless no signed type holds it. */
static enum lit_type literal_type(uint64_t value, bool decimal, bool is_unsigned, bool is_long)
{
    bool may_unsigned = is_unsigned || !decimal;
    if (!is_long && !is_unsigned && value <= INT32_MAX)
        return LIT_INT;
    if (!is_long && may_unsigned && value <= UINT32_MAX)
        return LIT_UINT;
    return !is_unsigned && value <= INT64_MAX ? LIT_LONG : LIT_ULONG;
}

struct ast_number lit_syntax_number(struct lit_syntax *syntax, struct span span, const char *text,
                                    size_t length, enum lit_type *type)
{
    uint64_t base = 10, value = 0;
    size_t at = 0;
    *type = LIT_INT;
    if (length == 1) /* as most are */
        return (struct ast_number){text[0] - '0', false, false, span};
    bool overflow = false, is_unsigned = false, is_long = false;
    if (length > 1 && text[0] == '0')
        base = strchr("xX", text[1]) ? 16 : strchr("bB", text[1]) ? 2 : 8;
    if (base == 16 || base == 2)
        at = 2;
    size_t first = at;
    for (; at < length && digit_value(text[at]) < (int)base; at++) {
        overflow |= __builtin_mul_overflow(value, base, &value);
        overflow |= __builtin_add_overflow(value, (uint64_t)digit_value(text[at]), &value);
    }
    if (at == first || !read_suffix(text + at, length - at, &is_unsigned, &is_long)) {
        diag_error(syntax->diag, DIAG_LIT_NUMBER, span,
                   "found '%.*s', which is no integer; write it in decimal, hexadecimal (0x1f), "
                   "binary (0b101) or octal (017), with suffix u, l or ul if any",
                   (int)(length < 40 ? length : 40), text);
        return (struct ast_number){0, false, true, span};
    }
    if (overflow) {
        diag_error(syntax->diag, DIAG_LIT_NUMBER, span,
                   "%.*s is out of range; the largest integer is 18446744073709551615",
                   (int)(length < 40 ? length : 40), text);
        return (struct ast_number){0, false, true, span};
    }
    *type = literal_type(value, base == 10, is_unsigned, is_long);
    return (struct ast_number){(int64_t)value, value > INT64_MAX, false, span};
}

struct ast_number lit_syntax_negate(struct lit_syntax *syntax, struct ast_number number,
                                    struct span span)
{
    number.span = span;
    if (number.large && number.value == INT64_MIN) {
        number.large = false; /* its own negative */
        return number;
    }
    if (number.large) {
        diag_error(syntax->diag, DIAG_LIT_NUMBER, span,
                   "this is out of range; the smallest integer is -9223372036854775808");
        return (struct ast_number){0, false, true, span};
    }
    number.value = -number.value;
    return number;
}

int64_t lit_syntax_thread(struct lit_syntax *syntax, struct ast_number number)
{
    if (!number.bad && !number.large && number.value < LIT_MAX_THREADS)
        return number.value;
    syntax->broken = true; /* 0 would stand for another thread */
    if (!number.bad)
        diag_error(syntax->diag, DIAG_LIT_THREAD, number.span,
                   "threads are numbered from 0 to %d; use a smaller number", LIT_MAX_THREADS - 1);
    return 0;
}
