/* Registers in crash conditions: whole sets of crash states, each derived from "Registers" in
 * docs/models/semantics.md. A row has the non-volatile locations, then for each register whether it
 * has a value, and the value, 0 without. */
#include "test_enum_fixture.h"
#include "test_recovery_fixture.h"

enum { MOST_COLUMNS = 8 };

#define NO 0, 0 /* a register without a value */
#define V(value) 1, value

struct expected {
    const char *text, *persistency; /* built-in, or the text of a model */
    uint32_t width, count;
    const int64_t (*rows)[MOST_COLUMNS];
};

static void run(struct fixture *f, const struct expected *e, enum exec_crash_mode mode,
                struct outcome *o)
{
    fixture_init(f, e->text, "sc", "none");
    fixture_use_model(f, "include \"sc.cat\"", e->persistency);
    fixture_run_mode(f, mode, o);
}

static void expect(const struct expected *e, enum exec_crash_mode mode)
{
    struct fixture f;
    struct outcome o;
    run(&f, e, mode, &o);
    CU_ASSERT_EQUAL_FATAL(o.crash.width, e->width);
    CU_ASSERT_EQUAL(o.crash.count, e->count);
    for (uint32_t i = 0; i < e->count; i++)
        CU_ASSERT_TRUE(fixture_has(&o.crash, e->rows[i]));
    CU_ASSERT_PTR_NULL(outcome_doubt(&o));
    outcome_fini(&o);
    fixture_fini(&f);
}

#define EXPECT_IN(mode, text, persistency, width, ...)                        \
    do {                                                                      \
        static const int64_t rows_[][MOST_COLUMNS] = {__VA_ARGS__};           \
        expect(&(struct expected){text, "include \"" persistency "\"", width, \
                                  sizeof rows_ / sizeof *rows_, rows_},       \
               mode);                                                         \
    } while (0)
#define EXPECT(...) EXPECT_IN(EXEC_CRASH_ANYWHERE, __VA_ARGS__)

#define FLAG "OPENCL t\n{ nvm x = 0; atomic_int f = 0; }\n"
#define WRITER                                                          \
    "P0 (global int* x, global atomic_int* f) { *x = 1; p_barrier_wi; " \
    "f.store(1, mo_rel, wg_scope); }\n"
#define READER "P1 (global atomic_int* f) { int ack = f.load(mo_acq, wg_scope); }\n"
#define ABOUT_ACK "crash ~exists (1:ack = 1 /\\ x = 0)\n"

/* The flag is written when x is durable, and with `none` whether it is or not. */
static void test_acknowledgement(void)
{
    EXPECT(FLAG WRITER READER ABOUT_ACK, "epoch.cat", 3, {0, NO}, {1, NO}, {0, V(0)}, {1, V(0)},
           {1, V(1)});
    EXPECT(FLAG WRITER READER ABOUT_ACK, "none.cat", 3, {0, NO}, {1, NO}, {0, V(0)}, {1, V(0)},
           {0, V(1)}, {1, V(1)});
}

#define ALONE "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { "

/* Each assignment hides the one before; what is computed at the start is there from the start. */
static void test_assignments(void)
{
    EXPECT(ALONE "int k = 4; *x = 1; k = 5; p_barrier_wi; k = *x; }\ncrash exists (0:k = 4)\n",
           "epoch.cat", 3, {0, V(4)}, {0, V(5)}, {1, V(5)}, {1, V(1)});
    EXPECT(
        "OPENCL t\n{ nvm x = 0; 0:k = 7; }\nP0 (global int* x) { int k; int m; *x = k; m = 2; }\n"
        "crash exists (0:k = 7 /\\ 0:m = 2)\n",
        "none.cat", 5, {0, V(7), NO}, {0, V(7), V(2)}, {7, V(7), V(2)});
}

/* A read-modify-write gives its value as a whole; that of x is durable when it has executed, but
 * here nothing says so. */
static void test_updates(void)
{
    EXPECT("OPENCL t\n{ nvm atomic_int x = 3; }\nP0 (global atomic_int* x) {\n"
           "int r = x.fetch_add(1, mo_rlx, wg_scope); }\ncrash exists (0:r = 3)\n",
           "none.cat", 3, {3, NO}, {3, V(3)}, {4, V(3)});
    EXPECT("OPENCL t\n{ nvm atomic_int x = 3; }\nP0 (global atomic_int* x) { int e = 4;\n"
           "int r = atomic_compare_exchange_strong(x, &e, 9); }\n"
           "crash exists (0:r = 1 /\\ 0:e = 3)\n",
           "none.cat", 5, {3, V(4), NO}, {3, V(3), V(0)});
}

