/* Exchanges of work-items on machines: that steps lead from renamed states to renamed states, on
 * every built-in machine; and counts of states by hand. tests/corpus/symmetry.sh holds what is
 * shown with and without against each other. */
#include "fixture.h"

#include "explore/mach_engine.h"
#include "machine/mach_reduce.h"
#include "machine/mach_symmetry.h"

#include <stdlib.h>
#include <string.h>

/* What the orders of FIFOs, tags, marks, values of their own, L1s, and write sets are about. */
static const char *const programs[] = {
    "OPENCL own\n{ nvm a0 = 0; nvm a1 = 0; nvm b0 = 0; nvm b1 = 0; }\n"
    "P0@wg 0 (global int* a0, global int* b0) { *a0 = 1; p_barrier_wi; *b0 = 2; }\n"
    "P1@wg 0 (global int* a1, global int* b1) { *a1 = 1; p_barrier_wi; *b1 = 2; }\n"
    "crash exists (a0=1)\n",
    "OPENCL slots\n{ nvm atomic_int tail = 0; nvm q[2]; }\n"
    "P0@wg 0 (global atomic_int* tail, global int* q) { int s = tail.fetch_add(1, mo_acq_rel, "
    "dev_scope); p_barrier_wi; q[s] = 5; }\n"
    "P1@wg 0 (global atomic_int* tail, global int* q) { int s = tail.fetch_add(1, mo_acq_rel, "
    "dev_scope); p_barrier_wi; q[s] = 6; }\n"
    "crash exists (q[0]=5)\n",
    "OPENCL counter\n{ nvm a0 = 0; nvm a1 = 0; nvm atomic_int c = 0; }\n"
    "P0@wg 0 (global int* a0, global atomic_int* c) { *a0 = 1; c.fetch_add(1, mo_acq_rel, "
    "dev_scope); }\n"
    "P1@wg 0 (global int* a1, global atomic_int* c) { *a1 = 1; c.fetch_add(1, mo_acq_rel, "
    "dev_scope); }\n"
    "P2@wg 1 (global atomic_int* c) { int r = c.load(mo_acq, dev_scope); }\n"
    "crash exists (c=2)\n",
    "OPENCL groups\n{ nvm a0 = 0; nvm a1 = 0; nvm a2 = 0; nvm a3 = 0; nvm atomic_int c = 0; }\n"
    "P0@wg 0 (global int* a0, global atomic_int* c) { *a0 = 1; p_barrier_wi; c.fetch_add(1, "
    "mo_acq_rel, dev_scope); }\n"
    "P1@wg 1 (global int* a1, global atomic_int* c) { *a1 = 1; p_barrier_wi; c.fetch_add(1, "
    "mo_acq_rel, dev_scope); }\n"
    "P2@wg 2 (global int* a2, global atomic_int* c) { *a2 = 1; p_barrier_wi; c.fetch_add(1, "
    "mo_acq_rel, dev_scope); }\n"
    "P3@wg 3 (global int* a3, global atomic_int* c) { *a3 = 1; p_barrier_wi; c.fetch_add(1, "
    "mo_acq_rel, dev_scope); }\n"
    "crash exists (c=4)\n",
#define SET(group, n)                                                                          \
    "P" #n "@wg " #group " (global int* x, global int* a" #n ") { __fence{tx_begin}; *x = 1; " \
    "*a" #n " = 1; __fence{tx_end}; *x = 2; }\n"
    "OPENCL sets\n{ nvm x = 0; nvm a0 = 0; nvm a1 = 0; }\n" SET(0, 0)
        SET(0, 1) "crash exists (x=1)\n",
    "OPENCL set groups\n{ nvm x = 0; nvm a0 = 0; nvm a1 = 0; nvm a2 = 0; nvm a3 = 0; }\n" SET(0, 0)
        SET(0, 1) SET(1, 2) SET(1, 3) "crash exists (x=1)\n"};

/* Write sets that go on to a fifo; transactions that cross, apart; versions of a line apart; and
 * transactions that end together; and work-items that wait behind a store for its line. */
