/* The pairs of rules that keep a state out of reach, told by what lies between their events. */
#include "engine/explanation_alike.h"
#include "engine/explanation_chain.h"
#include "engine/witness_way.h"

/* The near miss with all values of the model on it. */
struct chains {
    struct explanation *explanation;
    const struct engine_witness *witness;
    const struct cat_model *model;
    const struct cat_eval *eval;
    const struct witness_ways *ways;
};

/* The relation of the contract that a reason is a pair of; CAT_NONE: of none. */
static cat_node_id relation_of(const struct cat_model *model, enum explanation_reason_kind kind)
{
    switch (kind) {
    case EXPLANATION_BY_EXECUTES_BEFORE: return model->reserved[CAT_EXECUTES_BEFORE];
    case EXPLANATION_BY_DURABLE_BEFORE: return model->reserved[CAT_DURABLE_BEFORE];
    case EXPLANATION_BY_DURABLE_AFTER: return model->reserved[CAT_DURABLE_AFTER];
    case EXPLANATION_BY_PERSIST_ATOMIC: return model->reserved[CAT_PERSIST_ATOMIC];
    case EXPLANATION_BY_PERSIST_BEFORE: return model->reserved[CAT_PERSIST_BEFORE];
    case EXPLANATION_BY_LANDS_BEFORE: return model->reserved[CAT_LANDS_BEFORE];
    default: return CAT_NONE;
    }
}

static struct outcome_event event_at(const struct chains *c, uint32_t event)
{
    const struct exec_skeleton *skeleton = c->witness->skeleton;
    return explanation_event(c->explanation, skeleton->program, &skeleton->events[event]);
}

static void keep_chain(const struct chains *c, const struct witness_way *way,
                       struct explanation_pair *pair)
{
    struct explanation_link *links =
        ARENA_ARRAY(&c->explanation->arena, struct explanation_link, way->items.count + 1);
    uint32_t count = 0;
    for (size_t i = 0; i < way->items.count; i++) {
        const struct witness_way_step *step = &way->items.items[i];
        if (step->from != step->to)
            links[count++] = (struct explanation_link){
                arena_strdup(&c->explanation->arena, step->label ? step->label : ""),
                event_at(c, step->to)};
    }
    pair->chain = links;
    pair->chain_count = count > 1 ? count : 0;
}

/* Statements in loops may make several such events; any pair of them tells why. */
static void find_chain(const struct chains *c, cat_node_id relation, struct explanation_pair *pair)
{
    const struct rel_dim dim = c->witness->skeleton->dim;
    const rel_word *value = cat_eval_value(c->eval, relation);
    for (uint32_t a = 0; a < dim.n; a++) {
        const struct outcome_event from = event_at(c, a);
        for (uint32_t b = 0; explanation_same_event(&from, &pair->from) && b < dim.n; b++) {
            const struct outcome_event to = event_at(c, b);
            struct witness_way way = {{0}};
            if (!rel_has(dim, value, a, b) || !explanation_same_event(&to, &pair->to))
                continue;
            witness_add_way(c->ways, relation, a, b, &way);
            keep_chain(c, &way, pair);
            VEC_FREE(&way.items);
            return;
        }
    }
}

void explanation_find_chains(struct explanation *explanation, const struct cat_model *model,
                             const struct engine_witness *witness)
{
    struct arena scratch;
    arena_init(&scratch);
    struct cat_eval *eval =
        engine_witness_eval(&scratch, cat_plan_new_for(&scratch, model, CAT_FOR_PICTURES), witness);
    (void)cat_eval_static(eval);
    (void)cat_eval_exact(eval);
    const struct chains c = {explanation, witness, model, eval,
                             witness_ways_new(&scratch, model, eval, witness->skeleton->dim)};
    for (size_t i = 0; i < explanation->reasons.count; i++) {
        const struct explanation_reason *reason = &explanation->reasons.items[i];
        const cat_node_id relation = relation_of(model, reason->kind);
        for (uint32_t k = 0; relation != CAT_NONE && k < reason->pair_count; k++)
            find_chain(&c, relation, &reason->pairs[k]);
    }
    arena_fini(&scratch);
}
