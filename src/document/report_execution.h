/* report_execution: executions of records (JSON): what happened as data, and, where that is asked
 * for, pictures. What the fields are is said in docs/using/reports.md. */
#ifndef CRASHLIT_REPORT_EXECUTION_H
#define CRASHLIT_REPORT_EXECUTION_H

#include "answer/report_gallery.h"

/* The field `executions`, of those that the test's gallery has; nothing where nobody asked for it.
 * `condition`: the place of the condition that all of them are about, LIT_NONE: each says its own.
 */
void report_json_executions(const struct report_test *test, uint32_t condition, struct strbuf *out);

#endif
