/* Nodes are hash-consed: a node's operands are merged before it, so that equal nodes have equal
 * operators, keys and operands. */
#include "cat/cat_merged.h"

#include "base/hash.h"
#include "base/vec.h"

#include <string.h>

struct entry {
    UT_hash_handle hh;
    struct cat_merged_node node; /* the key, without gaps that are not zero */
    cat_node_id id;
};

struct merging {
    struct arena *arena;
    struct entry *entries;
    uint32_t alone; /* how many there are */
    VEC(struct cat_merged_node) nodes;
    VEC(const struct cat_tagged *) tagged;
    VEC(struct cat_merged_rule) rules; /* of the model under way */
    const struct cat_model *model;
    cat_node_id *of; /* per node of the model under way */
};

static cat_node_id enter(struct merging *m, uint32_t op, enum cat_sort sort, cat_node_id a,
                         cat_node_id b, uint32_t key)
{
    struct entry *entry = ARENA_NEW(m->arena, struct entry), *found;
    entry->node.op = (uint8_t)op;
    entry->node.sort = (uint8_t)sort;
    entry->node.a = a;
    entry->node.b = b;
    entry->node.key = key;
    HASH_FIND(hh, m->entries, &entry->node, sizeof entry->node, found);
    if (found)
        return found->id;
    entry->id = (cat_node_id)m->nodes.count;
    VEC_PUSH(&m->nodes, entry->node);
    HASH_ADD(hh, m->entries, node, sizeof entry->node, entry);
    return entry->id;
}

static cat_node_id enter_alone(struct merging *m, enum cat_sort sort)
{
    return enter(m, CAT_MERGED_ALONE, sort, CAT_NONE, CAT_NONE, m->alone++);
}

static uint32_t number_of(struct merging *m, const struct cat_tagged *tagged)
{
    uint32_t i = 0;
    while (i < m->tagged.count && (m->tagged.items[i]->bearer != tagged->bearer ||
                                   strcmp(m->tagged.items[i]->tag, tagged->tag) != 0))
        i++;
    if (i == m->tagged.count)
        VEC_PUSH(&m->tagged, tagged);
    return i;
}

/* ---- Choices ---- */

/* An order on the set contains what the relation's closure has on it. */
static cat_node_id source_of(struct merging *m, const struct cat_choice *choice)
{
    cat_node_id set = m->of[choice->set];
    cat_node_id on = enter(m, CAT_TOID, CAT_REL, set, CAT_NONE, 0);
    cat_node_id steps = enter(m, CAT_PLUS, CAT_REL, m->of[choice->relation], CAT_NONE, 0);
    cat_node_id from = enter(m, CAT_SEQ, CAT_REL, on, steps, 0);
    return enter(m, CAT_MERGED_SOURCE, CAT_REL, set, enter(m, CAT_SEQ, CAT_REL, from, on, 0), 0);
}

static uint32_t count_source(const struct merging *m, cat_node_id source)
{
    return (uint32_t)COUNT_IF(r, m->rules.count,
                              m->rules.items[r].kind == CAT_MERGED_CHOICE &&
                                  m->rules.items[r].node == source);
}

static cat_node_id merge_choice(struct merging *m, const struct cat_choice *choice)
{
    bool orders = choice->kind == CAT_LINEARISATIONS;
    cat_node_id source = orders ? source_of(m, choice) : enter_alone(m, CAT_REL);
    uint32_t before = count_source(m, source);
    VEC_PUSH(&m->rules, (struct cat_merged_rule){.kind = CAT_MERGED_CHOICE, .node = source});
    return orders ? enter(m, CAT_CHOICE, CAT_REL, source, CAT_NONE, before) : source;
}

/* ---- Models ---- */

static cat_node_id merge_node(struct merging *m, const struct cat_node *node)
{
    const cat_node_id a = node->a == CAT_NONE ? CAT_NONE : m->of[node->a];
    const cat_node_id b = node->b == CAT_NONE ? CAT_NONE : m->of[node->b];
    switch (node->op) {
    case CAT_TAGGED:
        return enter(m, node->op, node->sort, a, b, number_of(m, &m->model->tagged[node->base]));
    case CAT_VAR:
    case CAT_FIX: return enter_alone(m, node->sort);
    case CAT_CHOICE: return merge_choice(m, &m->model->choices[node->base]);
    default: return enter(m, node->op, node->sort, a, b, node->op == CAT_BASE ? node->base : 0);
    }
}

static void add_names(struct merging *m)
{
    for (uint32_t r = 0; r < CAT_RESERVED_COUNT; r++)
        VEC_PUSH(&m->rules, (struct cat_merged_rule){.kind = CAT_MERGED_NAME,
                                                     .what = (uint8_t)r,
                                                     .node = m->of[m->model->reserved[r]]});
}

static void add_checks(struct merging *m)
{
    EACH (const struct cat_check, check, m->model->checks, m->model->check_count)
        if (check->kind != CAT_FLAG)
            VEC_PUSH(&m->rules, (struct cat_merged_rule){.kind = CAT_MERGED_CHECK,
                                                         .what = (uint8_t)check->kind,
                                                         .test = (uint8_t)check->test,
                                                         .negated = check->negated,
                                                         .node = m->of[check->node]});
}

static struct cat_merged_rules merge_model(struct merging *m, const struct cat_model *model)
{
    m->model = model;
    m->of = ARENA_ARRAY(m->arena, cat_node_id, model->node_count);
    m->rules.count = 0;
    for (cat_node_id id = 0; id < model->node_count; id++)
        m->of[id] = merge_node(m, &model->nodes[id]);
    add_names(m);
    add_checks(m);
    return (struct cat_merged_rules){VEC_KEEP(m->arena, &m->rules), (uint32_t)m->rules.count};
}

struct cat_merged cat_merge(struct arena *arena, const struct cat_model *const *models,
                            uint32_t count)
{
    struct merging m = {.arena = arena};
    struct cat_merged_rules *rules = ARENA_ARRAY(arena, struct cat_merged_rules, count);
    for (uint32_t i = 0; i < count; i++)
        rules[i] = merge_model(&m, models[i]);
    const struct cat_merged merged = {.nodes = VEC_KEEP(arena, &m.nodes),
                                      .node_count = (uint32_t)m.nodes.count,
                                      .tagged = VEC_KEEP(arena, &m.tagged),
                                      .rules = rules};
    HASH_CLEAR(hh, m.entries);
    VEC_FREE(&m.nodes);
    VEC_FREE(&m.tagged);
    VEC_FREE(&m.rules);
    return merged;
}
