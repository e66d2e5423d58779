/* The symbolic engine. States are derived by hand from the definitions of cat and of the
 * crash cut; every witness is rechecked. */
#include "fixture.h"

#include "base/guard.h"
#include "engine/recheck.h"
#include "exec/exec_basis.h"
#include "smt/smt.h"
#include "smt/smt_library.h"
#include "smt/smt_solver.h"
#include "smt/smt_z3.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- Arithmetic ---- */

static const int64_t edges[] = {0,          1,         2,         31,         32,        33,
                                63,         64,        -1,        -2,         INT32_MAX, INT32_MIN,
                                UINT32_MAX, INT64_MAX, INT64_MIN, 0x100000000};
enum { EDGE_COUNT = sizeof edges / sizeof *edges };

static bool is_truth(enum lit_operator op)
{
    return (op >= LIT_OP_LT && op <= LIT_OP_OR) || op == LIT_OP_NOT;
}

static bool agrees(struct smt_solver *s, enum lit_operator op, enum lit_type type, int64_t a,
                   int64_t b)
{
    int64_t expected = 0;
    smt_term x = smt_constant(s, type, a), y = smt_constant(s, type, b);
    bool unary = op == LIT_OP_NEG || op == LIT_OP_BITNOT || op == LIT_OP_NOT;
    smt_term result = smt_apply(s, op, type, x, unary ? NULL : y);
    if (!lit_value_apply(op, type, a, b, 0, &expected))
        expected = 0; /* of a division by zero, which no path goes on from */
    int64_t found = smt_model_value(s, is_truth(op) ? LIT_INT : type, result);
    if (found != expected)
        fprintf(stderr, "operator %d, type %d: %lld, %lld\n", (int)op, (int)type, (long long)a,
                (long long)b);
    return found == expected;
}

/* As the concrete values, which test_lit_value.c holds to C. */
static void test_operators(void)
{
    struct smt_solver *s = smt_solver_new(0, SMT_INTEGERS);
    CU_ASSERT_EQUAL(smt_check_assuming(s, NULL, 0, NULL, 0), SMT_SAT);
    uint32_t wrong = 0;
    for (enum lit_operator op = LIT_OP_NEG; op < LIT_OP_SELECT; op++)
        for (enum lit_type type = LIT_INT; op != LIT_OP_CAST && type <= LIT_ULONG; type++)
            for (uint32_t i = 0; i < EDGE_COUNT; i++)
                for (uint32_t k = 0; k < EDGE_COUNT; k++)
                    wrong += !agrees(s, op, type, lit_value_wrap(type, edges[i]),
                                     lit_value_wrap(type, edges[k]));
    CU_ASSERT_EQUAL(wrong, 0);
    smt_solver_free(s);
}

static void test_casts(void)
{
    struct smt_solver *s = smt_solver_new(0, SMT_INTEGERS);
    CU_ASSERT_EQUAL(smt_check_assuming(s, NULL, 0, NULL, 0), SMT_SAT);
    for (enum lit_type from = LIT_INT; from <= LIT_ULONG; from++)
        for (enum lit_type to = LIT_INT; to <= LIT_ULONG; to++)
            for (uint32_t i = 0; i < EDGE_COUNT; i++) {
                int64_t value = lit_value_wrap(from, edges[i]);
                smt_term cast = smt_cast(s, to, from, smt_constant(s, from, value));
                CU_ASSERT_EQUAL(smt_model_value(s, to, cast), lit_value_wrap(to, value));
            }
    smt_solver_free(s);
}

/* By hand: (uint)-1 as long is 4294967295, -1 as ulong 2^64 - 1; INT_MIN / -1 wraps to
 * INT_MIN; -7 % 4 is -3 in C; -8 >> 1 is -4 and 0xfffffff8u >> 1 is 0x7ffffffc; 1 << 33 is 2. */
static void test_by_hand(void)
{
    static const struct {
        enum lit_operator op;
        enum lit_type type;
        int64_t a, b, result;
    } cases[] = {{LIT_OP_DIV, LIT_INT, INT32_MIN, -1, INT32_MIN},
                 {LIT_OP_MOD, LIT_INT, -7, 4, -3},
                 {LIT_OP_SHR, LIT_INT, -8, 1, -4},
                 {LIT_OP_SHR, LIT_UINT, 0xfffffff8, 1, 0x7ffffffc},
                 {LIT_OP_SHL, LIT_INT, 1, 33, 2},
                 {LIT_OP_LT, LIT_UINT, 0xffffffff, 0, 0},
                 {LIT_OP_LT, LIT_INT, -1, 0, 1}};
    struct smt_solver *s = smt_solver_new(0, SMT_INTEGERS);
    CU_ASSERT_EQUAL(smt_check_assuming(s, NULL, 0, NULL, 0), SMT_SAT);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        smt_term result =
            smt_apply(s, cases[i].op, cases[i].type, smt_constant(s, cases[i].type, cases[i].a),
                      smt_constant(s, cases[i].type, cases[i].b));
        CU_ASSERT_EQUAL(smt_model_value(s, cases[i].type, result), cases[i].result);
    }
    smt_term ones = smt_constant(s, LIT_UINT, 0xffffffff);
    CU_ASSERT_EQUAL(smt_model_value(s, LIT_LONG, smt_cast(s, LIT_LONG, LIT_UINT, ones)),
                    INT64_C(4294967295));
    ones = smt_cast(s, LIT_ULONG, LIT_INT, smt_constant(s, LIT_INT, -1));
    CU_ASSERT_EQUAL(smt_model_value(s, LIT_ULONG, ones), -1);
    smt_solver_free(s);
}

/* ---- Tests under models that are texts ---- */

struct asked {
    struct fixture f;
    struct outcome o;
    struct engine_request request;
    struct recheck *recheck;
};

static void on_witness(void *context, const struct engine_witness *witness)
{
    struct asked *c = context;
    const char *fault = recheck_witness(c->recheck, witness);
    CU_ASSERT_PTR_NULL(fault);
    if (fault)
        fprintf(stderr, "refused: %s\n", fault);
}

/* `visibility` and `persistency` are model texts, or built-in names where they have no space. */
static void asked_load(struct asked *c, const char *text, const char *visibility,
                       const char *persistency)
{
    if (strchr(visibility, ' '))
        fixture_init_texts(&c->f, text, visibility, persistency);
    else
        fixture_init(&c->f, text, visibility, persistency);
    c->request = (struct engine_request){.program = c->f.program,
                                         .model = c->f.model,
                                         .plan = c->f.plan,
                                         .crash_mode = engine_default_crash_mode(c->f.program),
                                         .limits = {.unroll = 2},
                                         .on_witness = on_witness,
                                         .context = c};
}

