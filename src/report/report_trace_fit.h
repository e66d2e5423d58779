/* report_trace_fit: the table of a run, made as narrow as a terminal.
 *
 * First the column of statements is shortened. Where that is not enough the table is folded where
 * its parts begin: below each other stand tables, each with some of the parts, behind the first of
 * the steps alone that change them. Characters that are cut off are told by `..`.
 */
#ifndef CRASHLIT_REPORT_TRACE_FIT_H
#define CRASHLIT_REPORT_TRACE_FIT_H

#include "base/strbuf.h"

enum { REPORT_TRACE_NARROWEST = 40 };

/* `table` is what report_trace_table writes; a number of columns below the narrowest is that, and 0
 * is any number. */
void report_trace_fit(const char *table, size_t columns, struct strbuf *out);

#endif