/* k is on one side of the branch. x = 1 of the other work-item is seen or not, durable or not. */
static void test_branches(void)
{
    EXPECT("OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
           "P1 (global int* x) { int k; if (*x == 1) { k = 5; } }\ncrash exists (1:k = 5)\n",
           "none.cat", 3, {0, NO}, {1, NO}, {0, V(5)}, {1, V(5)});
}

#define POINTS                                                                       \
    ALONE "int k; *x = 1; crash \"a\"; k = 5; crash \"b\"; k = 6; p_barrier_wi; }\n" \
          "crash exists (0:k = 5)\n"

/* At "a" k is still to come, at "b" it is 5. Anywhere: with W x executed k may be any of these, as
 * no event is between. At the end it is 6, and x is durable by the barrier. */
static void test_crash_statements(void)
{
    EXPECT_IN(EXEC_CRASH_POINTS, POINTS, "epoch.cat", 3, {0, NO}, {1, NO}, {0, V(5)}, {1, V(5)});
    EXPECT_IN(EXEC_CRASH_ANYWHERE, POINTS, "epoch.cat", 3, {0, NO}, {1, NO}, {0, V(5)}, {1, V(5)},
              {0, V(6)}, {1, V(6)});
    EXPECT_IN(EXEC_CRASH_END, POINTS, "epoch.cat", 3, {1, V(6)});
}

/* One work-item's register at the other's crash statement: before or behind its own. */
static void test_statements_of_two(void)
{
    EXPECT_IN(EXEC_CRASH_POINTS,
              "OPENCL t\n{ nvm x = 0; }\nP0@wg 0 () { int k; crash; k = 1; }\n"
              "P1@wg 1 () { int m; crash; m = 2; }\ncrash exists (0:k = 1 /\\ 1:m = 2)\n",
              "none.cat", 5, {0, NO, NO}, {0, V(1), NO}, {0, NO, V(2)});
}

/* Where nothing executes before anything, reads come in any order, the later goes before the
 * earlier, and what is computed waits for both. There is no non-volatile location. */
static void test_out_of_order(void)
{
    static const char text[] = "OPENCL t\n{ x = 1; y = 2; }\n"
                               "P0 (global int* x, global int* y) { int r; int k;\n"
                               "r = *x; r = *y; k = 3; }\ncrash exists (0:r = 1 /\\ 0:k = 3)\n";
    static const int64_t rows[][MOST_COLUMNS] = {{NO, NO}, {V(1), NO}, {V(2), NO}, {V(2), V(3)}};
    expect(&(struct expected){text, "let executes-before = 0", 4, 4, rows}, EXEC_CRASH_ANYWHERE);
}

#define POLL \
    "P1 (global atomic_int* f) { int r; do { r = f.load(mo_acq, wg_scope); } while (!r); }\n"

/* A look that failed gives 0, and is no bound's matter. */
static void test_awaits(void)
{
    EXPECT("OPENCL t\n{ nvm x = 0; atomic_int f = 0; }\n" WRITER POLL "crash exists (1:r = 0)\n",
           "epoch.cat", 3, {0, NO}, {1, NO}, {0, V(0)}, {1, V(0)}, {1, V(1)});
    /* Nobody ever writes 1: the wait is stuck, and its looks count all the same. */
    EXPECT("OPENCL t\n{ nvm x = 0; atomic_int f = 0; }\nP0 (global int* x) { *x = 1; }\n" POLL
           "crash exists (1:r = 0)\n",
           "none.cat", 3, {0, NO}, {1, NO}, {0, V(0)}, {1, V(0)});
}

/* The last row needs two looks: b of one that ended before a was 1, a of the next. b is never 1. */
static void test_awaits_of_two(void)
{
    EXPECT("OPENCL t\n{ atomic_int f = 0; atomic_int g = 2; }\n"
           "P0 (global atomic_int* f, global atomic_int* g) {\n"
           "g.store(3, mo_sc, wg_scope); f.store(1, mo_sc, wg_scope); }\n"
           "P1 (global atomic_int* f, global atomic_int* g) { int a; int b;\n"
           "do { a = f.load(mo_sc, wg_scope); b = g.load(mo_sc, wg_scope); } while (b != 1); }\n"
           "crash exists (1:a = 1 /\\ 1:b = 2)\n",
           "none.cat", 4, {NO, NO}, {V(0), NO}, {V(1), NO}, {V(0), V(2)}, {V(0), V(3)},
           {V(1), V(3)}, {V(1), V(2)});
}

