#include "litmus/lit_ast.h"

#include "litmus/lit_syntax.h"

#include <string.h>

bool ast_specs_has_type(const struct ast_specs *specs)
{
    return (specs->bits & AST_TYPES) != 0;
}

enum lit_type ast_specs_type(const struct ast_specs *specs)
{
    enum lit_type type = specs->bits & AST_BOOL    ? LIT_BOOL
                         : specs->bits & AST_CHAR  ? LIT_CHAR
                         : specs->bits & AST_SHORT ? LIT_SHORT
                         : specs->bits & AST_LONG  ? LIT_LONG
                                                   : LIT_INT;
    return specs->bits & AST_UNSIGNED && type != LIT_BOOL ? type + 1 : type;
}

static struct span cover(struct span first, struct span last)
{
    first.end_line = last.end_line;
    first.end_column = last.end_column;
    return first;
}

/* Reports words that make no type. `long long` repeats one, `unsigned char` is one type in two. */
static void check_words(struct lit_syntax *syntax, uint32_t before, const struct ast_specs *joined)
{
    static const uint32_t sizes = AST_BOOL | AST_CHAR | AST_SHORT | AST_LONG;
    static const uint32_t signs = AST_SIGNED | AST_UNSIGNED;
    uint32_t size = joined->bits & sizes, sign = joined->bits & signs;
    bool sized = (size & (size - 1)) != 0, is_signed = sign == signs;
    bool bare = size == AST_BOOL || size == AST_CHAR;
    bool extra = (size == AST_BOOL && sign) || (bare && joined->bits & AST_INT);
    if (before == joined->bits || !(sized || is_signed || extra))
        return;
    syntax->broken = true;
    syntax->stopped |= syntax->hasty;
    if (!syntax->hasty)
        diag_error(syntax->diag, DIAG_LIT_TYPE, joined->span,
                   "these words are no type together; types are bool, char, short, int, long, "
                   "perhaps with 'unsigned' or 'signed' before all but bool");
}

struct ast_specs ast_specs_join(struct lit_syntax *syntax, struct ast_specs a, struct ast_specs b)
{
    uint32_t before = a.bits;
    a.bits |= b.bits;
    if (!a.structure.text)
        a.structure = b.structure;
    if (a.tags.count && b.tags.count)
        a.tags.last->next = b.tags.first;
    if (b.tags.count)
        a.tags = (struct ast_tags){a.tags.count ? a.tags.first : b.tags.first, b.tags.last,
                                   a.tags.count + b.tags.count};
    if (b.span.line)
        a.span = cover(a.span, b.span);
    check_words(syntax, before, &a);
    return a;
}

/* ---- Expressions ---- */

static uint32_t deeper(uint32_t depth, uint32_t other)
{
    return depth > other ? depth : other;
}

/* May its operands be grouped in any way? */
static bool is_balanced(const struct ast_expr *expr)
{
    return expr->kind == AST_COMMA ||
           (expr->kind == AST_BINARY && (expr->op == LIT_OP_AND || expr->op == LIT_OP_OR));
}

static bool is_chain(const struct ast_expr *expr)
{
    return expr->kind == AST_BINARY && !is_balanced(expr);
}

/* How many operands a part adds to the chain of the whole. Parts of equal weight are joined, as in
 * a binary counter. */
static uint32_t weigh(const struct ast_expr *expr, const struct ast_expr *whole)
{
    return expr->kind == whole->kind && expr->op == whole->op ? expr->weight : 1;
}

static bool may_assign(enum ast_expr_kind kind)
{
    return kind == AST_ASSIGN || kind == AST_STEP || kind == AST_CALL || kind == AST_METHOD;
}

/* Sets what an expression inherits from its parts, and cuts one that is too deep. */
static struct ast_expr *finish(struct lit_syntax *syntax, struct ast_expr *expr)
{
    const struct ast_expr *parts[] = {expr->a, expr->b, expr->c};
    uint32_t depth = 0;
    expr->changes = may_assign(expr->kind);
    expr->weight = is_balanced(expr) ? weigh(expr->a, expr) + weigh(expr->b, expr) : 1;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i]) {
            bool chained = i == 0 && is_chain(expr) && is_chain(parts[i]);
            depth = deeper(depth, parts[i]->depth - chained);
            expr->changes |= parts[i]->changes;
        }
    for (const struct ast_expr *arg = expr->args.first; arg; arg = arg->next)
        depth = deeper(depth, arg->depth);
    expr->depth = depth + 1;
    if (expr->depth <= AST_MAX_DEPTH)
        return expr;
    lit_syntax_too_deep(syntax, expr->span);
    return finish(syntax, AST_NEW(syntax, ast_expr, .kind = AST_NUMBER, .span = expr->span));
}

