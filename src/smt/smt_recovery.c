/* Listing: pairs of a start and a recovered state, and pairs of a start and the state that a crash
 * within recovery leaves, round by round, until there is no new start. Deciding: the test's crash
 * and recovery are one formula, and no image is listed; smt_reach.h covers further rounds. When a
 * list lacks self-justifying values, it leaves open what is then decided. */
#include "smt/smt_recovery.h"

#include "smt/smt_decide.h"

#include <string.h>

/* A state that recovery starts on, by its number among the starts. */
struct listing {
    struct smt_stage *stage;
    struct outcome *outcome;
    struct outcome_states starts; /* columns of crash states */
    size_t first;                 /* those of this round begin here */
};

/* ---- Listing ---------------------------------------------------------------------------- */

static bool add_start(struct listing *l, const int64_t *row)
{
    bool is_new = outcome_add_state(&l->starts, row);
    l->outcome->recovery_doubts[OUTCOME_DOUBT_STATES] |= l->starts.full;
    l->outcome->recovery_stats.starts += is_new;
    return is_new;
}

/* The start is one of those from `first` on. */
static smt_term is_start(struct listing *l, size_t first)
{
    struct smt_stage *stage = l->stage;
    size_t count = l->starts.count - first;
    smt_term *each = base_realloc(NULL, (count + 1) * sizeof *each);
    for (size_t i = 0; i < count; i++)
        each[i] = smt_stage_equals(stage, stage->start, outcome_row(&l->starts, first + i), NULL);
    smt_term some = smt_any(stage->query.program.solver, each, (uint32_t)count);
    base_free(each);
    return some;
}

/* Rules the pair of the last solution out; `to` says that it ends there. */
static void exclude(struct smt_stage *stage, smt_term to)
{
    struct smt_solver *s = stage->query.program.solver;
    smt_term from = smt_stage_equals(stage, stage->start, stage->start_row, NULL);
    smt_assert(s, smt_not(s, smt_and(s, from, to)));
}

static void list_recovered(struct listing *l, smt_term starts)
{
    struct smt_stage *stage = l->stage;
    struct smt_solver *s = stage->query.program.solver;
    smt_push(s);
    smt_assert(s, smt_and(s, starts, stage->finals.complete));
    struct smt_list list = {0};
    while (!l->outcome->recoveries.full && smt_list_next(&stage->query, &list) == SMT_SAT) {
        smt_stage_read(stage);
        smt_stage_add_recovered(stage);
        exclude(stage, smt_stage_recovers(stage, stage->recovered_row));
    }
    smt_list_end(&stage->query, &list);
    smt_pop(s);
}

/* Adds what crashes in this round's recoveries leave to the starts. */
static void list_restarts(struct listing *l, smt_term starts)
{
    struct smt_stage *stage = l->stage;
    struct smt_solver *s = stage->query.program.solver;
    smt_term same = smt_truth(s, true);
    for (uint32_t i = 0; i < l->starts.width; i++)
        same = smt_and(s, same, smt_equal(s, stage->start[i], stage->crash.values[i]));
    smt_push(s);
    smt_assert(s, smt_and(s, starts, smt_and(s, smt_stage_interrupted(stage), smt_not(s, same))));
    struct smt_list list = {0};
    while (!l->outcome->restarts.full && !l->starts.full &&
           smt_list_next(&stage->query, &list) == SMT_SAT) {
        smt_stage_read(stage);
        smt_stage_add_restart(stage);
        add_start(l, stage->left_row);
        exclude(stage, smt_stage_equals(stage, stage->crash.values, stage->left_row, NULL));
    }
    smt_list_end(&stage->query, &list);
    smt_pop(s);
}

static uint32_t most_rounds(const struct engine_request *request)
{
    return request->rounds ? request->rounds : ENGINE_ROUNDS;
}

/* Round after round; the states that were started on are those before `first` then. */
static void go_rounds(struct listing *l)
{
    uint32_t most = most_rounds(l->stage->test);
    uint64_t *rounds = &l->outcome->recovery_stats.rounds;
    while (l->first < l->starts.count && *rounds < most) {
        size_t count = l->starts.count;
        smt_term starts = is_start(l, l->first);
        ++*rounds;
        list_recovered(l, starts);
        if (l->stage->restarts)
            list_restarts(l, starts);
        l->first = count;
    }
    l->outcome->recovery_doubts[OUTCOME_DOUBT_ROUNDS] |= l->first < l->starts.count;
}

bool smt_recovery_fails(struct smt_stage *stage, smt_term fixed)
{
    struct smt_query *q = &stage->query;
    struct outcome scratch;
    smt_relations_settle(q->relations);
    outcome_init(&scratch, &stage->program);
    q->outcome = &scratch;
    smt_push(q->program.solver);
    smt_assert(q->program.solver, fixed);
    smt_look_for_undefined(q);
    smt_look_at_bounds(q);
    smt_pop(q->program.solver);
    q->outcome = &stage->outcome;
    bool fails = scratch.undefined.count || outcome_doubt(&scratch);
    outcome_fini(&scratch);
    return fails;
}