static void asked_run(struct asked *c)
{
    c->recheck = recheck_new(&c->request);
    outcome_init(&c->o, c->f.program);
    smt_run(&c->request, &c->o);
    recheck_free(c->recheck);
}

static void asked_fini(struct asked *c)
{
    outcome_fini(&c->o);
    fixture_fini(&c->f);
}

static bool flagged(const struct outcome *outcome, const char *name)
{
    for (size_t i = 0; i < outcome->flags.count; i++)
        if (strcmp(outcome->flags.items[i], name) == 0)
            return true;
    return false;
}

/* The states are these, two columns each. */
static void expect_pairs(const struct outcome_states *states, size_t count,
                         const int64_t expected[][2])
{
    CU_ASSERT_EQUAL(states->count, count);
    for (size_t i = 0; i < count; i++)
        CU_ASSERT(fixture_has(states, expected[i]));
}

/* ---- Least fixpoints ---- */

#define ONE_WRITER                                           \
    "OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\n" \
    "P1 (global int* x) { int r = *x; int s = *x; }\n"       \
    "final exists (1:r=0 /\\ 1:s=0)\n"

/* P0's write and P1's two reads. With both reading the initial value nothing starts these
 * relations, so they are empty and the check fails; yet a pair (write, first read) and a pair
 * (write, second read) hold each other up through po and its inverse, and so would pass it
 * in a fixpoint that is not the least, as do the two reads in a set. Any other choice of sources
 * starts them. */
static const char *const seeded[] = {
    "let rec x = ([W \\ IW]; rf) | (x; (po | po^-1))\n~empty x as seen\n",
    "let rec x = ([W \\ IW]; rf) | (y; po)\nand y = x | (x; po^-1)\n~empty x as seen\n",
    "let rec s = range([W \\ IW]; rf) | range([s]; (po | po^-1))\n~empty s as seen\n",
    "let rec s = domain((po | po^-1); [s]) | range(x)\nand x = [~IW]; rf | [s]; po\n~empty x\n",
    "let up = (po | po^-1 | ([W \\ IW]; rf)^-1)+\n~empty up & (R * (W \\ IW)) as seen\n",
    "let up = (po | po^-1 | ([W \\ IW]; rf)^-1)*\n~irreflexive up; ((W \\ IW) * R) as seen\n",
};

static void test_least(void)
{
    for (size_t i = 0; i < sizeof seeded / sizeof *seeded; i++) {
        struct asked c;
        asked_load(&c, ONE_WRITER, seeded[i], "let p = 0");
        asked_run(&c);
        CU_ASSERT_PTR_NULL(outcome_doubt(&c.o));
        expect_pairs(&c.o.final, 3, (const int64_t[][2]){{0, 1}, {1, 0}, {1, 1}});
        asked_fini(&c);
    }
}

/* The same relations where every read has the initial value: no flag, nothing undefined. And
 * where the first read has it not: both. */
static void test_least_in_flags(void)
{
    for (int starts = 0; starts <= 1; starts++) {
        struct asked c;
        char model[600];
        snprintf(model, sizeof model,
                 "%sempty [W \\ IW]; rf as initial\n"
                 "let rec x = ([W \\ IW]; rf) | (x; (po | po^-1))\n"
                 "let up = (po | po^-1 | ([W \\ IW]; rf)^-1)+\n"
                 "flag ~empty x as recursion\nflag ~empty up & (R * (W \\ IW)) as plus\n"
                 "undefined_unless empty up & (R * (W \\ IW)) as none\n",
                 starts ? "~" : "");
        asked_load(&c, ONE_WRITER, model, "let p = 0");
        asked_run(&c);
        CU_ASSERT_EQUAL(flagged(&c.o, "recursion"), starts);
        CU_ASSERT_EQUAL(flagged(&c.o, "plus"), starts);
        CU_ASSERT_EQUAL(c.o.undefined.count > 0, starts);
        asked_fini(&c);
    }
}

/* Two pairs that stand for each other and for a start that is not there: without ranks some
 * fixpoint has them, with ranks none. */
static void test_ranks_matter(void)
{
    for (int ranked = 0; ranked <= 1; ranked++) {
        struct smt_solver *s = smt_solver_new(0, SMT_INTEGERS);
        smt_term a = smt_bool(s), b = smt_bool(s), of_a = smt_clock(s, 2), of_b = smt_clock(s, 2);
        smt_term yes = smt_truth(s, true);
        smt_assert(s, smt_implies(s, a, smt_and(s, b, ranked ? smt_earlier(s, of_b, of_a) : yes)));
        smt_assert(s, smt_implies(s, b, smt_and(s, a, ranked ? smt_earlier(s, of_a, of_b) : yes)));
        smt_assert(s, smt_or(s, a, b));
        CU_ASSERT_EQUAL(smt_check_assuming(s, NULL, 0, NULL, 0), ranked ? SMT_UNSAT : SMT_SAT);
        smt_solver_free(s);
    }
}

/* What is asserted holds until the push before it is taken back, whether anything was asked in
 * between or not. */
static void test_push_and_pop(void)
{
    for (int asks = 0; asks <= 1; asks++) {
        struct smt_solver *s = smt_solver_new(0, SMT_INTEGERS);
        smt_term a = smt_bool(s), b = smt_bool(s);
        smt_assert(s, a);
        smt_push(s);
        smt_assert(s, smt_implies(s, a, b));
        if (asks)
            CU_ASSERT_EQUAL(smt_check_assuming(s, NULL, 0, NULL, 0), SMT_SAT);
        smt_push(s);
        smt_assert(s, smt_not(s, b));
        if (asks)
            CU_ASSERT_EQUAL(smt_check_assuming(s, NULL, 0, NULL, 0),
                            SMT_UNSAT); /* a, a -> b, not b */
        smt_pop(s);
        CU_ASSERT_EQUAL(smt_check_assuming(s, NULL, 0, NULL, 0), SMT_SAT);
        CU_ASSERT_TRUE(smt_model_holds(s, b));
        smt_pop(s);
        smt_push(s);
        smt_assert(s, smt_not(s, b));
        CU_ASSERT_EQUAL(smt_check_assuming(s, NULL, 0, NULL, 0), SMT_SAT); /* a alone is left */
        smt_pop(s);
        smt_assert(s, smt_not(s, a));
        CU_ASSERT_EQUAL(smt_check_assuming(s, NULL, 0, NULL, 0), SMT_UNSAT);
        smt_solver_free(s);
    }
}

/* ---- Which events there are ---- */

/* y is accessed only where P1 leaves its await, that is, when P0 set x: with x = 0 there is
 * one initial write, else two. The final state has y all the same. */
