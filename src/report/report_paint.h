/* report_paint: how pictures are painted: the strokes of edges, and colours on light and on dark
 * paper.
 *
 * No two relations differ by colour alone: each stroke has a pattern and a width of its own. What
 * is written or drawn in a colour has a contrast of 4.5 and more to its paper, light or dark.
 * Colours stand in pictures as attributes, for light paper; report_paint_style has those for dark.
 */
#ifndef CRASHLIT_REPORT_PAINT_H
#define CRASHLIT_REPORT_PAINT_H

#include "base/strbuf.h"

#include <stdint.h>

#define REPORT_INK "#1c2430"
#define REPORT_SOFT "#5b6675"
#define REPORT_PAPER "#ffffff"
#define REPORT_DARK_PAPER "#14181e"
#define REPORT_CUT "#b3261e"
#define REPORT_MARKED "#c4006f"

/* Attributes of words beside pictures. */
#define REPORT_WORDS_AS "font-family=\"monospace\" class=\"words\""
#define REPORT_WORDS "font-size=\"12\" " REPORT_WORDS_AS

struct report_stroke {
    const char *class;         /* in a picture, of its edges: "rf" */
    const char *colour, *dark; /* on light and on dark paper */
    const char *dash;          /* as stroke-dasharray has it; "": none */
    uint32_t tenths;           /* of a pixel, that it is wide */
    const char *dot;           /* for Graphviz, with a blank before it */
};

/* Strokes, those of kinds of edges first: X(identifier, class, colour, on dark paper, dash, tenths
 * of a pixel, for Graphviz). Colours are those that herd7 draws the same relations in, as far as it
 * has them. Of kinds the later ones lie above the earlier. */
#define REPORT_EDGES(X)                                                                           \
    X(PO, "po", "#2b3440", "#c3ccd6", "", 14, "")                                                 \
    X(MEET, "meet", "#5b6675", "#9aa6b5", "", 50, " penwidth=4")                                  \
    X(SHOWN, "shown", "#17692f", "#56c172", "12 3 2 3", 16, " style=dashed arrowhead=open")       \
    X(DURABLE, "durable-before", "#9c3a88", "#e58fd3", "6 4", 16, " style=dashed")                \
    X(AFTER, "durable-after", "#7a6000", "#d9bb45", "8 3 2 3 2 3", 16,                            \
      " style=dashed arrowhead=diamond")                                                          \
    X(PERSIST, "persist-before", "#7a3fd1", "#b794ff", "10 3", 26, " penwidth=2.5 arrowhead=vee") \
    X(CO, "co", "#1457d6", "#6ea0ff", "18 4", 16, " arrowhead=empty")                             \
    X(FR, "fr", "#a34f00", "#ffa94d", "2 3", 20, " style=dotted penwidth=2")                      \
    X(RF, "rf", "#c01f2b", "#ff7b7b", "", 26, " penwidth=2")                                      \
    X(WAIT, "waits-for", "#b3261e", "#ff8a80", "3 4", 30, " style=dotted penwidth=3")             \
    X(MARK, "mark", "#c4006f", "#ff6db6", "9 5", 36, " style=dashed penwidth=3.5")

/* Of what a model shows beside synchronisation: of dependencies, then names as they come. */
#define REPORT_SHOWN_STROKES(X)                                                                  \
    X(DEPENDS, "shown depends", "#4b0082", "#c39bff", "5 2 1 2", 16,                             \
      " style=dotted arrowhead=odiamond")                                                        \
    X(TURN0, "shown turn0", "#006b77", "#3fc3d1", "4 2", 16, " style=dashed arrowhead=dot")      \
    X(TURN1, "shown turn1", "#7a4f01", "#d6a45a", "9 2 2 2 2 2", 16,                             \
      " style=dashed arrowhead=odot")                                                            \
    X(TURN2, "shown turn2", "#4f5d00", "#b5c94d", "24 3", 16, " style=dashed arrowhead=box")     \
    X(TURN3, "shown turn3", "#475569", "#a3b2c8", "6 2 6 7", 16, " style=dashed arrowhead=obox") \
    X(TURN4, "shown turn4", "#7b2d6b", "#dd8fce", "3 3 9 3", 16, " style=dotted arrowhead=box")  \
    X(TURN5, "shown turn5", "#1e3a5f", "#8db6e8", "1 2", 16, " style=dotted arrowhead=obox")     \
    X(TURN6, "shown turn6", "#9a3412", "#f59f7a", "20 3 4 3", 16, " style=dashed arrowhead=tee")

/* Before a kind's class, for a shown relation that is drawn like it. */
#define REPORT_SHOWN_LIKE "shown like-"

enum report_stroke_number {
#define X(identifier, ...) REPORT_STROKE_##identifier,
    REPORT_EDGES(X) REPORT_SHOWN_STROKES(X)
#undef X
        REPORT_STROKE_COUNT
};

enum { REPORT_TURNS = REPORT_STROKE_COUNT - REPORT_STROKE_TURN0 };

extern const struct report_stroke report_strokes[REPORT_STROKE_COUNT];

/* Rules of a style sheet for pictures on dark paper; no '<' and no '&'. */
void report_paint_style(struct strbuf *out);
/* A <style> element with them, for a document of pictures alone, whose paper has the class
 * `ground`, and words between pictures `words`. */
void report_paint_document_style(struct strbuf *out);

#endif
