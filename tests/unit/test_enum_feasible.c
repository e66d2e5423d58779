/* Which combinations of paths are dropped, what finding that out costs, and that it ends with the
 * time. */
#include "fixture.h"

#include "enumerate/enum_apart.h"
#include "enumerate/enum_feasible.h"
#include "enumerate/enum_fixed.h"
#include "exec/exec_path.h"

/* A clock that counts how often it is asked, and after which question the time is over. */
struct count {
    uint32_t asked, most;
};

static bool is_over(void *clock)
{
    struct count *count = clock;
    return ++count->asked >= count->most;
}

struct feasible_case {
    struct fixture f;
    struct exec_paths paths[2];
    struct count count;
    struct enum_feasible *feasible;
};

/* Two threads, their paths, and what is found out about them until the clock was asked so often. */
static void begin(struct feasible_case *c, const char *text, uint32_t most)
{
    uint32_t events = 0;
    struct exec_run_options options = {.unroll = 2, .path_events = &events};
    *c = (struct feasible_case){.count = {.most = most}};
    fixture_init(&c->f, text, "sc", "epoch");
    CU_ASSERT_EQUAL_FATAL(c->f.program->thread_count, 2);
    for (uint32_t t = 0; t < 2; t++)
        exec_run_thread(&c->f.arena, c->f.program, t, &options, &c->paths[t]);
    options.out_of_time = is_over;
    options.clock = &c->count;
    c->feasible = enum_feasible_new(&c->f.arena, c->f.program, c->paths, &options, NULL, NULL);
}

static void end(struct feasible_case *c)
{
    fixture_fini(&c->f);
}

/* How many combinations are left, all threads chosen. */
static uint32_t count_feasible(const struct feasible_case *c)
{
    uint32_t feasible = 0;
    for (uint32_t i = 0; i < c->paths[0].count; i++)
        for (uint32_t k = 0; k < c->paths[1].count; k++)
            feasible += enum_feasible_so_far(c->feasible, (uint32_t[]){i, k}, NULL, 2);
    return feasible;
}

static const uint32_t FOREVER = UINT32_MAX; /* questions */

static const char one_of_two[] = "OPENCL t\n{ x = 0; y = 0; }\n"
                                 "P0 (global int* x, global int* y) { if (*x == 1) { *y = 1; } }\n"
                                 "P1 (global int* x, global int* y) { if (*y == 2) { *x = 1; } }\n";

/* P1 writes the 1 that P0 looks for only where it finds a 2, which nobody writes. So of the four
 * combinations only that one is left in which neither finds what it looks for. */
static void test_dropped(void)
{
    struct feasible_case c;
    begin(&c, one_of_two, FOREVER);
    CU_ASSERT_EQUAL(c.paths[0].count, 2);
    CU_ASSERT_EQUAL(c.paths[1].count, 2);
    CU_ASSERT_EQUAL(count_feasible(&c), 1);
    end(&c);
}

/* With P0 alone chosen, P1 may still come to write what it needs; nobody writes P1's 2. */
static void test_open_threads(void)
{
    struct feasible_case c;
    begin(&c, one_of_two, FOREVER);
    for (uint32_t i = 0; i < 2; i++)
        CU_ASSERT_TRUE(enum_feasible_so_far(c.feasible, &i, NULL, 1));
    end(&c);
}

/* A write of a value that depends on a read may write anything; the path's own write counts. */
static void test_unknown_and_own_writes(void)
{
    struct feasible_case c;
    begin(&c,
          "OPENCL t\n{ x = 0; y = 0; }\n"
          "P0 (global int* x, global int* y) { if (*x == 1) { *y = 1; } }\n"
          "P1 (global int* x, global int* y) { *x = *y; }\n",
          FOREVER);
    CU_ASSERT_EQUAL(count_feasible(&c), 2);
    end(&c);
    begin(&c,
          "OPENCL t\n{ x = 0; y = 0; }\n"
          "P0 (global int* x, global int* y) { if (*x == 1) { *x = 1; } }\n"
          "P1 (global int* x, global int* y) { *y = 3; }\n",
          FOREVER);
    CU_ASSERT_EQUAL(count_feasible(&c), 2);
    end(&c);
}

/* Nobody writes y = 5, so only the path of P1 that stores 1 is left. A read that spins returns the
 * latest value, which is then 1: P0 leaves, though the initial 0 would keep it spinning. */
