/* Property-directed reachability (Bradley, SAT-based model checking without unrolling, VMCAI 2011;
 * Een, Mishchenko, Brayton, FMCAD 2011). Level i is a set of clauses that hold of every state after
 * at most i interrupted recoveries. Level 0 is the test's crash image itself. Take a state of a
 * level that has what is looked for. Either it has a predecessor one level down, and so on to the
 * crash image, or a learnt clause rules it out. When two levels have the same clauses, no crash
 * leads out of them: they hold after any number of rounds. */
#include "smt/smt_reach.h"

#include "smt/smt_values.h"

#include <string.h>

/* A state, or all that agree with it where `has` says so. */
struct cube {
    int64_t *values;
    bool *has;
};

/* No state after at most `level` interruptions is in the cube; after FOR_EVER none at all. */
enum { FOR_EVER = INT32_MAX };

struct lemma {
    struct cube cube;
    uint32_t level;
};

/* "The column has the value", as a variable that can be assumed. */
struct literal {
    smt_term term; /* of the column */
    int64_t value;
    smt_term holds;
};

struct smt_reach {
    struct smt_query *test;
    const struct smt_crash *crash;
    struct smt_stage *first, *any;
    struct arena arena;
    uint32_t width, most;
    VEC(struct lemma) lemmas;
    VEC(smt_term) levels; /* per level: its clauses hold; level 0 has none */
    VEC(struct literal) literals;
    VEC(const int64_t *) chain;
    smt_term *assumed; /* room */
    bool *core;
    bool exact; /* states are not taken together for what all complete executions do */
};

/* ---- Cubes ------------------------------------------------------------------------------ */

static struct cube cube_new(struct smt_reach *r, const int64_t *values, const bool *has)
{
    struct cube cube = {ARENA_ARRAY(&r->arena, int64_t, r->width + 1),
                        ARENA_ARRAY(&r->arena, bool, r->width + 1)};
    memcpy(cube.values, values, r->width * sizeof *values);
    memcpy(cube.has, has, r->width * sizeof *has);
    return cube;
}

static smt_term literal(struct smt_reach *r, struct smt_stage *stage, smt_term term,
                        uint32_t column, int64_t value)
{
    struct smt_solver *s = stage->query.program.solver;
    for (size_t i = 0; i < r->literals.count; i++)
        if (r->literals.items[i].term == term && r->literals.items[i].value == value)
            return r->literals.items[i].holds;
    uint32_t location = r->test->outcome->starts.items[column].location;
    enum lit_type type = stage->locations[location].type;
    smt_term holds = smt_bool(s), equal = smt_equal(s, term, smt_constant(s, type, value));
    smt_assert(s, smt_implies(s, holds, equal));
    smt_assert(s, smt_implies(s, equal, holds));
    VEC_PUSH(&r->literals, (struct literal){term, value, holds});
    return holds;
}

/* Makes the variables of a cube outside of all scopes. */
static void make_literals(struct smt_reach *r, struct smt_stage *stage, const smt_term *values,
                          const struct cube *cube)
{
    for (uint32_t i = 0; i < r->width; i++)
        if (cube->has[i])
            (void)literal(r, stage, values[i], i, cube->values[i]);
}

/* The cube as assumptions; column[k] is what the k-th speaks of. */
static uint32_t assume(struct smt_reach *r, struct smt_stage *stage, const smt_term *values,
                       const struct cube *cube, uint32_t *column)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->width; i++)
        if (cube->has[i]) {
            column[count] = i;
            r->assumed[count++] = literal(r, stage, values[i], i, cube->values[i]);
        }
    return count;
}

/* What was shown to hold for ever needs no assumption. */
static uint32_t assume_level(struct smt_reach *r, uint32_t level, uint32_t count)
{
    for (uint32_t i = level; i < r->levels.count; i++)
        r->assumed[count++] = r->levels.items[i];
    return count;
}

