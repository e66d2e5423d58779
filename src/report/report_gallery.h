/* report_gallery: some executions of one test under one model pair, kept for reports that show
 * them. Witnesses are valid during the engine's callback only, so each is rendered right there.
 *
 * Kept are the first execution that decides each condition, and a few more, so memory is
 * bounded by the number of conditions.
 *
 * Ownership: a gallery owns its texts; report_gallery_fini releases them. A zeroed gallery is
 * empty and valid.
 */
#ifndef CRASHLIT_REPORT_GALLERY_H
#define CRASHLIT_REPORT_GALLERY_H

#include "report/report.h"

enum {
    REPORT_MAX_EXECUTIONS = 12, /* of one test under one model pair and engine */
    REPORT_OTHER_EXECUTIONS = 2 /* of these, such as decide no condition */
};

struct report_execution {
    char *state;   /* "key=1; val=0" */
    bool crash;    /* a crash state, else a final one */
    bool decides;  /* a condition */
    char *text;    /* as report_witness writes it */
    char *picture; /* an SVG element, NULL without */
};

struct report_gallery {
    VEC(struct report_execution) items; /* in the order they were found */
    uint64_t decided;                   /* conditions that have one, of the first 64 */
    uint32_t others;
};

void report_gallery_add(struct report_gallery *gallery, const struct engine_request *request,
                        const struct engine_witness *witness);
void report_gallery_fini(struct report_gallery *gallery);

/* The execution drawn, with its crash cut, as one self-contained SVG element that refers to
 * nothing outside of it and has no ids. Returns false and leaves `svg` alone when it is not drawn;
 * then the text is shown. */
bool report_picture(const struct engine_request *request, const struct engine_witness *witness,
                    struct strbuf *svg);

#endif
