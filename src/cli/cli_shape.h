/* cli_shape: what becomes of tests that are made: written to standard output one behind the
 * other, or into a folder with a list of them.
 *
 * A worker makes the tests, and this process writes. In the stream each test begins
 * with the line of its dialect and name. In a folder it is NAME.litmus; the list is called
 * `manifest`, begins with the command in a comment, and is one that `check @FOLDER/manifest` takes.
 */
#ifndef CRASHLIT_CLI_SHAPE_H
#define CRASHLIT_CLI_SHAPE_H

#include "ask/ask_options.h"
#include "base/pack.h"
#include "generate/gen_print.h"
#include "run/run_output.h"
#include "session/session_case.h"

/* The worker's. */
struct cli_shaping {
    const struct ask_options *options;
    struct session_parts parts;
    struct session_models *models;
    const struct session_model **pairs; /* of --expect */
    uint32_t pair_count;
    struct arena arena, scratch; /* scratch is empty between two tests */
    struct diag diag;
    struct strbuf *err;
    struct strbuf tests; /* packed: name and text of each */
    uint64_t count, unconfirmed;
    struct strbuf
        summary; /* a line for standard error; where there are no tests, what is printed */
};

/* Keeps a test; adds to it what is expected of the pairs of --expect, as far as two engines agree,
 * and tells the others. */
void cli_shape_take(struct cli_shaping *shaping, const struct gen_test *test);
/* Tests of --shape and --shape-from. */
void cli_shape_make(struct cli_shaping *shaping);

/* In this process. */
void cli_shape_write(const struct ask_options *options, struct unpack *from,
                     struct run_output *standard, struct diag *diag);

#endif
