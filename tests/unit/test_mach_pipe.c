/* The building blocks of pipelines, one by one: tiny descriptions and programs, every state by
 * hand. Crash states are the values of x, y, z in this order. Each fault of a block shows a state
 * that the block alone does not. */
#include "test_mach_pipe_fixture.h"

#include <stdio.h>

/* ---- Orders ---- */

#define LEAVE_AND_WAIT OF(MOVE, OWN, 0), OP(AWAIT)
#define ONE_STAGE(...) .stages = {STAGE("S", DEVICE, __VA_ARGS__)}, .stage_count = 1, .entries = 8

static const struct mach_pipe any = {ONE_STAGE(ANY, ), .rules = {ON("f", LEAVE_AND_WAIT)},
                                     .rule_count = 1};
static const struct mach_pipe fifo = {ONE_STAGE(FIFO, )};
static const struct mach_pipe marks = {
    ONE_STAGE(MARKS, ), .rules = {ON("m", OF(MARK, OWN, 0)), ON("u", OF(MARK, UNIT, 0))},
    .rule_count = 2};

/* What a work-item waits for is of the rule that it began with, though that has ended what the rule
 * asks for. */
static void test_rule_kept(void)
{
    struct mach_pipe_rule end = ON("e", OP(COMMIT), OF(MOVE, OWN, 0), OP(AWAIT));
    struct mach_pipe pipe = {ONE_STAGE(ANY, .hold = true), .rules = {ON("b", OP(BEGIN)), end},
                             .rule_count = 2};
    const char *within = TEST(X, "P0 { __fence{b}; x = 1; __fence{e}; crash \"\"; }\n");
    const char *outside = TEST(X, "P0 { x = 1; __fence{e}; crash \"\"; }\n");
    pipe.rules[1].match.inside = 1;
    pipe_expect(within, &pipe, "1 ");
    pipe_expect(outside, &pipe, "0 1 "); /* no rule is for that */
    /* A rule for the outside stands before it: `e` is in the transaction still. */
    pipe.rules[1] = (struct mach_pipe_rule)ON("e", OF(MOVE, OWN, 0));
    pipe.rules[1].match.inside = 0;
    pipe.rules[2] = end;
    pipe.rule_count = 3;
    pipe_expect(within, &pipe, "1 ");
    pipe_expect(outside, &pipe, "0 1 "); /* owed, and nobody waits */
    /* Those who meet go on with the rule as well, and wait for what each is owed. */
    pipe.rules[1] = (struct mach_pipe_rule){
        .match = {.kind = MACH_PIPE_KIND_PBARRIER, .order = -1, .scope = -1, .inside = 1},
        .ops = {OP(COMMIT), OF(MOVE, OWN, 0), OP(MEET), OP(AWAIT)},
        .count = 4};
    pipe.rule_count = 2;
    pipe_expect(TEST(X, "P0 { __fence{b}; x = 1; p_barrier_wi(); crash \"\"; }\n"), &pipe, "1 ");
}

#define TWO_STORES TEST(XY, "P0 { x = 1; y = 1; }\n")

static void test_any(void)
{
    pipe_expect(TWO_STORES, &any, "0,0 0,1 1,0 1,1 ");
    /* Behind an await all is durable, and of x the newest. */
    pipe_expect(TEST(X, "P0 { x = 1; x = 2; __fence{f}; crash \"\"; }\n"), &any, "2 ");
    /* Lands 2, then 1. */
    pipe_expect_faulty(TEST(X, "P0 { x = 1; x = 2; __fence{f}; crash \"\"; }\n"), &any,
                       MACH_FAULT_PIPE_OLDER_LAST, "1 2 ");
    /* A write into a pipeline without stages is durable at once. */
    const struct mach_pipe none = {.entries = 1};
    pipe_expect(TEST(X, "P0 { x = 1; crash \"\"; }\n"), &none, "1 ");
}

static void test_fifo(void)
{
    pipe_expect(TWO_STORES, &fifo, "0,0 1,0 1,1 ");
    pipe_expect_faulty(TWO_STORES, &fifo, MACH_FAULT_PIPE_ORDER, "0,0 0,1 1,0 1,1 ");
    /* Each work-item has its own: P1's y does not wait for x. */
    const struct mach_pipe own = {
        .stages = {STAGE("S", THREAD, FIFO, )}, .stage_count = 1, .entries = 8};
    pipe_expect(TEST(XYF, "P0 { x = 1; F.store(1, mo_rel); }\n"
                          "P1 { while (!F.load(mo_acq)); y = 1; }\n"),
                &own, "0,0 0,1 1,0 1,1 ");
}

