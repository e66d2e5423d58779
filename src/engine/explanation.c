/* The steps of a witness: one order over two nodes per event, "executed" and, for writes
 * before a crash, "durable". */
#include "engine/explanation.h"

#include "base/bits.h"
#include "engine/explanation_chosen.h"
#include "engine/witness.h"

struct order {
    struct explanation *explanation;
    const struct engine_request *request;
    const struct engine_witness *witness;
    const struct exec_skeleton *skeleton;
    struct arena *arena;
    uint32_t n;           /* events; node e is executed, node n + e durable */
    struct rel_dim dim;   /* of nodes */
    rel_word *before;     /* closed: what has to come first, or in the same moment */
    rel_word *wanted;     /* nodes that are shown */
    rel_word *shown;      /* those that were */
    rel_word *tells;      /* events by which registers of the state have their values */
    rel_word *forced;     /* the same as `before` whatever the model chooses */
    rel_word *soft;       /* pairs of events that had better come in this order: co, fr, choices */
    uint32_t *places;     /* of events: the step at which it becomes durable */
    uint32_t last_thread; /* of the event shown last */
    struct explanation_chooser chooser;
    bool whatever; /* each write counts as durable */
};

void explanation_init(struct explanation *explanation)
{
    *explanation = (struct explanation){.answer = EXPLANATION_UNKNOWN, .minimal = true};
    arena_init(&explanation->arena);
}

void explanation_fini(struct explanation *explanation)
{
    VEC_FREE(&explanation->steps);
    VEC_FREE(&explanation->reasons);
    VEC_FREE(&explanation->chosen);
    explanation_clear_gaps(explanation);
    VEC_FREE(&explanation->gaps);
    VEC_FREE(&explanation->unstored);
    VEC_FREE(&explanation->stores);
    VEC_FREE(&explanation->line_sets);
    arena_fini(&explanation->arena);
}

struct outcome_judgement explanation_judge(const struct explanation *explanation,
                                           const struct outcome *outcome,
                                           const struct lit_condition *condition)
{
    static const enum outcome_found found[] = {[EXPLANATION_REACHABLE] = OUTCOME_FOUND,
                                               [EXPLANATION_UNREACHABLE] = OUTCOME_FOUND_NONE,
                                               [EXPLANATION_UNKNOWN] = OUTCOME_FOUND_UNKNOWN};
    struct outcome defined = *outcome;
    /* Once a decided test is undefined no states are looked for: none is known to be lacking. */
    defined.met[condition->when] |= outcome->decided && outcome->undefined.count;
    defined.undefined.count = 0;
    return outcome_judge_found(&defined, condition, found[explanation->answer]);
}

struct outcome_event explanation_event(struct explanation *explanation,
                                       const struct lit_program *program, const struct ev *event)
{
    struct outcome_event named = outcome_event_of(&explanation->arena, event, program);
    if (event->instr)
        named.column = event->instr->span.column;
    else if (event->init)
        named.line = program->locations[event->location].span.line;
    return named;
}

/* ---- The order ---- */

/* The model's expressions on the witness. */
static struct cat_eval *evaluate(struct order *o)
{
    struct cat_eval *eval = engine_witness_eval(o->arena, o->request->plan, o->witness);
    BASE_CHECK(cat_eval_static(eval) && cat_eval_exact(eval));
    return eval;
}

static bool is_durable(const struct order *o, uint32_t e)
{
    BASE_ASSERT(e < o->n);
    return o->whatever ? witness_persists(o->witness, e)
                       : o->witness->cut && bits_get(o->witness->cut->durable, e);
}

/* Pairs of one relation of the contract, between nodes that are `from` and `to` their
 * events. */
static void add_rule(struct order *o, rel_word *before, const rel_word *rule, uint32_t from,
                     uint32_t to)
{
    BASE_ASSERT(from <= o->n && to <= o->n);
    for (uint32_t a = 0; a < o->n; a++)
        for (uint32_t b = 0; b < o->n; b++)
            if (a != b && rel_has(o->skeleton->dim, rule, a, b) && (!from || is_durable(o, a)) &&
                (!to || is_durable(o, b)))
                rel_add(o->dim, before, from + a, to + b);
}

/* What is there from the start waits for nothing. */
static void add_after(struct order *o, rel_word *before, const rel_word *after)
{
    for (uint32_t e = 0; e < o->n; e++)
        for (uint32_t w = o->skeleton->init_count; w < o->n; w++)
            if (is_durable(o, w) && rel_has(o->skeleton->dim, after, e, w))
                rel_add(o->dim, before, e, o->n + w);
}

