/* What the suites of pipelines share: descriptions as structures, in few words. */
#ifndef CRASHLIT_TEST_MACH_PIPE_FIXTURE_H
#define CRASHLIT_TEST_MACH_PIPE_FIXTURE_H

#include "test_mach_fixture.h"

#include "pipeline/pipeline.h"
#include "machine/mach_view.h"

/* A stage of one of MACH_PIPE_PERS and MACH_PIPE_ORDERS, and what else it is. */
#define STAGE(word, PER, ORDER, ...)                                                \
    {                                                                               \
        .name = word, .per = MACH_PIPE_PER_##PER, .order = MACH_PIPE_ORDER_##ORDER, \
        .variable = MACH_PIPE_VARIABLES, __VA_ARGS__                                \
    }
#define ANY_MATCH .order = -1, .scope = -1, .inside = -1
#define OP(NAME)               \
    {                          \
        .op = MACH_PIPE_##NAME \
    }
#define OF(NAME, WHICH, number)                                                     \
    {                                                                               \
        .op = MACH_PIPE_##NAME, .which = MACH_PIPE_WHICH_##WHICH, .stage = (number) \
    }
#define COUNT_OPS(...) (sizeof((struct mach_pipe_op[]){__VA_ARGS__}) / sizeof(struct mach_pipe_op))
/* `on TAG : operations`. */
#define ON(word, ...)                                                                            \
    {                                                                                            \
        .match = {.tag = word, ANY_MATCH}, .ops = {__VA_ARGS__}, .count = COUNT_OPS(__VA_ARGS__) \
    }

#define TEST(places, code) "OPENCL t\n{ " places " }\n" code "crash exists (true)\n"
#define X "nvm x = 0; "
#define XY X "nvm y = 0; "
#define XYZ XY "nvm z = 0; "
#define XF X "atomic_int F = 0; "
#define XYF XY "atomic_int F = 0; "

static inline void mach_bench_pipe(struct mach_bench *b, const char *test,
                                   const struct mach_pipe *pipe)
{
    mach_bench_init(b, test, "ideal-sc");
    b->file.name = "pipe";
    b->file.machine = &pipeline;
    b->file.config.pipe = pipe;
    memset(b->state, 0, sizeof b->state);
    mach_test_init(&b->test, &b->arena, &pipeline, b->request.program, &b->file.config);
    pipeline.start(&b->test, b->state);
}

/* Exactly these crash and final states with a set of faults, explored in full and with reduction;
 * NULL: not compared. */
static inline void pipe_expect_with(const char *test, const struct mach_pipe *pipe, uint64_t faults,
                                    const char *crash, const char *final)
{
    for (int full = 0; full <= 1; full++) {
        struct mach_bench b;
        struct outcome o;
        mach_bench_pipe(&b, test, pipe);
        b.no_reduction = full;
        mach_bench_run(&b, faults, &o);
        if (crash)
            mach_expect_text(mach_rows(&b.arena, &o.crash), crash);
        if (final)
            mach_expect_text(mach_rows(&b.arena, &o.final), final);
        outcome_fini(&o);
        mach_bench_fini(&b);
    }
}

static inline void pipe_expect(const char *test, const struct mach_pipe *pipe, const char *crash)
{
    pipe_expect_with(test, pipe, 0, crash, NULL);
}

/* With the fault exactly these crash states. That it can be given such a fault is the
 * description's. */
static inline void pipe_expect_faulty(const char *test, const struct mach_pipe *pipe,
                                      enum mach_fault fault, const char *crash)
{
    CU_ASSERT(mach_pipe_faults(pipe) >> fault & 1);
    pipe_expect_with(test, pipe, UINT64_C(1) << fault, crash, NULL);
}

#endif
