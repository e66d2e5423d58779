/* Static nodes are computed once, one after the other. So a value that no later node reads may be
 * overwritten: slots are handed out in the order of the nodes, and given back after the last
 * reader. Values that change with the witness are asked for again at any time, and keep their own
 * slots. */
#include "cat/cat_plan.h"

#include "base/vec.h"

struct slots {
    struct cat_plan *plan;
    const uint64_t *open_groups;
    bool *kept;          /* per node: somebody reads it when other nodes have been computed */
    cat_node_id *last;   /* per node: its last user */
    VEC(uint32_t) spare; /* of the passing ones */
    uint32_t *slot[2];   /* per side and live node: where its value stands of its kind */
};

static const struct cat_node *node_at(const struct slots *s, cat_node_id id)
{
    BASE_ASSERT(id < s->plan->node_count);
    return &s->plan->model->nodes[id];
}

static void keep_slot(struct slots *s, cat_node_id id)
{
    if (id != CAT_NONE && id < s->plan->node_count)
        s->kept[id] = true;
}

static void keep_read(struct slots *s)
{
    const struct cat_model *model = s->plan->model;
    for (uint32_t c = 0; c < model->check_count; c++)
        keep_slot(s, model->checks[c].node);
    for (int r = 0; r < CAT_RESERVED_COUNT; r++)
        keep_slot(s, model->reserved[r]);
    EACH (const struct cat_choice, choice, model->choices, model->choice_count) {
        keep_slot(s, choice->set);
        keep_slot(s, choice->relation);
        for (uint32_t k = 0; k < choice->alternative_count; k++)
            keep_slot(s, choice->alternatives[k]);
    }
    for (uint32_t g = 0; g < s->plan->group_count; g++)
        for (uint32_t i = 0; i < model->rec_groups[g].count; i++)
            keep_slot(s, model->rec_groups[g].bodies[i]);
}

static void use(struct slots *s, cat_node_id id, cat_node_id user)
{
    BASE_ASSERT(id == CAT_NONE || (id < user && user < s->plan->node_count));
    if (id == CAT_NONE)
        return;
    if (node_at(s, user)->dynamic || s->open_groups[user])
        s->kept[id] = true;
    s->last[id] = user; /* users come in ascending order */
}

/* Is it in nobody's way once its last user is computed? */
static bool passes(const struct slots *s, cat_node_id id)
{
    BASE_ASSERT(s->plan->live[id]);
    const struct cat_node *node = node_at(s, id);
    return node->sort == CAT_REL && !node->dynamic && !s->open_groups[id] && !s->kept[id];
}

static void find_users(struct slots *s)
{
    for (cat_node_id id = 0; id < s->plan->node_count; id++)
        if (s->plan->live[id]) {
            use(s, node_at(s, id)->a, id);
            use(s, node_at(s, id)->b, id);
        }
}

static void take_passing(struct slots *s, cat_node_id id)
{
    BASE_ASSERT(!s->plan->passes[id]);
    struct cat_plan *plan = s->plan;
    uint32_t slot = s->spare.count ? VEC_POP(&s->spare) : plan->slots.passing_rels++;
    BASE_ASSERT(slot < plan->slots.passing_rels);
    s->slot[CAT_LOWER][id] = s->slot[CAT_UPPER][id] = slot;
    plan->passes[id] = true;
}

static void give_back(struct slots *s, cat_node_id id, cat_node_id user)
{
    BASE_ASSERT(id == CAT_NONE || id < user);
    if (id != CAT_NONE && s->plan->passes[id] && s->last[id] == user) {
        VEC_PUSH(&s->spare, s->slot[CAT_LOWER][id]);
        s->last[id] = CAT_NONE; /* it may be both operands */
    }
}

static void take_own(struct slots *s, cat_node_id id)
{
    BASE_ASSERT(s->plan->live[id] && !s->plan->passes[id]);
    struct cat_plan *plan = s->plan;
    const struct cat_node *node = node_at(s, id);
    uint32_t *count = node->sort == CAT_SET
                          ? node->dynamic ? &plan->slots.open_sets : &plan->slots.fixed_sets
                      : node->dynamic ? &plan->slots.open_rels
                                      : &plan->slots.fixed_rels;
    s->slot[CAT_LOWER][id] = (*count)++;
    s->slot[CAT_UPPER][id] =
        node->dynamic && plan->needs_upper[id] ? (*count)++ : s->slot[CAT_LOWER][id];
}

/* What the caller writes is there before anything is computed. */
static bool is_first(const struct slots *s, cat_node_id id)
{
    return node_at(s, id)->op == CAT_BASE;
}

static void hand_out(struct slots *s)
{
    for (cat_node_id id = 0; id < s->plan->node_count; id++)
        if (s->plan->live[id] && passes(s, id) && is_first(s, id))
            take_passing(s, id);
    for (cat_node_id id = 0; id < s->plan->node_count; id++) {
        if (!s->plan->live[id])
            continue;
        if (!passes(s, id))
            take_own(s, id);
        else if (!is_first(s, id))
            take_passing(s, id);
        give_back(s, node_at(s, id)->a, id);
        give_back(s, node_at(s, id)->b, id);
    }
}

static enum cat_region region_of(const struct cat_plan *plan, cat_node_id id)
{
    const struct cat_node *node = &plan->model->nodes[id];
    if (plan->passes[id])
        return CAT_PASSING_RELS;
    if (node->sort == CAT_SET)
        return node->dynamic ? CAT_OPEN_SETS : CAT_FIXED_SETS;
    return node->dynamic ? CAT_OPEN_RELS : CAT_FIXED_RELS;
}

static void list_places(struct arena *arena, const struct slots *s)
{
    struct cat_plan *plan = s->plan;
    plan->places = ARENA_ARRAY(arena, struct cat_place, plan->node_count);
    plan->chosen = ARENA_ARRAY(arena, cat_node_id, plan->node_count);
    for (cat_node_id id = 0; id < plan->node_count; id++) {
        if (!plan->live[id])
            continue;
        BASE_ASSERT(s->slot[CAT_LOWER][id] <= s->slot[CAT_UPPER][id]);
        plan->places[plan->place_count++] = (struct cat_place){
            id, region_of(plan, id), {s->slot[CAT_LOWER][id], s->slot[CAT_UPPER][id]}};
        if (cat_is_chosen(&plan->model->nodes[id]))
            plan->chosen[plan->chosen_count++] = id;
    }
}

void cat_slots_find(struct arena *arena, struct cat_plan *plan, const uint64_t *open_groups,
                    bool keeps_all)
{
    struct slots s = {.plan = plan,
                      .open_groups = open_groups,
                      .kept = ARENA_ARRAY(arena, bool, plan->node_count),
                      .last = ARENA_ARRAY(arena, cat_node_id, plan->node_count)};
    plan->passes = ARENA_ARRAY(arena, bool, plan->node_count);
    for (int side = CAT_LOWER; side <= CAT_UPPER; side++)
        s.slot[side] = ARENA_ARRAY(arena, uint32_t, plan->node_count);
    keep_read(&s);
    for (cat_node_id id = 0; id < plan->node_count; id++)
        s.kept[id] |= keeps_all;
    find_users(&s);
    hand_out(&s);
    list_places(arena, &s);
    VEC_FREE(&s.spare);
}
