/* Work-items that run the same code: explored once, with the same answers as when something
 * that changes nothing tells them apart. */
#include "test_enum_fixture.h"

/* `count` work-items with this body; with `apart` each has a constant of its own, which
 * nobody looks at. */
static void write_alike(struct strbuf *text, const char *head, const char *body, int count,
                        bool apart, const char *tail)
{
    strbuf_clear(text);
    strbuf_add(text, head);
    for (int t = 0; t < count; t++)
        strbuf_printf(text, "P%d (%s int own = %d; }\n", t, body, apart ? t : 0);
    strbuf_add(text, tail);
}

static uint64_t count_alike(const char *head, const char *body, int count, bool apart,
                            const char *tail)
{
    struct strbuf text = {0};
    write_alike(&text, head, body, count, apart, tail);
    uint64_t executions = enum_count(strbuf_text(&text), "sc");
    strbuf_fini(&text);
    return executions;
}

static const char one_atomic[] = "OPENCL t\n{ nvm atomic_int x = 0; }\n";
static const char increment[] = "global atomic_int* x) { x.fetch_add(1, mo_rlx, dev_scope);";

/* n increments of one location follow each other in n! orders, which differ by who is who:
 * one execution is looked at, with all registers in sight, too. Told apart, all are. */
static void test_incrementers(void)
{
    static const uint64_t factorial[] = {1, 1, 2, 6, 24};
    for (int n = 1; n <= 4; n++) {
        CU_ASSERT_EQUAL(count_alike(one_atomic, increment, n, false, "exists (x=1)\n"), 1);
        CU_ASSERT_EQUAL(count_alike(one_atomic, increment, n, true, "exists (x=1)\n"),
                        factorial[n]);
    }
    CU_ASSERT_EQUAL(count_alike(one_atomic, increment, 3, false,
                                "exists (x=1)\nlocations [0:own; 1:own; 2:own]\n"),
                    1);
    /* With one of three in sight, two are alike: 3! / 2!. A filter sees as much. */
    CU_ASSERT_EQUAL(
        count_alike(one_atomic, increment, 3, false, "exists (x=1)\nlocations [1:own]\n"), 3);
    CU_ASSERT_EQUAL(
        count_alike(one_atomic, increment, 3, false, "filter (1:own=0)\nexists (x=1)\n"), 3);
}

/* Two and two alike: 4! / (2! 2!). In two work-groups each, which are exchanged whole: 1; two in
 * the one and one in the other: 3! / 2!. */
static void test_who_is_alike(void)
{
    CU_ASSERT_EQUAL(enum_count("OPENCL t\n{ nvm atomic_int x = 0; }\n"
                               "P0 (global atomic_int* x) { x.fetch_add(1, mo_rlx, dev_scope); }\n"
                               "P1 (global atomic_int* x) { x.fetch_add(2, mo_rlx, dev_scope); }\n"
                               "P2 (global atomic_int* x) { x.fetch_add(1, mo_rlx, dev_scope); }\n"
                               "P3 (global atomic_int* x) { x.fetch_add(2, mo_rlx, dev_scope); }\n"
                               "exists (x=1)\n",
                               "sc"),
                    6);
    static const char *const places[] = {"wg 1", "sg 1", "kr 1", "dev 1"};
    for (size_t i = 0; i < 4; i++) {
        struct strbuf text = {0};
        strbuf_printf(&text, "%sP0 (%s }\nP1@%s (%s }\nexists (x=1)\n", one_atomic, increment,
                      places[i], increment);
        CU_ASSERT_EQUAL(enum_count(strbuf_text(&text), "sc"), 1);
        strbuf_clear(&text);
        strbuf_printf(&text, "%sP0 (%s }\nP1@%s (%s }\nP2 (%s }\nexists (x=1)\n", one_atomic,
                      increment, places[i], increment, increment);
        CU_ASSERT_EQUAL(enum_count(strbuf_text(&text), "sc"), 3);
        strbuf_fini(&text);
    }
}

