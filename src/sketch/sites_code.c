#include "sketch/sites_run.h"
#include "litmus/lit_words.h"

#include <string.h>

/* Where a statement stands. */
enum standing { IN_LIST, ALONE }; /* ALONE: something has to stand there */

static bool is_at(const struct lit_instr *instr, const struct span *span)
{
    return instr->span.source == span->source && instr->span.line == span->line &&
           instr->span.column == span->column;
}

const struct lit_instr *sites_instr(const struct sites_run *run, const struct span *span,
                                    enum lit_instr_op op)
{
    EACH (const struct lit_instr, instr, run->thread->code, run->thread->code_count)
        if (instr->op == op && is_at(instr, span) && !instr->name)
            return instr;
    return NULL;
}

static struct site site_at(const struct sites_run *run, enum site_form form, struct span span)
{
    return (struct site){.form = form,
                         .begin = lit_edit_begin(&run->edits, span),
                         .end = lit_edit_end(&run->edits, span),
                         .span = span,
                         .thread = run->thread};
}

/* ---- Words ---- */

static struct site_word word_at(const struct sites_run *run, const struct ast_expr *arg)
{
    return (struct site_word){.open = true,
                              .begin = lit_edit_begin(&run->edits, arg->span),
                              .end = lit_edit_end(&run->edits, arg->span),
                              .spelling = sites_spelling(arg->name.text)};
}

static struct site_word no_word(size_t at, const struct lit_spelling *spelling, const char *before)
{
    return (struct site_word){true, at, at, spelling, before};
}

/* The words behind the values of a call: of orders, at most two, and of a scope. */
struct words {
    const struct ast_expr *orders[2], *scope, *last;
    uint32_t order_count;
};

static struct words words_of(const struct ast_expr *expr)
{
    struct words words = {.last = expr->args.last};
    uint32_t value;
    for (const struct ast_expr *arg = expr->args.first; arg; arg = arg->next) {
        enum lit_word_class class =
            arg->kind == AST_NAME ? lit_word_class(arg->name.text, &value) : LIT_WORD_OTHER;
        if (class == LIT_WORD_ORDER && words.order_count < 2)
            words.orders[words.order_count++] = arg;
        if (class == LIT_WORD_SCOPE)
            words.scope = arg;
    }
    return words;
}

/* That of the scope; where none stands, what puts one behind the last argument. */
static struct site_word scope_word(const struct sites_run *run, const struct words *words)
{
    if (words->scope)
        return word_at(run, words->scope);
    return no_word(lit_edit_end(&run->edits, words->last->span),
                   words->order_count ? sites_spelling(words->orders[0]->name.text)
                                      : &lit_spelling_short,
                   ", ");
}

/* ---- Accesses ---- */

static void add_word(struct sites_run *run, struct site site, struct site_word word)
{
    *(site.form == SITE_ORDER ? &site.order : &site.scope) = word;
    site.begin = word.begin;
    site.end = word.end;
    VEC_PUSH(&run->sites, site);
}

/* One without words for order and scope, which are seq_cst and device. */
static void add_wordless(struct sites_run *run, struct site site, const struct ast_expr *expr)
{
    size_t close = site.end - 1;
    bool method = expr->kind == AST_METHOD;
    site.order = no_word(close, &lit_spelling_short, expr->args.count ? ", " : "");
    site.scope = no_word(close, &lit_spelling_short, ", ");
    site.begin = method ? close : lit_edit_begin(&run->edits, expr->name.span);
    site.explicit = method ? 0 : lit_edit_end(&run->edits, expr->name.span);
    VEC_PUSH(&run->sites, site);
}

static void add_access(struct sites_run *run, const struct ast_expr *expr,
                       const struct lit_instr *instr)
{
    const struct words words = words_of(expr);
    struct site site = site_at(run, SITE_ACCESS, expr->span);
    site.instr = instr;
    if (!words.order_count && !words.scope) {
        add_wordless(run, site, expr);
        return;
    }
    site.form = SITE_ORDER;
    for (uint32_t i = 0; i < words.order_count; i++) {
        site.fails = i > 0;
        add_word(run, site, word_at(run, words.orders[i]));
    }
    site.fails = false;
    site.form = SITE_SCOPE;
    add_word(run, site, scope_word(run, &words));
}

static void visit_call(struct sites_run *run, const struct ast_expr *expr)
{
    const struct lit_call *call = expr->kind == AST_METHOD ? lit_word_method(expr->name.text)
                                                           : lit_word_function(expr->name.text);
    if (!call || !lit_instruction_accesses(call->instr))
        return;
    const struct lit_instr *instr = sites_instr(run, &expr->span, call->instr);
    if (instr)
        add_access(run, expr, instr);
}

static void visit_expr(struct sites_run *run, const struct ast_expr *expr)
{
    for (; expr; expr = expr->a) {
        if (expr->kind == AST_METHOD || expr->kind == AST_CALL)
            visit_call(run, expr);
        for (const struct ast_expr *arg = expr->args.first; arg; arg = arg->next)
            visit_expr(run, arg);
        visit_expr(run, expr->b);
        visit_expr(run, expr->c);
    }
}

/* ---- Statements ---- */

static void add_statement(struct sites_run *run, struct site site, const struct ast_stmt *stmt,
                          enum standing standing)
{
    site.begin = lit_edit_begin(&run->edits, stmt->extent);
    site.end = lit_edit_end(&run->edits, stmt->extent);
    site.gone = standing == ALONE ? ";" : "";
    site.before = site.behind = "";
    VEC_PUSH(&run->sites, site);
}

