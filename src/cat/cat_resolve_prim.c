/* Functions that are not written in cat, and herd's functions that are not provided. */
#include "cat/cat_resolve.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- linearisations(S, r), generate_orders(S, r), generate_cos(r) ---- */

static struct cat_value orders_value(struct cat_resolver *resolver, struct cat_orders orders)
{
    const struct cat_orders *kept = arena_copy(resolver->scratch, &orders, sizeof orders);
    return (struct cat_value){.kind = CAT_VALUE_ORDERS, .node = CAT_NONE, .orders = kept};
}

static struct cat_value orders_of(struct cat_resolver *resolver, const struct cat_expr *expr,
                                  const char *name, bool coherence, struct cat_value a)
{
    if (a.kind == CAT_VALUE_BROKEN)
        return CAT_BROKEN;
    if (a.kind != CAT_VALUE_TUPLE || a.tuple->count != 2) {
        cat_resolve_error(resolver, DIAG_CAT_ARITY, expr->span,
                          "'%s' takes a set and a relation, and is given %s; write %s(S, r)", name,
                          cat_value_text(resolver, a), name);
        return CAT_BROKEN;
    }
    const struct cat_expr *set = expr->b, *relation = expr->b;
    if (expr->b->kind == CAT_EXPR_TUPLE) {
        set = expr->b->items.first;
        relation = expr->b->items.last;
    }
    const char *place = arena_printf(resolver->scratch, "'%s'", name);
    struct cat_orders orders = {.coherence = coherence};
    bool fits = cat_resolve_want(resolver, a.tuple->items[0], CAT_SET, set, place, &orders.set);
    fits &=
        cat_resolve_want(resolver, a.tuple->items[1], CAT_REL, relation, place, &orders.relation);
    return fits ? orders_value(resolver, orders) : CAT_BROKEN;
}

/* What a name is bound to when it is a set or relation as wanted, else broken. */
static struct cat_value look_up(struct cat_resolver *resolver, const char *name, enum cat_sort sort)
{
    const struct cat_scope *found =
        cat_scope_find(resolver, resolver->scope, intern_text(resolver->names, name));
    if (!found || (found->value.kind != CAT_VALUE_NODE && found->value.kind != CAT_VALUE_EMPTY))
        return CAT_BROKEN;
    return found->value.kind == CAT_VALUE_NODE && found->value.sort != sort ? CAT_BROKEN
                                                                            : found->value;
}

static struct cat_value coherence_orders(struct cat_resolver *resolver, const struct cat_expr *expr,
                                         struct cat_value a)
{
    struct cat_orders orders = {.set = cat_resolve_base(resolver, "W"), .coherence = true};
    if (!cat_resolve_want(resolver, a, CAT_REL, expr->b, "'generate_cos'", &orders.relation))
        return CAT_BROKEN;
    return orders_value(resolver, orders);
}

/* Whether a set has writes alone, as far as can be seen from how it is built. */
static bool only_writes(struct cat_resolver *resolver, cat_node_id id, int depth)
{
    if (id == CAT_NONE || depth > CAT_MAX_DEPTH)
        return false;
    const struct cat_node *node = &resolver->graph.nodes.items[id];
    switch (node->op) {
    case CAT_EMPTY: return true;
    case CAT_BASE:
        return id == cat_resolve_base(resolver, "W") || id == cat_resolve_base(resolver, "IW");
    case CAT_UNION:
        return only_writes(resolver, node->a, depth + 1) &&
               only_writes(resolver, node->b, depth + 1);
    case CAT_INTER:
        return only_writes(resolver, node->a, depth + 1) ||
               only_writes(resolver, node->b, depth + 1);
    case CAT_DIFF: return only_writes(resolver, node->a, depth + 1);
    default: return false;
    }
}

static cat_node_id relation_of(struct cat_resolver *resolver, enum cat_op op, cat_node_id a,
                               cat_node_id b, struct span span)
{
    return cat_graph_node(&resolver->graph, op, CAT_REL, a, b, span);
}

static void demand_empty(struct cat_resolver *resolver, struct span span, cat_node_id node,
                         const char *name)
{
    cat_resolve_add_check(
        resolver, (struct cat_check){CAT_CHECK, CAT_IS_EMPTY, false, node, name, span, NULL});
}

