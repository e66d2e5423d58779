/* Checks skeleton, execution, cut and state, each only if it differs from the last witness's. rf,
 * co, fr and the paths are checked by loops of its own, then the model by naive.h, then the rules
 * of the cut (recheck_cut.c). A near miss is checked likewise, except for the rules that it says
 * are broken. */
#include "engine/recheck.h"

#include "base/bits.h"
#include "engine/recheck_parts.h"
#include "exec/exec_basis.h"

#include <string.h>

static bool write_value(const struct recheck *r, uint32_t write, int64_t *value)
{
    const struct ev *ev = recheck_event(r, write);
    if (ev->init)
        return *value = ev->value->value, true;
    uint32_t base = r->skeleton->value_base[ev->thread];
    struct exec_reads reads = {r->witness->values + base, r->all};
    return exec_value_get(ev->value, &reads, value);
}

/* Every read has one source, of its location, whose value it returns. */
static const char *check_rf(const struct recheck *r)
{
    for (uint32_t w = 0; w < r->n; w++)
        BITS_EACH (e, k, r->skeleton->dim.words, recheck_row(r, r->witness->rf, w)[k])
            if (recheck_event(r, w)->kind != EV_WRITE || recheck_event(r, e)->kind != EV_READ ||
                !recheck_same_place(r, w, e))
                return "rf joins what is not a write and a read of one location";
    for (uint32_t read = 0; read < r->n; read++) {
        const struct ev *ev = recheck_event(r, read);
        uint32_t sources = 0;
        for (uint32_t w = 0; w < r->n && ev->kind == EV_READ; w++) {
            if (!recheck_pair(r, r->witness->rf, w, read))
                continue;
            int64_t value;
            uint32_t number =
                r->skeleton->value_base[ev->thread] + read - r->skeleton->first[ev->thread];
            if (!write_value(r, w, &value) || value != r->witness->values[number])
                return "a read does not return the value it reads from";
            sources++;
        }
        if (sources != (ev->kind == EV_READ))
            return "a read has not exactly one source";
    }
    return NULL;
}

/* All that stands behind b in a relation stands behind a. */
static bool passes_on(const struct recheck *r, const rel_word *relation, uint32_t a, uint32_t b)
{
    const rel_word *from = recheck_row(r, relation, a), *to = recheck_row(r, relation, b);
    return !ANY(k, r->skeleton->dim.words, to[k] & ~from[k]);
}

/* What orders two writes of one location: co one way or, when it may be partial, not
 * at all; never co with any other pair. */
static bool co_orders(const struct recheck *r, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a != b);
    const rel_word *co = r->witness->co;
    bool ab = recheck_pair(r, co, a, b), ba = recheck_pair(r, co, b, a);
    bool initial = recheck_event(r, a)->init || recheck_event(r, b)->init;
    bool may_be_neither = r->skeleton->program->partial_coherence && !initial;
    return may_be_neither ? !(ab && ba) : ab != ba;
}

/* The writes to the location of a write, but for itself; of other events none. */
static void list_same(const struct recheck *r, uint32_t a, rel_word *same)
{
    BASE_ASSERT(a < r->n);
    memset(same, 0, r->skeleton->dim.words * sizeof *same);
    for (uint32_t b = 0; b < r->n && recheck_event(r, a)->kind == EV_WRITE; b++)
        if (b != a && recheck_same_place(r, a, b) && recheck_event(r, b)->kind == EV_WRITE)
            bits_set(same, b);
}

static const char *check_co_of(const struct recheck *r, uint32_t a, rel_word *same)
{
    BASE_ASSERT(a < r->n);
    const rel_word *co = r->witness->co, *row = recheck_row(r, co, a);
    list_same(r, a, same);
    for (uint32_t k = 0; k < r->skeleton->dim.words; k++) {
        bool beyond = row[k] & ~same[k];
        BITS_EACH_IN_WORD (bit, same[k])
            beyond = beyond || !co_orders(r, a, k * 64 + bit);
        if (beyond)
            return "co is not an order on one location's writes, or goes beyond them";
        BITS_EACH_IN_WORD (bit, row[k]) {
            if (recheck_event(r, k * 64 + bit)->init)
                return "co puts a write before an initial one";
            if (!passes_on(r, co, a, k * 64 + bit))
                return "co is not transitive";
        }
    }
    return NULL;
}

