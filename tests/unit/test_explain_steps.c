/* Explanations of what can be reached: the steps of an execution, derived by hand. */
#include "test_explain_fixture.h"

#include "enumerate/enumerate.h"

/* key durable needs key executed, and po before it val executed; nothing needs val durable:
 * no barrier. The state has val = 0, so val's write is lost. */
static void test_insert_bare(void)
{
    struct shown s;
    shown_init(&s, INSERT("", KEY_ALONE), "sc", "epoch");
    CU_ASSERT(s.explanation.answer == EXPLANATION_REACHABLE);
    CU_ASSERT(step_is(&s, 0, EXPLANATION_EXECUTES, 4, "W val"));
    CU_ASSERT(step_is(&s, 1, EXPLANATION_EXECUTES, 6, "W key"));
    CU_ASSERT(step_is(&s, 2, EXPLANATION_DURABLE, 6, "W key"));
    CU_ASSERT_EQUAL_FATAL(s.explanation.steps.count, 4);
    CU_ASSERT(s.explanation.steps.items[3].kind == EXPLANATION_CRASH);
    CU_ASSERT(s.explanation.steps.items[0].lost);
    CU_ASSERT(!s.explanation.steps.items[1].lost);
    CU_ASSERT_EQUAL(s.explanation.steps.items[0].value, 42);
    CU_ASSERT_EQUAL(s.explanation.row[0], 1); /* key, then val */
    CU_ASSERT_EQUAL(s.explanation.row[1], 0);
    shown_fini(&s);
}

/* Under epoch val is durable before the barrier executes: as early as may be is at once
 * after its write. */
static void test_durable_early(void)
{
    struct shown s;
    shown_init(&s, INSERT("p_barrier_wi;", "crash exists (key = 1)"), "sc", "epoch");
    CU_ASSERT(step_is(&s, 0, EXPLANATION_EXECUTES, 4, "W val"));
    CU_ASSERT(step_is(&s, 1, EXPLANATION_DURABLE, 4, "W val"));
    CU_ASSERT(step_is(&s, 2, EXPLANATION_EXECUTES, 5, "PB WI"));
    CU_ASSERT(step_is(&s, 3, EXPLANATION_EXECUTES, 6, "W key"));
    CU_ASSERT(step_is(&s, 4, EXPLANATION_DURABLE, 6, "W key"));
    CU_ASSERT_EQUAL(s.explanation.steps.count, 6);
    shown_fini(&s);
}

/* r = 1 is read from line 5, so that comes first; s = 1 from line 4. */
static void test_values_read(void)
{
    struct shown s;
    shown_init(&s, MESSAGE("release", "acquire", "exists (1:r = 1 /\\ 1:s = 1)"), "rc11", "none");
    CU_ASSERT_EQUAL_FATAL(s.explanation.steps.count, 4); /* no crash, nothing durable */
    CU_ASSERT(step_is(&s, 0, EXPLANATION_EXECUTES, 4, "W x"));
    CU_ASSERT(step_is(&s, 1, EXPLANATION_EXECUTES, 5, "W f"));
    CU_ASSERT(step_is(&s, 2, EXPLANATION_EXECUTES, 8, "R f"));
    CU_ASSERT(step_is(&s, 3, EXPLANATION_EXECUTES, 9, "R x"));
    const struct explanation_step *step = &s.explanation.steps.items[2];
    CU_ASSERT(step->is_read && step->has_value && step->value == 1);
    CU_ASSERT_EQUAL(step->source.line, 5);
    CU_ASSERT_EQUAL(s.explanation.steps.items[3].source.line, 4);
    shown_fini(&s);
}

/* fr does not bind the order, but reads of older values come first where they may: r = 0
 * reads before line 5 writes. */
static void test_older_reads_first(void)
{
    struct shown s;
    shown_init(&s, MESSAGE("relaxed", "relaxed", "exists (1:r = 0 /\\ 1:s = 0)"), "rc11", "none");
    CU_ASSERT_EQUAL_FATAL(s.explanation.steps.count, 4);
    CU_ASSERT(step_is(&s, 0, EXPLANATION_EXECUTES, 8, "R f"));
    CU_ASSERT(step_is(&s, 1, EXPLANATION_EXECUTES, 9, "R x"));
    CU_ASSERT_EQUAL(s.explanation.steps.items[0].source.thread, LIT_NONE);
    shown_fini(&s);
}

