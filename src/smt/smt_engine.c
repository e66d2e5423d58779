#include "smt/smt.h"

#include "smt/smt_query.h"

#include <string.h>

static const struct lit_program *test_of(const struct smt_query *q)
{
    return q->request->program;
}

double smt_time_left(struct smt_query *q)
{
    struct timespec now;
    double limit = q->request->limits.timeout_seconds;
    if (limit <= 0)
        return 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double left = limit - (double)(now.tv_sec - q->started.tv_sec) -
                  1e-9 * (double)(now.tv_nsec - q->started.tv_nsec);
    if (left <= 0)
        q->outcome->doubts[OUTCOME_DOUBT_TIMEOUT] = true;
    return left == 0 ? -1 : left;
}

void smt_note_unknown(struct smt_query *q)
{
    bool memory = smt_lacked_memory(q->program.solver);
    q->outcome->doubts[memory ? OUTCOME_DOUBT_MEMORY : OUTCOME_DOUBT_TIMEOUT] = true;
}

static bool out_of_time(void *query)
{
    return smt_time_left(query) < 0;
}

enum smt_answer smt_ask(struct smt_query *q)
{
    smt_relations_settle(q->relations);
    double left = smt_time_left(q);
    if (left < 0)
        return SMT_UNKNOWN;
    q->outcome->stats.candidates++;
    enum smt_answer answer = smt_check(q->program.solver, left);
    if (answer == SMT_UNKNOWN)
        smt_note_unknown(q);
    return answer;
}

/* ---- Propositions ---- */

enum lit_type smt_item_type(const struct lit_program *program, const struct lit_atom *item)
{
    if (item->kind == LIT_ATOM_CONST)
        return LIT_LONG;
    return item->kind == LIT_ATOM_LOCATION
               ? program->locations[item->location].type
               : program->threads[item->thread].registers[item->reg].type;
}

static smt_term atom_value(struct smt_query *q, const struct lit_atom *atom, enum lit_type type,
                           const struct lit_atom *items, const smt_term *values, uint32_t count)
{
    if (atom->kind == LIT_ATOM_CONST)
        return smt_constant(q->program.solver, type, atom->value);
    for (uint32_t i = 0; i < count; i++)
        if (lit_atom_same(&items[i], atom))
            return smt_cast(q->program.solver, type, smt_item_type(test_of(q), atom), values[i]);
    BASE_UNREACHABLE("a proposition about what is observed");
}

static smt_term comparison(struct smt_query *q, const struct lit_prop *prop,
                           const struct lit_atom *items, const smt_term *values, uint32_t count)
{
    enum lit_type left = smt_item_type(test_of(q), &prop->left);
    enum lit_type right = smt_item_type(test_of(q), &prop->right);
    enum lit_type type = prop->right.kind == LIT_ATOM_CONST  ? left
                         : prop->left.kind == LIT_ATOM_CONST ? right
                                                             : lit_type_common(left, right);
    smt_term a = atom_value(q, &prop->left, type, items, values, count);
    smt_term b = atom_value(q, &prop->right, type, items, values, count);
    return smt_nonzero(q->program.solver, LIT_INT,
                       smt_apply(q->program.solver, prop->compare, type, a, b));
}

smt_term smt_prop(struct smt_query *q, const struct lit_prop *prop, const struct lit_atom *items,
                  const smt_term *values, uint32_t count)
{
    struct smt_solver *s = q->program.solver;
    smt_term a = prop->a ? smt_prop(q, prop->a, items, values, count) : NULL;
    smt_term b = prop->b ? smt_prop(q, prop->b, items, values, count) : NULL;
    switch (prop->op) {
    case LIT_PROP_TRUE: return smt_truth(s, true);
    case LIT_PROP_FALSE: return smt_truth(s, false);
    case LIT_PROP_COMPARE: return comparison(q, prop, items, values, count);
    case LIT_PROP_NOT: return smt_not(s, a);
    case LIT_PROP_AND: return smt_and(s, a, b);
    case LIT_PROP_OR: return smt_or(s, a, b);
    case LIT_PROP_IMPLIES: return smt_implies(s, a, b);
    }
    BASE_UNREACHABLE("a proposition");
}

