/* Instructions: definitions, checks, and instructions that run others.
 *
 * Bodies of procedures and of `forall` have an environment of their own, which ends with them;
 * those of `if` and `match` define names for what follows, as in herd. */
#include "cat/cat_resolve.h"

#include <string.h>

/* ---- Bodies ---- */

static void run_body(struct cat_resolver *resolver, const struct cat_instrs *body)
{
    for (const struct cat_instr *at = body->first; at; at = at->next)
        cat_resolve_instr(resolver, at);
}

static void run_guarded(struct cat_resolver *resolver, const struct cat_instrs *body)
{
    resolver->guards++;
    run_body(resolver, body);
    resolver->guards--;
}

static void run_local(struct cat_resolver *resolver, const struct cat_scope *scope,
                      const struct cat_instrs *body)
{
    const struct cat_scope *outer = resolver->scope;
    resolver->scope = scope;
    resolver->locals++;
    run_body(resolver, body);
    resolver->locals--;
    resolver->scope = outer;
}

static void run_match(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    struct cat_value value = cat_resolve_expr(resolver, resolver->scope, instr->expr);
    const struct cat_scope *scope = resolver->scope;
    const struct cat_clause *clause =
        cat_match_clause(resolver, &instr->clauses, instr->expr, value, &scope);
    if (clause)
        run_guarded(resolver, &clause->body);
}

static void run_forall(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    struct cat_value value =
        cat_value_known(resolver, cat_resolve_expr(resolver, resolver->scope, instr->expr));
    if (value.kind == CAT_VALUE_EMPTY || value.kind == CAT_VALUE_BROKEN)
        return;
    if (value.kind != CAT_VALUE_LIST) {
        cat_resolve_error(resolver, DIAG_CAT_MATCH, instr->expr->span,
                          "%s is %s, and 'forall' runs over a collection, such as {'a, 'b} or "
                          "{po, rf}; the elements of sets of events are known only in an "
                          "execution",
                          cat_resolve_text(resolver, instr->expr), cat_value_text(resolver, value));
        return;
    }
    for (uint32_t i = 0; i < value.tuple->count; i++) {
        if (!cat_resolve_within(resolver, instr->span))
            return;
        run_local(resolver,
                  cat_scope_bind(resolver, resolver->scope, instr->name, value.tuple->items[i],
                                 instr->name_span),
                  &instr->body);
    }
}

/* ---- Procedures ---- */

static void define_procedure(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    struct cat_procedure *procedure = ARENA_NEW(resolver->scratch, struct cat_procedure);
    struct cat_value value = {
        .kind = CAT_VALUE_PROCEDURE, .node = CAT_NONE, .procedure = procedure};
    procedure->instr = instr;
    procedure->scope = resolver->scope;
    resolver->scope =
        cat_scope_bind(resolver, resolver->scope, instr->name, value, instr->name_span);
    if (instr->recursive)
        procedure->scope = resolver->scope;
    cat_scope_check_procedure(resolver, procedure->scope, instr);
}

static const struct cat_procedure *find_procedure(struct cat_resolver *resolver,
                                                  const struct cat_instr *instr)
{
    const struct cat_scope *found = cat_scope_find(resolver, resolver->scope, instr->callee);
    if (!found) {
        cat_scope_unbound(resolver, resolver->scope, instr->callee, instr->name_span);
        return NULL;
    }
    if (found->value.kind == CAT_VALUE_PROCEDURE)
        return found->value.procedure;
    if (found->value.kind != CAT_VALUE_BROKEN)
        cat_resolve_error(resolver, DIAG_CAT_FUNCTION, instr->name_span,
                          "'%s' is %s, and 'call' expects a procedure; procedures are defined by "
                          "'procedure %s(x) = ... end'",
                          instr->callee, cat_value_text(resolver, found->value), instr->callee);
    return NULL;
}

