/* The engine that has others run: what it lists, what it decides, who did, and what is made of two
 * engines that both give up. */
#include "base/clock.h"
#include "base/guard.h"
#include "base/strbuf.h"
#include "crashlit.h"
#include "fixture.h"
#include "session/session_auto.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Store buffering in a ring of n, relaxed. Under RC11 po and fr round the ring are forbidden of SC
 * accesses alone, so every choice of what the loads return is an execution: 2^n final states, among
 * them the one where all read 0. */
static char *ring(uint32_t n, const char *condition)
{
    struct strbuf text = {0};
    strbuf_add(&text, "OPENCL ring\n{");
    for (uint32_t i = 0; i < n; i++)
        strbuf_printf(&text, " atomic_int x%u = 0;", i);
    strbuf_add(&text, " }\n");
    for (uint32_t i = 0; i < n; i++)
        strbuf_printf(&text,
                      "P%u@wg %u (global atomic_int* x%u, global atomic_int* x%u) {\n"
                      "  x%u.store(1, mo_rlx, dev_scope);\n"
                      "  int r = x%u.load(mo_rlx, dev_scope);\n}\n",
                      i, i, i, (i + 1) % n, i, (i + 1) % n);
    strbuf_printf(&text, "final %s (", condition);
    for (uint32_t i = 0; i < n; i++)
        strbuf_printf(&text, "%s%u:r = 0", i ? " /\\ " : "", i);
    strbuf_add(&text, ")\n");
    char *copy = malloc(text.length + 1);
    strcpy(copy, strbuf_text(&text));
    strbuf_fini(&text);
    return copy;
}

/* Holds the one record of a test against a verdict, NULL for any, and a part of its JSON. */
static void expect(struct crashlit *context, const char *text, const char *verdict,
                   const char *part)
{
    struct crashlit_result *result = crashlit_check(context, "t.litmus", text, strlen(text));
    CU_ASSERT_PTR_NOT_NULL_FATAL(result);
    CU_ASSERT_EQUAL_FATAL(crashlit_result_count(result), 1);
    CU_ASSERT_STRING_EQUAL(crashlit_result_engine(result, 0), "auto");
    if (verdict)
        CU_ASSERT_STRING_EQUAL(crashlit_result_verdict(result, 0), verdict);
    if (!strstr(crashlit_result_json(result, 0), part))
        printf("no %s: %.900s\n", part, crashlit_result_json(result, 0));
    CU_ASSERT_PTR_NOT_NULL(strstr(crashlit_result_json(result, 0), part));
    crashlit_result_free(result);
}

static struct crashlit *under_rc11(void)
{
    struct crashlit *context = crashlit_new();
    CU_ASSERT_EQUAL(crashlit_set(context, "model", "rc11"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "persistency", "none"), CRASHLIT_OK);
    return context;
}

/* Two work-items: four states, one of them with both reads 0. */
static void what_is_cheap_is_listed(void)
{
    struct crashlit *context = under_rc11();
    char *text = ring(2, "exists");
    expect(context, text, "ok", "\"engine\":\"auto\",\"decided_by\":\"enum\"");
    expect(context, text, "ok", "\"positive\":1,\"negative\":3");
    CU_ASSERT_EQUAL(crashlit_set(context, "decide", "on"), CRASHLIT_OK);
    expect(context, text, "ok", "\"decided\":true");
    free(text);
    crashlit_free(context);
}

/* 2^30 executions are listed by nobody; one is found at once. */
static void what_is_not_is_decided(void)
{
    struct crashlit *context = under_rc11();
    char *found = ring(30, "exists"), *other = ring(30, "~exists");
    for (int i = 0; i < 3; i++) {
        expect(context, found, "ok", "\"decided\":true");
        expect(context, other, "violated", "\"decided_by\":\"");
    }
    free(found);
    free(other);
    crashlit_free(context);
}

/* With states wanted both engines list until the time is over. Whether one meets the state that
 * decides by then is their affair. */
static void states_are_listed_when_asked_for(void)
{
    struct crashlit *context = under_rc11();
    char *large = ring(30, "~exists"), *small = ring(3, "exists");
    CU_ASSERT_EQUAL(crashlit_set(context, "states", "on"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "timeout", "0.3"), CRASHLIT_OK);
    expect(context, small, "ok", "\"positive\":1,\"negative\":7");
    expect(context, large, NULL, "\"doubt\":\"the time limit ran out\"");
    CU_ASSERT_EQUAL(crashlit_set(context, "decide", "on"), CRASHLIT_INPUT);
    free(large);
    free(small);
    crashlit_free(context);
}

