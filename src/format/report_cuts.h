/* report_cuts: an execution with all that a crash anywhere in it may leave (engine/cuts.h), as JSON
 * (docs/using/reports.md has the fields) and as tables of HTML. */
#ifndef CRASHLIT_REPORT_CUTS_H
#define CRASHLIT_REPORT_CUTS_H

#include "engine/cuts.h"
#include "answer/report_gallery.h"

/* One object, one line. `test` has program, model and crash mode, and may have the outcome. */
void report_cuts_json(const struct report_test *test, const struct report_execution *execution,
                      struct strbuf *out);
/* For readers without a script, with the record for those with one; nothing without cuts. */
void report_cuts_html(const struct report_test *test, const struct report_execution *execution,
                      struct strbuf *out);

#endif
