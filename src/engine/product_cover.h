/* product_cover: a set of rows, read off as a product.
 *
 * A set is the product of factors, sets over columns of their own that know nothing of one another;
 * a factor is a union of boxes, each of which has some values for each column, in all combinations.
 * Boxes are as wide as they can be within the factor, less what earlier ones have already, where
 * leaving that out leaves a box. So they may overlap.
 */
#ifndef CRASHLIT_PRODUCT_COVER_H
#define CRASHLIT_PRODUCT_COVER_H

#include "engine/product.h"

/* The values of one column of a box, ascending. */
struct product_values {
    const int64_t *items;
    uint32_t count;
};

struct product_factor {
    const uint32_t *columns; /* ascending */
    uint32_t width;
    const struct product_values *boxes; /* box by box, `width` of each, in the order of columns */
    uint32_t box_count;
    bool partial; /* there may be rows that no box has: a bound was met, on boxes or on work */
};

/* Factors ascend by their first columns, but that all columns which alone are a factor are one,
 * which comes first. */
struct product_cover {
    const struct product_factor *factors;
    uint32_t count;
};

/* Boxes of one factor. */
enum { PRODUCT_MOST_BOXES = 1000 };

/* The set has a row. `follows` has the columns that say something only beside the column before
 * them, which stands on the level before: such a pair is one factor's, unless the first of the two
 * is a factor alone. NULL: none. Lives in the arena. */
struct product_cover product_cover(struct arena *arena, const struct product *store,
                                   product_node set, const bool *follows);
/* How many rows a box has, in decimal digits. */
void product_box_count(const struct product_factor *factor, uint32_t box, struct strbuf *out);

#endif
