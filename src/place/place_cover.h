/* place_cover: boxes in a product of small sets, and the first point that none of them holds.
 *
 * A point has a value for each dimension; a box has a set of values for each and holds the points
 * whose values are all in these sets. The first point is that of the lexicographic order, dimension
 * 0 before the others. Where the values of each dimension are numbered along an order of theirs,
 * the first point outside of all boxes is also a minimal one of these, point by point.
 *
 * Method: geometric resolution. Descending dimension by dimension, each value at a dead end is
 * held by some box; what these have in common in the other dimensions, with all values of this one,
 * is a box that follows from them, and is kept. So nothing is found out twice, and the cost follows
 * the boxes, not the points. (As in Khamis, Ngo, Re, Rudra: Joins via Geometric Resolutions, PODS
 * 2015, section 4.)
 *
 * Ownership: a cover owns its boxes.
 */
#ifndef CRASHLIT_PLACE_COVER_H
#define CRASHLIT_PLACE_COVER_H

#include "base/clock.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { PLACE_MAX_VALUES = 64 }; /* of a dimension */

/* `dimensions` words a box: bit v for value v. */
typedef VEC(uint64_t) place_boxes;

struct place_cover {
    uint32_t dimensions;    /* at least 1 */
    const uint32_t *counts; /* per dimension its values, 1 to PLACE_MAX_VALUES; the caller's */
    place_boxes *boxes;     /* by how many dimensions decide; behind these they hold everything */
    uint64_t *stack;        /* a box for each depth of the search */
    uint64_t tried;         /* prefixes looked at, which is what the search costs */
    const struct clock_limit *clock; /* NULL: none */
    bool is_late;                    /* it ran out while a point was looked for */
};

/* `counts` must outlive the cover. */
void place_cover_init(struct place_cover *cover, uint32_t dimensions, const uint32_t *counts);
void place_cover_fini(struct place_cover *cover);
/* Boxes within it are forgotten. It is copied, and has a value of each dimension. */
void place_cover_add(struct place_cover *cover, const uint64_t *box);
/* The first point that no box holds; false: there is none, or it is late. */
bool place_cover_next(struct place_cover *cover, uint8_t *point);

static inline uint64_t place_all_values(uint32_t count)
{
    return count == PLACE_MAX_VALUES ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
}

#endif
