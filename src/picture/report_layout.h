/* report_layout: the layout of a drawn execution: positions of boxes, edges and labels.
 *
 * Each thread is a column, and time goes down. Rows follow program order, rendezvous (the members
 * of one stand side by side) and, where possible, reads-from. Events that the crash came before
 * stand below all executed ones, so the cut is a level line. Initial writes stand on top.
 *
 * Edges leave and enter boxes at their sides and run between boxes: as curves in the channel
 * between two columns, or as level lines between two rows when they pass over columns. So no edge
 * touches a box that it does not belong to. A label stands on its edge where it hides least.
 *
 * Units are pixels. Metrics set the sizes of letters and the distances between boxes. Screens have
 * one set of metrics; slides have a tighter one with larger letters.
 *
 * Ownership: a layout lives in the arena it is made in. It depends on the graph alone.
 * Cost: the square of the number of edges, times a constant, for labels.
 */
#ifndef CRASHLIT_REPORT_LAYOUT_H
#define CRASHLIT_REPORT_LAYOUT_H

#include "answer/report_graph.h"

enum { REPORT_ROUTE_POINTS = 10 /* at most */ };

/* The base line of the program's text in the box of an event. */
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

/* The width of a text in pixels. */
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

/* A path: its start, then three points for each cubic curve. Straight lines are curves, too. */
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
/* The box that a label covers. */
struct report_box report_label_box(const char *label, int font, struct report_point middle);
/* Does a route pass through a box? */
bool report_route_meets(const struct report_route *route, const struct report_box *box);

/* The number of levels of scopes, from the device down. Pictures have the last level when some
 * work-group has several sub-groups. */
enum { REPORT_LEVELS = 4 };
/* Are two columns in the same instance of the level's scope? The second function names it:
 * "work-group 1". */
bool report_in_one(const struct report_graph *graph, uint32_t a, uint32_t b, uint32_t level);
void report_scope_name(const struct report_graph *graph, uint32_t column, uint32_t level,
                       struct strbuf *out);

/* The largest number of boxes side by side: threads, or initial writes above few threads. */
uint32_t report_layout_slots(const struct report_graph *graph);
/* Only the row of each event: initial writes come first, the others from *first on. In `arena`. */
uint32_t *report_layout_rows(struct arena *arena, const struct report_graph *graph,
                             uint32_t *first);

#endif
