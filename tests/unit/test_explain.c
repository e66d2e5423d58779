/* Explanations of what cannot be reached. What an explanation must say is derived by hand; that
 * none of its reasons can be left out is shown by leaving it out, in the test or in the model,
 * and enumerating. */
#include "test_explain_fixture.h"

#include "smt/smt_solver.h"

#define NO_RULE "\"p\"\ninclude \"collective.cat\"\nlet persist-before = 0\n"

/* Does the line of a built-in model begin so? */
static bool defines(const char *path, uint32_t line, const char *words)
{
    for (size_t i = 0; i < cat_builtin_count; i++) {
        const char *text = cat_builtins[i].text;
        if (strcmp(cat_builtins[i].path, path) != 0)
            continue;
        for (uint32_t at = 1; at < line && text; at++) {
            text = strchr(text, '\n');
            text = text ? text + 1 : NULL;
        }
        return line && text && strncmp(text, words, strlen(words)) == 0;
    }
    return false;
}

/* Of the first reason of the kind. */
static enum explanation_need need_of(const struct shown *s, enum explanation_reason_kind kind)
{
    for (size_t i = 0; i < s->explanation.reasons.count; i++)
        if (s->explanation.reasons.items[i].kind == kind)
            return s->explanation.reasons.items[i].need;
    return EXPLANATION_UNTRIED;
}

/* buffered-epoch has no durable-before, so only persist-before from val to key can forbid
 * it, and that pair is there through the barrier of line 5 alone. */
static void test_insert_barrier(void)
{
    struct shown s;
    shown_init(&s, INSERT("p_barrier_wi;", KEY_ALONE), "sc", "buffered-epoch");
    CU_ASSERT(is_forbidden_by(&s, 2));
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_PERSIST_BEFORE, 4, 6), 1);
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_PERSIST_BARRIER, 5, 0), 1);
    CU_ASSERT_STRING_EQUAL(s.explanation.reasons.items[0].name, "persist-before");
    CU_ASSERT_STRING_EQUAL(s.explanation.reasons.items[0].file,
                           "builtin:persistency/buffered-epoch.cat");
    CU_ASSERT(defines("persistency/buffered-epoch.cat", s.explanation.reasons.items[0].line,
                      "let persist-before"));
    shown_fini(&s);
    CU_ASSERT(!reaches(INSERT("p_barrier_wi;", KEY_ALONE), "sc", "buffered-epoch"));
    CU_ASSERT(reaches(INSERT("", KEY_ALONE), "sc", "buffered-epoch"));
    CU_ASSERT(reaches_under(INSERT("p_barrier_wi;", KEY_ALONE), SC_TEXT, NO_RULE));
}

/* Under epoch the stall (durable-before) would do as well, but not without executes-before:
 * the one rule that does it alone is named. */
static void test_few_rules(void)
{
    struct shown s;
    shown_init(&s, INSERT("p_barrier_wi;", KEY_ALONE), "sc", "epoch");
    CU_ASSERT(is_forbidden_by(&s, 2));
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_PERSIST_BEFORE, 4, 6), 1);
    CU_ASSERT(need_of(&s, EXPLANATION_BY_PERSIST_BEFORE) == EXPLANATION_SPARE);
    CU_ASSERT(need_of(&s, EXPLANATION_BY_PERSIST_BARRIER) == EXPLANATION_NECESSARY);
    CU_ASSERT_EQUAL(s.explanation.line_sets.count, 0);
    shown_fini(&s);
    shown_init(&s, INSERT("p_barrier_wi;", KEY_ALONE), "sc", "buffered-epoch");
    CU_ASSERT(need_of(&s, EXPLANATION_BY_PERSIST_BEFORE) == EXPLANATION_NECESSARY);
    shown_fini(&s);
}

/* The branch makes two runs of lines 6 to 8, with events of their own. They are the same
 * statements, so the reasons are those of a straight insert. */