static void test_location_not_in_use(void)
{
    static const char text[] = "OPENCL t\n{ x = 0; y = 0; }\nP0 (global int* x) { int r = *x; }\n"
                               "P1 (global int* x, global int* y) "
                               "{ int s = *x; if (s == 1) { *y = 1; } }\n"
                               "final exists (y=0 /\\ 1:s=0)\n";
    struct asked c;
    asked_load(&c, text, "flag ~empty (IW * IW) \\ id as two\n", "let p = 0");
    asked_run(&c);
    CU_ASSERT_FALSE(flagged(&c.o, "two"));
    expect_pairs(&c.o.final, 1, (const int64_t[][2]){{0, 0}});
    asked_fini(&c);
}

/* ---- Choices ---- */

/* Closures in what is chosen from: a witness says what was chosen, which the recheck compares
 * with the model's alternatives. All four combinations stay. */
static void test_choice_of_closures(void)
{
    struct asked c;
    asked_load(&c, ONE_WRITER, "with w from {((rf+)*), ~((rf | fr)+)}\nempty w & 0 as nothing\n",
               "let p = 0");
    asked_run(&c);
    expect_pairs(&c.o.final, 4, (const int64_t[][2]){{0, 0}, {0, 1}, {1, 0}, {1, 1}});
    asked_fini(&c);
}

/* ---- Crash modes ---- */

#define TWO_WRITES                          \
    "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n" \
    "P0 (global int* x, global int* y) { *x = 1; crash; *y = 1; }\n"

static void expect_crashes(enum exec_crash_mode mode, const char *persistency, size_t count,
                           const int64_t expected[][2])
{
    struct asked c;
    asked_load(&c, TWO_WRITES "crash exists (x=1 /\\ y=1)\n", "sc", persistency);
    c.request.crash_mode = mode;
    asked_run(&c);
    expect_pairs(&c.o.crash, count, expected);
    asked_fini(&c);
}

/* none: durable is any part of what was executed, and at the point y is not. strict: x is
 * durable before y executes, and nothing makes the last write durable. */
static void test_crash_modes(void)
{
    expect_crashes(EXEC_CRASH_ANYWHERE, "none", 4,
                   (const int64_t[][2]){{0, 0}, {1, 0}, {0, 1}, {1, 1}});
    expect_crashes(EXEC_CRASH_POINTS, "none", 2, (const int64_t[][2]){{0, 0}, {1, 0}});
    expect_crashes(EXEC_CRASH_END, "none", 4, (const int64_t[][2]){{0, 0}, {1, 0}, {0, 1}, {1, 1}});
    expect_crashes(EXEC_CRASH_ANYWHERE, "strict", 3, (const int64_t[][2]){{0, 0}, {1, 0}, {1, 1}});
    expect_crashes(EXEC_CRASH_POINTS, "strict", 2, (const int64_t[][2]){{0, 0}, {1, 0}});
    expect_crashes(EXEC_CRASH_END, "strict", 2, (const int64_t[][2]){{1, 0}, {1, 1}});
}

/* A round of the outer loop may write under a condition, so the inner wait has done nothing in the
 * rounds in which it did not. n is only ever 0, so x is 0, and no loop comes to its bound. */
static void test_wait_behind_branch(void)
{
    struct asked c;
    asked_load(&c,
               "OPENCL t\n{ nvm x = 0; atomic_int f = 0; atomic_int h = 0; }\n"
               "P0 (global int* x, global atomic_int* f, global atomic_int* h) { int n = 0;\n"
               "do { if (n == 3) *x = 1; while (!f.load(mo_sc, dev_scope));\n"
               "n = h.load(mo_sc, dev_scope); } while (n == 0); }\n"
               "P1 (global atomic_int* f) { f.store(1, mo_sc, dev_scope); }\n"
               "crash ~exists (x = 1)\n",
               "sc", "epoch");
    c.request.crash_mode = EXEC_CRASH_ANYWHERE;
    asked_run(&c);
    CU_ASSERT_EQUAL(c.o.crash.count, 1);
    CU_ASSERT_PTR_NULL(outcome_doubt(&c.o));
    asked_fini(&c);
}

/* A write that is durable before itself executes is durable once executed: x at the point. */
static void test_durable_before_itself(void)
{
    struct asked c;
    asked_load(&c, TWO_WRITES "crash exists (x=1 /\\ y=1)\n", "empty 0 as nothing\n",
               "let durable-before = [W & NVM]\n");
    asked_run(&c);
    expect_pairs(&c.o.crash, 1, (const int64_t[][2]){{1, 0}});
    asked_fini(&c);
}

/* ---- Undefined behaviour ---- */

/* Eight times eight pairs race, told as two: the write of P0's line with the write and with the
 * read of P1's. An execution has both, so the pairs are not asked for one by one. */
static void test_repeated_pairs(void)
{
    struct asked c;
    asked_load(&c,
               "OPENCL t\n{ x = 0; }\n"
               "P0@wg 0 (global int* x) { for (int i = 0; i < 8; i++) *x = 1; }\n"
               "P1@wg 1 (global int* x) { for (int i = 0; i < 8; i++) *x = *x + 1; }\n"
               "final exists (x = 1)\n",
               "hrf-direct", "none");
    asked_run(&c);
    CU_ASSERT_PTR_NULL(outcome_doubt(&c.o));
    CU_ASSERT_EQUAL_FATAL(c.o.undefined.count, 2);
    CU_ASSERT_STRING_EQUAL(c.o.undefined.items[0].events[1].access, "R x");
    CU_ASSERT_STRING_EQUAL(c.o.undefined.items[1].events[1].access, "W x");
    CU_ASSERT(c.o.stats.candidates < 64);
    asked_fini(&c);
}

/* ---- Deciding ---- */

/* Under strict, anywhere: the states are 00, 10 and 11; the final one is 11. */
static void test_decide(void)
{
    static const enum lit_verdict expected[] = {LIT_OK, LIT_VIOLATED, LIT_OK,
                                                LIT_OK, LIT_VIOLATED, LIT_OK};
    for (int decide = 0; decide <= 1; decide++) {
        struct asked c;
        asked_load(&c,
                   TWO_WRITES "crash exists (x=1 /\\ y=1)\ncrash exists (x=0 /\\ y=1)\n"
                              "crash ~exists (x=0 /\\ y=1)\ncrash forall (y=1 => x=1)\n"
                              "crash forall (x=1)\nfinal forall (x=1 /\\ y=1)\n",
                   "sc", "strict");
        c.request.crash_mode = EXEC_CRASH_ANYWHERE;
        c.request.decide = decide;
        asked_run(&c);
        for (uint32_t i = 0; i < sizeof expected / sizeof *expected; i++)
            CU_ASSERT_EQUAL(outcome_judge(&c.o, c.f.program, &c.f.program->conditions[i]).verdict,
                            expected[i]);
        CU_ASSERT(c.o.crash.count <= (decide ? 5 : 3));
        asked_fini(&c);
    }
}

/* ---- Counters ---- */

