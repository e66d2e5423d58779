/* A path is resolved first, and then walked from the folder that covers it without following links:
 * so what is opened is below that folder even where somebody exchanges a part of the path
 * meanwhile. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "base/reach.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The path behind the folder and its '/', when it is below, or "" for the folder itself; both are
 * real. */
static const char *below(const char *folder, const char *path)
{
    size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    if (strncmp(path, folder, length) != 0 || (path[length] && path[length] != '/'))
        return NULL;
    return path + length + (path[length] == '/');
}

/* The same of a folder as it is named; its real path is left in `real`. */
static const char *below_named(const char *folder, const char *path, char real[PATH_MAX])
{
    return realpath(*folder ? folder : ".", real) ? below(real, path) : NULL;
}

/* Behind the first folder that covers the real path `path`: that of the naming file, the searched
 * ones, the permitted ones. */
static const char *covered(const struct reach *reach, const char *folder, const char *path,
                           char real[PATH_MAX])
{
    const char *rest = folder ? below_named(folder, path, real) : NULL;
    for (uint32_t i = 0; i < reach->searched_count && !rest; i++)
        rest = below_named(reach->searched[i], path, real);
    for (uint32_t i = 0; i < reach->permitted_count && !rest; i++)
        rest = below_named(reach->permitted[i], path, real);
    return rest;
}

bool reach_ends(const char *path, const char *endings)
{
    size_t length = strlen(path);
    for (const char *at = endings; *at; at += strspn(at, " ")) {
        size_t tail = strcspn(at, " ");
        if (length > tail && strncmp(path + length - tail, at, tail) == 0)
            return true;
        at += tail;
    }
    return false;
}

bool reach_is_path(const char *name, const char *endings)
{
    return strchr(name, '/') || reach_ends(name, endings);
}

bool reach_leads_to(const char *path, const char *suffix)
{
    char target[PATH_MAX];
    return realpath(path, target) && reach_ends(target, suffix);
}

bool reach_covers(const struct reach *reach, const char *folder, const char *path)
{
    char target[PATH_MAX], real[PATH_MAX];
    return realpath(path, target) && covered(reach, folder, target, real);
}

const char *reach_folder(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return arena_strndup(arena, path, slash ? (size_t)(slash + 1 - path) : 0);
}

static const char *join_path(struct arena *arena, const char *folder, const char *name)
{
    size_t length = strlen(folder);
    if (*name == '/' || length == 0)
        return name;
    while (name[0] == '.' && name[1] == '/')
        name += 2 + strspn(name + 2, "/");
    return arena_printf(arena, "%s%s%s", folder, folder[length - 1] == '/' ? "" : "/", name);
}

const char *reach_find(struct arena *arena, const struct reach *reach, const char *folder,
                       const char *name)
{
    struct stat status;
    const char *beside = join_path(arena, folder ? folder : "", name), *path = beside;
    for (uint32_t i = 0; stat(path, &status) != 0; i++) {
        if (i == reach->searched_count || *name == '/')
            return beside;
        path = join_path(arena, reach->searched[i], name);
    }
    return path;
}

enum { TO_READ = O_NONBLOCK | O_NOCTTY };

/* Without following links: a link in the place of a part that was none fails. `size` is that of a
 * regular file before it was opened. */
