/* What holds in every state that nvw-fifo reaches, and that from each of them the test can come to
 * its end: nothing waits for ever, whatever the sizes. */
#include "test_mach_fixture.h"

#include "fifo/nvw_state.h"

#include <stdlib.h>

enum { MOST_STATES = 1 << 15, SLOTS = 1 << 17, MOST_EDGES = 1 << 19 };

/* All states of a test, and the steps between them. */
struct graph {
    struct mach_bench *bench;
    uint8_t *states;
    uint32_t count, slots[SLOTS]; /* open addressing, number + 1 */
    uint32_t edges[MOST_EDGES][2];
    uint32_t edge_count;
};

static uint8_t *state_of(const struct graph *g, uint32_t number)
{
    return g->states + (size_t)number * g->bench->test.size;
}

/* The number of a state, which is added when it is new. */
static uint32_t number_of(struct graph *g, const uint8_t *state)
{
    uint32_t size = g->bench->test.size, hash = 2166136261u;
    for (uint32_t i = 0; i < size; i++)
        hash = (hash ^ state[i]) * 16777619u;
    uint32_t *slot = &g->slots[hash % SLOTS];
    while (*slot && memcmp(state_of(g, *slot - 1), state, size) != 0)
        slot = slot == &g->slots[SLOTS - 1] ? g->slots : slot + 1;
    if (*slot == 0) {
        CU_ASSERT_FATAL(g->count < MOST_STATES);
        memcpy(state_of(g, g->count), state, size);
        *slot = ++g->count;
    }
    return *slot - 1;
}

static struct graph *graph_new(struct mach_bench *b)
{
    static struct mach_step steps[MACH_MAX_STEPS];
    uint8_t next[MACH_MAX_STATE];
    struct graph *g = calloc(1, sizeof *g);
    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    g->bench = b;
    g->states = malloc((size_t)MOST_STATES * b->test.size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(g->states);
    number_of(g, b->state);
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t count = b->file.machine->enabled(&b->test, state_of(g, i), steps);
        for (uint32_t k = 0; k < count; k++) {
            memcpy(next, state_of(g, i), b->test.size);
            if (!b->file.machine->perform(&b->test, next, steps[k]))
                continue;
            CU_ASSERT_FATAL(g->edge_count < MOST_EDGES);
            g->edges[g->edge_count][0] = i;
            g->edges[g->edge_count++][1] = number_of(g, next);
        }
    }
    return g;
}

static void graph_free(struct graph *g)
{
    free(g->states);
    free(g);
}

static bool has_ended(const struct graph *g, uint32_t number)
{
    const struct mach_bench *b = g->bench;
    for (uint32_t t = 0; t < b->request.program->thread_count; t++)
        if (mach_status(&b->test, state_of(g, number), t) != MACH_DONE)
            return false;
    return b->file.machine->quiet(&b->test, state_of(g, number));
}

/* States from which no way leads to the end, with memory up to date. */
static uint32_t count_lost(const struct graph *g)
{
    static bool ends[MOST_STATES];
    uint32_t lost = 0;
    for (uint32_t i = 0; i < g->count; i++)
        ends[i] = has_ended(g, i);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t e = g->edge_count; e-- > 0;)
            if (!ends[g->edges[e][0]] && ends[g->edges[e][1]])
                ends[g->edges[e][0]] = changed = true;
    }
    for (uint32_t i = 0; i < g->count; i++)
        lost += !ends[i];
    return lost;
}

/* Every line of an L1 is in the L2, whole; an L1's dirty lines are those of its S-FIFO; nothing
 * exceeds its size. */
static bool keeps_rules(const struct mach_test *test, uint8_t *state)
{
    for (uint32_t unit = 0; unit < test->config.units; unit++) {
        uint32_t dirty = 0;
        for (uint32_t line = 0; line < test->line_count; line++) {
            dirty += mach_is_dirty(test, state, 1 + unit, line);
            if (mach_is_cached(test, state, 1 + unit, line) &&
                !mach_is_cached(test, state, MACH_L2, line))
                return false;
        }
        const uint8_t *fifo = nvw_sfifo_of(test, state, unit);
        for (uint32_t i = 0; i < fifo[0]; i++)
            if (!mach_is_dirty(test, state, 1 + unit, fifo[1 + i]))
                return false;
        if (fifo[0] != dirty || nvw_fifo_of(test, state, 1 + unit)[0] > test->config.l1_fifo)
            return false;
    }
    for (uint32_t line = 0; line < test->line_count; line++)
        if (mach_is_cached(test, state, MACH_L2, line) &&
            mach_line(test, state, MACH_L2, line)->valid != mach_words_of(test, line))
            return false;
    return nvw_fifo_of(test, state, 0)[0] <= test->config.l2_fifo;
}

/* ---- Machines and tests ---- */

/* The narrowest there is: one entry, one line. */
#define NARROW "l1_fifo = 1\nl2_fifo = 1\nl1_sfifo = 1\n"

