/* Makes lists of steps, each by a walk over the node array in its order (operands first). `live`
 * marks what anybody needs. For partial witnesses the walk starts at the required checks and goes
 * down with a side: DIFF and COMP turn the side of the operand that is subtracted. Nodes under a
 * let-rec variable are no steps of their own; the group's CAT_FIX step iterates them. */
#include "cat/cat_plan.h"

#include "base/vec.h"

struct planner {
    struct arena *arena;
    const struct cat_model *model;
    struct cat_plan *plan;
    uint64_t *open_groups; /* per node: groups whose variables it depends on */
    uint32_t *sources;     /* per node: what it may change with */
    bool *wanted[2];       /* per side and node, for partial witnesses */
    bool *reached[2];      /* the same: seen from a check */
    bool *leads[2];        /* the same: and sees a base */
};

static const struct cat_node *node_at(const struct planner *p, cat_node_id id)
{
    BASE_ASSERT(id < p->plan->node_count);
    return &p->model->nodes[id];
}

/* What is still to be marked: each node once for a side, as a chain of definitions is as long as a
 * model. */
struct pending {
    cat_node_id *ids; /* 2 * id + side */
    uint32_t count;
};

static struct pending pending_new(struct planner *p)
{
    return (struct pending){.ids = ARENA_ARRAY(p->arena, cat_node_id, 2 * p->plan->node_count + 1)};
}

static void pend(struct pending *pending, cat_node_id id, enum cat_side side, bool *marked)
{
    if (id == CAT_NONE || marked[id])
        return;
    marked[id] = true;
    BASE_ASSERT(side == CAT_LOWER || side == CAT_UPPER);
    pending->ids[pending->count++] = 2 * id + (uint32_t)side;
}

/* A node and all that it is made of. */
static void mark(struct planner *p, cat_node_id id, bool *marked)
{
    struct arena_mark before = arena_mark(p->arena);
    struct pending pending = pending_new(p);
    BASE_ASSERT(id == CAT_NONE || id < p->plan->node_count);
    pend(&pending, id, CAT_LOWER, marked);
    while (pending.count) {
        const struct cat_node *node = node_at(p, pending.ids[--pending.count] / 2);
        pend(&pending, node->a, CAT_LOWER, marked);
        pend(&pending, node->b, CAT_LOWER, marked);
        if (node->op != CAT_FIX && node->op != CAT_VAR)
            continue;
        const struct cat_rec_group *group = &p->model->rec_groups[node->group];
        for (uint32_t i = 0; i < group->count; i++) {
            pend(&pending, group->vars[i], CAT_LOWER, marked);
            pend(&pending, group->bodies[i], CAT_LOWER, marked);
        }
    }
    arena_rewind(p->arena, before);
}

static void mark_live(struct planner *p, cat_node_id id)
{
    mark(p, id, p->plan->live);
}

static void mark_wanted(struct planner *p, cat_node_id id, enum cat_side side)
{
    struct arena_mark before = arena_mark(p->arena);
    struct pending pending = pending_new(p);
    pend(&pending, id, side, p->wanted[side]);
    while (pending.count) {
        cat_node_id next = pending.ids[--pending.count];
        const struct cat_node *node = node_at(p, next / 2);
        BASE_ASSERT(node->op == CAT_FIX || node->op == CAT_VAR ||
                    ((node->a == CAT_NONE || node->a < next / 2) &&
                     (node->b == CAT_NONE || node->b < next / 2)));
        enum cat_side own = next % 2 ? CAT_UPPER : CAT_LOWER;
        enum cat_side of_a = cat_operand_side(node->op, false, own);
        enum cat_side of_b = cat_operand_side(node->op, true, own);
        pend(&pending, node->a, of_a, p->wanted[of_a]);
        pend(&pending, node->b, of_b, p->wanted[of_b]);
        if (node->op != CAT_FIX && node->op != CAT_VAR)
            continue;
        const struct cat_rec_group *group = &p->model->rec_groups[node->group];
        for (uint32_t i = 0; i < group->count; i++) {
            pend(&pending, group->vars[i], own, p->wanted[own]);
            pend(&pending, group->bodies[i], own, p->wanted[own]);
        }
    }
    arena_rewind(p->arena, before);
}