#define TRANSACTIONS(word) "on tx_begin : begin\non tx_end : " word "\n"
#define PIPELINE "# p\nmachine = pipeline\npromises = sc + none\n"
static const char *const pipelines[] = {
    PIPELINE
    "stage A per unit order any group\nstage B per device order fifo merge\ndurable\n" TRANSACTIONS(
        "enqueue"),
    PIPELINE "units = 2\nstage A per thread order any apart hold\nstage B per unit order any hold "
             "apart merge\n"
             "durable\n" TRANSACTIONS("commit"),
    PIPELINE "stage A per unit order fifo group apart\nstage B per device order any "
             "lines\ndurable\n" TRANSACTIONS("enqueue"),
    PIPELINE "stage A per system order marks group\nstage B per system order any hold\ndurable\n"
             "on p_barrier : mark own A ; meet ; drain own B ; await ; commit\n" TRANSACTIONS(
                 "mark unit A ; commit"),
    PIPELINE "stage A per thread order any\nstage B per device order any\ndurable\n"
             "on store : access ; drain x A ; await ; move x B ; await\n"};

struct world {
    struct fixture f;
    struct mach_test test;
    const struct mach_symmetry *symmetry;
};

static void world_init(struct world *w, const char *text, const char *machine)
{
    fixture_init(&w->f, text, "hrf-direct", "epoch");
    const struct mach_file *file =
        strchr(machine, '=')
            ? mach_config_parse(
                  &w->f.arena, source_from_text(&w->f.arena, "m.machine", machine, strlen(machine)),
                  &w->f.diag)
            : mach_config_load(&w->f.arena, machine, &w->f.diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    mach_test_init(&w->test, &w->f.arena, file->machine, w->f.program, &file->config);
    mach_reduce_init(&w->test, &w->f.arena, false);
    const struct stabilizer_question question = {.props = {NULL}};
    struct exec_symmetry symmetry = exec_symmetry_new(&w->f.arena, w->f.program);
    struct stabilizer left = stabilizer_new(&w->f.arena, &symmetry, w->f.program, &question);
    w->symmetry = mach_symmetry_new(&w->f.arena, &w->test, &left);
}

/* ---- Steps and exchanges ---- */

enum { MOST = 200, WIDEST = 64 };

/* States, sorted: what one leads to. */
struct successors {
    uint8_t *states;
    uint32_t count;
};

static struct successors successors_of(struct world *w, const uint8_t *state)
{
    struct mach_step steps[WIDEST];
    struct successors s = {ARENA_ARRAY(&w->f.arena, uint8_t, WIDEST * w->test.size), 0};
    uint32_t count = w->test.machine->enabled(&w->test, state, steps);
    CU_ASSERT_TRUE_FATAL(count <= WIDEST);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *next = s.states + s.count * w->test.size;
        memcpy(next, state, w->test.size);
        s.count += w->test.machine->perform(&w->test, next, steps[i]);
    }
    return s;
}

static bool has(const struct world *w, const struct successors *s, const uint8_t *state)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (memcmp(s->states + i * w->test.size, state, w->test.size) == 0)
            return true;
    return false;
}

/* g(g(s)) = s; and g(s) leads to g(t) for each t that s leads to, and to no more. */
static void expect_exchanged(struct world *w, uint32_t by, const uint8_t *state,
                             const struct successors *next)
{
    uint8_t image[MACH_MAX_STATE], other[MACH_MAX_STATE];
    memcpy(image, state, w->test.size);
    mach_symmetry_exchange(w->symmetry, &w->test, by, image);
    struct successors after = successors_of(w, image);
    CU_ASSERT_EQUAL(after.count, next->count);
    for (uint32_t i = 0; i < next->count; i++) {
        memcpy(other, next->states + i * w->test.size, w->test.size);
        mach_symmetry_exchange(w->symmetry, &w->test, by, other);
        CU_ASSERT_TRUE(has(w, &after, other));
    }
    mach_symmetry_exchange(w->symmetry, &w->test, by, image);
    CU_ASSERT_EQUAL(memcmp(image, state, w->test.size), 0);
}

static void expect_renamed(struct world *w, const uint8_t *state, const struct successors *next)
{
    for (uint32_t by = 0; by < mach_symmetry_count(w->symmetry); by++)
        expect_exchanged(w, by, state, next);
}

/* The first states that the machine comes to, breadth first. Returns how many. */
static uint32_t walk(struct world *w)
{
    struct successors seen = {ARENA_ARRAY(&w->f.arena, uint8_t, MOST * w->test.size), 1};
    w->test.machine->start(&w->test, seen.states);
    for (uint32_t at = 0; at < seen.count; at++) {
        const uint8_t *state = seen.states + at * w->test.size;
        struct successors next = successors_of(w, state);
        expect_renamed(w, state, &next);
        for (uint32_t i = 0; i < next.count && seen.count < MOST; i++)
            if (!has(w, &seen, next.states + i * w->test.size))
                memcpy(seen.states + seen.count++ * w->test.size, next.states + i * w->test.size,
                       w->test.size);
    }
    return seen.count;
}

