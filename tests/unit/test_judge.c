/* What follows from the states an engine found: verdicts of every combination, sets of
 * states and their order, what is kept once. Source of the verdicts: docs/models/semantics.md. */
#include "fixture.h"

#include <string.h>

/* Conditions 0 to 2 are about final states, 3 to 5 about crash states. */
static const char text[] = "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                           "exists (x > 0)\n~exists (x > 0)\nforall (x > 0)\n"
                           "crash exists (x > 0)\ncrash ~exists (x > 0)\ncrash forall (x > 0)\n";

/* [quantifier][a state satisfies][a state fails][a doubt]. A satisfying state decides exists
 * and ~exists, a failing one forall. Undecided: unknown, too, where there is no state at all to
 * hold ~exists or forall against. */
static const enum lit_verdict table[3][2][2][2] = {
    [LIT_EXISTS] = {{{LIT_VIOLATED, LIT_UNKNOWN}, {LIT_VIOLATED, LIT_UNKNOWN}},
                    {{LIT_OK, LIT_OK}, {LIT_OK, LIT_OK}}},
    [LIT_NOT_EXISTS] = {{{LIT_UNKNOWN, LIT_UNKNOWN}, {LIT_OK, LIT_UNKNOWN}},
                        {{LIT_VIOLATED, LIT_VIOLATED}, {LIT_VIOLATED, LIT_VIOLATED}}},
    [LIT_FORALL] = {{{LIT_UNKNOWN, LIT_UNKNOWN}, {LIT_VIOLATED, LIT_VIOLATED}},
                    {{LIT_OK, LIT_UNKNOWN}, {LIT_VIOLATED, LIT_VIOLATED}}},
};

static const struct outcome_undefined race = {.kind = OUTCOME_CHECK, .name = "race"};

static void add(struct outcome_states *states, int64_t value)
{
    CU_ASSERT_TRUE(outcome_add_state(states, &value));
}

/* Two states satisfy x > 0, three fail it. */
static void fill(struct outcome_states *states, bool satisfying, bool failing)
{
    for (int64_t value = 1; value <= 2 && satisfying; value++)
        add(states, value);
    for (int64_t value = -2; value <= 0 && failing; value++)
        add(states, value);
}

/* One cell for a condition: the other kind of states has both sorts and must not count. */
static void check_cell(struct fixture *f, uint32_t condition, unsigned bits)
{
    bool satisfying = bits & 1, failing = bits & 2, doubt = bits & 4, undefined = bits & 8;
    enum lit_verdict expected =
        undefined ? LIT_UNDEFINED : table[condition % 3][satisfying][failing][doubt];
    struct outcome o;
    outcome_init(&o, f->program);
    fill(condition < 3 ? &o.final : &o.crash, satisfying, failing);
    fill(condition < 3 ? &o.crash : &o.final, true, true);
    o.doubts[OUTCOME_DOUBT_TIMEOUT] = doubt;
    if (undefined)
        outcome_add_undefined(&o, &race);
    struct outcome_judgement j = outcome_judge(&o, f->program, &f->program->conditions[condition]);
    CU_ASSERT_EQUAL(j.verdict, expected);
    CU_ASSERT_EQUAL(j.positive, satisfying ? 2 : 0);
    CU_ASSERT_EQUAL(j.negative, failing ? 3 : 0);
    bool in_vain = expected == LIT_VIOLATED && !satisfying && !failing; /* there is no state */
    CU_ASSERT_EQUAL(j.reason != NULL, expected == LIT_UNKNOWN || in_vain);
    outcome_fini(&o);
}

static void test_every_combination(void)
{
    struct fixture f;
    fixture_init(&f, text, "sc", "epoch");
    CU_ASSERT_EQUAL_FATAL(f.program->condition_count, 6);
    for (uint32_t condition = 0; condition < 6; condition++)
        for (unsigned bits = 0; bits < 16; bits++)
            check_cell(&f, condition, bits);
    fixture_fini(&f);
}

