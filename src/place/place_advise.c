/* One change is looked for first, from what weighs least on, and then more at once. A change of one
 * choice is a minimal filling when its smaller values are refused: in a repair all choices are at
 * their smallest as the test stands. */
#include "place/place_explain.h"
#include "place/place_try.h"
#include "place/place_weigh.h"

#include <stdlib.h>

/* Minimal fillings of several changes, of which the lightest is given. */
enum { MOST_COMPARED = 4 };

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

static uint64_t weigh(struct place_explainer *x, const struct lit_sketch *sketch,
                      const struct lit_filling *filling)
{
    struct place_weights weights;
    place_weights_init(&weights);
    return place_weigh(&weights, &x->arena, sketch, filling);
}

static struct lit_filling filling_of(const struct lit_sketch *sketch, const struct single *single)
{
    struct lit_filling filling = place_explain_as_it_is(sketch);
    filling.value[single->choice] = (uint8_t)single->value;
    return filling;
}

static void list_singles(struct place_explainer *x, const struct lit_sketch *sketch,
                         single_list *singles)
{
    for (uint32_t c = 0; c < sketch->choice_count; c++)
        for (uint32_t v = 0; v < sketch->choices[c].value_count; v++) {
            struct single single = {0, c, v};
            if ((int32_t)v == sketch->choices[c].original)
                continue;
            const struct lit_filling filling = filling_of(sketch, &single);
            single.weight = weigh(x, sketch, &filling);
            VEC_PUSH(singles, single);
        }
    if (singles->count)
        qsort(singles->items, singles->count, sizeof *singles->items, by_weight);
}

typedef VEC(uint64_t) box_list; /* a mask of values for each choice */

static bool is_held(const struct lit_sketch *sketch, const box_list *boxes,
                    const struct lit_filling *filling)
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

/* Is the filling accepted? What it is refused for is kept as a box. */
static bool try_one(struct place_asker *asker, const struct lit_sketch *sketch,
                    const struct lit_filling *filling, box_list *boxes)
{
    if (is_held(sketch, boxes, filling))
        return false;
    size_t at = boxes->count;
    for (uint32_t c = 0; c < sketch->choice_count; c++)
        VEC_PUSH(boxes, UINT64_C(1) << filling->value[c]);
    const struct place_tried tried = place_try(asker, filling, boxes->items + at);
    if (tried.answer != PLACE_REFUSED)
        boxes->count = at;
    return tried.answer == PLACE_ACCEPTED;
}

/* The lightest change of one choice that will do; LIT_NONE: none was found. */
static uint32_t find_single(struct place_explainer *x, const struct place_question *question)
{
    const struct lit_sketch *sketch = question->sketch;
    single_list singles = {NULL, 0, 0};
    box_list boxes = {NULL, 0, 0};
    struct place_asker asker;
    uint32_t found = LIT_NONE;
    place_asker_init(&asker, &x->arena, question);
    if (question->conditions)
        place_want(&asker, question->conditions);
    list_singles(x, sketch, &singles);
    for (size_t i = 0; i < singles.count && found == LIT_NONE; i++) {
        const struct lit_filling filling = filling_of(sketch, &singles.items[i]);
        if (try_one(&asker, sketch, &filling, &boxes))
            found = singles.items[i].choice;
    }
    x->seconds += clock_seconds_since(&asker.clock.start);
    place_asker_fini(&asker);
    VEC_FREE(&boxes);
    VEC_FREE(&singles);
    return found;
}

/* The question about one choice, the others being as they are. */
static const struct placement *answer_choice(struct place_explainer *x,
                                             const struct place_question *question, uint32_t choice)
{
    struct place_question one = *question;
    struct lit_sketch *sketch = arena_copy(&x->arena, question->sketch, sizeof *sketch);
    sketch->choices = &question->sketch->choices[choice];
    sketch->choice_count = 1;
    one.sketch = sketch;
    one.enough = 1;
    return place_explain_answer(x, &one);
}

static const struct placement *find_advice(struct place_explainer *x,
                                           const struct clock_limit *clock, uint64_t conditions)
{
    const struct lit_sketch *sketch = place_explain_sketch(x, LIT_SITES_REPAIR);
    struct place_question question = place_explain_question(x, sketch, clock);
    question.conditions = conditions;
    question.enough = MOST_COMPARED;
    uint32_t choice = find_single(x, &question);
    question.seconds = place_explain_question(x, sketch, clock).seconds;
    return choice == LIT_NONE ? place_explain_answer(x, &question)
                              : answer_choice(x, &question, choice);
}

/* ---- The answer ---- */

/* Did an engine check it, and none find fault? */
static bool is_checked(const struct placement_filling *filling)
{
    return filling->confirmed_by && *filling->confirmed_by && !filling->disputed_by;
}

/* The lightest of those that were checked. */
static void choose(struct place_explainer *x, const struct placement *placement,
                   struct explanation_advice *advice)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < placement->count; i++) {
        const struct lit_filling *filling = &placement->fillings[i].filling;
        uint64_t weight = weigh(x, placement->sketch, filling);
        if (!is_checked(&placement->fillings[i]) || weight >= least)
            continue;
        struct lit_changes *changes = ARENA_NEW(&x->arena, struct lit_changes);
        *changes = lit_changes_of(&x->arena, placement->sketch, filling, 0);
        advice->filling = i;
        advice->changes = changes;
        least = weight;
    }
}

const struct explanation_advice *place_advise(struct place_explainer *x, uint32_t condition,
                                              const struct clock_limit *clock)
{
    if (!place_explain_sketch(x, LIT_SITES_REPAIR))
        return NULL;
    struct explanation_advice *advice = ARENA_NEW(&x->arena, struct explanation_advice);
    if (!x->whole)
        x->whole = find_advice(x, clock, 0);
    *advice = (struct explanation_advice){.whole = x->whole};
    if (!x->whole->count && x->whole->complete && !x->whole->open_count &&
        x->question->program->condition_count > 1 && condition < PLACE_MOST_CONDITIONS)
        advice->alone = find_advice(x, clock, UINT64_C(1) << condition);
    choose(x, advice->alone ? advice->alone : x->whole, advice);
    return advice;
}
