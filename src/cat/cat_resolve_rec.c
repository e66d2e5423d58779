/* `let rec`: sorts of the members, then their bodies over variables. */
#include "cat/cat_resolve.h"

#include <string.h>

static const char *member_name(const struct cat_binding *binding)
{
    return binding->pattern->names.first->text;
}

static bool functions(const struct cat_bindings *bindings)
{
    return bindings->first->expr->kind == CAT_EXPR_FUN;
}

/* A member is one name; all are functions, or all sets and relations. */
static bool check_members(struct cat_resolver *resolver, const struct cat_bindings *bindings)
{
    bool fine = true;
    for (const struct cat_binding *at = bindings->first; at; at = at->next) {
        const struct cat_pattern *pattern = at->pattern;
        if (pattern->tuple || !pattern->names.first->text) {
            cat_resolve_error(
                resolver, DIAG_CAT_RECURSION, pattern->span,
                "'let rec' defines sets, relations and functions by name; write a name for "
                "each, joined by 'and'");
            fine = false;
        } else if ((at->expr->kind == CAT_EXPR_FUN) != functions(bindings)) {
            cat_resolve_error(resolver, DIAG_CAT_RECURSION, pattern->span,
                              "'%s' is %s, and '%s' beside it %s; functions and relations need a "
                              "'let rec' of their own each",
                              member_name(at),
                              functions(bindings) ? "a set or relation" : "a recursive function",
                              bindings->first->pattern->names.first->text,
                              functions(bindings) ? "a function" : "is none");
            fine = false;
        }
    }
    return fine;
}

static const struct cat_scope *bind_members(struct cat_resolver *resolver,
                                            const struct cat_scope *scope,
                                            const struct cat_bindings *bindings,
                                            const struct cat_value *values)
{
    for (const struct cat_binding *at = bindings->first; at; at = at->next) {
        struct cat_value value = values ? *values++ : CAT_BROKEN;
        for (const struct cat_name *name = at->pattern->names.first; name; name = name->next)
            if (name->text)
                scope = cat_scope_bind(resolver, scope, name->text, value, name->span);
    }
    return scope;
}

/* ---- Sorts ---- */

/* One round: members of unknown sort stand as `0`. True when a sort was learnt. */
static bool probe_round(struct cat_resolver *resolver, const struct cat_scope *scope,
                        const struct cat_bindings *bindings, struct cat_value *members)
{
    bool learnt = false;
    const struct cat_scope *inner = bind_members(resolver, scope, bindings, members);
    struct cat_value *member = members;
    for (const struct cat_binding *at = bindings->first; at; at = at->next, member++) {
        if (member->kind == CAT_VALUE_NODE)
            continue;
        struct cat_value value = cat_resolve_expr(resolver, inner, at->expr);
        if (value.kind != CAT_VALUE_NODE)
            continue;
        *member = cat_value_node(value.sort, CAT_NONE);
        learnt = true;
    }
    return learnt;
}

/* Leaves a node value of the right sort, without a node, for every member; a member
 * that only refers to itself is a relation. */
static void infer_sorts(struct cat_resolver *resolver, const struct cat_scope *scope,
                        const struct cat_bindings *bindings, struct cat_value *members)
{
    for (uint32_t i = 0; i < bindings->count; i++)
        members[i] = (struct cat_value){.kind = CAT_VALUE_EMPTY, .sort = CAT_REL, .node = CAT_NONE};
    resolver->probing++;
    while (probe_round(resolver, scope, bindings, members)) {}
    resolver->probing--;
    for (uint32_t i = 0; i < bindings->count; i++)
        members[i] = cat_value_node(members[i].sort, CAT_NONE);
}

/* ---- Bodies ---- */

static void report_shrinking(struct cat_resolver *resolver, cat_node_id found,
                             const struct cat_bindings *bindings, const char *why)
{
    const struct cat_node *node = &resolver->graph.nodes.items[found];
    cat_resolve_error(
        resolver, DIAG_CAT_MONOTONE, node->span,
        "the recursive definition of '%s' passes through %s, where more of it means "
        "less of the result, so it need have no least solution, nor is it iterated from "
        "nothing, as %s; %s something that does not depend on '%s'",
        member_name(bindings->first), node->op == CAT_COMP ? "'~'" : "the right of '\\'", why,
        node->op == CAT_COMP ? "complement" : "subtract", member_name(bindings->first));
}

static bool run_bodies(struct cat_resolver *resolver, const struct cat_scope *scope,
                       const struct cat_bindings *bindings, const struct cat_value *members,
                       cat_node_id *bodies)
{
    bool fine = true;
    const struct cat_bindings *outer_defining = resolver->defining;
    resolver->defining = NULL;
    for (const struct cat_binding *at = bindings->first; at; at = at->next) {
        struct cat_value value = cat_resolve_expr(resolver, scope, at->expr);
        const char *place =
            arena_printf(resolver->scratch, "the definition of '%s'", member_name(at));
        fine &= cat_resolve_want(resolver, value, members++->sort, at->expr, place, bodies++);
    }
    resolver->defining = outer_defining;
    return fine;
}

