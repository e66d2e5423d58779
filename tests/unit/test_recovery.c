/* Recovery programs run on crash states: what they leave, what they leave when they crash
 * themselves, and what can go wrong. Expected states follow by hand from docs/models/semantics.md.
 */
#include "test_recovery_fixture.h"

#include "answer/report_graph.h"
#include "engine/recovery.h"
#include "enumerate/enumerate.h"

#include <stdio.h>

static void run(struct recovery_case *c, const char *text)
{
    prepare(c, text);
    enum_run(&c->request, &c->o);
    CU_ASSERT_EQUAL(c->faults, 0);
}

/* The rows of a set, in order. */
static void expect_rows(const struct outcome_states *states, const int64_t *rows, size_t count)
{
    CU_ASSERT_EQUAL_FATAL(states->count, count);
    for (size_t i = 0; i < count; i++)
        CU_ASSERT_TRUE(memcmp(outcome_row(states, i), rows + i * states->width,
                              states->width * sizeof *rows) == 0);
}

#define EXPECT_ROWS(states, width, ...)                 \
    expect_rows(states, (const int64_t[]){__VA_ARGS__}, \
                sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t) / (width))

/* An undo log of one entry. Each barrier of the program is between two writes, so the crash
 * states st,x are 0,0 (before), 1,0 (logged), 1,5 (updated), 0,5 (done). */
#define UNDO(restartable)                                                           \
    "OPENCL t\n{ nvm st = 0; nvm old = 0; nvm x = 0; }\n"                           \
    "P0 (global int* st, global int* x) {\n"                                        \
    " *st = 1; p_barrier_wi; *x = 5; p_barrier_wi; *st = 0; }\n"                    \
    "recovery " restartable " (global int* st, global int* old, global int* x) {\n" \
    " int r = *st;\n if (r == 1) { *x = *old; p_barrier_wi; *st = 0; } }\n"         \
    "recovered forall (st = 0 /\\ (x = 0 \\/ x = 5))\n"                             \
    "recovered forall (0:r = 0)\nrecovered ~exists (x = 5)\n"

/* st = 1 is undone to 0,0, st = 0 is left alone: r=0 with 0,0 and 0,5, r=1 with 0,0. Columns:
 * st, old, x, r. */
static void test_once(void)
{
    struct recovery_case c;
    run(&c, UNDO(""));
    EXPECT_ROWS(&c.o.crash, 3, 0, 0, 0, 0, 0, 5, 1, 0, 0, 1, 0, 5);
    EXPECT_ROWS(&c.o.recovered, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 5, 0);
    EXPECT_ROWS(&c.o.recoveries, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 5, 0, 1, 0, 0, 0, 0, 0, 1,
                1, 0, 5, 0, 0, 0, 1);
    CU_ASSERT_EQUAL(c.o.restarts.count, 0);
    CU_ASSERT_EQUAL(c.o.livelocks.count, 0);
    CU_ASSERT_EQUAL(verdict(&c, 0), LIT_OK);
    CU_ASSERT_EQUAL(verdict(&c, 1), LIT_VIOLATED);
    CU_ASSERT_EQUAL(verdict(&c, 2), LIT_VIOLATED);
    CU_ASSERT_EQUAL(outcome_verdict(&c.o, c.f.program), LIT_VIOLATED);
    CU_ASSERT_EQUAL(c.o.recovery_stats.rounds, 1);
    CU_ASSERT(c.witnesses[0] > 0 && c.witnesses[1] > 0);
    finish(&c);
}

/* A crash in recovery from 1,5 leaves 1,5 itself, 1,0 (x restored) or 0,0 (all done); from 1,0
 * it leaves 0,0. All of these are crash states already: one round. */
static void test_restarts(void)
{
    struct recovery_case c;
    run(&c, UNDO("restartable"));
    EXPECT_ROWS(&c.o.restarts, 6, 1, 0, 0, 0, 0, 0, 1, 0, 5, 0, 0, 0, 1, 0, 5, 1, 0, 0);
    EXPECT_ROWS(&c.o.recovered, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 5, 0);
    CU_ASSERT_EQUAL(c.o.recovery_stats.rounds, 1);
    CU_ASSERT_EQUAL(verdict(&c, 0), LIT_OK);
    finish(&c);
}

