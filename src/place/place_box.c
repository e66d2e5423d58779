/* place_box: bounds of the base names over a box, event by event and pair by pair; then of the
 * model. */
#include "place/place_box.h"

#include "base/bits.h"
#include "engine/naive.h"
#include "exec/exec_basis.h"
#include "place/place_align.h"
#include "place/place_meet.h"

struct boxing {
    struct arena *arena;
    const struct sketch *sketch;
    struct place_carried *p;
    struct rel_dim dim;
    const struct place_wanted *wanted; /* NULL: undefined behaviour */
    struct place_family family;
    struct place_bounds *bounds;
    rel_word **fixed; /* per relation among the bases: as it is in the base, NULL: not needed */
    uint32_t failing; /* a check for undefined behaviour; LIT_NONE: something else is shown */
    bool diverges;    /* that somebody waits in vain */
};

/* ---- The events of a family ---- */

static void add_variant(void *context, const struct place_variant *variant)
{
    struct place_options *options = context;
    if (variant->presence == PLACE_ABSENT) {
        options->may_lack = true;
        return;
    }
    const struct ev made = place_event_by(options->program, options->own, variant->instr);
    for (uint32_t i = 0; i < options->count; i++)
        if (place_orders_alike(options->program, options->items[i].instr, options->program,
                               made.instr))
            return;
    if (options->count < PLACE_MOST_OPTIONS)
        options->items[options->count++] = made;
    else
        options->too_many = true;
}

/* Finds the variants of each event over the box. False: some are not known. */
static bool look_at_family(struct boxing *b, const uint64_t *box)
{
    struct place_carried *p = b->p;
    for (uint32_t e = 0; e < b->dim.n; e++) {
        struct place_options *options = &b->family.options[e];
        options->program = &p->program;
        options->own = &p->own[e];
        options->count = 0;
        options->may_lack = options->too_many = false;
        if (!p->slots[e] || !p->slots[e]->choice_count)
            options->items[options->count++] = p->own[e];
        else if (!place_each_variant(b->sketch, p->slots[e], box, add_variant, options) ||
                 options->too_many)
            return false;
        /* an access must be there in all fillings */
        if (options->may_lack && !place_is_pure(p->own[e].instr))
            return false;
    }
    return true;
}

static bool is_sure(const struct boxing *b, uint32_t e)
{
    BASE_ASSERT(e < b->dim.n);
    return !b->family.options[e].may_lack;
}

/* ---- Updates in waits ---- */

/* How the accesses of a location order it, over all variants in a box. */
struct evenness {
    const struct place_carried *p;
    uint32_t thread;
    const bool *accesses; /* per thread */
    bool all, none;       /* they are even; none is */
};

static void note_evenness(void *context, const struct place_variant *variant)
{
    struct evenness *e = context;
    bool even = variant->presence == PLACE_PRESENT &&
                exec_access_is_even(&e->p->program, e->thread, variant->instr, e->accesses);
    e->all = e->all && even;
    e->none = e->none && !even;
}

/* Is the location shared in all fillings of the box as it is in the base: evenly, or not? */
static bool is_shared_alike(const struct boxing *b, const uint64_t *box, uint32_t location)
{
    const struct lit_program *program = &b->p->program;
    bool accesses[LIT_MAX_THREADS], base = true, all = true, never = false;
    exec_find_accessors(program, location, accesses);
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t i = 0; i < program->threads[t].code_count; i++) {
            const struct lit_instr *instr = &program->threads[t].code[i];
            const struct place_slot *slot = &b->p->frame->slots[t][i];
            struct evenness e = {b->p, t, accesses, true, true};
            if (!exec_may_access(instr, location))
                continue;
            base = base && exec_access_is_even(program, t, instr, accesses);
            if (!slot->choice_count)
                note_evenness(&e, &(struct place_variant){PLACE_PRESENT, instr});
            else if (!place_each_variant(b->sketch, slot, box, note_evenness, &e))
                return false;
            all = all && e.all;
            never = never || e.none;
        }
    return base ? all : never;
}

