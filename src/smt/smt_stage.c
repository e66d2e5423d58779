#include "smt/smt_stage.h"

#include "engine/recovery_image.h"

#include <string.h>

static const struct outcome_states *starts(const struct smt_stage *stage)
{
    return &stage->test_outcome->starts;
}

/* ---- Making it ---- */

/* A link of a chain is filled by the execution shown for it; the test sees all of them. */
static void on_witness(void *context, const struct engine_witness *witness)
{
    struct smt_stage *stage = context;
    const struct engine_request *test = stage->test;
    if (stage->link)
        recovery_fill_link(&stage->test_outcome->arena, test->program, witness, stage->link);
    if (test->on_witness)
        test->on_witness(test->context, witness);
}

/* Recovery as a program whose final states are the test's recovered ones. */
static void make_request(struct smt_stage *stage)
{
    const struct lit_program *test = stage->test->program;
    stage->program = lit_recovery_program(test);
    stage->locations = arena_copy(&stage->query.arena, test->locations,
                                  test->location_count * sizeof *test->locations);
    stage->program.locations = stage->locations;
    stage->program.observed = stage->test_outcome->recovered.items;
    stage->program.observed_count = stage->test_outcome->recovered.width;
    stage->request = *stage->test;
    stage->request.program = &stage->program;
    stage->request.crash_mode = stage->restarts ? EXEC_CRASH_ANYWHERE : EXEC_CRASH_END;
    stage->request.on_recovery = NULL;
    stage->request.on_witness = on_witness;
    stage->request.on_undefined = NULL;
    stage->request.context = stage;
}

static void give_start(struct smt_stage *stage, const smt_term *image)
{
    const struct outcome_states *states = starts(stage);
    struct arena *arena = &stage->query.arena;
    smt_term *initial = ARENA_ARRAY(arena, smt_term, stage->program.location_count);
    stage->start = ARENA_ARRAY(arena, smt_term, states->width);
    for (uint32_t i = 0; i < states->width; i++) {
        uint32_t location = states->items[i].location;
        stage->start[i] =
            image ? image[i]
                  : smt_value(stage->query.program.solver, stage->locations[location].type);
        initial[location] = stage->start[i];
    }
    stage->query.program.initial = initial;
}

/* The columns of the test's recovered states, among those of the stage's final ones. */
static void find_recovered(struct smt_stage *stage)
{
    const struct outcome_states *states = &stage->test_outcome->recovered;
    stage->finals = smt_finals_build(&stage->query);
    stage->recovered = ARENA_ARRAY(&stage->query.arena, smt_term, states->width);
    for (uint32_t i = 0; i < states->width; i++)
        for (uint32_t k = 0; k < stage->finals.count; k++)
            if (lit_atom_same(&stage->finals.items[k], &states->items[i]))
                stage->recovered[i] = stage->finals.values[k];
}

static bool build(struct smt_stage *stage, const smt_term *image)
{
    give_start(stage, image);
    if (!smt_query_build(&stage->query))
        return false;
    find_recovered(stage);
    if (stage->restarts)
        stage->crash = smt_crash_build(&stage->query);
    smt_relations_settle(stage->query.relations);
    return true;
}

bool smt_stage_init(struct smt_stage *stage, const struct smt_query *test, const smt_term *image,
                    bool checked)
{
    const struct engine_request *request = test->request;
    *stage = (struct smt_stage){.test = request,
                                .test_outcome = test->outcome,
                                .owns_solver = !image,
                                .restarts = request->program->recovery_restartable ||
                                            request->recovery_crash};
    struct smt_query *q = &stage->query;
    arena_init(&q->arena);
    make_request(stage);
    outcome_init(&stage->outcome, &stage->program);
    smt_query_init(
        q, &stage->request, &stage->outcome,
        image ? test->program.solver
              : smt_solver_new(request->limits.memory_mib, smt_theory_of(&stage->program)));
    q->program.unchecked = !checked;
    uint32_t width = starts(stage)->width;
    stage->start_row = ARENA_ARRAY(&q->arena, int64_t, width + 1);
    stage->left_row = ARENA_ARRAY(&q->arena, int64_t, width + 1);
    stage->recovered_row =
        ARENA_ARRAY(&q->arena, int64_t, stage->test_outcome->recovered.width + 1);
    if (build(stage, image))
        return true;
    if (!outcome_doubt(&stage->outcome))
        stage->outcome.doubts[OUTCOME_DOUBT_ENCODING] = true;
    return false;
}

