#include "cli/cli_model_file.h"

#include "cat/cat_parse.h"
#include "exec/exec_basis.h"

#include <string.h>

static const struct cat_model *load(const struct cat_asker *asker, const char *path, bool persists,
                                    struct arena *arena, struct diag *diag)
{
    return cat_model_load(arena, exec_basis(), asker, persists ? "sc" : path,
                          persists ? path : "none", diag);
}

static bool persists(const struct cat_asker *asker, const char *path)
{
    SCOPED(arena) arena = {0};
    SCOPED(diag) first = {0};
    SCOPED(diag) second = {0};
    const struct cat_model *as_visibility = load(asker, path, false, &arena, &first);
    if (as_visibility)
        return as_visibility->visibility_persists;
    return load(asker, path, true, &arena, &second) || second.errors < first.errors;
}

const char *cli_model_file_kind(const struct cat_asker *asker, const char *path)
{
    return persists(asker, path) ? "persistency" : "visibility";
}

void cli_model_file_check(const struct cat_asker *asker, const char *path, struct arena *arena,
                          struct diag *diag)
{
    (void)!load(asker, path, persists(asker, path), arena, diag);
}

const char *cli_model_file_title(struct arena *arena, const struct source *source)
{
    SCOPED(diag) diag = {0};
    struct intern *names = intern_new();
    const char *title =
        arena_strdup(arena, cat_parse_file(arena, names, NULL, source, &diag)->title);
    intern_free(names);
    return title;
}
