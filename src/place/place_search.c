/* place_search: see the header. */
#include "place/place_search.h"

#include "base/bits.h"

static bool is_at_most(const struct place_space *space, uint32_t d, uint32_t a, uint32_t b)
{
    return a == b || (space->below[d][b] >> a & 1);
}

bool place_is_below(const struct place_space *space, const uint8_t *a, const uint8_t *b)
{
    for (uint32_t d = 0; d < space->dimensions; d++)
        if (!is_at_most(space, d, a[d], b[d]))
            return false;
    return true;
}

uint64_t place_next_below(const uint64_t *below, uint32_t v)
{
    uint64_t next = below[v];
    BITS_EACH_IN_WORD (u, below[v])
        next &= ~below[u];
    return next;
}

static void make_point_box(const struct place_space *space, const uint8_t *point, uint64_t *box)
{
    for (uint32_t d = 0; d < space->dimensions; d++)
        box[d] = UINT64_C(1) << point[d];
}

/* What is pointwise greater, and the point itself. */
static void make_upper_box(const struct place_space *space, const uint8_t *point, uint64_t *box)
{
    for (uint32_t d = 0; d < space->dimensions; d++) {
        box[d] = 0;
        for (uint32_t v = 0; v < space->counts[d]; v++)
            box[d] |= (uint64_t)is_at_most(space, d, point[d], v) << v;
    }
}

void place_search(const struct place_space *space, place_ask *ask, void *context,
                  struct place_found *found)
{
    uint64_t *box = base_realloc(NULL, space->dimensions * sizeof *box);
    uint8_t *point = base_realloc(NULL, space->dimensions);
    enum place_answer answer = PLACE_OPEN;
    struct place_cover cover;
    *found = (struct place_found){.complete = false};
    place_cover_init(&cover, space->dimensions, space->counts);
    cover.clock = space->clock;
    while (answer != PLACE_STOP && place_cover_next(&cover, point)) {
        make_point_box(space, point, box);
        answer = ask(context, point, box);
        found->asked += answer != PLACE_STOP;
        found->boxes += answer == PLACE_REFUSED;
        if (answer == PLACE_ACCEPTED)
            make_upper_box(space, point, box);
        for (uint32_t d = 0; d < space->dimensions && answer == PLACE_ACCEPTED; d++)
            VEC_PUSH(&found->accepted, point[d]);
        for (uint32_t d = 0; d < space->dimensions && answer == PLACE_OPEN; d++)
            VEC_PUSH(&found->open, point[d]);
        if (answer != PLACE_STOP)
            place_cover_add(&cover, box);
    }
    found->complete = answer != PLACE_STOP && !cover.is_late;
    place_cover_fini(&cover);
    base_free(box);
    base_free(point);
}

void place_found_fini(struct place_found *found)
{
    VEC_FREE(&found->accepted);
    VEC_FREE(&found->open);
}
