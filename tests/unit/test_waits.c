/* Work-items that wait in vain: which loops are found, for which conditions, and what is said. */
#include "base/strbuf.h"
#include "crashlit.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

/* So many conditions have the remark under an engine and sc + epoch, and these words are in it. */
static void expect_by(const char *engine, const char *text, size_t count, const char *words)
{
    static const char mark[] = "\"vacuous\":\"waits\"";
    struct crashlit *context = crashlit_new();
    CU_ASSERT_EQUAL(crashlit_set(context, "model", "sc"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "persistency", "epoch"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "engine", engine), CRASHLIT_OK);
    struct crashlit_result *result = crashlit_check(context, "t.litmus", text, strlen(text));
    CU_ASSERT_EQUAL_FATAL(crashlit_result_count(result), 1);
    const char *json = crashlit_result_json(result, 0);
    size_t found = 0;
    for (const char *at = strstr(json, mark); at; at = strstr(at + 1, mark))
        found++;
    bool said = !words || strstr(json, words);
    if (found != count || !said)
        printf("%s%s: %s\n%.1400s\n", text, engine, words ? words : "", json);
    CU_ASSERT_EQUAL(found, count);
    CU_ASSERT_TRUE(said);
    crashlit_result_free(result);
    crashlit_free(context);
}

/* Lines 3 to 5 are the work-items; an empty one does nothing. */
static void of(const char *p0, const char *p1, const char *p2, const char *rest, size_t count,
               const char *words)
{
    struct strbuf text = {0};
    strbuf_add(&text, "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm z = 0; atomic_int f = 0; "
                      "atomic_int g = 0; atomic_int held = 1; }\n");
    const char *const bodies[] = {p0, p1, p2};
    for (uint32_t t = 0; t < 3; t++)
        strbuf_printf(
            &text,
            "P%u@wg 0 (global int* x, global int* y, global int* z, global atomic_int* f, "
            "global atomic_int* g, global atomic_int* held) { %s }\n",
            t, bodies[t]);
    strbuf_printf(&text, "%s\n", rest);
    expect_by("auto", strbuf_text(&text), count, words);
    strbuf_fini(&text);
}

static const char ordered[] = "crash ~exists (y = 1 /\\ x = 0)";

/* y = 1 comes behind the loop. Somebody stores what it waits for; nobody; another value; the value
 * for a while, which is when it may be read. */
static void test_stores(void)
{
    const char *waits = "while (f.load() != 1); *y = 1;";
    of("*x = 1; f.store(1);", waits, "", ordered, 0, NULL);
    of("*x = 1;", waits, "", ordered, 1,
       "P1 never gets past its loop at line 4: it waits for f to be 1, and no work-item stores to "
       "f");
    of("*x = 1; f.store(2);", waits, "", ordered, 1,
       "it waits for f to be 1, and the only store to f (P0's at line 3) does not let it go on");
    of("*x = 1; f.store(2); f.store(3);", waits, "", ordered, 1,
       "it waits for f to be 1, and no store to f (such as P0's at line 3) lets it go on");
    /* f = 1 would, and comes behind the loop. */
    of("f.store(2);", "while (f.load() != 1); *y = 1; f.store(1);", "", ordered, 1,
       "it waits for f to be 1, and the only store to f that may let it go on (P1's at line 4) "
       "comes behind that loop\"");
    of("*x = 1; f.store(1); f.store(0);", waits, "", ordered, 0, NULL);
    /* g stays 0: f = 1, which would let it go on, is never come to. */
    const char *unread =
        "it waits for f to be 1, and reads no value that lets it go on; a store to f "
        "stands in P0 at line 3\"";
    of("*x = 1; if (g.load()) f.store(1);", waits, "", ordered, 1, unread);
    of("f.store(2); *x = 1; if (g.load()) f.store(1);", waits, "", ordered, 1, unread);
    /* A loop that is left with i = 0, and never with i = 1. */
    of("for (int i = 0; i < 3; i++) { while (f.load() != i); } f.store(1);", waits, "", ordered, 1,
       unread);
    of("*x = 1; if (g.load()) f.store(1);", waits, "g.store(1);", ordered, 0, NULL);
    /* A store of its own, in the loop: f is never 2, so 1, which would do, is not stored. */
    of("", "while (1) { int r = f.load(); if (r == 2) f.store(1); if (r == 1) break; } *y = 1;", "",
       ordered, 1,
       "it waits for f, and reads no value that lets it go on; a store to f stands in P1 at line "
       "4");
}