/* Each doubt alone leaves a verdict open and is the reason given; but one about flags, which is
 * told and leaves verdicts alone. */
static void test_every_doubt(void)
{
    static const char *const reasons[] = {
#define X(identifier, reason) reason,
        OUTCOME_DOUBTS(X)
#undef X
    };
    struct fixture f;
    fixture_init(&f, text, "sc", "epoch");
    for (int doubt = 0; doubt < OUTCOME_DOUBT_COUNT; doubt++) {
        struct outcome o;
        outcome_init(&o, f.program);
        CU_ASSERT_PTR_NULL(outcome_doubt(&o));
        o.doubts[doubt] = true;
        struct outcome_judgement j = outcome_judge(&o, f.program, &f.program->conditions[0]);
        CU_ASSERT_STRING_EQUAL(outcome_any_doubt(&o), reasons[doubt]);
        if (doubt == OUTCOME_DOUBT_FLAGS) {
            CU_ASSERT_NOT_EQUAL(j.verdict, LIT_UNKNOWN);
            CU_ASSERT_PTR_NULL(outcome_recovery_doubt(&o));
            outcome_fini(&o);
            continue;
        }
        CU_ASSERT_EQUAL(j.verdict, LIT_UNKNOWN);
        CU_ASSERT_PTR_NOT_NULL_FATAL(j.reason);
        CU_ASSERT_STRING_EQUAL(j.reason, reasons[doubt]);
        outcome_fini(&o);
    }
    fixture_fini(&f);
}

static const char recovering[] =
    "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
    "recovery (global int* x) { int r = *x; *x = 2; }\n"
    "recovered exists (x > 0)\nrecovered ~exists (x > 0)\nrecovered forall (x > 0)\n"
    "exists (x = 1)\n";

/* Conditions on recovery are about recovered states alone; what is doubtful before recovery is
 * doubtful after it, but not the other way round. A livelock is an error whatever states there are,
 * unless the test is undefined anyway. Bits as in `table`, then a doubt of recovery alone,
 * undefined behaviour, a livelock. */
static void check_recovered(struct fixture *f, uint32_t condition, unsigned bits)
{
    bool satisfying = bits & 1, failing = bits & 2, undefined = bits & 16, livelock = bits & 32;
    bool doubt = bits & 4, own_doubt = bits & 8;
    enum lit_verdict expected = undefined ? LIT_UNDEFINED
                                : livelock
                                    ? LIT_ERROR
                                    : table[condition][satisfying][failing][doubt || own_doubt];
    struct outcome o;
    outcome_init(&o, f->program);
    o.recovery_doubts[OUTCOME_DOUBT_NO_RECOVERY] = own_doubt;
    o.doubts[OUTCOME_DOUBT_TIMEOUT] = doubt;
    fill(&o.recovered, satisfying, failing);
    fill(&o.crash, true, true);
    if (undefined)
        outcome_add_undefined(&o, &race);
    if (livelock)
        add(&o.livelocks, 7);
    struct outcome_judgement j = outcome_judge(&o, f->program, &f->program->conditions[condition]);
    CU_ASSERT_EQUAL(j.verdict, expected);
    CU_ASSERT_EQUAL(j.positive, satisfying ? 2 : 0);
    CU_ASSERT_EQUAL(j.negative, failing ? 3 : 0);
    bool in_vain = expected == LIT_VIOLATED && !satisfying && !failing;
    CU_ASSERT_EQUAL(j.reason != NULL, expected == LIT_UNKNOWN || expected == LIT_ERROR || in_vain);
    j = outcome_judge(&o, f->program, &f->program->conditions[3]);
    CU_ASSERT_EQUAL(j.verdict, undefined ? LIT_UNDEFINED : doubt ? LIT_UNKNOWN : LIT_VIOLATED);
    if (undefined || livelock)
        CU_ASSERT_EQUAL(outcome_verdict(&o, f->program), undefined ? LIT_UNDEFINED : LIT_ERROR);
    outcome_fini(&o);
}

