/* report_picture: an execution drawn, as SVG of its own and as text for Graphviz.
 *
 * SVG: one element that refers to nothing outside of it and has no ids, so that several may stand
 * in one document. Colours are presentation attributes, for light paper; report_paint.h has those
 * for dark. A page that wants others has the classes: `picture`, `paper`, `event` with `init` and
 * what became of it, `edge` with its relation (report_paint.h), `hub` where an end stands for all
 * who meet, `line`, `tip`, `label`, `scope`, `cut`, `halo`, `glow`, `stamp`, `legend`, `title`.
 * Dot: one digraph, with a cluster for each scope instance and the same rows.
 */
#ifndef CRASHLIT_REPORT_PICTURE_H
#define CRASHLIT_REPORT_PICTURE_H

#include "picture/report_paint.h"

struct report_size {
    int width, height;
};

/* As large as it is, or 1280 x 720 with large letters. */
enum report_sheet { REPORT_SCREEN, REPORT_SLIDE };

/* `attributes` go into the element, as ` x="1"`; "" for none. Its size is returned. */
struct report_size report_picture(const struct report_graph *graph, enum report_sheet sheet,
                                  const char *attributes, struct strbuf *svg);
/* Begins an element that draws no execution, up to its paper; it ends with </svg>. */
void report_picture_sheet(const char *class, struct report_size size, struct report_size page,
                          struct strbuf *svg);
/* Begins a document that has such elements, with their colours on dark paper; it ends with </svg>.
 */
void report_picture_begin_document(struct report_size size, struct strbuf *out);
/* Words in place of a picture, on a slide; nothing is left out. */
struct report_size report_slide_words(const char *text, struct strbuf *svg);
void report_dot(const struct report_graph *graph, struct strbuf *dot);
/* A double-quoted string. Bytes that are no UTF-8 become U+FFFD, a line end ends a line that stands
 * left; what is too long is cut off. */
void report_dot_string(struct strbuf *out, const char *text);
/* A graph that has nothing but this text. */
void report_dot_text(const char *text, struct strbuf *dot);

#endif
