#include "cli/cli_inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_FOLDER_DEPTH = 64, MAX_LIST_DEPTH = 8 };

struct finder {
    struct arena *arena;
    struct diag *diag;
    VEC(const char *) paths;
};

static const struct span nowhere = {NULL, 0, 0, 0, 0};

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static int order_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void find_in_folder(struct finder *finder, const char *folder, int depth)
{
    DIR *handle = depth < MAX_FOLDER_DEPTH ? opendir(folder) : NULL;
    if (!handle) {
        diag_error(finder->diag, DIAG_FILE_READ, nowhere, "cannot read folder '%s': %s", folder,
                   depth < MAX_FOLDER_DEPTH ? strerror(errno) : "folders nest too deeply");
        return;
    }
    VEC(const char *) names = {0};
    for (struct dirent *entry; (entry = readdir(handle));)
        if (entry->d_name[0] != '.')
            VEC_PUSH(&names, arena_printf(finder->arena, "%s/%s", folder, entry->d_name));
    closedir(handle);
    if (names.count)
        qsort(names.items, names.count, sizeof *names.items, order_names);
    for (size_t i = 0; i < names.count; i++) {
        if (is_folder(names.items[i]))
            find_in_folder(finder, names.items[i], depth + 1);
        else if (ends_with(names.items[i], ".litmus"))
            VEC_PUSH(&finder->paths, names.items[i]);
    }
    VEC_FREE(&names);
}

static void find(struct finder *finder, const char *argument, int depth);

static const char *beside(struct finder *finder, const char *list, const char *path)
{
    const char *slash = strrchr(list, '/');
    if (path[0] == '/' || !slash)
        return path;
    return arena_printf(finder->arena, "%.*s/%s", (int)(slash - list), list, path);
}

static void find_in_list(struct finder *finder, const char *list, int depth)
{
    const char *why;
    const struct source *source = source_load(finder->arena, list, &why);
    if (!source) {
        diag_error(finder->diag, DIAG_FILE_READ, nowhere, "cannot read list '%s': %s", list, why);
        return;
    }
    for (const char *at = source->text; *at;) {
        size_t length = strcspn(at, "\r\n");
        if (length && *at != '#')
            find(finder, beside(finder, list, arena_strndup(finder->arena, at, length)),
                 depth + 1);
        at += length;
        at += strspn(at, "\r\n");
    }
}

static void find(struct finder *finder, const char *argument, int depth)
{
    size_t before = finder->paths.count;
    uint32_t errors = finder->diag->errors;
    const char *what = NULL;
    if (argument[0] == '@' && depth < MAX_LIST_DEPTH) {
        what = "list";
        find_in_list(finder, argument + 1, depth);
    } else if (is_folder(argument)) {
        what = "folder";
        size_t length = strlen(argument);
        while (length > 1 && argument[length - 1] == '/')
            length--;
        find_in_folder(finder, arena_strndup(finder->arena, argument, length), 0);
    } else {
        VEC_PUSH(&finder->paths, argument);
    }
    if (what && finder->paths.count == before && finder->diag->errors == errors)
        diag_error(finder->diag, DIAG_CLI_NO_TESTS, nowhere,
                   "%s '%s' has no tests: expected files ending in .litmus", what, argument);
}

struct cli_inputs cli_inputs_find(struct arena *arena, const struct cli_options *options,
                                  struct diag *diag)
{
    struct finder finder = {.arena = arena, .diag = diag};
    for (uint32_t i = 0; i < options->input_count; i++)
        find(&finder, options->inputs[i], 0);
    const char **paths = ARENA_ARRAY(arena, const char *, finder.paths.count);
    size_t kept = 0;
    for (size_t i = 0; i < finder.paths.count; i++)
        if (options->shards == 0 || i % options->shards == options->shard - 1)
            paths[kept++] = finder.paths.items[i];
    VEC_FREE(&finder.paths);
    return (struct cli_inputs){paths, kept};
}
