/* Each single fault of a machine shows a state outside `hrf-direct` + `epoch` in a test of its own,
 * which the same machine without it does not show. No two faults show the same of these states. */
#include "test_mach_fixture.h"

#include "fifo/bpfs.h"
#include "explore/mach_config.h"
#include "fifo/ideal.h"
#include "fifo/nvw.h"

/* Lines leave by barriers and releases alone; `crash` asks what is durable behind a barrier,
 * before which P0's stores are durable (with their group's or kernel's, where it is wide). */
#define KEEPS "machine = nvw-fifo\nevict_l1 = none\nevict_l2 = none\n"

#define ONE                                                                                \
    "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; p_barrier_wi; crash \"\"; }\n" \
    "crash exists (x = 0)\n"
#define TWO                                                                             \
    "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"                                             \
    "P0 (global int* x, global int* y) { *x = 1; *y = 1; p_barrier_wi; crash \"\"; }\n" \
    "crash exists (x = 0)\n"
/* P1 never ends, so that nothing leaves the caches at the end. */
#define SIX                                                                                        \
    "OPENCL t\n{ nvm a[6] = {0, 0, 0, 0, 0, 0}; atomic_int F = 0; }\n"                             \
    "P0 (global int* a) { for (int i = 0; i < 6; i++) { a[i] = 1; } p_barrier_wi; crash \"\"; }\n" \
    "P1 (global atomic_int* F) { while (!F.load(mo_acq, wg_scope)); }\n"                           \
    "crash exists (true)\n"
#define BOTH(groups, barrier)                                        \
    "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"                          \
    "P0@wg 0 (global int* x) { *x = 1; " barrier "; crash \"\"; }\n" \
    "P1@wg " groups " (global int* y) { *y = 1; " barrier "; }\n"    \
    "crash exists (x = 0)\n"
#define RELEASED                                                       \
    "OPENCL t\n{ x = 0; y = 0; atomic_int A = 0; }\n"                  \
    "P0@wg 0 (global int* x, global int* y, global atomic_int* A) {\n" \
    " *x = 1; *y = 1; A.store(1, mo_rel, dev_scope); }\n"              \
    "P1@wg 1 (global int* x, global int* y, global atomic_int* A) {\n" \
    " while (!A.load(mo_acq, dev_scope)); int r = *x; int s = *y; }\n" \
    "exists (1:r = 0 /\\ 1:s = 0)\n"
/* P1 passes its flag after P0's barrier, so x is durable at its point. */
#define FLAG                                                   \
    "OPENCL t\n{ nvm x = 0; atomic_int F = 0; }\n"             \
    "P0@wg 0 (global int* x, global atomic_int* F) {\n"        \
    " *x = 1; p_barrier_wi; F.store(1, mo_rel, wg_scope); }\n" \
    "P1@wg 0 (global atomic_int* F) {\n"                       \
    " while (!F.load(mo_acq, wg_scope)); crash \"\"; }\ncrash exists (x = 0)\n"
/* x = 2 is durable at the point, after x = 1. */
#define OVERWRITE                \
    "OPENCL t\n{ nvm x = 0; }\n" \
    "P0 (global int* x) { *x = 1; *x = 2; p_barrier_wi; crash \"\"; }\ncrash exists (x = 1)\n"

struct row {
    enum mach_fault fault;
    const char *machine, *test;
    const char *state; /* a crash state, or a final one where the test says nothing of crashes */
};

