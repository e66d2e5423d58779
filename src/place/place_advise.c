/* The fewest changes, and of these the lightest. One is looked for first, from what weighs least
 * on, then two, then the same one wherever it can be made, and then more at once. A change of so many choices is a minimal filling when what
 * is below it is refused: in a repair all choices are at their smallest as the test stands. */
#include "place/place_explain.h"
#include "place/place_try.h"
#include "place/place_weigh.h"

#include <stdlib.h>
#include <string.h>

/* Limits: of minimal fillings that are compared; of single changes that pairs are made of; of pairs
 * that are tried. */
enum { MOST_COMPARED = 4, MOST_PAIRED = 400, MOST_TRIED_IN_PAIRS = 250 };

/* A change of one choice. */
struct single {
    uint64_t weight;
    uint32_t choice, value;
};

typedef VEC(struct single) single_list;

static int by_weight(const void *a, const void *b)
{
    const struct single *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    if (x->choice != y->choice)
        return x->choice < y->choice ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

static uint64_t weigh(struct place_explainer *x, const struct sketch *sketch,
                      const struct sketch_filling *filling)
{
    struct place_weights weights;
    place_weights_init(&weights);
    return place_weigh(&weights, &x->arena, sketch, filling);
}

static struct sketch_filling filling_of(const struct sketch *sketch, const struct single *single)
{
    struct sketch_filling filling = sketch_as_it_is(sketch);
    filling.value[single->choice] = (uint8_t)single->value;
    return filling;
}

static void list_singles(struct place_explainer *x, const struct sketch *sketch,
                         single_list *singles)
{
    for (uint32_t c = 0; c < sketch->choice_count; c++)
        for (uint32_t v = 0; v < sketch->choices[c].value_count; v++) {
            struct single single = {0, c, v};
            if ((int32_t)v == sketch->choices[c].original)
                continue;
            const struct sketch_filling filling = filling_of(sketch, &single);
            single.weight = weigh(x, sketch, &filling);
            VEC_PUSH(singles, single);
        }
    if (singles->count)
        qsort(singles->items, singles->count, sizeof *singles->items, by_weight);
}

typedef VEC(uint64_t) box_list; /* a mask of values for each choice */

static bool is_held(const struct sketch *sketch, const box_list *boxes,
                    const struct sketch_filling *filling)
{
    for (size_t at = 0; at < boxes->count; at += sketch->choice_count) {
        uint32_t c = 0;
        while (c < sketch->choice_count && (boxes->items[at + c] >> filling->value[c] & 1))
            c++;
        if (c == sketch->choice_count)
            return true;
    }
    return false;
}

/* A filling that is accepted. */
struct found {
    struct sketch_filling filling;
    uint32_t count; /* of choices that are changed; 0: none was found */
    bool refused;   /* all that is lighter, or has fewer changes, was refused */
};

struct finding {
    struct place_asker asker;
    const struct sketch *sketch;
    single_list singles;
    box_list boxes;
    size_t next; /* the single that is tried next */
    bool unsure; /* the answer about some filling is not known */
};

/* Is the filling accepted? If it is refused, the box that was learnt is kept. */
static bool try_one(struct finding *f, const struct sketch_filling *filling)
{
    if (is_held(f->sketch, &f->boxes, filling))
        return false;
    size_t at = f->boxes.count;
    for (uint32_t c = 0; c < f->sketch->choice_count; c++)
        VEC_PUSH(&f->boxes, UINT64_C(1) << filling->value[c]);
    const struct place_tried tried = place_try(&f->asker, filling, f->boxes.items + at);
    if (tried.answer != PLACE_REFUSED)
        f->boxes.count = at;
    f->unsure |= tried.answer == PLACE_OPEN || tried.answer == PLACE_STOP;
    return tried.answer == PLACE_ACCEPTED;
}

/* Within such a part of the time. */
static struct found find_single(struct finding *f, double part)
{
    const struct clock_limit *clock = &f->asker.clock;
    for (; f->next < f->singles.count; f->next++) {
        if (clock->seconds > 0 && clock_seconds_since(&clock->start) > part * clock->seconds)
            break;
        const struct sketch_filling filling = filling_of(f->sketch, &f->singles.items[f->next]);
        if (try_one(f, &filling))
            return (struct found){filling, 1, !f->unsure};
    }
    return (struct found){.refused = !f->unsure && f->next == f->singles.count};
}

/* Is it the change of that label into this one? */
static bool is_alike(const struct sketch_choice *choice, uint32_t value,
                     const struct sketch_choice *other, uint32_t others)
{
    return strcmp(choice->values[value].label, other->values[others].label) == 0 &&
           strcmp(choice->values[choice->original].label, other->values[other->original].label) ==
               0;
}

/* The change wherever it can be made, as of all fences of one name. 0: in less than two places, or
 * the single is of another than the first of them. */
static uint32_t make_everywhere(const struct sketch *sketch, const struct single *single,
                                struct sketch_filling *filling)
{
    const struct sketch_choice *of = &sketch->choices[single->choice];
    uint32_t count = 0;
    *filling = sketch_as_it_is(sketch);
    for (uint32_t c = 0; c < sketch->choice_count; c++) {
        const struct sketch_choice *choice = &sketch->choices[c];
        uint32_t v = 0;
        while (v < choice->value_count &&
               ((int32_t)v == choice->original || !is_alike(choice, v, of, single->value)))
            v++;
        if (v == choice->value_count)
            continue;
        if (c < single->choice)
            return 0;
        filling->value[c] = (uint8_t)v;
        count++;
    }
    return count > 1 ? count : 0;
}

static struct found find_alike(struct finding *f)
{
    for (size_t i = 0; i < f->singles.count && !clock_is_late(&f->asker.clock); i++) {
        struct found found = {.refused = false};
        found.count = make_everywhere(f->sketch, &f->singles.items[i], &found.filling);
        if (found.count && try_one(f, &found.filling))
            return found;
    }
    return (struct found){.refused = false};
}

struct pair {
    uint64_t weight;
    uint32_t one, other; /* singles */
};

static int by_pair(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    if (x->one != y->one)
        return x->one < y->one ? -1 : 1;
    return x->other < y->other ? -1 : x->other > y->other;
}

/* Weights of choices add up. */
static struct pair *list_pairs(struct place_explainer *x, const struct finding *f, size_t *count)
{
    const struct single *singles = f->singles.items;
    size_t all = f->singles.count;
    struct pair *pairs = ARENA_ARRAY(&x->arena, struct pair, all * all / 2 + 1);
    *count = 0;
    for (uint32_t i = 0; i < all; i++)
        for (uint32_t k = i + 1; k < all; k++)
            if (singles[i].choice != singles[k].choice)
                pairs[(*count)++] = (struct pair){singles[i].weight + singles[k].weight, i, k};
    qsort(pairs, *count, sizeof *pairs, by_pair);
    return pairs;
}

static struct found find_pair(struct place_explainer *x, struct finding *f)
{
    const struct found none = {.refused = false};
    uint64_t most = f->asker.count + MOST_TRIED_IN_PAIRS;
    size_t count;
    if (f->singles.count > MOST_PAIRED || clock_is_late(&f->asker.clock))
        return none;
    const struct pair *pairs = list_pairs(x, f, &count);
    double start = clock_seconds_since(&f->asker.clock.start),
           left = f->asker.clock.seconds - start;
    for (size_t i = 0; i < count; i++) {
        const struct single *one = &f->singles.items[pairs[i].one];
        const struct single *other = &f->singles.items[pairs[i].other];
        struct sketch_filling filling = filling_of(f->sketch, one);
        filling.value[other->choice] = (uint8_t)other->value;
        if (f->asker.count >= most || clock_seconds_since(&f->asker.clock.start) - start > left / 2)
            return none;
        if (try_one(f, &filling))
            return (struct found){filling, 2, !f->unsure};
    }
    return (struct found){.refused = !f->unsure};
}

static struct found find_few(struct place_explainer *x, const struct place_question *question)
{
    struct finding f = {.sketch = question->sketch};
    place_asker_init(&f.asker, &x->arena, question);
    if (question->conditions)
        place_want(&f.asker, question->conditions);
    list_singles(x, f.sketch, &f.singles);
    struct found found = find_single(&f, 0.5);
    const bool all = f.next == f.singles.count;
    if (!found.count && all)
        found = find_pair(x, &f);
    if (!found.count && !found.refused)
        found = find_alike(&f);
    if (!found.count && !all)
        found = find_single(&f, 1);
    place_asker_fini(&f.asker);
    VEC_FREE(&f.boxes);
    VEC_FREE(&f.singles);
    return found;
}

/* Asks about these choices alone, up to the values that were found; the others stay as they are. */
static const struct placement *answer_few(struct place_explainer *x,
                                          const struct place_question *question,
                                          const struct found *found)
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
    const struct found found = find_few(x, &question);
    question.seconds = place_explain_question(x, sketch, clock).seconds;
    if (found.count)
        return (struct answered){answer_few(x, &question, &found), found.refused};
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
        uint64_t weight = weigh(x, placement->sketch, filling);
        if (!is_checked(&placement->fillings[i]) || count > fewest ||
            (count == fewest && weight >= least))
            continue;
        struct changes *changes = ARENA_NEW(&x->arena, struct changes);
        *changes = changes_of(&x->arena, placement->sketch, filling, 0);
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
        const struct clock_limit clock = clock_limit_part(x->clock, 0.5);
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
