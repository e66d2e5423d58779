/* Conditions that no order of stores can decide: which are found, which are not, and that none is
 * found that some order decides. */
#include "test_lit_fixture.h"

#define HEAD "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm a[2] = {3, 4}; v = 7; atomic_int f = 0; }\n"
#define ARGS "(global int* x, global int* y, global int* a, global int* v, global atomic_int* f)"

static void expect_settled(const char *text, enum lit_settled settled, const char *by)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture, text);
    const struct lit_condition *condition = &fixture.program->conditions[0];
    if (condition->settled != settled)
        fprintf(stderr, "%d, expected %d of\n%s", (int)condition->settled, (int)settled, text);
    CU_ASSERT_EQUAL(condition->settled, settled);
    if (by)
        lit_expect_text(condition->settled_by ? condition->settled_by : "", by);
    lit_fixture_fini(&fixture);
}

static void of(const char *body, const char *rest, enum lit_settled settled, const char *by)
{
    struct strbuf text = {0};
    strbuf_printf(&text, HEAD "P0 " ARGS " { %s }\n%s\n", body, rest);
    expect_settled(strbuf_text(&text), settled, by);
    strbuf_fini(&text);
}

/* x is 0 or 1, and y is 0 or 42, whatever comes first. */
static const char two[] = "*y = 42; *x = 1;";

static void test_values(void)
{
    of(two, "crash ~exists (x = 1 /\\ y = 41)", LIT_NEVER_MET, "y is only ever 0 or 42");
    of(two, "crash ~exists (x = 1 /\\ y = 42)", LIT_UNSETTLED, NULL);
    of(two, "crash ~exists (x = 1 /\\ y = 0)", LIT_UNSETTLED, NULL);
    of(two, "crash exists (x = 2)", LIT_NEVER_MET, "x is only ever 0 or 1");
    of(two, "crash forall (x = 0 \\/ x = 1)", LIT_ALWAYS_MET, "x is only ever 0 or 1");
    of(two, "final forall (x = 1)", LIT_UNSETTLED, NULL); /* the first value is one of them */
    of(two, "crash forall (x < 2 /\\ y >= 0)", LIT_ALWAYS_MET, NULL);
    of(two, "final ~exists (v = 8 /\\ false)", LIT_NEVER_MET, NULL);
}

/* One value of a location counts for all its places in a condition. */
static void test_together(void)
{
    of(two, "crash ~exists (x = 0 /\\ x = 1)", LIT_NEVER_MET, NULL);
    of(two, "crash forall (x = 0 => ~(x = 1))", LIT_ALWAYS_MET, NULL);
    of(two, "crash ~exists (x = y /\\ x = 1)", LIT_NEVER_MET, NULL); /* both only at 0 */
    of(two, "crash exists (x = y)", LIT_UNSETTLED, NULL);
    of(two, "crash forall (x != y \\/ x = 0)", LIT_ALWAYS_MET, NULL);
    of(two, "crash forall (true)", LIT_UNSETTLED, NULL); /* it names nothing and asks nothing */
    of(two, "final exists ()", LIT_UNSETTLED, NULL);
}

/* Nobody writes a location; elements are told apart, unless the index is read. */
static void test_locations(void)
{
    of(two, "crash ~exists (a[0] = 1)", LIT_NEVER_MET, "a[0] is only ever 3");
    of(two, "final forall (v = 7)", LIT_ALWAYS_MET, "v is only ever 7");
    of("a[1] = 5;", "crash exists (a[0] = 5)", LIT_NEVER_MET, NULL);
    of("int i = *v; a[i] = 5;", "crash exists (a[0] = 5)", LIT_UNSETTLED, NULL);
    of(two, "crash exists (a[0] = 3)\nlocations [x; a]", LIT_ALWAYS_MET, NULL);
}