static const struct row rows[] = {
    /* The marker passes the sixth entry in the L1's FIFO, and in the L2's the fifth. */
    {MACH_FAULT_OVERTAKE, KEEPS, SIX, "1,1,1,1,0,0 "},
    /* All are in the L2 when its marker is acknowledged. */
    {MACH_FAULT_NOT_DRAINED, KEEPS, SIX, "0,0,0,0,0,0 "},
    /* Both are on their way to NVRAM (of SIX two would have arrived: four can be under way). */
    {MACH_FAULT_NO_ACK, KEEPS, TWO, "0,0 "},
    /* P0 goes on at once, and with one entry in the L2's FIFO none of six has to have left its L1:
     * had they, one would have arrived (one is in the FIFO, four under way). */
    {MACH_FAULT_WRONG_STALL, KEEPS "l2_fifo = 1\n", SIX, "0,0,0,0,0,0 "},
    /* P0 goes on, and P1, whom the fault above stalls, sees the flag. */
    {MACH_FAULT_NO_STALL, KEEPS, FLAG, "0 "},
    /* y finds the FIFO full and is not entered. */
    {MACH_FAULT_OVERFLOW, KEEPS "l1_fifo = 1\n", TWO, "1,0 "},
    /* The marker finds the FIFO full, and x's entry is lost. */
    {MACH_FAULT_FORCE_DROPS, KEEPS "l1_fifo = 2\n", TWO, "0,1 "},
    /* x, evicted from the L1 before the barrier, is in no FIFO. */
    {MACH_FAULT_EVICT_BYPASS, "machine = nvw-fifo\nevict_l1 = dirty\nevict_l2 = none\n", ONE, "0 "},
    /* The L2 drops its clean line of x, and with it the store in the L1. */
    {MACH_FAULT_INCLUSION, "machine = nvw-fifo\nevict_l1 = none\nevict_l2 = clean\n", ONE, "0 "},
    /* y is in the L1 of unit 1, the last. */
    {MACH_FAULT_UNIT_SKIPPED, KEEPS, BOTH("1", "p_barrier_kr"), "1,0 "},
    /* The marker of unit 1 comes back first, with x in the L1 of unit 0. */
    {MACH_FAULT_EARLY_ACK, KEEPS, BOTH("1", "p_barrier_kr"), "0,1 "},
    /* P0 goes through before P1 has written y. */
    {MACH_FAULT_NO_WAIT, KEEPS, BOTH("0", "p_barrier_wg"), "1,0 "},
    /* 1 and 2 are both under way, from two evictions; 2 arrives, then 1. */
    {MACH_FAULT_UNORDERED_LINE, "machine = nvw-fifo\nevict_l1 = dirty\nevict_l2 = dirty\n",
     OVERWRITE, "1 "},
    /* The second read finds the L1's copy of before. */
    {MACH_FAULT_NO_INVALIDATE, KEEPS, "acquire-forgets", "0,0,1,0 "},
    /* The S-FIFO is emptied, and nothing has been written on: no r = 1, s = 0 either. */
    {MACH_FAULT_CLEAN_RELEASE, KEEPS, RELEASED, "0,0 "},
    /* x has been written on, y not yet. */
    {MACH_FAULT_EARLY_RELEASE, KEEPS, RELEASED, "1,0 "},
    /* As before; but x = 0 is not to be had. */
    {MACH_FAULT_LEFT_BEHIND, KEEPS, RELEASED, "1,0 "},
    /* x = 1 stays in P0's L1. */
    {MACH_FAULT_BARRIER_KEEPS, KEEPS, "barrier-hands-over", "0,1 "},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static const struct outcome_states *states_of(const struct mach_bench *b, const struct outcome *o)
{
    for (uint32_t i = 0; i < b->request.program->condition_count; i++)
        if (b->request.program->conditions[i].when == LIT_FINAL)
            return &o->final;
    return &o->crash;
}

static bool shows(struct mach_bench *b, const struct outcome *o, const char *state)
{
    const char *all = mach_rows(&b->arena, states_of(b, o));
    for (const char *at = all; (at = strstr(at, state)); at++)
        if (at == all || at[-1] == ' ')
            return true;
    return false;
}

/* The machine without faults shows nothing that the model has not, least of all the state. */
static void expect_sound(struct mach_bench *b, const struct row *row)
{
    struct outcome model, sound;
    mach_bench_model(b, &model);
    CU_ASSERT_EQUAL(model.undefined.count, 0);
    CU_ASSERT(!shows(b, &model, row->state));
    mach_bench_run(b, 0, &sound);
    CU_ASSERT(sound.crash.count + sound.final.count > 0);
    CU_ASSERT_EQUAL(mach_outside(&model.crash, &sound.crash), 0);
    CU_ASSERT_EQUAL(mach_outside(&model.final, &sound.final), 0);
    outcome_fini(&sound);
    outcome_fini(&model);
}

/* Which faults show the row's state, a bit each. */
static uint32_t run_row(const struct row *row)
{
    struct mach_bench b;
    uint32_t shown = 0;
    mach_bench_init(&b, row->test, row->machine);
    expect_sound(&b, row);
    for (int fault = 0; fault < NVW_FAULT_COUNT; fault++) {
        struct outcome o;
        mach_bench_run(&b, UINT64_C(1) << fault, &o);
        shown |= (uint32_t)shows(&b, &o, row->state) << fault;
        outcome_fini(&o);
    }
    mach_bench_fini(&b);
    return shown;
}

static void test_caught(void)
{
    uint32_t shown[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        shown[i] = run_row(&rows[i]);
        CU_ASSERT(shown[i] >> rows[i].fault & 1);
        if (!(shown[i] >> rows[i].fault & 1))
            fprintf(stderr, "%s is not caught\n", mach_faults[rows[i].fault].name);
    }
    for (int a = 0; a < NVW_FAULT_COUNT; a++)
        for (int b = 0; b < a; b++) {
            bool differ = false;
            for (size_t i = 0; i < ROWS; i++)
                differ |= (shown[i] >> a & 1) != (shown[i] >> b & 1);
            CU_ASSERT(differ);
            if (!differ)
                fprintf(stderr, "%s and %s show the same\n", mach_faults[a].name,
                        mach_faults[b].name);
        }
}

static void test_all_listed(void)
{
    for (int fault = 0; fault < NVW_FAULT_COUNT; fault++) {
        bool listed = false;
        for (size_t i = 0; i < ROWS; i++)
            listed |= (int)rows[i].fault == fault;
        CU_ASSERT(listed);
        CU_ASSERT_EQUAL((int)mach_fault_find(mach_faults[fault].name), fault);
    }
    CU_ASSERT_EQUAL(mach_fault_find("none"), MACH_FAULT_COUNT);
}

/* A fault that no machine can have would be caught by nobody; nvw-fifo has no tags, ideal-sc
 * nothing to be faulty, and where nobody waits at a barrier nobody goes early. */
static void test_whose(void)
{
    uint64_t all = 0;
    for (uint32_t i = 0; mach_machines[i]; i++)
        all |= mach_machines[i]->faults;
    CU_ASSERT_EQUAL(all, (UINT64_C(1) << CACHE_FAULT_COUNT) - 1);
    CU_ASSERT_EQUAL(nvw_fifo.faults, (UINT64_C(1) << NVW_FAULT_COUNT) - 1);
    CU_ASSERT_EQUAL(ideal_sc.faults, 0);
    CU_ASSERT_EQUAL(bpfs.faults & ~bpfs_no_wait.faults, UINT64_C(1) << MACH_FAULT_NO_WAIT);
}

/* Each fault on a test of the corpus: some state outside. */
static void test_corpus(void)
{
    static const struct {
        enum mach_fault fault;
        const char *machine, *test;
    } corpus[] = {
        {MACH_FAULT_OVERTAKE, "nvw-fifo", "def1"},
        {MACH_FAULT_NOT_DRAINED, "nvw-fifo", "def1"},
        {MACH_FAULT_NO_ACK, "nvw-fifo", "def1"},
        {MACH_FAULT_WRONG_STALL, "nvw-fifo", "def1"},
        {MACH_FAULT_NO_STALL, "nvw-fifo", "flag-one-barrier"},
        /* x and z arrive at an L2 FIFO of one entry: z's is lost, or x's. */
        {MACH_FAULT_OVERFLOW, "nvw-fifo-small", "def2"},
        {MACH_FAULT_FORCE_DROPS, "nvw-fifo-small", "def2"},
        {MACH_FAULT_EVICT_BYPASS, "nvw-fifo", "def1"},
        {MACH_FAULT_INCLUSION, "nvw-fifo", "def1"},
        {MACH_FAULT_UNIT_SKIPPED, "nvw-fifo", "def3"},
        {MACH_FAULT_EARLY_ACK, "nvw-fifo", "def3"},
        {MACH_FAULT_NO_WAIT, "nvw-fifo", "def2"},
        {MACH_FAULT_UNORDERED_LINE, "nvw-fifo", "persist-coherence-overwrite"},
        {MACH_FAULT_NO_INVALIDATE, KEEPS, "acquire-forgets"},
        {MACH_FAULT_CLEAN_RELEASE, "nvw-fifo", "release-tells"},
        {MACH_FAULT_EARLY_RELEASE, "nvw-fifo", "release-tells"},
        {MACH_FAULT_LEFT_BEHIND, "nvw-fifo", "release-tells"},
        {MACH_FAULT_BARRIER_KEEPS, "nvw-fifo", "barrier-hands-over"},
    };
    enum { COUNT = sizeof corpus / sizeof corpus[0] };
    CU_ASSERT_EQUAL((int)COUNT, (int)NVW_FAULT_COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        struct mach_bench b;
        struct outcome model, o;
        mach_bench_init(&b, corpus[i].test, corpus[i].machine);
        mach_bench_model(&b, &model);
        mach_bench_run(&b, UINT64_C(1) << corpus[i].fault, &o);
        size_t outside =
            mach_outside(&model.crash, &o.crash) + mach_outside(&model.final, &o.final);
        CU_ASSERT(outside > 0);
        if (outside == 0)
            fprintf(stderr, "%s is not caught by %s\n", mach_faults[corpus[i].fault].name,
                    corpus[i].test);
        outcome_fini(&o);
        outcome_fini(&model);
        mach_bench_fini(&b);
    }
}

/* Every built-in on the tests that are small and cover each kind of barrier and flag. */
static void test_contained(void)
{
    static const char *const tests[] = {"def1",
                                        "def1-other-wi",
                                        "def2",
                                        "def3",
                                        "chain-three",
                                        "acquire-forgets",
                                        "release-tells",
                                        "barrier-hands-over",
                                        "persist-coherence-overwrite",
                                        "flag-one-barrier",
                                        "flag-reader-barrier-read",
                                        "rmw-count",
                                        "undo-log"};
    static const char *const machines[] = {"nvw-fifo", "nvw-fifo-one-unit", "nvw-fifo-small",
                                           "ideal-sc", KEEPS};
    for (size_t t = 0; t < sizeof tests / sizeof tests[0]; t++) {
        struct mach_bench b;
        struct outcome model;
        mach_bench_init(&b, tests[t], machines[0]);
        mach_bench_model(&b, &model);
        CU_ASSERT_EQUAL(model.undefined.count, 0);
        for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++) {
            struct outcome o;
            mach_bench_on(&b, machines[m]);
            mach_bench_run(&b, 0, &o);
            CU_ASSERT(o.crash.count + o.final.count > 0);
            size_t count =
                mach_outside(&model.crash, &o.crash) + mach_outside(&model.final, &o.final);
            CU_ASSERT_EQUAL(count, 0);
            if (count)
                fprintf(stderr, "%s shows %zu states outside on %s\n", machines[m], count,
                        tests[t]);
            outcome_fini(&o);
        }
        outcome_fini(&model);
        mach_bench_fini(&b);
    }
}

void suite_mach_faults(void)
{
    CU_pSuite suite = CU_add_suite("mach_faults", NULL, NULL);
    UNIT_TEST(suite, test_caught);
    UNIT_TEST(suite, test_all_listed);
    UNIT_TEST(suite, test_whose);
    UNIT_TEST(suite, test_corpus);
    UNIT_TEST(suite, test_contained);
}
