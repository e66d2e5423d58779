/* Hash-consing, the simplifying laws, and `let rec` groups. */
#include "cat/cat_resolve_graph.h"

#include "base/hash.h"

#include <string.h>

struct cat_key {
    uint32_t op, sort, a, b, base;
};

struct cat_entry {
    struct cat_key key;
    cat_node_id node;
    UT_hash_handle hh;
};

void cat_graph_init(struct cat_graph *graph, const struct cat_basis *basis)
{
    *graph = (struct cat_graph){.basis = basis};
}

void cat_graph_fini(struct cat_graph *graph)
{
    HASH_CLEAR(hh, graph->table);
    VEC_FREE(&graph->nodes);
    VEC_FREE(&graph->dependence);
    VEC_FREE(&graph->members);
    VEC_FREE(&graph->groups);
    VEC_FREE(&graph->choices);
    VEC_FREE(&graph->tagged);
    arena_fini(&graph->arena);
}

uint32_t cat_graph_find_group(const struct cat_graph *graph, uint32_t group)
{
    BASE_ASSERT(group == CAT_NO_GROUP || group < graph->groups.count);
    while (group != CAT_NO_GROUP && graph->groups.items[group].parent != group)
        group = graph->groups.items[group].parent;
    return group;
}

uint32_t cat_graph_dependence(const struct cat_graph *graph, cat_node_id node)
{
    BASE_ASSERT(node == CAT_NONE || node < graph->dependence.count);
    BASE_ASSERT(graph->dependence.count == graph->nodes.count);
    return node == CAT_NONE ? CAT_NO_GROUP
                            : cat_graph_find_group(graph, graph->dependence.items[node]);
}

/* Both groups are open, so one encloses the other: the older takes the newer in. */
static uint32_t join_groups(struct cat_graph *graph, uint32_t a, uint32_t b)
{
    if (a == CAT_NO_GROUP)
        return b;
    if (b == CAT_NO_GROUP || a == b)
        return a;
    uint32_t outer = a < b ? a : b, inner = a < b ? b : a;
    BASE_ASSERT(graph->groups.items[inner].parent == inner &&
                graph->groups.items[outer].parent == outer);
    graph->groups.items[inner].parent = outer;
    return outer;
}

static cat_node_id add_node(struct cat_graph *graph, struct cat_node node, uint32_t dependence)
{
    BASE_ASSERT(node.a == CAT_NONE || node.a < graph->nodes.count);
    BASE_ASSERT(node.b == CAT_NONE || node.b < graph->nodes.count);
    VEC_PUSH(&graph->nodes, node);
    VEC_PUSH(&graph->dependence, dependence);
    return (cat_node_id)graph->nodes.count - 1;
}

static cat_node_id intern_node(struct cat_graph *graph, struct cat_node node)
{
    struct cat_key key = {node.op, node.sort, node.a, node.b, node.base};
    struct cat_entry *entry;
    HASH_FIND(hh, graph->table, &key, sizeof key, entry);
    if (entry)
        return entry->node;
    uint32_t dependence = join_groups(graph, cat_graph_dependence(graph, node.a),
                                      cat_graph_dependence(graph, node.b));
    entry = ARENA_NEW(&graph->arena, struct cat_entry);
    entry->key = key;
    entry->node = add_node(graph, node, dependence);
    HASH_ADD(hh, graph->table, key, sizeof key, entry);
    return entry->node;
}

/* A node without operands. */
static struct cat_node leaf(enum cat_op op, enum cat_sort sort, size_t base, struct span span)
{
    return (struct cat_node){.op = op,
                             .sort = sort,
                             .a = CAT_NONE,
                             .b = CAT_NONE,
                             .base = (uint32_t)base,
                             .group = CAT_NO_GROUP,
                             .span = span};
}

cat_node_id cat_graph_base(struct cat_graph *graph, uint32_t base)
{
    BASE_ASSERT(base < graph->basis->count);
    const struct span nowhere = {0};
    return intern_node(graph, leaf(CAT_BASE, graph->basis->names[base].sort, base, nowhere));
}

