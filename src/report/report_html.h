/* report_html: the two halves of the HTML report, tests (report_html.c) and the page around them
 * (report_html_page.c). For these two files only. */
#ifndef CRASHLIT_REPORT_HTML_H
#define CRASHLIT_REPORT_HTML_H

#include "report/report_format.h"

/* The page has its table first, which is known last: what comes in between waits in a temporary
 * file, or in memory where none can be made. */
void report_html_open(struct report_sink *sink);
void report_html_add(struct report_sink *sink, struct report_piece *piece);
void report_html_close(struct report_sink *sink, int status);

/* A sign that tells expected from unexpected without colour. */
const char *report_html_glyph(enum lit_verdict verdict, enum lit_verdict expected);

#endif