/* Of the violated conditions: the crash state recovery starts on, what it reads and writes. */
static void test_chain(void)
{
    struct recovery_case c;
    run(&c, UNDO(""));
    CU_ASSERT_PTR_NOT_NULL_FATAL(c.o.chains);
    CU_ASSERT_PTR_NULL(c.o.chains[0].recovered); /* nothing breaks it */
    const struct outcome_chain *chain = &c.o.chains[1];
    CU_ASSERT_EQUAL_FATAL(chain->link_count, 1);
    CU_ASSERT_EQUAL(chain->links[0].start[0], 1);
    CU_ASSERT_EQUAL(chain->recovered[3], 1);
    CU_ASSERT_EQUAL_FATAL(chain->links[0].step_count, 5);
    const struct outcome_step *steps = chain->links[0].steps;
    CU_ASSERT_STRING_EQUAL(steps[0].event.access, "R st");
    CU_ASSERT_EQUAL(steps[0].event.line, 6);
    CU_ASSERT_EQUAL(steps[0].value, 1);
    CU_ASSERT_EQUAL(steps[0].source.thread, LIT_NONE);
    CU_ASSERT_STRING_EQUAL(outcome_thread(c.f.program, steps[0].event.thread)->name, "recovery P0");
    CU_ASSERT_STRING_EQUAL(steps[1].event.access, "R old");
    CU_ASSERT_STRING_EQUAL(steps[2].event.access, "W x");
    CU_ASSERT_EQUAL(steps[2].value, 0);
    CU_ASSERT_STRING_EQUAL(steps[4].event.access, "W st");
    CU_ASSERT_FALSE(steps[4].lost);
    /* Locations in their order: st, old, x. */
    CU_ASSERT_EQUAL(steps[2].event.location, 2);
    CU_ASSERT_EQUAL(steps[3].event.instr->op, LIT_PBARRIER);
    CU_ASSERT_EQUAL(steps[4].event.location, 0);
    finish(&c);
}

#define FENCE(scope) \
    "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_" scope ")"

/* Both fences are "F" on one line: each is drawn with its own statement. On top stands what the
 * read found, then the read. */