/* Each shape of a test that a work-item waits with. */
static void test_loops(void)
{
    const char *not_zero = "it waits for f to be other than 0, and no work-item stores to f";
    of("", "while (f.load() == 0); *y = 1;", "", ordered, 1, not_zero);
    of("", "while (!f.load()); *y = 1;", "", ordered, 1, not_zero);
    of("", "while (0 == f.load()); *y = 1;", "", ordered, 1, not_zero);
    of("", "int r; do { r = f.load(); } while (r == 0); *y = 1;", "", ordered, 1, not_zero);
    of("", "while (1) { if (f.load() > 2) break; } *y = 1;", "", ordered, 1,
       "it waits for f, and no work-item stores to f");
    of("", "while (f.fetch_add(0) == 0); *y = 1;", "", ordered, 1,
       "it waits for f to be other than 0, and nothing else stores to f");
    of("", "while (held.exchange(1) == 1); *y = 1;", "", ordered, 1,
       "it waits for held to be other than 1, and nothing else stores to held");
    of("held.store(1);", "while (held.exchange(1) == 1); *y = 1;", "", ordered, 1,
       "and the only other store to held (P0's at line 3) does not let it go on");
    /* 2 is true as well. */
    of("", "bool r; do { r = f.load(); } while (r != 1); *y = 1;", "", ordered, 1,
       "it waits for f, and no work-item stores to f");
    /* f needs both; g is stored to. */
    of("g.store(1);", "while (f.load() == 0 || g.load() == 0); *y = 1;", "", ordered, 1,
       "it waits for f, and no work-item stores to f");
}

/* Stores that are there and come behind what never ends. */
static void test_circles(void)
{
    of("", "while (f.load() == 0); *y = 1; f.store(1);", "", ordered, 1,
       "the only store to f (P1's at line 4) comes behind that loop");
    of("", "while (f.load() == 0); *y = 1; f.store(1); f.store(2);", "", ordered, 1,
       "every store to f (such as P1's at line 4) comes behind that loop");
    of("while (g.load() == 0); *x = 1; f.store(1);", "while (f.load() == 0); *y = 1; g.store(1);",
       "", ordered, 1,
       "P0 never gets past its loop at line 3: it waits for g to be other than 0, and the only "
       "store to g (P1's at line 4) comes behind its own loop, never left either (line 4)");
    /* P0 waits for nobody's store: that is told first, and who waits behind it. */
    of("while (held.load() == 1); f.store(1);", "while (f.load() == 0); *y = 1;", "", ordered, 1,
       "P0 never gets past its loop at line 3: it waits for held to be other than 1, and no "
       "work-item stores to held; P1 waits in vain at line 4");
    /* Who joins, and who is to be launched, waits in no loop. */
    expect_by(
        "auto",
        "OPENCL t\n{ nvm y = 0; atomic_int f = 0; }\n"
        "P0 { launch 1; join 1; *y = 1; f.store(1); }\n"
        "P1@kr 1 { while (!f.load()); }\ncrash ~exists (y = 1)\n",
        1,
        "the only store to f (P0's at line 3) comes behind a wait that never ends either (line 3)");
    expect_by(
        "auto",
        "OPENCL t\n{ nvm y = 0; atomic_int f = 0; }\n"
        "P0 { while (!f.load()); launch 1; }\n"
        "P1@kr 1 { f.store(1); *y = 1; }\ncrash ~exists (y = 1)\n",
        1,
        "the only store to f (P1's at line 4) comes behind a wait that never ends either (line 4)");
}

