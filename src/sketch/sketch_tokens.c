/* The lexer of tests gives the tokens, so comments, strings and titles are what they are anywhere.
 */
#include "sketch/sketch_tokens.h"

#include <string.h>

static void keep(void *context, const struct lit_token *token)
{
    struct lit_scan *scan = context;
    if (scan->tokens.count <= SCAN_MOST_TOKENS)
        VEC_PUSH(&scan->tokens, *token);
}

const struct lit_token *lit_scan_token(const struct lit_scan *scan, uint32_t at)
{
    static const struct lit_token none;
    return at < scan->tokens.count ? &scan->tokens.items[at] : &none;
}

bool lit_scan_is(const struct lit_scan *scan, uint32_t at, const char *text)
{
    const struct lit_token *token = lit_scan_token(scan, at);
    size_t length = token->end - token->begin;
    return length && strlen(text) == length &&
           memcmp(scan->source->text + token->begin, text, length) == 0;
}

char lit_scan_mark(const struct lit_scan *scan, uint32_t at)
{
    const struct lit_token *token = lit_scan_token(scan, at);
    return token->end - token->begin == 1 ? scan->source->text[token->begin] : '\0';
}

const char *lit_scan_text(const struct lit_scan *scan, uint32_t at)
{
    const struct lit_token *token = lit_scan_token(scan, at);
    return arena_strndup(scan->holes->arena, scan->source->text + token->begin,
                         token->end - token->begin);
}

bool lit_scan_adjoins(const struct lit_scan *scan, uint32_t at)
{
    return at > 0 && lit_scan_token(scan, at - 1)->end == lit_scan_token(scan, at)->begin;
}

struct span lit_scan_span(const struct lit_scan *scan, uint32_t at)
{
    const struct lit_token *token = lit_scan_token(scan, at);
    uint32_t line = token->line, column = token->column;
    return source_advance(scan->source, &line, &column, scan->source->text + token->begin,
                          token->end - token->begin);
}

void lit_scan_begin(struct lit_lexing *lexing, struct lit_scan *scan)
{
    arena_init(&lexing->arena);
    diag_init(&lexing->diag);
    lexing->syntax = (struct lit_syntax){.arena = &lexing->arena,
                                         .names = intern_new(),
                                         .diag = &lexing->diag,
                                         .source = scan->source,
                                         .test = ARENA_NEW(&lexing->arena, struct ast_test)};
    if (reach_ends(scan->source->path, REACH_DEFINITIONS)) {
        lexing->syntax.defines = lexing->syntax.initialised = true;
        lexing->syntax.test->dialect = lit_dialect_find("OPENCL", strlen("OPENCL"));
    }
    lit_syntax_tokens(&lexing->syntax, keep, scan);
    scan->dialect = lexing->syntax.test->dialect;
}

void lit_scan_end(struct lit_lexing *lexing, struct lit_scan *scan)
{
    VEC_FREE(&scan->tokens);
    VEC_FREE(&scan->open);
    intern_free(lexing->syntax.names);
    diag_fini(&lexing->diag);
    arena_fini(&lexing->arena);
}

/* The words between the header and the initial state. */
void sketch_uses(struct lit_syntax *syntax)
{
    struct lit_scan scan = {.source = syntax->source};
    struct lit_holes none = {.arena = syntax->arena};
    struct lit_lexing lexing;
    scan.holes = &none;
    lit_scan_begin(&lexing, &scan);
    for (uint32_t i = 0; i + 1 < scan.tokens.count && lit_scan_mark(&scan, i) != '{'; i++)
        if (lit_scan_is(&scan, i, "uses") &&
            scan.source->text[lit_scan_token(&scan, i + 1)->begin] == '"') {
            const struct lit_token *name = lit_scan_token(&scan, i + 1);
            size_t length = name->end - name->begin;
            CHAIN_ADD(
                &syntax->test->uses,
                AST_NEW(syntax, ast_use,
                        .name = {intern_bytes(syntax->names, scan.source->text + name->begin + 1,
                                              length > 1 ? length - 2 : 0),
                                 lit_scan_span(&scan, i + 1)},
                        .span = lit_scan_span(&scan, i + 1)));
        }
    syntax->test->dialect = lexing.syntax.test->dialect;
    lit_scan_end(&lexing, &scan);
}

bool sketch_has_hole(const struct source *source)
{
    struct lit_scan scan = {.source = source};
    struct lit_lexing lexing;
    bool found = false;
    if (!memchr(source->text, '?', source->length))
        return false;
    lit_scan_begin(&lexing, &scan);
    for (size_t i = 0; i < scan.tokens.count; i++)
        found |= scan.tokens.items[i].hole;
    lit_scan_end(&lexing, &scan);
    return found;
}