static void test_chain_drawn(void)
{
    struct recovery_case c;
    run(&c, "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
            "recovery (global int* x) { int r = *x; " FENCE("work_group") "; " FENCE(
                "device") "; }\n"
                          "recovered ~exists (x = 1)\n");
    const struct report_test test = {
        .program = c.f.program, .model = c.request.model, .outcome = &c.o};
    CU_ASSERT_PTR_NOT_NULL_FATAL(c.o.chains);
    struct report_graph *graph = report_graph_of_link(&test, &c.o.chains[0], 0, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(graph);
    CU_ASSERT_EQUAL_FATAL(graph->event_count, 4);
    CU_ASSERT_STRING_EQUAL(graph->events[0].label, "W x=1");
    CU_ASSERT_STRING_EQUAL(graph->events[1].label, "R x=1");
    CU_ASSERT_STRING_EQUAL(graph->events[2].source, FENCE("work_group"));
    CU_ASSERT_STRING_EQUAL(graph->events[3].source, FENCE("device"));
    report_graph_free(graph);
    finish(&c);
}

/* Adding 1 is no recovery that may be repeated: without a crash in it c is 1 (the program writes
 * nothing else). With crashes each round leaves one more. */
#define COUNT(restartable)                                                   \
    "OPENCL t\n{ nvm c = 0; nvm d = 0; }\nP0 (global int* d) { *d = 0; }\n"  \
    "recovery " restartable " (global int* c) { int r = *c; *c = r + 1; }\n" \
    "recovered exists (c = 2)\nrecovered ~exists (c = 9)\n"

static void test_rounds(void)
{
    struct recovery_case c;
    run(&c, COUNT(""));
    EXPECT_ROWS(&c.o.recovered, 2, 1, 0);
    CU_ASSERT_EQUAL(verdict(&c, 0), LIT_VIOLATED);
    CU_ASSERT_EQUAL(verdict(&c, 1), LIT_OK);
    finish(&c);
    prepare(&c, COUNT("restartable"));
    c.request.rounds = 3;
    enum_run(&c.request, &c.o);
    EXPECT_ROWS(&c.o.recovered, 2, 1, 0, 2, 0, 3, 0);
    EXPECT_ROWS(&c.o.restarts, 4, 0, 0, 1, 0, 1, 0, 2, 0, 2, 0, 3, 0);
    CU_ASSERT_EQUAL(c.o.recovery_stats.rounds, 3);
    CU_ASSERT_TRUE(c.o.recovery_doubts[OUTCOME_DOUBT_ROUNDS]);
    CU_ASSERT_PTR_NULL(outcome_doubt(&c.o)); /* nothing is doubtful before recovery */
    CU_ASSERT_EQUAL(verdict(&c, 0), LIT_OK);
    CU_ASSERT_EQUAL(verdict(&c, 1), LIT_UNKNOWN);
    CU_ASSERT_EQUAL_FATAL(c.o.chains[0].link_count, 2); /* a crash after the first addition */
    CU_ASSERT_EQUAL(c.o.chains[0].links[0].start[0], 0);
    CU_ASSERT_EQUAL(c.o.chains[0].links[1].start[0], 1);
    CU_ASSERT_EQUAL(c.o.chains[0].recovered[0], 2);
    finish(&c);
    prepare(&c, COUNT("")); /* the request may ask for crashes, too */
    c.request.recovery_crash = true;
    enum_run(&c.request, &c.o);
    CU_ASSERT_EQUAL(c.o.recovered.count, 8); /* the default */
    finish(&c);
}

/* Volatile memory is back at its first value, whatever the program made of it. */
static void test_volatile_memory(void)
{
    struct recovery_case c;
    run(&c,
        "OPENCL t\n{ v = 3; nvm x = 0; }\nP0 (global int* v, global int* x) { *v = 4; *x = 1; }\n"
        "recovery (global int* v, global int* x) { *x = *v; }\nrecovered forall (x = 3)\n");
    EXPECT_ROWS(&c.o.recovered, 1, 3);
    finish(&c);
}

/* Recovery that does not crash leaves its last stores, durable or not: which of its 20 stores are
 * durable by then, one of 2^20 sets, is nobody's question, and leaves no doubt. */
static void test_once_has_no_crash_states(void)
{
    for (int decide = 0; decide <= 1; decide++) {
        struct recovery_case c;
        prepare(&c, "OPENCL t\n{ nvm a[20]; nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                    "recovery (global int* a) { for (int i = 0; i < 20; i++) { a[i] = 1; } }\n"
                    "recovered forall (a[0] = 1 /\\ a[19] = 1)\n");
        c.request.decide = decide;
        enum_run(&c.request, &c.o);
        CU_ASSERT_EQUAL(c.o.recovered.count, 2);
        CU_ASSERT_EQUAL(verdict(&c, 0), LIT_OK);
        finish(&c);
    }
}

/* A condition may ask for volatile memory that stands before or between the non-volatile: its
 * column comes after theirs. From x = 0 and x = 1: y = v = 7, x and z stay, v becomes 8. */
static void test_volatile_columns(void)
{
    struct recovery_case c;
    run(&c, "OPENCL t\n{ w = 2; nvm x = 0; v = 7; nvm y = 0; nvm z = 9; }\n"
            "P0 (global int* x) { *x = 1; }\n"
            "recovery restartable (global int* v, global int* y) { *y = *v; *v = 8; }\n"
            "recovered forall (y = 7 /\\ z = 9 /\\ v = 8 /\\ w = 2)\n"
            "recovered ~exists (x = 1 /\\ w = 2)\n");
    EXPECT_ROWS(&c.o.recovered, 5, 0, 7, 9, 2, 8, 1, 7, 9, 2, 8);
    EXPECT_ROWS(&c.o.restarts, 6, 0, 0, 9, 0, 7, 9, 1, 0, 9, 1, 7, 9);
    CU_ASSERT_EQUAL(verdict(&c, 0), LIT_OK);
    CU_ASSERT_EQUAL(verdict(&c, 1), LIT_VIOLATED);
    CU_ASSERT_EQUAL(c.o.chains[1].recovered[0], 1);
    CU_ASSERT_EQUAL(c.o.chains[1].links[0].step_count, 3); /* R v, W y, W v */
    finish(&c);
}

#define WAITING                                                                \
    "OPENCL t\n{ nvm atomic_int f = 0; }\n"                                    \
    "P0 (global atomic_int* f) { f.store(1, mo_rel, wg_scope); }\n"            \
    "recovery (global atomic_int* f) { while (!f.load(mo_acq, wg_scope)); }\n" \
    "recovered exists (f = 1)\nfinal forall (f = 1)\n"

/* With f = 0 durable recovery waits for ever, with f = 1 it ends at once. */
static void test_livelock(void)
{
    for (int decide = 0; decide <= 1; decide++) {
        struct recovery_case c;
        prepare(&c, WAITING);
        c.request.decide = decide;
        enum_run(&c.request, &c.o);
        EXPECT_ROWS(&c.o.livelocks, 1, 0);
        CU_ASSERT_EQUAL(verdict(&c, 0), LIT_ERROR);
        CU_ASSERT_EQUAL(verdict(&c, 1), LIT_OK);
        CU_ASSERT_EQUAL(outcome_verdict(&c.o, c.f.program), LIT_ERROR);
        CU_ASSERT_EQUAL_FATAL(c.o.flags.count, 1);
        CU_ASSERT_STRING_EQUAL(c.o.flags.items[0], "livelock");
        finish(&c);
    }
}

/* Recovery turns a over and waits for a volatile flag that nobody sets: never complete, and
 * crashes lead from 0 to 1 and back. */
static void test_livelock_cycle(void)
{
    struct recovery_case c;
    uint32_t cycle[2];
    run(&c, "OPENCL t\n{ nvm a = 0; f = 0; nvm b = 0; }\nP0 (global int* b) { *b = 0; }\n"
            "recovery restartable (global int* a, global atomic_int* f) {\n"
            " int r = *a; *a = 1 - r; while (!f.load(mo_acq, wg_scope)); }\n");
    EXPECT_ROWS(&c.o.livelocks, 2, 0, 0, 1, 0);
    EXPECT_ROWS(&c.o.restarts, 4, 0, 0, 1, 0, 1, 0, 0, 0);
    CU_ASSERT_EQUAL(c.o.recovered.count, 0);
    CU_ASSERT_EQUAL(outcome_livelock_cycle(&c.o, 1, cycle), 2);
    CU_ASSERT_EQUAL(outcome_verdict(&c.o, c.f.program), LIT_ERROR); /* without any condition */
    finish(&c);
}

/* A loop that goes on for as long as x says, 5 turns, but is followed for 2 only: that is a doubt
 * and no livelock. From x = 0 recovery completes. */
static void test_bound_is_no_livelock(void)
{
    struct recovery_case c;
    run(&c, "OPENCL t\n{ nvm x = 0; nvm n = 0; }\nP0 (global int* x) { *x = 5; }\n"
            "recovery (global int* x, global int* n) {\n"
            " int r = *x; int i = 0; while (i < r) { *n = i; i = i + 1; } }\n"
            "recovered exists (x = 0)\nrecovered ~exists (n = 7)\nfinal forall (x = 5)\n");
    CU_ASSERT_EQUAL(c.o.livelocks.count, 0);
    CU_ASSERT_TRUE(c.o.recovery_doubts[OUTCOME_DOUBT_UNROLL]);
    CU_ASSERT_EQUAL(verdict(&c, 0), LIT_OK);
    CU_ASSERT_EQUAL(verdict(&c, 1), LIT_UNKNOWN);
    CU_ASSERT_EQUAL(verdict(&c, 2), LIT_OK);
    finish(&c);
}

/* Only with x = 1 do recovery's two work-items meet on y without synchronisation. */
#define RACING(value)                                                                        \
    "OPENCL t\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x) { *x = " value "; }\n"          \
    "recovery P0 (global int* x, global int* y) {\n int r = *x; if (r == 1) { *y = 1; } }\n" \
    "P1 (global int* x, global int* y) {\n int r = *x; if (r == 1) { *y = 2; } }\n"          \
    "recovered exists (y = 0)\nfinal forall (x = 1)\n"

static void on_undefined(void *context, const struct engine_witness *witness)
{
    (void)context;
    (void)witness;
    CU_FAIL("the program itself is not undefined");
}

static void test_undefined(void)
{
    for (int decide = 0; decide <= 1; decide++) {
        struct recovery_case c;
        prepare(&c, RACING("1"));
        c.request.decide = decide;
        c.request.on_undefined = on_undefined;
        enum_run(&c.request, &c.o);
        CU_ASSERT_EQUAL_FATAL(c.o.undefined.count, 1);
        const struct outcome_undefined *race = &c.o.undefined.items[0];
        CU_ASSERT_STRING_EQUAL(race->name, "race");
        CU_ASSERT_STRING_EQUAL(outcome_thread(c.f.program, race->events[0].thread)->name,
                               "recovery P0");
        CU_ASSERT_STRING_EQUAL(outcome_thread(c.f.program, race->events[1].thread)->name,
                               "recovery P1");
        CU_ASSERT_EQUAL(race->events[1].line, 7);
        CU_ASSERT_EQUAL(verdict(&c, 1), LIT_UNDEFINED);
        finish(&c);
        prepare(&c, RACING("2"));
        c.request.decide = decide;
        enum_run(&c.request, &c.o);
        CU_ASSERT_EQUAL(c.o.undefined.count, 0);
        CU_ASSERT_EQUAL(verdict(&c, 0), LIT_OK);
        finish(&c);
    }
}

/* From a = 0 recovery never completes, from a = 1 its work-items race: undefined goes before the
 * error, in whatever order the two states are met, and also when conditions are decided. */
static void test_undefined_beside_livelock(void)
{
    static const char *const waits_on[] = {"a.load(mo_acq, dev_scope)",
                                           "!a.load(mo_acq, dev_scope)"};
    for (int which = 0; which < 4; which++) {
        struct recovery_case c;
        char text[700];
        snprintf(text, sizeof text,
                 "OPENCL t\n{ nvm atomic_int a = 0; nvm y = 0; }\n"
                 "P0 (global atomic_int* a) { a.store(1, mo_rel, dev_scope); }\n"
                 "recovery P0 (global atomic_int* a, global int* y) {\n"
                 " while (%s); *y = 1; }\n"
                 "P1 (global atomic_int* a, global int* y) {\n while (%s); *y = 2; }\n"
                 "recovered forall (y = 0)\n",
                 waits_on[which / 2], waits_on[which / 2]);
        prepare(&c, text);
        c.request.decide = which % 2;
        enum_run(&c.request, &c.o);
        CU_ASSERT_EQUAL(verdict(&c, 0), LIT_UNDEFINED);
        CU_ASSERT_EQUAL(outcome_verdict(&c.o, c.f.program), LIT_UNDEFINED);
        finish(&c);
    }
}

/* Division by what a crash may leave. */
static void test_fault(void)
{
    struct recovery_case c;
    run(&c, "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
            "recovery (global int* x) {\n int r = 6 / *x; }\n");
    CU_ASSERT_EQUAL_FATAL(c.o.undefined.count, 1);
    CU_ASSERT_EQUAL(c.o.undefined.items[0].kind, OUTCOME_FAULT);
    CU_ASSERT_EQUAL(c.o.undefined.items[0].events[0].line, 5);
    finish(&c);
}

/* Every combination of five writes may be durable: 32 crash states. Without --decide all are
 * recovered; deciding stops at the first in which a = 1 survives recovery. */
#define MANY                                                                             \
    "OPENCL t\n{ nvm f = 0; nvm a = 0; nvm b = 0; nvm c = 0; nvm d = 0; }\n"             \
    "P0 (global int* f, global int* a, global int* b, global int* c, global int* d) {\n" \
    " *f = 1; *a = 1; *b = 1; *c = 1; *d = 1; }\n"                                       \
    "recovery restartable (global int* f, global int* a, global int* b) {\n"             \
    " int r = *f; if (r == 1) { *a = 0; *b = 1; } }\n"                                   \
    "recovered ~exists (a = 1)\n"

static void test_decided_early(void)
{
    struct recovery_case c;
    prepare(&c, MANY);
    c.request.decide = true;
    enum_run(&c.request, &c.o);
    CU_ASSERT_EQUAL(verdict(&c, 0), LIT_VIOLATED);
    CU_ASSERT(c.o.recovery_stats.starts < 32);
    finish(&c);
}

/* ---- Runs that are shared ---- */

static void expect_same(const struct outcome_states *a, const struct outcome_states *b)
{
    CU_ASSERT_EQUAL(a->width, b->width);
    CU_ASSERT_EQUAL_FATAL(a->count, b->count);
    CU_ASSERT_TRUE(a->count * a->width == 0 ||
                   memcmp(a->values, b->values, a->count * a->width * sizeof *a->values) == 0);
}

/* How runs are shared: as the enumerator says; by what the code names; not at all. */
enum sharing { DYNAMIC, STATIC, NONE, SHARINGS };

static void run_sharing(struct recovery_case *c, const char *text, enum sharing sharing)
{
    prepare(c, text);
    struct recovery_options options = {.run = enum_run_alone,
                                       .tracks_initials = sharing == DYNAMIC,
                                       .share_nothing = sharing == NONE};
    enum_run_alone(&c->request, &c->o);
    recovery_run(&c->request, &c->o, &options);
}

static void expect_sharing_to_change_nothing(const char *text, uint64_t *runs)
{
    struct recovery_case cases[SHARINGS];
    for (enum sharing s = DYNAMIC; s < SHARINGS; s++) {
        run_sharing(&cases[s], text, s);
        CU_ASSERT_EQUAL(cases[s].faults, 0);
        runs[s] = cases[s].o.recovery_stats.runs;
    }
    const struct outcome *alone = &cases[NONE].o;
    CU_ASSERT_EQUAL(alone->recovery_stats.runs, alone->recovery_stats.starts);
    for (enum sharing s = DYNAMIC; s < NONE; s++) {
        const struct outcome *o = &cases[s].o;
        expect_same(&o->recovered, &alone->recovered);
        expect_same(&o->recoveries, &alone->recoveries);
        expect_same(&o->restarts, &alone->restarts);
        expect_same(&o->livelocks, &alone->livelocks);
        CU_ASSERT_EQUAL(o->undefined.count, alone->undefined.count);
        CU_ASSERT_TRUE(
            memcmp(o->recovery_doubts, alone->recovery_doubts, sizeof o->recovery_doubts) == 0);
        CU_ASSERT_EQUAL(o->recovery_stats.starts, alone->recovery_stats.starts);
        CU_ASSERT_EQUAL(o->recovery_stats.rounds, alone->recovery_stats.rounds);
    }
    for (enum sharing s = DYNAMIC; s < SHARINGS; s++)
        finish(&cases[s]);
}

/* Recovery looks at f alone: two runs. Its code names f, a and b: 8. There are 32 states. */
static void test_sharing(void)
{
    uint64_t runs[SHARINGS];
    expect_sharing_to_change_nothing(MANY, runs);
    CU_ASSERT_EQUAL(runs[DYNAMIC], 2);
    CU_ASSERT_EQUAL(runs[STATIC], 8);
    CU_ASSERT_EQUAL(runs[NONE], 32);
}

/* What a branch that is not taken would read is not looked at: with f = 0 one run for all of a;
 * with f = 1 one each for a = 0 and a = 1. */
static void test_sharing_by_path(void)
{
    uint64_t runs[SHARINGS];
    expect_sharing_to_change_nothing("OPENCL t\n{ nvm f = 0; nvm a = 0; nvm b = 0; }\n"
                                     "P0 (global int* f, global int* a) { *f = 1; *a = 1; }\n"
                                     "recovery (global int* f, global int* a, global int* b) {\n"
                                     " int r = *f; if (r == 1) { *b = *a; *f = 0; } }\n",
                                     runs);
    CU_ASSERT_EQUAL(runs[DYNAMIC], 3);
    CU_ASSERT_EQUAL(runs[NONE], 4);
}

/* An element chosen at run time is two locations from the next: buf[1].b is what the code names
 * last. Each of the two may be durable: 4 states, and recovery of s = 1 has to see b in its own. */
static void test_sharing_of_fields(void)
{
    uint64_t runs[SHARINGS];
    expect_sharing_to_change_nothing(
        "OPENCL t\nstruct pair { int a; int b; };\n{ nvm struct pair buf[2]; nvm s = 0; }\n"
        "P0 (global struct pair* buf, global int* s) { buf[1].b = 1; *s = 1; }\n"
        "recovery (global struct pair* buf, global int* s) {\n"
        " int k = *s; int b = buf[k].b; }\nrecovered exists (0:b = 1)\n",
        runs);
    CU_ASSERT_EQUAL(runs[DYNAMIC], 3);
    CU_ASSERT_EQUAL(runs[STATIC], 4);
    CU_ASSERT_EQUAL(runs[NONE], 4);
}

static uint32_t draw(uint32_t *seed, uint32_t count)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % count;
}