static void test_await(void)
{
    struct feasible_case c;
    begin(&c,
          "OPENCL t\n{ atomic_int x = 0; atomic_int y = 0; }\n"
          "P0 (global atomic_int* x) { while (!x.load(mo_acq, dev_scope)); }\n"
          "P1 (global atomic_int* x, global atomic_int* y) {"
          " if (y.load(mo_acq, dev_scope) != 5) { x.store(1, mo_rel, dev_scope); } }\n",
          FOREVER);
    CU_ASSERT_EQUAL(c.paths[0].count, 2);
    CU_ASSERT_EQUAL(c.paths[1].count, 2);
    CU_ASSERT_EQUAL(count_feasible(&c), 1);
    end(&c);
    /* What was read before the wait need not be latest: P0 finds 0, writes 1, and spins. Whether it
     * may find its own 1 is not looked at here, so that path is left as well. */
    begin(&c,
          "OPENCL t\n{ x = 0; y = 0; atomic_int f = 0; }\n"
          "P0 (global int* x, global atomic_int* f) {"
          " int r = *x; *x = 1; while (r == 0 && f.load() == 0); }\n"
          "P1 (global int* y) { *y = 1; }\n",
          FOREVER);
    CU_ASSERT_EQUAL(count_feasible(&c), 2);
    end(&c);
}

/* 8 reads of P0, each tested: 256 paths, which part at 2 + 4 + ... + 256 = 510 constraints, and 3
 * values that P1 writes. Tried once for each constraint, values are 3 * 510; for each path that has
 * the constraint they would be 3 * 8 * 256, and more for each path that writes. */
static void test_cost(void)
{
    struct feasible_case c;
    begin(&c,
          "OPENCL t\n{ x = 0; y = 0; }\n"
          "P0 (global int* x, global int* y) {"
          " for (int i = 0; i < 8; i++) { if (*x == 1) { *y = i; } } }\n"
          "P1 (global int* x) { *x = 1; *x = 2; *x = 3; }\n",
          FOREVER);
    CU_ASSERT_EQUAL(c.paths[0].count, 256);
    CU_ASSERT_TRUE(c.count.asked >= 3 * 510);
    CU_ASSERT_TRUE(c.count.asked < 3 * 8 * 256);
    CU_ASSERT_EQUAL(count_feasible(&c), 256);
    end(&c);
}

/* When the time is over nothing more is asked, and what was not looked at may be feasible. */
static void test_time(void)
{
    struct feasible_case c;
    for (uint32_t most = 1; most <= 5; most++) { /* writes of four paths come first */
        begin(&c, one_of_two, most);
        CU_ASSERT_EQUAL(c.count.asked, most);
        CU_ASSERT_EQUAL(count_feasible(&c), 4);
        end(&c);
    }
}

static const char slots[] = "OPENCL t\n{ atomic_int t = 0; q[2] = {0,0}; }\n"
                            "P0 (global atomic_int* t, global int* q) { int s = t.fetch_add(1, "
                            "mo_rlx, dev_scope); q[s] = 1; }\n"
                            "P1 (global atomic_int* t, global int* q) { int s = t.fetch_add(1, "
                            "mo_rlx, dev_scope); q[s] = 1; }\n";

/* Each takes slot 0, slot 1, or one outside. Slot 1 wants a write of 1, which is that of who takes
 * slot 0: who is outside would write 1 if it had read 0, which is no slot outside. What who is
 * outside reads is its own or the other's, as far as values go. So 00 01 10 0x x0 xx are left.
 * Where read-modify-writes part no two have the one write of 0, the initial one, and whoever is
 * outside first has read a 2, of who took slot 1, who has read of who took slot 0: 01 10. */
static void test_slots(void)
{
    struct feasible_case c;
    begin(&c, slots, FOREVER);
    CU_ASSERT_EQUAL(c.paths[0].count, 3);
    CU_ASSERT_EQUAL(count_feasible(&c), 6);
    CU_ASSERT_TRUE(enum_rmws_part(c.f.model, c.f.program));
    uint32_t events = 0;
    struct exec_run_options options = {.unroll = 2, .path_events = &events};
    c.feasible = enum_feasible_new(&c.f.arena, c.f.program, c.paths, &options, c.f.model, NULL);
    CU_ASSERT_EQUAL(count_feasible(&c), 2);
    end(&c);
}

