#include "ptx/ptx_token.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_NAME = 4096 };

struct span ptx_text_span(const struct ptx_text *t)
{
    return (struct span){t->source, t->token.line, t->token.column, t->token.line,
                         t->token.column + (uint32_t)t->token.length};
}

/* ---- Comments ---- */

static void add_marker(struct ptx_text *t, const char *begin, const char *end)
{
    while (begin < end && isspace((unsigned char)*begin))
        begin++;
    const uint32_t column = (uint32_t)(begin - t->line_start) + 1;
    const struct ptx_marked marker = {
        begin, end, {t->source, t->line, column, t->line, column + (uint32_t)(end - begin)}};
    const bool within = t->in_instruction && *t->token.text != ';';
    if (t->asm_depth && !within && t->in_body)
        VEC_PUSH(&t->markers, marker);
    else
        PTX_TEXT_REPORT_AT(
            t, DIAG_PTX_SYNTAX, marker.span, "%s",
            within ? "this marker stands within an instruction"
                   : "this marker stands outside of inline assembly, where the compiler may have "
                     "moved what is around it: write it by CRASHLIT of crashlit_kernel.h");
}

/* What is meant as a marker is never passed over. */
static void check_comment(struct ptx_text *t, const char *begin, const char *end)
{
    static const char name[] = "crashlit";
    const size_t length = sizeof name - 1;
    const struct span line = {t->source, t->line, 1, t->line, 2};
    for (; begin + length <= end; begin++)
        if (strncasecmp(begin, name, length) == 0)
            PTX_TEXT_REPORT_AT(
                t, DIAG_PTX_SYNTAX, line,
                "this comment of inline assembly is no marker: a marker is a comment of one line "
                "that begins with 'crashlit:', as CRASHLIT of crashlit_kernel.h writes it");
}

/* What a comment says; compilers put inline assembly between two of them. */
static void take_comment(struct ptx_text *t, const char *begin, const char *end)
{
    static const char mark[] = "crashlit:";
    const size_t length = sizeof mark - 1;
    while (begin < end && isspace((unsigned char)*begin))
        begin++;
    while (end > begin && isspace((unsigned char)end[-1]))
        end--;
    const size_t size = (size_t)(end - begin);
    if (size == 16 && memcmp(begin, "begin inline asm", 16) == 0)
        t->asm_depth++;
    else if (size == 14 && memcmp(begin, "end inline asm", 14) == 0)
        t->asm_depth -= t->asm_depth > 0;
    else if (size > length && memcmp(begin, mark, length) == 0)
        add_marker(t, begin + length, end);
    else if (t->asm_depth && (size != length || memcmp(begin, mark, length) != 0))
        check_comment(t, begin, end);
}

static void pass_line(struct ptx_text *t)
{
    const char *begin = t->at + 2;
    while (t->at < t->end && *t->at != '\n')
        t->at++;
    take_comment(t, begin, t->at);
}

static void pass_block(struct ptx_text *t)
{
    const char *begin = t->at + 2;
    for (t->at += 2; t->at + 1 < t->end && !(t->at[0] == '*' && t->at[1] == '/'); t->at++)
        if (*t->at == '\n') {
            t->line++;
            t->line_start = t->at + 1;
        }
    if (begin >= t->line_start && begin <= t->at)
        take_comment(t, begin, t->at);
    else if (t->asm_depth)
        check_comment(t, begin, t->at);
    t->at += t->at + 1 < t->end;
}

/* ---- Tokens ---- */

static void pass_blanks(struct ptx_text *t)
{
    for (; t->at < t->end; t->at++) {
        bool more = t->at + 1 < t->end;
        if (*t->at == '\n') {
            t->line++;
            t->line_start = t->at + 1;
        } else if (more && t->at[0] == '/' && t->at[1] == '/') {
            pass_line(t);
            t->at--;
        } else if (more && t->at[0] == '/' && t->at[1] == '*') {
            pass_block(t);
        } else if (!isspace((unsigned char)*t->at)) {
            return;
        }
    }
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.' || c == ':';
}

/* A label's colon is no part of a word, those of `shared::cta` are. */
static size_t word_length(const struct ptx_text *t)
{
    const char *at = t->at;
    while (at < t->end && is_word(*at) &&
           (*at != ':' || (at + 1 < t->end && at[1] == ':') || at[-1] == ':'))
        at++;
    return (size_t)(at - t->at);
}

/* Decimal, octal, hexadecimal or binary, perhaps with a U. */
static void read_number(const struct ptx_text *t, struct ptx_token *token)
{
    char *end;
    bool binary = t->at[0] == '0' && (t->at[1] == 'b' || t->at[1] == 'B') && token->length > 2;
    errno = 0;
    token->number = (int64_t)strtoull(t->at + 2 * binary, &end, binary ? 2 : 0);
    end += *end == 'U';
    token->bad = errno || end != t->at + token->length;
}