/* Of constants what is computed is known; of what is made of the location's own value nothing is. */
static void test_computed(void)
{
    of("int r = *x; *y = r + 2; *x = 1;", "crash exists (y = 4)", LIT_NEVER_MET, NULL);
    of("int r = *x; *y = r + 2; *x = 1;", "crash exists (y = 3)", LIT_UNSETTLED, NULL);
    of("f.fetch_add(1); f.fetch_add(1);", "final exists (f = 99)", LIT_UNSETTLED, NULL);
    of("f.fetch_or(2); f.exchange(4);", "final exists (f = 6)", LIT_UNSETTLED, NULL);
    of("f.fetch_or(2); f.exchange(4);", "final exists (f = 1)", LIT_UNSETTLED, NULL);
    of("f.fetch_max(3);", "final exists (f = 2)", LIT_NEVER_MET, NULL);
    of("int r = f.compare_exchange_strong(0, 5);", "final exists (0:r = 2)", LIT_NEVER_MET, NULL);
    of("int r = f.compare_exchange_strong(0, 5);", "final exists (f = 5)", LIT_UNSETTLED, NULL);
    of("for (int i = 0; i < 3; i++) { *x = i; }", "crash exists (x = 2)", LIT_UNSETTLED, NULL);
    of("*x = 0xffffffff;", "crash exists (x = -1)", LIT_UNSETTLED, NULL);
    of("*x = 0xffffffff;", "crash exists (x = 1)", LIT_NEVER_MET, NULL);
}

/* What goes round in a circle may be anything under models that have values out of thin air; what
 * is copied once, and what a branch lets through, may not. */
static void test_thin_air(void)
{
    const char *circle = "C t\n{ x = 0; y = 0; }\nP0 (int* x, int* y) { int r = *x; *y = r; }\n"
                         "P1 (int* x, int* y) { int s = *y; *x = s; }\nexists (x = 42)\n",
               *copy = "C t\n{ x = 0; y = 0; }\nP0 (int* x, int* y) { int r = *x; *y = r; }\n"
                       "P1 (int* x, int* y) { int s = *y; *x = 1; }\nexists (y = 42)\n",
               *branches =
                   "C t\n{ x = 0; y = 0; }\nP0 (int* x, int* y) { if (*x == 42) *y = 42; }\n"
                   "P1 (int* x, int* y) { if (*y == 42) *x = 42; }\nexists (x = 42)\n";
    expect_settled(circle, LIT_UNSETTLED, NULL);
    expect_settled(copy, LIT_NEVER_MET, "y is only ever 0 or 1");
    expect_settled(branches, LIT_UNSETTLED, NULL);
}

/* A register may have no value at a crash, and then no comparison with it holds. */
static void test_registers(void)
{
    of("int r = *v; *x = 1;", "crash ~exists (x = 1 /\\ 0:r = 6)", LIT_NEVER_MET, NULL);
    of("int r = *v; *x = 1;", "crash forall (0:r = 7 \\/ 0:r = 0)", LIT_UNSETTLED, NULL);
    of("int r = *v; *x = 1;", "final forall (0:r = 7 \\/ 0:r = 0)", LIT_ALWAYS_MET, NULL);
}

/* A register is 0 at first. That counts where the end, or one who reads it, may be come to before it
 * is assigned. */
static void test_first(void)
{
    of("int r = 1; *x = r;", "final forall (0:r = 1)", LIT_ALWAYS_MET, "0:r is only ever 1");
    of("int r; if (*v) { r = 1; } else { r = 2; }", "final forall (0:r > 0)", LIT_ALWAYS_MET,
       "0:r is only ever 1 or 2");
    of("int r; if (*v) { r = 1; }", "final forall (0:r = 1)", LIT_UNSETTLED, NULL);
    of("if (*v) { return; } int r = 1;", "final forall (0:r = 1)", LIT_UNSETTLED, NULL);
    of("int r; for (int i = 0; i < *v; i++) { r = 1; }", "final forall (0:r = 1)", LIT_UNSETTLED,
       NULL);
    of("while (f.load()) {} int r = 1;", "final forall (0:r = 1)", LIT_UNSETTLED, NULL); /* ends? */
    of("int r; *x = r; r = 1;", "final forall (x = 1)", LIT_UNSETTLED, NULL);
    of("int r; r = r + 1;", "final forall (0:r = 1)", LIT_UNSETTLED, NULL);
    of("int r = *v; *x = 1;", "crash forall (0:r = 7)", LIT_UNSETTLED, NULL); /* none there */
}

/* What a branch leads to that is never taken, whatever is read, is not stored. A branch on what was
 * read may be taken under some model. */
