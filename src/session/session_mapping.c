#include "session/session_mapping.h"

#include "cat/cat_model.h"

#include <string.h>

static bool names_models(const struct lit_promise *promise, struct diag *diag)
{
    bool source = cat_model_accepts("visibility", promise->source_visibility, diag) &&
                  cat_model_accepts("persistency", promise->source_persistency, diag);
    if (source && cat_model_accepts("visibility", promise->target_visibility, diag) &&
        cat_model_accepts("persistency", promise->target_persistency, diag))
        return true;
    diag_error(diag, DIAG_LIT_MAPPING, promise->span,
               "this promise names a model that is not there");
    return false;
}

/* NULL: a promise names what is no model. */
static const struct mapping *with_models(const struct mapping *mapping, struct diag *diag)
{
    bool good = mapping != NULL;
    for (const struct lit_scheme *scheme = good ? mapping->schemes : NULL; scheme;
         scheme = scheme->next)
        for (uint32_t i = 0; i < scheme->promise_count; i++)
            good &= names_models(&scheme->promises[i], diag);
    return good ? mapping : NULL;
}

const struct mapping *session_mapping_read(struct arena *arena, struct intern *names,
                                           const struct reach *reach, const char *folder,
                                           const struct source *source, struct diag *diag)
{
    return with_models(mapping_read(arena, names, reach, folder, source, diag), diag);
}

const struct mapping *session_mapping_load(struct arena *arena, struct intern *names,
                                           const struct session_settings *settings,
                                           const char *name, struct diag *diag)
{
    return with_models(mapping_load(arena, names, &settings->reach, name, diag), diag);
}

/* Is the name a test's, and the path a mapping's? */
static bool is_swapped(const char *mapping, const char *path)
{
    return reach_ends(path, MAPPINGS) && !reach_ends(mapping, MAPPINGS);
}

bool session_mapping_text(struct arena *arena, const struct session_settings *settings,
                          const char *path, const char *mapping, struct diag *diag,
                          const char **text, size_t *length)
{
    const char *why = NULL;
    struct intern *names = intern_new();
    struct lit_mapped mapped;
    struct lit_surroundings surroundings = {.reach = &settings->reach,
                                            .folder = reach_folder(arena, path),
                                            .uses = settings->uses,
                                            .uses_count = settings->uses_count};
    bool swapped = is_swapped(mapping, path);
    if (swapped)
        diag_error(diag, DIAG_LIT_MAPPING, NOWHERE,
                   "'%s' is a mapping; expected the mapping first, and the test behind it", path);
    const struct mapping *loaded =
        swapped ? NULL : session_mapping_load(arena, names, settings, mapping, diag);
    const struct source *source = loaded ? source_load(arena, path, &why) : NULL;
    if (loaded && !source)
        diag_error(diag, DIAG_FILE_READ, NOWHERE, "cannot read '%s': %s", path, why);
    bool good = source && mapping_apply(arena, names, loaded, source, &surroundings, diag, &mapped);
    if (good) {
        *text = arena_strndup(arena, mapped.text, mapped.length);
        *length = mapped.length;
    }
    intern_free(names);
    return good;
}

bool session_mapping_test(struct session_test *test, const struct session_settings *settings,
                          const char *path, const char *mapping)
{
    const char *text;
    size_t length;
    session_test_begin(test, path);
    if (!session_mapping_text(&test->arena, settings, path, mapping, &test->diag, &text, &length))
        return false;
    /* Its folder is the test's, whoever looks for it. */
    const char *slash = strrchr(mapping, '/');
    const char *name =
        arena_printf(&test->arena, "%s (mapped by %s)", path, slash ? slash + 1 : mapping);
    session_test_take(test, settings, name, text, length);
    return test->program != NULL;
}