/* Two readers alike beside one write: 0 0, 0 1 (as well as 1 0) and 1 1. With one register in sight
 * all four are looked at. */
static void test_readers(void)
{
    struct strbuf text = {0};
    strbuf_add(&text, "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { int r = *x; }\n"
                      "P1 (global int* x) { int r = *x; }\nP2 (global int* x) { *x = 1; }\n"
                      "exists (x=1)\n");
    CU_ASSERT_EQUAL(enum_count(strbuf_text(&text), "sc"), 3);
    strbuf_add(&text, "locations [0:r]\n");
    CU_ASSERT_EQUAL(enum_count(strbuf_text(&text), "sc"), 4);
    strbuf_fini(&text);
}

/* The same outcome whether or not the work-items are told apart. */
static void expect_same(const char *head, const char *body, int count, const char *tail,
                        const char *visibility, const char *persistency)
{
    struct strbuf alike = {0}, apart = {0};
    struct enum_case a, b;
    write_alike(&alike, head, body, count, false, tail);
    write_alike(&apart, head, body, count, true, tail);
    enum_case_init(&a, strbuf_text(&alike), visibility, persistency, false);
    enum_case_init(&b, strbuf_text(&apart), visibility, persistency, false);
    CU_ASSERT_EQUAL(a.o.final.count, b.o.final.count);
    CU_ASSERT_EQUAL(a.o.crash.count, b.o.crash.count);
    CU_ASSERT_EQUAL(a.o.undefined.count, b.o.undefined.count);
    CU_ASSERT_EQUAL(a.o.flags.count, b.o.flags.count);
    if (a.o.final.count != b.o.final.count || a.o.crash.count != b.o.crash.count ||
        a.o.undefined.count != b.o.undefined.count)
        fprintf(stderr, "%zu %zu %zu and %zu %zu %zu, of %s", a.o.final.count, a.o.crash.count,
                a.o.undefined.count, b.o.final.count, b.o.crash.count, b.o.undefined.count,
                strbuf_text(&alike));
    for (size_t i = 0; i < a.o.final.count; i++)
        CU_ASSERT(fixture_has(&b.o.final, outcome_row(&a.o.final, i)));
    for (size_t i = 0; i < a.o.crash.count; i++)
        CU_ASSERT(fixture_has(&b.o.crash, outcome_row(&a.o.crash, i)));
    CU_ASSERT(a.o.stats.consistent <= b.o.stats.consistent);
    enum_case_fini(&a);
    enum_case_fini(&b);
    strbuf_fini(&alike);
    strbuf_fini(&apart);
}

static const char *const pairs[][2] = {
    {"sc", "epoch"}, {"hrf-direct", "epoch"}, {"hrf-indirect", "buffered-epoch-individual"}};

static void expect_same_everywhere(const char *head, const char *body, int count, const char *tail)
{
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        expect_same(head, body, count, tail, pairs[i][0], pairs[i][1]);
}

