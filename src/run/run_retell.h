/* run_retell: writes the reports of a run, of its records.
 *
 * A report says what the run itself would have written, but for its date, its command line and, where
 * the records are of several, its version. Formats that show more than findings
 * (report_format_lists) cannot be made so. A record without findings, as older versions wrote, is a
 * fault.
 *
 * Ownership: it owns what it keeps; run_retell_end releases it. */
#ifndef CRASHLIT_RUN_RETELL_H
#define CRASHLIT_RUN_RETELL_H

#include "run/run_output.h"
#include "run/run_record.h"
#include "run/run_result.h"
#include "document/report_brief.h"

struct run_retell {
    const struct run_plan *plan;
    struct run_reports *reports;
    struct run_output *out;
    struct diag *diag;
    /* Of the present file. */
    struct arena arena;
    bool is_open;
    const char *file, *test, *title, *version;
    const char *visibility, *persistency; /* of its last answer; NULL: it was none */
    struct run_result result;
    struct report_brief brief;
    VEC(const char *) said; /* messages */
    /* Of its present model pair. */
    struct report_view view; /* its first answer; test NULL: there is none */
    struct strbuf remarks;
    /* Of all. */
    uint64_t counts[RUN_COUNTS];
    enum run_status status;
    bool differs; /* as a result's */
    struct strbuf held;
    size_t refused; /* records */
};

/* `plan` says formats, version and inputs, and whether warnings fail. All must outlive it. False
 * after a fault: a report cannot be written. */
bool run_retell_begin(struct run_retell *retell, const struct run_plan *plan,
                      struct run_output *out, struct diag *diag)
    __attribute__((warn_unused_result));
/* Takes the next record, which is `known` to fail or not; those of a file come one behind the other. */
void run_retell_record(struct run_retell *retell, const struct run_record *record, bool known);
/* Ends all. What `diag` has by now is in the reports as faults of the run. Returns the status that the
 * run would have had by its policy, raised to `status`. */
enum run_status run_retell_end(struct run_retell *retell, enum run_status status,
                               struct strbuf *err);

#endif