/* Work-items that each store a(i), wait until it is durable, and raise a counter: n durable says
 * all stores are. Its states, closed under exchanges, take longer than the allowance, which has to
 * be noticed. */
static void a_listing_within_a_step_ends(void)
{
    enum { N = 16 };
    struct crashlit *context = crashlit_new();
    struct strbuf text = {0};
    strbuf_add(&text, "OPENCL raise\n{ nvm atomic_int c = 0;");
    for (int i = 0; i < N; i++)
        strbuf_printf(&text, " nvm a%d = 0;", i);
    strbuf_add(&text, " }\n");
    for (int i = 0; i < N; i++)
        strbuf_printf(&text,
                      "P%d@wg %d (global int* a%d, global atomic_int* c) {\n"
                      "  *a%d = 1; p_barrier_wi;\n"
                      "  c.fetch_add(1, mo_acq_rel, dev_scope);\n}\n",
                      i, i, i, i);
    strbuf_printf(&text, "crash ~exists (c = %d /\\ a0 = 0)\n", N);
    CU_ASSERT_EQUAL(crashlit_set(context, "timeout", "10"), CRASHLIT_OK);
    expect(context, strbuf_text(&text), "ok", "\"decided\":true,");
    strbuf_fini(&text);
    crashlit_free(context);
}

/* 2^40 states, which one box says; those in which each of 20 columns has the value of another, all
 * 20 levels away, need 2^20 nodes, more than are kept. The state before the first store is one. */
static void what_cannot_be_counted_is_decided(void)
{
    struct crashlit *context = crashlit_new();
    struct strbuf text = {0};
    strbuf_add(&text, "OPENCL alike\n{ nvm a[40]; }\nP0@wg 0 (global int* a) {\n"
                      "  for (int i = 0; i < 40; i++) { a[i] = 1; }\n}\ncrash ~exists (");
    for (int i = 0; i < 20; i++)
        strbuf_printf(&text, "%sa[%d] = a[%d]", i ? " /\\ " : "", i, i + 20);
    strbuf_add(&text, ")\n");
    CU_ASSERT_EQUAL(crashlit_set(context, "unroll", "40"), CRASHLIT_OK);
    expect(context, strbuf_text(&text), "violated", "\"decided\":true,");
    CU_ASSERT_EQUAL(crashlit_set(context, "states", "on"), CRASHLIT_OK);
    expect(context, strbuf_text(&text), "unknown", "\"count\":1099511627776,");
    strbuf_fini(&text);
    crashlit_free(context);
}

/* 1,024 stores of one epoch, and one behind the barrier: with that not durable any of 2^1024
 * states, else all are, so 2^1024 + 1 states, whose last digits are those of 2^1024, 137216, and
 * one. */
static void one_epoch_is_listed_however_long(void)
{
    enum { N = 1024 };
    struct crashlit *context = crashlit_new();
    struct strbuf text = {0};
    strbuf_printf(&text, "OPENCL epoch\n{ nvm a[%d]; nvm c = 0; }\n", N);
    strbuf_add(&text, "P0@wg 0 (global int* a, global int* c) {\n");
    for (int i = 0; i < N; i++)
        strbuf_printf(&text, "  a[%d] = 1;\n", i);
    strbuf_printf(&text, "  p_barrier_wi;\n  *c = 1;\n}\ncrash ~exists (c = 1 /\\ a[%d] = 0)\n",
                  N - 1);
    expect(context, strbuf_text(&text), "ok", "\"decided_by\":\"enum\"");
    expect(context, strbuf_text(&text), "ok", "137217");
    strbuf_fini(&text);
    crashlit_free(context);
}

/* 100 work-items that are interchangeable, and a condition with a part for each ordered pair of
 * them, which an exchange turns into itself in another order: 9,900 parts, compared for 99
 * exchanges. One durable store alone violates it. */