cat_node_id cat_graph_tagged(struct cat_graph *graph, const char *tag, enum cat_bearer bearer)
{
    const struct span nowhere = {0};
    size_t at = 0;
    while (at < graph->tagged.count &&
           (graph->tagged.items[at].tag != tag || graph->tagged.items[at].bearer != bearer))
        at++;
    if (at == graph->tagged.count)
        VEC_PUSH(&graph->tagged, (struct cat_tagged){tag, bearer});
    return intern_node(graph, leaf(CAT_TAGGED, CAT_SET, at, nowhere));
}

static enum cat_op op_of(const struct cat_graph *graph, cat_node_id node)
{
    BASE_ASSERT(node < graph->nodes.count);
    return graph->nodes.items[node].op;
}

/* ---- Laws. Each returns CAT_NONE when none applies. ---- */

static cat_node_id empty_node(struct cat_graph *graph, enum cat_sort sort, struct span span)
{
    return intern_node(graph, leaf(CAT_EMPTY, sort, 0, span));
}

static cat_node_id simplify_unary(struct cat_graph *graph, enum cat_op op, enum cat_sort sort,
                                  cat_node_id a, struct span span)
{
    BASE_ASSERT(a < graph->nodes.count);
    enum cat_op below = op_of(graph, a);
    cat_node_id operand = graph->nodes.items[a].a;
    switch (op) {
    case CAT_COMP: return below == CAT_COMP ? operand : CAT_NONE;
    case CAT_INVERSE:
        if (below == CAT_INVERSE)
            return operand;
        return below == CAT_EMPTY || below == CAT_TOID ? a : CAT_NONE;
    case CAT_OPT: return below == CAT_OPT || below == CAT_STAR ? a : CAT_NONE;
    case CAT_PLUS:
        return below == CAT_PLUS || below == CAT_STAR || below == CAT_EMPTY || below == CAT_TOID
                   ? a
                   : CAT_NONE;
    case CAT_STAR: return below == CAT_STAR ? a : CAT_NONE;
    case CAT_TOID:
    case CAT_DOMAIN:
    case CAT_RANGE:
        if (below == CAT_EMPTY)
            return empty_node(graph, sort, span);
        return below == CAT_TOID && op != CAT_TOID ? operand : CAT_NONE;
    default: return CAT_NONE;
    }
}

static cat_node_id simplify_binary(struct cat_graph *graph, enum cat_op op, enum cat_sort sort,
                                   cat_node_id a, cat_node_id b, struct span span)
{
    bool none_a = op_of(graph, a) == CAT_EMPTY, none_b = op_of(graph, b) == CAT_EMPTY;
    switch (op) {
    case CAT_UNION: return none_a || a == b ? b : none_b ? a : CAT_NONE;
    case CAT_INTER: return none_a || a == b ? a : none_b ? b : CAT_NONE;
    case CAT_DIFF:
        if (a == b)
            return empty_node(graph, sort, span);
        return none_a || none_b ? a : CAT_NONE;
    case CAT_SEQ:
    case CAT_PRODUCT: return none_a || none_b ? empty_node(graph, sort, span) : CAT_NONE;
    default: return CAT_NONE;
    }
}

cat_node_id cat_graph_node(struct cat_graph *graph, enum cat_op op, enum cat_sort sort,
                           cat_node_id a, cat_node_id b, struct span span)
{
    BASE_ASSERT(a == CAT_NONE || a < graph->nodes.count);
    BASE_ASSERT(b == CAT_NONE || b < graph->nodes.count);
    BASE_ASSERT((op == CAT_BASE || op == CAT_EMPTY) == (a == CAT_NONE));
    cat_node_id same = CAT_NONE;
    if (a != CAT_NONE)
        same = b == CAT_NONE ? simplify_unary(graph, op, sort, a, span)
                             : simplify_binary(graph, op, sort, a, b, span);
    if (same != CAT_NONE)
        return same;
    if ((op == CAT_UNION || op == CAT_INTER) && a > b) {
        cat_node_id swap = a;
        a = b;
        b = swap;
    }
    return intern_node(
        graph, (struct cat_node){
                   .op = op, .sort = sort, .a = a, .b = b, .group = CAT_NO_GROUP, .span = span});
}

cat_node_id cat_graph_choice(struct cat_graph *graph, struct cat_choice choice)
{
    BASE_ASSERT((choice.kind == CAT_LINEARISATIONS) == (choice.set != CAT_NONE));
    struct cat_node node = leaf(CAT_CHOICE, CAT_REL, graph->choices.count, choice.span);
    node.name = choice.name;
    VEC_PUSH(&graph->choices, choice);
    return add_node(graph, node, CAT_NO_GROUP);
}