/* Load buffering, which C11 allows: po and rf go in a circle through all four events. */
static void test_cycle(void)
{
    struct shown s;
    shown_init(&s,
               "C lb\n{ x = 0; y = 0; }\nP0 (atomic_int* x, atomic_int* y) {\n"
               "int r = atomic_load_explicit(x, memory_order_relaxed);\n"
               "atomic_store_explicit(y, 1, memory_order_relaxed);\n}\n"
               "P1 (atomic_int* x, atomic_int* y) {\n"
               "int r = atomic_load_explicit(y, memory_order_relaxed);\n"
               "atomic_store_explicit(x, 1, memory_order_relaxed);\n}\n"
               "exists (0:r = 1 /\\ 1:r = 1)\n",
               "c11", "none");
    CU_ASSERT_EQUAL_FATAL(s.explanation.steps.count, 5);
    CU_ASSERT(s.explanation.steps.items[0].kind == EXPLANATION_CYCLE);
    CU_ASSERT_EQUAL(s.explanation.steps.items[0].count, 4);
    for (size_t i = 1; i < 5; i++)
        CU_ASSERT(s.explanation.steps.items[i].together);
    shown_fini(&s);
}

/* Both work-items leave the barrier in one moment, after line 4 and before line 9; that is
 * no cycle worth a word. */
static void test_meeting(void)
{
    struct shown s;
    shown_init(&s, GROUP("p_barrier_wg;", "p_barrier_wg;", "crash exists (y = 1)\n"), "sc",
               "buffered-epoch");
    CU_ASSERT(step_is(&s, 0, EXPLANATION_EXECUTES, 4, "W x"));
    CU_ASSERT(step_is(&s, 1, EXPLANATION_DURABLE, 4, "W x"));
    CU_ASSERT(step_is(&s, 2, EXPLANATION_EXECUTES, 5, "PB WG"));
    CU_ASSERT(step_is(&s, 3, EXPLANATION_EXECUTES, 8, "PB WG"));
    CU_ASSERT(!s.explanation.steps.items[2].together && s.explanation.steps.items[3].together);
    CU_ASSERT(step_is(&s, 4, EXPLANATION_EXECUTES, 9, "W y"));
    shown_fini(&s);
}

/* Nothing orders the two: thread by thread, as they are numbered. */
static void test_threads_in_turn(void)
{
    struct shown s;
    shown_init(&s, GROUP("", "", "crash exists (x = 1 /\\ y = 1)\n"), "sc", "buffered-epoch");
    CU_ASSERT(step_is(&s, 0, EXPLANATION_EXECUTES, 4, "W x"));
    CU_ASSERT(step_is(&s, 1, EXPLANATION_DURABLE, 4, "W x"));
    CU_ASSERT(step_is(&s, 2, EXPLANATION_EXECUTES, 9, "W y"));
    CU_ASSERT(step_is(&s, 3, EXPLANATION_DURABLE, 9, "W y"));
    shown_fini(&s);
}

/* A model of its own: the other thread's release is durable before a relaxed write is, and a
 * relaxed write before anything after it executes. So line 5 waits for line 4 to be durable,
 * that for line 8, and that must have executed. */
static void test_waits_for_other(void)
{
    struct shown s;
    shown_init_under(&s,
                     "C wait\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\n"
                     "P0 (atomic_int* x, int* z) {\n"
                     "atomic_store_explicit(x, 1, memory_order_relaxed);\n*z = 1;\n}\n"
                     "P1 (atomic_int* y) {\n"
                     "atomic_store_explicit(y, 1, memory_order_release);\n}\n"
                     "crash exists (z = 1)\n",
                     SC_TEXT,
                     "\"p\"\nlet persist-before = [W & NVM & REL]; ext; [W & NVM & RLX]\n"
                     "let durable-before = [W & NVM & RLX]; po\n");
    CU_ASSERT(step_is(&s, 0, EXPLANATION_EXECUTES, 4, "W x"));
    CU_ASSERT(step_is(&s, 1, EXPLANATION_EXECUTES, 8, "W y"));
    CU_ASSERT(step_is(&s, 2, EXPLANATION_DURABLE, 8, "W y"));
    CU_ASSERT(step_is(&s, 3, EXPLANATION_DURABLE, 4, "W x"));
    CU_ASSERT(step_is(&s, 4, EXPLANATION_EXECUTES, 5, "W z"));
    CU_ASSERT(step_is(&s, 5, EXPLANATION_DURABLE, 5, "W z"));
    CU_ASSERT_EQUAL(s.explanation.steps.count, 7);
    shown_fini(&s);
}

#define TOGETHER(condition)                                                                  \
    "OPENCL pair\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x, global int* y) {\n*x = 1;\n" \
    "*y = 1;\n}\n" condition "\n" /* lines 4, 5 */
static const char atomic_text[] = "\"p\"\nlet mine = (W & NVM) \\ IW\n"
                                  "let persist-atomic = [W & NVM] | (mine * mine) & int\n";

