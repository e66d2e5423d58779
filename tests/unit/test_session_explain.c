/* What is told of a condition where the engine that explains has no time: what was decided. And
 * which missing order is told of a condition. */
#include "fixture.h"

#include "session/session_explain.h"

#include <string.h>

#define PROGRAM(BETWEEN)                                   \
    "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\n"     \
    "P0 (global int* x, global int* y, global int* z) {\n" \
    "  *x = 1;\n" BETWEEN "\n  *y = 1;\n}\n"

/* Nothing has x before y in memory; a persist barrier between the two has. */
static const char bare[] = PROGRAM("") "crash ~exists (y=1 /\\ x=0)\n",
                  ordered[] = PROGRAM("  p_barrier_wi;") "crash ~exists (y=1 /\\ x=0)\n";

struct asked {
    struct fixture fixture;
    struct session_model model;
    struct session_case question;
    struct session_explain explain;
    struct session_explained answer;
};

static const struct session_settings settings = {.unroll = 2, .engine = "smt"};
static const struct session_explain_view nobody;

static void begin(struct asked *a, const char *text)
{
    fixture_init(&a->fixture, text, "sc", "epoch");
    a->model =
        (struct session_model){"sc", "epoch", .model = a->fixture.model, .plan = a->fixture.plan};
    a->question = session_case_begin(&settings, &a->model, a->fixture.program,
                                     (struct session_parts){.begin = NULL});
    session_explain_init(&a->explain, &a->question);
}

static void answer(struct asked *a)
{
    session_explain_condition(&a->explain, 0, 1, &nobody, &a->answer);
}

static void end(struct asked *a)
{
    session_explained_fini(&a->answer);
    session_explain_fini(&a->explain);
    fixture_fini(&a->fixture);
}

/* The way to it is W x, W y, and that y is durable when power fails: x is lost. */
static void what_is_there_stays(void)
{
    struct asked a;
    begin(&a, bare);
    a.explain.clock = clock_limit_in(1e-9);
    answer(&a);
    const struct explanation *e = &a.answer.explanation;
    CU_ASSERT_EQUAL(e->answer, EXPLANATION_REACHABLE);
    CU_ASSERT_EQUAL(a.answer.verdict, LIT_VIOLATED);
    CU_ASSERT_PTR_NOT_NULL(e->doubt);
    CU_ASSERT_EQUAL_FATAL(e->steps.count, 4);
    CU_ASSERT_EQUAL(e->steps.items[0].event.line, 4);
    CU_ASSERT(e->steps.items[0].lost);
    CU_ASSERT_EQUAL(e->steps.items[2].kind, EXPLANATION_DURABLE);
    CU_ASSERT_EQUAL(e->steps.items[2].event.line, 6);
    end(&a);
}

static void what_is_not_stays_away(void)
{
    struct asked a;
    begin(&a, ordered);
    a.explain.clock = clock_limit_in(1e-9);
    answer(&a);
    CU_ASSERT_EQUAL(a.answer.explanation.answer, EXPLANATION_UNREACHABLE);
    CU_ASSERT_EQUAL(a.answer.verdict, LIT_OK);
    CU_ASSERT(!a.answer.explanation.minimal);
    CU_ASSERT_EQUAL(a.answer.explanation.reasons.count, 0);
    end(&a);
}

/* One engine's answer to another test is a dispute: nothing of it is told. */
static void disputes_are_told(void)
{
    struct asked a, other;
    begin(&a, ordered);
    begin(&other, bare);
    const struct outcome decided = a.explain.outcome;
    a.explain.outcome = other.explain.outcome;
    other.explain.outcome = decided;
    answer(&a);
    answer(&other);
    CU_ASSERT_EQUAL(a.answer.explanation.answer, EXPLANATION_UNKNOWN);
    CU_ASSERT_EQUAL(other.answer.explanation.answer, EXPLANATION_UNKNOWN);
    CU_ASSERT_PTR_NOT_NULL_FATAL(a.answer.disputed_by);
    CU_ASSERT_STRING_EQUAL(a.answer.disputed_by, "smt");
    CU_ASSERT_PTR_NOT_NULL(other.answer.disputed_by);
    end(&other);
    end(&a);
}

void suite_session_explain(void)
{
    CU_pSuite suite = CU_add_suite("session_explain", NULL, NULL);
    UNIT_TEST(suite, what_is_there_stays);
    UNIT_TEST(suite, what_is_not_stays_away);
    UNIT_TEST(suite, disputes_are_told);
}