/* One that is left, and one that is not; the first of two; the inner one, and the outer one alone,
 * whose inner one is left. */
static void test_several(void)
{
    of("f.store(1);", "while (!f.load()); *x = 1; while (!g.load()); *y = 1;", "", ordered, 1,
       "it waits for g");
    of("", "while (!f.load()); *x = 1; while (!g.load()); *y = 1;", "", ordered, 1,
       "it waits for f to be other than 0, and no work-item stores to f\"");
    of("g.store(1);", "do { while (!f.load()); } while (!g.load()); *y = 1;", "", ordered, 1,
       "it waits for f to be other than 0");
    of("f.store(1);", "do { while (!f.load()); } while (!g.load()); *y = 1;", "", ordered, 1,
       "it waits for g");
    /* One inner loop behind the other: the second is not left; both are, and held stays 1. */
    const char *two = "do { while (!f.load()); while (!g.load()); } while (held.load()); *y = 1;";
    of("f.store(1);", two, "", ordered, 1, "it waits for g");
    of("f.store(1); g.store(1);", two, "", ordered, 1, "it waits for held");
    /* Where g is 0 the inner one is not come to; f alone lets it out of the outer one. */
    of("g.store(1);", "while (!f.load()) { if (g.load()) while (held.load()); } *y = 1;", "",
       ordered, 1,
       "it waits for f to be other than 0, and no work-item stores to f; P1 waits in vain at line "
       "4\"");
    /* Rounds of the outer one go by one that is left at once, and not by the one in that. */
    of("", "while (f.load() != 1) { while (g.load() == 5) while (held.load() == 5); } *y = 1;", "",
       ordered, 1, "it waits for f to be 1, and no work-item stores to f\"");
    /* And of two work-items, each by itself. */
    const char *within = "while (!held.load() || !g.load()) { while (g.load() == 5) while "
                         "(held.load() == 5); } *x = 1;";
    of(within, "while (!f.load()); *y = 1;", "", "crash ~exists (x = 1 /\\ y = 1)", 1,
       "it waits for g, and no work-item stores to g; P1 waits in vain at line 4\"");
    /* y alone stands behind the second. */
    of(within, "while (!f.load()); *y = 1;", "", "crash ~exists (y = 1)", 1,
       "it waits for f to be other than 0, and no work-item stores to f; P0 waits in vain at line "
       "3\"");
    /* Around both of them goes a loop that may store. Both are left in each round. */
    of("f.store(1); g.store(1);",
       "int n = 0; do { if (n == 3) *z = 1; while (!f.load()); while (!g.load()); n = held.load(); "
       "} "
       "while (n != 5); *y = 1;",
       "", ordered, 0, NULL);
    /* A loop around it that counts is no part of it, which reads f once. */
    of("f.store(2);",
       "int i = 0; do { while (f.load() != 1 || g.load() == 9); i++; *z = i; } while (i < 3); "
       "*y = 1;",
       "", ordered, 1,
       "it waits for f, and the only store to f (P0's at line 3) does not let it go on");
    /* It waits only where it has read 1, and ends where it has read 0; then y is stored. */
    of("g.store(1);", "if (g.load()) { while (!f.load()); } *y = 1;", "", ordered, 0, NULL);
}

