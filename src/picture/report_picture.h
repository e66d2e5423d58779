/* report_picture: draws an execution, as SVG and as text for Graphviz.
 *
 * SVG: one element that refers to nothing outside of it and has no ids, so several may stand in one
 * document. Presentation attributes set the colours for light paper; report_paint.h has those for
 * dark paper. A page that wants other colours can use the classes: `picture`, `paper`, `event` with
 * `init` and what became of it, `edge` with its relation (report_paint.h), `hub` where an end
 * stands for all who meet, `line`, `tip`, `label`, `scope`, `cut`, `halo`, `glow`, `stamp`,
 * `legend`, `title`. Dot: one digraph, with a cluster for each scope instance and the same rows.
 */
#ifndef CRASHLIT_REPORT_PICTURE_H
#define CRASHLIT_REPORT_PICTURE_H

#include "picture/report_paint.h"

struct report_size {
    int width, height;
};

/* SCREEN: as large as the execution needs. SLIDE: 1280 x 720, with large letters. */
enum report_sheet { REPORT_SCREEN, REPORT_SLIDE };

/* Draws the execution. `attributes` go into the element, such as ` x="1"`; "" for none. Returns its
 * size. */
struct report_size report_picture(const struct report_graph *graph, enum report_sheet sheet,
                                  const char *attributes, struct strbuf *svg);
/* An element of another drawing, which is as large as said; a slide has it in a page of 16 to 9.
 * Returns its size. */
struct report_size report_picture_sheet(const char *class, enum report_sheet sheet,
                                        struct report_size drawing, const struct strbuf *body,
                                        struct strbuf *svg);
/* Begins a document of such elements, with their colours on dark paper. The caller ends it with
 * </svg>. */
void report_picture_begin_document(struct report_size size, struct strbuf *out);
/* A slide with a text in place of a picture. Nothing of the text is left out. */
struct report_size report_slide_words(const char *text, struct strbuf *svg);
void report_dot(const struct report_graph *graph, struct strbuf *dot);
/* Writes a double-quoted string. Bytes that are no UTF-8 become U+FFFD. Each line is aligned to the
 * left. A text that is too long is cut off. */
void report_dot_string(struct strbuf *out, const char *text);
/* A graph that consists of this text. */
void report_dot_text(const char *text, struct strbuf *dot);

#endif
