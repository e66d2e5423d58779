/* run_batch: all files of a run.
 *
 * Files are checked by --jobs worker processes, so that a crash, a limit of time or memory that is
 * not kept to, or an interrupt costs no other test's answer, and a test harms nobody; results are
 * printed in the order of the inputs whatever finished first.
 */
#ifndef CRASHLIT_RUN_BATCH_H
#define CRASHLIT_RUN_BATCH_H

#include "run/run_output.h"
#include "run/run_record.h"
#include "run/run_result.h"

/* What all files of a run have in common. */
struct run_surroundings {
    struct session_models *models;
    const struct run_records *earlier; /* what need not be answered again */
    struct session_parts parts;        /* who is told of parts of the work */
};

/* Prints to `out`, whose failures are the caller's to look at, and to standard error. 128 + the
 * signal when the run was interrupted. */
int run_batch_run(const struct run_plan *plan, struct run_output *out);

#endif
