/* run_batch: checks all files of a run.
 *
 * Worker processes (--jobs) check the files. So a crash, an exceeded limit of time or memory, or an
 * interrupt costs no other test's answer, and a test harms nobody. Results are printed in the order
 * of the inputs, whichever finished first. */
#ifndef CRASHLIT_RUN_BATCH_H
#define CRASHLIT_RUN_BATCH_H

#include "run/run_cache.h"
#include "run/run_frozen.h"
#include "run/run_output.h"
#include "run/run_record.h"
#include "run/run_result.h"

/* What all files of a run have in common. */
struct run_surroundings {
    struct session_models *models;
    const struct run_records *known;   /* failures that fail nothing; NULL: none */
    const struct run_limits *limits;   /* of some tests; NULL: none */
    const struct run_records *earlier; /* answers that need not be found again */
    const struct run_frozen *frozen;   /* what nothing may differ from; NULL: it may */
    const struct run_cache *cache;     /* answers that are kept; NULL: none are */
    struct session_parts parts;        /* the watcher of parts */
    int checker; /* a line to the checker of certificates (run_checker.h); -1: none */
};

/* Prints to `out`, whose failures the caller looks at, and to standard error. 128 + the signal if
 * the run was interrupted. */
int run_batch_run(const struct run_plan *plan, struct run_output *out);

#endif
