/* cli_mutate: the parts of `crashlit mutate`: the model and its mutants, the verdicts of the tests,
 * and the programs that tell survivors from the model.
 *
 * All of it is done in one worker. The tests are read once. Ownership: everything lives in the
 * arena, but for tests and models, which cli_mutate.c ends. */
#ifndef CRASHLIT_CLI_MUTATE_H
#define CRASHLIT_CLI_MUTATE_H

#include "ask/ask_options.h"
#include "document/report_mutate.h"
#include "session/session_ask.h"
#include "session/session_case.h"
#include "session/session_test.h"

/* A test under a model pair, one half of which is the model. */
struct cli_mutate_question {
    const struct session_test *test;
    const char *path, *shown; /* the test's; as messages have it */
    const char *visibility, *persistency;
    uint32_t pair; /* its number */
    struct cat_asker asker;
    bool wide;           /* the answer looks at other pairs, too: strict's, or a source's */
    const char *verdict; /* by the model; NULL: it is not known */
};

struct cli_mutate_pair {
    const char *visibility, *persistency, *name; /* "sc + epoch" */
};

/* A mutant as models; all zero where it is not loaded. */
struct cli_mutate_changed {
    struct arena arena;
    const struct source *source;
    struct session_models *models;
};

struct cli_mutate {
    const struct ask_options *options;
    struct session_settings settings; /* the model in its half */
    struct session_parts parts;
    struct arena arena;
    struct diag diag;
    struct strbuf *err;
    enum run_status status;
    const char *model;
    bool persists;                 /* it is a persistency model */
    struct session_models *models; /* as they are */
    VEC(const struct source *) files;
    VEC(struct report_mutant) mutants;
    struct cli_mutate_changed *changed; /* per mutant */
    size_t changed_count;
    VEC(struct session_test *) tests;
    VEC(struct cli_mutate_question) questions;
    VEC(struct cli_mutate_pair) pairs;
    struct report_mutate report;
};

/* The first question of a pair. */
const struct cli_mutate_question *cli_mutate_question_of(const struct cli_mutate *m, size_t pair);
/* The pair with a mutant in the place of the model; NULL: with the model. Its `model` is NULL where
 * the change leaves none. */
const struct session_model *cli_mutate_load(struct cli_mutate *m,
                                            const struct cli_mutate_question *question,
                                            const struct report_mutant *mutant);
/* Gives back what was loaded of mutants. */
void cli_mutate_unload(struct cli_mutate *m);
/* Has the mutant, under this pair, the rules of the model? */
bool cli_mutate_is_same(struct cli_mutate *m, size_t pair, const struct report_mutant *mutant);

/* Asks the tests, and settles the mutants that they kill. Changes that leave no model go. False
 * where a model or a test cannot be read; that is told. */
bool cli_mutate_ask(struct cli_mutate *m) __attribute__((warn_unused_result));
/* Reads the bound on programs. False where it is wrong; that is told. */
bool cli_mutate_bound(struct cli_mutate *m) __attribute__((warn_unused_result));
/* Settles the survivors by programs up to the bound. */
void cli_mutate_survey(struct cli_mutate *m);

#endif