/* Where two words share a line, a0 and a1 do, which cannot change places, or x and a0. */
static bool are_alike(const struct world *w, size_t program)
{
    return w->test.config.line_words == 1 || program == 1;
}

static void expect_steps(const char *machine, size_t program)
{
    struct world w;
    world_init(&w, programs[program], machine);
    CU_ASSERT_EQUAL(w.symmetry != NULL, are_alike(&w, program));
    if (w.symmetry)
        CU_ASSERT_TRUE(walk(&w) > 10);
    fixture_fini(&w.f);
}

static void test_steps(void)
{
    struct arena names;
    arena_init(&names);
    for (size_t m = 0; m < mach_builtin_count; m++)
        for (size_t p = 0; p < sizeof programs / sizeof programs[0]; p++)
            expect_steps(source_builtin_name(&names, &mach_builtins[m]), p);
    for (size_t m = 0; m < sizeof pipelines / sizeof pipelines[0]; m++)
        for (size_t p = 0; p < sizeof programs / sizeof programs[0]; p++)
            expect_steps(pipelines[m], p);
    arena_fini(&names);
}

/* ---- Which work-items ---- */

/* How many exchanges all others are made of. */
static uint32_t exchanges_of(const char *text, const char *machine)
{
    struct world w;
    world_init(&w, text, machine);
    uint32_t count = w.symmetry ? mach_symmetry_count(w.symmetry) : 0;
    fixture_fini(&w.f);
    return count;
}

/* nvw-fifo puts the work-groups on its two units in turn. Of three the two on one unit change
 * places; of two each takes its L1 along; and of four the two on each unit, and the units. Not so
 * where an execution barrier of both L1s writes them on one after the other; nor where a loop may
 * fill their FIFOs, and a persist barrier then forces out what is in one and the other. */
static void test_units(void)
{
#define ROOM "OPENCL t\n{ nvm a0 = 0; nvm a1 = 0; nvm a2 = 0; nvm a3 = 0; }\n"
#define GROUPS(code)                                        \
    ROOM "P0@wg 0 (global int* a0) { *a0 = 1; " code " }\n" \
         "P1@wg 1 (global int* a1) { *a1 = 1; " code " }\n"
#define ASKED "crash exists (a0=1)\n"
#define ASKED_OF_ALL "crash exists (a0=1 /\\ a1=1 /\\ a2=1 /\\ a3=1)\n"
    const char *three = GROUPS("") "P2@wg 2 (global int* a2) { *a2 = 1; }\n" ASKED;
    const char *four = GROUPS("") "P2@wg 2 (global int* a2) { *a2 = 1; }\n"
                                  "P3@wg 3 (global int* a3) { *a3 = 1; }\n" ASKED;
    const char *wide = GROUPS("p_barrier_kr;") ASKED;
    static const char *const machines[] = {"nvw-fifo", "bpfs", "bpfs-no-wait"};
    for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++) {
        CU_ASSERT_EQUAL(exchanges_of(GROUPS("") ASKED, machines[m]), 1);
        CU_ASSERT_EQUAL(exchanges_of(three, machines[m]), 1);
        CU_ASSERT_EQUAL(exchanges_of(four, machines[m]), 3);
        CU_ASSERT_EQUAL(exchanges_of(wide, machines[m]), 1);
        CU_ASSERT_EQUAL(exchanges_of(GROUPS("sync_barrier_kr;") ASKED, machines[m]), 0);
    }
    CU_ASSERT_EQUAL(
        exchanges_of(GROUPS("for (int i = 0; i < 3; i++) { p_barrier_kr; }") ASKED, "nvw-fifo"), 0);
    CU_ASSERT_EQUAL(exchanges_of(GROUPS("") ASKED, "nvw-fifo-one-unit"), 1);
    CU_ASSERT_EQUAL(exchanges_of(four, "lin-wpq"), 3);
}

/* Write sets of those who meet come to the queue in the order of their numbers: they stay in their
 * places, and of two work-groups the first changes places with the first. */
