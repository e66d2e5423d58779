/* What SPB says of its machine in sections 6.1 to 8.2, as exact sets of crash and final states.
 * Rows are sorted; an image lists the test's NVRAM locations in their order. */
#include "test_mach_fixture.h"

/* Lines leave by barriers and releases alone. */
#define KEEPS "machine = nvw-fifo\nevict_l1 = none\nevict_l2 = none\n"

/* ---- Section 6.1, step 1, and figure 4 ---- */

static void test_figure_4(void)
{
    /* The figure has one work-item at p_barrier_wg. The machine waits there for wi2, which waits
     * for A: nobody releases A, so its crash point is not reached, and nobody ends. */
    mach_expect("fig4", "nvw-fifo", "", "");
    mach_expect("fig4-released", "nvw-fifo", "", "");
    /* wi2 comes to the barrier behind A: Y may have been evicted or not, and nobody ends. */
    mach_expect("fig4-late", "nvw-fifo", "0 1 ", "");
    /* Both come. Y is durable when A is released, and R2 = 1, in whichever L1 wgX is. */
    mach_expect("fig4-collective-released", "nvw-fifo", "1 ", "1 ");
    mach_expect("fig4-collective-released", KEEPS, "1 ", "1 ");
    /* R3 and R4 race under HRF-direct. Here wi2's wide release writes on all of its L1, and so what
     * wi1 wrote there: this machine shows R2 = R3 = R4 = 1 alone. */
    mach_expect("fig4-collective", "nvw-fifo", "1 ", "1,1,1 ");
    mach_expect("fig4-device", "nvw-fifo", "1 ", "1,1,1 ");
}

/* ---- Section 5.1: B+tree insertion ---- */

static void test_btree(void)
{
    /* leaf0, leaf1 in any order, root behind both. */
    static const char levels[] = "0,0,0 0,1,0 1,0,0 1,1,0 1,1,1 ";
    mach_expect("btree-alg1-kr", "nvw-fifo", levels, "1 ");
    /* Too narrow for the tree: hrf-direct + epoch has 1,0,1 as well. The machine does not show it:
     * the execution barrier writes leaf1 on into the L2's FIFO, where P0's marker finds it. */
    mach_expect("btree-alg1-wg", "nvw-fifo", levels, "1 ");
    mach_expect("btree-alg1-wi", "nvw-fifo", levels, "1 ");
    /* leaf0, leaf1; then in0, in1 in any order; then root. */
    mach_expect("btree-alg1-kr-3", "nvw-fifo",
                "0,0,0,0,0 0,1,0,0,0 1,0,0,0,0 1,1,0,0,0 1,1,0,1,0 1,1,1,0,0 1,1,1,1,0 1,1,1,1,1 ",
                NULL);
    /* a0, a1 in any order, then b0 with them or not; ina and inb wait for all three: 8 + 3. */
    mach_expect("btree-alg2-kr", "nvw-fifo-small",
                "0,0,0,0,0 0,0,0,1,0 0,1,0,0,0 0,1,0,1,0 1,0,0,0,0 1,0,0,1,0 1,1,0,0,0 1,1,0,1,0 "
                "1,1,0,1,1 1,1,1,1,0 1,1,1,1,1 ",
                NULL);
    /* The lock: leaf0, then leaf1, then root. */
    mach_expect("btree-locked-wi", "nvw-fifo", "0,0,0 1,0,0 1,1,0 1,1,1 ", NULL);
}

static void test_btree_groups(void)
{
    /* (a0, a1, ina) has 5 images, (b0, inb) 3, and groups do not wait for each other: 15. With
     * work-item barriers the model has 18, as a1 = 0 beside ina = 1 is allowed; on the machine a1
     * is in the same FIFO as a0, before P0's marker. */
    static const char *const tests[] = {"btree-alg2-wg", "btree-alg2-wi"};
    for (int i = 0; i < 2; i++)
        mach_expect(tests[i], "machine = nvw-fifo\nevict_l1 = dirty\nevict_l2 = dirty\n",
                    "0,0,0,0,0 0,0,0,1,0 0,0,0,1,1 0,1,0,0,0 0,1,0,1,0 0,1,0,1,1 "
                    "1,0,0,0,0 1,0,0,1,0 1,0,0,1,1 1,1,0,0,0 1,1,0,1,0 1,1,0,1,1 "
                    "1,1,1,0,0 1,1,1,1,0 1,1,1,1,1 ",
                    NULL);
}

/* ---- Section 6.2: visibility ---- */

/* wi3 of another group looks at X (DRAM) and Y (NVRAM) without synchronisation. */
#define LOOKS(barrier)                                                         \
    "OPENCL t\n{ X = 0; nvm Y = 0; }\n"                                        \
    "P0@wg 0 (global int* X, global int* Y) { *X = 1; *Y = 1; " barrier " }\n" \
    "P1@wg 1 (global int* X, global int* Y) { int R3 = *X; int R4 = *Y; }\n"   \
    "exists (1:R3 = 1 /\\ 1:R4 = 1)\n"

