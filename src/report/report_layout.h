/* report_layout: where the parts of a drawn execution stand.
 *
 * Threads are columns, time goes down. Rows follow program order, rendezvous (members of one stand
 * side by side) and, where that is possible, reads-from. Whatever a crash came before stands below
 * all that had executed, so the cut is a level line. Initial writes stand on top.
 *
 * Edges leave and enter boxes at their sides and stay between the boxes: curves in the channel
 * between two columns, level lines between two rows for edges that pass over columns. So no edge
 * touches a box that it does not belong to. Labels stand on edges where they hide least.
 *
 * Units are pixels; a character of a label is REPORT_CHARACTER tenths of one wide.
 *
 * Ownership: a layout lives in the arena it is made in. It depends on the graph alone.
 * Cost: the square of the number of edges, times a constant, for labels.
 */
#ifndef CRASHLIT_REPORT_LAYOUT_H
#define CRASHLIT_REPORT_LAYOUT_H

#include "report/report_graph.h"

enum {
    REPORT_CHARACTER = 73,   /* tenths of a pixel, of a 12 pixel label */
    REPORT_ROUTE_POINTS = 10 /* at most */
};

struct report_point {
    int x, y;
};

struct report_box {
    int x, y, width, height;
};

/* A path: where it starts, then a cubic curve for each three points; a level or plumb line is a
 * curve, too. */
struct report_route {
    struct report_point points[REPORT_ROUTE_POINTS];
    uint32_t count;
    struct report_point label; /* the middle of the label's base line */
};

/* Threads in one instance of a scope, or of several with the same threads. */
struct report_scope_box {
    struct report_box box;
    const char *label; /* "device 0, kernel 0" */
};

struct report_layout {
    int width, height;
    struct report_box *events;   /* per event */
    uint32_t *rows;              /* per event */
    struct report_route *routes; /* per edge */
    struct report_scope_box *scopes;
    uint32_t scope_count;
    struct report_point *heads; /* per column: the middle of its name */
    int cut, left, right;       /* the level of the cut, with a crash; ends of the line */
};

struct report_layout *report_layout_new(struct arena *arena, const struct report_graph *graph);

/* Levels of scopes, from the device down; pictures have the last when some work-group has several
 * sub-groups. */
enum { REPORT_LEVELS = 4 };
/* Are two columns in one instance of the level's scope, and its name: "work-group 1". */
bool report_in_one(const struct report_graph *graph, uint32_t a, uint32_t b, uint32_t level);
void report_scope_name(const struct report_graph *graph, uint32_t column, uint32_t level,
                       struct strbuf *out);

/* How many boxes stand side by side at most: threads or, over few threads, initial writes. */
uint32_t report_layout_slots(const struct report_graph *graph);
/* Rows alone: initial writes first, the others from *first on. Per event; in `arena`. */
uint32_t *report_layout_rows(struct arena *arena, const struct report_graph *graph,
                             uint32_t *first);

#endif
