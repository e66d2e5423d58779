/* Operators: the sorts they ask for, and the messages about wrong ones. */
#include "cat/cat_resolve.h"

static const char *sort_text(enum cat_sort sort)
{
    return sort == CAT_SET ? "a set" : "a relation";
}

enum { TEXT_MAX = 40 };

/* The source text of an expression, NULL when it is long or spans lines. */
static const char *written(struct cat_resolver *resolver, const struct cat_expr *expr)
{
    const struct span *span = &expr->span;
    size_t length;
    if (!span->source || span->line != span->end_line)
        return NULL;
    const char *line = source_line(span->source, span->line, &length);
    if (span->end_column <= span->column || span->end_column - 1u > length ||
        span->end_column - span->column > TEXT_MAX)
        return NULL;
    return arena_strndup(resolver->scratch, line + span->column - 1,
                         span->end_column - span->column);
}

const char *cat_resolve_text(struct cat_resolver *resolver, const struct cat_expr *expr)
{
    const char *text = written(resolver, expr);
    if (text && expr->kind == CAT_EXPR_TAG)
        return text; /* it has its quote */
    return text ? arena_printf(resolver->scratch, "'%s'", text) : "this expression";
}

/* ---- Wrong sorts ---- */

/* "[R]" for R; NULL of a longer expression. */
static const char *in_brackets(struct cat_resolver *resolver, const struct cat_expr *expr)
{
    const char *text = written(resolver, expr);
    return text ? arena_printf(resolver->scratch, "[%s]", text) : NULL;
}

static const char *set_hint(struct cat_resolver *resolver, const struct cat_expr *expr)
{
    const char *meant = in_brackets(resolver, expr);
    return meant ? arena_printf(resolver->scratch, "did you mean %s?", meant)
                 : "put it in brackets: [S] relates each event of S to itself";
}

/* Of the error that was reported at `span`. */
static void hint_brackets(struct cat_resolver *resolver, struct span span,
                          const struct cat_expr *set)
{
    diag_meant_within(resolver->diag, span, set->span, written(resolver, set),
                      in_brackets(resolver, set));
}

static const char *relation_hint(struct cat_resolver *resolver, const struct cat_expr *expr)
{
    const char *text = expr->kind == CAT_EXPR_NAME ? expr->name : NULL;
    return text ? arena_printf(resolver->scratch, "did you mean domain(%s) or range(%s)?", text,
                               text)
                : "take its domain() or range()";
}

static void report_kind(struct cat_resolver *resolver, struct cat_value value,
                        const struct cat_expr *expr, const char *place)
{
    if (!cat_resolve_news(resolver, DIAG_CAT_FUNCTION, expr->span))
        return;
    const char *text = cat_resolve_text(resolver, expr);
    const char *mend = value.kind == CAT_VALUE_FUNCTION || value.kind == CAT_VALUE_PRIMITIVE
                           ? "; give it its arguments"
                       : value.kind == CAT_VALUE_TAG    ? "; its events are 'tag2events(...)'"
                       : value.kind == CAT_VALUE_ORDERS ? "; pick one by 'with order from ...'"
                                                        : "";
    cat_resolve_error(resolver, DIAG_CAT_FUNCTION, expr->span,
                      "%s is %s, where %s expects a set or a relation%s", text,
                      cat_value_text(resolver, value), place, mend);
}

/* Not a set and not a relation: reported, unless it is broken. */
static bool is_plain(struct cat_resolver *resolver, struct cat_value value,
                     const struct cat_expr *expr, const char *place)
{
    if (value.kind == CAT_VALUE_NODE || value.kind == CAT_VALUE_EMPTY)
        return true;
    if (value.kind != CAT_VALUE_BROKEN)
        report_kind(resolver, value, expr, place);
    return false;
}

static cat_node_id make(struct cat_resolver *resolver, enum cat_op op, enum cat_sort sort,
                        cat_node_id a, cat_node_id b, struct span span)
{
    if (resolver->probing)
        return CAT_NONE;
    return cat_graph_node(&resolver->graph, op, sort, a, b, span);
}

bool cat_resolve_want(struct cat_resolver *resolver, struct cat_value value, enum cat_sort sort,
                      const struct cat_expr *expr, const char *place, cat_node_id *node)
{
    if (!is_plain(resolver, value, expr, place))
        return false;
    if (value.kind == CAT_VALUE_EMPTY) {
        *node = make(resolver, CAT_EMPTY, sort, CAT_NONE, CAT_NONE, expr->span);
        return true;
    }
    if (value.sort == sort) {
        *node = value.node;
        return true;
    }
    if (!cat_resolve_news(resolver, DIAG_CAT_SORT, expr->span))
        return false;
    cat_resolve_error(resolver, DIAG_CAT_SORT, expr->span, "%s is %s, where %s expects %s; %s",
                      cat_resolve_text(resolver, expr), sort_text(value.sort), place,
                      sort_text(sort),
                      sort == CAT_REL ? set_hint(resolver, expr) : relation_hint(resolver, expr));
    if (sort == CAT_REL)
        hint_brackets(resolver, expr->span, expr);
    return false;
}

/* ---- One operand ---- */

/* Of operators at both sorts nobody asks here. */
enum { OF_SET = CAT_SET, OF_REL = CAT_REL, OF_BOTH = CAT_REL };

