/* nvw-fifo step by step: the numbered steps of SPB section 6.1, releases through the S-FIFO, full
 * FIFOs, full caches, and what the L2 includes. Every sequence by hand. */
#include "test_mach_fixture.h"

#include "fifo/nvw_state.h"

#define MOVES(b, ...)                                                \
    do {                                                             \
        const struct mach_move moves[] = {__VA_ARGS__};              \
        mach_expect_moves(b, moves, sizeof moves / sizeof moves[0]); \
    } while (0)

/* Lines leave by persist barriers and releases alone. */
#define KEEPS "machine = nvw-fifo\nevict_l1 = none\nevict_l2 = none\n"

#define P0_MARKS "P0 appends its p_flush marker and stalls"
#define P0_GOES_ON "P0 hears the acknowledgement and goes on"

/* ---- Persist barriers ---- */

static void test_work_item(void)
{
    /* Step 1: marker and stall. 2: x leaves the L1 and is entered in the L2's FIFO. 3: the marker
     * follows. 4: x is written back. 5: the L2 waits, here for NVRAM. 6: P0 goes on. P1, of the
     * same group, could go on throughout. x is line 0, y line 1. */
    static const char text[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                               "P0 (global int* x) { *x = 1; p_barrier_wi; *x = 2; }\n"
                               "P1 (global int* y) { *y = 1; }\nexists (x = 1)\n";
    struct mach_bench b;
    mach_bench_init(&b, text, KEEPS "units = 1\n");
    mach_expect_text(mach_bench_enabled(&b), "P0 executes; P1 executes; ");
    MOVES(&b, {"P0 executes", P0_MARKS "; P1 executes; "},
          {P0_MARKS, "P1 executes; L1 FIFO flushes its head (unit 0, line 0); "},
          {"L1 FIFO flushes its head (unit 0, line 0)",
           "P1 executes; L1 FIFO passes the marker on (unit 0, line 0); "},
          {"L1 FIFO passes the marker on (unit 0, line 0)",
           "P1 executes; L2 FIFO writes its head back (unit 0, line 0); "},
          {"L2 FIFO writes its head back (unit 0, line 0)",
           "P1 executes; NVRAM completes a write-back (unit 0, line 0); "});
    CU_ASSERT_EQUAL(mach_bench_memory(&b, 0), 0); /* on its way */
    MOVES(&b,
          {"NVRAM completes a write-back (unit 0, line 0)",
           "P1 executes; L2 acknowledges the marker (unit 0, line 0); "},
          {"L2 acknowledges the marker (unit 0, line 0)", P0_GOES_ON "; P1 executes; "},
          {P0_GOES_ON, "P0 executes; P1 executes; "});
    CU_ASSERT_EQUAL(mach_bench_memory(&b, 0), 1);
    mach_bench_fini(&b);
}

static void test_work_group(void)
{
    /* Step 1: both arrive. 2: one marker, in the L1 of the group; both are stalled. 3 to 6 are
     * 2 to 5 of the work-item's barrier. 7: both go on. P2's group is on another unit. */
    static const char text[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\n"
                               "P0@wg 0 (global int* x) { *x = 1; p_barrier_wg; *x = 2; }\n"
                               "P1@wg 0 (global int* y) { p_barrier_wg; *y = 1; }\n"
                               "P2@wg 1 (global int* z) { *z = 1; }\nexists (x = 1)\n";
    struct mach_bench b;
    mach_bench_init(&b, text, KEEPS);
    MOVES(&b,
          {"P0 executes", "P0 arrives at its barrier; P1 arrives at its barrier; P2 executes; "},
          {"P0 arrives at its barrier", "P1 arrives at its barrier; P2 executes; "},
          {"P1 arrives at its barrier", P0_MARKS "; P2 executes; "},
          {P0_MARKS, "P2 executes; L1 FIFO flushes its head (unit 0, line 0); "},
          {"L1 FIFO flushes its head (unit 0, line 0)",
           "P2 executes; L1 FIFO passes the marker on (unit 0, line 0); "},
          {"L1 FIFO passes the marker on (unit 0, line 0)",
           "P2 executes; L2 FIFO writes its head back (unit 0, line 0); "},
          {"L2 FIFO writes its head back (unit 0, line 0)",
           "P2 executes; NVRAM completes a write-back (unit 0, line 0); "},
          {"NVRAM completes a write-back (unit 0, line 0)",
           "P2 executes; L2 acknowledges the marker (unit 0, line 0); "},
          {"L2 acknowledges the marker (unit 0, line 0)", P0_GOES_ON "; P2 executes; "},
          {P0_GOES_ON, "P0 executes; P1 executes; P2 executes; "});
    mach_bench_fini(&b);
}

static void test_kernel(void)
{
    /* Step 2: a marker in each of the three L1s, also in that of unit 2, which runs nothing. 3 to 6
     * for each of them. 7: the kernel goes on when the last has been acknowledged. */
    static const char text[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                               "P0@wg 0 (global int* x) { *x = 1; p_barrier_kr; *x = 2; }\n"
                               "P1@wg 1 (global int* y) { *y = 1; p_barrier_kr; }\n"
                               "exists (x = 1)\n";
    struct mach_bench b;
    mach_bench_init(&b, text, KEEPS "units = 3\n");
    CU_ASSERT(mach_bench_step(&b, "P0 executes"));
    CU_ASSERT(mach_bench_step(&b, "P1 executes"));
    MOVES(&b, {"P1 arrives at its barrier", "P0 arrives at its barrier; "},
          {"P0 arrives at its barrier", P0_MARKS "; "},
          {P0_MARKS, "L1 FIFO flushes its head (unit 0, line 0); "
                     "L1 FIFO flushes its head (unit 1, line 0); "
                     "L1 FIFO passes the marker on (unit 2, line 0); "},
          {"L1 FIFO passes the marker on (unit 2, line 0)",
           "L2 acknowledges the marker (unit 0, line 0); "
           "L1 FIFO flushes its head (unit 0, line 0); "
           "L1 FIFO flushes its head (unit 1, line 0); "},
          {"L2 acknowledges the marker (unit 0, line 0)", /* one of three */
           "L1 FIFO flushes its head (unit 0, line 0); "
           "L1 FIFO flushes its head (unit 1, line 0); "},
          {"L1 FIFO flushes its head (unit 1, line 0)",
           "L1 FIFO flushes its head (unit 0, line 0); "
           "L1 FIFO passes the marker on (unit 1, line 0); "},
          {"L1 FIFO passes the marker on (unit 1, line 0)",
           "L2 FIFO writes its head back (unit 0, line 0); "
           "L1 FIFO flushes its head (unit 0, line 0); "},
          {"L2 FIFO writes its head back (unit 0, line 0)",
           "L1 FIFO flushes its head (unit 0, line 0); "
           "NVRAM completes a write-back (unit 0, line 0); "},
          {"NVRAM completes a write-back (unit 0, line 0)",
           "L2 acknowledges the marker (unit 0, line 0); "
           "L1 FIFO flushes its head (unit 0, line 0); "},
          {"L2 acknowledges the marker (unit 0, line 0)", /* two of three */
           "L1 FIFO flushes its head (unit 0, line 0); "},
          {"L1 FIFO flushes its head (unit 0, line 0)",
           "L1 FIFO passes the marker on (unit 0, line 0); "},
          {"L1 FIFO passes the marker on (unit 0, line 0)",
           "L2 FIFO writes its head back (unit 0, line 0); "},
          {"L2 FIFO writes its head back (unit 0, line 0)",
           "NVRAM completes a write-back (unit 0, line 0); "},
          {"NVRAM completes a write-back (unit 0, line 0)",
           "L2 acknowledges the marker (unit 0, line 0); "},
          {"L2 acknowledges the marker (unit 0, line 0)", P0_GOES_ON "; "},
          {P0_GOES_ON, "P0 executes; "});
    mach_bench_fini(&b);
}

/* ---- Releases ---- */

/* The lines of an L1's S-FIFO, each with a space after it. */
static const char *sfifo(struct mach_bench *b, uint32_t unit)
{
    const uint8_t *fifo = nvw_sfifo_of(&b->test, b->state, unit);
    const char *text = "";
    for (uint32_t i = 0; i < fifo[0]; i++)
        text = arena_printf(&b->arena, "%s%u ", text, fifo[1 + i]);
    return text;
}

static const char *fifo(struct mach_bench *b, uint32_t cache)
{
    const uint8_t *entries = nvw_fifo_of(&b->test, b->state, cache);
    const char *text = "";
    for (uint32_t i = 0; i < entries[0]; i++)
        text = arena_printf(&b->arena, entries[1 + i] & NVW_MARKER ? "%s|%u " : "%s%u ", text,
                            entries[1 + i] & (NVW_MARKER - 1));
    return text;
}

static bool has(struct mach_bench *b, uint32_t cache, uint32_t line)
{
    return mach_is_cached(&b->test, b->state, cache, line);
}

static bool has_dirty(struct mach_bench *b, uint32_t cache, uint32_t line)
{
    return mach_is_dirty(&b->test, b->state, cache, line);
}

/* Volatile first: A is line 0, x line 1, y line 2. A line is outstanding once; the release drains
 * line by line, oldest first; only then it performs. Then P0 has ended, and lines leave. */
static void expect_release(const char *release, const char *then)
{
    struct mach_bench b;
    struct arena arena;
    arena_init(&arena);
    const char *text = arena_printf(&arena,
                                    "OPENCL t\n{ atomic_int A = 0; nvm x = 0; nvm y = 0; }\n"
                                    "P0 (global atomic_int* A, global int* x, global int* y) {\n"
                                    " *y = 1; *x = 1; *y = 2; %s }\nexists (x = 1)\n",
                                    release);
    mach_bench_init(&b, text, KEEPS "units = 1\n");
    MOVES(&b, {"P0 executes", "P0 executes; "}, {"P0 executes", "P0 executes; "},
          {"P0 executes", "L1 S-FIFO writes its head on (unit 0, line 0); "});
    mach_expect_text(sfifo(&b, 0), "2 1 ");
    mach_expect_text(fifo(&b, 1), "2 1 2 ");
    MOVES(&b, {"L1 S-FIFO writes its head on (unit 0, line 0)",
               "L1 S-FIFO writes its head on (unit 0, line 0); "});
    CU_ASSERT(has_dirty(&b, 0, 2) && !has_dirty(&b, 0, 1));
    MOVES(&b, {"L1 S-FIFO writes its head on (unit 0, line 0)", "P0 executes; "});
    CU_ASSERT(has_dirty(&b, 0, 1));
    mach_expect_text(fifo(&b, 0), "2 1 ");
    MOVES(&b, {"P0 executes", then});
    mach_bench_fini(&b);
    arena_fini(&arena);
}

/* The L1's clean copies leave; the L2's lines wait for that. */
#define X_AND_Y_LEAVE "L1 evicts (unit 0, line 1); L1 evicts (unit 0, line 2); "

static void test_release(void)
{
    /* The store's line is dirty in the L2, and can leave it, as the L1 never had it. */
    expect_release("A.store(1, mo_rel, dev_scope);", "L2 evicts (unit 0, line 0); " X_AND_Y_LEAVE);
    expect_release(
        "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);",
        X_AND_Y_LEAVE);
    /* What acquires too forgets the L1: the L2's dirty lines can leave. */
    expect_release(
        "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);",
        "L2 evicts (unit 0, line 1); L2 evicts (unit 0, line 2); ");
    expect_release("A.store(1, mo_sc, all_scope);", "L2 evicts (unit 0, line 0); " X_AND_Y_LEAVE);
}

static void test_compare_exchange(void)
{
    /* A fails to compare: a load of order relaxed, which does not forget x; of order acquire, which
     * does. The L1's copy of x stays or goes; A is line 0, x line 1. */
    static const char *const orders[] = {"relaxed", "acquire"};
    for (int i = 0; i < 2; i++) {
        struct mach_bench b;
        struct arena arena;
        arena_init(&arena);
        mach_bench_init(
            &b,
            arena_printf(
                &arena,
                "OPENCL t\n{ atomic_int A = 5; x = 0; }\nP0 (global atomic_int* A, global int* x) "
                "{\n"
                " int r = *x; int e = 1;\n"
                " atomic_compare_exchange_strong_explicit(A, &e, 2, memory_order_acquire,\n"
                " memory_order_%s, memory_scope_device); }\nexists (x = 0)\n",
                orders[i]),
            KEEPS "units = 1\n");
        CU_ASSERT(mach_bench_step(&b, "P0 executes"));
        CU_ASSERT(has(&b, 1, 1));
        CU_ASSERT(mach_bench_step(&b, "P0 executes"));
        CU_ASSERT_EQUAL(has(&b, 1, 1), i == 0);
        mach_bench_fini(&b);
        arena_fini(&arena);
    }
}

/* ---- Room ---- */

#define THREE                                                             \
    "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\n"                    \
    "P0 (global int* x, global int* y, global int* z) { *x = 1; *y = 1; " \
    "*z = 1; p_barrier_wi; }\nexists (x = 1)\n"

static void test_forced(void)
{
    /* One entry each. y forces x on into the L2's FIFO; z forces y on, which forces x out of the
     * L2's, to NVRAM; the marker forces z on, and y out. It waits for nobody. */
    struct mach_bench b;
    mach_bench_init(&b, THREE, KEEPS "units = 1\nl1_fifo = 1\nl2_fifo = 1\n");
    CU_ASSERT(mach_bench_step(&b, "P0 executes"));
    CU_ASSERT(mach_bench_step(&b, "P0 executes"));
    mach_expect_text(fifo(&b, 1), "1 ");
    mach_expect_text(fifo(&b, 0), "0 ");
    CU_ASSERT(mach_bench_step(&b, "P0 executes"));
    mach_expect_text(fifo(&b, 1), "2 ");
    mach_expect_text(fifo(&b, 0), "1 ");
    CU_ASSERT_EQUAL(nvw_under_way(&b.test, b.state)[0], 1);
    CU_ASSERT(mach_bench_step(&b, P0_MARKS));
    mach_expect_text(fifo(&b, 1), "|0 ");
    mach_expect_text(fifo(&b, 0), "2 ");
    CU_ASSERT_EQUAL(nvw_under_way(&b.test, b.state)[0], 2);
    /* A marker is no head to force: the L1's marker forces z out of the L2's FIFO. */
    CU_ASSERT(mach_bench_step(&b, "L1 FIFO passes the marker on (unit 0, line 0)"));
    mach_expect_text(fifo(&b, 0), "|0 ");
    mach_bench_fini(&b);
}

static void test_waits_for_marker(void)
{
    /* P0's marker is the only entry of the L1's FIFO: P1's store waits until it has moved on. */
    static const char text[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                               "P0 (global int* x) { p_barrier_wi; *x = 1; }\n"
                               "P1 (global int* y) { *y = 1; }\nexists (x = 1)\n";
    struct mach_bench b;
    mach_bench_init(&b, text, KEEPS "units = 1\nl1_fifo = 1\n");
    MOVES(&b, {P0_MARKS, "L1 FIFO passes the marker on (unit 0, line 0); "},
          {"L1 FIFO passes the marker on (unit 0, line 0)",
           "P1 executes; L2 acknowledges the marker (unit 0, line 0); "});
    mach_bench_fini(&b);
}

static void test_many_in_one_step(void)
{
    /* Eight dirty lines, and an acquire that writes them on in one step: the L2's only entry is
     * forced out seven times, and of seven writes the queue to NVRAM holds four: three arrive. */
    static const char text[] =
        "OPENCL t\n{ atomic_int A = 0; nvm a[8] = {0, 0, 0, 0, 0, 0, 0, 0}; }\n"
        "P0 (global atomic_int* A, global int* a) {\n"
        " for (int i = 0; i < 8; i++) { a[i] = 1; }\n int r = A.load(mo_acq, dev_scope); }\n"
        "exists (0:r = 0)\n";
    struct mach_bench b;
    mach_bench_init(&b, text, KEEPS "units = 1\nl2_fifo = 1\n");
    for (int i = 0; i < 8; i++)
        CU_ASSERT(mach_bench_step(&b, "P0 executes"));
    mach_expect_text(sfifo(&b, 0), "1 2 3 4 5 6 7 8 ");
    CU_ASSERT(mach_bench_step(&b, "P0 executes"));
    mach_expect_text(sfifo(&b, 0), "");
    mach_expect_text(fifo(&b, 0), "8 ");
    CU_ASSERT_EQUAL(nvw_under_way(&b.test, b.state)[0], 4);
    for (uint32_t i = 0; i < 8; i++)
        CU_ASSERT_EQUAL(mach_bench_memory(&b, 1 + i), i < 3);
    mach_bench_fini(&b);
}

static void test_sfifo_full(void)
{
    /* Two entries, x and y: z's writes x on. */
    struct mach_bench b;
    mach_bench_init(&b, THREE, KEEPS "units = 1\nl1_sfifo = 2\n");
    for (int i = 0; i < 3; i++)
        CU_ASSERT(mach_bench_step(&b, "P0 executes"));
    mach_expect_text(sfifo(&b, 0), "1 2 ");
    CU_ASSERT(has_dirty(&b, 0, 0) && !has_dirty(&b, 1, 0));
    mach_bench_fini(&b);
}

static void test_inclusion(void)
{
    /* Two lines a cache. x and y, written in the L1, have their places in the L2, so z has to wait;
     * the L2 may drop a line only when the L1 has. With the L1's x and then the L2's gone z has
     * both. */
    struct mach_bench b;
    mach_bench_init(&b, THREE, KEEPS "units = 1\nl1_lines = 2\nl2_lines = 2\n");
    MOVES(
        &b, {"P0 executes", "P0 executes; "},
        {"P0 executes", "L1 evicts (unit 0, line 0); L1 evicts (unit 0, line 1); "},
        {"L1 evicts (unit 0, line 0)", "L2 evicts (unit 0, line 0); L1 evicts (unit 0, line 1); "},
        {"L2 evicts (unit 0, line 0)",
         "P0 executes; NVRAM completes a write-back (unit 0, line 0); "});
    mach_bench_fini(&b);
    /* A smaller L2 holds the L1 to its size. */
    mach_bench_init(&b, THREE, KEEPS "units = 1\nl2_lines = 1\n");
    MOVES(&b, {"P0 executes", "L1 evicts (unit 0, line 0); "},
          {"L1 evicts (unit 0, line 0)", "L2 evicts (unit 0, line 0); "});
    mach_bench_fini(&b);
}

void suite_nvw(void)
{
    CU_pSuite suite = CU_add_suite("nvw", NULL, NULL);
    UNIT_TEST(suite, test_work_item);
    UNIT_TEST(suite, test_work_group);
    UNIT_TEST(suite, test_kernel);
    UNIT_TEST(suite, test_release);
    UNIT_TEST(suite, test_compare_exchange);
    UNIT_TEST(suite, test_forced);
    UNIT_TEST(suite, test_waits_for_marker);
    UNIT_TEST(suite, test_many_in_one_step);
    UNIT_TEST(suite, test_sfifo_full);
    UNIT_TEST(suite, test_inclusion);
}