static void assert_lemma(struct smt_reach *r, const struct lemma *lemma)
{
    struct smt_solver *s = r->any->query.program.solver;
    smt_term in_cube = smt_stage_equals(r->any, r->any->start, lemma->cube.values, lemma->cube.has);
    smt_assert(s, smt_implies(s, r->levels.items[lemma->level], smt_not(s, in_cube)));
}

/* ---- Questions -------------------------------------------------------------------------- */

/* Has the test a crash state in the cube? Else `keep` says which columns are enough for that. */
static enum smt_answer is_crash_state(struct smt_reach *r, const struct cube *cube, bool *keep)
{
    uint32_t *column = ARENA_ARRAY(&r->arena, uint32_t, r->width + 1);
    make_literals(r, r->first, r->first->start, cube);
    uint32_t count = assume(r, r->first, r->first->start, cube, column);
    enum smt_answer answer = smt_ask_assuming(&r->first->query, r->assumed, count, r->core);
    if (answer == SMT_UNSAT)
        for (uint32_t k = 0; k < count; k++)
            keep[column[k]] |= r->core[k];
    return answer;
}

/* Does a crash in recovery lead from level `level` into the cube? From which states: `before`.
 * Else `keep` says which columns are enough for that. From level 0 on the start is the test's
 * crash; from others it is outside of the cube. */
static enum smt_answer leads_into(struct smt_reach *r, uint32_t level, const struct cube *cube,
                                  bool *keep, struct cube *before)
{
    uint32_t *column = ARENA_ARRAY(&r->arena, uint32_t, r->width + 1);
    struct smt_stage *stage = level ? r->any : r->first;
    struct smt_solver *s = stage->query.program.solver;
    make_literals(r, stage, stage->crash.values, cube);
    uint32_t mine = assume(r, stage, stage->crash.values, cube, column);
    uint32_t count = level ? assume_level(r, level, mine) : mine;
    smt_push(s);
    smt_assert(s, smt_stage_interrupted(stage));
    if (level)
        smt_assert(s, smt_not(s, smt_stage_equals(stage, stage->start, cube->values, cube->has)));
    enum smt_answer answer = smt_ask_assuming(&stage->query, r->assumed, count, r->core);
    if (answer == SMT_UNSAT)
        for (uint32_t k = 0; k < mine; k++)
            keep[column[k]] |= r->core[k];
    if (answer == SMT_SAT) {
        bool *reads = ARENA_ARRAY(&r->arena, bool, r->width + 1);
        smt_stage_read(stage);
        smt_stage_reads_start(stage, cube->has, reads);
        *before = cube_new(r, stage->start_row, reads);
    }
    smt_pop(s);
    return answer;
}

/* Leaves out of a cube what is not needed for every complete execution from it being of the sort
 * looked for. */
static void narrow_target(struct smt_reach *r, const struct smt_target *target, struct cube *from)
{
    uint32_t *column = ARENA_ARRAY(&r->arena, uint32_t, r->width + 1);
    struct smt_solver *s = r->any->query.program.solver;
    make_literals(r, r->any, r->any->start, from);
    uint32_t count = assume(r, r->any, r->any->start, from, column);
    smt_push(s);
    smt_assert(s, target->fails);
    if (smt_ask_assuming(&r->any->query, r->assumed, count, r->core) == SMT_UNSAT)
        for (uint32_t k = 0; k < count; k++)
            from->has[column[k]] = r->core[k];
    smt_pop(s);
}

/* Is what is looked for to be had from a state of this level? */
static enum smt_answer has_target(struct smt_reach *r, uint32_t level,
                                  const struct smt_target *target, struct cube *from)
{
    struct smt_solver *s = r->any->query.program.solver;
    uint32_t count = assume_level(r, level, 0);
    smt_push(s);
    smt_assert(s, target->holds);
    enum smt_answer answer = smt_ask_assuming(&r->any->query, r->assumed, count, NULL);
    if (answer == SMT_SAT) {
        bool *reads = ARENA_ARRAY(&r->arena, bool, r->width + 1);
        smt_stage_read(r->any);
        if (!target->start_alone)
            smt_stage_reads_start(r->any, NULL, reads);
        for (uint32_t i = 0; i < r->width; i++)
            reads[i] |= target->reads[i];
        *from = cube_new(r, r->any->start_row, reads);
    }
    smt_pop(s);
    if (answer == SMT_SAT && target->fails && !r->exact)
        narrow_target(r, target, from);
    return answer;
}

