/* Conditions that hold because there is nothing to hold them against: unknown, with the reason, by
 * every engine, listed or decided; and what goes before that. One that asks for a state where there
 * is none is violated, for the same reason. Reasons follow by hand from the tests. */
#include "test_enum_fixture.h"

#include "engine/agree.h"
#include "explore/mach_engine.h"
#include "smt/smt.h"

#define NO_RUN "no execution is consistent with the model"
#define NO_END "no execution runs to its end, so there is no final state"
#define NO_CRASH "no execution comes to where the crash may be, so there is no crash state"
#define NO_FINAL "the filter leaves no final state"

/* One condition's verdict and reason, NULL for none. */
struct wanted {
    enum lit_verdict verdict;
    const char *reason;
    bool vacuous;
};
/* What holds of nothing; what asks for something in vain; lists of them end. */
#define HOLDS_OF(none)          \
    {                           \
        LIT_UNKNOWN, none, true \
    }
#define LACKS(none)               \
    {                             \
        LIT_VIOLATED, none, false \
    }
static const struct wanted ok = {LIT_OK, NULL, false}, violated = {LIT_VIOLATED, NULL, false},
                           undefined = {LIT_UNDEFINED, NULL, false}, end = {LIT_ERROR, NULL, false};

static const char none_consistent[] = "empty W as nothing\n";

static void check_outcome(const struct fixture *f, const struct outcome *o,
                          const struct wanted *wanted, const char *how)
{
    for (uint32_t i = 0; wanted[i].verdict != LIT_ERROR; i++) {
        CU_ASSERT_FATAL(i < f->program->condition_count);
        struct outcome_judgement j = outcome_judge(o, f->program, &f->program->conditions[i]);
        bool same = j.verdict == wanted[i].verdict && !j.reason == !wanted[i].reason &&
                    (!j.reason || strcmp(j.reason, wanted[i].reason) == 0) &&
                    j.vacuous == wanted[i].vacuous;
        CU_ASSERT_TRUE(same);
        if (!same)
            fprintf(stderr, "condition %u, %s: %s, %s\n", i, how, lit_verdict_text(j.verdict),
                    j.reason ? j.reason : "without a reason");
    }
}

static void check_with(engine_function *run, const char *name, const char *text,
                       const char *visibility, const struct wanted *wanted)
{
    for (int decide = 0; decide <= 1; decide++) {
        struct fixture f;
        struct outcome o;
        char how[64];
        snprintf(how, sizeof how, "%s, %s", name, decide ? "decided" : "listed");
        fixture_init(&f, text, visibility, "epoch");
        struct engine_request request = {.program = f.program,
                                         .model = f.model,
                                         .plan = f.plan,
                                         .crash_mode = engine_default_crash_mode(f.program),
                                         .limits = {.unroll = 2},
                                         .decide = decide};
        outcome_init(&o, f.program);
        run(&request, &o);
        check_outcome(&f, &o, wanted, how);
        outcome_fini(&o);
        fixture_fini(&f);
    }
}

static void check_models(const char *text, const char *visibility, const struct wanted *wanted)
{
    check_with(enum_run, "enum", text, visibility, wanted);
    check_with(smt_run, "smt", text, visibility, wanted);
}

static void check_all(const char *text, const struct wanted *wanted)
{
    check_models(text, "hrf-direct", wanted);
    check_with(mach_run, "machine", text, "hrf-direct", wanted);
}

/* Nobody writes g, so P0 waits for ever: no final state, but a crash state each for y durable or
 * not. */
static void test_stuck(void)
{
    check_all(
        "OPENCL t\n{ nvm y = 0; atomic_int g = 0; }\n"
        "P0 (global atomic_int* g, global int* y) {\n"
        " *y = 1;\n while (!g.load(mo_acq, dev_scope));\n}\n"
        "forall (false)\n~exists (true)\nexists (true)\n"
        "crash forall (y = 0 \\/ y = 1)\ncrash ~exists (y = 1)\n",
        (struct wanted[]){HOLDS_OF(NO_END), HOLDS_OF(NO_END), LACKS(NO_END), ok, violated, end});
}