/* Of seven facts k hold: the sum is k, and cannot be another. */
static void test_count(void)
{
    for (int64_t k = 0; k <= 7; k++) {
        struct smt_solver *s = smt_solver_new(0, SMT_INTEGERS);
        smt_term facts[7];
        for (int64_t i = 0; i < 7; i++) {
            facts[i] = smt_bool(s);
            smt_assert(s, i < k ? facts[i] : smt_not(s, facts[i]));
        }
        smt_term sum = smt_count(s, facts, 7);
        CU_ASSERT_EQUAL(smt_check_assuming(s, NULL, 0, NULL, 0), SMT_SAT);
        CU_ASSERT_EQUAL(smt_model_value(s, LIT_UINT, sum), k);
        smt_assert(s, smt_not(s, smt_equal(s, sum, smt_constant(s, LIT_UINT, k))));
        CU_ASSERT_EQUAL(smt_check_assuming(s, NULL, 0, NULL, 0), SMT_UNSAT);
        smt_solver_free(s);
    }
}

/* Decides all conditions, which are to have one and the same verdict; returns the questions asked.
 */
static uint64_t expect_all(const struct strbuf *text, enum lit_verdict verdict)
{
    struct asked c;
    asked_load(&c, strbuf_text(text), "hrf-direct", "epoch");
    c.request.decide = true;
    asked_run(&c);
    for (uint32_t i = 0; i < c.f.program->condition_count; i++)
        CU_ASSERT_EQUAL(outcome_judge(&c.o, c.f.program, &c.f.program->conditions[i]).verdict,
                        verdict);
    uint64_t questions = c.o.stats.candidates;
    asked_fini(&c);
    return questions;
}

/* `count` work-items with this code, in which %d is their number, and conditions that are all ok.
 */
static void expect_ok(const char *init, int count, const char *code, const char *conditions)
{
    struct strbuf text = {0};
    strbuf_printf(&text, "OPENCL t\n{ %s }\n", init);
    for (int t = 0; t < count; t++) {
        strbuf_printf(&text, "P%d@wg %d (global atomic_int* c, global int* q) { ", t, t);
        for (const char *at = code; *at; at++)
            if (*at == '#')
                strbuf_printf(&text, "%d", t + 1);
            else
                strbuf_printf(&text, "%c", *at);
        strbuf_printf(&text, " }\n");
    }
    strbuf_printf(&text, "%s", conditions);
    (void)expect_all(&text, LIT_OK);
    strbuf_fini(&text);
}

static uint64_t questions_of(const char *conditions, enum lit_verdict verdict)
{
    struct strbuf text = {0};
    strbuf_printf(&text,
                  "OPENCL t\n{ nvm a0 = 0; nvm a1 = 0; nvm a2 = 0; nvm atomic_int c = 0; }\n");
    for (int t = 0; t < 3; t++)
        strbuf_printf(&text,
                      "P%d@wg %d (global int* a%d, global atomic_int* c) "
                      "{ *a%d = 1; p_barrier_wi; c.fetch_add(1, mo_acq_rel, dev_scope); }\n",
                      t, t, t, t);
    strbuf_printf(&text, "%s", conditions);
    uint64_t questions = expect_all(&text, verdict);
    strbuf_fini(&text);
    return questions;
}

/* Three that are interchangeable count when what they wrote is durable. That the count is complete
 * without it is asked of one of them; what states do decide is asked of each. */
static void test_alike_conditions(void)
{
    CU_ASSERT_EQUAL(questions_of("crash ~exists (c = 3 /\\ a0 = 0)\n"
                                 "crash ~exists (c = 3 /\\ a1 = 0)\n"
                                 "crash ~exists (a2 = 0 /\\ c = 3)\n",
                                 LIT_OK),
                    questions_of("crash ~exists (c = 3 /\\ a0 = 0)\n", LIT_OK));
    CU_ASSERT_EQUAL(questions_of("crash exists (c = 1 /\\ a0 = 1 /\\ a1 = 0)\n"
                                 "crash exists (c = 1 /\\ a1 = 1 /\\ a2 = 0)\n"
                                 "crash exists (c = 1 /\\ a2 = 1 /\\ a0 = 0)\n",
                                 LIT_OK),
                    questions_of("crash exists (c = 1 /\\ a0 = 1 /\\ a1 = 0)\n", LIT_OK) + 2);
}

/* Ten add 1: the last value is 10, in one order of 10!. Each takes a slot of its own, so none stays
 * empty, and whoever's slot is durable has its number, and all below, durable. */
static void test_counters(void)
{
    expect_ok("nvm atomic_int c; nvm q[10];", 10,
              "int s = c.fetch_add(1, mo_acq_rel, dev_scope); p_barrier_wi; q[s] = #;",
              "final forall (c=10 /\\ ~(q[0]=0) /\\ ~(q[9]=0))\nfinal exists (q[0]=10)\n"
              "crash ~exists (q[9]=1 /\\ ~(c=10))\ncrash exists (q[9]=1 /\\ q[0]=0)\n");
}

/* Steps of 2^30: four reads differ, the fifth is the first again. */
static void test_counter_comes_round(void)
{
    static const char code[] = "int r = c.fetch_add(1073741824, mo_acq_rel, dev_scope);"
                               "if (r == 0) { q[0].store(#, mo_rlx, dev_scope); }";
    expect_ok("atomic_int c; atomic_int q[1];", 4, code, "final ~exists (0:r=0 /\\ 1:r=0)\n");
    expect_ok("atomic_int c; atomic_int q[1];", 5, code, "final exists (0:r=0 /\\ 1:r=0)\n");
}

