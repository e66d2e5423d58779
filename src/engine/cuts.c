#include "engine/cuts.h"

#include "base/bits.h"
#include "engine/near_miss.h"
#include "engine/recheck.h"
#include "engine/witness.h"

#include <string.h>

struct maker {
    struct cuts *cuts;
    const struct engine_request *request;
    const struct engine_witness *witness;
    struct arena scratch;
    struct exec_contract contract;
    struct rel_dim dim;
    const rel_word *needs; /* per event what has executed whenever it has */
    uint32_t *order;       /* events, without initial writes */
    uint32_t *where;       /* per event its place in that */
    rel_word *executed;    /* at the place that is looked at */
    struct recheck *recheck;
    uint32_t place;
};

/* ---- The execution ---- */

static void read_contract(struct maker *m)
{
    const struct cat_model *model = m->request->model;
    struct cat_eval *eval = engine_witness_eval(&m->scratch, m->request->plan, m->witness);
    (void)cat_eval_static(eval);
    (void)cat_eval_exact(eval);
    m->contract = (struct exec_contract){
#define X(field, name) .field = cat_eval_value(eval, model->reserved[CAT_##name]),
        EXEC_CONTRACT(X)
#undef X
    };
}

static struct exec_reads reads_of(const struct maker *m, uint32_t thread)
{
    const struct exec_skeleton *s = m->witness->skeleton;
    bool *known = ARENA_ARRAY(&m->cuts->arena, bool, s->paths[thread]->slot_count);
    for (uint32_t i = 0; i < s->paths[thread]->event_count; i++)
        known[i] = true;
    return (struct exec_reads){m->witness->values + s->value_base[thread], known};
}

/* ---- The order ---- */

static bool needs(const struct maker *m, uint32_t event, uint32_t earlier)
{
    return rel_has(m->dim, m->needs, event, earlier);
}

/* Stands the one before the other to a reader of the execution: in its work-item, or as what it
 * reads, overwrites or is overwritten by? */
static bool tells_before(const struct maker *m, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < m->dim.n && b < m->dim.n);
    const struct ev *events = m->witness->skeleton->events;
    return (events[a].thread == events[b].thread && a < b) ||
           rel_has(m->dim, m->witness->rf, a, b) || rel_has(m->dim, m->witness->co, a, b) ||
           rel_has(m->dim, m->witness->fr, a, b);
}

/* UINT32_MAX: it cannot come next. The smaller, the sooner: whoever executes together with what
 * came last, then what has executed in the witness's cut, then what has least before it. */
static uint32_t lateness(const struct maker *m, uint32_t event, uint32_t count)
{
    const struct exec_skeleton *s = m->witness->skeleton;
    uint32_t last = count ? m->order[count - 1] : event, before = 0;
    bool joins = count && needs(m, event, last) && needs(m, last, event);
    bool ahead = m->witness->cut && !bits_get(m->witness->cut->executed, event);
    for (uint32_t e = s->init_count; e < m->dim.n; e++) {
        if (m->where[e] != LIT_NONE || e == event)
            continue;
        if (needs(m, event, e) && !needs(m, e, event))
            return UINT32_MAX;
        before += tells_before(m, e, event);
    }
    return joins ? 0 : 1 + before + (ahead ? 2 * EXEC_MAX_EVENTS : 0);
}

static void find_order(struct maker *m)
{
    const struct exec_skeleton *s = m->witness->skeleton;
    const uint32_t n = m->dim.n;
    m->order = ARENA_ARRAY(&m->cuts->arena, uint32_t, n);
    m->where = ARENA_ARRAY(&m->cuts->arena, uint32_t, n);
    for (uint32_t e = 0; e < n; e++)
        m->where[e] = LIT_NONE;
    for (uint32_t count = 0; count < n - s->init_count; count++) {
        uint32_t best = LIT_NONE, least = UINT32_MAX;
        for (uint32_t e = s->init_count; e < n; e++) {
            uint32_t late = m->where[e] == LIT_NONE ? lateness(m, e, count) : UINT32_MAX;
            if (late < least) {
                least = late;
                best = e;
            }
        }
        BASE_CHECK(best != LIT_NONE);
        m->order[count] = best;
        m->where[best] = count;
    }
}

/* ---- Events ---- */