static const struct operand {
    const char *place;
    enum cat_sort in, out;
} operands[] = {
#define X(name, arity, text, operands, value, title) \
    {title, (enum cat_sort)OF_##operands, (enum cat_sort)OF_##value},
    CAT_OPERATORS(X)
#undef X
};

/* `operand` is what the value was written as. */
struct cat_value cat_resolve_apply_op(struct cat_resolver *resolver, enum cat_op op,
                                      struct cat_value a, const struct cat_expr *operand,
                                      struct span span)
{
    cat_node_id node;
    if (!cat_resolve_want(resolver, a, operands[op].in, operand, operands[op].place, &node))
        return CAT_BROKEN;
    return cat_value_node(operands[op].out,
                          make(resolver, op, operands[op].out, node, CAT_NONE, span));
}

/* The complement of nothing is everything; while probing, `0` may stand for a member
 * of unknown sort, and then its complement's sort is unknown too. */
static struct cat_value complement(struct cat_resolver *resolver, const struct cat_expr *expr,
                                   struct cat_value a)
{
    cat_node_id node;
    if (a.kind == CAT_VALUE_LIST)
        return cat_list_complement(resolver, expr, a);
    if (!is_plain(resolver, a, expr->a, "'~'"))
        return CAT_BROKEN;
    if (resolver->probing && a.kind == CAT_VALUE_EMPTY)
        return a;
    if (!cat_resolve_want(resolver, a, a.sort, expr->a, "'~'", &node))
        return CAT_BROKEN;
    return cat_value_node(a.sort, make(resolver, CAT_COMP, a.sort, node, CAT_NONE, expr->span));
}

struct cat_value cat_resolve_unary(struct cat_resolver *resolver, const struct cat_expr *expr,
                                   struct cat_value a)
{
    if (expr->op == CAT_COMP)
        return complement(resolver, expr, a);
    return cat_resolve_apply_op(resolver, expr->op, a, expr->a, expr->span);
}

/* ---- Two operands ---- */

static void report_mixed(struct cat_resolver *resolver, const struct cat_expr *expr,
                         struct cat_value a, struct cat_value b)
{
    static const char *const signs[] = {[CAT_UNION] = "|", [CAT_INTER] = "&", [CAT_DIFF] = "\\"};
    const struct cat_expr *set = a.sort == CAT_SET ? expr->a : expr->b;
    if (!cat_resolve_news(resolver, DIAG_CAT_SORT, expr->span))
        return;
    cat_resolve_error(resolver, DIAG_CAT_SORT, expr->span,
                      "'%s' has %s on its left, %s, and %s on its right, %s; both must be of one "
                      "sort: %s",
                      signs[expr->op], sort_text(a.sort), cat_resolve_text(resolver, expr->a),
                      sort_text(b.sort), cat_resolve_text(resolver, expr->b),
                      set_hint(resolver, set));
    hint_brackets(resolver, expr->span, set);
}

/* `|`, `&`, `\`: two sets or two relations; an empty operand takes the other's sort. */
static struct cat_value same_sort(struct cat_resolver *resolver, const struct cat_expr *expr,
                                  struct cat_value a, struct cat_value b)
{
    static const char *const places[] = {
        [CAT_UNION] = "'|'", [CAT_INTER] = "'&'", [CAT_DIFF] = "'\\'"};
    const char *place = places[expr->op];
    if (a.kind == CAT_VALUE_LIST || b.kind == CAT_VALUE_LIST)
        return cat_list_binary(resolver, expr, a, b);
    bool plain_a = is_plain(resolver, a, expr->a, place);
    bool plain_b = is_plain(resolver, b, expr->b, place);
    if (!plain_a || !plain_b)
        return CAT_BROKEN;
    if (a.kind == CAT_VALUE_EMPTY && b.kind == CAT_VALUE_EMPTY)
        return a;
    enum cat_sort sort = a.kind == CAT_VALUE_NODE ? a.sort : b.sort;
    if (a.kind == CAT_VALUE_NODE && b.kind == CAT_VALUE_NODE && a.sort != b.sort) {
        report_mixed(resolver, expr, a, b);
        return CAT_BROKEN;
    }
    cat_node_id left, right;
    if (!cat_resolve_want(resolver, a, sort, expr->a, place, &left) ||
        !cat_resolve_want(resolver, b, sort, expr->b, place, &right))
        return CAT_BROKEN;
    return cat_value_node(sort, make(resolver, expr->op, sort, left, right, expr->span));
}

/* `r* s` reads as a product; somebody who wrote it meant the closure. */
static bool meant_closure(struct cat_resolver *resolver, const struct cat_expr *expr,
                          struct cat_value a)
{
    if (expr->op != CAT_PRODUCT || a.kind != CAT_VALUE_NODE || a.sort != CAT_REL)
        return false;
    if (!cat_resolve_news(resolver, DIAG_CAT_SORT, expr->a->span))
        return true;
    cat_resolve_error(resolver, DIAG_CAT_SORT, expr->a->span,
                      "%s is a relation, where the product '*' expects a set; a closure that is "
                      "followed by another relation needs ';' after its '*'",
                      cat_resolve_text(resolver, expr->a));
    return true;
}

struct cat_value cat_resolve_binary(struct cat_resolver *resolver, const struct cat_expr *expr,
                                    struct cat_value a, struct cat_value b)
{
    if (expr->op == CAT_UNION || expr->op == CAT_INTER || expr->op == CAT_DIFF)
        return same_sort(resolver, expr, a, b);
    if (meant_closure(resolver, expr, a))
        return CAT_BROKEN;
    const struct operand *wants = &operands[expr->op];
    cat_node_id left, right;
    bool fits_a = cat_resolve_want(resolver, a, wants->in, expr->a, wants->place, &left);
    bool fits_b = cat_resolve_want(resolver, b, wants->in, expr->b, wants->place, &right);
    if (!fits_a || !fits_b)
        return CAT_BROKEN;
    return cat_value_node(wants->out,
                          make(resolver, expr->op, wants->out, left, right, expr->span));
}
