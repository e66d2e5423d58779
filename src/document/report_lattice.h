/* report_lattice: the order of models by what they allow, as a document and JSON lines.
 *
 * Plain data, made by who searched.
 */
#ifndef CRASHLIT_REPORT_LATTICE_H
#define CRASHLIT_REPORT_LATTICE_H

#include "document/report_document.h"
#include "document/report_survey.h"

struct report_lattice {
    const char *const *names; /* of models, without what all have in common */
    uint32_t model_count;
    const char *over;          /* "sc", or "" where names say it all */
    const char *const *titles; /* of models in pictures; NULL: names */
    const char *over_title;    /* likewise, of what all have in common */
    struct contrast_order order;
    const enum contrast_more *more; /* per ordered pair of models: has the first more? */
    const uint32_t *test_of;        /* the same: by which test, where it has */
    const char *const *doubts;      /* the same: why that is open, else NULL */
    const struct report_survey_test *tests;
    uint32_t test_count;
    const struct report_survey *survey;
};

/* JSON has a line for each test, one for each class, one for each ordered pair of models, one of
 * totals. */
extern const struct report_subject report_lattice;
/* One element; its size is returned. */
struct report_size report_lattice_picture(const void *report, enum report_sheet sheet,
                                          struct strbuf *out);

void report_lattice_tex(const void *report, struct strbuf *tex);

/* ---- Parts of these ---- */

/* The same with titles as names. */
struct report_lattice report_lattice_titled(const struct report_lattice *report);

/* As a slide, 1280 x 720, with the tests of its edges (report_lattice_slide.c). */
struct report_size report_lattice_slide(const struct report_lattice *report, struct strbuf *out);

/* Boxes and edges, numbers at edges with letters of that size; how large all of it is. */
struct report_size report_lattice_draw(const struct report_lattice *report, int label_font,
                                       struct strbuf *out);
/* The number of the test at an edge; UINT32_MAX: whether the upper end has more is not known. */
uint32_t report_lattice_edge_test(const struct report_lattice *report, uint32_t edge);
/* "2: x* | P0: st x; p_barrier.wi: crash state x = 0 /\ 0:ended = 1", of number 1. */
void report_lattice_test_line(const struct report_lattice *report, uint32_t number,
                              struct strbuf *out);

#endif