/* 0f3F800000 and 0d3FF0000000000000: the bits of a float and of a double. */
static void read_bits(const struct ptx_text *t, struct ptx_token *token)
{
    char *end;
    token->number = (int64_t)strtoull(t->at + 2, &end, 16);
    bool single = t->at[1] == 'f' || t->at[1] == 'F';
    token->bad = end != t->at + token->length || token->length != (single ? 10 : 18) ||
                 !isxdigit((unsigned char)t->at[2]);
}

void ptx_text_next(struct ptx_text *t)
{
    pass_blanks(t);
    struct ptx_token *token = &t->token;
    *token = (struct ptx_token){.kind = PTX_TOKEN_END,
                                .text = t->at,
                                .line = t->line,
                                .column = (uint32_t)(t->at - t->line_start) + 1};
    if (t->at >= t->end)
        return;
    token->kind = PTX_TOKEN_SIGN;
    token->length = 1;
    if (*t->at == '"') {
        const char *close = memchr(t->at + 1, '"', (size_t)(t->end - t->at - 1));
        token->kind = PTX_TOKEN_STRING;
        token->length = close ? (size_t)(close - t->at) + 1 : 1;
        if (!close)
            PTX_TEXT_REPORT(t, DIAG_PTX_SYNTAX, "this string does not end");
    } else if (is_word(*t->at) && *t->at != ':') {
        token->length = word_length(t);
        bool digit = isdigit((unsigned char)*t->at);
        bool floats = digit && token->length > 2 && strchr("fFdD", t->at[1]) && t->at[0] == '0';
        token->kind = floats ? PTX_TOKEN_FLOAT : digit ? PTX_TOKEN_NUMBER : PTX_TOKEN_WORD;
        if (token->kind == PTX_TOKEN_NUMBER)
            read_number(t, token);
        else if (floats)
            read_bits(t, token);
    }
    t->at += token->length;
}

bool ptx_text_is(const struct ptx_text *t, const char *text)
{
    return t->token.length == strlen(text) && t->token.kind != PTX_TOKEN_END &&
           memcmp(t->token.text, text, t->token.length) == 0;
}

bool ptx_text_accept(struct ptx_text *t, const char *text)
{
    bool found = ptx_text_is(t, text);
    if (found)
        ptx_text_next(t);
    return found;
}

void ptx_text_expect(struct ptx_text *t, const char *text)
{
    if (!ptx_text_accept(t, text))
        PTX_TEXT_REPORT(t, DIAG_PTX_SYNTAX, "found %s%.*s%s, expected '%s'",
                        t->token.kind == PTX_TOKEN_END ? "the end of the file" : "'",
                        PTX_TOKEN_TEXT(t), t->token.kind == PTX_TOKEN_END ? "" : "'", text);
}

const char *ptx_text_name(struct ptx_text *t)
{
    if (t->token.kind != PTX_TOKEN_WORD)
        PTX_TEXT_REPORT(t, DIAG_PTX_SYNTAX, "expected a name here");
    if (t->token.length > MAX_NAME)
        PTX_TEXT_REPORT(t, DIAG_LIT_TOO_LARGE, "this name has more than %d characters", MAX_NAME);
    const char *name = intern_bytes(t->names, t->token.text, t->token.length);
    ptx_text_next(t);
    return name;
}

int64_t ptx_text_number(struct ptx_text *t)
{
    bool negative = ptx_text_accept(t, "-");
    int64_t number = t->token.number;
    if (t->token.kind != PTX_TOKEN_NUMBER || t->token.bad)
        PTX_TEXT_REPORT(t, DIAG_PTX_SYNTAX,
                        t->token.bad ? "this number is not read" : "expected a number here");
    ptx_text_next(t);
    return negative ? (int64_t)(0 - (uint64_t)number) : number;
}

void ptx_text_pass(struct ptx_text *t, char sign)
{
    uint32_t depth = 0;
    while (t->token.kind != PTX_TOKEN_END && !t->failed) {
        char c = t->token.kind == PTX_TOKEN_SIGN ? *t->token.text : '\0';
        if (depth == 0 && c == sign)
            break;
        depth += c == '{';
        depth -= c == '}' && depth > 0;
        ptx_text_next(t);
    }
    ptx_text_expect(t, (char[]){sign, '\0'});
}

void ptx_text_begin(struct ptx_text *t)
{
    t->at = t->line_start = t->source->text;
    t->end = t->source->text + t->source->length;
    t->line = 1;
    ptx_text_next(t);
}

struct ptx_text ptx_text_of_marker(const struct ptx_text *t, const struct ptx_marked *marker)
{
    struct ptx_text inner = *t;
    memset(&inner.markers, 0, sizeof inner.markers);
    inner.at = marker->begin;
    inner.end = marker->end;
    inner.line = marker->span.line;
    inner.line_start = marker->begin - (marker->span.column - 1);
    inner.token = (struct ptx_token){0};
    ptx_text_next(&inner);
    return inner;
}
