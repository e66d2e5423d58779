/* run_inputs: from FILE, DIR and @LIST arguments to the files to check. */
#ifndef CRASHLIT_RUN_INPUTS_H
#define CRASHLIT_RUN_INPUTS_H

#include "base/diag.h"
#include "run/run_plan.h"

struct run_inputs {
    const char *const *paths; /* in the order given; folders sorted, depth first */
    size_t count;
    const char *const *links; /* paths that are links themselves */
    size_t link_count;
    const char *const *lists; /* that were read, also in lists */
    size_t list_count;
    size_t unread; /* lists and folders that could not be read or have no tests */
};

/* A folder stands for all its *.litmus files, also those of folders in it. A list has
 * one path a line, relative to the list's folder; blank lines and lines starting with
 * '#' are passed over. A name with '*', '?' or '[' that is no file is a pattern, as in a shell. A
 * folder or list without tests is an error, as is a path that does not exist; one that leads back
 * to itself is read once. So is a link below a folder that leads out of it, and a link that is
 * called *.litmus and leads to no such file, unless the reach permits it (base/reach.h). Everything
 * that could be found is returned all the same, but nothing where lists or patterns name more than
 * a run takes. Ends at once when a signal has come that run_pool_hold_signals holds. The shard has
 * been applied.
 */
struct run_inputs run_inputs_find(struct arena *arena, const struct run_arguments *arguments,
                                  const struct reach *reach, struct diag *diag);

#endif
