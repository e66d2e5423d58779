#include "session/session_mapping.h"

#include "litmus/lit_mapping.h"

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
    const struct lit_mapping *loaded =
        lit_mapping_load(arena, names, &settings->reach, mapping, diag);
    const struct source *source = loaded ? source_load(arena, path, &why) : NULL;
    if (loaded && !source)
        diag_error(diag, DIAG_FILE_READ, NOWHERE, "cannot read '%s': %s", path, why);
    bool good =
        source && lit_mapping_apply(arena, names, loaded, source, &surroundings, diag, &mapped);
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
    const char *name = arena_printf(&test->arena, "%s (mapped by %s)", path, mapping);
    session_test_take(test, settings, name, text, length);
    return test->program != NULL;
}
