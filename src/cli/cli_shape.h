/* cli_shape: tests of cycles, printed one behind the other or written as a suite (cli_suite.h).
 *
 * Workers make the tests, and this process writes. All go through the same cycles, each keeps one
 * in as many as there are workers, and what they kept is put together in the order of the cycles.
 */
#ifndef CRASHLIT_CLI_SHAPE_H
#define CRASHLIT_CLI_SHAPE_H

#include "ask/ask_options.h"
#include "base/pack.h"
#include "cli/cli_suite.h"
#include "generate/gen_print.h"
#include "run/run_output.h"
#include "session/session_case.h"

/* A worker's. */
struct cli_shaping {
    const struct ask_options *options;
    struct session_parts parts;
    uint32_t worker, workers; /* which of the tests are its own: one in so many, from 0 */
    struct session_models *models;
    struct cli_shape_pair { /* of --expect */
        const struct session_model *model;
        const char *visibility, *persistency; /* as tests name them; NULL: no test can */
    } * pairs;
    uint32_t pair_count;
    struct arena arena, scratch; /* scratch is empty between two tests */
    struct diag diag;
    struct strbuf *err;
    struct strbuf
        tests; /* packed: of each that is its own the name, the text, what is told of it */
    uint64_t count, unconfirmed; /* of all; of its own */
    struct strbuf
        summary; /* a line for standard error; where there are no tests, what is printed */
};

/* Keeps a test that is its own; adds to it what is expected of the pairs of --expect, as far as two
 * engines agree, and tells the others. */
void cli_shape_take(struct cli_shaping *shaping, const struct gen_test *test);
/* Tests of --shape and --shape-from. */
void cli_shape_make(struct cli_shaping *shaping);

/* In this process: what workers made. */
struct cli_shape_run {
    const struct ask_options *options;
    struct arena arena;
    uint32_t workers, answered;
    struct unpack *from; /* per worker: its tests */
    uint64_t tests;      /* of all */
    const char *summary;
    enum run_status status;
    struct cli_suite suite;
};

/* Whether what is asked can be written; else that is told. Before any work. */
bool cli_shape_open(struct cli_shape_run *run, struct diag *diag)
    __attribute__((warn_unused_result));
void cli_shape_write(struct cli_shape_run *run, struct run_output *standard, struct diag *diag);
void cli_shape_close(struct cli_shape_run *run);

#endif
