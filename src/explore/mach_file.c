/* Machine files by name, and their machines' faults and promises. */
#include "explore/mach_config.h"

#include "base/reach.h"
#include "pipeline/pipeline.h"

#include <string.h>

bool mach_config_is_path(const char *name)
{
    return reach_is_path(name, MACH_CONFIG_ENDS);
}

static const struct source *builtin(struct arena *arena, const char *name, struct diag *diag)
{
    const char **names = ARENA_ARRAY(arena, const char *, mach_builtin_count);
    for (size_t i = 0; i < mach_builtin_count; i++) {
        names[i] = source_builtin_name(arena, &mach_builtins[i]);
        if (strcmp(names[i], name) == 0)
            return source_from_text(arena, names[i], mach_builtins[i].text,
                                    mach_builtins[i].length);
    }
    const char *near = diag_nearest(name, names, mach_builtin_count);
    if (near)
        diag_error(
            diag, DIAG_MACH_UNKNOWN, NOWHERE,
            "found machine `%s`, expected a built-in such as `%s` or the path of a .machine file",
            name, near);
    else
        diag_error(diag, DIAG_MACH_UNKNOWN, NOWHERE,
                   "found machine `%s`, expected a built-in that crashlit machines lists, or the "
                   "path of a .machine file",
                   name);
    return NULL;
}

const struct mach_file *mach_config_load(struct arena *arena, const char *name, struct diag *diag)
{
    const struct source *source;
    const char *why = NULL;
    if (!mach_config_is_path(name)) {
        source = builtin(arena, name, diag);
    } else {
        source = source_load(arena, name, &why);
        if (!source)
            diag_error(diag, DIAG_FILE_READ, (struct span){.line = 0}, "cannot read `%s`: %s", name,
                       why);
    }
    return source ? mach_config_parse(arena, source, diag) : NULL;
}

/* ---- What a machine can do ---- */

uint64_t mach_file_faults(const struct mach_file *file)
{
    return file->config.pipe ? mach_pipe_faults(file->config.pipe) : file->machine->faults;
}

/* Of models by path `./own.cat` is `own.cat`. */
static bool is_same_model(const char *a, const char *b)
{
    a += strncmp(a, "./", 2) == 0 ? 2 : 0;
    b += strncmp(b, "./", 2) == 0 ? 2 : 0;
    return strcmp(a, b) == 0;
}

bool mach_file_promises(const struct mach_file *file, const char *visibility,
                        const char *persistency)
{
    return ANY(i, file->promise_count,
               is_same_model(file->promises[i].visibility, visibility) &&
                   is_same_model(file->promises[i].persistency, persistency));
}

static const struct mach_file *load_builtin(struct arena *arena, const char *name)
{
    SCOPED(diag) diag = {0};
    const struct mach_file *file = mach_config_load(arena, name, &diag);
    BASE_CHECK(file);
    return file;
}

static bool is_of_machine(const char *name)
{
    for (uint32_t i = 0; mach_machines[i]; i++)
        if (mach_machines[i]->visibility && strcmp(mach_machines[i]->name, name) == 0)
            return true;
    return false;
}

const char *mach_config_name(struct arena *arena, size_t n)
{
    for (uint32_t i = 0; mach_machines[i]; i++)
        if (mach_machines[i]->visibility && n-- == 0)
            return mach_machines[i]->name;
    for (size_t i = 0; i < mach_builtin_count; i++) {
        const char *name = source_builtin_name(arena, &mach_builtins[i]);
        if (!is_of_machine(name) && n-- == 0)
            return name;
    }
    return NULL;
}

/* The built-in that promises a pair by a line of its file; NULL. Few have the words in it. */
static const struct mach_file *find_promise(struct arena *arena, const char *visibility,
                                            const char *persistency)
{
    for (size_t i = 0; i < mach_builtin_count; i++) {
        const char *text = mach_builtins[i].text;
        if (!strstr(text, "promises") || !strstr(text, visibility) || !strstr(text, persistency))
            continue;
        const struct mach_file *file =
            load_builtin(arena, source_builtin_name(arena, &mach_builtins[i]));
        if (mach_file_promises(file, visibility, persistency))
            return file;
    }
    return NULL;
}

/* The name of the machine that promises a pair by itself; NULL. */
static const char *find_machine(const char *visibility, const char *persistency)
{
    for (uint32_t i = 0; mach_machines[i]; i++)
        if (mach_machines[i]->visibility && strcmp(mach_machines[i]->visibility, visibility) == 0 &&
            strcmp(mach_machines[i]->persistency, persistency) == 0)
            return mach_machines[i]->name;
    return NULL;
}

bool mach_config_is_promised(const char *visibility, const char *persistency)
{
    SCOPED(arena) arena = {0};
    bool is =
        find_machine(visibility, persistency) || find_promise(&arena, visibility, persistency);
    return is;
}

const struct mach_file *mach_config_promising(struct arena *arena, const char *visibility,
                                              const char *persistency)
{
    const char *name = visibility ? find_machine(visibility, persistency) : mach_machines[0]->name;
    const struct mach_file *file = name ? NULL : find_promise(arena, visibility, persistency);
    return file ? file : load_builtin(arena, name ? name : mach_machines[0]->name);
}

const struct mach_file *mach_config_persisting(struct arena *arena, const char *persistency)
{
    const char *name;
    for (size_t n = 0; (name = mach_config_name(arena, n)); n++) {
        const struct mach_file *file = load_builtin(arena, name);
        if (ANY(i, file->promise_count, strcmp(file->promises[i].persistency, persistency) == 0))
            return file;
    }
    return NULL;
}
