/* run_given: files of records that are given twice to one command, told by what is in them.
 *
 * A copy counts as the file itself: records have times, so two runs do not write the same.
 * Ownership: the paths are the caller's.
 */
#ifndef CRASHLIT_RUN_GIVEN_H
#define CRASHLIT_RUN_GIVEN_H

#include "base/diag.h"
#include "base/vec.h"

struct run_given_file {
    const char *path;
    uint64_t digest;
};

struct run_given {
    VEC(struct run_given_file) files;
    uint64_t digest; /* of the lines of the file at hand; 0: it has none yet */
};

/* A line of the file at hand. */
void run_given_line(struct run_given *given, const struct strbuf *line);
/* Its end. A fault when another one has the same lines. */
void run_given_end(struct run_given *given, const char *path, struct diag *diag);
void run_given_fini(struct run_given *given);

#endif
