/* report_place_page: what place answers, as documents with pictures: one HTML page, one SVG, or
 * graphs for Graphviz.
 *
 * HTML has for each filling the program with the differences marked in it, and each choice with the
 * executions that refuse its next smaller values; then what stands against each other, and how many
 * there are. SVG and dot have these executions. All are drawn as `check` and `explain` draw theirs.
 *
 *     struct report_place_page page = {.kind = .., .version = .., .command = ..};
 *     for each model pair: report_place_page_add(&page, &report);
 *     report_place_page_end(&page, status, &out);
 */
#ifndef CRASHLIT_REPORT_PLACE_PAGE_H
#define CRASHLIT_REPORT_PLACE_PAGE_H

#include "report/report_picture.h"
#include "report/report_place.h"

enum report_place_kind { REPORT_PLACE_HTML, REPORT_PLACE_SVG, REPORT_PLACE_DOT };

struct report_place_page {
    enum report_place_kind kind;
    const char *version, *command;
    enum report_sheet sheet; /* SVG: of pictures */
    struct strbuf body;      /* so far */
    int width, height;       /* SVG: of that */
    uint32_t pairs;
};

void report_place_page_add(struct report_place_page *page, const struct report_place *report);
/* Appends the document and releases what the page has. */
void report_place_page_end(struct report_place_page *page, int status, struct strbuf *out);

/* HTML alone (report_place_html.c). */
void report_place_html_add(struct report_place_page *page, const struct report_place *report);
void report_place_html_begin(const struct report_place_page *page, int status, struct strbuf *out);
void report_place_html_end(struct strbuf *out);

#endif
