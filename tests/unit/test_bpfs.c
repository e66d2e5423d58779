/* The NVRAM images of tiny programs on the machines bpfs and bpfs-no-wait: whole sets, each
 * derived from pmo (docs/models/semantics.md), from the block's one version (BPFS, section 4.4),
 * and from what caches hold. */
#include "fixture.h"
#include "test_mach_fixture.h"

#include "fifo/bpfs.h"
#include "explore/mach_explore.h"
#include "fifo/nvw.h"

enum { MAX_IMAGES = 16 };

#define NVM_XY "OPENCL t\n{ nvm x = 0; nvm y = 0; d = 0; atomic_int f = 0; atomic_int g = 0; }\n"
#define PARAMETERS \
    "(global int* x, global int* y, global int* d, global atomic_int* f, global atomic_int* g) "
#define P0 "P0@wg 0 " PARAMETERS
#define P1 "P1@wg 0 " PARAMETERS
#define P2 "P2@wg 0 " PARAMETERS
#define P1_APART "P1@wg 1 " PARAMETERS
#define RAISE(flag, scope) #flag ".store(1, mo_rel, " #scope "_scope); "
#define AWAIT(flag, scope) "while (!" #flag ".load(mo_acq, " #scope "_scope)); "

/* Images are written as two digits, x and y. */
struct run {
    const struct machine *machine;
    struct mach_test test;
    uint32_t units, l1_lines, l2_lines; /* 0 units: 2 */
    bool lazy;                          /* lines leave only when they have to */
    bool at_end;                        /* only those of states in which every work-item is done */
    char images[MAX_IMAGES][3];
    uint32_t count;
};

static bool is_done(const struct run *r, const uint8_t *state)
{
    for (uint32_t t = 0; t < r->test.program->thread_count; t++)
        if (mach_status(&r->test, state, t) != MACH_DONE)
            return false;
    return true;
}

static bool visit(void *context, const uint8_t *state, uint64_t number, bool final)
{
    struct run *r = context;
    char *image = r->images[r->count];
    (void)number;
    if (final && !r->lazy) /* what waits for each other would stay in the caches */
        CU_ASSERT_TRUE(r->machine->quiet(&r->test, state));
    if (r->at_end && !is_done(r, state))
        return true;
    for (uint32_t l = 0; l < 2; l++)
        image[l] = (char)('0' + mach_value(&r->test, r->machine->memory(&r->test, state, l)));
    for (uint32_t i = 0; i < r->count; i++)
        if (memcmp(r->images[i], image, 2) == 0)
            return true;
    r->count += r->count + 1 < MAX_IMAGES;
    return true;
}

/* Runs a machine; returns whether it came to its end. */
static bool explore(struct run *r, const char *text, uint32_t line_words)
{
    struct mach_config config = {.units = r->units ? r->units : 2,
                                 .line_words = line_words,
                                 .l1_lines = r->l1_lines,
                                 .l2_lines = r->l2_lines,
                                 .l1_fifo = 16,
                                 .l2_fifo = 64,
                                 .l1_sfifo = 16,
                                 .evict_l1 = r->lazy ? MACH_EVICT_NONE : MACH_EVICT_ANY,
                                 .evict_l2 = r->lazy ? MACH_EVICT_NONE : MACH_EVICT_ANY};
    struct mach_limits limits = {.states = 100000};
    struct fixture f;
    fixture_init(&f, text, "sc", "buffered-epoch");
    mach_test_init(&r->test, &f.arena, r->machine, f.program, &config);
    struct mach_exploration *e = mach_explore(&r->test, &limits, visit, r);
    bool whole = mach_totals(e).doubt == OUTCOME_DOUBT_COUNT;
    mach_exploration_free(e);
    fixture_fini(&f);
    return whole;
}

static bool has(const struct run *r, const char *image)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (memcmp(r->images[i], image, 2) == 0)
            return true;
    return false;
}

/* `images` with a blank after each. */
static void expect(struct run r, uint32_t line_words, const char *text, const char *images)
{
    CU_ASSERT_TRUE(explore(&r, text, line_words));
    CU_ASSERT_EQUAL(3 * r.count, strlen(images));
    for (; *images; images += 3)
        CU_ASSERT_TRUE(has(&r, images));
}

static void both(const char *text, const char *images)
{
    expect((struct run){.machine = &bpfs}, 1, text, images);
    expect((struct run){.machine = &bpfs_no_wait}, 1, text, images);
}