/* ---- States ---- */

void smt_read_row(struct smt_query *q, const struct outcome_states *states, const smt_term *values)
{
    for (uint32_t i = 0; i < states->width; i++)
        q->row[i] = smt_model_value(q->program.solver, smt_item_type(test_of(q), &states->items[i]),
                                    values[i]);
}

/* Not this row again. */
static void exclude_row(struct smt_query *q, const struct outcome_states *states,
                        const smt_term *values)
{
    struct smt_solver *s = q->program.solver;
    smt_term differs = smt_truth(s, false);
    for (uint32_t i = 0; i < states->width; i++) {
        enum lit_type type = smt_item_type(test_of(q), &states->items[i]);
        differs = smt_or(s, differs,
                         smt_not(s, smt_equal(s, values[i], smt_constant(s, type, q->row[i]))));
    }
    smt_assert(s, differs);
}

static void list_states(struct smt_query *q, struct outcome_states *states, const smt_term *values,
                        const struct smt_crash *crash, bool one)
{
    while (smt_ask(q) == SMT_SAT) {
        smt_read_row(q, states, values);
        q->outcome->stats.cuts += crash != NULL;
        if (outcome_add_state(states, q->row))
            smt_show_witness(q, states, crash);
        if (states->full)
            q->outcome->doubts[OUTCOME_DOUBT_STATES] = true;
        if (states->full || one)
            return;
        exclude_row(q, states, values);
    }
}

static bool is_complete(const struct exec_path *path)
{
    return path->end == EXEC_COMPLETE && !path->probe;
}

static bool is_probe(const struct exec_path *path)
{
    return path->probe;
}

static smt_term final_value(struct smt_query *q, const struct lit_atom *item,
                            const smt_term *present)
{
    struct smt_program *p = &q->program;
    if (item->kind == LIT_ATOM_LOCATION)
        return smt_program_latest(p, item->location, present);
    const struct smt_thread *thread = &p->threads[item->thread];
    enum lit_type type = smt_item_type(test_of(q), item);
    smt_term value = smt_constant(p->solver, type, 0);
    for (uint32_t i = 0; i < thread->paths.count; i++) {
        const struct exec_value *result = thread->paths.items[i]->registers[item->reg];
        if (thread->paths.items[i]->end == EXEC_COMPLETE)
            value = smt_select(p->solver, thread->chosen[i],
                               smt_cast(p->solver, type, result->type,
                                        smt_program_value(p, item->thread, i, result)),
                               value);
    }
    return value;
}

static void add_item(struct smt_finals *finals, const struct lit_atom *atom)
{
    if (atom->kind == LIT_ATOM_CONST)
        return;
    for (uint32_t i = 0; i < finals->count; i++)
        if (lit_atom_same(&finals->items[i], atom))
            return;
    finals->items[finals->count++] = *atom;
}

static uint32_t count_atoms(const struct lit_prop *prop)
{
    return prop ? 2 + count_atoms(prop->a) + count_atoms(prop->b) : 0;
}

static void add_items(struct smt_finals *finals, const struct lit_prop *prop)
{
    if (!prop)
        return;
    if (prop->op == LIT_PROP_COMPARE) {
        add_item(finals, &prop->left);
        add_item(finals, &prop->right);
    }
    add_items(finals, prop->a);
    add_items(finals, prop->b);
}

struct smt_finals smt_finals_build(struct smt_query *q)
{
    const struct outcome_states *states = &q->outcome->final;
    uint32_t most = states->width + count_atoms(test_of(q)->filter);
    struct smt_finals finals = {ARENA_ARRAY(&q->arena, struct lit_atom, most),
                                ARENA_ARRAY(&q->arena, smt_term, most), 0, NULL};
    smt_term *present = ARENA_ARRAY(&q->arena, smt_term, q->program.dim.n);
    for (uint32_t e = 0; e < q->program.dim.n; e++)
        present[e] = q->program.events[e].guard;
    for (uint32_t i = 0; i < states->width; i++)
        add_item(&finals, &states->items[i]);
    add_items(&finals, test_of(q)->filter);
    for (uint32_t i = 0; i < finals.count; i++)
        finals.values[i] = final_value(q, &finals.items[i], present);
    finals.complete = smt_program_all_on(&q->program, is_complete);
    return finals;
}

