/* run_given: the files of records that one command is given: no file twice, and no more than a user
 * allows.
 *
 * A file is known by what is in it. A copy counts as the file itself: records have times, so two
 * runs do not write the same. Ownership: the paths are the caller's.
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
    uint64_t digest;     /* of the lines of the file at hand; 0: it has none yet */
    size_t bytes;        /* of all lines */
    uint32_t memory_mib; /* the most of these; 0: no limit. The caller sets it before it reads. */
};

/* A line of the file at hand. False, and a fault, when it is more than the limit allows. */
bool run_given_line(struct run_given *given, const char *path, const struct strbuf *line,
                    struct diag *diag) __attribute__((warn_unused_result));
/* Its end. A fault when another one has the same lines. */
void run_given_end(struct run_given *given, const char *path, struct diag *diag);
void run_given_fini(struct run_given *given);

#endif
