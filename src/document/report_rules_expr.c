#include "document/report_rules_expr.h"

#include "exec/exec_basis.h"
#include "report/report_string.h"

#include <string.h>

/* How tight an expression binds. */
enum level { ANY, UNIONS, SEQUENCES, MEETS, PREFIXES, CLOSURES, PRIMARIES };

static void add(const struct cat_expr *expr, enum level least, struct strbuf *out);

bool report_rules_has_signs(const struct cat_expr *expr)
{
    const struct cat_expr *item = expr->items.first;
    switch (expr->kind) {
    case CAT_EXPR_NAME:
    case CAT_EXPR_EMPTY:
    case CAT_EXPR_UNIVERSE:
    case CAT_EXPR_TAG: return true;
    case CAT_EXPR_UNARY: return report_rules_has_signs(expr->a);
    case CAT_EXPR_BINARY:
    case CAT_EXPR_APPLY:
    case CAT_EXPR_ADD: return report_rules_has_signs(expr->a) && report_rules_has_signs(expr->b);
    case CAT_EXPR_TUPLE:
    case CAT_EXPR_LIST:
        while (item && report_rules_has_signs(item))
            item = item->next;
        return !item;
    default: return false;
    }
}

/* Sets of the tool, and what is called as they are, look like sets. */
static void add_name(const char *name, struct strbuf *out)
{
    const struct cat_basis *basis = exec_basis();
    bool is_set = *name >= 'A' && *name <= 'Z';
    for (uint32_t i = 0; i < basis->count; i++)
        if (strcmp(basis->names[i].name, name) == 0)
            is_set = basis->names[i].sort == CAT_SET;
    strbuf_add(out, is_set ? "\\crashlitset{" : "\\crashlitname{");
    report_tex_text(out, name);
    strbuf_add(out, "}");
}

static void add_items(const struct cat_exprs *items, struct strbuf *out)
{
    for (const struct cat_expr *at = items->first; at; at = at->next) {
        add(at, ANY, out);
        strbuf_add(out, at->next ? ", " : "");
    }
}

static void add_between(const char *before, const struct cat_expr *expr, const char *behind,
                        struct strbuf *out)
{
    strbuf_add(out, before);
    add(expr, ANY, out);
    strbuf_add(out, behind);
}

static void add_unary(const struct cat_expr *expr, struct strbuf *out)
{
    switch ((int)expr->op) {
    case CAT_COMP:
        strbuf_add(out, "\\neg ");
        add(expr->a, CLOSURES, out);
        return;
    case CAT_TOID: add_between("[", expr->a, "]", out); return;
    case CAT_DOMAIN: add_between("\\mathrm{dom}(", expr->a, ")", out); return;
    case CAT_RANGE: add_between("\\mathrm{rng}(", expr->a, ")", out); return;
    default: add(expr->a, PRIMARIES, out);
    }
    strbuf_add(out, expr->op == CAT_PLUS   ? "^{+}"
                    : expr->op == CAT_STAR ? "^{*}"
                    : expr->op == CAT_OPT  ? "^{?}"
                                           : "^{-1}");
}

struct sign {
    enum level own, left, right;
    const char *text;
};

/* A sequence has no products, meets and differences in it without parentheses, nor have these each other. */
static struct sign sign_of(const struct cat_expr *expr)
{
    switch ((int)expr->op) {
    case CAT_UNION: return (struct sign){UNIONS, UNIONS, UNIONS, " \\cup "};
    case CAT_SEQ: return (struct sign){SEQUENCES, SEQUENCES, SEQUENCES, " \\mathbin{;} "};
    case CAT_INTER: return (struct sign){MEETS, PREFIXES, PREFIXES, " \\cap "};
    case CAT_DIFF: return (struct sign){MEETS, PREFIXES, PREFIXES, " \\setminus "};
    default: return (struct sign){MEETS, PRIMARIES, PRIMARIES, " \\times "};
    }
}

/* A chain of one sign that may be grouped in any way. */
static bool goes_on(const struct cat_expr *expr, const struct cat_expr *part)
{
    return expr->op == CAT_INTER && part->kind == CAT_EXPR_BINARY && part->op == CAT_INTER;
}

static bool is_in_sequence(const struct cat_expr *expr, const struct cat_expr *part)
{
    return expr->op == CAT_SEQ && part->kind == CAT_EXPR_BINARY && sign_of(part).own == MEETS;
}

