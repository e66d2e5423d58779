#include "cat/cat_ast.h"

#define JOIN(list, one)                 \
    do {                                \
        if ((list)->last)               \
            (list)->last->next = (one); \
        else                            \
            (list)->first = (one);      \
        (list)->last = (one);           \
        (list)->count++;                \
    } while (0)

struct cat_names cat_names_one(struct arena *arena, const char *text, struct span span)
{
    struct cat_name *name = ARENA_NEW(arena, struct cat_name);
    name->text = text;
    name->span = span;
    return (struct cat_names){name, name, 1};
}

struct cat_names cat_names_join(struct cat_names list, struct cat_names one)
{
    JOIN(&list, one.first);
    return list;
}

struct cat_exprs cat_exprs_join(struct cat_exprs list, struct cat_expr *one)
{
    JOIN(&list, one);
    return list;
}

struct cat_bindings cat_bindings_join(struct cat_bindings list, struct cat_binding *one)
{
    JOIN(&list, one);
    return list;
}

void cat_instrs_add(struct cat_instrs *list, struct cat_instr *one)
{
    if (one)
        JOIN(list, one);
}

struct cat_clauses cat_clauses_join(struct cat_clauses list, struct cat_clauses more)
{
    for (struct cat_clause *at = more.first, *next; at; at = next) {
        next = at->next;
        JOIN(&list, at);
    }
    return list;
}

struct cat_pattern *cat_pattern_of(struct arena *arena, struct cat_names formals, struct span span)
{
    struct cat_pattern *pattern = ARENA_NEW(arena, struct cat_pattern);
    pattern->tuple = formals.count != 1;
    pattern->names = formals;
    pattern->span = span;
    return pattern;
}

struct cat_expr *cat_expr_leaf(struct arena *arena, enum cat_expr_kind kind, struct span span)
{
    struct cat_expr *expr = ARENA_NEW(arena, struct cat_expr);
    expr->kind = kind;
    expr->depth = 1;
    expr->span = span;
    return expr;
}

static void deepen(struct cat_expr *expr, const struct cat_expr *below)
{
    if (below && below->depth >= expr->depth)
        expr->depth = below->depth + 1;
}

static void deepen_bindings(struct cat_expr *expr, const struct cat_bindings *bindings)
{
    for (const struct cat_binding *at = bindings->first; at; at = at->next)
        deepen(expr, at->expr);
}

struct cat_expr *cat_expr_name(struct arena *arena, const char *name, struct span span)
{
    struct cat_expr *expr = cat_expr_leaf(arena, CAT_EXPR_NAME, span);
    expr->name = name;
    return expr;
}

struct cat_expr *cat_expr_empty(struct arena *arena, enum cat_sort sort, struct span span)
{
    struct cat_expr *expr = cat_expr_leaf(arena, CAT_EXPR_EMPTY, span);
    expr->sort = sort;
    return expr;
}

struct cat_expr *cat_expr_pair(struct arena *arena, enum cat_expr_kind kind,
                               const struct cat_expr *a, const struct cat_expr *b, struct span span)
{
    struct cat_expr *expr = cat_expr_leaf(arena, kind, span);
    expr->a = a;
    expr->b = b;
    deepen(expr, a);
    deepen(expr, b);
    return expr;
}

struct cat_expr *cat_expr_unary(struct arena *arena, enum cat_op op, const struct cat_expr *a,
                                struct span span)
{
    struct cat_expr *expr = cat_expr_pair(arena, CAT_EXPR_UNARY, a, NULL, span);
    expr->op = op;
    return expr;
}

static struct cat_expr *operation(struct arena *arena, enum cat_op op, const struct cat_expr *a,
                                  const struct cat_expr *b, struct span span)
{
    struct cat_expr *expr = cat_expr_pair(arena, CAT_EXPR_BINARY, a, b, span);
    expr->op = op;
    return expr;
}

static bool continues(const struct cat_expr *expr, enum cat_op op)
{
    return expr->kind == CAT_EXPR_BINARY && expr->op == op;
}

static uint32_t weigh(const struct cat_expr *expr, enum cat_op op)
{
    return continues(expr, op) ? expr->weight : 1;
}

struct cat_expr *cat_expr_binary(struct arena *arena, enum cat_op op, const struct cat_expr *a,
                                 const struct cat_expr *b, struct span span)
{
    bool associates = op == CAT_UNION || op == CAT_INTER || op == CAT_SEQ;
    /* As a binary counter does: two parts of equal weight become one. */
    while (associates && a->depth > CAT_LONG_CHAIN && continues(a, op) &&
           weigh(a->b, op) <= weigh(b, op)) {
        struct span both = a->b->span;
        both.end_line = b->span.end_line;
        both.end_column = b->span.end_column;
        struct cat_expr *joined = operation(arena, op, a->b, b, both);
        joined->weight = weigh(a->b, op) + weigh(b, op);
        b = joined;
        a = a->a;
    }
    struct cat_expr *expr = operation(arena, op, a, b, span);
    expr->weight = weigh(a, op) + weigh(b, op);
    return expr;
}

