/* place_cut: as recheck_cut.c, with bounds in place of values. */
#include "place/place_cut.h"

#include "base/bits.h"

struct cut {
    const struct place_carried *carried;
    const struct place_bounds *bounds;
    struct rel_dim dim;
    rel_word *executed;
    rel_word *written, *lost; /* of writes to NVM: durable and not initial; not durable */
};

static const rel_word *bound(const struct cut *c, enum cat_reserved name, enum cat_side side)
{
    return c->bounds->of.values[side][c->bounds->model->reserved[name]];
}

static bool is_nvm_write(const struct cut *c, uint32_t e)
{
    BASE_ASSERT(e < c->dim.n);
    const struct ev *event = &c->carried->own[e];
    return event->kind == EV_WRITE && c->carried->program.locations[event->location].nvm;
}

/* ---- What has executed ---- */

/* How many events of a thread may have executed: those before the first crash statement that it has
 * not passed. */
static uint32_t limit_of(const struct place_carried *p, uint32_t thread)
{
    const struct exec_path *path = p->skeleton->paths[thread];
    return p->passed[thread] < path->crash_count ? path->crashes[p->passed[thread]].before
                                                 : path->event_count;
}

/* Decides which added events of a thread have executed: with `as_many` those before which
 * everything has, else those behind which something has. */
static void add_executed(struct cut *c, uint32_t thread, bool as_many)
{
    const struct place_carried *p = c->carried;
    uint32_t first = p->skeleton->first[thread], count = p->skeleton->paths[thread]->event_count;
    uint32_t limit = limit_of(p, thread);
    bool so_far = true;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = as_many ? k : count - 1 - k, e = first + i;
        if (k == 0 && !as_many)
            so_far = false;
        if (p->from[e] != LIT_NONE)
            so_far = bits_get(c->executed, e);
        else if (so_far && i < limit)
            bits_set(c->executed, e);
    }
}

static void look_at(struct cut *c, bool as_many)
{
    const struct place_carried *p = c->carried;
    for (uint32_t k = 0; k < c->dim.words; k++)
        c->executed[k] = p->executed[k];
    for (uint32_t t = 0; t < p->program.thread_count; t++)
        add_executed(c, t, as_many);
    set_clear(c->dim, c->written);
    set_clear(c->dim, c->lost);
    for (uint32_t e = 0; e < c->dim.n; e++)
        if (is_nvm_write(c, e) && !bits_get(p->durable, e))
            bits_set(c->lost, e);
        else if (is_nvm_write(c, e) && !p->own[e].init)
            bits_set(c->written, e);
}

/* ---- Rules ---- */

/* Does no pair of the upper bound lead from the one set to the other? */
static bool apart(const struct cut *c, enum cat_reserved name, const rel_word *from, bool from_in,
                  const rel_word *to)
{
    const rel_word *relation = bound(c, name, CAT_UPPER);
    for (uint32_t e = 0; e < c->dim.n; e++) {
        const rel_word *row = rel_row(c->dim, relation, e);
        if (bits_get(from, e) != from_in)
            continue;
        for (uint32_t k = 0; k < c->dim.words; k++)
            if (row[k] & to[k])
                return false;
    }
    return true;
}

static bool lands_before(const struct cut *c, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < c->dim.n && b < c->dim.n);
    const struct ev *x = &c->carried->own[a], *y = &c->carried->own[b];
    return a != b && is_nvm_write(c, a) && is_nvm_write(c, b) && x->location == y->location &&
           ((x->init && !y->init) || rel_has(c->dim, bound(c, CAT_LANDS_BEFORE, CAT_UPPER), a, b));
}

/* Does no lost write land before a durable one, and does the state show the last durable ones? */
static bool lands_in_order(const struct cut *c)
{
    const struct place_carried *p = c->carried;
    for (uint32_t a = 0; a < c->dim.n; a++)
        for (uint32_t b = 0; is_nvm_write(c, a) && b < c->dim.n; b++)
            if (bits_get(c->lost, a) && bits_get(p->durable, b) && lands_before(c, a, b))
                return false;
    for (uint32_t a = 0; a < c->dim.n; a++) {
        if (!is_nvm_write(c, a) || !bits_get(p->durable, a))
            continue;
        uint32_t last = p->last[p->own[a].location];
        if (last == LIT_NONE || lands_before(c, last, a))
            return false;
    }
    return true;
}

static bool all_can_persist(const struct cut *c)
{
    const rel_word *can = bound(c, CAT_CAN_PERSIST, CAT_LOWER);
    return !ANY(k, c->dim.words, c->written[k] & ~can[k]);
}

static bool stands_where_it_may(const struct cut *c)
{
    const struct place_carried *p = c->carried;
    for (uint32_t t = 0; t < p->program.thread_count; t++) {
        uint32_t limit = limit_of(p, t);
        for (uint32_t i = 0; i < p->skeleton->paths[t]->event_count; i++) {
            bool executed = bits_get(c->executed, p->skeleton->first[t] + i);
            if ((i >= limit && executed) || (t == p->mark_thread && i < limit && !executed))
                return false;
        }
    }
    for (uint32_t e = 0; p->request->crash_mode == EXEC_CRASH_END && e < c->dim.n; e++)
        if (!bits_get(c->executed, e))
            return false;
    return true;
}