/* Code that stands behind a loop need not be come to through it. */
static void test_ways(void)
{
    /* z is 0, so the loop on g is never come to. */
    of("if (*z) { while (!g.load()); } else { while (!f.load()); *y = 1; }", "g.store(1);", "",
       "crash ~exists (y = 1)", 1,
       "P0 never gets past its loop at line 3: it waits for f to be other than 0, and no "
       "work-item stores to f\"");
    /* held is 1: the other way is never taken, but the loop is not what keeps it away. */
    of("if (held.load()) { while (!f.load()); } else { *y = 1; }", "", "", "crash ~exists (y = 1)",
       0, NULL);
    /* Either loop may be come to, and y is behind both. */
    of("if (g.load()) { while (!f.load()); } else { while (held.load()); } *y = 1;", "g.store(1);",
       "", "crash ~exists (y = 1)", 1,
       "it waits for f to be other than 0, and no work-item stores to f; P0 waits in vain at line "
       "3\"");
    /* f = 1 leads out of the first loop to B. */
    static const char table[] = "PTX t\n{ nvm y = 0; f = 0; g = 0; }\n"
                                "P0@cta 0,gpu 0       | P1@cta 0,gpu 0       ;\n"
                                "A:                   | st.release.gpu f, 1  ;\n"
                                "ld.acquire.gpu r1, f |                      ;\n"
                                "beq r1, 1, B         |                      ;\n"
                                "beq r1, 0, A         |                      ;\n"
                                "st.weak y, 2         |                      ;\n"
                                "B:                   |                      ;\n"
                                "ld.acquire.gpu r2, g |                      ;\n"
                                "beq r2, 0, B         |                      ;\n"
                                "st.weak y, 1         |                      ;\n"
                                "crash ~exists (y = 1)\n";
    expect_by("auto", table, 1,
              "P0 never gets past its loop at line 11: it waits for g, and no work-item stores to "
              "g\"");
}

/* x is 1 behind the first loop, and 2 behind the other, which waits for what nobody stores: each
 * condition has the loop that keeps its value away. */
static void test_condition(void)
{
    const char *two = "if (f.load() == 1) { while (f.load() != 2); *x = 1; }\n"
                      "else { while (!g.load()); *x = 2; }";
    of("f.store(1);", two, "", "crash ~exists (x = 1)", 1,
       "P1 never gets past its loop at line 4: it waits for f to be 2, and the only store to f "
       "(P0's at line 3) does not let it go on; P1 waits in vain at line 5\"");
    of("f.store(1);", two, "", "crash ~exists (x = 2)", 1,
       "P1 never gets past its loop at line 5: it waits for g to be other than 0, and no work-item "
       "stores to g; P1 waits in vain at line 4\"");
}

/* What is read decides nothing, or not alone. */
static void test_deciding(void)
{
    static const char text[] = "OPENCL t\n{ nvm y = 0; i = 0; atomic_int f[2] = {0, 0}; }\n"
                               "P0 (global int* y, global int* i, global atomic_int* f) {\n"
                               "while (!atomic_load(&f[*i])); *y = 1; }\n"
                               "P1 (global atomic_int* f) { atomic_store(&f[1], 1); }\n"
                               "crash ~exists (y = 1)\n";
    /* Another i would end it, and so would another f[0]. */
    expect_by("auto", text, 1, "vacuous: P0 never gets past its loop at line 4\"");
    of("", "int r; do { r = f.load(); r = g.load(); } while (r == 0); *y = 1;", "", ordered, 1,
       "it waits for g, and no work-item stores to g\"");
    /* Of held the value is right; either of f and g would do. */
    of("g.store(0);", "while (held.load() == 0 || g.load() == 0); *y = 1;", "", ordered, 1,
       "it waits for g, and the only store to g (P0's at line 3) does not let it go on\"");
    of("g.store(0);", "while (f.load() == 0 && g.load() == 0); *y = 1;", "", ordered, 1,
       "vacuous: P1 never gets past its loop at line 4\"");
    of("", "while (!f.load()) { if (*x) *z = 1; } *y = 1;", "f.store(0);", ordered, 1,
       "it waits for f to be other than 0, and the only store to f (P2's at line 5) does not let");
    /* -1 is what lock has: that is stored in its place, and g is missing. */
    expect_by("auto",
              "OPENCL t\n{ nvm y = 0; atomic_uint lock = 4294967295; atomic_int g = 0; }\n"
              "P0 { while (!atomic_compare_exchange_strong(lock, -1, -1) || !g.load()); *y = 1; }\n"
              "crash ~exists (y = 1)\n",
              1, "it waits for g, and no work-item stores to g\"");
}

