/* Values stand in one slab, a slot a live node, and a second slot for the upper bound where partial
 * witnesses need one. A static node has one value for both bounds. Evaluation runs through the
 * plan's steps. A let-rec group is iterated from the empty relation until nothing changes: the
 * least fixpoint of monotone bodies; groups of other bodies are static (cat_graph_inflates). */
#include "cat/cat_eval.h"

#include "base/bits.h"
#include "cat/cat_operate.h"
#include "cat/cat_plan.h"

struct cat_fixed {
    struct rel_dim dim;
    size_t words;
    rel_word *values; /* sets, then relations */
    bool known, holds;
};

struct cat_eval {
    const struct cat_plan *plan;
    const struct cat_node *nodes;
    struct rel_dim dim;
    rel_word **slots[2]; /* per side and node */
    struct cat_fixed *fixed;
    rel_word *mask;                    /* one set, for rel_acyclic */
    bool exact;                        /* both sides are the lower slots */
    uint64_t moment;                   /* counts what follows */
    uint64_t changed[CAT_SOURCE_BITS]; /* when each source was last */
    uint64_t *computed;                /* when each step of `viable` was, 0: never */
    struct clock_limit clock;
    uint64_t steps, spent; /* a node takes, of the clock and of an allowance */
    uint64_t unpaid;       /* spent, and the allowance does not have it yet (pay) */
    uint64_t work;         /* since the clock was looked at */
    uint32_t lost;         /* the check that failed last, from 1 */
    bool late;
};

static size_t fixed_words(const struct cat_plan *plan, struct rel_dim dim)
{
    return plan->slots.fixed_sets * rel_set_words(dim) + plan->slots.fixed_rels * rel_words(dim);
}

static size_t open_words(const struct cat_plan *plan, struct rel_dim dim)
{
    return plan->slots.open_sets * rel_set_words(dim) + plan->slots.open_rels * rel_words(dim);
}

static size_t passing_words(const struct cat_plan *plan, struct rel_dim dim)
{
    return plan->slots.passing_rels * rel_words(dim);
}

static size_t plan_words(const struct cat_plan *plan, struct rel_dim dim)
{
    return fixed_words(plan, dim) + open_words(plan, dim) + passing_words(plan, dim);
}

bool cat_eval_fits(const struct cat_plan *plan, struct rel_dim dim)
{
    return dim.n <= CAT_FEW_EVENTS || plan_words(plan, dim) <= CAT_MAX_WORDS;
}

struct cat_fixed *cat_fixed_new(struct arena *arena, const struct cat_plan *plan,
                                struct rel_dim dim)
{
    struct cat_fixed *fixed = ARENA_NEW(arena, struct cat_fixed);
    fixed->dim = dim;
    fixed->words = fixed_words(plan, dim);
    fixed->values = arena_alloc_unset(arena, fixed->words * sizeof *fixed->values);
    return fixed;
}

bool cat_fixed_known(const struct cat_fixed *fixed)
{
    return fixed->known;
}

/* Where each region begins; NULL: nobody reads it any more. */
static void find_regions(const struct cat_eval *eval, rel_word *open, rel_word **regions)
{
    BASE_ASSERT(eval->fixed->words == fixed_words(eval->plan, eval->dim));
    const struct cat_slots *slots = &eval->plan->slots;
    size_t set = rel_set_words(eval->dim);
    regions[CAT_FIXED_SETS] = eval->fixed->values;
    regions[CAT_FIXED_RELS] = eval->fixed->values + slots->fixed_sets * set;
    regions[CAT_OPEN_SETS] = open;
    regions[CAT_OPEN_RELS] = open + slots->open_sets * set;
    regions[CAT_PASSING_RELS] =
        eval->fixed->known ? NULL : open + open_words(eval->plan, eval->dim);
}

