/* The crash states of small programs: whole sets, each derived from the rules for crash
 * cuts in docs/models/semantics.md. SC throughout; the persistency model varies. */
#include "fixture.h"

#include "base/bits.h"
#include "enumerate/enumerate.h"

#include <string.h>

enum { MAX_ROWS = 16 };

#define NVM_XY "OPENCL t\n{ nvm x = 0; nvm y = 0; f = 0; }\n"
#define ATOMIC_XY "OPENCL t\n{ nvm x = 0; nvm y = 0; atomic_int f = 0; }\n"
#define XYF "(global int* x, global int* y, global int* f) "
#define XY_ATOMIC_F "(global int* x, global int* y, global atomic_int* f) "
#define FENCE "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst); "

/* Runs the test and compares its crash states with `count` rows. */
static void expect(const char *text, const char *persistency, enum exec_crash_mode mode,
                   uint32_t count, const int64_t (*rows)[2])
{
    struct fixture f;
    struct outcome o;
    fixture_init(&f, text, "sc", persistency);
    fixture_run_mode(&f, mode, &o);
    CU_ASSERT_EQUAL_FATAL(o.crash.width, 2);
    CU_ASSERT_EQUAL(o.crash.count, count);
    for (uint32_t i = 0; i < count; i++)
        CU_ASSERT_TRUE(fixture_has(&o.crash, rows[i]));
    CU_ASSERT_PTR_NULL(outcome_doubt(&o));
    outcome_fini(&o);
    fixture_fini(&f);
}

#define EXPECT(text, persistency, mode, ...)                                        \
    do {                                                                            \
        static const int64_t rows_[][2] = {__VA_ARGS__};                            \
        expect((text), (persistency), (mode), sizeof rows_ / sizeof *rows_, rows_); \
    } while (0)

/* P0 writes 1 to n locations of their own, `between` standing after each write. */
static void run_line(uint32_t n, const char *between, const char *persistency, struct fixture *f,
                     struct outcome *o)
{
    struct strbuf text = {0};
    strbuf_add(&text, "OPENCL t\n{");
    for (uint32_t i = 0; i < n; i++)
        strbuf_printf(&text, " nvm x%u = 0;", i);
    strbuf_add(&text, " }\nP0 {");
    for (uint32_t i = 0; i < n; i++)
        strbuf_printf(&text, " x%u = 1; %s", i, between);
    strbuf_add(&text, " }\n");
    fixture_init(f, strbuf_text(&text), "sc", persistency);
    fixture_run(f, o);
    CU_ASSERT_EQUAL_FATAL(o->crash.width, n);
    strbuf_fini(&text);
}

/* One epoch: each write durable or not, whatever the others are, so 2^n states. */
static void test_independent(void)
{
    for (uint32_t n = 1; n <= 8; n++) {
        struct fixture f;
        struct outcome o;
        run_line(n, "", "epoch", &f, &o);
        CU_ASSERT_EQUAL(o.crash.count, UINT64_C(1) << n);
        CU_ASSERT_EQUAL(o.stats.cuts, UINT64_C(1) << n);
        for (size_t i = 0; i < o.crash.count * n; i++)
            CU_ASSERT(o.crash.values[i] == 0 || o.crash.values[i] == 1);
        outcome_fini(&o);
        fixture_fini(&f);
    }
}

/* A chain: write k durable only with all before it, so the n + 1 states 1..1 0..0. */
static void expect_chain(const char *between, const char *persistency)
{
    for (uint32_t n = 1; n <= 8; n++) {
        struct fixture f;
        struct outcome o;
        run_line(n, between, persistency, &f, &o);
        CU_ASSERT_EQUAL(o.crash.count, n + 1);
        for (size_t i = 0; i < o.crash.count; i++)
            for (uint32_t k = 1; k < n; k++)
                CU_ASSERT(outcome_row(&o.crash, i)[k - 1] >= outcome_row(&o.crash, i)[k]);
        outcome_fini(&o);
        fixture_fini(&f);
    }
}