/* co is a strict order on the writes of each location, initial writes first, and total
 * unless the dialect says otherwise. */
static const char *check_co(const struct recheck *r)
{
    rel_word same[BITS_WORDS(EXEC_MAX_EVENTS)];
    const char *fault = NULL;
    for (uint32_t a = 0; a < r->n && !fault; a++)
        fault = check_co_of(r, a, same);
    return fault;
}

/* The write a read reads from; LIT_NONE for other events. check_rf has found it unique. */
static uint32_t source_of(const struct recheck *r, uint32_t read)
{
    for (uint32_t w = 0; w < r->n && recheck_event(r, read)->kind == EV_READ; w++)
        if (recheck_pair(r, r->witness->rf, w, read))
            return w;
    return LIT_NONE;
}

/* After a read comes what is co-after its source, after what is no read nothing. */
static const char *check_fr(const struct recheck *r)
{
    for (uint32_t a = 0; a < r->n; a++) {
        uint32_t source = source_of(r, a);
        const rel_word *row = recheck_row(r, r->witness->fr, a);
        const rel_word *after = source == LIT_NONE ? NULL : recheck_row(r, r->witness->co, source);
        for (uint32_t k = 0; k < r->skeleton->dim.words; k++)
            if (row[k] != (after ? after[k] : 0))
                return "fr is not rf^-1; co";
    }
    return NULL;
}

static bool is_sc_fence(const struct recheck *r, uint32_t e)
{
    return ev_has_sc_fence(recheck_event(r, e));
}

/* sync_fence is a strict order on SC fences, implied ones too; those of one thread, and those that
 * are each within the other's scope, are ordered, the former as in their program. */
static const char *check_sync_fence(const struct recheck *r)
{
    const rel_word *order = r->witness->sync_fence;
    for (uint32_t a = 0; order && a < r->n; a++)
        for (uint32_t b = 0; b < r->n; b++) {
            bool fences = is_sc_fence(r, a) && is_sc_fence(r, b) && a != b;
            bool ab = recheck_pair(r, order, a, b), ba = recheck_pair(r, order, b, a);
            bool one_thread = recheck_event(r, a)->thread == recheck_event(r, b)->thread;
            if ((ab && !fences) || (ab && ba))
                return "sync_fence orders other events than SC fences, or goes both ways";
            if (fences && one_thread && ab != (a < b))
                return "sync_fence goes against program order";
            if (fences && !one_thread && ab == ba && exec_mutually_scoped(r->skeleton, a, b))
                return "sync_fence does not order two SC fences in each other's scope";
            if (ab && !passes_on(r, order, a, b))
                return "sync_fence is not transitive";
        }
    return NULL;
}

static const char *check_paths(const struct recheck *r)
{
    for (uint32_t t = 0; t < r->skeleton->program->thread_count; t++) {
        const struct exec_path *path = r->skeleton->paths[t];
        struct exec_reads reads = {r->witness->values + r->skeleton->value_base[t], r->all};
        for (uint32_t i = 0; i < path->constraint_count; i++) {
            int64_t value;
            if (!exec_value_get(path->constraints[i].value, &reads, &value) ||
                (value != 0) != path->constraints[i].truth)
                return "a path was taken against its condition";
        }
    }
    return NULL;
}

static void look_at_witness(struct recheck *r)
{
    r->bases[EXEC_REL_RF] = r->witness->rf;
    r->bases[EXEC_REL_CO] = r->witness->co;
    r->bases[EXEC_REL_FR] = r->witness->fr;
    r->choices = r->witness->choices;
    if (r->witness->sync_fence)
        r->bases[EXEC_REL_SYNC_FENCE] = r->witness->sync_fence;
}

