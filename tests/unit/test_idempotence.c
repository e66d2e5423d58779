/* Is recovery idempotent? Outcomes filled by hand: recovery's pairs decide (engine/idempotence.h).
 * States are values of one location, so a row is a number. */
#include "fixture.h"

#include "engine/idempotence.h"

static const char text[] = "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                           "recovery (global int* x) { *x = 2; }\n";

/* Up to three pairs of each kind, { 0, 0 } after the last; states are not 0. */
struct graph {
    int64_t crash[3];
    int64_t recoveries[5][2], restarts[4][2];
};

struct answered {
    struct fixture f;
    struct outcome o;
    struct arena arena;
    struct idempotence answer;
};

static void fill(struct answered *a, const struct graph *graph)
{
    fixture_init(&a->f, text, "sc", "epoch");
    arena_init(&a->arena);
    outcome_init(&a->o, a->f.program);
    a->o.recovery_doubts[OUTCOME_DOUBT_NO_RECOVERY] = false;
    for (int i = 0; i < 3 && graph->crash[i]; i++)
        outcome_add_state(&a->o.crash, &graph->crash[i]);
    for (int i = 0; i < 5 && graph->recoveries[i][0]; i++) {
        outcome_add_state(&a->o.recoveries, graph->recoveries[i]);
        outcome_add_state(&a->o.recovered, &graph->recoveries[i][1]);
    }
    for (int i = 0; i < 4 && graph->restarts[i][0]; i++)
        outcome_add_state(&a->o.restarts, graph->restarts[i]);
    outcome_sort(&a->o);
}

static void fini(struct answered *a)
{
    outcome_fini(&a->o);
    arena_fini(&a->arena);
    fixture_fini(&a->f);
}

static void ask(struct answered *a, const struct graph *graph)
{
    fill(a, graph);
    a->answer = idempotence_check(&a->arena, &a->o);
}

static void expect_chain(const struct answered *a, const int64_t *starts, uint32_t count,
                         int64_t recovered)
{
    const struct outcome_chain *chain = &a->answer.chain;
    CU_ASSERT_EQUAL_FATAL(chain->link_count, count);
    for (uint32_t i = 0; i < count; i++)
        CU_ASSERT_EQUAL(chain->links[i].start[0], starts[i]);
    CU_ASSERT_PTR_NOT_NULL_FATAL(chain->recovered);
    CU_ASSERT_EQUAL(chain->recovered[0], recovered);
    CU_ASSERT_TRUE(chain->links[count - 1].completes);
}

/* 1 and 2 are both recovered to 3, also when a crash leads from 1 to 2; 3 stays. */
static void test_holds(void)
{
    struct answered a;
    ask(&a, &(struct graph){.crash = {1, 2},
                            .recoveries = {{1, 3}, {2, 3}, {3, 3}},
                            .restarts = {{1, 2}, {1, 3}, {2, 3}}});
    CU_ASSERT_EQUAL(a.answer.verdict, LIT_OK);
    CU_ASSERT_PTR_NULL(a.answer.reason);
    CU_ASSERT_PTR_NULL(a.answer.chain.recovered);
    fini(&a);
}

/* 1 is recovered to 3, and 3 to 4. That 1 may also be left by a crash in it as 2 does not matter.
 */
static void test_again(void)
{
    struct answered a;
    ask(&a, &(struct graph){.crash = {1},
                            .recoveries = {{1, 3}, {2, 4}, {3, 4}, {4, 4}},
                            .restarts = {{1, 2}, {1, 3}, {3, 4}}});
    CU_ASSERT_EQUAL(a.answer.verdict, LIT_VIOLATED);
    expect_chain(&a, (const int64_t[]){1, 3}, 2, 4);
    CU_ASSERT_TRUE(a.answer.chain.links[0].completes);
    fini(&a);
}

/* 1 is recovered to 3 alone, but a crash leaves 2, and a crash in recovery of that 5, which is
 * recovered to 4; all that is recovered stays. 2 itself is recovered to 3. */
static void test_interrupted(void)
{
    struct answered a;
    ask(&a, &(struct graph){.crash = {1},
                            .recoveries = {{1, 3}, {2, 3}, {3, 3}, {4, 4}, {5, 4}},
                            .restarts = {{1, 2}, {2, 5}, {1, 3}, {5, 4}}});
    CU_ASSERT_EQUAL(a.answer.verdict, LIT_VIOLATED);
    expect_chain(&a, (const int64_t[]){1, 2, 5}, 3, 4);
    CU_ASSERT_FALSE(a.answer.chain.links[0].completes);
    fini(&a);
}

