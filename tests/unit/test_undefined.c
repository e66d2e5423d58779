/* on_undefined of engine/engine.h: the execution that each engine shows for undefined behaviour,
 * judged by the letter (recheck_undefined), and when it shows none. */
#include "fixture.h"

#include "engine/recheck.h"
#include "enumerate/enumerate.h"
#include "smt/smt.h"

#include <stdio.h>
#include <string.h>

static engine_function *const engines[] = {enum_run, smt_run};

/* A test, its models (texts where they have spaces), and what every execution with its undefined
 * behaviour looks like: how its threads end, C(omplete), B(arrier) or F(ault). */
struct shown {
    const char *text, *visibility, *persistency;
    const char *ends;
    bool probe;
};

struct watch {
    struct fixture f;
    struct engine_request request;
    struct outcome o;
    struct recheck *recheck;
    const struct shown *shown;
    int calls;
};

static char letter_of(enum exec_end end)
{
    return end == EXEC_COMPLETE     ? 'C'
           : end == EXEC_AT_BARRIER ? 'B'
           : end == EXEC_AT_FAULT   ? 'F'
                                    : '?';
}

static void on_undefined(void *context, const struct engine_witness *witness)
{
    struct watch *w = context;
    const char *fault = recheck_undefined(w->recheck, witness, &w->o);
    w->calls++;
    CU_ASSERT_PTR_NULL(fault);
    if (fault)
        fprintf(stderr, "refused: %s\n", fault);
    CU_ASSERT(!witness->cut && !witness->items && !witness->row && witness->width == 0);
    for (uint32_t t = 0; w->shown && w->shown->ends[t]; t++)
        CU_ASSERT_EQUAL(letter_of(witness->skeleton->paths[t]->end), w->shown->ends[t]);
    CU_ASSERT(!w->shown || witness->skeleton->probe == w->shown->probe);
}

static void watch_init(struct watch *w, const char *text, const char *visibility,
                       const char *persistency)
{
    *w = (struct watch){.calls = 0};
    if (strchr(visibility, ' '))
        fixture_init_texts(&w->f, text, visibility, persistency);
    else
        fixture_init(&w->f, text, visibility, persistency);
    w->request = (struct engine_request){.program = w->f.program,
                                         .model = w->f.model,
                                         .plan = w->f.plan,
                                         .crash_mode = engine_default_crash_mode(w->f.program),
                                         .limits = {.unroll = 2},
                                         .on_undefined = on_undefined,
                                         .context = w};
    w->recheck = recheck_new(&w->request);
    outcome_init(&w->o, w->f.program);
}

static void watch_fini(struct watch *w)
{
    recheck_free(w->recheck);
    outcome_fini(&w->o);
    fixture_fini(&w->f);
}

/* By each engine, whether it lists all or only decides: this often, and something undefined. */
static void expect_calls(const struct shown *shown, bool conditions_alone, int calls,
                         bool undefined)
{
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++)
        for (int decide = conditions_alone; decide <= 1; decide++) {
            struct watch w;
            watch_init(&w, shown->text, shown->visibility, shown->persistency);
            w.shown = shown;
            w.request.decide = decide;
            w.request.conditions_alone = conditions_alone;
            engines[e](&w.request, &w.o);
            CU_ASSERT_EQUAL(w.calls, calls);
            CU_ASSERT_EQUAL(w.o.undefined.count > 0, undefined);
            watch_fini(&w);
        }
}

static void expect_shown(const struct shown *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_calls(&cases[i], false, 1, true);
}
#define EXPECT_SHOWN(cases) expect_shown(cases, sizeof(cases) / sizeof *(cases))

/* ---- Checks of the model ---- */

#define RACE                                                 \
    "OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\n" \
    "P1 (global int* x) { int r = *x; }\nfinal exists (1:r = 1)\n"
#define BUFFERS                                                   \
    "OPENCL t\n{ x = 0; y = 0; }\n"                               \
    "P0 (global int* x, global int* y) { *x = 1; int r = *y; }\n" \
    "P1 (global int* x, global int* y) { *y = 1; int r = *x; }\n" \
    "final exists (0:r = 0 /\\ 1:r = 0)\n"

/* A pair, of threads that are alike as well; one event; a cycle that only both reads of 0 close;
 * a cycle that must be there, but is not where an execution is sequentially consistent. */
