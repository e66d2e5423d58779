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
    const char *visibility, *persistency; /* as they were asked for, which may be no UTF-8 */
    const struct cat_model *model;        /* NULL when it could not be loaded */
    const struct cat_plan *plan;
    const struct recheck_nodes *recheck_nodes;
    const char *faults;  /* rendered diagnostics, "" without */
    const char *reason;  /* why it could not be loaded, in a line; NULL when it could */
    struct diag_fix fix; /* of that reason, within nothing: what was perhaps meant by a name */
};

struct session_models *session_models_new(void);
void session_models_free(struct session_models *models);

/* The user as one who names models, with what the settings permit. */
struct cat_asker session_models_user(const struct session_settings *settings);
/* The same of a test in `folder` (reach_folder). */
struct cat_asker session_models_test(const struct session_settings *settings, const char *folder);

/* Valid as long as `models`, for all of whose life the reach and the variants are the same. A file
 * is one model for each folder whose tests name it, as that decides whether it may be read. */
struct session_model *session_models_get(struct session_models *models,
                                         const struct cat_asker *asker, const char *visibility,
                                         const char *persistency);

#endif