static void test_branches(void)
{
    struct shown s;
    shown_init(&s,
               "OPENCL branch\n{ nvm key = 0; nvm val = 0; f = 0; g = 0; }\n"
               "P0 (global int* key, global int* val, global int* f, global int* g) {\n"
               "int r = *f;\nif (r == 1) { *g = 1; }\n*val = 42;\np_barrier_wi;\n*key = 1;\n}\n"
               "P1 (global int* f) {\n*f = 1;\n}\n" KEY_ALONE "\n",
               "sc", "buffered-epoch");
    CU_ASSERT(is_forbidden_by(&s, 2));
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_PERSIST_BEFORE, 6, 8), 1);
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_PERSIST_BARRIER, 7, 0), 1);
    shown_fini(&s);
}

/* A second barrier would do as well as the first: each forbids it, so one of them is left, and
 * neither is necessary: each alone is a set. */
static void test_spare_barrier(void)
{
    struct shown s;
    shown_init(&s, INSERT("p_barrier_wi; p_barrier_wi;", KEY_ALONE), "sc", "buffered-epoch");
    CU_ASSERT(is_forbidden_by(&s, 2));
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_PERSIST_BARRIER, 5, 0), 1);
    CU_ASSERT(need_of(&s, EXPLANATION_BY_PERSIST_BARRIER) == EXPLANATION_SPARE);
    CU_ASSERT_EQUAL_FATAL(s.explanation.line_sets.count, 2);
    CU_ASSERT_EQUAL(s.explanation.line_sets.items[0].count, 1);
    CU_ASSERT_EQUAL(s.explanation.line_sets.items[1].count, 1);
    CU_ASSERT_NOT_EQUAL(s.explanation.line_sets.items[0].events[0].column,
                        s.explanation.line_sets.items[1].events[0].column);
    CU_ASSERT_TRUE(s.explanation.all_line_sets);
    shown_fini(&s);
}

#define RELEASED(barrier)                                                                  \
    "OPENCL released\n{ nvm Y = 0; atomic_int A = 0; }\nP0@wg 0 (global int* Y, "          \
    "global atomic_int* A) {\n*Y = 1;\n" barrier                                           \
    "\nA.store(1, mo_sc, wg_scope);\ncrash \"A released\";\n}\n"                           \
    "P1@wg 0 (global int* Y, global atomic_int* A) {\nwhile (!A.load(mo_sc, wg_scope));\n" \
    "int R2 = *Y;\n}\ncrash ~exists (Y = 0)\n" /* Y 4, barrier 5, A 6, crash 7 */

/* Figure 4 of SPB, what its barrier is for. At the point of line 7 everything of P0 before it
 * has executed, the barrier of line 5 too, and before that Y is durable. Elsewhere a crash
 * leaves Y = 0 (at once); so it does without the barrier; so it does where barriers only order. */
static void test_released(void)
{
    struct shown s;
    shown_init(&s, RELEASED("p_barrier_wg;"), "hrf-indirect", "epoch-individual");
    CU_ASSERT(is_forbidden_by(&s, 3));
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_CRASH_POINT, 7, 0), 1);
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_DURABLE_BEFORE, 4, 5), 1);
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_PERSIST_BARRIER, 5, 0), 1);
    CU_ASSERT(enumerates(&s.fixture, EXEC_CRASH_ANYWHERE));
    shown_fini(&s);
    CU_ASSERT(reaches(RELEASED(""), "hrf-indirect", "epoch-individual"));
    CU_ASSERT(reaches(RELEASED("p_barrier_wg;"), "hrf-indirect", "buffered-epoch-individual"));
}

/* x is durable before y through both barriers: x po the one, that meets the other, and y is
 * po-after it. One barrier without the other would wait for ever, so a barrier that is
 * left out still meets; that neither can be spared shows without both. */
