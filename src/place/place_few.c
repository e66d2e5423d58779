/* The same change in the two places where it can be made comes first, of which there are few: work-items that run alike are mended
 * alike. A single change is looked for all the same, from what weighs least on, then two, then the same one wherever it can be made. */
#include "place/place_few.h"

#include "place/place_weigh.h"

#include <stdlib.h>
#include <string.h>

/* Limits: of single changes that pairs are made of; of pairs that are tried. */
enum { MOST_PAIRED = 400, MOST_TRIED_IN_PAIRS = 250 };

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

uint64_t place_few_weigh(struct arena *arena, const struct sketch *sketch,
                         const struct sketch_filling *filling)
{
    struct place_weights weights;
    place_weights_init(&weights);
    return place_weigh(&weights, arena, sketch, filling);
}

static struct sketch_filling filling_of(const struct sketch *sketch, const struct single *single)
{
    struct sketch_filling filling = sketch_as_it_is(sketch);
    filling.value[single->choice] = (uint8_t)single->value;
    return filling;
}

static void list_singles(struct arena *arena, const struct sketch *sketch, single_list *singles)
{
    for (uint32_t c = 0; c < sketch->choice_count; c++)
        for (uint32_t v = 0; v < sketch->choices[c].value_count; v++) {
            struct single single = {0, c, v};
            if ((int32_t)v == sketch->choices[c].original)
                continue;
            const struct sketch_filling filling = filling_of(sketch, &single);
            single.weight = place_few_weigh(arena, sketch, &filling);
            VEC_PUSH(singles, single);
        }
    if (singles->count)
        qsort(singles->items, singles->count, sizeof *singles->items, by_weight);
}

static bool is_held(const struct sketch *sketch, const place_refusals *boxes,
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

struct finding {
    struct place_asker *asker;
    const struct sketch *sketch;
    single_list singles;
    place_refusals *boxes;
    size_t next; /* the single that is tried next */
    bool unsure; /* the answer about some filling is not known */
};

/* Is the filling accepted? If it is refused, the box that was learnt is kept. */
static bool try_one(struct finding *f, const struct sketch_filling *filling)
{
    if (is_held(f->sketch, f->boxes, filling))
        return false;
    size_t at = f->boxes->count;
    for (uint32_t c = 0; c < f->sketch->choice_count; c++)
        VEC_PUSH(f->boxes, UINT64_C(1) << filling->value[c]);
    const struct place_tried tried = place_try(f->asker, filling, f->boxes->items + at);
    if (tried.answer != PLACE_REFUSED)
        f->boxes->count = at;
    f->unsure |= tried.answer == PLACE_OPEN || tried.answer == PLACE_STOP;
    return tried.answer == PLACE_ACCEPTED;
}

/* Within such a part of the time. */
static struct place_few find_single(struct finding *f, double part)
{
    const struct clock_limit *clock = &f->asker->clock;
    for (; f->next < f->singles.count; f->next++) {
        if (clock->seconds > 0 && clock_seconds_since(&clock->start) > part * clock->seconds)
            break;
        const struct sketch_filling filling = filling_of(f->sketch, &f->singles.items[f->next]);
        if (try_one(f, &filling))
            return (struct place_few){filling, 1, !f->unsure, true};
    }
    return (struct place_few){.refused = !f->unsure && f->next == f->singles.count};
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

/* In so many places. */
static struct place_few find_alike(struct finding *f, uint32_t least, uint32_t most)
{
    for (size_t i = 0; i < f->singles.count && !clock_is_late(&f->asker->clock); i++) {
        struct place_few found = {.refused = false};
        found.count = make_everywhere(f->sketch, &f->singles.items[i], &found.filling);
        if (found.count >= least && found.count <= most && try_one(f, &found.filling))
            return found;
    }
    return (struct place_few){.refused = false};
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
static struct pair *list_pairs(const struct finding *f, size_t *count)
{
    const struct single *singles = f->singles.items;
    size_t all = f->singles.count;
    struct pair *pairs = ARENA_ARRAY(f->asker->arena, struct pair, all * all / 2 + 1);
    *count = 0;
    for (uint32_t i = 0; i < all; i++)
        for (uint32_t k = i + 1; k < all; k++)
            if (singles[i].choice != singles[k].choice)
                pairs[(*count)++] = (struct pair){singles[i].weight + singles[k].weight, i, k};
    qsort(pairs, *count, sizeof *pairs, by_pair);
    return pairs;
}

static struct place_few find_pair(struct finding *f)
{
    const struct place_few none = {.refused = false};
    const bool no_single = !f->unsure;
    uint64_t most = f->asker->count + MOST_TRIED_IN_PAIRS;
    size_t count;
    if (f->singles.count > MOST_PAIRED || clock_is_late(&f->asker->clock))
        return none;
    const struct pair *pairs = list_pairs(f, &count);
    double start = clock_seconds_since(&f->asker->clock.start),
           left = f->asker->clock.seconds - start;
    for (size_t i = 0; i < count; i++) {
        const struct single *one = &f->singles.items[pairs[i].one];
        const struct single *other = &f->singles.items[pairs[i].other];
        struct sketch_filling filling = filling_of(f->sketch, one);
        filling.value[other->choice] = (uint8_t)other->value;
        if (f->asker->count >= most ||
            (f->asker->clock.seconds > 0 &&
             clock_seconds_since(&f->asker->clock.start) - start > left / 2))
            return none;
        if (try_one(f, &filling))
            return (struct place_few){filling, 2, !f->unsure, no_single};
    }
    return (struct place_few){.refused = !f->unsure};
}

struct place_few place_few_find(struct place_asker *asker, place_refusals *boxes)
{
    struct finding f = {.asker = asker, .sketch = asker->question->sketch, .boxes = boxes};
    list_singles(asker->arena, f.sketch, &f.singles);
    struct place_few two = find_alike(&f, 2, 2), found = find_single(&f, 0.5);
    const bool all = f.next == f.singles.count;
    two.fewest = all && !f.unsure;
    if (!found.count && two.count)
        found = two;
    if (!found.count && all)
        found = find_pair(&f);
    if (!found.count && !found.refused)
        found = find_alike(&f, 3, UINT32_MAX);
    if (!found.count && !all)
        found = find_single(&f, 1);
    VEC_FREE(&f.singles);
    return found;
}