/* A few loads, stores, conditional stores and barriers over four locations. */
static void draw_code(struct strbuf *out, uint32_t *seed, uint32_t statements)
{
    static const char names[] = "abcd";
    for (uint32_t i = 0; i < statements; i++) {
        char to = names[draw(seed, 4)], from = names[draw(seed, 4)];
        switch (draw(seed, 5)) {
        case 0: strbuf_printf(out, " *%c = %u;\n", to, draw(seed, 3)); break;
        case 1: strbuf_printf(out, " *%c = *%c;\n", to, from); break;
        case 2: strbuf_printf(out, " if (*%c == 1) { *%c = 2; }\n", from, to); break;
        case 3: strbuf_printf(out, " if (*%c == 2) { *%c = *%c + 1; }\n", to, to, from); break;
        default: strbuf_add(out, " p_barrier_wi;\n"); break;
        }
    }
}

#define PARAMETERS "(global int* a, global int* b, global int* c, global int* d)"

static void test_sharing_at_random(void)
{
    uint32_t seed = 7;
    uint64_t sum[SHARINGS] = {0};
    for (int i = 0; i < 60; i++) {
        struct strbuf text = {0};
        uint64_t runs[SHARINGS];
        strbuf_add(&text, "OPENCL t\n{ nvm a = 0; nvm b = 0; nvm c = 1; v = 0; nvm d = 2; }\n"
                          "P0 " PARAMETERS " {\n");
        draw_code(&text, &seed, 3);
        strbuf_printf(&text, "}\nrecovery %s " PARAMETERS " {\n",
                      draw(&seed, 2) ? "restartable" : "");
        draw_code(&text, &seed, 3);
        strbuf_add(&text, "}\nrecovered exists (a = 2)\n");
        expect_sharing_to_change_nothing(strbuf_text(&text), runs);
        for (int s = DYNAMIC; s < SHARINGS; s++)
            sum[s] += runs[s];
        strbuf_fini(&text);
    }
    CU_ASSERT(sum[DYNAMIC] < sum[STATIC]);
    CU_ASSERT(sum[STATIC] < sum[NONE]);
}

