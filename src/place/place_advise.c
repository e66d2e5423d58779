/* The fewest changes, and of these the lightest. One is looked for first, from what weighs least
 * on, then two, then the same one wherever it can be made, and then more at once. A change of so many choices is a minimal filling when what
 * is below it is refused: in a repair all choices are at their smallest as the test stands. */
#include "place/place_explain.h"
#include "place/place_few.h"
#include "place/place_weigh.h"

/* Minimal fillings that are compared. */
enum { MOST_COMPARED = 4 };

static struct place_few find_few(struct place_explainer *x, const struct place_question *question)
{
    struct place_asker asker;
    place_refusals boxes = {.count = 0};
    place_asker_init(&asker, &x->arena, question);
    if (question->conditions)
        place_want(&asker, question->conditions);
    const struct place_few found = place_few_find(&asker, &boxes);
    place_asker_fini(&asker);
    VEC_FREE(&boxes);
    return found;
}

/* Asks about these choices alone, up to the values that were found; the others stay as they are. */
static const struct placement *answer_few(struct place_explainer *x,
                                          const struct place_question *question,
                                          const struct place_few *found)
{
    struct place_question few = *question;
    struct sketch *sketch = arena_copy(&x->arena, question->sketch, sizeof *sketch);
    struct sketch_choice *choices =
        arena_copy(&x->arena, sketch->choices, sketch->choice_count * sizeof *choices);
    uint32_t one = 0;
    for (uint32_t c = 0; c < sketch->choice_count; c++) {
        choices[c].value_count = found->filling.value[c] + 1u;
        if (found->filling.value[c] != choices[c].original)
            one = c;
    }
    sketch->choices = found->count > 1 ? choices : &choices[one];
    sketch->choice_count = found->count > 1 ? sketch->choice_count : 1;
    few.sketch = sketch;
    few.enough = found->count > 2 ? MOST_COMPARED : 0;
    return place_explain_answer(x, &few);
}

/* An answer, and whether it has the filling with the fewest changes of all. */
struct answered {
    const struct placement *placement;
    bool is_fewest;
};

static struct answered find_advice(struct place_explainer *x, const struct clock_limit *clock,
                                   uint64_t conditions, const struct sketch *sketch)
{
    struct place_question question = place_explain_question(x, sketch, clock);
    question.conditions = conditions;
    question.enough = MOST_COMPARED;
    question.no_clashes = sketch != x->sketches[PLACE_EXPLAIN_REPAIR];
    const struct place_few found = find_few(x, &question);
    question.seconds = place_explain_question(x, sketch, clock).seconds;
    if (found.count)
        return (struct answered){answer_few(x, &question, &found), found.fewest};
    const struct placement *placement = place_explain_answer(x, &question);
    return (struct answered){placement, placement->complete};
}

/* ---- The answer ---- */

/* Did some engine check it, and none dispute it? */
static bool is_checked(const struct placement_filling *filling)
{
    return filling->confirmed_by && *filling->confirmed_by && !filling->disputed_by;
}

/* Chooses the lightest of the checked fillings with the fewest changes. */
static void choose(struct place_explainer *x, const struct placement *placement,
                   struct explanation_advice *advice)
{
    uint64_t fewest = UINT64_MAX, least = UINT64_MAX;
    for (uint32_t i = 0; i < placement->count; i++) {
        const struct sketch_filling *filling = &placement->fillings[i].filling;
        uint64_t count = place_changes(placement->sketch, filling);
        uint64_t weight = place_few_weigh(&x->arena, placement->sketch, filling);
        if (!is_checked(&placement->fillings[i]) || count > fewest ||
            (count == fewest && weight >= least))
            continue;
        const uint32_t files = placement->sketch->file_count;
        struct changes *changes = ARENA_ARRAY(&x->arena, struct changes, files);
        for (uint32_t f = 0; f < files; f++)
            changes[f] = changes_of(&x->arena, placement->sketch, filling, f);
        advice->filling = i;
        advice->checked = &placement->fillings[i];
        advice->changes = changes;
        fewest = count;
        least = weight;
    }
}

static bool is_settled(const struct placement *placement)
{
    return placement->complete && !placement->count && !placement->open_count;
}

/* NULL: the test has no such way. */
static const struct sketch *sketch_of(struct place_explainer *x, enum explanation_way way)
{
    static const enum place_explain_kind kinds[] = {PLACE_EXPLAIN_REPAIR, PLACE_EXPLAIN_SEVERAL,
                                                    PLACE_EXPLAIN_SWAPS};
    const struct sketch *sketch = place_explain_sketch(x, kinds[way]);
    bool has = sketch && (way == EXPLANATION_SEVERAL   ? sites_has_several(sketch)
                          : way == EXPLANATION_SWAPPED ? sites_has_swaps(sketch)
                                                       : true);
    return has ? sketch : NULL;
}

static const char *limit_of(const struct placement *placement)
{
    return placement->open_count ? "whether a change will do is not known" : placement->limit;
}