void recheck_fill_bases(struct recheck *r, const struct naive_nodes *nodes)
{
    const struct cat_model *model = r->request->model;
    for (uint32_t i = 0; i < nodes->count; i++) {
        const struct cat_node *node = &model->nodes[nodes->ids[i]];
        if (node->op != CAT_BASE || model->basis->names[node->base].dynamic || r->bases[node->base])
            continue;
        BASE_ASSERT(node->base < model->basis->count);
        size_t rows = node->sort == CAT_SET ? 1 : r->n;
        rel_word *value =
            arena_alloc_unset(&r->of_skeleton, rows * r->skeleton->dim.words * sizeof *value);
        exec_skeleton_base(r->skeleton, node->base, value);
        r->bases[node->base] = value;
    }
}

static void look_at_tags(struct recheck *r)
{
    const struct cat_model *model = r->request->model;
    r->tagged = ARENA_ARRAY(&r->of_skeleton, const rel_word *, model->tagged_count);
    for (uint32_t i = 0; i < model->tagged_count; i++) {
        rel_word *value = ARENA_ARRAY(&r->of_skeleton, rel_word, r->skeleton->dim.words);
        exec_skeleton_tagged(r->skeleton, &model->tagged[i], value);
        r->tagged[i] = value;
    }
}

/* What all executions over one skeleton share. */
static void look_at_skeleton(struct recheck *r)
{
    arena_rewind(&r->of_skeleton, r->of_nothing);
    r->all = ARENA_ARRAY(&r->of_skeleton, bool, r->skeleton->slot_count);
    for (uint32_t i = 0; i < r->skeleton->slot_count; i++)
        r->all[i] = true;
    recheck_new_fates(r);
    r->bases = ARENA_ARRAY(&r->of_skeleton, const rel_word *, exec_basis()->count);
    recheck_fill_bases(r, &r->nodes->fixed);
    look_at_tags(r);
    const struct naive_model given = {
        .model = r->request->model, .n = r->n, .bases = r->bases, .tagged = r->tagged};
    r->fixed = naive_add(&r->of_skeleton, &given, &r->nodes->fixed);
    r->has_contract_fixed = false;
}

static void evaluate_model(struct recheck *r)
{
    look_at_witness(r);
    struct naive_model given = r->fixed;
    given.choices = r->choices;
    r->naive = naive_add(&r->of_execution, &given, &r->nodes->open);
    r->has_contract = false;
}

void recheck_add_contract(struct recheck *r)
{
    BASE_ASSERT(r->fixed.values && r->naive.values);
    const struct naive_nodes *fixed = &r->nodes->contract_fixed;
    if (r->has_contract)
        return;
    if (!r->has_contract_fixed) {
        recheck_fill_bases(r, fixed);
        r->fixed = naive_add(&r->of_skeleton, &r->fixed, fixed);
    }
    for (uint32_t i = 0; i < fixed->count; i++)
        r->naive.values[fixed->ids[i]] = r->fixed.values[fixed->ids[i]];
    r->naive = naive_add(&r->of_execution, &r->naive, &r->nodes->contract);
    r->has_contract_fixed = r->has_contract = true;
}

static bool is_linearisation(const struct recheck *r, const rel_word *pick, const rel_word *set,
                             const rel_word *relation)
{
    for (uint32_t a = 0; a < r->n; a++)
        for (uint32_t b = 0; b < r->n; b++) {
            bool ab = recheck_pair(r, pick, a, b), ba = recheck_pair(r, pick, b, a);
            bool in = bits_get(set, a) && bits_get(set, b), both = in && a != b;
            if (both ? ab == ba : ab)
                return false;
            if (in && recheck_pair(r, relation, a, b) && !ab)
                return false;
            if (ab && !passes_on(r, pick, a, b))
                return false;
        }
    return true;
}