/* Versions of one location. */
static void add_versions(struct order *o, rel_word *before, const rel_word *lands)
{
    const struct ev *events = o->skeleton->events;
    for (uint32_t a = 0; a < o->n; a++)
        for (uint32_t b = 0; b < o->n; b++)
            if (rel_has(o->skeleton->dim, lands, a, b) && is_durable(o, a) && is_durable(o, b) &&
                events[a].location == events[b].location)
                rel_add(o->dim, before, o->n + a, o->n + b);
}

static void find_contract(struct order *o, const rel_word *contract[CAT_RESERVED_COUNT])
{
    struct cat_eval *eval = evaluate(o);
    for (int i = 0; i < CAT_RESERVED_COUNT; i++)
        contract[i] = cat_eval_value(eval, o->request->model->reserved[i]);
}

/* What the contract has before what, closed. */
static rel_word *close_contract(struct order *o, const rel_word *contract[CAT_RESERVED_COUNT])
{
    rel_word *before = ARENA_ARRAY(o->arena, rel_word, rel_words(o->dim));
    add_rule(o, before, contract[CAT_EXECUTES_BEFORE], 0, 0);
    add_rule(o, before, contract[CAT_DURABLE_BEFORE], o->n, 0);
    add_after(o, before, contract[CAT_DURABLE_AFTER]);
    add_rule(o, before, contract[CAT_PERSIST_BEFORE], o->n, o->n);
    add_rule(o, before, contract[CAT_PERSIST_ATOMIC], o->n, o->n);
    add_versions(o, before, contract[CAT_LANDS_BEFORE]);
    for (uint32_t e = 0; e < o->n; e++)
        if (is_durable(o, e))
            rel_add(o->dim, before, e, o->n + e);
    rel_plus(o->dim, before, before);
    return before;
}

const rel_word *explanation_order_of(struct arena *arena, const struct engine_request *request,
                                     const struct engine_witness *witness)
{
    const rel_word *contract[CAT_RESERVED_COUNT];
    struct order o = {.request = request,
                      .witness = witness,
                      .skeleton = witness->skeleton,
                      .arena = arena,
                      .n = witness->skeleton->dim.n,
                      .dim = rel_dim_make(2 * witness->skeleton->dim.n),
                      .whatever = true};
    find_contract(&o, contract);
    return close_contract(&o, contract);
}

/* The crash cut is one of the order that was chosen, so its steps are. What no rule of the contract
 * says of that order had better not be contradicted: a flush that finds no write comes before it.
 */
static void find_before(struct order *o)
{
    const rel_word *contract[CAT_RESERVED_COUNT];
    find_contract(o, contract);
    o->before = o->forced = close_contract(o, contract);
    o->soft = ARENA_ARRAY(o->arena, rel_word, rel_words(o->skeleton->dim));
    rel_union(o->skeleton->dim, o->soft, o->witness->fr, o->witness->co);
    o->chooser = explanation_choose(o->arena, o->request, o->witness);
    if (!explanation_uses_choices(&o->chooser))
        return;
    explanation_add_choices(&o->chooser, o->soft);
    explanation_unchosen(&o->chooser, contract);
    o->forced = close_contract(o, contract);
}

/* A node and whatever it requires. */
static void want(struct order *o, uint32_t node)
{
    BASE_ASSERT(node < o->dim.n);
    bits_set(o->wanted, node);
    for (uint32_t a = 0; a < o->dim.n; a++)
        if (rel_has(o->dim, o->before, a, node))
            bits_set(o->wanted, a);
}

/* Of writes that are shown to execute, what is durable is not lost. */
static void want_durable(struct order *o)
{
    for (bool some = true; some;) {
        some = false;
        for (uint32_t e = 0; e < o->n; e++)
            if (is_durable(o, e) && bits_get(o->wanted, e) && !bits_get(o->wanted, o->n + e)) {
                want(o, o->n + e);
                some = true;
            }
    }
}

/* The events that a register of the state wants for its value; the last of them tells it. */
static void want_assignment(struct order *o, const struct lit_atom *atom)
{
    const struct exec_assignment *assignment =
        exec_assigned_at_crash(o->skeleton, o->witness->cut, atom);
    uint32_t first = o->skeleton->first[atom->thread];
    if (!assignment)
        return;
    for (uint32_t i = assignment->first; i < assignment->end; i++)
        want(o, first + i);
    if (assignment->end > 0)
        bits_set(o->tells, first + assignment->end - 1);
}

/* The last durable writes and the values of registers decide the state, a crash statement wants
 * what stands before it; what executed beyond that is not needed, unless all was to execute. */
