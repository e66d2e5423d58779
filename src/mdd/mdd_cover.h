/* mdd_cover: a set of rows, read off as a product.
 *
 * A set is the product of factors, sets over columns of their own that know nothing of one another;
 * a factor is a union of boxes, each of which has some values for each column, in all combinations.
 * Boxes are as wide as they can be within the factor, less what earlier ones have already, where
 * leaving that out leaves a box. So they may overlap.
 */
#ifndef CRASHLIT_MDD_COVER_H
#define CRASHLIT_MDD_COVER_H

#include "mdd/mdd.h"

/* The values of one column of a box, ascending. */
struct mdd_values {
    const int64_t *items;
    uint32_t count;
};

struct mdd_factor {
    const uint32_t *columns; /* ascending */
    uint32_t width;
    const struct mdd_values *boxes; /* box by box, `width` of each, in the order of columns */
    uint32_t box_count;
    bool partial; /* there may be rows that no box has: a bound was met, on boxes or on work */
};

/* Factors ascend by their first columns, but that all columns which alone are a factor are one,
 * which comes first. */
struct mdd_cover {
    const struct mdd_factor *factors;
    uint32_t count;
};

/* Boxes of one factor. */
enum { MDD_MOST_BOXES = 1000 };

/* The set has a row. `follows` has the columns that say something only beside the column before
 * them, which stands on the level before: such a pair is one factor's, unless the first of the two
 * is a factor alone. NULL: none. Lives in the arena. */
struct mdd_cover mdd_cover(struct arena *arena, const struct mdd *store, mdd_node set,
                           const bool *follows);
/* How many rows a box has, in decimal digits. */
void mdd_box_count(const struct mdd_factor *factor, uint32_t box, struct strbuf *out);

#endif
