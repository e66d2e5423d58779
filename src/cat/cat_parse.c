/* Driving the lexer and the parser, and wording what they find. */
#include "cat/cat_parse.h"

#include <string.h>

#define YYSTYPE CAT_YYSTYPE
#define YYLTYPE CAT_YYLTYPE
#include "cat.tab.h"
#include "cat.lex.h"

/* diag_error, which leaves the file unread. */
#define REPORT(parser, ...) \
    ((void)((parser)->file->failed = true), diag_error((parser)->diag, __VA_ARGS__))

static const char *character_hint(char c)
{
    switch (c) {
    case '!': return "the complement is written '~'";
    case '-': return "the difference is written '\\'";
    case '/': return "the difference is written '\\', a comment '//' or '(* *)'";
    case '<':
    case '>': return "relations are applied by ';', and '->' belongs to 'fun'";
    default: return "remove it";
    }
}

void cat_parse_character(struct cat_parser *parser, struct span span, const char *text,
                         size_t length)
{
    unsigned char c = (unsigned char)text[0];
    if (c >= '1' && c <= '9')
        REPORT(parser, DIAG_CAT_CHARACTER, span,
               "found a number; the only number of cat is 0, the empty relation");
    else if (c < 32 || c >= 127)
        REPORT(parser, DIAG_CAT_CHARACTER, span,
               "found byte 0x%02x, which begins no word of cat outside comments and strings; %s", c,
               length > 1 ? "write it in ASCII" : "remove it");
    else
        REPORT(parser, DIAG_CAT_CHARACTER, span, "found '%c', which begins no word of cat; %s", c,
               character_hint(text[0]));
}

void cat_parse_unclosed(struct cat_parser *parser, struct span span, const char *what)
{
    bool comment = strcmp(what, "comment") == 0;
    parser->unclosed = true;
    span.end_line = span.line;
    span.end_column = span.column + (comment ? 2 : 1);
    REPORT(parser, DIAG_CAT_UNCLOSED, span,
           comment ? "this comment is still open at the end of the file; close it as it was opened "
                     "(comments in '(* *)' nest)"
                   : "this string is still open at the end of the file; close it with '\"'");
}

void cat_parse_too_deep(struct cat_parser *parser, struct span span)
{
    REPORT(parser, DIAG_CAT_TOO_DEEP, span,
           "expressions are nested more than %d deep here; name a part of it with 'let'",
           CAT_MAX_DEPTH);
}

/* ---- Expressions ---- */

static bool continues(const struct cat_expr *expr, enum cat_op op)
{
    return expr->kind == CAT_EXPR_BINARY && expr->op == op;
}

static uint32_t weigh(const struct cat_expr *expr, enum cat_op op)
{
    return continues(expr, op) ? expr->weight : 1;
}

static void deepen(struct cat_expr *expr, const struct cat_expr *below)
{
    if (below && below->depth >= expr->depth)
        expr->depth = below->depth + 1;
}

static struct cat_expr *new_expr(struct cat_parser *parser, const struct cat_expr *fields)
{
    struct cat_expr *expr = arena_copy(parser->arena, fields, sizeof *fields);
    expr->depth = 1;
    deepen(expr, expr->a);
    deepen(expr, expr->b);
    for (const struct cat_binding *at = expr->bindings.first; at; at = at->next)
        deepen(expr, at->expr);
    for (const struct cat_expr *at = expr->items.first; at; at = at->next)
        deepen(expr, at);
    for (const struct cat_clause *at = expr->clauses.first; at; at = at->next)
        deepen(expr, at->expr);
    if (expr->condition) {
        deepen(expr, expr->condition->a);
        deepen(expr, expr->condition->b);
    }
    if (expr->kind == CAT_EXPR_BINARY)
        expr->weight = weigh(expr->a, expr->op) + weigh(expr->b, expr->op);
    return expr;
}

/* In a chain of one operator, as a binary counter does: two parts of equal weight become one. */
static struct cat_expr *balanced(struct cat_parser *parser, const struct cat_expr *fields)
{
    struct cat_expr whole = *fields;
    enum cat_op op = whole.op;
    const struct cat_expr *a = whole.a;
    while (a->depth > CAT_LONG_CHAIN && continues(a, op) && weigh(a->b, op) <= weigh(whole.b, op)) {
        struct cat_expr end = whole;
        end.a = a->b;
        end.span = a->b->span;
        end.span.end_line = whole.b->span.end_line;
        end.span.end_column = whole.b->span.end_column;
        whole.b = new_expr(parser, &end);
        whole.a = a = a->a;
    }
    return new_expr(parser, &whole);
}