cat_node_id cat_resolve_followed(struct cat_resolver *resolver, cat_node_id relation,
                                 struct span span)
{
    return relation_of(resolver, CAT_PLUS, relation, CAT_NONE, span);
}

/* Demands that co order the set's writes to each location (models/total-coherence.cat says
 * the same of all writes), and that it contain what the orders must contain. */
static void demand(struct cat_resolver *resolver, const char *name, struct span span,
                   cat_node_id relation, cat_node_id within, cat_node_id co)
{
    cat_node_id loc = cat_resolve_base(resolver, "loc"), id = cat_resolve_base(resolver, "id");
    cat_node_id back = relation_of(resolver, CAT_INVERSE, co, CAT_NONE, span);
    cat_node_id both = relation_of(resolver, CAT_UNION, co, back, span);
    cat_node_id ordered = relation_of(resolver, CAT_UNION, both, id, span);
    cat_node_id pairs = relation_of(resolver, CAT_INTER, within, loc, span);
    cat_node_id wanted = relation_of(resolver, CAT_INTER, relation, pairs, span);
    demand_empty(resolver, span, relation_of(resolver, CAT_DIFF, pairs, ordered, span),
                 "total-coherence");
    demand_empty(resolver, span, relation_of(resolver, CAT_DIFF, wanted, co, span),
                 arena_printf(resolver->scratch, "%s-order", name));
}

struct cat_value cat_choose_coherence(struct cat_resolver *resolver, const struct cat_instr *instr,
                                      const struct cat_orders *orders)
{
    const struct cat_orders *before = resolver->coherence;
    if (resolver->graph.nodes.items[orders->set].op == CAT_EMPTY)
        return cat_value_node(
            CAT_REL, relation_of(resolver, CAT_PRODUCT, orders->set, orders->set, instr->span));
    if (!only_writes(resolver, orders->set, 0)) {
        cat_resolve_error(resolver, DIAG_CAT_CHOICE, instr->expr->span,
                          "orders for each location are parts of 'co', which orders writes, and "
                          "this set may hold other events; write 'W & ...', or choose one order "
                          "of all by 'linearisations(S, r)'");
        return CAT_BROKEN;
    }
    if (before && (before->set != orders->set || before->relation != orders->relation)) {
        cat_resolve_error(resolver, DIAG_CAT_CHOICE, instr->span,
                          "a second choice of orders for each location; the tool has one "
                          "coherence order of all writes, 'co': use the first choice");
        return CAT_BROKEN;
    }
    resolver->coherence = orders;
    cat_node_id co = cat_resolve_base(resolver, "co");
    BASE_CHECK(co != CAT_NONE);
    cat_node_id within = relation_of(resolver, CAT_PRODUCT, orders->set, orders->set, instr->span);
    demand(resolver, instr->name, instr->span,
           cat_resolve_followed(resolver, orders->relation, instr->span), within, co);
    if (orders->set == cat_resolve_base(resolver, "W"))
        return cat_value_node(CAT_REL, co);
    return cat_value_node(CAT_REL, relation_of(resolver, CAT_INTER, co, within, instr->span));
}

/* Is it part of co, so far as its form tells? Of parts that is known. */
static bool is_in_coherence(const struct cat_graph *graph, const struct cat_node *node,
                            const bool *is_in, uint32_t co)
{
    bool a = node->a != CAT_NONE && is_in[node->a], b = node->b != CAT_NONE && is_in[node->b];
    bool from = node->a != CAT_NONE && graph->nodes.items[node->a].op == CAT_TOID;
    bool to = node->b != CAT_NONE && graph->nodes.items[node->b].op == CAT_TOID;
    switch (node->op) {
    case CAT_BASE: return node->base == co;
    case CAT_EMPTY: return true;
    case CAT_UNION: return a && b;
    case CAT_INTER: return a || b;
    case CAT_DIFF:
    case CAT_PLUS: return a;
    case CAT_SEQ: return (a || from) && (b || to) && (a || b);
    default: return false;
    }
}

static bool is_part_of_coherence(struct cat_resolver *resolver, cat_node_id relation)
{
    const struct cat_graph *graph = &resolver->graph;
    uint32_t co = graph->nodes.items[cat_resolve_base(resolver, "co")].base;
    bool *is_in = base_realloc(NULL, graph->nodes.count);
    for (cat_node_id id = 0; id <= relation; id++)
        is_in[id] = is_in_coherence(graph, &graph->nodes.items[id], is_in, co);
    bool answer = is_in[relation];
    base_free(is_in);
    return answer;
}

