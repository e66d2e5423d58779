/* A model's and a machine's outcome filled by hand: what is contained, what is not, and what is not
 * compared. Source: the rules in engine/agree.h. */
#include "fixture.h"

#include "engine/agree.h"

#include <string.h>

/* Columns x, y. */
static const char text[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x) { *x = 1; }\n"
                           "crash ~exists (x=2)\ncrash exists (x=1)\n";

struct pair {
    struct fixture f;
    struct outcome model, machine;
};

static void put(struct outcome_states *states, int64_t x, int64_t y)
{
    const int64_t row[] = {x, y};
    CU_ASSERT_TRUE(outcome_add_state(states, row));
}

/* The model has (0,0) (1,0) (1,1), the machine the first two; final (1,1) both. */
static void pair_init(struct pair *p)
{
    fixture_init(&p->f, text, "hrf-direct", "epoch");
    outcome_init(&p->model, p->f.program);
    outcome_init(&p->machine, p->f.program);
    put(&p->model.crash, 0, 0);
    put(&p->model.crash, 1, 0);
    put(&p->model.crash, 1, 1);
    put(&p->model.final, 1, 1);
    put(&p->machine.crash, 0, 0);
    put(&p->machine.crash, 1, 0);
    put(&p->machine.final, 1, 1);
}

static void pair_fini(struct pair *p)
{
    outcome_fini(&p->model);
    outcome_fini(&p->machine);
    fixture_fini(&p->f);
}

static struct containment contain(const struct pair *p, bool decided)
{
    return agree_contain(&p->model, &p->machine, p->f.program, decided);
}

static void test_held(void)
{
    struct pair p;
    pair_init(&p);
    struct containment c = contain(&p, false);
    CU_ASSERT_EQUAL(c.answer, CONTAIN_HELD);
    CU_ASSERT_EQUAL(c.count, 0);
    CU_ASSERT_PTR_NULL(c.reason);
    CU_ASSERT_TRUE(c.is_counted);
    CU_ASSERT_EQUAL(c.never_crash, 1); /* (1,1) */
    CU_ASSERT_EQUAL(c.never_final, 0);
    pair_fini(&p);
}

/* Two crash states and a final one more than the model has; of the former the smaller is named. */
static void test_outside(void)
{
    struct pair p;
    pair_init(&p);
    put(&p.machine.crash, 3, 1);
    put(&p.machine.crash, 0, 2);
    put(&p.machine.final, 9, 9);
    struct containment c = contain(&p, false);
    CU_ASSERT_EQUAL(c.answer, CONTAIN_OUTSIDE);
    CU_ASSERT_EQUAL_FATAL(c.count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const struct agree_difference *d = &c.differences[i];
        CU_ASSERT_EQUAL(d->owner, 1);
        CU_ASSERT_EQUAL(d->count, d->aspect == AGREE_CRASH ? 2 : 1);
        CU_ASSERT_EQUAL(d->row[1], d->aspect == AGREE_CRASH ? 2 : 9);
    }
    pair_fini(&p);
}

/* What the machine finds undefined is its own affair, what the model does ends the comparison. */
static void test_undefined(void)
{
    static const struct outcome_undefined race = {
        OUTCOME_CHECK,
        "race",
        {{.line = 3, .access = "W x"}, {.thread = LIT_NONE, .access = "W x"}},
        2,
        false,
        false};
    struct pair p;
    pair_init(&p);
    outcome_add_undefined(&p.machine, &race);
    CU_ASSERT_EQUAL(contain(&p, false).answer, CONTAIN_HELD);
    put(&p.machine.crash, 0, 2);
    CU_ASSERT_EQUAL(contain(&p, false).answer, CONTAIN_OUTSIDE);
    outcome_add_undefined(&p.model, &race);
    struct containment c = contain(&p, false);
    CU_ASSERT_EQUAL(c.answer, CONTAIN_UNDEFINED);
    CU_ASSERT_EQUAL(c.count, 0);
    CU_ASSERT_FALSE(c.is_counted);
    pair_fini(&p);
}

/* A doubt of the machine excuses what it lacks, never what it has; one of the model, of a loop
 * bound too, excuses what the machine has. */
static void test_doubts(void)
{
    struct pair p;
    pair_init(&p);
    p.machine.doubts[OUTCOME_DOUBT_STATES] = true;
    struct containment c = contain(&p, false);
    CU_ASSERT_EQUAL(c.answer, CONTAIN_PARTLY);
    CU_ASSERT_STRING_EQUAL(c.reason, outcome_doubt(&p.machine));
    CU_ASSERT_FALSE(c.is_counted);
    put(&p.machine.crash, 0, 2);
    CU_ASSERT_EQUAL(contain(&p, false).answer, CONTAIN_OUTSIDE);
    p.model.doubts[OUTCOME_DOUBT_UNROLL] = true;
    c = contain(&p, false);
    CU_ASSERT_EQUAL(c.answer, CONTAIN_PARTLY);
    CU_ASSERT_STRING_EQUAL(c.reason, outcome_doubt(&p.model));
    CU_ASSERT_EQUAL(c.count, 0);
    pair_fini(&p);
}

/* All that the machine has is allowed, whatever the model left out. */
static void test_doubtful_model(void)
{
    struct pair p;
    pair_init(&p);
    p.model.doubts[OUTCOME_DOUBT_UNROLL] = true;
    struct containment c = contain(&p, false);
    CU_ASSERT_EQUAL(c.answer, CONTAIN_HELD);
    CU_ASSERT_FALSE(c.is_counted);
    pair_fini(&p);
}

/* States are examples. The machine's x = 2 breaks the first condition, which the model has hold;
 * that only the model has x = 1 says nothing. */
static void test_decided(void)
{
    struct pair p;
    pair_init(&p);
    put(&p.machine.crash, 0, 9);
    CU_ASSERT_EQUAL(contain(&p, true).answer, CONTAIN_HELD);
    put(&p.machine.crash, 2, 0);
    struct containment c = contain(&p, true);
    CU_ASSERT_EQUAL(c.answer, CONTAIN_OUTSIDE);
    CU_ASSERT_EQUAL_FATAL(c.count, 1);
    CU_ASSERT_EQUAL(c.differences[0].aspect, AGREE_VERDICT);
    CU_ASSERT_EQUAL(c.differences[0].condition, 0);
    CU_ASSERT_EQUAL(c.differences[0].verdicts[0], LIT_OK);
    CU_ASSERT_EQUAL(c.differences[0].verdicts[1], LIT_VIOLATED);
    CU_ASSERT_FALSE(c.is_counted);
    pair_fini(&p);
}

void suite_contain(void)
{
    CU_pSuite suite = CU_add_suite("contain", NULL, NULL);
    UNIT_TEST(suite, test_held);
    UNIT_TEST(suite, test_outside);
    UNIT_TEST(suite, test_undefined);
    UNIT_TEST(suite, test_doubts);
    UNIT_TEST(suite, test_doubtful_model);
    UNIT_TEST(suite, test_decided);
}
