/* Cache lines. Each location begins as a line of its own; what stands together in a `line` joins
 * lines, whose name is their first location. A line is in one memory.
 *
 * And units of persistence: 8 bytes, each at a multiple of these, unless a `unit` says otherwise. */
#include "litmus/lit_lower.h"

enum { USUAL_UNIT = 8, MOST_UNIT = 4096 };

static void join_lines(struct lit_lower *lower, struct lit_location *locations, uint32_t a,
                       uint32_t b)
{
    uint32_t first = locations[a].line, other = locations[b].line;
    if (first > other) {
        first = locations[b].line;
        other = locations[a].line;
    }
    for (uint32_t i = 0; first != other && i < lower->program->location_count; i++)
        if (locations[i].line == other)
            locations[i].line = first;
}

static void check_memory(struct lit_lower *lower, const struct lit_location *first,
                         const struct lit_location *other, struct span span)
{
    if (first->nvm != other->nvm)
        LIT_FAULT(lower, DIAG_LIT_SPACE, span,
                  "'%s' is nvm and '%s' is not; a cache line is in one memory",
                  first->nvm ? first->name : other->name, first->nvm ? other->name : first->name);
}

static void lower_together(struct lit_lower *lower, struct lit_location *locations,
                           const struct ast_line *line)
{
    uint32_t first = LIT_NONE;
    struct lit_places places;
    for (const struct ast_atom *at = line->places.first; at; at = at->next) {
        if (!lit_condition_places(lower, at, &places))
            continue;
        if (first == LIT_NONE)
            first = places.first;
        check_memory(lower, &locations[first], &locations[places.first], at->span);
        for (uint32_t i = 0; i < places.count; i++)
            join_lines(lower, locations, first, places.first + i);
    }
}

static void lower_in_parts(struct lit_lower *lower, struct lit_location *locations,
                           const struct ast_line *line)
{
    struct lit_places places;
    struct ast_number size;
    if (!lit_condition_places(lower, line->places.first, &places) ||
        !lit_define_number(lower, line->size, &size))
        return;
    const struct lit_symbol *symbol = places.symbol;
    uint32_t all = symbol->count * symbol->size;
    if (!symbol->array || places.count != all)
        LIT_FAULT(lower, DIAG_LIT_TYPE, line->places.first->span,
                  "expected an array, whose elements are to share lines; lines of single "
                  "locations are written 'line {x, y}'");
    else if (size.large || size.value < 1)
        LIT_FAULT(lower, DIAG_LIT_NUMBER, line->size->span,
                  "expected how many elements share a line, 1 or more");
    else
        for (uint32_t i = 0; i < all; i++) {
            uint64_t element = i / symbol->size, part = element - element % (uint64_t)size.value;
            join_lines(lower, locations, places.first + (uint32_t)part * symbol->size,
                       places.first + i);
        }
}

/* ---- Units ---- */

/* Locations of a symbol stand in the order of their offsets. */
static void split(const struct lit_symbol *symbol, uint32_t bytes, struct lit_location *locations)
{
    uint32_t first = symbol->first;
    uint64_t last = 0;
    for (uint32_t i = 0; i < symbol->count * symbol->size; i++) {
        const uint64_t offset = (uint64_t)(i / symbol->size) * lit_define_element_size(symbol) +
                                lit_define_member_offset(symbol, i % symbol->size);
        if (offset / bytes != last)
            first = symbol->first + i;
        last = offset / bytes;
        locations[symbol->first + i].unit = first;
    }
}

static void lower_unit(struct lit_lower *lower, struct lit_location *locations,
                       const struct ast_line *line)
{
    struct lit_places places;
    struct ast_number size;
    if (!lit_condition_places(lower, line->places.first, &places) ||
        !lit_define_number(lower, line->size, &size))
        return;
    if (size.large || size.value < 1 || size.value > MOST_UNIT || (size.value & (size.value - 1)))
        LIT_FAULT(lower, DIAG_LIT_NUMBER, line->size->span,
                  "expected how many bytes persist together, a power of two from 1 to %d",
                  MOST_UNIT);
    else if (places.count != places.symbol->count * places.symbol->size)
        LIT_FAULT(lower, DIAG_LIT_TYPE, line->places.first->span,
                  "expected a location as a whole, '%s', whose parts persist in units",
                  places.symbol->name);
    else
        split(places.symbol, (uint32_t)size.value, locations);
}

void lit_line_lower_all(struct lit_lower *lower, struct lit_location *locations)
{
    for (uint32_t i = 0; i < lower->program->location_count; i++)
        locations[i].line = i;
    EACH_IN (const struct lit_symbol, symbol, lower->symbols)
        split(symbol, USUAL_UNIT, locations);
    for (const struct ast_line *line = lower->test->lines.first; line; line = line->next)
        if (line->unit)
            lower_unit(lower, locations, line);
        else if (line->size)
            lower_in_parts(lower, locations, line);
        else
            lower_together(lower, locations, line);
}