/* Final values and crash states follow the base relation: each is one write's, so it is total,
 * and has in it the relation that the model calls co instead. Where that is a part of it by its
 * form, as in `let co = co+`, the base relation itself is meant. */
void cat_resolve_own_coherence(struct cat_resolver *resolver)
{
    const struct cat_scope *found =
        cat_scope_find(resolver, resolver->scope, intern_text(resolver->names, "co"));
    cat_node_id co = cat_resolve_base(resolver, "co");
    if (co == CAT_NONE || !found || found->value.kind != CAT_VALUE_NODE ||
        found->value.sort != CAT_REL || is_part_of_coherence(resolver, found->value.node))
        return;
    cat_node_id writes = cat_resolve_base(resolver, "W");
    demand(resolver, "co", found->span, found->value.node,
           relation_of(resolver, CAT_PRODUCT, writes, writes, found->span), co);
}

/* ---- Writes that persist-before joins ---- */

static cat_node_id nvm_writes(struct cat_resolver *resolver, struct span span)
{
    return cat_graph_node(&resolver->graph, CAT_INTER, CAT_SET, cat_resolve_base(resolver, "W"),
                          cat_resolve_base(resolver, "NVM"), span);
}

bool cat_resolve_all_can_persist(struct cat_resolver *resolver, cat_node_id can_persist)
{
    return can_persist == nvm_writes(resolver, (struct span){0});
}

bool cat_resolve_lands_by_coherence(struct cat_resolver *resolver, cat_node_id lands_before)
{
    return lands_before == cat_resolve_base(resolver, "co");
}

/* `[W & NVM]; relation; [W & NVM]`. */
static cat_node_id among_durable(struct cat_resolver *resolver, cat_node_id relation,
                                 struct span span)
{
    cat_node_id set = nvm_writes(resolver, span);
    return relation_of(resolver, CAT_INTER, relation,
                       relation_of(resolver, CAT_PRODUCT, set, set, span), span);
}

/* ---- How versions land ---- */

/* On one location, initial writes first; as engines take it, but for volatile locations. */
static cat_node_id landing(struct cat_resolver *resolver, cat_node_id lands_before,
                           struct span span)
{
    if (cat_resolve_lands_by_coherence(resolver, lands_before))
        return lands_before;
    cat_node_id first = cat_resolve_base(resolver, "IW"), loc = cat_resolve_base(resolver, "loc");
    cat_node_id later = cat_graph_node(&resolver->graph, CAT_DIFF, CAT_SET,
                                       cat_resolve_base(resolver, "W"), first, span);
    cat_node_id initial = relation_of(resolver, CAT_PRODUCT, first, later, span);
    cat_node_id all = relation_of(resolver, CAT_UNION, lands_before, initial, span);
    return relation_of(resolver, CAT_INTER, loc, all, span);
}

/* Where versions have a cycle no one of them is the last: what NVM holds is not defined. */
void cat_resolve_check_landing(struct cat_resolver *resolver, cat_node_id lands_before)
{
    const struct cat_scope *found =
        cat_scope_find(resolver, resolver->scope, intern_text(resolver->names, "lands-before"));
    const struct span span = {0}; /* the model has not written these */
    if (is_part_of_coherence(resolver, lands_before))
        return;
    cat_node_id versions = among_durable(resolver, landing(resolver, lands_before, span), span);
    cat_node_id others =
        relation_of(resolver, CAT_DIFF, versions, cat_resolve_base(resolver, "id"), span);
    cat_resolve_add_check(resolver,
                          (struct cat_check){CAT_UNDEFINED_UNLESS, CAT_ACYCLIC, false, others,
                                             "lands-before-cycle", found->span, NULL});
}

static const char joined_meaning[] =
    "in some execution 'persist-before' has a cycle, with 'lands-before', and the writes on it "
    "become durable together; if that is meant, join them by 'persist-atomic'; else order them one "
    "way, or exclude such executions by "
    "'acyclic [W & NVM]; (persist-before | lands-before); [W & NVM]'";

/* Pairs of writes that persist-before needs both ways round, with coherence and classes, and that
 * are of no one class. */