static void test_marks(void)
{
    const char *marked = TEST(XY, "P0 { x = 1; __fence{m}; y = 1; }\n");
    pipe_expect(TWO_STORES, &marks, "0,0 0,1 1,0 1,1 ");
    pipe_expect(marked, &marks, "0,0 1,0 1,1 ");
    pipe_expect_faulty(marked, &marks, MACH_FAULT_PIPE_MARK, "0,0 0,1 1,0 1,1 ");
    pipe_expect_faulty(marked, &marks, MACH_FAULT_PIPE_ORDER, "0,0 0,1 1,0 1,1 ");
    /* z is behind both of the others, which are free. */
    pipe_expect(TEST(XYZ, "P0 { x = 1; y = 1; __fence{m}; z = 1; }\n"), &marks,
                "0,0,0 0,1,0 1,0,0 1,1,0 1,1,1 ");
    /* A mark with nothing before it is none. */
    pipe_expect(TEST(XY, "P0 { __fence{m}; x = 1; y = 1; }\n"), &marks, "0,0 0,1 1,0 1,1 ");
    /* One's own mark does not order what another wrote; one of the unit does. */
    pipe_expect(TEST(XYF, "P0 { x = 1; __fence{m}; F.store(1, mo_rel); }\n"
                          "P1 { while (!F.load(mo_acq)); y = 1; }\n"),
                &marks, "0,0 0,1 1,0 1,1 ");
    pipe_expect(TEST(XYF, "P0 { x = 1; __fence{u}; F.store(1, mo_rel); }\n"
                          "P1 { while (!F.load(mo_acq)); y = 1; }\n"),
                &marks, "0,0 1,0 1,1 ");
}

/* Each work-item has a queue of its own. Who has read what another has stored stores behind that,
 * and behind what that is behind; nobody waits. */
static void test_marks_of_lines(void)
{
    static const struct mach_pipe buffers = {
        .stages = {STAGE("S", THREAD, MARKS, )},
        .stage_count = 1,
        .entries = 8,
        .rules = {ON("m", OF(MARK, OWN, 0)), ON("l", OF(MARK, LINE, 0))},
        .rule_count = 2};
    /* y = 1 needs x = 1, by the mark for x. */
    pipe_expect(TEST(XYF, "P0 { x = 1; F.store(1, mo_rel); }\n"
                          "P1 { while (!F.load(mo_acq)); __cm{l}(x); y = 1; }\n"),
                &buffers, "0,0 1,0 1,1 ");
    pipe_expect_faulty(TEST(XYF, "P0 { x = 1; F.store(1, mo_rel); }\n"
                                 "P1 { while (!F.load(mo_acq)); __cm{l}(x); y = 1; }\n"),
                       &buffers, MACH_FAULT_PIPE_MARK, "0,0 0,1 1,0 1,1 ");
    /* One for y says nothing of x, nor one for what it has stored itself. */
    pipe_expect(TEST(XYF, "P0 { x = 1; F.store(1, mo_rel); }\n"
                          "P1 { while (!F.load(mo_acq)); __cm{l}(y); y = 1; }\n"),
                &buffers, "0,0 0,1 1,0 1,1 ");
    pipe_expect(TEST(XY, "P0 { x = 1; __cm{l}(x); y = 1; }\n"), &buffers, "0,0 0,1 1,0 1,1 ");
    /* x, mark, y: z needs y, and so x. */
    pipe_expect(TEST(XYZ "atomic_int F = 0; ",
                     "P0 { x = 1; __fence{m}; y = 1; F.store(1, mo_rel); }\n"
                     "P1 { while (!F.load(mo_acq)); __cm{l}(y); z = 1; }\n"),
                &buffers, "0,0,0 1,0,0 1,1,0 1,1,1 ");
}

/* ---- Merging ---- */

static void test_merge(void)
{
    /* There is room for one. The transaction holds x = 1, so a second version would wait for ever.
     */
    const struct mach_pipe held = {.stages = {STAGE("S", DEVICE, ANY, .merge = true, .hold = true)},
                                   .stage_count = 1,
                                   .entries = 1,
                                   .rules = {ON("b", OP(BEGIN)), ON("e", OP(COMMIT))},
                                   .rule_count = 2};
    const char *twice = TEST(X, "P0 { __fence{b}; x = 1; x = 2; __fence{e}; }\n");
    pipe_expect_with(twice, &held, 0, "0 2 ", NULL);
    struct mach_pipe unmerged = held;
    unmerged.stages[0].merge = false;
    pipe_expect_with(twice, &unmerged, 0, "0 ", "");
    /* Into the tail of a FIFO alone: else x = 2 would leave before y. */
    struct mach_pipe tail = fifo;
    tail.stages[0].merge = true;
    pipe_expect(TEST(XY, "P0 { x = 1; y = 1; x = 2; }\n"), &tail, "0,0 1,0 1,1 2,1 ");
    /* Not over a mark: x = 2 is behind y, and x = 1 before it. */
    struct mach_pipe merging = marks;
    merging.stages[0].merge = true;
    pipe_expect(TEST(XY, "P0 { x = 1; __fence{m}; y = 1; __fence{m}; x = 2; }\n"), &merging,
                "0,0 1,0 1,1 2,1 ");
}