static void call_procedure(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    const struct cat_procedure *procedure = find_procedure(resolver, instr);
    struct cat_value argument = cat_resolve_expr(resolver, resolver->scope, instr->expr);
    if (!procedure)
        return;
    const struct cat_instr *defined = procedure->instr;
    const struct cat_scope *scope = cat_scope_match(resolver, procedure->scope, defined->pattern,
                                                    argument, instr->expr->span, instr->callee);
    struct cat_call call = {.name = instr->callee, .span = instr->span, .body = defined};
    if (!cat_resolve_enter(resolver, &call, defined->recursive))
        return;
    const char *outer_name = resolver->check_name;
    if (instr->name || !outer_name)
        resolver->check_name = instr->name ? instr->name : instr->callee;
    run_local(resolver, scope, &defined->body);
    resolver->check_name = outer_name;
    resolver->calls = call.caller;
}

/* ---- with x from E ---- */

/* The elements as written between braces, NULL when they are not all there. */
static const struct cat_expr *written_items(const struct cat_expr *expr, uint32_t count)
{
    return expr->kind == CAT_EXPR_LIST && expr->items.count == count ? expr->items.first : NULL;
}

static bool list_alternatives(struct cat_resolver *resolver, const struct cat_instr *instr,
                              struct cat_value value, struct cat_choice *choice)
{
    const struct cat_value *items = value.kind == CAT_VALUE_LIST ? value.tuple->items : &value;
    choice->kind = CAT_ALTERNATIVES;
    choice->alternative_count = value.kind == CAT_VALUE_LIST ? value.tuple->count : 1;
    cat_node_id *nodes = ARENA_ARRAY(resolver->scratch, cat_node_id, choice->alternative_count);
    choice->alternatives = nodes;
    const struct cat_expr *item = written_items(instr->expr, choice->alternative_count);
    for (uint32_t i = 0; i < choice->alternative_count; i++) {
        if (!cat_resolve_want(resolver, items[i], CAT_REL, item ? item : instr->expr,
                              "'with ... from'", &nodes[i]))
            return false;
        item = item ? item->next : NULL;
    }
    return true;
}

/* False after an error. */
static bool read_choice(struct cat_resolver *resolver, const struct cat_instr *instr,
                        struct cat_value value, struct cat_choice *choice)
{
    *choice = (struct cat_choice){
        .name = instr->name, .set = CAT_NONE, .relation = CAT_NONE, .span = instr->span};
    if (value.kind == CAT_VALUE_BROKEN)
        return false;
    if (value.kind == CAT_VALUE_EMPTY && value.sort == CAT_SET) {
        cat_resolve_error(resolver, DIAG_CAT_CHOICE, instr->expr->span,
                          "%s is an empty collection, so there is nothing to choose '%s' from and "
                          "no execution would be consistent; list at least one relation",
                          cat_resolve_text(resolver, instr->expr), instr->name);
        return false;
    }
    if (value.kind != CAT_VALUE_ORDERS)
        return list_alternatives(resolver, instr, value, choice);
    choice->kind = CAT_LINEARISATIONS;
    choice->set = value.orders->set;
    choice->relation = cat_resolve_followed(resolver, value.orders->relation, instr->span);
    return true;
}

static bool same_choice(const struct cat_choice *a, const struct cat_choice *b)
{
    if (a->kind != b->kind || a->set != b->set || a->relation != b->relation ||
        a->alternative_count != b->alternative_count || a->span.line != b->span.line ||
        a->span.column != b->span.column || strcmp(a->span.source->name, b->span.source->name) != 0)
        return false;
    return a->alternative_count == 0 || memcmp(a->alternatives, b->alternatives,
                                               a->alternative_count * sizeof *a->alternatives) == 0;
}

/* The node of an equal choice at the same place, as when a file is included twice. In a
 * body that is run several times each run chooses for itself. */
static cat_node_id find_choice(const struct cat_resolver *resolver, const struct cat_choice *choice)
{
    const struct cat_graph *graph = &resolver->graph;
    for (size_t i = 0; i < graph->choices.count && !resolver->locals; i++) {
        if (!same_choice(&graph->choices.items[i], choice))
            continue;
        for (cat_node_id node = 0; node < graph->nodes.count; node++)
            if (graph->nodes.items[node].op == CAT_CHOICE && graph->nodes.items[node].base == i)
                return node;
    }
    return CAT_NONE;
}