static void waiting(const char *text, const char *images)
{
    expect((struct run){.machine = &bpfs}, 1, text, images);
}

static void passing(const char *text, const char *images)
{
    expect((struct run){.machine = &bpfs_no_wait}, 1, text, images);
}

/* Definition (1): y after x. Without the barrier blocks leave in any order. */
static void test_one_work_item(void)
{
    both(NVM_XY P0 "{ *x = 1; p_barrier_wi; *y = 1; }\n", "00 10 11 ");
    both(NVM_XY P0 "{ *x = 1; *y = 1; }\n", "00 10 01 11 ");
}

/* Order only: everything has executed, and nothing need be durable. */
static void test_nobody_stalls(void)
{
    expect((struct run){.machine = &bpfs, .at_end = true}, 1,
           NVM_XY P0 "{ *x = 1; p_barrier_wi; *y = 1; p_barrier_wi; }\n", "00 10 11 ");
}

/* x = 2 stands behind x = 1. The L1 can hold it while the L2 holds x = 1, and y = 1, which no
 * barrier orders, overtakes both. The L2 has one place for x: once the flag has written x = 2 on to
 * it, x = 1 is durable: no 01. */
static void test_block_has_one_version(void)
{
    both(NVM_XY P0 "{ *x = 1; p_barrier_wi; *x = 2; " RAISE(f, wg) "}\n" P1
                                                                   "{ " AWAIT(f, wg) "*y = 1; }\n",
         "00 10 20 01 11 21 ");
    both(NVM_XY P0
         "{ *x = 1; p_barrier_wi; *x = 2; " RAISE(f, dev) "}\n" P1_APART
                                                          "{ " AWAIT(f, dev) "*y = 1; }\n",
         "00 10 20 11 21 ");
}

/* In one epoch the two merge, wherever they are. */
static void test_versions_merge(void)
{
    both(NVM_XY P0 "{ *x = 1; *x = 2; " RAISE(f, wg) "}\n" P1 "{ " AWAIT(f, wg) "*y = 1; }\n",
         "00 10 20 01 11 21 ");
    both(NVM_XY P0 "{ *x = 1; *x = 2; " RAISE(f, dev) "}\n" P1_APART
                                                      "{ " AWAIT(f, dev) "*y = 1; }\n",
         "00 10 20 01 11 21 ");
}

/* The same when x = 1 is in the L2 already and x = 2 comes from another L1. */
static void test_versions_merge_in_the_l2(void)
{
    both(NVM_XY P0 "{ *x = 1; " RAISE(f, dev) "}\n" P1_APART "{ " AWAIT(f, dev) "*x = 2; " RAISE(
             g, dev) "}\n" P2 "{ " AWAIT(g, dev) "*y = 1; "
                                                 "}\n",
         "00 10 20 01 11 21 ");
}

/* x = 1 barrier y = 1 rf r barrier s fr x = 2: y lies between the versions of x, and P2 stands
 * behind no barrier itself. Merged, x and y would wait for each other and 2 never come. */
static void test_versions_with_another_between(void)
{
    both(NVM_XY P0 "{ *x = 1; p_barrier_wi; *y = 1; " RAISE(f, wg) "}\n" P1 "{ " AWAIT(
             f, wg) "int r = *y; p_barrier_wi; int s = *x; " RAISE(g, wg) "}\n" P2
                                                                          "{ " AWAIT(
                                                                              g, wg) "*x = 2; }\n",
         "00 10 11 21 ");
}

/* The same without P0's barrier: x = 1 has no order with y = 1, which x = 2 comes after. */
static void test_versions_with_nothing_between(void)
{
    both(NVM_XY P0 "{ *x = 1; *y = 1; " RAISE(f, wg) "}\n" P1 "{ " AWAIT(
             f, wg) "int r = *y; p_barrier_wi; int s = *x; " RAISE(g, wg) "}\n" P2
                                                                          "{ " AWAIT(
                                                                              g, wg) "*x = 2; }\n",
         "00 10 01 11 21 ");
}

/* y barrier x = 1 co x = 2: merged or not, x = 2 comes after y. */
static void test_coherence_keeps_order(void)
{
    both(NVM_XY P0 "{ *y = 1; p_barrier_wi; *x = 1; " RAISE(f, wg) "}\n" P1
                                                                   "{ " AWAIT(f, wg) "*x = 2; }\n",
         "00 01 11 21 ");
}