static void test_same_answers(void)
{
    /* Paths that differ: the first to come goes another way. */
    expect_same_everywhere("OPENCL t\n{ nvm x = 0; nvm y = 0; atomic_int c = 0; }\n",
                           "global int* x, global int* y, global atomic_int* c) {"
                           " int r = c.fetch_add(1, mo_acq_rel, wg_scope);"
                           " if (r == 0) { *x = 1; } else { *y = r; }",
                           3, "exists (x=1)\nlocations [x; y]\ncrash exists (y=2)\n");
    /* A lock, and a crash point in it. */
    expect_same_everywhere("OPENCL t\n{ nvm x = 0; atomic_int l = 0; }\n",
                           "global int* x, global atomic_int* l) {"
                           " while (l.exchange(1, mo_acq, wg_scope)) { }"
                           " int r = *x; *x = r + 1; crash \"inside\"; p_barrier_wi;"
                           " l.store(0, mo_rel, wg_scope);",
                           2, "exists (x=2)\n");
    /* Awaits for each other's flag, and probes of them. */
    expect_same_everywhere("OPENCL t\n{ nvm x = 0; atomic_int f = 0; }\n",
                           "global int* x, global atomic_int* f) {"
                           " f.fetch_add(1, mo_rel, wg_scope);"
                           " while (f.load(mo_acq, wg_scope) < 2); *x = 1;",
                           2, "exists (x=1)\n");
    /* Awaits that may be stuck: two of them compete. */
    expect_same_everywhere("OPENCL t\n{ nvm x = 0; atomic_int f = 0; }\n",
                           "global int* x, global atomic_int* f) {"
                           " while (f.load(mo_acq, wg_scope) == 1);"
                           " f.store(1, mo_rel, wg_scope); *x = 1;",
                           2, "exists (x=1)\n");
    /* Barriers, and persist barriers of the group. */
    expect_same_everywhere("OPENCL t\n{ nvm x = 0; nvm y = 0; atomic_int c = 0; }\n",
                           "global int* x, global int* y, global atomic_int* c) {"
                           " c.fetch_add(1, mo_rlx, wg_scope); p_barrier_wg;"
                           " int r = c.load(mo_rlx, wg_scope); if (r == 2) { *y = 1; }"
                           " sync_barrier_wg; *x = r;",
                           2, "exists (x=2)\n");
    /* A barrier that only the first takes: divergence. */
    expect_same_everywhere("OPENCL t\n{ nvm x = 0; atomic_int c = 0; }\n",
                           "global int* x, global atomic_int* c) {"
                           " if (c.fetch_add(1, mo_rlx, wg_scope) == 0) { sync_barrier_wg; }"
                           " *x = 1;",
                           2, "exists (x=1)\n");
    /* Readers among themselves, whose values meet in memory. */
    expect_same_everywhere("OPENCL t\n{ nvm x = 0; nvm y = 0; }\n",
                           "global int* x, global int* y) { int r = *x; *y = r + 1; int s = *y;"
                           " *x = s;",
                           2, "exists (x=2)\nlocations [x; y]\n");
}

/* Under which number each witness shows its skeleton: how many there are, one after the other. */
struct shown_on {
    struct recheck *recheck;
    uint64_t last, skeletons, states;
};

static void count_skeletons(void *context, const struct engine_witness *witness)
{
    struct shown_on *shown = context;
    CU_ASSERT_PTR_NULL(recheck_witness(shown->recheck, witness));
    shown->states++;
    shown->skeletons += witness->skeleton_number != shown->last;
    shown->last = witness->skeleton_number;
}

/* Each stores a(i), waits until it is durable, and raises c. Crash states: c = k with the a of at
 * least k of three, 8 + 7 + 4 + 1 = 20, and a final one. Executed in the order P0, P1, P2: of c = 1
 * those with a0 (4), of c = 2 those with a0 and a1 (2). The rest is of executions that are renamed,
 * each once however many states it shows: P1 before P0 has c = 1 with a1, alone and with a2; P2
 * before P1 has c = 2 with a0 and a2; and each of these renamed by the other exchange one state
 * more, a2 alone and a1 with a2. */