/* A wait within a wait: r is 1 once f was read as 1, whichever of the two goes on for ever. */
static void test_awaits_within(void)
{
    EXPECT("OPENCL t\n{ atomic_int f = 0; atomic_int g = 0; }\n"
           "P0 (global atomic_int* f) { f.store(1, mo_sc, wg_scope); }\n"
           "P1 (global atomic_int* f, global atomic_int* g) { int r;\n"
           "do { while (!f.load(mo_sc, wg_scope)); r = 1; } while (!g.load(mo_sc, wg_scope)); }\n"
           "crash exists (1:r = 1)\n",
           "none.cat", 2, {NO}, {V(1)});
}

/* What a look computes before it reads is there without a look: r = 1 from the start, q = 2 once
 * the first read is there. */
static void test_awaits_computed(void)
{
    EXPECT("OPENCL t\n{ atomic_int f = 0; }\nP0 (global atomic_int* f) { int r; int s;\n"
           "do { r = 1; s = f.load(mo_sc, wg_scope); } while (!s); }\ncrash forall (0:r = 1)\n",
           "none.cat", 2, {V(1)});
    EXPECT("OPENCL t\n{ atomic_int f = 0; }\nP0 (global atomic_int* f) { int q = 1; int s;\n"
           "s = f.load(mo_sc, wg_scope);\n"
           "while (!s) { q = 2; s = f.load(mo_sc, wg_scope); } }\n"
           "crash forall (0:q = 2 /\\ 0:s = 0)\n",
           "none.cat", 4, {V(1), NO}, {V(2), V(0)});
}

/* Of a run that is not looked at to its end: one crash state, or none, of one register; a doubt. */
static void expect_part(const char *p0, const char *p1, uint32_t count,
                        const int64_t row[MOST_COLUMNS])
{
    struct fixture f;
    struct outcome o;
    char text[400];
    snprintf(text, sizeof text,
             "OPENCL t\n{ atomic_int f = 0; }\nP0 (global atomic_int* f) { int r; int s; %s }\n"
             "%s\ncrash exists (0:r = 1)\n",
             p0, p1);
    run(&f, &(struct expected){text, "include \"none.cat\"", 2, 1, NULL}, EXEC_CRASH_ANYWHERE, &o);
    CU_ASSERT_EQUAL(o.crash.count, count);
    CU_ASSERT_TRUE(!count || fixture_has(&o.crash, row));
    CU_ASSERT_PTR_NOT_NULL(outcome_doubt(&o));
    outcome_fini(&o);
    fixture_fini(&f);
}
#define EXPECT_PART(p0, p1, count, ...) \
    expect_part(p0, p1, count, (const int64_t[MOST_COLUMNS]){__VA_ARGS__})

/* What comes behind the last read of a run is computed with it, though the run goes no further:
 * that is r = 2, on top of the next iteration, so r = 1 is never there. The first loop meets its
 * bound; constants say that the second goes on, so it goes on to the longest run looked at. */
static void test_computed_at_end(void)
{
    EXPECT_PART("do { r = 2; s = f.fetch_xor(1); r = 1; } while (s != 2);", "", 1, V(2));
    EXPECT_PART("do { r = 2; s = f.fetch_xor(1); r = 1; } while (r == 1);", "", 1, V(2));
}

/* r = 0 comes with the event before it, so r = 1 is never there. What is computed until then is too
 * long, or too large, to be looked at, so it is not known what r is with that event. */
static void test_computed_too_long(void)
{
#define LONG "for (int i = 0; i < 20000; i++) s = s + i;"
    EXPECT_PART("f.store(1); r = 1; " LONG " r = 0; f.store(s);", "", 1, NO);
    EXPECT_PART("f.exchange(1); r = 1; " LONG " r = 0; f.store(s);", "", 1, NO);
    EXPECT_PART("r = 1; " LONG " r = 0; f.store(s);", "", 0, NO);
    EXPECT_PART("s = f.load(); r = 1; for (int i = 0; i < 14; i++) s = s + s;"
                "if (s == 5) r = 2; else r = 0; f.store(s);",
                "", 1, NO);
}

/* r counts up to what was read. That is 0, or 3, one round behind the bound; of 9 it is not looked
 * so far. r = 1 is on the way there, and never to be seen. */
static void test_computed_in_loop(void)
{
#define STORES(value) "P1 (global atomic_int* f) { f.store(" value "); }"
#define COUNT_UP "r = 0; s = f.load(); while (r != s) r++; f.store(5);"
    EXPECT_PART(COUNT_UP, STORES("3"), 2, V(3));
    EXPECT_PART(COUNT_UP, STORES("9"), 1, V(0));
}