static bool is_updated_in_wait(const struct lit_program *program, uint32_t location)
{
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t at = 0; at < program->threads[t].code_count; at++) {
            const struct lit_instr *code = program->threads[t].code, *await = &code[at];
            for (uint32_t i = await->begin; await->op == LIT_AWAIT && i < await->target; i++)
                if (lit_instruction_writes(code[i].op) && exec_may_access(&code[i], location))
                    return true;
        }
    return false;
}

/* Are the threads' paths possible in all fillings of the box? */
static bool all_wait_alike(const struct boxing *b, const uint64_t *box)
{
    bool shares = false;
    for (uint32_t t = 0; t < b->p->program.thread_count; t++)
        shares = shares || b->p->skeleton->paths[t]->shares;
    for (uint32_t l = 0; shares && l < b->p->program.location_count; l++)
        if (is_updated_in_wait(&b->p->program, l) && !is_shared_alike(b, box, l))
            return false;
    return true;
}

/* ---- Bases ---- */

static void set_bounds(const struct boxing *b, rel_word *lower, rel_word *upper, uint32_t e,
                       bool in_all, bool in_some)
{
    (void)b;
    if (in_all)
        bits_set(lower, e);
    if (in_some)
        bits_set(upper, e);
}

static void bound_set(struct boxing *b, uint32_t base)
{
    struct place_bounds *bounds = b->bounds;
    set_clear(b->dim, bounds->bases[CAT_LOWER][base]);
    set_clear(b->dim, bounds->bases[CAT_UPPER][base]);
    for (uint32_t e = 0; e < b->dim.n; e++) {
        const struct place_options *options = &b->family.options[e];
        bool all = is_sure(b, e), some = false;
        for (uint32_t i = 0; i < options->count; i++) {
            b->p->events[e] = options->items[i];
            bool in = exec_event_in_base(b->p->skeleton, base, e);
            all = all && in;
            some = some || in;
        }
        b->p->events[e] = b->p->own[e];
        set_bounds(b, bounds->bases[CAT_LOWER][base], bounds->bases[CAT_UPPER][base], e, all, some);
    }
}

/* Tags of locations and threads are what they are in the base. */
static void bound_tagged(struct boxing *b, uint32_t number)
{
    const struct cat_tagged *tagged = &b->bounds->model->tagged[number];
    rel_word *lower = b->bounds->tagged[CAT_LOWER][number];
    rel_word *upper = b->bounds->tagged[CAT_UPPER][number];
    uint64_t mask = lit_program_tag(&b->p->program, tagged->tag);
    exec_skeleton_tagged(b->p->skeleton, tagged, upper);
    set_copy(b->dim, lower, upper);
    for (uint32_t e = 0; e < b->dim.n; e++) {
        const struct place_options *options = &b->family.options[e];
        bool all = is_sure(b, e), some = false;
        bool own = bits_get(upper, e);
        for (uint32_t i = 0; i < options->count; i++) {
            bool in = tagged->bearer == CAT_BY_INSTRUCTION
                          ? (ev_tags(&options->items[i]) & mask) != 0
                          : own;
            all = all && in;
            some = some || in;
        }
        bits_clear(lower, e);
        bits_clear(upper, e);
        set_bounds(b, lower, upper, e, all, some);
    }
}

/* Whether two events are in each other's scope depends on the scopes of both. */
static bool is_in_scope(const struct boxing *b, uint32_t i, uint32_t j, bool all)
{
    BASE_ASSERT(i < b->dim.n && j < b->dim.n);
    const struct place_options *x = &b->family.options[i], *y = &b->family.options[j];
    for (uint32_t k = 0; k < x->count; k++)
        for (uint32_t l = 0; l < y->count; l++) {
            if (i == j && k != l)
                continue;
            bool in = exec_events_mutually_scoped(&b->p->program, &x->items[k], &y->items[l]);
            if (in != all)
                return in;
        }
    return all;
}

