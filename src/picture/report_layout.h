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
 * Units are pixels. How large what is written stands, and how far apart boxes are, is said by
 * metrics: those of screens, and tighter ones with larger letters for slides.
 *
 * Ownership: a layout lives in the arena it is made in. It depends on the graph alone.
 * Cost: the square of the number of edges, times a constant, for labels.
 */
#ifndef CRASHLIT_REPORT_LAYOUT_H
#define CRASHLIT_REPORT_LAYOUT_H

#include "answer/report_graph.h"

enum { REPORT_ROUTE_POINTS = 10 /* at most */ };

/* Where the program's text stands in the box of an event. */
enum report_source { REPORT_SOURCE_NONE, REPORT_SOURCE_BELOW, REPORT_SOURCE_BESIDE };

struct report_metrics {
    int font, source_font, label_font, scope_font; /* of events, their sources, edges, scopes */
    enum report_source source;
    bool brief;         /* scopes are called by their tags: "WG 0" */
    int most_source;    /* characters of it that are shown */
    int box, port;      /* height of a box, and for each edge at a side of it */
    int gap, lane;      /* between rows, and for each edge between them beyond the first */
    int channel, track; /* between columns, and for each edge between them */
    int head, scope;    /* the names of threads, the head of a scope box */
    int title;          /* room above everything */
};

extern const struct report_metrics report_metrics_screen;

/* How wide a text is, in pixels. */
int report_text_width(const char *text, int font);
/* An event's source as it is shown, shortened with "..."; in `arena`. */
const char *report_shown_source(struct arena *arena, const struct report_metrics *metrics,
                                const struct report_event *event);

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

struct report_layout *report_layout_new(struct arena *arena, const struct report_graph *graph,
                                        const struct report_metrics *metrics);
/* What a label covers. */
struct report_box report_label_box(const char *label, int font, struct report_point middle);
/* Does a route pass through a box? */
bool report_route_meets(const struct report_route *route, const struct report_box *box);

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