/* Which groups' variables each node sees; a CAT_FIX closes its own group. */
static void find_open_groups(struct planner *p)
{
    for (cat_node_id id = 0; id < p->plan->node_count; id++) {
        const struct cat_node *node = node_at(p, id);
        uint64_t open = 0;
        if (node->a != CAT_NONE)
            open |= p->open_groups[node->a];
        if (node->b != CAT_NONE)
            open |= p->open_groups[node->b];
        if (node->op == CAT_VAR)
            open |= UINT64_C(1) << node->group;
        if (node->op == CAT_FIX) {
            const struct cat_rec_group *group = &p->model->rec_groups[node->group];
            for (uint32_t i = 0; i < group->count; i++)
                open |= p->open_groups[group->bodies[i]];
            open &= ~(UINT64_C(1) << node->group);
        }
        BASE_ASSERT(node->op != CAT_VAR || node->group < p->plan->group_count);
        p->open_groups[id] = open;
    }
}

static void number_bases(struct planner *p)
{
    const struct cat_basis *basis = p->model->basis;
    uint32_t bit = 0;
    p->plan->base_sources = ARENA_ARRAY(p->arena, uint32_t, basis->count);
    for (uint32_t base = 0; base < basis->count; base++)
        if (basis->names[base].dynamic) {
            BASE_ASSERT(bit <= CAT_SOURCE_OTHERS);
            p->plan->base_sources[base] = UINT32_C(1) << bit;
            bit += bit < CAT_SOURCE_OTHERS;
        }
}

static uint32_t sources_of_group(const struct planner *p, uint32_t number)
{
    BASE_ASSERT(number < p->plan->group_count);
    const struct cat_rec_group *group = &p->model->rec_groups[number];
    uint32_t sources = 0;
    for (uint32_t i = 0; i < group->count; i++)
        sources |= p->sources[group->bodies[i]];
    return sources;
}

static uint32_t sources_of(const struct planner *p, const struct cat_node *node)
{
    BASE_ASSERT(node->op != CAT_BASE || node->base < p->model->basis->count);
    uint32_t sources = node->op == CAT_CHOICE ? 1 << CAT_SOURCE_OTHERS
                       : node->op == CAT_BASE ? p->plan->base_sources[node->base]
                       : node->op == CAT_VAR || node->op == CAT_FIX
                           ? sources_of_group(p, node->group)
                           : 0;
    sources |= node->a == CAT_NONE ? 0 : p->sources[node->a];
    return sources | (node->b == CAT_NONE ? 0 : p->sources[node->b]);
}

/* A variable has those of its bodies, which may come behind it: again until nothing changes. */
static void find_sources(struct planner *p)
{
    number_bases(p);
    for (bool grew = true; grew;) {
        grew = false;
        for (cat_node_id id = 0; id < p->plan->node_count; id++) {
            uint32_t sources = sources_of(p, node_at(p, id));
            grew |= sources != p->sources[id];
            p->sources[id] = sources;
        }
    }
}

/* The group that iterates a node: the one of its open groups that began last. */
static uint32_t owner_of(const struct planner *p, cat_node_id id)
{
    BASE_ASSERT(id < p->plan->node_count);
    uint32_t owner = CAT_NONE;
    for (uint32_t g = 0; g < p->plan->group_count; g++)
        if (p->open_groups[id] >> g & 1 &&
            (owner == CAT_NONE ||
             p->model->rec_groups[g].begin >= p->model->rec_groups[owner].begin))
            owner = g;
    return owner;
}

typedef VEC(struct cat_step) step_list;

static struct cat_steps keep_steps(struct planner *p, step_list *list)
{
    struct cat_steps steps = {VEC_KEEP(p->arena, list), (uint32_t)list->count};
    VEC_FREE(list);
    return steps;
}

static bool is_computed(const struct planner *p, cat_node_id id)
{
    return p->plan->live[id] && !cat_is_chosen(node_at(p, id));
}

static void list_groups(struct planner *p)
{
    p->plan->group_nodes = ARENA_ARRAY(p->arena, struct cat_steps, p->plan->group_count);
    for (uint32_t g = 0; g < p->plan->group_count; g++) {
        step_list list = {0};
        for (cat_node_id id = 0; id < p->plan->node_count; id++)
            if (is_computed(p, id) && node_at(p, id)->op != CAT_VAR && owner_of(p, id) == g)
                VEC_PUSH(&list, (struct cat_step){id, CAT_LOWER, 0, 0});
        p->plan->group_nodes[g] = keep_steps(p, &list);
    }
}

static bool is_step(const struct planner *p, cat_node_id id)
{
    BASE_ASSERT(id < p->plan->node_count);
    return is_computed(p, id) && p->open_groups[id] == 0;
}

static void push_check(step_list *list, uint32_t check)
{
    BASE_ASSERT(check < UINT32_MAX);
    VEC_PUSH(list, (struct cat_step){CAT_NONE, CAT_LOWER, check, 0});
}