/* Under models that say it otherwise, or do not say it, nothing is known. */
static void test_parting(void)
{
    static const struct {
        const char *model;
        bool part;
    } cases[] = {{"acyclic po | rf | co | fr\nempty rmw & (fr; co)", true},
                 {"acyclic po | rf | co | fr\nempty (fre; coe) & rmw", true},
                 {"acyclic po | rf | co | fr", false},
                 {"empty rmw & (fr; co)", false},
                 {"acyclic po | rf | co\n~empty rmw & (fr; co)", false},
                 {"acyclic po | rf | fr\nempty rmw & (fr; co)", false},
                 {"acyclic po | rf | co\nempty rmw & (fr; co); rmw", false},
                 {"acyclic po | rf | co\nflag empty rmw & (fr; co) as f", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        fixture_init_texts(&f, one_of_two, cases[i].model, "let p = 0");
        CU_ASSERT_EQUAL(enum_rmws_part(f.model, f.program), cases[i].part);
        if (enum_rmws_part(f.model, f.program) != cases[i].part)
            fprintf(stderr, "%s\n", cases[i].model);
        fixture_fini(&f);
    }
}

#define ADD(scope) "t.fetch_add(1, mo_rlx, " scope "_scope);"
#define ADD_SC "t.fetch_add(1, mo_sc, dev_scope);"
#define COHERENT "acyclic po & loc | rf | co | fr\n"
#define ATOMIC "empty rmw & (fr; co)\n"
/* What is SC takes the first write, and nothing else does. */
#define TURNS(first) COHERENT "empty rf & (IW * (R & RLX))\nempty " first

/* P0 and P1 of two work-groups add to t; P2 of a third one does something else. What two of one
 * source would be: the later one's write has the earlier one's between the source and itself. Under
 * ptx that counts when both are strong and in each other's scope; then, too, nobody reads a write
 * that is coherence-after the own one, unless it is of a scope that does not reach here. Without
 * coherence a source may be such a write. What other events may take away is not sure, nor where a
 * source that reads has its value from. */
static void test_apart(void)
{
    static const struct {
        const char *model, *add, *third;
        bool apart;
        int near; /* P1 is in P0's work-group */
    } cases[] = {{"include \"ptx.cat\"", ADD("dev"), "", true, 0},
                 {"include \"ptx.cat\"", ADD("wg"), "", false, 0},
                 {"include \"ptx.cat\"", ADD("dev"), "t.store(5, mo_rlx, dev_scope);", true, 0},
                 {"include \"ptx.cat\"", ADD("dev"), "t.store(5, mo_rlx, wg_scope);", false, 0},
                 {"include \"ptx.cat\"", ADD("wg"), "", true, 1},
                 {"include \"ptx.cat\"", ADD("wg"), ADD("wg"), false, 1},
                 {"include \"opencl.cat\"", ADD("dev"), "", true, 0},
                 {"include \"rc11.cat\"", ADD("dev"), "t.store(5, mo_rlx, dev_scope);", true, 0},
                 {COHERENT ATOMIC, ADD("dev"), "t.store(5, mo_rlx, dev_scope);", true, 0},
                 {COHERENT ATOMIC, ADD("dev") ADD("dev"), "", false, 0}, /* twice: not looked at */
                 {"acyclic po & loc | rf & ext | co | fr\n" ATOMIC, ADD("dev"), "", false,
                  0}, /* of itself */
                 {COHERENT, ADD("dev"), "", false, 0},
                 {ATOMIC, ADD("dev"), "", false, 0},
                 {COHERENT "flag " ATOMIC, ADD("dev"), "", false, 0},
                 {COHERENT "~" ATOMIC, ADD("dev"), "", false, 0},
                 {COHERENT "empty rmw & (fr; co) & ext", ADD("dev"), "", false,
                  0}, /* rmw is of one thread */
                 {COHERENT "empty (rmw & (fr; co)) \\ (po; po)", ADD("dev"), "", false, 0},
                 {COHERENT "empty (rmw & (fr; co)) \\ (po; [F])", ADD("dev"), "", true, 0},
                 {COHERENT "empty (rmw & (fr; co)) \\ data", ADD("dev"), "", false, 0},
                 {COHERENT "empty (rmw & (fr; co)) & (W * R)^-1", ADD("dev"), "", true, 0},
                 {TURNS("(IW * (R & SC) & loc) \\ rf"), ADD("dev"), ADD_SC, false, 0},
                 {TURNS("((R & SC) * (W \\ IW) & loc) \\ fr"), ADD("dev"), ADD_SC, false, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        struct exec_paths paths[3];
        char text[500];
        uint32_t events = 0;
        const struct exec_run_options options = {.unroll = 2, .path_events = &events};
        snprintf(text, sizeof text,
                 "OPENCL t\n{ atomic_int t = 0; }\nP0@wg 0 (global atomic_int* t) { %s }\n"
                 "P1@wg %d (global atomic_int* t) { %s }\nP2@wg 2 (global atomic_int* t) { %s }\n",
                 cases[i].add, !cases[i].near, cases[i].add, cases[i].third);
        fixture_init_texts(&f, text, cases[i].model, "let p = 0");
        for (uint32_t t = 0; t < 3; t++)
            exec_run_thread(&f.arena, f.program, t, &options, &paths[t]);
        bool apart = enum_rmws_apart(&f.arena, f.model, f.program, paths, 0);
        CU_ASSERT_EQUAL(apart, cases[i].apart);
        if (apart != cases[i].apart)
            fprintf(stderr, "%s: %s %s\n", cases[i].model, cases[i].add, cases[i].third);
        fixture_fini(&f);
    }
}

void suite_enum_feasible(void)
{
    CU_pSuite suite = CU_add_suite("enum_feasible", NULL, NULL);
    UNIT_TEST(suite, test_dropped);
    UNIT_TEST(suite, test_open_threads);
    UNIT_TEST(suite, test_unknown_and_own_writes);
    UNIT_TEST(suite, test_await);
    UNIT_TEST(suite, test_cost);
    UNIT_TEST(suite, test_time);
    UNIT_TEST(suite, test_slots);
    UNIT_TEST(suite, test_parting);
    UNIT_TEST(suite, test_apart);
}