static bool has_recovery(const struct outcome *outcome, const int64_t *start)
{
    return ANY(i, outcome->recoveries.count,
               memcmp(outcome_row(&outcome->recoveries, i), start,
                      outcome->starts.width * sizeof *start) == 0);
}

/* Asked again, since time or memory may have ended the listing. */
static bool never_completes(struct smt_stage *stage, smt_term fixed)
{
    struct smt_solver *s = stage->query.program.solver;
    smt_push(s);
    smt_assert(s, smt_and(s, fixed, stage->finals.complete));
    enum smt_answer answer = smt_ask(&stage->query);
    smt_pop(s);
    return answer == SMT_UNSAT;
}

/* After undefined behaviour was looked for, so that all it needs is written down. */
static void find_livelocks(struct listing *l)
{
    struct smt_stage *stage = l->stage;
    bool doubted = outcome_doubt(&stage->outcome) != NULL;
    for (size_t i = 0; i < l->first; i++) {
        const int64_t *row = outcome_row(&l->starts, i);
        smt_term fixed = smt_stage_equals(stage, stage->start, row, NULL);
        if (has_recovery(l->outcome, row) || !never_completes(stage, fixed))
            continue;
        if ((doubted || stage->outcome.undefined.count) && smt_recovery_fails(stage, fixed))
            continue;
        if (outcome_add_state(&l->outcome->livelocks, row))
            outcome_add_flag(l->outcome, "livelock");
    }
}

void smt_show_chains(struct smt_stage *stage)
{
    struct outcome *outcome = stage->test_outcome;
    outcome_sort(outcome);
    outcome_find_chains(outcome, stage->test->program);
    for (uint32_t i = 0; i < stage->test->program->condition_count; i++)
        if (outcome->chains[i].recovered)
            smt_stage_show_chain(stage, &outcome->chains[i]);
}

static void list_recovery(struct smt_query *test)
{
    struct smt_stage stage;
    struct listing l = {.stage = &stage, .outcome = test->outcome};
    l.starts.width = test->outcome->starts.width;
    if (smt_stage_init(&stage, test, NULL, true)) {
        for (size_t i = 0; i < test->outcome->crash.count; i++)
            add_start(&l, outcome_row(&test->outcome->crash, i));
        go_rounds(&l);
        l.starts.count = l.first;
        smt_assert(stage.query.program.solver, is_start(&l, 0));
        smt_look_for_undefined(&stage.query);
        smt_look_at_bounds(&stage.query);
        find_livelocks(&l);
        smt_stage_take_undefined(&stage);
        smt_show_chains(&stage);
    }
    smt_stage_take_doubts(&stage);
    smt_stage_fini(&stage);
    base_free(l.starts.values);
    base_free(l.starts.slots);
}

/* ---- The whole -------------------------------------------------------------------------- */

/* The list lacks states of values that justify themselves, so it leaves conditions open. These are
 * decided instead: that question covers such values and all rounds, of which such values may make
 * more and more. If it has no answer, recovery may fail on a crash state that is not listed. */
static void settle_values(struct smt_query *test, const struct smt_crash *crash)
{
    struct outcome *outcome = test->outcome;
    const struct lit_program *program = test->request->program;
    bool *doubts = outcome->recovery_doubts, rounds = doubts[OUTCOME_DOUBT_ROUNDS];
    doubts[OUTCOME_DOUBT_ROUNDS] = false;
    bool decided = !test->request->decide && smt_decide_recovery(test, crash);
    doubts[OUTCOME_DOUBT_ROUNDS] |= rounds && !decided;
    doubts[OUTCOME_DOUBT_THIN_AIR_FAILURE] |= !decided;
    for (uint32_t i = 0; i < program->condition_count; i++)
        outcome->all_values[i] |= decided && program->conditions[i].when == LIT_RECOVERED;
}

void smt_recover(struct smt_query *test, const struct smt_crash *crash)
{
    const struct outcome *outcome = test->outcome;
    test->outcome->recovery_doubts[OUTCOME_DOUBT_NO_RECOVERY] = false;
    if (test->request->decide) {
        if (smt_decide_recovery(test, crash))
            return;
        smt_push(test->program.solver);
        smt_list_states(test, &test->outcome->crash, crash->values, crash);
        smt_pop(test->program.solver);
    }
    list_recovery(test);
    if (outcome->doubts[OUTCOME_DOUBT_THIN_AIR] || outcome->recovery_doubts[OUTCOME_DOUBT_THIN_AIR])
        settle_values(test, crash);
}
