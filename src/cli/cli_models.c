#include "cli/cli_models.h"

#include "base/guard.h"
#include "exec/exec_basis.h"

#include <pthread.h>
#include <string.h>

struct entry {
    struct cat_asker asker;
    const char *visibility, *persistency;
    struct cli_model loaded;
};

struct cli_models {
    pthread_mutex_t lock;
    struct arena arena;
    VEC(struct entry *) entries;
};

static const struct span nowhere = {NULL, 0, 0, 0, 0};

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

struct cat_asker cli_models_user(const struct cli_options *options)
{
    return (struct cat_asker){.reach = &options->settings.reach, .is_user = true};
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_of(const struct entry *entry, const struct cat_asker *asker, const char *visibility,
                  const char *persistency)
{
    bool builtin = !cat_model_is_path(visibility) && !cat_model_is_path(persistency);
    return strcmp(entry->visibility, visibility) == 0 &&
           strcmp(entry->persistency, persistency) == 0 &&
           (builtin || (entry->asker.is_user == asker->is_user &&
                        same_text(entry->asker.folder, asker->folder)));
}

static struct entry *load(struct cli_models *models, const struct cat_asker *asker,
                          const char *visibility, const char *persistency)
{
    struct entry *entry = ARENA_NEW(&models->arena, struct entry);
    struct cli_model *loaded = &entry->loaded;
    struct diag diag;
    struct strbuf faults = {0};
    diag_init(&diag);
    entry->asker = *asker;
    entry->asker.folder = asker->folder ? arena_strdup(&models->arena, asker->folder) : NULL;
    entry->visibility = arena_strdup(&models->arena, visibility);
    entry->persistency = arena_strdup(&models->arena, persistency);
    loaded->model = cat_model_load(&models->arena, exec_basis(), asker, entry->visibility,
                                   entry->persistency, &diag);
    if (loaded->model)
        loaded->plan = cat_plan_new(&models->arena, loaded->model);
    diag_render(&diag, &faults);
    loaded->faults = arena_strdup(&models->arena, strbuf_text(&faults));
    if (!loaded->model)
        loaded->reason = arena_strdup(&models->arena, diag_first_error(&diag));
    strbuf_fini(&faults);
    diag_fini(&diag);
    VEC_PUSH(&models->entries, entry);
    return entry;
}

static void unlock(void *lock)
{
    pthread_mutex_unlock(lock);
}

/* Loading may fail for want of memory: then the guard that it comes back to unlocks. */
struct cli_model *cli_models_get(struct cli_models *models, const struct cat_asker *asker,
                                 const char *visibility, const char *persistency)
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

static const char *title_of(struct arena *arena, const struct cat_builtin *builtin)
{
    const char *open = memchr(builtin->text, '"', builtin->length);
    const char *end = builtin->text + builtin->length;
    const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
    return close ? arena_strndup(arena, open + 1, (size_t)(close - open - 1)) : "";
}

/* ---- The list ---- */

static const char *name_of(struct arena *arena, const struct cat_builtin *builtin)
{
    const char *name = strchr(builtin->path, '/') + 1;
    return arena_strndup(arena, name, strlen(name) - strlen(".cat"));
}

/* Files that models include are built in, too, but in no folder. */
static bool is_model(const struct cat_builtin *builtin)
{
    return strchr(builtin->path, '/') != NULL;
}

static const char *kind_of(struct arena *arena, const struct cat_builtin *builtin)
{
    return arena_strndup(arena, builtin->path, strcspn(builtin->path, "/"));
}

static void list_line(struct arena *arena, const struct cat_builtin *builtin, struct strbuf *out)
{
    strbuf_printf(out, "%-11s %-26s %s\n", kind_of(arena, builtin), name_of(arena, builtin),
                  title_of(arena, builtin));
}

static void add_source(const struct source *source, struct strbuf *out)
{
    strbuf_printf(out, "\n(* ---- %s ---- *)\n", source->name);
    strbuf_add_bytes(out, source->text, source->length);
    if (source->length == 0 || source->text[source->length - 1] != '\n')
        strbuf_add_char(out, '\n');
}

/* A list that is being written. */
struct list {
    struct arena *arena;
    struct cat_asker asker;
    struct strbuf *out;
    struct diag *diag;
};

/* The files first, as they are read; then what stands in them, that of every model last. */
static void add_sources(struct list *list, const char *kind, const char *name)
{
    enum { OF_EVERY_MODEL = 2 };
    struct strbuf *out = list->out;
    struct cat_sources sources;
    if (!cat_model_sources(list->arena, &list->asker, kind, name, &sources, list->diag))
        return;
    for (size_t i = 0; i < sources.count; i++)
        strbuf_printf(out, "  %s%s\n", sources.items[i]->name,
                      i < OF_EVERY_MODEL ? " (of every model)" : "");
    for (size_t i = OF_EVERY_MODEL; i < sources.count; i++)
        add_source(sources.items[i], out);
    for (size_t i = 0; i < OF_EVERY_MODEL; i++)
        add_source(sources.items[i], out);
    strbuf_add_char(out, '\n');
}

static void tell_unknown(struct arena *arena, const char *name, struct diag *diag)
{
    const char **names = ARENA_ARRAY(arena, const char *, cat_builtin_count);
    size_t count = 0;
    for (size_t i = 0; i < cat_builtin_count; i++)
        if (is_model(&cat_builtins[i]))
            names[count++] = name_of(arena, &cat_builtins[i]);
    const char *near = diag_meant(name, names, count);
    if (near)
        diag_error(diag, DIAG_CAT_MODEL, nowhere, "no built-in model '%s'; did you mean '%s'?",
                   name, near);
    else
        diag_error(diag, DIAG_CAT_MODEL, nowhere,
                   "no built-in model '%s'; crashlit models lists them, and the path of a file "
                   "ends in .cat",
                   name);
}

/* Every built-in model of that name, or with NULL of any; returns whether there was one. */
static bool list_built_in(struct list *list, const char *wanted, bool sources)
{
    struct arena *arena = list->arena;
    bool found = false;
    for (size_t i = 0; i < cat_builtin_count; i++) {
        const struct cat_builtin *builtin = &cat_builtins[i];
        if (!is_model(builtin) || (wanted && strcmp(name_of(arena, builtin), wanted) != 0))
            continue;
        list_line(arena, builtin, list->out);
        if (sources)
            add_sources(list, kind_of(arena, builtin), name_of(arena, builtin));
        found = true;
    }
    return found;
}

void cli_models_list(struct arena *arena, const struct cli_options *options, struct strbuf *out,
                     struct diag *diag)
{
    struct list list = {
        .arena = arena, .asker = cli_models_user(options), .out = out, .diag = diag};
    if (options->input_count == 0)
        list_built_in(&list, NULL, options->verbose);
    for (uint32_t i = 0; i < options->input_count; i++) {
        const char *name = options->inputs[i], *end = strrchr(name, '.');
        if (list_built_in(&list, name, options->verbose))
            continue;
        if (end && strcmp(end, ".cat") == 0)
            add_sources(&list, "visibility", name);
        else
            tell_unknown(list.arena, name, diag);
    }
}
