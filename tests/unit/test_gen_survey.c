/* Programs under several models: a state told by few atoms, searches whose answer is derived by
 * hand, and the order of models made of a survey filled by hand. */
#include "fixture.h"
#include "test_gen_fixture.h"

#include "generate/gen_lattice.h"

#include <string.h>

/* ---- Telling states apart ---- */

static const char text[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                           "P0 (global int* x, global int* y) { *x = 1; *y = 1; }\n"
                           "crash exists (x = 0 /\\ y = 0)\n";

static void put(struct outcome_states *states, int64_t x, int64_t y)
{
    const int64_t row[] = {x, y};
    CU_ASSERT_TRUE(outcome_add_state(states, row));
}

static void test_tell_apart(void)
{
    struct fixture f;
    struct outcome a, b;
    struct arena arena;
    const int64_t *row = NULL;
    arena_init(&arena);
    fixture_init(&f, text, "sc", "epoch");
    outcome_init(&a, f.program);
    outcome_init(&b, f.program);
    /* b has 00, 10, 11; a has 01 as well. One atom does not do: x is 0 in 00, y is 1 in 11. */
    for (int i = 0; i < 4; i++)
        put(&a.crash, i & 1, i >> 1);
    put(&b.crash, 0, 0);
    put(&b.crash, 1, 0);
    put(&b.crash, 1, 1);
    const char *state = gen_observe_tell_apart(&arena, f.program, &a.crash, &b.crash, &row);
    CU_ASSERT_PTR_NOT_NULL_FATAL(state);
    CU_ASSERT_STRING_EQUAL(state, "x = 0 /\\ y = 1");
    CU_ASSERT_STRING_EQUAL(gen_observe_row(&arena, f.program, &a.crash, row), "x=0; y=1");
    /* Of 21 and 01 the former takes one atom: nobody else has x = 2. */
    put(&a.crash, 2, 1);
    state = gen_observe_tell_apart(&arena, f.program, &a.crash, &b.crash, &row);
    CU_ASSERT_STRING_EQUAL(state, "x = 2");
    CU_ASSERT_PTR_NULL(gen_observe_tell_apart(&arena, f.program, &b.crash, &a.crash, &row));
    outcome_fini(&a);
    outcome_fini(&b);
    fixture_fini(&f);
    arena_fini(&arena);
}

/* ---- A survey ---- */

enum { MODELS = 3 };

struct searching {
    struct arena arena;
    struct session_models *models;
    struct session_settings settings;
    const struct session_model *items[MODELS];
    struct gen_bound bound;
    struct gen_survey survey;
};

static void begin(struct searching *s, const char *const names[MODELS])
{
    memset(s, 0, sizeof *s);
    arena_init(&s->arena);
    s->models = session_models_new();
    s->settings = (struct session_settings){.engine = "enum", .unroll = 2, .states = true};
    const struct cat_asker user = session_models_user(&s->settings);
    for (int i = 0; i < MODELS; i++)
        s->items[i] = session_models_get(s->models, &user, "sc", names[i]);
    gen_bound_init(&s->bound, gen_vocabulary_named("spb"), GEN_OPENCL);
    s->bound.events = 2;
    s->bound.barriers = 1;
    s->bound.families = (1u << gen_family_find(s->bound.vocabulary, "st")) |
                        (1u << gen_family_find(s->bound.vocabulary, "p_barrier"));
    s->survey = (struct gen_survey){.settings = &s->settings,
                                    .models = s->items,
                                    .model_count = MODELS,
                                    .bounds = &s->bound,
                                    .bound_count = 1,
                                    .arena = &s->arena};
}

static void end(struct searching *s)
{
    session_models_free(s->models);
    arena_fini(&s->arena);
}

static uint32_t size_of(const struct searching *s, uint32_t a, uint32_t b)
{
    return s->survey.pairs[a * MODELS + b].size;
}

/* Unit by unit, in this process. */
static void search_all(struct gen_survey *survey)
{
    const struct gen_look look = {.sizes = NULL};
    uint64_t units = gen_survey_units(survey);
    gen_survey_begin(survey);
    for (uint64_t unit = 0; unit < units; unit++) {
        struct arena scratch;
        struct gen_part part;
        arena_init(&scratch);
        if (gen_survey_look(survey, unit, &look, &scratch, &part))
            gen_survey_take(survey, &part);
        arena_fini(&scratch);
    }
    survey->ended = true;
}

/* Of writes and barriers alone: strict orders two writes, which epoch does not; a barrier between
 * them is needed for epoch against none, or one behind a write, as epoch waits there. */
static void test_survey(void)
{
    static const char *const names[] = {"strict", "epoch", "none"};
    struct searching s;
    begin(&s, names);
    search_all(&s.survey);
    CU_ASSERT_TRUE(s.survey.ended);
    CU_ASSERT_EQUAL(size_of(&s, 0, 1), UINT32_MAX);
    CU_ASSERT_EQUAL(size_of(&s, 0, 2), UINT32_MAX);
    CU_ASSERT_EQUAL(size_of(&s, 1, 2), UINT32_MAX);
    CU_ASSERT_EQUAL(size_of(&s, 1, 0), 2);
    CU_ASSERT_EQUAL(size_of(&s, 2, 1), 2);
    CU_ASSERT_STRING_EQUAL(s.survey.pairs[2 * MODELS + 1].finds[0].state, "x = 0 /\\ 0:ended = 1");
    /* none contains epoch contains strict, and the third edge follows. */
    const struct contrast_order lattice = gen_lattice_of(&s.arena, &s.survey);
    CU_ASSERT_EQUAL(lattice.class_count, 3);
    CU_ASSERT_EQUAL(lattice.edge_count, 2);
    CU_ASSERT_EQUAL(lattice.rank[0], 0);
    CU_ASSERT_EQUAL(lattice.rank[2], 2);
    CU_ASSERT_EQUAL(lattice.open, 0);
    end(&s);
}

/* Units that are looked at on their own, the last first, and taken in their order come to the same;
 * and so do those of programs that a search of the whole does not look at any more. */
static void test_units(void)
{
    static const char *const names[] = {"strict", "epoch", "none"};
    const struct gen_look look = {.sizes = NULL};
    struct searching whole, parts;
    begin(&whole, names);
    search_all(&whole.survey);
    begin(&parts, names);
    uint64_t units = gen_survey_units(&parts.survey);
    struct gen_part *all = ARENA_ARRAY(&parts.arena, struct gen_part, units);
    gen_survey_begin(&parts.survey);
    for (uint64_t u = units; u-- > 0;)
        CU_ASSERT_TRUE(gen_survey_look(&parts.survey, u, &look, &parts.arena, &all[u]));
    uint64_t looked = 0;
    for (uint64_t u = 0; u < units; u++) {
        looked += all[u].counts.programs;
        gen_survey_take(&parts.survey, &all[u]);
    }
    CU_ASSERT_TRUE(looked >= whole.survey.counts.programs);
    CU_ASSERT_EQUAL(parts.survey.counts.programs, whole.survey.counts.programs);
    CU_ASSERT_EQUAL(parts.survey.counts.states, whole.survey.counts.states);
    for (uint32_t i = 0; i < MODELS * MODELS; i++) {
        const struct gen_pair *mine = &parts.survey.pairs[i], *other = &whole.survey.pairs[i];
        CU_ASSERT_EQUAL(mine->smallest, other->smallest);
        CU_ASSERT_EQUAL(mine->size, other->size);
        CU_ASSERT_EQUAL(mine->find_count, other->find_count);
    }
    end(&parts);
    end(&whole);
}

/* ---- The order, of pairs filled by hand ---- */

/* 0 and 1 are equal, 2 has more than both, 3 and 2 each have more, and whether 3 has more than 0 is
 * open. */
static void test_order(void)
{
    enum { COUNT = 4 };
    struct arena arena;
    struct gen_pair pairs[COUNT * COUNT] = {{.size = 0}};
    struct gen_survey survey = {
        .model_count = COUNT, .pairs = pairs, .counts.programs = 1, .ended = true};
    arena_init(&arena);
    pairs[2 * COUNT + 0].find_count = pairs[2 * COUNT + 1].find_count = 1;
    pairs[2 * COUNT + 3].find_count = pairs[3 * COUNT + 2].find_count = 1;
    pairs[3 * COUNT + 0].open = pairs[3 * COUNT + 1].open = 1;
    pairs[3 * COUNT + 0].doubt = pairs[3 * COUNT + 1].doubt = "limit";
    const struct contrast_order lattice = gen_lattice_of(&arena, &survey);
    CU_ASSERT_EQUAL(lattice.class_count, 3);
    CU_ASSERT_EQUAL(lattice.class_of[0], lattice.class_of[1]);
    CU_ASSERT_EQUAL(lattice.open, 2);
    /* 2 over the two; 3 contains them, and whether it has more is not known. */
    CU_ASSERT_EQUAL(lattice.edge_count, 2);
    CU_ASSERT_FALSE(
        gen_lattice_contains(&survey, &lattice, lattice.class_of[2], lattice.class_of[3]));
    /* Of 12 ordered pairs 4 have a test, which stays one. Where the search was cut off, had no
     * program, or had none that is defined, the other 8 are open: nobody is equal, and nobody is
     * above. */
    for (int i = 0; i < 3; i++) {
        survey.ended = i != 0;
        survey.counts.programs = i != 1;
        survey.counts.undefined = i == 2;
        const struct contrast_order unknown = gen_lattice_of(&arena, &survey);
        CU_ASSERT_EQUAL(unknown.class_count, 4);
        CU_ASSERT_EQUAL(unknown.open, 8);
        CU_ASSERT_EQUAL(unknown.edge_count, 0);
        CU_ASSERT_EQUAL(gen_lattice_more(&survey, 2, 0), CONTRAST_YES);
        CU_ASSERT_STRING_EQUAL(gen_survey_doubt(&survey, 3, 0), "limit");
    }
    arena_fini(&arena);
}

void suite_gen_survey(void)
{
    CU_pSuite suite = CU_add_suite("gen_survey", NULL, NULL);
    UNIT_TEST(suite, test_tell_apart);
    UNIT_TEST(suite, test_survey);
    UNIT_TEST(suite, test_units);
    UNIT_TEST(suite, test_order);
}