/* What the caller writes is empty at first. */
static void empty_chosen(struct cat_eval *eval)
{
    const struct cat_plan *plan = eval->plan;
    for (uint32_t i = 0; i < plan->chosen_count; i++) {
        const struct cat_node *node = &eval->nodes[plan->chosen[i]];
        BASE_ASSERT(cat_is_chosen(node) && eval->plan->live[plan->chosen[i]]);
        rel_word *lower = eval->slots[CAT_LOWER][plan->chosen[i]],
                 *upper = eval->slots[CAT_UPPER][plan->chosen[i]];
        size_t words = node->sort == CAT_SET ? rel_set_words(eval->dim) : rel_words(eval->dim);
        if (!node->dynamic && eval->fixed->known)
            continue;
        BASE_ASSERT(lower && upper);
        BASE_ASSERT(node->dynamic || lower == upper);
        for (size_t k = 0; k < words; k++)
            lower[k] = upper[k] = 0;
    }
}

static void place_values(struct cat_eval *eval, rel_word *open)
{
    const struct cat_plan *plan = eval->plan;
    const size_t set = rel_set_words(eval->dim), rel = rel_words(eval->dim);
    const size_t words[CAT_REGIONS] = {set, rel, set, rel, rel};
    rel_word *regions[CAT_REGIONS], **lower = eval->slots[CAT_LOWER],
                                    **upper = eval->slots[CAT_UPPER];
    find_regions(eval, open, regions);
    EACH (const struct cat_place, place, plan->places, plan->place_count) {
        rel_word *region = regions[place->region];
        size_t size = words[place->region];
        BASE_ASSERT(place->node < plan->node_count && plan->live[place->node]);
        BASE_ASSERT((size_t)place->region < CAT_REGIONS);
        if (!region)
            continue;
        lower[place->node] = region + place->slot[CAT_LOWER] * size;
        upper[place->node] = region + place->slot[CAT_UPPER] * size;
    }
}

/* Of an allowance no more is spent for a node than most take: large relations are sparse. */
static uint64_t most_spent(struct rel_dim dim)
{
    return rel_words(dim) * (dim.words == 1 ? 8 : 4);
}

static void find_cost(struct cat_eval *eval)
{
    const uint64_t most = most_spent(eval->dim);
    eval->steps = rel_words(eval->dim) * (eval->dim.n / 8 + 1);
    eval->spent = eval->steps < most ? eval->steps : most;
}

struct cat_eval *cat_eval_new_on(struct arena *arena, const struct cat_plan *plan,
                                 struct cat_fixed *fixed)
{
    BASE_CHECK(fixed->words == fixed_words(plan, fixed->dim));
    struct cat_eval *eval = ARENA_NEW(arena, struct cat_eval);
    uint32_t n = plan->node_count;
    *eval = (struct cat_eval){
        .plan = plan, .nodes = plan->model->nodes, .dim = fixed->dim, .fixed = fixed};
    BASE_ASSERT(plan->node_count <= plan->model->picture_node_count);
    find_cost(eval);
    eval->slots[CAT_LOWER] = ARENA_ARRAY(arena, rel_word *, n);
    eval->slots[CAT_UPPER] = ARENA_ARRAY(arena, rel_word *, n);
    eval->mask = ARENA_ARRAY(arena, rel_word, rel_set_words(fixed->dim));
    eval->computed = ARENA_ARRAY(arena, uint64_t, plan->viable.count);
    size_t words =
        open_words(plan, fixed->dim) + (fixed->known ? 0 : passing_words(plan, fixed->dim));
    place_values(eval, arena_alloc_unset(arena, words * sizeof(rel_word)));
    empty_chosen(eval);
    return eval;
}

struct cat_eval *cat_eval_new(struct arena *arena, const struct cat_plan *plan, struct rel_dim dim)
{
    return cat_eval_new_on(arena, plan, cat_fixed_new(arena, plan, dim));
}

void cat_eval_heed(struct cat_eval *eval, const struct clock_limit *clock)
{
    eval->clock = *clock;
}

enum { WORK_BETWEEN_LOOKS = 1 << 20 };

uint64_t cat_eval_cost(const struct cat_plan *plan, struct rel_dim dim)
{
    return plan->rel_values * most_spent(dim);
}

/* Before anybody else looks at the allowance. */
static void pay(struct cat_eval *eval)
{
    clock_spend(&eval->clock, eval->unpaid);
    eval->unpaid = 0;
}

