/* report_picture_parts: the parts of pictures of executions. Private to report_picture and
 * report_slide. */
#ifndef CRASHLIT_REPORT_PICTURE_PARTS_H
#define CRASHLIT_REPORT_PICTURE_PARTS_H

#include "picture/report_layout.h"
#include "picture/report_picture.h"

#define REPORT_FONT "DejaVu Sans Mono, Liberation Mono, Menlo, Consolas, monospace"

struct drawing {
    struct arena *arena;
    const struct report_graph *graph;
    const struct report_metrics *metrics;
    const struct report_layout *layout;
    struct strbuf *out;
};

void report_picture_text(const struct drawing *d, const char *attributes, int x, int y,
                         const char *text);
void report_picture_box(struct strbuf *out, const struct report_box *box, enum report_fate fate,
                        bool init, bool nvm);
/* Ends the element of a path. */
void report_picture_stroke(struct strbuf *out, const struct report_stroke *stroke);
/* Begins the element, which scales its contents to another size if asked, and draws its paper. */
void report_picture_open(const struct drawing *d, struct report_size size, struct report_size page,
                         const char *attributes);

/* Draws the execution at the places of the layout. */
void report_picture_execution(const struct drawing *d);

/* Draws the legend of boxes, keyed edges and tags in lines within `area`, whose height is ignored
 * (report_picture_legend.c). Returns the height of the lines. Without `drawn` it only measures. */
int report_picture_legend(const struct drawing *d, struct report_box area, bool drawn);

/* Draws name, state, condition and note in lines from the upper left corner, each title with the
 * given size. "FORBIDDEN" precedes the name of an execution that the model excludes. Returns the
 * number of lines. `out` may be NULL. */
struct report_titles {
    int width, line, name_font, font;
};
uint32_t report_picture_titles(const struct report_graph *graph, const struct report_titles *titles,
                               struct strbuf *out);

/* report_slide.c: 1280 x 720, text of 18 pixels and more as far as the execution allows. */
struct report_size report_slide(const struct report_graph *graph, const char *attributes,
                                struct strbuf *svg);

#endif
