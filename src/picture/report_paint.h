/* report_paint: strokes of edges, and colours on light and on dark paper.
 *
 * No two relations differ by colour alone: each stroke has its own pattern and width. Every
 * coloured text or line has a contrast of at least 4.5 to its paper, light or dark. Pictures have
 * the colours for light paper as attributes; report_paint_style has those for dark paper.
 */
#ifndef CRASHLIT_REPORT_PAINT_H
#define CRASHLIT_REPORT_PAINT_H

#include "answer/report_graph.h"

#define REPORT_INK "#1c2430"
#define REPORT_SOFT "#5b6675"
#define REPORT_PAPER "#ffffff"
#define REPORT_DARK_PAPER "#14181e"
#define REPORT_CUT "#b3261e"
#define REPORT_MARKED "#c4006f"

/* Attributes of texts beside pictures. */
#define REPORT_WORDS_AS "font-family=\"monospace\" class=\"words\""
#define REPORT_WORDS "font-size=\"12\" " REPORT_WORDS_AS

struct report_stroke {
    const char *class;         /* in a picture, of its edges: "rf" */
    const char *shown;         /* the same, of what a model shows that is drawn like it */
    const char *colour, *dark; /* on light and on dark paper */
    const char *dash;          /* as stroke-dasharray has it; "": none */
    uint32_t tenths;           /* of a pixel, that it is wide */
    const char *dot;           /* for Graphviz, with a blank before it */
};

/* Behind those of kinds of edges: of dependencies that a model shows, and of other names. */
enum {
    REPORT_STROKE_DEPENDS = REPORT_EDGE_COUNT,
    REPORT_STROKE_TURNS,
    REPORT_STROKE_COUNT = REPORT_STROKE_TURNS + 7
};

extern const struct report_stroke report_strokes[REPORT_STROKE_COUNT];

const struct report_stroke *report_edge_stroke(const struct report_graph *graph,
                                               const struct report_edge *edge);
/* The class of all edges that a model shows, however they are drawn. */
const char *report_edge_class(const struct report_graph *graph, const struct report_edge *edge);

/* Style sheet rules for pictures on dark paper, without '<' and '&'. */
void report_paint_style(struct strbuf *out);
/* A <style> element with these rules, for a document of pictures alone. Its paper has the class
 * `ground`, and texts between pictures have the class `words`. */
void report_paint_document_style(struct strbuf *out);

#endif
