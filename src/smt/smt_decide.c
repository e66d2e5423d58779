#include "smt/smt_decide.h"

#include "smt/smt_recovery.h"

/* ---- Conditions ------------------------------------------------------------------------- */

struct mentions {
    const struct outcome_states *states;
    bool *columns;
};

static void mention(void *context, const struct lit_atom *atom)
{
    const struct mentions *m = context;
    for (uint32_t i = 0; i < m->states->width; i++)
        if (atom->kind == LIT_ATOM_LOCATION && lit_atom_same(&m->states->items[i], atom))
            m->columns[i] = true;
}

/* The columns of the start that a condition mentions: they may still be as they were. */
static const bool *mentioned(struct smt_recovery *r, const struct lit_condition *condition)
{
    const struct outcome_states *states = &r->test->outcome->starts;
    struct mentions m = {states, ARENA_ARRAY(&r->test->arena, bool, states->width + 1)};
    lit_prop_each_atom(condition->prop, mention, &m);
    return m.columns;
}

/* Without an interruption. */
static enum smt_answer find_at_once(struct smt_recovery *r, const struct lit_condition *condition)
{
    struct smt_stage *first = &r->first;
    struct smt_solver *s = first->query.program.solver;
    smt_push(s);
    smt_assert(s, smt_stage_decides(first, condition));
    enum smt_answer answer = smt_ask(&first->query);
    if (answer == SMT_SAT) {
        smt_stage_add_crash(first, r->test, r->crash);
        smt_stage_add_recovered(first);
    }
    smt_pop(s);
    return answer;
}

/* The chain's last state is recovered to one that decides the condition. */
static void show_recovered(struct smt_recovery *r, smt_term holds)
{
    struct smt_stage *any = &r->any;
    struct smt_solver *s = any->query.program.solver;
    uint32_t count;
    const int64_t *const *chain = smt_reach_chain(r->reach, &count);
    smt_push(s);
    smt_assert(s, smt_stage_equals(any, any->start, chain[count - 1], NULL));
    smt_assert(s, holds);
    enum smt_answer answer = smt_ask(&any->query);
    BASE_CHECK(answer != SMT_UNSAT); /* the chain was followed to where it holds */
    if (answer == SMT_SAT) {
        smt_stage_read(any);
        smt_stage_add_recovered(any);
    }
    smt_pop(s);
}

static void decide_condition(struct smt_recovery *r, const struct lit_condition *condition)
{
    if (find_at_once(r, condition) != SMT_UNSAT || !r->reach)
        return;
    struct smt_target target = {.holds = smt_stage_decides(&r->any, condition),
                                .reads = mentioned(r, condition)};
    struct smt_solver *s = r->any.query.program.solver;
    target.fails = smt_and(s, r->any.finals.complete, smt_not(s, target.holds));
    if (smt_reach_find(r->reach, &target) == SMT_SAT)
        show_recovered(r, target.holds);
}

static void decide_conditions(struct smt_recovery *r)
{
    const struct lit_program *program = r->test->request->program;
    for (uint32_t i = 0; i < program->condition_count; i++)
        if (program->conditions[i].when == LIT_RECOVERED)
            decide_condition(r, &program->conditions[i]);
}

/* No recovered state is known: is there one? If there is none, is there a crash state? */
static void look_for_any(struct smt_recovery *r)
{
    struct smt_solver *s = r->test->program.solver;
    bool *met = r->test->outcome->met;
    if (!outcome_wants_any(r->test->outcome, r->test->request->program, LIT_RECOVERED))
        return;
    smt_push(s);
    smt_assert(s, r->first.finals.complete);
    met[LIT_RECOVERED] = smt_ask(&r->first.query) == SMT_SAT;
    smt_pop(s);
    if (!met[LIT_RECOVERED])
        met[LIT_CRASHED] |= smt_ask(r->test) == SMT_SAT;
}

/* ---- Undefined behaviour and bounds ----------------------------------------------------- */

/* What the last solution of a question to `any` starts on, and reads of it. */
struct sight {
    struct smt_stage *stage;
    bool *reads;
};

static void on_solution(void *context)
{
    const struct sight *sight = context;
    smt_stage_read(sight->stage);
    smt_stage_reads_start(sight->stage, NULL, sight->reads);
}

/* Looks once more at what is not ruled out. Returns whether there is something; then `sight` is
 * of it. */
static bool look(struct smt_recovery *r, struct sight *sight, struct outcome *found)
{
    struct smt_query *q = &r->any.query;
    q->outcome = found;
    q->on_solution = on_solution;
    q->context = sight;
    smt_look_for_undefined(q);
    if (found->undefined.count == 0)
        smt_look_at_bounds(q);
    q->on_solution = NULL;
    q->outcome = &r->any.outcome;
    return found->undefined.count || outcome_doubt(found);
}