static void want_of_cut(struct order *o)
{
    const struct exec_cut *cut = o->witness->cut;
    for (uint32_t i = 0; i < o->witness->width; i++)
        if (o->witness->items[i].kind == LIT_ATOM_REGISTER)
            want_assignment(o, &o->witness->items[i]);
    for (uint32_t l = 0; l < o->skeleton->program->location_count; l++)
        if (cut->last[l] != LIT_NONE)
            want(o, o->n + cut->last[l]);
    for (uint32_t k = 0; cut->mark && k < cut->mark->before; k++)
        want(o, o->skeleton->first[cut->mark_thread] + k);
}

static void find_wanted(struct order *o)
{
    o->wanted = ARENA_ARRAY(o->arena, rel_word, rel_set_words(o->dim));
    o->shown = ARENA_ARRAY(o->arena, rel_word, rel_set_words(o->dim));
    o->tells = ARENA_ARRAY(o->arena, rel_word, rel_set_words(o->dim));
    if (o->witness->cut)
        want_of_cut(o);
    for (uint32_t e = 0; e < o->n; e++)
        if (!o->witness->cut || o->request->crash_mode == EXEC_CRASH_END)
            want(o, e);
    want_durable(o);
    for (uint32_t e = 0; e < o->skeleton->init_count; e++) { /* they always were there */
        bits_clear(o->wanted, e);
        bits_clear(o->wanted, o->n + e);
    }
}

/* ---- Steps ---- */

static bool is_left(const struct order *o, uint32_t node)
{
    BASE_ASSERT(node < o->dim.n);
    return bits_get(o->wanted, node) && !bits_get(o->shown, node);
}

static bool in_one_moment(const struct order *o, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < o->dim.n && b < o->dim.n);
    return a == b || (rel_has(o->dim, o->before, a, b) && rel_has(o->dim, o->before, b, a));
}

static bool is_ready(const struct order *o, uint32_t node)
{
    BASE_ASSERT(node < o->dim.n);
    return !ANY(a, o->dim.n,
                is_left(o, a) && rel_has(o->dim, o->before, a, node) && !in_one_moment(o, a, node));
}

static bool suits(const struct order *o, uint32_t event)
{
    BASE_ASSERT(event < o->n);
    return !ANY(a, o->n,
                a != event && is_left(o, a) && rel_has(o->skeleton->dim, o->soft, a, event));
}

/* Durable nodes first; then what suits co and fr; then the thread at hand. */
static uint32_t next_node(const struct order *o)
{
    uint32_t best = LIT_NONE, best_score = 0;
    for (uint32_t node = 0; node < o->dim.n; node++) {
        if (!is_left(o, node) || !is_ready(o, node))
            continue;
        bool durable = node >= o->n;
        bool same = !durable && o->skeleton->events[node].thread == o->last_thread;
        uint32_t score = durable ? 5 : 1 + 2 * (uint32_t)suits(o, node) + (uint32_t)same;
        if (score > best_score)
            best = node, best_score = score;
    }
    BASE_CHECK(best != LIT_NONE);
    return best;
}

static struct outcome_event name_of(struct order *o, uint32_t event)
{
    BASE_ASSERT(event < o->n);
    return explanation_event(o->explanation, o->skeleton->program, &o->skeleton->events[event]);
}

static void add_step(struct order *o, uint32_t node, bool together)
{
    BASE_ASSERT(node < o->dim.n);
    uint32_t e = node < o->n ? node : node - o->n;
    const struct ev *ev = &o->skeleton->events[e];
    struct explanation_step step = {.kind =
                                        node < o->n ? EXPLANATION_EXECUTES : EXPLANATION_DURABLE,
                                    .together = together,
                                    .event = name_of(o, e),
                                    .is_read = ev->kind == EV_READ};
    if (ev->location != LIT_NONE) {
        step.type = o->skeleton->program->locations[ev->location].type;
        step.has_value = witness_value(o->witness, e, &step.value);
        step.lost = node < o->n && o->witness->cut && witness_persists(o->witness, e) &&
                    !bits_get(o->wanted, o->n + e);
    }
    if (step.is_read)
        step.source = name_of(o, witness_source(o->witness, e));
    if (node >= o->n)
        o->places[e] = (uint32_t)o->explanation->steps.count;
    VEC_PUSH(&o->explanation->steps, step);
    bits_set(o->shown, node);
    if (node < o->n)
        o->last_thread = ev->thread;
}

/* Barriers are passed, classes of writes made durable, and writes made durable by an event, in one
 * moment; that other events come before one another is strange enough to be said. */