static void take_events(struct maker *m)
{
    struct cuts *cuts = m->cuts;
    struct outcome_step *steps = ARENA_ARRAY(&cuts->arena, struct outcome_step, cuts->count);
    bool *persists = ARENA_ARRAY(&cuts->arena, bool, cuts->count);
    for (uint32_t i = 0; i < cuts->count; i++) {
        steps[i] = witness_step(&cuts->arena, m->witness, m->order[i]);
        persists[i] = witness_persists(m->witness, m->order[i]);
    }
    cuts->events = steps;
    cuts->persists = persists;
}

/* ---- Cuts ---- */

static int64_t register_at(const struct maker *m, const struct exec_cut *cut,
                           const struct lit_atom *atom)
{
    const struct exec_assignment *held = exec_assigned_at_crash(m->witness->skeleton, cut, atom);
    int64_t value = 0;
    if (atom->kind == LIT_ATOM_GIVEN)
        return held != NULL;
    struct exec_reads reads = reads_of(m, atom->thread);
    BASE_CHECK(!held || exec_value_get(held->value, &reads, &value));
    return value;
}

static int64_t left_by(const struct maker *m, const struct exec_cut *cut,
                       const struct lit_atom *atom)
{
    if (lit_atom_is_of_register(atom))
        return register_at(m, cut, atom);
    uint32_t write = cut->last[atom->location];
    int64_t value = m->request->program->locations[atom->location].init;
    BASE_CHECK(write == LIT_NONE || witness_value(m->witness, write, &value));
    return value;
}

/* What the program says of itself is not believed. */
static void recheck(const struct maker *m, const struct exec_cut *cut, const int64_t *row)
{
    struct engine_witness witness = *m->witness;
    witness.cut = cut;
    witness.items = m->cuts->columns.crash.items;
    witness.width = m->cuts->columns.crash.width;
    witness.row = row;
    const char *fault = recheck_witness(m->recheck, &witness);
    if (fault)
        base_die("internal error: %s: %s", m->request->program->source->name, fault);
}

static bool keep_cut(void *context, const struct exec_cut *cut)
{
    struct maker *m = context;
    struct cuts *cuts = m->cuts;
    struct cuts_place *place = &cuts->places[m->place];
    const struct outcome_states *crash = &cuts->columns.crash;
    if (place->count == CUTS_MOST_A_PLACE || cuts->cuts.count == CUTS_MOST) {
        place->more = true;
        return false;
    }
    int64_t *row = ARENA_ARRAY(&cuts->arena, int64_t, crash->width);
    bool *durable = ARENA_ARRAY(&cuts->arena, bool, cuts->count);
    for (uint32_t i = 0; i < crash->width; i++)
        row[i] = left_by(m, cut, &crash->items[i]);
    for (uint32_t i = 0; i < cuts->count; i++)
        durable[i] = bits_get(cut->durable, m->order[i]);
    recheck(m, cut, row);
    VEC_PUSH(&cuts->cuts, (struct cuts_cut){m->place, durable, row, LIT_NONE, NULL});
    place->count++;
    return true;
}

static void find_cuts(struct maker *m)
{
    struct cuts *cuts = m->cuts;
    const struct outcome_states *crash = &cuts->columns.crash;
    struct lit_atom *registers = ARENA_ARRAY(&m->scratch, struct lit_atom, crash->width);
    struct exec_crash_question question = {
        .mode = m->request->crash_mode, .executed = m->executed, .registers = registers};
    for (uint32_t i = 0; i < crash->width; i++)
        if (crash->items[i].kind == LIT_ATOM_REGISTER)
            registers[question.register_count++] = crash->items[i];
    for (uint32_t e = 0; e < m->witness->skeleton->init_count; e++)
        bits_set(m->executed, e);
    for (m->place = 0; m->place <= cuts->count; m->place++) {
        if (m->place)
            bits_set(m->executed, m->order[m->place - 1]);
        cuts->places[m->place].first = (uint32_t)cuts->cuts.count;
        exec_crash_states(&m->scratch, m->witness->skeleton, &m->contract, &question, keep_cut, m);
    }
}

/* ---- Switches ---- */

/* In how many writes the two differ. */
static uint32_t distance(const struct cuts *cuts, const struct cuts_cut *a,
                         const struct cuts_cut *b)
{
    return COUNT_IF(i, cuts->count, a->durable[i] != b->durable[i]);
}

/* Has `b` all that `a` has durable? */
static bool contains(const struct cuts *cuts, const struct cuts_cut *b, const struct cuts_cut *a)
{
    return !ANY(i, cuts->count, a->durable[i] && !b->durable[i]);
}

/* The nearest cut of the place in which the write's fate is the other: with more durable, if it is
 * to be durable, else with less. */