/* ---- What is waited for ---- */

static const struct mach_pipe lin = {
    .stages = {STAGE("L2", DEVICE, ANY, .merge = true), STAGE("WPQ", DEVICE, ANY, .durable = true)},
    .stage_count = 2,
    .entries = 8,
    .rules = {ON("clwb", OF(MOVE, LINE, 0)), ON("l2wb", OF(MOVE, ALL, 0)),
              ON("own", OF(MOVE, OWN, 0)), ON("sfence", OP(AWAIT)), ON("wt", OP(THROUGH))},
    .rule_count = 5};

static void test_move(void)
{
    /* Of two stores the one that is written back is durable. */
    const char *one =
        TEST(XY, "P0 { x = 1; y = 1; __cm{clwb}(x); __fence{sfence}; crash \"\"; }\n");
    pipe_expect(one, &lin, "1,0 1,1 ");
    pipe_expect_faulty(one, &lin, MACH_FAULT_PIPE_AWAIT, "0,0 0,1 1,0 1,1 ");
    pipe_expect_faulty(one, &lin, MACH_FAULT_PIPE_OBLIGATION, "0,0 0,1 1,0 1,1 ");
    /* Both stages are passed or not: what is in the durable one is lost. */
    pipe_expect_faulty(one, &lin, MACH_FAULT_PIPE_DURABLE_LOST, "0,0 0,1 1,0 1,1 ");
    /* P1's y is there before P0 obliges itself, and is not its own. */
#define SEES "P1 { y = 1; F.store(1, mo_rel); }\nP0 { while (!F.load(mo_acq)); x = 1; "
    pipe_expect(TEST(XYF, SEES "__fence{l2wb}; __fence{sfence}; crash \"\"; }\n"), &lin, "1,1 ");
    pipe_expect(TEST(XYF, SEES "__fence{own}; __fence{sfence}; crash \"\"; }\n"), &lin, "1,0 1,1 ");
    /* One line: both are written back. */
    pipe_expect(TEST(XY "line {x, y};",
                     "P0 { x = 1; y = 1; __cm{clwb}(x); __fence{sfence}; crash \"\"; }\n"),
                &lin, "1,1 ");
}

static void test_drain(void)
{
    /* Of two volatile stages, what is in the first is drained with the second, and not moved. */
    static const struct mach_pipe two = {
        .stages = {STAGE("A", DEVICE, ANY, ), STAGE("B", DEVICE, ANY, )},
        .stage_count = 2,
        .entries = 8,
        .rules = {ON("d", OF(DRAIN, OWN, 1), OP(AWAIT)), ON("m", OF(MOVE, OWN, 1), OP(AWAIT))},
        .rule_count = 2};
    pipe_expect(TEST(X, "P0 { x = 1; __fence{d}; crash \"\"; }\n"), &two, "1 ");
    pipe_expect(TEST(X, "P0 { x = 1; __fence{m}; crash \"\"; }\n"), &two, "0 1 ");
}

/* Of one line what is in the work-item's own instance: another device's L2 is not written back. */
static void test_here(void)
{
    struct mach_pipe here = lin;
    here.rules[0].ops[0].which = MACH_PIPE_WHICH_HERE;
#define SEEN "P0 { x = 1; F.store(1, mo_rel); }\n"
#define FLUSHES "{ while (!F.load(mo_acq)); __cm{clwb}(x); __fence{sfence}; crash \"\"; }\n"
    pipe_expect(TEST(XF, SEEN "P1@dev 1 " FLUSHES), &here, "0 1 ");
    pipe_expect(TEST(XF, SEEN "P1@dev 0 " FLUSHES), &here, "1 ");
    pipe_expect(TEST(XF, SEEN "P1@dev 1 " FLUSHES), &lin, "1 ");
    /* y is in the instance, and of another line. */
    pipe_expect(TEST(XY, "P0 { x = 1; y = 1; __cm{clwb}(x); __fence{sfence}; crash \"\"; }\n"),
                &here, "1,0 1,1 ");
}

/* What is in A when the rule is done has to leave B; what has left A is not waited for. */
static void test_past(void)
{
    static const struct mach_pipe two = {
        .stages = {STAGE("A", DEVICE, ANY, .hold = true), STAGE("B", DEVICE, ANY, )},
        .stage_count = 2,
        .entries = 8,
        .rules = {ON("b", OP(BEGIN)), ON("e", OP(COMMIT), OF(MOVE, OWN, 0), OP(AWAIT)),
                  ON("f", OF(MOVE, OWN, 0), OP(AWAIT))},
        .rule_count = 3};
    struct mach_pipe past = two;
    past.rules[1].ops[1].further = past.rules[2].ops[0].further = 1;
    /* The transaction keeps x in A until the rule is done. */
    const char *held = TEST(X, "P0 { __fence{b}; x = 1; __fence{e}; crash \"\"; }\n");
    pipe_expect(held, &past, "1 ");
    pipe_expect(held, &two, "0 1 ");
    /* x may be in B before: so it is not waited for. */
    pipe_expect(TEST(X, "P0 { x = 1; __fence{f}; crash \"\"; }\n"), &past, "0 1 ");
}

