/* The header: which dialect, which name; then the grammar and the lowering. */
#include "litmus/lit_parse.h"

#include "litmus/lit_lower.h"
#include "litmus/lit_syntax.h"

#include <string.h>

/* The tree so far, with the one condition that `property` is. */
static void parse_property(struct lit_syntax *syntax, const struct source *property)
{
    struct lit_syntax inner = {.arena = syntax->arena,
                               .names = syntax->names,
                               .diag = syntax->diag,
                               .source = property,
                               .errors = syntax->errors,
                               .test = syntax->test,
                               .line = 1,
                               .column = 1,
                               .initialised = true,
                               .property = true};
    syntax->test->conditions = (struct ast_conditions){0};
    syntax->test->expects = (struct ast_expects){0};
    lit_syntax_parse(&inner, 0);
    syntax->broken |= inner.broken;
}

/* Reads what follows the header. NULL or an unusable program with errors in `diag`. */
static const struct lit_program *parse(struct lit_syntax *syntax, size_t offset,
                                       const struct source *property)
{
    lit_syntax_parse(syntax, offset);
    if (property && !syntax->broken && syntax->diag->errors == syntax->errors)
        parse_property(syntax, property);
    if (syntax->broken)
        return NULL;
    return lit_lower_test(syntax);
}

/* ---- The header ---- */

struct header {
    struct lit_syntax *syntax;
    size_t at;
};

static bool at_end(const struct header *header)
{
    return header->at >= header->syntax->source->length;
}

static bool at_text(const struct header *header, const char *text)
{
    const struct source *source = header->syntax->source;
    size_t length = strlen(text);
    return source->length - header->at >= length &&
           memcmp(source->text + header->at, text, length) == 0;
}

static struct span take(struct header *header, size_t length)
{
    struct span span;
    lit_syntax_advance(header->syntax, header->syntax->source->text + header->at, length, &span);
    header->at += length;
    return span;
}

static void skip_line(struct header *header)
{
    while (!at_end(header) && !at_text(header, "\n"))
        (void)take(header, 1);
}

/* A comment that opens here; `(* *)` nests. */
static void skip_comment(struct header *header, const char *open, const char *close, bool nests)
{
    struct span span = take(header, strlen(open));
    uint32_t depth = 1;
    while (depth > 0 && !at_end(header)) {
        bool closes = at_text(header, close), opens = nests && at_text(header, open);
        depth = closes ? depth - 1 : opens ? depth + 1 : depth;
        (void)take(header, closes || opens ? strlen(open) : 1);
    }
    if (depth > 0)
        lit_syntax_unclosed(header->syntax, span, "comment");
}

/* Blanks and comments before the first word. */
static void skip_blank(struct header *header)
{
    for (;;) {
        if (at_end(header))
            return;
        if (strchr(" \t\r\n\f\v", header->syntax->source->text[header->at]) &&
            header->syntax->source->text[header->at])
            (void)take(header, 1);
        else if (at_text(header, "//"))
            skip_line(header);
        else if (at_text(header, "/*"))
            skip_comment(header, "/*", "*/", false);
        else if (at_text(header, "(*"))
            skip_comment(header, "(*", "*)", true);
        else
            return;
    }
}

static bool is_word(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static void report_dialect(struct header *header, struct span span, const char *text, size_t length)
{
    struct strbuf list = {0};
    lit_dialect_list(&list);
    if (length)
        diag_error(header->syntax->diag, DIAG_LIT_DIALECT, span,
                   "'%.*s' is no dialect of litmus tests that is known here; expected %s and the "
                   "name of the test",
                   (int)(length < 40 ? length : 40), text, strbuf_text(&list));
    else
        diag_error(header->syntax->diag, DIAG_LIT_DIALECT, span,
                   "a test begins with its dialect, %s, and its name, as in 'OPENCL sb'",
                   strbuf_text(&list));
    strbuf_fini(&list);
}

/* NULL after reporting. */
static const struct lit_dialect *read_dialect(struct header *header, struct span *span)
{
    const char *text = header->syntax->source->text + header->at;
    size_t length = 0, rest = header->syntax->source->length - header->at;
    while (length < rest && is_word(text[length]))
        length++;
    *span = take(header, length ? length : 1);
    const struct lit_dialect *dialect = lit_dialect_find(text, length);
    if (!dialect)
        report_dialect(header, *span, text, length);
    return dialect;
}

/* The rest of the line, trimmed. */
static bool read_name(struct header *header, struct span dialect)
{
    const char *text = header->syntax->source->text + header->at;
    size_t rest = header->syntax->source->length - header->at;
    const char *newline = rest ? memchr(text, '\n', rest) : NULL;
    size_t line = newline ? (size_t)(newline - text) : rest, length;
    const char *name = lit_syntax_trimmed(header->syntax, text, text + line, &length);
    (void)take(header, line);
    if (length == 0 || strlen(name) < length) {
        diag_error(header->syntax->diag, DIAG_LIT_TEST_NAME, dialect,
                   length == 0 ? "this test has no name; expected one after the dialect, as "
                                 "in 'OPENCL sb'"
                               : "the name of this test holds a NUL byte; remove it");
        return false;
    }
    header->syntax->test->name = name;
    return true;
}

const struct lit_program *lit_parse(struct arena *arena, struct intern *names,
                                    const struct source *source, struct diag *diag)
{
    return lit_parse_property(arena, names, source, NULL, diag);
}

const struct lit_program *lit_parse_property(struct arena *arena, struct intern *names,
                                             const struct source *source,
                                             const struct source *property, struct diag *diag)
{
    struct lit_syntax syntax = {.arena = arena,
                                .names = names,
                                .diag = diag,
                                .source = source,
                                .errors = diag->errors,
                                .test = ARENA_NEW(arena, struct ast_test),
                                .line = 1,
                                .column = 1};
    struct header header = {&syntax, 0};
    skip_blank(&header);
    if (at_end(&header)) {
        if (!syntax.unclosed)
            diag_error(diag, DIAG_LIT_EMPTY, (struct span){.source = source},
                       "this file holds no test; expected 'OPENCL name', an initial state in "
                       "braces, threads and a condition");
        return NULL;
    }
    syntax.test->dialect = read_dialect(&header, &syntax.test->header);
    if (!syntax.test->dialect || !read_name(&header, syntax.test->header))
        return NULL;
    const struct lit_program *program = parse(&syntax, header.at, property);
    return diag->errors == syntax.errors ? program : NULL;
}