static int open_step(int folder, const char *name, int flags, size_t *size)
{
    struct stat status;
    bool regular = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                   (S_ISDIR(status.st_mode) || S_ISREG(status.st_mode));
    *size = regular ? (size_t)status.st_size : 0;
    return regular ? openat(folder, name, flags | O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
}

/* `rest` is "" for the folder itself. */
static int open_below(const char *folder, const char *rest, int flags)
{
    char name[NAME_MAX + 1];
    size_t ignored;
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (file >= 0 && *rest) {
        size_t length = strcspn(rest, "/");
        snprintf(name, sizeof name, "%.*s", (int)length, rest);
        int next = open_step(file, name, rest[length] ? O_DIRECTORY : flags, &ignored);
        close(file);
        file = next;
        rest += length + (rest[length] == '/');
    }
    return file;
}

/* Does the path leave its folder by its text, or by a link on the way? Then whether there is
 * something at its end is nothing that its author should learn. */
static bool leads_out(const char *folder, const char *path)
{
    char part[PATH_MAX];
    struct stat status;
    size_t length = folder ? strlen(folder) : 0;
    if (!folder || strncmp(path, folder, length) != 0 || path[length] == '/' ||
        strlen(path) >= sizeof part)
        return true;
    for (const char *at = path + length; *at; at += strspn(at, "/")) {
        size_t step = strcspn(at, "/");
        if (step == 2 && strncmp(at, "..", 2) == 0)
            return true;
        at += step;
        snprintf(part, sizeof part, "%.*s", (int)(at - path), path);
        if (lstat(part, &status) == 0 && S_ISLNK(status.st_mode))
            return true;
    }
    return false;
}

/* What stands at `rest` below a real folder. */
static enum reach_answer load_below(struct arena *arena, const char *folder, const char *rest,
                                    const char *path, const struct source **source,
                                    const char **why)
{
    struct stat status;
    const char *target = arena_printf(arena, "%s/%s", folder, rest);
    bool there = stat(target, &status) == 0;
    *why = there ? source_kind_fault(status.st_mode) : NULL;
    int file = !there || *why ? -1 : open_below(folder, rest, TO_READ);
    if (file < 0) {
        if (!*why)
            *why = arena_strdup(arena, strerror(errno));
        return REACH_UNREADABLE;
    }
    *source = source_read(arena, file, (size_t)status.st_size, path, why);
    return *source ? REACH_FOUND : REACH_UNREADABLE;
}

enum reach_answer reach_load(struct arena *arena, const struct reach *reach, const char *folder,
                             const char *path, const char *endings, const struct source **source,
                             const char **why)
{
    char target[PATH_MAX], real[PATH_MAX];
    if (!realpath(path, target))
        return leads_out(folder, path) ? REACH_REFUSED : REACH_MISSING;
    const char *rest = covered(reach, folder, target, real);
    if (!rest || !reach_ends(target, endings))
        return REACH_REFUSED;
    return load_below(arena, real, rest, path, source, why);
}

/* ---- A folder in which many are looked at ---- */

void reach_within_init(struct reach_within *within, struct arena *arena, const char *folder)
{
    char real[PATH_MAX];
    bool there = realpath(*folder ? folder : ".", real) != NULL;
    *within = (struct reach_within){.real = there ? arena_strdup(arena, real) : NULL, .folder = -1};
}

static void leave_folder(struct reach_within *within)
{
    if (within->folder >= 0)
        close(within->folder);
    within->folder = -1;
}

void reach_within_fini(struct reach_within *within)
{
    leave_folder(within);
    strbuf_fini(&within->at);
}

/* Opens the folder that a path names up to its name, where that is `within` or below. */
static void enter_folder(struct reach_within *within, const char *path, size_t length)
{
    char target[PATH_MAX];
    if (within->at.length == length && memcmp(within->at.text, path, length) == 0)
        return;
    leave_folder(within);
    strbuf_clear(&within->at);
    strbuf_add_bytes(&within->at, path, length);
    const char *rest = within->real && realpath(strbuf_text(&within->at), target)
                           ? below(within->real, target)
                           : NULL;
    if (rest)
        within->folder = open_below(within->real, rest, O_DIRECTORY);
}

/* A file that has one of the endings, by a name that is that of no link, and its size before it was
 * opened; -1: not so, or it cannot be opened. */
static int open_beside(struct reach_within *within, const char *path, const char *endings,
                       size_t *size)
{
    const char *slash = strrchr(path, '/');
    if (!slash || !reach_ends(path, endings))
        return -1;
    enter_folder(within, path, (size_t)(slash - path) + 1);
    return within->folder < 0 ? -1 : open_step(within->folder, slash + 1, TO_READ, size);
}

enum reach_answer reach_load_within(struct arena *arena, const struct reach *reach,
                                    struct reach_within *within, const char *path,
                                    const char *endings, const struct source **source,
                                    const char **why)
{
    char target[PATH_MAX], real[PATH_MAX];
    size_t size;
    int file = open_beside(within, path, endings, &size);
    if (file >= 0) {
        *source = source_read(arena, file, size, path, why);
        return *source ? REACH_FOUND : REACH_UNREADABLE;
    }
    if (!realpath(path, target))
        return REACH_REFUSED;
    const char *folder = within->real;
    const char *rest = folder && reach_ends(target, endings) ? below(folder, target) : NULL;
    if (!rest) {
        folder = real;
        rest = covered(reach, NULL, target, real);
    }
    return rest ? load_below(arena, folder, rest, path, source, why) : REACH_REFUSED;
}
