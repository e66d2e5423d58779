/* fixture: a test and a model pair from texts, for the suites that run engines. */
#ifndef CRASHLIT_FIXTURE_H
#define CRASHLIT_FIXTURE_H

#include "unit.h"

#include "cat/cat_model.h"
#include "engine/engine.h"
#include "litmus/lit_parse.h"

struct fixture {
    struct arena arena;
    struct diag diag;
    struct intern *names;
    const struct lit_program *program;
    const struct cat_model *model;
    const struct cat_plan *plan;
};

/* Fatal when the text does not parse; models are built-in names. */
void fixture_init(struct fixture *fixture, const char *text, const char *visibility,
                  const char *persistency);
/* Takes a model pair from texts, which may include built-in files, in the place of the first. */
void fixture_use_model(struct fixture *fixture, const char *visibility, const char *persistency);
/* The same under models that are texts. */
void fixture_init_texts(struct fixture *fixture, const char *text, const char *visibility,
                        const char *persistency);
void fixture_fini(struct fixture *fixture);

/* Enumerates with the default crash mode and unroll bound 2. */
void fixture_run(struct fixture *fixture, struct outcome *outcome);
void fixture_run_mode(struct fixture *fixture, enum exec_crash_mode mode, struct outcome *outcome);
/* Does the outcome have a state whose columns are exactly these values? */
bool fixture_has(const struct outcome_states *states, const int64_t *row);

#endif
