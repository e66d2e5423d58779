/* place_bounds: node by node, both sides; recursion from nothing to what it comes to, on each side.
 */
#include "place/place_bounds.h"

#include "base/arena.h"
#include "base/bits.h"

#include <string.h>

static size_t size_of(const struct place_bounds *b, enum cat_sort sort)
{
    return sort == CAT_SET ? rel_set_words(b->dim) : rel_words(b->dim);
}

static rel_word **new_values(struct arena *arena, const struct place_bounds *b, uint32_t count,
                             const struct cat_base *sorts)
{
    rel_word **values = ARENA_ARRAY(arena, rel_word *, count);
    for (uint32_t i = 0; i < count; i++)
        values[i] = ARENA_ARRAY(arena, rel_word, size_of(b, sorts ? sorts[i].sort : CAT_SET));
    return values;
}

struct place_bounds *place_bounds_new(struct arena *arena, const struct cat_model *model,
                                      struct rel_dim dim, const bool *needed)
{
    struct place_bounds *b =
        ARENA_MAKE(arena, struct place_bounds, .model = model, .dim = dim, .needed = needed);
    for (int side = 0; side < 2; side++) {
        b->nodes[side] = ARENA_ARRAY(arena, rel_word *, model->node_count);
        for (cat_node_id id = 0; id < model->node_count; id++)
            if (needed[id])
                b->nodes[side][id] =
                    ARENA_ARRAY(arena, rel_word, size_of(b, model->nodes[id].sort));
        b->bases[side] = new_values(arena, b, model->basis->count, model->basis->names);
        b->tagged[side] = new_values(arena, b, model->tagged_count, NULL);
        b->scratch[side] = ARENA_ARRAY(arena, rel_word, rel_words(dim));
    }
    b->picks = ARENA_ARRAY(arena, rel_word *, model->choice_count);
    for (uint32_t i = 0; i < model->choice_count; i++)
        b->picks[i] = ARENA_ARRAY(arena, rel_word, rel_words(dim));
    b->alternatives = ARENA_ARRAY(arena, uint32_t, model->choice_count);
    b->sure = ARENA_ARRAY(arena, rel_word, rel_set_words(dim));
    return b;
}

/* ---- Choices ---- */

/* All pairs of a set's events. */
static void keep_within(const struct place_bounds *b, rel_word *relation, const rel_word *set)
{
    rel_restrict_domain(b->dim, relation, set, relation);
    rel_restrict_range(b->dim, relation, relation, set);
}

/* An order of all events of the upper set that contains what the execution picked, and whatever the
 * pick has to contain; then its part on the set of each execution is one that is offered there. */
static bool extend_pick(struct place_bounds *b, const struct cat_choice *choice, rel_word *pick)
{
    const rel_word *set = b->nodes[PLACE_UPPER][choice->set];
    rel_word *order = b->scratch[0];
    rel_union(b->dim, order, pick, b->nodes[PLACE_UPPER][choice->relation]);
    keep_within(b, order, set);
    rel_plus(b->dim, order, order);
    if (!rel_irreflexive(b->dim, order))
        return false;
    for (uint32_t i = 0; i < b->dim.n; i++)
        for (uint32_t j = 0; j < b->dim.n; j++) {
            if (i == j || !bits_get(set, i) || !bits_get(set, j) || rel_has(b->dim, order, i, j) ||
                rel_has(b->dim, order, j, i))
                continue;
            rel_add(b->dim, order, i, j);
            rel_plus(b->dim, order, order);
        }
    rel_copy(b->dim, pick, order);
    return true;
}