/* P1 waits for what P0 has written back, when they are of one sub-group. */
static void test_await_scope(void)
{
    struct mach_pipe warp = lin;
    warp.rules[3].ops[0].scope = LIT_SCOPE_SG;
#define WRITTEN_BACK "{ x = 1; __cm{clwb}(x); F.store(1, mo_rel); }\n"
#define FENCED "{ while (!F.load(mo_acq)); __fence{sfence}; crash \"\"; }\n"
    pipe_expect(TEST(XF, "P0@sg 0 " WRITTEN_BACK "P1@sg 0 " FENCED), &warp, "1 ");
    pipe_expect(TEST(XF, "P0@sg 0 " WRITTEN_BACK "P1@sg 1 " FENCED), &warp, "0 1 ");
    pipe_expect(TEST(XF, "P0@sg 0 " WRITTEN_BACK "P1@sg 0 " FENCED), &lin, "0 1 ");
    /* P0 may write back when P1 has gone on: an order that is not to be left out. */
    pipe_expect(
        TEST(X, "P0@sg 0 { x = 1; __cm{clwb}(x); }\nP1@sg 0 { __fence{sfence}; crash \"\"; }\n"),
        &warp, "0 1 ");
}

static void test_through(void)
{
    const char *through = TEST(X, "P0 { __store{wt}(x, 1); __fence{sfence}; crash \"\"; }\n");
    pipe_expect(through, &lin, "1 ");
    pipe_expect_faulty(through, &lin, MACH_FAULT_PIPE_THROUGH, "0 1 ");
    pipe_expect(TEST(X, "P0 { x = 1; __fence{sfence}; crash \"\"; }\n"), &lin, "0 1 ");
}

/* What stands behind ACCESS is done behind it, and the work-item waits there. */
static void test_access(void)
{
    static const struct mach_pipe behind = {
        ONE_STAGE(ANY, ),
        .rules = {ON("s", OP(THROUGH), OP(ACCESS), OP(AWAIT)),
                  ON("l", OP(ACCESS), OF(DRAIN, LINE, 0), OP(AWAIT), OF(MOVE, LINE, 0), OP(AWAIT)),
                  ON("t", OP(THROUGH), OF(DRAIN, LINE, 0), OP(AWAIT)), ON("f", OP(AWAIT))},
        .rule_count = 4};
    const char *waits = TEST(XY, "P0 { __store{s}(x, 1); y = 1; }\n");
    pipe_expect(waits, &behind, "0,0 1,0 1,1 ");
    pipe_expect_faulty(waits, &behind, MACH_FAULT_PIPE_AWAIT, "0,0 0,1 1,0 1,1 ");
    /* Others see x meanwhile, and P0's register, which follows from it, is known. */
    pipe_expect(TEST(XY, "P0 { __store{s}(x, 1); }\nP1 { int r = x; y = r; }\n"), &behind,
                "0,0 0,1 1,0 1,1 ");
    /* A crash point behind it is not reached, by the last instruction either. */
    pipe_expect(TEST(X, "P0 { __store{s}(x, 1); crash \"\"; }\n"), &behind, "1 ");
    pipe_expect(TEST(X, "P0@wg 0 { __store{s}(x, 1); p_barrier_wi; crash \"\"; }\n"), &behind,
                "1 ");
    /* The line is that of a[1], though the index is 0 by now: a[1] = 7 is waited for, x is not. */
    pipe_expect("OPENCL t\n{ nvm a[2] = {0, 0}; nvm x = 0; }\nP0 { int i = 1; x = 1; a[i] = 7;\n"
                "i = __load{l}(a[i]) - 7; crash \"\"; }\ncrash exists (true)\n",
                &behind, "0,7,0 0,7,1 ");
    /* `through` is of the store, which comes when what was there has left. */
    pipe_expect(TEST(X, "P0 { x = 1; __store{t}(x, 2); __fence{f}; crash \"\"; }\n"), &behind,
                "2 ");
}

static void test_meet(void)
{
    static const struct mach_pipe meeting = {
        ONE_STAGE(ANY, ),
        .rules = {{.match = {.kind = MACH_PIPE_KIND_PBARRIER, ANY_MATCH},
                   .ops = {OP(MEET), OF(DRAIN, OWN, 0), OP(AWAIT)},
                   .count = 3}},
        .rule_count = 1};
    /* All leave when what each has written is durable. */
    const char *both = TEST(XY, "P0@wg 0 { x = 1; p_barrier_wg; crash \"\"; }\n"
                                "P1@wg 0 { y = 1; p_barrier_wg; }\n");
    pipe_expect(both, &meeting, "1,1 ");
    pipe_expect_faulty(both, &meeting, MACH_FAULT_PIPE_AWAIT, "0,0 0,1 1,0 1,1 ");
    /* Without a rule nobody waits. */
    pipe_expect(both, &fifo, "0,0 0,1 1,0 1,1 ");
}

