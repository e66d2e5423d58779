/* The explorer: ways on tiny programs, by hand; states, steps and images held against a naive
 * exploration, depth first over a plain array of whole states. */
#include "fixture.h"
#include "test_mach_step.h"

#include "explore/mach_config.h"
#include "explore/mach_explore.h"
#include "machine/mach_reduce.h"

#include <string.h>

enum { ROOM = 64, MOST_STATES = 6000, MOST_IMAGES = 64, IMAGE = 8 };

/* A program on a machine, ready to be explored. */
struct bench {
    struct fixture f;
    const struct machine *machine;
    struct mach_test test;
};

/* `machine`: the name of one, or the lines of its file. */
static void bench_init(struct bench *b, const char *text, const char *machine)
{
    fixture_init(&b->f, text, "hrf-direct", "epoch");
    struct arena *arena = &b->f.arena;
    const struct mach_file *file =
        strchr(machine, '\n')
            ? mach_config_parse(arena, source_from_text(arena, "m", machine, strlen(machine)),
                                &b->f.diag)
            : mach_config_load(arena, machine, &b->f.diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    b->machine = file->machine;
    mach_test_init(&b->test, &b->f.arena, b->machine, b->f.program, &file->config);
}

/* Finds the first state in which the first location's durable value is 1, and its way. */
struct hunt {
    struct bench *bench;
    struct mach_exploration *exploration;
    uint64_t number;
    bool found;
};

static bool hunt_visit(void *context, const uint8_t *state, uint64_t number, bool final)
{
    struct hunt *h = context;
    (void) final;
    if (mach_value(&h->bench->test, h->bench->machine->memory(&h->bench->test, state, 0)) != 1)
        return true;
    h->number = number;
    h->found = true;
    return false;
}

/* The way, as printed steps with a semicolon after each; replayed, it leads to that state. */
static void expect_way(const char *text, const char *way)
{
    struct bench b;
    struct mach_limits limits = {.states = 1000, .paths = true};
    struct mach_step steps[ROOM];
    struct strbuf out = {0};
    uint8_t state[MACH_MAX_STATE] = {0};
    bench_init(&b, text, "ideal-sc");
    struct hunt h = {.bench = &b};
    struct mach_exploration *e = mach_explore(&b.test, &limits, hunt_visit, &h);
    CU_ASSERT_TRUE_FATAL(h.found);
    uint32_t count = mach_path(e, h.number, steps, ROOM);
    CU_ASSERT_FATAL(count <= ROOM);
    b.machine->start(&b.test, state);
    for (uint32_t i = 0; i < count; i++) {
        CU_ASSERT_TRUE(b.machine->perform(&b.test, state, steps[i]));
        strbuf_printf(&out, "%s; ", mach_step_text(&b.f.arena, &b.test, steps[i]));
    }
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out), way);
    CU_ASSERT_EQUAL(mach_value(&b.test, b.machine->memory(&b.test, state, 0)), 1);
    /* No room: the length alone. */
    memset(&steps[0], 0xff, sizeof steps[0]);
    CU_ASSERT_EQUAL(mach_path(e, h.number, steps, count - 1), count);
    CU_ASSERT_EQUAL(steps[0].kind, 0xff);
    CU_ASSERT_EQUAL(mach_path(e, 0, steps, ROOM), 0);
    strbuf_fini(&out);
    mach_exploration_free(e);
    fixture_fini(&b.f);
}

static void test_way(void)
{
    /* The store, then its write-back; P1's store need not happen. */
    expect_way("OPENCL t\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x) { *x = 1; }\n"
               "P1 (global int* y) { *y = 1; }\ncrash exists (x=1)\n",
               "P0 executes; pending write 0 becomes durable; ");
    /* x needs y, read by P0 and written by P1: the only order. */
    expect_way("OPENCL t\n{ nvm x = 0; y = 0; }\nP0 (global int* x, global int* y) { *x = *y; }\n"
               "P1 (global int* y) { *y = 1; }\ncrash exists (x=1)\n",
               "P1 executes; P0 executes; P0 executes; pending write 0 becomes durable; ");
}

