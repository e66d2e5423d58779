/* What no completion of a partial witness can show is seen in the bounds of what the model says of
 * it. Undefined behaviour: whether an undefined_unless may still fail. A crash state: whether the
 * last durable writes that the condition is about can be taken together, where the contract has its
 * lower bounds, so that no cut is forbidden which some completion allows. The condition is gone
 * through as a tableau, a location being taken where a comparison asks for it; whatever is not
 * known yet counts as what is wanted. */
#include "enumerate/enum_goal.h"

#include "base/bits.h"
#include "exec/exec_crash.h"

/* Of one look; where it would take more the outlook counts as open. */
enum { MOST_STEPS = 1 << 14, MOST_DEPTH = 1 << 12 };

/* Where it was in vain it is asked less often. */
enum { MOST_SKIPPED = 64 };

static uint32_t to_skip_next(const struct enum_search *s, bool open)
{
    uint32_t next = 2 * s->outlook_to_skip + 1;
    return !open || s->state->request->bounds_always ? 0
           : next < MOST_SKIPPED                     ? next
                                                     : MOST_SKIPPED;
}

static const uint32_t not_taken = LIT_NONE - 1;

struct outlook {
    struct enum_search *search;
    struct exec_lasts *lasts;
    uint32_t *taken; /* per location: its last durable write, LIT_NONE: it has none */
    uint32_t steps, depth;
};

/* What is to be true, or false, together. */
struct wanted {
    const struct lit_prop *prop;
    bool truth;
    const struct wanted *next;
};

/* ---- Comparisons ---- */

static bool is_of_location(const struct lit_atom *atom)
{
    return atom->kind == LIT_ATOM_LOCATION || atom->kind == LIT_ATOM_KEPT;
}

static bool is_known(const struct outlook *o, const struct lit_atom *atom)
{
    int64_t value;
    if (!is_of_location(atom))
        return atom->kind == LIT_ATOM_CONST;
    uint32_t write = o->taken[atom->location];
    return write == LIT_NONE ||
           (write != not_taken &&
            (atom->kind == LIT_ATOM_KEPT || enum_write_value(o->search, write, &value)));
}

static int64_t look_up(const void *context, const struct lit_atom *atom)
{
    const struct outlook *o = context;
    const struct exec_skeleton *skeleton = o->search->skeleton;
    if (atom->kind == LIT_ATOM_CONST)
        return atom->value;
    uint32_t write = o->taken[atom->location];
    int64_t value = skeleton->program->locations[atom->location].init;
    if (atom->kind == LIT_ATOM_KEPT)
        return write == LIT_NONE || skeleton->events[write].init;
    BASE_CHECK(write == LIT_NONE || enum_write_value(o->search, write, &value));
    return value;
}

/* Is it known not to be what is wanted? */
static bool is_lost(const struct outlook *o, const struct wanted *wanted)
{
    const struct lit_prop *prop = wanted->prop;
    return is_known(o, &prop->left) && is_known(o, &prop->right) &&
           outcome_prop_holds(o->search->skeleton->program, prop, look_up, o) != wanted->truth;
}

/* A location that the comparison is about and that nothing is taken of; NULL: none. */
static const struct lit_atom *to_be_taken(const struct outlook *o, const struct lit_prop *prop)
{
    const struct lit_atom *const atoms[] = {&prop->left, &prop->right};
    for (int i = 0; i < 2; i++)
        if (is_of_location(atoms[i]) && o->taken[atoms[i]->location] == not_taken)
            return atoms[i];
    return NULL;
}

static bool may_be(struct outlook *o, const struct wanted *wanted);

static bool may_take(struct outlook *o, const struct wanted *wanted, uint32_t location)
{
    const struct enum_search *s = o->search;
    const rel_word *writes = exec_writes_of(s->skeleton, location);
    bool may = false;
    for (uint32_t w = 0; w < s->dim.n && !may; w++) {
        if (!bits_get(writes, w))
            continue;
        o->taken[location] = w;
        o->steps++;
        if (is_lost(o, wanted) || !exec_lasts_take(o->lasts, w))
            continue;
        may = may_be(o, wanted);
        exec_lasts_drop(o->lasts);
    }
    o->taken[location] = not_taken;
    return may;
}

static bool may_compare(struct outlook *o, const struct wanted *wanted)
{
    const struct lit_atom *atom = to_be_taken(o, wanted->prop);
    if (atom)
        return may_take(o, wanted, atom->location);
    return !is_lost(o, wanted) && may_be(o, wanted->next);
}

/* ---- Propositions ---- */

static bool may_be_both(struct outlook *o, const struct wanted *wanted, bool a, bool b)
{
    const struct wanted second = {wanted->prop->b, b, wanted->next};
    const struct wanted first = {wanted->prop->a, a, &second};
    return may_be(o, &first);
}

static bool may_be_either(struct outlook *o, const struct wanted *wanted, bool a, bool b)
{
    const struct wanted first = {wanted->prop->a, a, wanted->next};
    const struct wanted second = {wanted->prop->b, b, wanted->next};
    return may_be(o, &first) || may_be(o, &second);
}