/* ---- Strands ---- */

static void test_strand(void)
{
    static const struct mach_pipe strands = {
        .stages = {STAGE("S", THREAD, MARKS, )},
        .stage_count = 1,
        .entries = 8,
        .rules = {ON("b", OF(MARK, STRAND, 0)), ON("n", OP(STRAND)), ON("j", OF(MARK, OWN, 0)),
                  ON("w", OF(DRAIN, STRAND, 0), OP(AWAIT))},
        .rule_count = 4};
    pipe_expect(TEST(XY, "P0 { x = 1; __fence{b}; y = 1; }\n"), &strands, "0,0 1,0 1,1 ");
    pipe_expect(TEST(XY, "P0 { x = 1; __fence{b}; __fence{n}; y = 1; }\n"), &strands,
                "0,0 0,1 1,0 1,1 ");
    pipe_expect(TEST(XY, "P0 { x = 1; __fence{n}; __fence{b}; y = 1; }\n"), &strands,
                "0,0 0,1 1,0 1,1 ");
    pipe_expect(TEST(XY, "P0 { x = 1; __fence{n}; __fence{j}; y = 1; }\n"), &strands,
                "0,0 1,0 1,1 ");
    /* It waits for the strand of y. */
    pipe_expect(TEST(XY, "P0 { x = 1; __fence{n}; y = 1; __fence{w}; crash \"\"; }\n"), &strands,
                "0,1 1,1 ");
}

/* ---- Transactions ---- */

static const struct mach_pipe kiln = {
    .stages = {STAGE("SRAM", UNIT, ANY, .merge = true),
               STAGE("LLC", SYSTEM, ANY, .merge = true, .hold = true, .durable = true)},
    .stage_count = 2,
    .entries = 8,
    .rules = {ON("b", OP(BEGIN)), ON("e", OF(MOVE, OWN, 0), OP(AWAIT), OP(COMMIT)),
              ON("a", OP(ABORT))},
    .rule_count = 3};

static void test_hold(void)
{
    const char *one = TEST(XY, "P0 { __fence{b}; x = 1; y = 1; __fence{e}; }\n");
    pipe_expect(one, &kiln, "0,0 1,1 ");
    pipe_expect_faulty(one, &kiln, MACH_FAULT_PIPE_HELD, "0,0 0,1 1,0 1,1 ");
    /* y is in the SRAM at the commit. */
    pipe_expect_faulty(one, &kiln, MACH_FAULT_PIPE_AWAIT, "0,0 0,1 1,0 1,1 ");
    pipe_expect(TEST(XY, "P0 { __fence{b}; x = 1; y = 1; __fence{e}; crash \"\"; }\n"), &kiln,
                "1,1 ");
}

static void test_abort(void)
{
    /* Nothing of it is durable, and all of it visible: undoing is software's. */
    pipe_expect_with("OPENCL t\n{ nvm x = 0; }\nP0 { __fence{b}; x = 1; __fence{a}; }\n"
                     "exists (x = 0)\ncrash exists (x = 0)\n",
                     &kiln, 0, "0 ", "1 ");
}

static void test_versions(void)
{
    /* x = 1 is committed; x = 2 with y = 2 is another version, until it is too. */
    const char *two =
        TEST(XY, "P0 { __fence{b}; x = 1; __fence{e}; __fence{b}; x = 2; y = 2; __fence{e}; }\n");
    pipe_expect(two, &kiln, "0,0 1,0 2,2 ");
    /* In the LLC x = 2 takes the place of x = 1, committed as that is. */
    pipe_expect_faulty(two, &kiln, MACH_FAULT_PIPE_OVERWRITTEN, "0,0 1,0 2,0 2,2 ");
    /* P1's version is behind P0's: its commit waits for P0's, so that it is durable when it is
     * over. */
    pipe_expect(
        TEST(XYF,
             "P0 { __fence{b}; x = 1; F.store(1, mo_rel); __fence{e}; }\n"
             "P1 { while (!F.load(mo_acq)); __fence{b}; x = 2; y = 2; __fence{e}; crash \"\"; }\n"),
        &kiln, "2,2 ");
}

