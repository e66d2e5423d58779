/* The explorer, work-items and machines on tiny programs; every count and image by hand. */
#include "fixture.h"

#include "explore/mach_engine.h"

static void run(struct fixture *f, const char *text, const char *machine, struct outcome *o)
{
    fixture_init(f, text, "hrf-direct", "epoch");
    /* Counts are of whole explorations. */
    const struct mach_choice choice = {.file = mach_config_load(&f->arena, machine, &f->diag),
                                       .no_reduction = true};
    struct engine_request request = {.program = f->program,
                                     .model = f->model,
                                     .plan = f->plan,
                                     .own = &choice,
                                     .crash_mode = engine_default_crash_mode(f->program)};
    CU_ASSERT_PTR_NOT_NULL_FATAL(choice.file);
    outcome_init(o, f->program);
    mach_run(&request, o);
}

/* Crash images of x and y, and how many there are. */
static void expect_images(const char *body, const char *machine, uint32_t count,
                          const int64_t (*images)[2])
{
    struct fixture f;
    struct outcome o;
    const char *text = NULL;
    struct arena arena;
    arena_init(&arena);
    text = arena_printf(&arena,
                        "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                        "P0 (global int* x, global int* y) { %s }\n"
                        "crash exists (x=0 /\\ y=0)\n",
                        body);
    run(&f, text, machine, &o);
    CU_ASSERT_EQUAL(o.crash.count, count);
    for (uint32_t i = 0; i < count; i++)
        CU_ASSERT(outcome_has_state(&o.crash, images[i]));
    outcome_fini(&o);
    fixture_fini(&f);
    arena_fini(&arena);
}

static void test_images(void)
{
    /* Lines leave in any order. */
    expect_images("*x = 1; *y = 1;", "nvw-fifo", 4,
                  (const int64_t[][2]){{0, 0}, {0, 1}, {1, 0}, {1, 1}});
    /* The marker has x out before y is executed. */
    expect_images("*x = 1; p_barrier_wi; *y = 1;", "nvw-fifo", 3,
                  (const int64_t[][2]){{0, 0}, {1, 0}, {1, 1}});
    /* Nothing in the FIFO: the barrier passes. */
    expect_images("p_barrier_wi; *x = 1;", "nvw-fifo", 2, (const int64_t[][2]){{0, 0}, {1, 0}});
    /* One word: the first value may be evicted before the second is written. */
    expect_images("*x = 1; *x = 2;", "nvw-fifo", 3, (const int64_t[][2]){{0, 0}, {1, 0}, {2, 0}});
    /* x and y in one line, of which a write-back takes the dirty words: y alone never leaves. */
    expect_images("*x = 1; *y = 1;", "nvw-fifo-small", 3,
                  (const int64_t[][2]){{0, 0}, {1, 0}, {1, 1}});
    /* The ideal machine has no lines. */
    expect_images("*x = 1; *y = 1;", "ideal-sc", 4,
                  (const int64_t[][2]){{0, 0}, {0, 1}, {1, 0}, {1, 1}});
    expect_images("*x = 1; p_barrier_wi; *y = 1;", "ideal-sc", 3,
                  (const int64_t[][2]){{0, 0}, {1, 0}, {1, 1}});
}

static void expect_size(const char *text, uint64_t states, uint64_t steps)
{
    struct fixture f;
    struct outcome o;
    run(&f, text, "ideal-sc", &o);
    CU_ASSERT_EQUAL(o.stats.states, states);
    CU_ASSERT_EQUAL(o.stats.steps, steps);
    outcome_fini(&o);
    fixture_fini(&f);
}

static void test_counts(void)
{
    /* Volatile: before and after the store. */
    expect_size("OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\nexists (x=1)\n", 2, 1);
    /* Before, pending, durable. */
    expect_size("OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\nexists (x=1)\n", 3, 2);
    /* Two of those side by side: 3 * 3 states, each of 2 * 2 steps from 3: 2 * 3 + 2 * 3. */
    expect_size("OPENCL t\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x) { *x = 1; }\n"
                "P1 (global int* y) { *y = 1; }\nexists (x=1)\n",
                9, 12);
    /* Start, pending, pending and waiting, durable and waiting, gone on; or durable before it
     * waits: 6 states. store, wait, persist, persist, wait, leave: 6 steps. */
    expect_size("OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; p_barrier_wi; }\n"
                "exists (x=1)\n",
                6, 6);
}

/* The only final state's one column. */
static void expect_final(const char *text, int64_t value)
{
    struct fixture f;
    struct outcome o;
    run(&f, text, "ideal-sc", &o);
    CU_ASSERT_EQUAL_FATAL(o.final.count, 1);
    CU_ASSERT_EQUAL(outcome_row(&o.final, 0)[0], value);
    outcome_fini(&o);
    fixture_fini(&f);
}

static void test_threads(void)
{
    /* 2 + 3 * 4 = 14; 14 / 4 = 3; 3 << 2 = 12. */
    expect_final(
        "OPENCL t\n{ x = 0; }\nP0 (global int* x) { int r = 2 + 3 * 4; r = r / 4; *x = r << 2; }\n"
        "forall (x=12)\n",
        12);
    /* 0 + 1 + 2 + 3. */
    expect_final(
        "OPENCL t\n{ x = 0; }\nP0 (global int* x) {\n"
        "  int s = 0; for (int i = 0; i < 4; i++) { s = s + i; } *x = s; }\nforall (x=6)\n",
        6);
    /* The await lets P1 on only after P0's store. */
    expect_final(
        "OPENCL t\n{ x = 0; atomic_int A = 0; }\n"
        "P0 (global int* x, global atomic_int* A) { *x = 5; A.store(1, mo_rel, dev_scope); }\n"
        "P1 (global int* x, global atomic_int* A) {\n"
        "  while (!A.load(mo_acq, dev_scope)); int r = *x; }\nforall (1:r=5)\n",
        5);
}

void suite_mach(void)
{
    CU_pSuite suite = CU_add_suite("mach", NULL, NULL);
    UNIT_TEST(suite, test_images);
    UNIT_TEST(suite, test_counts);
    UNIT_TEST(suite, test_threads);
}