/* Of an array of structs one member of any element, of a matrix one column; others are stored to.
 * An index has no name of its own, which might be one of the test's. */
static void test_elements(void)
{
    expect_by("auto",
              "OPENCL t\nstruct entry { int key; atomic_int valid; };\n"
              "{ nvm y = 0; i = 0; struct entry log[2]; }\n"
              "P0 { int k = *i; while (!log[k].valid.load()); *y = 1; }\n"
              "P1 { log[0].key = 1; }\ncrash ~exists (y = 1)\n",
              1,
              "it waits for log[..].valid to be other than 0, and no work-item stores to "
              "log[..].valid\"");
    expect_by("auto",
              "OPENCL t\n{ nvm y = 0; i = 0; atomic_int a[2][12]; }\n"
              "P0 { int k = *i; while (!atomic_load(&a[k][11])); *y = 1; }\n"
              "P1 { atomic_store(&a[0][1], 1); }\ncrash ~exists (y = 1)\n",
              1,
              "it waits for a[..][11] to be other than 0, and no work-item stores to a[..][11]\"");
    expect_by("auto",
              "OPENCL t\n{ nvm y = 0; i = 0; atomic_int a[2][12]; }\n"
              "P0 { int k = *i; while (!atomic_load(&a[1][k])); *y = 1; }\n"
              "P1 { atomic_store(&a[0][1], 1); }\ncrash ~exists (y = 1)\n",
              1, "it waits for a[1][..] to be other than 0, and no work-item stores to a[1][..]\"");
}

/* Of a lock that nobody gives back, each may be the first to have it. A loop that counts, or meets
 * others, is looked at up to a bound: the condition is unknown. */
static void test_unsaid(void)
{
    const char *locks = "while (f.exchange(1) == 1); *y = 1;";
    of(locks, locks, "", "crash ~exists (y = 1 /\\ x = 1)", 0, NULL);
    of("", "int n = 0; while (!f.load()) n++; *y = n;", "", ordered, 0, NULL);
    of("while (!f.load()) barrier(CLK_GLOBAL_MEM_FENCE);",
       "while (!f.load()) barrier(CLK_GLOBAL_MEM_FENCE); *y = 1;",
       "while (!f.load()) barrier(CLK_GLOBAL_MEM_FENCE);", ordered, 0, NULL);
    of("*x = 1; barrier(CLK_GLOBAL_MEM_FENCE);",
       "while (!f.load()); barrier(CLK_GLOBAL_MEM_FENCE); *y = 1;", "", ordered, 0,
       NULL); /* undefined */
}

/* What the loop keeps away, by reads of others as well, and what it does not. A state that decides
 * a condition is no store's that never comes. */
static void test_concern(void)
{
    const char *waits = "*x = 1; while (!f.load()); *y = 1;";
    of("", waits, "", "crash ~exists (x = 2)\ncrash ~exists (y = 1)", 1, NULL);
    of("", waits, "", "crash exists (x = 1 /\\ y = 0)", 0, NULL);
    of("", waits, "", "crash exists (y = 1)", 1, NULL);
    of("", waits, "if (*y == 1) *z = 1;", "crash ~exists (z = 1 /\\ x = 0)", 1, NULL);
    of("", "while (!f.load()); g.store(1);", "*x = 1; if (g.load()) *z = 1;",
       "crash ~exists (z = 1 /\\ x = 0)\ncrash ~exists (x = 2)", 1, NULL);
    of("", "while (!f.load()); int r = *x;", "*x = 1;",
       "crash ~exists (1:r = 0)\ncrash ~exists (x = 2)", 1, NULL);
}