struct cat_expr *cat_parse_expr(struct cat_parser *parser, const struct cat_expr *fields)
{
    bool associates = fields->kind == CAT_EXPR_BINARY &&
                      (fields->op == CAT_UNION || fields->op == CAT_INTER || fields->op == CAT_SEQ);
    struct cat_expr *expr = (associates ? balanced : new_expr)(parser, fields);
    if (expr->depth <= CAT_MAX_DEPTH)
        return expr;
    struct span start = expr->span;
    start.end_line = start.line;
    start.end_column = start.column + 1;
    cat_parse_too_deep(parser, start);
    return new_expr(parser, &(struct cat_expr){.kind = CAT_EXPR_BROKEN, .span = expr->span});
}

struct cat_pattern *cat_parse_pattern(struct cat_parser *parser, struct cat_names formals,
                                      struct span span)
{
    return ARENA_MAKE(parser->arena, struct cat_pattern, .tuple = formals.count != 1,
                      .names = formals, .span = span);
}

struct cat_pattern *cat_parse_one(struct cat_parser *parser, const char *name, struct span span)
{
    struct cat_name *only = ARENA_MAKE(parser->arena, struct cat_name, .text = name, .span = span);
    return cat_parse_pattern(parser, (struct cat_names){only, only, 1}, span);
}

struct cat_binding *cat_parse_shown(struct cat_parser *parser, struct cat_expr *expr)
{
    const char *name = expr->kind == CAT_EXPR_NAME ? expr->name : NULL;
    if (!name && expr->kind != CAT_EXPR_BROKEN)
        REPORT(parser, DIAG_CAT_SYNTAX, expr->span,
               "a picture needs a name for this; write 'show ... as NAME'");
    return ARENA_MAKE(parser->arena, struct cat_binding,
                      .pattern = cat_parse_one(parser, name, expr->span), .expr = expr);
}

bool cat_parse_variant(struct cat_parser *parser, const char *name, struct span span)
{
    struct cat_name *asked = ARENA_MAKE(parser->arena, struct cat_name, .text = name, .span = span);
    CHAIN_ADD(&parser->file->asked, asked);
    return cat_variants_have(parser->variants, name);
}

/* ---- Syntax errors: what the grammar expected, in a reader's words ---- */

static const struct parse_phrase phrases[] = {
    {"'['", "an expression", " '(' '[' '{' '0' '_' '~' begin let fun try if match tag "},
    {"'&'", "an operator", " "}, /* is_operator has the others */
    {"include", "a definition, a check",
     " let include show unshow flag undefined_unless assert match procedure call debug forall with "
     "if "
     "instructions default enum "},
};

/* An operator between or behind expressions begins with one of these, and nothing else does. */
static bool is_operator(const char *token)
{
    return token[0] != '\0' && strchr("|&\\;*+?^", token[token[0] == '\'']) != NULL;
}

/* Tokens that say more by a phrase, or nothing to somebody who mends a file. */
static bool said_otherwise(const char *token, const char *const *expected, int count)
{
    static const char *const silent[] = {
        "a tag", "a check", "a negated check", "catdep", "the end of the file",
        "||",    "&&",      "a string",        "a name"};
    bool expression = parse_expects("'['", expected, count);
    if (!expression && (strcmp(token, "a name") == 0 || strcmp(token, "a string") == 0))
        return false;
    if (count == 1)
        return false;
    if (parse_expects("'&'", expected, count) && is_operator(token))
        return true;
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (strcmp(silent[i], token) == 0)
            return true;
    return ANY(i, sizeof phrases / sizeof *phrases,
               parse_expects(phrases[i].witness, expected, count) &&
                   parse_covers(&phrases[i], token));
}

static void describe_expected(struct strbuf *out, const char *const *expected, int count)
{
    SCOPED(strbuf) list = {0};
    int said = 0;
    /* After an operand an expression could only be an argument: not worth saying. */
    bool operand_before = parse_expects("'&'", expected, count);
    for (size_t i = operand_before ? 1 : 0; i < sizeof phrases / sizeof *phrases; i++)
        if (parse_expects(phrases[i].witness, expected, count))
            parse_add_expected(&list, phrases[i].text, false, &said);
    for (int i = 0; i < count && said < 5; i++)
        if (!said_otherwise(expected[i], expected, count))
            parse_add_expected(&list, expected[i],
                               expected[i][0] != '\'' && strncmp(expected[i], "a ", 2) != 0, &said);
    parse_tell_expected(out, strbuf_text(&list));
}

