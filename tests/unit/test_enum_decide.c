/* Conditions decided without listing: the verdicts are those of a listing, and those
 * that follow by hand from the tests. */
#include "test_enum_fixture.h"

/* Every condition's verdict, listed and decided, with at most one state kept for each. */
static void expect_verdicts(const char *text, const char *visibility, const char *persistency,
                            const enum lit_verdict *expected)
{
    for (int decide = 0; decide <= 1; decide++) {
        struct enum_case c;
        enum_case_init(&c, text, visibility, persistency, decide);
        uint32_t count = c.f.program->condition_count;
        for (uint32_t i = 0; i < count; i++) {
            CU_ASSERT_EQUAL(enum_case_verdict(&c, i), expected[i]);
            if (enum_case_verdict(&c, i) != expected[i])
                fprintf(stderr, "condition %u, %s, of:\n%s", i, decide ? "decided" : "listed",
                        text);
        }
        if (decide)
            CU_ASSERT(c.o.final.count + c.o.crash.count <= count);
        enum_case_fini(&c);
    }
}

/* Store buffering under SC: outcomes 01, 10 and 11, so 00 is not there, and 11 is. */
static void test_final(void)
{
    expect_verdicts("OPENCL t\n{ x = 0; y = 0; }\n"
                    "P0 (global int* x, global int* y) { *x = 1; int r = *y; }\n"
                    "P1 (global int* x, global int* y) { *y = 1; int r = *x; }\n"
                    "exists (0:r=0 /\\ 1:r=0)\n"
                    "exists (0:r=1 /\\ 1:r=1)\n"
                    "~exists (0:r=0 /\\ 1:r=0)\n"
                    "~exists (0:r=1 /\\ 1:r=1)\n"
                    "forall (0:r=1 \\/ 1:r=1)\n"
                    "forall (0:r=1)\n"
                    "exists (0:r=2 \\/ (0:r=1 => 1:r=2))\n"
                    "forall (~(0:r=2) /\\ x=1)\n"
                    "forall (0:r=1 => 1:r=0)\n"
                    "exists (0:r=1:r)\n",
                    "sc", "epoch",
                    (enum lit_verdict[]){LIT_VIOLATED, LIT_OK, LIT_OK, LIT_VIOLATED, LIT_OK,
                                         LIT_VIOLATED, LIT_OK, LIT_OK, LIT_VIOLATED, LIT_OK});
}

/* x before y by a barrier: y alone is never durable; x alone may be. */
static void test_crash(void)
{
    expect_verdicts(
        "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
        "P0 (global int* x, global int* y) { *x = 1; p_barrier_wi; *y = 1; }\n"
        "crash exists (y=1 /\\ x=0)\n"
        "crash exists (y=0 /\\ x=1)\n"
        "crash ~exists (y=1 /\\ x=0)\n"
        "crash forall (y=1 => x=1)\n"
        "crash forall (x=1)\n"
        "final forall (x=1 /\\ y=1)\n",
        "hrf-direct", "epoch",
        (enum lit_verdict[]){LIT_VIOLATED, LIT_OK, LIT_OK, LIT_OK, LIT_VIOLATED, LIT_OK});
}

/* 40 stores of one epoch leave 2^40 states, of which no more is asked than whether x3 and x7 are
 * durable: no write has a 2, which takes no cut, and one of 2 * 2 cuts decides the second. */
static void test_crash_of_many(void)
{
    static const char text[] =
        "OPENCL t\n{ nvm x[40]; }\n"
        "P0 (global int* x) { for (int i = 0; i < 40; i++) { x[i] = 1; } }\n"
        "crash exists (x[3]=2 \\/ x[7]=2)\ncrash exists (x[3]=0 /\\ x[7]=1)\n";
    struct enum_case c;
    enum_case_init(&c, text, "hrf-direct", "epoch", true);
    CU_ASSERT_EQUAL(enum_case_verdict(&c, 0), LIT_VIOLATED);
    CU_ASSERT_EQUAL(enum_case_verdict(&c, 1), LIT_OK);
    CU_ASSERT(c.o.stats.cuts >= 1 && c.o.stats.cuts <= 4);
    enum_case_fini(&c);
}

/* Five stores each of five work-items, with a barrier behind each, or none: coherence has
 * 25! / (5!)^5 ways to order them, more than 10^14. With barriers P0's are durable before y is
 * written, so x is not 0 any more whatever the order; without, y may be durable alone. No way to
 * order them is tried to its end to see the first, and that nothing is undefined, where all are
 * atomic: one execution shows that there is a crash, and it takes no more than a look at each pair
 * of stores.
 */