static void test_renamed_once(void)
{
    struct enum_case c;
    struct outcome o;
    struct strbuf text = {0};
    strbuf_add(&text, "OPENCL t\n{ nvm a0 = 0; nvm a1 = 0; nvm a2 = 0; nvm atomic_int c = 0; }\n");
    for (int i = 0; i < 3; i++)
        strbuf_printf(&text,
                      "P%d@wg %d (global int* a%d, global atomic_int* c) { *a%d = 1; p_barrier_wi;"
                      " c.fetch_add(1, mo_acq_rel, dev_scope); }\n",
                      i, i, i, i);
    strbuf_add(&text, "exists (c=3)\n");
    enum_case_init(&c, strbuf_text(&text), "hrf-direct", "epoch", false);
    struct shown_on shown = {.recheck = c.recheck};
    c.request.on_witness = count_skeletons;
    c.request.context = &shown;
    outcome_init(&o, c.f.program);
    enum_run(&c.request, &o);
    CU_ASSERT_EQUAL(o.crash.count, 20);
    CU_ASSERT_EQUAL(o.final.count, 1);
    CU_ASSERT_EQUAL(shown.states, 21);
    CU_ASSERT_EQUAL(shown.skeletons, 1 + 4);
    outcome_fini(&o);
    enum_case_fini(&c);
    strbuf_fini(&text);
}

/* The same of tables of PTX: partial coherence, fences, quorums. */
static void expect_same_table(const char *const *rows, int row_count, int threads,
                              const char *visibility, const char *persistency)
{
    struct strbuf text[2] = {{0}, {0}};
    struct enum_case c[2];
    for (int apart = 0; apart < 2; apart++) {
        strbuf_add(&text[apart], "PTX t\n{ nvm x = 0; nvm y = 0; }\n");
        for (int row = -1; row <= row_count; row++) {
            for (int t = 0; t < threads; t++) {
                strbuf_add(&text[apart], t ? " | " : " ");
                if (row < 0)
                    strbuf_printf(&text[apart], "P%d@cta 0,gpu 0", t);
                else if (row < row_count)
                    strbuf_add(&text[apart], rows[row]);
                else
                    strbuf_printf(&text[apart], "mov r9, %d", apart ? t : 0);
            }
            strbuf_add(&text[apart], " ;\n");
        }
        strbuf_add(&text[apart], "forall (true)\nlocations [x; y]\n");
        enum_case_init(&c[apart], strbuf_text(&text[apart]), visibility, persistency, false);
    }
    CU_ASSERT(c[0].o.final.count > 0);
    CU_ASSERT_EQUAL(c[0].o.final.count, c[1].o.final.count);
    CU_ASSERT_EQUAL(c[0].o.crash.count, c[1].o.crash.count);
    for (size_t i = 0; i < c[0].o.final.count; i++)
        CU_ASSERT(fixture_has(&c[1].o.final, outcome_row(&c[0].o.final, i)));
    for (size_t i = 0; i < c[0].o.crash.count; i++)
        CU_ASSERT(fixture_has(&c[1].o.crash, outcome_row(&c[0].o.crash, i)));
    for (int apart = 0; apart < 2; apart++) {
        enum_case_fini(&c[apart]);
        strbuf_fini(&text[apart]);
    }
}

static void test_same_answers_of_ptx(void)
{
    static const char *const racy[] = {"ld.weak r1, x", "add r1, r1, 1", "st.weak x, r1",
                                       "st.weak y, r1"};
    static const char *const fenced[] = {"ld.relaxed.cta r1, x", "add r1, r1, 1", "fence.sc.cta",
                                         "st.relaxed.cta x, r1", "st.weak y, r1"};
    static const char *const quorum[] = {"atom.relaxed.cta.add r1, x, 1", "bar.cta.sync 1, 0, 2",
                                         "ld.relaxed.cta r2, x", "st.relaxed.cta y, r2"};
    static const char *const models[] = {"ptx", "sc"};
    for (size_t i = 0; i < 2; i++) {
        expect_same_table(racy, 4, 2, models[i], "buffered-epoch");
        expect_same_table(fenced, 5, 2, models[i], "buffered-epoch");
        expect_same_table(quorum, 4, 3, models[i], "buffered-epoch");
    }
}