static bool is_cycle(const struct order *o, uint32_t node)
{
    BASE_ASSERT(node < o->dim.n);
    uint32_t events = 0, others = 0;
    for (uint32_t a = 0; a < o->n; a++)
        if (is_left(o, a) && in_one_moment(o, a, node)) {
            events++;
            others += !ev_kind_meets(o->skeleton->events[a].kind);
        }
    return events > 1 && others > 0;
}

static void show_moment(struct order *o, uint32_t node)
{
    BASE_ASSERT(node < o->dim.n);
    uint32_t count = 0, shown = 0;
    for (uint32_t a = 0; a < o->dim.n; a++)
        count += is_left(o, a) && in_one_moment(o, a, node);
    bool cycle = is_cycle(o, node);
    if (cycle)
        VEC_PUSH(&o->explanation->steps,
                 (struct explanation_step){.kind = EXPLANATION_CYCLE, .count = count});
    rel_word *moment = ARENA_ARRAY(o->arena, rel_word, rel_set_words(o->dim));
    for (uint32_t a = 0; a < o->dim.n; a++)
        if (is_left(o, a) && in_one_moment(o, a, node))
            bits_set(moment, a);
    for (uint32_t a = 0; a < o->dim.n; a++)
        if (bits_get(moment, a))
            add_step(o, a, cycle || shown++ > 0);
}

/* Where lands-before leaves it open, the version that memory holds need not be the one that became
 * durable last. */
static void mark_landing(struct order *o, uint32_t last)
{
    BASE_ASSERT(last < o->n);
    const struct ev *events = o->skeleton->events;
    bool behind = false;
    for (uint32_t e = o->skeleton->init_count; e < o->n; e++)
        behind |= bits_get(o->shown, o->n + e) && events[e].location == events[last].location &&
                  o->places[e] > o->places[last];
    if (behind)
        o->explanation->steps.items[o->places[last]].lands_last = true;
}

static void mark_landings(struct order *o)
{
    for (uint32_t l = 0; l < o->skeleton->program->location_count; l++) {
        uint32_t last = o->witness->cut->last[l];
        if (last != LIT_NONE && bits_get(o->shown, o->n + last))
            mark_landing(o, last);
    }
}

static void show_crash(struct order *o)
{
    const struct exec_cut *cut = o->witness->cut;
    struct explanation_step step = {.kind = EXPLANATION_CRASH};
    if (cut->mark) {
        const char *text = cut->mark->instr->text;
        step.event =
            (struct outcome_event){.thread = cut->mark_thread,
                                   .line = cut->mark->instr->span.line,
                                   .access = text ? arena_strdup(&o->explanation->arena, text) : "",
                                   .column = cut->mark->instr->span.column,
                                   .origin = cut->mark->instr->origin};
    }
    VEC_PUSH(&o->explanation->steps, step);
}

static void keep_state(struct explanation *explanation, const struct engine_witness *witness)
{
    explanation->width = witness->width;
    explanation->row = ARENA_ARRAY(&explanation->arena, int64_t, witness->width);
    explanation->items = ARENA_ARRAY(&explanation->arena, struct lit_atom, witness->width);
    for (uint32_t i = 0; i < witness->width; i++) {
        explanation->row[i] = witness->row[i];
        explanation->items[i] = witness->items[i];
    }
}

void explanation_show(struct explanation *explanation, const struct engine_request *request,
                      const struct engine_witness *witness)
{
    struct arena arena;
    struct order o = {.explanation = explanation,
                      .arena = &arena,
                      .request = request,
                      .witness = witness,
                      .skeleton = witness->skeleton,
                      .n = witness->skeleton->dim.n,
                      .dim = rel_dim_make(2 * witness->skeleton->dim.n),
                      .last_thread = LIT_NONE};
    arena_init(&arena);
    o.places = ARENA_ARRAY(&arena, uint32_t, o.n + 1);
    find_before(&o);
    find_wanted(&o);
    for (uint32_t left = set_count(o.dim, o.wanted); left;) {
        show_moment(&o, next_node(&o));
        left = set_count(o.dim, o.wanted) - set_count(o.dim, o.shown);
    }
    explanation_tell_chosen(&o.chooser, explanation, o.shown);
    if (witness->cut) {
        mark_landings(&o);
        show_crash(&o);
        const struct explanation_nodes nodes = {o.dim, o.forced, o.wanted, o.tells};
        explanation_find_gaps(explanation, witness, &nodes);
    }
    keep_state(explanation, witness);
    arena_fini(&arena);
}
