#include "engine/explanation_chosen.h"

#include "base/bits.h"
#include "cat/cat_mentions.h"
#include "engine/naive.h"
#include "exec/exec_basis.h"

static struct rel_dim dim_of(const struct explanation_chooser *c)
{
    return c->witness->skeleton->dim;
}

static rel_word *relation_new(const struct explanation_chooser *c)
{
    return ARENA_ARRAY(c->arena, rel_word, rel_words(dim_of(c)));
}

struct explanation_chooser explanation_choose(struct arena *arena,
                                              const struct engine_request *request,
                                              const struct engine_witness *witness)
{
    const struct cat_model *model = request->model;
    const cat_node_id *all = model->reserved, *order = &model->reserved[CAT_EXECUTES_BEFORE];
    return (struct explanation_chooser){
        .arena = arena,
        .request = request,
        .witness = witness,
        .used = witness->cut ? cat_mentions_choices(arena, model, all, CAT_RESERVED_COUNT)
                             : cat_mentions_choices(arena, model, order, 1)};
}

bool explanation_uses_choices(const struct explanation_chooser *c)
{
    return ANY(i, c->request->model->choice_count, c->used[i]);
}

void explanation_add_choices(const struct explanation_chooser *c, rel_word *order)
{
    for (uint32_t i = 0; i < c->request->model->choice_count; i++)
        if (c->used[i])
            rel_union(dim_of(c), order, order, c->witness->choices[i]);
}

/* ---- Whatever is chosen ---- */

/* NULL: it is not of the witness, but of its skeleton. */
static const rel_word *witnessed(const struct engine_witness *witness, uint32_t base)
{
    return base == EXEC_REL_RF           ? witness->rf
           : base == EXEC_REL_CO         ? witness->co
           : base == EXEC_REL_FR         ? witness->fr
           : base == EXEC_REL_SYNC_FENCE ? witness->sync_fence
                                         : NULL;
}

/* All is known but what is chosen. */
static bool write_leaf(struct cat_bounds *bounds, cat_node_id id)
{
    const struct explanation_chooser *c = bounds->context;
    const struct cat_node *node = &bounds->model->nodes[id];
    rel_word *lower = bounds->values[CAT_LOWER][id];
    const rel_word *known = node->op == CAT_BASE ? witnessed(c->witness, node->base) : NULL;
    if (node->op == CAT_CHOICE) {
        cat_bounds_open(bounds, id);
        return true;
    }
    if (node->op == CAT_TAGGED)
        exec_skeleton_tagged(c->witness->skeleton, &bounds->model->tagged[node->base], lower);
    else if (known)
        rel_copy(dim_of(c), lower, known);
    else
        exec_skeleton_base(c->witness->skeleton, node->base, lower);
    cat_value_copy(dim_of(c), node->sort, bounds->values[CAT_UPPER][id], lower);
    return true;
}

void explanation_unchosen(struct explanation_chooser *c,
                          const rel_word *contract[CAT_RESERVED_COUNT])
{
    const struct cat_model *model = c->request->model;
    c->domain.dim = dim_of(c);
    cat_bounds_new(c->arena, &c->bounds, model, &c->domain,
                   naive_needed(c->arena, model, CAT_CHECK), model->node_count);
    c->bounds.leaf = write_leaf;
    c->bounds.context = c;
    BASE_CHECK(cat_bounds_find(&c->bounds, model->node_count));
    for (int r = 0; r < CAT_RESERVED_COUNT; r++)
        contract[r] =
            c->bounds.values[r == CAT_CAN_PERSIST ? CAT_UPPER : CAT_LOWER][model->reserved[r]];
}

/* ---- What is told ---- */

static bool stands_between(const struct explanation_chooser *c, const rel_word *events,
                           const rel_word *order, uint32_t a, uint32_t b)
{
    return ANY(e, dim_of(c).n,
               bits_get(events, e) && e != a && e != b && rel_has(dim_of(c), order, a, e) &&
                   rel_has(dim_of(c), order, e, b));
}

static void tell_choice(const struct explanation_chooser *c, struct explanation *explanation,
                        const rel_word *events, uint32_t number)
{
    const struct exec_skeleton *skeleton = c->witness->skeleton;
    const struct cat_choice *choice = &c->request->model->choices[number];
    const rel_word *order = c->witness->choices[number];
    rel_word *given = relation_new(c), *contained = relation_new(c);
    exec_skeleton_base(skeleton, EXEC_REL_PO, given);
    cat_bounds_contained(&c->bounds, choice, CAT_LOWER, contained);
    rel_union(skeleton->dim, given, given, contained);
    rel_union(skeleton->dim, given, given, c->witness->rf);
    rel_plus(skeleton->dim, given, given);
    for (uint32_t a = 0; a < skeleton->dim.n; a++)
        for (uint32_t b = 0; bits_get(events, a) && b < skeleton->dim.n; b++)
            if (a != b && bits_get(events, b) && rel_has(skeleton->dim, order, a, b) &&
                !rel_has(skeleton->dim, given, a, b) && !stands_between(c, events, order, a, b))
                VEC_PUSH(
                    &explanation->chosen,
                    (struct explanation_chosen){
                        arena_strdup(&explanation->arena, choice->name),
                        explanation_event(explanation, skeleton->program, &skeleton->events[a]),
                        explanation_event(explanation, skeleton->program, &skeleton->events[b])});
}

void explanation_tell_chosen(const struct explanation_chooser *c, struct explanation *explanation,
                             const rel_word *events)
{
    VEC_CLEAR(&explanation->chosen);
    for (uint32_t i = 0; i < c->request->model->choice_count; i++)
        if (c->used[i])
            tell_choice(c, explanation, events, i);
}
