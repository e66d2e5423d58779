/* cli_place_write: the files that `place -o FOLDER/` writes.
 *
 * The worker, which knows the fillings, says by the names here what goes where; this process
 * finds the same names again and writes. Tests of all fillings lie side by side, each under its
 * input's name, further ones with a number (run_folder.h). Where definition files have holes too,
 * what belongs together has a folder of its own from the second filling on: FOLDER/2/.
 */
#ifndef CRASHLIT_CLI_PLACE_WRITE_H
#define CRASHLIT_CLI_PLACE_WRITE_H

#include "ask/ask_options.h"
#include "base/pack.h"
#include "sketch/changes.h"

/* Used in the worker. */
struct cli_place_written {
    struct arena *arena;
    const struct ask_options *options;
    const struct sketch *sketch;
    struct run_folder *names; /* for tests that lie side by side */
    struct strbuf files;      /* packed: filling, file, text of each */
    uint32_t fillings, count;
};

/* False after reporting that the files cannot lie in one folder under the names by which the tests
 * name them. */
bool cli_place_may_write(const struct ask_options *options, const struct sketch *sketch,
                         struct diag *diag) __attribute__((warn_unused_result));
/* Keeps one more filling's files, `changes` of each, and returns their paths by file. */
const char *const *cli_place_keep(struct cli_place_written *written, const struct changes *changes);
/* Appends the kept files for the other process, even if there are none. */
void cli_place_pack(struct cli_place_written *written, struct strbuf *out);

/* In the process that began the work: writes all files, or none if one would replace a file that
 * was read. */
void cli_place_write(const struct ask_options *options, struct unpack *from, struct diag *diag);

#endif
