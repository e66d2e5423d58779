#include "place/place_bounds.h"

#include "base/bits.h"

static bool write_leaf(struct cat_bounds *bounds, cat_node_id id);

static rel_word **new_values(struct arena *arena, struct rel_dim dim, uint32_t count,
                             const struct cat_base *sorts)
{
    rel_word **values = ARENA_ARRAY(arena, rel_word *, count);
    for (uint32_t i = 0; i < count; i++)
        values[i] =
            ARENA_ARRAY(arena, rel_word, cat_value_words(dim, sorts ? sorts[i].sort : CAT_SET));
    return values;
}

struct place_bounds *place_bounds_new(struct arena *arena, const struct cat_model *model,
                                      struct rel_dim dim, const bool *needed)
{
    struct place_bounds *b =
        ARENA_MAKE(arena, struct place_bounds, .model = model, .needed = needed);
    b->sure = ARENA_ARRAY(arena, rel_word, rel_set_words(dim));
    b->sure_pairs = ARENA_ARRAY(arena, rel_word, rel_words(dim));
    b->order = ARENA_ARRAY(arena, rel_word, rel_words(dim));
    b->domain = (struct cat_domain){
        .dim = dim, .within[CAT_LOWER] = {[CAT_SET] = b->sure, [CAT_REL] = b->sure_pairs}};
    cat_bounds_new(arena, &b->of, model, &b->domain, needed, model->node_count);
    b->of.leaf = write_leaf;
    b->of.context = b;
    for (int side = 0; side < 2; side++) {
        b->bases[side] = new_values(arena, dim, model->basis->count, model->basis->names);
        b->tagged[side] = new_values(arena, dim, model->tagged_count, NULL);
    }
    b->picks = ARENA_ARRAY(arena, rel_word *, model->choice_count);
    for (uint32_t i = 0; i < model->choice_count; i++)
        b->picks[i] = ARENA_ARRAY(arena, rel_word, rel_words(dim));
    b->alternatives = ARENA_ARRAY(arena, uint32_t, model->choice_count);
    return b;
}

/* All pairs of a set's events. */
static void keep_within(struct rel_dim dim, rel_word *relation, const rel_word *set)
{
    rel_restrict_domain(dim, relation, set, relation);
    rel_restrict_range(dim, relation, relation, set);
}

/* An order of all events of the upper set that contains what the execution picked, and whatever the
 * pick has to contain; then its part on the set of each execution is one that is offered there. */
static bool extend_pick(struct place_bounds *b, const struct cat_choice *choice, rel_word *pick)
{
    BASE_ASSERT(choice->kind == CAT_LINEARISATIONS && b->needed[choice->set] &&
                b->needed[choice->relation]);
    struct rel_dim dim = b->domain.dim;
    const rel_word *set = b->of.values[CAT_UPPER][choice->set];
    cat_bounds_contained(&b->of, choice, CAT_UPPER, b->order);
    rel_union(dim, b->order, b->order, pick);
    keep_within(dim, b->order, set);
    rel_plus(dim, b->order, b->order);
    if (!rel_irreflexive(dim, b->order))
        return false;
    for (uint32_t i = 0; i < dim.n; i++)
        for (uint32_t j = 0; j < dim.n; j++) {
            if (i == j || !bits_get(set, i) || !bits_get(set, j) || rel_has(dim, b->order, i, j) ||
                rel_has(dim, b->order, j, i))
                continue;
            rel_add(dim, b->order, i, j);
            rel_plus(dim, b->order, b->order);
        }
    rel_copy(dim, pick, b->order);
    return true;
}

static bool choose(struct place_bounds *b, cat_node_id id)
{
    BASE_ASSERT(b->model->nodes[id].op == CAT_CHOICE &&
                b->model->nodes[id].base < b->model->choice_count);
    uint32_t number = b->model->nodes[id].base;
    const struct cat_choice *choice = &b->model->choices[number];
    bool ordered = choice->kind == CAT_LINEARISATIONS;
    if (ordered && !extend_pick(b, choice, b->picks[number]))
        return false;
    for (int side = 0; side < 2; side++) {
        rel_word **values = b->of.values[side];
        rel_copy(b->domain.dim, values[id],
                 ordered ? b->picks[number]
                         : values[choice->alternatives[b->alternatives[number]]]);
        if (ordered)
            keep_within(b->domain.dim, values[id], values[choice->set]);
    }
    return true;
}

static bool write_leaf(struct cat_bounds *bounds, cat_node_id id)
{
    struct place_bounds *b = bounds->context;
    const struct cat_node *node = &b->model->nodes[id];
    if (node->op == CAT_CHOICE)
        return choose(b, id);
    for (int side = 0; side < 2; side++)
        cat_value_copy(b->domain.dim, node->sort, bounds->values[side][id],
                       (node->op == CAT_BASE ? b->bases : b->tagged)[side][node->base]);
    return true;
}

bool place_bounds_evaluate(struct place_bounds *b)
{
    rel_product(b->domain.dim, b->sure_pairs, b->sure, b->sure);
    return cat_bounds_find(&b->of, b->model->node_count);
}