/* x is 1 at the end, which the filter takes away; a filter is not about crash states. */
static void test_filter(void)
{
    check_all("OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\nfilter (x = 2)\n"
              "forall (x = 1)\n~exists (x = 2)\nexists (x = 1)\ncrash forall (x < 2)\n",
              (struct wanted[]){HOLDS_OF(NO_FINAL), HOLDS_OF(NO_FINAL), LACKS(NO_FINAL), ok, end});
}

/* The filter leaves x = 2, in the end of P1: never nothing. */
static void test_filtered(void)
{
    check_models("OPENCL t\n{ atomic_int x = 0; }\n"
                 "P0 (global atomic_int* x) { x.store(1, mo_rel, dev_scope); }\n"
                 "P1 (global atomic_int* x) { x.store(2, mo_rel, dev_scope); }\nfilter (x = 2)\n"
                 "~exists (x = 1)\nforall (x = 2)\nexists (x = 1)\n",
                 "hrf-direct", (struct wanted[]){ok, ok, violated, end});
}

/* x is never 5, so nobody comes to the crash statement, and no crash is recovered from. */
static const char unreached[] =
    "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { if (*x == 5) { crash; } *x = 1; }\n"
    "recovery (global int* x) { *x = 7; }\n"
    "crash ~exists (x = 9)\ncrash forall (false)\nforall (x = 1)\ncrash exists (x = 1)\n"
    "recovered forall (x = 7)\nrecovered ~exists (x = 0)\nrecovered exists (x = 7)\n";

static void test_points(void)
{
    check_all(unreached,
              (struct wanted[]){HOLDS_OF(NO_CRASH), HOLDS_OF(NO_CRASH), ok, LACKS(NO_CRASH),
                                HOLDS_OF(NO_CRASH), HOLDS_OF(NO_CRASH), LACKS(NO_CRASH), end});
}

/* With a crash statement that is reached there are a crash state and a recovered one. */
static void test_reached(void)
{
    check_all("OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { if (*x == 0) { crash; } *x = 1; }\n"
              "recovery (global int* x) { *x = 7; }\n"
              "crash ~exists (x = 9)\nrecovered forall (x = 7)\nrecovered ~exists (x = 0)\n"
              "recovered exists (x = 0)\n",
              (struct wanted[]){ok, ok, ok, violated, end});
}

/* Not even the initial writes pass this model's check. */
static void test_inconsistent(void)
{
    char path[ENUM_MODEL_PATH];
    enum_model_make(path, none_consistent);
    check_models("OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                 "recovery (global int* x) { *x = 7; }\nfilter (x = 1)\n"
                 "forall (x = 1)\n~exists (x = 2)\ncrash ~exists (x = 9)\n"
                 "recovered forall (x = 7)\nexists (true)\ncrash exists (true)\n"
                 "recovered exists (true)\n",
                 path,
                 (struct wanted[]){HOLDS_OF(NO_RUN), HOLDS_OF(NO_RUN), HOLDS_OF(NO_RUN),
                                   HOLDS_OF(NO_RUN), LACKS(NO_RUN), LACKS(NO_RUN), LACKS(NO_RUN),
                                   end});
    check_models("OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; crash; }\n"
                 "crash forall (x = 1)\n",
                 path, (struct wanted[]){HOLDS_OF(NO_RUN), end});
    enum_model_drop(path);
}

/* A race, or a fault, is undefined whatever is vacuous; a race of executions that a filter removes
 * is none. A loop's bound is the better reason. */
