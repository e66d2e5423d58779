/* One formula describes consistent executions: the threads' paths, values, rf, co, the model's
 * checks. Final states and crash states are projections of its solutions. A list blocks each state
 * found and asks again; `decide` asks once per condition. Whatever is not encoded, or makes the
 * solver give up, leaves a doubt. */
#include "smt/smt.h"

#include "base/clock.h"
#include "engine/stabilizer.h"
#include "exec/exec_basis.h"
#include "smt/smt_kept.h"
#include "smt/smt_library.h"
#include "smt/smt_relation.h"
#include "smt/smt_query.h"
#include "smt/smt_recovery.h"

double smt_time_left(struct smt_query *q)
{
    double left = clock_seconds_left(&q->request->limits.clock);
    if (left < 0)
        q->outcome->doubts[OUTCOME_DOUBT_TIMEOUT] = true;
    return left;
}

void smt_note_unknown(struct smt_query *q)
{
    struct smt_solver *solver = q->program.solver;
    q->outcome->doubts[smt_lacked_thread(solver)   ? OUTCOME_DOUBT_THREAD
                       : smt_lacked_memory(solver) ? OUTCOME_DOUBT_MEMORY
                                                   : OUTCOME_DOUBT_TIMEOUT] = true;
}

static bool out_of_time(void *query)
{
    return smt_time_left(query) < 0;
}

enum smt_answer smt_ask(struct smt_query *q)
{
    return smt_ask_assuming(q, NULL, 0, NULL);
}

enum smt_answer smt_ask_assuming(struct smt_query *q, const smt_term *assumptions, uint32_t count,
                                 bool *core)
{
    smt_relations_settle(q->relations);
    double left = smt_time_left(q);
    if (left < 0)
        return SMT_UNKNOWN;
    q->outcome->stats.candidates++;
    enum smt_answer answer = smt_check_assuming(q->program.solver, assumptions, count, core, left);
    if (answer == SMT_UNKNOWN)
        smt_note_unknown(q);
    if (answer == SMT_SAT && q->on_solution)
        q->on_solution(q->context);
    return answer;
}

/* ---- States ---- */

/* Adds the state of the solution; false: there is no room for more. */
static bool add_solution(struct smt_query *q, struct outcome_states *states, const smt_term *values,
                         const struct smt_crash *crash)
{
    smt_read_row(q, states, values);
    q->outcome->stats.cuts += crash != NULL;
    if (outcome_add_state(states, q->row))
        smt_show_witness(q, states, crash);
    if (states->full)
        q->outcome->doubts[OUTCOME_DOUBT_STATES] = true;
    return !states->full;
}

void smt_list_states(struct smt_query *q, struct outcome_states *states, const smt_term *values,
                     const struct smt_crash *crash)
{
    struct smt_list list = {0};
    while (smt_list_next(q, &list) == SMT_SAT && add_solution(q, states, values, crash))
        smt_exclude_row(q, states, values);
    smt_list_end(q, &list);
}

/* What no state decides, by itself or since that one is so which an exchange turns into it. */
struct settled {
    bool *none; /* by condition */
    uint64_t steps;
};

static bool is_settled(const struct smt_program *p, struct settled *settled, uint32_t index)
{
    const struct lit_program *program = smt_program_test(p);
    for (uint32_t i = 0; i < index && !settled->none[index]; i++)
        settled->none[index] =
            settled->none[i] && stabilizer_alike(&p->symmetry, program, &program->conditions[i],
                                                 &program->conditions[index], &settled->steps);
    return settled->none[index];
}

/* One state that decides the condition, if there is one. */
static enum smt_answer find_state(struct smt_query *q, struct outcome_states *states,
                                  const smt_term *values, const struct smt_crash *crash)
{
    enum smt_answer answer = smt_ask(q);
    if (answer == SMT_SAT)
        (void)add_solution(q, states, values, crash);
    return answer;
}