/* ---- Against a naive exploration ---- */

/* Different images of the locations in NVRAM. */
struct gallery {
    uint8_t images[MOST_IMAGES][IMAGE];
    uint32_t count;
};

static void gallery_add(struct gallery *g, const struct bench *b, const uint8_t *state)
{
    uint8_t image[IMAGE] = {0};
    CU_ASSERT_FATAL(b->test.program->location_count <= IMAGE);
    for (uint32_t l = 0; l < b->test.program->location_count; l++)
        if (b->test.program->locations[l].nvm)
            image[l] = (uint8_t)mach_value(&b->test, b->machine->memory(&b->test, state, l));
    for (uint32_t i = 0; i < g->count; i++)
        if (memcmp(g->images[i], image, IMAGE) == 0)
            return;
    CU_ASSERT_FATAL(g->count < MOST_IMAGES);
    memcpy(g->images[g->count++], image, IMAGE);
}

static bool gallery_within(const struct gallery *a, const struct gallery *b)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = 0; j < b->count; j++)
            found += memcmp(a->images[i], b->images[j], IMAGE) == 0;
    return found == a->count;
}

struct naive {
    struct bench *bench;
    struct gallery gallery;
    uint8_t (*states)[MACH_MAX_STATE];
    uint32_t count, todo[MOST_STATES], open;
    uint64_t steps;
};

static void naive_add(struct naive *n, const uint8_t *state)
{
    for (uint32_t i = 0; i < n->count; i++)
        if (memcmp(n->states[i], state, n->bench->test.size) == 0)
            return;
    CU_ASSERT_FATAL(n->count < MOST_STATES);
    gallery_add(&n->gallery, n->bench, state);
    n->todo[n->open++] = n->count;
    memcpy(n->states[n->count++], state, n->bench->test.size);
}

static void naive_explore(struct naive *n)
{
    const struct machine *machine = n->bench->machine;
    struct mach_test *test = &n->bench->test;
    struct mach_step steps[MACH_MAX_STEPS];
    uint8_t state[MACH_MAX_STATE] = {0}, next[MACH_MAX_STATE];
    machine->start(test, state);
    naive_add(n, state);
    while (n->open > 0) {
        memcpy(state, n->states[n->todo[--n->open]], test->size);
        uint32_t count = machine->enabled(test, state, steps);
        for (uint32_t i = 0; i < count; i++) {
            memcpy(next, state, test->size);
            if (!machine->perform(test, next, steps[i]))
                continue;
            n->steps++;
            naive_add(n, next);
        }
    }
}

struct look {
    const struct bench *bench;
    struct gallery gallery;
};

static bool look_visit(void *context, const uint8_t *state, uint64_t number, bool final)
{
    struct look *look = context;
    (void)number;
    (void) final;
    gallery_add(&look->gallery, look->bench, state);
    return true;
}

static void compare(const char *text, const char *machine, bool every_step)
{
    struct bench b;
    struct mach_limits limits = {.states = MOST_STATES, .every_step = every_step};
    bench_init(&b, text, machine);
    struct look look = {.bench = &b};
    struct naive n = {.bench = &b, .states = base_realloc(NULL, MOST_STATES * sizeof *n.states)};
    struct mach_exploration *e = mach_explore(&b.test, &limits, look_visit, &look);
    naive_explore(&n);
    CU_ASSERT_EQUAL(mach_totals(e).doubt, OUTCOME_DOUBT_COUNT);
    CU_ASSERT(n.count > 1);
    CU_ASSERT_EQUAL(mach_totals(e).states, n.count);
    CU_ASSERT(every_step ? mach_totals(e).steps == n.steps : mach_totals(e).steps <= n.steps);
    CU_ASSERT_EQUAL(look.gallery.count, n.gallery.count);
    CU_ASSERT_TRUE(gallery_within(&look.gallery, &n.gallery));
    mach_exploration_free(e);
    base_free(n.states);
    fixture_fini(&b.f);
}

