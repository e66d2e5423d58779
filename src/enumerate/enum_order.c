/* Decides the orders one after the other, each pair by pair: coherence, then the order of SC
 * fences, then what the model chooses by `with`. A total order inserts events in the order of their
 * numbers: binary search compares each with the middle one of its possible neighbours. So a choice
 * is n log n deep. In a partial order every pair is ordered one way, the other way, or not at
 * all. */
#include "enumerate/enum_cases.h"
#include "enumerate/enum_goal.h"

#include "base/bits.h"
#include "exec/exec_basis.h"

/* Of one word of a set: the events that may come before `event`, but need not. */
static rel_word open_before(const struct enum_search *s, const struct enum_order *order,
                            uint32_t event, uint32_t word, rel_word among)
{
    BASE_ASSERT(event < s->dim.n && word < s->dim.words);
    rel_word open = 0;
    BITS_EACH_IN_WORD (bit, among) {
        uint32_t other = word * 64 + bit;
        if (rel_has(s->dim, order->bound[ENUM_UPPER], other, event) &&
            !rel_has(s->dim, order->bound[ENUM_LOWER], other, event))
            open |= UINT64_C(1) << bit;
    }
    return open;
}

/* The events numbered below `event` whose place against it is still open, as a set: which may come
 * behind it, or, where a pair may be barred one way alone, before it. */
static bool open_below(const struct enum_search *s, const struct enum_order *order, uint32_t event,
                       rel_word *set)
{
    BASE_ASSERT(event < s->dim.n && set == s->set);
    const rel_word *may = rel_row(s->dim, order->bound[ENUM_UPPER], event);
    const rel_word *must = rel_row(s->dim, order->bound[ENUM_LOWER], event);
    const rel_word *pairs = rel_row(s->dim, order->pairs, event);
    rel_word any = 0;
    for (uint32_t k = 0; k < s->dim.words; k++) {
        rel_word below = k < event / 64    ? ~UINT64_C(0)
                         : k == event / 64 ? (UINT64_C(1) << (event % 64)) - 1
                                           : 0;
        set[k] = may[k] & ~must[k] & pairs[k] & below;
        if (order->partial)
            set[k] |= open_before(s, order, event, k, pairs[k] & below);
        any |= set[k];
    }
    return any != 0;
}

/* The member of a set, totally ordered, with as many before it as after it. */
static uint32_t middle_of(const struct enum_search *s, const struct enum_order *order,
                          const rel_word *set)
{
    BASE_ASSERT(!set_empty(s->dim, set));
    uint32_t count = set_count(s->dim, set);
    for (uint32_t p = 0; p < s->dim.n; p++) {
        if (!bits_get(set, p))
            continue;
        uint32_t after = 0;
        const rel_word *later = rel_row(s->dim, order->bound[ENUM_LOWER], p);
        for (uint32_t k = 0; k < s->dim.words; k++)
            after += bits_count(later[k] & set[k]);
        if (!order->chain || after == count / 2)
            return p;
    }
    BASE_UNREACHABLE("a middle of a chain");
}

/* Of pairs among some events; NULL: all. */
static bool find_open(const struct enum_search *s, const struct enum_order *order,
                      const rel_word *among, uint32_t *a, uint32_t *b)
{
    for (uint32_t event = 0; event < s->dim.n; event++)
        if ((!among || bits_get(among, event)) && open_below(s, order, event, s->set)) {
            *a = middle_of(s, order, s->set);
            *b = event;
            return true;
        }
    return false;
}

/* The ways to order a pair, each followed by `then`. */
void enum_choose_pair(struct enum_search *s, uint32_t number, uint32_t a, uint32_t b,
                      enum_go_on *then)
{
    BASE_ASSERT(number < s->order_count);
    BASE_ASSERT(a != b && a < s->dim.n && b < s->dim.n);
    BASE_ASSERT(rel_has(s->dim, s->orders[number].pairs, a, b));
    const struct enum_order *order = &s->orders[number];
    struct enum_place here = enum_here(s);
    int turns = order->partial ? 3 : 2;
    enum_write_pair(s, number, a, b, turns);
    for (int turn = 0; turn < turns && !s->state->stopped; turn++) {
        bool possible = true;
        enum_write_way(s, "<>|"[turn]);
        if (turn == 2)
            enum_leave_pair(s, order, a, b);
        else
            possible = enum_order_pair(s, order, turn ? b : a, turn ? a : b);
        if (!possible)
            enum_write_leaf(s, "c");
        else if (enum_settled(s))
            then(s, number);
        enum_go_back(s, here);
    }
}