/* Who else writes makes it none: 1 and then 7, or 7 and then 8. Two steps: 1 + 2. */
static void test_no_counter(void)
{
    struct asked c;
    asked_load(&c,
               "OPENCL t\n{ atomic_int c; }\n"
               "P0 (global atomic_int* c) { c.fetch_add(1, mo_rlx, dev_scope); }\n"
               "P1 (global atomic_int* c) { c.store(7, mo_rlx, dev_scope); }\n"
               "final exists (c=7)\nfinal exists (c=8)\nfinal forall (c=7 \\/ c=8)\n",
               "sc", "none");
    asked_run(&c);
    CU_ASSERT_EQUAL(c.o.final.count, 2);
    for (uint32_t i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(outcome_judge(&c.o, c.f.program, &c.f.program->conditions[i]).verdict,
                        LIT_OK);
    asked_fini(&c);
    expect_ok("atomic_int c; int q;", 2, "c.fetch_add(#, mo_rlx, dev_scope);",
              "final forall (c=3)\n");
}

/* 0:r = 0 and 0:s = 2 leave 1 to 1:r, which then may see x = 1: that 0:s = 1 on another path says
 * nothing of the store. A model that asks for dependencies has paths. */
static void test_counter_of_paths(void)
{
    struct asked c;
    asked_load(&c,
               "OPENCL t\n{ atomic_int c; atomic_int x; }\n"
               "P0@wg 0 (global atomic_int* c, global atomic_int* x) {\n"
               " int r = c.fetch_add(1, mo_rlx, dev_scope);\n"
               " int s = c.fetch_add(1, mo_rlx, dev_scope);\n"
               " if (r == 0) { x.store(1, mo_rlx, dev_scope);\n"
               "  if (s == 1) { x.store(2, mo_rlx, dev_scope); } } }\n"
               "P1@wg 1 (global atomic_int* c, global atomic_int* x) {\n"
               " int r = c.fetch_add(1, mo_rlx, dev_scope); int u = 0;\n"
               " if (r == 1) { u = x.load(mo_rlx, dev_scope); } }\n"
               "final exists (1:u=1)\n",
               "M\nacyclic po | rf | co | fr\nempty rmw & (fr; co)\nflag ~empty ctrl as c\n",
               "P\n");
    asked_run(&c);
    CU_ASSERT_EQUAL(outcome_judge(&c.o, c.f.program, &c.f.program->conditions[0]).verdict, LIT_OK);
    asked_fini(&c);
}

/* Orders that two writes have when both are executed, of three that need not be: 1 before 2, 2
 * before 3, and in the second model 3 before 1. Where 2 is not there the first model leaves 1 and 3
 * open, so 1 may be last with 3 executed; the second has no execution with all three, and each of
 * them alone and in pairs: its x is 0, 1, 2 or 3. A read-modify-write asks for the order of all. */
static void test_orders_of_absent_writes(void)
{
    static const char text[] =
        "OPENCL t\n{ atomic_int x; atomic_int f; }\n"
        "P0 (global atomic_int* x, global atomic_int* f) {\n"
        " int r = f.load(mo_rlx, dev_scope); if (r == 0) { x.exchange(1, mo_rlx, dev_scope); } }\n"
        "P1 (global atomic_int* x, global atomic_int* f) {\n"
        " int r = f.load(mo_rlx, dev_scope); if (r == 0) { x.store(2, mo_rel, dev_scope); } }\n"
        "P2 (global atomic_int* x, global atomic_int* f) {\n"
        " int r = f.load(mo_rlx, dev_scope); if (r == 0) { x.store(3, mo_sc, dev_scope); } }\n"
        "P3 (global atomic_int* f) { f.store(1, mo_rlx, dev_scope); }\n"
        "final exists (x=1 /\\ 2:r=0)\nfinal exists (x=3 /\\ 1:r=0)\nfinal exists (x=0)\n"
        "final exists (x=2 /\\ 0:r=0)\n";
    static const char *const models[] = {
        "M\nlet s = (W & RLX) * (W & REL) | (W & REL) * (W & SC)\n"
        "acyclic po | rf | co | fr | (s & loc)\nempty rmw & (fr; co)\n",
        "M\nlet s = (W & RLX) * (W & REL) | (W & REL) * (W & SC) | (W & SC) * (W & RLX)\n"
        "acyclic po | rf | co | fr | (s & loc)\nempty rmw & (fr; co)\n"};
    for (uint32_t i = 0; i < 2; i++) {
        struct asked c;
        asked_load(&c, text, models[i], "P\n");
        asked_run(&c);
        for (uint32_t k = 0; k < c.f.program->condition_count; k++)
            CU_ASSERT_EQUAL(outcome_judge(&c.o, c.f.program, &c.f.program->conditions[k]).verdict,
                            LIT_OK);
        asked_fini(&c);
    }
}

/* An exchange may return what it writes itself where no check has its own rf, and does not where
 * one has; of the two models each lacks what settles that before anything is asked. */
static void test_own_write(void)
{
    static const char text[] =
        "OPENCL t\n{ atomic_int x; }\n"
        "P0 (global atomic_int* x) { int r = x.exchange(5, mo_rlx, dev_scope); }\n"
        "P1 (global atomic_int* x) { int r = x.exchange(6, mo_rlx, dev_scope); }\n"
        "final exists (0:r=5)\n";
    static const struct {
        const char *model;
        uint32_t states; /* of 0:r: 0, 6, and 5 */
    } cases[] = {
        {"M\nacyclic po | (rf & ext) | co\nempty rmw & (fr; co)\n", 3},
        {"M\nacyclic (po | rf | fr | co) & loc\nempty rmw & (fr; co)\n", 2},
    };
    for (uint32_t i = 0; i < 2; i++) {
        struct asked c;
        asked_load(&c, text, cases[i].model, "P\n");
        asked_run(&c);
        CU_ASSERT_EQUAL(c.o.final.count, cases[i].states);
        asked_fini(&c);
    }
}

/* ---- What is not answered says why ---- */

static void test_time_limit(void)
{
    struct asked c;
    asked_load(&c, ONE_WRITER, "sc", "none");
    c.request.limits.clock = clock_limit_in(1e-9);
    asked_run(&c);
    CU_ASSERT_EQUAL(c.o.final.count, 0);
    CU_ASSERT(c.o.doubts[OUTCOME_DOUBT_TIMEOUT]);
    CU_ASSERT_PTR_NOT_NULL(outcome_doubt(&c.o));
    CU_ASSERT_EQUAL(outcome_judge(&c.o, c.f.program, &c.f.program->conditions[0]).verdict,
                    LIT_UNKNOWN);
    asked_fini(&c);
}

/* Z3's check, which may linger between its answer and its return. */
static __typeof__(z3.solver_check_assumptions) check_at_once;

static Z3_lbool check_and_linger(Z3_context context, Z3_solver solver, unsigned count,
                                 const Z3_ast *assumptions)
{
    const struct timespec pause = {.tv_nsec = 200000000};
    Z3_lbool answer = check_at_once(context, solver, count, assumptions);
    nanosleep(&pause, NULL);
    return answer;
}

/* An answer that comes with the limit is none: Z3 may have stopped before it had looked at everything.
 * The model from before is still there to be read, and the solver to be asked again. */
static void test_limit_met_at_the_answer(void)
{
    CU_ASSERT_FATAL(smt_library_load());
    struct smt_solver *s = smt_solver_new(0, SMT_INTEGERS);
    smt_term value = smt_value(s, LIT_INT), seven = smt_constant(s, LIT_INT, 7);
    smt_term is_seven = smt_equal(s, value, seven), is_not = smt_not(s, is_seven);
    smt_assert(s, is_seven);
    CU_ASSERT_EQUAL(smt_check_assuming(s, NULL, 0, NULL, 0), SMT_SAT);
    check_at_once = z3.solver_check_assumptions;
    z3.solver_check_assumptions = check_and_linger;
    CU_ASSERT_EQUAL(smt_check_assuming(s, NULL, 0, NULL, 0.1), SMT_UNKNOWN);
    CU_ASSERT_EQUAL(smt_model_value(s, LIT_INT, value), 7);
    CU_ASSERT_EQUAL(smt_check_assuming(s, &is_not, 1, NULL, 0.1), SMT_UNKNOWN);
    CU_ASSERT_EQUAL(smt_model_value(s, LIT_INT, value), 7);
    z3.solver_check_assumptions = check_at_once;
    CU_ASSERT_EQUAL(smt_check_assuming(s, NULL, 0, NULL, 0), SMT_SAT);
    smt_solver_free(s);
}

/* `count` work-items that write, or read, x 200 times each. */
static void expect_too_many(int count, const char *access)
{
    struct strbuf text = {0};
    strbuf_printf(&text, "OPENCL t\n{ x = 0; }\n");
    for (int t = 0; t < count; t++) {
        strbuf_printf(&text, "P%d (global int* x) { int r;", t);
        for (int i = 0; i < 200; i++)
            strbuf_printf(&text, " %s;", access);
        strbuf_printf(&text, " }\n");
    }
    strbuf_printf(&text, "final exists (x=1)\n");
    struct asked c;
    asked_load(&c, strbuf_text(&text), "sc", "none");
    asked_run(&c);
    CU_ASSERT(c.o.doubts[OUTCOME_DOUBT_EVENTS]);
    CU_ASSERT_EQUAL(c.o.final.count, 0);
    asked_fini(&c);
    strbuf_fini(&text);
}

/* More events than an execution may have (16,400 reads); more writes to one location than
 * coherence is said for (600). */
static void test_too_many_events(void)
{
    expect_too_many(82, "r = *x");
    expect_too_many(3, "*x = 1");
}

/* In a process that may have no thread beside its own nothing is asked without a watch over the
 * limit, and why is not said to be memory. */
static void test_no_thread(void)
{
    int status = -1;
    CU_ASSERT_FATAL(smt_library_load());
    pid_t child = fork();
    if (child == 0) {
        const struct rlimit alone = {0, 0};
        bool bound = (geteuid() != 0 || setuid(65534) == 0) && setrlimit(RLIMIT_NPROC, &alone) == 0;
        struct smt_solver *s = smt_solver_new(0, SMT_INTEGERS);
        enum smt_answer answer = smt_check_assuming(s, NULL, 0, NULL, 1);
        _exit(!bound || answer != SMT_UNKNOWN || !smt_lacked_thread(s) || smt_lacked_memory(s));
    }
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
}

/* The status of a worker in which C++ throws this, which nobody catches. */
static int status_of_throwing(const char *thrower)
{
    int status = -1;
    CU_ASSERT_FATAL(smt_library_load());
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        const struct rlimit no_core = {0, 0};
        void (*throw)(const char *);
        setrlimit(RLIMIT_CORE, &no_core);
        (void)!freopen("/dev/null", "w", stderr);
        base_set_memory_status(72);
        void *found = dlsym(dlopen("libstdc++.so.6", RTLD_NOW), thrower);
        memcpy(&throw, &found, sizeof throw);
        if (smt_library_load() && found)
            throw("a word of its own");
        _exit(1);
    }
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    return status;
}

