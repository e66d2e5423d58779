/* Environments: binding, looking up, and messages about unknown names. */
#include "cat/cat_resolve.h"

struct cat_value cat_value_node(enum cat_sort sort, cat_node_id node)
{
    return (struct cat_value){.kind = CAT_VALUE_NODE, .sort = sort, .node = node};
}

const struct cat_scope *cat_scope_bind(struct cat_resolver *resolver, const struct cat_scope *scope,
                                       const char *name, struct cat_value value, struct span span)
{
    return ARENA_MAKE(resolver->scratch, struct cat_scope, scope, name, value, span,
                      ARENA_NEW(resolver->scratch, bool));
}

const struct cat_scope *cat_scope_find(struct cat_resolver *resolver, const struct cat_scope *scope,
                                       const char *name)
{
    while (scope && scope->name != name) {
        scope = scope->next;
        resolver->hops++;
    }
    return scope;
}

const struct cat_scope *cat_scope_basis(struct cat_resolver *resolver)
{
    static const struct {
        const char *name;
        enum cat_primitive primitive;
    } primitives[] = {
#define X(name, text) {text, CAT_PRIMITIVE_##name},
        CAT_PRIMITIVES(X)
#undef X
    };
    const struct cat_scope *scope = NULL;
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++) {
        struct cat_value value = {.kind = CAT_VALUE_PRIMITIVE,
                                  .primitive = primitives[i].primitive};
        scope = cat_scope_bind(resolver, scope, intern_text(resolver->names, primitives[i].name),
                               value, NOWHERE);
    }
    for (uint32_t i = 0; i < resolver->basis->count; i++) {
        const struct cat_base *base = &resolver->basis->names[i];
        struct cat_value value = cat_value_node(base->sort, cat_graph_base(&resolver->graph, i));
        scope = cat_scope_bind(resolver, scope, intern_text(resolver->names, base->name), value,
                               NOWHERE);
    }
    return scope;
}

/* ---- Patterns ---- */

static void report_arity(struct cat_resolver *resolver, const struct cat_pattern *pattern,
                         struct cat_value value, struct span given, const char *callee)
{
    uint32_t wanted = pattern->names.count;
    uint32_t count = value.kind == CAT_VALUE_TUPLE ? value.tuple->count : 1;
    if (resolver->trying) {
        resolver->missed = true;
        return;
    }
    if (!cat_resolve_news(resolver, DIAG_CAT_ARITY, given))
        return;
    if (callee)
        cat_resolve_error(resolver, DIAG_CAT_ARITY, given,
                          "'%s' takes %u argument%s, and is given %u", callee, wanted,
                          wanted == 1 ? "" : "s", count);
    else
        cat_resolve_error(resolver, DIAG_CAT_ARITY, given,
                          "%u name%s on the left of '=', and %u value%s on the right", wanted,
                          wanted == 1 ? "" : "s", count, count == 1 ? "" : "s");
    if (callee)
        diag_note(resolver->diag, pattern->span, "its arguments are named here");
}

const struct cat_scope *cat_scope_match(struct cat_resolver *resolver,
                                        const struct cat_scope *scope,
                                        const struct cat_pattern *pattern, struct cat_value value,
                                        struct span given, const char *callee)
{
    bool fits = !pattern->tuple ||
                (value.kind == CAT_VALUE_TUPLE && value.tuple->count == pattern->names.count);
    if (!fits && value.kind != CAT_VALUE_BROKEN)
        report_arity(resolver, pattern, value, given, callee);
    uint32_t i = 0;
    for (const struct cat_name *at = pattern->names.first; at; at = at->next, i++) {
        struct cat_value part = !fits ? CAT_BROKEN : pattern->tuple ? value.tuple->items[i] : value;
        if (at->text)
            scope = cat_scope_bind(resolver, scope, at->text, part, at->span);
    }
    return scope;
}

/* ---- Unknown names ---- */

static bool defines(const struct cat_bindings *bindings, const char *name)
{
    for (const struct cat_binding *at = bindings ? bindings->first : NULL; at; at = at->next)
        for (const struct cat_name *bound = at->pattern->names.first; bound; bound = bound->next)
            if (bound->text == name)
                return true;
    return false;
}

enum { NEAREST_AMONG = 2000 };

