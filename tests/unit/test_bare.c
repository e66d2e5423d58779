/* Conditions that hold without barriers, fences and flushes as well: which are found, at the
 * smallest, and under which model pairs nothing is said. */
#include "base/strbuf.h"
#include "crashlit.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

/* How many conditions of the test hold so, under the pair. */
static void expect_bare(const char *visibility, const char *persistency, const char *text,
                        size_t count)
{
    static const char mark[] = "\"vacuous\":\"without-order\"";
    struct crashlit *context = crashlit_new();
    CU_ASSERT_EQUAL(crashlit_set(context, "model", visibility), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "persistency", persistency), CRASHLIT_OK);
    struct crashlit_result *result = crashlit_check(context, "t.litmus", text, strlen(text));
    CU_ASSERT_EQUAL_FATAL(crashlit_result_count(result), 1);
    const char *json = crashlit_result_json(result, 0);
    size_t found = 0;
    for (const char *at = strstr(json, mark); at; at = strstr(at + 1, mark))
        found++;
    if (found != count)
        printf("%s + %s: %s%.900s\n", visibility, persistency, text, json);
    CU_ASSERT_EQUAL(found, count);
    crashlit_result_free(result);
    crashlit_free(context);
}

static void of(const char *persistency, const char *body, const char *rest, size_t count)
{
    struct strbuf text = {0};
    strbuf_printf(&text,
                  "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm a[2]; v = 0; }\n"
                  "P0 (global int* x, global int* y, global int* a, global int* v) { %s }\n%s\n",
                  body, rest);
    expect_bare("hrf-direct", persistency, strbuf_text(&text), count);
    strbuf_fini(&text);
}

static const char ordered[] = "*x = 1; p_barrier_wi; int r = *x; *y = 1;";

/* That y = 1 is durable tells that what comes before it has executed, and so r is 1, barrier or
 * not. That x is durable then the barrier alone makes so. */
static void test_needed(void)
{
    of("epoch", ordered, "crash ~exists (y = 1 /\\ x = 0)", 0);
    of("epoch", ordered, "crash ~exists (y = 1 /\\ 0:r = 0)", 1);
    of("buffered-epoch", ordered, "crash forall (y = 0 \\/ 0:r = 1)", 1);
    of("epoch", ordered, "crash forall (y = 0 \\/ 0:r = 1)\ncrash ~exists (y = 1 /\\ 0:r = 0)", 2);
    /* What one of them tests is tested, and a condition that is violated is told of as such. */
    of("epoch", ordered, "crash ~exists (y = 1 /\\ x = 0)\ncrash ~exists (y = 1 /\\ 0:r = 0)", 0);
    of("epoch", ordered, "crash ~exists (x = 1)\ncrash ~exists (y = 1 /\\ 0:r = 0)", 0);
    of("epoch", ordered, "crash exists (x = 1)\ncrash ~exists (y = 1 /\\ 0:r = 0)", 1);
    of("epoch", ordered, "crash exists (y = 1 /\\ 0:r = 1)", 0); /* barriers make no state */
    of("epoch", ordered, "final forall (y = 1)", 0);             /* nor keep an end away */
    of("epoch", ordered, "crash ~exists (y = 2)", 0);            /* values decide it */
}

/* Strict orders stores without barriers, and none orders nothing; of a test without barriers it is
 * plain what holds without them. */
static void test_meaning(void)
{
    of("strict", ordered, "crash ~exists (y = 1 /\\ 0:r = 0)", 0);
    of("buffered-strict", ordered, "crash ~exists (y = 1 /\\ 0:r = 0)", 0);
    of("none", ordered, "crash ~exists (y = 1 /\\ 0:r = 0)", 0);
    of("epoch", "*x = 1; int r = *x; *y = 1;", "crash ~exists (y = 1 /\\ 0:r = 0)", 0);
    of("epoch", "*x = 1; sync_barrier_wg; int r = *x; *y = 1;", "crash ~exists (y = 1 /\\ 0:r = 0)",
       0);
    of("epoch-individual", ordered, "crash ~exists (y = 1 /\\ 0:r = 0)", 1);
}

