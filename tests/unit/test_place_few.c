/* The same change wherever it can be made, and what becomes of it where a limit is met before less was found. */
#include "fixture.h"

#include "document/report_document.h"
#include "document/report_place.h"
#include "place/place_few.h"
#include "place/place_try.h"
#include "session/session_case.h"
#include "session/session_engines.h"
#include "session/session_models.h"
#include "session/session_refine.h"
#include "sketch/sites.h"

#include <string.h>

/* Under epoch x is durable behind a, y behind b and z behind c, if a persist barrier stands between each two (SPB section 5):
 * three changes are the fewest. P3 adds eight points, so that with those of the others there are 17, with 25 changes each: 425
 * single ones, too many for pairs. */
static const char text[] =
    "OPENCL t\n"
    "{ nvm a = 0; nvm b = 0; nvm c = 0; nvm x = 0; nvm y = 0; nvm z = 0; v = 0; }\n"
    "P0@wg 0 (global int* a, global int* x) { *a = 1; *x = 1; }\n"
    "P1@wg 1 (global int* b, global int* y) { *b = 1; *y = 1; }\n"
    "P2@wg 2 (global int* c, global int* z) { *c = 1; *z = 1; }\n"
    "P3@wg 3 (global int* v) { *v = 1; *v = 2; *v = 3; *v = 4; *v = 5; *v = 6; *v = 7; }\n"
    "crash ~exists ((x=1 /\\ a=0) \\/ (y=1 /\\ b=0) \\/ (z=1 /\\ c=0))\n";

struct repair {
    struct fixture f;
    struct session_settings settings;
    struct session_model model;
    struct place_question question;
    enum report_place_further several;
};

static void repair_init_with(struct repair *r, const char *test, const char *visibility,
                             const char *persistency)
{
    static const struct lit_surroundings nothing;
    static const struct sites_wish wish = {
        .aim = SITES_REPAIR, .kinds = "p_barrier,fence", .surroundings = &nothing};
    r->several = REPORT_PLACE_ONE;
    fixture_init(&r->f, test, visibility, persistency);
    r->settings = (struct session_settings){.unroll = 2};
    r->model =
        (struct session_model){visibility, persistency, .model = r->f.model, .plan = r->f.plan};
    r->question =
        (struct place_question){.sketch = sites_sketch(&r->f.arena, r->f.names,
                                                       &r->f.program->source, 1, &wish, &r->f.diag),
                                .settings = &r->settings,
                                .model = &r->model,
                                .settled = &r->f.program};
    CU_ASSERT_PTR_NOT_NULL_FATAL(r->question.sketch);
}

static void repair_init(struct repair *r)
{
    repair_init_with(r, text, "sc", "epoch");
}

/* Also how many fillings were asked about. */
static struct place_few find(struct repair *r, uint64_t *tried)
{
    struct place_asker asker;
    place_refusals boxes = {.count = 0};
    place_asker_init(&asker, &r->f.arena, &r->question);
    place_want(&asker, ~UINT64_C(0));
    const struct place_few few = place_few_find(&asker, &boxes);
    *tried = asker.count;
    VEC_FREE(&boxes);
    place_asker_fini(&asker);
    return few;
}

#define FENCED(NAME, DATA, FLAG)                                                 \
    NAME " (global int* " DATA ", global int* " FLAG ") { *" DATA " = 1;\n"      \
         "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, " \
         "memory_scope_device);\n"                                               \
         "  *" FLAG " = 1; }\n"

/* Under gpm a fence orders persists if it is of the system (GPM, 5.1), and only those of its own work-item here: one change is too
 * little, and the same one in both will do. It is asked about before any other two. */
static void same_change_in_two_places(void)
{
    struct repair r;
    uint64_t tried, singles = 0;
    repair_init_with(
        &r,
        "OPENCL t\n{ nvm a = 0; nvm b = 0; nvm x = 0; nvm y = 0; }\n" FENCED("P0@wg 0", "a", "x")
            FENCED("P1@wg 1", "b", "y") "crash ~exists ((x=1 /\\ a=0) \\/ (y=1 /\\ b=0))\n",
        "ptx", "gpm");
    const struct sketch *sketch = r.question.sketch;
    const struct place_few few = find(&r, &tried);
    CU_ASSERT_EQUAL_FATAL(few.count, 2);
    CU_ASSERT(few.fewest);
    for (uint32_t c = 0; c < sketch->choice_count; c++) {
        const struct sketch_choice *choice = &sketch->choices[c];
        singles += choice->value_count - 1;
        if (few.filling.value[c] != choice->original)
            CU_ASSERT_PTR_NOT_NULL(strstr(choice->values[few.filling.value[c]].label, "all"));
    }
    CU_ASSERT(tried <= singles + 2);
    fixture_fini(&r.f);
}

/* One barrier's name at all 17 points. */
static void same_change_everywhere(void)
{
    struct repair r;
    uint64_t tried;
    repair_init(&r);
    const struct sketch *sketch = r.question.sketch;
    const struct place_few few = find(&r, &tried);
    CU_ASSERT_EQUAL(sketch->choice_count, 17);
    CU_ASSERT_EQUAL(few.count, 17);
    CU_ASSERT_FALSE(few.refused);
    const char *first = sketch->choices[0].values[few.filling.value[0]].label;
    CU_ASSERT(strncmp(first, "p_barrier_", 10) == 0);
    for (uint32_t c = 0; c < sketch->choice_count; c++)
        CU_ASSERT_STRING_EQUAL(sketch->choices[c].values[few.filling.value[c]].label, first);
    fixture_fini(&r.f);
}