/* ---- Ruling a cube out ------------------------------------------------------------------ */

/* Does a crash lead into the cube from the level below? If that is level 0, states of level 1 are
 * asked about first. That question is smaller, and if no crash leads there from level 1, none does
 * from level 0. */
static enum smt_answer leads_from_below(struct smt_reach *r, uint32_t level,
                                        const struct cube *cube, bool *keep, struct cube *before)
{
    if (level == 1 && leads_into(r, 1, cube, keep, before) == SMT_UNSAT)
        return SMT_UNSAT;
    return leads_into(r, level - 1, cube, keep, before);
}

/* Is the cube without crash states, and no crash leads into it from the level below? Then
 * what is not needed for that is taken out of it. */
static enum smt_answer is_out_of_reach(struct smt_reach *r, uint32_t level, struct cube *cube,
                                       struct cube *before)
{
    bool *keep = ARENA_ARRAY(&r->arena, bool, r->width + 1);
    enum smt_answer answer = is_crash_state(r, cube, keep);
    if (answer == SMT_UNSAT)
        answer = leads_from_below(r, level, cube, keep, before);
    if (answer == SMT_UNSAT)
        memcpy(cube->has, keep, r->width * sizeof *keep);
    return answer;
}

/* Leaves out what can be spared, the last columns first, so that clauses are about few columns. */
static void widen(struct smt_reach *r, uint32_t level, struct cube *cube)
{
    struct cube before;
    for (uint32_t i = r->width; i-- > 0;) {
        if (!cube->has[i])
            continue;
        struct cube wider = cube_new(r, cube->values, cube->has);
        wider.has[i] = false;
        enum smt_answer answer = is_out_of_reach(r, level, &wider, &before);
        if (answer == SMT_UNSAT)
            *cube = wider;
        if (answer == SMT_UNKNOWN)
            return;
    }
}

static void learn(struct smt_reach *r, const struct cube *cube, uint32_t level)
{
    struct lemma lemma = {cube_new(r, cube->values, cube->has), level};
    widen(r, level, &lemma.cube);
    VEC_PUSH(&r->lemmas, lemma);
    assert_lemma(r, &lemma);
}

static void add_link(struct smt_reach *r, const int64_t *row)
{
    VEC_PUSH(&r->chain, arena_copy(&r->arena, row, r->width * sizeof *row));
}

/* The chain's last state leads into the cube: goes there, and shows how. */
static enum smt_answer follow_chain(struct smt_reach *r, const struct cube *cube)
{
    struct smt_stage *any = r->any;
    struct smt_solver *s = any->query.program.solver;
    smt_push(s);
    smt_assert(s, smt_stage_equals(any, any->start, VEC_LAST(&r->chain), NULL));
    smt_assert(s, smt_stage_interrupted(any));
    smt_assert(s, smt_stage_equals(any, any->crash.values, cube->values, cube->has));
    enum smt_answer answer = smt_ask(&any->query);
    BASE_CHECK(answer != SMT_UNSAT); /* what the cube leaves open was not read */
    if (answer == SMT_SAT) {
        smt_stage_read(any);
        smt_stage_add_restart(any);
        add_link(r, any->left_row);
    }
    smt_pop(s);
    return answer;
}

/* The test's crash that was just found is where the chain begins. */
static void begin_chain(struct smt_reach *r)
{
    smt_stage_add_crash(r->first, r->test, r->crash);
    VEC_CLEAR(&r->chain);
    add_link(r, r->first->start_row);
}