static bool stands(const struct cut *c)
{
    const rel_word *durable = c->carried->durable;
    return stands_where_it_may(c) && all_can_persist(c) && lands_in_order(c) &&
           apart(c, CAT_EXECUTES_BEFORE, c->executed, false, c->executed) &&
           apart(c, CAT_PERSIST_BEFORE, c->lost, true, durable) &&
           apart(c, CAT_PERSIST_ATOMIC, c->lost, true, durable) &&
           apart(c, CAT_PERSIST_ATOMIC, durable, true, c->lost) &&
           apart(c, CAT_DURABLE_BEFORE, c->lost, true, c->executed) &&
           apart(c, CAT_DURABLE_AFTER, c->executed, false, c->written);
}

/* Does the state show registers? Then how much has executed must not change. */
static bool shows_registers(const struct place_carried *p)
{
    return ANY(t, p->program.thread_count, p->skeleton->paths[t]->assignment_count);
}

/* The rules of cuts (docs/models/semantics.md), by upper bounds of what forbids and the lower bound
 * of what can persist. `bounds` has been evaluated. Of the events that the witness does not have
 * those are taken to have executed behind which something has, or else those before which
 * everything has: one of the two will do for all of the family. */
static bool stands_in_family(struct arena *scratch, const struct place_carried *carried,
                             const struct place_bounds *bounds)
{
    struct cut c = {.carried = carried, .bounds = bounds, .dim = bounds->domain.dim};
    rel_word *sets = ARENA_ARRAY(scratch, rel_word, (size_t)3 * c.dim.words);
    c.executed = sets;
    c.written = sets + c.dim.words;
    c.lost = sets + (size_t)2 * c.dim.words;
    look_at(&c, true);
    if (stands(&c))
        return true;
    if (shows_registers(carried))
        return false;
    look_at(&c, false);
    return stands(&c);
}

/* ---- Any cut ---- */

struct reaching {
    const struct place_carried *carried;
    const struct place_wanted *wanted;
    int64_t *row;
    bool reached;
};

static int64_t value_at(const struct reaching *r, const struct exec_cut *cut, uint32_t location)
{
    uint32_t write = cut->last[location];
    return write == LIT_NONE ? r->carried->program.locations[location].init
                             : r->carried->values[write];
}

static bool on_cut(void *context, const struct exec_cut *cut)
{
    struct reaching *r = context;
    const struct place_wanted *w = r->wanted;
    bool same = true;
    for (uint32_t i = 0; i < w->width; i++) {
        r->row[i] = value_at(r, cut, w->items[i].location);
        same = same && (w->condition || r->row[i] == w->row[i]);
    }
    const struct outcome_states states = {.items = w->items, .width = w->width};
    r->reached = w->condition
                     ? outcome_satisfies(&states, r->row, w->program, w->condition->prop) !=
                           (w->condition->quantifier == LIT_FORALL)
                     : same;
    return !r->reached;
}

static void note_location(void *context, const struct lit_atom *atom)
{
    bool *matters = context;
    if (atom->kind == LIT_ATOM_LOCATION)
        matters[atom->location] = true;
}

/* Is the last durable version of each location the same in all of the family? */
static bool lands_surely(const struct place_bounds *bounds)
{
    cat_node_id node = bounds->model->reserved[CAT_LANDS_BEFORE];
    return rel_equal(bounds->domain.dim, bounds->of.values[CAT_LOWER][node],
                     bounds->of.values[CAT_UPPER][node]);
}

static bool is_of_locations(const struct place_wanted *wanted)
{
    return !ANY(i, wanted->width, wanted->items[i].kind != LIT_ATOM_LOCATION);
}

bool place_cut_reaches(struct arena *scratch, const struct place_carried *carried,
                       const struct place_bounds *bounds, const struct place_wanted *wanted)
{
    const struct cut c = {.carried = carried, .bounds = bounds, .dim = bounds->domain.dim};
    if (shows_registers(carried) || !lands_surely(bounds) || !is_of_locations(wanted))
        return stands_in_family(scratch, carried, bounds);
    bool *matters = ARENA_ARRAY(scratch, bool, carried->program.location_count);
    if (wanted->condition)
        lit_prop_each_atom(wanted->condition->prop, note_location, matters);
    const struct exec_contract contract = {
#define X(field, name) \
    .field = bound(&c, CAT_##name, CAT_##name == CAT_CAN_PERSIST ? CAT_LOWER : CAT_UPPER),
        EXEC_CONTRACT(X)
#undef X
    };
    const struct exec_crash_question question = {.mode = carried->request->crash_mode,
                                                 .matters = wanted->condition ? matters : NULL};
    struct reaching reaching = {carried, wanted, ARENA_ARRAY(scratch, int64_t, wanted->width),
                                false};
    exec_crash_states(scratch, carried->skeleton, &contract, &question, on_cut, &reaching);
    return reaching.reached;
}