/* States may have been left out of the list: does a listed one decide the condition? */
static bool is_decided(struct smt_query *q, const struct lit_condition *condition)
{
    return !q->request->decide && outcome_find_deciding(q->outcome, smt_program_test(&q->program),
                                                        condition, smt_query_row(q));
}

/* Lists all states, or one for each condition of this kind; that also where not all are listed. A
 * condition is asked of all values, those that justify themselves as well. */
static void answer(struct smt_query *q, enum lit_when when, struct outcome_states *states,
                   const struct lit_atom *items, const smt_term *values, uint32_t count,
                   const struct smt_crash *crash)
{
    bool *all_values = q->outcome->all_values;
    struct settled settled = {all_values, 0};
    if (!q->request->decide)
        smt_list_states(q, states, values, crash);
    if (!q->request->decide && !q->outcome->doubts[OUTCOME_DOUBT_THIN_AIR])
        return;
    for (uint32_t i = 0; i < smt_program_test(&q->program)->condition_count; i++) {
        const struct lit_condition *condition = &smt_program_test(&q->program)->conditions[i];
        if (condition->when != when || is_settled(&q->program, &settled, i) ||
            is_decided(q, condition))
            continue;
        smt_push(q->program.solver);
        smt_order_units_for(&q->program, condition);
        smt_assert(q->program.solver, smt_deciding(q, condition, items, values, count));
        all_values[i] = find_state(q, states, values, crash) == SMT_UNSAT;
        smt_pop(q->program.solver);
    }
}

/* ---- Is there any state at all? ---- */

/* No state decides a condition: is there any state at all? Only `decide` has to ask, since
 * otherwise all states are listed. */
static void look_for_any(struct smt_query *q, enum lit_when when)
{
    if (q->request->decide && outcome_wants_any(q->outcome, smt_program_test(&q->program), when))
        q->outcome->met[when] = smt_ask(q) == SMT_SAT;
}

/* Without final states, or where the crash may not come anywhere: is there an execution, and one
 * that runs to its end? */
static void look_for_run(struct smt_query *q, smt_term complete)
{
    struct smt_solver *s = q->program.solver;
    struct outcome *outcome = q->outcome;
    outcome->ended = outcome->ran = outcome->final.count || outcome->met[LIT_FINAL];
    if (outcome->ran)
        return;
    smt_push(s);
    smt_assert(s, smt_not(s, smt_program_some_on(&q->program, smt_path_is_probe)));
    outcome->ran = smt_ask(q) == SMT_SAT;
    smt_assert(s, complete);
    outcome->ended = outcome->ran && smt_ask(q) == SMT_SAT;
    smt_pop(s);
}

static bool wants_crash(const struct smt_query *q)
{
    for (uint32_t i = 0; i < smt_program_test(&q->program)->condition_count; i++)
        if (smt_program_test(&q->program)->conditions[i].when == LIT_CRASHED)
            return true;
    return !q->request->decide || smt_program_test(&q->program)->recovery_count ||
           q->request->crash_mode == EXEC_CRASH_POINTS;
}

/* Each execution has a crash state if every write can persist and versions land in coherence order:
 * no rule then forbids the cut at which every event has executed and every write is durable. Crash
 * points may forbid that cut. */
static bool wants_run(const struct smt_query *q)
{
    const struct cat_model *model = q->request->model;
    bool may_have_none = q->request->crash_mode == EXEC_CRASH_POINTS || !model->all_can_persist ||
                         !model->lands_by_coherence;
    return (may_have_none && wants_crash(q)) ||
           outcome_wants_any(q->outcome, smt_program_test(&q->program), LIT_FINAL);
}