/* One thread's writes become durable at once: after the second, in one moment; so neither
 * alone. */
static void test_durable_together(void)
{
    struct shown s;
    shown_init_under(&s, TOGETHER("crash exists (x = 1)"), SC_TEXT, atomic_text);
    CU_ASSERT(step_is(&s, 0, EXPLANATION_EXECUTES, 4, "W x"));
    CU_ASSERT(step_is(&s, 1, EXPLANATION_EXECUTES, 5, "W y"));
    CU_ASSERT(step_is(&s, 2, EXPLANATION_DURABLE, 4, "W x"));
    CU_ASSERT(step_is(&s, 3, EXPLANATION_DURABLE, 5, "W y"));
    CU_ASSERT(!s.explanation.steps.items[2].together && s.explanation.steps.items[3].together);
    shown_fini(&s);
    shown_init_under(&s, TOGETHER("crash ~exists (x = 1 /\\ y = 0)"), SC_TEXT, atomic_text);
    CU_ASSERT(is_forbidden_by(&s, 1));
    CU_ASSERT(s.explanation.reasons.items[0].kind == EXPLANATION_BY_PERSIST_ATOMIC);
    shown_fini(&s);
    CU_ASSERT(reaches_under(TOGETHER("crash ~exists (x = 1 /\\ y = 0)"), SC_TEXT, "\"none\"\n"));
}

static bool gap_is(const struct explanation_gap *gap, uint32_t earlier, uint32_t later)
{
    return gap->earlier.line == earlier && gap->later.line == later;
}

/* Does a line that is added in front of that one, or takes its place, stand in a gap? */
static bool closes(struct shown *s, uint32_t line, const char *before)
{
    const struct change change = {.line = line, .before = before, .after = "p_barrier_wi;"};
    const struct changes changes = {.items = &change, .count = 1};
    return explanation_keep_closed_gaps(&s->explanation, s->fixture.program, &changes);
}

/* val is lost, key durable; nothing stands between the two. A line that is added stands between
 * them in front of line 6, and in front of line 5 if there were something; not before or behind
 * both. */
static void test_gap(void)
{
    struct shown s;
    shown_init(&s, INSERT("", "crash ~exists (key = 1 /\\ val = 0)"), "sc", "epoch");
    CU_ASSERT_EQUAL_FATAL(s.explanation.gaps.count, 1);
    const struct explanation_gap *gap = &s.explanation.gaps.items[0];
    CU_ASSERT(gap_is(gap, 4, 6));
    CU_ASSERT(gap->next && !gap->has_between);
    CU_ASSERT_EQUAL(gap->threads[0], gap->threads[1]);
    CU_ASSERT_FALSE(closes(&s, 4, NULL));
    CU_ASSERT_FALSE(closes(&s, 7, NULL));
    CU_ASSERT_EQUAL(s.explanation.gaps.count, 1);
    CU_ASSERT_TRUE(closes(&s, 6, NULL));
    CU_ASSERT_TRUE(closes(&s, 4, " *val = 42;"));
    CU_ASSERT_EQUAL(s.explanation.gaps.count, 1);
    shown_fini(&s);
}

/* Two work-items: behind the earlier write in its own, or before the later one in the other one's.
 * P1's barrier at line 9 stands between them. */
static void test_gap_of_two(void)
{
    struct shown s;
    shown_init(&s,
               "OPENCL t\n{ nvm x = 0; nvm y = 0; atomic_int f = 0; }\n"
               "P0@sg 0, wg 0 (global int* x, global atomic_int* f) {\n"
               " *x = 1;\n f.store(1, mo_rel, wg_scope);\n p_barrier_wi; }\n"
               "P1@sg 1, wg 0 (global int* y, global atomic_int* f) {\n"
               " while (!f.load(mo_acq, wg_scope));\n p_barrier_wi;\n *y = 1; }\n"
               "crash ~exists (y = 1 /\\ x = 0)\n",
               "hrf-direct", "epoch-individual");
    CU_ASSERT_EQUAL_FATAL(s.explanation.gaps.count, 1);
    const struct explanation_gap *gap = &s.explanation.gaps.items[0];
    CU_ASSERT(gap_is(gap, 4, 10));
    CU_ASSERT_TRUE(gap->has_between);
    CU_ASSERT_EQUAL(gap->between.line, 9);
    CU_ASSERT_STRING_EQUAL(gap->between.access, "p_barrier_wi");
    CU_ASSERT_FALSE(closes(&s, 4, NULL));
    CU_ASSERT_FALSE(closes(&s, 11, NULL));
    CU_ASSERT_TRUE(closes(&s, 5, NULL));
    CU_ASSERT_TRUE(closes(&s, 9, " p_barrier_wi;"));
    shown_fini(&s);
}

