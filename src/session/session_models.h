/* session_models: the model pairs of a run, each loaded once.
 *
 * Loading is under a lock, so that tests checked at the same time share models; a
 * loaded model is immutable.
 */
#ifndef CRASHLIT_SESSION_MODELS_H
#define CRASHLIT_SESSION_MODELS_H

#include "cat/cat_eval.h"
#include "cat/cat_model.h"
#include "session/session_settings.h"

struct session_models;

struct session_model {
    const char *visibility, *persistency; /* as asked for; may be no UTF-8 */
    const struct cat_model *model;        /* NULL when it could not be loaded */
    const struct cat_plan *plan;
    const struct cat_plan *cases; /* for certificates; NULL: not asked for (session_models_cases) */
    const struct recheck_nodes *recheck_nodes;
    bool asked_races; /* by session_models_races */
    const struct session_model
        *races;          /* the model with races undefined, itself where it has them so;
                                          NULL: it does not say what a race is */
    const char *faults;  /* rendered diagnostics, "" without */
    const char *reason;  /* why it could not be loaded, in a line; NULL: it was */
    struct diag_fix fix; /* a correction for `reason`: the name perhaps meant */
};

struct session_models *session_models_new(void);
void session_models_free(struct session_models *models);

/* The user as the one who names models, with the settings' permissions. */
struct cat_asker session_models_user(const struct session_settings *settings);
/* A test in `folder` (reach_folder) as the one who names models. */
struct cat_asker session_models_test(const struct session_settings *settings, const char *folder);

/* Valid as long as `models`; reach and variants must be the same all that time. A file is one model
 * for each folder whose tests name it, as the folder decides whether it may be read. */
struct session_model *session_models_get(struct session_models *models,
                                         const struct cat_asker *asker, const char *visibility,
                                         const char *persistency);
/* Makes its plan for cases, unless there is one. */
void session_models_cases(struct session_models *models, struct session_model *model);
/* Finds its `races`, unless that was done. They are asked for by a property alone: of models that do
 * not call a race undefined they are the variant "race". */
void session_models_races(struct session_models *models, const struct session_model *model);

#endif