static void search_way(struct place_explainer *x, const struct clock_limit *clock,
                       uint64_t conditions, enum explanation_way way,
                       struct explanation_search *search)
{
    const struct sketch *sketch = sketch_of(x, way);
    if (!sketch)
        return;
    const struct answered answered = find_advice(x, clock, conditions, sketch);
    const struct placement *placement = answered.placement;
    search->ways[way] = placement->count        ? EXPLANATION_SOMETHING
                        : is_settled(placement) ? EXPLANATION_NOTHING
                                                : EXPLANATION_LIMITED;
    if (search->ways[way] == EXPLANATION_LIMITED)
        search->limits[way] = limit_of(placement);
    if (placement->count || way == EXPLANATION_ADDED) {
        search->placement = placement;
        search->is_fewest = answered.is_fewest;
    }
}

/* As `place --repair` does: with several statements at a point, and then with stores in each
 * other's place, where one statement at each point is known to be too little. */
static const struct explanation_search *
search_all(struct place_explainer *x, const struct clock_limit *clock, uint64_t conditions)
{
    struct explanation_search *search = ARENA_NEW(&x->arena, struct explanation_search);
    *search = (struct explanation_search){.placement = NULL};
    if (x->whole && conditions & x->whole->placement->never_met) {
        search->ways[EXPLANATION_ADDED] = EXPLANATION_NOTHING;
        search->placement = x->whole->placement;
    } else
        search_way(x, clock, conditions, EXPLANATION_ADDED, search);
    for (uint32_t way = EXPLANATION_SEVERAL;
         way < EXPLANATION_WAY_COUNT && search->ways[EXPLANATION_ADDED] == EXPLANATION_NOTHING &&
         !search->placement->count;
         way++)
        search_way(x, clock, conditions, (enum explanation_way)way, search);
    return search;
}

/* Nothing that is added will do, whatever the order of stores. */
static bool refuses_additions(const struct explanation_search *search)
{
    const enum explanation_searched several = search->ways[EXPLANATION_SEVERAL];
    return search->ways[EXPLANATION_ADDED] == EXPLANATION_NOTHING &&
           (several == EXPLANATION_NOTHING || several == EXPLANATION_UNSEARCHED);
}

/* What the advice for one condition makes of the others; all of them hold where every engine that
 * applies was asked about all. */
static enum explanation_others try_others(struct place_explainer *x,
                                          const struct clock_limit *clock,
                                          struct explanation_advice *advice)
{
    const struct place_question question =
        place_explain_question(x, advice->alone->placement->sketch, clock);
    struct placement_filling *all =
        ARENA_MAKE(&x->arena, struct placement_filling, .filling = advice->checked->filling);
    struct place_asker asker;
    place_asker_init(&asker, &x->arena, &question);
    const enum place_answer answer = place_try(&asker, &all->filling, NULL).answer;
    if (answer == PLACE_ACCEPTED)
        place_confirm(&asker, all);
    place_asker_fini(&asker);
    if (!is_checked(all))
        return answer == PLACE_REFUSED ? EXPLANATION_NOT_ALL : EXPLANATION_PERHAPS_ALL;
    advice->checked = all;
    return EXPLANATION_ALL;
}

/* Of one condition of several, where nothing was found for all of them, or nothing that is added
 * will do. */
static void advise_alone(struct place_explainer *x, const struct clock_limit *clock,
                         uint64_t condition, struct explanation_advice *advice)
{
    const struct explanation_search *alone = search_all(x, clock, condition);
    advice->refuses_additions = refuses_additions(alone);
    if (advice->changes)
        return;
    advice->alone = alone;
    choose(x, alone->placement, advice);
    if (advice->changes)
        advice->others = try_others(x, clock, advice);
}

const struct explanation_advice *place_advise(struct place_explainer *x, uint32_t condition,
                                              uint32_t left)
{
    const struct session_settings *settings = x->question->settings;
    const uint32_t count = x->question->program->condition_count;
    if (!place_explain_sketch(x, PLACE_EXPLAIN_REPAIR))
        return NULL;
    struct explanation_advice *advice = ARENA_NEW(&x->arena, struct explanation_advice);
    if (!x->whole) {
        const struct clock_limit clock = clock_limit_part(x->clock, count > 1 ? 0.5 : 1);
        x->whole = search_all(x, &clock, 0);
    }
    *advice = (struct explanation_advice){.whole = x->whole,
                                          .is_listed = settings->property != SESSION_REFINES};
    choose(x, x->whole->placement, advice);
    if (count < 2)
        advice->refuses_additions = refuses_additions(x->whole);
    else if ((!advice->changes || refuses_additions(x->whole)) &&
             condition < PLACE_MOST_CONDITIONS) {
        const struct clock_limit clock = clock_limit_part(x->clock, 1.0 / left);
        advise_alone(x, &clock, UINT64_C(1) << condition, advice);
    }
    return advice;
}