const struct lit_instr *sites_only_fences(const struct sites_run *run, const struct span *span)
{
    const struct lit_instr *first = NULL;
    EACH (const struct lit_instr, instr, run->thread->code, run->thread->code_count) {
        if (!is_at(instr, span))
            continue;
        if ((instr->op != LIT_FENCE && instr->op != LIT_CM) ||
            (instr->tags & lit_program_marks(run->program)))
            return NULL;
        first = first ? first : instr;
    }
    return first;
}

/* The part of a barrier's name that is its scope; the word among its arguments. */
static struct site_word barrier_word(const struct sites_run *run, const struct ast_expr *expr)
{
    static const char name[] = "p_barrier_";
    const struct words words = words_of(expr);
    if (words.scope)
        return word_at(run, words.scope);
    return (struct site_word){.open = true,
                              .begin = lit_edit_begin(&run->edits, expr->name.span) + strlen(name),
                              .end = lit_edit_end(&run->edits, expr->name.span),
                              .spelling = &lit_spelling_suffix};
}

/* A call that stands as a statement; false: it is none that may go. */
static bool visit_ordering(struct sites_run *run, const struct ast_stmt *stmt,
                           enum standing standing)
{
    const struct ast_expr *expr = stmt->expr;
    const struct lit_call *call = lit_word_function(expr->name.text);
    struct site site = site_at(run, SITE_CALL, expr->span);
    site.instr = call ? sites_instr(run, &expr->span, call->instr) : NULL;
    if (site.instr && call->instr == LIT_PBARRIER) {
        site.form = SITE_BARRIER;
        site.scope = barrier_word(run, expr);
    } else if (site.instr && call->instr == LIT_FENCE) {
        const struct words words = words_of(expr);
        site.form = SITE_FENCE;
        site.order = word_at(run, words.orders[0]);
        site.scope = scope_word(run, &words);
    } else {
        site.instr = sites_only_fences(run, &expr->span);
        if (run->program->weaker_count && expr->args.count == 1 && site.instr)
            site.location = lit_edit_text(&run->edits, expr->args.first->span);
    }
    if (site.instr)
        add_statement(run, site, stmt, standing);
    return site.instr;
}

/* ---- Slots ---- */

bool sites_matters(const struct sites_run *run, const struct span *extent)
{
    return ANY(i, run->thread->code_count,
               !lit_instruction_is(run->thread->code[i].op, LIT_PRIVATE) &&
                   span_begins_in(run->thread->code[i].span, *extent));
}

/* In front of what begins there, behind the statement of that site. */
static void add_slot(struct sites_run *run, struct span span, uint32_t before)
{
    size_t at = lit_edit_begin(&run->edits, span);
    VEC_PUSH(&run->sites, (struct site){.form = SITE_SLOT,
                                        .thread = run->thread,
                                        .span = span,
                                        .begin = at,
                                        .end = at,
                                        .gone = "",
                                        .before = "",
                                        .behind = " ",
                                        .beside = {before, 0}});
}

/* ---- All statements ---- */

static void visit(struct sites_run *run, const struct ast_stmt *stmt, enum standing standing);

/* The number, from 1, of the one site behind so many, if it is of a call; else 0. */
static uint32_t call_behind(const struct sites_run *run, size_t count)
{
    const bool one = run->sites.count == count + 1 && run->sites.items[count].form == SITE_CALL;
    return one ? (uint32_t)count + 1 : 0;
}

/* `end`: where the list does, NULL: not known. The number of the site of its last statement, from 1,
 * if that is a call; else 0. */
static uint32_t visit_list(struct sites_run *run, const struct ast_stmts *list, bool slots,
                           const struct span *end)
{
    bool repairs = slots && run->wish->aim == SITES_REPAIR;
    uint32_t before = 0, flush = 0;
    if (repairs && run->wish->swaps)
        sites_swaps(run, list);
    for (const struct ast_stmt *stmt = list->first; stmt; stmt = stmt->next) {
        const bool matters = sites_matters(run, &stmt->extent);
        if (repairs && matters)
            add_slot(run, stmt->extent, before);
        const size_t count = run->sites.count;
        visit(run, stmt, slots ? IN_LIST : ALONE);
        if (matters)
            before = call_behind(run, count);
        if (repairs && matters && before)
            run->sites.items[count - 1].beside[1] = before;
        if (flush && matters)
            run->sites.items[flush - 1].beside[1] = before;
        const size_t last = run->sites.count;
        if (repairs)
            sites_flush(run, stmt, stmt->next ? &stmt->next->extent : end);
        flush = run->sites.count > last ? (uint32_t)run->sites.count : 0;
    }
    return before;
}

static void visit(struct sites_run *run, const struct ast_stmt *stmt, enum standing standing)
{
    const struct ast_expr *expr = stmt->expr;
    bool call = stmt->kind == AST_S_EXPR && stmt->extent.line && /* the head of a `for` has none */
                (expr->kind == AST_CALL || expr->kind == AST_NAME);
    if (!call || !visit_ordering(run, stmt, standing))
        visit_expr(run, expr);
    if (stmt->a)
        visit(run, stmt->a, ALONE);
    if (stmt->b)
        visit(run, stmt->b, ALONE);
    visit_expr(run, stmt->step);
    bool block = stmt->kind == AST_S_BLOCK &&
                 run->edits.source->text[lit_edit_begin(&run->edits, stmt->extent)] == '{';
    (void)visit_list(run, &stmt->body, block, NULL);
}

void sites_code(struct sites_run *run, const struct ast_thread *thread)
{
    uint32_t last = visit_list(run, &thread->body, true, &thread->end);
    if (run->wish->aim == SITES_REPAIR)
        add_slot(run, thread->end, last);
}