/* By work-item barriers under every model that has them, by program order under strict. */
static void test_chain(void)
{
    expect_chain("p_barrier_wi;", "epoch");
    expect_chain("p_barrier_wi;", "buffered-epoch");
    expect_chain("p_barrier_wi;", "epoch-individual");
    expect_chain("p_barrier_wi;", "buffered-epoch-individual");
    expect_chain("", "strict");
    expect_chain("", "buffered-strict");
}

/* Coherence on a location is persist order under every model, `none` too: x = 2 hides
 * x = 1, and y is free. A barrier each side of y: 1, then y, then 2, so 4 prefixes. */
static void test_coherence(void)
{
    static const char free_y[] = NVM_XY "P0 " XYF "{ *x = 1; *y = 1; *x = 2; }\n";
    static const char chain[] =
        NVM_XY "P0 " XYF "{ *x = 1; p_barrier_wi; *y = 1; p_barrier_wi; *x = 2; }\n";
    EXPECT(free_y, "none", EXEC_CRASH_ANYWHERE, {0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1});
    EXPECT(free_y, "epoch", EXEC_CRASH_ANYWHERE, {0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1});
    EXPECT(chain, "epoch", EXEC_CRASH_ANYWHERE, {0, 0}, {1, 0}, {1, 1}, {2, 1});
    EXPECT(chain, "none", EXEC_CRASH_ANYWHERE, {0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1});
}

/* P1's x = 2 comes after x = 1 (y = 1 then needs x = 1 alone, so x is 1 or 2 with it) or
 * before (x = 1 needs x = 2 and stays the last): y = 1 never stands with x = 0. */
static void test_coherence_of_two(void)
{
    EXPECT(NVM_XY "P0 " XYF "{ *x = 1; p_barrier_wi; *y = 1; }\nP1 " XYF "{ *x = 2; }\n", "epoch",
           EXEC_CRASH_ANYWHERE, {0, 0}, {1, 0}, {2, 0}, {1, 1}, {2, 1});
}

/* Initial values other than 0, and a location that nobody touches. */
static void test_initial_values(void)
{
    EXPECT("OPENCL t\n{ nvm x = 7; nvm y = 9; }\nP0 (global int* x) { *x = 1; }\n", "epoch",
           EXEC_CRASH_ANYWHERE, {7, 9}, {1, 9});
}

/* Standing at the crash, P0 has executed x = 1 and not y = 1, and one epoch leaves x free;
 * behind a barrier of `epoch` x is durable, of `buffered-epoch` it need not be. */
static void test_points(void)
{
    static const char plain[] = NVM_XY "P0 " XYF "{ *x = 1; crash; *y = 1; }\n";
    static const char fenced[] = NVM_XY "P0 " XYF "{ *x = 1; p_barrier_wi; crash; *y = 1; }\n";
    EXPECT(plain, "epoch", EXEC_CRASH_POINTS, {0, 0}, {1, 0});
    EXPECT(plain, "epoch", EXEC_CRASH_ANYWHERE, {0, 0}, {1, 0}, {0, 1}, {1, 1});
    EXPECT(plain, "epoch", EXEC_CRASH_END, {0, 0}, {1, 0}, {0, 1}, {1, 1});
    EXPECT(fenced, "epoch", EXEC_CRASH_POINTS, {1, 0});
    EXPECT(fenced, "buffered-epoch", EXEC_CRASH_POINTS, {0, 0}, {1, 0});
}

/* Of two crash statements either one may be where P0 stands: before all, so 0 0, or behind
 * x = 1 and its barrier, so 1 0. */
static void test_two_points(void)
{
    EXPECT(NVM_XY "P0 " XYF "{ crash; *x = 1; p_barrier_wi; crash; *x = 2; *y = 1; }\n", "epoch",
           EXEC_CRASH_POINTS, {0, 0}, {1, 0});
}