static bool begins_definition(const char *found, size_t length)
{
    static const char *const words[] = {"let",     "acyclic", "irreflexive",      "empty", "show",
                                        "include", "flag",    "undefined_unless", "unshow"};
    return ANY(i, sizeof words / sizeof *words,
               strlen(words[i]) == length && memcmp(words[i], found, length) == 0) ||
           length == 0;
}

/* The mistakes people make most, by what stands where it cannot stand. */
static const char *syntax_hint(const char *found, size_t length, const char *const *expected,
                               int count)
{
    bool operator_expected = parse_expects("'&'", expected, count);
    if (begins_definition(found, length) &&
        (parse_expects("')'", expected, count) || parse_expects("']'", expected, count)))
        return "a bracket is still open before it";
    if (length == 1 && strchr(")]}", *found))
        return "no such bracket is open here";
    if (length == 2 && memcmp(found, "-1", 2) == 0)
        return "the inverse is written '^-1'";
    if (length == 1 && *found == '=' && operator_expected)
        return "a definition begins with 'let'";
    if (operator_expected && length && strchr(",;|&\\", *found) == NULL)
        return "put '|', '&', '\\' or ';' between two expressions";
    if (parse_expects("include", expected, count))
        return "definitions begin with 'let', checks with 'acyclic', 'irreflexive' or 'empty'";
    if (length == 1 && strchr("|&;\\", *found))
        return "an operator stands between two expressions";
    return NULL;
}

/* After the last byte that is not blank. */
static struct span end_of_text(const struct source *source)
{
    size_t length = source->length;
    while (length && strchr(" \t\r\n", source->text[length - 1]))
        length--;
    uint32_t line = 1, column = 1;
    (void)source_advance(source, &line, &column, source->text, length);
    return (struct span){source, line, column, line, column};
}

void cat_parse_syntax(struct cat_parser *parser, struct span span, bool at_end,
                      const char *const *expected, int count)
{
    if (at_end && parser->unclosed)
        return;
    if (!diag_takes_error(parser->diag)) {
        REPORT(parser, DIAG_CAT_SYNTAX, span, "further error");
        return;
    }
    SCOPED(strbuf) message = {0};
    size_t length = 0;
    if (at_end)
        span = end_of_text(span.source);
    const char *found = at_end ? "" : source_slice(&span, &length);
    if (at_end)
        strbuf_add(&message, "found the end of the file, ");
    else
        strbuf_printf(&message, "found '%.*s', ", (int)(length < 40 ? length : 40), found);
    describe_expected(&message, expected, count);
    const char *hint = syntax_hint(found, length, expected, count);
    if (hint)
        strbuf_printf(&message, "; %s", hint);
    REPORT(parser, DIAG_CAT_SYNTAX, span, "%s", strbuf_text(&message));
}

/* ---- The whole file ---- */

static struct cat_file *parse(struct arena *arena, struct intern *names,
                              const struct cat_variants *variants, const struct source *source,
                              struct diag *diag, bool hasty)
{
    struct cat_file *file = ARENA_NEW(arena, struct cat_file);
    file->source = source;
    file->title = file->name = "";
    struct cat_parser parser = {.arena = arena,
                                .names = names,
                                .variants = variants,
                                .diag = diag,
                                .file = file,
                                .at = SOURCE_START(source),
                                .hasty = hasty};
    yyscan_t scanner;
    if (cat_yylex_init_extra(&parser, &scanner) != 0)
        base_fail(BASE_FAILURE_MEMORY, "out of memory (cat lexer)");
    YY_BUFFER_STATE buffer = cat_yy_scan_bytes(source->text, (int)source->length, scanner);
    if (cat_yyparse(scanner, &parser) != 0)
        file->failed = true;
    cat_yy_delete_buffer(buffer, scanner);
    cat_yylex_destroy(scanner);
    return file;
}

/* Most files have no fault: to find the place of one is left to a second reading. */
struct cat_file *cat_parse_file(struct arena *arena, struct intern *names,
                                const struct cat_variants *variants, const struct source *source,
                                struct diag *diag)
{
    static const struct cat_variants none;
    if (!variants)
        variants = &none;
    struct arena_mark mark = arena_mark(arena);
    SCOPED(diag) faults = {0};
    struct cat_file *file = parse(arena, names, variants, source, &faults, true);
    bool whole = !file->failed && faults.entries.count == 0;
    if (whole)
        return file;
    arena_rewind(arena, mark);
    return parse(arena, names, variants, source, diag, false);
}