static uint32_t open_group(struct cat_resolver *resolver, const struct cat_bindings *bindings,
                           struct cat_value *members)
{
    uint32_t group = cat_graph_open(&resolver->graph), i = 0;
    for (const struct cat_binding *at = bindings->first; at; at = at->next, i++)
        members[i].node = cat_graph_member(&resolver->graph, group, members[i].sort,
                                           member_name(at), at->pattern->span);
    return group;
}

/* Herd's way with what need have no least solution: from nothing, member by member in the order of
 * the text, each from the newest values of those above it, until a round adds nothing. So a body
 * has the bodies of those above in it, and the variables of the others. Returns what speaks against
 * it, or NULL. */
static const char *solve_in_turn(struct cat_resolver *resolver, const struct cat_scope *scope,
                                 const struct cat_bindings *bindings,
                                 const struct cat_value *members, cat_node_id *values)
{
    struct cat_value *newest = ARENA_ARRAY(resolver->scratch, struct cat_value, bindings->count);
    cat_node_id *bodies = ARENA_ARRAY(resolver->scratch, cat_node_id, bindings->count);
    memcpy(newest, members, bindings->count * sizeof *newest);
    uint32_t group = open_group(resolver, bindings, newest), i = 0;
    for (const struct cat_binding *at = bindings->first; at; at = at->next, i++) {
        const struct cat_scope *inner = bind_members(resolver, scope, bindings, newest);
        struct cat_value value = cat_resolve_expr(resolver, inner, at->expr);
        if (!cat_resolve_want(resolver, value, members[i].sort, at->expr, "", &bodies[i]))
            return "it has faults";
        newest[i].node = bodies[i];
    }
    bool grows =
        cat_graph_close(&resolver->graph, group, bindings->count, bodies, values) == CAT_NONE;
    return grows ? NULL : cat_graph_inflates(&resolver->graph, group);
}

static const struct cat_scope *solve(struct cat_resolver *resolver, const struct cat_scope *scope,
                                     const struct cat_bindings *bindings, struct cat_value *members)
{
    uint32_t group = open_group(resolver, bindings, members), i = 0;
    cat_node_id *bodies = ARENA_ARRAY(resolver->scratch, cat_node_id, bindings->count);
    cat_node_id *values = ARENA_ARRAY(resolver->scratch, cat_node_id, bindings->count);
    const struct cat_scope *inner = bind_members(resolver, scope, bindings, members);
    if (!run_bodies(resolver, inner, bindings, members, bodies))
        return bind_members(resolver, scope, bindings, NULL);
    cat_node_id shrinking =
        cat_graph_close(&resolver->graph, group, bindings->count, bodies, values);
    const char *why =
        shrinking == CAT_NONE ? NULL : solve_in_turn(resolver, scope, bindings, members, values);
    if (why)
        report_shrinking(resolver, shrinking, bindings, why);
    for (i = 0; i < bindings->count; i++)
        members[i].node = values[i];
    i = 0;
    for (const struct cat_binding *at = bindings->first; at; at = at->next)
        cat_graph_name(&resolver->graph, values[i++], member_name(at));
    return bind_members(resolver, scope, bindings, members);
}

/* ---- Functions: closures whose scope has them all ---- */

static const struct cat_scope *close_functions(struct cat_resolver *resolver,
                                               const struct cat_scope *scope,
                                               const struct cat_bindings *bindings)
{
    struct cat_closure *closures =
        ARENA_ARRAY(resolver->scratch, struct cat_closure, bindings->count);
    struct cat_closure *closure = closures;
    for (const struct cat_binding *at = bindings->first; at; at = at->next, closure++) {
        struct cat_value value = {.kind = CAT_VALUE_FUNCTION, .closure = closure};
        closure->fun = at->expr;
        closure->recursive = true;
        scope = cat_scope_bind(resolver, scope, member_name(at), value, at->pattern->span);
    }
    for (uint32_t i = 0; i < bindings->count; i++) {
        closures[i].scope = scope;
        cat_scope_check_body(resolver, scope, closures[i].fun);
    }
    return scope;
}

const struct cat_scope *cat_resolve_let_rec(struct cat_resolver *resolver,
                                            const struct cat_scope *scope,
                                            const struct cat_bindings *bindings)
{
    cat_scope_check_twice(resolver, bindings);
    if (!check_members(resolver, bindings))
        return bind_members(resolver, scope, bindings, NULL);
    if (functions(bindings))
        return close_functions(resolver, scope, bindings);
    struct cat_value *members = ARENA_ARRAY(resolver->scratch, struct cat_value, bindings->count);
    infer_sorts(resolver, scope, bindings, members);
    if (resolver->probing)
        return bind_members(resolver, scope, bindings, members);
    return solve(resolver, scope, bindings, members);
}
