/* `match` and `if` are decided when the model is read, so only the branch taken is run. */
#include "cat/cat_resolve.h"

/* ---- Clauses ---- */

static bool on_tags(const struct cat_clause *clause)
{
    return clause->kind == CAT_CLAUSE_TAG || clause->kind == CAT_CLAUSE_OTHER;
}

/* The clauses are for tags and the value is a collection, or the other way round. */
static const struct cat_clause *refuse_clauses(struct cat_resolver *resolver,
                                               const struct cat_expr *expr, struct cat_value value,
                                               bool tags)
{
    if (value.kind == CAT_VALUE_BROKEN || !cat_resolve_news(resolver, DIAG_CAT_MATCH, expr->span))
        return NULL;
    const char *text = cat_resolve_text(resolver, expr);
    const char *kind = cat_value_text(resolver, value);
    if (value.kind == CAT_VALUE_NODE)
        cat_resolve_error(resolver, DIAG_CAT_MATCH, expr->span,
                          "%s is %s of events, whose elements are known only in an execution; "
                          "'match' decides on tags and on collections such as {'a, 'b} or {po, rf}",
                          text, value.sort == CAT_SET ? "a set" : "a relation");
    else if (value.kind == CAT_VALUE_ORDERS)
        cat_resolve_error(resolver, DIAG_CAT_MATCH, expr->span,
                          "%s is a choice of orders, which are known only in an execution; give "
                          "it to 'with order from ...'",
                          text);
    else
        cat_resolve_error(resolver, DIAG_CAT_MATCH, expr->span,
                          "%s is %s, and the cases are for %s", text, kind,
                          tags ? "tags" : "collections: '{}' and 'x ++ rest'");
    return NULL;
}

static const struct cat_clause *match_tag(struct cat_resolver *resolver,
                                          const struct cat_clauses *clauses,
                                          const struct cat_expr *expr, struct cat_value value)
{
    const struct cat_clause *found = NULL;
    for (const struct cat_clause *at = clauses->first; at; at = at->next) {
        struct cat_expr tag = {.name = at->tag, .span = at->span};
        if (at->kind == CAT_CLAUSE_TAG && cat_resolve_tag(resolver, &tag).kind == CAT_VALUE_BROKEN)
            return NULL;
        if (!found && (at->kind == CAT_CLAUSE_OTHER || at->tag == value.tag->name))
            found = at;
    }
    if (!found)
        cat_resolve_error(resolver, DIAG_CAT_MATCH, expr->span,
                          "no case is for '%s; add the case \"'%s -> ...\", or \"_ -> ...\" as "
                          "the last",
                          value.tag->name, value.tag->name);
    return found;
}

/* `before | x ++ after` splits in the middle, `x ++ rest` after the first. */
static const struct cat_scope *bind_parts(struct cat_resolver *resolver,
                                          const struct cat_scope *scope,
                                          const struct cat_clause *clause, struct cat_value list)
{
    const struct cat_name *name = clause->names.first;
    uint32_t count = list.tuple->count;
    uint32_t middle = clause->names.count == 3 ? count / 2 : 0;
    struct cat_value parts[3];
    uint32_t part = 0;
    if (clause->names.count == 3)
        parts[part++] = cat_list_slice(resolver, list, 0, middle);
    parts[part++] = list.tuple->items[middle];
    parts[part] = cat_list_slice(resolver, list, middle + 1, count - middle - 1);
    for (part = 0; name; name = name->next, part++)
        if (name->text)
            scope = cat_scope_bind(resolver, scope, name->text, parts[part], name->span);
    return scope;
}

static const struct cat_clause *match_list(struct cat_resolver *resolver,
                                           const struct cat_clauses *clauses,
                                           struct cat_value value, const struct cat_scope **scope)
{
    bool some = value.kind == CAT_VALUE_LIST;
    for (const struct cat_clause *at = clauses->first; at; at = at->next)
        if ((at->kind == CAT_CLAUSE_SOME) == some) {
            if (some)
                *scope = bind_parts(resolver, *scope, at, value);
            return at;
        }
    return NULL; /* the grammar asks for both */
}

struct cat_value cat_value_known(const struct cat_resolver *resolver, struct cat_value value)
{
    if (value.kind != CAT_VALUE_NODE || value.node == CAT_NONE ||
        resolver->graph.nodes.items[value.node].op != CAT_EMPTY)
        return value;
    return (struct cat_value){.kind = CAT_VALUE_EMPTY, .sort = value.sort, .node = CAT_NONE};
}

