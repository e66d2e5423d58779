/* The search for minimal points, against trying all: random products of random partial orders, some
 * points accepted, monotonically or not, some open; boxes are made as large as the truth allows, or
 * smaller. The expected points come from the definition, by loops over pairs. */
#include "unit.h"

#include "place/place_search.h"

#include <string.h>

enum { MOST_DIMENSIONS = 4, MOST_COUNT = 5, MOST_POINTS = 625 };

struct truth {
    struct place_space space;
    uint32_t counts[MOST_DIMENSIONS];
    uint64_t below[MOST_DIMENSIONS][MOST_COUNT];
    const uint64_t *rows[MOST_DIMENSIONS];
    enum place_answer answers[MOST_POINTS];
    uint32_t points, asked, random;
    uint32_t stop_after; /* questions */
    bool lies;           /* boxes reach beyond what is refused */
};

static uint32_t draw(struct truth *t, uint32_t below)
{
    t->random = t->random * 1664525u + 1013904223u;
    return (t->random >> 8) % below;
}

static void point_of(const struct truth *t, uint32_t number, uint8_t *point)
{
    for (uint32_t d = t->space.dimensions; d-- > 0; number /= t->counts[d])
        point[d] = (uint8_t)(number % t->counts[d]);
}

static uint32_t number_of(const struct truth *t, const uint8_t *point)
{
    uint32_t number = 0;
    for (uint32_t d = 0; d < t->space.dimensions; d++)
        number = number * t->counts[d] + point[d];
    return number;
}

/* Each value is above some of the smaller ones, and all that is below these. */
static void make_space(struct truth *t)
{
    t->space = (struct place_space){
        .dimensions = 1 + draw(t, MOST_DIMENSIONS), .counts = t->counts, .below = t->rows};
    t->points = 1;
    for (uint32_t d = 0; d < t->space.dimensions; d++) {
        t->rows[d] = t->below[d];
        t->counts[d] = 1 + draw(t, MOST_COUNT);
        t->points *= t->counts[d];
        for (uint32_t v = 0; v < t->counts[d]; v++) {
            t->below[d][v] = 0;
            for (uint32_t u = 0; u < v; u++)
                if (draw(t, 3))
                    t->below[d][v] |= t->below[d][u] | UINT64_C(1) << u;
        }
    }
}

static bool is_below(const struct truth *t, uint32_t a, uint32_t b)
{
    uint8_t p[MOST_DIMENSIONS], q[MOST_DIMENSIONS];
    point_of(t, a, p);
    point_of(t, b, q);
    for (uint32_t d = 0; d < t->space.dimensions; d++)
        if (p[d] != q[d] && !(t->below[d][q[d]] >> p[d] & 1))
            return false;
    return true;
}

static void make_answers(struct truth *t, bool monotone, bool some_open)
{
    uint32_t rare = 2 + draw(t, 8);
    for (uint32_t i = 0; i < t->points; i++) {
        t->answers[i] = draw(t, rare) ? PLACE_REFUSED : PLACE_ACCEPTED;
        if (some_open && !draw(t, 8))
            t->answers[i] = PLACE_OPEN;
        for (uint32_t j = 0; j < i && monotone; j++)
            if (t->answers[j] == PLACE_ACCEPTED && is_below(t, j, i))
                t->answers[i] = PLACE_ACCEPTED;
    }
}

static bool holds(const struct truth *t, const uint64_t *box, uint32_t number)
{
    uint8_t point[MOST_DIMENSIONS];
    point_of(t, number, point);
    for (uint32_t d = 0; d < t->space.dimensions; d++)
        if (!(box[d] >> point[d] & 1))
            return false;
    return true;
}

static bool is_refused(const struct truth *t, const uint64_t *box)
{
    for (uint32_t i = 0; i < t->points; i++)
        if (t->answers[i] != PLACE_REFUSED && holds(t, box, i))
            return false;
    return true;
}

static enum place_answer ask(void *context, const uint8_t *point, uint64_t *box)
{
    struct truth *t = context;
    enum place_answer answer = t->answers[number_of(t, point)];
    if (t->asked++ == t->stop_after)
        return PLACE_STOP;
    for (uint32_t d = 0; d < t->space.dimensions; d++)
        CU_ASSERT_EQUAL(box[d], UINT64_C(1) << point[d]);
    for (uint32_t tries = draw(t, 12); answer == PLACE_REFUSED && tries > 0; tries--) {
        uint32_t d = draw(t, t->space.dimensions);
        uint64_t was = box[d];
        box[d] |= UINT64_C(1) << draw(t, t->counts[d]);
        if (!t->lies && !is_refused(t, box))
            box[d] = was;
    }
    return answer;
}

/* Nothing else that is accepted lies below. */
static bool is_minimal(const struct truth *t, uint32_t number)
{
    for (uint32_t i = 0; i < t->points; i++)
        if (i != number && t->answers[i] == PLACE_ACCEPTED && is_below(t, i, number))
            return false;
    return t->answers[number] == PLACE_ACCEPTED;
}

