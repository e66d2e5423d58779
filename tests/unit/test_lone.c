/* Whether a work-item alone can go wrong, and that recovery's conditions are not decided before
 * this has been looked for. */
#include "fixture.h"

#include "engine/lone.h"
#include "enumerate/enumerate.h"

#include <stdio.h>
#include <string.h>

static void expect_model(const char *text, bool may_fail)
{
    struct fixture f;
    fixture_init(&f, "OPENCL t\n{ nvm x = 0; }\nP0@wg 0 (global int* x) { *x = 1; }\n", "sc",
                 "epoch");
    CU_ASSERT_EQUAL(lone_may_fail(f.program->threads, f.model), false); /* sc has no such check */
    fixture_use_model(&f, text, "include \"epoch.cat\"");
    if (lone_may_fail(f.program->threads, f.model) != may_fail)
        fprintf(stderr, "%s: expected %s\n", text, may_fail ? "may fail" : "cannot fail");
    CU_ASSERT_EQUAL(lone_may_fail(f.program->threads, f.model), may_fail);
    fixture_fini(&f);
}

/* Races are between work-items, and none of them is that of the initial writes: M without IW, or
 * reads, fences, barriers. A pair of one work-item, or with an initial write, a set, and a negated
 * check may be there for one alone. */
static void test_models(void)
{
    expect_model("include \"hrf-direct.cat\"", false);
    expect_model("include \"hrf-indirect-relaxed.cat\"", false);
    expect_model("undefined_unless empty ext & ((M \\ IW) * R) & loc \\ po as race", false);
    expect_model("let r = [~IW]; rf; [R] undefined_unless acyclic (r | r^-1) & ext as race", false);
    expect_model("undefined_unless empty ext & (M * R) as race", true);
    expect_model("undefined_unless empty ext & (R * (M | R)) as race", true);
    expect_model("undefined_unless empty rf & int as race", true);
    expect_model("undefined_unless empty (ext | po) & (R * R) as race", true);
    expect_model("undefined_unless irreflexive ext; ext as race", true);
    expect_model("undefined_unless empty NVM & R as race", true);
    expect_model("undefined_unless ~empty ext & (R * R) as race", true);
    expect_model("acyclic po | rf flag ~empty po as two", false); /* makes nothing undefined */
}

static void expect_code(const char *code, bool may_fail)
{
    struct fixture f;
    char text[400];
    snprintf(text, sizeof text,
             "OPENCL t\n{ nvm x = 0; nvm a[2]; }\nP0@wg 0 (global int* x, global int* a) { %s }\n",
             code);
    fixture_init(&f, text, "hrf-direct", "epoch");
    CU_ASSERT_EQUAL(lone_may_fail(f.program->threads, f.model), may_fail);
    fixture_fini(&f);
}

static void test_code(void)
{
    expect_code("int r = *x; if (r == 1) { *x = 2; } a[1] = r;", false);
    expect_code("int r = *x; a[r] = 1;", true);
    expect_code("int r = *x; *x = 4 / r;", true);
    expect_code("int r = *x; *x = 1 + 4 % r;", true);
    expect_code("while (*x == 0);", true);
}

/* Crash states: nothing; x; x and y. Recovery on the first leaves y=0, which decides the condition;
 * on the other two it reads what it wrote, which this model calls undefined. So the test is
 * undefined, however early the condition is decided. */
static void test_decide(void)
{
    struct fixture f;
    struct outcome outcome;
    fixture_init(&f,
                 "OPENCL u\n{ nvm x = 0; nvm y = 0; }\n"
                 "P0@wg 0 (global int* x, global int* y) { *x = 1; p_barrier_wi; *y = 1; }\n"
                 "recovery (global int* x, global int* y) {\n"
                 "  if (*x == 1) { *y = 2; int r = *y; } }\n"
                 "recovered exists (y = 0)\n",
                 "sc", "epoch");
    fixture_use_model(&f, "include \"sc.cat\"\nundefined_unless empty rf & int as own-read",
                      "include \"epoch.cat\"");
    struct engine_request request = {.program = f.program,
                                     .model = f.model,
                                     .plan = f.plan,
                                     .crash_mode = engine_default_crash_mode(f.program),
                                     .limits = {.unroll = 2},
                                     .decide = true};
    outcome_init(&outcome, f.program);
    enum_run(&request, &outcome);
    CU_ASSERT_EQUAL_FATAL(outcome.undefined.count, 1);
    outcome_fini(&outcome);
    fixture_fini(&f);
}

void suite_lone(void)
{
    CU_pSuite suite = CU_add_suite("lone", NULL, NULL);
    UNIT_TEST(suite, test_models);
    UNIT_TEST(suite, test_code);
    UNIT_TEST(suite, test_decide);
}