static void test_group(void)
{
    struct shown s;
    shown_init(&s, GROUP("p_barrier_wg;", "p_barrier_wg;", "crash ~exists (y = 1 /\\ x = 0)\n"),
               "sc", "buffered-epoch");
    CU_ASSERT(is_forbidden_by(&s, 3));
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_PERSIST_BEFORE, 4, 9), 1);
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_PERSIST_BARRIER, 5, 0), 1);
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_PERSIST_BARRIER, 8, 0), 1);
    shown_fini(&s);
    CU_ASSERT(reaches(GROUP("", "", "crash ~exists (y = 1 /\\ x = 0)\n"), "sc", "buffered-epoch"));
    /* Under epoch the second barrier also waits, through the first, for x to be durable: not
     * when it meets nobody. */
    shown_init(&s, GROUP("p_barrier_wg;", "p_barrier_wg;", "crash ~exists (y = 1 /\\ x = 0)\n"),
               "sc", "epoch");
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_PERSIST_BARRIER, 5, 0), 1);
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_PERSIST_BARRIER, 8, 0), 1);
    shown_fini(&s);
}

/* P1 never comes to the barrier that P0 has between its writes, so nobody gets past it, whatever
 * the rules; a model without `waits` lets P0 through. Of two barriers, each of a scope that P1 is
 * in, both are never left, and it does not matter which is named. Nobody writes 3, with or without
 * waiting. */
static void test_waits(void)
{
    struct shown s;
    shown_init(&s, GROUP("p_barrier_wg; *x = 2;", "", "crash ~exists (x = 2)\n"), "sc", "epoch");
    CU_ASSERT(is_forbidden_by(&s, 1));
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_WAITS, 5, 0), 1);
    CU_ASSERT(need_of(&s, EXPLANATION_BY_WAITS) == EXPLANATION_NECESSARY);
    CU_ASSERT(defines("collective.cat", s.explanation.reasons.items[0].line, "let waits"));
    shown_fini(&s);
    CU_ASSERT(reaches(GROUP("p_barrier_wg; *x = 2;", "", "crash ~exists (x = 2)\n"), "sc", "none"));
    shown_init(&s, GROUP("p_barrier_kr; p_barrier_wg; *x = 2;", "", "crash ~exists (x = 2)\n"),
               "sc", "epoch");
    CU_ASSERT(is_forbidden_by(&s, 1));
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_WAITS, 5, 0), 1);
    CU_ASSERT(need_of(&s, EXPLANATION_BY_WAITS) == EXPLANATION_SPARE); /* the other still waits */
    shown_fini(&s);
    shown_init(&s, GROUP("p_barrier_wg; *x = 2;", "", "crash ~exists (x = 3)\n"), "sc", "epoch");
    CU_ASSERT(is_forbidden_by(&s, 0));
    shown_fini(&s);
}

#define OVERWRITTEN(order)                                                     \
    "C co\n{ nvm x = 0; nvm z = 0; }\nP0 (atomic_int* x, int* z) {\n*z = 1;\n" \
    "atomic_store_explicit(x, 1, memory_order_" order ");\n"                   \
    "atomic_store_explicit(x, 2, memory_order_relaxed);\n}\n"                  \
    "crash ~exists (x = 2 /\\ z = 0)\n" /* lines 4, 5, 6 */
static const char released_text[] = "\"p\"\nlet persist-before = [W & NVM]; po; [W & NVM & REL]\n";

/* A model of its own: a release waits for what is before it to be durable. So line 5 has line 4
 * durable before it, and line 6, coherence-later than 5, has 5: strong persist atomicity.
 * SC is what orders 5 before 6 in coherence (po one way, co the other would be a cycle); else
 * line 5 could be lost under line 6. */
static void test_coherence(void)
{
    struct shown s;
    shown_init_under(&s, OVERWRITTEN("release"), SC_TEXT, released_text);
    CU_ASSERT(!enumerates(&s.fixture, EXEC_CRASH_ANYWHERE));
    CU_ASSERT(is_forbidden_by(&s, 4));
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_CHECK, 5, 6), 1);
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_CHECK, 6, 5), 1);
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_PERSIST_BEFORE, 4, 5), 1);
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_COHERENCE, 5, 6), 1);
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_ORDERED_ACCESS, 5, 0), 1);
    shown_fini(&s);
    CU_ASSERT(reaches_under(OVERWRITTEN("relaxed"), SC_TEXT, released_text));
    CU_ASSERT(reaches_under(OVERWRITTEN("release"), "\"no check\"\n", released_text));
    CU_ASSERT(reaches_under(OVERWRITTEN("release"), SC_TEXT, "\"none\"\n"));
}

