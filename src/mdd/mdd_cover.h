/* mdd_cover: writes a set of rows as a product of factors.
 *
 * The set is the product of its factors: sets over disjoint columns, independent of one another. A
 * factor is a union of boxes. A box has some values for each column, in all combinations. A box is
 * as wide as possible within the factor, less what earlier boxes have where the rest is a box. So
 * boxes may overlap. */
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
    const struct mdd_values *boxes; /* box by box, `width` for each, in the order of columns */
    uint32_t box_count;
    bool partial; /* rows may be missing: a bound on boxes or on work was met */
};

/* Factors ascend by their first columns. All columns that are factors alone form one factor, the
 * first. */
struct mdd_cover {
    const struct mdd_factor *factors;
    uint32_t count;
};

/* The most boxes of one factor. */
enum { MDD_MOST_BOXES = 1000 };

/* The set must have a row. `follows` marks columns that mean something only together with the
 * column before them, which stands on the level before. Such a pair is in one factor, unless the
 * first of the two is a factor alone. NULL: none. Lives in the arena. */
struct mdd_cover mdd_cover(struct arena *arena, const struct mdd *store, mdd_node set,
                           const bool *follows);
/* The number of a box's rows, in decimal digits. */
void mdd_box_count(const struct mdd_factor *factor, uint32_t box, struct strbuf *out);

#endif
