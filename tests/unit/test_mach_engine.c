/* The engine around a machine: which one is asked, limits, crash modes, and what is undefined. */
#include "fixture.h"

#include "base/team.h"
#include "explore/mach_engine.h"

#include <string.h>

struct trial {
    struct fixture f;
    struct engine_request request;
    struct outcome o;
};

static void trial_init(struct trial *t, const char *text, const char *persistency)
{
    *t = (struct trial){0};
    fixture_init(&t->f, text, "hrf-direct", persistency);
    t->request = (struct engine_request){.program = t->f.program,
                                         .model = t->f.model,
                                         .plan = t->f.plan,
                                         .crash_mode = engine_default_crash_mode(t->f.program)};
    outcome_init(&t->o, t->f.program);
}

static void trial_fini(struct trial *t)
{
    outcome_fini(&t->o);
    fixture_fini(&t->f);
}

static const char two_stores[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                                 "P0 (global int* x, global int* y) { *x = 1; *y = 1; }\n"
                                 "crash ~exists (y=1 /\\ x=0)\n";

static void expect_machine(const char *visibility, const char *persistency, const char *name)
{
    struct arena arena;
    struct cat_model model = {.visibility = visibility, .persistency = persistency};
    struct engine_request request = {.model = &model};
    arena_init(&arena);
    CU_ASSERT_STRING_EQUAL(mach_file_for(&arena, &request)->name, name);
    arena_fini(&arena);
}

static void test_choice(void)
{
    expect_machine("hrf-direct", "epoch", "nvw-fifo");
    expect_machine("hrf-direct", "buffered-epoch", "bpfs");
    expect_machine("hrf-direct", "buffered-epoch-individual", "bpfs-no-wait");
    expect_machine("sc", "epoch", "nvw-fifo"); /* promised by nobody */
}

/* Either may be durable first. */
static void test_states(void)
{
    struct trial t;
    trial_init(&t, two_stores, "epoch");
    mach_run(&t.request, &t.o);
    CU_ASSERT_EQUAL(t.o.crash.count, 4);
    CU_ASSERT_EQUAL(t.o.final.count, 1);
    CU_ASSERT_PTR_NULL(outcome_doubt(&t.o));
    CU_ASSERT_EQUAL(t.o.stats.cuts, t.o.stats.states); /* the crash may come anywhere */
    trial_fini(&t);
}

static void test_crash_modes(void)
{
    struct trial t;
    trial_init(&t,
               "OPENCL t\n{ nvm x = 0; }\n"
               "P0 (global int* x) { *x = 1; p_barrier_wi; crash \"here\"; *x = 2; }\n"
               "crash exists (x=1)\n",
               "epoch");
    CU_ASSERT_EQUAL(t.request.crash_mode, EXEC_CRASH_POINTS);
    mach_run(&t.request, &t.o);
    CU_ASSERT_EQUAL_FATAL(t.o.crash.count, 1); /* x = 1 is durable, x = 2 not executed */
    CU_ASSERT_EQUAL(outcome_row(&t.o.crash, 0)[0], 1);
    outcome_fini(&t.o);
    outcome_init(&t.o, t.f.program);
    t.request.crash_mode = EXEC_CRASH_END;
    mach_run(&t.request, &t.o);
    CU_ASSERT_EQUAL(t.o.crash.count, 2); /* 2 may be durable or not */
    trial_fini(&t);
}

/* A limit of memory says how many states are kept, and who says that himself goes before it. */
static void test_states_follow_memory(void)
{
    struct engine_request request = {.limits = {.memory_mib = 2}};
    const struct mach_choice said = {.max_states = 7};
    CU_ASSERT_EQUAL(mach_choice_of(&request).max_states, 24576); /* 2^21 bytes by 85 1/3 */
    request.limits.memory_mib = 8192;                            /* 2^33: more than 10^8 */
    CU_ASSERT_EQUAL(mach_choice_of(&request).max_states, 100663296);
    request.limits.memory_mib = 1 << 20; /* 1 TiB, of which are 3 * 2^32 */
    CU_ASSERT_EQUAL(mach_choice_of(&request).max_states, 1 << 30);
    request.limits.memory_mib = 0;
    CU_ASSERT_EQUAL(mach_choice_of(&request).max_states, 3 << 22); /* 2^30 by 85 1/3 */
    request.own = &said;
    CU_ASSERT_EQUAL(mach_choice_of(&request).max_states, 7);
}

/* Who says how many threads goes before what the request leaves; one there always is. */
static void test_threads(void)
{
    struct engine_request request = {.limits = {.threads = 0}};
    struct mach_choice said = {.threads = 8};
    CU_ASSERT_EQUAL(mach_threads_of(&request), 1);
    request.limits.threads = 3;
    CU_ASSERT_EQUAL(mach_threads_of(&request), 3);
    request.limits.threads = 1000;
    CU_ASSERT_EQUAL(mach_threads_of(&request), TEAM_MOST);
    request.own = &said;
    CU_ASSERT_EQUAL(mach_threads_of(&request), 8);
    said.threads = 0;
    CU_ASSERT_EQUAL(mach_threads_of(&request), TEAM_MOST);
}

static void test_limits(void)
{
    struct trial t;
    trial_init(&t, two_stores, "epoch");
    t.request.own = &(struct mach_choice){.max_states = 2};
    mach_run(&t.request, &t.o);
    CU_ASSERT_TRUE(t.o.doubts[OUTCOME_DOUBT_STATES]);
    CU_ASSERT_EQUAL(outcome_verdict(&t.o, t.f.program), LIT_UNKNOWN);
    trial_fini(&t);
    /* 300 values: more than there is room for. */
    trial_init(&t,
               "OPENCL t\n{ x = 0; }\n"
               "P0 (global int* x) { for (int i = 0; i < 300; i++) { *x = i; } }\nexists (x=299)\n",
               "epoch");
    mach_run(&t.request, &t.o);
    CU_ASSERT_TRUE(t.o.doubts[OUTCOME_DOUBT_LENGTH]);
    CU_ASSERT_FALSE(t.o.doubts[OUTCOME_DOUBT_STATES]);
    CU_ASSERT_EQUAL(outcome_verdict(&t.o, t.f.program), LIT_UNKNOWN);
    trial_fini(&t);
}

/* The state that breaks the condition ends the exploration. */
static void test_decide(void)
{
    struct trial all, one;
    trial_init(&all, two_stores, "epoch");
    trial_init(&one, two_stores, "epoch");
    const struct mach_choice whole = {.no_reduction = true}; /* else too little is left of it */
    all.request.own = one.request.own = &whole;
    mach_run(&all.request, &all.o);
    one.request.decide = true;
    mach_run(&one.request, &one.o);
    CU_ASSERT_EQUAL(outcome_verdict(&all.o, all.f.program), LIT_VIOLATED);
    CU_ASSERT_EQUAL(outcome_verdict(&one.o, one.f.program), LIT_VIOLATED);
    CU_ASSERT(one.o.stats.states < all.o.stats.states);
    trial_fini(&all);
    trial_fini(&one);
}

static const struct outcome_undefined *only(const struct outcome *o)
{
    CU_ASSERT_EQUAL_FATAL(o->undefined.count, 1);
    return &o->undefined.items[0];
}

/* P1 ends without the barrier that P0 waits at: on every machine that waits. */
static void test_missing(void)
{
    static const char *const persistencies[] = {"epoch", "buffered-epoch"};
    for (int i = 0; i < 2; i++) {
        struct trial t;
        trial_init(&t,
                   "OPENCL t\n{ nvm x = 0; }\nP0@wg 0 (global int* x) {\n  p_barrier_wg;\n"
                   "  *x = 1;\n}\nP1@wg 0 (global int* x) {\n}\ncrash exists (x=1)\n",
                   persistencies[i]);
        mach_run(&t.request, &t.o);
        const struct outcome_undefined *undefined = only(&t.o);
        CU_ASSERT_EQUAL(undefined->kind, OUTCOME_DIVERGENCE);
        CU_ASSERT_EQUAL(undefined->events[0].thread, 0);
        CU_ASSERT_EQUAL(undefined->events[0].line, 4);
        CU_ASSERT_STRING_EQUAL(undefined->events[0].access, "PB WG");
        CU_ASSERT_EQUAL(undefined->events[1].thread, 1);
        CU_ASSERT_EQUAL_FATAL(t.o.flags.count, 1);
        trial_fini(&t);
    }
}

/* P1 spins for a flag that P0 would set after the barrier that waits for P1. */
static void test_spinning(void)
{
    static const char text[] = "OPENCL t\n{ nvm x = 0; atomic_int F = 0; }\n"
                               "P0@wg 0 (global int* x, global atomic_int* F) {\n"
                               "  %s;\n  F.store(1, mo_rel, wg_scope);\n}\n"
                               "P1@wg 0 (global atomic_int* F) {\n"
                               "  while (!F.load(mo_acq, wg_scope));\n}\ncrash exists (x=0)\n";
    struct arena arena;
    struct trial t;
    arena_init(&arena);
    trial_init(&t, arena_printf(&arena, text, "sync_barrier_wg"), "epoch");
    mach_run(&t.request, &t.o);
    const struct outcome_undefined *undefined = only(&t.o);
    CU_ASSERT_EQUAL(undefined->kind, OUTCOME_DIVERGENCE);
    CU_ASSERT_STRING_EQUAL(undefined->events[0].access, "B WG");
    CU_ASSERT_EQUAL(undefined->events[1].line, 8);
    trial_fini(&t);
    /* A barrier of P0 alone: the flag is set. */
    trial_init(&t, arena_printf(&arena, text, "p_barrier_wi"), "epoch");
    mach_run(&t.request, &t.o);
    CU_ASSERT_EQUAL(t.o.undefined.count, 0);
    trial_fini(&t);
    arena_fini(&arena);
}

/* Nobody waits at a barrier: a wait without an end is not undefined, and nothing final. */
static void test_endless_wait(void)
{
    struct trial t;
    trial_init(&t,
               "OPENCL t\n{ nvm x = 0; atomic_int F = 0; }\n"
               "P0 (global int* x, global atomic_int* F) {\n"
               "  *x = 1; while (!F.load(mo_acq, dev_scope)); *x = 2;\n}\nexists (x=2)\n",
               "epoch");
    mach_run(&t.request, &t.o);
    CU_ASSERT_EQUAL(t.o.undefined.count, 0);
    CU_ASSERT_EQUAL(t.o.final.count, 0);
    CU_ASSERT_EQUAL(t.o.crash.count, 2);
    trial_fini(&t);
}

/* Index 3 of 2, at line 4. */
static void test_fault(void)
{
    struct trial t;
    trial_init(&t,
               "OPENCL t\n{ nvm a[2] = {0, 0}; i = 3; }\nP0 (global int* a, global int* i) {\n"
               "  int k = *i; a[k] = 1;\n}\ncrash exists (a[0]=0)\n",
               "epoch");
    mach_run(&t.request, &t.o);
    const struct outcome_undefined *undefined = only(&t.o);
    CU_ASSERT_EQUAL(undefined->kind, OUTCOME_FAULT);
    CU_ASSERT_EQUAL(undefined->events[0].thread, 0);
    CU_ASSERT_EQUAL(undefined->events[0].line, 4);
    CU_ASSERT_EQUAL(outcome_verdict(&t.o, t.f.program), LIT_UNDEFINED);
    trial_fini(&t);
}

void suite_mach_engine(void)
{
    CU_pSuite suite = CU_add_suite("mach_engine", NULL, NULL);
    UNIT_TEST(suite, test_choice);
    UNIT_TEST(suite, test_states);
    UNIT_TEST(suite, test_crash_modes);
    UNIT_TEST(suite, test_states_follow_memory);
    UNIT_TEST(suite, test_threads);
    UNIT_TEST(suite, test_limits);
    UNIT_TEST(suite, test_decide);
    UNIT_TEST(suite, test_missing);
    UNIT_TEST(suite, test_spinning);
    UNIT_TEST(suite, test_endless_wait);
    UNIT_TEST(suite, test_fault);
}
