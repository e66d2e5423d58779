/* Transactions of pipelines where several come to one point: write sets that go on to another
 * stage, and ends of transactions in one step or in stages that are apart. Every state by hand;
 * crash states are the values of x, y, z in this order. */
#include "test_mach_pipe_fixture.h"

#define TWO_STAGES(...) .stages = {__VA_ARGS__}, .stage_count = 2, .entries = 8
#define BEGIN_AND_ENQUEUE ON("b", OP(BEGIN)), ON("e", OP(ENQUEUE))
#define MEETING(...)                                                                           \
    {                                                                                          \
        .match = {.kind = MACH_PIPE_KIND_PBARRIER, ANY_MATCH}, .ops = {OP(MEET), __VA_ARGS__}, \
        .count = 1 + COUNT_OPS(__VA_ARGS__)                                                    \
    }

/* The two come in one step: neither came before the other, whatever their numbers are. What comes
 * later is behind both. */
static void test_set_goes_on(void)
{
    static const struct mach_pipe pipe = {
        TWO_STAGES(STAGE("A", DEVICE, FIFO, .group = true), STAGE("B", DEVICE, FIFO, )),
        .rules = {BEGIN_AND_ENQUEUE}, .rule_count = 2};
    pipe_expect(TEST(XY, "P0 { __fence{b}; x = 1; y = 1; __fence{e}; }\n"), &pipe,
                "0,0 0,1 1,0 1,1 ");
    pipe_expect(TEST(XYZ, "P0 { __fence{b}; x = 1; y = 1; __fence{e}; z = 1; }\n"), &pipe,
                "0,0,0 0,1,0 1,0,0 1,1,0 1,1,1 ");
}

/* x = 2 has to be behind y = 1, which x = 1 is not behind: they stay two. Of two stores without a
 * transaction the later one is behind nothing else. */
static void test_set_merges(void)
{
    static const struct mach_pipe pipe = {
        TWO_STAGES(STAGE("A", DEVICE, FIFO, .group = true),
                   STAGE("B", DEVICE, FIFO, .merge = true)),
        .rules = {BEGIN_AND_ENQUEUE, ON("w", OF(DRAIN, OWN, 0), OP(AWAIT))}, .rule_count = 3};
    pipe_expect(TEST(XY, "P0 { __fence{b}; x = 1; y = 1; __fence{e}; x = 2; }\n"), &pipe,
                "0,0 0,1 1,0 1,1 2,1 ");
    /* Both are in B, and one. */
    pipe_expect(TEST(XY, "P0 { x = 1; x = 2; __fence{w}; y = 1; crash \"\"; }\n"), &pipe,
                "0,0 1,0 2,0 2,1 ");
    /* The set's x merges with x = 1, and y is behind that all the same. */
    pipe_expect(TEST(XY, "P0 { x = 1; __fence{b}; x = 2; y = 2; __fence{e}; }\n"), &pipe,
                "0,0 1,0 1,2 2,0 2,2 ");
}

/* x passes the second stage by: y comes there first of its set, as a set of its own. */
static void test_part_of_set(void)
{
    static const struct mach_pipe pipe = {
        TWO_STAGES(STAGE("A", DEVICE, FIFO, .group = true),
                   STAGE("B", DEVICE, FIFO, .group = true)),
        .rules = {BEGIN_AND_ENQUEUE, ON("w", OP(ENQUEUE), OF(DRAIN, OWN, 1), OP(AWAIT))},
        .rule_count = 3,
        .bypasses = {.items = {{.stage = 1, .match = {.at = "h", ANY_MATCH}}}, .count = 1}};
#define PLACES "nvm{h} x = 0; nvm y = 0; nvm z = 0; "
    pipe_expect(TEST(PLACES, "P0 { __fence{b}; x = 1; y = 1; __fence{w}; crash \"\"; }\n"), &pipe,
                "1,1,0 ");
    /* z is in B already: x may be durable before it, and y is not before it, nor with it. */
    pipe_expect(TEST(PLACES, "P0 { z = 1; __fence{b}; x = 1; y = 1; __fence{e}; }\n"), &pipe,
                "0,0,0 0,0,1 1,0,0 1,0,1 1,1,1 ");
#undef PLACES
}

/* P1's x = 1 is older than P0's x = 2, and committed in the same step. */
static void test_commit_together(void)
{
    static const struct mach_pipe pipe = {
        .stages = {STAGE("S", SYSTEM, ANY, .hold = true, .durable = true)},
        .stage_count = 1,
        .entries = 8,
        .rules = {ON("b", OP(BEGIN)), MEETING(OP(COMMIT))},
        .rule_count = 2};
    pipe_expect(TEST(XF, "P0@wg 0 { while (!F.load(mo_acq)); __fence{b}; x = 2; p_barrier_wg; "
                         "crash \"\"; }\n"
                         "P1@wg 0 { __fence{b}; x = 1; F.store(1, mo_rel); p_barrier_wg; }\n"),
                &pipe, "2 ");
}

/* P1's transaction is over while P0's goes on, which has an older version in another instance, and
 * waits for P1; so it is with their numbers the other way round. In one instance both wait for
 * ever. */
static void test_commit_apart(void)
{
    struct mach_pipe pipe = {.stages = {STAGE("S", UNIT, ANY, .hold = true, .apart = true)},
                             .stage_count = 1,
                             .entries = 8,
                             .rules = {ON("b", OP(BEGIN)), ON("e", OP(COMMIT))},
                             .rule_count = 2};
#define OLDER "__fence{b}; x = 1; F.store(1, mo_rel); while (!G.load(mo_acq)); __fence{e}; }\n"
#define NEWER "while (!F.load(mo_acq)); __fence{b}; x = 2; __fence{e}; G.store(1, mo_rel); }\n"
#define PLACES XF "atomic_int G = 0; "
    const char *older_first = TEST(PLACES, "P0@wg 0 { " OLDER "P1@wg 1 { " NEWER);
    const char *newer_first = TEST(PLACES, "P0@wg 0 { " NEWER "P1@wg 1 { " OLDER);
    const char *shared = TEST(PLACES, "P0@wg 0 { " OLDER "P1@wg 0 { " NEWER);
    pipe_expect(older_first, &pipe, "0 1 2 ");
    pipe_expect(newer_first, &pipe, "0 1 2 ");
    pipe_expect(shared, &pipe, "0 ");
    pipe.stages[0].apart = false;
    pipe_expect(newer_first, &pipe, "0 ");
#undef PLACES
#undef NEWER
#undef OLDER
}

void suite_mach_pipe_groups(void)
{
    CU_pSuite suite = CU_add_suite("mach_pipe_groups", NULL, NULL);
    UNIT_TEST(suite, test_set_goes_on);
    UNIT_TEST(suite, test_set_merges);
    UNIT_TEST(suite, test_part_of_set);
    UNIT_TEST(suite, test_commit_together);
    UNIT_TEST(suite, test_commit_apart);
}