/* To be asked before each node. A closure takes about as many steps as are counted here between
 * looks. */
static bool is_late(struct cat_eval *eval)
{
    eval->work += eval->steps;
    eval->unpaid += eval->spent;
    if (eval->work > WORK_BETWEEN_LOOKS) {
        eval->work = 0;
        pay(eval);
        eval->late = eval->late || clock_is_late(&eval->clock);
    }
    return eval->late;
}

/* Where the value of a node stands that the engine chooses. */
static rel_word *chosen_value(struct cat_eval *eval, cat_node_id id, bool upper)
{
    BASE_ASSERT(id == CAT_NONE || (id < eval->plan->node_count && cat_is_chosen(&eval->nodes[id])));
    if (id == CAT_NONE || (upper && !(eval->nodes[id].dynamic && eval->plan->needs_upper[id])))
        return NULL;
    return eval->slots[upper ? CAT_UPPER : CAT_LOWER][id];
}

const cat_node_id *cat_eval_bases(const struct cat_eval *eval)
{
    return eval->plan->base_nodes;
}

rel_word *cat_eval_base(struct cat_eval *eval, uint32_t base, bool upper)
{
    BASE_ASSERT(base < eval->plan->model->basis->count);
    return chosen_value(eval, eval->plan->base_nodes[base], upper);
}

const struct cat_model *cat_eval_model(const struct cat_eval *eval)
{
    return eval->plan->model;
}

rel_word *cat_eval_tagged(struct cat_eval *eval, uint32_t tagged)
{
    BASE_ASSERT(tagged < eval->plan->model->tagged_count);
    return chosen_value(eval, eval->plan->tagged_nodes[tagged], false);
}

rel_word *cat_eval_choice(struct cat_eval *eval, uint32_t choice, bool upper)
{
    BASE_ASSERT(choice < eval->plan->model->choice_count);
    return chosen_value(eval, eval->plan->choice_nodes[choice], upper);
}

static rel_word *value_of(const struct cat_eval *eval, cat_node_id id, enum cat_side side)
{
    BASE_ASSERT(id < eval->plan->node_count && eval->plan->live[id]);
    return eval->slots[eval->exact ? CAT_LOWER : side][id];
}

/* [S]; r and r; [S] are row masks, not products. `slots`: of all operands. */
static void compute_seq(const struct cat_eval *eval, const struct cat_node *node,
                        rel_word *const *slots, rel_word *out)
{
    BASE_ASSERT(node->a != CAT_NONE && node->b != CAT_NONE);
    const struct cat_node *left = &eval->nodes[node->a], *right = &eval->nodes[node->b];
    if (left->op == CAT_TOID)
        rel_restrict_domain(eval->dim, out, slots[left->a], slots[node->b]);
    else if (right->op == CAT_TOID)
        rel_restrict_range(eval->dim, out, slots[node->a], slots[right->a]);
    else
        rel_seq(eval->dim, out, slots[node->a], slots[node->b]);
}

static void compute(struct cat_eval *eval, cat_node_id id, enum cat_side side);

static bool wants_side(const struct cat_eval *eval, cat_node_id id, enum cat_side side)
{
    BASE_ASSERT(id < eval->plan->node_count);
    return side == CAT_LOWER || (!eval->exact && eval->plan->needs_upper[id]);
}

/* One round over the group's nodes on both sides that are in use; tells whether a
 * variable grew. */
static bool iterate_once(struct cat_eval *eval, const struct cat_rec_group *group,
                         const struct cat_steps *nodes, int sides)
{
    for (uint32_t i = 0; i < nodes->count && !is_late(eval); i++)
        for (int side = 0; side < sides; side++)
            if (wants_side(eval, nodes->items[i].node, (enum cat_side)side))
                compute(eval, nodes->items[i].node, (enum cat_side)side);
    bool grew = false;
    for (uint32_t i = 0; i < group->count; i++)
        for (int side = 0; side < sides; side++) {
            const struct cat_node *var = &eval->nodes[group->vars[i]];
            rel_word *out = value_of(eval, group->vars[i], (enum cat_side)side);
            const rel_word *body = value_of(eval, group->bodies[i], (enum cat_side)side);
            if (!cat_value_equal(eval->dim, var->sort, out, body)) {
                cat_value_copy(eval->dim, var->sort, out, body);
                grew = true;
            }
        }
    return grew;
}