/* Registers of both levels. s is what f was; r is 1 with the read that gave s = 1, as it is computed
 * behind that. In the second test f falls back to 0, so a look within begins again, for ever. */
static void test_awaits_within_of_two(void)
{
#define BOTH_LEVELS(stores)                                             \
    "OPENCL t\n{ atomic_int f = 0; atomic_int g = 0; }\n"               \
    "P0 (global atomic_int* f) { " stores " }\n"                        \
    "P1 (global atomic_int* f, global atomic_int* g) { int r; int s;\n" \
    "do { do { s = f.load(mo_sc, wg_scope); } while (!s); r = 1; }\n"   \
    "while (!g.load(mo_sc, wg_scope)); }\ncrash exists (1:r = 1 /\\ 1:s = 0)\n"
    EXPECT(BOTH_LEVELS("f.store(1, mo_sc, wg_scope);"), "none.cat", 4, {NO, NO}, {NO, V(0)},
           {V(1), V(1)});
    EXPECT(BOTH_LEVELS("f.store(1, mo_sc, wg_scope); f.store(0, mo_sc, wg_scope);"), "none.cat", 4,
           {NO, NO}, {NO, V(0)}, {V(1), V(1)}, {V(1), V(0)});
}

/* Each round of the outer loop counts, so the inner wait leaves out none that assigns r: s is 1 for
 * good once it is, before r is 2, and no look is a bound's matter. */
static void test_awaits_counted(void)
{
    EXPECT("OPENCL t\n{ atomic_int f = 0; }\n"
           "P0 (global atomic_int* f) { int r; int s;\n"
           "for (int i = 0; i < 2; i++) {\n"
           "r = i + 1; do { s = f.load(mo_sc, wg_scope); } while (s == 0); }\n"
           "r = 9; }\n"
           "P1 (global atomic_int* f) { f.store(1, mo_sc, wg_scope); }\n"
           "crash exists (0:r = 2 /\\ 0:s = 0)\n",
           "none.cat", 4, {V(1), NO}, {V(1), V(0)}, {V(2), V(1)}, {V(9), V(1)});
}

/* The outer loop has no wait of its own, as c decides at its top; r is 1 all the same. */
static void test_awaits_outer_decides(void)
{
    EXPECT("OPENCL t\n{ atomic_int f = 0; atomic_int g = 0; }\n"
           "P0 (global atomic_int* f) { f.store(1, mo_sc, wg_scope); }\n"
           "P1 (global atomic_int* f, global atomic_int* g) { int r; int c = 0;\n"
           "do { if (c) break; while (!f.load(mo_sc, wg_scope)); r = 1;\n"
           "c = g.load(mo_sc, wg_scope); } while (1); }\n"
           "crash exists (1:r = 1)\n",
           "none.cat", 2, {NO}, {V(1)});
}

/* r is read behind the wait, so a failing round has to leave it 2; within it, r is what g is, 0. */
static void test_awaits_set_back(void)
{
    EXPECT("OPENCL t\n{ atomic_int f = 0; atomic_int g = 0; int x = 0; }\n"
           "P0 (global atomic_int* f) { f.store(1, mo_sc, wg_scope); }\n"
           "P1 (global atomic_int* f, global atomic_int* g, global int* x) { int r = 2; int q;\n"
           "while (!f.load(mo_sc, wg_scope)) {\n"
           "r = g.load(mo_sc, wg_scope); q = g.load(mo_sc, wg_scope); r = 2; }\n"
           "*x = r; }\n"
           "crash exists (1:r = 0)\n",
           "none.cat", 2, {V(2)}, {V(0)});
}

/* Twins are told apart by a register that a crash condition names: 2 orders, else 1. */
static void test_symmetry(void)
{
    static const char twins[] =
        "OPENCL t\n{ nvm atomic_int x = 0; }\n"
        "P0 (global atomic_int* x) { int r = x.fetch_add(1, mo_rlx, dev_scope); }\n"
        "P1 (global atomic_int* x) { int r = x.fetch_add(1, mo_rlx, dev_scope); }\n";
    struct strbuf text = {0};
    strbuf_printf(&text, "%scrash exists (x = 1)\n", twins);
    CU_ASSERT_EQUAL(enum_count(strbuf_text(&text), "sc"), 1);
    strbuf_clear(&text);
    strbuf_printf(&text, "%scrash exists (0:r = 1)\n", twins);
    CU_ASSERT_EQUAL(enum_count(strbuf_text(&text), "sc"), 2);
    strbuf_fini(&text);
}