void smt_stage_fini(struct smt_stage *stage)
{
    struct smt_query *q = &stage->query;
    if (q->relations)
        smt_relations_free(q->relations);
    if (stage->owns_solver)
        smt_solver_free(q->program.solver);
    outcome_fini(&stage->outcome);
    arena_fini(&q->arena);
}

/* ---- Terms ---- */

static enum lit_type column_type(const struct smt_stage *stage, uint32_t column)
{
    return stage->locations[starts(stage)->items[column].location].type;
}

smt_term smt_stage_equals(struct smt_stage *stage, const smt_term *values, const int64_t *row,
                          const bool *mask)
{
    struct smt_solver *s = stage->query.program.solver;
    smt_term all = smt_truth(s, true);
    for (uint32_t i = 0; i < starts(stage)->width; i++)
        if (!mask || mask[i])
            all = smt_and(s, all,
                          smt_equal(s, values[i], smt_constant(s, column_type(stage, i), row[i])));
    return all;
}

smt_term smt_stage_decides(struct smt_stage *stage, const struct lit_condition *condition)
{
    const struct smt_finals *finals = &stage->finals;
    return smt_and(
        stage->query.program.solver, finals->complete,
        smt_deciding(&stage->query, condition, finals->items, finals->values, finals->count));
}

smt_term smt_stage_recovers(struct smt_stage *stage, const int64_t *row)
{
    struct smt_solver *s = stage->query.program.solver;
    const struct outcome_states *states = &stage->test_outcome->recovered;
    smt_term all = stage->finals.complete;
    for (uint32_t i = 0; i < states->width; i++) {
        enum lit_type type = lit_atom_type(&stage->program, &states->items[i]);
        all = smt_and(s, all, smt_equal(s, stage->recovered[i], smt_constant(s, type, row[i])));
    }
    return all;
}

smt_term smt_stage_interrupted(struct smt_stage *stage)
{
    struct smt_program *p = &stage->query.program;
    return smt_not(p->solver, smt_program_some_on(p, smt_path_is_probe));
}

/* ---- Solutions ---- */

static void read_values(struct smt_stage *stage, const struct outcome_states *states,
                        const smt_term *values, int64_t *row)
{
    for (uint32_t i = 0; i < states->width; i++)
        row[i] = smt_model_value(stage->query.program.solver,
                                 lit_atom_type(&stage->program, &states->items[i]), values[i]);
}

void smt_stage_read(struct smt_stage *stage)
{
    read_values(stage, starts(stage), stage->start, stage->start_row);
    read_values(stage, &stage->test_outcome->recovered, stage->recovered, stage->recovered_row);
    if (stage->restarts)
        read_values(stage, starts(stage), stage->crash.values, stage->left_row);
}

static bool holds(const struct smt_stage *stage, smt_term term)
{
    return term && smt_model_holds(stage->query.program.solver, term);
}

/* Does a read of the execution, or a wait that never ends, take the location's first value? */
static bool is_read(const struct smt_stage *stage, uint32_t location)
{
    const struct smt_program *p = &stage->query.program;
    for (uint32_t e = p->init_count; e < p->dim.n; e++)
        if (holds(stage, p->rf[smt_pair(p, location, e)]))
            return true;
    for (uint32_t t = 0; t < stage->program.thread_count; t++)
        for (uint32_t i = 0; i < p->threads[t].paths.count; i++) {
            const struct exec_path *path = p->threads[t].paths.items[i];
            for (uint32_t k = path->event_count; k < path->slot_count; k++)
                if (path->events[k].location == location && holds(stage, p->threads[t].chosen[i]))
                    return true;
        }
    return false;
}

void smt_stage_reads_start(struct smt_stage *stage, const bool *left, bool *reads)
{
    const struct outcome_states *states = starts(stage);
    for (uint32_t i = 0; i < states->width; i++) {
        uint32_t location = states->items[i].location; /* the number of its initial write, too */
        reads[i] = is_read(stage, location) ||
                   (left && left[i] && holds(stage, stage->crash.last[i][location]));
    }
}

static void show(struct smt_stage *stage, const struct outcome_states *states,
                 const smt_term *values, const struct smt_crash *crash)
{
    const struct engine_request *test = stage->test;
    if (!test->on_witness && !stage->link)
        return;
    for (uint32_t i = 0; i < starts(stage)->width; i++)
        stage->locations[starts(stage)->items[i].location].init = stage->start_row[i];
    if (test->on_recovery)
        test->on_recovery(test->context, &stage->request, stage->start_row);
    smt_read_row(&stage->query, states, values);
    smt_show_witness(&stage->query, states, crash);
    if (test->on_recovery)
        test->on_recovery(test->context, NULL, NULL);
}