const char *cat_scope_nearest(const struct cat_scope *scope, const char *name)
{
    VEC(const char *) names = {0};
    for (; scope && names.count < NEAREST_AMONG; scope = scope->next)
        VEC_PUSH(&names, scope->name);
    const char *nearest = names.count ? diag_nearest(name, names.items, names.count) : NULL;
    VEC_FREE(&names);
    return nearest;
}

void cat_scope_unbound(struct cat_resolver *resolver, const struct cat_scope *scope,
                       const char *name, struct span span)
{
    if (resolver->trying) {
        resolver->missed = true;
        return;
    }
    if (!cat_resolve_news(resolver, DIAG_CAT_UNBOUND, span))
        return;
    const char *missing = cat_primitive_missing(name);
    if (missing) {
        cat_resolve_error(resolver, DIAG_CAT_UNSUPPORTED, span, "'%s' is not supported; %s", name,
                          missing);
        return;
    }
    const char *nearest = cat_scope_nearest(scope, name);
    if (resolver->ahead) {
        cat_resolve_error(resolver, DIAG_CAT_UNBOUND, span,
                          "'%s' is not known here: " CAT_ADDED_FROM, name);
        return;
    }
    if (defines(resolver->defining, name))
        cat_resolve_error(resolver, DIAG_CAT_UNBOUND, span,
                          "unknown name '%s' in its own definition; define it before, or write "
                          "'let rec' for the least relation that satisfies it",
                          name);
    else if (nearest)
        cat_resolve_error(resolver, DIAG_CAT_UNBOUND, span, "unknown name '%s'; did you mean '%s'?",
                          name, nearest);
    else
        cat_resolve_error(resolver, DIAG_CAT_UNBOUND, span,
                          "unknown name '%s'; names come from 'let' and 'instructions' above, "
                          "from included files and from the base sets and relations",
                          name);
    if (!defines(resolver->defining, name))
        diag_meant_by(resolver->diag, span, name, nearest);
}

/* ---- Names of a function's body, before anybody applies it ---- */

static const struct cat_scope *shade(struct cat_resolver *resolver, const struct cat_scope *scope,
                                     const struct cat_pattern *pattern)
{
    return cat_scope_match(resolver, scope, pattern, CAT_BROKEN, pattern->span, NULL);
}

static void check_names(struct cat_resolver *resolver, const struct cat_scope *scope,
                        const struct cat_expr *expr);

/* The right-hand sides of a definition; the scope behind it. */
static const struct cat_scope *check_bindings(struct cat_resolver *resolver,
                                              const struct cat_scope *scope,
                                              const struct cat_bindings *bindings, bool recursive)
{
    const struct cat_scope *inner = scope;
    for (const struct cat_binding *at = bindings->first; at; at = at->next)
        inner = shade(resolver, inner, at->pattern);
    for (const struct cat_binding *at = bindings->first; at; at = at->next)
        check_names(resolver, recursive ? inner : scope, at->expr);
    return inner;
}

/* What a variant turns off may use names of other architectures. */
static void check_if(struct cat_resolver *resolver, const struct cat_scope *scope,
                     const struct cat_expr *expr)
{
    const struct cat_condition *condition = expr->condition;
    bool decided = condition->kind == CAT_CONDITION_KNOWN;
    check_names(resolver, scope, condition->a);
    check_names(resolver, scope, condition->b);
    if (!decided || condition->holds)
        check_names(resolver, scope, expr->a);
    if (!decided || !condition->holds)
        check_names(resolver, scope, expr->b);
}

static void check_match(struct cat_resolver *resolver, const struct cat_scope *scope,
                        const struct cat_expr *expr)
{
    check_names(resolver, scope, expr->a);
    for (const struct cat_clause *at = expr->clauses.first; at; at = at->next) {
        const struct cat_pattern names = {true, at->names, at->span};
        check_names(resolver, shade(resolver, scope, &names), at->expr);
    }
}