static bool is_required(const struct planner *p, const struct cat_check *check, bool dynamic)
{
    return check->kind == CAT_CHECK && node_at(p, check->node)->dynamic == dynamic;
}

/* Those that are wanted by now and in no list yet. */
static void push_values(struct planner *p, const bool *wanted, bool dynamic, bool *done,
                        step_list *list)
{
    for (cat_node_id id = 0; id < p->plan->node_count; id++)
        if (wanted[id] && !done[id] && is_step(p, id) && node_at(p, id)->dynamic == dynamic) {
            done[id] = true;
            VEC_PUSH(list, (struct cat_step){id, CAT_LOWER, 0, 0});
        }
}

/* In the order of the nodes, by which those that pass share their places (cat_slots.c); then the
 * checks. */
static struct cat_steps list_static(struct planner *p)
{
    step_list list = {0};
    bool *done = ARENA_ARRAY(p->arena, bool, p->plan->node_count);
    push_values(p, p->plan->live, false, done, &list);
    for (uint32_t c = 0; c < p->model->check_count; c++)
        if (is_required(p, &p->model->checks[c], false))
            push_check(&list, c);
    return keep_steps(p, &list);
}

/* Required checks, each behind the nodes that it needs and none before it did; then the others. */
static struct cat_steps list_exact(struct planner *p, uint32_t *of_checks)
{
    step_list list = {0};
    bool *needed = ARENA_ARRAY(p->arena, bool, p->plan->node_count);
    bool *done = ARENA_ARRAY(p->arena, bool, p->plan->node_count);
    for (uint32_t c = 0; c < p->model->check_count; c++) {
        if (!is_required(p, &p->model->checks[c], true))
            continue;
        mark(p, p->model->checks[c].node, needed);
        push_values(p, needed, true, done, &list);
        push_check(&list, c);
    }
    *of_checks = (uint32_t)list.count;
    BASE_ASSERT(*of_checks <= list.count);
    push_values(p, p->plan->live, true, done, &list);
    return keep_steps(p, &list);
}

/* ~acyclic and its like are lost when the upper bound already passes the test. */
static enum cat_side side_of_check(const struct cat_check *check)
{
    return check->negated ? CAT_UPPER : CAT_LOWER;
}

/* What is wanted by now and in no list yet. */
static void push_wanted(struct planner *p, bool *const done[2], step_list *list)
{
    for (cat_node_id id = 0; id < p->plan->node_count; id++)
        for (int side = CAT_LOWER; side <= CAT_UPPER; side++)
            if (p->wanted[side][id] && !done[side][id] && node_at(p, id)->dynamic) {
                done[side][id] = true;
                p->plan->needs_upper[id] |= side == CAT_UPPER;
                if (is_step(p, id))
                    VEC_PUSH(list, (struct cat_step){id, (enum cat_side)side, 0, p->sources[id]});
            }
}

/* Check by check, each check's own nodes first, so that a check that is lost is
 * found before the nodes of later checks are computed. */
static struct cat_steps list_bounds(struct planner *p, enum cat_check_kind kind,
                                    bool *const done[2])
{
    step_list list = {0};
    for (uint32_t c = 0; c < p->model->check_count; c++) {
        const struct cat_check *check = &p->model->checks[c];
        if (check->kind != kind || (kind == CAT_CHECK && !node_at(p, check->node)->dynamic))
            continue;
        /* undefined_unless is asked whether it holds of all completions, the others of any. */
        enum cat_side side = kind == CAT_UNDEFINED_UNLESS ? cat_side_flip(side_of_check(check))
                                                          : side_of_check(check);
        mark_wanted(p, check->node, side);
        push_wanted(p, done, &list);
        VEC_PUSH(&list, (struct cat_step){CAT_NONE, side, c, p->sources[check->node]});
    }
    return keep_steps(p, &list);
}

/* Every rule of the contract forbids cuts, so fewer pairs allow more of them; can-persist alone
 * allows some. */
static enum cat_side side_of_reserved(int name)
{
    BASE_ASSERT(name >= 0 && name < CAT_RESERVED_COUNT);
    return name == CAT_CAN_PERSIST ? CAT_UPPER : CAT_LOWER;
}

static struct cat_steps list_contract(struct planner *p, bool *const done[2])
{
    step_list list = {0};
    for (int r = 0; r < CAT_RESERVED_COUNT; r++)
        mark_wanted(p, p->model->reserved[r], side_of_reserved(r));
    push_wanted(p, done, &list);
    return keep_steps(p, &list);
}

/* ---- From checks back to bases ---- */