static void compute_group(struct cat_eval *eval, const struct cat_node *node)
{
    BASE_ASSERT(node->group < eval->plan->group_count);
    BASE_ASSERT(node->op == CAT_FIX);
    const struct cat_rec_group *group = &eval->plan->model->rec_groups[node->group];
    const struct cat_steps *nodes = &eval->plan->group_nodes[node->group];
    int sides = eval->exact || !node->dynamic ? 1 : 2;
    for (uint32_t i = 0; i < group->count; i++)
        for (int side = 0; side < sides; side++) {
            rel_word *var = value_of(eval, group->vars[i], (enum cat_side)side);
            cat_value_clear(eval->dim, eval->nodes[group->vars[i]].sort, var);
        }
    while (iterate_once(eval, group, nodes, sides) && !eval->late)
        ;
}

static void compute_fixpoint(struct cat_eval *eval, const struct cat_node *node, enum cat_side side,
                             rel_word *out)
{
    const struct cat_rec_group *group = &eval->plan->model->rec_groups[node->group];
    BASE_ASSERT(node->base < group->count);
    BASE_ASSERT(eval->nodes[group->vars[node->base]].op == CAT_VAR);
    BASE_ASSERT(eval->nodes[group->vars[node->base]].sort == node->sort);
    compute_group(eval, node);
    cat_value_copy(eval->dim, node->sort, out, value_of(eval, group->vars[node->base], side));
}

static const rel_word *operand(const struct cat_eval *eval, const struct cat_node *node,
                               bool second, enum cat_side side)
{
    cat_node_id id = second ? node->b : node->a;
    return id == CAT_NONE ? NULL : value_of(eval, id, cat_operand_side(node->op, second, side));
}

static void compute(struct cat_eval *eval, cat_node_id id, enum cat_side side)
{
    BASE_ASSERT(id < eval->plan->node_count && eval->plan->live[id]);
    BASE_ASSERT(!cat_is_chosen(&eval->nodes[id]));
    BASE_ASSERT(eval->nodes[id].op != CAT_VAR);
    const struct cat_node *node = &eval->nodes[id];
    rel_word *out = value_of(eval, id, side);
    BASE_ASSERT(node->op == CAT_FIX || node->a == CAT_NONE || node->a < id);
    BASE_ASSERT(node->op == CAT_FIX || node->b == CAT_NONE || node->b < id);
    if (node->op == CAT_FIX)
        compute_fixpoint(eval, node, side, out);
    else if (node->op == CAT_SEQ)
        compute_seq(eval, node, eval->slots[eval->exact ? CAT_LOWER : side], out);
    else
        cat_operate(eval->dim, node->op, node->sort, operand(eval, node, false, side),
                    operand(eval, node, true, side), out);
}

/* Does the test hold of the relation (or set) as given, negation included? */
static bool test_holds(const struct cat_eval *eval, const struct cat_check *check,
                       enum cat_side side)
{
    BASE_ASSERT(check->node < eval->plan->node_count);
    BASE_ASSERT(check->test == CAT_IS_EMPTY || eval->nodes[check->node].sort == CAT_REL);
    const struct cat_node *node = &eval->nodes[check->node];
    const rel_word *value = value_of(eval, check->node, side);
    return cat_passes(eval->dim, check->test, node->sort, value, eval->mask) != check->negated;
}

/* False when it is the test of a check that does not hold, or when there is no time left. */
static bool run_step(struct cat_eval *eval, const struct cat_step *step)
{
    BASE_ASSERT(step->node != CAT_NONE || step->check < eval->plan->model->check_count);
    if (is_late(eval))
        return false;
    if (step->node != CAT_NONE)
        compute(eval, step->node, step->side);
    else if (!test_holds(eval, &eval->plan->model->checks[step->check], step->side)) {
        eval->lost = step->check + 1;
        return false;
    }
    return true;
}

