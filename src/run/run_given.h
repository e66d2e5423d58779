/* run_given: the record files given to one command: rejects duplicates, and more bytes than the
 * user allows.
 *
 * A file is identified by its content. A copy counts as the file itself: records have times, so two
 * runs never write the same. Ownership: the paths are the caller's. */
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
    uint64_t digest;     /* of the present file's lines; 0: it has none yet */
    size_t bytes;        /* of all lines */
    uint32_t memory_mib; /* the limit on `bytes`; 0: none. The caller sets it before reading */
};

/* Notes a line of the present file. False, with a fault, past the limit. */
bool run_given_line(struct run_given *given, const char *path, const struct strbuf *line,
                    struct diag *diag) __attribute__((warn_unused_result));
/* Ends the present file; a fault when another file has the same lines. */
void run_given_end(struct run_given *given, const char *path, struct diag *diag);
void run_given_fini(struct run_given *given);

#endif