/* Of memory that is exhausted by the type that is thrown; any other exception is C++'s own affair.
 */
static void test_exceptions(void)
{
    int status = status_of_throwing("_ZSt17__throw_bad_allocv");
    CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 72);
    status = status_of_throwing("_ZSt20__throw_length_errorPKc");
    CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

/* ---- What is kept from one pair to the next ---- */

struct kept_pair {
    const char *visibility, *persistency;
    const struct cat_model *model;
    const struct cat_plan *plan;
};

/* Of the first six, pairs of one visibility model have the same checks, but `none`: a barrier of
 * its scope is no rendezvous there. */
static struct kept_pair kept_pairs[] = {
    {.visibility = "hrf-direct", .persistency = "epoch"},
    {.visibility = "hrf-direct", .persistency = "strict"},
    {.visibility = "sc", .persistency = "epoch"},
    {.visibility = "hrf-direct", .persistency = "buffered-epoch"},
    {.visibility = "sc", .persistency = "buffered-strict"},
    {.visibility = "hrf-direct", .persistency = "none"},
    {.visibility = "c11", .persistency = "none"},
    {.visibility = "c11", .persistency = "px86-eadr"},
    {.visibility = "tso", .persistency = "gpm"},
    {.visibility = "tso", .persistency = "lin-flight"},
};
enum { KEPT_PAIRS = sizeof kept_pairs / sizeof *kept_pairs };

/* Conditions of all kinds; a race, and next to it what no execution, or no crash, leaves. */
static const char *const kept_tests[] = {
    TWO_WRITES "crash ~exists (x=0 /\\ y=1)\ncrash exists (x=1 /\\ y=0)\nfinal forall (y=1)\n",
    "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
    "P0@wg 0 (global int* x, global int* y) { *x = 1; p_barrier_wg; *y = 1; }\n"
    "P1@wg 0 (global int* x, global int* y) { p_barrier_wg; int r = *x; *y = 2; }\n"
    "crash ~exists (x=0 /\\ y=1)\nfinal exists (1:r=1)\ncrash exists (1:r=1 /\\ x=0)\n",
    "OPENCL t\n{ nvm x = 0; nvm y = 0; f = 0; }\n"
    "P0@wg 0 (global int* x, global atomic_int* f) { *x = 1; p_barrier_wi;\n"
    "  atomic_store_explicit(f, 1, memory_order_release, memory_scope_device); }\n"
    "P1@wg 1 (global int* x, global int* y, global atomic_int* f) {\n"
    "  int r = atomic_load_explicit(f, memory_order_acquire, memory_scope_device);\n"
    "  if (r) { int s = *x; *y = s + 1; } }\n"
    "crash ~exists (x=0 /\\ y=2)\nfinal ~exists (1:r=1 /\\ x=0)\ncrash exists (y=2)\n",
    "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
    "P0 (global atomic_int* x, global int* y) { atomic_fetch_add(x, 1); p_barrier_wi; *y = 1; }\n"
    "P1 (global atomic_int* x) { atomic_fetch_add(x, 1); while (atomic_load(x) < 2) { } }\n"
    "crash ~exists (x=0 /\\ y=1)\nfinal exists (x=2)\n",
};

static bool has_same_states(const struct outcome_states *a, const struct outcome_states *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++)
        same = memcmp(outcome_row(a, i), outcome_row(b, i), a->width * sizeof(int64_t)) == 0;
    return same;
}

