/* What the suites of machines share: a test on a machine, run, stepped through or held against
 * the model pair that the machine promises. */
#ifndef CRASHLIT_TEST_MACH_FIXTURE_H
#define CRASHLIT_TEST_MACH_FIXTURE_H

#include "test_mach_step.h"
#include "unit.h"

#include "cat/cat_model.h"
#include "enumerate/enumerate.h"
#include "exec/exec_basis.h"
#include "litmus/lit_parse.h"
#include "explore/mach_engine.h"

#include <stdio.h>
#include <string.h>

struct mach_bench {
    struct arena arena;
    struct diag diag;
    struct intern *names;
    struct engine_request request;
    bool no_reduction;
    struct mach_file file;
    struct mach_test test;
    uint8_t state[MACH_MAX_STATE]; /* of the one who steps */
};

/* A test's text, or the name of one of litmus/spb. */
static inline const struct source *mach_bench_source(struct mach_bench *b, const char *test)
{
    const char *why = NULL;
    return strchr(test, '\n')
               ? source_from_text(&b->arena, "test.litmus", test, strlen(test))
               : source_load(&b->arena, arena_printf(&b->arena, "litmus/spb/%s.litmus", test),
                             &why);
}

/* Puts the test on another machine: a built-in, or the text of a file, which has a '='. */
static inline void mach_bench_on(struct mach_bench *b, const char *machine)
{
    const struct mach_file *file =
        strchr(machine, '=')
            ? mach_config_parse(&b->arena,
                                source_from_text(&b->arena, "m.machine", machine, strlen(machine)),
                                &b->diag)
            : mach_config_load(&b->arena, machine, &b->diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    b->file = *file;
    memset(b->state, 0, sizeof b->state);
    mach_test_init(&b->test, &b->arena, file->machine, b->request.program, &file->config);
    file->machine->start(&b->test, b->state);
}

static inline void mach_bench_init(struct mach_bench *b, const char *test, const char *machine)
{
    *b = (struct mach_bench){.names = intern_new()};
    arena_init(&b->arena);
    diag_init(&b->diag);
    const struct source *source = mach_bench_source(b, test);
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    b->request.program = lit_parse(&b->arena, b->names, source, &b->diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b->request.program);
    b->request.crash_mode = engine_default_crash_mode(b->request.program);
    b->request.limits.unroll = 2;
    mach_bench_on(b, machine);
}

static inline void mach_bench_fini(struct mach_bench *b)
{
    intern_free(b->names);
    diag_fini(&b->diag);
    arena_fini(&b->arena);
}

/* What the machine's visibility model and this persistency model allow. */
static inline void mach_bench_persistency(struct mach_bench *b, const char *persistency,
                                          struct outcome *o)
{
    b->request.model = cat_model_load(&b->arena, exec_basis(), NULL, b->file.promises[0].visibility,
                                      persistency, &b->diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b->request.model);
    b->request.plan = cat_plan_new(&b->arena, b->request.model);
    outcome_init(o, b->request.program);
    enum_run(&b->request, o);
}

/* What the machine promises. */
static inline void mach_bench_model(struct mach_bench *b, struct outcome *o)
{
    mach_bench_persistency(b, b->file.promises[0].persistency, o);
}

/* What the machine shows, with these faults. */
static inline void mach_bench_run(struct mach_bench *b, uint64_t faults, struct outcome *o)
{
    struct mach_file file = b->file;
    file.config.faults = faults;
    outcome_init(o, b->request.program);
    const struct mach_choice choice = {.file = &file, .no_reduction = b->no_reduction};
    b->request.own = &choice;
    mach_run(&b->request, o);
    b->request.own = NULL;
    CU_ASSERT_PTR_NULL(outcome_doubt(o));
}

/* States of `some` that are not in `all`. */
static inline size_t mach_outside(const struct outcome_states *all,
                                  const struct outcome_states *some)
{
    size_t count = 0;
    for (size_t i = 0; i < some->count; i++)
        count += !outcome_has_state(all, outcome_row(some, i));
    return count;
}

/* "1,0 0,1 ": the rows as they are sorted. */
static inline const char *mach_rows(struct arena *arena, const struct outcome_states *states)
{
    const char *text = "";
    for (size_t i = 0; i < states->count; i++)
        for (uint32_t c = 0; c < states->width; c++)
            text = arena_printf(arena, "%s%s%lld%s", text, c ? "," : "",
                                (long long)outcome_row(states, i)[c],
                                c + 1 == states->width ? " " : "");
    return text;
}

static inline void mach_expect_text(const char *found, const char *expected)
{
    CU_ASSERT_STRING_EQUAL(found, expected);
    if (strcmp(found, expected) != 0)
        fprintf(stderr, "found    %s\nexpected %s\n", found, expected);
}

/* Exactly these crash states and final states, as mach_rows writes them; NULL: not compared. */
static inline void mach_expect(const char *test, const char *machine, const char *crash,
                               const char *final)
{
    struct mach_bench b;
    struct outcome o;
    mach_bench_init(&b, test, machine);
    mach_bench_run(&b, 0, &o);
    if (crash)
        mach_expect_text(mach_rows(&b.arena, &o.crash), crash);
    if (final)
        mach_expect_text(mach_rows(&b.arena, &o.final), final);
    outcome_fini(&o);
    mach_bench_fini(&b);
}

/* ---- Steps ---- */

/* The steps that can be performed, each with "; " after it. */
static inline const char *mach_bench_enabled(struct mach_bench *b)
{
    struct mach_step steps[MACH_MAX_STEPS];
    uint8_t next[MACH_MAX_STATE];
    const char *text = "";
    uint32_t count = b->file.machine->enabled(&b->test, b->state, steps);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(next, b->state, sizeof next);
        if (b->file.machine->perform(&b->test, next, steps[i]))
            text = arena_printf(&b->arena, "%s%s; ", text,
                                mach_step_text(&b->arena, &b->test, steps[i]));
    }
    return text;
}

/* Performs the step of this text. */
static inline bool mach_bench_step(struct mach_bench *b, const char *text)
{
    struct mach_step steps[MACH_MAX_STEPS];
    uint32_t count = b->file.machine->enabled(&b->test, b->state, steps);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(mach_step_text(&b->arena, &b->test, steps[i]), text) == 0)
            return b->file.machine->perform(&b->test, b->state, steps[i]);
    return false;
}

/* A step, and the steps that can be performed after it. */
struct mach_move {
    const char *step, *then;
};

static inline void mach_expect_moves(struct mach_bench *b, const struct mach_move *moves,
                                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool done = mach_bench_step(b, moves[i].step);
        CU_ASSERT(done);
        if (!done)
            fprintf(stderr, "not enabled: %s\n", moves[i].step);
        mach_expect_text(mach_bench_enabled(b), moves[i].then);
    }
}

/* The value a location has in memory. */
static inline int64_t mach_bench_memory(const struct mach_bench *b, uint32_t location)
{
    return mach_value(&b->test, b->file.machine->memory(&b->test, b->state, location));
}

#endif
