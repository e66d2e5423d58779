#include "run/run_folder.h"

#include "base/hash.h"
#include "base/source.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct name {
    const char *text;
    uint32_t number; /* the last one that was tried behind it */
    UT_hash_handle hh;
};

struct run_folder {
    const char *path, *extension;
    struct name *names;
    struct arena arena;
};

bool run_folder_is_meant(const char *path)
{
    size_t length = strlen(path);
    return length > 0 && path[length - 1] == '/';
}

bool run_folder_make(const char *path)
{
    struct stat status;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return false;
    if (stat(path, &status) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(status.st_mode) && access(path, W_OK | X_OK) == 0;
}

bool run_folder_may_be_made(const char *path)
{
    struct stat status;
    struct arena arena;
    if (stat(path, &status) == 0 || errno != ENOENT)
        return run_folder_make(path);
    arena_init(&arena);
    char *above = arena_strdup(&arena, path);
    size_t length = strlen(above);
    while (length > 0 && above[length - 1] == '/')
        length--;
    while (length > 0 && above[length - 1] != '/')
        length--;
    above[length] = '\0';
    bool may = access(*above ? above : ".", W_OK | X_OK) == 0;
    int error = errno;
    arena_fini(&arena);
    errno = error;
    return may;
}

struct run_folder *run_folder_new(const char *path, const char *extension)
{
    struct run_folder *folder = base_realloc(NULL, sizeof *folder);
    *folder = (struct run_folder){.path = path, .extension = extension};
    return folder;
}

struct run_folder *run_folder_open(const char *path, const char *extension)
{
    return run_folder_make(path) ? run_folder_new(path, extension) : NULL;
}

void run_folder_free(struct run_folder *folder)
{
    HASH_CLEAR(hh, folder->names);
    arena_fini(&folder->arena);
    base_free(folder);
}

static struct name *find_name(const struct run_folder *folder, const char *text)
{
    struct name *name;
    HASH_FIND_STR(folder->names, text, name);
    return name;
}

static void add_name(struct run_folder *folder, const char *text)
{
    struct name *name = ARENA_MAKE(&folder->arena, struct name, .text = text, .number = 1);
    HASH_ADD_KEYPTR(hh, folder->names, name->text, strlen(name->text), name);
}

/* "litmus/spb/fig4.litmus" is "fig4". */
static const char *stem_of(struct arena *arena, const char *input)
{
    static const char suffix[] = ".litmus";
    const char *base = source_file_name(input);
    size_t length = strlen(base), tail = strlen(suffix);
    if (length > tail && strcmp(base + length - tail, suffix) == 0)
        length -= tail;
    return length ? arena_strndup(arena, base, length) : "test";
}

const char *run_folder_file(struct run_folder *folder, const char *input, const char *kind)
{
    struct arena *arena = &folder->arena;
    const char *stem = stem_of(arena, input), *text = stem,
               *called = arena_printf(arena, "%s%s", stem, kind);
    struct name *taken = find_name(folder, stem);
    while (find_name(folder, text) || find_name(folder, called)) {
        text = arena_printf(arena, "%s-%u", stem, taken ? ++taken->number : 2);
        called = arena_printf(arena, "%s%s", text, kind);
    }
    add_name(folder, text);
    if (*kind)
        add_name(folder, called);
    return arena_printf(arena, "%s%s%s.%s", folder->path,
                        run_folder_is_meant(folder->path) ? "" : "/", called, folder->extension);
}
