/* report_view: an answer as the reports have it that list findings: what is said of it, and where.
 *
 * It is made of an answer that is at hand, or read from its record (run_view.h). Both say the same,
 * so a record is all that such a report needs.
 *
 * Ownership: what it points to is the caller's. */
#ifndef CRASHLIT_REPORT_VIEW_H
#define CRASHLIT_REPORT_VIEW_H

#include "document/report_finding.h"

/* A picture that stands in a record. Whoever wrote the record: it is not to be trusted. */
struct report_drawn {
    const char *svg;
    const char *kind, *words; /* of the execution; "" for none */
};

struct report_view {
    const char *file; /* the test's source */
    const char *test, *title, *visibility, *persistency, *engine;
    const char *decided_by; /* NULL: by the engine */
    enum lit_verdict verdict, expected;
    bool known;                     /* that they are not the same */
    enum report_failing fails;      /* what else a run fails for */
    const struct span *expectation; /* NULL: no line expects anything */
    struct span head;               /* of the test */
    const char *doubt;              /* NULL: none */
    const char *reason;             /* why a property is answered so; NULL: there is none */
    const char *explanation;        /* of what is violated; NULL: none */
    const char *remarks;            /* lines about other engines; NULL: none */
    double seconds;
    const struct report_finding *findings;
    size_t finding_count;
    const struct report_drawn *drawn; /* of a record alone */
    size_t drawn_count;
};

/* Copies go to the arena; the rest is the test's. */
struct report_view report_view_of(struct arena *arena, const struct report_test *test);

/* ---- Lines about other engines ---- */

/* "agree", "were not compared" or "disagree" */
const char *report_accord_words(enum report_result result);
void report_accord_remark(enum report_result result, const char *details, struct strbuf *out);
/* Of an engine whose verdict is not the expected one. */
void report_verdict_remark(const char *engine, enum lit_verdict verdict, enum lit_verdict expected,
                           struct strbuf *out);

/* ---- The same as JSON ---- */

/* The fields of a record that reports are made of: title, line that expects something, findings,
 * explanation, accord of the engines, messages of the file. */
void report_json_view(const struct report_test *test, struct strbuf *out);
/* Appends a message about the file as an object. */
void report_json_message(const char *file, const struct report_fault *fault, struct strbuf *out);
/* Those of `diag` but notes. */
void report_json_messages(const char *file, const struct diag *diag, struct strbuf *out);
/* The field of such objects; nothing when there are none. */
void report_json_said(const char *messages, struct strbuf *out);

#endif
