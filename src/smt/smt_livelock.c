/* Livelocks: states from which no execution of recovery completes. First all states are tried at
 * once. Where nobody waits, the threads can run one after the other, each read taking the latest
 * write before it. Such a run exists from every state. If the model's checks hold in all of these
 * runs, every recovery can complete. Else states are tried one by one: an execution that completes
 * from one state does so from all that agree on what it reads. */
#include "smt/smt_decide.h"

#include "smt/smt_relation.h"
#include "smt/smt_recovery.h"

/* ---- One thread after the other --------------------------------------------------------- */

static bool waits(const struct exec_path *path)
{
    return path->end == EXEC_AT_AWAIT || path->end == EXEC_AT_BARRIER;
}

/* Reads take the latest write before them, in the order of the events' numbers; coherence is
 * that order. */
static void run_in_order(struct smt_program *p)
{
    struct smt_solver *s = p->solver;
    for (uint32_t a = 0; a < p->dim.n; a++)
        for (uint32_t b = 0; b < p->dim.n; b++) {
            smt_term rf = p->rf[smt_pair(p, a, b)], co = p->co[smt_pair(p, a, b)];
            if (rf && a > b)
                smt_assert(s, smt_not(s, rf));
            for (uint32_t k = a + 1; rf && k < b; k++)
                if (p->rf[smt_pair(p, k, b)])
                    smt_assert(s, smt_not(s, smt_and(s, rf, p->events[k].guard)));
            if (co && a < b)
                smt_assert(s, co);
        }
}

/* A cyclic relation has no linearisation. A state that leads to one has no execution, and no
 * formula says what fails there. */
static bool may_have_nothing_to_choose(const struct cat_model *model)
{
    return ANY(i, model->choice_count, model->choices[i].kind == CAT_LINEARISATIONS);
}

bool smt_always_completes(struct smt_recovery *r)
{
    struct smt_stage stage;
    const struct cat_model *model = r->test->request->model;
    bool completes = false;
    if (may_have_nothing_to_choose(model))
        return false;
    if (smt_stage_init(&stage, r->test, NULL, false) &&
        smt_is(stage.query.program.solver, smt_program_some_on(&stage.query.program, waits),
               false)) {
        struct smt_query *q = &stage.query;
        struct smt_solver *s = q->program.solver;
        smt_term fails = smt_truth(s, false);
        run_in_order(&q->program);
        for (uint32_t c = 0; c < model->check_count; c++)
            if (model->checks[c].kind == CAT_CHECK)
                fails = smt_or(s, fails, smt_check_fails(q->relations, &model->checks[c]));
        smt_relations_settle(q->relations);
        smt_assert(s, smt_and(s, fails, smt_stage_interrupted(&stage)));
        completes = smt_ask(q) == SMT_UNSAT && !outcome_doubt(&stage.outcome);
    }
    smt_stage_fini(&stage);
    return completes;
}

/* ---- State by state --------------------------------------------------------------------- */

struct livelocks {
    struct smt_recovery *recovery;
    struct smt_stage *stage;
    smt_term open; /* assumed: the start is none of those that were looked at */
    int64_t *row;
    bool *reads;
};

/* Looked at: all that agree with the row on these columns. */
static void close(struct livelocks *l, const bool *columns)
{
    struct smt_solver *s = l->stage->query.program.solver;
    smt_term there = smt_stage_equals(l->stage, l->stage->start, l->row, columns);
    smt_assert(s, smt_implies(s, l->open, smt_not(s, there)));
}

static enum smt_answer completes(struct livelocks *l)
{
    struct smt_stage *stage = l->stage;
    struct smt_solver *s = stage->query.program.solver;
    smt_push(s);
    smt_assert(s, smt_stage_equals(stage, stage->start, l->row, NULL));
    smt_assert(s, stage->finals.complete);
    enum smt_answer answer = smt_ask(&stage->query);
    if (answer == SMT_SAT)
        smt_stage_reads_start(stage, NULL, l->reads);
    smt_pop(s);
    return answer;
}

/* Shows how the test's crash leaves the row. */
static void show_crash(struct livelocks *l)
{
    struct smt_recovery *r = l->recovery;
    struct smt_solver *s = r->first.query.program.solver;
    smt_push(s);
    smt_assert(s, smt_stage_equals(&r->first, r->first.start, l->row, NULL));
    if (smt_ask(&r->first.query) == SMT_SAT)
        smt_stage_add_crash(&r->first, r->test, r->crash);
    smt_pop(s);
}

static enum smt_answer is_reached(struct livelocks *l)
{
    struct smt_recovery *r = l->recovery;
    uint32_t width = r->test->outcome->starts.width;
    bool *all = ARENA_ARRAY(&r->test->arena, bool, width + 1);
    if (!r->reach) {
        show_crash(l);
        return SMT_SAT;
    }
    for (uint32_t i = 0; i < width; i++)
        all[i] = true;
    struct smt_target target = {.holds = smt_stage_equals(l->stage, l->stage->start, l->row, NULL),
                                .reads = all,
                                .start_alone = true};
    return smt_reach_find(r->reach, &target);
}

/* No execution completes from the row. Returns whether to look further. */
static bool look_at_stuck(struct livelocks *l)
{
    struct outcome *outcome = l->recovery->test->outcome;
    smt_term there = smt_stage_equals(l->stage, l->stage->start, l->row, NULL);
    if (!smt_recovery_fails(l->stage, there)) {
        enum smt_answer reached = is_reached(l);
        if (reached == SMT_SAT) {
            outcome_add_state(&outcome->livelocks, l->row);
            outcome_add_flag(outcome, "livelock");
        }
        if (reached != SMT_UNSAT)
            return false;
    }
    close(l, NULL);
    return true;
}

enum { MOST_STATES = 4096 };

static void look_at_states(struct livelocks *l)
{
    struct smt_query *q = &l->stage->query;
    uint32_t width = l->recovery->test->outcome->starts.width;
    for (uint32_t i = 0; i < MOST_STATES; i++) {
        if (smt_ask_assuming(q, &l->open, 1, NULL) != SMT_SAT)
            return;
        smt_stage_read(l->stage);
        outcome_pair(l->row, l->stage->start_row, width, NULL, 0);
        enum smt_answer answer = completes(l);
        if (answer == SMT_UNKNOWN)
            return;
        if (answer == SMT_SAT)
            close(l, l->reads);
        else if (!look_at_stuck(l))
            return;
    }
    q->outcome->doubts[OUTCOME_DOUBT_STATES] = true;
}

void smt_look_for_livelock(struct smt_recovery *r)
{
    if (r->completes || smt_always_completes(r))
        return;
    struct smt_stage *stage = r->reach ? &r->any : &r->first;
    uint32_t width = r->test->outcome->starts.width;
    struct livelocks l = {.recovery = r,
                          .stage = stage,
                          .open = smt_bool(stage->query.program.solver),
                          .row = ARENA_ARRAY(&r->test->arena, int64_t, width + 1),
                          .reads = ARENA_ARRAY(&r->test->arena, bool, width + 1)};
    look_at_states(&l);
}