static bool choose(struct place_bounds *b, cat_node_id id)
{
    uint32_t number = b->model->nodes[id].base;
    const struct cat_choice *choice = &b->model->choices[number];
    if (choice->kind == CAT_ALTERNATIVES) {
        cat_node_id picked = choice->alternatives[b->alternatives[number]];
        for (int side = 0; side < 2; side++)
            rel_copy(b->dim, b->nodes[side][id], b->nodes[side][picked]);
        return true;
    }
    if (!extend_pick(b, choice, b->picks[number]))
        return false;
    for (int side = 0; side < 2; side++) {
        rel_copy(b->dim, b->nodes[side][id], b->picks[number]);
        keep_within(b, b->nodes[side][id], b->nodes[side][choice->set]);
    }
    return true;
}

/* ---- Operators ---- */

static void of_sets(struct rel_dim dim, enum cat_op op, rel_word *out, const rel_word *a,
                    const rel_word *b)
{
    switch (op) {
    case CAT_EMPTY: set_clear(dim, out); break;
    case CAT_UNION: set_union(dim, out, a, b); break;
    case CAT_INTER: set_inter(dim, out, a, b); break;
    case CAT_DIFF: set_diff(dim, out, a, b); break;
    case CAT_COMP: set_comp(dim, out, a); break;
    case CAT_DOMAIN: rel_domain(dim, out, a); break;
    case CAT_RANGE: rel_range(dim, out, a); break;
    default: BASE_UNREACHABLE("a set operator");
    }
}

static void of_relations(struct rel_dim dim, enum cat_op op, rel_word *out, const rel_word *a,
                         const rel_word *b)
{
    switch (op) {
    case CAT_EMPTY: rel_clear(dim, out); break;
    case CAT_UNION: rel_union(dim, out, a, b); break;
    case CAT_INTER: rel_inter(dim, out, a, b); break;
    case CAT_DIFF: rel_diff(dim, out, a, b); break;
    case CAT_COMP: rel_comp(dim, out, a); break;
    case CAT_SEQ: rel_seq(dim, out, a, b); break;
    case CAT_PRODUCT: rel_product(dim, out, a, b); break;
    case CAT_INVERSE: rel_inverse(dim, out, a); break;
    case CAT_OPT: rel_opt(dim, out, a); break;
    case CAT_PLUS: rel_plus(dim, out, a); break;
    case CAT_STAR: rel_star(dim, out, a); break;
    case CAT_TOID: rel_of_set(dim, out, a); break;
    default: BASE_UNREACHABLE("a relation operator");
    }
}

/* What is not sure is in no lower bound: these operators may add it. */
static bool may_add(enum cat_op op)
{
    return op == CAT_COMP || op == CAT_OPT || op == CAT_STAR;
}

static void operate(struct place_bounds *b, cat_node_id id, enum place_side side)
{
    const struct cat_node *node = &b->model->nodes[id];
    enum place_side other = side == PLACE_LOWER ? PLACE_UPPER : PLACE_LOWER;
    const rel_word *left = NULL, *right = NULL;
    rel_word *out = b->nodes[side][id];
    if (node->a != CAT_NONE)
        left = b->nodes[node->op == CAT_COMP ? other : side][node->a];
    if (node->b != CAT_NONE)
        right = b->nodes[node->op == CAT_DIFF ? other : side][node->b];
    if (node->sort == CAT_SET)
        of_sets(b->dim, node->op, out, left, right);
    else
        of_relations(b->dim, node->op, out, left, right);
    if (side == PLACE_UPPER || !may_add(node->op))
        return;
    if (node->sort == CAT_SET)
        set_inter(b->dim, out, out, b->sure);
    else
        keep_within(b, out, b->sure);
}

static void copy(const struct place_bounds *b, cat_node_id id, enum place_side side,
                 const rel_word *value)
{
    memcpy(b->nodes[side][id], value, size_of(b, b->model->nodes[id].sort) * sizeof *value);
}

static bool evaluate_node(struct place_bounds *b, cat_node_id id);

