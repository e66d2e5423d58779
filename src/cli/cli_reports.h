/* cli_reports: the reports that a run writes beside, or instead of, text and JSON lines on
 * standard output: `--format NAME` of a document and `--format NAME=FILE`.
 *
 * Pieces may be built by any thread; everything else is for one.
 */
#ifndef CRASHLIT_CLI_REPORTS_H
#define CRASHLIT_CLI_REPORTS_H

#include "cli/cli_options.h"
#include "run/run_output.h"
#include "report/report_sink.h"

struct cli_reports;

/* What one input contributes to each report. A zeroed one belongs to a run without any. */
struct cli_pieces {
    struct report_piece *items[CLI_MAX_REPORTS];
    uint32_t count;
};

void cli_pieces_init(struct cli_pieces *pieces, const struct cli_options *options,
                     const char *path);
void cli_pieces_fini(struct cli_pieces *pieces);
void cli_pieces_test(struct cli_pieces *pieces, const struct report_test *test);
void cli_pieces_faults(struct cli_pieces *pieces, const struct diag *diag);
/* For the run as a whole: its faults are of so many files. */
void cli_pieces_unread(struct cli_pieces *pieces, size_t files);
/* One more fault: a model pair that could not be loaded. */
void cli_pieces_fault(struct cli_pieces *pieces, const struct report_fault *fault);
void cli_pieces_accord(struct cli_pieces *pieces, const struct report_accord *accord);
void cli_pieces_end(struct cli_pieces *pieces, const struct lit_program *program);

/* Whether some report shows executions, so that they have to be kept. */
bool cli_reports_show_executions(const struct cli_options *options);

/* Further files that the run reads, besides those that the options name: no report takes their place. */
void cli_reports_note(struct cli_reports *reports, const char *const *paths, size_t count);
/* Opens the files and begins the documents; a report whose path ends in '/' gets a file for each
 * input in that folder, which is made (run_folder.h); those without a file go to `standard`, which
 * with `options` must outlive the reports. A file that cannot be written, that the run reads (a
 * named input, model or machine, the records of --resume), that is called as a test, model or machine, or that two
 * reports share is a fault, and NULL is returned. What is there is replaced when the report is whole.
 */
struct cli_reports *cli_reports_open(const struct cli_options *options, const char *version,
                                     struct run_output *standard, struct diag *diag);
void cli_reports_add(struct cli_reports *reports, const struct cli_pieces *pieces);
/* The run was stopped before its end, and the reports are to say so. */
void cli_reports_interrupt(struct cli_reports *reports);
/* Ends and releases. `status` is the one to leave with. False when some file could not be written
 * whole, of which messages are appended to `err`; standard output is its owner's to look at. */
bool cli_reports_close(struct cli_reports *reports, int status, struct strbuf *err)
    __attribute__((warn_unused_result));

#endif
