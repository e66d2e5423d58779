/* report_layout_route: routes of edges between boxes. Private to report_layout. */
#ifndef CRASHLIT_REPORT_LAYOUT_ROUTE_H
#define CRASHLIT_REPORT_LAYOUT_ROUTE_H

#include "picture/report_layout.h"

enum way_kind {
    WAY_PLUMB,   /* down its column to the next event */
    WAY_ARC,     /* beside its column */
    WAY_CHANNEL, /* to the next column */
    WAY_LANE     /* over columns */
};

struct way {
    enum way_kind kind;
    bool from_right, to_right;   /* the sides at which it leaves and enters */
    uint32_t row, lane;          /* WAY_LANE: below this row, counted from above */
    uint32_t bulge;              /* WAY_ARC: counted from the box */
    uint32_t from_port, to_port; /* counted from above at their side */
};

/* Columns that share an instance of a scope, or of each scope from `level` up to but not including
 * `below`. */
struct scope {
    uint32_t begin, end, level, below, depth;
};

struct layout {
    struct arena *arena;
    const struct report_graph *graph;
    const struct report_metrics *metrics;
    struct report_layout *out;
    uint32_t slots, offset, first, row_count; /* columns, the first of threads; rows, the same */
    uint32_t *column;                         /* per event */
    uint32_t *ports[2];                       /* per event: edges at its left and right side */
    struct way *ways;                         /* per edge */
    uint32_t *lanes;                          /* per row: in the gap below it */
    struct scope *scopes;
    uint32_t scope_count, depth;
    int *row_y, *row_height, *lane_y;
    int *column_x, *column_width, *box_width, *channel_width, *label_width;
    int head_top, bottom, end_x;
};

/* Needs rows and columns; sets ways, ports and lanes. */
void report_layout_choose_ways(struct layout *layout);
/* Needs boxes; sets routes and where their labels stand. */
void report_layout_set_routes(struct layout *layout);
/* The distance of an arc from its column. */
int report_layout_reach(const struct way *way);
/* Places the labels (report_layout_label.c). All routes must be set. */
void report_layout_set_labels(struct layout *layout);
/* A point of a route; `at` from 0 to `of`. */
struct report_point report_route_point(const struct report_route *route, int at, int of);

#endif