static void find_final_states(struct smt_query *q)
{
    struct smt_solver *s = q->program.solver;
    struct smt_finals finals = smt_finals_build(q);
    smt_relations_settle(q->relations);
    smt_push(s);
    smt_assert(s, finals.complete);
    if (smt_program_test(&q->program)->filter)
        smt_assert(s, smt_prop(q, smt_program_test(&q->program)->filter, finals.items,
                               finals.values, finals.count));
    answer(q, LIT_FINAL, &q->outcome->final, finals.items, finals.values, finals.count, NULL);
    look_for_any(q, LIT_FINAL);
    smt_pop(s);
    if (wants_run(q))
        look_for_run(q, finals.complete);
}

static void find_crash_states(struct smt_query *q)
{
    struct smt_solver *s = q->program.solver;
    const struct outcome_states *states = &q->outcome->crash;
    if (!wants_crash(q))
        return;
    smt_assert(s, smt_not(s, smt_program_some_on(&q->program, smt_path_is_probe)));
    struct smt_crash crash = smt_crash_build(q);
    smt_relations_settle(q->relations); /* for all conditions, each of which has a scope */
    bool recovers = smt_program_test(&q->program)->recovery_count > 0;
    if (recovers) /* from what is listed as well */
        smt_push(s);
    answer(q, LIT_CRASHED, &q->outcome->crash, states->items, crash.values, states->width, &crash);
    if (recovers)
        smt_pop(s);
    look_for_any(q, LIT_CRASHED);
    if (q->request->crash_mode == EXEC_CRASH_POINTS && q->outcome->stats.cuts == 0)
        q->outcome->stats.cuts += smt_ask(q) != SMT_UNSAT; /* is a crash point reached? */
    if (smt_program_test(&q->program)->recovery_count)
        smt_recover(q, &crash);
}

/* ---- The whole ---- */