/* P1 may be anywhere, so y is free of P0's crash. */
static void test_points_of_others(void)
{
    EXPECT(NVM_XY "P0 " XYF "{ *x = 1; p_barrier_wi; crash; *x = 2; }\nP1 " XYF "{ *y = 1; }\n",
           "epoch", EXEC_CRASH_POINTS, {1, 0}, {1, 1});
}

/* At the crash f = 1 has not executed, so P1 has not read it, so y = 1 has not executed:
 * executes-before has rf. Elsewhere y = 1 is possible. */
static void test_not_executed_is_not_read(void)
{
    static const char text[] =
        ATOMIC_XY "P0 " XY_ATOMIC_F "{ crash; f.store(1, mo_rel, dev_scope); }\n"
                  "P1 " XY_ATOMIC_F "{ if (f.load(mo_acq, dev_scope)) { *y = 1; } }\n";
    EXPECT(text, "epoch", EXEC_CRASH_POINTS, {0, 0});
    EXPECT(text, "epoch", EXEC_CRASH_ANYWHERE, {0, 0}, {0, 1});
}

/* No execution reaches the statement: x is never 5 in memory. */
static void test_point_not_reached(void)
{
    struct fixture f;
    struct outcome o;
    fixture_init(&f, NVM_XY "P0 " XYF "{ *x = 1; if (*x == 5) { crash; } *y = 1; }\n", "sc",
                 "epoch");
    fixture_run_mode(&f, EXEC_CRASH_POINTS, &o);
    CU_ASSERT_EQUAL(o.crash.count, 0);
    CU_ASSERT_EQUAL(o.final.count, 1);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* At the end all has executed: a barrier of `epoch` behind x makes it durable, a buffered
 * one does not; strict writes are durable before what follows, and nothing follows y = 1. */
static void test_end(void)
{
    static const char text[] = NVM_XY "P0 " XYF "{ *x = 1; p_barrier_wi; *y = 1; }\n";
    static const char plain[] = NVM_XY "P0 " XYF "{ *x = 1; *y = 1; }\n";
    EXPECT(text, "epoch", EXEC_CRASH_END, {1, 0}, {1, 1});
    EXPECT(text, "buffered-epoch", EXEC_CRASH_END, {0, 0}, {1, 0}, {1, 1});
    EXPECT(text, "epoch", EXEC_CRASH_ANYWHERE, {0, 0}, {1, 0}, {1, 1});
    EXPECT(plain, "strict", EXEC_CRASH_END, {1, 0}, {1, 1});
    EXPECT(plain, "buffered-strict", EXEC_CRASH_END, {0, 0}, {1, 0}, {1, 1});
}

/* A work-item's writes are one class: all of it or nothing, and x = 1 is never the last.
 * Two work-items are two classes. At a crash between its writes nothing is durable. */
static void test_persist_atomic(void)
{
    static const char model[] = "tests/unit/test_atomic.cat";
    EXPECT(NVM_XY "P0 " XYF "{ *x = 1; *y = 1; *x = 2; }\n", model, EXEC_CRASH_ANYWHERE, {0, 0},
           {2, 1});
    EXPECT(NVM_XY "P0 " XYF "{ *x = 1; }\nP1 " XYF "{ *y = 1; }\n", model, EXEC_CRASH_ANYWHERE,
           {0, 0}, {1, 0}, {0, 1}, {1, 1});
    EXPECT(NVM_XY "P0 " XYF "{ *x = 1; crash; *y = 1; }\n", model, EXEC_CRASH_POINTS, {0, 0});
}

/* Two classes over the same locations. Coherence one way on both, P0 first or P1 first: 0 0,
 * the first class, the second. Coherence that crosses makes one class of them: 0 0, and 2 1
 * or 1 2. */
static void test_persist_atomic_and_coherence(void)
{
    EXPECT(NVM_XY "P0 " XYF "{ *x = 1; *y = 1; }\nP1 " XYF "{ *x = 2; *y = 2; }\n",
           "tests/unit/test_atomic.cat", EXEC_CRASH_ANYWHERE, {0, 0}, {1, 1}, {2, 2}, {1, 2},
           {2, 1});
}

/* y = 1 executes after the fence, the fence after x = 1 is durable: no y without x. At a
 * crash behind the fence x is durable; without the fence's rule all is free. */
static void test_durable_before(void)
{
    static const char model[] = "tests/unit/test_fence.cat";
    static const char text[] = NVM_XY "P0 " XYF "{ *x = 1; " FENCE "crash; *y = 1; }\n";
    EXPECT(text, model, EXEC_CRASH_ANYWHERE, {0, 0}, {1, 0}, {1, 1});
    EXPECT(text, model, EXEC_CRASH_POINTS, {1, 0});
    EXPECT(text, model, EXEC_CRASH_END, {1, 0}, {1, 1});
    EXPECT(text, "none", EXEC_CRASH_ANYWHERE, {0, 0}, {1, 0}, {0, 1}, {1, 1});
}

/* The same through another work-item: y = 1 after reading f = 1, which is behind the fence.
 * persist-before is empty, so it is execution alone that carries the order. */
static void test_durable_before_another(void)
{
    EXPECT(ATOMIC_XY "P0 " XY_ATOMIC_F "{ *x = 1; " FENCE "f.store(1, mo_rel, dev_scope); }\n"
                     "P1 " XY_ATOMIC_F "{ if (f.load(mo_acq, dev_scope)) { *y = 1; } }\n",
           "tests/unit/test_fence.cat", EXEC_CRASH_ANYWHERE, {0, 0}, {1, 0}, {1, 1});
}

/* Persist order against program order: y before x. On one location it meets coherence from
 * the other side, and the two writes become durable together: x is never 1. */
static void test_persist_before_reversed(void)
{
    static const char model[] = "tests/unit/test_reverse.cat";
    EXPECT(NVM_XY "P0 " XYF "{ *x = 1; *y = 1; }\n", model, EXEC_CRASH_ANYWHERE, {0, 0}, {0, 1},
           {1, 1});
    EXPECT(NVM_XY "P0 " XYF "{ *x = 1; *x = 2; }\n", model, EXEC_CRASH_ANYWHERE, {0, 0}, {2, 0});
    /* x = 1 after y = 1 after x = 2 in persist order, and x = 2 after x = 1 by coherence,
     * which the model does not name: all three together. */
    EXPECT(NVM_XY "P0 " XYF "{ *x = 1; *y = 1; *x = 2; }\n", model, EXEC_CRASH_ANYWHERE, {0, 0},
           {2, 1});
}

/* What a direct call is asked and what it handed out. Events of the program below: initial
 * writes 0 and 1, then x = 1 is 2 and y = 1 is 3. */
enum { EVENT_X = 2, EVENT_Y = 3, EVENTS = 4 };

struct direct {
    bool done;
    rel_word persist_before[EVENTS], durable_before[EVENTS], executes_before[EVENTS];
    rel_word persist_atomic[EVENTS], durable_after[EVENTS], cannot_persist;
    const rel_word *lands_before; /* NULL: coherence */
    const bool *matters;          /* per location: x, y */
    uint64_t stop_after;
    uint64_t returned, handed_out;
    uint64_t executed[MAX_ROWS], durable[MAX_ROWS];
    uint32_t last_x[MAX_ROWS];
};

static bool take_cut(void *context, const struct exec_cut *cut)
{
    struct direct *d = context;
    CU_ASSERT_FATAL(d->handed_out < MAX_ROWS);
    d->executed[d->handed_out] = cut->executed[0];
    d->durable[d->handed_out] = cut->durable[0];
    d->last_x[d->handed_out] = cut->last[0];
    CU_ASSERT_PTR_NULL(cut->mark);
    return ++d->handed_out != d->stop_after;
}

/* Calls exec_crash_states on the first execution shown, with relations of its own. */
static void call_directly(void *context, const struct engine_witness *witness)
{
    struct direct *d = context;
    if (d->done)
        return;
    d->done = true;
    CU_ASSERT_EQUAL_FATAL(witness->skeleton->dim.n, EVENTS);
    CU_ASSERT_EQUAL_FATAL(witness->skeleton->init_count, EVENT_X);
    struct exec_contract contract = {.persist_before = d->persist_before,
                                     .durable_before = d->durable_before,
                                     .durable_after = d->durable_after,
                                     .executes_before = d->executes_before,
                                     .persist_atomic = d->persist_atomic,
                                     .lands_before =
                                         d->lands_before ? d->lands_before : witness->co,
                                     .can_persist = (rel_word[]){~d->cannot_persist}};
    struct arena scratch;
    arena_init(&scratch);
    arena_alloc(&scratch, 1);
    struct arena_mark before = arena_mark(&scratch);
    d->returned =
        exec_crash_states(&scratch, witness->skeleton, &contract,
                          &(struct exec_crash_question){.matters = d->matters}, take_cut, d);
    struct arena_mark after = arena_mark(&scratch);
    CU_ASSERT(before.head == after.head && before.next == after.next);
    arena_fini(&scratch);
}

static void run_directly(struct direct *d)
{
    struct fixture f;
    struct outcome o;
    fixture_init(&f,
                 "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                 "P0 (global int* x, global int* y) { *x = 1; *y = 1; }\n",
                 "sc", "none");
    struct engine_request request = {.program = f.program,
                                     .model = f.model,
                                     .plan = f.plan,
                                     .crash_mode = EXEC_CRASH_ANYWHERE,
                                     .limits = {.unroll = 2},
                                     .on_witness = call_directly,
                                     .context = d};
    outcome_init(&o, f.program);
    enum_run(&request, &o);
    CU_ASSERT_TRUE(d->done);
    CU_ASSERT_EQUAL(d->returned, d->handed_out);
    outcome_fini(&o);
    fixture_fini(&f);
}

static bool handed(const struct direct *d, uint64_t executed, uint64_t durable)
{
    for (uint64_t i = 0; i < d->handed_out; i++)
        if (d->executed[i] == executed && d->durable[i] == durable)
            return true;
    return false;
}

/* The cut shown is the smallest: initial writes (bits 0 and 1), what is durable, and what
 * that needs. Without any relation x and y need nothing but to have executed themselves. */
static void test_smallest_cuts(void)
{
    struct direct d = {0};
    run_directly(&d);
    CU_ASSERT_EQUAL(d.handed_out, 4);
    CU_ASSERT_TRUE(handed(&d, 0x3, 0x3));
    CU_ASSERT_TRUE(handed(&d, 0x7, 0x7));
    CU_ASSERT_TRUE(handed(&d, 0xb, 0xb));
    CU_ASSERT_TRUE(handed(&d, 0xf, 0xf));
}

/* x executes before y: with y alone durable, x has executed too. */
static void test_smallest_cut_executes(void)
{
    struct direct d = {0};
    bits_set(&d.executes_before[EVENT_X], EVENT_Y);
    run_directly(&d);
    CU_ASSERT_EQUAL(d.handed_out, 4);
    CU_ASSERT_TRUE(handed(&d, 0x7, 0x7));
    CU_ASSERT_TRUE(handed(&d, 0xf, 0xb));
}

/* Only y matters: one cut with and one without it, x as far as it must be, which is not at all, or
 * with y; what is said to be x's last write is the last one durable. */
static void test_what_matters(void)
{
    struct direct free = {.matters = (bool[]){false, true}}, ordered = free;
    bits_set(&ordered.persist_before[EVENT_X], EVENT_Y);
    run_directly(&free);
    CU_ASSERT_EQUAL(free.handed_out, 2);
    CU_ASSERT_TRUE(handed(&free, 0x3, 0x3));
    CU_ASSERT_TRUE(handed(&free, 0xb, 0xb));
    CU_ASSERT(free.last_x[0] == 0 && free.last_x[1] == 0);
    run_directly(&ordered);
    CU_ASSERT_EQUAL(ordered.handed_out, 2);
    CU_ASSERT_TRUE(handed(&ordered, 0x3, 0x3));
    CU_ASSERT_TRUE(handed(&ordered, 0xf, 0xf));
    CU_ASSERT(ordered.last_x[0] + ordered.last_x[1] == EVENT_X); /* one the initial write, 0 */
}

/* Each of these relations alone takes away y without x. */
static void test_one_rule_alone(void)
{
    struct direct persist = {0}, durable = {0}, atomic = {0};
    bits_set(&persist.persist_before[EVENT_X], EVENT_Y);
    bits_set(&durable.durable_before[EVENT_X], EVENT_Y);
    bits_set(&atomic.persist_atomic[EVENT_X], EVENT_Y);
    run_directly(&persist);
    run_directly(&durable);
    run_directly(&atomic);
    CU_ASSERT_EQUAL(persist.handed_out, 3);
    CU_ASSERT_FALSE(handed(&persist, 0xb, 0xb));
    CU_ASSERT_EQUAL(durable.handed_out, 3);
    CU_ASSERT_FALSE(handed(&durable, 0xb, 0xb));
    CU_ASSERT_EQUAL(atomic.handed_out, 2); /* nor x without y */
    CU_ASSERT_TRUE(handed(&atomic, 0x3, 0x3));
    CU_ASSERT_TRUE(handed(&atomic, 0xf, 0xf));
}

/* x alone is durable once y has executed: no state is lost, and the cut is larger. With y executing
 * only when x is durable the two are one moment: y alone is never durable, nor has it executed. */
static void test_durable_after(void)
{
    struct direct after = {0}, moment = {0};
    bits_set(&after.durable_after[EVENT_Y], EVENT_X);
    run_directly(&after);
    CU_ASSERT_EQUAL(after.handed_out, 4);
    CU_ASSERT_TRUE(handed(&after, 0xf, 0x7));
    CU_ASSERT_TRUE(handed(&after, 0xb, 0xb));
    moment.durable_after[EVENT_Y] = after.durable_after[EVENT_Y];
    bits_set(&moment.durable_before[EVENT_X], EVENT_Y);
    run_directly(&moment);
    CU_ASSERT_EQUAL(moment.handed_out, 3);
    CU_ASSERT_TRUE(handed(&moment, 0x3, 0x3));
    CU_ASSERT_TRUE(handed(&moment, 0xf, 0x7));
    CU_ASSERT_TRUE(handed(&moment, 0xf, 0xf));
}

/* x is never durable; nor is y when it needs x, nor does y execute when that does. */
static void test_can_persist(void)
{
    struct direct alone = {.cannot_persist = 1u << EVENT_X}, ordered = alone, before = alone;
    run_directly(&alone);
    CU_ASSERT_EQUAL(alone.handed_out, 2);
    CU_ASSERT_TRUE(handed(&alone, 0x3, 0x3));
    CU_ASSERT_TRUE(handed(&alone, 0xb, 0xb));
    bits_set(&ordered.persist_before[EVENT_X], EVENT_Y);
    run_directly(&ordered);
    CU_ASSERT_EQUAL(ordered.handed_out, 1);
    bits_set(&before.durable_before[EVENT_X], EVENT_Y);
    run_directly(&before);
    CU_ASSERT_EQUAL(before.handed_out, 1);
    CU_ASSERT_TRUE(handed(&before, 0x3, 0x3));
}

/* Initial writes are durable whether the set has them or not. */
static void test_initial_writes_can_persist(void)
{
    struct direct d = {.cannot_persist = 0x3};
    run_directly(&d);
    CU_ASSERT_EQUAL(d.handed_out, 4);
}

/* Initial versions come first when nothing is said, and pairs of two locations do not count. That x
 * comes before its initial version, which comes first, is a circle: no version is the last. */
static void test_lands_before(void)
{
    rel_word none[EVENTS] = {0}, two[EVENTS] = {0}, circle[EVENTS] = {0};
    struct direct silent = {.lands_before = none}, across = {.lands_before = two},
                  broken = {.lands_before = circle};
    bits_set(&two[EVENT_X], EVENT_Y);
    bits_set(&circle[EVENT_X], 0);
    run_directly(&silent);
    CU_ASSERT_EQUAL(silent.handed_out, 4);
    CU_ASSERT_TRUE(handed(&silent, 0x7, 0x7));
    run_directly(&across);
    CU_ASSERT_EQUAL(across.handed_out, 4);
    CU_ASSERT_TRUE(handed(&across, 0xb, 0xb));
    run_directly(&broken);
    CU_ASSERT_EQUAL(broken.handed_out, 0);
    broken = (struct direct){.lands_before = circle, .matters = (bool[]){false, true}};
    run_directly(&broken);
    CU_ASSERT_EQUAL(broken.handed_out, 0);
}

/* y need not have executed for x's initial write to be durable: that is so from the start. */
static void test_initial_writes_wait_for_nothing(void)
{
    struct direct d = {0};
    bits_set(&d.durable_after[EVENT_Y], 0);
    run_directly(&d);
    CU_ASSERT_EQUAL(d.handed_out, 4);
    CU_ASSERT_TRUE(handed(&d, 0x3, 0x3));
}

/* Initial writes are durable in every cut, so what they need always is: x, by persist-before
 * of y's initial write, or by durable-before of it. */
static void test_needs_of_initial_writes(void)
{
    struct direct persist = {0}, durable = {0};
    bits_set(&persist.persist_before[EVENT_X], 1);
    bits_set(&durable.durable_before[EVENT_X], 1);
    run_directly(&persist);
    run_directly(&durable);
    CU_ASSERT_EQUAL(persist.handed_out, 2);
    CU_ASSERT_TRUE(handed(&persist, 0x7, 0x7));
    CU_ASSERT_TRUE(handed(&persist, 0xf, 0xf));
    CU_ASSERT_EQUAL(durable.handed_out, 2);
    CU_ASSERT_TRUE(handed(&durable, 0x7, 0x7));
    CU_ASSERT_TRUE(handed(&durable, 0xf, 0xf));
}

/* A callback that has enough ends it, wherever that is. */
static void test_stops(void)
{
    for (uint64_t stop = 1; stop <= 4; stop++) {
        struct direct d = {.stop_after = stop};
        run_directly(&d);
        CU_ASSERT_EQUAL(d.returned, stop);
    }
}

void suite_exec_crash(void)
{
    CU_pSuite suite = CU_add_suite("exec_crash", NULL, NULL);
    UNIT_TEST(suite, test_independent);
    UNIT_TEST(suite, test_chain);
    UNIT_TEST(suite, test_coherence);
    UNIT_TEST(suite, test_coherence_of_two);
    UNIT_TEST(suite, test_initial_values);
    UNIT_TEST(suite, test_points);
    UNIT_TEST(suite, test_two_points);
    UNIT_TEST(suite, test_points_of_others);
    UNIT_TEST(suite, test_not_executed_is_not_read);
    UNIT_TEST(suite, test_point_not_reached);
    UNIT_TEST(suite, test_end);
    UNIT_TEST(suite, test_persist_atomic);
    UNIT_TEST(suite, test_persist_atomic_and_coherence);
    UNIT_TEST(suite, test_durable_before);
    UNIT_TEST(suite, test_durable_before_another);
    UNIT_TEST(suite, test_persist_before_reversed);
    UNIT_TEST(suite, test_smallest_cuts);
    UNIT_TEST(suite, test_smallest_cut_executes);
    UNIT_TEST(suite, test_what_matters);
    UNIT_TEST(suite, test_one_rule_alone);
    UNIT_TEST(suite, test_durable_after);
    UNIT_TEST(suite, test_can_persist);
    UNIT_TEST(suite, test_initial_writes_can_persist);
    UNIT_TEST(suite, test_lands_before);
    UNIT_TEST(suite, test_initial_writes_wait_for_nothing);
    UNIT_TEST(suite, test_needs_of_initial_writes);
    UNIT_TEST(suite, test_stops);
}