void smt_stage_add_crash(struct smt_stage *stage, struct smt_query *test,
                         const struct smt_crash *crash)
{
    struct outcome_states *states = &test->outcome->crash;
    smt_stage_read(stage);
    smt_read_row(test, states, crash->values);
    if (outcome_add_state(states, test->row))
        smt_show_witness(test, states, crash);
}

static bool add_pair(struct smt_stage *stage, struct outcome_states *pairs, const int64_t *to,
                     uint32_t width)
{
    struct outcome *outcome = stage->test_outcome;
    struct arena_mark mark = arena_mark(&stage->query.arena);
    int64_t *pair = ARENA_ARRAY(&stage->query.arena, int64_t, pairs->width + 1);
    outcome_pair(pair, stage->start_row, outcome->starts.width, to, width);
    bool is_new = outcome_add_state(pairs, pair);
    arena_rewind(&stage->query.arena, mark);
    outcome->recovery_doubts[OUTCOME_DOUBT_STATES] |= pairs->full;
    return is_new;
}

void smt_stage_add_recovered(struct smt_stage *stage)
{
    struct outcome *outcome = stage->test_outcome;
    outcome_add_state(&outcome->recovered, stage->recovered_row);
    if (add_pair(stage, &outcome->recoveries, stage->recovered_row, outcome->recovered.width))
        show(stage, &stage->outcome.final, stage->finals.values, NULL);
}

void smt_stage_add_restart(struct smt_stage *stage)
{
    struct outcome *outcome = stage->test_outcome;
    if (add_pair(stage, &outcome->restarts, stage->left_row, outcome->starts.width))
        show(stage, &stage->outcome.crash, stage->crash.values, &stage->crash);
}

/* ---- Chains ---- */

/* Recovery runs from the link's start to its end, or up to a crash that leaves `next`. */
static smt_term does_link(struct smt_stage *stage, const struct outcome_link *link,
                          const int64_t *next)
{
    struct smt_solver *s = stage->query.program.solver;
    smt_term from = smt_stage_equals(stage, stage->start, link->start, NULL);
    smt_term to = link->completes
                      ? smt_stage_recovers(stage, next)
                      : smt_and(s, smt_stage_interrupted(stage),
                                smt_stage_equals(stage, stage->crash.values, next, NULL));
    return smt_and(s, from, to);
}

static void show_link(struct smt_stage *stage, struct outcome_link *link, const int64_t *next)
{
    struct smt_solver *s = stage->query.program.solver;
    smt_push(s);
    smt_assert(s, does_link(stage, link, next));
    enum smt_answer answer = smt_ask(&stage->query);
    BASE_CHECK(answer != SMT_UNSAT); /* it was found before */
    if (answer == SMT_SAT) {
        smt_stage_read(stage);
        stage->link = link;
        if (link->completes)
            show(stage, &stage->outcome.final, stage->finals.values, NULL);
        else
            show(stage, &stage->outcome.crash, stage->crash.values, &stage->crash);
        stage->link = NULL;
    }
    smt_pop(s);
}

/* Running out of time while a link is shown leaves no doubt about what was found. */
void smt_stage_show_chain(struct smt_stage *stage, struct outcome_chain *chain)
{
    bool doubts[OUTCOME_DOUBT_COUNT];
    struct outcome *outcome = stage->test_outcome;
    struct outcome_link *links =
        ARENA_ARRAY(&outcome->arena, struct outcome_link, chain->link_count);
    memcpy(doubts, stage->outcome.doubts, sizeof doubts);
    for (uint32_t i = 0; i < chain->link_count; i++) {
        links[i] = chain->links[i];
        show_link(stage, &links[i],
                  links[i].completes ? chain->recovered : chain->links[i + 1].start);
    }
    chain->links = links;
    memcpy(stage->outcome.doubts, doubts, sizeof doubts);
}

/* ---- What was found ---- */

void smt_stage_take_undefined(struct smt_stage *stage)
{
    outcome_take_undefined(stage->test_outcome, &stage->outcome,
                           stage->test->program->thread_count);
}

void smt_stage_take_doubts(struct smt_stage *stage)
{
    outcome_take_doubts(stage->test_outcome, &stage->outcome);
    stage->test_outcome->stats.candidates += stage->outcome.stats.candidates;
}
