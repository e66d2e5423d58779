/* Running expressions: names, definitions, application, `try`. */
#include "cat/cat_resolve.h"

#include <string.h>

/* A is ATOMIC, as in herd's files for C; in those for Arm it is what acquires. */
static void warn_of_atomic(struct cat_resolver *resolver, const struct cat_scope *found,
                           struct span span)
{
    bool own = span.source && !span.source->is_builtin;
    if (!own || found->span.source || strcmp(found->name, "A") != 0 || resolver->warned_of_a ||
        resolver->probing)
        return;
    resolver->warned_of_a = true;
    diag_warning(resolver->diag, DIAG_CAT_ATOMIC, span,
                 "'A' is the set of atomic accesses here, and that of acquire accesses in herd's "
                 "files for Arm; write ATOMIC, or define it: let A = ACQ");
}

static struct cat_value resolve_name(struct cat_resolver *resolver, const struct cat_scope *scope,
                                     const char *name, struct span span)
{
    const struct cat_scope *found = cat_scope_find(resolver, scope, name);
    if (found) {
        cat_resolve_note_use(resolver, found);
        warn_of_atomic(resolver, found, span);
        return found->value;
    }
    cat_scope_unbound(resolver, scope, name, span);
    return CAT_BROKEN;
}

static struct cat_value resolve_tuple(struct cat_resolver *resolver, const struct cat_scope *scope,
                                      const struct cat_expr *expr)
{
    struct cat_tuple *tuple =
        arena_alloc(resolver->scratch, sizeof *tuple + expr->items.count * sizeof tuple->items[0]);
    for (const struct cat_expr *at = expr->items.first; at; at = at->next)
        tuple->items[tuple->count++] = cat_resolve_expr(resolver, scope, at);
    return (struct cat_value){.kind = CAT_VALUE_TUPLE, .tuple = tuple};
}

static struct cat_value resolve_list(struct cat_resolver *resolver, const struct cat_scope *scope,
                                     const struct cat_expr *expr)
{
    const struct cat_tuple *items = resolve_tuple(resolver, scope, expr).tuple;
    return cat_list_of(resolver, items->items, items->count, expr->span);
}

static struct cat_value resolve_fun(struct cat_resolver *resolver, const struct cat_scope *scope,
                                    const struct cat_expr *expr)
{
    cat_scope_check_body(resolver, scope, expr);
    const struct cat_closure *closure =
        ARENA_MAKE(resolver->scratch, struct cat_closure, expr, scope, false);
    return (struct cat_value){.kind = CAT_VALUE_FUNCTION, .closure = closure};
}

/* ---- Application ---- */

bool cat_resolve_enter(struct cat_resolver *resolver, struct cat_call *call, bool recursive)
{
    const struct cat_call *same = recursive ? resolver->calls : NULL;
    while (same && same->body != call->body)
        same = same->caller;
    if (same && same->guards == resolver->guards) {
        cat_resolve_error(resolver, DIAG_CAT_RECURSION, call->span,
                          "'%s' is expanded here within itself without end; recursion ends by "
                          "'match' on a collection or tag, or by 'if'; a recursive relation is a "
                          "'let rec' without arguments",
                          call->name);
        return false;
    }
    call->caller = resolver->calls;
    call->guards = resolver->guards;
    resolver->calls = call;
    return true;
}

static struct cat_value expand(struct cat_resolver *resolver, const struct cat_expr *expr,
                               const struct cat_closure *closure, struct cat_value argument)
{
    const struct cat_expr *fun = closure->fun;
    const char *name = fun->name ? fun->name : "the function";
    struct cat_call call = {.name = fun->name, .span = expr->span, .body = fun};
    const struct cat_scope *scope =
        cat_scope_match(resolver, closure->scope, fun->pattern, argument, expr->span, name);
    if (!cat_resolve_enter(resolver, &call, closure->recursive))
        return CAT_BROKEN;
    struct cat_value result = cat_resolve_expr(resolver, scope, fun->a);
    resolver->calls = call.caller;
    return result;
}

static void report_not_function(struct cat_resolver *resolver, const struct cat_expr *expr,
                                struct cat_value f)
{
    if (!cat_resolve_news(resolver, DIAG_CAT_FUNCTION, expr->span))
        return;
    cat_resolve_error(resolver, DIAG_CAT_FUNCTION, expr->span,
                      "%s is %s and cannot be applied to %s; put an operator between them",
                      cat_resolve_text(resolver, expr->a), cat_value_text(resolver, f),
                      cat_resolve_text(resolver, expr->b));
}

static struct cat_value resolve_apply(struct cat_resolver *resolver, const struct cat_scope *scope,
                                      const struct cat_expr *expr)
{
    struct cat_value f = cat_resolve_expr(resolver, scope, expr->a);
    struct cat_value argument = cat_resolve_expr(resolver, scope, expr->b);
    switch (f.kind) {
    case CAT_VALUE_FUNCTION: return expand(resolver, expr, f.closure, argument);
    case CAT_VALUE_PRIMITIVE: return cat_resolve_primitive(resolver, expr, f.primitive, argument);
    case CAT_VALUE_BROKEN: return CAT_BROKEN;
    default: report_not_function(resolver, expr, f); return CAT_BROKEN;
    }
}

/* ---- Definitions ---- */