static bool is_listed(const struct truth *t, const uint8_t *points, size_t length, uint32_t number)
{
    for (size_t i = 0; i < length; i += t->space.dimensions)
        if (number_of(t, points + i) == number)
            return true;
    return false;
}

/* How many points are listed wrongly, or not at all. */
static uint32_t differences(const struct truth *t, const struct place_found *found)
{
    uint32_t wrong = 0, count = 0;
    for (uint32_t i = 0; i < t->points; i++) {
        bool minimal = is_minimal(t, i);
        count += minimal;
        wrong += is_listed(t, found->accepted.items, found->accepted.count, i) != minimal;
    }
    return wrong + (found->accepted.count != (size_t)count * t->space.dimensions);
}

static void finds_what_trying_all_finds(void)
{
    struct truth t = {.random = 1, .stop_after = UINT32_MAX};
    for (uint32_t i = 0; i < 600; i++) {
        struct place_found found;
        make_space(&t);
        make_answers(&t, i % 3 == 0, i % 3 == 1);
        place_search(&t.space, ask, &t, &found);
        CU_ASSERT_TRUE(found.complete);
        CU_ASSERT_EQUAL(differences(&t, &found), 0);
        /* Open are those that nothing accepted lies below. */
        for (uint32_t k = 0; k < t.points; k++) {
            bool free = t.answers[k] == PLACE_OPEN;
            for (uint32_t j = 0; j < t.points; j++)
                free = free && !(t.answers[j] == PLACE_ACCEPTED && is_below(&t, j, k));
            CU_ASSERT_EQUAL(is_listed(&t, found.open.items, found.open.count, k), free);
        }
        place_found_fini(&found);
    }
}

/* ---- Balances ---- */

enum { MOST_TERMS = 6 };

static bool is_balanced(const struct place_balance *balance, const uint8_t *point)
{
    int32_t sum = balance->excess;
    for (uint32_t k = 0; k < balance->count; k++)
        if (balance->terms[k].counted >> point[balance->terms[k].dimension] & 1)
            sum += balance->terms[k].other ? -1 : 1;
    return sum == 0;
}

/* Terms of dimensions that ascend, some of them twice in a row. */
static void make_balance(struct truth *t, struct place_term *terms, struct place_balance *balance)
{
    *balance = (struct place_balance){.terms = terms, .excess = (int32_t)draw(t, 3) - 1};
    for (uint32_t d = 0; d < t->space.dimensions; d++)
        for (uint32_t n = draw(t, 3); n > 0 && balance->count < MOST_TERMS; n--) {
            struct place_term *term = &terms[balance->count++];
            *term = (struct place_term){d, draw(t, 1U << t->counts[d]), draw(t, 2)};
            balance->others += term->other;
        }
}

/* Points out of balance are refused, and nobody is asked about them: there are no more questions
 * than points in balance. */
static void balances_are_refused_without_a_question(void)
{
    struct truth t = {.random = 4, .stop_after = UINT32_MAX};
    uint32_t refused = 0;
    for (uint32_t i = 0; i < 600; i++) {
        struct place_term terms[2][MOST_TERMS];
        struct place_balance balances[2];
        struct place_found found;
        uint32_t open = 0;
        make_space(&t);
        make_answers(&t, false, i % 3 == 1);
        t.space.balances = balances;
        t.space.balance_count = 1 + i % 2;
        for (uint32_t b = 0; b < t.space.balance_count; b++)
            make_balance(&t, terms[b], &balances[b]);
        for (uint32_t k = 0; k < t.points; k++) {
            uint8_t point[MOST_DIMENSIONS];
            bool balanced = true;
            point_of(&t, k, point);
            for (uint32_t b = 0; b < t.space.balance_count; b++)
                balanced = balanced && (is_balanced(&balances[b], point) || !balances[b].count);
            refused += !balanced;
            open += balanced;
            if (!balanced)
                t.answers[k] = PLACE_REFUSED;
        }
        t.asked = 0;
        place_search(&t.space, ask, &t, &found);
        CU_ASSERT_TRUE(found.complete);
        CU_ASSERT_EQUAL(differences(&t, &found), 0);
        CU_ASSERT_TRUE(found.asked <= open);
        place_found_fini(&found);
    }
    CU_ASSERT(refused > 1000);
}

static enum place_answer refuse(void *context, const uint8_t *point, uint64_t *box)
{
    (void)context, (void)point, (void)box;
    return PLACE_REFUSED;
}

/* Of n and n values as many of the one as of the other: the sum over k of (n over k)^2, which is
 * (2 n over n), so 252 of 1024 for 5, and 924 of 4096 for 6. */
