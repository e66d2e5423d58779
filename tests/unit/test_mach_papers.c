/* What sets built-in machines of one paper apart: a program each, and what a crash leaves on two of
 * them, by the paper's words. Values are those of x, y, z in this order; the crash is at the point.
 */
#include "test_mach_fixture.h"

#define X "nvm x = 0; "
#define XY X "nvm y = 0; "
#define FLAG "atomic_int F = 0; "
#define TEST(file, places, code) \
    "OPENCL t\nuses \"" file ".def\"\n{ " places " }\n" code "crash exists (true)\n"

struct pair {
    const char *test, *machine, *shows, *neighbour, *its;
};

static void expect_apart(const struct pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mach_expect(pairs[i].test, pairs[i].machine, pairs[i].shows, NULL);
        mach_expect(pairs[i].test, pairs[i].neighbour, pairs[i].its, NULL);
    }
}

#define SAW "while (!F.load(mo_acq, dev_scope)); "

/* GPM: a fence waits for "prior writes by a GPU thread" (5.1), or for what that has seen as well; a
 * release to the host makes what was before it visible to all, which is at the memory controllers
 * (3.1). */
static void test_gpm(void)
{
    static const struct pair pairs[] = {
        {TEST("gpm", X FLAG,
              "P0@wg 0 { x = 1; F.store(1, mo_rel, dev_scope); }\n"
              "P1@wg 1 { " SAW "gpm_persist(); crash \"\"; }\n"),
         "gpm-cumulative", "1 ", "gpm", "0 1 "},
        /* The end of a kernel, and a host that joins it. */
        {TEST("gpm", X, "P0{cpu} { launch 1; join 1; crash \"\"; }\nP1@kr 1 { x = 1; }\n"),
         "gpm-released", "1 ", "gpm", "0 1 "},
        /* Released to the host, of what another thread has written, too; the other scope is none of
           the host's. */
        {TEST("gpm", X FLAG "atomic_int G = 0; ",
              "P0{cpu} { while (!G.load(mo_acq, all_scope)); crash \"\"; }\n"
              "P1@wg 0 { x = 1; F.store(1, mo_rel, dev_scope); }\n"
              "P2@wg 1 { " SAW "G.store(1, mo_rel, all_scope); }\n"),
         "gpm-released", "1 ", "gpm", "0 1 "},
        {TEST("gpm", X FLAG,
              "P0{cpu} { " SAW "crash \"\"; }\n"
              "P1@wg 0 { x = 1; F.store(1, mo_rel, dev_scope); }\n"),
         "gpm-released", "0 1 ", "gpm", "0 1 "},
        /* Nobody but the host waits for it. */
        {TEST("gpm", X, "P0{cpu} { launch 1; }\nP1@kr 1 { x = 1; crash \"\"; }\n"), "gpm-released",
         "0 1 ", "gpm", "0 1 "},
    };
    expect_apart(pairs, sizeof pairs / sizeof pairs[0]);
}

/* A fence orders and does not wait: what is behind it waits for what is before, of those whose
 * stores its thread has seen, too; the host, which sees its memory alone, sees neither before. */
static void test_gpm_ordered(void)
{
    static const struct pair pairs[] = {
        {TEST("gpm", X, "P0 { x = 1; gpm_persist(); crash \"\"; }\n"), "gpm-ordered", "0 1 ", "gpm",
         "1 "},
        {TEST("gpm", XY, "P0 { x = 1; gpm_persist(); y = 1; crash \"\"; }\n"), "gpm-ordered",
         "0,0 1,0 1,1 ", "gpm", "1,0 1,1 "},
        {TEST("gpm", XY, "P0 { x = 1; y = 1; crash \"\"; }\n"), "gpm-ordered", "0,0 0,1 1,0 1,1 ",
         "gpm", "0,0 0,1 1,0 1,1 "},
        {TEST("gpm", XY FLAG,
              "P0@wg 0 { x = 1; F.store(1, mo_rel, dev_scope); }\n"
              "P1@wg 1 { " SAW "gpm_persist(); y = 1; crash \"\"; }\n"),
         "gpm-ordered", "0,0 1,0 1,1 ", "gpm", "0,0 0,1 1,0 1,1 "},
        /* A host that has seen the flag, and one that has seen a flag without a fence. */
        {TEST("gpm", X FLAG,
              "P0{cpu} { " SAW "crash \"\"; }\n"
              "P1@wg 0 { x = 1; gpm_persist(); F.store(1, mo_rlx, all_scope); }\n"),
         "gpm-ordered", "1 ", "gpm", "1 "},
        {TEST("gpm", X FLAG,
              "P0{cpu} { " SAW
              "crash \"\"; }\nP1@wg 0 { x = 1; F.store(1, mo_rlx, all_scope); }\n"),
         "gpm-ordered", "0 1 ", "gpm", "0 1 "},
        /* A read behind the fence comes before the host's store, which it does not see. */
        {TEST("gpm", XY,
              "P0{cpu} { y = 1; }\n"
              "P1@wg 0 { x = 1; gpm_persist(); if (!y) { while (!y); crash \"\"; } }\n"),
         "gpm-ordered", "1,0 1,1 ", "gpm", "1,0 1,1 "},
        /* SFENCE is the host's. */
        {TEST("gpm", X, "P0 { x = 1; gpm_persist(); pmem_drain(); crash \"\"; }\n"), "gpm-ordered",
         "0 1 ", "gpm", "1 "},
        /* What a host has stored is in its cache, whoever has seen it. */
        {TEST("gpm", XY FLAG,
              "P0{cpu} { x = 1; F.store(1, mo_rel, all_scope); }\n"
              "P1@wg 0 { " SAW "gpm_persist(); y = 1; crash \"\"; }\n"),
         "gpm-ordered", "0,0 0,1 1,0 1,1 ", "gpm", "0,0 0,1 1,0 1,1 "},
    };
    expect_apart(pairs, sizeof pairs / sizeof pairs[0]);
}