static void test_checks(void)
{
    static const struct shown cases[] = {
        {RACE, "hrf-direct", "epoch", "CC", false},
        {"OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\n"
         "P1 (global int* x) { *x = 1; }\nP2 (global int* x) { *x = 1; }\n",
         "hrf-direct", "epoch", "CCC", false},
        {RACE, "undefined_unless empty range([W \\ IW]; rf) as seen\n", "let p = 0", "CC", false},
        {BUFFERS, "undefined_unless acyclic po | rf | co | fr as sc\n", "let p = 0", "CC", false},
        {BUFFERS, "undefined_unless ~acyclic po | rf | co | fr as weak\n", "let p = 0", "CC",
         false}};
    EXPECT_SHOWN(cases);
}

/* Only where P1 reads 1 it writes y, on one part of a path that stands for both runs. */
static void test_on_a_part(void)
{
    static const struct shown cases[] = {
        {"OPENCL t\n{ x = 0; y = 0; }\nP0 (global int* x) { *x = 1; }\n"
         "P1 (global int* x, global int* y) { int r = *x; if (r == 1) { *y = 1; } }\n",
         "undefined_unless empty [W \\ IW]; rf; po; [W] as relayed\n", "let p = 0", "CC", false}};
    EXPECT_SHOWN(cases);
}

/* The await reads twice only where it fails once first. */
static void test_in_a_probe(void)
{
    static const struct shown cases[] = {
        {"OPENCL t\n{ atomic_int f = 0; }\n"
         "P0 (global atomic_int* f) { f.store(1, mo_rel, wg_scope); }\n"
         "P1 (global atomic_int* f) { while (!f.load(mo_acq, wg_scope)); }\n",
         "undefined_unless empty [R]; po; [R] as twice\n", "let p = 0", "CC", true}};
    EXPECT_SHOWN(cases);
}

/* What is undefined is a matter of what the model chose, po^-1; what was chosen is shown right
 * where the check does not look at it, too. */
static void test_with_choices(void)
{
    static const struct shown cases[] = {
        {BUFFERS, "with w from {po, po^-1}\nundefined_unless empty w & po^-1 as backwards\n",
         "let p = 0", "CC", false},
        {RACE,
         "with w from {((rf+)*), ~((rf | fr)+)}\nundefined_unless empty [W \\ IW]; rf as seen\n",
         "let p = 0", "CC", false}};
    EXPECT_SHOWN(cases);
}

/* ---- Threads that do not end ---- */

/* P1 never comes to the barrier; three are needed where two take part; the divisor is 0 only
 * where P0 reads 1. */
static void test_ends(void)
{
    static const struct shown cases[] = {
        {"OPENCL t\n{ x = 0; }\nP0@wg 0 () { sync_barrier_wg(); }\n"
         "P1@wg 0 (global int* x) { *x = 1; }\n",
         "sc", "epoch", "BC", false},
        {"PTX t\n{ x = 0; }\n P0@cta 0,gpu 0       | P1@cta 0,gpu 0       ;\n"
         " bar.cta.sync 1, 0, 3 | bar.cta.sync 1, 0, 3 ;\nforall (true)\n",
         "sc", "epoch", "BB", false},
        {"OPENCL t\n{ x = 0; }\nP0 (global int* x) { int r = *x; int s = 6 / (r - 1); }\n"
         "P1 (global int* x) { *x = 1; }\n",
         "sc", "epoch", "FC", false}};
    EXPECT_SHOWN(cases);
}

/* ---- Nothing is shown ---- */

/* Of a test that is defined; where nobody looks; of runs of recovery, whose division by x = 0 is
 * the test's undefined behaviour all the same. */
static void test_not_shown(void)
{
    expect_calls(&(struct shown){RACE, "sc", "epoch", "", false}, false, 0, false);
    expect_calls(&(struct shown){RACE, "hrf-direct", "epoch", "", false}, true, 0, false);
    expect_calls(&(struct shown){"OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                                 "recovery (global int* x) { int r = 6 / *x; }\n",
                                 "sc", "epoch", "", false},
                 false, 0, true);
}

/* ---- The judge ---- */

struct trial {
    struct watch w;
    const char *fault; /* what is said of the last witness */
    struct outcome_undefined claim;
};