const struct cat_clause *cat_match_clause(struct cat_resolver *resolver,
                                          const struct cat_clauses *clauses,
                                          const struct cat_expr *expr, struct cat_value value,
                                          const struct cat_scope **scope)
{
    bool tags = on_tags(clauses->first);
    value = cat_value_known(resolver, value);
    if (tags && value.kind == CAT_VALUE_TAG)
        return match_tag(resolver, clauses, expr, value);
    if (!tags && (value.kind == CAT_VALUE_LIST || value.kind == CAT_VALUE_EMPTY))
        return match_list(resolver, clauses, value, scope);
    return refuse_clauses(resolver, expr, value, tags);
}

static struct cat_value guarded(struct cat_resolver *resolver, const struct cat_scope *scope,
                                const struct cat_expr *expr)
{
    resolver->guards++;
    struct cat_value value = cat_resolve_expr(resolver, scope, expr);
    resolver->guards--;
    return value;
}

struct cat_value cat_resolve_match(struct cat_resolver *resolver, const struct cat_scope *scope,
                                   const struct cat_expr *expr)
{
    struct cat_value value = cat_resolve_expr(resolver, scope, expr->a);
    const struct cat_clause *clause =
        cat_match_clause(resolver, &expr->clauses, expr->a, value, &scope);
    return clause ? guarded(resolver, scope, clause->expr) : CAT_BROKEN;
}

/* ---- Conditions ---- */

/* Whether equality of the value is a matter of how it is written, not of an execution. */
static bool is_known(struct cat_resolver *resolver, struct cat_value value, int depth)
{
    if (depth > CAT_MAX_RECURSION)
        resolver->hops = CAT_MAX_HOPS;
    if (++resolver->hops >= CAT_MAX_HOPS)
        return false;
    if (value.kind == CAT_VALUE_TAG || value.kind == CAT_VALUE_EMPTY)
        return true;
    if (value.kind != CAT_VALUE_LIST && value.kind != CAT_VALUE_TUPLE)
        return false;
    return ALL(i, value.tuple->count, is_known(resolver, value.tuple->items[i], depth + 1));
}

static bool known(struct cat_resolver *resolver, const struct cat_expr *expr,
                  struct cat_value value)
{
    if (is_known(resolver, value, 0))
        return true;
    if (value.kind != CAT_VALUE_BROKEN)
        cat_resolve_error(resolver, DIAG_CAT_MATCH, expr->span,
                          "%s is %s%s, which only an execution can compare; 'if' compares tags "
                          "and collections of tags: of sets and relations check that 'a \\ b' is "
                          "empty",
                          cat_resolve_text(resolver, expr), cat_value_text(resolver, value),
                          value.kind == CAT_VALUE_LIST ? " of sets or relations" : "");
    return false;
}

static bool subset(struct cat_resolver *resolver, struct cat_value a, struct cat_value b)
{
    for (uint32_t i = 0; a.kind == CAT_VALUE_LIST && i < a.tuple->count; i++)
        if (!cat_list_has(resolver, b, a.tuple->items[i]))
            return false;
    return true;
}

/* A tag or tuple where a collection is asked for. */
static bool collection(struct cat_resolver *resolver, const struct cat_expr *expr,
                       struct cat_value value)
{
    if (value.kind == CAT_VALUE_LIST || value.kind == CAT_VALUE_EMPTY)
        return true;
    cat_resolve_error(resolver, DIAG_CAT_MATCH, expr->span,
                      "%s is %s, and a collection is expected here: put it in braces",
                      cat_resolve_text(resolver, expr), cat_value_text(resolver, value));
    return false;
}

/* False after an error. */
static bool decide(struct cat_resolver *resolver, const struct cat_scope *scope,
                   const struct cat_condition *condition, bool *holds)
{
    struct cat_value a = cat_resolve_expr(resolver, scope, condition->a);
    struct cat_value b = cat_resolve_expr(resolver, scope, condition->b);
    a = cat_value_known(resolver, a);
    b = cat_value_known(resolver, b);
    bool known_a = known(resolver, condition->a, a), known_b = known(resolver, condition->b, b);
    if (!known_a || !known_b)
        return false;
    if (condition->kind == CAT_CONDITION_EQUAL) {
        *holds = cat_value_same(resolver, a, b);
        return true;
    }
    bool in = condition->kind == CAT_CONDITION_IN;
    if (!collection(resolver, condition->b, b) || (!in && !collection(resolver, condition->a, a)))
        return false;
    *holds = in ? cat_list_has(resolver, b, a) : subset(resolver, a, b);
    return true;
}

struct cat_value cat_resolve_if(struct cat_resolver *resolver, const struct cat_scope *scope,
                                const struct cat_expr *expr)
{
    bool holds = expr->condition->holds;
    if (expr->condition->kind == CAT_CONDITION_KNOWN)
        return cat_resolve_expr(resolver, scope, holds ? expr->a : expr->b);
    if (!decide(resolver, scope, expr->condition, &holds))
        return CAT_BROKEN;
    return guarded(resolver, scope, holds ? expr->a : expr->b);
}