struct ast_expr *ast_expr(struct lit_syntax *syntax, struct ast_expr *whole)
{
    if (!is_balanced(whole))
        return finish(syntax, whole);
    const struct ast_expr *a = whole->a;
    for (; a->depth > AST_LONG_CHAIN && a->kind == whole->kind && a->op == whole->op &&
           weigh(a->b, whole) <= weigh(whole->b, whole);
         a = whole->a = a->a) {
        struct ast_expr *end = AST_COPY(syntax, ast_expr, whole);
        end->span = cover(a->b->span, whole->b->span);
        end->a = a->b;
        whole->b = finish(syntax, end);
    }
    return finish(syntax, whole);
}

const struct ast_expr *const *ast_chain(struct arena *arena, const struct ast_expr *expr,
                                        uint32_t *count)
{
    const struct ast_expr *at = expr;
    for (*count = 1; is_chain(at) && is_chain(at->a); at = at->a)
        ++*count;
    const struct ast_expr **links = ARENA_ARRAY(arena, const struct ast_expr *, *count);
    for (uint32_t i = *count; i-- > 0; expr = expr->a)
        links[i] = expr;
    return links;
}

/* ---- Statements ---- */

static void inherit(struct ast_stmt *stmt, const struct ast_stmt *part)
{
    if (!part)
        return;
    stmt->depth = deeper(stmt->depth, part->depth + 1);
    stmt->has_return |= part->has_return;
}

struct ast_stmt *ast_stmt(struct lit_syntax *syntax, struct ast_stmt *stmt)
{
    stmt->depth = 1;
    stmt->has_return = stmt->kind == AST_S_RETURN;
    inherit(stmt, stmt->a);
    inherit(stmt, stmt->b);
    for (const struct ast_stmt *part = stmt->body.first; part; part = part->next)
        inherit(stmt, part);
    if (stmt->depth <= AST_MAX_DEPTH)
        return stmt;
    lit_syntax_too_deep(syntax, stmt->span);
    return ast_stmt(syntax, AST_NEW(syntax, ast_stmt, .kind = AST_S_EMPTY, .span = stmt->span));
}

/* ---- Declarations of the initial state ---- */

/* The number that a literal stands for; false when it is more than a literal. */
static bool literal(struct lit_syntax *syntax, const struct ast_expr *expr,
                    struct ast_number *number)
{
    bool negative = expr->kind == AST_UNARY && expr->op == LIT_OP_NEG;
    const struct ast_expr *digits = negative ? expr->a : expr;
    if (digits->kind != AST_NUMBER)
        return false;
    bool large = digits->type == LIT_ULONG && digits->value < 0;
    *number = (struct ast_number){digits->value, large, false, digits->span};
    if (negative)
        *number = lit_syntax_negate(syntax, *number, expr->span);
    return true;
}

struct ast_value *ast_value(struct lit_syntax *syntax, struct ast_expr *expr)
{
    struct ast_value *value = AST_NEW(syntax, ast_value, .span = expr->span);
    if (!literal(syntax, expr, &value->number))
        value->expr = expr;
    if (expr->kind == AST_NAME || expr->kind == AST_ADDRESS)
        lit_syntax_alias(syntax, expr->span);
    return value;
}

struct ast_init *ast_init_given(struct ast_init *init, struct ast_value *value)
{
    init->list = value && value->list;
    if (init->list)
        init->values = value->values;
    else if (value)
        init->values = (struct ast_values){value, value, 1};
    return init;
}

void ast_init_more(struct lit_syntax *syntax, struct ast_init *init)
{
    const struct ast_init *before = syntax->test->inits.last;
    init->specs = before->specs;
    if (before->thread == AST_NO_THREAD)
        return;
    syntax->broken = true;
    diag_error(syntax->diag, DIAG_LIT_SYNTAX, init->name.span,
               "registers are initialised one by one; write '%d:%s' behind a ';'",
               (int)before->thread, init->name.text);
}

/* ---- Tables ---- */

void ast_row(struct lit_syntax *syntax, struct ast_threads *threads, const struct ast_cells *cells,
             struct span span)
{
    if (threads->count && cells->count != threads->count)
        lit_syntax_row(syntax, span, cells->count, threads->count);
    struct ast_cell *cell = cells->first;
    for (struct ast_thread *thread = threads->first; thread && cell; thread = thread->next) {
        struct ast_cell *next = cell->next;
        cell->next = NULL;
        if (cell->word.text || cell->label.text)
            CHAIN_ADD(&thread->cells, cell);
        cell = next;
    }
}

/* ---- Conditions ---- */

static uint32_t weigh_prop(const struct ast_prop *prop, enum lit_prop_op op)
{
    return prop->op == op ? prop->weight : 1;
}

static struct ast_prop *finish_prop(struct lit_syntax *syntax, struct ast_prop *prop)
{
    const struct ast_prop *a = prop->a, *b = prop->b;
    prop->weight = a ? weigh_prop(a, prop->op) + (b ? weigh_prop(b, prop->op) : 0) : 1;
    prop->depth = deeper(a ? a->depth : 0, b ? b->depth : 0) + 1;
    if (prop->depth <= AST_MAX_DEPTH)
        return prop;
    lit_syntax_too_deep(syntax, prop->span);
    return finish_prop(syntax, AST_NEW(syntax, ast_prop, .op = LIT_PROP_TRUE, .span = prop->span));
}