static uint32_t turn(const struct cuts *cuts, const struct cuts_cut *cut, uint32_t event)
{
    const struct cuts_place *place = &cuts->places[cut->place];
    uint32_t best = LIT_NONE, least = UINT32_MAX;
    for (uint32_t i = place->first; i < place->first + place->count; i++) {
        const struct cuts_cut *other = &cuts->cuts.items[i];
        bool on = !cut->durable[event];
        if (other->durable[event] != on ||
            !(on ? contains(cuts, other, cut) : contains(cuts, cut, other)))
            continue;
        uint32_t apart = distance(cuts, cut, other);
        if (apart < least) {
            least = apart;
            best = i;
        }
    }
    return best;
}

static void find_switches(struct cuts *cuts)
{
    EACH_IN (struct cuts_cut, cut, cuts->cuts) {
        uint32_t *turned = ARENA_ARRAY(&cuts->arena, uint32_t, cuts->count);
        for (uint32_t e = 0; e < cuts->count; e++)
            turned[e] = cuts->persists[e] && e < cut->place ? turn(cuts, cut, e) : LIT_NONE;
        cut->turned = turned;
    }
}

/* ---- Where to begin ---- */

/* How much the cut differs from the witness's, or without one from what is executed at all. */
static uint32_t strangeness(const struct maker *m, const struct cuts_cut *cut)
{
    const struct exec_cut *own = m->witness->cut;
    return COUNT_IF(i, cut->place, cut->durable[i] != (own && bits_get(own->durable, m->order[i])));
}

static bool is_own(const struct maker *m, const struct cuts_cut *cut)
{
    const struct exec_cut *own = m->witness->cut;
    for (uint32_t i = 0; own && i < m->cuts->count; i++)
        if (bits_get(own->executed, m->order[i]) != (i < cut->place))
            return false;
    return own && strangeness(m, cut) == 0 &&
           memcmp(cut->row, m->witness->row, m->witness->width * sizeof *cut->row) == 0;
}

static void find_starts(struct maker *m)
{
    struct cuts *cuts = m->cuts;
    cuts->shown = LIT_NONE;
    for (uint32_t k = 0; k <= cuts->count; k++) {
        struct cuts_place *place = &cuts->places[k];
        uint32_t least = UINT32_MAX;
        for (uint32_t i = place->first; i < place->first + place->count; i++) {
            uint32_t strange = strangeness(m, &cuts->cuts.items[i]);
            bool own = is_own(m, &cuts->cuts.items[i]);
            if (own)
                cuts->shown = i;
            if (strange < least || own) {
                place->start = i;
                least = own ? 0 : strange;
            }
        }
    }
}

/* ---- All of it ---- */

static bool is_no_execution(const struct near_miss *broken)
{
    for (uint32_t i = 0; broken && i < broken->count; i++)
        if (broken->rules[i].kind == EXPLANATION_BY_CHECK ||
            broken->rules[i].kind == EXPLANATION_BY_FILTER)
            return true;
    return false;
}

struct cuts *cuts_new(const struct engine_request *request, const struct engine_witness *witness,
                      const struct near_miss *broken)
{
    const struct exec_skeleton *s = witness->skeleton;
    if (s->dim.n - s->init_count > CUTS_MOST_EVENTS || is_no_execution(broken))
        return NULL;
    struct cuts *cuts = base_realloc(NULL, sizeof *cuts);
    struct maker m = {.cuts = cuts, .request = request, .witness = witness, .dim = s->dim};
    *cuts = (struct cuts){.program = request->program, .count = s->dim.n - s->init_count};
    outcome_init(&cuts->columns, request->program);
    cuts->places = ARENA_ARRAY(&cuts->arena, struct cuts_place, cuts->count + 1);
    m.executed = ARENA_ARRAY(&m.scratch, rel_word, s->dim.words);
    m.recheck = recheck_new(request);
    read_contract(&m);
    m.needs = exec_crash_needs(&m.scratch, s, &m.contract);
    find_order(&m);
    take_events(&m);
    find_cuts(&m);
    find_switches(cuts);
    find_starts(&m);
    recheck_free(m.recheck);
    arena_fini(&m.scratch);
    return cuts;
}

void cuts_free(struct cuts *cuts)
{
    if (!cuts)
        return;
    VEC_FREE(&cuts->cuts);
    outcome_fini(&cuts->columns);
    arena_fini(&cuts->arena);
    base_free(cuts);
}