/* All pairs as they happened. */
static bool order_by_time(struct enum_search *s, const struct enum_order *order)
{
    BASE_ASSERT(s->time);
    rel_word *pairs = s->room[0];
    rel_copy(s->dim, pairs, order->bound[ENUM_LOWER]);
    for (uint32_t a = 0; a < s->dim.n; a++)
        for (uint32_t k = 0; k < s->dim.words; k++)
            BITS_EACH_IN_WORD (bit, rel_row(s->dim, order->pairs, a)[k])
                if (s->time[a] < s->time[k * 64 + bit])
                    enum_row(s, pairs, a)[k] |= UINT64_C(1) << bit;
    bool possible = enum_order_all(s, order, pairs, s->room[1]);
    for (uint32_t i = 0; possible && order == enum_co(s) && i < s->skeleton->read_count; i++)
        enum_update_fr(s, s->skeleton->reads[i]);
    return possible;
}

/* All of one bound, with the way back. */
static void change_bound(struct enum_search *s, const struct enum_order *order,
                         enum enum_bound side, const rel_word *value)
{
    size_t words = rel_words(s->dim);
    for (size_t k = 0; k < words; k++)
        enum_change_word(s, order->chosen, order->bound[side] + k, value[k]);
}

static void choose_pairs(struct enum_search *s, uint32_t number)
{
    BASE_ASSERT(number < s->order_count);
    const struct enum_order *order = &s->orders[number];
    struct enum_place here = enum_here(s);
    uint32_t a, b;
    if (enum_state_known(s) || (s->time && !order_by_time(s, order)))
        return;
    if (find_open(s, order, NULL, &a, &b)) {
        enum_choose_pair(s, number, a, b, choose_pairs);
        return;
    }
    change_bound(s, order, ENUM_UPPER, order->bound[ENUM_LOWER]); /* what is not in it is out */
    enum_choose_orders(s, number + 1);
    enum_go_back(s, here);
}

static void choose_modified(struct enum_search *s, uint32_t number)
{
    BASE_ASSERT(number == 0);
    uint32_t a, b;
    if (find_open(s, enum_co(s), s->modified, &a, &b))
        enum_choose_pair(s, number, a, b, choose_modified);
    else
        enum_choose_reads(s, s->rmw_count);
}

bool enum_find_open(const struct enum_search *s, const rel_word *among, uint32_t *a, uint32_t *b)
{
    return find_open(s, enum_co(s), among, a, b);
}

void enum_order_modified(struct enum_search *s)
{
    choose_modified(s, 0);
}

/* A strict total order on a set, with the pairs that a relation has on it: what follows from
 * them is decided, the other pairs are open. False when the relation has a cycle there. */
static bool begin_linearisation(struct enum_search *s, const struct enum_order *order,
                                const struct cat_choice *choice)
{
    BASE_ASSERT(choice->kind == CAT_LINEARISATIONS);
    struct arena_mark mark = arena_mark(&s->state->scratch);
    rel_word *decided = ARENA_ARRAY(&s->state->scratch, rel_word, rel_words(s->dim));
    rel_word *other = ARENA_ARRAY(&s->state->scratch, rel_word, rel_words(s->dim));
    const rel_word *set = cat_eval_value(s->eval, choice->set);
    rel_product(s->dim, order->pairs, set, set);
    rel_inter(s->dim, decided, cat_eval_value(s->eval, choice->relation), order->pairs);
    rel_plus(s->dim, decided, decided);
    rel_identity(s->dim, other);
    rel_diff(s->dim, order->pairs, order->pairs, other);
    rel_inverse(s->dim, other, decided);
    rel_diff(s->dim, other, order->pairs, other);
    bool possible = rel_irreflexive(s->dim, decided);
    change_bound(s, order, ENUM_LOWER, decided);
    change_bound(s, order, ENUM_UPPER, other);
    arena_rewind(&s->state->scratch, mark);
    return possible;
}

