#include "cat/cat_ir.h"

#include "base/arena.h"

static void check_operand(const struct cat_model *model, cat_node_id node, cat_node_id operand,
                          bool is_there)
{
    BASE_CHECK((operand != CAT_NONE) == is_there);
    BASE_CHECK(!is_there || operand < node);
    BASE_CHECK(!is_there || !model->nodes[operand].dynamic || model->nodes[node].dynamic);
}

static void check_node(const struct cat_model *model, cat_node_id id)
{
    static const uint8_t arities[] = {CAT_OPERATORS(TABLE_SECOND)};
    const struct cat_node *node = &model->nodes[id];
    check_operand(model, id, node->a, arities[node->op] > 0);
    check_operand(model, id, node->b, arities[node->op] > 1);
    if (node->op == CAT_BASE)
        BASE_CHECK(node->base < model->basis->count &&
                   model->basis->names[node->base].sort == node->sort);
    if (node->op == CAT_TAGGED)
        BASE_CHECK(node->base < model->tagged_count && node->sort == CAT_SET);
    if (node->op == CAT_VAR || node->op == CAT_FIX)
        BASE_CHECK(node->group < model->picture_group_count &&
                   node->base < model->rec_groups[node->group].count);
    if (node->op == CAT_CHOICE)
        BASE_CHECK(node->base < model->choice_count && node->dynamic);
}

/* Members are of the group, and bodies come before what they make. */
static void check_group(const struct cat_model *model, const struct cat_rec_group *group)
{
    for (uint32_t i = 0; i < group->count; i++) {
        BASE_CHECK(model->nodes[group->vars[i]].op == CAT_VAR);
        BASE_CHECK(model->nodes[group->fixes[i]].op == CAT_FIX);
        BASE_CHECK(group->bodies[i] < group->fixes[i] && group->end <= group->fixes[i]);
    }
}

void cat_contract_check(const struct cat_model *model)
{
    static const enum cat_sort sorts[] = {CAT_RESERVED(TABLE_THIRD)};
    for (cat_node_id id = 0; id < model->picture_node_count; id++)
        check_node(model, id);
    for (uint32_t i = 0; i < model->picture_group_count; i++)
        check_group(model, &model->rec_groups[i]);
    for (uint32_t i = 0; i < model->check_count; i++)
        BASE_CHECK(model->checks[i].node < model->node_count &&
                   (model->nodes[model->checks[i].node].sort == CAT_REL ||
                    model->checks[i].test == CAT_IS_EMPTY));
    for (int i = 0; i < CAT_RESERVED_COUNT; i++)
        BASE_CHECK(model->reserved[i] < model->node_count &&
                   model->nodes[model->reserved[i]].sort == sorts[i]);
    for (uint32_t i = 0; i < model->shown_count; i++)
        BASE_CHECK(model->shown[i].node < model->picture_node_count);
}