/* Every choice of the model is one that it offers. */
static const char *check_choices(const struct recheck *r)
{
    const struct cat_model *model = r->request->model;
    for (uint32_t i = 0; i < model->choice_count; i++) {
        const struct cat_choice *choice = &model->choices[i];
        uint64_t *const *values = r->naive.values;
        BASE_ASSERT(choice->kind != CAT_LINEARISATIONS ||
                    (values[choice->set] && values[choice->relation]));
        bool offered =
            choice->kind == CAT_LINEARISATIONS &&
            is_linearisation(r, r->choices[i], values[choice->set], values[choice->relation]);
        for (uint32_t k = 0; k < choice->alternative_count; k++)
            offered = offered || memcmp(r->choices[i], values[choice->alternatives[k]],
                                        rel_words(r->skeleton->dim) * sizeof **values) == 0;
        if (!offered)
            return "a choice is none that the model offers";
    }
    return NULL;
}

const char *recheck_first_fault(const struct recheck *r, recheck_function *const *checks)
{
    const char *fault = NULL;
    while (*checks && !fault)
        fault = (*checks++)(r);
    return fault;
}

/* ---- What may be broken in a near miss ---- */

/* The same access of the same statement; loops and branches repeat it. */
static bool is_same_statement(const struct ev *a, const struct ev *b)
{
    return a->init == b->init && a->instr == b->instr && a->thread == b->thread &&
           a->kind == b->kind && a->location == b->location;
}

bool recheck_excuses(const struct recheck *r, enum explanation_reason_kind kind, uint32_t check,
                     const struct ev *from, const struct ev *to)
{
    bool excused = false;
    for (uint32_t i = 0; r->miss && i < r->miss->count; i++) {
        const struct near_miss_rule *rule = &r->miss->rules[i];
        bool applies =
            rule->kind == kind && rule->check == check && !rule->from == !from &&
            (!from || (is_same_statement(rule->from, from) && is_same_statement(rule->to, to)));
        r->broken[i] |= applies;
        excused |= applies;
    }
    return excused;
}

static const char *check_model(struct recheck *r)
{
    const struct cat_model *model = r->request->model;
    for (uint32_t c = 0; c < model->check_count; c++)
        if (model->checks[c].kind == CAT_CHECK &&
            !naive_holds(&r->of_execution, &r->naive, &model->checks[c]) &&
            !recheck_excuses(r, EXPLANATION_BY_CHECK, c, NULL, NULL))
            return "a check of the model does not hold";
    return NULL;
}

/* Has the write no other of its location after it? */
static bool is_latest(const struct recheck *r, uint32_t write)
{
    return !ANY(e, r->n, recheck_pair(r, r->witness->co, write, e));
}

/* May a location have this value: that of its last durable write, or in a final state of
 * one that is coherence-latest; its first value when nobody accesses it? Of LIT_ATOM_KEPT: is such
 * a write initial (or is there none at all), or one that is not, as said? */
static bool shows_location(const struct recheck *r, const struct lit_atom *item, int64_t value)
{
    BASE_ASSERT(item->location < r->skeleton->program->location_count);
    const struct exec_cut *cut = r->witness->cut;
    const bool kept = item->kind == LIT_ATOM_KEPT;
    bool accessed = false;
    for (uint32_t w = 0; w < r->n; w++) {
        const struct ev *write = recheck_event(r, w);
        int64_t written = write->init;
        if (write->kind != EV_WRITE || write->location != item->location)
            continue;
        accessed = true;
        if ((cut ? cut->last[item->location] == w : is_latest(r, w)) &&
            (kept || write_value(r, w, &written)) && written == value)
            return true;
    }
    return !accessed &&
           value == (kept ? true : r->skeleton->program->locations[item->location].init);
}

/* Is something that the assignment wants missing from the cut? */
static bool lacks_something(const struct recheck *r, uint32_t thread,
                            const struct exec_assignment *assignment)
{
    BASE_ASSERT(thread < r->skeleton->program->thread_count);
    bool lacks = assignment->behind > r->witness->cut->passed[thread];
    for (uint32_t i = assignment->first; i < assignment->end; i++)
        lacks |= !bits_get(r->witness->cut->executed, r->skeleton->first[thread] + i);
    return lacks;
}

