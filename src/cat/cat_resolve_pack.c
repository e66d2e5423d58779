/* Lays out the live part of a graph as cat_ir.h wants it.
 *
 * The graph's own order already has operands before users, with two exceptions: a CAT_FIX needs its
 * bodies, and nodes outside a group may stand between its members. So the walk follows the graph's
 * order and skips what depends on a group. At the group's first CAT_FIX it lays out variables,
 * dependents and fixes in one piece. Everything else a group needs has a smaller index than its
 * fixes. */
#include "cat/cat_resolve_graph.h"

#include <string.h>

struct pack {
    struct cat_graph *graph;
    struct arena *arena;
    struct cat_node *nodes;
    uint32_t count;
    cat_node_id *place; /* per graph node: its packed index */
    bool *live;
    VEC(cat_node_id) work;
    VEC(struct cat_rec_group) groups;
};

static void mark(struct pack *pack, cat_node_id node)
{
    if (node == CAT_NONE || pack->live[node])
        return;
    pack->live[node] = true;
    VEC_PUSH(&pack->work, node);
}

static void mark_group(struct pack *pack, uint32_t group)
{
    BASE_ASSERT(group < pack->graph->groups.count);
    const struct cat_graph *graph = pack->graph;
    for (size_t i = graph->groups.items[group].first; i < graph->members.count; i++) {
        const struct cat_member *member = &graph->members.items[i];
        if (cat_graph_find_group(graph, member->group) != group)
            continue;
        mark(pack, member->var);
        mark(pack, member->body);
        mark(pack, member->fix);
    }
}

static void mark_all(struct pack *pack)
{
    while (pack->work.count) {
        const struct cat_node *node = &pack->graph->nodes.items[VEC_POP(&pack->work)];
        mark(pack, node->a);
        mark(pack, node->b);
        if (node->op == CAT_FIX)
            mark_group(pack, node->group);
    }
}

static cat_node_id place_of(const struct pack *pack, cat_node_id node)
{
    if (node == CAT_NONE)
        return CAT_NONE;
    BASE_CHECK(pack->place[node] != CAT_NONE);
    return pack->place[node];
}

static bool computed_dynamic(const struct pack *pack, const struct cat_node *node)
{
    if (node->op == CAT_BASE)
        return pack->graph->basis->names[node->base].dynamic;
    if (node->op == CAT_CHOICE)
        return true;
    return (node->a != CAT_NONE && pack->nodes[node->a].dynamic) ||
           (node->b != CAT_NONE && pack->nodes[node->b].dynamic);
}

static struct cat_node *emit(struct pack *pack, cat_node_id id)
{
    BASE_ASSERT(pack->place[id] == CAT_NONE);
    struct cat_node *node = &pack->nodes[pack->count];
    *node = pack->graph->nodes.items[id];
    node->a = place_of(pack, node->a);
    node->b = place_of(pack, node->b);
    node->dynamic = computed_dynamic(pack, node);
    if (node->name)
        node->name = arena_strdup(pack->arena, node->name);
    pack->place[id] = pack->count++;
    return node;
}

/* ---- One group ---- */

/* A member depends on the witness when any body of its group does. */
static void spread_dynamic(struct pack *pack, const struct cat_rec_group *group)
{
    BASE_ASSERT(group->begin <= group->end && group->end <= pack->count);
    bool dynamic = false;
    for (uint32_t i = 0; i < group->count; i++)
        dynamic |= pack->nodes[group->bodies[i]].dynamic;
    if (!dynamic)
        return;
    for (cat_node_id i = group->begin; i < group->end; i++) {
        struct cat_node *node = &pack->nodes[i];
        node->dynamic = node->op == CAT_VAR || computed_dynamic(pack, node);
    }
    for (uint32_t i = 0; i < group->count; i++)
        pack->nodes[group->fixes[i]].dynamic = true;
}

static void emit_members(struct pack *pack, const struct cat_member *const *members, uint32_t count,
                         bool fixes, cat_node_id *out)
{
    for (uint32_t i = 0; i < count; i++) {
        struct cat_node *node = emit(pack, fixes ? members[i]->fix : members[i]->var);
        node->base = i;
        node->group = (uint32_t)pack->groups.count;
        BASE_ASSERT(node->op == (fixes ? CAT_FIX : CAT_VAR));
        out[i] = pack->count - 1;
    }
}

/* All of a group, those taken in included. */
typedef VEC(const struct cat_member *) member_list;

static member_list members_of(const struct cat_graph *graph, uint32_t group)
{
    member_list list = {0};
    for (size_t i = graph->groups.items[group].first; i < graph->members.count; i++)
        if (cat_graph_find_group(graph, graph->members.items[i].group) == group)
            VEC_PUSH(&list, &graph->members.items[i]);
    return list;
}