/* Recovery of 1 has a choice of 3 and 4, so either may come of it after a crash as well. */
static void test_choice(void)
{
    struct answered a;
    ask(&a, &(struct graph){.crash = {1},
                            .recoveries = {{1, 3}, {1, 4}, {2, 4}, {3, 3}, {4, 4}},
                            .restarts = {{1, 2}, {1, 3}, {1, 4}, {2, 4}}});
    CU_ASSERT_EQUAL(a.answer.verdict, LIT_OK);
    fini(&a);
}

/* That a recovery without interruption never leaves 4 is known only when all of them were followed
 * to their ends. A new state after the last round is no doubt about them, nor one about the
 * program or about flags. A recovered state that recovery changes is a counterexample whatever else
 * there is. */
static void test_interrupted_in_doubt(void)
{
    const struct graph interrupted = {.crash = {1},
                                      .recoveries = {{1, 3}, {2, 4}, {3, 3}, {4, 4}},
                                      .restarts = {{1, 2}, {1, 3}, {2, 4}}},
                       again = {.crash = {1}, .recoveries = {{1, 3}, {3, 4}, {4, 4}}};
    for (int doubt = 0; doubt < OUTCOME_DOUBT_COUNT; doubt++) {
        struct answered a;
        fill(&a, &interrupted);
        a.o.recovery_doubts[doubt] = true;
        a.answer = idempotence_check(&a.arena, &a.o);
        bool of_states = doubt != OUTCOME_DOUBT_ROUNDS && doubt != OUTCOME_DOUBT_FLAGS;
        CU_ASSERT_EQUAL(a.answer.verdict, of_states ? LIT_UNKNOWN : LIT_VIOLATED);
        CU_ASSERT_PTR_NOT_NULL(a.answer.reason);
        fini(&a);
        fill(&a, &interrupted);
        a.o.doubts[doubt] = true;
        a.answer = idempotence_check(&a.arena, &a.o);
        CU_ASSERT_EQUAL(a.answer.verdict, LIT_VIOLATED);
        fini(&a);
        fill(&a, &again);
        a.o.recovery_doubts[doubt] = true;
        a.answer = idempotence_check(&a.arena, &a.o);
        CU_ASSERT_EQUAL(a.answer.verdict, LIT_VIOLATED);
        fini(&a);
    }
}

/* What else decides: undefined behaviour, then a livelock, then a counterexample, then a doubt. */
static void test_rank(void)
{
    static const struct outcome_undefined race = {.kind = OUTCOME_CHECK, .name = "race"};
    for (unsigned bits = 0; bits < 16; bits++) {
        const struct graph good = {.crash = {1}, .recoveries = {{1, 3}, {3, 3}}},
                           bad = {.crash = {1}, .recoveries = {{1, 3}, {3, 4}, {4, 4}}};
        struct answered a;
        fill(&a, bits & 4 ? &bad : &good);
        if (bits & 1)
            outcome_add_undefined(&a.o, &race);
        if (bits & 2)
            outcome_add_state(&a.o.livelocks, &(int64_t){9});
        a.o.recovery_doubts[OUTCOME_DOUBT_ROUNDS] = bits & 8;
        a.answer = idempotence_check(&a.arena, &a.o);
        CU_ASSERT_EQUAL(a.answer.verdict, bits & 1   ? LIT_UNDEFINED
                                          : bits & 2 ? LIT_ERROR
                                          : bits & 4 ? LIT_VIOLATED
                                          : bits & 8 ? LIT_UNKNOWN
                                                     : LIT_OK);
        fini(&a);
    }
}

void suite_idempotence(void)
{
    CU_pSuite suite = CU_add_suite("idempotence", NULL, NULL);
    UNIT_TEST(suite, test_holds);
    UNIT_TEST(suite, test_again);
    UNIT_TEST(suite, test_interrupted);
    UNIT_TEST(suite, test_choice);
    UNIT_TEST(suite, test_interrupted_in_doubt);
    UNIT_TEST(suite, test_rank);
}