/* A choice of the model among what twins do: SC by choice, as by its own file. */
static void test_same_answers_by_choice(void)
{
    char path[ENUM_MODEL_PATH];
    enum_model_make(path, "let com = rf | co | fr\nwith S from linearisations(M, po | com)\n"
                          "empty rmw & (fr; co) as atomicity\nlet hb = S");
    expect_same("OPENCL t\n{ nvm x = 0; nvm y = 0; }\n",
                "global int* x, global int* y) { int r = *x; *x = r + 1; *y = r;", 2,
                "exists (x=2)\nlocations [x; y]\n", path, "epoch");
    enum_model_drop(path);
}

/* ---- Whom a report names -------------------------------------------------------------------- */

static bool names_pair(const struct outcome *o, uint32_t t, const char *first, uint32_t u,
                       const char *second)
{
    for (size_t i = 0; i < o->undefined.count; i++) {
        const struct outcome_undefined *undefined = &o->undefined.items[i];
        if (undefined->event_count == 2 && undefined->events[0].thread == t &&
            undefined->events[1].thread == u && strcmp(undefined->events[0].access, first) == 0 &&
            strcmp(undefined->events[1].access, second) == 0 &&
            undefined->events[0].line == t + 3 && undefined->events[1].line == u + 3)
            return true;
    }
    return false;
}

/* Three plain writers: each two race, on their own lines. */
static void test_race_of_all_pairs(void)
{
    struct enum_case c;
    enum_case_init(&c,
                   "OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                   "P1 (global int* x) { *x = 1; }\nP2 (global int* x) { *x = 1; }\n"
                   "exists (x=1)\n",
                   "hrf-direct", "epoch", false);
    CU_ASSERT_EQUAL(c.o.undefined.count, 3);
    CU_ASSERT(names_pair(&c.o, 0, "W x", 1, "W x"));
    CU_ASSERT(names_pair(&c.o, 0, "W x", 2, "W x"));
    CU_ASSERT(names_pair(&c.o, 1, "W x", 2, "W x"));
    enum_case_fini(&c);
    /* A write and a read in each: write and write, and either one's write with the other's read. */
    enum_case_init(&c,
                   "OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; int r = *x; }\n"
                   "P1 (global int* x) { *x = 1; int r = *x; }\nexists (x=1)\n",
                   "hrf-direct", "epoch", false);
    CU_ASSERT_EQUAL(c.o.undefined.count, 3);
    CU_ASSERT(names_pair(&c.o, 0, "W x", 1, "W x"));
    CU_ASSERT(names_pair(&c.o, 0, "W x", 1, "R x"));
    CU_ASSERT(names_pair(&c.o, 0, "R x", 1, "W x"));
    enum_case_fini(&c);
}

/* Where P2 reads the initial value P0's and P1's stores are a pair in either order, and the lower one stands first; where
 * it reads P0's and that comes first they are one in that order alone, whose image under exchange is the other order. */
static void test_pair_in_either_order(void)
{
    static const char model[] =
        "let stores = (W \\ IW) * (W \\ IW) let unread = (W * R); ([R]; rf^-1; [IW]); (IW * W)\n"
        "undefined_unless empty stores & ext & (unread | [range(rf^-1)]; co) as twice\n";
    char path[ENUM_MODEL_PATH];
    struct enum_case c;
    enum_model_make(path, model);
    enum_case_init(&c,
                   "OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                   "P1 (global int* x) { *x = 1; }\nP2 (global int* x) { int r = *x; }\n"
                   "exists (x=1)\n",
                   path, enum_anything, false);
    CU_ASSERT_EQUAL(c.o.undefined.count, 2);
    CU_ASSERT(names_pair(&c.o, 0, "W x", 1, "W x"));
    CU_ASSERT(names_pair(&c.o, 1, "W x", 0, "W x"));
    enum_case_fini(&c);
    enum_model_drop(path);
}

