/* Answers of both engines, one of them doctored: what is printed, and the status. */
#include "fixture.h"

#include "ask/ask_check.h"
#include "session/session_ask.h"

#include <string.h>

/* Two independent writes: every subset of them may be durable. */
static const char text[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                           "P0 (global int* x, global int* y) { *x = 1; *y = 1; }\n"
                           "crash ~exists (x=1 /\\ y=1)\n";

struct trial {
    struct fixture f;
    struct session_settings settings;
    struct session_model model;
    struct session_case question;
    struct session_answers answers;
    struct strbuf out;
};

static void trial_init(struct trial *t)
{
    *t = (struct trial){.settings = {.engine = SESSION_ALL_ENGINES, .unroll = 2}};
    fixture_init(&t->f, text, "sc", "epoch");
    t->model = (struct session_model){"sc", "epoch", .model = t->f.model, .plan = t->f.plan};
    t->question = session_case_begin(&t->settings, &t->model, t->f.program,
                                     (struct session_parts){.begin = NULL});
    session_answers_init(&t->answers, &t->question);
    CU_ASSERT_EQUAL_FATAL(t->answers.count, 2);
    for (int i = 0; i < 2; i++)
        session_answers_ask(&t->answers, &t->question, NULL);
}

static void trial_fini(struct trial *t)
{
    session_answers_fini(&t->answers);
    strbuf_fini(&t->out);
    fixture_fini(&t->f);
}

/* Takes the crash states with y = 1 away: (0,1) and (1,1). */
static void forget_y(struct trial *t, struct outcome *outcome)
{
    struct outcome fresh;
    outcome_init(&fresh, t->f.program);
    for (size_t i = 0; i < outcome->final.count; i++)
        outcome_add_state(&fresh.final, outcome_row(&outcome->final, i));
    for (size_t i = 0; i < outcome->crash.count; i++)
        if (outcome_row(&outcome->crash, i)[1] == 0)
            outcome_add_state(&fresh.crash, outcome_row(&outcome->crash, i));
    outcome_fini(outcome);
    *outcome = fresh;
}

static bool prints(const struct trial *t, const char *wanted)
{
    return strstr(strbuf_text(&t->out), wanted) != NULL;
}

static enum session_accord tell(struct trial *t)
{
    enum session_accord accord = session_answers_compare(&t->answers, &t->question);
    ask_cross_tell(&t->question, &t->answers, &t->out);
    return accord;
}

static void test_agreement(void)
{
    struct trial t;
    trial_init(&t);
    CU_ASSERT_EQUAL(tell(&t), SESSION_AGREE);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&t.out), "");
    trial_fini(&t);
}

/* Of the two states that one engine lacks (0,1) has fewer values other than 0. The other
 * engine is asked for its execution: y durable, x executed or not. With (1,1) the witness of
 * `~exists` is gone as well. */
static void check_doctored(uint32_t doctored, const char *owner, const char *verdicts)
{
    struct trial t;
    trial_init(&t);
    forget_y(&t, &t.answers.outcomes[doctored]);
    CU_ASSERT_EQUAL(tell(&t), SESSION_DISAGREE);
    CU_ASSERT_TRUE(prints(&t, owner));
    CU_ASSERT_TRUE(prints(&t, "\nCrash witness x=0 y=1\n"));
    CU_ASSERT_FALSE(prints(&t, "Crash witness x=1"));
    CU_ASSERT_FALSE(prints(&t, "\nWitness"));
    CU_ASSERT_TRUE(prints(&t, verdicts));
    trial_fini(&t);
}

static void test_disagreement(void)
{
    check_doctored(1, "  crash state of enum only: x=0; y=1; (the smallest of 2 that differ)\n",
                   "enum says violated, smt says ok\n");
    check_doctored(0, "  crash state of smt only: x=0; y=1; (the smallest of 2 that differ)\n",
                   "enum says ok, smt says violated\n");
}

/* A race, a flag and one final state: x = 3 is in no execution, so none is shown. */
static void test_other_differences(void)
{
    static const struct outcome_undefined race = {
        OUTCOME_CHECK,
        "race",
        {{.line = 3, .access = "W x"}, {.thread = LIT_NONE, .access = "W y"}},
        2,
        false,
        false};
    const int64_t row[] = {3, 0};
    struct trial t;
    trial_init(&t);
    outcome_add_undefined(&t.answers.outcomes[1], &race);
    outcome_add_flag(&t.answers.outcomes[0], "odd");
    outcome_add_state(&t.answers.outcomes[1].final, row);
    CU_ASSERT_EQUAL(tell(&t), SESSION_DISAGREE);
    CU_ASSERT_TRUE(prints(&t, "  final state of smt only: x=3; y=0;\n"));
    CU_ASSERT_TRUE(prints(&t, "undefined behaviour of smt only: race: W x of P0 at line 3, W y\n"));
    CU_ASSERT_TRUE(prints(&t, "  flag of enum only: odd\n"));
    CU_ASSERT_FALSE(prints(&t, "itness"));
    trial_fini(&t);
}

static void test_not_compared(void)
{
    struct trial t;
    trial_init(&t);
    forget_y(&t, &t.answers.outcomes[1]);
    t.answers.outcomes[1].doubts[OUTCOME_DOUBT_TIMEOUT] = true;
    CU_ASSERT_EQUAL(tell(&t), SESSION_NOT_COMPARED);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&t.out), "  not compared: smt: the time limit ran out\n");
    trial_fini(&t);
}

/* The status that the exit status is the largest of. `check` reports the verdicts themselves,
 * `unknown` among them; for `crosscheck` there is nothing else. */
static void test_status(void)
{
    CU_ASSERT_EQUAL(ask_cross_status(ASK_CHECK, SESSION_DISAGREE), 4);
    CU_ASSERT_EQUAL(ask_cross_status(ASK_CROSSCHECK, SESSION_DISAGREE), 4);
    CU_ASSERT_EQUAL(ask_cross_status(ASK_CHECK, SESSION_NOT_COMPARED), 0);
    CU_ASSERT_EQUAL(ask_cross_status(ASK_CROSSCHECK, SESSION_NOT_COMPARED), 3);
    CU_ASSERT_EQUAL(ask_cross_status(ASK_CROSSCHECK, SESSION_AGREE), 0);
}

/* Where properties are asked in place of conditions the file's pair is asked still, and what it
 * expects of its own conditions is expected of nothing. */
static void test_pairs_of_properties(void)
{
    struct fixture f;
    fixture_init(&f,
                 "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                 "exists (x = 2)\nexpect ptx + gpm : violated\n",
                 "sc", "epoch");
    const struct lit_program *asking =
        lit_ask_properties(&f.arena, f.program, 1u << LIT_PROPERTY_RACE);
    CU_ASSERT_EQUAL_FATAL(asking->expect_count, 1);
    CU_ASSERT_STRING_EQUAL(asking->expects[0].visibility, "ptx");
    CU_ASSERT_PTR_NULL(session_ask_expectation(asking, "ptx", "gpm", "enum"));
    CU_ASSERT_PTR_NOT_NULL(session_ask_expectation(f.program, "ptx", "gpm", "enum"));
    fixture_fini(&f);
}

void suite_ask_cross(void)
{
    CU_pSuite suite = CU_add_suite("ask_cross", NULL, NULL);
    UNIT_TEST(suite, test_agreement);
    UNIT_TEST(suite, test_disagreement);
    UNIT_TEST(suite, test_other_differences);
    UNIT_TEST(suite, test_not_compared);
    UNIT_TEST(suite, test_status);
    UNIT_TEST(suite, test_pairs_of_properties);
}
