/* run_reports: the reports that a run writes beside, or instead of, text and JSON lines on
 * standard output: `--format NAME` of a document and `--format NAME=FILE`.
 *
 * Pieces may be built by any thread; everything else is for one.
 */
#ifndef CRASHLIT_RUN_REPORTS_H
#define CRASHLIT_RUN_REPORTS_H

#include "format/report_sink.h"
#include "run/run_output.h"
#include "run/run_plan.h"

struct run_reports;

/* What one input contributes to each report. A zeroed one belongs to a run without any. */
struct run_pieces {
    struct report_piece *items[RUN_MAX_REPORTS];
    uint32_t count;
};

void run_pieces_init(struct run_pieces *pieces, const struct run_plan *plan, const char *path);
void run_pieces_fini(struct run_pieces *pieces);
/* What each piece gets, as report_sink.h has it, by a function of that name: X(what, type). */
#define RUN_PIECES(X)                       \
    X(test, const struct report_test *)     \
    X(faults, const struct diag *)          \
    X(unread, size_t)                       \
    X(fault, const struct report_fault *)   \
    X(accord, const struct report_accord *) \
    X(end, const struct lit_program *)
#define X(what, type) void run_pieces_##what(struct run_pieces *pieces, type value);
RUN_PIECES(X)
#undef X

/* Whether some report shows executions, so that they have to be kept. */
bool run_reports_show_executions(const struct run_report *reports, uint32_t count);

/* Whether some shows their cuts. */
bool run_reports_show_cuts(const struct run_report *reports, uint32_t count);

/* Whether some tells how they come about. */
bool run_reports_tell_reasons(const struct run_report *reports, uint32_t count);

/* Further files that the run reads, besides those that the plan names: no report takes their place.
 */
void run_reports_note(struct run_reports *reports, const char *const *paths, size_t count);
/* Opens the files and begins the documents; a report whose path ends in '/' gets a file for each
 * input in that folder, which is made (run_folder.h); those without a file go to `standard`, which
 * with `plan` must outlive the reports. A file that cannot be written, that the run reads (a
 * named input, model or machine, the records of --resume), that is called as a test, model or
 * machine, or that two reports share is a fault, and NULL is returned. What is there is replaced
 * when the report is whole.
 */
struct run_reports *run_reports_open(const struct run_plan *plan, struct run_output *standard,
                                     struct diag *diag);
/* The same of files that somebody else writes, before they are opened: false after reporting one
 * that takes the place of what the run reads, is called as that, or is named twice. */
bool run_reports_are_apart(const struct run_plan *plan, struct diag *diag)
    __attribute__((warn_unused_result));
void run_reports_add(struct run_reports *reports, const struct run_pieces *pieces);
/* The run was stopped before its end, and the reports are to say so. */
void run_reports_interrupt(struct run_reports *reports);
/* Ends and releases. `status` is the one to leave with. False when some file could not be written
 * whole, of which messages are appended to `err`; standard output is its owner's to look at. */
bool run_reports_close(struct run_reports *reports, int status, struct strbuf *err)
    __attribute__((warn_unused_result));

#endif
