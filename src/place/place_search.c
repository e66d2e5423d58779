/* place_search: see the header. */
#include "place/place_search.h"

#include "base/bits.h"

static bool is_at_most(const struct place_space *space, uint32_t d, uint32_t a, uint32_t b)
{
    BASE_ASSERT(d < space->dimensions && a < space->counts[d] && b < space->counts[d]);
    return a == b || (space->below[d][b] >> a & 1);
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
    for (uint32_t d = 0; d < space->dimensions; d++) {
        BASE_ASSERT(point[d] < space->counts[d]);
        box[d] = UINT64_C(1) << point[d];
    }
}

/* The box of the point and all points above it. */
static void make_upper_box(const struct place_space *space, const uint8_t *point, uint64_t *box)
{
    for (uint32_t d = 0; d < space->dimensions; d++) {
        box[d] = 0;
        for (uint32_t v = 0; v < space->counts[d]; v++)
            box[d] |= (uint64_t)is_at_most(space, d, point[d], v) << v;
    }
}

/* ---- Balances ---- */

/* The dimensions of the cover: those of the space, and sums. */
struct laid_out {
    const struct place_space *space;
    uint32_t *counts; /* per dimension of the cover */
    uint32_t *own;    /* per dimension of the space: which it is there */
    uint32_t *sums;   /* per balance and term, one behind the other */
    uint32_t dimensions;
    uint64_t *box; /* of the cover */
    uint8_t *point;
};

/* A balance with more sums than a dimension may have values is left out. */
static bool is_counted(const struct place_balance *balance)
{
    return balance->count > 0 && balance->count < PLACE_MAX_VALUES;
}

static void lay_out(struct laid_out *l, const struct place_space *space)
{
    uint32_t most = space->dimensions;
    for (uint32_t b = 0; b < space->balance_count; b++)
        most += space->balances[b].count;
    *l = (struct laid_out){.space = space};
    l->counts = base_realloc(NULL, most * sizeof *l->counts);
    l->own = base_realloc(NULL, most * sizeof *l->own);
    l->sums = base_realloc(NULL, most * sizeof *l->sums);
    l->box = base_realloc(NULL, most * sizeof *l->box);
    l->point = base_realloc(NULL, most);
    for (uint32_t d = 0; d < space->dimensions; d++) {
        l->own[d] = l->dimensions;
        BASE_ASSERT(l->dimensions < most);
        l->counts[l->dimensions++] = space->counts[d];
        for (uint32_t b = 0, at = 0; b < space->balance_count; at += space->balances[b++].count)
            for (uint32_t k = 0; k < space->balances[b].count; k++)
                if (is_counted(&space->balances[b]) && space->balances[b].terms[k].dimension == d) {
                    l->sums[at + k] = l->dimensions;
                    l->counts[l->dimensions++] = space->balances[b].count + 1;
                }
    }
}

static void lay_out_fini(struct laid_out *l)
{
    base_free(l->counts);
    base_free(l->own);
    base_free(l->sums);
    base_free(l->box);
    base_free(l->point);
}

static void make_whole(const struct laid_out *l)
{
    for (uint32_t d = 0; d < l->dimensions; d++)
        l->box[d] = place_all_values(l->counts[d]);
}

/* Excludes all points with this sum before the term, a value that counts or not, and any other sum
 * behind the term than follows. */
static void say_sum(const struct laid_out *l, struct place_cover *cover,
                    const struct place_balance *balance, const uint32_t *sums, uint32_t k,
                    uint32_t before, bool counted)
{
    BASE_ASSERT(k < balance->count);
    const struct place_term *term = &balance->terms[k];
    BASE_ASSERT(term->dimension < l->space->dimensions);
    uint64_t all = place_all_values(l->space->counts[term->dimension]);
    uint64_t values = (counted ? term->counted : ~term->counted) & all;
    uint32_t sum = !counted ? before : term->other ? before - 1 : before + 1;
    make_whole(l);
    if (k > 0)
        l->box[sums[k - 1]] = UINT64_C(1) << before;
    l->box[l->own[term->dimension]] = values;
    if (sum <= balance->count) /* else no point has it */
        l->box[sums[k]] &= ~(UINT64_C(1) << sum);
    if (values)
        place_cover_add(cover, l->box);
}

/* Sums begin at the number of the other kind's terms, so that none is negative. */
static void add_balance(const struct laid_out *l, struct place_cover *cover,
                        const struct place_balance *balance, const uint32_t *sums)
{
    int64_t wanted = (int64_t)balance->others - balance->excess;
    for (uint32_t k = 0; k < balance->count; k++)
        for (uint32_t before = k ? 0 : balance->others;
             before <= (k ? balance->count : balance->others); before++) {
            say_sum(l, cover, balance, sums, k, before, false);
            say_sum(l, cover, balance, sums, k, before, true);
        }
    make_whole(l);
    if (wanted >= 0 && wanted <= balance->count)
        l->box[sums[balance->count - 1]] &= ~(UINT64_C(1) << wanted);
    place_cover_add(cover, l->box);
}

static void add_balances(const struct laid_out *l, struct place_cover *cover)
{
    const struct place_space *space = l->space;
    for (uint32_t b = 0, at = 0; b < space->balance_count; at += space->balances[b++].count)
        if (is_counted(&space->balances[b]))
            add_balance(l, cover, &space->balances[b], l->sums + at);
}

static bool next_point(const struct laid_out *l, struct place_cover *cover, uint8_t *point)
{
    bool found = place_cover_next(cover, l->point);
    for (uint32_t d = 0; d < l->space->dimensions; d++)
        point[d] = l->point[l->own[d]];
    return found;
}

static void add_box(const struct laid_out *l, struct place_cover *cover, const uint64_t *box)
{
    make_whole(l);
    for (uint32_t d = 0; d < l->space->dimensions; d++)
        l->box[l->own[d]] = box[d];
    place_cover_add(cover, l->box);
}

/* ---- The search ---- */

void place_search(const struct place_space *space, place_ask *ask, void *context,
                  struct place_found *found)
{
    uint64_t *box = base_realloc(NULL, space->dimensions * sizeof *box);
    uint8_t *point = base_realloc(NULL, space->dimensions);
    enum place_answer answer = PLACE_OPEN;
    struct place_cover cover;
    struct laid_out laid_out;
    *found = (struct place_found){.complete = false};
    lay_out(&laid_out, space);
    place_cover_init(&cover, laid_out.dimensions, laid_out.counts);
    cover.clock = space->clock;
    add_balances(&laid_out, &cover);
    while (answer != PLACE_STOP && next_point(&laid_out, &cover, point)) {
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
            add_box(&laid_out, &cover, box);
    }
    found->complete = answer != PLACE_STOP && !cover.is_late;
    place_cover_fini(&cover);
    lay_out_fini(&laid_out);
    base_free(box);
    base_free(point);
}

void place_found_fini(struct place_found *found)
{
    VEC_FREE(&found->accepted);
    VEC_FREE(&found->open);
}