/* r = 1, s = 0 is a cycle of hb from line 4 to 9 and fr back to 4, which RC11's coherence
 * forbids; hb is there through release and acquire. */
static void test_message(void)
{
    struct shown s;
    shown_init(&s, MESSAGE("release", "acquire", STALE), "rc11", "none");
    CU_ASSERT(is_forbidden_by(&s, 3));
    CU_ASSERT(s.explanation.reasons.items[0].kind == EXPLANATION_BY_CHECK);
    CU_ASSERT_STRING_EQUAL(s.explanation.reasons.items[0].name, "coherence");
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_ORDERED_ACCESS, 5, 0), 1);
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_ORDERED_ACCESS, 8, 0), 1);
    shown_fini(&s);
    CU_ASSERT(reaches(MESSAGE("relaxed", "acquire", STALE), "rc11", "none"));
    CU_ASSERT(reaches(MESSAGE("release", "relaxed", STALE), "rc11", "none"));
    CU_ASSERT(reaches_under(MESSAGE("release", "acquire", STALE), "\"no check\"\n", "\"none\"\n"));
}

/* The cycle under SC, a check of steps: po, rf, po, fr. No line's order matters. */
static void test_steps_of_check(void)
{
    struct shown s;
    shown_init(&s, MESSAGE("release", "acquire", STALE), "sc", "none");
    CU_ASSERT(is_forbidden_by(&s, 1));
    CU_ASSERT_STRING_EQUAL(s.explanation.reasons.items[0].name, "sequential-consistency");
    CU_ASSERT_EQUAL(s.explanation.reasons.items[0].pair_count, 4);
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_CHECK, 4, 5), 1);
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_CHECK, 5, 8), 1);
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_CHECK, 8, 9), 1);
    CU_ASSERT_EQUAL(reasons_for(&s, EXPLANATION_BY_CHECK, 9, 4), 1);
    shown_fini(&s);
}

/* Nobody writes 2: no model is to blame. */
static void test_no_reason(void)
{
    struct shown s;
    shown_init(&s, MESSAGE("release", "acquire", "exists (1:r = 2)"), "sc", "none");
    CU_ASSERT(is_forbidden_by(&s, 0));
    shown_fini(&s);
}

/* The filter leaves s = 1 alone, so s = 0 is kept out by it. */
static void test_filter(void)
{
    struct shown s;
    shown_init(&s, MESSAGE("relaxed", "relaxed", "filter (1:s = 1)\nexists (1:s = 0)"), "sc",
               "none");
    CU_ASSERT(is_forbidden_by(&s, 1));
    CU_ASSERT(s.explanation.reasons.items[0].kind == EXPLANATION_BY_FILTER);
    shown_fini(&s);
}

/* `forall` is explained by what breaks it. */
static void test_forall(void)
{
    struct shown s;
    shown_init(&s, INSERT("", "crash forall (key = 0 \\/ val = 42)"), "sc", "epoch");
    CU_ASSERT(s.explanation.answer == EXPLANATION_REACHABLE);
    CU_ASSERT(step_is(&s, 2, EXPLANATION_DURABLE, 6, "W key"));
    shown_fini(&s);
    shown_init(&s, INSERT("p_barrier_wi;", "crash forall (key = 0 \\/ val = 42)"), "sc", "epoch");
    CU_ASSERT(s.explanation.answer == EXPLANATION_UNREACHABLE);
    shown_fini(&s);
}

/* ---- Unknown ---- */

static void test_unknown(void)
{
    struct fixture fixture;
    struct explanation explanation;
    fixture_init(&fixture, INSERT("", KEY_ALONE), "sc", "epoch");
    explain(&fixture, EXEC_CRASH_ANYWHERE, 1e-9, &explanation); /* no time at all */
    CU_ASSERT(explanation.answer == EXPLANATION_UNKNOWN);
    CU_ASSERT_PTR_NOT_NULL_FATAL(explanation.doubt);
    CU_ASSERT_STRING_EQUAL(explanation.doubt, "the time limit ran out");
    explanation_fini(&explanation);
    fixture_fini(&fixture);
    struct shown s;
    shown_init(
        &s, INSERT("", "recovery (global int* key) { int k = *key; }\nrecovered exists (key = 1)"),
        "sc", "epoch");
    CU_ASSERT(s.explanation.answer == EXPLANATION_UNKNOWN);
    CU_ASSERT_PTR_NOT_NULL(s.explanation.doubt);
    shown_fini(&s);
}