void cat_resolve_flag_joined(struct cat_resolver *resolver, const cat_node_id *reserved)
{
    const struct cat_scope *found =
        cat_scope_find(resolver, resolver->scope, intern_text(resolver->names, "persist-before"));
    if (resolver->graph.nodes.items[reserved[CAT_PERSIST_BEFORE]].op == CAT_EMPTY)
        return;
    const struct span span = {0}; /* the model has not written these */
    cat_node_id classes = among_durable(resolver, reserved[CAT_PERSIST_ATOMIC], span);
    cat_node_id sames = relation_of(resolver, CAT_INVERSE, classes, CAT_NONE, span);
    cat_node_id either = relation_of(resolver, CAT_UNION, classes, sames, span);
    cat_node_id ordered = relation_of(resolver, CAT_UNION, reserved[CAT_PERSIST_BEFORE],
                                      landing(resolver, reserved[CAT_LANDS_BEFORE], span), span);
    cat_node_id needs =
        relation_of(resolver, CAT_UNION, among_durable(resolver, ordered, span), either, span);
    cat_node_id after = relation_of(resolver, CAT_PLUS, needs, CAT_NONE, span);
    cat_node_id back = relation_of(resolver, CAT_INVERSE, after, CAT_NONE, span);
    cat_node_id meant = relation_of(resolver, CAT_STAR, either, CAT_NONE, span);
    cat_node_id joined = relation_of(resolver, CAT_INTER, after, back, span);
    cat_resolve_add_check(resolver,
                          (struct cat_check){CAT_FLAG, CAT_IS_EMPTY, true,
                                             relation_of(resolver, CAT_DIFF, joined, meant, span),
                                             "persist-cycle", found->span, joined_meaning});
}

/* ---- From tags to sets and relations ---- */

static bool wants_tag(struct cat_resolver *resolver, const struct cat_expr *expr, const char *name,
                      struct cat_value value)
{
    if (value.kind == CAT_VALUE_TAG)
        return true;
    if (value.kind != CAT_VALUE_BROKEN)
        cat_resolve_error(resolver, DIAG_CAT_SORT, expr->b->span,
                          "%s is %s, where '%s' expects a tag", cat_resolve_text(resolver, expr->b),
                          cat_value_text(resolver, value), name);
    return false;
}

static struct cat_value not_there(struct cat_resolver *resolver, const struct cat_expr *expr,
                                  const char *message)
{
    if (resolver->trying)
        resolver->missed = true;
    else
        cat_resolve_error(resolver, DIAG_CAT_UNBOUND, expr->span, "%s", message);
    return CAT_BROKEN;
}

/* What 'instructions' declares to be the tag's; else the set of its name, with a capital ('once:
 * Once) or in capitals ('acq: ACQ). */
