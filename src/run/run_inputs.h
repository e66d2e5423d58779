/* run_inputs: expands FILE, DIR and @LIST arguments to the files to check. */
#ifndef CRASHLIT_RUN_INPUTS_H
#define CRASHLIT_RUN_INPUTS_H

#include "base/diag.h"
#include "run/run_plan.h"

struct run_inputs {
    const char *const *paths; /* in the order given; folders sorted, depth first */
    size_t count;
    const char *const *links; /* those paths that are links */
    size_t link_count;
    const char *const *lists; /* all lists read, nested ones too */
    size_t list_count;
    struct run_named named; /* tests, before some were chosen */
    size_t left_out;        /* that were not chosen */
    size_t unread; /* number of lists and folders that could not be read or have no tests */
};

/* A folder stands for all *.litmus files in it and below. A list has one path a line, relative to
 * the list's folder; blank lines and lines starting with '#' are skipped. A name with '*', '?' or
 * '[' that is no file is a shell pattern. Errors are: a folder or list without tests; a path that
 * does not exist; unless the reach permits it (base/reach.h), a link below a folder that leads out
 * of it, and a link named *.litmus that leads to no such file. A path that leads back to itself is
 * read once. After errors everything found is still returned, but nothing where lists or patterns
 * name more than a run takes. Ends at once when a signal held by run_pool_hold_signals has come.
 * The choice is applied, then the shard; no test that is chosen is an error, a pattern that no test
 * has is a warning. */
struct run_inputs run_inputs_find(struct arena *arena, const struct run_arguments *arguments,
                                  const struct reach *reach, struct diag *diag);

#endif
