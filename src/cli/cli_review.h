/* cli_review: the parts of `crashlit review`: what tests say of two models, and what is told of it.
 *
 * Tests are asked by workers, each with models of its own. Their rows go to the caller as bytes; the
 * last worker of the search of programs (cli_survey.h) has them from there, and reports. */
#ifndef CRASHLIT_CLI_REVIEW_H
#define CRASHLIT_CLI_REVIEW_H

#include "ask/ask_options.h"
#include "answer/report_gallery.h"
#include "base/pack.h"
#include "document/report_review.h"
#include "run/run_inputs.h"
#include "run/run_limits.h"
#include "session/session_case.h"
#include "session/session_test.h"

struct cli_review {
    const struct ask_options *options;
    struct session_settings settings; /* with the old model in its half, where -m or -p is given */
    const char *names[2];             /* the old model, the new one */
    bool persists;                    /* they are persistency models */
    struct arena arena;
    struct run_inputs inputs;
    struct run_limits limits;
    struct strbuf rows; /* packed, test by test */
    size_t row_count, silent, unread, asked;
    VEC(const char *) lost;
    enum run_status status;        /* of the tests */
    struct session_models *models; /* of a worker, once it has asked */
};

/* A worker's: asks a test of both models, under each pair that it asks about, one half of which is
 * either. Appends a number of enum cli_review_end, how many rows, and these; messages to `err`. */
enum cli_review_end { CLI_REVIEW_ASKED, CLI_REVIEW_UNREAD, CLI_REVIEW_DISAGREE };
void cli_review_ask(struct cli_review *r, size_t input, struct session_parts parts,
                    struct strbuf *out, struct strbuf *err);
/* A row that cli_review_ask packed. */
struct report_review_row cli_review_take(struct arena *arena, struct unpack *from);
/* A test as either model is asked about it: what its conditions refine may be under that model. */
struct cli_review_test {
    struct session_test sides[2];
    bool apart; /* else there is only the first */
};
void cli_review_test_fini(struct cli_review_test *test);
/* A test that is drawn; graphs point into it. */
struct cli_review_drawn {
    struct cli_review_test test;
    struct report_gallery galleries[2]; /* by the old model, by the new one */
};
void cli_review_drawn_fini(struct cli_review_drawn *drawn);
/* Draws an execution of the row's test that one of the models alone allows, if one is known. */
void cli_review_draw(struct cli_review *r, struct session_parts parts,
                     struct cli_review_drawn *drawn, struct report_review_row *row);

#endif