static void test_no_way_matters(void)
{
    for (int broken = 0; broken <= 1; broken++) {
        struct strbuf text = {0};
        strbuf_add(&text, "OPENCL t\n{ nvm atomic_int x = 0; nvm y = 0; }\n");
        for (int t = 0; t < 5; t++) {
            strbuf_printf(&text, "P%d@wg %d (global atomic_int* x, global int* y) {\n", t, t);
            for (int i = 1; i <= 5; i++)
                strbuf_printf(&text, "  x.store(%d, mo_rel, dev_scope);%s\n", 5 * t + i,
                              broken ? "" : " p_barrier_wi;");
            strbuf_add(&text, t == 0 ? "  *y = 1;\n}\n" : "}\n");
        }
        strbuf_add(&text, "crash ~exists (y=1 /\\ x=0)\ncrash forall (y=0 \\/ ~(x=0))\n");
        struct enum_case c;
        enum_case_init(&c, strbuf_text(&text), "hrf-direct", "epoch", true);
        for (uint32_t i = 0; i < 2; i++)
            CU_ASSERT_EQUAL(enum_case_verdict(&c, i), broken ? LIT_VIOLATED : LIT_OK);
        CU_ASSERT_EQUAL(c.refused, 0);
        CU_ASSERT(c.o.stats.candidates < 25 * 25);
        enum_case_fini(&c);
        strbuf_fini(&text);
    }
}

/* What bounds do not tell stays open: z is 1 more than P1 read of y, so 1 or 2, and nothing forbids
 * a crash that keeps it without y; where P1 read 1 a barrier made x durable before y was written.
 * P2 only adds events, so that the search is one that asks bounds. */
static void test_unknown_values(void)
{
    expect_verdicts(
        "OPENCL t\n{ nvm atomic_int x = 0; nvm atomic_int y = 0; nvm z = 0; w[20]; }\n"
        "P0@wg 0 (global atomic_int* x, global atomic_int* y) {\n"
        "  x.store(1, mo_rel, dev_scope); p_barrier_wi; y.store(1, mo_rel, dev_scope);\n"
        "}\n"
        "P1@wg 1 (global atomic_int* y, global int* z) {\n"
        "  int r = y.load(mo_acq, dev_scope); *z = r + 1;\n"
        "}\n"
        "P2@wg 2 (global int* w) { for (int i = 0; i < 20; i++) { w[i] = 1; } }\n"
        "crash exists (z=2 /\\ y=0)\n"
        "crash exists (z=2 /\\ x=0)\n"
        "crash exists (z=1 /\\ x=0)\n"
        "crash exists (z=3)\n"
        "crash exists (x=1 /\\ x=y)\n"
        "crash forall (z=2 => x=1)\n"
        "crash forall (y=1 => x=y)\n"
        "crash forall (~(z=2) \\/ y=1)\n",
        "hrf-direct", "epoch",
        (enum lit_verdict[]){LIT_OK, LIT_VIOLATED, LIT_OK, LIT_VIOLATED, LIT_OK, LIT_OK, LIT_OK,
                             LIT_VIOLATED});
}

/* Without a check x and y may pass any value to each other, and of these only constants are tried.
 * That is no doubt about z, which is never 2 whatever they pass: so it is decided, listed or not.
 * Whether x may be no constant of the test stays open either way; that it may be 7 is found. The
 * doubt is named where a list lacks states, or a condition is left open. */