/* There is no final state: that says why, whoever has written `ok` down or not. Of recovery, what
 * the program never does is missing; recovery that never ends is an error. */
static void test_kinds(void)
{
    const char *waits = "while (!f.load()); *y = 1;";
    of("", waits, "", "final ~exists (y = 2)", 1, "no work-item stores to f");
    of("", waits, "", "final exists (y = 1)", 1, "no work-item stores to f");
    of("", waits, "", "final ~exists (y = 2)\ncrash ~exists (y = 1)\nexpect sc + epoch : ok", 2,
       "no work-item stores to f");
    of("", waits, "",
       "recovery (global int* y, global int* z) { *z = *y; }\nrecovered ~exists (z = 1)", 1, NULL);
    of("*y = 1;", "", "",
       "recovery (global int* y, global atomic_int* f) { while (!f.load()); *y = 2; }\n"
       "recovered ~exists (y = 1)",
       0, NULL);
    /* Only who is relaunched finds x = 1, and lets the other go on. */
    of("if (*x) f.store(1); *x = 1; p_barrier_wi; crash \"here\";", waits, "",
       "recovery relaunch;\nrecovered ~exists (y = 1 /\\ x = 0)", 0, NULL);
    of("crash \"here\"; *x = 1;", waits, "", "crash ~exists (y = 1)", 1, NULL);
}

/* Whichever engine answers, and an array's element chosen at run time. */
static void test_engines(void)
{
    static const char text[] = "OPENCL t\n{ nvm y = 0; nvm i = 0; atomic_int f[2] = {0, 0}; }\n"
                               "P0 (global int* y, global int* i, global atomic_int* f) {\n"
                               "int k = *i; while (!atomic_load(&f[k])); *y = 1; }\n"
                               "P1 (global int* i) { }\n"
                               "crash ~exists (y = 1)\n";
    expect_by("enum", text, 1, "it waits for f");
    expect_by("smt", text, 1, "it waits for f");
}

/* It may be come to again, and got past the first time. Four others may come in any order, of which
 * nothing is to be tried. */
static void test_many(void)
{
    const char *four = "f.store(1);";
    of(four, "for (int i = 0; i < 2; i++) { while (!f.load()); *x = 1; f.store(0); } *y = 1;", "",
       ordered, 0, NULL);
    struct strbuf text = {0};
    strbuf_add(&text,
               "OPENCL t\n{ nvm y = 0; atomic_int f = 0; atomic_int a = 0; atomic_int b = 0; }\n");
    for (uint32_t t = 0; t < 4; t++)
        strbuf_printf(&text,
                      "P%u { int r = a.load(); b.store(%u); int s = b.load(); a.store(%u); }\n", t,
                      t + 1, t + 5);
    strbuf_add(&text, "P4 { while (!f.load()); *y = 1; }\ncrash ~exists (y = 1)\n");
    expect_by("auto", strbuf_text(&text), 1, "no work-item stores to f");
    strbuf_fini(&text);
}

void suite_waits(void)
{
    CU_pSuite suite = CU_add_suite("waits", NULL, NULL);
    UNIT_TEST(suite, test_stores);
    UNIT_TEST(suite, test_loops);
    UNIT_TEST(suite, test_circles);
    UNIT_TEST(suite, test_several);
    UNIT_TEST(suite, test_ways);
    UNIT_TEST(suite, test_condition);
    UNIT_TEST(suite, test_deciding);
    UNIT_TEST(suite, test_elements);
    UNIT_TEST(suite, test_unsaid);
    UNIT_TEST(suite, test_concern);
    UNIT_TEST(suite, test_kinds);
    UNIT_TEST(suite, test_engines);
    UNIT_TEST(suite, test_many);
}