static void choose_alternative(struct enum_search *s, uint32_t number,
                               const struct cat_choice *choice)
{
    BASE_ASSERT(number < s->order_count && choice->kind == CAT_ALTERNATIVES);
    enum_write_lack(s, "a choice by with among alternatives");
    const struct enum_order *order = &s->orders[number];
    struct enum_place here = enum_here(s);
    for (uint32_t i = 0; i < choice->alternative_count && !s->state->stopped; i++) {
        cat_eval_operands(s->eval);
        change_bound(s, order, ENUM_LOWER, cat_eval_value(s->eval, choice->alternatives[i]));
        change_bound(s, order, ENUM_UPPER, order->bound[ENUM_LOWER]);
        if (enum_viable(s))
            enum_choose_orders(s, number + 1);
        enum_go_back(s, here);
    }
}

static void choose_linearisation(struct enum_search *s, uint32_t number,
                                 const struct cat_choice *choice)
{
    BASE_ASSERT(number < s->order_count);
    struct enum_place here = enum_here(s);
    cat_eval_operands(s->eval);
    if (!begin_linearisation(s, &s->orders[number], choice))
        enum_write_leaf(s, "c");
    else if (s->state->certificate ? enum_case_is_open(s) : enum_viable(s))
        choose_pairs(s, number);
    enum_go_back(s, here);
}

void enum_choose_orders(struct enum_search *s, uint32_t number)
{
    BASE_ASSERT(number <= s->order_count);
    BASE_ASSERT(s->decided.count == s->skeleton->read_count);
    if (number == s->order_count) {
        enum_complete(s);
        return;
    }
    const struct cat_model *model = s->state->request->model;
    uint32_t choice = s->orders[number].choice;
    if (choice == LIT_NONE)
        choose_pairs(s, number);
    else if (model->choices[choice].kind == CAT_LINEARISATIONS)
        choose_linearisation(s, number, &model->choices[choice]);
    else
        choose_alternative(s, number, &model->choices[choice]);
}

/* ---- First bounds ---- */

static void first_co_pair(struct enum_search *s, struct enum_order *co, uint32_t a, uint32_t b)
{
    BASE_ASSERT(ev_kind_accesses(s->skeleton->events[a].kind) &&
                ev_kind_accesses(s->skeleton->events[b].kind));
    const struct ev *from = &s->skeleton->events[a], *to = &s->skeleton->events[b];
    if (a == b || from->location != to->location || to->init)
        return;
    rel_add(s->dim, co->bound[ENUM_UPPER], a, b);
    if (from->init)
        rel_add(s->dim, co->bound[ENUM_LOWER], a, b);
    else
        rel_add(s->dim, co->pairs, a, b);
}

/* SC fences, implied ones too, each within the other's scope or of one thread, where program
 * order decides. */
static void first_fence_pair(struct enum_search *s, struct enum_order *fences, uint32_t a,
                             uint32_t b)
{
    BASE_ASSERT(ev_has_sc_fence(&s->skeleton->events[a]) &&
                ev_has_sc_fence(&s->skeleton->events[b]));
    const struct ev *from = &s->skeleton->events[a], *to = &s->skeleton->events[b];
    if (a == b)
        return;
    if (from->thread == to->thread && a > b)
        return;
    rel_add(s->dim, fences->bound[ENUM_UPPER], a, b);
    if (from->thread == to->thread)
        rel_add(s->dim, fences->bound[ENUM_LOWER], a, b);
    else if (exec_mutually_scoped(s->skeleton, a, b))
        rel_add(s->dim, fences->pairs, a, b);
}

