/* report_tex: an execution as a picture of TikZ, for papers.
 *
 * A document of such pictures is compiled by itself, where each is a page, or is \input into
 * another that has \usepackage{tikz}. In it titles are not drawn, as a figure has a caption, unless
 * \crashlittitles is defined. Each part has a style, such as `crashlit rf`; one that is set before
 * stands. The layout is that of SVG on a screen, three quarters of a point for a pixel.
 */
#ifndef CRASHLIT_REPORT_TEX_H
#define CRASHLIT_REPORT_TEX_H

#include "picture/report_layout.h"
#include "picture/report_picture.h"

/* PICTURES: nothing else is in it. WORDS: text, tables and pictures. LISTINGS: no pictures. */
enum report_tex_pages { REPORT_TEX_PICTURES, REPORT_TEX_WORDS, REPORT_TEX_LISTINGS };

void report_tex_begin(enum report_tex_pages pages, struct strbuf *out);
void report_tex_end(struct strbuf *out);
void report_tex(const struct report_graph *graph, struct strbuf *out);
/* A text in place of a picture. */
void report_tex_words(const char *text, struct strbuf *out);

/* ---- Parts of other pictures ---- */

/* Begins a picture of that size in pixels, each so many hundredths of a point; words where LaTeX
 * has no room for it, and false. */
bool report_tex_begin_picture(struct report_size size, int hundredths, struct strbuf *out);
/* Ends it with a title, where titles are wanted; "": none. */
void report_tex_end_picture(const char *title, struct strbuf *out);
/* A text in lines of so many characters, in a node; no more than there is room for. */
void report_tex_lines(const char *text, size_t characters, struct strbuf *out);
/* With the style `crashlit STYLE`. */
void report_tex_node(const char *style, struct report_point at, const char *text,
                     struct strbuf *out);
/* Its sides moved inwards by so many pixels. */
void report_tex_box(const char *style, const struct report_box *box, int inset, struct strbuf *out);

#endif