static void test_naive(void)
{
    static const char *const texts[] = {
        "OPENCL t\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x, global int* y) {\n"
        "  *x = 1; p_barrier_wi; *y = 1; }\ncrash exists (x=1)\n",
        "OPENCL t\n{ nvm x = 0; atomic_int f = 0; }\n"
        "P0@wg 0 (global int* x, global atomic_int* f) { *x = 1; f.store(1, mo_rel, dev_scope); }\n"
        "P1@wg 1 (global int* x, global atomic_int* f) {\n"
        "  while (!f.load(mo_acq, dev_scope)); *x = 2; }\ncrash exists (x=1)\n",
        /* A race. */
        "OPENCL t\n{ nvm x = 0; }\nP0@wg 0 (global int* x) { *x = 1; }\n"
        "P1@wg 1 (global int* x) { int r = *x; }\ncrash exists (x=1)\n",
        /* One who meets, one who does not. */
        "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
        "P0@wg 0 (global int* x) { *x = 1; p_barrier_wg; }\n"
        "P1@wg 0 (global int* y) { p_barrier_wg; *y = 1; }\n"
        "P2@wg 1 (global int* y) { atomic_thread_fence(mo_sc, all_scope); int r = *y; }\n"
        "crash exists (x=1)\n"};
    for (size_t m = 0; m < mach_builtin_count; m++)
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
            struct arena arena;
            arena_init(&arena);
            compare(texts[t], source_builtin_name(&arena, &mach_builtins[m]), true);
            compare(texts[t], source_builtin_name(&arena, &mach_builtins[m]), false);
            arena_fini(&arena);
        }
}

static void expect_steps(const char *machine, const char *text, bool every_step, uint64_t states,
                         uint64_t steps)
{
    struct bench b;
    struct mach_limits limits = {.states = MOST_STATES, .every_step = every_step};
    bench_init(&b, text, machine);
    struct look look = {.bench = &b};
    struct mach_exploration *e = mach_explore(&b.test, &limits, look_visit, &look);
    CU_ASSERT_EQUAL(mach_totals(e).states, states);
    CU_ASSERT_EQUAL(mach_totals(e).steps, steps);
    mach_exploration_free(e);
    fixture_fini(&b.f);
}

/* Each write is to come, on its way or durable: 3 times 3 states, a grid with 12 steps. Of
 * independent ones each but the first state is come to once. */
static void test_sleeping(void)
{
    static const char two[] =
        "OPENCL t\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x) { *x = 1; }\n"
        "P1 (global int* y) { *y = 1; }\ncrash exists (x=1)\n";
    static const char one[] = "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                              "P1 (global int* x) { *x = 1; }\ncrash exists (x=1)\n";
    expect_steps("strand", two, true, 9, 12);
    expect_steps("strand", two, false, 9, 8);
    /* Of one location all steps are taken. States: none has stored; one of the two, and it is on
     * its way or durable; both, and both are on their way, in either order, or that of one alone,
     * or none: 1 + 4 + 2 + 2 + 1. Steps: 2 stores first; a move, or the other's store, and when it
     * is durable that alone: 3 for each; then a move from each of 4. */
    expect_steps("strand", one, true, 10, 12);
    expect_steps("strand", one, false, 10, 12);
    /* A barrier that each meets alone: to come, arrived, done; again a grid. */
    static const char lone[] = "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { p_barrier_wi; }\n"
                               "P1 (global int* x) { p_barrier_wi; }\ncrash exists (x=0)\n";
    expect_steps("spb-pipeline", lone, true, 9, 12);
    expect_steps("spb-pipeline", lone, false, 9, 8);
}

/* The first x may go on from the second stage, or y from the first: then the second x may leave the
 * first, too, where the first x is before it still. */