typedef void first_pair(struct enum_search *s, struct enum_order *order, uint32_t a, uint32_t b);

static bool is_write(const struct ev *event)
{
    return event->kind == EV_WRITE;
}

/* Among events that are one of these. */
static void add_order(struct enum_search *s, uint32_t base, bool is_one(const struct ev *event),
                      first_pair *first)
{
    BASE_ASSERT(base == EXEC_REL_CO || base == EXEC_REL_SYNC_FENCE);
    BASE_ASSERT((base == EXEC_REL_CO) == (s->order_count == 0));
    const struct ev *events = s->skeleton->events;
    struct enum_order *order = &s->orders[s->order_count++];
    order->choice = LIT_NONE;
    order->chosen = base == EXEC_REL_CO ? ENUM_CO : ENUM_FENCES;
    order->bound[ENUM_LOWER] = enum_bound_storage(s, base, ENUM_LOWER);
    order->bound[ENUM_UPPER] = enum_bound_storage(s, base, ENUM_UPPER);
    order->pairs = ARENA_ARRAY(&s->state->scratch, rel_word, rel_words(s->dim));
    for (uint32_t a = 0; a < s->dim.n; a++)
        if (is_one(&events[a]))
            for (uint32_t b = 0; b < s->dim.n; b++)
                if (is_one(&events[b]))
                    first(s, order, a, b);
}

/* A choice of the model, of which nothing is known before its turn comes. */
static void add_choice(struct enum_search *s, uint32_t choice)
{
    BASE_ASSERT(choice < s->state->request->model->choice_count);
    BASE_ASSERT(s->order_count > 0);
    struct enum_order *order = &s->orders[s->order_count++];
    struct arena *arena = &s->state->scratch;
    order->choice = choice;
    order->chosen = ENUM_CHOICES;
    order->chain = true;
    for (enum enum_bound side = ENUM_LOWER; side <= ENUM_UPPER; side++) {
        order->bound[side] = cat_eval_choice(s->eval, choice, side == ENUM_UPPER);
        if (!order->bound[side])
            order->bound[side] = ARENA_ARRAY(arena, rel_word, rel_words(s->dim));
    }
    order->pairs = ARENA_ARRAY(arena, rel_word, rel_words(s->dim));
    s->choices[choice] = order->bound[ENUM_LOWER];
    rel_fill(s->dim, order->bound[ENUM_UPPER]);
    rel_clear(s->dim, order->bound[ENUM_LOWER]);
}

/* Pairs that may all be open at once are decided one inside the other: there are at most
 * n log n of a chain, but all of them of an order that leaves some unordered. */
static bool can_be_decided(const struct enum_search *s)
{
    size_t pairs = 0;
    for (uint32_t i = 0; i < s->order_count; i++)
        for (uint32_t e = 0; e < s->dim.n && !s->orders[i].chain; e++)
            pairs += set_count(s->dim, rel_row(s->dim, s->orders[i].pairs, e));
    return pairs / 2 <= ENUM_MAX_PAIRS;
}

bool enum_orders_new(struct enum_search *s)
{
    uint32_t choices = s->state->request->model->choice_count;
    s->orders = ARENA_ARRAY(&s->state->scratch, struct enum_order, 2 + choices);
    s->choices = ARENA_ARRAY(&s->state->scratch, const rel_word *, choices);
    s->order_count = 0;
    add_order(s, EXEC_REL_CO, is_write, first_co_pair);
    enum_co(s)->partial = s->skeleton->program->partial_coherence;
    enum_co(s)->chain = !enum_co(s)->partial;
    if (cat_eval_base(s->eval, EXEC_REL_SYNC_FENCE, false))
        add_order(s, EXEC_REL_SYNC_FENCE, ev_has_sc_fence, first_fence_pair);
    for (uint32_t i = 0; i < choices; i++)
        add_choice(s, i);
    enum_order_units(s);
    for (uint32_t i = 0; i < s->skeleton->read_count; i++)
        enum_update_fr(s, s->skeleton->reads[i]);
    VEC_CLEAR(&s->changes);
    return can_be_decided(s);
}