void cat_graph_name(struct cat_graph *graph, cat_node_id node, const char *name)
{
    BASE_ASSERT(node < graph->nodes.count);
    struct cat_node *named = &graph->nodes.items[node];
    if (!named->name && named->op != CAT_BASE && named->op != CAT_EMPTY)
        named->name = name;
}

/* ---- Groups ---- */

uint32_t cat_graph_open(struct cat_graph *graph)
{
    struct cat_group group = {.parent = (uint32_t)graph->groups.count,
                              .first = (uint32_t)graph->members.count};
    VEC_PUSH(&graph->groups, group);
    return group.parent;
}

cat_node_id cat_graph_member(struct cat_graph *graph, uint32_t group, enum cat_sort sort,
                             const char *name, struct span span)
{
    BASE_ASSERT(group + 1 == graph->groups.count);
    struct cat_node node = leaf(CAT_VAR, sort, graph->members.count, span);
    node.group = group;
    node.name = name;
    cat_node_id var = add_node(graph, node, group);
    struct cat_member member = {group, var, CAT_NONE, CAT_NONE, name};
    VEC_PUSH(&graph->members, member);
    return var;
}

/* Nodes reachable from the bodies of `group` that depend on it, in a worklist. */
struct reach {
    VEC(cat_node_id) list;
    bool *seen;
};

static void reach_add(const struct cat_graph *graph, struct reach *reach, uint32_t group,
                      cat_node_id node)
{
    if (node == CAT_NONE || reach->seen[node] || cat_graph_dependence(graph, node) != group)
        return;
    reach->seen[node] = true;
    VEC_PUSH(&reach->list, node);
}

static bool shrinks(const struct cat_graph *graph, cat_node_id id, uint32_t group)
{
    BASE_ASSERT(id < graph->nodes.count);
    const struct cat_node *node = &graph->nodes.items[id];
    return node->op == CAT_COMP ||
           (node->op == CAT_DIFF && cat_graph_dependence(graph, node->b) == group);
}

static cat_node_id find_shrinking(const struct cat_graph *graph, uint32_t group)
{
    BASE_ASSERT(graph->groups.items[group].parent == group);
    struct reach reach = {.seen = base_realloc(NULL, graph->nodes.count)};
    memset(reach.seen, 0, graph->nodes.count);
    cat_node_id found = CAT_NONE;
    for (size_t i = graph->groups.items[group].first; i < graph->members.count; i++)
        if (cat_graph_find_group(graph, graph->members.items[i].group) == group)
            reach_add(graph, &reach, group, graph->members.items[i].body);
    for (size_t i = 0; i < reach.list.count; i++) {
        cat_node_id id = reach.list.items[i];
        if (shrinks(graph, id, group) && id < found)
            found = id;
        reach_add(graph, &reach, group, graph->nodes.items[id].a);
        reach_add(graph, &reach, group, graph->nodes.items[id].b);
    }
    VEC_FREE(&reach.list);
    base_free(reach.seen);
    return found;
}

/* Is the body a union with the member's own variable? */
static bool adds_to_itself(const struct cat_graph *graph, cat_node_id body, cat_node_id var)
{
    BASE_ASSERT(body < graph->nodes.count && var < graph->nodes.count);
    const struct cat_node *node = &graph->nodes.items[body];
    if (node->op == CAT_UNION)
        return adds_to_itself(graph, node->a, var) || adds_to_itself(graph, node->b, var);
    return body == var;
}

/* Is a relation that changes with the witness reached from here? */
static bool is_dynamic(const struct cat_graph *graph, struct reach *reach, cat_node_id id)
{
    VEC(cat_node_id) list = {0};
    bool found = false;
    VEC_PUSH(&list, id);
    while (list.count && !found) {
        const cat_node_id at = VEC_POP(&list);
        if (at == CAT_NONE || reach->seen[at])
            continue;
        const struct cat_node *node = &graph->nodes.items[at];
        reach->seen[at] = true;
        found = node->op == CAT_CHOICE || node->op == CAT_VAR || node->op == CAT_FIX ||
                (node->op == CAT_BASE && graph->basis->names[node->base].dynamic);
        VEC_PUSH(&list, node->a);
        VEC_PUSH(&list, node->b);
    }
    VEC_FREE(&list);
    return found;
}

