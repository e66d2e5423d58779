/* Bounds of the model's expressions show what no completion of a partial witness can show.
 * Undefined behaviour is open while an undefined_unless may still fail. A crash state is open while
 * the last durable writes that the condition is about can be taken together. The contract has its
 * lower bounds there, so that every cut that some completion allows is allowed. The condition is
 * searched as a tableau: a location's write is taken where a comparison asks for it, and an unknown
 * value counts as what is wanted. */
#include "enumerate/enum_goal.h"

#include "base/bits.h"
#include "exec/exec_crash.h"

/* The most steps of one look. If it needs more, the outlook counts as open. */
enum { MOST_STEPS = 1 << 14 };

/* The outlook is asked less often after it was asked in vain. */
static uint32_t to_skip_next(const struct enum_search *s, bool open)
{
    uint32_t most = enum_thresholds(s->state)->outlook_skipped, next = 2 * s->outlook_to_skip + 1;
    return !open ? 0 : next < most ? next : most;
}

static const uint32_t not_taken = LIT_NONE - 1;

/* What is to be true, or false, together. */
struct wanted {
    const struct lit_prop *prop;
    bool truth;
    const struct wanted *next;
};

/* What else may be tried of what is wanted: the next writes to its location, or that alone. */
struct choice {
    const struct wanted *wanted;
    uint32_t location; /* LIT_NONE: there is nothing to take */
    uint32_t write;    /* the first that was not tried */
    bool taken;        /* one before that is */
    struct choice *before;
};

struct outlook {
    struct enum_search *search;
    struct exec_lasts *lasts;
    struct arena *arena; /* of what is wanted, and of choices: a condition may be long */
    uint32_t *taken;     /* per location: its last durable write, LIT_NONE: it has none */
    const struct wanted *wanted;
    struct choice *choices; /* the last one first */
    uint32_t steps;
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

static void choose(struct outlook *o, const struct wanted *wanted, uint32_t location)
{
    o->choices = ARENA_MAKE(o->arena, struct choice, .wanted = wanted, .location = location,
                            .before = o->choices);
}

/* False: the next write is to be tried, or it is lost. */
static bool compare(struct outlook *o, const struct wanted *wanted)
{
    const struct lit_atom *atom = to_be_taken(o, wanted->prop);
    if (atom)
        choose(o, wanted, atom->location);
    o->wanted = wanted->next;
    return !atom && !is_lost(o, wanted);
}

/* Takes the next write to the location of the choice, of which the comparison may be what is
 * wanted. */
static bool take_next(struct outlook *o, struct choice *choice)
{
    const struct enum_search *s = o->search;
    const rel_word *writes = exec_writes_of(s->skeleton, choice->location);
    if (choice->taken)
        exec_lasts_drop(o->lasts);
    for (choice->taken = false; choice->write < s->dim.n && !choice->taken; choice->write++) {
        if (!bits_get(writes, choice->write))
            continue;
        o->taken[choice->location] = choice->write;
        o->steps++;
        choice->taken = !is_lost(o, choice->wanted) && exec_lasts_take(o->lasts, choice->write);
    }
    if (!choice->taken)
        o->taken[choice->location] = not_taken;
    return choice->taken;
}

/* Goes on with what else may be tried. False: with nothing. */
static bool try_else(struct outlook *o)
{
    for (; o->choices; o->choices = o->choices->before) {
        struct choice *choice = o->choices;
        o->wanted = choice->wanted;
        if (choice->location != LIT_NONE && take_next(o, choice))
            return true;
        if (choice->location == LIT_NONE) {
            o->choices = choice->before;
            return true;
        }
    }
    return false;
}

/* ---- Propositions ---- */

static const struct wanted *want(struct outlook *o, const struct lit_prop *prop, bool truth,
                                 const struct wanted *next)
{
    return ARENA_MAKE(o->arena, struct wanted, prop, truth, next);
}

/* Asks that both parts of the proposition have the given truth, or that either has. */
static void want_parts(struct outlook *o, const struct wanted *wanted, bool all, bool a, bool b)
{
    const struct lit_prop *prop = wanted->prop;
    const struct wanted *second = want(o, prop->b, b, wanted->next);
    o->wanted = want(o, prop->a, a, all ? second : wanted->next);
    if (!all)
        choose(o, second, LIT_NONE);
}

/* Goes on with what the first of what is wanted asks for. False: it is lost, or a choice. */
static bool go_on(struct outlook *o)
{
    const struct wanted *wanted = o->wanted;
    bool truth = wanted->truth;
    o->wanted = wanted->next;
    switch (wanted->prop->op) {
    case LIT_PROP_TRUE: return truth;
    case LIT_PROP_FALSE: return !truth;
    case LIT_PROP_COMPARE: return compare(o, wanted);
    case LIT_PROP_NOT: o->wanted = want(o, wanted->prop->a, !truth, wanted->next); return true;
    case LIT_PROP_AND: want_parts(o, wanted, truth, truth, truth); return true;
    case LIT_PROP_OR: want_parts(o, wanted, !truth, truth, truth); return true;
    case LIT_PROP_IMPLIES: want_parts(o, wanted, !truth, !truth, truth); return true;
    }
    BASE_UNREACHABLE("a proposition");
}

static bool may_be(struct outlook *o)
{
    bool open = true;
    while (open && o->wanted && ++o->steps <= MOST_STEPS)
        open = go_on(o) || try_else(o);
    return open;
}

/* ---- Crash states ---- */

/* Locations that are volatile, or that nobody writes, have their initial value after a crash and
 * are not asked about. Returns how many locations have a choice. */
static uint32_t take_initial(struct outlook *o)
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
    const struct exec_contract contract = {
#define X(field, name) .field = bounds[CAT_##name],
        EXEC_CONTRACT(X)
#undef X
    };
    struct outlook o = {.search = s, .arena = scratch};
    o.wanted = want(&o, goal->prop, goal->quantifier != LIT_FORALL, NULL);
    o.taken = ARENA_ARRAY(scratch, uint32_t, s->skeleton->program->location_count);
    uint32_t most = take_initial(&o);
    o.lasts = exec_lasts_new(scratch, s->skeleton, &contract, s->state->request->crash_mode, most);
    bool open = may_be(&o);
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
    return ANY(t, s->skeleton->program->thread_count,
               enum_leaves_doubt(s->state, s->skeleton->paths[t]));
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

bool enum_is_tried_enough(const struct enum_search *s)
{
    return s->is_tried && !enum_is_short(s->state, s->skeleton);
}

/* A plan of the state for this question, made when it is first asked. */
static const struct cat_plan *plan_of(struct enum_state *state, const struct cat_plan **plan,
                                      enum cat_purpose purpose)
{
    if (!*plan)
        *plan = cat_plan_new_for(&state->paths, state->request->model, purpose);
    return *plan;
}

const struct cat_plan *enum_outlook_plan(struct enum_search *s)
{
    struct enum_state *state = s->state;
    bool of_crash = state->goal && state->goal->when == LIT_CRASHED;
    bool of_undefined = state->looks_for_undefined && state->request->program->condition_count;
    if (state->looked_at || state->looks_for_any || (!of_crash && !of_undefined))
        return NULL;
    s->is_tried = enum_is_short(state, s->skeleton);
    if (s->is_tried)
        return NULL;
    return of_crash ? plan_of(state, &state->crash_plan, CAT_FOR_CRASHES)
                    : plan_of(state, &state->undefined_plan, CAT_FOR_UNDEFINED);
}
