/* run_known: failures that are known, which are the records of an earlier run (`--known`).
 *
 * A failure is known when the records have one of the same test, model pair and engine, that was
 * asked the same (session_digest.h), with the same verdict and the same expectation, and all that fails
 * now fails there as well, in the same way: conditions, what is undefined, flags. Of several such
 * records the last counts. The texts of tests and models may be others: a failure is known until
 * somebody takes its record out. */
#ifndef CRASHLIT_RUN_KNOWN_H
#define CRASHLIT_RUN_KNOWN_H

#include "report/report.h"
#include "run/run_plan.h"
#include "run/run_record.h"

/* Reads the plan's file, if it names one. An empty one is of a team that has mended all; of one that is
 * cut off nobody knows what it was. False after faults. */
bool run_known_read(struct run_records *known, const struct run_plan *plan, struct diag *diag)
    __attribute__((warn_unused_result));
/* Is an answer known to fail so? One that is as expected, and known to fail, is told in `err`. */
bool run_known_answer(const struct run_records *known, const struct report_test *test,
                      struct strbuf *err);
/* The same of an answer that is a record itself. */
bool run_known_record(const struct run_records *known, const struct run_record *record,
                      struct strbuf *err);

#endif