static bool has_same_findings(const struct outcome *a, const struct outcome *b)
{
    bool same = a->undefined.count == b->undefined.count && a->flags.count == b->flags.count;
    for (size_t i = 0; same && i < a->undefined.count; i++)
        same = outcome_same_undefined(&a->undefined.items[i], &b->undefined.items[i]);
    for (size_t i = 0; same && i < a->flags.count; i++)
        same = strcmp(a->flags.items[i], b->flags.items[i]) == 0;
    return same && memcmp(a->doubts, b->doubts, sizeof a->doubts) == 0 &&
           memcmp(a->met, b->met, sizeof a->met) == 0 && a->ran == b->ran && a->ended == b->ended;
}

static bool has_same_stats(const struct outcome *a, const struct outcome *b)
{
#define X(name) a->stats.name == b->stats.name &&
    return OUTCOME_STATS(X) true;
#undef X
}

static void ask_pair(struct asked *c, const struct kept_pair *pair, struct engine_kept *kept,
                     struct outcome *outcome)
{
    c->request.model = pair->model;
    c->request.plan = pair->plan;
    c->request.kept = kept;
    c->recheck = recheck_new(&c->request);
    outcome_init(outcome, c->f.program);
    smt_run(&c->request, outcome);
    recheck_free(c->recheck);
}

/* Of conditions that are decided the states may be others: their verdicts are the same. */
static void compare_pair(struct asked *c, const struct kept_pair *pair, struct engine_kept *kept)
{
    struct outcome alone, shared;
    ask_pair(c, pair, NULL, &alone);
    ask_pair(c, pair, kept, &shared);
    CU_ASSERT(has_same_states(&alone.final, &shared.final));
    CU_ASSERT(c->request.decide || has_same_states(&alone.crash, &shared.crash));
    CU_ASSERT(has_same_findings(&alone, &shared));
    CU_ASSERT(c->request.decide || has_same_stats(&alone, &shared));
    CU_ASSERT_EQUAL(outcome_verdict(&alone, c->f.program), outcome_verdict(&shared, c->f.program));
    for (uint32_t i = 0; i < c->f.program->condition_count; i++) {
        const struct lit_condition *condition = &c->f.program->conditions[i];
        CU_ASSERT_EQUAL(outcome_judge(&alone, c->f.program, condition).verdict,
                        outcome_judge(&shared, c->f.program, condition).verdict);
    }
    outcome_fini(&alone);
    outcome_fini(&shared);
}

/* In this order: from the first on, from the last on, and jumping about; all twice. */
static void ask_in_order(struct asked *c, uint32_t first, uint32_t step)
{
    struct engine_kept kept = {.program = c->f.program};
    for (uint32_t i = 0; i < 2 * KEPT_PAIRS; i++)
        compare_pair(c, &kept_pairs[(first + i * step) % KEPT_PAIRS], &kept);
    CU_ASSERT_PTR_NOT_NULL(kept.what);
    engine_kept_fini(&kept);
}

static void load_kept_pairs(struct fixture *f)
{
    for (uint32_t i = 0; i < KEPT_PAIRS; i++) {
        struct kept_pair *pair = &kept_pairs[i];
        pair->model = cat_model_load(&f->arena, exec_basis(), NULL, pair->visibility,
                                     pair->persistency, &f->diag);
        CU_ASSERT_PTR_NOT_NULL_FATAL(pair->model);
        pair->plan = cat_plan_new(&f->arena, pair->model);
    }
}

static void test_kept(void)
{
    for (size_t i = 0; i < sizeof kept_tests / sizeof *kept_tests; i++) {
        struct asked c;
        asked_load(&c, kept_tests[i], "sc", "none");
        load_kept_pairs(&c.f);
        for (int decide = 0; decide <= 1; decide++) {
            c.request.decide = decide;
            ask_in_order(&c, 0, 1);
            ask_in_order(&c, KEPT_PAIRS - 1, KEPT_PAIRS - 1);
            ask_in_order(&c, 0, 3);
        }
        fixture_fini(&c.f);
    }
}

/* Of another program, or asked otherwise: what is kept has no part in it, and stays. */
static void test_kept_for_others(void)
{
    struct asked c;
    asked_load(&c, kept_tests[0], "sc", "none");
    load_kept_pairs(&c.f);
    const struct lit_program *own = c.f.program;
    struct lit_program other = *own;
    struct engine_kept kept = {.program = own};
    compare_pair(&c, &kept_pairs[0], &kept);
    const void *what = kept.what;
    c.f.program = c.request.program = &other;
    other.condition_count = 1;
    compare_pair(&c, &kept_pairs[0], &kept);
    CU_ASSERT_PTR_EQUAL(kept.what, what);
    c.f.program = c.request.program = own;
    c.request.crash_mode = EXEC_CRASH_END;
    compare_pair(&c, &kept_pairs[0], &kept);
    c.request.crash_mode = EXEC_CRASH_POINTS;
    compare_pair(&c, &kept_pairs[0], &kept);
    engine_kept_fini(&kept);
    fixture_fini(&c.f);
}

/* A pair that is called off leaves no trace: neither in what was kept, nor, asked first, for
 * others. */
static void test_kept_called_off(void)
{
    struct clock_call_off call_off;
    clock_call_off_init(&call_off);
    struct outcome outcome;
    struct asked c;
    asked_load(&c, kept_tests[2], "sc", "none");
    load_kept_pairs(&c.f);
    struct engine_kept kept = {.program = c.f.program};
    clock_call_off(&call_off);
    for (int i = 0; i <= 1; i++) {
        c.request.limits.clock.call_off = &call_off;
        ask_pair(&c, &kept_pairs[1], &kept, &outcome);
        CU_ASSERT_PTR_NOT_NULL(outcome_doubt(&outcome));
        CU_ASSERT_EQUAL(kept.what != NULL, i);
        outcome_fini(&outcome);
        c.request.limits.clock.call_off = NULL;
        compare_pair(&c, &kept_pairs[0], &kept);
        compare_pair(&c, &kept_pairs[3], &kept);
        CU_ASSERT_PTR_NOT_NULL(kept.what);
    }
    engine_kept_fini(&kept);
    clock_call_off_fini(&call_off);
    fixture_fini(&c.f);
}

/* c11 lets any value of 32 bits go round: it writes what it has read. Of them some are listed, and
 * a doubt says that there are more; 42 is asked for since a condition is about it, and 0 needs no
 * such value. Where a state tells whether the value is 3 alone, all states are listed, and nothing
 * is in doubt. */