static void test_values_that_justify_themselves(void)
{
    static const struct {
        const char *condition;
        enum lit_verdict verdict;
    } cases[] = {
        {"exists (z=2)", LIT_VIOLATED},
        {"forall (z=1)", LIT_OK},
        {"crash exists (z=2)", LIT_VIOLATED},
        {"crash forall (z=0 \\/ z=1)", LIT_OK},
        {"exists (~(x=0) /\\ ~(x=1))", LIT_UNKNOWN},
        {"crash forall (x=0 \\/ x=1)", LIT_UNKNOWN},
        {"crash forall (z=1 \\/ x=0 \\/ x=1)", LIT_UNKNOWN},
        {"exists (x=7)", LIT_OK},
        {"crash exists (x=7 /\\ z=0)", LIT_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct enum_case c;
        struct outcome decided;
        char text[300];
        snprintf(text, sizeof text,
                 "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\n"
                 "P0 (global int* x, global int* y) { int r = *x; *y = r; }\n"
                 "P1 (global int* x, global int* y) { int s = *y; *x = s; }\n"
                 "P2 (global int* z) { *z = 1; }\n%s\n",
                 cases[i].condition);
        enum_case_init(&c, text, enum_anything, enum_anything, false);
        CU_ASSERT_EQUAL(enum_case_verdict(&c, 0), cases[i].verdict);
        c.request.decide = true;
        c.request.thresholds = &engine_least_thresholds;
        outcome_init(&decided, c.f.program);
        enum_run(&c.request, &decided);
        CU_ASSERT_EQUAL(outcome_verdict(&decided, c.f.program), cases[i].verdict);
        CU_ASSERT_TRUE(c.o.doubts[OUTCOME_DOUBT_THIN_AIR]);
        CU_ASSERT_EQUAL(decided.doubts[OUTCOME_DOUBT_THIN_AIR], cases[i].verdict == LIT_UNKNOWN);
        outcome_fini(&decided);
        enum_case_fini(&c);
    }
}

/* One execution, and its final state decides the first condition: the second, about the
 * one crash state (no memory survives), still has to see the execution. */
static void test_crash_after_final(void)
{
    expect_verdicts("OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                    "exists (x=1)\ncrash exists (true)\ncrash ~exists (true)\n",
                    "sc", "epoch", (enum lit_verdict[]){LIT_OK, LIT_OK, LIT_VIOLATED});
}

/* The filter leaves r = 1 only, so that x = 1 there: message passing under SC. */
static void test_filter(void)
{
    expect_verdicts("OPENCL t\n{ x = 0; y = 0; }\n"
                    "P0 (global int* x, global int* y) { *x = 1; *y = 1; }\n"
                    "P1 (global int* x, global int* y) { int r = *y; int s = *x; }\n"
                    "filter (1:r=1)\n"
                    "exists (1:s=0)\nexists (1:s=1)\nforall (1:r=1)\n~exists (1:r=0)\n",
                    "sc", "epoch", (enum lit_verdict[]){LIT_VIOLATED, LIT_OK, LIT_OK, LIT_OK});
}

/* A loop that needs three rounds, bound 2: no run ends, so there is no final state; the one
 * crash state (no memory survives) is there all the same. */
static void test_bound(void)
{
    expect_verdicts("OPENCL t\n{ atomic_int x = 3; y = 0; }\n"
                    "P0 (global atomic_int* x, global int* y) {\n"
                    " while (atomic_fetch_sub_explicit(x, 1, memory_order_relaxed,"
                    " memory_scope_device) > 0) { *y = 7; }\n *y = 9; }\n"
                    "exists (y=9)\n~exists (y=7)\nforall (y=9)\ncrash exists (true)\n",
                    "sc", "epoch",
                    (enum lit_verdict[]){LIT_UNKNOWN, LIT_UNKNOWN, LIT_UNKNOWN, LIT_OK});
}

/* P0 meets its bound, and P1 waits for what P0 would do behind its loop: no thread ends,
 * but with more rounds both would, so nothing is decided. */
static void test_bound_beside_await(void)
{
    expect_verdicts("OPENCL t\n{ atomic_int x = 3; atomic_int g = 0; y = 0; }\n"
                    "P0 (global atomic_int* x, global atomic_int* g) {\n"
                    " while (x.fetch_sub(1, mo_rlx, dev_scope) > 0) { }\n"
                    " g.store(1, mo_rlx, dev_scope); }\n"
                    "P1 (global atomic_int* g, global int* y) {\n"
                    " while (!g.load(mo_rlx, dev_scope));\n *y = 1; }\n"
                    "exists (y=1)\n~exists (y=1)\nforall (y=1)\n",
                    "sc", "epoch", (enum lit_verdict[]){LIT_UNKNOWN, LIT_UNKNOWN, LIT_UNKNOWN});
}

/* The same with a barrier between: P1 stands at it while P0 is in its loop. */
static void test_bound_beside_barrier(void)
{
    expect_verdicts("OPENCL t\n{ atomic_int x = 3; y = 0; }\n"
                    "P0 (global atomic_int* x) {\n"
                    " while (x.fetch_sub(1, mo_rlx, dev_scope) > 0) { }\n sync_barrier_wg; }\n"
                    "P1 (global int* y) { sync_barrier_wg; *y = 1; }\n"
                    "exists (y=1)\nforall (y=1)\n",
                    "sc", "epoch", (enum lit_verdict[]){LIT_UNKNOWN, LIT_UNKNOWN});
}

/* An await that nothing ends leaves no final state and no doubt: what holds, holds of nothing. */
static void test_await_forever(void)
{
    expect_verdicts("OPENCL t\n{ atomic_int g = 0; y = 0; }\n"
                    "P0 (global atomic_int* g, global int* y) {\n"
                    " while (!g.load(mo_rlx, dev_scope));\n *y = 1; }\n"
                    "exists (true)\nforall (false)\n~exists (y=1)\n",
                    "sc", "epoch", (enum lit_verdict[]){LIT_VIOLATED, LIT_UNKNOWN, LIT_UNKNOWN});
}

/* A race, a missing work-item at a barrier, an index outside: undefined, whatever is asked. */
static void test_undefined(void)
{
    static const enum lit_verdict undefined[] = {LIT_UNDEFINED, LIT_UNDEFINED};
    expect_verdicts("OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                    "P1 (global int* x) { int r = *x; }\nexists (1:r=1)\nforall (x=1)\n",
                    "hrf-direct", "epoch", undefined);
    expect_verdicts("OPENCL t\n{ x = 0; }\nP0 (global int* x) { sync_barrier_wg; *x = 1; }\n"
                    "P1 (global int* x) { int r = 0; }\nexists (x=1)\ncrash exists (true)\n",
                    "sc", "epoch", undefined);
    expect_verdicts("OPENCL t\n{ atomic_int x = 0; nvm a[2]; }\n"
                    "P0 (global atomic_int* x, global int* a) {\n"
                    " int i = x.load(mo_rlx, dev_scope); a[i] = 1; }\n"
                    "P1 (global atomic_int* x) { x.store(2, mo_rlx, dev_scope); }\n"
                    "exists (a[0]=1)\ncrash forall (a[1]=0)\n",
                    "sc", "epoch", undefined);
}

/* No condition: what is left to say is undefined, or unknown for the bound of the loop
 * (which needs three rounds), or nothing. */
static void test_no_condition(void)
{
    static const struct {
        const char *text;
        enum lit_verdict verdict;
    } cases[] = {
        {"OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\nlocations [x]\n", LIT_OK},
        {"OPENCL t\n{ x = 0; }\nP0 (global int* x) { sync_barrier_wg; }\n"
         "P1 (global int* x) { int r = 0; }\nlocations [x]\n",
         LIT_UNDEFINED},
        {"OPENCL t\n{ atomic_int x = 3; }\nP0 (global atomic_int* x) {\n"
         " while (x.fetch_sub(1, mo_rlx, dev_scope) > 0) { } }\nlocations [x]\n",
         LIT_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int decide = 0; decide <= 1; decide++) {
            struct enum_case c;
            enum_case_init(&c, cases[i].text, "sc", "epoch", decide);
            CU_ASSERT_EQUAL(outcome_verdict(&c.o, c.f.program), cases[i].verdict);
            enum_case_fini(&c);
        }
}

/* Partial coherence, no check: two unordered writes of each of x and y. Each may be last,
 * whatever the other location shows; x and x again are one choice. */
static void test_partial_coherence(void)
{
    expect_verdicts(
        "PTX t\n{ x = 0; y = 0; }\n"
        " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
        " st.weak x, 1   | st.weak x, 2   ;\n"
        " st.weak y, 1   | st.weak y, 2   ;\n"
        "exists (x=1 /\\ y=2)\nexists (x=2 /\\ y=1)\nexists (x=2 /\\ y=2)\n"
        "exists (x=1 /\\ x=2)\nforall (x=1 \\/ x=2)\n~exists (x=0)\nforall (x=y)\n",
        enum_anything, enum_anything,
        (enum lit_verdict[]){LIT_OK, LIT_OK, LIT_OK, LIT_VIOLATED, LIT_OK, LIT_OK, LIT_VIOLATED});
}

/* One state that serves three conditions is kept once: x = 1 is the only final state. */
static void test_one_state_for_all(void)
{
    struct enum_case c;
    enum_case_init(&c,
                   "OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                   "exists (x=1)\n~exists (x=1)\nforall (x=2)\n",
                   "sc", "epoch", true);
    CU_ASSERT_EQUAL(c.o.final.count, 1);
    CU_ASSERT_EQUAL(c.witnesses, 1);
    CU_ASSERT_EQUAL(enum_case_verdict(&c, 0), LIT_OK);
    CU_ASSERT_EQUAL(enum_case_verdict(&c, 1), LIT_VIOLATED);
    CU_ASSERT_EQUAL(enum_case_verdict(&c, 2), LIT_VIOLATED);
    enum_case_fini(&c);
}

/* What no state decides takes a whole search, but keeps no state. */
static void test_nothing_kept(void)
{
    struct enum_case c;
    enum_case_init(&c,
                   "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; *x = 2; }\n"
                   "exists (x=3)\ncrash exists (x=3)\n",
                   "sc", "epoch", true);
    CU_ASSERT_EQUAL(c.o.final.count, 0);
    CU_ASSERT_EQUAL(c.o.crash.count, 0);
    CU_ASSERT_EQUAL(outcome_verdict(&c.o, c.f.program), LIT_VIOLATED);
    enum_case_fini(&c);
}

/* Final conditions mention more than 16 writes of one location: too many to follow one by
 * one, which may not decide anything wrongly. Any of them may be last in coherence. */
static void test_many_writes(void)
{
    struct strbuf text = {0};
    strbuf_add(&text, "OPENCL t\n{ x = 0; }\n");
    for (int t = 0; t < 20; t++)
        strbuf_printf(&text, "P%d (global int* x) { *x = %d; }\n", t, t + 1);
    strbuf_add(&text, "exists (x=20)\nexists (x=1)\nforall (x=20)\nforall (x=1)\n");
    struct enum_case c;
    enum_case_init(&c, strbuf_text(&text), "sc", "epoch", true);
    CU_ASSERT_EQUAL(enum_case_verdict(&c, 0), LIT_OK);
    CU_ASSERT_EQUAL(enum_case_verdict(&c, 1), LIT_OK);
    CU_ASSERT_EQUAL(enum_case_verdict(&c, 2), LIT_VIOLATED);
    CU_ASSERT_EQUAL(enum_case_verdict(&c, 3), LIT_VIOLATED);
    enum_case_fini(&c);
    strbuf_fini(&text);
}

/* Few events, and 12! / 3!^4 = 369,600 orders of what four work-items store to x, none of which
 * makes x durable before y. That none is undefined either is seen in bounds, not in one order after
 * the other. */
static void test_few_events(void)
{
    static const char text[] =
        "OPENCL t\n{ nvm atomic_int x = 0; nvm y = 0; }\n"
        "P0 (global atomic_int* x, global int* y) {\n"
        " for (int i = 1; i < 4; i++) { x.store(i, mo_rel, dev_scope); } *y = 1; }\n"
        "P1 (global atomic_int* x) {\n"
        " for (int i = 4; i < 7; i++) { x.store(i, mo_rel, dev_scope); } }\n"
        "P2 (global atomic_int* x) {\n"
        " for (int i = 7; i < 10; i++) { x.store(i, mo_rel, dev_scope); } }\n"
        "P3 (global atomic_int* x) {\n"
        " for (int i = 10; i < 13; i++) { x.store(i, mo_rel, dev_scope); } }\n"
        "crash ~exists (y=1 /\\ x=0)\n";
    struct enum_case c;
    enum_case_init(&c, text, "hrf-direct", "epoch", true);
    CU_ASSERT_EQUAL(enum_case_verdict(&c, 0), LIT_VIOLATED);
    CU_ASSERT(c.o.stats.candidates < 1000);
    enum_case_fini(&c);
}

void suite_enum_decide(void)
{
    CU_pSuite suite = CU_add_suite("enum_decide", NULL, NULL);
    UNIT_TEST(suite, test_final);
    UNIT_TEST(suite, test_crash);
    UNIT_TEST(suite, test_crash_of_many);
    UNIT_TEST(suite, test_no_way_matters);
    UNIT_TEST(suite, test_unknown_values);
    UNIT_TEST(suite, test_values_that_justify_themselves);
    UNIT_TEST(suite, test_crash_after_final);
    UNIT_TEST(suite, test_filter);
    UNIT_TEST(suite, test_bound);
    UNIT_TEST(suite, test_bound_beside_await);
    UNIT_TEST(suite, test_bound_beside_barrier);
    UNIT_TEST(suite, test_await_forever);
    UNIT_TEST(suite, test_few_events);
    UNIT_TEST(suite, test_undefined);
    UNIT_TEST(suite, test_no_condition);
    UNIT_TEST(suite, test_partial_coherence);
    UNIT_TEST(suite, test_one_state_for_all);
    UNIT_TEST(suite, test_nothing_kept);
    UNIT_TEST(suite, test_many_writes);
}
