/* Sets of states where they end: at too many nodes, too little time, no row at all. What is not
 * known there is a doubt, and what was known before stays. */
#include "test_enum_fixture.h"

#include "base/clock.h"
#include "crashlit.h"
#include "engine/agree.h"
#include "mdd/mdd_cover.h"
#include "engine/recovery.h"

#include <stdlib.h>

static const struct clock_limit no_limit = {.seconds = 0};

/* Since when it is, everything is late. */
static struct clock_limit late_clock(void)
{
    return (struct clock_limit){.start = {.tv_sec = 0}, .seconds = 1e-9};
}

/* ---- Rows and nodes ---- */

static const char two_columns[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                                  "P0 (global int* x) { *x = 1; }\n"
                                  "crash ~exists (x=1)\ncrash exists (y=0)\n";

struct sets {
    struct fixture f;
    struct outcome o, other;
};

static void sets_init(struct sets *s)
{
    fixture_init(&s->f, two_columns, "hrf-direct", "epoch");
    outcome_init(&s->o, s->f.program);
    outcome_init(&s->other, s->f.program);
    s->o.ran = s->other.ran = true;
}

static void sets_fini(struct sets *s)
{
    outcome_fini(&s->o);
    outcome_fini(&s->other);
    fixture_fini(&s->f);
}

static void put(struct outcome_states *states, int64_t x, int64_t y)
{
    CU_ASSERT_TRUE(outcome_add_state(states, (const int64_t[]){x, y}));
}

/* Rows that wait beside a diagram go into it, and then the set is in order. */
static void sorted_with_rows_waiting(void)
{
    struct sets s;
    sets_init(&s);
    s.o.crash.most_listed = 1;
    put(&s.o.crash, 0, 0);
    put(&s.o.crash, 0, 1);
    CU_ASSERT_PTR_NOT_NULL(s.o.crash.product);
    CU_ASSERT_EQUAL(s.o.crash.count, 1);
    outcome_sort(&s.o);
    CU_ASSERT(s.o.crash.sorted);
    CU_ASSERT_EQUAL(outcome_state_count(&s.o.crash), 2);
    sets_fini(&s);
}

/* No room for a further node. */
static void use_up(struct mdd *store)
{
    for (int64_t i = 0; !mdd_is_full(store); i++)
        (void)mdd_edge(store, i, MDD_END);
    mdd_retry(store);
}

/* The second knows all states, but there is no room for them beside what the first has: that x is
 * never 1 is not known. */
static void joined_without_room(void)
{
    static const char *const names[] = {"enum", "smt"};
    struct sets s;
    sets_init(&s);
    s.o.doubts[OUTCOME_DOUBT_TIMEOUT] = true;
    s.other.recovery_doubts[OUTCOME_DOUBT_TIMEOUT] = true;
    put(&s.other.crash, 0, 0);
    put(&s.other.crash, 1, 0);
    outcome_factor(&s.other.crash);
    use_up(outcome_product(&s.o.crash));
    outcome_join(&s.o, &s.other, names);
    CU_ASSERT_PTR_NOT_NULL(outcome_doubt(&s.o));
    outcome_tell(&s.o, s.f.program, &no_limit);
    CU_ASSERT_EQUAL(outcome_judge(&s.o, s.f.program, &s.f.program->conditions[0]).verdict,
                    LIT_UNKNOWN);
    sets_fini(&s);
}

/* A difference that was noted shows its state, (5, 5), whatever is counted of the same set later:
 * of it a machine that has (5, 5) never shows (0, 0). */
static void a_noted_row_stays(void)
{
    struct sets s;
    struct outcome machine;
    sets_init(&s);
    outcome_init(&machine, s.f.program);
    machine.ran = true;
    put(&s.o.crash, 0, 0);
    put(&s.o.crash, 5, 5);
    outcome_factor(&s.o.crash);
    outcome_tell(&s.o, s.f.program, &no_limit);
    put(&s.other.crash, 0, 0);
    put(&machine.crash, 5, 5);
    struct agreement agreement = agree_compare(&s.o, &s.other, s.f.program, false);
    CU_ASSERT_EQUAL_FATAL(agreement.count, 1);
    struct containment containment = agree_contain(&s.o, &machine, s.f.program, false);
    CU_ASSERT(containment.is_counted);
    CU_ASSERT_EQUAL(containment.never_crash, 1);
    CU_ASSERT_EQUAL(agreement.differences[0].row[0], 5);
    outcome_fini(&machine);
    sets_fini(&s);
}

/* Nodes that are no part of the set are dropped, and the clock is heeded still: what would be late
 * fills the store. */
static void dropped_with_a_clock(void)
{
    struct sets s;
    struct clock_allowance allowance = {.left = UINT64_MAX};
    const struct clock_limit clock = {.allowance = &allowance};
    sets_init(&s);
    struct mdd *store = outcome_product(&s.o.crash);
    mdd_heed(store, &clock);
    for (int64_t i = 0; i < 100000; i++)
        (void)mdd_edge(store, i, MDD_END);
    outcome_add_product(&s.o.crash, mdd_row(store, (const int64_t[]){0, 0}));
    CU_ASSERT(mdd_size(s.o.crash.product) == 2);
    allowance.left = 0;
    store = s.o.crash.product;
    outcome_add_product(&s.o.crash, mdd_row(store, (const int64_t[]){0, 1}));
    CU_ASSERT(s.o.crash.full);
    sets_fini(&s);
}

/* ---- Factors ---- */

static mdd_node with_values(struct mdd *store, int64_t count, mdd_node behind)
{
    mdd_node all = MDD_EMPTY;
    for (int64_t i = 0; i < count; i++)
        all = mdd_union(store, all, mdd_edge(store, i, behind));
    return all;
}

/* Half of all pairs, with nothing in common. */
static bool mixes(const void *context, int64_t a, int64_t b)
{
    (void)context;
    return (uint64_t)(a * 4099 + b * 7919 + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 63;
}

/* 1024 values in each of four columns, half of which go with each of the next column's: some 3 *
 * 2^19 edges, made one by one, are more nodes than the 2^20 that a factor's store has. That its
 * boxes are not all is to be said. */
static void a_factor_too_large(void)
{
    struct mdd *store = mdd_new(4, NULL, 1 << 22);
    mdd_node set = MDD_END;
    struct arena arena;
    for (int i = 0; i < 4; i++)
        set = with_values(store, 1024, set);
    for (uint32_t i = 0; i < 3; i++)
        set = mdd_filter_pair(store, set, i, i + 1, mixes, NULL);
    CU_ASSERT_FATAL(!mdd_is_full(store) && set != MDD_EMPTY);
    arena_init(&arena);
    const struct mdd_cover cover = mdd_cover(&arena, store, set, NULL);
    CU_ASSERT_EQUAL_FATAL(cover.count, 1);
    CU_ASSERT(cover.factors[0].partial);
    arena_fini(&arena);
    mdd_free(store);
}

/* ---- Recovery ---- */

/* Before recovery starts, what registers hold is taken out of the set. A store without room for
 * that leaves what recovery makes of it in doubt. */
static void recovery_without_room(void)
{
    static const struct recovery_options options = {.run = enum_run_alone, .tracks_initials = true};
    struct fixture f;
    struct outcome o;
    fixture_init(&f,
                 "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                 "P0 (global int* x) { int r = *x; *x = 1; }\n"
                 "recovery (global int* y) { *y = 1; }\n"
                 "crash exists (0:r=0)\nrecovered forall (y=1)\n",
                 "hrf-direct", "epoch");
    struct engine_request request = {
        .program = f.program, .model = f.model, .plan = f.plan, .limits = {.unroll = 2}};
    outcome_init(&o, f.program);
    CU_ASSERT_EQUAL_FATAL(o.crash.width, 4);
    struct recovery *recovery = recovery_new(&request, &o, &options);
    struct mdd *wide = mdd_new(4, o.crash.order, 100);
    mdd_node rows = mdd_rows(wide, (const int64_t[]){0, 0, 0, 0, 1, 0, 1, 0}, 2);
    struct mdd *whole = mdd_like(wide);
    (void)mdd_copy(whole, wide, rows);
    struct mdd *narrow = mdd_new(4, o.crash.order, mdd_size(whole) + 2);
    mdd_node set = mdd_copy(narrow, wide, rows);
    CU_ASSERT_FATAL(!mdd_is_full(narrow));
    recovery_start_product(recovery, wide, rows);
    CU_ASSERT_FALSE(o.recovery_doubts[OUTCOME_DOUBT_FORM]);
    recovery_start_product(recovery, narrow, set);
    CU_ASSERT(o.recovery_doubts[OUTCOME_DOUBT_FORM]);
    mdd_free(narrow);
    mdd_free(whole);
    mdd_free(wide);
    recovery_free(recovery);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* Locations in two halves that are equal, place by place: a diagram of that has a node
 * for each way the first half may be. */
static void add_halves(struct strbuf *text, int half)
{
    for (int i = 0; i < half; i++)
        strbuf_printf(text, "%sx[%d] = x[%d]", i ? " /\\ " : "", i, half + i);
}

static void begin_halves(struct strbuf *text, int half)
{
    strbuf_printf(text,
                  "OPENCL t\n{ nvm x[%d]; nvm y = 0; }\n"
                  "P0 (global int* x) { for (int i = 0; i < %d; i++) { x[i] = 1; } }\n",
                  2 * half, 2 * half);
}

/* 2^48 states are recovered. That two halves of 24 are equal takes 2^24 nodes: of that condition
 * nothing is said, of the states all. */
static void an_entangled_condition_costs_no_state(void)
{
    struct crashlit *context = crashlit_new();
    struct strbuf text = {0};
    begin_halves(&text, 24);
    strbuf_add(&text, "recovery (global int* y) { *y = 1; }\nrecovered ~exists (");
    add_halves(&text, 24);
    strbuf_add(&text, " /\\ y=1)\nrecovered forall (y=1)\n");
    CU_ASSERT_EQUAL(crashlit_set(context, "engine", "enum"), CRASHLIT_OK);
    struct crashlit_result *result =
        crashlit_check(context, "t.litmus", strbuf_text(&text), text.length);
    CU_ASSERT_EQUAL_FATAL(crashlit_result_count(result), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(crashlit_result_json(result, 0),
                                  "\"recovered_states\":{\"count\":281474976710656,"));
    CU_ASSERT_PTR_NOT_NULL(strstr(crashlit_result_json(result, 0), "\"verdict\":\"unknown\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(crashlit_result_json(result, 0), "\"verdict\":\"ok\""));
    crashlit_result_free(result);
    crashlit_free(context);
    strbuf_fini(&text);
}

/* ---- Time ---- */

/* Of 2^32 states of x, the halves are equal in 2^16, and that takes 2^16 nodes at the least, for
 * one pair after the other: it is not told when it is late. That y stays 0 is told at once, and
 * when it is late as well. */
static void told_in_time(void)
{
    struct strbuf text = {0};
    struct enum_case c;
    const struct clock_limit late = late_clock();
    begin_halves(&text, 16);
    strbuf_add(&text, "crash ~exists (");
    add_halves(&text, 16);
    strbuf_add(&text, ")\ncrash forall (y=0)\n");
    enum_case_init(&c, strbuf_text(&text), "hrf-direct", "epoch", false);
    const struct lit_condition *conditions = c.f.program->conditions;
    struct outcome_judgement judgement = outcome_judge(&c.o, c.f.program, &conditions[0]);
    CU_ASSERT_EQUAL(judgement.verdict, LIT_VIOLATED);
    CU_ASSERT_EQUAL(judgement.positive, UINT64_C(1) << 16);
    CU_ASSERT_EQUAL(judgement.negative, (UINT64_C(1) << 32) - (UINT64_C(1) << 16));
    outcome_tell(&c.o, c.f.program, &late);
    judgement = outcome_judge(&c.o, c.f.program, &conditions[0]);
    CU_ASSERT_EQUAL(judgement.verdict, LIT_UNKNOWN);
    CU_ASSERT_STRING_EQUAL(judgement.reason, "the time limit ran out");
    judgement = outcome_judge(&c.o, c.f.program, &conditions[1]);
    CU_ASSERT_EQUAL(judgement.verdict, LIT_OK);
    CU_ASSERT_EQUAL(judgement.positive, UINT64_C(1) << 32);
    enum_case_fini(&c);
    strbuf_fini(&text);
}

void suite_mdd_edges(void)
{
    CU_pSuite s = CU_add_suite("mdd edges", NULL, NULL);
    UNIT_TEST(s, sorted_with_rows_waiting);
    UNIT_TEST(s, joined_without_room);
    UNIT_TEST(s, a_noted_row_stays);
    UNIT_TEST(s, dropped_with_a_clock);
    UNIT_HEAVY_TEST(s, a_factor_too_large);
    UNIT_TEST(s, recovery_without_room);
    UNIT_HEAVY_TEST(s, an_entangled_condition_costs_no_state);
    UNIT_TEST(s, told_in_time);
}