static void a_condition_on_all_pairs_is_soon_compared(void)
{
    enum { N = 100 };
    struct crashlit *context = crashlit_new();
    struct strbuf text = {0};
    strbuf_printf(&text, "OPENCL pairs\n{ nvm x[%d]; }\n", N);
    for (int i = 0; i < N; i++)
        strbuf_printf(&text, "P%d@wg %d (global int* x) { x[%d] = 1; }\n", i, i, i);
    strbuf_add(&text, "crash ~exists (");
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            if (i != k)
                strbuf_printf(&text, "%s(x[%d] = 1 /\\ x[%d] = 0)",
                              i + k == 1 && i == 0 ? "" : " \\/ ", i, k);
    strbuf_add(&text, ")\n");
    CU_ASSERT_EQUAL(crashlit_set(context, "timeout", "30"), CRASHLIT_OK);
    expect(context, strbuf_text(&text), "violated", "\"decided_by\":\"");
    strbuf_fini(&text);
    crashlit_free(context);
}

/* A counter that 24 work-items raise: that no increment is lost is beyond both in a moment. */
static void both_may_give_up(void)
{
    struct crashlit *context = crashlit_new();
    struct strbuf text = {0};
    strbuf_add(&text, "OPENCL count\n{ atomic_int c = 0; nvm x = 0; }\n");
    for (int i = 0; i < 24; i++)
        strbuf_printf(&text,
                      "P%d@wg %d (global atomic_int* c, global int* x) {\n"
                      "  int r = c.fetch_add(1, mo_acq_rel, dev_scope);\n"
                      "  int s = c.fetch_add(%d, mo_acq_rel, dev_scope);\n}\n",
                      i, i, i % 5 + 2);
    strbuf_add(&text, "final ~exists (c = 7)\n");
    CU_ASSERT_EQUAL(crashlit_set(context, "timeout", "0.2"), CRASHLIT_OK);
    expect(context, strbuf_text(&text), "unknown", "\"reason\":\"the time limit ran out\"");
    strbuf_fini(&text);
    crashlit_free(context);
}

/* Until the question's time has run out. */
static void linger(void *context, const struct engine_request *request,
                   const struct engine_witness *witness)
{
    (void)witness;
    ++*(int *)context;
    while (!clock_is_late(&request->limits.clock))
        ;
}

/* Executions are shown by a second run. That this one is cut off takes nothing back of the 2^10
 * states that the first has listed. */
static void what_is_settled_stays(void)
{
    struct fixture f;
    struct outcome o;
    int shown = 0;
    const struct session_view view = {.on_witness = linger, .context = &shown};
    const struct session_settings settings = {
        .engine = "auto", .unroll = 2, .timeout_seconds = 2, .states = true};
    char *text = ring(10, "exists");
    fixture_init(&f, text, "rc11", "none");
    const struct session_model model = {
        .visibility = "rc11", .persistency = "none", .model = f.model, .plan = f.plan};
    const struct session_case question =
        session_case_begin(&settings, &model, f.program, (struct session_parts){.begin = NULL});
    session_run(&question, session_engine_choosing, &o, &view);
    CU_ASSERT(shown > 0);
    CU_ASSERT_STRING_EQUAL(o.decided_by, "enum");
    CU_ASSERT_PTR_NULL(outcome_doubt(&o));
    CU_ASSERT_EQUAL(outcome_state_count(&o.final), 1 << 10);
    outcome_fini(&o);
    fixture_fini(&f);
    free(text);
}

/* ---- Outcomes of two ---- */

static const char stored[] = "OPENCL stored\n{ nvm x = 0; }\n"
                             "P0@wg 0 (global int* x) { *x = 1; }\n"
                             "crash ~exists (x = 1)\ncrash exists (x = 0)\n";

static const char *const names[] = {"enum", "smt"};

/* Each has met one state, and gave up for a reason of its own: x = 1 violates the first condition,
 * x = 0 is what the second asks for. */
static void states_of_both_count(void)
{
    struct fixture f;
    struct outcome one, two;
    fixture_init(&f, stored, "hrf-direct", "epoch");
    outcome_init(&one, f.program);
    outcome_init(&two, f.program);
    one.ran = two.ran = true;
    CU_ASSERT(outcome_add_state(&one.crash, (const int64_t[]){1}));
    CU_ASSERT(outcome_add_state(&two.crash, (const int64_t[]){0}));
    one.doubts[OUTCOME_DOUBT_PATHS] = two.doubts[OUTCOME_DOUBT_SOLVER] = true;
    outcome_sort(&one);
    outcome_join(&one, &two, names);
    CU_ASSERT_EQUAL(outcome_judge(&one, f.program, &f.program->conditions[0]).verdict,
                    LIT_VIOLATED);
    CU_ASSERT_EQUAL(outcome_judge(&one, f.program, &f.program->conditions[1]).verdict, LIT_OK);
    CU_ASSERT_STRING_EQUAL(outcome_doubt(&one),
                           "enum: the work-items have more control-flow paths than are looked at; "
                           "smt: the solver Z3 could not be loaded (crashlit --version -v says "
                           "why)");
    outcome_fini(&one);
    outcome_fini(&two);
    fixture_fini(&f);
}

