/* Two outcomes filled by hand: what of one the other lacks, the smallest state of those that
 * differ, and which doubts excuse a lack. Source: the rules in engine/agree.h. */
#include "fixture.h"

#include "engine/agree.h"

#include <string.h>

/* Final states have columns x, y, z; crash states too. */
static const char text[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\n"
                           "P0 (global int* x) { *x = 1; }\n"
                           "~exists (x=7 /\\ y=7 /\\ z=7)\n"
                           "crash ~exists (x=7)\n";

struct pair {
    struct fixture f;
    struct outcome a, b;
};

/* Both have the final and crash states (0,0,0) and (1,0,0), a flag and a race; nothing
 * satisfies a condition, so both verdicts are `undefined`. */
static void fill(struct outcome *o, const struct lit_program *program)
{
    static const int64_t rows[][3] = {{0, 0, 0}, {1, 0, 0}};
    static const struct outcome_undefined race = {
        OUTCOME_CHECK,
        "race",
        {{.line = 3, .access = "W x"}, {.thread = LIT_NONE, .access = "W x"}},
        2,
        false,
        false};
    outcome_init(o, program);
    for (int i = 0; i < 2; i++) {
        outcome_add_state(&o->final, rows[i]);
        outcome_add_state(&o->crash, rows[i]);
    }
    outcome_add_flag(o, "flag");
    outcome_add_undefined(o, &race);
}

static void pair_init(struct pair *p)
{
    fixture_init(&p->f, text, "sc", "epoch");
    fill(&p->a, p->f.program);
    fill(&p->b, p->f.program);
}

static void pair_fini(struct pair *p)
{
    outcome_fini(&p->a);
    outcome_fini(&p->b);
    fixture_fini(&p->f);
}

static struct agreement compare(const struct pair *p)
{
    return agree_compare(&p->a, &p->b, p->f.program, false);
}

static void put(struct outcome_states *states, int64_t x, int64_t y, int64_t z)
{
    const int64_t row[] = {x, y, z};
    CU_ASSERT_TRUE(outcome_add_state(states, row));
}

static bool is_row(const int64_t *row, int64_t x, int64_t y, int64_t z)
{
    return row[0] == x && row[1] == y && row[2] == z;
}

static void check_same(const struct pair *p)
{
    struct agreement result = compare(p);
    CU_ASSERT_EQUAL(result.count, 0);
    CU_ASSERT_PTR_NULL(result.reasons[0]);
    CU_ASSERT_PTR_NULL(result.reasons[1]);
}

/* Also when states came in another order, and when either was sorted. */
static void test_equal(void)
{
    struct pair p;
    pair_init(&p);
    check_same(&p);
    for (int64_t i = 0; i < 200; i++) {
        put(&p.a.crash, 2, i, 0);
        put(&p.b.crash, 2, 199 - i, 0);
    }
    check_same(&p);
    outcome_sort(&p.a);
    check_same(&p);
    outcome_sort(&p.b);
    check_same(&p);
    pair_fini(&p);
}

/* One state more, of one kind and of one side; the row is the owner's. */
static void check_extra(bool crash, int owner)
{
    struct pair p;
    pair_init(&p);
    struct outcome *has = owner ? &p.b : &p.a;
    put(crash ? &has->crash : &has->final, 0, 2, 0);
    struct agreement result = compare(&p);
    CU_ASSERT_EQUAL_FATAL(result.count, 1);
    CU_ASSERT_EQUAL(result.differences[0].aspect, crash ? AGREE_CRASH : AGREE_FINAL);
    CU_ASSERT_EQUAL(result.differences[0].owner, owner);
    CU_ASSERT_EQUAL(result.differences[0].count, 1);
    CU_ASSERT_TRUE(is_row(result.differences[0].row, 0, 2, 0));
    pair_fini(&p);
}

static void test_extra_state(void)
{
    for (int owner = 0; owner < 2; owner++) {
        check_extra(false, owner);
        check_extra(true, owner);
    }
}

/* Of (0,0,9), (0,3,0), (1,1,0), (-1,1,1): two have one value that is not 0, and (0,0,9) is
 * before (0,3,0). The sides take turns, so the smallest is found whoever has it. */
static void test_smallest(void)
{
    struct pair p;
    pair_init(&p);
    put(&p.a.crash, -1, 1, 1);
    put(&p.b.crash, 1, 1, 0);
    struct agreement result = compare(&p);
    CU_ASSERT_TRUE(is_row(result.differences[0].row, 1, 1, 0));
    put(&p.a.crash, 0, 3, 0);
    result = compare(&p);
    CU_ASSERT_TRUE(is_row(result.differences[0].row, 0, 3, 0));
    CU_ASSERT_EQUAL(result.differences[0].owner, 0);
    put(&p.b.crash, 0, 0, 9);
    result = compare(&p);
    CU_ASSERT_EQUAL_FATAL(result.count, 1);
    CU_ASSERT_TRUE(is_row(result.differences[0].row, 0, 0, 9));
    CU_ASSERT_EQUAL(result.differences[0].owner, 1);
    CU_ASSERT_EQUAL(result.differences[0].count, 4);
    pair_fini(&p);
}

/* Another line, the same accesses in the other order, another kind: each is another. */
static void test_other_race(void)
{
    static const struct outcome_undefined others[] = {
        {OUTCOME_CHECK,
         "race",
         {{.line = 4, .access = "W x"}, {.thread = LIT_NONE, .access = "W x"}},
         2,
         false,
         false},
        {OUTCOME_CHECK,
         "race",
         {{.thread = LIT_NONE, .access = "W x"}, {.line = 3, .access = "W x"}},
         2,
         false,
         false},
        {OUTCOME_DIVERGENCE,
         "race",
         {{.line = 3, .access = "W x"}, {.thread = LIT_NONE, .access = "W x"}},
         2,
         false,
         false},
        {OUTCOME_CHECK, "race", {{.line = 3, .access = "W x"}}, 1, false, false},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct pair p;
        pair_init(&p);
        outcome_add_undefined(&p.b, &others[i]);
        struct agreement result = compare(&p);
        CU_ASSERT_EQUAL_FATAL(result.count, 1);
        CU_ASSERT_EQUAL(result.differences[0].aspect, AGREE_UNDEFINED);
        CU_ASSERT_EQUAL(result.differences[0].owner, 1);
        CU_ASSERT_EQUAL(result.differences[0].undefined->event_count, others[i].event_count);
        CU_ASSERT_EQUAL(result.differences[0].undefined->events[0].line, others[i].events[0].line);
        pair_fini(&p);
    }
}

/* Of a cycle each engine may name other neighbours; of another check they are another. */
static void test_cycles(void)
{
    for (int same = 0; same <= 1; same++) {
        struct pair p;
        pair_init(&p);
        struct outcome_undefined a = {
            .kind = OUTCOME_CHECK,
            .name = "ring",
            .events = {{.line = 3, .access = "W x"}, {.thread = 1, .line = 4, .access = "R x"}},
            .event_count = 2,
            .of_cycle = true};
        outcome_add_undefined(&p.a, &a);
        a.name = same ? "ring" : "other";
        a.events[0].line = 5;
        outcome_add_undefined(&p.b, &a);
        CU_ASSERT_EQUAL(compare(&p).count, same ? 0 : 1);
        pair_fini(&p);
    }
}

static void test_other_flag(void)
{
    struct pair p;
    pair_init(&p);
    outcome_add_flag(&p.a, "another");
    struct agreement result = compare(&p);
    CU_ASSERT_EQUAL_FATAL(result.count, 1);
    CU_ASSERT_EQUAL(result.differences[0].aspect, AGREE_FLAG);
    CU_ASSERT_EQUAL(result.differences[0].owner, 0);
    CU_ASSERT_STRING_EQUAL(result.differences[0].flag, "another");
    pair_fini(&p);
}

/* Without races: x = 7 in a crash state of b breaks the second condition there. When
 * conditions were merely decided the state itself is no difference, the verdict is one. */
static void test_other_verdict(void)
{
    struct pair p;
    pair_init(&p);
    p.a.undefined.count = p.b.undefined.count = 0;
    put(&p.b.crash, 7, 0, 0);
    struct agreement result = compare(&p);
    CU_ASSERT_EQUAL(result.count, 2);
    CU_ASSERT_EQUAL(result.differences[0].aspect, AGREE_CRASH);
    result = agree_compare(&p.a, &p.b, p.f.program, true);
    CU_ASSERT_EQUAL_FATAL(result.count, 1);
    CU_ASSERT_EQUAL(result.differences[0].aspect, AGREE_VERDICT);
    CU_ASSERT_EQUAL(result.differences[0].condition, 1);
    CU_ASSERT_EQUAL(result.differences[0].verdicts[0], LIT_OK);
    CU_ASSERT_EQUAL(result.differences[0].verdicts[1], LIT_VIOLATED);
    pair_fini(&p);
}

/* b only decided, and looked no further once an index was outside; a has listed a divergence as well. A
 * list that lacks it is another answer. */
static void test_other_fault(void)
{
    static const struct lit_condition divergence[] = {{.property = LIT_PROPERTY_DIVERGENCE}};
    const struct outcome_undefined index = {.kind = OUTCOME_FAULT, .name = "i", .of_index = true};
    const struct outcome_undefined stuck = {.kind = OUTCOME_DIVERGENCE, .name = "d"};
    struct pair p;
    pair_init(&p);
    p.a.undefined.count = p.b.undefined.count = 0;
    struct lit_program program = *p.f.program;
    program.conditions = divergence;
    program.condition_count = 1;
    outcome_add_undefined(&p.a, &index);
    outcome_add_undefined(&p.b, &index);
    outcome_add_undefined(&p.a, &stuck);
    CU_ASSERT_EQUAL(agree_compare(&p.a, &p.b, &program, true).count, 1);
    p.b.decided = true;
    CU_ASSERT_EQUAL(agree_compare(&p.a, &p.b, &program, true).count, 0);
    pair_fini(&p);
}

/* b ran out of time: what a alone has is excused, in states, races, flags and verdicts; the
 * reason is b's. What b alone has is not excused: a looked everywhere. */
static void test_doubt(void)
{
    struct pair p;
    pair_init(&p);
    p.b.doubts[OUTCOME_DOUBT_TIMEOUT] = true;
    p.b.undefined.count = p.b.flags.count = 0; /* of a's undefined verdicts b knows nothing */
    put(&p.a.final, 5, 5, 5);
    struct agreement result = compare(&p);
    CU_ASSERT_EQUAL(result.count, 0);
    CU_ASSERT_PTR_NULL(result.reasons[0]);
    CU_ASSERT_PTR_NOT_NULL(result.reasons[1]);
    put(&p.b.final, 0, 0, 5);
    result = compare(&p);
    CU_ASSERT_EQUAL_FATAL(result.count, 1);
    CU_ASSERT_EQUAL(result.differences[0].owner, 1);
    CU_ASSERT_TRUE(is_row(result.differences[0].row, 0, 0, 5));
    pair_fini(&p);
}

/* A witness makes b's verdict `violated` although b has a doubt; a race that only a found
 * makes a's `undefined`, which b may have missed. Without b's doubt they differ. */
static void test_doubt_about_a_verdict(void)
{
    struct pair p;
    pair_init(&p);
    p.b.undefined.count = 0;
    put(&p.a.crash, 7, 0, 0);
    put(&p.b.crash, 7, 0, 0);
    p.b.doubts[OUTCOME_DOUBT_ENCODING] = true;
    CU_ASSERT_EQUAL(agree_compare(&p.a, &p.b, p.f.program, true).count, 0);
    p.b.doubts[OUTCOME_DOUBT_ENCODING] = false;
    CU_ASSERT_EQUAL(agree_compare(&p.a, &p.b, p.f.program, true).count, 1);
    pair_fini(&p);
}

/* Untried values that justify themselves may hide states, not flags or races. */
static void test_doubt_of_states_alone(void)
{
    struct pair p;
    pair_init(&p);
    p.b.doubts[OUTCOME_DOUBT_THIN_AIR] = true;
    put(&p.a.final, 5, 0, 0);
    outcome_add_flag(&p.a, "another");
    struct agreement result = compare(&p);
    CU_ASSERT_EQUAL_FATAL(result.count, 1);
    CU_ASSERT_EQUAL(result.differences[0].aspect, AGREE_FLAG);
    pair_fini(&p);
}

/* A loop bound that both met cuts the same executions off for both: states are compared.
 * When only one met it the other's answer has nothing to be compared with. */
static void test_bound(void)
{
    struct pair p;
    pair_init(&p);
    p.a.doubts[OUTCOME_DOUBT_UNROLL] = p.b.doubts[OUTCOME_DOUBT_UNROLL] = true;
    check_same(&p);
    put(&p.a.final, 5, 0, 0);
    CU_ASSERT_EQUAL(compare(&p).count, 1);
    p.b.doubts[OUTCOME_DOUBT_UNROLL] = false;
    struct agreement result = compare(&p);
    CU_ASSERT_PTR_NOT_NULL(result.reasons[0]);
    CU_ASSERT_PTR_NULL(result.reasons[1]);
    pair_fini(&p);
}

/* Without columns there is one state at most: the empty one. */
static void test_no_columns(void)
{
    struct fixture f;
    struct outcome a, b;
    fixture_init(&f, "OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\n", "sc", "none");
    outcome_init(&a, f.program);
    outcome_init(&b, f.program);
    CU_ASSERT_EQUAL_FATAL(a.crash.width, 0);
    outcome_add_state(&a.crash, NULL);
    struct agreement result = agree_compare(&a, &b, f.program, false);
    CU_ASSERT_EQUAL_FATAL(result.count, 1);
    CU_ASSERT_EQUAL(result.differences[0].aspect, AGREE_CRASH);
    outcome_add_state(&b.crash, NULL);
    CU_ASSERT_EQUAL(agree_compare(&a, &b, f.program, false).count, 0);
    outcome_fini(&a);
    outcome_fini(&b);
    fixture_fini(&f);
}

/* 2^63 is negative as a signed value and the largest of the two as an unsigned one. */
static void test_unsigned_order(void)
{
    struct fixture f;
    struct outcome a, b;
    fixture_init(&f, "OPENCL t\n{ ulong x = 0; }\nP0 (global ulong* x) { *x = 1; }\n", "sc",
                 "none");
    outcome_init(&a, f.program);
    outcome_init(&b, f.program);
    CU_ASSERT_TRUE_FATAL(a.final.is_unsigned[0]);
    const int64_t large = INT64_MIN, small = 3;
    outcome_add_state(&a.final, &large);
    outcome_add_state(&a.final, &small);
    CU_ASSERT_EQUAL(*agree_compare(&a, &b, f.program, false).differences[0].row, 3);
    outcome_fini(&a);
    outcome_fini(&b);
    fixture_fini(&f);
}

/* Each set that recovery fills: a row that one side alone has is found, and a doubt about
 * recovery excuses the other for it, but not for what came before recovery. The bound on rounds
 * excuses nothing. */
static void check_recovered(enum agree_aspect aspect, enum outcome_doubt doubt, bool excused)
{
    static const char recovering[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\n"
                                     "P0 (global int* x) { *x = 1; }\n"
                                     "recovery (global int* x) { int r = *x; }\n"
                                     "recovered ~exists (x = 7)\n";
    static const int64_t row[6] = {4, 5, 6};
    struct pair p;
    fixture_init(&p.f, recovering, "sc", "epoch");
    outcome_init(&p.a, p.f.program);
    outcome_init(&p.b, p.f.program);
    p.a.recovery_doubts[OUTCOME_DOUBT_NO_RECOVERY] = false;
    p.b.recovery_doubts[OUTCOME_DOUBT_NO_RECOVERY] = false;
    check_same(&p);
    outcome_add_state((struct outcome_states *)agree_states(&p.a, aspect), row);
    p.b.recovery_doubts[doubt] = true;
    struct agreement result = compare(&p);
    CU_ASSERT_EQUAL_FATAL(result.count >= 1, !excused);
    if (!excused) {
        CU_ASSERT_EQUAL(result.differences[0].aspect, aspect);
        CU_ASSERT_EQUAL(result.differences[0].owner, 0);
        CU_ASSERT_TRUE(is_row(result.differences[0].row, 4, 5, 6));
    }
    pair_fini(&p);
}

static void test_recovery(void)
{
    static const enum agree_aspect aspects[] = {AGREE_RECOVERED, AGREE_RECOVERY, AGREE_RESTART,
                                                AGREE_LIVELOCK};
    for (size_t i = 0; i < sizeof aspects / sizeof *aspects; i++) {
        check_recovered(aspects[i], OUTCOME_DOUBT_ROUNDS, false);
        check_recovered(aspects[i], OUTCOME_DOUBT_TIMEOUT, true);
    }
    check_recovered(AGREE_CRASH, OUTCOME_DOUBT_TIMEOUT, false);
}

void suite_agree(void)
{
    CU_pSuite suite = CU_add_suite("agree", NULL, NULL);
    UNIT_TEST(suite, test_equal);
    UNIT_TEST(suite, test_extra_state);
    UNIT_TEST(suite, test_smallest);
    UNIT_TEST(suite, test_other_race);
    UNIT_TEST(suite, test_cycles);
    UNIT_TEST(suite, test_other_flag);
    UNIT_TEST(suite, test_other_verdict);
    UNIT_TEST(suite, test_other_fault);
    UNIT_TEST(suite, test_doubt);
    UNIT_TEST(suite, test_doubt_about_a_verdict);
    UNIT_TEST(suite, test_doubt_of_states_alone);
    UNIT_TEST(suite, test_bound);
    UNIT_TEST(suite, test_no_columns);
    UNIT_TEST(suite, test_unsigned_order);
    UNIT_TEST(suite, test_recovery);
}