smt_term smt_deciding(struct smt_query *q, const struct lit_condition *condition,
                      const struct lit_atom *items, const smt_term *values, uint32_t count)
{
    smt_term holds = smt_prop(q, condition->prop, items, values, count);
    return condition->quantifier == LIT_FORALL ? smt_not(q->program.solver, holds) : holds;
}

/* Lists all states, or one for each condition of this kind. */
static void answer(struct smt_query *q, enum lit_when when, struct outcome_states *states,
                   const struct lit_atom *items, const smt_term *values, uint32_t count,
                   const struct smt_crash *crash)
{
    if (!q->request->decide) {
        list_states(q, states, values, crash, false);
        return;
    }
    for (uint32_t i = 0; i < test_of(q)->condition_count; i++) {
        const struct lit_condition *condition = &test_of(q)->conditions[i];
        if (condition->when != when)
            continue;
        smt_push(q->program.solver);
        smt_assert(q->program.solver, smt_deciding(q, condition, items, values, count));
        list_states(q, states, values, crash, true);
        smt_pop(q->program.solver);
    }
}

static void find_final_states(struct smt_query *q)
{
    struct smt_solver *s = q->program.solver;
    struct smt_finals finals = smt_finals_build(q);
    smt_relations_settle(q->relations);
    smt_push(s);
    smt_assert(s, finals.complete);
    if (test_of(q)->filter)
        smt_assert(s, smt_prop(q, test_of(q)->filter, finals.items, finals.values, finals.count));
    answer(q, LIT_FINAL, &q->outcome->final, finals.items, finals.values, finals.count, NULL);
    smt_pop(s);
}

static bool wants_crash(const struct smt_query *q)
{
    for (uint32_t i = 0; i < test_of(q)->condition_count; i++)
        if (test_of(q)->conditions[i].when == LIT_CRASHED)
            return true;
    return !q->request->decide;
}

static void find_crash_states(struct smt_query *q)
{
    struct smt_solver *s = q->program.solver;
    const struct outcome_states *states = &q->outcome->crash;
    if (!wants_crash(q))
        return;
    smt_assert(s, smt_not(s, smt_program_some_on(&q->program, is_probe)));
    struct smt_crash crash = smt_crash_build(q);
    smt_relations_settle(q->relations); /* for all conditions, each of which has a scope */
    answer(q, LIT_CRASHED, &q->outcome->crash, states->items, crash.values, states->width, &crash);
}

/* ---- Undefined behaviour, flags, doubts ---- */

static struct outcome_event describe(struct smt_query *q, uint32_t event, struct strbuf *text)
{
    const struct ev *ev = &q->program.events[event].ev;
    ev_print(ev, test_of(q), text);
    return (struct outcome_event){ev->thread, ev->instr ? ev->instr->span.line : 0,
                                  strbuf_text(text)};
}

static void report_pair(struct smt_query *q, const struct cat_check *check, uint32_t a, uint32_t b)
{
    struct strbuf texts[2] = {{0}, {0}};
    struct outcome_undefined undefined = {.kind = OUTCOME_CHECK, .name = check->name};
    undefined.events[undefined.event_count++] = describe(q, a, &texts[0]);
    if (b != LIT_NONE)
        undefined.events[undefined.event_count++] = describe(q, b, &texts[1]);
    outcome_add_undefined(q->outcome, &undefined);
    strbuf_fini(&texts[0]);
    strbuf_fini(&texts[1]);
}

/* Is there an execution with this? */
static bool may_be(struct smt_query *q, smt_term fact)
{
    struct smt_solver *s = q->program.solver;
    if (smt_is(s, fact, false))
        return false;
    smt_relations_settle(q->relations);
    smt_push(s);
    smt_assert(s, fact);
    bool found = smt_ask(q) == SMT_SAT;
    smt_pop(s);
    return found;
}