static const char *why_endless(const struct cat_graph *graph, struct reach *reach, uint32_t group,
                               cat_node_id id)
{
    BASE_ASSERT(cat_graph_dependence(graph, id) == group);
    const struct cat_node *node = &graph->nodes.items[id];
    if (node->op == CAT_PLUS || node->op == CAT_STAR)
        return "there is a closure of a member in it";
    if (node->op == CAT_VAR) {
        const struct cat_member *member = &graph->members.items[node->base];
        return adds_to_itself(graph, member->body, id)
                   ? NULL
                   : "a member that is used before its definition does not add to itself, as in "
                     "'r = r | ...'";
    }
    for (int side = 0; side < 2; side++) {
        cat_node_id operand = side ? node->b : node->a;
        if (operand != CAT_NONE && cat_graph_dependence(graph, operand) != group &&
            is_dynamic(graph, reach, operand))
            return "it depends on rf, co, a choice or another recursion";
    }
    return NULL;
}

static bool took_in_others(const struct cat_graph *graph, uint32_t group)
{
    return ANY(i, graph->members.count,
               graph->members.items[i].group != group &&
                   cat_graph_find_group(graph, graph->members.items[i].group) == group);
}

const char *cat_graph_inflates(struct cat_graph *graph, uint32_t group)
{
    BASE_ASSERT(group < graph->groups.count);
    struct reach reach = {.seen = base_realloc(NULL, graph->nodes.count)};
    struct reach outside = {.seen = base_realloc(NULL, graph->nodes.count)};
    const char *why = NULL;
    memset(reach.seen, 0, graph->nodes.count);
    memset(outside.seen, 0, graph->nodes.count);
    for (size_t i = graph->groups.items[group].first; i < graph->members.count; i++)
        reach_add(graph, &reach, group, graph->members.items[i].body);
    if (took_in_others(graph, group))
        why = "there is another recursion in it";
    for (size_t i = 0; i < reach.list.count && !why; i++) {
        const struct cat_node *node = &graph->nodes.items[reach.list.items[i]];
        why = why_endless(graph, &outside, group, reach.list.items[i]);
        reach_add(graph, &reach, group, node->a);
        reach_add(graph, &reach, group, node->b);
    }
    VEC_FREE(&reach.list);
    base_free(reach.seen);
    base_free(outside.seen);
    graph->groups.items[group].inflates = !why;
    return why;
}

/* A CAT_FIX node for every member of the group, those it took in included. */
static void add_fixes(struct cat_graph *graph, uint32_t group)
{
    for (size_t i = graph->groups.items[group].first; i < graph->members.count; i++) {
        struct cat_member *member = &graph->members.items[i];
        if (cat_graph_find_group(graph, member->group) != group)
            continue;
        BASE_ASSERT(graph->nodes.items[member->var].op == CAT_VAR);
        BASE_ASSERT(member->fix == CAT_NONE);
        struct cat_node node = graph->nodes.items[member->var];
        node.op = CAT_FIX;
        node.group = group;
        member->fix = add_node(graph, node, CAT_NO_GROUP);
    }
}

cat_node_id cat_graph_close(struct cat_graph *graph, uint32_t group, uint32_t count,
                            const cat_node_id *bodies, cat_node_id *values)
{
    BASE_ASSERT(group < graph->groups.count &&
                graph->groups.items[group].first + count <= graph->members.count);
    struct cat_member *members = graph->members.items + graph->groups.items[group].first;
    uint32_t joined = cat_graph_find_group(graph, group);
    bool recursive = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t dependence = cat_graph_dependence(graph, bodies[i]);
        members[i].body = bodies[i];
        recursive |= dependence != CAT_NO_GROUP;
        joined = join_groups(graph, joined, dependence);
    }
    if (recursive && joined == group)
        add_fixes(graph, group);
    for (uint32_t i = 0; i < count; i++)
        values[i] = !recursive ? bodies[i] : joined == group ? members[i].fix : members[i].var;
    return recursive && joined == group ? find_shrinking(graph, group) : CAT_NONE;
}