static void test_visible_earlier(void)
{
    /* Without evictions and barrier both stay in P0's L1 as long as P1 executes. */
    mach_expect(LOOKS(""), KEEPS, NULL, "0,0 ");
    /* "will make update to 'Y' globally visible while persisting it"; X is not the barrier's. */
    mach_expect(LOOKS("p_barrier_wg;"), KEEPS, NULL, "0,0 0,1 ");
    /* That promises nothing: where lines leave of their own accord all is seen with and without. */
    mach_expect(LOOKS(""), "nvw-fifo", NULL, "0,0 0,1 1,0 1,1 ");
    mach_expect(LOOKS("p_barrier_wg;"), "nvw-fifo", NULL, "0,0 0,1 1,0 1,1 ");
}

static void test_guarantees(void)
{
    /* a = 0 with r = 2 (not read), or a = 1 with r = 1; with the barrier and without. */
    static const char without[] = "OPENCL t\n{ X = 0; atomic_int A = 0; }\n"
                                  "P0@wg 0 (global int* X, global atomic_int* A) {\n"
                                  " *X = 1; A.store(1, mo_rel, wg_scope); }\n"
                                  "P1@wg 0 (global int* X, global atomic_int* A) {\n"
                                  " int a = A.load(mo_acq, wg_scope); int r = 2;\n"
                                  " if (a == 1) { r = *X; } }\n"
                                  "exists (1:a = 1 /\\ 1:r = 1)\n";
    mach_expect(without, "nvw-fifo", NULL, "0,2 1,1 ");
    mach_expect("visibility-unchanged", "nvw-fifo", NULL, "0,2 1,1 ");
    /* A group's release is no release to another: x may stay in the L1 of wg 0 (a race). */
    mach_expect("OPENCL t\n{ X = 0; atomic_int A = 0; }\n"
                "P0@wg 0 (global int* X, global atomic_int* A) {\n"
                " *X = 1; A.store(1, mo_rel, wg_scope); }\n"
                "P1@wg 0 (global atomic_int* A) { int a = A.load(mo_acq, dev_scope); }\n"
                "exists (1:a = 1)\n",
                KEEPS, NULL, "0 1 ");
}

/* ---- Section 8.2: sharing ---- */

/* z is written before P0's barrier (the flag is relaxed, so nothing writes it on), by another
 * group: nothing orders its durability. The point is behind P0's barrier. */
#define SHARED                                                           \
    "OPENCL t\n{ nvm z = 0; atomic_int F = 0; }\n"                       \
    "P0@wg 0 (global atomic_int* F) {\n"                                 \
    " while (!F.load(mo_rlx, dev_scope)); p_barrier_wi; crash \"\"; }\n" \
    "P1@wg 1 (global int* z, global atomic_int* F) {\n"                  \
    " *z = 1; F.store(1, mo_rlx, dev_scope); }\ncrash exists (z = 0)\n"

static void test_shared_fifo(void)
{
    /* Each group has its FIFO: z is evicted or not. One FIFO: P0's marker pushes z out. */
    mach_expect(SHARED, "nvw-fifo", "0 1 ", NULL);
    mach_expect(SHARED, "nvw-fifo-one-unit", "1 ", NULL);
    mach_expect(SHARED, "machine = nvw-fifo\nplacement = one-unit\n", "1 ", NULL);
    mach_expect(SHARED, "machine = nvw-fifo\nplacement = 1 1\n", "1 ", NULL);
    mach_expect(SHARED, "machine = nvw-fifo\nplacement = 1 0\n", "0 1 ", NULL);
    /* Nothing evicts it: with a FIFO of its own z stays. */
    mach_expect(SHARED, KEEPS, "0 ", NULL);
    mach_expect(SHARED, KEEPS "placement = one-unit\n", "1 ", NULL);
    struct mach_bench b;
    struct outcome model;
    mach_bench_init(&b, SHARED, "nvw-fifo");
    mach_bench_model(&b, &model);
    CU_ASSERT_EQUAL(model.undefined.count, 0);
    mach_expect_text(mach_rows(&b.arena, &model.crash), "0 1 ");
    outcome_fini(&model);
    mach_bench_fini(&b);
}

