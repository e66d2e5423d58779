/* Two outcomes filled by hand: which has more, what that is, and what leaves it open. Source: the
 * rules in engine/contrast.h. */
#include "fixture.h"

#include "engine/contrast.h"

/* Final states have columns x, y; crash states too. */
static const char text[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                           "P0 (global int* x) { *x = 1; }\n"
                           "crash ~exists (x=7)\n";

struct pair {
    struct fixture f;
    struct outcome a, b;
};

static void put(struct outcome_states *states, int64_t x, int64_t y)
{
    const int64_t row[] = {x, y};
    CU_ASSERT_TRUE(outcome_add_state(states, row));
}

/* Both have the states (0,0) and (1,0), known to be all there is. */
static void pair_init(struct pair *p)
{
    struct outcome *both[] = {&p->a, &p->b};
    fixture_init(&p->f, text, "sc", "epoch");
    for (int i = 0; i < 2; i++) {
        outcome_init(both[i], p->f.program);
        both[i]->recovery_doubts[OUTCOME_DOUBT_NO_RECOVERY] = false;
        for (int x = 0; x < 2; x++) {
            put(&both[i]->final, x, 0);
            put(&both[i]->crash, x, 0);
        }
    }
}

static void pair_fini(struct pair *p)
{
    outcome_fini(&p->a);
    outcome_fini(&p->b);
    fixture_fini(&p->f);
}

static void make_undefined(struct outcome *outcome)
{
    static const struct outcome_undefined race = {
        OUTCOME_CHECK,
        "race",
        {{.line = 3, .access = "W x"}, {.thread = LIT_NONE, .access = "W x"}},
        2,
        false,
        false};
    outcome_add_undefined(outcome, &race);
}

static enum contrast_class class_of(const struct pair *p)
{
    const struct contrast contrast = contrast_of(&p->a, &p->b);
    return contrast_class_of(&contrast);
}

static void test_states(void)
{
    struct pair p;
    pair_init(&p);
    CU_ASSERT_EQUAL(class_of(&p), CONTRAST_SAME);
    /* a has two more, of which (0,2) has fewer values other than zero than (1,1). */
    put(&p.a.crash, 1, 1);
    put(&p.a.crash, 0, 2);
    CU_ASSERT_EQUAL(class_of(&p), CONTRAST_FIRST);
    const struct contrast contrast = contrast_of(&p.a, &p.b);
    CU_ASSERT_EQUAL(contrast.sides[0].count, 1);
    CU_ASSERT_EQUAL(contrast.sides[0].states[0].aspect, AGREE_CRASH);
    CU_ASSERT_EQUAL(contrast.sides[0].states[0].count, 2);
    CU_ASSERT_EQUAL(contrast.sides[0].states[0].row[1], 2);
    CU_ASSERT_EQUAL(contrast.sides[1].count, 0);
    /* b has more of another kind. */
    put(&p.b.final, 0, 1);
    CU_ASSERT_EQUAL(class_of(&p), CONTRAST_BOTH);
    pair_fini(&p);
    pair_init(&p);
    put(&p.b.recovered, 1, 0);
    CU_ASSERT_EQUAL(class_of(&p), CONTRAST_SECOND);
    pair_fini(&p);
}

/* Who was not looked at to the end may have what it seems to lack; what it has it has. */
static void test_doubts(void)
{
    struct pair p;
    pair_init(&p);
    put(&p.a.crash, 1, 1);
    p.b.doubts[OUTCOME_DOUBT_TIMEOUT] = true;
    struct contrast contrast = contrast_of(&p.a, &p.b);
    CU_ASSERT_EQUAL(contrast.sides[0].more, CONTRAST_OPEN);
    CU_ASSERT_STRING_EQUAL(contrast.sides[0].doubt, OUTCOME_TIME_RAN_OUT);
    CU_ASSERT_EQUAL(contrast.sides[1].more, CONTRAST_OPEN);
    CU_ASSERT_EQUAL(contrast_class_of(&contrast), CONTRAST_UNKNOWN);
    p.b.doubts[OUTCOME_DOUBT_TIMEOUT] = false;
    /* a was cut off instead: what it has it has, and all of b is there already. */
    p.a.doubts[OUTCOME_DOUBT_UNROLL] = true;
    CU_ASSERT_EQUAL(class_of(&p), CONTRAST_FIRST);
    /* Of this one that is not known: a may have it. That a has more is. */
    put(&p.b.crash, 0, 1);
    contrast = contrast_of(&p.a, &p.b);
    CU_ASSERT_EQUAL(contrast.sides[0].more, CONTRAST_YES);
    CU_ASSERT_EQUAL(contrast.sides[1].more, CONTRAST_OPEN);
    /* Decided, states are examples. */
    p.a.doubts[OUTCOME_DOUBT_UNROLL] = false;
    p.a.decided = true;
    CU_ASSERT_EQUAL(contrast_of(&p.a, &p.b).sides[1].more, CONTRAST_OPEN);
    pair_fini(&p);
}

/* Undefined under one model: anything may happen there, so listed states say nothing. */
static void test_undefined(void)
{
    struct pair p;
    pair_init(&p);
    put(&p.b.crash, 1, 1);
    make_undefined(&p.a);
    CU_ASSERT_EQUAL(class_of(&p), CONTRAST_UNDEFINED_FIRST);
    const struct contrast contrast = contrast_of(&p.a, &p.b);
    CU_ASSERT_EQUAL(contrast.sides[1].more, CONTRAST_NO);
    CU_ASSERT_EQUAL(contrast.sides[0].count, 0);
    /* Whether b is defined is not known. */
    p.b.doubts[OUTCOME_DOUBT_TIMEOUT] = true;
    CU_ASSERT_EQUAL(class_of(&p), CONTRAST_UNKNOWN);
    make_undefined(&p.b);
    CU_ASSERT_EQUAL(class_of(&p), CONTRAST_UNDEFINED);
    pair_fini(&p);
}

static enum contrast_direction direction(size_t same, size_t first, size_t second, size_t open)
{
    struct contrast_totals totals = {
        .tests = same + first + second + open, .more = {first, second}, .open = {open, open}};
    totals.classes[CONTRAST_SAME] = same;
    return contrast_direction_of(&totals);
}

static void test_direction(void)
{
    struct contrast_totals none = {.tests = 2};
    none.classes[CONTRAST_UNDEFINED] = 2;
    CU_ASSERT_EQUAL(contrast_direction_of(&none), CONTRAST_DIRECTION_NOTHING);
    CU_ASSERT_EQUAL(direction(3, 0, 0, 0), CONTRAST_DIRECTION_EQUAL);
    CU_ASSERT_EQUAL(direction(3, 1, 0, 0), CONTRAST_DIRECTION_CONTAINS);
    CU_ASSERT_EQUAL(direction(3, 0, 1, 0), CONTRAST_DIRECTION_CONTAINED);
    CU_ASSERT_EQUAL(direction(0, 1, 1, 0), CONTRAST_DIRECTION_INCOMPARABLE);
    /* Two that are known decide it, whatever the third says; one does not. */
    CU_ASSERT_EQUAL(direction(0, 1, 1, 1), CONTRAST_DIRECTION_INCOMPARABLE);
    CU_ASSERT_EQUAL(direction(0, 1, 0, 1), CONTRAST_DIRECTION_NOT_KNOWN);
    CU_ASSERT_EQUAL(direction(3, 0, 0, 1), CONTRAST_DIRECTION_NOT_KNOWN);
}

void suite_contrast(void)
{
    CU_pSuite suite = CU_add_suite("contrast", NULL, NULL);
    UNIT_TEST(suite, test_states);
    UNIT_TEST(suite, test_doubts);
    UNIT_TEST(suite, test_undefined);
    UNIT_TEST(suite, test_direction);
}
