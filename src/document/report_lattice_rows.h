/* report_lattice_rows: where the boxes of a lattice's picture stand, and how its edges run.
 *
 * Rows are the ranks of classes, the containing ones above. An edge that passes over rows has a
 * place of its own in each of them, so that it runs between boxes: upright beside those of a row,
 * in a curve between two rows. Rows are ordered by the medians of what their members are joined to,
 * and members stand as near to the middle of that as the others let them.
 *
 * Units are pixels. A plan lives in the arena it is made in, and depends on the report alone.
 */
#ifndef CRASHLIT_REPORT_LATTICE_ROWS_H
#define CRASHLIT_REPORT_LATTICE_ROWS_H

#include "document/report_lattice.h"

enum { REPORT_LATTICE_LINE = 18, REPORT_LATTICE_PADDING = 10 };

/* The box of a class, or the place of an edge in a row that it passes. */
struct report_lattice_node {
    uint32_t class; /* UINT32_MAX: an edge's */
    uint32_t rank;
    int middle, width, height;
};

/* What joins two rows. */
struct report_lattice_link {
    uint32_t upper, lower; /* nodes */
    uint32_t edge;         /* those of one edge follow each other, from above */
};

/* From the top of its boxes to their bottom. */
struct report_lattice_row {
    int top, bottom;
};

struct report_lattice_plan {
    struct report_lattice_node *nodes; /* first of all classes, by their numbers */
    uint32_t node_count;
    struct report_lattice_link *links;
    uint32_t link_count;
    struct report_lattice_row *rows; /* per rank */
    uint32_t row_count;
    int width, height;
};

struct report_lattice_plan report_lattice_rows(struct arena *arena,
                                               const struct report_lattice *report);

/* ---- Parts of pictures (report_lattice_labels.c) ---- */

const struct report_lattice_row *report_lattice_row_of(const struct report_lattice_plan *plan,
                                                       uint32_t node);
/* Behind the last link of the edge that this one is of. */
uint32_t report_lattice_edge_end(const struct report_lattice_plan *plan, uint32_t link);

/* The number of a test, from 1, at an edge: the middle of its base line. */
struct report_lattice_label {
    uint32_t test;
    int x, y, width;
};
struct report_lattice_labels {
    struct report_lattice_label *items;
    uint32_t count;
};
/* In letters of that size, in the arena. */
struct report_lattice_labels report_lattice_labels(struct arena *arena,
                                                   const struct report_lattice *report,
                                                   const struct report_lattice_plan *plan,
                                                   int font);

#endif
