/* The meaning of a work-item's names and values, and whether it keeps. */
#include "mapping/mapping_run.h"

#include <string.h>

static bool declares_in(const struct ast_stmt *stmt, const char *name);

static bool declared_in_list(const struct ast_stmts *list, const char *name)
{
    for (const struct ast_stmt *stmt = list->first; stmt; stmt = stmt->next)
        if (declares_in(stmt, name))
            return true;
    return false;
}

static bool declares_in(const struct ast_stmt *stmt, const char *name)
{
    return (stmt->kind == AST_S_DECL && stmt->name.text == name) ||
           declared_in_list(&stmt->body, name) || (stmt->a && declares_in(stmt->a, name)) ||
           (stmt->b && declares_in(stmt->b, name));
}

bool mapping_is_location(const struct mapping_run *run, const char *name)
{
    if (declared_in_list(&run->ast->body, name))
        return false;
    for (const struct ast_init *init = run->test->inits.first; init; init = init->next)
        if (init->thread == AST_NO_THREAD && init->name.text == name)
            return true;
    for (const struct ast_param *param = run->ast->params.first; param; param = param->next)
        if (param->name.text == name)
            return true;
    return false;
}

bool mapping_is_constant(const struct mapping_run *run, const char *name)
{
    const struct ast_constant *constant = run->test->constants.first;
    while (constant && constant->name.text != name)
        constant = constant->next;
    return constant && !declared_in_list(&run->ast->body, name);
}

/* What takes a register's address may assign it. */
static bool assigns_in_expr(const struct ast_expr *expr, const char *name)
{
    if (!expr)
        return false;
    bool changes = expr->kind == AST_ASSIGN || expr->kind == AST_STEP || expr->kind == AST_ADDRESS;
    if (changes && expr->a->kind == AST_NAME && expr->a->name.text == name)
        return true;
    for (const struct ast_expr *arg = expr->args.first; arg; arg = arg->next)
        if (arg->kind == AST_NAME ? arg->name.text == name && expr->args.count > 2
                                  : assigns_in_expr(arg, name))
            return true;
    return assigns_in_expr(expr->a, name) || assigns_in_expr(expr->b, name) ||
           assigns_in_expr(expr->c, name);
}

static bool assigns_in(const struct ast_stmt *stmt, const char *name)
{
    return (stmt->kind == AST_S_DECL && stmt->name.text == name) ||
           assigns_in_expr(stmt->expr, name) || assigns_in_expr(stmt->step, name) ||
           mapping_assigns(stmt->body.first, NULL, name) ||
           (stmt->a && assigns_in(stmt->a, name)) || (stmt->b && assigns_in(stmt->b, name));
}

bool mapping_assigns(const struct ast_stmt *first, const struct ast_stmt *end, const char *name)
{
    for (const struct ast_stmt *stmt = first; stmt && stmt != end; stmt = stmt->next)
        if (assigns_in(stmt, name))
            return true;
    return false;
}

static bool is_counter(const struct lit_context *context, const char *name)
{
    for (; context; context = context->outer)
        if (context->counter == name)
            return true;
    return false;
}

static bool name_is_kept(const struct mapping_run *run, struct lit_stretch stretch,
                         const char *name, const struct lit_context *context)
{
    if (is_counter(context, name) || mapping_is_constant(run, name))
        return true;
    return !mapping_is_location(run, name) && !mapping_assigns(stretch.first, stretch.end, name);
}

bool mapping_is_kept(const struct mapping_run *run, struct lit_stretch stretch,
                     const struct ast_expr *value, const struct lit_context *context)
{
    switch (value->kind) {
    case AST_NUMBER: return true;
    case AST_NAME: return name_is_kept(run, stretch, value->name.text, context);
    case AST_UNARY:
    case AST_BINARY:
    case AST_SELECT:
    case AST_CAST:
        return mapping_is_kept(run, stretch, value->a, context) &&
               (!value->b || mapping_is_kept(run, stretch, value->b, context)) &&
               (!value->c || mapping_is_kept(run, stretch, value->c, context));
    default: return false;
    }
}

struct lit_stretch mapping_stretch(const struct mapping_run *run, const struct lit_region *region)
{
    return (struct lit_stretch){region->pragma ? region->pragma->next : run->ast->body.first,
                                region->end};
}
