/* One execution that is likely to be consistent is tried where any will do, or in large skeletons:
 * it saves a search and decides nothing that a search would not. */
#include "test_enum_fixture.h"

/* n work-items, each of a group, write a leaf and add to one counter; behind a barrier of the
 * kernel P0 writes the root. No leaf can be lost beside the root: its persist barrier comes before.
 */
static void write_tree(struct strbuf *text, int n, const char *scope)
{
    strbuf_clear(text);
    strbuf_add(text, "OPENCL t\n{ atomic_int c = 0; nvm root = 0;");
    for (int t = 0; t < n; t++)
        strbuf_printf(text, " nvm leaf%d = 0;", t);
    strbuf_add(text, " }\n");
    for (int t = 0; t < n; t++)
        strbuf_printf(text,
                      "P%d@wg %d (global int* leaf%d, global atomic_int* c, global int* root) {\n"
                      "  *leaf%d = 1; c.fetch_add(%d, mo_rlx, dev_scope);\n"
                      "  sync_barrier_kr; p_barrier_%s;%s\n}\n",
                      t, t, t, t, t + 1, scope, t ? "" : " *root = 1;");
    strbuf_printf(text, "crash ~exists (root = 1 /\\ leaf%d = 0)\n", n - 1);
}

/* n! orders of the additions, no two of which are alike, for each adds a number of its own. Bounds
 * tell of all at once that nothing is undefined and no leaf lost; then one execution is enough to
 * see that there is a crash at all. Three searches, of one skeleton, which looks at its bounds, as
 * they are and when what follows has been decided, and may try one execution. */
static void test_any_execution(void)
{
    struct strbuf text = {0};
    for (int n = 4; n <= 64; n *= 4) {
        struct enum_case c;
        write_tree(&text, n, "kr");
        enum_case_init(&c, strbuf_text(&text), "hrf-direct", "epoch", true);
        CU_ASSERT_EQUAL(enum_case_verdict(&c, 0), LIT_OK);
        CU_ASSERT_EQUAL(c.o.stats.skeletons, 3);
        CU_ASSERT_EQUAL(c.o.stats.consistent, 1);
        CU_ASSERT(c.o.stats.candidates <= 3 * 3);
        enum_case_fini(&c);
    }
    strbuf_fini(&text);
}

/* With barriers that are of one work-item alone the last leaf may be lost: of a large skeleton the
 * execution that is tried shows it. 64 leaves are more than 256 events. */
static void test_some_state(void)
{
    struct strbuf text = {0};
    struct enum_case c;
    write_tree(&text, 64, "wi");
    enum_case_init(&c, strbuf_text(&text), "hrf-direct", "epoch", true);
    CU_ASSERT_EQUAL(enum_case_verdict(&c, 0), LIT_VIOLATED);
    CU_ASSERT_EQUAL(c.witnesses, 1);
    CU_ASSERT_EQUAL(c.o.stats.consistent, 1);
    CU_ASSERT(c.o.stats.candidates <= 2 * 3);
    enum_case_fini(&c);
    strbuf_fini(&text);
}

/* Verdicts with no final state left by a filter, or of a condition that nothing decides, are those
 * of a listing, under each model. */
static void expect_ok(const char *visibility, const char *text)
{
    for (int decide = 0; decide <= 1; decide++) {
        struct enum_case c;
        enum_case_init(&c, text, visibility, enum_anything, decide);
        for (uint32_t i = 0; i < c.f.program->condition_count; i++)
            CU_ASSERT_EQUAL(enum_case_verdict(&c, i), LIT_OK);
        CU_ASSERT(decide || c.o.stats.consistent > 0);
        enum_case_fini(&c);
    }
}

/* Taking turns, P0 first, would read the first value and write before P1: a model that wants
 * neither has the one execution in which P1 comes first, and `forall` holds of that. */
static void test_models_that_refuse(void)
{
    char path[ENUM_MODEL_PATH];
    enum_model_make(path, "empty fr & ext as no-fr\nacyclic po | rf | co as sc\n");
    expect_ok(path, "OPENCL t\n{ x = 0; }\nP0 (global int* x) { int r = *x; }\n"
                    "P1 (global int* x) { *x = 1; }\nforall (0:r=1)\n");
    enum_model_drop(path);
    enum_model_make(path, "with order from linearisations(W, 0)\n"
                          "empty ((W * W) & ext & loc & co) \\ order^-1 as turned\n");
    expect_ok(path, "OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                    "P1 (global int* x) { *x = 2; }\nforall (x=1 \\/ x=2)\n");
    enum_model_drop(path);
}

/* P0 goes on with 1 alone, which P1 writes, and P1 with what P0 writes behind that: each has to
 * wait for the other, and both come to their ends. */
static void test_turns(void)
{
    expect_ok("sc", "OPENCL t\n{ atomic_int a = 0; atomic_int b = 0; }\n"
                    "P0@wg 0 (global atomic_int* a, global atomic_int* b) {\n"
                    "  while (!a.load(mo_acq, dev_scope)); b.store(1, mo_rel, dev_scope); }\n"
                    "P1@wg 1 (global atomic_int* a, global atomic_int* b) {\n"
                    "  a.store(1, mo_rel, dev_scope); while (!b.load(mo_acq, dev_scope)); }\n"
                    "forall (a=1 /\\ b=1)\n");
}

/* A filter that leaves nothing of the execution that is tried, but something of others: y is not
 * 0 where P1 comes first. */
static void test_filters(void)
{
    expect_ok("sc", "OPENCL t\n{ x = 0; y = 0; }\n"
                    "P0 (global int* x, global int* y) { int r = *x; *y = r; }\n"
                    "P1 (global int* x) { *x = 1; }\n"
                    "filter (y=1)\nforall (0:r=1)\n~exists (0:r=0)\n");
}

/* All crash states of a large skeleton are recovered: those of the execution that is tried, in
 * which P0 comes first, and those of others. Each is rechecked as an execution of its own. Nobody
 * writes y, so z is 1 more than 0.
 */
static void test_recovery(void)
{
    struct strbuf text = {0};
    struct enum_case c;
    strbuf_add(&text, "OPENCL t\n{ nvm atomic_int x = 0; nvm y = 0; nvm z = 0; w[300]; }\n");
    for (int t = 0; t < 3; t++)
        strbuf_printf(&text,
                      "P%d@wg %d (global atomic_int* x) { x.store(%d, mo_rel, dev_scope);"
                      " int r = x.fetch_add(1, mo_acq_rel, dev_scope); }\n",
                      t, t, 10 * t + 10);
    strbuf_add(&text, "P3@wg 3 (global int* w) { for (int i = 0; i < 300; i++) { w[i] = 1; } }\n"
                      "recovery (global int* y, global int* z) { int s = *y; *z = s + 1; }\n"
                      "recovered forall (z = 1)\n");
    enum_case_init(&c, strbuf_text(&text), "hrf-direct", "epoch", true);
    CU_ASSERT_EQUAL(enum_case_verdict(&c, 0), LIT_OK);
    CU_ASSERT(c.o.stats.events > 300);
    CU_ASSERT(c.o.stats.consistent > 1);
    enum_case_fini(&c);
    strbuf_fini(&text);
}

void suite_enum_interleave(void)
{
    CU_pSuite suite = CU_add_suite("enum_interleave", NULL, NULL);
    UNIT_TEST(suite, test_any_execution);
    UNIT_TEST(suite, test_some_state);
    UNIT_TEST(suite, test_models_that_refuse);
    UNIT_TEST(suite, test_turns);
    UNIT_TEST(suite, test_filters);
    UNIT_TEST(suite, test_recovery);
}