/* The pair is in the relation, and, told from its mirror image, that one is not. */
static smt_term reported_pair(struct smt_query *q, cat_node_id node, uint32_t a, uint32_t b)
{
    struct smt_solver *s = q->program.solver;
    smt_term both = smt_and(s, q->program.events[a].guard, q->program.events[b].guard);
    smt_term pair = smt_relation_has(q->relations, node, a, b, SMT_AT_MOST);
    if (a > b)
        pair =
            smt_and(s, pair, smt_not(s, smt_relation_has(q->relations, node, b, a, SMT_AT_LEAST)));
    return smt_and(s, both, pair);
}

static void report_pairs(struct smt_query *q, const struct cat_check *check)
{
    struct rel_dim dim = q->program.dim;
    bool is_set = q->request->model->nodes[check->node].sort == CAT_SET;
    const rel_word *may = smt_relation_may(q->relations, check->node);
    for (uint32_t a = 0; a < dim.n; a++) {
        if (is_set && may_be(q, smt_and(q->program.solver, q->program.events[a].guard,
                                        smt_set_has(q->relations, check->node, a, SMT_AT_MOST))))
            report_pair(q, check, a, LIT_NONE);
        for (uint32_t b = 0; !is_set && b < dim.n; b++) {
            if (rel_has(dim, may, a, b) && may_be(q, reported_pair(q, check->node, a, b)))
                report_pair(q, check, a, b);
            if (q->request->decide && q->outcome->undefined.count)
                return;
        }
    }
}

static void look_at_check(struct smt_query *q, const struct cat_check *check)
{
    if (check->kind == CAT_FLAG) {
        struct smt_solver *s = q->program.solver;
        struct cat_check inverse = *check;
        inverse.negated = !check->negated; /* raised where the test holds */
        smt_term raised = smt_check_fails(q->relations, &inverse);
        if (may_be(q, smt_and(s, raised, smt_not(s, smt_program_some_on(&q->program, is_probe)))))
            outcome_add_flag(q->outcome, check->name);
        return;
    }
    if (!may_be(q, smt_check_fails(q->relations, check)))
        return;
    if (!check->negated && check->test == CAT_IS_EMPTY) {
        report_pairs(q, check);
        return;
    }
    struct outcome_undefined undefined = {.kind = OUTCOME_CHECK, .name = check->name};
    outcome_add_undefined(q->outcome, &undefined);
}

static void look_at_faults(struct smt_query *q)
{
    struct smt_program *p = &q->program;
    for (uint32_t t = 0; t < test_of(q)->thread_count; t++)
        for (uint32_t i = 0; i < p->threads[t].paths.count; i++) {
            const struct exec_path *path = p->threads[t].paths.items[i];
            smt_term probes = smt_program_some_on(p, is_probe);
            if (path->end != EXEC_AT_FAULT || path->probe ||
                !may_be(q, smt_and(p->solver, p->threads[t].chosen[i], smt_not(p->solver, probes))))
                continue;
            struct outcome_undefined undefined = {
                .kind = OUTCOME_FAULT,
                .name = outcome_undefined_text(OUTCOME_FAULT),
                .event_count = 1,
                .events = {{t, path->end_instr->span.line, "undefined operation"}}};
            outcome_add_undefined(q->outcome, &undefined);
        }
}

static bool ends_at_loop_bound(const struct exec_path *path)
{
    return path->end == EXEC_AT_BOUND && !path->too_long && !path->probe;
}

static bool ends_too_long(const struct exec_path *path)
{
    return path->end == EXEC_AT_BOUND && path->too_long && !path->probe;
}

static void look_at_bounds(struct smt_query *q)
{
    bool *doubts = q->outcome->doubts;
    doubts[OUTCOME_DOUBT_UNROLL] |= may_be(q, smt_program_some_on(&q->program, ends_at_loop_bound));
    doubts[OUTCOME_DOUBT_LENGTH] |= may_be(q, smt_program_some_on(&q->program, ends_too_long));
}

