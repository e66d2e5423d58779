/* From states to verdicts: a witness decides, else a doubt leaves it unknown, and
 * undefined behaviour takes the place of every verdict. */
#include "fixture.h"

/* Conditions 0 to 2: exists, ~exists, forall x = 1; condition 3 is about recovery. */
static const char text[] = "OPENCL t\n{ ulong x = 0; }\nP0 (global ulong* x) { *x = 1; }\n"
                           "recovery (global ulong* x) { *x = 2; }\n"
                           "exists (x = 1)\n~exists (x = 1)\nforall (x = 1)\n"
                           "recovered forall (x = 2)\n";

struct expectation {
    bool satisfying, failing, doubt, undefined;
    enum lit_verdict verdicts[3];
};

/* Which of x = 1 and x = 0 were found, what else happened, and the three verdicts. */
static const struct expectation table[] = {
    /* No state: nothing satisfies, nothing fails. */
    {false, false, false, false, {LIT_VIOLATED, LIT_OK, LIT_OK}},
    {false, false, true, false, {LIT_UNKNOWN, LIT_UNKNOWN, LIT_UNKNOWN}},
    /* x = 1 alone: decides exists and ~exists; forall needs a failing state to be decided. */
    {true, false, false, false, {LIT_OK, LIT_VIOLATED, LIT_OK}},
    {true, false, true, false, {LIT_OK, LIT_VIOLATED, LIT_UNKNOWN}},
    /* x = 0 alone: decides forall only. */
    {false, true, false, false, {LIT_VIOLATED, LIT_OK, LIT_VIOLATED}},
    {false, true, true, false, {LIT_UNKNOWN, LIT_UNKNOWN, LIT_VIOLATED}},
    /* Both: all are decided. */
    {true, true, true, false, {LIT_OK, LIT_VIOLATED, LIT_VIOLATED}},
    /* Undefined whatever else. */
    {true, false, false, true, {LIT_UNDEFINED, LIT_UNDEFINED, LIT_UNDEFINED}},
    {false, false, true, true, {LIT_UNDEFINED, LIT_UNDEFINED, LIT_UNDEFINED}},
};

static void fill(struct outcome *outcome, const struct lit_program *program,
                 const struct expectation *row)
{
    static const int64_t one[] = {1}, zero[] = {0};
    static const struct outcome_undefined race = {.kind = OUTCOME_CHECK, .name = "race"};
    outcome_init(outcome, program);
    if (row->satisfying)
        outcome_add_state(&outcome->final, one);
    if (row->failing)
        outcome_add_state(&outcome->final, zero);
    outcome->doubts[OUTCOME_DOUBT_UNROLL] = row->doubt;
    if (row->undefined)
        outcome_add_undefined(outcome, &race);
}

static void test_table(void)
{
    struct fixture f;
    fixture_init(&f, text, "sc", "epoch");
    CU_ASSERT_EQUAL_FATAL(f.program->condition_count, 4);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct outcome o;
        fill(&o, f.program, &table[i]);
        for (uint32_t c = 0; c < 3; c++) {
            struct outcome_judgement j = outcome_judge(&o, f.program, &f.program->conditions[c]);
            CU_ASSERT_EQUAL(j.verdict, table[i].verdicts[c]);
            CU_ASSERT_EQUAL(j.positive, table[i].satisfying);
            CU_ASSERT_EQUAL(j.negative, table[i].failing);
            CU_ASSERT_EQUAL(j.reason != NULL, j.verdict == LIT_UNKNOWN);
        }
        outcome_fini(&o);
    }
    fixture_fini(&f);
}

/* Recovery is not run: unknown with a reason, and so the whole test is, unless it is
 * undefined. */
static void test_recovered(void)
{
    struct fixture f;
    struct outcome o;
    fixture_init(&f, text, "sc", "epoch");
    fill(&o, f.program, &table[2]);
    struct outcome_judgement j = outcome_judge(&o, f.program, &f.program->conditions[3]);
    CU_ASSERT_EQUAL(j.verdict, LIT_UNKNOWN);
    CU_ASSERT_PTR_NOT_NULL(j.reason);
    CU_ASSERT_EQUAL(outcome_verdict(&o, f.program), LIT_UNKNOWN);
    outcome_fini(&o);
    fill(&o, f.program, &table[7]);
    CU_ASSERT_EQUAL(outcome_verdict(&o, f.program), LIT_UNDEFINED);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* States are a set, sorted as values of their type: as ulong, -1's pattern is last. */
static void test_states(void)
{
    static const int64_t rows[][1] = {{-1}, {5}, {0}, {5}};
    struct fixture f;
    struct outcome o;
    fixture_init(&f, text, "sc", "epoch");
    outcome_init(&o, f.program);
    CU_ASSERT_EQUAL_FATAL(o.final.width, 1);
    CU_ASSERT_TRUE(outcome_add_state(&o.final, rows[0]));
    CU_ASSERT_TRUE(outcome_add_state(&o.final, rows[1]));
    CU_ASSERT_TRUE(outcome_add_state(&o.final, rows[2]));
    CU_ASSERT_FALSE(outcome_add_state(&o.final, rows[3]));
    outcome_sort(&o);
    CU_ASSERT_EQUAL_FATAL(o.final.count, 3);
    CU_ASSERT_EQUAL(outcome_row(&o.final, 0)[0], 0);
    CU_ASSERT_EQUAL(outcome_row(&o.final, 1)[0], 5);
    CU_ASSERT_EQUAL(outcome_row(&o.final, 2)[0], -1);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* 32 MiB of 8-byte rows are kept; the next one is refused and said so. */
static void test_full(void)
{
    struct fixture f;
    struct outcome o;
    int64_t row[1] = {0};
    fixture_init(&f, text, "sc", "epoch");
    outcome_init(&o, f.program);
    for (row[0] = 0; row[0] < OUTCOME_MAX_BYTES / 8; row[0]++)
        outcome_add_state(&o.final, row);
    CU_ASSERT_FALSE(o.final.full);
    CU_ASSERT_FALSE(outcome_add_state(&o.final, row));
    CU_ASSERT_TRUE(o.final.full);
    CU_ASSERT_EQUAL(o.final.count, OUTCOME_MAX_BYTES / 8);
    outcome_fini(&o);
    fixture_fini(&f);
}

void suite_verdict(void)
{
    CU_pSuite suite = CU_add_suite("verdict", NULL, NULL);
    UNIT_TEST(suite, test_table);
    UNIT_TEST(suite, test_recovered);
    UNIT_TEST(suite, test_states);
    UNIT_TEST(suite, test_full);
}