static void test_values_from_nowhere(void)
{
    struct asked c;
    asked_load(&c,
               "C t\n{ x = 0; y = 0; }\n"
               "P0 (atomic_int* x, atomic_int* y) {\n"
               " int r = atomic_load_explicit(x, memory_order_relaxed);\n"
               " atomic_store_explicit(y, r, memory_order_relaxed); }\n"
               "P1 (atomic_int* x, atomic_int* y) {\n"
               " int r = atomic_load_explicit(y, memory_order_relaxed);\n"
               " atomic_store_explicit(x, r, memory_order_relaxed); }\n"
               "exists (0:r = 42)\nexists (0:r = 0)\n",
               "c11", "epoch");
    asked_run(&c);
    CU_ASSERT_TRUE(c.o.final.count < 32);
    CU_ASSERT_TRUE(outcome_has_state(&c.o.final, (const int64_t[]){42}));
    CU_ASSERT_TRUE(outcome_has_state(&c.o.final, (const int64_t[]){0}));
    CU_ASSERT_TRUE(c.o.doubts[OUTCOME_DOUBT_THIN_AIR]);
    asked_fini(&c);
    asked_load(&c,
               "C t\n{ x = 0; y = 0; }\n"
               "P0 (atomic_int* x, atomic_int* y) {\n"
               " int r = atomic_load_explicit(x, memory_order_relaxed);\n"
               " atomic_store_explicit(y, r, memory_order_relaxed); int is = r == 3; }\n"
               "P1 (atomic_int* x, atomic_int* y) {\n"
               " int r = atomic_load_explicit(y, memory_order_relaxed);\n"
               " atomic_store_explicit(x, r, memory_order_relaxed); }\n"
               "exists (0:is = 1)\n",
               "c11", "epoch");
    asked_run(&c);
    CU_ASSERT_EQUAL(c.o.final.count, 2);
    CU_ASSERT_FALSE(c.o.doubts[OUTCOME_DOUBT_THIN_AIR]);
    asked_fini(&c);
}

/* Lists of final, crash and recovered states that have no end each: of each some are there. What is
 * asked of one condition is asked of all values, so no condition is unknown: z is 0 or 1, and
 * whoever reads 1 passes 1 on, which recovery does as well. */
static void test_lists_without_an_end(void)
{
    struct asked c;
    asked_load(&c,
               "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\n"
               "P0 (global int* x, global int* y) { int r = *x; *y = r; }\n"
               "P1 (global int* x, global int* y) { int s = *y; *x = s; }\n"
               "P2 (global int* z) { *z = 1; }\n"
               "recovery\n"
               "P0@wg 0 (global int* x, global int* y) { int r = *x; *y = r; }\n"
               "P1@wg 1 (global int* x, global int* y) { int s = *y; *x = s; }\n"
               "forall (z = 1)\nexists (x = 77)\n~exists (0:r = 1 /\\ 1:s = 2)\n"
               "crash forall (z = 0 \\/ z = 1)\ncrash exists (x = 78)\n"
               "recovered forall (z = 0 \\/ z = 1)\nrecovered exists (x = 79)\n",
               "tests/unit/anything.cat", "tests/unit/anything.cat");
    c.request.on_witness = NULL; /* recovery's would have to be rechecked as such */
    asked_run(&c);
    for (uint32_t i = 0; i < c.f.program->condition_count; i++)
        CU_ASSERT_EQUAL(outcome_judge(&c.o, c.f.program, &c.f.program->conditions[i]).verdict,
                        LIT_OK);
    CU_ASSERT_TRUE(c.o.final.count < 200 && c.o.crash.count < 200 && c.o.recovered.count < 1000);
    CU_ASSERT_TRUE(outcome_doubt(&c.o) != NULL);
    CU_ASSERT_PTR_NULL(outcome_failure_doubt(&c.o));
    asked_fini(&c);
}

/* Recovery's first two work-items pass 5 to each other, which relaxed accesses do not forbid; the
 * third leaves it in u, and the crash there. The next recovery finds it and leaves it in v, which
 * none does that starts on u = 0. So there is such a state, which may be missed and is not denied.
 */
static void test_values_of_an_earlier_recovery(void)
{
    struct asked c;
    asked_load(&c,
               "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm u = 0; nvm v = 0; }\n"
               "P0 (global int* x) { }\n"
               "recovery restartable\n"
               "P0@wg 0 (global atomic_int* x, global atomic_int* y) {"
               " int r = x.load(mo_rlx, dev_scope); y.store(r, mo_rlx, dev_scope); }\n"
               "P1@wg 1 (global atomic_int* x, global atomic_int* y) {"
               " int s = y.load(mo_rlx, dev_scope); x.store(s, mo_rlx, dev_scope); }\n"
               "P2@wg 2 (global atomic_int* x, global atomic_int* u, global atomic_int* v) {"
               " int t = u.load(mo_rlx, dev_scope); v.store(t, mo_rlx, dev_scope);"
               " int r = x.load(mo_rlx, dev_scope); u.store(r, mo_rlx, dev_scope); }\n"
               "recovered exists (v = 5)\n",
               "hrf-direct-relaxed", "epoch");
    c.request.decide = true;
    c.request.on_witness = NULL;
    asked_run(&c);
    CU_ASSERT_NOT_EQUAL(outcome_verdict(&c.o, c.f.program), LIT_VIOLATED);
    asked_fini(&c);
}

void suite_smt(void)
{
    CU_pSuite suite = CU_add_suite("smt", NULL, NULL);
    UNIT_TEST(suite, test_operators);
    UNIT_TEST(suite, test_casts);
    UNIT_TEST(suite, test_by_hand);
    UNIT_TEST(suite, test_least);
    UNIT_TEST(suite, test_least_in_flags);
    UNIT_TEST(suite, test_ranks_matter);
    UNIT_TEST(suite, test_push_and_pop);
    UNIT_TEST(suite, test_location_not_in_use);
    UNIT_TEST(suite, test_choice_of_closures);
    UNIT_TEST(suite, test_crash_modes);
    UNIT_TEST(suite, test_wait_behind_branch);
    UNIT_TEST(suite, test_durable_before_itself);
    UNIT_TEST(suite, test_repeated_pairs);
    UNIT_TEST(suite, test_decide);
    UNIT_TEST(suite, test_count);
    UNIT_TEST(suite, test_alike_conditions);
    UNIT_TEST(suite, test_counters);
    UNIT_TEST(suite, test_counter_comes_round);
    UNIT_TEST(suite, test_no_counter);
    UNIT_TEST(suite, test_counter_of_paths);
    UNIT_TEST(suite, test_orders_of_absent_writes);
    UNIT_TEST(suite, test_own_write);
    UNIT_TEST(suite, test_time_limit);
    UNIT_TEST(suite, test_limit_met_at_the_answer);
    UNIT_TEST(suite, test_too_many_events);
    UNIT_TEST(suite, test_no_thread);
    UNIT_TEST(suite, test_exceptions);
    UNIT_HEAVY_TEST(suite, test_kept);
    UNIT_TEST(suite, test_kept_for_others);
    UNIT_TEST(suite, test_kept_called_off);
    UNIT_TEST(suite, test_values_from_nowhere);
    UNIT_TEST(suite, test_lists_without_an_end);
    UNIT_HEAVY_TEST(suite, test_values_of_an_earlier_recovery);
}