static void test_recovered(void)
{
    struct fixture f;
    struct outcome o;
    fixture_init(&f, recovering, "sc", "epoch");
    CU_ASSERT_EQUAL_FATAL(f.program->condition_count, 4);
    for (uint32_t condition = 0; condition < 3; condition++)
        for (unsigned bits = 0; bits < 64; bits++)
            check_recovered(&f, condition, bits);
    outcome_init(&o, f.program); /* nobody has run recovery */
    CU_ASSERT_PTR_NULL(outcome_doubt(&o));
    CU_ASSERT_PTR_NOT_NULL(outcome_recovery_doubt(&o));
    outcome_fini(&o);
    fixture_fini(&f);
}

/* Recovery starts on 1 and 2. From 1 it comes to 5, or after a crash goes on from 3, from
 * where it comes to 6; from 2 it comes to 6 alone. 8 and 9 lead to each other, 10 only away. */
static void test_ways_of_recovery(void)
{
    static const int64_t recoveries[][2] = {{3, 6}, {1, 5}, {2, 6}};
    static const int64_t restarts[][2] = {{9, 8}, {10, 8}, {1, 3}, {8, 9}};
    struct fixture f;
    struct outcome o;
    struct arena arena;
    uint32_t cycle[3] = {0};
    fixture_init(&f, recovering, "sc", "epoch");
    arena_init(&arena);
    outcome_init(&o, f.program);
    CU_ASSERT_EQUAL_FATAL(o.recoveries.width, 2);
    CU_ASSERT_EQUAL_FATAL(o.restarts.width, 2);
    for (int64_t value = 2; value >= 1; value--)
        add(&o.crash, value);
    for (size_t i = 0; i < 3; i++)
        outcome_add_state(&o.recoveries, recoveries[i]);
    for (size_t i = 0; i < 4; i++)
        outcome_add_state(&o.restarts, restarts[i]);
    for (int64_t value = 10; value >= 8; value--)
        add(&o.livelocks, value);
    add(&o.recovered, 6);
    add(&o.recovered, 5);
    outcome_sort(&o);
    const struct outcome_sources *from = outcome_recovered_from(&arena, &o);
    CU_ASSERT_EQUAL_FATAL(from[0].count, 1); /* 5: of 1, the first crash state */
    CU_ASSERT_EQUAL(from[0].crash[0], 0);
    CU_ASSERT_EQUAL_FATAL(from[1].count, 2); /* 6: of both */
    CU_ASSERT_EQUAL(from[1].crash[0], 0);
    CU_ASSERT_EQUAL(from[1].crash[1], 1);
    CU_ASSERT_EQUAL_FATAL(outcome_livelock_cycle(&o, 0, cycle), 2); /* 8, 9 */
    CU_ASSERT_EQUAL(cycle[0], 0);
    CU_ASSERT_EQUAL(cycle[1], 1);
    CU_ASSERT_EQUAL(outcome_livelock_cycle(&o, 2, cycle), 0); /* 10 */
    outcome_fini(&o);
    arena_fini(&arena);
    fixture_fini(&f);
}

/* The test's verdict with these conditions, after the states that `fill` adds. */
static enum lit_verdict verdict_of(const char *conditions, bool failing, bool doubt, bool undefined)
{
    struct fixture f;
    struct outcome o;
    struct strbuf test = {0};
    strbuf_printf(&test, "OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\n%s", conditions);
    fixture_init(&f, strbuf_text(&test), "sc", "epoch");
    outcome_init(&o, f.program);
    fill(&o.final, true, failing);
    o.doubts[OUTCOME_DOUBT_UNROLL] = doubt;
    if (undefined)
        outcome_add_undefined(&o, &race);
    enum lit_verdict verdict = outcome_verdict(&o, f.program);
    outcome_fini(&o);
    fixture_fini(&f);
    strbuf_fini(&test);
    return verdict;
}

