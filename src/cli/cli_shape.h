/* cli_shape: tests of cycles of edges, printed one after the other or written as a suite
 * (cli_suite.h).
 *
 * Workers make the tests, and this process writes them. With N workers each goes through all cycles
 * and keeps every N-th test. This process merges the tests in the order of the cycles.
 */
#ifndef CRASHLIT_CLI_SHAPE_H
#define CRASHLIT_CLI_SHAPE_H

#include "ask/ask_options.h"
#include "base/pack.h"
#include "cli/cli_suite.h"
#include "generate/gen_print.h"
#include "run/run_output.h"
#include "session/session_case.h"

/* The state of a worker. */
struct cli_shaping {
    const struct ask_options *options;
    struct session_settings settings; /* of the options, with the files that a vocabulary uses */
    struct session_parts parts;
    uint32_t worker, workers; /* it keeps tests number worker, worker + workers, .. */
    struct session_models *models;
    struct cli_shape_pair { /* of --expect */
        const struct session_model *model;
        const char *visibility, *persistency; /* as tests name them; NULL: no test can */
    } * pairs;
    uint32_t pair_count;
    struct arena arena, scratch; /* scratch is empty between two tests */
    struct diag diag;
    struct strbuf *err;
    struct strbuf tests;         /* packed: name, text and remarks of each test that it keeps */
    uint64_t count, unconfirmed; /* of all tests; of those that it keeps */
    struct strbuf summary; /* a line for standard error; without tests, the text that is printed */
};

/* Keeps the test if it is the worker's. Adds an expectation for each pair of --expect on which two
 * engines agree, and reports the other pairs. */
void cli_shape_take(struct cli_shaping *shaping, const struct gen_test *test);
/* Make the tests of --shape and of --shape-from. */
void cli_shape_make(struct cli_shaping *shaping);

/* In the process that began the work: the tests of the workers. */
struct cli_shape_run {
    const struct ask_options *options;
    struct arena arena;
    uint32_t workers, answered;
    struct unpack *from; /* for each worker, its tests */
    uint64_t tests;      /* the number of all tests */
    const char *summary;
    enum run_status status;
    struct cli_suite suite;
};

/* Before any work: can the output be written? Reports when it cannot. */
bool cli_shape_open(struct cli_shape_run *run, struct diag *diag)
    __attribute__((warn_unused_result));
void cli_shape_write(struct cli_shape_run *run, struct run_output *standard, struct diag *diag);
void cli_shape_close(struct cli_shape_run *run);

#endif