/* What a work-item of recovery may do with atomics a, b, c, a volatile flag v and the array d:
 * blind stores, read-modify-writes, a compare-exchange that may fail, indices from memory, waits
 * on one location and on two, a store on one side of an `if` only. */
static void draw_atomics(struct strbuf *out, uint32_t *seed, uint32_t statements)
{
    static const char names[] = "abcv";
    for (uint32_t i = 0; i < statements; i++) {
        char x = names[draw(seed, 4)], y = names[draw(seed, 4)];
        uint32_t k = draw(seed, 3);
        switch (draw(seed, 9)) {
        case 0: strbuf_printf(out, " %c.store(%u, mo_rel, dev_scope);\n", x, k); break;
        case 1: strbuf_printf(out, " %c.fetch_add(%u, mo_acq_rel, dev_scope);\n", x, k); break;
        case 2:
            strbuf_printf(out,
                          " if (!%c.compare_exchange_strong(%u, 2, mo_acq_rel, mo_acq, dev_scope))"
                          " { %c.store(1, mo_rel, dev_scope); }\n",
                          x, k, y);
            break;
        case 3: strbuf_printf(out, " d[%c.load(mo_acq, dev_scope) & 1].n = %u;\n", x, k); break;
        case 4:
            strbuf_printf(
                out, " %c.store(d[%c.load(mo_acq, dev_scope) & 1].n, mo_rel, dev_scope);\n", x, y);
            break;
        case 5: strbuf_printf(out, " while (%c.load(mo_acq, dev_scope) == %u);\n", x, k); break;
        case 6:
            strbuf_printf(
                out, " while (%c.load(mo_acq, dev_scope) + %c.load(mo_acq, dev_scope) == %u);\n", x,
                y, k);
            break;
        case 7:
            strbuf_printf(
                out, " if (%c.load(mo_acq, dev_scope) == %u) %c.store(1, mo_rel, dev_scope);\n", x,
                k, y);
            break;
        default: strbuf_add(out, " p_barrier_wi;\n"); break;
        }
    }
}

