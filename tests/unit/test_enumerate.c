/* Outcomes of whole tests: known sets of states, undefined behaviour, doubts, and that
 * the recheck of witnesses accepts right ones and rejects each kind of wrong one. */
#include "fixture.h"

#include "engine/recheck.h"
#include "enumerate/enumerate.h"

#include <string.h>

/* Store buffering under SC: three of four outcomes, (0, 0) is the one missing. */
static void test_store_buffering(void)
{
    static const int64_t both_zero[] = {0, 0};
    struct fixture f;
    struct outcome o;
    fixture_init(&f,
                 "OPENCL SB\n{ x = 0; y = 0; }\n"
                 "P0 (global int* x, global int* y) { *x = 1; int r = *y; }\n"
                 "P1 (global int* x, global int* y) { *y = 1; int r = *x; }\n"
                 "exists (0:r=0 /\\ 1:r=0)\n",
                 "sc", "epoch");
    fixture_run(&f, &o);
    CU_ASSERT_EQUAL(o.final.count, 3);
    CU_ASSERT_FALSE(fixture_has(&o.final, both_zero));
    CU_ASSERT_EQUAL(outcome_verdict(&o, f.program), LIT_VIOLATED);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* Two writes in program order, no barrier: any subset may be durable (4 states); with a
 * barrier between them y implies x (3 states): SPB definition (1). */
static void test_persist_order(void)
{
    static const int64_t y_alone[] = {0, 1};
    struct fixture f;
    struct outcome o;
    fixture_init(&f,
                 "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                 "P0 (global int* x, global int* y) { *x = 1; *y = 1; }\n",
                 "hrf-direct", "epoch");
    fixture_run(&f, &o);
    CU_ASSERT_EQUAL(o.crash.count, 4);
    outcome_fini(&o);
    fixture_fini(&f);
    fixture_init(&f,
                 "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                 "P0 (global int* x, global int* y) { *x = 1; p_barrier_wi; *y = 1; }\n",
                 "hrf-direct", "epoch");
    fixture_run(&f, &o);
    CU_ASSERT_EQUAL(o.crash.count, 3);
    CU_ASSERT_FALSE(fixture_has(&o.crash, y_alone));
    outcome_fini(&o);
    fixture_fini(&f);
}

/* A loop that needs three rounds, bound 2: nothing decides `exists`, so unknown; what a
 * witness decides stays decided. */
static void test_bound_is_unknown(void)
{
    struct fixture f;
    struct outcome o;
    fixture_init(&f,
                 "OPENCL t\n{ atomic_int x = 3; y = 0; }\n"
                 "P0 (global atomic_int* x, global int* y) {\n"
                 " while (atomic_fetch_sub_explicit(x, 1, memory_order_relaxed,"
                 " memory_scope_device) > 0) { *y = 7; }\n *y = 9; }\n"
                 "exists (y = 9)\n~exists (y = 7)\n",
                 "sc", "epoch");
    fixture_run(&f, &o);
    CU_ASSERT_TRUE(o.doubts[OUTCOME_DOUBT_UNROLL]);
    CU_ASSERT_EQUAL(outcome_verdict(&o, f.program), LIT_UNKNOWN);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* Mode `end`: a run cut off in its loop has not ended, so its x = 2 is no crash state;
 * every run that ends has x = 1 durable behind the barrier. Unknown for the rest. */
static void test_end_mode_at_bound(void)
{
    struct fixture f;
    struct outcome o;
    fixture_init(&f,
                 "OPENCL t\n{ nvm x = 0; atomic_int f = 0; }\n"
                 "P0 (global int* x, global atomic_int* f) {\n"
                 " while (!f.load(mo_acq, dev_scope)) { *x = 2; }\n *x = 1; p_barrier_wi; }\n"
                 "P1@wg 1 (global atomic_int* f) { f.store(1, mo_rel, dev_scope); }\n"
                 "crash forall (x = 1)\n",
                 "hrf-direct", "epoch");
    fixture_run_mode(&f, EXEC_CRASH_END, &o);
    CU_ASSERT_EQUAL(o.crash.count, 1);
    CU_ASSERT_EQUAL(outcome_verdict(&o, f.program), LIT_UNKNOWN);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* No non-volatile location: a crash leaves one state, the empty one. */
static void test_no_nvm(void)
{
    struct fixture f;
    struct outcome o;
    fixture_init(&f,
                 "OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                 "crash exists (true)\n",
                 "hrf-direct", "epoch");
    fixture_run(&f, &o);
    CU_ASSERT_EQUAL(o.crash.count, 1);
    CU_ASSERT_EQUAL(outcome_verdict(&o, f.program), LIT_OK);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* Two plain accesses without order race: undefined, and the pair is named. */
static void test_race_is_named(void)
{
    struct fixture f;
    struct outcome o;
    fixture_init(&f,
                 "OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                 "P1 (global int* x) { int r = *x; }\nexists (1:r = 1)\n",
                 "hrf-direct", "epoch");
    fixture_run(&f, &o);
    CU_ASSERT_EQUAL_FATAL(o.undefined.count, 1);
    CU_ASSERT_STRING_EQUAL(o.undefined.items[0].name, "race");
    CU_ASSERT_STRING_EQUAL(o.undefined.items[0].events[0].access, "W x");
    CU_ASSERT_STRING_EQUAL(o.undefined.items[0].events[1].access, "R x");
    CU_ASSERT_EQUAL(o.undefined.items[0].events[1].line, 4);
    CU_ASSERT_EQUAL(outcome_verdict(&o, f.program), LIT_UNDEFINED);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* Values that justify themselves, r = x; y = r beside s = y; x = s: SC forbids the cycle.
 * With no check at all every v solves v = v: x = 1 has a witness; that no x = y + 1
 * exists is beyond trying constants, so unknown. */
static void test_thin_air(void)
{
    static const char text[] = "OPENCL t\n{ x = 0; y = 0; }\n"
                               "P0 (global int* x, global int* y) { int r = *x; *y = r; }\n"
                               "P1 (global int* x, global int* y) { int r = *y; *x = r; }\n"
                               "exists (x = 1)\n~exists (x = 3 /\\ y = 4)\n";
    struct fixture f;
    struct outcome o;
    fixture_init(&f, text, "sc", "epoch");
    fixture_run(&f, &o);
    CU_ASSERT_EQUAL(outcome_judge(&o, f.program, &f.program->conditions[0]).verdict, LIT_VIOLATED);
    CU_ASSERT_EQUAL(outcome_judge(&o, f.program, &f.program->conditions[1]).verdict, LIT_OK);
    outcome_fini(&o);
    fixture_fini(&f);
    fixture_init(&f, text, "tests/unit/anything.cat", "tests/unit/anything.cat");
    fixture_run(&f, &o);
    CU_ASSERT_EQUAL(outcome_judge(&o, f.program, &f.program->conditions[0]).verdict, LIT_OK);
    CU_ASSERT_EQUAL(outcome_judge(&o, f.program, &f.program->conditions[1]).verdict, LIT_UNKNOWN);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* The same with y = r + 1: around the cycle v = v + 1, which no v solves, so the cyclic
 * execution does not exist and nothing is in doubt. y = 2r - 1 has the solution 1. */
static void test_thin_air_equations(void)
{
    struct fixture f;
    struct outcome o;
    fixture_init(&f,
                 "OPENCL t\n{ x = 0; y = 0; }\n"
                 "P0 (global int* x, global int* y) { int r = *x; *y = r + 1; }\n"
                 "P1 (global int* x, global int* y) { int r = *y; *x = r; }\n"
                 "~exists (0:r = 5)\n",
                 "tests/unit/anything.cat", "tests/unit/anything.cat");
    fixture_run(&f, &o);
    CU_ASSERT_EQUAL(outcome_verdict(&o, f.program), LIT_OK);
    outcome_fini(&o);
    fixture_fini(&f);
    fixture_init(&f,
                 "OPENCL t\n{ x = 0; y = 0; }\n"
                 "P0 (global int* x, global int* y) { int r = *x; *y = 2 * r - 1; }\n"
                 "P1 (global int* x, global int* y) { int r = *y; *x = r; }\n"
                 "exists (0:r = 1 /\\ 1:r = 1)\n",
                 "tests/unit/anything.cat", "tests/unit/anything.cat");
    fixture_run(&f, &o);
    CU_ASSERT_EQUAL(outcome_verdict(&o, f.program), LIT_OK);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* Affine equations with few solutions are solved modulo the width of the type, so that nothing is
 * in doubt: v = 2v - 7 is 7; v = 3v - 14 is 7 and 7 + 2^31, as 2v = 14; v = 3v - 13 has none, being
 * odd; v = -15v + 32 of 64 bits is 2 + j * 2^60 for 16 j, as 16v = 32; v = 33v - 64 has 32 of them,
 * which is too many. 0 is what P0 reads otherwise. */
static void test_thin_air_solutions(void)
{
    static const struct {
        const char *type, *value;
        size_t count;
        int64_t last;
        bool doubt;
    } cases[] = {
        {"int", "2 * r - 7", 2, 7, false},
        {"int", "r + q - 7", 2, 7, false},
        {"int", "3 * r - 14", 3, 7, false},
        {"uint", "3 * r - 14", 3, 2147483655, false},
        {"int", "3 * r - 13", 1, 0, false},
        {"long", "32 - 15 * r", 17, (INT64_C(7) << 60) + 2, false},
        {"long", "33 * r - 64", 1, 0, true},
        {"int", "r", 2, 1, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        struct outcome o;
        char text[300];
        snprintf(text, sizeof text,
                 "OPENCL t\n{ %s x = 0; %s y = 0; }\n"
                 "P0 (global %s* x, global %s* y) { %s r = *x; %s q = *x; *y = %s; }\n"
                 "P1 (global %s* x, global %s* y) { %s s = *y; *x = s; }\n"
                 "filter (0:r = 0:q)\nlocations [0:r]\n",
                 cases[i].type, cases[i].type, cases[i].type, cases[i].type, cases[i].type,
                 cases[i].type, cases[i].value, cases[i].type, cases[i].type, cases[i].type);
        fixture_init(&f, text, "tests/unit/anything.cat", "tests/unit/anything.cat");
        fixture_run(&f, &o);
        CU_ASSERT_EQUAL_FATAL(o.final.count, cases[i].count);
        CU_ASSERT_EQUAL(*outcome_row(&o.final, o.final.count - 1), cases[i].last);
        CU_ASSERT_EQUAL(o.doubts[OUTCOME_DOUBT_THIN_AIR], cases[i].doubt);
        outcome_fini(&o);
        fixture_fini(&f);
    }
}

/* 3 solves v = v * v - 6 and is not tried. What would be undefined then, or a livelock, is a doubt
 * beside a state that decides the condition; where nothing would, there is none about that. */
static void test_thin_air_failures(void)
{
    static const struct {
        const char *does, *recovery;
        bool fails;
    } cases[] = {
        {"if (r + r == 6) { a[r] = 1; }", "", true},
        {"if (r + r == 6) { barrier(CLK_GLOBAL_MEM_FENCE); }", "", true},
        {"if (r + r == 6) { *x = 1; }", "", false},
        {"", "recovery (global int* x) { while (*x == 3); }\n", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        struct outcome o;
        char text[400];
        snprintf(text, sizeof text,
                 "OPENCL t\n{ nvm x = 0; nvm y = 0; a[2]; }\n"
                 "P0 (global int* x, global int* y, global int* a) {\n"
                 " int r = *x; *y = r * r - 6; %s }\n"
                 "P1 (global int* x, global int* y) { int s = *y; *x = s; }\n"
                 "%sexists (0:r = 0)\n",
                 cases[i].does, cases[i].recovery);
        fixture_init(&f, text, "tests/unit/anything.cat", "tests/unit/anything.cat");
        fixture_run(&f, &o);
        CU_ASSERT_EQUAL(outcome_judge(&o, f.program, &f.program->conditions[0]).verdict, LIT_OK);
        CU_ASSERT_EQUAL(outcome_failure_doubt(&o) != NULL, cases[i].fails);
        CU_ASSERT_TRUE(o.doubts[OUTCOME_DOUBT_THIN_AIR]);
        outcome_fini(&o);
        fixture_fini(&f);
    }
}

/* What to spoil in a witness before it is rechecked. */
enum spoil {
    SPOIL_NOTHING,
    SPOIL_VALUE,
    SPOIL_RF,
    SPOIL_CO,
    SPOIL_FR,
    SPOIL_DURABLE,
    SPOIL_EXECUTED,
    SPOIL_LAST,
    SPOIL_COUNT
};

struct spoiler {
    struct fixture *fixture;
    const struct engine_request *request;
    struct arena scratch;
    uint32_t accepted[SPOIL_COUNT], rejected[SPOIL_COUNT];
};

static rel_word *copy_words(struct arena *arena, const rel_word *from, size_t count)
{
    rel_word *to = ARENA_ARRAY(arena, rel_word, count);
    memcpy(to, from, count * sizeof *to);
    return to;
}

static void clear_first(rel_word *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (words[i]) {
            words[i] &= words[i] - 1;
            return;
        }
}

static void spoil(struct spoiler *s, const struct engine_witness *witness, enum spoil what)
{
    struct arena_mark mark = arena_mark(&s->scratch);
    struct engine_witness bad = *witness;
    struct rel_dim dim = witness->skeleton->dim;
    rel_word *rf = copy_words(&s->scratch, witness->rf, rel_words(dim));
    rel_word *co = copy_words(&s->scratch, witness->co, rel_words(dim));
    rel_word *fr = copy_words(&s->scratch, witness->fr, rel_words(dim));
    uint32_t values = witness->skeleton->slot_count;
    int64_t *value = ARENA_ARRAY(&s->scratch, int64_t, values + 1);
    memcpy(value, witness->values, values * sizeof *value);
    struct exec_cut cut = {0};
    bad.rf = rf;
    bad.co = co;
    bad.fr = fr;
    bad.values = value;
    for (uint32_t i = 0; i < values && what == SPOIL_VALUE; i++)
        value[i]++;
    if (what == SPOIL_RF)
        clear_first(rf, rel_words(dim));
    if (what == SPOIL_CO)
        clear_first(co, rel_words(dim));
    if (what == SPOIL_FR)
        fr[0] ^= 1; /* event 0 is no read */
    if (witness->cut) {
        cut = *witness->cut;
        rel_word *durable = copy_words(&s->scratch, cut.durable, dim.words);
        rel_word *executed = copy_words(&s->scratch, cut.executed, dim.words);
        uint32_t *last = ARENA_ARRAY(&s->scratch, uint32_t, 2);
        memcpy(last, cut.last, 2 * sizeof *last);
        if (what == SPOIL_DURABLE) /* the first write after the initial ones */
            durable[0] ^= UINT64_C(1) << witness->skeleton->init_count;
        if (what == SPOIL_EXECUTED)
            clear_first(executed, dim.words);
        if (what == SPOIL_LAST)
            last[0] = last[1];
        cut.durable = durable;
        cut.executed = executed;
        cut.last = last;
        bad.cut = &cut;
    }
    struct recheck *recheck = recheck_new(s->request);
    if (recheck_witness(recheck, &bad))
        s->rejected[what]++;
    else
        s->accepted[what]++;
    recheck_free(recheck);
    arena_rewind(&s->scratch, mark);
}

static void spoil_all(void *context, const struct engine_witness *witness)
{
    struct spoiler *s = context;
    bool all_durable = witness->cut && witness->cut->last[0] != LIT_NONE && witness->row[0] == 1 &&
                       witness->row[1] == 1;
    spoil(s, witness, SPOIL_NOTHING);
    for (int what = SPOIL_VALUE; what <= SPOIL_FR; what++)
        spoil(s, witness, (enum spoil)what);
    if (all_durable)
        for (int what = SPOIL_DURABLE; what <= SPOIL_LAST; what++)
            spoil(s, witness, (enum spoil)what);
}

static void test_recheck(void)
{
    struct fixture f;
    struct spoiler s = {.fixture = &f};
    struct outcome o;
    fixture_init(&f,
                 "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                 "P0 (global int* x, global int* y) { *x = 1; p_barrier_wi; *y = 1; }\n"
                 "P1 (global int* x, global int* y) { int r = *y; }\nexists (1:r = 0)\n",
                 "sc", "epoch");
    arena_init(&s.scratch);
    struct engine_request request = {.program = f.program,
                                     .model = f.model,
                                     .plan = f.plan,
                                     .crash_mode = EXEC_CRASH_ANYWHERE,
                                     .limits = {.unroll = 2},
                                     .on_witness = spoil_all,
                                     .context = &s};
    s.request = &request;
    outcome_init(&o, f.program);
    enum_run(&request, &o);
    /* Final states r = 0 and r = 1, crash states 00, 10, 11: five witnesses, all right. */
    CU_ASSERT_EQUAL(s.accepted[SPOIL_NOTHING], 5);
    CU_ASSERT_EQUAL(s.rejected[SPOIL_NOTHING], 0);
    for (int what = SPOIL_VALUE; what < SPOIL_COUNT; what++) {
        CU_ASSERT_EQUAL(s.accepted[what], 0);
        CU_ASSERT(s.rejected[what] > 0);
    }
    outcome_fini(&o);
    arena_fini(&s.scratch);
    fixture_fini(&f);
}

void suite_enumerate(void)
{
    CU_pSuite suite = CU_add_suite("enumerate", NULL, NULL);
    UNIT_TEST(suite, test_store_buffering);
    UNIT_TEST(suite, test_persist_order);
    UNIT_TEST(suite, test_bound_is_unknown);
    UNIT_TEST(suite, test_end_mode_at_bound);
    UNIT_TEST(suite, test_no_nvm);
    UNIT_TEST(suite, test_race_is_named);
    UNIT_TEST(suite, test_thin_air);
    UNIT_TEST(suite, test_thin_air_equations);
    UNIT_TEST(suite, test_thin_air_solutions);
    UNIT_TEST(suite, test_thin_air_failures);
    UNIT_TEST(suite, test_recheck);
}