static void test_order(void)
{
#define MEET(group, n)                                                                \
    "P" #n "@wg " #group " (global int* a" #n ") { __fence{tx_begin}; *a" #n " = 1; " \
    "p_barrier_wg; __fence{tx_end}; }\n"
    const char *two = ROOM MEET(0, 0) MEET(0, 1) ASKED_OF_ALL;
    const char *apart = ROOM MEET(0, 0) MEET(1, 1) ASKED_OF_ALL;
    const char *four = ROOM MEET(0, 0) MEET(0, 1) MEET(1, 2) MEET(1, 3) ASKED_OF_ALL;
    CU_ASSERT_EQUAL(exchanges_of(two, pipelines[3]), 0);
    CU_ASSERT_EQUAL(exchanges_of(apart, pipelines[3]), 1);
    CU_ASSERT_EQUAL(exchanges_of(four, pipelines[3]), 1);
    CU_ASSERT_EQUAL(exchanges_of(two, pipelines[1]), 1);
#undef MEET
}

/* ---- Counts ---- */

static struct outcome explore(struct world *w, const char *text, const char *machine, bool every)
{
    static const struct exec_symmetry none = {.count = 0};
    struct outcome o;
    fixture_init(&w->f, text, "hrf-direct", "epoch");
    const struct mach_choice choice = {.file = mach_config_load(&w->f.arena, machine, &w->f.diag)};
    const struct engine_request request = {
        .program = w->f.program, .own = &choice, .symmetry = every ? &none : NULL};
    outcome_init(&o, w->f.program);
    mach_run(&request, &o);
    CU_ASSERT_PTR_NULL(outcome_doubt(&o));
    return o;
}

static void expect_counts_on(const char *machine, const char *text, bool every, uint64_t states,
                             size_t crashes)
{
    struct world w;
    struct outcome o = explore(&w, text, machine, every);
    CU_ASSERT_EQUAL(o.stats.states, states);
    CU_ASSERT_EQUAL(o.crash.count, crashes);
    outcome_fini(&o);
    fixture_fini(&w.f);
}

static void expect_counts(const char *text, bool every, uint64_t states, size_t crashes)
{
    expect_counts_on("ideal-sc", text, every, states, crashes);
}

/* Each of n work-items' stores is under way, where it may be at once, or durable: 2^n states, and
 * of n alike, as many as there are ways to say how many are durable: n + 1. Of crash states all 2^n
 * are listed. */
static void test_counts(void)
{
#define TWO                                            \
    "OPENCL t\n{ nvm a = 0; nvm b = 0; nvm c = 0; }\n" \
    "P0 (global int* a) { *a = 1; }\nP1 (global int* b) { *b = 1; }\n"
    const char *two = TWO "locations [a; b]\ncrash exists (a=1 /\\ b=1)\n";
    const char *three = TWO "P2 (global int* c) { *c = 1; }\n"
                            "crash exists (a=1 /\\ b=1 /\\ c=0)\n";
    expect_counts(two, true, 4, 4);
    expect_counts(two, false, 3, 4);
    expect_counts(three, true, 8, 8);
    expect_counts(three, false, 4, 8);
#undef TWO
}

/* Each of n work-groups has stored nothing, or its store is under way, where it may be at once, or
 * durable. Of two on a unit each there are 6 of 9 states; of four, two on each of two units, 6 * 6
 * of 81, and of those as many as there are ways to have two of six alike: 21. */
static void test_counts_of_units(void)
{
    const char *two = GROUPS("") "locations [a0; a1]\ncrash exists (a0=1 /\\ a1=1)\n";
    const char *four = GROUPS("") "P2@wg 2 (global int* a2) { *a2 = 1; }\n"
                                  "P3@wg 3 (global int* a3) { *a3 = 1; }\n"
                                  "crash exists (a0=1 /\\ a1=1 /\\ a2=1 /\\ a3=1)\n";
    expect_counts_on("nvw-fifo", two, true, 9, 4);
    expect_counts_on("nvw-fifo", two, false, 6, 4);
    expect_counts_on("nvw-fifo", four, true, 81, 16);
    expect_counts_on("nvw-fifo", four, false, 21, 16);
}

void suite_mach_symmetry(void)
{
    CU_pSuite suite = CU_add_suite("mach_symmetry", NULL, NULL);
    UNIT_TEST(suite, test_steps);
    UNIT_TEST(suite, test_units);
    UNIT_TEST(suite, test_order);
    UNIT_TEST(suite, test_counts);
    UNIT_TEST(suite, test_counts_of_units);
}
