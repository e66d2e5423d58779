/* Whether a work-item alone can go wrong, and that recovery's conditions are not decided before
 * this has been looked for. */
#include "fixture.h"

#include "engine/lone.h"
#include "enumerate/enumerate.h"

#include <stdio.h>

/* All that one work-item can do without a fault: operands in either order, branches, every sort of
 * atomic access, fences, and barriers, at which it is alone. */
static const char everything[] =
    "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm a[2]; atomic_int f = 0; }\n"
    "P0@wg 0 (global int* x, global int* y, global int* a, global atomic_int* f) {\n"
    "  *x = *y + *x + 1; int r = *x;\n"
    "  if (r == 1) { *y = r; } else { a[1] = *y; }\n"
    "  p_barrier_wi; sync_barrier_wg; p_barrier_kr; a[0] = *x; *x = 2;\n"
    "  f.store(1, mo_sc, dev_scope); int s = f.fetch_add(2, mo_acq_rel, wg_scope);\n"
    "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, mo_sc, dev_scope);\n"
    "  int t = atomic_compare_exchange_strong_explicit(f, 3, 4, mo_sc, mo_rlx, wg_scope);\n"
    "  int u = f.load(mo_acq, all_scope); a[1] = u;\n"
    "}\n"
    "locations [0:r; 0:s; 0:t; 0:u; x; y]\n";

/* What it leaves, line by line: x = 1, r = 1; y = 1; x = 2; f = 1, s = 1, f = 3; t = 1, f = 4; u
 * = 4. */
static void expect_harmless(const char *visibility, const char *persistency)
{
    static const int64_t in_order[] = {1, 1, 1, 4, 2, 1};
    struct fixture f;
    struct outcome outcome;
    fixture_init(&f, everything, visibility, persistency);
    CU_ASSERT_FALSE(lone_may_fail(f.program->threads, f.model));
    fixture_run(&f, &outcome);
    if (!fixture_has(&outcome.final, in_order) || outcome.undefined.count)
        fprintf(stderr, "%s + %s\n", visibility, persistency);
    CU_ASSERT_TRUE(fixture_has(&outcome.final, in_order));
    CU_ASSERT_EQUAL(outcome.undefined.count, 0);
    outcome_fini(&outcome);
    fixture_fini(&f);
}

static bool is_of(const struct source_builtin *builtin, const char *kind)
{
    return strncmp(builtin->path, kind, strlen(kind)) == 0;
}

static void test_builtin_models(void)
{
    struct arena arena;
    unsigned pairs = 0;
    arena_init(&arena);
    for (size_t i = 0; i < cat_builtin_count; i++)
        for (size_t k = 0; k < cat_builtin_count; k++)
            if (is_of(&cat_builtins[i], "visibility/") && is_of(&cat_builtins[k], "persistency/")) {
                expect_harmless(source_builtin_name(&arena, &cat_builtins[i]),
                                source_builtin_name(&arena, &cat_builtins[k]));
                pairs++;
            }
    arena_fini(&arena);
    CU_ASSERT_TRUE(pairs >= 70);
}

/* Either file may bring the harm, and a name that the first gives another meaning. */
static void test_models_of_ones_own(void)
{
    static const char *const models[][2] = {
        {"include \"sc.cat\" undefined_unless empty rf & int as own", "include \"epoch.cat\""},
        {"include \"sc.cat\" empty rf & int as own", "include \"epoch.cat\""},
        {"include \"sc.cat\"", "include \"epoch.cat\" empty rf & int as own"},
        {"include \"sc.cat\" let execution-order = int", "include \"epoch.cat\""}};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        struct fixture f;
        fixture_init(&f, everything, "sc", "epoch");
        fixture_use_model(&f, models[i][0], models[i][1]);
        CU_ASSERT_TRUE(lone_may_fail(f.program->threads, f.model));
        fixture_fini(&f);
    }
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
 * on the other two it reads what it wrote. However early the condition is decided, a model that
 * calls this undefined makes the test undefined, and one without such executions a livelock. */
static void expect_decided(const char *model, enum lit_verdict verdict)
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
    fixture_use_model(&f, model, "include \"epoch.cat\"");
    struct engine_request request = {.program = f.program,
                                     .model = f.model,
                                     .plan = f.plan,
                                     .crash_mode = engine_default_crash_mode(f.program),
                                     .limits = {.unroll = 2},
                                     .decide = true};
    outcome_init(&outcome, f.program);
    enum_run(&request, &outcome);
    CU_ASSERT_EQUAL(outcome_judge(&outcome, f.program, &f.program->conditions[0]).verdict, verdict);
    outcome_fini(&outcome);
    fixture_fini(&f);
}

static void test_decide(void)
{
    expect_decided("include \"sc.cat\" undefined_unless empty rf & int as own", LIT_UNDEFINED);
    expect_decided("include \"sc.cat\" empty rf & int as own", LIT_ERROR);
    expect_decided("include \"sc.cat\" empty rmw as none", LIT_OK);
}

void suite_lone(void)
{
    CU_pSuite suite = CU_add_suite("lone", NULL, NULL);
    UNIT_TEST(suite, test_builtin_models);
    UNIT_TEST(suite, test_models_of_ones_own);
    UNIT_TEST(suite, test_code);
    UNIT_TEST(suite, test_decide);
}