typedef void operand_function(struct planner *p, cat_node_id id, enum cat_side side,
                              cat_node_id operand, enum cat_side operand_side);

/* The operands whose pairs a pair of the node may hang on, each with its side. */
static void each_way_down(struct planner *p, cat_node_id id, enum cat_side side,
                          operand_function *look)
{
    const struct cat_node *node = node_at(p, id);
    BASE_ASSERT(p->reached[side][id]);
    switch (node->op) {
    case CAT_UNION:
    case CAT_INTER:
        look(p, id, side, node->a, side);
        look(p, id, side, node->b, side);
        break;
    case CAT_DIFF:
        look(p, id, side, node->a, side);
        look(p, id, side, node->b, cat_side_flip(side));
        break;
    case CAT_COMP: look(p, id, side, node->a, cat_side_flip(side)); break;
    case CAT_INVERSE: look(p, id, side, node->a, side); break;
    case CAT_SEQ:
        if (side == CAT_LOWER)
            look(p, id, side, node->b, side);
        /* fall through */
    case CAT_OPT:
    case CAT_PLUS:
    case CAT_STAR:
        if (side == CAT_LOWER)
            look(p, id, side, node->a, side);
        break;
    default: break;
    }
}

static void reach_operand(struct planner *p, cat_node_id id, enum cat_side side,
                          cat_node_id operand, enum cat_side operand_side)
{
    BASE_ASSERT(operand < id);
    (void)id;
    (void)side;
    const struct cat_node *node = node_at(p, operand);
    p->reached[operand_side][operand] |=
        node->sort == CAT_REL && node->dynamic && p->open_groups[operand] == 0;
}

static void lead_to_base(struct planner *p, cat_node_id id, enum cat_side side, cat_node_id operand,
                         enum cat_side operand_side)
{
    BASE_ASSERT(operand < id);
    p->leads[side][id] |= p->leads[operand_side][operand];
}

static void find_ways(struct planner *p)
{
    EACH (const struct cat_check, check, p->model->checks, p->model->check_count) {
        const struct cat_node *node = node_at(p, check->node);
        p->reached[CAT_LOWER][check->node] |=
            check->kind == CAT_CHECK && !check->negated && node->sort == CAT_REL && node->dynamic;
    }
    for (cat_node_id id = p->plan->node_count; id-- > 0;)
        for (int side = CAT_LOWER; side <= CAT_UPPER; side++)
            if (p->reached[side][id])
                each_way_down(p, id, (enum cat_side)side, reach_operand);
    for (cat_node_id id = 0; id < p->plan->node_count; id++)
        for (int side = CAT_LOWER; side <= CAT_UPPER; side++) {
            p->leads[side][id] = p->reached[side][id] && node_at(p, id)->op == CAT_BASE;
            if (p->reached[side][id])
                each_way_down(p, id, (enum cat_side)side, lead_to_base);
        }
}

static struct cat_steps list_ways(struct planner *p)
{
    step_list list = {0};
    for (int side = CAT_LOWER; side <= CAT_UPPER; side++) {
        p->reached[side] = ARENA_ARRAY(p->arena, bool, p->plan->node_count);
        p->leads[side] = ARENA_ARRAY(p->arena, bool, p->plan->node_count);
    }
    find_ways(p);
    for (cat_node_id id = p->plan->node_count; id-- > 0;)
        for (int side = CAT_LOWER; side <= CAT_UPPER; side++)
            if (p->leads[side][id])
                VEC_PUSH(&list, (struct cat_step){id, (enum cat_side)side, 0, 0});
    return keep_steps(p, &list);
}

static void find_bases(struct planner *p)
{
    p->plan->base_nodes = ARENA_ARRAY(p->arena, cat_node_id, p->model->basis->count);
    for (uint32_t base = 0; base < p->model->basis->count; base++)
        p->plan->base_nodes[base] = CAT_NONE;
    for (cat_node_id id = 0; id < p->plan->node_count; id++)
        if (node_at(p, id)->op == CAT_BASE && p->plan->live[id]) {
            BASE_ASSERT(node_at(p, id)->base < p->model->basis->count &&
                        p->plan->base_nodes[node_at(p, id)->base] == CAT_NONE);
            p->plan->base_nodes[node_at(p, id)->base] = id;
        }
    p->plan->tagged_nodes = ARENA_ARRAY(p->arena, cat_node_id, p->model->tagged_count);
    for (uint32_t i = 0; i < p->model->tagged_count; i++)
        p->plan->tagged_nodes[i] = CAT_NONE;
    for (cat_node_id id = 0; id < p->plan->node_count; id++)
        if (node_at(p, id)->op == CAT_TAGGED && p->plan->live[id]) {
            BASE_ASSERT(node_at(p, id)->base < p->model->tagged_count);
            p->plan->tagged_nodes[node_at(p, id)->base] = id;
        }
}