static void emit_group(struct pack *pack, uint32_t id, cat_node_id stop)
{
    const struct cat_graph *graph = pack->graph;
    member_list list = members_of(graph, id);
    const struct cat_member *const *members = list.items;
    uint32_t count = (uint32_t)list.count;
    cat_node_id *vars = ARENA_ARRAY(pack->arena, cat_node_id, count);
    cat_node_id *bodies = ARENA_ARRAY(pack->arena, cat_node_id, count);
    cat_node_id *fixes = ARENA_ARRAY(pack->arena, cat_node_id, count);
    struct cat_rec_group group = {.count = count,
                                  .vars = vars,
                                  .bodies = bodies,
                                  .fixes = fixes,
                                  .begin = pack->count,
                                  .inflates = graph->groups.items[id].inflates};
    emit_members(pack, members, count, false, vars);
    for (cat_node_id i = members[0]->var; i < stop; i++)
        if (pack->live[i] && pack->place[i] == CAT_NONE && cat_graph_dependence(graph, i) == id)
            emit(pack, i);
    group.end = pack->count;
    for (uint32_t i = 0; i < count; i++)
        bodies[i] = place_of(pack, members[i]->body);
    emit_members(pack, members, count, true, fixes);
    VEC_FREE(&list);
    VEC_PUSH(&pack->groups, group);
    spread_dynamic(pack, &group);
}

static void emit_all(struct pack *pack)
{
    const struct cat_graph *graph = pack->graph;
    for (cat_node_id i = 0; i < graph->nodes.count; i++) {
        const struct cat_node *node = &graph->nodes.items[i];
        if (!pack->live[i] || pack->place[i] != CAT_NONE)
            continue;
        if (node->op == CAT_FIX)
            emit_group(pack, node->group, i);
        else if (cat_graph_dependence(graph, i) == CAT_NO_GROUP)
            emit(pack, i);
    }
}

/* ---- Choices ---- */

static void mark_choices(struct pack *pack)
{
    const struct cat_graph *graph = pack->graph;
    for (cat_node_id i = 0; i < graph->nodes.count; i++)
        if (graph->nodes.items[i].op == CAT_CHOICE)
            mark(pack, i);
    EACH_IN (const struct cat_choice, choice, graph->choices) {
        mark(pack, choice->set);
        mark(pack, choice->relation);
        for (uint32_t k = 0; k < choice->alternative_count; k++)
            mark(pack, choice->alternatives[k]);
    }
}

static void place_choices(const struct pack *pack, struct cat_model *model)
{
    size_t count = pack->graph->choices.count;
    struct cat_choice *choices = ARENA_ARRAY(pack->arena, struct cat_choice, count);
    for (size_t i = 0; i < count; i++) {
        const struct cat_choice *choice = &pack->graph->choices.items[i];
        uint32_t others = choice->alternative_count;
        cat_node_id *alternatives = others ? ARENA_ARRAY(pack->arena, cat_node_id, others) : NULL;
        for (uint32_t k = 0; k < others; k++)
            alternatives[k] = place_of(pack, choice->alternatives[k]);
        choices[i] = *choice;
        choices[i].name = arena_strdup(pack->arena, choice->name);
        choices[i].set = place_of(pack, choice->set);
        choices[i].relation = place_of(pack, choice->relation);
        choices[i].alternatives = alternatives;
    }
    model->choices = choices;
    model->choice_count = (uint32_t)count;
}

/* ---- The whole ---- */

static size_t mark_roots(struct pack *pack, cat_node_id **roots, size_t count)
{
    size_t live = 0;
    for (size_t i = 0; i < count; i++)
        mark(pack, *roots[i]);
    mark_all(pack);
    for (size_t i = 0; i < pack->graph->nodes.count; i++)
        live += pack->live[i];
    return live;
}

static void place_roots(const struct pack *pack, cat_node_id **roots, size_t count)
{
    for (size_t i = 0; i < count; i++)
        *roots[i] = place_of(pack, *roots[i]);
}

static void begin_pack(struct pack *pack, struct cat_graph *graph, struct arena *arena)
{
    size_t size = graph->nodes.count;
    *pack = (struct pack){.graph = graph, .arena = arena};
    pack->nodes = base_realloc(NULL, size * sizeof *pack->nodes);
    pack->live = base_realloc(NULL, size);
    memset(pack->live, 0, size);
    pack->place = base_realloc(NULL, size * sizeof *pack->place);
    memset(pack->place, 0xff, size * sizeof *pack->place);
}

static void end_pack(struct pack *pack, struct cat_model *model)
{
    model->nodes = arena_copy(pack->arena, pack->nodes, pack->count * sizeof *pack->nodes);
    model->picture_node_count = pack->count;
    model->rec_groups = VEC_KEEP(pack->arena, &pack->groups);
    model->picture_group_count = (uint32_t)pack->groups.count;
    VEC_FREE(&pack->groups);
    VEC_FREE(&pack->work);
    base_free(pack->nodes);
    base_free(pack->live);
    base_free(pack->place);
}

void cat_graph_pack(struct cat_graph *graph, struct arena *arena, struct cat_model *model,
                    const struct cat_roots *roots)
{
    struct pack pack;
    begin_pack(&pack, graph, arena);
    mark_choices(&pack);
    size_t live = mark_roots(&pack, roots->engine, roots->engine_count);
    emit_all(&pack);
    BASE_CHECK(pack.count == live);
    model->node_count = pack.count;
    model->rec_group_count = (uint32_t)pack.groups.count;
    live = mark_roots(&pack, roots->picture, roots->picture_count);
    emit_all(&pack);
    BASE_CHECK(pack.count == live);
    place_roots(&pack, roots->engine, roots->engine_count);
    place_roots(&pack, roots->picture, roots->picture_count);
    place_choices(&pack, model);
    end_pack(&pack, model);
}