/* Definition (2). Waiting, x has executed when the barrier is left. Not waiting, P1 may be done
 * before P0 begins. */
static void test_arrival(void)
{
    static const char text[] =
        NVM_XY P0 "{ *x = 1; p_barrier_wg; }\n" P1 "{ p_barrier_wg; *y = 1; }\n";
    waiting(text, "00 10 11 ");
    passing(text, "00 10 01 11 ");
}

/* One work-item's barrier for its scope: x was seen before it, so it holds for x; a narrower
 * one, or one of another group, does not. */
static void test_on_behalf_of_the_scope(void)
{
    passing(NVM_XY P0 "{ *x = 1; " RAISE(f, wg) "}\n" P1
                                                "{ " AWAIT(f, wg) "p_barrier_wg; *y = 1; }\n",
            "00 10 11 ");
    passing(NVM_XY P0 "{ *x = 1; " RAISE(f, wg) "}\n" P1
                                                "{ " AWAIT(f, wg) "p_barrier_wi; *y = 1; }\n",
            "00 10 01 11 ");
    passing(NVM_XY P0 "{ *x = 1; " RAISE(f, dev) "}\n" P1_APART
                                                 "{ " AWAIT(f, dev) "p_barrier_wg; *y = 1; }\n",
            "00 10 01 11 ");
    passing(NVM_XY P0 "{ *x = 1; " RAISE(f, dev) "}\n" P1_APART
                                                 "{ " AWAIT(f, dev) "p_barrier_kr; *y = 1; }\n",
            "00 10 11 ");
}

/* A flag hands on what the writer's barrier put before it, to what the reader's barrier puts after
 * it: both are needed. An execution barrier is a flag in this. */
static void test_order_is_handed_on(void)
{
    both(NVM_XY P0
         "{ *x = 1; p_barrier_wi; " RAISE(f, wg) "}\n" P1
                                                 "{ " AWAIT(f, wg) "p_barrier_wi; *y = 1; }\n",
         "00 10 11 ");
    both(NVM_XY P0 "{ *x = 1; p_barrier_wi; " RAISE(f, wg) "}\n" P1 "{ " AWAIT(f, wg) "*y = 1; }\n",
         "00 10 01 11 ");
    both(NVM_XY P0 "{ *x = 1; p_barrier_wi; sync_barrier_wg; }\n" P1
                   "{ sync_barrier_wg; p_barrier_wi; *y = 1; }\n",
         "00 10 11 ");
    both(NVM_XY P0 "{ *x = 1; p_barrier_wi; sync_barrier_wg; }\n" P1
                   "{ sync_barrier_wg; *y = 1; }\n",
         "00 10 01 11 ");
}

/* x and y in one block: without a barrier it leaves with y = 1 only when x = 1 is in it; with one,
 * x = 1 has left the L1 before y = 1 comes, and the L2 before y = 1 goes there. */
static void test_false_sharing(void)
{
    expect((struct run){.machine = &bpfs}, 2, NVM_XY P0 "{ *x = 1; *y = 1; }\n", "00 10 11 ");
    expect((struct run){.machine = &bpfs, .at_end = true}, 2, NVM_XY P0 "{ *x = 1; *y = 1; }\n",
           "00 10 11 ");
    expect((struct run){.machine = &bpfs, .at_end = true}, 2,
           NVM_XY P0 "{ *x = 1; p_barrier_wi; *y = 1; }\n", "00 10 11 ");
}

/* x and y in one block of two L1s: each leaves in its turn, y = 1 behind x = 1 when a barrier of
 * the kernel says so. Were y = 1 in the L2 first, x = 1 could not join it there before z was
 * durable, which waits for x: all comes to an end because y waits in its L1. */
static void test_false_sharing_of_two(void)
{
    expect((struct run){.machine = &bpfs}, 2, NVM_XY P0 "{ *x = 1; }\n" P1_APART "{ *y = 1; }\n",
           "00 10 01 11 ");
    expect((struct run){.machine = &bpfs}, 2,
           NVM_XY P0 "{ *x = 1; p_barrier_kr; }\n" P1_APART "{ p_barrier_kr; *y = 1; }\n",
           "00 10 11 ");
    expect((struct run){.machine = &bpfs}, 2,
           "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\n"
           "P0@wg 0 (global int* x, global int* z) {"
           " *x = 1; p_barrier_kr; *z = 1; p_barrier_kr; }\n"
           "P1@wg 1 (global int* y) { p_barrier_kr; p_barrier_kr; *y = 1; }\n",
           "00 10 11 ");
}