static void at_most_one_probe(struct smt_query *q)
{
    struct smt_program *p = &q->program;
    smt_term before = smt_truth(p->solver, false);
    for (uint32_t t = 0; t < smt_program_test(&q->program)->thread_count; t++) {
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
    if (!smt_program_build(&q->program))
        return false;
    q->relations = smt_relations_new(&q->program);
    if (!q->relations)
        return false;
    at_most_one_probe(q);
    for (uint32_t c = 0; c < model->check_count; c++)
        if (model->checks[c].kind == CAT_CHECK && !q->program.unchecked)
            smt_assert_check(q->relations, &model->checks[c]);
    smt_prepare_witnesses(q);
    smt_relations_settle(q->relations);
    return !smt_out_of_time(&q->program);
}

static bool has_undefined_unless(const struct cat_model *model)
{
    return ANY(c, model->check_count, model->checks[c].kind == CAT_UNDEFINED_UNLESS);
}

static bool looks_at_dependencies(const struct cat_model *model)
{
    for (cat_node_id id = 0; id < model->node_count; id++) {
        const struct cat_node *node = &model->nodes[id];
        if (node->op == CAT_BASE && exec_base_depends(node->base))
            return true;
    }
    return false;
}

/* Joined paths may leave dependencies open, and what is iterated without a least solution has to be
 * known (smt_relations_new). */
static bool may_join(const struct cat_model *model)
{
    return !ANY(g, model->rec_group_count, model->rec_groups[g].inflates) ||
           !looks_at_dependencies(model);
}

/* What is the same under all models with these checks (smt_kept.h). */
static void ask_about_executions(struct smt_query *q)
{
    if (!q->request->conditions_alone)
        smt_look_for_undefined(q);
    smt_look_at_bounds(q);
    if (!smt_query_is_undefined(q))
        find_final_states(q);
}

static void ask_about_crashes(struct smt_query *q)
{
    struct outcome *outcome = q->outcome;
    if (!smt_query_is_undefined(q))
        find_crash_states(q);
    else /* recovery could change nothing about the verdict */
        outcome->recovery_doubts[OUTCOME_DOUBT_NO_RECOVERY] = false;
    if (q->request->crash_mode == EXEC_CRASH_POINTS && outcome->stats.cuts == 0 &&
        outcome->undefined.count == 0)
        outcome_add_flag(outcome, "no-crash-point-reached");
}

/* One thread's accesses leave next to no order open. */
enum smt_theory smt_theory_of(const struct lit_program *program)
{
    return program->thread_count == 1 && program->recovery_count <= 1 ? SMT_WORDS : SMT_INTEGERS;
}

struct exec_run_options smt_run_options(struct arena *scratch, const struct engine_request *request)
{
    struct exec_run_options options = {.unroll = request->limits.unroll,
                                       .brief = request->limits.brief,
                                       .probes = has_undefined_unless(request->model),
                                       .join = may_join(request->model),
                                       .dependencies = looks_at_dependencies(request->model),
                                       .crashes_tell = !request->model->lands_by_coherence};
    engine_find_waiting(scratch, request, &options.waits);
    options.effects = engine_find_effects(scratch, scratch, request);
    return options;
}

int64_t *smt_query_row(struct smt_query *q)
{
    const struct outcome *outcome = q->outcome;
    uint32_t width =
        outcome->final.width > outcome->crash.width ? outcome->final.width : outcome->crash.width;
    return ARENA_ARRAY(&q->arena, int64_t, width + 1);
}

void smt_query_init(struct smt_query *q, const struct engine_request *request,
                    struct outcome *outcome, struct smt_solver *solver)
{
    q->request = request;
    q->outcome = outcome;
    q->row = smt_query_row(q);
    smt_solver_heed(solver, &request->limits.clock);
    outcome->doubts[OUTCOME_DOUBT_UNROLL] |= request->limits.brief;
    q->program = (struct smt_program){.request = request,
                                      .outcome = outcome,
                                      .solver = solver,
                                      .arena = &q->arena,
                                      .options = smt_run_options(&q->arena, request)};
    q->program.options.path_events = &q->path_events;
    q->program.options.out_of_time = out_of_time;
    q->program.options.clock = q;
}

static void note_not_built(struct outcome *outcome)
{
    if (!outcome_doubt(outcome))
        outcome->doubts[OUTCOME_DOUBT_ENCODING] = true;
}

/* The first of the pairs that may share this. */
static void run_first(struct smt_base *base, const struct engine_request *request,
                      struct outcome *outcome)
{
    struct smt_query *q = &base->query;
    smt_query_init(q, request, outcome,
                   smt_solver_new(request->limits.memory_mib, smt_theory_of(request->program)));
    if (!smt_query_build(q)) {
        note_not_built(outcome);
        return;
    }
    ask_about_executions(q);
    smt_base_note(base);
    if (base->keeps) /* it makes Z3 a little slower */
        smt_push(q->program.solver);
    ask_about_crashes(q);
    if (base->keeps)
        smt_pop(q->program.solver);
}

/* What the pair's model says beside its checks is a matter of its own relations. */
static void run_again(const struct smt_base *base, const struct engine_request *request,
                      struct outcome *outcome)
{
    struct smt_query q;
    smt_base_share(base, request, outcome, &q);
    smt_push(q.program.solver);
    q.relations = smt_relations_new(&q.program);
    if (q.relations)
        ask_about_crashes(&q);
    else
        note_not_built(outcome);
    smt_pop(q.program.solver);
    if (q.relations)
        smt_relations_free(q.relations);
    arena_fini(&q.arena);
}

static void answer_request(const struct engine_request *request, struct outcome *outcome)
{
    struct smt_base *base = smt_base_begin(request);
    if (base->keeps)
        run_again(base, request, outcome);
    else
        run_first(base, request, outcome);
    smt_base_end(base, request);
}

void smt_run(const struct engine_request *request, struct outcome *outcome)
{
    struct timespec started = clock_now_monotonic();
    if (smt_library_load())
        answer_request(request, outcome);
    else
        outcome->doubts[OUTCOME_DOUBT_SOLVER] = true;
    outcome_sort(outcome);
    if (request->decide)
        outcome_settle_values(outcome, request->program);
    outcome->stats.seconds = clock_seconds_since(&started);
}