static void test_never_run(void)
{
    of("unsigned c = *y; if (c < 0) { *x = 1; } *y = c - 1;", "crash ~exists (x = 1)",
       LIT_NEVER_MET, "x is only ever 0");
    of("unsigned c = *y; if (c >= 0) { *x = 1; } else { *x = 2; } *y = c - 1;",
       "crash ~exists (x = 2)", LIT_NEVER_MET, "x is only ever 0 or 1");
    of("for (unsigned i = *y; i >= 0; i--) { *y = i; } *x = 1;", "crash ~exists (x = 1)",
       LIT_NEVER_MET, NULL);
    of("if (0) { *x = 1; }", "crash ~exists (x = 1)", LIT_NEVER_MET, NULL);
    of("if (1) { *x = 1; }", "crash ~exists (x = 1)", LIT_UNSETTLED, NULL);
    of("int c = *y; if (c < 0) { *x = 1; } *y = c - 1;", "crash ~exists (x = 1)", LIT_UNSETTLED,
       NULL);
    of("unsigned c = *y; if (c > 0) { *x = 1; } *y = c - 1;", "crash ~exists (x = 1)",
       LIT_UNSETTLED, NULL);
    of("do { int r = *v; *x = r; if (r) { break; } } while (1); *y = 1;", "crash ~exists (y = 1)",
       LIT_UNSETTLED, NULL);
}

/* Recovery stores, too, and what it stores the program may find again. */
static void test_recovery(void)
{
    const char *repairs =
        "recovery (global int* x, global int* y) { int k = *x; if (k) { *y = 9; } }";
    struct strbuf rest = {0};
    strbuf_printf(&rest, "%s\nrecovered exists (y = 9)", repairs);
    of(two, strbuf_text(&rest), LIT_UNSETTLED, NULL);
    strbuf_clear(&rest);
    strbuf_printf(&rest, "%s\nrecovered ~exists (y = 8)", repairs);
    of(two, strbuf_text(&rest), LIT_NEVER_MET, "y is only ever 0, 42 or 9");
    strbuf_clear(&rest);
    strbuf_printf(&rest, "%s\nrecovered ~exists (0:k = 2)", repairs);
    of(two, strbuf_text(&rest), LIT_NEVER_MET, "0:k is only ever 0 or 1");
    strbuf_clear(&rest);
    strbuf_printf(&rest, "%s\ncrash ~exists (y = 9)", repairs); /* not of the program's crash */
    of(two, strbuf_text(&rest), LIT_NEVER_MET, NULL);
    strbuf_fini(&rest);
}

/* At the thresholds: of 16 values all are known, of 17 none is. */
static void test_thresholds(void)
{
    for (int most = 15; most <= 16; most++) {
        struct strbuf body = {0};
        for (int i = 1; i <= most; i++)
            strbuf_printf(&body, "*x = %d; ", i);
        of(strbuf_text(&body), "crash exists (x = 99)", most == 15 ? LIT_NEVER_MET : LIT_UNSETTLED,
           most == 15 ? "" : NULL);
        strbuf_fini(&body);
    }
}

/* Work-items that are alike store into one set. */
static void test_alike(void)
{
    expect_settled("C t\n{ x = 0; }\nP0 (atomic_int* x) { atomic_store(x, 1); }\n"
                   "P1 (atomic_int* x) { atomic_store(x, 1); }\nforall (x = 0 \\/ x = 1)\n",
                   LIT_ALWAYS_MET, NULL);
    expect_settled("C t\n{ x = 0; }\nP0 (atomic_int* x) { atomic_store(x, 1); }\n"
                   "P1 (atomic_int* x) { atomic_store(x, 2); }\nforall (x = 0 \\/ x = 1)\n",
                   LIT_UNSETTLED, NULL);
}

void suite_lit_settle(void)
{
    CU_pSuite suite = CU_add_suite("lit_settle", NULL, NULL);
    UNIT_TEST(suite, test_values);
    UNIT_TEST(suite, test_together);
    UNIT_TEST(suite, test_locations);
    UNIT_TEST(suite, test_computed);
    UNIT_TEST(suite, test_thin_air);
    UNIT_TEST(suite, test_registers);
    UNIT_TEST(suite, test_first);
    UNIT_TEST(suite, test_never_run);
    UNIT_TEST(suite, test_recovery);
    UNIT_TEST(suite, test_thresholds);
    UNIT_TEST(suite, test_alike);
}