/* As an engine would that recorded only the claim. */
static void judge(void *context, const struct engine_witness *witness)
{
    struct trial *trial = context;
    struct outcome claimed;
    outcome_init(&claimed, trial->w.f.program);
    outcome_add_undefined(&claimed, &trial->claim);
    trial->fault = recheck_undefined(trial->w.recheck, witness, &claimed);
    outcome_fini(&claimed);
}

/* Is the claim accepted of the execution that is shown? */
static bool is_accepted(const char *text, const char *visibility, struct outcome_undefined claim)
{
    struct trial trial = {.fault = "not asked", .claim = claim};
    watch_init(&trial.w, text, visibility, "epoch");
    trial.w.request.on_undefined = judge;
    trial.w.request.context = &trial;
    smt_run(&trial.w.request, &trial.w.o);
    watch_fini(&trial.w);
    return trial.fault == NULL;
}

/* The race is between W x at line 3 and R x at line 4. Another check, line or access, a lack of
 * another thread, and a fault are not what is shown. */
static void test_claims(void)
{
    const struct outcome_undefined race = {
        OUTCOME_CHECK,
        "race",
        {{.line = 3, .access = "W x"}, {.thread = 1, .line = 4, .access = "R x"}},
        2,
        false,
        false};
    CU_ASSERT_TRUE(is_accepted(RACE, "hrf-direct", race));
    struct outcome_undefined other = race;
    other.name = "atomicity";
    CU_ASSERT_FALSE(is_accepted(RACE, "hrf-direct", other));
    other = race;
    other.events[1].line = 3;
    CU_ASSERT_FALSE(is_accepted(RACE, "hrf-direct", other));
    other = race;
    other.events[1] = (struct outcome_event){.thread = LIT_NONE, .access = "W x"};
    CU_ASSERT_FALSE(is_accepted(RACE, "hrf-direct", other));
    other = (struct outcome_undefined){.kind = OUTCOME_FAULT,
                                       .name = "f",
                                       .events = {{.line = 3, .access = "undefined operation"}},
                                       .event_count = 1};
    CU_ASSERT_FALSE(is_accepted(RACE, "hrf-direct", other));
    other.kind = OUTCOME_DIVERGENCE;
    CU_ASSERT_FALSE(is_accepted(RACE, "hrf-direct", other));
    other.events[0].thread = 2; /* of recovery, which no witness is of */
    CU_ASSERT_FALSE(is_accepted(RACE, "hrf-direct", other));
}

/* Where P1 reads 0 it does not write y, and nothing is relayed: of the two states' executions only
 * that of 1:r = 1 is accepted. */
static void judge_state(void *context, const struct engine_witness *witness)
{
    struct trial *trial = context;
    int64_t read = witness->row[0];
    judge(context, witness);
    CU_ASSERT_EQUAL(trial->fault == NULL, read == 1);
    trial->w.calls++;
}

static void test_another_execution(void)
{
    struct trial trial = {
        .claim = {OUTCOME_CHECK,
                  "relayed",
                  {{.line = 3, .access = "W x"}, {.thread = 1, .line = 4, .access = "W y"}},
                  2,
                  false,
                  false}};
    watch_init(&trial.w,
               "OPENCL t\n{ x = 0; y = 0; }\nP0 (global int* x) { *x = 1; }\n"
               "P1 (global int* x, global int* y) { int r = *x; if (r == 1) { *y = 1; } }\n"
               "final exists (1:r = 1)\n",
               "undefined_unless empty [W \\ IW]; rf; po; [W] as relayed\n", "let p = 0");
    trial.w.request.on_undefined = NULL;
    trial.w.request.on_witness = judge_state;
    trial.w.request.context = &trial;
    trial.w.request.no_crash_states = true;
    enum_run(&trial.w.request, &trial.w.o);
    CU_ASSERT_EQUAL(trial.w.calls, 2);
    watch_fini(&trial.w);
}

/* Both engines name two neighbours on a shortest cycle, in the same words. */
static void expect_cycle(const char *text, const char *visibility, const char *persistency,
                         const char *check, const struct outcome_event events[2])
{
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
        struct watch w;
        watch_init(&w, text, visibility, persistency);
        engines[e](&w.request, &w.o);
        CU_ASSERT_EQUAL_FATAL(w.o.undefined.count, 1);
        const struct outcome_undefined *found = &w.o.undefined.items[0];
        CU_ASSERT_STRING_EQUAL(found->name, check);
        CU_ASSERT_EQUAL_FATAL(found->event_count, 2);
        CU_ASSERT_TRUE(outcome_same_event(&found->events[0], &events[0]));
        CU_ASSERT_TRUE(outcome_same_event(&found->events[1], &events[1]));
        CU_ASSERT_EQUAL(w.calls, 1);
        watch_fini(&w);
    }
}

