#include "engine/explanation_chosen.h"

#include "base/bits.h"
#include "cat/cat_mentions.h"
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
                                              const struct engine_witness *witness,
                                              const struct cat_eval *eval)
{
    const struct cat_model *model = request->model;
    const cat_node_id *all = model->reserved, *order = &model->reserved[CAT_EXECUTES_BEFORE];
    return (struct explanation_chooser){
        arena, request, witness, eval,
        witness->cut ? cat_mentions_choices(arena, model, all, CAT_RESERVED_COUNT)
                     : cat_mentions_choices(arena, model, order, 1)};
}

bool explanation_uses_choices(const struct explanation_chooser *c)
{
    for (uint32_t i = 0; i < c->request->model->choice_count; i++)
        if (c->used[i])
            return true;
    return false;
}

void explanation_add_choices(const struct explanation_chooser *c, rel_word *order)
{
    for (uint32_t i = 0; i < c->request->model->choice_count; i++)
        if (c->used[i])
            rel_union(dim_of(c), order, order, c->witness->choices[i]);
}

/* ---- What a choice has to contain ---- */

/* Of operands as they are in this execution. */
static rel_word *contained(const struct explanation_chooser *c, const struct cat_choice *choice)
{
    rel_word *out = relation_new(c);
    if (choice->kind == CAT_LINEARISATIONS) {
        rel_plus(dim_of(c), out, cat_eval_value(c->eval, choice->relation));
        return out;
    }
    rel_fill(dim_of(c), out);
    for (uint32_t i = 0; i < choice->alternative_count; i++)
        rel_inter(dim_of(c), out, out, cat_eval_value(c->eval, choice->alternatives[i]));
    return out;
}

/* Do its operands hang on other choices? */
static bool follows_others(const struct explanation_chooser *c, const struct cat_choice *choice)
{
    const struct cat_model *model = c->request->model;
    const cat_node_id ordered[] = {choice->set, choice->relation};
    bool alternatives = choice->kind == CAT_ALTERNATIVES;
    const bool *on =
        cat_mentions_choices(c->arena, model, alternatives ? choice->alternatives : ordered,
                             alternatives ? choice->alternative_count : 2);
    for (uint32_t i = 0; i < model->choice_count; i++)
        if (on[i])
            return true;
    return false;
}

/* What it may contain. */
static void allowed(const struct explanation_chooser *c, const struct cat_choice *choice,
                    const rel_word *lower, rel_word *out)
{
    rel_clear(dim_of(c), out);
    for (uint32_t i = 0; i < choice->alternative_count; i++)
        rel_union(dim_of(c), out, out, cat_eval_value(c->eval, choice->alternatives[i]));
    if (choice->kind != CAT_LINEARISATIONS)
        return;
    const rel_word *set = cat_eval_value(c->eval, choice->set);
    rel_word *turned = relation_new(c);
    rel_inverse(dim_of(c), turned, lower);
    rel_product(dim_of(c), out, set, set);
    rel_diff(dim_of(c), out, out, turned);
}

static void open_choice(const struct explanation_chooser *c, struct cat_eval *eval, uint32_t number)
{
    const struct cat_choice *choice = &c->request->model->choices[number];
    rel_word *lower = cat_eval_choice(eval, number, false);
    rel_word *upper = cat_eval_choice(eval, number, true);
    if (!lower || !upper)
        return;
    if (follows_others(c, choice)) {
        rel_clear(dim_of(c), lower);
        rel_fill(dim_of(c), upper);
        return;
    }
    const rel_word *has = contained(c, choice);
    if (choice->kind == CAT_LINEARISATIONS) { /* on its set */
        const rel_word *set = cat_eval_value(c->eval, choice->set);
        rel_product(dim_of(c), lower, set, set);
        rel_inter(dim_of(c), lower, lower, has);
    } else {
        rel_copy(dim_of(c), lower, has);
    }
    allowed(c, choice, lower, upper);
}

/* Bounds of an execution that is complete but for its choices. */
bool explanation_unchosen(const struct explanation_chooser *c,
                          const rel_word *contract[CAT_RESERVED_COUNT])
{
    static const enum exec_base complete[] = {EXEC_REL_RF, EXEC_REL_CO, EXEC_REL_FR,
                                              EXEC_REL_SYNC_FENCE};
    const struct cat_model *model = c->request->model;
    struct cat_eval *eval =
        engine_witness_eval(c->arena, cat_plan_new_for_crashes(c->arena, model), c->witness);
    for (size_t i = 0; i < sizeof complete / sizeof *complete; i++) {
        const rel_word *from = cat_eval_base(eval, complete[i], false);
        rel_word *to = cat_eval_base(eval, complete[i], true);
        if (from && to)
            rel_copy(dim_of(c), to, from);
    }
    for (uint32_t i = 0; i < model->choice_count; i++)
        open_choice(c, eval, i);
    return cat_eval_static(eval) && cat_eval_viable(eval) && cat_eval_contract(eval, contract);
}

/* ---- What is told ---- */

static bool stands_between(const struct explanation_chooser *c, const rel_word *events,
                           const rel_word *order, uint32_t a, uint32_t b)
{
    for (uint32_t e = 0; e < dim_of(c).n; e++)
        if (bits_get(events, e) && e != a && e != b && rel_has(dim_of(c), order, a, e) &&
            rel_has(dim_of(c), order, e, b))
            return true;
    return false;
}

static void tell_choice(const struct explanation_chooser *c, struct explanation *explanation,
                        const rel_word *events, uint32_t number)
{
    const struct exec_skeleton *skeleton = c->witness->skeleton;
    const struct cat_choice *choice = &c->request->model->choices[number];
    const rel_word *order = c->witness->choices[number];
    rel_word *given = contained(c, choice), *po = relation_new(c);
    exec_skeleton_base(skeleton, EXEC_REL_PO, po);
    rel_union(skeleton->dim, given, given, po);
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