/* The worst of the conditions' verdicts, wherever it stands; x > 0 is satisfied throughout. */
static void test_worst(void)
{
    static const char ok_then_forall[] = "exists (x > 0)\nforall (x > 0)\n";
    static const char forall_then_ok[] = "forall (x > 0)\nexists (x > 0)\n";
    static const char violated_too[] = "~exists (x > 0)\nforall (x > 0)\n";
    static const char two_unknown_one_not[] = "forall (x > 0)\nexists (x < 0)\n~exists (x > 0)\n";
    CU_ASSERT_EQUAL(verdict_of(ok_then_forall, false, false, false), LIT_OK);
    CU_ASSERT_EQUAL(verdict_of(ok_then_forall, true, false, false), LIT_VIOLATED);
    CU_ASSERT_EQUAL(verdict_of(forall_then_ok, true, false, false), LIT_VIOLATED);
    /* No failing state and a doubt: the forall is unknown, which is worse than ok. */
    CU_ASSERT_EQUAL(verdict_of(forall_then_ok, false, true, false), LIT_UNKNOWN);
    /* A state breaks the ~exists whatever else there is: a definite violation weighs more than
     * what is unknown, wherever either stands. */
    CU_ASSERT_EQUAL(verdict_of(violated_too, false, true, false), LIT_VIOLATED);
    CU_ASSERT_EQUAL(verdict_of(two_unknown_one_not, false, true, false), LIT_VIOLATED);
    /* A failing state decides the forall, so the doubt opens nothing. */
    CU_ASSERT_EQUAL(verdict_of(violated_too, true, true, false), LIT_VIOLATED);
    CU_ASSERT_EQUAL(verdict_of(forall_then_ok, true, true, true), LIT_UNDEFINED);
    /* Without conditions: ok, unknown or undefined. */
    CU_ASSERT_EQUAL(verdict_of("", true, false, false), LIT_OK);
    CU_ASSERT_EQUAL(verdict_of("", true, true, false), LIT_UNKNOWN);
    CU_ASSERT_EQUAL(verdict_of("", true, false, true), LIT_UNDEFINED);
    CU_ASSERT_EQUAL(verdict_of("", true, true, true), LIT_UNDEFINED);
}