struct cat_expr *cat_expr_tuple(struct arena *arena, struct cat_exprs items, struct span span)
{
    struct cat_expr *expr = cat_expr_leaf(arena, CAT_EXPR_TUPLE, span);
    expr->items = items;
    for (const struct cat_expr *at = items.first; at; at = at->next)
        deepen(expr, at);
    return expr;
}

struct cat_expr *cat_expr_fun(struct arena *arena, const char *name,
                              const struct cat_pattern *pattern, const struct cat_expr *body,
                              struct span span)
{
    struct cat_expr *expr = cat_expr_pair(arena, CAT_EXPR_FUN, body, NULL, span);
    expr->name = name;
    expr->pattern = pattern;
    return expr;
}

struct cat_expr *cat_expr_let(struct arena *arena, enum cat_expr_kind kind,
                              struct cat_bindings bindings, const struct cat_expr *body,
                              struct span span)
{
    struct cat_expr *expr = cat_expr_pair(arena, kind, body, NULL, span);
    expr->bindings = bindings;
    deepen_bindings(expr, &bindings);
    return expr;
}

struct cat_expr *cat_expr_list(struct arena *arena, struct cat_exprs items, struct span span)
{
    struct cat_expr *expr = cat_expr_tuple(arena, items, span);
    expr->kind = CAT_EXPR_LIST;
    return expr;
}

struct cat_expr *cat_expr_if(struct arena *arena, const struct cat_condition *condition,
                             const struct cat_expr *a, const struct cat_expr *b, struct span span)
{
    struct cat_expr *expr = cat_expr_pair(arena, CAT_EXPR_IF, a, b, span);
    expr->condition = condition;
    deepen(expr, condition->a);
    deepen(expr, condition->b);
    return expr;
}

struct cat_expr *cat_expr_match(struct arena *arena, const struct cat_expr *a,
                                struct cat_clauses clauses, struct span span)
{
    struct cat_expr *expr = cat_expr_pair(arena, CAT_EXPR_MATCH, a, NULL, span);
    expr->clauses = clauses;
    for (const struct cat_clause *at = clauses.first; at; at = at->next)
        deepen(expr, at->expr);
    return expr;
}

struct cat_clauses cat_clause_new(struct arena *arena, enum cat_clause_kind kind, struct span span,
                                  const struct cat_expr *expr)
{
    struct cat_clause *clause = ARENA_NEW(arena, struct cat_clause);
    clause->kind = kind;
    clause->span = span;
    clause->expr = expr;
    return (struct cat_clauses){clause, clause, 1};
}

struct cat_condition *cat_condition_new(struct arena *arena, enum cat_condition_kind kind,
                                        const struct cat_expr *a, const struct cat_expr *b)
{
    struct cat_condition *condition = ARENA_NEW(arena, struct cat_condition);
    condition->kind = kind;
    condition->a = a;
    condition->b = b;
    return condition;
}

struct cat_condition *cat_condition_known(struct arena *arena, bool holds)
{
    struct cat_condition *condition = cat_condition_new(arena, CAT_CONDITION_KNOWN, NULL, NULL);
    condition->holds = holds;
    return condition;
}

struct cat_binding *cat_binding_new(struct arena *arena, const struct cat_pattern *pattern,
                                    const struct cat_expr *expr)
{
    struct cat_binding *binding = ARENA_NEW(arena, struct cat_binding);
    binding->pattern = pattern;
    binding->expr = expr;
    return binding;
}

struct cat_instr *cat_instr_new(struct arena *arena, enum cat_instr_kind kind, struct span span)
{
    struct cat_instr *instr = ARENA_NEW(arena, struct cat_instr);
    instr->kind = kind;
    instr->span = span;
    return instr;
}

struct cat_instr *cat_instr_let(struct arena *arena, enum cat_instr_kind kind,
                                struct cat_bindings bindings, struct span span)
{
    struct cat_instr *instr = cat_instr_new(arena, kind, span);
    instr->bindings = bindings;
    return instr;
}

struct cat_instr *cat_instr_check(struct arena *arena, enum cat_test test, bool negated,
                                  const struct cat_expr *expr, const char *name, struct span span)
{
    struct cat_instr *instr = cat_instr_new(arena, CAT_INSTR_CHECK, span);
    instr->check = CAT_CHECK;
    instr->test = test;
    instr->negated = negated;
    instr->expr = expr;
    instr->name = name;
    return instr;
}

struct cat_instr *cat_instr_include(struct arena *arena, const char *file, struct span span)
{
    struct cat_instr *instr = cat_instr_new(arena, CAT_INSTR_INCLUDE, span);
    instr->name = file;
    return instr;
}

struct cat_instr *cat_instr_assert(struct cat_instr *check)
{
    check->check = CAT_FLAG;
    check->negated = !check->negated;
    return check;
}
