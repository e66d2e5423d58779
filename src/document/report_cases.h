/* report_cases: a certificate as a tree of cases that one can walk, as a document and as JSON: for
 * each choice of paths which choices are made, and what ends each way. */
#ifndef CRASHLIT_REPORT_CASES_H
#define CRASHLIT_REPORT_CASES_H

#include "certify/cases.h"
#include "document/report_document.h"

struct report_cases {
    struct report_test test;   /* program, model, verdict, models, crash mode */
    const struct cases *cases; /* NULL: there is no certificate */
    const char *lacks;         /* why */
};

extern const struct report_subject report_cases;

#endif