/* SMT_UNSAT: a clause rules the cube out at this level. SMT_SAT: the chain ends in it. */
static enum smt_answer rule_out(struct smt_reach *r, const struct cube *cube, uint32_t level)
{
    bool *keep = ARENA_ARRAY(&r->arena, bool, r->width + 1);
    enum smt_answer answer = is_crash_state(r, cube, keep);
    if (answer == SMT_SAT)
        begin_chain(r);
    if (answer != SMT_UNSAT)
        return answer;
    for (;;) {
        struct cube before, narrowed = cube_new(r, cube->values, cube->has);
        answer = leads_from_below(r, level, &narrowed, keep, &before);
        if (answer == SMT_UNSAT) {
            memcpy(narrowed.has, keep, r->width * sizeof *keep);
            learn(r, &narrowed, level);
            return SMT_UNSAT;
        }
        if (answer == SMT_SAT && level == 1) /* the test's crash leaves it, by this solution */
            answer = is_crash_state(r, &before, keep);
        else if (answer == SMT_SAT)
            answer = rule_out(r, &before, level - 1);
        if (answer == SMT_SAT && level == 1)
            begin_chain(r);
        if (answer == SMT_SAT)
            return follow_chain(r, cube);
        if (answer == SMT_UNKNOWN)
            return answer;
    }
}

/* ---- Levels ----------------------------------------------------------------------------- */

static void add_level(struct smt_reach *r)
{
    VEC_PUSH(&r->levels, smt_bool(r->any->query.program.solver));
    r->assumed = base_realloc(r->assumed, (r->width + r->levels.count + 1) * sizeof *r->assumed);
    r->core = base_realloc(r->core, (r->width + r->levels.count + 1) * sizeof *r->core);
}

/* No crash leads out of this level's clauses: they hold for ever. */
static void keep_for_ever(struct smt_reach *r, uint32_t level)
{
    struct smt_solver *s = r->any->query.program.solver;
    for (size_t i = 0; i < r->lemmas.count; i++) {
        struct lemma *lemma = &r->lemmas.items[i];
        if (lemma->level < level || lemma->level == FOR_EVER)
            continue;
        smt_assert(s, smt_not(s, smt_stage_equals(r->any, r->any->start, lemma->cube.values,
                                                  lemma->cube.has)));
        lemma->level = FOR_EVER;
    }
}

/* Moves the clauses of a level up that hold on the next, too. SMT_UNSAT: all do. */
static enum smt_answer push_level(struct smt_reach *r, uint32_t level)
{
    enum smt_answer all = SMT_UNSAT;
    bool *keep = ARENA_ARRAY(&r->arena, bool, r->width + 1);
    for (size_t i = 0; i < r->lemmas.count; i++) {
        struct cube before, cube = r->lemmas.items[i].cube;
        if (r->lemmas.items[i].level != level)
            continue;
        enum smt_answer answer = leads_into(r, level, &cube, keep, &before);
        if (answer == SMT_UNKNOWN)
            return answer;
        if (answer == SMT_SAT) {
            all = SMT_SAT;
            continue;
        }
        r->lemmas.items[i].level++;
        assert_lemma(r, &r->lemmas.items[i]);
    }
    return all;
}

/* SMT_UNSAT: what was shown up to level `top` holds for ever. */
static enum smt_answer push_lemmas(struct smt_reach *r, uint32_t top)
{
    enum smt_answer answer = SMT_SAT;
    for (uint32_t level = 1; level <= top && answer == SMT_SAT; level++) {
        answer = push_level(r, level);
        if (answer == SMT_UNSAT)
            keep_for_ever(r, level + 1);
    }
    return answer;
}

/* Is it to be had from the chain's last state? */
static enum smt_answer leads_to(struct smt_reach *r, const struct smt_target *target)
{
    struct smt_solver *s = r->any->query.program.solver;
    smt_push(s);
    smt_assert(s, smt_stage_equals(r->any, r->any->start, VEC_LAST(&r->chain), NULL));
    smt_assert(s, target->holds);
    enum smt_answer answer = smt_ask(&r->any->query);
    smt_pop(s);
    return answer;
}

