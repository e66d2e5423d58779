#include "session/session_models.h"

#include "base/guard.h"
#include "engine/recheck.h"
#include "exec/exec_basis.h"
#include "engine/outcome.h"

#include <pthread.h>
#include <string.h>

struct entry {
    struct cat_asker asker;
    struct session_model loaded;
};

struct session_models {
    pthread_mutex_t lock;
    struct arena arena;
    VEC(struct entry *) entries;
};

struct session_models *session_models_new(void)
{
    struct session_models *models = base_realloc(NULL, sizeof *models);
    memset(models, 0, sizeof *models);
    pthread_mutex_init(&models->lock, NULL);
    arena_init(&models->arena);
    return models;
}

void session_models_free(struct session_models *models)
{
    VEC_FREE(&models->entries);
    arena_fini(&models->arena);
    pthread_mutex_destroy(&models->lock);
    base_free(models);
}

struct cat_asker session_models_user(const struct session_settings *settings)
{
    return (struct cat_asker){.reach = &settings->reach,
                              .is_user = true,
                              .instead = settings->model_instead,
                              .variants = &settings->variants};
}

struct cat_asker session_models_test(const struct session_settings *settings, const char *folder)
{
    return (struct cat_asker){.reach = &settings->reach,
                              .folder = folder,
                              .instead = settings->model_instead,
                              .variants = &settings->variants};
}

static bool is_of(const struct entry *entry, const struct cat_asker *asker, const char *visibility,
                  const char *persistency)
{
    bool builtin = !cat_model_is_path(visibility) && !cat_model_is_path(persistency);
    return strcmp(entry->loaded.visibility, visibility) == 0 &&
           strcmp(entry->loaded.persistency, persistency) == 0 &&
           (builtin || (entry->asker.is_user == asker->is_user &&
                        text_same(entry->asker.named, asker->named) &&
                        text_same(entry->asker.folder, asker->folder)));
}

/* A name that is near is that of the pair, or stands in a file that is not the test's. */
static void keep_reason(struct arena *arena, const struct diag *diag, struct session_model *loaded)
{
    const struct diag_entry *error = diag_first_error(diag);
    loaded->reason = arena_strdup(arena, error->message);
    if (error->fix.meant && !error->span.source)
        loaded->fix = (struct diag_fix){.word = arena_strdup(arena, error->fix.word),
                                        .meant = arena_strdup(arena, error->fix.meant)};
}

static struct entry *load_alone(struct session_models *models, const struct cat_asker *asker,
                                const char *visibility, const char *persistency)
{
    struct entry *entry = ARENA_NEW(&models->arena, struct entry);
    struct session_model *loaded = &entry->loaded;
    SCOPED(diag) diag = {0};
    SCOPED(strbuf) faults = {0};
    entry->asker = *asker;
    entry->asker.folder = asker->folder ? arena_strdup(&models->arena, asker->folder) : NULL;
    entry->asker.named = asker->named ? arena_strdup(&models->arena, asker->named) : NULL;
    loaded->visibility = arena_strdup(&models->arena, visibility);
    loaded->persistency = arena_strdup(&models->arena, persistency);
    loaded->model =
        cat_model_load(&models->arena, exec_basis(), asker, visibility, persistency, &diag);
    if (loaded->model) {
        loaded->plan = cat_plan_new(&models->arena, loaded->model);
        loaded->recheck_nodes = recheck_nodes_new(&models->arena, loaded->model);
    }
    diag_render(&diag, &faults);
    loaded->faults = arena_strdup(&models->arena, strbuf_text(&faults));
    if (!loaded->model)
        keep_reason(&models->arena, &diag, loaded);
    return entry;
}

static struct entry *load(struct session_models *models, const struct cat_asker *asker,
                          const char *visibility, const char *persistency)
{
    struct entry *entry = load_alone(models, asker, visibility, persistency);
    VEC_PUSH(&models->entries, entry);
    return entry;
}

static void unlock(void *lock)
{
    pthread_mutex_unlock(lock);
}

/* Memory may run out below: then the guard that it comes back to unlocks. */
void session_models_cases(struct session_models *models, struct session_model *model)
{
    struct base_cleanup cleanup;
    pthread_mutex_lock(&models->lock);
    base_cleanup_add(&cleanup, unlock, &models->lock);
    if (!model->cases)
        model->cases = cat_plan_new_for(&models->arena, model->model, CAT_FOR_CASES);
    base_cleanup_remove(&cleanup);
    unlock(&models->lock);
}

static bool has_races(const struct session_model *loaded)
{
    const struct cat_model *model = loaded->model;
    return model && ANY(c, model->check_count,
                        model->checks[c].kind == CAT_UNDEFINED_UNLESS &&
                            strcmp(model->checks[c].name, OUTCOME_RACE) == 0);
}

/* As another model: what is undefined by it is so for nobody else. */
static const struct session_model *find_races(struct session_models *models, struct entry *entry)
{
    static const struct cat_variant race = {OUTCOME_RACE, sizeof OUTCOME_RACE - 1};
    struct cat_asker asker = entry->asker;
    struct cat_variants variants = *asker.variants;
    if (has_races(&entry->loaded))
        return &entry->loaded;
    if (variants.count < CAT_MAX_VARIANTS && !cat_variants_have(&variants, race.text))
        variants.on[variants.count++] = race;
    asker.variants = &variants;
    struct entry *found =
        load_alone(models, &asker, entry->loaded.visibility, entry->loaded.persistency);
    found->asker.variants = NULL;
    return has_races(&found->loaded) ? &found->loaded : NULL;
}

void session_models_races(struct session_models *models, const struct session_model *model)
{
    struct base_cleanup cleanup;
    pthread_mutex_lock(&models->lock);
    base_cleanup_add(&cleanup, unlock, &models->lock);
    for (size_t i = 0; i < models->entries.count && !model->asked_races; i++) {
        struct entry *entry = models->entries.items[i];
        if (&entry->loaded != model)
            continue;
        entry->loaded.races = find_races(models, entry);
        entry->loaded.asked_races = true;
    }
    base_cleanup_remove(&cleanup);
    unlock(&models->lock);
}

struct session_model *session_models_get(struct session_models *models,
                                         const struct cat_asker *asker, const char *visibility,
                                         const char *persistency)
{
    struct base_cleanup cleanup;
    pthread_mutex_lock(&models->lock);
    base_cleanup_add(&cleanup, unlock, &models->lock);
    struct entry *found = NULL;
    for (size_t i = 0; i < models->entries.count && !found; i++)
        if (is_of(models->entries.items[i], asker, visibility, persistency))
            found = models->entries.items[i];
    if (!found)
        found = load(models, asker, visibility, persistency);
    base_cleanup_remove(&cleanup);
    unlock(&models->lock);
    return &found->loaded;
}