static void name_node(struct cat_resolver *resolver, const struct cat_pattern *pattern,
                      struct cat_value value)
{
    const char *name = pattern->names.first ? pattern->names.first->text : NULL;
    if (!pattern->tuple && name && value.kind == CAT_VALUE_NODE && value.node != CAT_NONE)
        cat_graph_name(&resolver->graph, value.node, name);
}

const struct cat_scope *cat_resolve_let(struct cat_resolver *resolver,
                                        const struct cat_scope *scope,
                                        const struct cat_bindings *bindings)
{
    const struct cat_scope *inner = scope;
    const struct cat_bindings *outer_defining = resolver->defining;
    cat_scope_check_twice(resolver, bindings);
    for (const struct cat_binding *at = bindings->first; at; at = at->next) {
        resolver->defining = bindings;
        struct cat_value value = cat_resolve_expr(resolver, scope, at->expr);
        resolver->defining = outer_defining;
        name_node(resolver, at->pattern, value);
        inner = cat_scope_match(resolver, inner, at->pattern, value, at->expr->span, NULL);
    }
    return inner;
}

static struct cat_value resolve_try(struct cat_resolver *resolver, const struct cat_scope *scope,
                                    const struct cat_expr *expr)
{
    bool outer_missed = resolver->missed;
    resolver->missed = false;
    resolver->trying++;
    struct cat_value value = cat_resolve_expr(resolver, scope, expr->a);
    resolver->trying--;
    bool missed = resolver->missed;
    resolver->missed = outer_missed;
    return missed ? cat_resolve_expr(resolver, scope, expr->b) : value;
}

/* ---- Dispatch, and the bounds on work ---- */

static struct cat_value dispatch(struct cat_resolver *resolver, const struct cat_scope *scope,
                                 const struct cat_expr *expr)
{
    switch (expr->kind) {
    case CAT_EXPR_BROKEN: return CAT_BROKEN;
    case CAT_EXPR_NAME: return resolve_name(resolver, scope, expr->name, expr->span);
    case CAT_EXPR_EMPTY:
        return (struct cat_value){.kind = CAT_VALUE_EMPTY, .sort = expr->sort, .node = CAT_NONE};
    case CAT_EXPR_UNIVERSE: return resolve_name(resolver, scope, resolver->universe, expr->span);
    case CAT_EXPR_UNARY:
        return cat_resolve_unary(resolver, expr, cat_resolve_expr(resolver, scope, expr->a));
    case CAT_EXPR_BINARY: {
        struct cat_value a = cat_resolve_expr(resolver, scope, expr->a);
        return cat_resolve_binary(resolver, expr, a, cat_resolve_expr(resolver, scope, expr->b));
    }
    case CAT_EXPR_TUPLE: return resolve_tuple(resolver, scope, expr);
    case CAT_EXPR_APPLY: return resolve_apply(resolver, scope, expr);
    case CAT_EXPR_FUN: return resolve_fun(resolver, scope, expr);
    case CAT_EXPR_LET:
        return cat_resolve_expr(resolver, cat_resolve_let(resolver, scope, &expr->bindings),
                                expr->a);
    case CAT_EXPR_LET_REC:
        return cat_resolve_expr(resolver, cat_resolve_let_rec(resolver, scope, &expr->bindings),
                                expr->a);
    case CAT_EXPR_TRY: return resolve_try(resolver, scope, expr);
    case CAT_EXPR_TAG: return cat_resolve_tag(resolver, expr);
    case CAT_EXPR_LIST: return resolve_list(resolver, scope, expr);
    case CAT_EXPR_ADD: {
        struct cat_value a = cat_resolve_expr(resolver, scope, expr->a);
        return cat_resolve_add(resolver, expr, a, cat_resolve_expr(resolver, scope, expr->b));
    }
    case CAT_EXPR_IF: return cat_resolve_if(resolver, scope, expr);
    case CAT_EXPR_MATCH: return cat_resolve_match(resolver, scope, expr);
    }
    return CAT_BROKEN;
}

/* Work that goes on too long stops for good: every expression is broken from then on. */
bool cat_resolve_within(struct cat_resolver *resolver, struct span span)
{
    resolver->steps++;
    if (resolver->exhausted)
        return false;
    const char *what = NULL;
    if (resolver->recursion >= CAT_MAX_RECURSION)
        what = "functions and definitions are nested too deeply";
    else if (resolver->steps >= CAT_MAX_STEPS || resolver->hops >= CAT_MAX_HOPS)
        what = "the model takes too long to expand";
    else if (resolver->graph.nodes.count >= CAT_MAX_NODES)
        what = "the model has too many different expressions";
    if (!what)
        return true;
    resolver->exhausted = true;
    uint32_t probing = resolver->probing;
    resolver->probing = 0;
    cat_resolve_error(resolver, DIAG_CAT_TOO_LARGE, span,
                      "%s; use fewer or simpler function applications", what);
    resolver->probing = probing;
    return false;
}

struct cat_value cat_resolve_expr(struct cat_resolver *resolver, const struct cat_scope *scope,
                                  const struct cat_expr *expr)
{
    if (!cat_resolve_within(resolver, expr->span))
        return CAT_BROKEN;
    resolver->recursion++;
    struct cat_value value = dispatch(resolver, scope, expr);
    resolver->recursion--;
    return value;
}