/* Nothing is known of what need not be a least solution. */
static void give_up_group(struct place_bounds *b, const struct cat_rec_group *group)
{
    for (uint32_t i = 0; i < group->count; i++) {
        size_t size = size_of(b, b->model->nodes[group->vars[i]].sort);
        memset(b->nodes[PLACE_LOWER][group->vars[i]], 0, size * sizeof(rel_word));
        if (b->model->nodes[group->vars[i]].sort == CAT_SET)
            set_fill(b->dim, b->nodes[PLACE_UPPER][group->vars[i]]);
        else
            rel_fill(b->dim, b->nodes[PLACE_UPPER][group->vars[i]]);
    }
}

static bool take_bodies(struct place_bounds *b, const struct cat_rec_group *group)
{
    bool grew = false;
    for (uint32_t i = 0; i < group->count; i++)
        for (int side = 0; side < 2; side++) {
            rel_word *var = b->nodes[side][group->vars[i]];
            const rel_word *body = b->nodes[side][group->bodies[i]];
            size_t size = size_of(b, b->model->nodes[group->vars[i]].sort) * sizeof *var;
            grew = grew || memcmp(var, body, size) != 0;
            memcpy(var, body, size);
        }
    return grew;
}

static bool evaluate_group(struct place_bounds *b, const struct cat_rec_group *group)
{
    bool fine = true;
    for (uint32_t i = 0; i < group->count; i++)
        for (int side = 0; side < 2; side++)
            memset(b->nodes[side][group->vars[i]], 0,
                   size_of(b, b->model->nodes[group->vars[i]].sort) * sizeof(rel_word));
    if (group->inflates) {
        give_up_group(b, group);
        return true;
    }
    do
        for (cat_node_id id = group->begin; id < group->end; id++)
            fine = evaluate_node(b, id) && fine;
    while (take_bodies(b, group));
    return fine;
}

static bool evaluate_node(struct place_bounds *b, cat_node_id id)
{
    const struct cat_node *node = &b->model->nodes[id];
    if (!b->needed[id] || node->op == CAT_VAR)
        return true;
    if (node->op == CAT_CHOICE)
        return choose(b, id);
    if (node->op == CAT_FIX && !evaluate_group(b, &b->model->rec_groups[node->group]))
        return false;
    for (enum place_side side = PLACE_LOWER; side <= PLACE_UPPER; side++)
        if (node->op == CAT_FIX)
            copy(b, id, side, b->nodes[side][b->model->rec_groups[node->group].vars[node->base]]);
        else if (node->op == CAT_BASE)
            copy(b, id, side, b->bases[side][node->base]);
        else if (node->op == CAT_TAGGED)
            copy(b, id, side, b->tagged[side][node->base]);
        else
            operate(b, id, side);
    return true;
}

bool place_bounds_evaluate(struct place_bounds *b)
{
    for (cat_node_id id = 0; id < b->model->node_count; id++)
        if (!evaluate_node(b, id))
            return false;
    return true;
}

/* ---- Checks ---- */

/* Does the value pass the test, before `~`? */
static bool passes(struct place_bounds *b, const struct cat_check *check, enum place_side side)
{
    const rel_word *value = b->nodes[side][check->node];
    switch (check->test) {
    case CAT_ACYCLIC: return rel_acyclic(b->dim, value, b->scratch[0]);
    case CAT_IRREFLEXIVE: return rel_irreflexive(b->dim, value);
    case CAT_IS_EMPTY:
        return b->model->nodes[check->node].sort == CAT_SET ? set_empty(b->dim, value)
                                                            : rel_empty(b->dim, value);
    }
    BASE_UNREACHABLE("a test");
}

bool place_bounds_hold(struct place_bounds *b, const struct cat_check *check)
{
    return check->negated ? !passes(b, check, PLACE_LOWER) : passes(b, check, PLACE_UPPER);
}

bool place_bounds_fail(struct place_bounds *b, const struct cat_check *check)
{
    return check->negated ? passes(b, check, PLACE_UPPER) : !passes(b, check, PLACE_LOWER);
}