/* x barrier d = 1 co d = 2 co d = 3 barrier y: x before y, though no flag says so to P2, whose L1
 * has nothing of d: g was raised behind no barrier, and f is not read there. With fr for the second
 * co, the mark of a line that is clean in P1's L1 has to go with it. */
static void test_misses_fetch_tags(void)
{
    static const char first[] = NVM_XY P0 "{ *x = 1; p_barrier_wi; *d = 1; " RAISE(f, dev) "}\n";
    static const char last[] = P2 "{ " AWAIT(g, dev) "*d = 3; p_barrier_wi; *y = 1; }\n";
    static const char *const between[] = {"*d = 2; ", "int r = *d; "};
    for (size_t i = 0; i < sizeof between / sizeof between[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s" P1_APART "{ " AWAIT(f, dev) "%s" RAISE(g, dev) "}\n%s",
                 first, between[i], last);
        both(text, "00 10 11 ");
    }
}

#define TWO_WORDS "machine = bpfs\nline_words = 2\n"

/* d and e share a block, as x and p do. P1 may have e of it in its L1 when d = 1, behind the
 * barrier, comes to the L2; it reads d there, with its tag, and y = 1 is behind x. (A race.) */
static void test_words_fetch_tags(void)
{
    mach_expect("OPENCL t\n{ nvm x = 0; nvm p = 0; nvm y = 0; d = 0; e = 0; }\n"
                "P0@wg 0 (global int* x, global int* d) { *x = 1; p_barrier_wi; *d = 1; }\n"
                "P1@wg 1 (global int* y, global int* d, global int* e) {"
                " *e = 1; int r = *d; p_barrier_wi; *y = r; }\n"
                "crash exists (x = 1)\n",
                TWO_WORDS, "0,0,0 1,0,0 1,0,1 ", NULL);
}

/* No barrier: that P1 reads x beside its own p does not keep p from joining x in the L2, and y may
 * be durable before both. (Nor does p go there before P1 reads.) */
static void test_words_merge(void)
{
    mach_expect(
        "OPENCL t\n{ nvm x = 0; nvm p = 0; nvm y = 0; atomic_int f = 0; atomic_int g = 0; }\n"
        "P0@wg 0 (global int* x, global atomic_int* f) {"
        " *x = 1; f.store(1, mo_rel, dev_scope); }\n"
        "P1@wg 1 (global int* x, global int* p, global atomic_int* f, global atomic_int* g) {"
        " while (!f.load(mo_acq, dev_scope));"
        " *p = 1; int r = *x; g.store(1, mo_rel, dev_scope); }\n"
        "P2@wg 0 (global int* y, global atomic_int* g) {"
        " while (!g.load(mo_acq, dev_scope)); *y = 1; }\n"
        "crash exists (x = 1)\n",
        TWO_WORDS "evict_l1 = none\n", "0,0,0 0,0,1 1,0,0 1,0,1 1,1,0 1,1,1 ", NULL);
}

/* ---- What work-items see ---- */

/* y tells what was read of x. An acquire forgets the L1's x; a relaxed load leaves it. */
static void test_l1s_forget(void)
{
    both(NVM_XY P0 "{ *x = 1; " RAISE(f, dev) "}\n" P1_APART
                                              "{ int r0 = *x; " AWAIT(f, dev) "*y = *x + 1; }\n",
         "00 10 02 12 ");
    both(NVM_XY P0 "{ *x = 1; " RAISE(
             f, dev) "}\n" P1_APART
                     "{ int r0 = *x; while (!f.load(mo_rlx, dev_scope)); *y = *x + 1; }\n",
         "00 10 01 02 11 12 ");
}

/* SPB section 6.2: the alternative may not make an update visible at a persist barrier, which x = 1
 * leaves the L1 for on nvw-fifo. A race: no model promises anything. */
static void test_barriers_show_nothing(void)
{
    static const char text[] =
        NVM_XY P0 "{ *x = 1; p_barrier_wg; f.store(1, mo_rlx, dev_scope); }\n" P1_APART
                  "{ " AWAIT(f, dev) "*y = *x + 1; }\n";
    both(text, "00 10 01 02 11 12 ");
    expect((struct run){.machine = &nvw_fifo}, 1, text, "00 10 12 ");
}

