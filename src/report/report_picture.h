/* report_picture: an execution drawn, as SVG of its own and as text for Graphviz.
 *
 * SVG: one element that refers to nothing outside of it and has no ids, so that several may stand
 * in one document. Colours are presentation attributes, for light paper; a page that wants others
 * has the classes: `picture`, `paper`, `event` with `init` and one of executed, durable, lost,
 * unexecuted, `edge` with one of po, rf, co, fr, sync, persist-before, durable-before,
 * durable-after, meet, mark, `scope`, `cut`, `halo`, `title`. Dot: one digraph, with a cluster for
 * each scope instance and the same rows.
 */
#ifndef CRASHLIT_REPORT_PICTURE_H
#define CRASHLIT_REPORT_PICTURE_H

#include "report/report_graph.h"

struct report_size {
    int width, height;
};

/* `attributes` go into the element, as ` x="1"`; "" for none. Its size is returned. */
struct report_size report_picture(const struct report_graph *graph, const char *attributes,
                                  struct strbuf *svg);
void report_dot(const struct report_graph *graph, struct strbuf *dot);
/* A graph that has nothing but this text. */
void report_dot_text(const char *text, struct strbuf *dot);

#endif
