/* cli_models: the model pairs of a run, each loaded once.
 *
 * Loading is under a lock, so that tests checked at the same time share models; a
 * loaded model is immutable.
 */
#ifndef CRASHLIT_CLI_MODELS_H
#define CRASHLIT_CLI_MODELS_H

#include "cat/cat_eval.h"
#include "cat/cat_model.h"
#include "cli/cli_options.h"

struct cli_models;

struct cli_model {
    const struct cat_model *model; /* NULL when it could not be loaded */
    const struct cat_plan *plan;
    const char *faults; /* rendered diagnostics, "" without */
    const char *reason; /* why it could not be loaded, in a line; NULL when it could */
};

struct cli_models *cli_models_new(void);
void cli_models_free(struct cli_models *models);

/* The user as one who names models, with what the options permit. */
struct cat_asker cli_models_user(const struct cli_options *options);

/* Valid as long as `models`, for all of whose life the reach is one. A file is one model for each
 * folder whose tests name it, as that decides whether it may be read. */
struct cli_model *cli_models_get(struct cli_models *models, const struct cat_asker *asker,
                                 const char *visibility, const char *persistency);

/* `crashlit models`: the built-ins, or those named, a line each: kind, name, title; with --verbose
 * their files, resolved, and what stands in them. The path of a model (FILE.cat) is shown by its
 * files alone. */
void cli_models_list(struct arena *arena, const struct cli_options *options, struct strbuf *out,
                     struct diag *diag);

#endif