static struct cat_value tag2events(struct cat_resolver *resolver, const struct cat_expr *expr,
                                   struct cat_value a)
{
    if (!wants_tag(resolver, expr, "tag2events", a))
        return CAT_BROKEN;
    struct cat_value declared = cat_resolve_events_of(resolver, a.tag, expr->span);
    if (declared.kind != CAT_VALUE_BROKEN)
        return declared;
    char *first = arena_strdup(resolver->scratch, a.tag->name);
    char *all = arena_strdup(resolver->scratch, a.tag->name);
    first[0] = (char)toupper((unsigned char)first[0]);
    for (char *at = all; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    struct cat_value found = look_up(resolver, first, CAT_SET);
    if (found.kind == CAT_VALUE_BROKEN)
        found = look_up(resolver, all, CAT_SET);
    if (found.kind != CAT_VALUE_BROKEN)
        return found;
    return not_there(
        resolver, expr,
        arena_printf(resolver->scratch,
                     "the events of tag '%s are the set '%s' or '%s', and there "
                     "is neither; define one by 'let', or declare the tag by 'instructions'",
                     a.tag->name, first, all));
}

/* The relation of the tag's own name, else "same scope" as the base relations have it. */
static struct cat_value tag2scope(struct cat_resolver *resolver, const struct cat_expr *expr,
                                  struct cat_value a)
{
    static const char *const scopes[][2] = {{"wi", "int"},   {"sg", "ssg"},  {"wg", "swg"},
                                            {"kr", "skr"},   {"dv", "sdv"},  {"dev", "sdv"},
                                            {"sys", "ssys"}, {"all", "ssys"}};
    if (!wants_tag(resolver, expr, "tag2scope", a))
        return CAT_BROKEN;
    struct cat_value found = look_up(resolver, a.tag->name, CAT_REL);
    for (size_t i = 0; found.kind == CAT_VALUE_BROKEN && i < sizeof scopes / sizeof *scopes; i++)
        if (strcmp(scopes[i][0], a.tag->name) == 0)
            found = look_up(resolver, scopes[i][1], CAT_REL);
    if (found.kind != CAT_VALUE_BROKEN)
        return found;
    return not_there(resolver, expr,
                     arena_printf(resolver->scratch,
                                  "no scope is called '%s'; scopes are 'wi 'sg 'wg 'kr 'dv 'sys, "
                                  "or define a relation of that name",
                                  a.tag->name));
}

/* The pairs of the relation whose values differ: known of a relation without pairs alone, which is
 * what the kernel's is of instructions that tests have not. */
static struct cat_value different_values(struct cat_resolver *resolver, const struct cat_expr *expr,
                                         struct cat_value a)
{
    bool is_node = a.kind == CAT_VALUE_NODE && a.sort == CAT_REL;
    if (a.kind == CAT_VALUE_BROKEN || a.kind == CAT_VALUE_EMPTY ||
        (is_node && (a.node == CAT_NONE || resolver->graph.nodes.items[a.node].op == CAT_EMPTY)))
        return a;
    cat_resolve_error(resolver, is_node ? DIAG_CAT_UNSUPPORTED : DIAG_CAT_SORT, expr->span,
                      is_node ? "'different-values' is not supported but of a relation that has no "
                                "pairs, 0; models do not see values"
                              : "'different-values' takes a relation");
    return CAT_BROKEN;
}

struct cat_value cat_resolve_primitive(struct cat_resolver *resolver, const struct cat_expr *expr,
                                       enum cat_primitive primitive, struct cat_value a)
{
    switch (primitive) {
    case CAT_PRIMITIVE_DOMAIN:
        return cat_resolve_apply_op(resolver, CAT_DOMAIN, a, expr->b, expr->span);
    case CAT_PRIMITIVE_RANGE:
        return cat_resolve_apply_op(resolver, CAT_RANGE, a, expr->b, expr->span);
    case CAT_PRIMITIVE_LINEARISATIONS: return orders_of(resolver, expr, "linearisations", false, a);
    case CAT_PRIMITIVE_GENERATE_ORDERS:
        return orders_of(resolver, expr, "generate_orders", true, a);
    case CAT_PRIMITIVE_GENERATE_COS: return coherence_orders(resolver, expr, a);
    case CAT_PRIMITIVE_TAG2EVENTS: return tag2events(resolver, expr, a);
    case CAT_PRIMITIVE_TAG2SCOPE: return tag2scope(resolver, expr, a);
    case CAT_PRIMITIVE_DIFFERENT_VALUES: return different_values(resolver, expr, a);
    }
    return CAT_BROKEN;
}

/* ---- Not provided ---- */

const char *cat_primitive_missing(const char *name)
{
    static const struct {
        const char *name, *mend;
    } missing[] = {
        {"co_locs", "use 'generate_orders(S, r)', the coherence orders of S that contain r"},
        {"cross", "use 'generate_orders(S, r)', the coherence orders of S that contain r"},
        {"partition", "classes of events are known only in an execution: use 'loc'"},
        {"classes-loc", "classes of events are known only in an execution: use 'loc'"},
        {"classes", "classes of events are known only in an execution: use the equivalence itself"},
        {"lift", "it works on classes of events, known only in an execution: see 'stronglift'"},
        {"delift", "it works on classes of events, known only in an execution"},
        {"deliftinter", "it works on classes of events, known only in an execution"},
        {"bisimulation", "write the greatest fixpoint as the complement of a least one"},
        {"loc2events", "locations have no names in models: use 'loc'"},
        {"same-oa", "there is no address translation: use 'loc'"},
        {"at-least-one-writable", "there is no address translation: remove it"},
        {"fail", "use a check that does not hold"},
    };
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (strcmp(missing[i].name, name) == 0)
            return missing[i].mend;
    return NULL;
}