/* Crash states that differ in the register alone are one start: x is 0 or 1. */
static void test_recovery(void)
{
    struct recovery_case c;
    prepare(&c, FLAG WRITER READER "recovery (global int* x) { int r = *x; }\n"
                                   "crash exists (1:ack = 0)\nrecovered exists (0:r = 0)\n");
    enum_run(&c.request, &c.o);
    CU_ASSERT_EQUAL(c.faults, 0);
    CU_ASSERT_EQUAL(c.o.crash.count, 5);
    CU_ASSERT_EQUAL(c.o.starts.width, 1);
    CU_ASSERT_EQUAL(c.o.recovery_stats.starts, 2);
    CU_ASSERT_EQUAL(c.o.recoveries.count, 2);
    CU_ASSERT_EQUAL(c.o.recoveries.width, 3);
    CU_ASSERT_EQUAL(verdict(&c, 0), LIT_OK);
    CU_ASSERT_EQUAL(verdict(&c, 1), LIT_OK);
    finish(&c);
}

/* Listed or decided: every comparison with nothing is false, so its negation holds. */
static void test_verdicts(void)
{
    static const struct {
        const char *condition;
        enum lit_verdict verdict;
    } cases[] = {
        {"crash ~exists (1:ack = 1 /\\ x = 0)\n", LIT_OK},
        {"crash exists (~(1:ack = 0) /\\ ~(1:ack = 1))\n", LIT_OK},
        {"crash exists (~(1:ack = 0) /\\ 1:ack != 1)\n", LIT_VIOLATED},
        {"crash forall (1:ack = 1:ack)\n", LIT_VIOLATED},
        {"crash forall (1:ack = 1 => x = 1)\n", LIT_OK},
        {"crash exists (1:ack < x)\n", LIT_OK},
        {"crash ~exists (1:ack > x)\n", LIT_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int decide = 0; decide <= 1; decide++) {
            struct strbuf text = {0};
            struct enum_case c;
            strbuf_printf(&text, "%s%s", FLAG WRITER READER, cases[i].condition);
            enum_case_init(&c, strbuf_text(&text), "hrf-direct", "epoch", decide);
            CU_ASSERT_EQUAL(enum_case_verdict(&c, 0), cases[i].verdict);
            enum_case_fini(&c);
            strbuf_fini(&text);
        }
}

/* The text of a condition is what its author wrote; other tests have no more columns. */
static void test_texts(void)
{
    struct fixture f;
    struct outcome o;
    fixture_init(&f,
                 FLAG WRITER READER "crash forall (~(1:ack = 1) \\/ x = 1)\nexists (1:ack = 1)\n"
                                    "locations [1:ack]\n",
                 "sc", "none");
    CU_ASSERT_STRING_EQUAL(f.program->conditions[0].text, "forall (~1:ack=1 \\/ x=1)");
    fixture_fini(&f);
    fixture_init(&f,
                 FLAG WRITER READER "crash exists (x = 1)\nexists (1:ack = 1)\n"
                                    "locations [1:ack]\n",
                 "sc", "none");
    fixture_run(&f, &o);
    CU_ASSERT_EQUAL(o.crash.width, 1);
    CU_ASSERT_EQUAL(o.crash.count, 2);
    CU_ASSERT_EQUAL(f.program->threads[1].registers[0].at_crash, false);
    outcome_fini(&o);
    fixture_fini(&f);
}

void suite_crash_registers(void)
{
    CU_pSuite suite = CU_add_suite("crash_registers", NULL, NULL);
    UNIT_TEST(suite, test_acknowledgement);
    UNIT_TEST(suite, test_assignments);
    UNIT_TEST(suite, test_updates);
    UNIT_TEST(suite, test_branches);
    UNIT_TEST(suite, test_crash_statements);
    UNIT_TEST(suite, test_statements_of_two);
    UNIT_TEST(suite, test_out_of_order);
    UNIT_TEST(suite, test_awaits);
    UNIT_TEST(suite, test_awaits_of_two);
    UNIT_TEST(suite, test_awaits_within);
    UNIT_TEST(suite, test_awaits_computed);
    UNIT_TEST(suite, test_computed_at_end);
    UNIT_TEST(suite, test_computed_too_long);
    UNIT_TEST(suite, test_computed_in_loop);
    UNIT_TEST(suite, test_awaits_within_of_two);
    UNIT_TEST(suite, test_awaits_counted);
    UNIT_TEST(suite, test_awaits_outer_decides);
    UNIT_TEST(suite, test_awaits_set_back);
    UNIT_TEST(suite, test_symmetry);
    UNIT_TEST(suite, test_recovery);
    UNIT_TEST(suite, test_verdicts);
    UNIT_TEST(suite, test_texts);
}