static void costs_what_is_in_balance(void)
{
    static const uint64_t below[] = {0, 1};
    static const uint64_t *const rows[] = {below, below, below, below, below, below,
                                           below, below, below, below, below, below};
    uint32_t counts[12];
    struct place_term terms[12];
    for (uint32_t n = 5; n <= 6; n++) {
        struct place_found found;
        for (uint32_t d = 0; d < 2 * n; d++) {
            counts[d] = 2;
            terms[d] = (struct place_term){d, 2, d >= n};
        }
        const struct place_balance balance = {terms, 2 * n, n, 0};
        const struct place_space space = {.dimensions = 2 * n,
                                          .counts = counts,
                                          .below = rows,
                                          .balances = &balance,
                                          .balance_count = 1};
        place_search(&space, refuse, NULL, &found);
        CU_ASSERT_EQUAL(found.asked, n == 5 ? 252 : 924);
        place_found_fini(&found);
        /* One more of the one kind in any case: (2 n over n + 1). */
        const struct place_balance more = {terms, 2 * n, n, 1};
        struct place_space other = space;
        other.balances = &more;
        place_search(&other, refuse, NULL, &found);
        CU_ASSERT_EQUAL(found.asked, n == 5 ? 210 : 792);
        place_found_fini(&found);
    }
}

/* The comparison can fail: boxes that hold accepted points hide some. */
static void wrong_boxes_show(void)
{
    struct truth t = {.random = 2, .stop_after = UINT32_MAX, .lies = true};
    uint32_t shown = 0;
    for (uint32_t i = 0; i < 100; i++) {
        struct place_found found;
        make_space(&t);
        make_answers(&t, false, false);
        place_search(&t.space, ask, &t, &found);
        shown += differences(&t, &found) > 0;
        place_found_fini(&found);
    }
    CU_ASSERT(shown > 20);
}

static void stops_when_told(void)
{
    struct truth t = {.random = 3, .stop_after = 0};
    struct place_found found;
    make_space(&t);
    make_answers(&t, false, false);
    place_search(&t.space, ask, &t, &found);
    CU_ASSERT_FALSE(found.complete);
    CU_ASSERT_EQUAL(found.asked, 0);
    CU_ASSERT_EQUAL(found.accepted.count, 0);
    place_found_fini(&found);
}

/* A diamond: 3 above 1 and 2, which are above 0. */
static void next_below_leaves_out_what_is_below_others(void)
{
    static const uint64_t below[] = {0, 1, 1, 7};
    CU_ASSERT_EQUAL(place_next_below(below, 0), 0);
    CU_ASSERT_EQUAL(place_next_below(below, 1), 1);
    CU_ASSERT_EQUAL(place_next_below(below, 3), 6);
}

/* 40 dimensions of 8 values: each says "0 or 1 here or there", so questions follow the boxes. */
static enum place_answer ask_for_twos(void *context, const uint8_t *point, uint64_t *box)
{
    const uint32_t *counts = context;
    for (uint32_t d = 0; d < 40; d++)
        if (point[d] < 2) {
            for (uint32_t e = 0; e < 40; e++)
                box[e] = e == d ? 3 : place_all_values(counts[e]);
            return PLACE_REFUSED;
        }
    return PLACE_ACCEPTED;
}

static void costs_what_boxes_cost(void)
{
    uint32_t counts[40];
    uint64_t chain[8];
    const uint64_t *below[40];
    struct place_found found;
    for (uint32_t d = 0; d < 40; d++) {
        counts[d] = 8;
        below[d] = chain;
    }
    for (uint32_t v = 0; v < 8; v++)
        chain[v] = (UINT64_C(1) << v) - 1;
    struct place_space space = {.dimensions = 40, .counts = counts, .below = below};
    place_search(&space, ask_for_twos, counts, &found);
    CU_ASSERT_TRUE(found.complete);
    CU_ASSERT_EQUAL(found.asked, 41); /* a box for each dimension, and the point of twos */
    CU_ASSERT_EQUAL_FATAL(found.accepted.count, 40);
    CU_ASSERT_EQUAL(found.accepted.items[39], 2);
    place_found_fini(&found);
    /* With a clock that has run out nothing is asked, and nothing is known. */
    const struct clock_limit late = clock_limit_in(1e-9);
    space.clock = &late;
    place_search(&space, ask_for_twos, counts, &found);
    CU_ASSERT_FALSE(found.complete);
    CU_ASSERT_EQUAL(found.asked, 0);
    place_found_fini(&found);
}

void suite_place_search(void)
{
    CU_pSuite suite = CU_add_suite("place_search", NULL, NULL);
    UNIT_TEST(suite, finds_what_trying_all_finds);
    UNIT_TEST(suite, balances_are_refused_without_a_question);
    UNIT_TEST(suite, costs_what_is_in_balance);
    UNIT_TEST(suite, wrong_boxes_show);
    UNIT_TEST(suite, stops_when_told);
    UNIT_TEST(suite, next_below_leaves_out_what_is_below_others);
    UNIT_TEST(suite, costs_what_boxes_cost);
}
