/* Tags of single places: `tags{mc0} x, a[0 .. 6 : 2]`. */
#include "litmus/lit_lower.h"

static void tag_places(struct lit_location *locations, uint64_t tags, struct lit_places places)
{
    for (uint32_t i = 0; i < places.count; i++)
        locations[places.first + i].tags |= tags;
}

/* The elements from one to another, and their distance; false after reporting. */
struct elements {
    struct ast_number from, to, step;
};

static bool find_elements(struct lit_lower *lower, const struct ast_range *range,
                          struct elements *elements)
{
    elements->step = (struct ast_number){.value = 1};
    if (!lit_define_number(lower, range->from, &elements->from) ||
        !lit_define_number(lower, range->to, &elements->to) ||
        (range->step && !lit_define_number(lower, range->step, &elements->step)))
        return false;
    const bool rises =
        !elements->from.large && !elements->to.large && elements->from.value <= elements->to.value;
    if (elements->step.large || elements->step.value < 1)
        LIT_FAULT(lower, DIAG_LIT_NUMBER, range->step->span,
                  "expected how far the elements are apart, 1 or more");
    else if (!rises)
        LIT_FAULT(lower, DIAG_LIT_NUMBER, range->to->span,
                  "expected the last element, no smaller than the first one");
    return rises && !elements->step.large && elements->step.value >= 1;
}

/* Both the first and the last element have to be there, and so those between are. */
static void tag_range(struct lit_lower *lower, struct lit_location *locations, uint64_t tags,
                      const struct ast_range *range)
{
    struct elements elements;
    struct lit_places places, last;
    struct ast_atom place = range->place;
    if (!range->from) {
        if (lit_condition_places(lower, &place, &places))
            tag_places(locations, tags, places);
        return;
    }
    if (!find_elements(lower, range, &elements))
        return;
    place.number = elements.from;
    if (!lit_condition_places(lower, &place, &places))
        return;
    place.number.value =
        elements.to.value - (elements.to.value - elements.from.value) % elements.step.value;
    if (!lit_condition_places(lower, &place, &last))
        return;
    const uint64_t step = (uint64_t)elements.step.value * places.symbol->size;
    for (uint64_t first = places.first; first <= last.first; first += step)
        tag_places(locations, tags,
                   (struct lit_places){.first = (uint32_t)first, .count = places.count});
}

void lit_tagged_lower_all(struct lit_lower *lower, struct lit_location *locations)
{
    for (const struct ast_tagged *at = lower->test->tagged.first; at; at = at->next) {
        const uint64_t tags = lit_primitive_tags(lower, &at->tags);
        for (const struct ast_range *range = at->ranges.first; range; range = range->next)
            tag_range(lower, locations, tags, range);
    }
}
