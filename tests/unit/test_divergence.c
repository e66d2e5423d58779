/* Who is named when work-items wait at a barrier for ever: every pair of one who waits and one
 * who never comes, in some execution, and every fault; the same by both engines. Source:
 * docs/models/semantics.md, "What is undefined". */
#include "fixture.h"

#include "enumerate/enumerate.h"
#include "smt/smt.h"

#include <string.h>

static engine_function *const engines[] = {enum_run, smt_run};

/* A number of pairs, two digits each: who waits and who is missing. */
struct wanted {
    const char *text, *pairs;
    enum outcome_undefined_kind kind;
};

static bool has(const struct outcome *o, const char *pair, enum outcome_undefined_kind kind)
{
    for (size_t i = 0; i < o->undefined.count; i++) {
        const struct outcome_undefined *u = &o->undefined.items[i];
        uint32_t second = u->event_count == 2 ? u->events[1].thread : LIT_NONE;
        if (u->kind == kind && u->events[0].thread == (uint32_t)(pair[0] - '0') &&
            second == (pair[1] == '-' ? LIT_NONE : (uint32_t)(pair[1] - '0')))
            return true;
    }
    return false;
}

static void check(const struct wanted *wanted)
{
    struct fixture f;
    fixture_init(&f, wanted->text, "sc", "epoch");
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
        struct outcome o;
        struct engine_request request = {.program = f.program,
                                         .model = f.model,
                                         .plan = f.plan,
                                         .crash_mode = EXEC_CRASH_ANYWHERE,
                                         .limits = {.unroll = 2}};
        outcome_init(&o, f.program);
        engines[e](&request, &o);
        CU_ASSERT_EQUAL(2 * o.undefined.count, strlen(wanted->pairs));
        for (const char *pair = wanted->pairs; *pair; pair += 2)
            CU_ASSERT_TRUE(has(&o, pair, wanted->kind));
        outcome_fini(&o);
    }
    fixture_fini(&f);
}

#define FLAG "(global atomic_int* f)"
#define LOAD "atomic_load_explicit(f, memory_order_relaxed, memory_scope_work_group)"

/* P1 and P2 spin for ever, in one execution, and are alike. */
static void test_twins_missing(void)
{
    check(&(struct wanted){"OPENCL t\n{ atomic_int f = 0; }\nP0@wg 0 () { sync_barrier_wg(); }\n"
                           "P1@wg 0 " FLAG " { while (!" LOAD "); sync_barrier_wg(); }\n"
                           "P2@wg 0 " FLAG " { while (!" LOAD "); sync_barrier_wg(); }\n",
                           "0102", OUTCOME_DIVERGENCE});
}

/* P2 never comes. P1 comes when f was 1 at some time it looked, and else, f having gone back
 * to 0, spins for ever beside P2. P1 waits for P2 alone, since P0 always comes. */
static void test_sometimes_missing(void)
{
    check(&(struct wanted){"OPENCL t\n{ atomic_int f = 0; }\nP0@wg 0 () { sync_barrier_wg(); }\n"
                           "P1@wg 0 " FLAG " { while (!" LOAD "); sync_barrier_wg(); }\n"
                           "P2@wg 0 " FLAG " { atomic_store_explicit(f, 1, memory_order_relaxed, "
                           "memory_scope_work_group); atomic_store_explicit(f, 0, "
                           "memory_order_relaxed, memory_scope_work_group); }\n",
                           "010212", OUTCOME_DIVERGENCE});
}

/* A barrier each, of other numbers: everyone waits for everyone else. */
static void test_everyone_waits(void)
{
    check(&(struct wanted){"PTX t\n{ x = 0; }\n"
                           " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n"
                           " bar.cta.sync 1 | bar.cta.sync 2 | bar.cta.sync 3 ;\n"
                           " bar.cta.sync 2 | bar.cta.sync 3 | bar.cta.sync 1 ;\n"
                           " bar.cta.sync 3 | bar.cta.sync 1 | bar.cta.sync 2 ;\n"
                           "forall (true)\n",
                           "010210122021", OUTCOME_DIVERGENCE});
}

/* Three are needed and two take part: nobody is missing by name. */
static void test_too_few(void)
{
    check(&(struct wanted){"PTX t\n{ x = 0; }\n"
                           " P0@cta 0,gpu 0       | P1@cta 0,gpu 0       ;\n"
                           " bar.cta.sync 1, 0, 3 | bar.cta.sync 1, 0, 3 ;\n"
                           "forall (true)\n",
                           "0-1-", OUTCOME_DIVERGENCE});
}

/* Two faults of one execution. */
static void test_faults(void)
{
    check(&(struct wanted){"OPENCL t\n{ x = 0; y = 0; }\n"
                           "P0 (global int* x) { int r = *x; int s = 1 / r; }\n"
                           "P1 (global int* y) { int r = *y; int s = 2 / r; }\n",
                           "0-1-", OUTCOME_FAULT});
}

/* P0 waits for P1, which divides by zero: that fault alone is told. */
static void test_faulty_missing(void)
{
    check(&(struct wanted){"OPENCL t\n{ x = 0; }\nP0@wg 0 () { sync_barrier_wg(); }\n"
                           "P1@wg 0 (global int* x) { int r = *x; int s = 1 / r; "
                           "sync_barrier_wg(); }\n",
                           "1-", OUTCOME_FAULT});
}

void suite_divergence(void)
{
    CU_pSuite suite = CU_add_suite("divergence", NULL, NULL);
    UNIT_TEST(suite, test_twins_missing);
    UNIT_TEST(suite, test_sometimes_missing);
    UNIT_TEST(suite, test_everyone_waits);
    UNIT_TEST(suite, test_too_few);
    UNIT_TEST(suite, test_faults);
    UNIT_TEST(suite, test_faulty_missing);
}