/* Steps `from` to `to`, exclusive, or to the first test that fails. */
static bool run_part(struct cat_eval *eval, const struct cat_steps *steps, uint32_t from,
                     uint32_t to)
{
    BASE_ASSERT(from <= to && to <= steps->count);
    bool holds = true;
    for (uint32_t i = from; i < to && holds; i++)
        holds = run_step(eval, &steps->items[i]);
    pay(eval);
    return holds && !eval->late;
}

static bool run_steps(struct cat_eval *eval, const struct cat_steps *steps)
{
    return run_part(eval, steps, 0, steps->count);
}

/* All steps, whatever the tests say. */
static bool run_all(struct cat_eval *eval, const struct cat_steps *steps)
{
    bool holds = true;
    for (uint32_t i = 0; i < steps->count && !eval->late; i++)
        holds &= run_step(eval, &steps->items[i]);
    pay(eval);
    return holds && !eval->late;
}

bool cat_eval_static(struct cat_eval *eval)
{
    struct cat_fixed *fixed = eval->fixed;
    eval->exact = true;
    if (fixed->known)
        return fixed->holds;
    fixed->holds = run_all(eval, &eval->plan->fixed);
    fixed->known = !eval->late;
    return fixed->holds;
}

static void sources_changed(struct cat_eval *eval, uint32_t sources)
{
    BASE_ASSERT(sources >> CAT_SOURCE_BITS == 0);
    eval->moment++;
    for (uint32_t bit = 0; bit < CAT_SOURCE_BITS; bit++)
        if (sources >> bit & 1)
            eval->changed[bit] = eval->moment;
}

void cat_eval_changed(struct cat_eval *eval, uint32_t base)
{
    BASE_ASSERT(base < eval->plan->model->basis->count && eval->plan->base_sources[base]);
    sources_changed(eval, eval->plan->base_sources[base]);
}

void cat_eval_changed_choices(struct cat_eval *eval)
{
    sources_changed(eval, 1 << CAT_SOURCE_OTHERS);
}

enum { ALL_SOURCES = (1 << CAT_SOURCE_BITS) - 1 };

/* Per set of sources: when one of them last changed. */
static void find_latest(const struct cat_eval *eval, uint64_t latest[ALL_SOURCES + 1])
{
    latest[0] = 0;
    for (uint32_t sources = 1; sources <= ALL_SOURCES; sources++) {
        uint32_t bit = bits_lowest(sources);
        BASE_ASSERT(bit < CAT_SOURCE_BITS);
        uint64_t others = latest[sources & (sources - 1)];
        latest[sources] = others > eval->changed[bit] ? others : eval->changed[bit];
    }
}

/* Those whose sources have changed since they were computed. */
static bool run_changed(struct cat_eval *eval, const struct cat_steps *steps)
{
    uint64_t latest[ALL_SOURCES + 1];
    find_latest(eval, latest);
    for (uint32_t i = 0; i < steps->count; i++) {
        const struct cat_step *step = &steps->items[i];
        BASE_ASSERT(step->sources <= ALL_SOURCES);
        BASE_ASSERT(eval->computed[i] <= eval->moment);
        if (eval->computed[i] > latest[step->sources])
            continue;
        if (!run_step(eval, step))
            return false;
        eval->computed[i] = eval->moment;
    }
    return !eval->late;
}

bool cat_eval_still_viable(struct cat_eval *eval)
{
    eval->exact = false;
    eval->moment++;
    bool viable = run_changed(eval, &eval->plan->viable);
    pay(eval);
    return viable;
}

uint32_t cat_eval_lost(const struct cat_eval *eval)
{
    return eval->lost;
}

bool cat_eval_viable(struct cat_eval *eval)
{
    sources_changed(eval, ALL_SOURCES);
    return cat_eval_still_viable(eval);
}

bool cat_eval_may_raise(struct cat_eval *eval, const bool *wanted)
{
    BASE_ASSERT(eval->fixed->known);
    bool raises = false;
    eval->exact = false;
    for (uint32_t i = 0; i < eval->plan->outlook.count && !raises; i++) {
        const struct cat_step *step = &eval->plan->outlook.items[i];
        if (step->node != CAT_NONE)
            compute(eval, step->node, step->side);
        else
            raises = wanted[step->check] &&
                     test_holds(eval, &eval->plan->model->checks[step->check], step->side);
    }
    pay(eval);
    return raises;
}