static void expect_told(struct repair *r, const struct placement *placement, const char *shape,
                        const char *part)
{
    static const char *const titles[] = {"t"};
    static const uint32_t first = 0;
    struct changes changes = {0};
    if (placement->count)
        changes = changes_of(&r->f.arena, placement->sketch, &placement->fillings[0].filling, 0);
    const struct report_place report = {.number = 1,
                                        .titles = titles,
                                        .visibility = "sc",
                                        .persistency = "epoch",
                                        .placement = placement,
                                        .several = r->several,
                                        .shown = &first,
                                        .shown_count = placement->count ? 1 : 0,
                                        .changes = &changes};
    struct strbuf out = {0};
    report_document_part(shape, &report_place, &report, &out);
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&out), part));
    strbuf_fini(&out);
}

/* With just so many questions it is found, and nothing below it is asked about: it is kept, confirmed, and not said to be
 * minimal. With some more three changes are left of it. */
static void what_is_confirmed_is_kept(void)
{
    struct repair r;
    struct placement placement;
    uint64_t tried;
    repair_init(&r);
    const struct place_few few = find(&r, &tried);
    r.question.most_tried = tried;
    place_answer(&r.f.arena, &r.question, &placement);
    CU_ASSERT_FALSE(placement.complete);
    CU_ASSERT_FALSE(placement.fewest);
    CU_ASSERT_PTR_NOT_NULL(placement.limit);
    CU_ASSERT_EQUAL_FATAL(placement.count, 1);
    CU_ASSERT(memcmp(&placement.fillings[0].filling, &few.filling, sizeof few.filling) == 0);
    CU_ASSERT(placement.fillings[0].unreduced);
    CU_ASSERT_EQUAL(placement.fillings[0].step_count, 0);
    CU_ASSERT_STRING_EQUAL(placement.fillings[0].confirmed_by, "enum and smt");
    expect_told(&r, &placement, "text", "less may do: the limit came before that was known\n");
    expect_told(&r, &placement, "text", "Fillings that will do: 1 so far, and there may be others");
    expect_told(&r, &placement, "json", "\"confirmed_by\":\"enum and smt\",\"minimal\":false,");
    expect_told(&r, &placement, "json", "\"minimal\":0,\"complete\":false");
    expect_told(&r, &placement, "sarif",
                "; less may do: the limit came before that was known\"},\"artifactChanges\"");
    r.question.most_tried = tried + 20;
    place_answer(&r.f.arena, &r.question, &placement);
    CU_ASSERT_EQUAL_FATAL(placement.count, 1);
    CU_ASSERT_FALSE(placement.fillings[0].unreduced);
    CU_ASSERT_EQUAL(placement.fillings[0].step_count, 3);
    expect_told(&r, &placement, "text", "Minimal fillings: 1 so far, and there may be others");
    fixture_fini(&r.f);
}

/* After so few questions nothing is known: that is open, and no fault of the test. */
static void what_is_cut_is_open(void)
{
    struct repair r;
    struct placement placement;
    repair_init(&r);
    r.question.most_tried = 1;
    place_answer(&r.f.arena, &r.question, &placement);
    CU_ASSERT_FALSE(placement.complete);
    CU_ASSERT_EQUAL_FATAL(placement.count, 0);
    expect_told(&r, &placement, "sarif", "\"kind\":\"open\",\"level\":\"none\",");
    expect_told(&r, &placement, "sarif",
                "\"No filling found so far; more combinations were left than may be tried (under");
    /* As if one statement at each point were known not to do. */
    placement.complete = true;
    placement.open_count = 0;
    r.several = REPORT_PLACE_OPEN;
    expect_told(&r, &placement, "sarif", "\"kind\":\"open\",\"level\":\"none\",");
    expect_told(&r, &placement, "sarif", "with several it is not known");
    fixture_fini(&r.f);
}

/* Why it is not known what strict persistency leaves of a filling, in so many seconds. */
static const char *doubt_within(struct repair *r, double seconds)
{
    const struct clock_limit clock = clock_limit_in(seconds);
    const struct lit_program *program =
        place_settled(&r->f.arena, &r->question, &clock, 0, r->f.program);
    return program->conditions[0].refines->doubt;
}

/* It is listed anew for each filling, with no more time than the whole has left. */
static void strict_states_are_listed_in_time(void)
{
    struct repair r;
    bool disagree = false;
    repair_init_with(&r,
                     "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                     "observe x;\nproperty robust;\n",
                     "sc", "epoch");
    r.settings.engine = session_engine_choosing->name;
    struct session_models *models = session_models_new();
    const struct cat_asker user = session_models_user(&r.settings);
    const struct session_case asked =
        session_case_begin(&r.settings, &r.model, r.f.program, (struct session_parts){0});
    const struct lit_program *settled =
        session_robust(&r.f.arena, &asked, models, &user, &disagree);
    r.question.settled = &settled;
    CU_ASSERT_PTR_NULL(doubt_within(&r, 0)); /* no limit */
    CU_ASSERT_PTR_NOT_NULL(doubt_within(&r, 1e-9));
    session_models_free(models);
    fixture_fini(&r.f);
}

void suite_place_few(void)
{
    CU_pSuite suite = CU_add_suite("place_few", NULL, NULL);
    UNIT_TEST(suite, same_change_in_two_places);
    UNIT_TEST(suite, same_change_everywhere);
    UNIT_HEAVY_TEST(suite, what_is_confirmed_is_kept);
    UNIT_TEST(suite, what_is_cut_is_open);
    UNIT_TEST(suite, strict_states_are_listed_in_time);
}