/* Kiln: the LLC has a state for each line; P1's transaction, which goes on, is committed with P0's,
 * as far as it is there. */
static void test_kiln(void)
{
    static const struct pair pairs[] = {
        {TEST("tx", XY FLAG "atomic_int G = 0; line {x, y}; ",
              "P0@wg 0 { " SAW "tx_begin(); x = 1; tx_end(); crash \"\"; }\n"
              "P1@wg 1 { tx_begin(); y = 1; F.store(1, mo_rel, dev_scope); "
              "while (!G.load(mo_acq, dev_scope)); tx_end(); }\n"),
         "kiln-line", "1,0 1,1 ", "kiln", "1,0 "},
    };
    expect_apart(pairs, sizeof pairs / sizeof pairs[0]);
}

#define WRITTEN_BACK "{ x = 1; clwb(x); F.store(1, mo_rel, dev_scope); }\n"
#define FENCED "{ " SAW "sfence(); crash \"\"; }\n"

/* Lin: an sfence waits for "prior memory operations from the same warp" (III-A); another sub-group
 * is another warp. */
static void test_lin(void)
{
    static const struct pair pairs[] = {
        {TEST("lin", X FLAG, "P0@wg 0, sg 0 " WRITTEN_BACK "P1@wg 0, sg 0 " FENCED), "lin-warp",
         "1 ", "lin-adr", "0 1 "},
        {TEST("lin", X FLAG, "P0@wg 0, sg 0 " WRITTEN_BACK "P1@wg 0, sg 1 " FENCED), "lin-warp",
         "0 1 ", "lin-adr", "0 1 "},
    };
    expect_apart(pairs, sizeof pairs / sizeof pairs[0]);
}

/* A GPU's write-back that finds its line clean is acknowledged at once, though what the line had
 * may be on its way to a queue still; a store that writes through is acknowledged by the memory
 * (V). The host's cache is no such L2. */
static void test_lin_clean(void)
{
    static const struct pair pairs[] = {
        {TEST("lin", X, "P0 { x = 1; clwb(x); sfence(); crash \"\"; }\n"), "lin-clean", "0 1 ",
         "lin-adr", "1 "},
        {TEST("lin", X, "P0 { x = 1; l2wb(); sfence(); crash \"\"; }\n"), "lin-clean", "0 1 ",
         "lin-adr", "1 "},
        {TEST("lin", X, "P0 { st_wt(x, 1); sfence(); crash \"\"; }\n"), "lin-clean", "1 ",
         "lin-adr", "1 "},
        {TEST("lin", X, "P0{cpu} { x = 1; clwb(x); sfence(); crash \"\"; }\n"), "lin-clean", "1 ",
         "lin-adr", "1 "},
    };
    expect_apart(pairs, sizeof pairs / sizeof pairs[0]);
}

/* Each GPU has an L2, the host a cache (figure 1): a write-back by one is none of what another has,
 * whatever it is told by flags. */
static void test_lin_places(void)
{
#define BOTH(...) \
    TEST("lin", X FLAG, "P0@kr 0, dev 0 { x = 1; F.store(1, mo_rel, all_scope); }\n" __VA_ARGS__)
#define PERSISTS(how) \
    "{ while (!F.load(mo_acq, all_scope)); " how " sfence(); pcommit(); sfence(); crash \"\"; }\n"
    static const char *const machines[] = {"lin-adr", "lin-wpq", "lin-warp"};
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        mach_expect(BOTH("P1@kr 1, dev 1 " PERSISTS("l2wb();")), machines[i], "0 1 ", NULL);
        mach_expect(BOTH("P1@kr 1, dev 1 " PERSISTS("clwb(x);")), machines[i], "0 1 ", NULL);
        mach_expect(BOTH("P1{cpu}@kr 1, dev 0 " PERSISTS("clwb(x);")), machines[i], "0 1 ", NULL);
        mach_expect(BOTH("P1{cpu}@kr 1, dev 0 " PERSISTS("l2wb();")), machines[i], "1 ", NULL);
        mach_expect(BOTH("P1@kr 1, dev 0 " PERSISTS("clwb(x);")), machines[i], "1 ", NULL);
    }
}

void suite_mach_papers(void)
{
    CU_pSuite suite = CU_add_suite("mach_papers", NULL, NULL);
    UNIT_TEST(suite, test_gpm);
    UNIT_TEST(suite, test_gpm_ordered);
    UNIT_TEST(suite, test_kiln);
    UNIT_TEST(suite, test_lin);
    UNIT_TEST(suite, test_lin_clean);
    UNIT_TEST(suite, test_lin_places);
}
