/* cli_models: the model pairs of a run, each loaded once.
 *
 * Loading is under a lock, so that tests checked at the same time share models; a
 * loaded model is immutable.
 */
#ifndef CRASHLIT_CLI_MODELS_H
#define CRASHLIT_CLI_MODELS_H

#include "cat/cat_eval.h"
#include "cat/cat_model.h"

struct cli_models;

struct cli_model {
    const struct cat_model *model; /* NULL when it could not be loaded */
    const struct cat_plan *plan;
    const char *faults;            /* rendered diagnostics, "" without */
};

struct cli_models *cli_models_new(void);
void cli_models_free(struct cli_models *models);

/* Valid as long as `models`. */
struct cli_model *cli_models_get(struct cli_models *models, const char *visibility,
                                 const char *persistency);

/* The built-in models, a line each: kind, name, title. */
void cli_models_list(struct strbuf *out);

#endif