/* P0's commit takes along what P1, whose transaction never ends, has brought to its line. */
static void test_joint(void)
{
    static const char p1[] = "P1@wg 1 { __fence{b}; y = 1; F.store(1, mo_rel); }\n";
    static const char p0[] =
        "P0@wg 0 { while (!F.load(mo_acq)); __fence{b}; x = 1; __fence{e}; crash \"\"; }\n";
    struct mach_pipe joint = kiln;
    joint.stages[1].joint = true;
    char apart[300], one[300];
    snprintf(apart, sizeof apart, TEST(XYF, "%s%s"), p0, p1);
    snprintf(one, sizeof one, TEST(XYF "line {x, y};", "%s%s"), p0, p1);
    pipe_expect(one, &joint, "1,0 1,1 "); /* y is in P1's SRAM, or in the LLC */
    pipe_expect(one, &kiln, "1,0 ");
    pipe_expect(apart, &joint, "1,0 ");
    /* P0's version has replaced P1's, and does not wait for it. */
    pipe_expect(
        TEST(XF, "P0@wg 0 { while (!F.load(mo_acq)); __fence{b}; x = 2; __fence{e}; crash \"\"; }\n"
                 "P1@wg 1 { __fence{b}; x = 1; F.store(1, mo_rel); }\n"),
        &joint, "2 ");
}

static const struct mach_pipe chen = {
    .stages = {STAGE("BUF", UNIT, FIFO, .group = true)},
    .stage_count = 1,
    .entries = 8,
    .isolate = true,
    .rules = {ON("b", OP(BEGIN)), ON("e", OP(ENQUEUE), OP(RELEASE)),
              ON("w", OP(ENQUEUE), OF(DRAIN, OWN, 0), OP(AWAIT), OP(RELEASE)),
              ON("a", OP(ABORT), OP(RELEASE))},
    .rule_count = 4};

static void test_group(void)
{
    const char *one = TEST(XY, "P0 { __fence{b}; x = 1; y = 1; __fence{e}; }\n");
    pipe_expect(one, &chen, "0,0 1,1 ");
    pipe_expect_faulty(one, &chen, MACH_FAULT_PIPE_TORN, "0,0 0,1 1,0 1,1 ");
    /* One set after the other; and a store of none is a set of its own. */
    const char *two = TEST(
        XYZ,
        "P0 { __fence{b}; x = 1; y = 1; __fence{e}; z = 1; __fence{b}; x = 2; __fence{e}; }\n");
    pipe_expect(two, &chen, "0,0,0 1,1,0 1,1,1 2,1,1 ");
    /* Without the order of sets x = 2 is still behind x = 1, and z behind nothing. */
    pipe_expect_faulty(two, &chen, MACH_FAULT_PIPE_ORDER, "0,0,0 0,0,1 1,1,0 1,1,1 2,1,0 2,1,1 ");
    pipe_expect(TEST(XY, "P0 { __fence{b}; x = 1; y = 1; __fence{w}; crash \"\"; }\n"), &chen,
                "1,1 ");
    pipe_expect(TEST(XY, "P0 { __fence{b}; x = 1; __fence{a}; y = 1; }\n"), &chen, "0,0 0,1 ");
}

static void test_apart(void)
{
    /* P1's x = 2 is durable at its point. Apart, P0's x = 1 may land after it. */
    const char *late =
        TEST(XF, "P0@wg 0 { x = 1; F.store(1, mo_rel); }\n"
                 "P1@wg 1 { while (!F.load(mo_acq)); x = 2; __fence{f}; crash \"\"; }\n");
    struct mach_pipe together = {.stages = {STAGE("S", UNIT, ANY, )},
                                 .stage_count = 1,
                                 .entries = 8,
                                 .rules = {ON("f", LEAVE_AND_WAIT)},
                                 .rule_count = 1};
    pipe_expect(late, &together, "2 ");
    together.stages[0].apart = true;
    pipe_expect(late, &together, "1 2 ");
}

static void test_isolate(void)
{
    const char *both = "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                       "P0 { __fence{b}; x = 1; y = 1; __fence{e}; }\n"
                       "P1 { __fence{b}; int r = x; int s = y; __fence{e}; }\n"
                       "exists (1:r = 1 /\\ 1:s = 0)\n";
    pipe_expect_with(both, &chen, 0, NULL, "0,0 1,1 ");
    CU_ASSERT(mach_pipe_faults(&chen) >> MACH_FAULT_PIPE_ISOLATION & 1);
    pipe_expect_with(both, &chen, UINT64_C(1) << MACH_FAULT_PIPE_ISOLATION, NULL,
                     "0,0 0,1 1,0 1,1 ");
}

