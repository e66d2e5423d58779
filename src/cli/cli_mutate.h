/* cli_mutate: the parts of `crashlit mutate`: the model and its mutants, the verdicts of the tests,
 * and the programs that tell survivors from the model.
 *
 * Mutants are looked at in shares, which are the same however many workers there are: each reads the
 * model and the tests, and tells what became of the mutants of a share. Ownership: everything lives
 * in the arena, but for tests and models, which cli_mutate.c ends. */
#ifndef CRASHLIT_CLI_MUTATE_H
#define CRASHLIT_CLI_MUTATE_H

#include "ask/ask_options.h"
#include "document/report_mutate.h"
#include "generate/gen_enumerate.h"
#include "run/run_limits.h"
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
    bool wide;             /* the answer looks at other pairs, too: strict's, or a source's */
    bool is_meant;         /* the test says ok, by whatever path it names the model */
    const char *verdict;   /* by the model; NULL: it is not known */
    struct outcome states; /* by the machine */
};

struct cli_mutate_pair {
    const char *visibility, *persistency, *name; /* "sc + epoch" */
};

/* A mutant as models, or as a machine; all zero where it is not loaded. */
struct cli_mutate_changed {
    struct arena arena;
    const struct source *source;
    struct session_models *models;
    const struct mach_file *machine; /* NULL: it is none */
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
    const struct mach_file *machine; /* that is changed; NULL: a model is */
    bool persists;                   /* it is a persistency model */
    struct session_models *models;   /* as they are */
    VEC(const struct source *) files;
    VEC(struct report_mutant) mutants;
    struct cli_mutate_changed *changed; /* per mutant */
    size_t changed_count;
    size_t from, to; /* the share of the mutants that is looked at */
    size_t silent;   /* questions that the machine does not encode */
    VEC(struct session_test *) tests;
    VEC(struct cli_mutate_question) questions;
    VEC(struct cli_mutate_pair) pairs;
    struct report_mutate report;
    struct run_limits limits;
    struct strbuf done;        /* the shares before this one */
    struct timespec last_said; /* when cli_mutate_say did */
};

enum {
    CLI_MUTATE_SHARE = 32,                  /* mutants, the last share's may be fewer */
    CLI_MUTATE_BROKEN = REPORT_MUTANT_COUNT /* the fate of a change that leaves no model */
};

/* What became of the share, to be taken where the mutants are the same (cli_mutate_share.c). A row of
 * shares may be taken. */
void cli_mutate_pack(const struct cli_mutate *m, struct strbuf *out);
void cli_mutate_take(struct cli_mutate *m, const struct strbuf *packed);
/* Says what is known so far, of this share and those before it, if that was said long ago. */
void cli_mutate_say(struct cli_mutate *m);

/* Does the command line name a machine? */
bool cli_mutate_names_machine(struct cli_mutate *m);
/* Is it no model either? That is told. */
bool cli_mutate_names_nothing(struct cli_mutate *m);
/* Reads it; false with a diagnostic. */
bool cli_mutate_read_machine(struct cli_mutate *m) __attribute__((warn_unused_result));
/* The machine with a change, or, without a mutant, as it is; NULL: the change leaves none, or models
 * are changed. */
const struct mach_file *cli_mutate_machine_of(struct cli_mutate *m,
                                              const struct report_mutant *mutant);
/* Does the machine as it is not encode the test? It then says nothing of mutants. */
bool cli_mutate_is_silent(const struct cli_mutate_question *question);
/* Whether the mutant shows what the machine shows; where it does not, tells the mutant how. */
enum cli_mutate_shown { CLI_MUTATE_SAME, CLI_MUTATE_OTHER, CLI_MUTATE_DOUBT };
enum cli_mutate_shown cli_mutate_hold(struct cli_mutate *m,
                                      const struct cli_mutate_question *question,
                                      const struct outcome *outcome, struct report_mutant *mutant);
/* Why no program within the bounds may tell what the changed line says; NULL: one may. */
const char *cli_mutate_unseen(struct cli_mutate *m, const struct gen_bound *bounds, uint32_t count,
                              const struct report_mutant *mutant);

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

/* Asks the tests of the model. False where it or a test cannot be read; that is told. */
bool cli_mutate_ask_model(struct cli_mutate *m) __attribute__((warn_unused_result));
/* Asks the tests of the mutants of the share, and settles those that they kill. */
void cli_mutate_ask(struct cli_mutate *m);
/* Reads the bound on programs. False where it is wrong; that is told. */
bool cli_mutate_bound(struct cli_mutate *m) __attribute__((warn_unused_result));
/* Settles the survivors by programs up to the bound. */
void cli_mutate_survey(struct cli_mutate *m);

#endif