#define ATOMICS                                                           \
    "(global atomic_int* a, global atomic_int* b, global atomic_int* c, " \
    "global atomic_int* v, global struct pair* d)"

/* Two work-items of recovery; v stands between non-volatile locations, and may be asked for. */
static void test_sharing_between_work_items(void)
{
    uint32_t seed = 11, most = 60;
    uint64_t sum[SHARINGS] = {0};
    for (uint32_t i = 0; i < most; i++) {
        struct strbuf text = {0};
        uint64_t runs[SHARINGS];
        strbuf_add(&text, "OPENCL t\nstruct pair { int m; int n; };\n{ nvm atomic_int a = 0; "
                          "nvm atomic_int b = 0; atomic_int v = 0; nvm atomic_int c = 1; "
                          "nvm struct pair d[2]; }\nP0 " ATOMICS " {\n");
        draw_atomics(&text, &seed, 3);
        strbuf_printf(&text, "}\nrecovery %s P0@wg 0 " ATOMICS " {\n",
                      draw(&seed, 2) ? "restartable" : "");
        draw_atomics(&text, &seed, 2);
        strbuf_add(&text, "}\nP1@wg 1 " ATOMICS " {\n");
        draw_atomics(&text, &seed, 2);
        strbuf_printf(&text, "}\nrecovered exists (a = 2%s)\n", draw(&seed, 2) ? " /\\ v = 1" : "");
        expect_sharing_to_change_nothing(strbuf_text(&text), runs);
        for (int s = DYNAMIC; s < SHARINGS; s++)
            sum[s] += runs[s];
        strbuf_fini(&text);
    }
    CU_ASSERT(sum[DYNAMIC] < sum[STATIC]);
    CU_ASSERT(sum[STATIC] < sum[NONE]);
}