/* SMT_UNSAT: nothing is to be had from this level. */
static enum smt_answer clear_level(struct smt_reach *r, const struct smt_target *target,
                                   uint32_t level)
{
    for (;;) {
        struct cube from;
        enum smt_answer answer = has_target(r, level, target, &from);
        if (answer != SMT_SAT)
            return answer;
        answer = rule_out(r, &from, level);
        if (answer == SMT_SAT)
            answer = leads_to(r, target);
        else if (answer == SMT_UNSAT)
            continue;
        if (answer != SMT_UNSAT)
            return answer;
        r->exact = true; /* no execution completes there */
    }
}

enum smt_answer smt_reach_find(struct smt_reach *r, const struct smt_target *target)
{
    VEC_CLEAR(&r->chain);
    for (uint32_t level = 1; level <= r->most; level++) {
        while (r->levels.count < level + 2)
            add_level(r);
        enum smt_answer answer = clear_level(r, target, level);
        if (answer == SMT_UNSAT)
            answer = push_lemmas(r, level);
        else
            return answer;
        if (answer != SMT_SAT)
            return answer;
    }
    r->any->outcome.doubts[OUTCOME_DOUBT_ROUNDS] = true;
    return SMT_UNKNOWN;
}

const int64_t *const *smt_reach_chain(const struct smt_reach *r, uint32_t *count)
{
    *count = (uint32_t)r->chain.count;
    return r->chain.items;
}

/* ---- Making it -------------------------------------------------------------------------- */

/* Starts have values that some write, or the test's initial state, can have given them. False when
 * there are too many: clauses would name one after the other. */
static bool restrict_values(struct smt_reach *r)
{
    bool bounded =
        !smt_may_be_circular(&r->any->query) && !smt_may_be_circular(r->test); /* smt_values.h */
    struct smt_solver *s = r->any->query.program.solver;
    struct arena_mark mark = arena_mark(&r->arena);
    const struct outcome_states *states = &r->test->outcome->starts;
    const struct smt_value_set *sets =
        smt_values_find(&r->arena, &r->test->program, &r->any->query.program);
    for (uint32_t i = 0; i < r->width; i++) {
        const struct smt_value_set *set = &sets[states->items[i].location];
        enum lit_type type = r->any->locations[states->items[i].location].type;
        smt_term some = smt_truth(s, set->any);
        bounded &= !set->any && set->count <= engine_thresholds_of(r->test->request)->values;
        for (uint32_t k = 0; k < set->count; k++)
            some = smt_or(s, some,
                          smt_equal(s, r->any->start[i], smt_constant(s, type, set->values[k])));
        smt_assert(s, some);
    }
    arena_rewind(&r->arena, mark);
    return bounded;
}

struct smt_reach *smt_reach_new(struct smt_query *test, const struct smt_crash *crash,
                                struct smt_stage *first, struct smt_stage *any)
{
    struct smt_reach *r = base_realloc(NULL, sizeof *r);
    uint32_t rounds = test->request->rounds;
    *r = (struct smt_reach){.test = test,
                            .crash = crash,
                            .first = first,
                            .any = any,
                            .width = test->outcome->starts.width,
                            .most = rounds ? rounds : ENGINE_ROUNDS};
    arena_init(&r->arena);
    add_level(r);
    if (restrict_values(r))
        return r;
    smt_reach_free(r);
    return NULL;
}

void smt_reach_free(struct smt_reach *r)
{
    VEC_FREE(&r->lemmas);
    VEC_FREE(&r->levels);
    VEC_FREE(&r->literals);
    VEC_FREE(&r->chain);
    base_free(r->assumed);
    base_free(r->core);
    arena_fini(&r->arena);
    base_free(r);
}
