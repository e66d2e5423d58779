#include "fixture.h"

#include "enumerate/enumerate.h"
#include "exec/exec_basis.h"

#include <stdio.h>
#include <string.h>

/* Warnings alone are a matter of tests about them. */
static void show(const struct diag *diag)
{
    struct strbuf text = {0};
    if (!diag->errors)
        return;
    diag_render(diag, &text);
    fputs(strbuf_text(&text), stderr);
    strbuf_fini(&text);
}

static void read_test(struct fixture *fixture, const char *text)
{
    *fixture = (struct fixture){.names = intern_new()};
    arena_init(&fixture->arena);
    diag_init(&fixture->diag);
    const struct source *source =
        source_from_text(&fixture->arena, "test.litmus", text, strlen(text));
    fixture->program = lit_parse(&fixture->arena, fixture->names, source, &fixture->diag);
}

static void take_model(struct fixture *fixture, const struct cat_model *model)
{
    fixture->model = model;
    show(&fixture->diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture->program);
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture->model);
    fixture->plan = cat_plan_new(&fixture->arena, fixture->model);
}

void fixture_use_model(struct fixture *fixture, const char *visibility, const char *persistency)
{
    struct arena *arena = &fixture->arena;
    take_model(fixture, cat_model_load_sources(
                            arena, exec_basis(), NULL,
                            source_from_text(arena, "v.cat", visibility, strlen(visibility)),
                            source_from_text(arena, "p.cat", persistency, strlen(persistency)),
                            &fixture->diag));
}

void fixture_init(struct fixture *fixture, const char *text, const char *visibility,
                  const char *persistency)
{
    read_test(fixture, text);
    take_model(fixture, cat_model_load(&fixture->arena, exec_basis(), NULL, visibility, persistency,
                                       &fixture->diag));
}

void fixture_init_texts(struct fixture *fixture, const char *text, const char *visibility,
                        const char *persistency)
{
    read_test(fixture, text);
    fixture_use_model(fixture, visibility, persistency);
}

void fixture_fini(struct fixture *fixture)
{
    intern_free(fixture->names);
    diag_fini(&fixture->diag);
    arena_fini(&fixture->arena);
}

void fixture_run_mode(struct fixture *fixture, enum exec_crash_mode mode, struct outcome *outcome)
{
    struct engine_request request = {.program = fixture->program,
                                     .model = fixture->model,
                                     .plan = fixture->plan,
                                     .crash_mode = mode,
                                     .limits = {.unroll = 2}};
    outcome_init(outcome, fixture->program);
    enum_run(&request, outcome);
}

void fixture_run(struct fixture *fixture, struct outcome *outcome)
{
    fixture_run_mode(fixture, engine_default_crash_mode(fixture->program), outcome);
}

bool fixture_has(const struct outcome_states *states, const int64_t *row)
{
    for (size_t i = 0; i < states->count; i++)
        if (memcmp(outcome_row(states, i), row, states->width * sizeof *row) == 0)
            return true;
    return false;
}
