/* Advice, and what is said of it: by whom it is confirmed, and why there is none. Searches that
 * came to little are filled by hand. */
#include "fixture.h"

#include "document/report_explain.h"
#include "place/place_explain.h"
#include "session/session_case.h"

#include <string.h>

/* With a persist barrier at line 5 both conditions hold. */
static const char text[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\n"
                           "P0 (global int* x, global int* y, global int* z) {\n"
                           "  *x = 1;\n"
                           "  *y = 1;\n"
                           "}\n"
                           "crash ~exists (y=1 /\\ x=0)\ncrash forall (z=0)\n";

/* Hears of parts. */
struct watch {
    uint32_t begun;  /* so far */
    uint32_t chosen; /* the last for which an engine was chosen: behind it all were asked */
    uint32_t lost;   /* from this part on all are; 0: none is */
};

static enum session_loss on_part(void *context)
{
    struct watch *watch = context;
    watch->begun++;
    return watch->lost && watch->begun >= watch->lost ? SESSION_LOSS_TIME : SESSION_LOSS_NONE;
}

static bool on_choice(void *context)
{
    struct watch *watch = context;
    watch->chosen = watch->begun;
    return false;
}

static void on_dear(void *context)
{
    (void)context;
}

/* The advice for the first condition, where the search for both met a limit before it had anything.
 */
static enum explanation_others advise(struct watch *watch)
{
    static const struct placement nothing;
    static const struct explanation_search limited = {.ways = {EXPLANATION_LIMITED},
                                                      .placement = &nothing};
    struct fixture f;
    fixture_init(&f, text, "sc", "epoch");
    const struct session_settings settings = {.unroll = 2};
    const struct session_model model = {"sc", "epoch", .model = f.model, .plan = f.plan};
    const struct session_case question = session_case_begin(
        &settings, &model, f.program,
        (struct session_parts){
            .begin = on_part, .begin_choice = on_choice, .note_dear = on_dear, .context = watch});
    const struct clock_limit clock = clock_limit_in(60);
    struct place_explainer x;
    place_explainer_init(&x, &question, &clock);
    x.whole = &limited;
    const struct explanation_advice *advice = place_advise(&x, 0, 2);
    CU_ASSERT_PTR_NOT_NULL_FATAL(advice);
    CU_ASSERT_PTR_NOT_NULL_FATAL(advice->changes);
    const enum explanation_others others = advice->others;
    place_explainer_fini(&x);
    fixture_fini(&f);
    return others;
}

/* That every condition holds is said where engines were asked about all of them, which comes last.
 * Where these parts are lost, it is not known. */
static void others_are_confirmed(void)
{
    struct watch whole = {0};
    CU_ASSERT_EQUAL(advise(&whole), EXPLANATION_ALL);
    CU_ASSERT(whole.begun > whole.chosen);
    struct watch cut = {.lost = whole.chosen + 1};
    CU_ASSERT_EQUAL(advise(&cut), EXPLANATION_PERHAPS_ALL);
    CU_ASSERT_EQUAL(cut.chosen, whole.chosen);
}

/* What is said of a search for all conditions. */
static void expect(const struct explanation_search *search, const char *part)
{
    struct fixture f;
    struct outcome outcome;
    struct explanation explanation;
    struct strbuf out = {0};
    fixture_init(&f, text, "sc", "epoch");
    outcome_init(&outcome, f.program);
    explanation_init(&explanation);
    const struct explanation_advice advice = {.whole = search};
    const struct report_explanation report = {
        .test = {.program = f.program, .model = f.model, .outcome = &outcome},
        .number = 1,
        .condition = f.program->conditions,
        .explanation = &explanation,
        .advice = &advice};
    report_advice_words(&report, &out);
    if (!strstr(strbuf_text(&out), part))
        printf("no %s in: %s\n", part, strbuf_text(&out));
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&out), part));
    strbuf_fini(&out);
    explanation_fini(&explanation);
    outcome_fini(&outcome);
    fixture_fini(&f);
}

/* Each way that was not searched to its end has its own limit. */
static void limits_are_their_own(void)
{
    static const struct sketch sketch;
    static const struct placement nothing = {.sketch = &sketch, .complete = true};
    const struct explanation_search search = {
        .ways = {EXPLANATION_NOTHING, EXPLANATION_LIMITED, EXPLANATION_LIMITED},
        .limits = {NULL, "this came first", "that came second"},
        .placement = &nothing};
    expect(&search, "several statements at one point; this came first");
    expect(&search, "two stores in each other's place; that came second");
}

/* What an engine finds wrong is no matter of time; nor is all that no engine has decided. */
static void doubts_have_their_reasons(void)
{
    struct placement_filling filling = {.confirmed_by = "enum", .disputed_by = "smt"};
    const struct placement found = {.fillings = &filling, .count = 1, .complete = true};
    const struct explanation_search search = {.ways = {EXPLANATION_SOMETHING}, .placement = &found};
    expect(&search, "No advice was found: smt disputes what place finds");
    filling = (struct placement_filling){.confirmed_by = "", .unconfirmed = "smt: a bound was met"};
    expect(&search, "No advice was found: no engine has confirmed any: smt: a bound was met");
}

void suite_place_advise(void)
{
    CU_pSuite suite = CU_add_suite("place_advise", NULL, NULL);
    UNIT_TEST(suite, others_are_confirmed);
    UNIT_TEST(suite, limits_are_their_own);
    UNIT_TEST(suite, doubts_have_their_reasons);
}