/* The program adds 1 to n, durable at once or not, so crash states are n = 0 and n = 1. Launched
 * again on these it reads r = n and leaves n + 1; s, the first register, begins at 4 each time.
 * Columns: n, s, r. */
static void test_relaunch(void)
{
    struct recovery_case c;
    run(&c, "OPENCL t\n{ nvm n = 0; 0:s = 4; }\n"
            "P0 (global int* n) { int r = *n; s += r; *n = r + 1; }\nrecovery relaunch;\n"
            "recovered forall (n = 1 /\\ 0:r = 0 /\\ 0:s = 4)\nrecovered exists (0:s = 5)\n");
    EXPECT_ROWS(&c.o.crash, 1, 0, 1);
    EXPECT_ROWS(&c.o.recovered, 3, 1, 4, 0, 2, 5, 1);
    CU_ASSERT_EQUAL(c.o.restarts.count, 0);
    CU_ASSERT_EQUAL(verdict(&c, 0), LIT_VIOLATED);
    CU_ASSERT_EQUAL(verdict(&c, 1), LIT_OK);
    CU_ASSERT_STRING_EQUAL(c.f.program->recovery[0].name, "recovery P0");
    finish(&c);
}

/* The crash point is of the first run, so n = 0 alone is left. The second crashes anywhere if it
 * may: from n = 0 that leaves n = 1, the third from there n = 2, which is left alone. */