static void test_precedence(void)
{
    check_models(
        "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
        "P1 (global int* x) { int r = *x; if (r == 5) { crash; } }\ncrash forall (x = 5)\n",
        "hrf-direct", (struct wanted[]){undefined, end});
    check_models("OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                 "P1 (global int* x) { int r = *x; }\nfilter (x = 5)\nforall (x = 5)\n",
                 "hrf-direct",
                 (struct wanted[]){{LIT_UNKNOWN, "the filter leaves no final state", true}, end});
    check_models("OPENCL t\n{ nvm x = 0; atomic_int g = 0; }\n"
                 "P0 (global int* x, global atomic_int* g) {\n"
                 " while (!g.load(mo_acq, dev_scope)) { *x = *x + 1; }\n}\nforall (x = 0)\n",
                 "hrf-direct",
                 (struct wanted[]){
                     {LIT_UNKNOWN,
                      "the loop at line 4 met its unroll bound (raise it with --unroll)", false},
                     end});
}

/* Recovery waits for what volatile memory has lost: a livelock, which goes before. */
static void test_livelock(void)
{
    struct enum_case c;
    enum_case_init(&c,
                   "OPENCL t\n{ nvm x = 0; atomic_int g = 0; }\nP0 (global int* x) { *x = 1; }\n"
                   "recovery (global atomic_int* g) { while (!g.load(mo_acq, dev_scope)); }\n"
                   "recovered forall (x = 1)\n",
                   "hrf-direct", "epoch", false);
    CU_ASSERT_EQUAL(enum_case_verdict(&c, 0), LIT_ERROR);
    CU_ASSERT_EQUAL(outcome_verdict(&c.o, c.f.program), LIT_ERROR);
    enum_case_fini(&c);
}

/* An author who expects ok has said so: the verdict stands, and the reason beside it. */
static void test_meant(void)
{
    struct enum_case c;
    enum_case_init(&c, unreached, "hrf-direct", "epoch", true);
    CU_ASSERT_EQUAL(outcome_verdict(&c.o, c.f.program), LIT_VIOLATED); /* crash exists */
    c.o.vacuity_is_meant = true;
    check_outcome(&c.f, &c.o,
                  (struct wanted[]){{LIT_OK, NO_CRASH, true},
                                    {LIT_OK, NO_CRASH, true},
                                    ok,
                                    LACKS(NO_CRASH),
                                    {LIT_OK, NO_CRASH, true},
                                    end},
                  "meant");
    enum_case_fini(&c);
}

/* That there are no states is an answer, not a doubt: an engine that has one disagrees. */
static void test_disagreement(void)
{
    struct fixture f;
    struct outcome a, b;
    fixture_init(&f, "OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\nforall (x = 1)\n", "sc",
                 "epoch");
    outcome_init(&a, f.program);
    outcome_init(&b, f.program);
    a.ran = b.ran = true;
    CU_ASSERT_EQUAL(agree_compare(&a, &b, f.program, true).count, 0);
    a.vacuity_is_meant = true; /* of one engine alone */
    CU_ASSERT_EQUAL(agree_compare(&a, &b, f.program, true).count, 0);
    b.met[LIT_FINAL] = true;
    struct agreement agreement = agree_compare(&a, &b, f.program, true);
    CU_ASSERT_EQUAL_FATAL(agreement.count, 1);
    CU_ASSERT_EQUAL(agreement.differences[0].aspect, AGREE_VERDICT);
    b.doubts[OUTCOME_DOUBT_TIMEOUT] = true; /* it holds of one state, and perhaps of all */
    CU_ASSERT_EQUAL(agree_compare(&a, &b, f.program, true).count, 0);
    outcome_fini(&a);
    outcome_fini(&b);
    fixture_fini(&f);
}

void suite_vacuous(void)
{
    CU_pSuite suite = CU_add_suite("vacuous", NULL, NULL);
    UNIT_TEST(suite, test_stuck);
    UNIT_TEST(suite, test_filter);
    UNIT_TEST(suite, test_filtered);
    UNIT_TEST(suite, test_points);
    UNIT_TEST(suite, test_reached);
    UNIT_TEST(suite, test_inconsistent);
    UNIT_TEST(suite, test_precedence);
    UNIT_TEST(suite, test_livelock);
    UNIT_TEST(suite, test_meant);
    UNIT_TEST(suite, test_disagreement);
}