static bool pair_bound(const struct boxing *b, uint32_t base, uint32_t i, uint32_t j, bool all)
{
    switch (base) {
    case EXEC_REL_SR: return is_in_scope(b, i, j, all);
    case EXEC_REL_SYNCBAR: return place_may_meet(&b->family, EV_BARRIER, i, j, all);
    case EXEC_REL_SYNCPB: return place_may_meet(&b->family, EV_PBARRIER, i, j, all);
    default: return rel_has(b->dim, b->fixed[base], i, j);
    }
}

/* May the event be in a pair of this base relation, which is about scopes or barriers? */
static bool may_be_in(const struct boxing *b, uint32_t base, uint32_t e)
{
    BASE_ASSERT(e < b->dim.n);
    const struct place_options *options = &b->family.options[e];
    enum ev_kind kind = base == EXEC_REL_SYNCBAR ? EV_BARRIER : EV_PBARRIER;
    return base == EXEC_REL_SR || ANY(i, options->count, options->items[i].kind == kind);
}

static bool is_of_variants(uint32_t base)
{
    return base == EXEC_REL_SR || base == EXEC_REL_SYNCBAR || base == EXEC_REL_SYNCPB;
}

static void bound_relation(struct boxing *b, uint32_t base)
{
    rel_word *lower = b->bounds->bases[CAT_LOWER][base];
    rel_word *upper = b->bounds->bases[CAT_UPPER][base];
    if (!is_of_variants(base)) {
        rel_copy(b->dim, upper, b->fixed[base]);
    } else {
        rel_clear(b->dim, upper);
        rel_clear(b->dim, lower);
        for (uint32_t i = 0; i < b->dim.n; i++)
            for (uint32_t j = 0; may_be_in(b, base, i) && j < b->dim.n; j++) {
                if (pair_bound(b, base, i, j, false))
                    rel_add(b->dim, upper, i, j);
                if (pair_bound(b, base, i, j, true))
                    rel_add(b->dim, lower, i, j);
            }
    }
    if (!is_of_variants(base))
        rel_copy(b->dim, lower, upper);
    rel_restrict_domain(b->dim, lower, b->bounds->sure, lower);
    rel_restrict_range(b->dim, lower, lower, b->bounds->sure);
}

/* ---- What was chosen ---- */

static bool may_be_sc_fence(const struct boxing *b, uint32_t e, bool surely)
{
    BASE_ASSERT(e < b->dim.n);
    const struct place_options *options = &b->family.options[e];
    bool all = is_sure(b, e), some = false;
    for (uint32_t i = 0; i < options->count; i++) {
        bool is = ev_has_sc_fence(&options->items[i]);
        all = all && is;
        some = some || is;
    }
    return surely ? all : some;
}

/* In each execution: the least order that has what the witness has, program order, and of two that
 * are in each other's scope, and that the witness does not order, the one that comes first. */
static bool bound_sync_fence(struct boxing *b)
{
    for (int side = 0; side < 2; side++) {
        rel_word *order = b->bounds->bases[side][EXEC_REL_SYNC_FENCE];
        rel_clear(b->dim, order);
        for (uint32_t i = 0; i < b->dim.n; i++)
            for (uint32_t j = 0; j < b->dim.n; j++) {
                bool lower = side == CAT_LOWER;
                if (i == j || !may_be_sc_fence(b, i, lower) || !may_be_sc_fence(b, j, lower))
                    continue;
                bool scoped = i < j && !rel_has(b->dim, b->p->sync_fence, j, i) &&
                              is_in_scope(b, i, j, lower);
                if (rel_has(b->dim, b->p->sync_fence, i, j) || scoped ||
                    (b->p->own[i].thread == b->p->own[j].thread && i < j))
                    rel_add(b->dim, order, i, j);
            }
        rel_plus(b->dim, order, order);
    }
    return rel_irreflexive(b->dim, b->bounds->bases[CAT_UPPER][EXEC_REL_SYNC_FENCE]);
}