static void add_part(const struct cat_expr *expr, const struct cat_expr *part, enum level least,
                     struct strbuf *out)
{
    add(part, goes_on(expr, part) ? MEETS : is_in_sequence(expr, part) ? PREFIXES : least, out);
}

static enum level level_of(const struct cat_expr *expr)
{
    if (expr->kind == CAT_EXPR_BINARY)
        return sign_of(expr).own;
    if (expr->kind == CAT_EXPR_ADD)
        return UNIONS;
    if (expr->kind != CAT_EXPR_UNARY || expr->op == CAT_TOID || expr->op == CAT_DOMAIN ||
        expr->op == CAT_RANGE)
        return PRIMARIES;
    return expr->op == CAT_COMP ? PREFIXES : CLOSURES;
}

/* Of one argument, parentheses are its own. */
static void add_apply(const struct cat_expr *expr, struct strbuf *out)
{
    static const char *const signs[][2] = {{"domain", "dom"}, {"range", "rng"}};
    const char *word = NULL;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (expr->a->kind == CAT_EXPR_NAME && strcmp(expr->a->name, signs[i][0]) == 0)
            word = signs[i][1];
    if (word)
        strbuf_printf(out, "\\mathrm{%s}", word);
    else
        add(expr->a, PRIMARIES, out);
    strbuf_add(out, expr->b->kind == CAT_EXPR_TUPLE ? "" : "(");
    add(expr->b, ANY, out);
    strbuf_add(out, expr->b->kind == CAT_EXPR_TUPLE ? "" : ")");
}

static void add_bare(const struct cat_expr *expr, struct strbuf *out)
{
    switch (expr->kind) {
    case CAT_EXPR_NAME: add_name(expr->name, out); break;
    case CAT_EXPR_EMPTY: strbuf_add(out, "\\emptyset "); break;
    case CAT_EXPR_UNIVERSE: strbuf_add(out, "\\mathcal{E}"); break;
    case CAT_EXPR_TAG:
        strbuf_add(out, "\\texttt{");
        report_tex_text(out, expr->name);
        strbuf_add(out, "}");
        break;
    case CAT_EXPR_UNARY: add_unary(expr, out); break;
    case CAT_EXPR_BINARY:
        add_part(expr, expr->a, sign_of(expr).left, out);
        strbuf_add(out, sign_of(expr).text);
        add_part(expr, expr->b, sign_of(expr).right, out);
        break;
    case CAT_EXPR_APPLY: add_apply(expr, out); break;
    case CAT_EXPR_ADD:
        add(expr->a, SEQUENCES, out);
        strbuf_add(out, " \\mathbin{+\\!+} ");
        add(expr->b, UNIONS, out);
        break;
    case CAT_EXPR_TUPLE:
    case CAT_EXPR_LIST:
        strbuf_add(out, expr->kind == CAT_EXPR_TUPLE ? "(" : "\\{");
        add_items(&expr->items, out);
        strbuf_add(out, expr->kind == CAT_EXPR_TUPLE ? ")" : "\\}");
        break;
    default: break; /* it has no sign */
    }
}

static void add(const struct cat_expr *expr, enum level least, struct strbuf *out)
{
    bool grouped = level_of(expr) < least;
    strbuf_add(out, grouped ? "(" : "");
    add_bare(expr, out);
    strbuf_add(out, grouped ? ")" : "");
}

void report_rules_expr(const struct cat_expr *expr, struct strbuf *out)
{
    add_between("\\(", expr, "\\)", out);
}

static void add_pattern(const struct cat_pattern *pattern, bool bare, struct strbuf *out)
{
    bare &= !pattern->tuple;
    strbuf_add(out, bare ? "" : "(");
    for (const struct cat_name *at = pattern->names.first; at; at = at->next) {
        add_name(at->text ? at->text : "_", out);
        strbuf_add(out, at->next ? ", " : "");
    }
    strbuf_add(out, bare ? "" : ")");
}

void report_rules_binding(const struct cat_binding *binding, struct strbuf *out)
{
    const struct cat_expr *expr = binding->expr;
    const bool is_function = expr->kind == CAT_EXPR_FUN && expr->name;
    strbuf_add(out, "\\(");
    add_pattern(binding->pattern, true, out);
    if (is_function)
        add_pattern(expr->pattern, false, out);
    strbuf_add(out, " = ");
    add(is_function ? expr->a : expr, ANY, out);
    strbuf_add(out, "\\)");
}