/* Who has no doubt knows that there is no other state. */
static void a_doubt_is_of_both(void)
{
    struct fixture f;
    struct outcome one, two;
    fixture_init(&f, stored, "hrf-direct", "epoch");
    outcome_init(&one, f.program);
    outcome_init(&two, f.program);
    one.doubts[OUTCOME_DOUBT_TIMEOUT] = one.ran = two.ran = true;
    CU_ASSERT(outcome_add_state(&two.crash, (const int64_t[]){0}));
    outcome_sort(&two);
    outcome_sort(&one);
    outcome_join(&one, &two, names);
    CU_ASSERT_PTR_NULL(outcome_doubt(&one));
    CU_ASSERT_EQUAL(outcome_judge(&one, f.program, &f.program->conditions[0]).verdict, LIT_OK);
    outcome_fini(&one);
    outcome_fini(&two);
    fixture_fini(&f);
}

/* Work-items are run by the same code for all, so what a bound on loops leaves open is open for
 * all. How long a run may be is what an engine takes: a longer one may settle what smt has cut off.
 */
static void a_shorter_run_settles_nothing(void)
{
    static const struct session_settings settings = {.engine = "auto", .decide = true};
    struct fixture f;
    struct outcome o;
    fixture_init(&f, stored, "hrf-direct", "epoch");
    const struct session_case question = {.settings = &settings, .program = f.program};
    outcome_init(&o, f.program);
    o.ran = true;
    o.doubts[OUTCOME_DOUBT_UNROLL] = true;
    outcome_sort(&o);
    CU_ASSERT(session_auto_is_settled(&o, &question, session_engine_explaining));
    o.doubts[OUTCOME_DOUBT_LENGTH] = true;
    CU_ASSERT(session_auto_is_settled(&o, &question, session_engine_alone));
    CU_ASSERT_FALSE(session_auto_is_settled(&o, &question, session_engine_explaining));
    outcome_fini(&o);
    fixture_fini(&f);
}

/* ---- Clocks and pools ---- */

static void count(void *context)
{
    ++*(int *)context;
}

static void work_is_called_off(void)
{
    struct clock_call_off off;
    struct clock_limit limit = clock_limit_in(1000);
    int interrupts = 0;
    clock_call_off_init(&off);
    limit.call_off = &off;
    CU_ASSERT(!clock_is_late(&limit));
    clock_interrupt_by(&off, count, &interrupts);
    CU_ASSERT_EQUAL(interrupts, 0);
    clock_call_off(&off);
    CU_ASSERT_EQUAL(interrupts, 1);
    struct clock_limit part = clock_limit_part(&limit, 0.5);
    CU_ASSERT(clock_is_late(&limit) && clock_is_late(&part));
    clock_interrupt_by(&off, NULL, NULL);
    clock_call_off(&off);
    CU_ASSERT_EQUAL(interrupts, 1);
    clock_interrupt_by(&off, count, &interrupts); /* it was called off already */
    CU_ASSERT_EQUAL(interrupts, 2);
    clock_call_off_fini(&off);
}

/* While it sleeps a process uses none: 0.5 s of it last longer than 0.6 s go by. */
static void processor_time_is_used_up(void)
{
    const struct clock_limit by_clock = clock_limit_in(0.5), by_use = clock_limit_of(0, 0.5);
    const struct clock_limit both = clock_limit_within(&by_use, &by_clock), none = {.seconds = 0};
    CU_ASSERT(clock_is_limited(&by_clock) && clock_is_limited(&by_use) && !clock_is_limited(&none));
    nanosleep(&(struct timespec){0, 600000000}, NULL);
    CU_ASSERT(clock_is_late(&by_clock) && !clock_is_late(&by_use) && clock_is_late(&both));
    CU_ASSERT(!(clock_seconds_left(&by_use) > 0)); /* of seconds there is no limit */
    CU_ASSERT(!(clock_cpu_left(&by_clock) < 0));
    const struct clock_limit half = clock_limit_part(&by_use, 0.5);
    CU_ASSERT(clock_cpu_left(&half) > 0 && clock_cpu_left(&half) < clock_cpu_left(&by_use));
    CU_ASSERT(clock_cpu_seconds_of(getpid()) > 0);
    while (clock_cpu_left(&half) > 0)
        continue;
    CU_ASSERT(clock_is_late(&half) && clock_seconds_left(&half) < 0 && !clock_is_late(&by_use));
    const struct clock_limit within = clock_limit_within(&by_use, &half);
    CU_ASSERT(clock_is_late(&within));
}

