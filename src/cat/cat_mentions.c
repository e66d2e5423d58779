/* Operands come before users, and a recursion's result after its parts, so one pass from the last
 * node to the first meets everything. */
#include "cat/cat_mentions.h"

static void mark(bool *marks, cat_node_id node)
{
    if (node != CAT_NONE)
        marks[node] = true;
}

static void mark_choice(const struct cat_choice *choice, bool *marks)
{
    mark(marks, choice->set);
    mark(marks, choice->relation);
    for (uint32_t a = 0; a < choice->alternative_count; a++)
        mark(marks, choice->alternatives[a]);
}

static void mark_roots(const struct cat_model *model, bool *marks)
{
    for (uint32_t c = 0; c < model->check_count; c++)
        mark(marks, model->checks[c].node);
    for (int i = 0; i < CAT_RESERVED_COUNT; i++)
        mark(marks, model->reserved[i]);
    for (uint32_t i = 0; i < model->choice_count; i++)
        mark_choice(&model->choices[i], marks);
}

static void mark_operands(const struct cat_model *model, const struct cat_node *node, bool *marks)
{
    mark(marks, node->a);
    mark(marks, node->b);
    if (node->op != CAT_FIX)
        return;
    const struct cat_rec_group *group = &model->rec_groups[node->group];
    for (uint32_t i = 0; i < group->count; i++)
        mark(marks, group->bodies[i]);
}

struct cat_mentions cat_mentions_of(struct arena *arena, const struct cat_model *model)
{
    struct cat_mentions mentions = {.nodes = ARENA_ARRAY(arena, bool, model->node_count + 1),
                                    .bases = ARENA_ARRAY(arena, bool, model->basis->count),
                                    .tagged = ARENA_ARRAY(arena, bool, model->tagged_count + 1)};
    mark_roots(model, mentions.nodes);
    for (cat_node_id id = model->node_count; id-- > 0;) {
        const struct cat_node *node = &model->nodes[id];
        if (!mentions.nodes[id])
            continue;
        mark_operands(model, node, mentions.nodes);
        if (node->op == CAT_BASE)
            mentions.bases[node->base] = true;
        if (node->op == CAT_TAGGED)
            mentions.tagged[node->base] = true;
    }
    return mentions;
}

const bool *cat_mentions_choices(struct arena *arena, const struct cat_model *model,
                                 const cat_node_id *nodes, uint32_t count)
{
    bool *choices = ARENA_ARRAY(arena, bool, model->choice_count + 1);
    bool *marks = ARENA_ARRAY(arena, bool, model->node_count + 1);
    for (uint32_t i = 0; i < count; i++)
        mark(marks, nodes[i]);
    for (cat_node_id id = model->node_count; id-- > 0;) {
        const struct cat_node *node = &model->nodes[id];
        if (!marks[id])
            continue;
        mark_operands(model, node, marks);
        if (node->op != CAT_CHOICE)
            continue;
        choices[node->base] = true;
        mark_choice(&model->choices[node->base], marks);
    }
    return choices;
}
