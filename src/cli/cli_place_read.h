/* cli_place_read: what `crashlit place` is asked about: files as a sketch, weights, and kinds that
 * the user names. Private to the command.
 *
 * All of it lives in the arena of the asking, but for its tests, which cli_place_end_tests ends.
 */
#ifndef CRASHLIT_CLI_PLACE_READ_H
#define CRASHLIT_CLI_PLACE_READ_H

#include "cli/cli_place_write.h"
#include "document/report_place.h"
#include "place/place_weigh.h"
#include "session/session_ask.h"
#include "session/session_case.h"

/* The question, whatever the models are; it lives in the worker. */
struct cli_place_asking {
    const struct ask_options *options;
    const struct timespec *start;     /* of all, whatever was lost since */
    uint32_t pairs, told;             /* begun, answered */
    struct session_settings settings; /* with --uses and the reach of the options */
    struct session_parts parts;
    struct arena arena;
    struct diag diag;
    struct intern *names;
    struct session_models *models;
    const struct source **files;
    struct lit_surroundings *surroundings; /* of each */
    const struct sketch *sketch;
    struct session_test *tests; /* of each file given, filled somehow: names and expectations */
    const struct lit_program *
        *settled; /* of each, with the states of its sources; NULL: not read */
    struct place_weights weights;
    enum run_status status;
    struct report_document documents[1 + RUN_MAX_REPORTS]; /* printed, and for files */
    uint32_t document_count;
    struct strbuf *err;
    struct cli_place_written written;
    const char **titles; /* of the tests */
    uint32_t wanted;
    bool persists; /* some model asked knows persist barriers */
    struct strbuf
        *undefined; /* NULL, or all that is asked: what a test is undefined by as it stands */
};

/* Reads all that the command line names. False: what is wrong is in `diag`, or, of tests, in `err`
 * with the status. In any case cli_place_end_tests follows. */
bool cli_place_read(struct cli_place_asking *a);
void cli_place_end_tests(struct cli_place_asking *a);

/* The test as it is, or the least filling. */
struct sketch_filling cli_place_filling(const struct cli_place_asking *a);
const struct session_model *cli_place_model(struct cli_place_asking *a,
                                            const struct session_pair *pair);
/* `settled` with what properties ask under that pair: races, and what strict persistency leaves. */
const struct lit_program **cli_place_settle(struct cli_place_asking *a,
                                            const struct session_pair *pair,
                                            const struct session_model *model);

#endif