/* Under epoch only a persist barrier that completes when val is durable orders the two, and no
 * other work-item's does. Of what else stands between them the nearest to one is named: the widest
 * fence, else an execution barrier. */
static void test_gap_nearest(void)
{
#define BARRIER "barrier(CLK_GLOBAL_MEM_FENCE); "
#define FENCE_OF(scope) "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, mo_acq_rel, " scope "); "
    static const struct {
        const char *text, *named;
        size_t behind; /* the text before what is named */
    } cases[] = {
        {BARRIER, "barrier", 0},
        {BARRIER FENCE_OF("wg_scope") FENCE_OF("dev_scope") FENCE_OF("wg_scope"),
         "atomic_work_item_fence", sizeof(BARRIER FENCE_OF("wg_scope")) - 1},
        {FENCE_OF("wg_scope") BARRIER, "atomic_work_item_fence", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shown s;
        struct strbuf text = {0};
        strbuf_printf(&text, INSERT("%s", KEY_ALONE), cases[i].text);
        shown_init(&s, strbuf_text(&text), "hrf-direct", "epoch");
        CU_ASSERT_EQUAL_FATAL(s.explanation.gaps.count, 1);
        CU_ASSERT_FATAL(s.explanation.gaps.items[0].has_between);
        CU_ASSERT_STRING_EQUAL(s.explanation.gaps.items[0].between.access, cases[i].named);
        CU_ASSERT_EQUAL(s.explanation.gaps.items[0].between.column, cases[i].behind + 1);
        shown_fini(&s);
        strbuf_fini(&text);
    }
}

/* x durable needs x executed, po y executed; y may be durable or lost: as few as possible are lost,
 * so nothing is, and z, of another work-item, has not even executed. That both can be lost decides
 * nothing; where the condition asks for y = 0 one is. */
static void test_least(void)
{
#define LEAST(condition)                                                                        \
    "OPENCL least\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\nP0 (global int* x, global int* y) {\n" \
    "*y = 1;\n*x = 1;\n}\nP1 (global int* z) {\n*z = 1;\n}\ncrash ~exists (" condition ")\n"
    struct shown s;
    shown_init(&s, LEAST("x = 1"), "sc", "epoch");
    CU_ASSERT_EQUAL_FATAL(s.explanation.steps.count, 5);
    for (size_t i = 0; i < 5; i++)
        CU_ASSERT(!s.explanation.steps.items[i].lost);
    CU_ASSERT_EQUAL(s.explanation.row[1], 1); /* x, y, z */
    CU_ASSERT_EQUAL(s.explanation.row[2], 0);
    shown_fini(&s);
    shown_init(&s, LEAST("x = 1 /\\ (y = 0 \\/ z = 0)"), "sc", "epoch");
    CU_ASSERT_EQUAL(s.explanation.row[1], 1); /* z = 0 loses nothing */
    shown_fini(&s);
    shown_init(&s, LEAST("x = 1 /\\ y = 0 /\\ z = 1"), "sc", "epoch");
    CU_ASSERT(s.explanation.steps.items[0].lost);
    CU_ASSERT_EQUAL(s.explanation.gaps.count, 1);
    shown_fini(&s);
#undef LEAST
}

/* What was lost came after what is durable. */
static void test_no_gap(void)
{
    struct shown s;
    shown_init(&s, INSERT("p_barrier_wi;", "crash ~exists (val = 42 /\\ key = 0)"), "sc", "epoch");
    CU_ASSERT(s.explanation.answer == EXPLANATION_REACHABLE);
    CU_ASSERT_EQUAL(s.explanation.gaps.count, 0);
    shown_fini(&s);
}

void suite_explain_steps(void)
{
    CU_pSuite suite = CU_add_suite("explain_steps", NULL, NULL);
    UNIT_TEST(suite, test_insert_bare);
    UNIT_TEST(suite, test_durable_early);
    UNIT_TEST(suite, test_values_read);
    UNIT_TEST(suite, test_older_reads_first);
    UNIT_TEST(suite, test_cycle);
    UNIT_TEST(suite, test_meeting);
    UNIT_TEST(suite, test_threads_in_turn);
    UNIT_TEST(suite, test_waits_for_other);
    UNIT_TEST(suite, test_durable_together);
    UNIT_TEST(suite, test_gap);
    UNIT_TEST(suite, test_gap_of_two);
    UNIT_TEST(suite, test_gap_nearest);
    UNIT_TEST(suite, test_least);
    UNIT_TEST(suite, test_no_gap);
}