static void check_names(struct cat_resolver *resolver, const struct cat_scope *scope,
                        const struct cat_expr *expr)
{
    if (!expr || resolver->steps++ > CAT_MAX_STEPS || resolver->hops > CAT_MAX_HOPS)
        return;
    switch (expr->kind) {
    case CAT_EXPR_NAME:
        if (!cat_scope_find(resolver, scope, expr->name))
            cat_scope_unbound(resolver, scope, expr->name, expr->span);
        break;
    case CAT_EXPR_LET:
    case CAT_EXPR_LET_REC:
        scope = check_bindings(resolver, scope, &expr->bindings, expr->kind == CAT_EXPR_LET_REC);
        check_names(resolver, scope, expr->a);
        break;
    case CAT_EXPR_FUN: check_names(resolver, shade(resolver, scope, expr->pattern), expr->a); break;
    case CAT_EXPR_TRY: check_names(resolver, scope, expr->b); break;
    case CAT_EXPR_TAG: break;
    case CAT_EXPR_IF: check_if(resolver, scope, expr); break;
    case CAT_EXPR_MATCH: check_match(resolver, scope, expr); break;
    default:
        for (const struct cat_expr *at = expr->items.first; at; at = at->next)
            check_names(resolver, scope, at);
        check_names(resolver, scope, expr->a);
        check_names(resolver, scope, expr->b);
    }
}

void cat_scope_check_body(struct cat_resolver *resolver, const struct cat_scope *scope,
                          const struct cat_expr *fun)
{
    if (!resolver->probing)
        check_names(resolver, scope, fun);
}

/* The scope after the instructions, NULL where it cannot be known before the call. */
static const struct cat_scope *check_instrs(struct cat_resolver *resolver,
                                            const struct cat_scope *scope,
                                            const struct cat_instrs *instrs);

static const struct cat_scope *shade_name(struct cat_resolver *resolver,
                                          const struct cat_scope *scope,
                                          const struct cat_instr *instr)
{
    return cat_scope_bind(resolver, scope, instr->name, CAT_BROKEN, instr->name_span);
}

static const struct cat_scope *check_instr(struct cat_resolver *resolver,
                                           const struct cat_scope *scope,
                                           const struct cat_instr *instr)
{
    if (instr->kind == CAT_INSTR_LET || instr->kind == CAT_INSTR_LET_REC) {
        scope = check_bindings(resolver, scope, &instr->bindings, instr->kind == CAT_INSTR_LET_REC);
        (void)check_instrs(resolver, scope, &instr->body);
        return scope;
    }
    if (instr->kind == CAT_INSTR_SHOW)
        return scope; /* may name what is not there */
    check_names(resolver, scope, instr->expr);
    switch (instr->kind) {
    case CAT_INSTR_WITH:
    case CAT_INSTR_PROCEDURE: return shade_name(resolver, scope, instr);
    case CAT_INSTR_FORALL:
        (void)check_instrs(resolver, shade_name(resolver, scope, instr), &instr->body);
        return scope;
    case CAT_INSTR_CALL:
        if (!cat_scope_find(resolver, scope, instr->callee))
            cat_scope_unbound(resolver, scope, instr->callee, instr->name_span);
        return scope;
    case CAT_INSTR_IF:
        return check_instrs(resolver, scope,
                            instr->condition->holds ? &instr->body : &instr->otherwise);
    default: return scope; /* what a case of `match` defines depends on the case */
    }
}

static const struct cat_scope *check_instrs(struct cat_resolver *resolver,
                                            const struct cat_scope *scope,
                                            const struct cat_instrs *instrs)
{
    for (const struct cat_instr *at = instrs->first; at; at = at->next) {
        if (resolver->recursion >= CAT_MAX_RECURSION || at->kind == CAT_INSTR_MATCH ||
            at->kind == CAT_INSTR_INSTRUCTIONS)
            return NULL;
        resolver->recursion++;
        scope = scope ? check_instr(resolver, scope, at) : NULL;
        resolver->recursion--;
        if (!scope)
            return NULL;
    }
    return scope;
}

void cat_scope_check_procedure(struct cat_resolver *resolver, const struct cat_scope *scope,
                               const struct cat_instr *procedure)
{
    if (!resolver->probing)
        (void)check_instrs(resolver, shade(resolver, scope, procedure->pattern), &procedure->body);
}

void cat_scope_check_twice(struct cat_resolver *resolver, const struct cat_bindings *bindings)
{
    const struct cat_scope *seen = NULL;
    for (const struct cat_binding *at = bindings->first; at; at = at->next)
        for (const struct cat_name *name = at->pattern->names.first; name; name = name->next) {
            if (!name->text || resolver->hops > CAT_MAX_HOPS)
                continue;
            if (cat_scope_find(resolver, seen, name->text))
                cat_resolve_error(resolver, DIAG_CAT_DUPLICATE, name->span,
                                  "'%s' is defined twice in one 'let'; rename one of the two",
                                  name->text);
            seen = cat_scope_bind(resolver, seen, name->text, CAT_BROKEN, name->span);
        }
}