/* What a register holds in the cut, by the last assignment that lacks nothing; NULL: nothing. */
static const struct exec_value *held(const struct recheck *r, const struct lit_atom *atom)
{
    const struct exec_path *path = r->skeleton->paths[atom->thread];
    const struct exec_value *value = NULL;
    if (!r->witness->cut)
        return path->registers[atom->reg];
    for (uint32_t i = 0; i < path->assignment_count; i++)
        if (path->assignments[i].reg == atom->reg &&
            !lacks_something(r, atom->thread, &path->assignments[i]))
            value = path->assignments[i].value;
    return value;
}

static bool shows_register(const struct recheck *r, const struct lit_atom *atom, int64_t value)
{
    struct exec_reads reads = {r->witness->values + r->skeleton->value_base[atom->thread], r->all};
    const struct exec_value *shown = held(r, atom);
    int64_t found = 0;
    return (!shown || exec_value_get(shown, &reads, &found)) && found == value;
}

static bool shows_item(const struct recheck *r, const struct lit_atom *item, int64_t value)
{
    switch (item->kind) {
    case LIT_ATOM_LOCATION: return shows_location(r, item, value);
    case LIT_ATOM_REGISTER: return shows_register(r, item, value);
    case LIT_ATOM_GIVEN: return (held(r, item) != NULL) == (value != 0);
    case LIT_ATOM_KEPT: return shows_location(r, item, value != 0);
    case LIT_ATOM_CONST: break;
    }
    BASE_UNREACHABLE("a column of a state");
}

/* The state is what the execution, or the cut, leaves. */
static const char *check_row(const struct recheck *r)
{
    const struct engine_witness *witness = r->witness;
    for (uint32_t t = 0; !witness->cut && t < r->skeleton->program->thread_count; t++)
        if (r->skeleton->paths[t]->end != EXEC_COMPLETE)
            return "a final state of an execution that is stuck";
    for (uint32_t i = 0; i < witness->width; i++)
        if (!shows_item(r, &witness->items[i], witness->row[i]))
            return "the state is not what the execution leaves";
    return NULL;
}

/* What all cuts of one execution share. */
static const char *look_at_execution(struct recheck *r)
{
    arena_rewind(&r->of_execution, r->of_nothing);
    const char *fault =
        recheck_first_fault(r, (recheck_function *[]){check_rf, check_co, check_fr,
                                                      check_sync_fence, check_paths, NULL});
    if (fault)
        return fault;
    evaluate_model(r);
    fault =
        recheck_first_fault(r, (recheck_function *[]){recheck_transactions, check_choices, NULL});
    return fault ? fault : check_model(r);
}

const struct recheck_nodes *recheck_nodes_new(struct arena *arena, const struct cat_model *model)
{
    struct recheck_nodes *nodes = ARENA_NEW(arena, struct recheck_nodes);
    bool *listed = ARENA_ARRAY(arena, bool, model->node_count);
    const bool *changing = naive_changing(arena, model);
    const bool *checked = naive_checked(arena, model, CAT_CHECK);
    const bool *needed = naive_needed(arena, model, CAT_CHECK);
    const bool *undefined = naive_checked(arena, model, CAT_UNDEFINED_UNLESS);
    nodes->fixed = naive_list(arena, model, checked, changing, listed);
    nodes->open = naive_list(arena, model, checked, NULL, listed);
    nodes->contract_fixed = naive_list(arena, model, needed, changing, listed);
    nodes->contract = naive_list(arena, model, needed, NULL, listed);
    nodes->undefined = naive_list(arena, model, undefined, NULL, listed);
    return nodes;
}

struct recheck *recheck_new(const struct engine_request *request)
{
    struct recheck *recheck = base_realloc(NULL, sizeof *recheck);
    *recheck = (struct recheck){.request = request};
    recheck->of_nothing = arena_mark(&recheck->of_skeleton);
    recheck->nodes = request->recheck_nodes;
    if (!recheck->nodes && request->model)
        recheck->nodes = recheck_nodes_new(&recheck->of_request, request->model);
    return recheck;
}