static bool bound_chosen(struct boxing *b)
{
    const struct {
        enum exec_base base;
        const rel_word *value;
    } chosen[] = {{EXEC_REL_RF, b->p->rf}, {EXEC_REL_CO, b->p->co}, {EXEC_REL_FR, b->p->fr}};
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++)
        for (int side = 0; side < 2; side++)
            rel_copy(b->dim, b->bounds->bases[side][chosen[i].base], chosen[i].value);
    for (uint32_t i = 0; i < b->bounds->model->choice_count; i++)
        rel_copy(b->dim, b->bounds->picks[i], b->p->choices[i]);
    return bound_sync_fence(b);
}

/* ---- Over a box ---- */

static bool is_used(const struct boxing *b, uint32_t base)
{
    const struct cat_model *model = b->bounds->model;
    for (cat_node_id id = 0; id < model->node_count; id++)
        if (b->bounds->needed[id] && model->nodes[id].op == CAT_BASE &&
            model->nodes[id].base == base)
            return true;
    return false;
}

/* Not where tokens tell: which of them a fence names depends on which others there are. */
static bool evaluate(struct boxing *b, const uint64_t *box)
{
    const struct cat_basis *basis = exec_basis();
    if (b->fixed[EXEC_REL_TOKEN] || !look_at_family(b, box))
        return false;
    place_family_count(&b->family);
    set_clear(b->dim, b->bounds->sure);
    for (uint32_t e = 0; e < b->dim.n; e++)
        if (is_sure(b, e))
            bits_set(b->bounds->sure, e);
    for (uint32_t base = 0; base < basis->count; base++)
        if (b->fixed[base] && basis->names[base].sort == CAT_SET)
            bound_set(b, base);
        else if (b->fixed[base] && !basis->names[base].dynamic)
            bound_relation(b, base);
    for (uint32_t i = 0; i < b->bounds->model->tagged_count; i++)
        bound_tagged(b, i);
    return bound_chosen(b) && place_bounds_evaluate(b->bounds);
}

static bool is_consistent(struct boxing *b)
{
    const struct cat_model *model = b->bounds->model;
    return !ANY(c, model->check_count,
                model->checks[c].kind == CAT_CHECK &&
                    !cat_bounds_hold(&b->bounds->of, &model->checks[c]));
}

static bool is_shown(struct boxing *b)
{
    if (b->failing != LIT_NONE)
        return cat_bounds_fail(&b->bounds->of, &b->bounds->model->checks[b->failing]);
    return !b->p->has_cut || place_cut_reaches(b->arena, b->p, b->bounds, b->wanted);
}

static bool is_one_of_all(struct boxing *b, const uint64_t *box)
{
    struct arena_mark mark = arena_mark(b->arena);
    bool all = all_wait_alike(b, box) &&
               place_all_meet(b->arena, b->sketch, b->p, b->diverges, box) && evaluate(b, box) &&
               is_consistent(b) && is_shown(b);
    arena_rewind(b->arena, mark);
    return all;
}

/* ---- The witness alone ---- */

/* Finds which alternative the evaluated execution takes at each choice of the model. */
static bool find_alternatives(struct boxing *b, const uint64_t *box)
{
    const struct cat_model *model = b->bounds->model;
    for (uint32_t i = 0; i < model->choice_count; i++) {
        const struct cat_choice *choice = &model->choices[i];
        bool found = choice->kind != CAT_ALTERNATIVES;
        for (uint32_t k = 0; k < choice->alternative_count && !found; k++) {
            b->bounds->alternatives[i] = k;
            found = evaluate(b, box) &&
                    rel_equal(b->dim, b->bounds->of.values[CAT_LOWER][choice->alternatives[k]],
                              b->p->choices[i]);
        }
        if (!found)
            return false;
    }
    return true;
}