static void test_behind_others(void)
{
    static const char queue[] = "machine = pipeline\npromises = sc + none\nentries = 8\nunits = 1\n"
                                "stage A per device order fifo\n"
                                "stage B per device order any\ndurable\n",
                      marks[] = "machine = pipeline\npromises = sc + none\nentries = 8\nunits = 1\n"
                                "stage A per device order marks\n"
                                "stage B per device order any\ndurable\n"
                                "on p_barrier : mark own A\n";
    static const char text[] =
        "OPENCL t\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x, global int* y) {\n"
        "  *x = 1; p_barrier_wi; *y = 1; p_barrier_wi; *x = 2; }\ncrash exists (x=1)\n";
    compare(text, queue, false);
    compare(text, marks, false);
}

/* Of a transaction's group the y waits for an older y, in the other unit, and the x does not: while
 * the older x is before it still, the group may move as soon as that y has. P1 has come to its
 * await, which tells that the y was on its way then. */
static void test_behind_in_group(void)
{
    static const char groups[] =
        "machine = pipeline\npromises = sc + none\nentries = 8\nunits = 2\n"
        "stage A per unit order fifo group\n"
        "stage B per device order any\ndurable\n"
        "on tx_begin : begin\non tx_end : enqueue ; await\non m : move x A\n";
    compare(
        "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
        "P0@wg 0 (global int* x, global int* y) { *x = 1; *y = 4; }\n"
        "P1@wg 1 (global int* x, global int* y) {\n"
        "  __fence{tx_begin}; *x = 2; *y = 3; __cm{m}(y); __fence{tx_end}; }\ncrash exists (x=1)\n",
        groups, false);
}

/* ---- Threads ---- */

/* What an exploration shows: each visited state, with its number, in their order. */
struct story {
    uint64_t hash, visits;
    uint64_t stop; /* at this state; 0: never */
    uint32_t size; /* of a state */
    bool picked;   /* others may be visited, and do not count */
};

/* Every third state is not worth a visit, every other is counted. */
static uint8_t interest(const uint8_t *state, uint32_t size)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < size; i++)
        sum += state[i];
    return (uint8_t)((sum % 3 ? MACH_VISIT : 0) | (sum % 2 ? MACH_COUNT : 0));
}

static uint8_t pick(void *context, struct mach_test *test, const uint8_t *state, bool final)
{
    (void)context;
    (void) final;
    return interest(state, test->size);
}

static bool tell(void *context, const uint8_t *state, uint64_t number, bool final)
{
    struct story *story = context;
    if (story->picked && !(interest(state, story->size) & MACH_VISIT))
        return true;
    story->hash = (story->hash ^ number << 1 ^ final) * UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t i = 0; i < story->size; i++)
        story->hash = (story->hash ^ state[i]) * UINT64_C(0x100000001b3);
    story->visits++;
    return !story->stop || number < story->stop;
}

/* As the first threads see it; all others see the same. */
static void expect_same(const char *text, const char *machine, struct mach_limits limits,
                        uint64_t stop, bool reduce)
{
    static const uint32_t sizes[] = {1, 2, 3, 8};
    struct mach_totals first = {0};
    struct story told = {0};
    void *contexts[8] = {0};
    limits.filters = contexts;
    for (uint32_t i = 0; i < 4; i++) {
        struct bench b;
        bench_init(&b, text, machine);
        struct story story = {.stop = stop, .size = b.test.size, .picked = limits.filter != NULL};
        if (reduce)
            mach_reduce_init(&b.test, &b.f.arena, false);
        limits.threads = sizes[i];
        struct mach_exploration *e = mach_explore(&b.test, &limits, tell, &story);
        struct mach_totals totals = mach_totals(e);
        if (i == 0) {
            first = totals;
            told = story;
            CU_ASSERT(totals.states > 4000);
        }
        CU_ASSERT_EQUAL(story.hash, told.hash);
        CU_ASSERT_EQUAL(story.visits, told.visits);
        CU_ASSERT_EQUAL(totals.states, first.states);
        CU_ASSERT_EQUAL(totals.steps, first.steps);
        CU_ASSERT_EQUAL(totals.counted, first.counted);
        CU_ASSERT_EQUAL(totals.looked_at, first.looked_at);
        CU_ASSERT_EQUAL(totals.doubt, first.doubt);
        if (limits.paths)
            CU_ASSERT_EQUAL(mach_path(e, totals.states - 1, NULL, 0),
                            mach_path(e, first.states - 1, NULL, 0));
        mach_exploration_free(e);
        fixture_fini(&b.f);
    }
}