/* Twins P0 and P2 with a reader between: both race with it, and with each other. */
static void test_race_with_another(void)
{
    struct enum_case c;
    enum_case_init(&c,
                   "OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                   "P1 (global int* x) { int r = *x; }\nP2 (global int* x) { *x = 1; }\n"
                   "exists (x=1)\n",
                   "hrf-direct", "epoch", false);
    CU_ASSERT_EQUAL(c.o.undefined.count, 3);
    CU_ASSERT(names_pair(&c.o, 0, "W x", 1, "R x"));
    CU_ASSERT(names_pair(&c.o, 1, "R x", 2, "W x"));
    CU_ASSERT(names_pair(&c.o, 0, "W x", 2, "W x"));
    enum_case_fini(&c);
}

/* Nobody races with itself: an unordered pair of one work-item's accesses is no race, and
 * a single twin with another who only touches y has none. */
static void test_no_race(void)
{
    struct enum_case c;
    enum_case_init(&c,
                   "OPENCL t\n{ atomic_int x = 0; }\n"
                   "P0 (global atomic_int* x) { x.fetch_add(1, mo_rlx, wg_scope); }\n"
                   "P1 (global atomic_int* x) { x.fetch_add(1, mo_rlx, wg_scope); }\n"
                   "exists (x=2)\n",
                   "hrf-direct", "epoch", false);
    CU_ASSERT_EQUAL(c.o.undefined.count, 0);
    CU_ASSERT_EQUAL(enum_case_verdict(&c, 0), LIT_OK);
    enum_case_fini(&c);
}

/* Divergence: P2 never comes, P0 and P1 both wait for it. Of twins each may be the one that
 * waits for the other. */
static void test_divergence_of_twins(void)
{
    struct enum_case c;
    enum_case_init(&c,
                   "OPENCL t\n{ x = 0; }\nP0 (global int* x) { sync_barrier_wg; }\n"
                   "P1 (global int* x) { sync_barrier_wg; }\nP2 (global int* x) { *x = 1; }\n"
                   "exists (x=1)\n",
                   "sc", "epoch", false);
    CU_ASSERT_EQUAL(c.o.undefined.count, 2);
    for (size_t i = 0; i < c.o.undefined.count; i++) {
        CU_ASSERT(c.o.undefined.items[i].events[0].thread < 2);
        CU_ASSERT_EQUAL(c.o.undefined.items[i].events[1].thread, 2);
    }
    enum_case_fini(&c);
    enum_case_init(&c,
                   "OPENCL t\n{ atomic_int x = 0; }\n"
                   "P0 (global atomic_int* x) { if (x.fetch_add(1, mo_rlx, wg_scope))"
                   " sync_barrier_wg; }\n"
                   "P1 (global atomic_int* x) { if (x.fetch_add(1, mo_rlx, wg_scope))"
                   " sync_barrier_wg; }\nexists (x=1)\n",
                   "sc", "epoch", false);
    CU_ASSERT_EQUAL(c.o.undefined.count, 2);
    CU_ASSERT(c.o.undefined.count == 2 &&
              c.o.undefined.items[0].events[0].thread != c.o.undefined.items[1].events[0].thread);
    enum_case_fini(&c);
}

void suite_enum_symmetry(void)
{
    CU_pSuite suite = CU_add_suite("enum_symmetry", NULL, NULL);
    UNIT_TEST(suite, test_incrementers);
    UNIT_TEST(suite, test_who_is_alike);
    UNIT_TEST(suite, test_readers);
    UNIT_TEST(suite, test_same_answers);
    UNIT_TEST(suite, test_renamed_once);
    UNIT_TEST(suite, test_same_answers_of_ptx);
    UNIT_TEST(suite, test_same_answers_by_choice);
    UNIT_TEST(suite, test_race_of_all_pairs);
    UNIT_TEST(suite, test_pair_in_either_order);
    UNIT_TEST(suite, test_race_with_another);
    UNIT_TEST(suite, test_no_race);
    UNIT_TEST(suite, test_divergence_of_twins);
}