/* Finds what is undefined: a fault, which all executions share since they end alike; a check; or
 * that a thread waits in vain. */
static bool find_undefined(struct boxing *b, const uint64_t *box)
{
    const struct cat_model *model = b->bounds->model;
    if (exec_skeleton_ended(b->p->skeleton, EXEC_AT_FAULT) != LIT_NONE)
        return !b->p->skeleton->probe;
    if (!evaluate(b, box))
        return false;
    for (uint32_t c = 0; c < model->check_count; c++)
        if (model->checks[c].kind == CAT_UNDEFINED_UNLESS &&
            cat_bounds_fail(&b->bounds->of, &model->checks[c])) {
            b->failing = c;
            return true;
        }
    b->diverges = exec_skeleton_ended(b->p->skeleton, EXEC_AT_BARRIER) != LIT_NONE;
    return b->diverges;
}

static const bool *needed_of(struct arena *arena, const struct cat_model *model)
{
    const bool *checks = naive_needed(arena, model, CAT_CHECK);
    const bool *undefined = naive_needed(arena, model, CAT_UNDEFINED_UNLESS);
    bool *needed = ARENA_ARRAY(arena, bool, model->node_count);
    for (cat_node_id id = 0; id < model->node_count; id++)
        needed[id] = checks[id] || undefined[id];
    return needed;
}

static void boxing_init(struct boxing *b, struct arena *arena, const struct place_asker *asker,
                        struct place_carried *carried)
{
    const struct cat_model *model = carried->request->model;
    const struct cat_basis *basis = exec_basis();
    struct rel_dim dim = carried->skeleton->dim;
    *b = (struct boxing){.arena = arena,
                         .sketch = asker->question->sketch,
                         .p = carried,
                         .dim = dim,
                         .failing = LIT_NONE};
    b->bounds = place_bounds_new(arena, model, dim, needed_of(arena, model));
    b->family = (struct place_family){.carried = carried,
                                      .options = ARENA_ARRAY(arena, struct place_options, dim.n)};
    b->fixed = ARENA_ARRAY(arena, rel_word *, basis->count);
    for (uint32_t base = 0; base < basis->count; base++)
        if (is_used(b, base) && !basis->names[base].dynamic) {
            b->fixed[base] = ARENA_ARRAY(arena, rel_word, rel_words(dim));
            exec_skeleton_base(carried->skeleton, base, b->fixed[base]);
        }
}

/* ---- Growing ---- */

static bool grows(struct boxing *b, uint64_t *box, uint32_t choice, uint64_t values)
{
    BASE_ASSERT(choice < b->sketch->choice_count);
    uint64_t was = box[choice];
    box[choice] |= values;
    if (box[choice] == was || is_one_of_all(b, box))
        return true;
    box[choice] = was;
    return false;
}

static void grow_choice(struct boxing *b, uint64_t *box, uint32_t choice)
{
    BASE_ASSERT(choice < b->sketch->choice_count);
    uint64_t fits = b->p->frame->fits[choice];
    if (grows(b, box, choice, fits))
        return;
    for (uint32_t v = b->sketch->choices[choice].value_count; v-- > 0;)
        if (fits >> v & 1)
            (void)grows(b, box, choice, UINT64_C(1) << v);
}

bool place_box_grow(struct arena *scratch, const struct place_asker *asker,
                    const struct clock_limit *clock, struct place_carried *carried,
                    const struct place_wanted *wanted, uint64_t *box)
{
    struct boxing b;
    boxing_init(&b, scratch, asker, carried);
    b.wanted = wanted;
    if (!find_alternatives(&b, box) || (!wanted && !find_undefined(&b, box)) ||
        !is_one_of_all(&b, box))
        return false;
    for (uint32_t c = 0; c < b.sketch->choice_count && !clock_is_late(clock); c++)
        grow_choice(&b, box, c);
    return true;
}
