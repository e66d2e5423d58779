/* cli_inputs: from FILE, DIR and @LIST arguments to the files to check. */
#ifndef CRASHLIT_CLI_INPUTS_H
#define CRASHLIT_CLI_INPUTS_H

#include "cli/cli_options.h"

struct cli_inputs {
    const char *const *paths; /* in the order given; folders sorted, depth first */
    size_t count;
    const char *const *lists; /* that were read, also in lists */
    size_t list_count;
    size_t unread; /* lists and folders that could not be read or have no tests */
};

/* A folder stands for all its *.litmus files, also those of folders in it. A list has
 * one path a line, relative to the list's folder; blank lines and lines starting with
 * '#' are passed over. A name with '*', '?' or '[' that is no file is a pattern, as in a shell. A
 * folder or list without tests is an error, as is a path that does not exist; one that leads back to
 * itself is read once. So is a link below a folder that leads out of it, and a link that is called *.litmus and
 * leads to no such file, unless the options permit it (base/reach.h). Everything that could be found is returned all the same. The shard of
 * `options` has been applied. */
struct cli_inputs cli_inputs_find(struct arena *arena, const struct cli_options *options,
                                  struct diag *diag);

#endif