bool cat_eval_may_fail(struct cat_eval *eval)
{
    eval->exact = false;
    return !run_steps(eval, &eval->plan->outlook);
}

bool cat_eval_contract(struct cat_eval *eval, const rel_word *bounds[CAT_RESERVED_COUNT])
{
    eval->exact = false;
    bool ran = run_steps(eval, &eval->plan->outlook);
    for (int r = 0; r < CAT_RESERVED_COUNT; r++) {
        BASE_ASSERT(eval->plan->model->reserved[r] < eval->plan->node_count);
        bounds[r] = eval->slots[r == CAT_CAN_PERSIST ? CAT_UPPER : CAT_LOWER]
                               [eval->plan->model->reserved[r]];
    }
    return ran;
}

/* All steps; false: a flag that is not among those raised may be, or there is no time left. */
static bool raises_nothing(struct cat_eval *eval, const struct cat_steps *steps, const bool *raised)
{
    bool may = false;
    for (uint32_t i = 0; i < steps->count && !may && !is_late(eval); i++) {
        const struct cat_step *step = &steps->items[i];
        if (step->node != CAT_NONE)
            compute(eval, step->node, step->side);
        else
            may = !raised[step->check] &&
                  test_holds(eval, &eval->plan->model->checks[step->check], step->side);
    }
    return !may && !eval->late;
}

bool cat_eval_adds_nothing(struct cat_eval *eval, const bool *raised,
                           const rel_word *bounds[CAT_RESERVED_COUNT])
{
    eval->exact = false;
    return run_steps(eval, &eval->plan->may_be_undefined) &&
           raises_nothing(eval, &eval->plan->may_be_flagged, raised) &&
           cat_eval_contract(eval, bounds);
}

/* Lower bounds become what they are of complete bases, so none stands for a partial witness. */
static void leave_bounds(struct cat_eval *eval)
{
    sources_changed(eval, ALL_SOURCES);
    eval->exact = true;
}

bool cat_eval_exact(struct cat_eval *eval)
{
    leave_bounds(eval);
    return run_all(eval, &eval->plan->exact);
}

bool cat_eval_consistent(struct cat_eval *eval)
{
    leave_bounds(eval);
    return run_part(eval, &eval->plan->exact, 0, eval->plan->exact_of_checks);
}

bool cat_eval_rest(struct cat_eval *eval)
{
    BASE_ASSERT(eval->exact && eval->plan->exact_of_checks <= eval->plan->exact.count);
    const struct cat_steps *steps = &eval->plan->exact;
    return run_part(eval, steps, eval->plan->exact_of_checks, steps->count);
}

void cat_eval_operands(struct cat_eval *eval)
{
    leave_bounds(eval);
    for (uint32_t i = 0; i < eval->plan->exact.count && !is_late(eval); i++)
        if (eval->plan->exact.items[i].node != CAT_NONE)
            compute(eval, eval->plan->exact.items[i].node, CAT_LOWER);
    pay(eval);
}

const struct cat_plan *cat_eval_plan(const struct cat_eval *eval)
{
    return eval->plan;
}

struct rel_dim cat_eval_dim(const struct cat_eval *eval)
{
    return eval->dim;
}

const rel_word *cat_eval_bound(const struct cat_eval *eval, cat_node_id node, enum cat_side side)
{
    BASE_ASSERT(node < eval->plan->node_count);
    BASE_ASSERT(side == CAT_LOWER || !eval->nodes[node].dynamic || eval->plan->needs_upper[node]);
    return eval->slots[side][node];
}

const rel_word *cat_eval_value(const struct cat_eval *eval, cat_node_id node)
{
    BASE_ASSERT(node < eval->plan->node_count && eval->plan->live[node] &&
                eval->slots[CAT_LOWER][node]);
    return eval->slots[CAT_LOWER][node];
}

bool cat_eval_holds(const struct cat_eval *eval, const struct cat_check *check)
{
    return test_holds(eval, check, CAT_LOWER);
}