static void test_cycles(void)
{
    /* Load buffering: the one cycle is R x, W y, R y, W x; the first of it is P0's R x. */
    expect_cycle(
        "OPENCL t\n{ x = 0; y = 0; }\nP0 (global int* x, global int* y) {\n"
        " int r = *x;\n *y = 1; }\nP1 (global int* x, global int* y) {\n"
        " int s = *y;\n *x = 1; }\nfinal exists (0:r = 1)\n",
        "undefined_unless acyclic po | rf as thin", "let p = 0", "thin",
        (const struct outcome_event[]){{.line = 4, .access = "R x"}, {.line = 5, .access = "W y"}});
    /* Versions land both ways round: of the two writes, P0's is the first. */
    expect_cycle("OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) {\n *x = 1; }\n"
                 "P1 (global int* x) {\n *x = 2; }\ncrash exists (x = 1)\n",
                 "empty 0 as nothing",
                 "let lands-before = ((co | co^-1) & ext) \\ (IW * _ | _ * IW)",
                 "lands-before-cycle",
                 (const struct outcome_event[]){{.line = 4, .access = "W x"},
                                                {.thread = 1, .line = 6, .access = "W x"}});
}

#define MATCHED                                                          \
    "instructions F['open || 'close]\n"                                  \
    "let rec lefts = OPEN \\ domain(m) and rights = CLOSE \\ range(m)\n" \
    " and left = lefts | rights and apart = [left]; po; [left]\n"        \
    " and m = m | (([lefts]; po; [rights]) \\ (apart; apart))\nundefined_unless empty m as p"

/* Brackets that match, innermost first: 4-5, then 3-6; 7 has none. By rounds: of the pairs of an
 * open and a close that are left, those with nothing left in between are added. */
static void test_iterated(void)
{
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
        struct watch w;
        watch_init(&w,
                   "OPENCL t\n{ x = 0; }\nP0 (global int* x) { __fence{open};\n __fence{open};\n"
                   " __fence{close};\n __fence{close};\n __fence{close}; }\nfinal exists (x = 0)\n",
                   MATCHED, "let p = 0");
        engines[e](&w.request, &w.o);
        CU_ASSERT_EQUAL_FATAL(w.o.undefined.count, 2);
        for (uint32_t i = 0; i < 2; i++) {
            CU_ASSERT_EQUAL(w.o.undefined.items[i].events[0].line, 3 + i);
            CU_ASSERT_EQUAL(w.o.undefined.items[i].events[1].line, 6 - i);
        }
        watch_fini(&w);
    }
}

/* Which brackets match depends on the path: 4-6 with the branch, else 3-6. The symbolic engine does
 * not say. */
static void test_iterated_on_paths(void)
{
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
        struct watch w;
        watch_init(&w,
                   "OPENCL t\n{ x = 0; }\nP0 (global int* x) { __fence{open};\n"
                   " if (*x == 1) { __fence{open}; }\n int r = 0;\n __fence{close}; }\n"
                   "P1 (global int* x) { *x = 1; }\nfinal exists (x = 0)\n",
                   MATCHED, "let p = 0");
        engines[e](&w.request, &w.o);
        CU_ASSERT_EQUAL(w.o.doubts[OUTCOME_DOUBT_ENCODING], e == 1);
        CU_ASSERT_EQUAL(w.o.undefined.count, e == 1 ? 0 : 2);
        watch_fini(&w);
    }
}

void suite_undefined(void)
{
    CU_pSuite suite = CU_add_suite("undefined", NULL, NULL);
    UNIT_TEST(suite, test_checks);
    UNIT_TEST(suite, test_on_a_part);
    UNIT_TEST(suite, test_in_a_probe);
    UNIT_TEST(suite, test_with_choices);
    UNIT_TEST(suite, test_ends);
    UNIT_TEST(suite, test_not_shown);
    UNIT_TEST(suite, test_claims);
    UNIT_TEST(suite, test_another_execution);
    UNIT_TEST(suite, test_cycles);
    UNIT_TEST(suite, test_iterated);
    UNIT_TEST(suite, test_iterated_on_paths);
}