/* Broken after an error. */
static struct cat_value add_choice(struct cat_resolver *resolver, struct cat_choice choice)
{
    cat_node_id node = find_choice(resolver, &choice);
    if (node == CAT_NONE && resolver->graph.choices.count == CAT_MAX_CHOICES) {
        cat_resolve_error(resolver, DIAG_CAT_TOO_LARGE, choice.span,
                          "this is choice %d of the model, and %d are the most; use fewer "
                          "'with ... from'",
                          CAT_MAX_CHOICES + 1, CAT_MAX_CHOICES);
        return CAT_BROKEN;
    }
    if (node == CAT_NONE)
        node = cat_graph_choice(&resolver->graph, choice);
    return cat_value_node(CAT_REL, node);
}

static void choose(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    struct cat_value value = cat_resolve_expr(resolver, resolver->scope, instr->expr);
    struct cat_value chosen = {.kind = CAT_VALUE_BROKEN};
    struct cat_choice choice;
    if (value.kind == CAT_VALUE_ORDERS && value.orders->coherence)
        chosen = cat_choose_coherence(resolver, instr, value.orders);
    else if (read_choice(resolver, instr, value, &choice))
        chosen = add_choice(resolver, choice);
    resolver->scope =
        cat_scope_bind(resolver, resolver->scope, instr->name, chosen, instr->name_span);
}

/* ---- let rec ... when ---- */

/* A test that fails of an approximation fails of the solution too, so it is a check of
 * the solution; of a negated test that is not so. */
static void check_when(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    const struct cat_instr *test = instr->body.first;
    if (!test)
        return;
    if (test->negated)
        cat_resolve_error(resolver, DIAG_CAT_UNSUPPORTED, test->span,
                          "a negated check after 'when' is not supported, as it may hold of the "
                          "solution and not on the way to it; write it as a check of its own");
    else
        cat_resolve_check(resolver, test);
}

/* ---- Dispatch ---- */

static void dispatch(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    switch (instr->kind) {
    case CAT_INSTR_LET:
        resolver->scope = cat_resolve_let(resolver, resolver->scope, &instr->bindings);
        break;
    case CAT_INSTR_LET_REC:
        resolver->scope = cat_resolve_let_rec(resolver, resolver->scope, &instr->bindings);
        check_when(resolver, instr);
        break;
    case CAT_INSTR_CHECK: cat_resolve_check(resolver, instr); break;
    case CAT_INSTR_INCLUDE:
        cat_resolve_error(resolver, DIAG_CAT_UNSUPPORTED, instr->span,
                          "'include' inside a procedure, 'forall' or 'match' is not supported; "
                          "put it before");
        break;
    case CAT_INSTR_ENUM: cat_resolve_enum(resolver, instr); break;
    case CAT_INSTR_INSTRUCTIONS: cat_resolve_instructions(resolver, instr); break;
    case CAT_INSTR_PROCEDURE: define_procedure(resolver, instr); break;
    case CAT_INSTR_CALL: call_procedure(resolver, instr); break;
    case CAT_INSTR_FORALL: run_forall(resolver, instr); break;
    case CAT_INSTR_WITH: choose(resolver, instr); break;
    case CAT_INSTR_MATCH: run_match(resolver, instr); break;
    case CAT_INSTR_IF:
        run_body(resolver, instr->condition->holds ? &instr->body : &instr->otherwise);
        break;
    case CAT_INSTR_DEBUG: (void)cat_resolve_expr(resolver, resolver->scope, instr->expr); break;
    case CAT_INSTR_BELL:
        for (const struct cat_expr *at = instr->items.first; at; at = at->next)
            (void)cat_resolve_expr(resolver, resolver->scope, at);
        break;
    case CAT_INSTR_SHOW: cat_resolve_show(resolver, instr); break;
    case CAT_INSTR_UNSHOW: cat_resolve_unshow(resolver, instr);
    }
}

void cat_resolve_instr(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    if (!cat_resolve_within(resolver, instr->span))
        return;
    resolver->recursion++;
    dispatch(resolver, instr);
    resolver->recursion--;
}