/* Without a limit of time as well. */
static void an_allowance_is_used_up(void)
{
    struct clock_allowance allowance = {.left = 10};
    struct clock_limit limit = {.allowance = &allowance}, copy = limit;
    clock_spend(&limit, 9);
    CU_ASSERT(!clock_is_late(&limit));
    clock_spend(&copy, 5);
    CU_ASSERT(clock_is_late(&limit) && allowance.left == 0);
    CU_ASSERT(clock_seconds_left(&limit) < 0);
}

/* Called once; then work goes on, but for what is set anew. */
static void goes_on(void *context)
{
    struct clock_allowance *allowance = context;
    allowance->reserve = 1e6;
}

static void work_goes_on_past_an_allowance(void)
{
    struct clock_allowance allowance = {.left = 10, .used_up = goes_on, .context = &allowance};
    struct clock_limit limit = {.allowance = &allowance};
    clock_spend(&limit, 10);
    CU_ASSERT(!clock_is_late(&limit) && allowance.used_up == NULL && allowance.left > 10);
    CU_ASSERT(!clock_is_late(&limit)); /* without a limit of time nothing is kept back of it */
    limit.start = clock_now_monotonic();
    limit.seconds = 1e6; /* not so much is left any more */
    CU_ASSERT(clock_is_late(&limit));
    allowance = (struct clock_allowance){
        .left = UINT64_MAX, .reserve = 1e6, .used_up = goes_on, .context = &allowance};
    CU_ASSERT(clock_seconds_left(&limit) > 0 && allowance.used_up == NULL);
}

static void takes_memory(void *context)
{
    void **pieces = context;
    pieces[0] = base_realloc(NULL, 100);
    pieces[1] = base_realloc(NULL, 20);
}

static void a_pool_is_given_away(void)
{
    struct base_pool inner = {0}, outer = {0};
    struct base_guard guard = {.pool = &inner};
    void *pieces[2];
    CU_ASSERT(base_guard_call(&guard, takes_memory, pieces));
    size_t held = inner.bytes;
    base_pool_give(&inner, &outer);
    CU_ASSERT(inner.bytes == 0 && inner.pieces == NULL && outer.bytes == held);
    base_free(pieces[0]);
    base_pool_give(&outer, NULL);
    CU_ASSERT(outer.bytes == 0);
    base_free(pieces[1]);
}

void suite_auto(void)
{
    CU_pSuite suite = CU_add_suite("auto", NULL, NULL);
    UNIT_TEST(suite, what_is_cheap_is_listed);
    UNIT_TEST(suite, what_is_not_is_decided);
    UNIT_TEST(suite, states_are_listed_when_asked_for);
    UNIT_TEST(suite, a_listing_within_a_step_ends);
    UNIT_HEAVY_TEST(suite, one_epoch_is_listed_however_long);
    UNIT_HEAVY_TEST(suite, what_cannot_be_counted_is_decided);
    UNIT_HEAVY_TEST(suite, a_condition_on_all_pairs_is_soon_compared);
    UNIT_TEST(suite, both_may_give_up);
    UNIT_HEAVY_TEST(suite, what_is_settled_stays);
    UNIT_TEST(suite, states_of_both_count);
    UNIT_TEST(suite, a_doubt_is_of_both);
    UNIT_TEST(suite, a_shorter_run_settles_nothing);
    UNIT_TEST(suite, work_is_called_off);
    UNIT_TEST(suite, processor_time_is_used_up);
    UNIT_TEST(suite, an_allowance_is_used_up);
    UNIT_TEST(suite, work_goes_on_past_an_allowance);
    UNIT_TEST(suite, a_pool_is_given_away);
}
