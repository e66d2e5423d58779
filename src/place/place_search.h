/* place_search: counterexample-guided search for the minimal accepted points of a product of
 * partial orders.
 *
 * Nothing is concluded from one point about another but what the one who is asked says: a refusal
 * comes with a box of points that are refused for the same reason. No monotonicity is used: what
 * lies above an accepted point is not minimal, and that alone is why it is not asked about.
 *
 * Method: asked about is always a minimal one of the points that nothing excludes. If it is
 * accepted it is a minimal accepted point, for all that lies below it is excluded, and by boxes of
 * refused or open points: were it for lying above an accepted one, the point would lie there, too.
 *
 * A balance is no box, and n slots in each of two lists would make some 4^n of them. So the cover
 * has a further dimension behind each term, for the sum so far, and boxes that say what it is: what
 * is known of a sum is known of all the ways to come by it.
 *
 * Ownership: place_found_fini gives back what a search found. Cost: one question for each accepted
 * and open point, and one for each box.
 */
#ifndef CRASHLIT_PLACE_SEARCH_H
#define CRASHLIT_PLACE_SEARCH_H

#include "place/place_cover.h"

/* Of some points it is known beforehand that they are refused: those in which not as many values of
 * the one kind of terms count as of the other. In terms of dimensions, ascending. */
struct place_balance {
    const struct place_term {
        uint32_t dimension;
        uint64_t counted; /* values */
        bool other;       /* it is of the other kind */
    } * terms;
    uint32_t count, others; /* of these, the other kind's */
    int32_t excess;         /* of the one kind, whatever the point */
};

struct place_space {
    uint32_t dimensions;             /* at least 1 */
    const uint32_t *counts;          /* per dimension, as of a cover */
    const uint64_t *const *below;    /* per dimension and value the mask of the values strictly
                                        smaller: of a partial order along which values are numbered */
    const struct clock_limit *clock; /* NULL: none */
    const struct place_balance *balances;
    uint32_t balance_count;
};

/* OPEN: not known. STOP: a limit was met; the point is not answered. */
enum place_answer { PLACE_ACCEPTED, PLACE_REFUSED, PLACE_OPEN, PLACE_STOP };

/* `box` holds the point alone; of a refused one it may be made larger, by what is refused, too. */
typedef enum place_answer place_ask(void *context, const uint8_t *point, uint64_t *box);

struct place_found {
    VEC(uint8_t) accepted; /* `dimensions` values a point, in lexicographic order */
    VEC(uint8_t) open;     /* likewise; what lies above one of them may not be minimal */
    bool complete;         /* these are all */
    uint64_t asked, boxes; /* questions, those of them that were refused */
};

void place_search(const struct place_space *space, place_ask *ask, void *context,
                  struct place_found *found);
void place_found_fini(struct place_found *found);

/* The greatest of the values below `v`: those that no other stands between. */
uint64_t place_next_below(const uint64_t *below, uint32_t v);

#endif
