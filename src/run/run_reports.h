/* run_reports: the reports that a run writes beside or instead of text and JSON lines on standard
 * output: `--format NAME` of a document and `--format NAME=FILE`.
 *
 * Any thread may build pieces; everything else is for one thread. */
#ifndef CRASHLIT_RUN_REPORTS_H
#define CRASHLIT_RUN_REPORTS_H

#include "format/report_sink.h"
#include "run/run_output.h"
#include "run/run_plan.h"

struct run_reports;

/* One input's contributions to the reports. All zero for a run without reports. */
struct run_pieces {
    struct report_piece *items[RUN_MAX_REPORTS];
    uint32_t count;
};

void run_pieces_init(struct run_pieces *pieces, const struct run_plan *plan, const char *path);
void run_pieces_fini(struct run_pieces *pieces);
/* The contents of a piece, as in report_sink.h, each added by a function of that name: X(what,
 * type). */
#define RUN_PIECES(X)                       \
    X(test, const struct report_test *)     \
    X(faults, const struct diag *)          \
    X(unread, size_t)                       \
    X(fault, const struct report_fault *)   \
    X(accord, const struct report_accord *) \
    X(line, const char *)                   \
    X(end, const struct lit_program *)
#define X(what, type) void run_pieces_##what(struct run_pieces *pieces, type value);
RUN_PIECES(X)
#undef X

void run_pieces_end_as(struct run_pieces *pieces, const char *test, const char *title,
                       const char *version);

/* A plan for so many files: html of many is another format (report_format_of_many). `written` is
 * what the reports of `to` are in. */
void run_reports_of_many(const struct run_plan *plan, size_t files, struct run_report *written,
                         struct run_plan *to);
/* Reports that were opened go by this plan, before anything is added. */
void run_reports_plan(struct run_reports *reports, const struct run_plan *plan);
/* Has some report's format the trait? What it shows has to be kept. */
bool run_reports_have(const struct run_report *reports, uint32_t count, enum report_trait trait);

/* Notes further files that the run reads, besides those that the plan names: no report may replace
 * them. */
void run_reports_note(struct run_reports *reports, const char *const *paths, size_t count);
/* Opens the files and begins the documents. A report whose path ends in '/' gets a file for each
 * input in that folder, which is made (run_folder.h), or html an index and parts. Reports without a file go to `standard`,
 * which with `plan` must outlive the reports. NULL after a fault: a file cannot be written; the run
 * reads it (a named input, model or machine, the records of --resume); its name is that of a test,
 * model or machine; or two reports share it. An existing file is replaced once the report is
 * whole. */
struct run_reports *run_reports_open(const struct run_plan *plan, struct run_output *standard,
                                     struct diag *diag);
/* The same check for files that others write, before they are opened: false after reporting a file
 * that would replace what the run reads, is named like that, or is named twice. */
bool run_reports_are_apart(const struct run_plan *plan, struct diag *diag)
    __attribute__((warn_unused_result));
void run_reports_add(struct run_reports *reports, const struct run_pieces *pieces);
/* Notes that the run was stopped early, so that the reports say so. */
void run_reports_interrupt(struct run_reports *reports);
/* Ends and releases the reports. `status` is the exit status. False when some file could not be
 * written whole; messages are appended to `err`. The owner of standard output looks at that. */
bool run_reports_close(struct run_reports *reports, int status, struct strbuf *err)
    __attribute__((warn_unused_result));

#endif