static void test_isolate_aborts(void)
{
    struct mach_pipe logged = chen;
    logged.aborts_alone = logged.redo = true;
    /* Nobody can abort: they meet, and what is stored is seen at once. */
    pipe_expect_with("OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                     "P0 { __fence{b}; x = 1; y = 1; __fence{e}; }\n"
                     "P1 { __fence{b}; int r = x; int s = y; __fence{e}; }\n"
                     "exists (1:r = 1 /\\ 1:s = 0)\n",
                     &logged, 0, NULL, "0,0 0,1 1,0 1,1 ");
    /* P1 can, though it never does: one after the other. */
    const char *never =
        "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
        "P0 { __fence{b}; x = 1; y = 1; __fence{e}; }\n"
        "P1 { __fence{b}; int r = x; int s = y; if (r == 2) { __fence{a}; } __fence{e}; }\n"
        "exists (1:r = 1 /\\ 1:s = 0)\n";
    pipe_expect_with(never, &logged, 0, NULL, "0,0 1,1 ");
    /* P0 does: nobody sees it. */
    pipe_expect_with("OPENCL t\n{ nvm x = 0; }\n"
                     "P0 { __fence{b}; x = 1; __fence{a}; }\nP1 { int r = x; }\n"
                     "exists (1:r = 1 /\\ x = 1)\n",
                     &logged, 0, NULL, "0,0 ");
}

/* ---- Who, where, when ---- */

static const char *const on_off[] = {"on", "off"};

static void test_window(void)
{
    static const struct mach_pipe window = {
        .stages = {STAGE("GPU", DEVICE, ANY, ),
                   {.name = "LLC", .per = MACH_PIPE_PER_SYSTEM, .variable = 0, .value = 0}},
        .stage_count = 2,
        .variables = {"ddio"},
        .values = {on_off},
        .value_counts = {2},
        .variable_count = 1,
        .entries = 8,
        .rules = {{.match = {.tag = "begin", ANY_MATCH},
                   .ops = {{.op = MACH_PIPE_SET, .value = 1}},
                   .count = 1},
                  ON("persist", OF(MOVE, OWN, 0), OP(AWAIT))},
        .rule_count = 2};
    pipe_expect(TEST(X, "P0 { x = 1; __fence{persist}; crash \"\"; }\n"), &window, "0 1 ");
    const char *inside = TEST(X, "P0 { __fence{begin}; x = 1; __fence{persist}; crash \"\"; }\n");
    pipe_expect(inside, &window, "1 ");
    pipe_expect_faulty(inside, &window, MACH_FAULT_PIPE_WINDOW, "0 1 ");
}

static void test_bypass(void)
{
    static const struct mach_pipe host = {
        ONE_STAGE(FIFO, ), .bypasses = {.items = {{.match = {.at = "host", ANY_MATCH}},
                                                  {.match = {.by = "cpu", ANY_MATCH}}},
                                        .count = 2}};
    /* x is in the host's memory. */
    pipe_expect(TEST("nvm{host} x = 0; nvm y = 0; ", "P0 { y = 1; x = 1; crash \"\"; }\n"), &host,
                "1,0 1,1 ");
    /* P1 is the host: its x = 2 waits for x = 1, which it would overtake. */
    pipe_expect(TEST(XF, "P0 { x = 1; F.store(1, mo_rel); }\n"
                         "P1{cpu} { while (!F.load(mo_acq)); x = 2; crash \"\"; }\n"),
                &host, "2 ");
    /* In no transaction, past the buffer. */
    struct mach_pipe plain = chen;
    plain.bypasses = (struct mach_pipe_ways){
        .items = {{.match = {.order = -1, .scope = -1, .inside = 0}}}, .count = 1};
    pipe_expect(TEST(XY, "P0 { __fence{b}; x = 1; __fence{e}; y = 1; }\n"), &plain,
                "0,0 0,1 1,0 1,1 ");
}

static void test_view(void)
{
    static const struct mach_pipe viewed = {
        ONE_STAGE(ANY, ),
        .views = {.items = {{.stage = 1, .match = {.by = "cpu", ANY_MATCH}}}, .count = 1}};
    const char *host = TEST(X, "P0 { x = 1; }\nP1{cpu} { while (!x); crash \"\"; }\n");
    pipe_expect(host, &viewed, "1 ");
    pipe_expect_faulty(host, &viewed, MACH_FAULT_PIPE_VIEW, "0 1 ");
    pipe_expect(TEST(X, "P0 { x = 1; }\nP1 { while (!x); crash \"\"; }\n"), &viewed, "0 1 ");
}

static void test_lines(void)
{
    /* x and y are in one line, whose stores leave in their order; z is not. */
    static const struct mach_pipe lines = {ONE_STAGE(ANY, .merge = true, .lines = true)};
    pipe_expect(TEST(XYZ "line {x, y};", "P0 { x = 1; y = 1; z = 1; }\n"), &lines,
                "0,0,0 0,0,1 1,0,0 1,0,1 1,1,0 1,1,1 ");
    /* x = 2 does not merge past y. */
    pipe_expect(TEST(XY "line {x, y};", "P0 { x = 1; y = 1; x = 2; }\n"), &lines,
                "0,0 1,0 1,1 2,1 ");
}

/* ---- Traces ---- */