static const char *const machines[] = {
    "nvw-fifo-small",
    "machine = nvw-fifo\nl1_lines = 1\nl2_lines = 1\nevict_l1 = none\nevict_l2 = none\n" NARROW,
    "machine = nvw-fifo\nplacement = one-unit\nl2_lines = 1\nevict_l1 = none\n"
    "evict_l2 = clean\n" NARROW,
    "machine = nvw-fifo\nline_words = 2\nevict_l1 = none\nevict_l2 = none\n" NARROW,
    "machine = nvw-fifo\nl1_lines = 1\nl2_lines = 2\nevict_l1 = clean\nevict_l2 = none\n" NARROW,
};

static const char *const tests[] = {
    "def1",
    "def2",
    "def3",
    "fig4-collective-released",
    "fig4-device",
    "btree-alg1-kr",
    "btree-alg1-kr-loop",
    "btree-locked-wi",
    "acquire-forgets",
    "release-tells",
    "barrier-hands-over",
    "device-barrier",
    "flag-one-barrier",
    "fence-flag",
    "chain-three",
    "persist-coherence-overwrite",
    "rmw-count",
    "rmw-claim",
    "undo-log",
};

static void test_live(void)
{
    for (size_t t = 0; t < sizeof tests / sizeof tests[0]; t++)
        for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++) {
            struct mach_bench b;
            mach_bench_init(&b, tests[t], machines[m]);
            struct graph *g = graph_new(&b);
            uint32_t lost = count_lost(g), broken = 0;
            for (uint32_t i = 0; i < g->count; i++)
                broken += !keeps_rules(&b.test, state_of(g, i));
            CU_ASSERT_EQUAL(lost, 0);
            CU_ASSERT_EQUAL(broken, 0);
            if (lost || broken)
                fprintf(stderr, "%s on %s: of %u states %u are lost, %u break rules\n", tests[t],
                        machines[m], g->count, lost, broken);
            graph_free(g);
            mach_bench_fini(&b);
        }
}

/* The check can fail: who waits for a flag that nobody raises never ends. */
static void test_lost(void)
{
    struct mach_bench b;
    mach_bench_init(&b, "await-stuck", "nvw-fifo");
    struct graph *g = graph_new(&b);
    CU_ASSERT_EQUAL(count_lost(g), g->count);
    graph_free(g);
    mach_bench_fini(&b);
}

#define CROSSED(uses, begin, end)                                                    \
    "OPENCL t\n" uses "{ nvm x = 0; nvm y = 0; }\n"                                  \
    "P0@wg 0 (global int* x, global int* y) { " begin " *x = 1; *y = 1; " end " }\n" \
    "P1@wg 1 (global int* x, global int* y) { " begin " *y = 2; *x = 2; " end " }\n" \
    "crash exists (x = 1)\n"

/* The flag of states in which the machine holds somebody for ever, with reduction and without. */
static void expect_stuck(const char *test, const char *machine, bool stuck)
{
    for (int full = 0; full <= 1; full++) {
        struct mach_bench b;
        struct outcome o;
        mach_bench_init(&b, test, machine);
        b.no_reduction = full;
        mach_bench_run(&b, 0, &o);
        CU_ASSERT_EQUAL(outcome_has_flag(&o, "stuck"), stuck);
        CU_ASSERT_EQUAL(o.undefined.count, 0);
        outcome_fini(&o);
        mach_bench_fini(&b);
    }
}

/* Kiln's transactions may cross: P0's x before P1's, and P1's y before P0's. Neither's newer line
 * passes the other's older one, which stays in the cache until its transaction commits. One after
 * the other, as by chen-baseline's `isolate`, they do not, nor do stores outside of any. */
static void test_crossed(void)
{
    expect_stuck(CROSSED("uses \"tx.def\"\n", "tx_begin();", "tx_end();"), "kiln", true);
    expect_stuck(CROSSED("uses \"tx.def\"\n", "tx_begin();", "tx_end();"), "chen-baseline", false);
    expect_stuck(CROSSED("", "", ""), "kiln", false);
}

/* Whoever obliges himself to what his own transaction has in a stage that holds it waits for ever,
 * if it has come there; in the stage before it, it has not, and he goes on. Where nothing is held
 * it leaves. */
static void test_held(void)
{
    static const char own[] = "OPENCL t\n{ nvm x = 0; }\n"
                              "P0 (global int* x) { __fence{b}; *x = 1; __fence{a}; __fence{e}; }\n"
                              "crash exists (x = 1)\n",
                      holds[] = "machine = pipeline\npromises = sc + none\nentries = 4\nunits = 1\n"
                                "stage A per device order any\ndurable\n"
                                "stage B per device order any hold\n"
                                "on b : begin\non e : commit\non a : move own B ; await\n",
                      lets[] = "machine = pipeline\npromises = sc + none\nentries = 4\nunits = 1\n"
                               "stage A per device order any\ndurable\n"
                               "stage B per device order any\n"
                               "on b : begin\non e : commit\non a : move own B ; await\n";
    expect_stuck(own, holds, true);
    expect_stuck(own, lets, false);
}

void suite_mach_live(void)
{
    CU_pSuite suite = CU_add_suite("mach_live", NULL, NULL);
    UNIT_TEST(suite, test_live);
    UNIT_TEST(suite, test_lost);
    UNIT_TEST(suite, test_crossed);
    UNIT_TEST(suite, test_held);
}