void recheck_free(struct recheck *recheck)
{
    arena_fini(&recheck->of_request);
    arena_fini(&recheck->of_skeleton);
    arena_fini(&recheck->of_execution);
    base_free(recheck);
}

static void look_at(struct recheck *r, const struct engine_witness *witness)
{
    r->witness = witness;
    r->skeleton = witness->skeleton;
    r->n = witness->skeleton->dim.n;
}

const char *recheck_execution(struct recheck *r, const struct engine_witness *witness)
{
    look_at(r, witness);
    look_at_skeleton(r);
    r->skeleton_number = r->execution_number = 0;
    return look_at_execution(r);
}

static void take_witness(struct recheck *r, const struct engine_witness *witness)
{
    look_at(r, witness);
    if (r->skeleton_number != witness->skeleton_number)
        look_at_skeleton(r);
    if (r->skeleton_number != witness->skeleton_number ||
        r->execution_number != witness->execution_number)
        r->fault = look_at_execution(r);
    if (witness->cut && !r->fault)
        recheck_add_contract(r);
    r->skeleton_number = witness->skeleton_number;
    r->execution_number = witness->execution_number;
}

static const char *check_state(const struct recheck *r)
{
    const char *fault = r->fault;
    if (!fault && r->witness->cut)
        fault = recheck_cut(r);
    return fault ? fault : check_row(r);
}

const char *recheck_witness(struct recheck *r, const struct engine_witness *witness)
{
    take_witness(r, witness);
    return check_state(r);
}

/* ---- Near misses ---- */

static int64_t final_value(const void *context, const struct lit_atom *atom)
{
    const struct recheck *r = context;
    int64_t value = 0;
    if (atom->kind == LIT_ATOM_REGISTER) {
        struct exec_reads reads = {r->witness->values + r->skeleton->value_base[atom->thread],
                                   r->all};
        BASE_CHECK(
            exec_value_get(r->skeleton->paths[atom->thread]->registers[atom->reg], &reads, &value));
        return value;
    }
    value = r->skeleton->program->locations[atom->location].init;
    for (uint32_t w = 0; w < r->n; w++)
        if (recheck_event(r, w)->kind == EV_WRITE &&
            recheck_event(r, w)->location == atom->location && is_latest(r, w))
            BASE_CHECK(write_value(r, w, &value));
    return value;
}

static const char *check_filter(const struct recheck *r)
{
    const struct lit_program *program = r->request->program;
    bool sure = !program->partial_coherence; /* else a location may have several last writes */
    if (!program->filter || r->miss->condition->when != LIT_FINAL ||
        (sure && outcome_prop_holds(program, program->filter, final_value, r)))
        return NULL;
    return recheck_excuses(r, EXPLANATION_BY_FILTER, 0, NULL, NULL) || !sure
               ? NULL
               : "the state does not pass the filter";
}

static const char *check_decided(const struct recheck *r)
{
    const struct engine_witness *witness = r->witness;
    const struct outcome_states states = {.items = witness->items, .width = witness->width};
    const struct lit_condition *condition = r->miss->condition;
    bool holds = outcome_satisfies(&states, witness->row, r->request->program, condition->prop);
    return holds == (condition->quantifier == LIT_FORALL)
               ? "the state does not decide the condition"
               : NULL;
}

static const char *check_broken(const struct recheck *r)
{
    for (uint32_t i = 0; i < r->miss->count; i++)
        if (!r->broken[i])
            return "a rule that is said to be broken holds";
    return r->miss->count ? NULL : "nothing is said to be broken";
}

const char *recheck_near_miss(struct recheck *r, const struct near_miss *miss)
{
    r->miss = miss;
    r->broken = ARENA_ARRAY(&r->of_request, bool, miss->count + 1u);
    r->execution_number = 0; /* another look, that excuses */
    take_witness(r, miss->witness);
    r->execution_number = 0;
    const char *fault = recheck_first_fault(
        r, (recheck_function *[]){check_state, check_filter, check_decided, check_broken, NULL});
    r->miss = NULL;
    return fault;
}
