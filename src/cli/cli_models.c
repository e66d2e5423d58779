#include "cli/cli_models.h"

#include "exec/exec_basis.h"

#include <pthread.h>
#include <string.h>

struct entry {
    const char *visibility, *persistency;
    struct cli_model loaded;
};

struct cli_models {
    pthread_mutex_t lock;
    struct arena arena;
    VEC(struct entry *) entries;
};

struct cli_models *cli_models_new(void)
{
    struct cli_models *models = base_realloc(NULL, sizeof *models);
    memset(models, 0, sizeof *models);
    pthread_mutex_init(&models->lock, NULL);
    arena_init(&models->arena);
    return models;
}

void cli_models_free(struct cli_models *models)
{
    VEC_FREE(&models->entries);
    arena_fini(&models->arena);
    pthread_mutex_destroy(&models->lock);
    base_free(models);
}

static struct entry *load(struct cli_models *models, const char *visibility,
                          const char *persistency)
{
    struct entry *entry = ARENA_NEW(&models->arena, struct entry);
    struct cli_model *loaded = &entry->loaded;
    struct diag diag;
    struct strbuf faults = {0};
    diag_init(&diag);
    entry->visibility = arena_strdup(&models->arena, visibility);
    entry->persistency = arena_strdup(&models->arena, persistency);
    loaded->model = cat_model_load(&models->arena, exec_basis(), entry->visibility,
                                   entry->persistency, &diag);
    if (loaded->model)
        loaded->plan = cat_plan_new(&models->arena, loaded->model);
    diag_render(&diag, &faults);
    loaded->faults = arena_strdup(&models->arena, strbuf_text(&faults));
    strbuf_fini(&faults);
    diag_fini(&diag);
    VEC_PUSH(&models->entries, entry);
    return entry;
}

struct cli_model *cli_models_get(struct cli_models *models, const char *visibility,
                                 const char *persistency)
{
    pthread_mutex_lock(&models->lock);
    struct entry *found = NULL;
    for (size_t i = 0; i < models->entries.count && !found; i++)
        if (strcmp(models->entries.items[i]->visibility, visibility) == 0 &&
            strcmp(models->entries.items[i]->persistency, persistency) == 0)
            found = models->entries.items[i];
    if (!found)
        found = load(models, visibility, persistency);
    pthread_mutex_unlock(&models->lock);
    return &found->loaded;
}

static const char *title_of(struct arena *arena, const struct cat_builtin *builtin)
{
    const char *open = memchr(builtin->text, '"', builtin->length);
    const char *end = builtin->text + builtin->length;
    const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
    return close ? arena_strndup(arena, open + 1, (size_t)(close - open - 1)) : "";
}

void cli_models_list(struct strbuf *out)
{
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < cat_builtin_count; i++) {
        const struct cat_builtin *builtin = &cat_builtins[i];
        const char *slash = strchr(builtin->path, '/');
        if (!slash)
            continue;
        const char *name = arena_strndup(&arena, slash + 1, strlen(slash + 1) - strlen(".cat"));
        strbuf_printf(out, "%-11.*s %-26s %s\n", (int)(slash - builtin->path), builtin->path,
                      name, title_of(&arena, builtin));
    }
    arena_fini(&arena);
}