/* The choices' nodes, and what the engine has to know to make them. */
static void find_choices(struct planner *p)
{
    const struct cat_model *model = p->model;
    p->plan->choice_nodes = ARENA_ARRAY(p->arena, cat_node_id, model->choice_count);
    for (cat_node_id id = 0; id < p->plan->node_count; id++)
        if (node_at(p, id)->op == CAT_CHOICE) {
            BASE_ASSERT(node_at(p, id)->base < model->choice_count);
            p->plan->choice_nodes[node_at(p, id)->base] = id;
            mark_live(p, id);
        }
    EACH (const struct cat_choice, choice, model->choices, model->choice_count) {
        BASE_ASSERT((choice->kind == CAT_LINEARISATIONS) == (choice->set != CAT_NONE));
        BASE_ASSERT(choice->kind == CAT_LINEARISATIONS || choice->alternative_count > 0);
        mark_live(p, choice->set);
        mark_live(p, choice->relation);
        for (uint32_t k = 0; k < choice->alternative_count; k++)
            mark_live(p, choice->alternatives[k]);
    }
}

static void count_values(const struct planner *p)
{
    for (cat_node_id id = 0; id < p->plan->node_count; id++)
        if (p->plan->live[id] && node_at(p, id)->sort == CAT_REL)
            p->plan->rel_values += node_at(p, id)->dynamic && p->plan->needs_upper[id] ? 2 : 1;
}

const struct cat_plan *cat_plan_new_for(struct arena *arena, const struct cat_model *model,
                                        enum cat_purpose purpose)
{
    bool pictures = purpose == CAT_FOR_PICTURES;
    uint32_t n = pictures ? model->picture_node_count : model->node_count;
    struct cat_plan *plan = ARENA_NEW(arena, struct cat_plan);
    plan->model = model;
    plan->node_count = n;
    plan->group_count = pictures ? model->picture_group_count : model->rec_group_count;
    BASE_ASSERT(n <= model->picture_node_count);
    plan->live = ARENA_ARRAY(arena, bool, n);
    plan->needs_upper = ARENA_ARRAY(arena, bool, n);
    struct planner p = {.arena = arena,
                        .model = model,
                        .plan = plan,
                        .open_groups = ARENA_ARRAY(arena, uint64_t, n),
                        .sources = ARENA_ARRAY(arena, uint32_t, n)};
    p.wanted[0] = ARENA_ARRAY(arena, bool, n);
    p.wanted[1] = ARENA_ARRAY(arena, bool, n);
    BASE_CHECK(plan->group_count <= 64);
    for (uint32_t c = 0; c < model->check_count; c++)
        mark_live(&p, model->checks[c].node);
    for (int r = 0; r < CAT_RESERVED_COUNT; r++)
        mark_live(&p, model->reserved[r]);
    for (uint32_t i = 0; pictures && i < model->shown_count; i++)
        mark_live(&p, model->shown[i].node);
    find_choices(&p);
    find_bases(&p);
    find_open_groups(&p);
    find_sources(&p);
    list_groups(&p);
    plan->fixed = list_static(&p);
    bool *done[2] = {ARENA_ARRAY(arena, bool, n), ARENA_ARRAY(arena, bool, n)};
    plan->viable = list_bounds(&p, CAT_CHECK, done);
    if (purpose == CAT_FOR_FLAGS || purpose == CAT_FOR_UNDEFINED)
        plan->outlook =
            list_bounds(&p, purpose == CAT_FOR_FLAGS ? CAT_FLAG : CAT_UNDEFINED_UNLESS, done);
    if (purpose == CAT_FOR_CASES) {
        plan->may_be_undefined = list_bounds(&p, CAT_UNDEFINED_UNLESS, done);
        plan->may_be_flagged = list_bounds(&p, CAT_FLAG, done);
    }
    if (purpose == CAT_FOR_CRASHES || purpose == CAT_FOR_CASES)
        plan->outlook = list_contract(&p, done);
    plan->implied = list_ways(&p);
    plan->exact = list_exact(&p, &plan->exact_of_checks);
    count_values(&p);
    cat_slots_find(arena, plan, p.open_groups, pictures);
    return plan;
}

const struct cat_plan *cat_plan_new(struct arena *arena, const struct cat_model *model)
{
    return cat_plan_new_for(arena, model, CAT_FOR_ENGINES);
}
