/* report_document: what a command answers, in whatever format: trees of sentences and figures
 * (report_tree.h), and its JSON record.
 *
 * A document may have several answers, one below the other.
 *
 *     report_document_begin(&document, shape, sheet);
 *     for each answer: report_document_add(&document, &subject, &answer);
 *     report_document_end(&document, &subject, &answer, &out);
 */
#ifndef CRASHLIT_REPORT_DOCUMENT_H
#define CRASHLIT_REPORT_DOCUMENT_H

#include "document/report_tree.h"

struct report_subject {
    const char *title;                                          /* of a page: "crashlit lattice" */
    void (*head)(const void *answer, struct report_tree *tree); /* at the top of a page */
    void (*body)(const void *answer, struct report_tree *tree);
    void (*json)(const void *answer, struct strbuf *out);
    /* Results; what stands before and behind them, of what the head is of. NULL: it has no SARIF. */
    void (*sarif)(const void *answer, struct strbuf *out);
    void (*sarif_begin)(const void *answer, struct strbuf *out);
    void (*sarif_end)(const void *answer, struct strbuf *out);
};

/* Bytes of Markdown behind what is answered, of the version. */
enum { REPORT_VERSION_MOST = 100 };

struct report_document {
    const struct report_shape *shape;
    struct report_paper paper;
};

/* The name of a format: "text", "json", "sarif", "html", "md", "svg", "dot", "tex". */
void report_document_begin(struct report_document *document, const char *shape,
                           enum report_sheet sheet);
/* Will figures be drawn in it? */
bool report_document_has_figures(const struct report_document *document);
void report_document_add(struct report_document *document, const struct report_subject *subject,
                         const void *answer);
/* Appends it and releases what the document has; `answer` is for the head, and of SARIF. */
void report_document_end(struct report_document *document, const struct report_subject *subject,
                         const void *answer, struct strbuf *out);

/* Appends one answer in that format, with nothing around it. */
void report_document_part(const char *shape, const struct report_subject *subject,
                          const void *answer, struct strbuf *out);

/* HTML up to what is in the page's header, which is open. */
void report_page_begin(const char *title, struct strbuf *out);

#endif