/* Whoever wrote the verdict down has seen it; a line of another pair says nothing of this one. */
static void test_expected(void)
{
    of("epoch", ordered, "crash ~exists (y = 1 /\\ 0:r = 0)\nexpect hrf-direct + epoch : ok", 0);
    of("epoch", ordered, "crash ~exists (y = 1 /\\ 0:r = 0)\nexpect sc + epoch : ok", 1);
}

/* Elements of an array, volatile locations beside it, what `locations` shows. */
static void test_places(void)
{
    of("epoch", "a[0] = 1; p_barrier_wi; int r = *v; a[1] = 1;",
       "crash ~exists (a[1] = 1 /\\ a[0] = 0)\nlocations [x; a]", 0);
    of("epoch", "a[0] = 1; p_barrier_wi; *v = 1; int r = *v; a[1] = 1;",
       "crash ~exists (a[1] = 1 /\\ 0:r = 0)\nlocations [x; a]", 1);
    of("epoch", "crash \"here\"; *x = 1; p_barrier_wi; int r = *x; *y = 1; crash \"there\";",
       "crash ~exists (y = 1 /\\ 0:r = 0)", 1);
}

/* Recovery repairs what the program leaves, whatever is ordered; or only what the barrier leaves. */
static void test_recovery(void)
{
    const char *stores = "*x = 1; p_barrier_wi; *y = 1;";
    of("epoch", stores,
       "recovery (global int* x, global int* y) { int k = *y; if (k == 1) { *x = 1; } }\n"
       "recovered ~exists (y = 1 /\\ x = 0)",
       1);
    of("epoch", stores, "recovery (global int* v) { *v = 1; }\nrecovered ~exists (y = 1 /\\ x = 0)",
       0);
}

/* Work-items that are alike: both store, and who meets behind the barrier is the condition's. */
static void test_alike(void)
{
    static const char text[] =
        "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm a[2]; }\n"
        "P0@wg 0 (global int* a, global int* y) { a[0] = 1; p_barrier_wg; int r = a[0]; *y = 1; }\n"
        "P1@wg 0 (global int* a, global int* y) { a[1] = 1; p_barrier_wg; int r = a[1]; }\n";
    struct strbuf whole = {0};
    strbuf_printf(&whole, "%scrash ~exists (y = 1 /\\ a[1] = 0)\n", text);
    expect_bare("sc", "epoch", strbuf_text(&whole), 0);
    strbuf_clear(&whole);
    strbuf_printf(&whole, "%scrash ~exists (y = 1 /\\ 0:r = 0)\n", text);
    expect_bare("sc", "epoch", strbuf_text(&whole), 1);
    strbuf_fini(&whole);
}

/* Flushes and fences of a definition file, which epoch knows nothing of. */
static void test_flushes(void)
{
    static const char text[] =
        "C t\nuses \"px86.def\"\n{ nvm x = 0; nvm y = 0; }\n"
        "P0 (int* x, int* y) { *x = 1; clwb(x); sfence(); int r = *x; *y = 1; }\n"
        "crash ~exists (y = 1 /\\ 0:r = 0)\n";
    expect_bare("tso", "px86", text, 1);
    expect_bare("tso", "epoch", text, 0);
}

void suite_bare(void)
{
    CU_pSuite suite = CU_add_suite("bare", NULL, NULL);
    UNIT_TEST(suite, test_needed);
    UNIT_TEST(suite, test_meaning);
    UNIT_TEST(suite, test_expected);
    UNIT_TEST(suite, test_places);
    UNIT_TEST(suite, test_recovery);
    UNIT_TEST(suite, test_alike);
    UNIT_TEST(suite, test_flushes);
}