static void look_for_undefined(struct smt_query *q)
{
    const struct cat_model *model = q->request->model;
    for (uint32_t c = 0; c < model->check_count; c++)
        if (model->checks[c].kind != CAT_CHECK)
            look_at_check(q, &model->checks[c]);
    smt_look_at_divergence(q);
    look_at_faults(q);
}

/* ---- The whole ---- */

static void at_most_one_probe(struct smt_query *q)
{
    struct smt_program *p = &q->program;
    smt_term before = smt_truth(p->solver, false);
    for (uint32_t t = 0; t < test_of(q)->thread_count; t++) {
        smt_term here = smt_truth(p->solver, false);
        for (uint32_t i = 0; i < p->threads[t].paths.count; i++)
            if (p->threads[t].paths.items[i]->probe)
                here = smt_or(p->solver, here, p->threads[t].chosen[i]);
        smt_assert(p->solver, smt_not(p->solver, smt_and(p->solver, before, here)));
        before = smt_or(p->solver, before, here);
    }
}

bool smt_query_build(struct smt_query *q)
{
    const struct cat_model *model = q->request->model;
    const char *why = NULL;
    if (!smt_program_build(&q->program))
        return false;
    q->relations = smt_relations_new(&q->program, &why);
    if (!q->relations) {
        if (why)
            q->outcome->not_encoded = arena_strdup(&q->outcome->arena, why);
        return false;
    }
    at_most_one_probe(q);
    for (uint32_t c = 0; c < model->check_count; c++)
        if (model->checks[c].kind == CAT_CHECK)
            smt_assert_check(q->relations, &model->checks[c]);
    smt_prepare_witnesses(q);
    smt_relations_settle(q->relations);
    return !smt_out_of_time(&q->program);
}

static bool has_undefined_unless(const struct cat_model *model)
{
    for (uint32_t c = 0; c < model->check_count; c++)
        if (model->checks[c].kind == CAT_UNDEFINED_UNLESS)
            return true;
    return false;
}

static void ask_everything(struct smt_query *q)
{
    struct outcome *outcome = q->outcome;
    if (!q->request->conditions_alone)
        look_for_undefined(q);
    look_at_bounds(q);
    if (!(q->request->decide && outcome->undefined.count)) {
        find_final_states(q);
        find_crash_states(q);
    }
    if (!q->request->decide && q->request->crash_mode == EXEC_CRASH_POINTS &&
        outcome->stats.cuts == 0 && outcome->undefined.count == 0)
        outcome_add_flag(outcome, "no-crash-point-reached");
}

void smt_run(const struct engine_request *request, struct outcome *outcome)
{
    struct smt_query q = {.request = request, .outcome = outcome};
    uint32_t width =
        outcome->final.width > outcome->crash.width ? outcome->final.width : outcome->crash.width;
    clock_gettime(CLOCK_MONOTONIC, &q.started);
    arena_init(&q.arena);
    q.row = ARENA_ARRAY(&q.arena, int64_t, width + 1);
    q.program = (struct smt_program){.request = request,
                                     .outcome = outcome,
                                     .solver = smt_solver_new(request->limits.memory_mib),
                                     .arena = &q.arena,
                                     .options = {.unroll = request->limits.unroll,
                                                 .probes = has_undefined_unless(request->model),
                                                 .path_events = &q.path_events,
                                                 .out_of_time = out_of_time,
                                                 .clock = &q}};
    engine_find_waiting(&q.arena, request, q.program.options.pbarrier_waits);
    if (smt_query_build(&q))
        ask_everything(&q);
    else if (!outcome_doubt(outcome))
        outcome->doubts[OUTCOME_DOUBT_ENCODING] = true;
    if (q.relations)
        smt_relations_free(q.relations);
    outcome_sort(outcome);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    outcome->stats.seconds =
        (double)(now.tv_sec - q.started.tv_sec) + 1e-9 * (double)(now.tv_nsec - q.started.tv_nsec);
    smt_solver_free(q.program.solver);
    arena_fini(&q.arena);
}