/* What the parts of a state are and hold, "name: cell cell; ". */
static const char *parts_of(struct mach_bench *b)
{
    struct mach_view view;
    uint32_t count;
    const char *text = "";
    mach_view_init(&view, &b->arena, &b->test);
    const struct trace_part *parts = mach_view_state(&view, b->state, &count);
    for (uint32_t i = 0; i < count; i++) {
        text = arena_printf(&b->arena, "%s%s:", text, parts[i].name);
        for (uint32_t k = 0; k < parts[i].count; k++)
            text = arena_printf(&b->arena, "%s %s", text, parts[i].cells[k].name);
        text = arena_printf(&b->arena, "%s; ", text);
    }
    mach_view_fini(&view);
    return text;
}

/* The first step of a kind is told, and performed. */
static const char *tell_first(struct mach_bench *b, enum pipe_step kind)
{
    struct mach_step steps[MACH_MAX_STEPS];
    struct mach_view view;
    uint32_t count = pipeline.enabled(&b->test, b->state, steps), i = 0;
    while (i < count && steps[i].kind != kind)
        i++;
    CU_ASSERT_FATAL(i < count);
    mach_view_init(&view, &b->arena, &b->test);
    pipeline.tell(&b->test, b->state, steps[i], &view);
    const char *text =
        arena_printf(&b->arena, "%s %s: %s", view.told.actor, view.told.kind, view.told.text);
    mach_view_fini(&view);
    CU_ASSERT(pipeline.perform(&b->test, b->state, steps[i]));
    return text;
}

static void test_trace(void)
{
    struct mach_bench b;
    mach_bench_pipe(&b, TEST(XY, "P0 { __fence{b}; x = 1; y = 1; __fence{w}; }\n"), &chen);
    for (int i = 0; i < 3; i++)
        tell_first(&b, PIPE_RUN);
    CU_ASSERT_STRING_EQUAL(
        parts_of(&b), "memory: x y; open BUF: x=1 of P0 y=1 of P0; BUF:; awaited:; NVRAM: x y; ");
    tell_first(&b, PIPE_RUN);
    CU_ASSERT_STRING_EQUAL(parts_of(&b),
                           "memory: x y; open BUF:; BUF: {x=1,y=1}; awaited: P0:x,y; NVRAM: x y; ");
    CU_ASSERT_STRING_EQUAL(tell_first(&b, PIPE_MOVE), "BUF persists: writes {x=1,y=1} on to NVRAM");
    CU_ASSERT_STRING_EQUAL(tell_first(&b, PIPE_GO_ON), "P0 goes-on: what it awaits has left");
    CU_ASSERT_STRING_EQUAL(parts_of(&b), "memory: x y; open BUF:; BUF:; awaited:; NVRAM: x y; ");
    CU_ASSERT_EQUAL(mach_bench_memory(&b, 1), 1);
    mach_bench_fini(&b);
    mach_bench_pipe(&b, TEST(XY, "P0 { x = 1; __fence{m}; y = 1; }\n"), &marks);
    for (int i = 0; i < 2; i++)
        tell_first(&b, PIPE_RUN);
    CU_ASSERT_STRING_EQUAL(parts_of(&b), "memory: x y; S: x=1; marks: P0 after x; NVRAM: x y; ");
    tell_first(&b, PIPE_RUN);
    CU_ASSERT_STRING_EQUAL(parts_of(&b),
                           "memory: x y; S: x=1 y=1 after x; marks: P0 after x; NVRAM: x y; ");
    mach_bench_fini(&b);
}

void suite_mach_pipe(void)
{
    CU_pSuite suite = CU_add_suite("mach_pipe", NULL, NULL);
    UNIT_TEST(suite, test_any);
    UNIT_TEST(suite, test_fifo);
    UNIT_TEST(suite, test_marks);
    UNIT_TEST(suite, test_marks_of_lines);
    UNIT_TEST(suite, test_merge);
    UNIT_TEST(suite, test_move);
    UNIT_TEST(suite, test_drain);
    UNIT_TEST(suite, test_here);
    UNIT_TEST(suite, test_past);
    UNIT_TEST(suite, test_await_scope);
    UNIT_TEST(suite, test_through);
    UNIT_TEST(suite, test_access);
    UNIT_TEST(suite, test_meet);
    UNIT_TEST(suite, test_strand);
    UNIT_TEST(suite, test_hold);
    UNIT_TEST(suite, test_rule_kept);
    UNIT_TEST(suite, test_abort);
    UNIT_TEST(suite, test_versions);
    UNIT_TEST(suite, test_joint);
    UNIT_TEST(suite, test_group);
    UNIT_TEST(suite, test_apart);
    UNIT_TEST(suite, test_isolate);
    UNIT_TEST(suite, test_isolate_aborts);
    UNIT_TEST(suite, test_window);
    UNIT_TEST(suite, test_bypass);
    UNIT_TEST(suite, test_view);
    UNIT_TEST(suite, test_lines);
    UNIT_TEST(suite, test_trace);
}