/* What was found belongs to a state that recovery may start on. */
static void take_found(struct smt_recovery *r, struct outcome *found)
{
    for (size_t i = 0; i < found->undefined.count; i++)
        outcome_add_undefined(&r->any.outcome, &found->undefined.items[i]);
    for (int doubt = 0; doubt < OUTCOME_DOUBT_COUNT; doubt++)
        r->any.outcome.doubts[doubt] |= found->doubts[doubt];
}

/* Returns whether to look again: what was found belongs to no state that recovery starts on. */
static bool look_further(struct smt_recovery *r)
{
    struct smt_solver *s = r->any.query.program.solver;
    struct sight sight = {&r->any,
                          ARENA_ARRAY(&r->test->arena, bool, r->test->outcome->starts.width + 1)};
    struct outcome found;
    bool again = false;
    outcome_init(&found, &r->any.program);
    if (look(r, &sight, &found)) {
        smt_term there = smt_stage_equals(&r->any, r->any.start, r->any.start_row, sight.reads);
        struct smt_target target = {.holds = there, .reads = sight.reads, .start_alone = true};
        enum smt_answer reached = smt_reach_find(r->reach, &target);
        if (reached == SMT_SAT)
            take_found(r, &found);
        again = reached == SMT_UNSAT && !smt_is(s, there, true);
    }
    outcome_fini(&found);
    return again;
}

/* Failures that turn out to be out of reach. */
enum { MOST_FAILURES = 1000 };

static void look_at_failures(struct smt_recovery *r)
{
    smt_look_for_undefined(&r->first.query);
    smt_look_at_bounds(&r->first.query);
    if (r->first.outcome.undefined.count || !r->reach)
        return;
    for (uint32_t i = 0; i < MOST_FAILURES; i++)
        if (!look_further(r))
            return;
    r->any.outcome.doubts[OUTCOME_DOUBT_STATES] = true;
}

/* ---- The whole -------------------------------------------------------------------------- */

static bool build(struct smt_recovery *r)
{
    return smt_stage_init(&r->first, r->test, r->crash->values, true) &&
           (!r->first.restarts || smt_stage_init(&r->any, r->test, NULL, true));
}

static void finish(struct smt_recovery *r, bool decided)
{
    struct smt_stage *stages[] = {&r->first, &r->any};
    if (r->reach)
        smt_reach_free(r->reach);
    for (int i = 0; i < 2 && stages[i]->test; i++) {
        if (decided) {
            smt_stage_take_undefined(stages[i]);
            smt_stage_take_doubts(stages[i]);
        }
        smt_stage_fini(stages[i]);
    }
}

static void decide(struct smt_recovery *r)
{
    bool alone = r->test->request->conditions_alone;
    if (!alone)
        look_at_failures(r);
    if (r->first.outcome.undefined.count || r->any.outcome.undefined.count)
        return;
    decide_conditions(r);
    look_for_any(r);
    if (!alone)
        smt_look_for_livelock(r);
    smt_show_chains(r->reach ? &r->any : &r->first);
}

/* Transactions that a model keeps apart can wait for each other: one has what the other wants to
 * touch, and stays in an await that the other was to end. */
static bool keeps_transactions_apart(const struct cat_model *model)
{
    bool declared =
        ANY(i, model->declaration_count, model->declarations[i].kinds >> CAT_DECLARED_TX & 1);
    return declared && model->check_count > model->visibility_check_count;
}

/* Does every start have an execution? Under a built-in model that does not keep transactions apart
 * it does: the checks let some interleaving pass, even one that gets stuck. Under the others, and a
 * user's own, it does if recovery always completes. */
static bool shows_all_starts(struct smt_recovery *r)
{
    const struct engine_request *request = r->test->request;
    bool some_pass = request->conditions_alone ||
                     (request->model->builtin && !keeps_transactions_apart(request->model));
    r->completes = !some_pass && smt_always_completes(r);
    return some_pass || r->completes;
}

bool smt_decide_recovery(struct smt_query *test, const struct smt_crash *crash)
{
    struct smt_recovery r = {.test = test, .crash = crash};
    if (!shows_all_starts(&r))
        return false;
    bool built = build(&r), decided = true;
    if (built && r.first.restarts) {
        r.reach = engine_recovery_may_flag(test->request, test->outcome)
                      ? NULL /* flags are told where recovery is listed */
                      : smt_reach_new(test, crash, &r.first, &r.any);
        decided = r.reach != NULL;
    }
    if (built && decided)
        decide(&r);
    finish(&r, decided);
    return decided;
}