/* What the shared machine shows on tests of two groups, the unshared one does; both are right. */
static void test_shared_is_less(void)
{
    static const char *const tests[] = {SHARED,          "def2-other-group",  "def3",
                                        "def3-sync",     "recoverability-wg", "btree-alg1-kr",
                                        "btree-alg1-wg", "btree-locked-wi",   "flag-reader-barrier",
                                        "fig4-device",   "acquire-forgets",   "device-barrier"};
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        struct mach_bench b;
        struct outcome model, shared, unshared;
        mach_bench_init(&b, tests[i], "nvw-fifo");
        mach_bench_model(&b, &model);
        CU_ASSERT_EQUAL(model.undefined.count, 0);
        mach_bench_run(&b, 0, &unshared);
        mach_bench_on(&b, "nvw-fifo-one-unit");
        mach_bench_run(&b, 0, &shared);
        CU_ASSERT_EQUAL(mach_outside(&unshared.crash, &shared.crash), 0);
        CU_ASSERT_EQUAL(mach_outside(&unshared.final, &shared.final), 0);
        CU_ASSERT_EQUAL(mach_outside(&model.crash, &unshared.crash), 0);
        CU_ASSERT_EQUAL(mach_outside(&model.final, &unshared.final), 0);
        outcome_fini(&shared);
        outcome_fini(&unshared);
        outcome_fini(&model);
        mach_bench_fini(&b);
    }
}

/* ---- Read-modify-writes ---- */

/* x = 6 or, of FAIL, 7; the operand is 3; r is what the operation gives. */
#define RMWS(X)                                                                                \
    X("int r = atomic_exchange_explicit(x, 3, ", "6,3 ")                                       \
    X("int r = atomic_fetch_add_explicit(x, 3, ", "6,9 ")                                      \
    X("int r = atomic_fetch_sub_explicit(x, 3, ", "6,3 ")                                      \
    X("int r = atomic_fetch_and_explicit(x, 3, ", "6,2 ")                                      \
    X("int r = atomic_fetch_or_explicit(x, 3, ", "6,7 ")                                       \
    X("int r = atomic_fetch_xor_explicit(x, 3, ", "6,5 ")                                      \
    X("int r = atomic_fetch_min_explicit(x, 3, ", "6,3 ")                                      \
    X("int r = atomic_fetch_max_explicit(x, 3, ", "6,6 ")                                      \
    X("int e = 6; int r = atomic_compare_exchange_strong_explicit(x, &e, 3, mo_rlx, ", "1,3 ") \
    X("int e = 7; int r = atomic_compare_exchange_strong_explicit(x, &e, 3, mo_acq, ", "0,6 ")

static void test_rmw(void)
{
    static const char *const rows[][2] = {
#define X(code, state) {code, state},
        RMWS(X)
#undef X
    };
    static const char *const scopes[] = {"wg_scope", "dev_scope"}; /* in the L1, in the L2 */
    static const char *const machines[] = {"nvw-fifo", "nvw-fifo-small", KEEPS};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int scope = 0; scope < 2; scope++)
            for (int m = 0; m < 3; m++) {
                struct arena arena;
                arena_init(&arena);
                mach_expect(arena_printf(&arena,
                                         "OPENCL t\n{ nvm x = 6; }\n"
                                         "P0 (global atomic_int* x) { %smo_rlx, %s); }\n"
                                         "exists (0:r = 0 /\\ x = 0)\n",
                                         rows[i][0], scopes[scope]),
                            machines[m], NULL, rows[i][1]);
                arena_fini(&arena);
            }
}

static void test_claims(void)
{
    /* The winner finds 0, and the loser its value; slot is the loser's at the end. slot is durable
     * (as the winner's or, later, the loser's) before owner. */
    mach_expect("rmw-claim", "nvw-fifo", "0,0 1,0 1,1 1,2 2,0 2,1 2,2 ", "0,1,2,1 2,0,1,2 ");
    /* v0, v1, n: n = 1 by one of them, whose v is durable; n = 2 has both: 4 + 3 + 1. */
    mach_expect("rmw-count", "nvw-fifo", "0,0,0 0,1,0 0,1,1 1,0,0 1,0,1 1,1,0 1,1,1 1,1,2 ", NULL);
    /* Across groups, through the L2: one of two compare-exchanges finds 0 and wins. */
    mach_expect(
        "OPENCL t\n{ atomic_int l = 0; }\n"
        "P0@wg 0 (global atomic_int* l) { int e = 0; int r = "
        "atomic_compare_exchange_strong_explicit(l, &e, 1, mo_acq_rel, mo_rlx, dev_scope); }\n"
        "P1@wg 1 (global atomic_int* l) { int e = 0; int r = "
        "atomic_compare_exchange_strong_explicit(l, &e, 2, mo_acq_rel, mo_rlx, dev_scope); }\n"
        "exists (0:r = 1 /\\ 1:r = 1 /\\ l = 0)\n",
        "nvw-fifo", NULL, "0,1,2 1,0,1 ");
}

void suite_mach_spb(void)
{
    CU_pSuite suite = CU_add_suite("mach_spb", NULL, NULL);
    UNIT_TEST(suite, test_figure_4);
    UNIT_TEST(suite, test_btree);
    UNIT_TEST(suite, test_btree_groups);
    UNIT_TEST(suite, test_visible_earlier);
    UNIT_TEST(suite, test_guarantees);
    UNIT_TEST(suite, test_shared_fifo);
    UNIT_TEST(suite, test_shared_is_less);
    UNIT_TEST(suite, test_rmw);
    UNIT_TEST(suite, test_claims);
}