/* Four stores in sc's order, and z durable at the crash: all have executed, and at least none is lost, so 4
 * execute, 4 become durable, and power fails. */
static bool is_least(const struct explanation *e)
{
    return e->steps.count == 9 && ALL(i, e->steps.count, !e->steps.items[i].lost);
}

/* After so many questions the solver is asked nothing more. A search that ends before the least is known says so,
 * however many that are. */
static void test_cut_short(void)
{
    enum { MOST = 40 };
    uint32_t cut = 0, silent = 0;
    bool ended = false;
    for (uint64_t questions = 0; questions < MOST && !ended; questions++) {
        struct fixture fixture;
        struct explanation explanation;
        struct clock_allowance few = {.left = questions};
        fixture_init(&fixture,
                     "OPENCL t\n{ nvm a = 0; nvm b = 0; nvm c = 0; nvm z = 0; }\n"
                     "P0 { *a = 1; *b = 1; *c = 1; *z = 1; }\ncrash exists (z = 1)\n",
                     "sc", "none");
        explain_within(&fixture, EXEC_CRASH_ANYWHERE, (struct clock_limit){.allowance = &few},
                       &explanation);
        bool shown = explanation.answer == EXPLANATION_REACHABLE;
        CU_ASSERT_EQUAL(shown, questions > 0); /* the first one finds the state */
        cut += shown && explanation.doubt;
        silent += shown && !explanation.doubt && !is_least(&explanation);
        ended = shown && !explanation.doubt;
        explanation_fini(&explanation);
        fixture_fini(&fixture);
    }
    CU_ASSERT(ended && cut > 0);
    CU_ASSERT_EQUAL(silent, 0);
}

/* Not both of a and b: the two are why it cannot be, c is not. */
static void test_core(void)
{
    struct smt_solver *solver = smt_solver_new(0, SMT_INTEGERS);
    smt_term terms[3] = {smt_bool(solver), smt_bool(solver), smt_bool(solver)};
    bool core[3] = {false, false, true};
    smt_assert(solver, smt_not(solver, smt_and(solver, terms[0], terms[1])));
    CU_ASSERT(smt_check_assuming(solver, terms, 3, core, 0) == SMT_UNSAT);
    CU_ASSERT(core[0] && core[1] && !core[2]);
    CU_ASSERT(smt_check_assuming(solver, terms + 1, 2, core, 0) == SMT_SAT);
    CU_ASSERT(smt_model_holds(solver, terms[1]) && smt_model_holds(solver, terms[2]));
    CU_ASSERT(!smt_model_holds(solver, terms[0]));
    CU_ASSERT(smt_check_assuming(solver, NULL, 0, NULL, 0) ==
              SMT_SAT); /* assumptions are gone after the check */
    smt_solver_free(solver);
}

void suite_explain(void)
{
    CU_pSuite suite = CU_add_suite("explain", NULL, NULL);
    UNIT_TEST(suite, test_insert_barrier);
    UNIT_TEST(suite, test_few_rules);
    UNIT_TEST(suite, test_branches);
    UNIT_TEST(suite, test_spare_barrier);
    UNIT_TEST(suite, test_released);
    UNIT_TEST(suite, test_group);
    UNIT_TEST(suite, test_waits);
    UNIT_TEST(suite, test_coherence);
    UNIT_TEST(suite, test_message);
    UNIT_TEST(suite, test_steps_of_check);
    UNIT_TEST(suite, test_no_reason);
    UNIT_TEST(suite, test_filter);
    UNIT_TEST(suite, test_forall);
    UNIT_TEST(suite, test_unknown);
    UNIT_TEST(suite, test_cut_short);
    UNIT_TEST(suite, test_core);
}
