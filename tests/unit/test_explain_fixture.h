/* What the suites about explanations share: tests, models as texts, and looking at an
 * explanation. */
#ifndef CRASHLIT_TEST_EXPLAIN_FIXTURE_H
#define CRASHLIT_TEST_EXPLAIN_FIXTURE_H

#include "fixture.h"

#include "engine/recheck.h"
#include "exec/exec_basis.h"
#include "smt/smt_explain.h"

#include <string.h>

static inline void on_witness(void *context, const struct engine_witness *witness)
{
    const char *fault = recheck_witness(context, witness);
    CU_ASSERT_PTR_NULL(fault);
}

static inline void explain_within(struct fixture *fixture, enum exec_crash_mode mode,
                                  struct clock_limit clock, struct explanation *explanation)
{
    struct engine_request request = {.program = fixture->program,
                                     .model = fixture->model,
                                     .plan = fixture->plan,
                                     .crash_mode = mode,
                                     .limits = {.unroll = 2, .clock = clock},
                                     .on_witness = on_witness};
    request.context = recheck_new(&request);
    explanation_init(explanation);
    smt_explain(&request, &fixture->program->conditions[0], explanation);
    recheck_free(request.context);
}

static inline void explain(struct fixture *fixture, enum exec_crash_mode mode, double seconds,
                           struct explanation *explanation)
{
    explain_within(fixture, mode, clock_limit_in(seconds), explanation);
}

struct shown {
    struct fixture fixture;
    struct explanation explanation;
};

static inline void shown_init(struct shown *shown, const char *text, const char *visibility,
                              const char *persistency)
{
    fixture_init(&shown->fixture, text, visibility, persistency);
    explain(&shown->fixture, engine_default_crash_mode(shown->fixture.program), 0,
            &shown->explanation);
}

/* A fixture whose models are texts. */
static inline void fixture_init_under(struct fixture *fixture, const char *text,
                                      const char *visibility, const char *persistency)
{
    fixture_init(fixture, text, "sc", "none");
    fixture->model = cat_model_load_sources(
        &fixture->arena, exec_basis(), NULL,
        source_from_text(&fixture->arena, "v.cat", visibility, strlen(visibility)),
        source_from_text(&fixture->arena, "p.cat", persistency, strlen(persistency)),
        &fixture->diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture->model);
    fixture->plan = cat_plan_new(&fixture->arena, fixture->model);
}

static inline void shown_init_under(struct shown *shown, const char *text, const char *visibility,
                                    const char *persistency)
{
    fixture_init_under(&shown->fixture, text, visibility, persistency);
    explain(&shown->fixture, EXEC_CRASH_ANYWHERE, 0, &shown->explanation);
}

static inline void shown_fini(struct shown *shown)
{
    explanation_fini(&shown->explanation);
    fixture_fini(&shown->fixture);
}

/* Is step `index` of this kind, about this line and access? */
static inline bool step_is(const struct shown *shown, size_t index, enum explanation_step_kind kind,
                           uint32_t line, const char *access)
{
    if (index >= shown->explanation.steps.count)
        return false;
    const struct explanation_step *step = &shown->explanation.steps.items[index];
    return step->kind == kind && step->event.line == line &&
           strcmp(step->event.access, access) == 0;
}

/* How many reasons of a kind are about these lines (`to` 0: about one line)? */
static inline uint32_t reasons_for(const struct shown *shown, enum explanation_reason_kind kind,
                                   uint32_t from, uint32_t to)
{
    uint32_t found = 0;
    for (size_t i = 0; i < shown->explanation.reasons.count; i++) {
        const struct explanation_reason *reason = &shown->explanation.reasons.items[i];
        for (uint32_t k = 0; reason->kind == kind && k < reason->pair_count; k++)
            found +=
                reason->pairs[k].from.line == from && reason->pairs[k].to.line == (to ? to : from);
    }
    return found;
}

static inline bool is_forbidden_by(const struct shown *shown, size_t count)
{
    return shown->explanation.answer == EXPLANATION_UNREACHABLE && shown->explanation.minimal &&
           shown->explanation.reasons.count == count;
}

/* Does the enumerator find a state that satisfies the first condition's proposition, with
 * this model in place of the fixture's? */
static inline bool enumerates(struct fixture *fixture, enum exec_crash_mode mode)
{
    struct outcome outcome;
    fixture_run_mode(fixture, mode, &outcome);
    struct outcome_judgement judgement =
        outcome_judge(&outcome, fixture->program, &fixture->program->conditions[0]);
    outcome_fini(&outcome);
    return judgement.positive > 0;
}

static inline bool reaches(const char *text, const char *visibility, const char *persistency)
{
    struct fixture fixture;
    fixture_init(&fixture, text, visibility, persistency);
    bool found = enumerates(&fixture, engine_default_crash_mode(fixture.program));
    fixture_fini(&fixture);
    return found;
}

/* The same under models given as texts. */
static inline bool reaches_under(const char *text, const char *visibility, const char *persistency)
{
    struct fixture fixture;
    fixture_init_under(&fixture, text, visibility, persistency);
    bool found = enumerates(&fixture, engine_default_crash_mode(fixture.program));
    fixture_fini(&fixture);
    return found;
}

/* ---- Tests and models ---- */

#define SC_TEXT "\"v\"\ninclude \"sc.cat\"\n"

#define INSERT(between, condition)                                                        \
    "OPENCL kv\n{ nvm key = 0; nvm val = 0; }\nP0 (global int* key, global int* val) {\n" \
    "*val = 42;\n" between "\n*key = 1;\n}\n" condition "\n" /* val line 4, key line 6 */

#define KEY_ALONE "crash ~exists (key = 1 /\\ val = 0)"

#define MESSAGE(stored, loaded, condition)                                               \
    "C mp\n{ x = 0; f = 0; }\nP0 (int* x, atomic_int* f) {\n*x = 1;\n"                   \
    "atomic_store_explicit(f, 1, memory_order_" stored ");\n}\n"                         \
    "P1 (int* x, atomic_int* f) {\nint r = atomic_load_explicit(f, memory_order_" loaded \
    ");\nint s = *x;\n}\n" condition "\n" /* lines 4, 5; 8, 9 */

#define STALE "exists (1:r = 1 /\\ 1:s = 0)"

#define GROUP(first, second, condition)                                                   \
    "OPENCL group\n{ nvm x = 0; nvm y = 0; }\nP0@wg 0 (global int* x) {\n*x = 1;\n" first \
    "\n}\nP1@wg 0 (global int* y) {\n" second "\n*y = 1;\n}\n" condition /* 4, 5; 8, 9 */

#endif