/* SPB section 8.2: x = 1 of another group, in an NVW-FIFO before y = 1, is made durable by the
 * barrier after y, and precedes y = 2. Tags tell them apart. With two L1s the L2's FIFO is shared
 * still, but x does not enter it: nothing has to leave its L1. */
static void test_neighbours_are_not_forced(void)
{
    static const char text[] =
        NVM_XY P0 "{ *x = 1; f.store(1, mo_rlx, dev_scope); }\n" P1_APART
                  "{ while (!f.load(mo_rlx, dev_scope)); *y = 1; p_barrier_wi; *y = 2; }\n";
    static const char all[] = "00 10 01 02 11 12 ", forced[] = "00 10 01 11 12 ";
    expect((struct run){.machine = &nvw_fifo, .units = 1}, 1, text, forced);
    expect((struct run){.machine = &nvw_fifo}, 1, text, all);
    expect((struct run){.machine = &bpfs, .units = 1}, 1, text, all);
    both(text, all);
}

/* ---- Sizes ---- */

/* With room for one line in each cache, x leaves both for y to come: x = 1 is durable first. */
static void test_small_caches(void)
{
    struct run one = {.machine = &bpfs, .l1_lines = 1, .l2_lines = 1};
    expect(one, 1, NVM_XY P0 "{ *x = 1; *y = 1; }\n", "00 10 11 ");
    expect(one, 1, NVM_XY P0 "{ *x = 1; p_barrier_wi; *y = 1; }\n", "00 10 11 ");
    one.lazy = true;
    expect(one, 1, NVM_XY P0 "{ *x = 1; *y = 1; }\n", "00 10 11 ");
}

/* Nothing has to leave: nothing does, until all have ended. */
static void test_no_evictions(void)
{
    struct run lazy = {.machine = &bpfs, .lazy = true};
    expect(lazy, 1, NVM_XY P0 "{ *x = 1; p_barrier_wi; while (*y == 0); }\n", "00 ");
    expect(lazy, 1, NVM_XY P0 "{ *x = 1; p_barrier_wi; *y = 1; }\n", "00 10 11 ");
}

/* A set has room for the lines of 64 / 2 caches; one more and nothing is claimed. */
static void test_too_many_lines(void)
{
    struct run enough = {.machine = &bpfs, .lazy = true}, more = enough;
    CU_ASSERT_TRUE(
        explore(&enough, "OPENCL t\n{ nvm a[32]; }\nP0 (global int* a) { a[31] = 1; }\n", 1));
    CU_ASSERT_FALSE(
        explore(&more, "OPENCL t\n{ nvm a[33]; }\nP0 (global int* a) { a[32] = 1; }\n", 1));
}

void suite_bpfs(void)
{
    CU_pSuite suite = CU_add_suite("bpfs", NULL, NULL);
    UNIT_TEST(suite, test_one_work_item);
    UNIT_TEST(suite, test_nobody_stalls);
    UNIT_TEST(suite, test_block_has_one_version);
    UNIT_TEST(suite, test_versions_merge);
    UNIT_TEST(suite, test_versions_merge_in_the_l2);
    UNIT_TEST(suite, test_versions_with_another_between);
    UNIT_TEST(suite, test_versions_with_nothing_between);
    UNIT_TEST(suite, test_coherence_keeps_order);
    UNIT_TEST(suite, test_arrival);
    UNIT_TEST(suite, test_on_behalf_of_the_scope);
    UNIT_TEST(suite, test_order_is_handed_on);
    UNIT_TEST(suite, test_false_sharing);
    UNIT_TEST(suite, test_false_sharing_of_two);
    UNIT_TEST(suite, test_misses_fetch_tags);
    UNIT_TEST(suite, test_words_fetch_tags);
    UNIT_TEST(suite, test_words_merge);
    UNIT_TEST(suite, test_l1s_forget);
    UNIT_TEST(suite, test_barriers_show_nothing);
    UNIT_TEST(suite, test_neighbours_are_not_forced);
    UNIT_TEST(suite, test_small_caches);
    UNIT_TEST(suite, test_no_evictions);
    UNIT_TEST(suite, test_too_many_lines);
}