/* The pattern of -1 is above 5 as ulong and below it as long. */
static void test_compares_by_type(void)
{
    static const int64_t row[] = {-1, -1};
    struct fixture f;
    struct outcome o;
    fixture_init(&f,
                 "OPENCL t\n{ ulong x = 0; long y = 0; }\n"
                 "P0 (global ulong* x, global long* y) { *x = 1; *y = 1; }\n"
                 "forall (x > 5 /\\ y < 5)\n",
                 "sc", "epoch");
    outcome_init(&o, f.program);
    CU_ASSERT_EQUAL_FATAL(o.final.width, 2);
    CU_ASSERT_TRUE(outcome_add_state(&o.final, row));
    CU_ASSERT_EQUAL(outcome_verdict(&o, f.program), LIT_OK);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* First column ulong: 0 < 1 < 2^63 < 2^64-1; second one int: -5 < 0 < 5. Flags by name. */
static void test_sort(void)
{
    static const int64_t added[][2] = {{-1, 0}, {1, 5}, {INT64_MIN, 0}, {1, -5}, {0, 0}, {1, 0}};
    static const int64_t sorted[][2] = {{0, 0}, {1, -5}, {1, 0}, {1, 5}, {INT64_MIN, 0}, {-1, 0}};
    struct fixture f;
    struct outcome o;
    fixture_init(&f,
                 "OPENCL t\n{ ulong x = 0; int y = 0; }\n"
                 "P0 (global ulong* x, global int* y) { *x = 1; *y = 1; }\n",
                 "sc", "epoch");
    outcome_init(&o, f.program);
    CU_ASSERT_EQUAL_FATAL(o.final.width, 2);
    for (size_t i = 0; i < 6; i++)
        CU_ASSERT_TRUE(outcome_add_state(&o.final, added[i]));
    outcome_add_flag(&o, "b");
    outcome_add_flag(&o, "a");
    outcome_sort(&o);
    CU_ASSERT_EQUAL_FATAL(o.final.count, 6);
    for (size_t i = 0; i < 6; i++)
        CU_ASSERT_EQUAL(memcmp(outcome_row(&o.final, i), sorted[i], sizeof sorted[i]), 0);
    CU_ASSERT_STRING_EQUAL(o.flags.items[0], "a");
    CU_ASSERT_STRING_EQUAL(o.flags.items[1], "b");
    outcome_fini(&o);
    fixture_fini(&f);
}

/* A thousand rows, past several sizes of the table, and each of them once more. A set of
 * states without columns has one row. */
static void test_duplicates(void)
{
    struct fixture f;
    struct outcome o;
    fixture_init(&f, "OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\n", "sc", "epoch");
    outcome_init(&o, f.program);
    for (int64_t value = 0; value < 1000; value++)
        CU_ASSERT_TRUE(outcome_add_state(&o.final, &value));
    for (int64_t value = 0; value < 1000; value++)
        CU_ASSERT_FALSE(outcome_add_state(&o.final, &value));
    CU_ASSERT_EQUAL(o.final.count, 1000);
    CU_ASSERT_FALSE(o.final.full);
    CU_ASSERT_EQUAL(o.crash.width, 0);
    CU_ASSERT_TRUE(outcome_add_state(&o.crash, NULL));
    CU_ASSERT_FALSE(outcome_add_state(&o.crash, NULL));
    CU_ASSERT_EQUAL(o.crash.count, 1);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* Rows of 600 columns are 4800 bytes; 2^25 / 4800 = 6990.5, so 6990 of them are kept. What
 * is kept already is refused as before and does not make the set full. */
static void test_full(void)
{
    struct fixture f;
    struct outcome o;
    int64_t row[600] = {0};
    fixture_init(&f, "OPENCL t\n{ x[600]; }\nP0 (global int* x) { x[0] = 1; }\n", "sc", "epoch");
    outcome_init(&o, f.program);
    CU_ASSERT_EQUAL_FATAL(o.final.width, 600);
    uint32_t added = 0;
    for (row[599] = 0; row[599] < 6990; row[599]++)
        added += outcome_add_state(&o.final, row);
    CU_ASSERT_EQUAL(added, 6990);
    row[599] = 17;
    CU_ASSERT_FALSE(outcome_add_state(&o.final, row));
    CU_ASSERT_FALSE(o.final.full);
    row[599] = 6990;
    CU_ASSERT_FALSE(outcome_add_state(&o.final, row));
    CU_ASSERT_TRUE(o.final.full);
    CU_ASSERT_EQUAL(o.final.count, 6990);
    outcome_fini(&o);
    fixture_fini(&f);
}

enum { OTHERS = 7 };

/* The first and others, each with a difference in one part. */
static void make_others(struct outcome_undefined *other, const struct outcome_undefined *base)
{
    for (size_t i = 0; i < OTHERS; i++)
        other[i] = *base;
    other[1].kind = OUTCOME_FAULT;
    other[2].name = "order";
    other[3].events[0].thread = LIT_NONE;
    other[4].events[1].line = 5;
    other[5].events[1].access = "W x";
    other[6].event_count = 1;
}

/* Undefined behaviour is the same when all of it is; a difference in any part is another
 * one. Texts are the outcome's own. */
static void test_undefined_once(void)
{
    char access[] = "W x", name[] = "race";
    const struct outcome_undefined base = {
        OUTCOME_CHECK,
        name,
        {{.line = 3, .access = access}, {.thread = 1, .line = 4, .access = "R x"}},
        2,
        false,
        false};
    struct outcome_undefined other[OTHERS];
    struct fixture f;
    struct outcome o;
    fixture_init(&f, text, "sc", "epoch");
    outcome_init(&o, f.program);
    make_others(other, &base);
    for (size_t i = 0; i < OTHERS; i++) {
        outcome_add_undefined(&o, &other[i]);
        outcome_add_undefined(&o, &other[i]);
        CU_ASSERT_EQUAL(o.undefined.count, i + 1);
    }
    access[0] = name[0] = '?';
    CU_ASSERT_STRING_EQUAL(o.undefined.items[0].name, "race");
    CU_ASSERT_STRING_EQUAL(o.undefined.items[0].events[0].access, "W x");
    outcome_fini(&o);
    fixture_fini(&f);
}

/* By kind, name, and event after event by thread, line and access; a missing event comes first. */
static void test_undefined_sorted(void)
{
    static const size_t sorted[OTHERS] = {2, 6, 0, 5, 4, 3, 1};
    const struct outcome_undefined base = {
        OUTCOME_CHECK,
        "race",
        {{.line = 3, .access = "W x"}, {.thread = 1, .line = 4, .access = "R x"}},
        2,
        false,
        false};
    struct outcome_undefined other[OTHERS];
    struct fixture f;
    struct outcome o;
    fixture_init(&f, text, "sc", "epoch");
    outcome_init(&o, f.program);
    make_others(other, &base);
    for (size_t i = 0; i < OTHERS; i++)
        outcome_add_undefined(&o, &other[i]);
    outcome_sort(&o);
    for (size_t i = 0; i < OTHERS; i++)
        CU_ASSERT(outcome_same_undefined(&o.undefined.items[i], &other[sorted[i]]));
    outcome_fini(&o);
    fixture_fini(&f);
}

/* Of a filter that leaves no state nothing holds, races neither. Without a filter, and of a
 * state that it leaves, races are known of. */
static void test_property_in_vain(void)
{
    static const struct lit_prop filter = {.op = LIT_PROP_TRUE};
    const struct lit_condition condition = {.property = LIT_PROPERTY_RACE};
    struct fixture f;
    struct outcome o;
    fixture_init(&f, text, "sc", "epoch");
    struct lit_program program = *f.program;
    outcome_init(&o, f.program);
    o.ran = o.ended = o.of_races.told = true;
    program.filter = NULL;
    CU_ASSERT_EQUAL(outcome_judge(&o, &program, &condition).verdict, LIT_OK);
    program.filter = &filter;
    struct outcome_judgement j = outcome_judge(&o, &program, &condition);
    CU_ASSERT(j.verdict == LIT_UNKNOWN && j.vacuous);
    CU_ASSERT_STRING_EQUAL(j.reason, "the filter leaves no final state");
    add(&o.final, 1);
    CU_ASSERT_EQUAL(outcome_judge(&o, &program, &condition).verdict, LIT_OK);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* A division and an index on one line are told in the same words, once: an index is outside in one of
 * them, whichever is found first. */
static void test_undefined_index(void)
{
    const struct outcome_undefined fault[] = {
        {.kind = OUTCOME_FAULT, .name = "f", .of_index = false, .event_count = 0},
        {.kind = OUTCOME_FAULT, .name = "f", .of_index = true, .event_count = 0}};
    struct fixture f;
    fixture_init(&f, text, "sc", "epoch");
    for (size_t first = 0; first < 2; first++) {
        struct outcome o;
        size_t at = 0;
        outcome_init(&o, f.program);
        CU_ASSERT(outcome_add_undefined(&o, &fault[first]));
        CU_ASSERT_FALSE(outcome_add_undefined(&o, &fault[1 - first]));
        CU_ASSERT_EQUAL(o.undefined.count, 1);
        CU_ASSERT_PTR_NOT_NULL(outcome_next_fault(&o, LIT_PROPERTY_BOUNDS, &at));
        outcome_fini(&o);
    }
    fixture_fini(&f);
}

/* A fault of bounds violates them; that nothing is known of divergence then does not make the test
 * undefined. It is undefined of a fault that nobody asked about: an unset word. */
static void test_all_asked(void)
{
    static const struct lit_condition conditions[] = {{.property = LIT_PROPERTY_BOUNDS},
                                                      {.property = LIT_PROPERTY_DIVERGENCE}};
    const struct outcome_undefined index = {.kind = OUTCOME_FAULT, .name = "i", .of_index = true};
    const struct outcome_undefined unset = {.kind = OUTCOME_UNSET, .name = "u"};
    struct fixture f;
    struct outcome o;
    fixture_init(&f, text, "sc", "epoch");
    struct lit_program program = *f.program;
    program.conditions = conditions;
    program.condition_count = 2;
    outcome_init(&o, f.program);
    outcome_add_undefined(&o, &index);
    CU_ASSERT_EQUAL(outcome_verdict(&o, &program), LIT_VIOLATED);
    CU_ASSERT_EQUAL(outcome_judge(&o, &program, &conditions[1]).verdict, LIT_UNDEFINED);
    outcome_add_undefined(&o, &unset);
    CU_ASSERT_EQUAL(outcome_verdict(&o, &program), LIT_UNDEFINED);
    outcome_fini(&o);
    fixture_fini(&f);
}

static void test_flags_once(void)
{
    char name[] = "flag";
    struct fixture f;
    struct outcome o;
    fixture_init(&f, text, "sc", "epoch");
    outcome_init(&o, f.program);
    outcome_add_flag(&o, name);
    outcome_add_flag(&o, "flag");
    outcome_add_flag(&o, "flags");
    name[0] = '?';
    CU_ASSERT_EQUAL_FATAL(o.flags.count, 2);
    CU_ASSERT_STRING_EQUAL(o.flags.items[0], "flag");
    CU_ASSERT_STRING_EQUAL(o.flags.items[1], "flags");
    outcome_fini(&o);
    fixture_fini(&f);
}

/* Without conditions on final states these show every location, but none of a launch. */
static void test_hidden_locations(void)
{
    struct fixture f;
    struct outcome o;
    fixture_init(&f,
                 "OPENCL t\n{ x = 0; nvm y = 0; }\nP0 { launch 1; join 1; }\n"
                 "P1@kr 1 (global int* x) { *x = 1; }\n",
                 "sc", "epoch");
    outcome_init(&o, f.program);
    CU_ASSERT_EQUAL(f.program->location_count, 4);
    CU_ASSERT_EQUAL(o.final.width, 2);
    CU_ASSERT_EQUAL(o.crash.width, 1);
    outcome_fini(&o);
    fixture_fini(&f);
}

void suite_judge(void)
{
    CU_pSuite suite = CU_add_suite("judge", NULL, NULL);
    UNIT_TEST(suite, test_every_combination);
    UNIT_TEST(suite, test_hidden_locations);
    UNIT_TEST(suite, test_every_doubt);
    UNIT_TEST(suite, test_recovered);
    UNIT_TEST(suite, test_ways_of_recovery);
    UNIT_TEST(suite, test_worst);
    UNIT_TEST(suite, test_compares_by_type);
    UNIT_TEST(suite, test_sort);
    UNIT_TEST(suite, test_duplicates);
    UNIT_TEST(suite, test_full);
    UNIT_TEST(suite, test_undefined_once);
    UNIT_TEST(suite, test_undefined_sorted);
    UNIT_TEST(suite, test_property_in_vain);
    UNIT_TEST(suite, test_undefined_index);
    UNIT_TEST(suite, test_all_asked);
    UNIT_TEST(suite, test_flags_once);
}