/* Steps, sleep sets, first ways, limits, an end by a visit: with as many threads as there may be,
 * all is as with one. New values are met on the way, by several threads at once; so is a division
 * by zero. */
static void test_threads(void)
{
    static const char stores[] =
        "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm z = 0; nvm u = 0; nvm v = 0; nvm w = 0; }\n"
        "P0@wg 0 (global int* x, global int* y) { *x = 1; p_barrier_wi; *y = 1; *x = 2; }\n"
        "P1@wg 1 (global int* z, global int* u) { *z = 1; p_barrier_wi; *u = 1; *z = 2; }\n"
        "P2@wg 2 (global int* v, global int* w) { *v = 1; p_barrier_wi; *w = 1; *v = 2; }\n"
        "crash exists (x=1)\n";
    static const char values[] =
        "OPENCL t\n{ atomic_int x = 1; nvm y = 0; nvm z = 0; nvm w = 0; }\n"
        "P0@wg 0 (global atomic_int* x, global int* y) { *y = 1; p_barrier_wi; *y = 2;\n"
        "  p_barrier_wi; int a = x->fetch_add(2); *y = a * 3; *y = 20 / (a - 12); }\n"
        "P1@wg 1 (global atomic_int* x, global int* z) { *z = 1; p_barrier_wi; *z = 2;\n"
        "  p_barrier_wi; int a = x->fetch_add(11); *z = a * 7; }\n"
        "P2@wg 2 (global atomic_int* x, global int* w) { *w = 1; p_barrier_wi; *w = 2;\n"
        "  p_barrier_wi; int a = x->fetch_add(31); *w = a * 5; }\n"
        "crash exists (y=1)\n";
    struct mach_limits all = {.states = 200000}, some = {.states = 5000}, ways = {.states = 20000},
                       picked = all;
    ways.paths = true;
    picked.filter = pick;
    expect_same(stores, "spb-pipeline", all, 0, false);
    expect_same(stores, "spb-pipeline", some, 0, false);
    expect_same(stores, "spb-pipeline", all, 4444, false);
    expect_same(stores, "spb-pipeline", ways, 0, false);
    expect_same(stores, "nvw-fifo", picked, 0, true);
    expect_same(values, "bpfs", all, 0, false);
    expect_same(values, "spb-pipeline", picked, 0, false);
}

static void test_limit(void)
{
    struct bench b;
    struct mach_limits limits = {.states = 3};
    /* 9 states side by side (test_mach.c). */
    bench_init(&b,
               "OPENCL t\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x) { *x = 1; }\n"
               "P1 (global int* y) { *y = 1; }\nexists (x=1)\n",
               "ideal-sc");
    struct look look = {.bench = &b};
    struct mach_exploration *e = mach_explore(&b.test, &limits, look_visit, &look);
    CU_ASSERT_EQUAL(mach_totals(e).doubt, OUTCOME_DOUBT_STATES);
    /* No more than one state's steps beyond the limit. */
    CU_ASSERT(mach_totals(e).states > 3 && mach_totals(e).states <= 3 + 2);
    mach_exploration_free(e);
    fixture_fini(&b.f);
}

void suite_mach_explore(void)
{
    CU_pSuite suite = CU_add_suite("mach_explore", NULL, NULL);
    UNIT_TEST(suite, test_way);
    UNIT_TEST(suite, test_naive);
    UNIT_TEST(suite, test_sleeping);
    UNIT_TEST(suite, test_behind_others);
    UNIT_TEST(suite, test_behind_in_group);
    UNIT_TEST(suite, test_threads);
    UNIT_TEST(suite, test_limit);
}