struct ast_prop *ast_prop(struct lit_syntax *syntax, struct ast_prop *whole)
{
    bool balanced = whole->op == LIT_PROP_AND || whole->op == LIT_PROP_OR;
    for (const struct ast_prop *a = whole->a;
         balanced && a->depth > AST_LONG_CHAIN && a->op == whole->op &&
         weigh_prop(a->b, whole->op) <= weigh_prop(whole->b, whole->op);
         a = whole->a = a->a) {
        struct ast_prop *end = AST_COPY(syntax, ast_prop, whole);
        end->span = cover(a->b->span, whole->b->span);
        end->a = a->b;
        whole->b = finish_prop(syntax, end);
    }
    return finish_prop(syntax, whole);
}

/* ---- The whole test ---- */

void ast_test_recovery(struct lit_syntax *syntax, bool restartable, struct ast_threads threads,
                       struct span span)
{
    struct ast_test *test = syntax->test;
    if (test->recovery_span.line) {
        diag_error(syntax->diag, DIAG_LIT_DUPLICATE, span,
                   "found a second recovery program; a test has one");
        return;
    }
    test->recovery_span = span;
    test->restartable = restartable;
    test->recovery = threads;
}

uint32_t ast_extent(struct lit_syntax *syntax, const struct ast_number *number)
{
    if (!number->bad && !number->large && number->value >= 1 && number->value <= LIT_MAX_THREADS)
        return (uint32_t)number->value;
    diag_error(syntax->diag, DIAG_LIT_NUMBER, number->span,
               "the extent of a grid or a block is out of range; expected 1 to %d",
               LIT_MAX_THREADS);
    return 1;
}

static struct ast_place *level(struct lit_syntax *syntax, const char *name, int64_t number,
                               struct span span)
{
    return AST_NEW(syntax, ast_place, .level = {intern_text(syntax->names, name), span},
                   .number = {.value = number, .span = span});
}

static uint64_t volume(const uint32_t extent[3])
{
    return (uint64_t)extent[0] * extent[1] * extent[2];
}

/* The threads of the launch, of kernel `kernel`. False after reporting that there are too many. */
static bool add_launched(struct lit_syntax *syntax, struct ast_threads *threads,
                         const struct ast_launch *launch, int64_t kernel)
{
    uint64_t block = volume(launch->block), all = block * volume(launch->grid);
    if (all > LIT_MAX_THREADS - threads->count) {
        diag_error(syntax->diag, DIAG_LIT_TOO_LARGE, launch->span,
                   "the launches have more than %d threads; make the grid or the blocks smaller",
                   LIT_MAX_THREADS);
        syntax->broken = true;
        return false;
    }
    uint32_t warp = syntax->test->dialect->warp;
    for (uint32_t i = 0; i < all; i++) {
        struct ast_thread *thread = AST_NEW(syntax, ast_thread, .number = threads->count,
                                            .span = launch->span, .launch = launch, .rank = i);
        CHAIN_ADD(&thread->places,
                  level(syntax, "sg", i % (uint32_t)block / (warp ? warp : 1), launch->span));
        CHAIN_ADD(&thread->places, level(syntax, "wg", i / (uint32_t)block, launch->span));
        CHAIN_ADD(&thread->places, level(syntax, "kr", kernel, launch->span));
        CHAIN_ADD(threads, thread);
    }
    return true;
}

static void add_command(struct lit_syntax *syntax, struct ast_thread *host, enum ast_stmt_kind kind,
                        int64_t kernel, struct span span)
{
    struct ast_stmt *stmt = AST_NEW(syntax, ast_stmt, .kind = kind, .span = span, .extent = span,
                                    .kernel = {.value = kernel, .span = span});
    CHAIN_ADD(&host->body, ast_stmt(syntax, stmt));
}

struct ast_threads ast_launched(struct lit_syntax *syntax, const struct ast_launchs *launches,
                                struct span span)
{
    struct ast_threads threads = {0};
    struct ast_thread *host = NULL;
    int64_t kernel = 0;
    if (launches->count > 1) {
        struct ast_tag *cpu =
            AST_NEW(syntax, ast_tag, .name = {intern_text(syntax->names, "cpu"), span});
        host = AST_NEW(syntax, ast_thread, .span = span, .end = span, .tags = {cpu, cpu, 1});
        CHAIN_ADD(&host->places, level(syntax, "dev", 1, span));
        CHAIN_ADD(&threads, host);
        syntax->test->hosts = true;
    }
    for (const struct ast_launch *at = launches->first; at; at = at->next) {
        kernel += host != NULL;
        if (!add_launched(syntax, &threads, at, kernel))
            break;
        if (host)
            add_command(syntax, host, AST_S_LAUNCH, kernel, at->span);
        if (host && at->next)
            add_command(syntax, host, AST_S_JOIN, kernel, at->span);
    }
    return threads;
}