static bool may_be_next(struct outlook *o, const struct wanted *wanted)
{
    bool truth = wanted->truth;
    const struct wanted negated = {wanted->prop->a, !truth, wanted->next};
    switch (wanted->prop->op) {
    case LIT_PROP_TRUE: return truth && may_be(o, wanted->next);
    case LIT_PROP_FALSE: return !truth && may_be(o, wanted->next);
    case LIT_PROP_COMPARE: return may_compare(o, wanted);
    case LIT_PROP_NOT: return may_be(o, &negated);
    case LIT_PROP_AND:
        return truth ? may_be_both(o, wanted, true, true) : may_be_either(o, wanted, false, false);
    case LIT_PROP_OR:
        return truth ? may_be_either(o, wanted, true, true) : may_be_both(o, wanted, false, false);
    case LIT_PROP_IMPLIES:
        return truth ? may_be_either(o, wanted, false, true) : may_be_both(o, wanted, true, false);
    }
    BASE_UNREACHABLE("a proposition");
}

static bool may_be(struct outlook *o, const struct wanted *wanted)
{
    if (!wanted || ++o->steps > MOST_STEPS || o->depth == MOST_DEPTH)
        return true;
    o->depth++;
    bool may = may_be_next(o, wanted);
    o->depth--;
    return may;
}

/* ---- Crash states ---- */

/* Of the others none is asked: they have their initial value. Tells how many have a choice. */
static uint32_t begin(struct outlook *o)
{
    const struct exec_skeleton *skeleton = o->search->skeleton;
    uint32_t count = 0;
    for (uint32_t l = 0; l < skeleton->program->location_count; l++) {
        bool any = skeleton->program->locations[l].nvm &&
                   !set_empty(skeleton->dim, exec_writes_of(skeleton, l));
        o->taken[l] = any ? not_taken : LIT_NONE;
        count += any;
    }
    return count;
}

static bool crash_is_open(struct enum_search *s)
{
    const struct lit_condition *goal = s->state->goal;
    const rel_word *bounds[CAT_RESERVED_COUNT];
    if (!cat_eval_contract(s->eval, bounds))
        return true;
    struct arena *scratch = &s->state->scratch;
    struct arena_mark mark = arena_mark(scratch);
    const struct exec_contract contract = {.persist_before = bounds[CAT_PERSIST_BEFORE],
                                           .durable_before = bounds[CAT_DURABLE_BEFORE],
                                           .durable_after = bounds[CAT_DURABLE_AFTER],
                                           .executes_before = bounds[CAT_EXECUTES_BEFORE],
                                           .persist_atomic = bounds[CAT_PERSIST_ATOMIC],
                                           .lands_before = bounds[CAT_LANDS_BEFORE],
                                           .can_persist = bounds[CAT_CAN_PERSIST]};
    const struct wanted wanted = {goal->prop, goal->quantifier != LIT_FORALL, NULL};
    struct outlook o = {.search = s};
    o.taken = ARENA_ARRAY(scratch, uint32_t, s->skeleton->program->location_count);
    uint32_t most = begin(&o);
    o.lasts = exec_lasts_new(scratch, s->skeleton, &contract, s->state->request->crash_mode, most);
    bool open = may_be(&o, &wanted);
    arena_rewind(scratch, mark);
    return open;
}

/* ---- The whole ---- */

static bool undefined_is_open(struct enum_search *s)
{
    return (!s->skeleton->probe && (exec_skeleton_ended(s->skeleton, EXEC_AT_BARRIER) != LIT_NONE ||
                                    exec_skeleton_ended(s->skeleton, EXEC_AT_FAULT) != LIT_NONE)) ||
           cat_eval_may_fail(s->eval);
}

/* An execution that leaves a new doubt is looked for, whatever else it shows. */
static bool leaves_doubt(const struct enum_search *s)
{
    for (uint32_t t = 0; t < s->skeleton->program->thread_count; t++)
        if (enum_leaves_doubt(s->state, s->skeleton->paths[t]))
            return true;
    return false;
}

bool enum_outlook_open(struct enum_search *s)
{
    if (!s->has_outlook || s->outlook_skipped++ < s->outlook_to_skip || leaves_doubt(s))
        return true;
    bool open = s->state->goal ? crash_is_open(s) : undefined_is_open(s);
    s->outlook_skipped = 0;
    s->outlook_to_skip = to_skip_next(s, open);
    s->state->gave_up |= !open;
    return open;
}

/* A search that is over before this many candidates, of few events each, is not worth a plan. */
enum { FEW_EVENTS = 24, FEW_CANDIDATES = 64 };

/* A plan of the state for this question, made when it is first asked. */
static const struct cat_plan *plan_of(struct enum_state *state, const struct cat_plan **plan,
                                      const struct cat_plan *make(struct arena *arena,
                                                                  const struct cat_model *model))
{
    if (!*plan)
        *plan = make(&state->paths, state->request->model);
    return *plan;
}

const struct cat_plan *enum_outlook_plan(struct enum_state *state,
                                         const struct exec_skeleton *skeleton)
{
    const struct lit_condition *goal = state->goal;
    bool short_search = !state->request->bounds_always && skeleton->dim.n < FEW_EVENTS &&
                        state->outcome->stats.candidates < FEW_CANDIDATES;
    if (state->looked_at || state->looks_for_any || short_search)
        return NULL;
    if (goal && goal->when == LIT_CRASHED)
        return plan_of(state, &state->crash_plan, cat_plan_new_for_crashes);
    if (state->looks_for_undefined && state->request->program->condition_count)
        return plan_of(state, &state->undefined_plan, cat_plan_new_for_undefined);
    return NULL;
}