static void test_relaunch_restarts(void)
{
    struct recovery_case c;
    run(&c, "OPENCL t\n{ nvm n = 0; }\n"
            "P0 (global int* n) { crash; if (*n < 2) { *n = *n + 1; } }\n"
            "recovery relaunch restartable;\nrecovered forall (n = 1)\n");
    EXPECT_ROWS(&c.o.crash, 1, 0);
    EXPECT_ROWS(&c.o.restarts, 2, 0, 1, 1, 2);
    EXPECT_ROWS(&c.o.recovered, 1, 1, 2);
    CU_ASSERT_EQUAL(verdict(&c, 0), LIT_VIOLATED);
    finish(&c);
}

/* Registers that a condition on recovery mentions matter to the waits of the program, too, since
 * the code is one. */
static void test_relaunch_shares_code(void)
{
    struct recovery_case c;
    run(&c,
        "OPENCL t\n{ nvm n = 0; atomic_int f = 0; }\n"
        "P0@wg 0 (global atomic_int* f) { int k = 0; while (!f.load(mo_acq, wg_scope)) k++; }\n"
        "P1@wg 0 (global atomic_int* f, global int* n) { *n = 1; f.store(1, mo_rel, wg_scope); }\n"
        "recovery relaunch;\nrecovered exists (0:k = 1)\nrecovered forall (n = 1)\n");
    CU_ASSERT_PTR_EQUAL(c.f.program->recovery[0].code, c.f.program->threads[0].code);
    CU_ASSERT_EQUAL(verdict(&c, 0), LIT_OK);
    finish(&c);
}

void suite_recovery(void)
{
    CU_pSuite suite = CU_add_suite("recovery", NULL, NULL);
    UNIT_TEST(suite, test_once);
    UNIT_TEST(suite, test_restarts);
    UNIT_TEST(suite, test_chain);
    UNIT_TEST(suite, test_chain_drawn);
    UNIT_TEST(suite, test_rounds);
    UNIT_TEST(suite, test_volatile_memory);
    UNIT_TEST(suite, test_once_has_no_crash_states);
    UNIT_TEST(suite, test_volatile_columns);
    UNIT_TEST(suite, test_livelock);
    UNIT_TEST(suite, test_livelock_cycle);
    UNIT_TEST(suite, test_bound_is_no_livelock);
    UNIT_TEST(suite, test_undefined);
    UNIT_TEST(suite, test_undefined_beside_livelock);
    UNIT_TEST(suite, test_fault);
    UNIT_TEST(suite, test_decided_early);
    UNIT_TEST(suite, test_sharing);
    UNIT_TEST(suite, test_sharing_by_path);
    UNIT_TEST(suite, test_sharing_of_fields);
    UNIT_TEST(suite, test_sharing_at_random);
    UNIT_TEST(suite, test_sharing_between_work_items);
    UNIT_TEST(suite, test_relaunch);
    UNIT_TEST(suite, test_relaunch_restarts);
    UNIT_TEST(suite, test_relaunch_shares_code);
}
