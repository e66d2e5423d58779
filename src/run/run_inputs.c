#include "run/run_inputs.h"

#include "base/source.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Links between folders make many paths of few files. */
enum { MAX_DEPTH = 64, MAX_FILES = 1000000, MAX_ENTRIES = 1000000 };
/* Of a pattern: glob takes some of the stack for each. */
enum { MAX_PARTS = 256 };

/* A folder or list being read, known by what it is, not by its name. */
struct place {
    dev_t device;
    ino_t inode;
};

struct file {
    const char *path;
    bool link;
};

struct finder {
    struct arena *arena;
    const struct reach *reach;
    struct diag *diag;
    const char *root; /* the folder that was named, while what is below it is read */
    VEC(struct file) files;
    VEC(const char *) lists;
    VEC(struct place) open; /* folders and lists around the one at hand */
    size_t circles;         /* times that one of these was met again */
    size_t entries;         /* that were met below folders */
};

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Notes that a folder or list is being read; false when it is already, by a link or a
 * list that leads back to it, or when they nest too deeply. A link is passed over, a list is wrong.
 */
static bool enter(struct finder *finder, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return true; /* reading it will say why */
    for (size_t i = 0; i < finder->open.count; i++)
        if (finder->open.items[i].device == status.st_dev &&
            finder->open.items[i].inode == status.st_ino) {
            finder->circles++;
            return false;
        }
    if (finder->open.count >= MAX_DEPTH) {
        diag_error(finder->diag, DIAG_FILE_READ, NOWHERE, "'%s': folders and lists nest too deeply",
                   path);
        return false;
    }
    VEC_PUSH(&finder->open, (struct place){status.st_dev, status.st_ino});
    return true;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

/* A stranger's folder may hold a link that is called as a test and leads to what is none: its lines
 * would be quoted. So it is with a shell's pattern for names. */
static bool is_disguised(const struct finder *finder, const char *link)
{
    return ends_with(link, ".litmus") && !reach_leads_to(link, ".litmus") &&
           !reach_covers(finder->reach, NULL, link);
}

static void add_file(struct finder *finder, const char *path, bool link)
{
    if (link && is_disguised(finder, path)) {
        diag_error(
            finder->diag, DIAG_FILE_REACH, NOWHERE,
            "'%s' is a link that leads to no file ending in .litmus; copy the test there, or "
            "permit its folder with --allow-path FOLDER",
            path);
        return;
    }
    if (finder->files.count == MAX_FILES)
        diag_error(finder->diag, DIAG_FILE_READ, NOWHERE, "more than %d tests: check them in parts",
                   (int)MAX_FILES);
    if (finder->files.count <= MAX_FILES)
        VEC_PUSH(&finder->files, (struct file){path, link});
}

static void refuse_file(struct finder *finder, const char *path, const char *why)
{
    diag_error(finder->diag, DIAG_FILE_READ, NOWHERE, "cannot read '%s': %s", path, why);
}

static void find_in_folder(struct finder *finder, const char *folder);

/* One that is found below a folder: nothing that could be a test, or hold some, is left out. */
static void find_entry(struct finder *finder, const char *path)
{
    struct stat status;
    size_t open = finder->open.count;
    bool test = ends_with(path, ".litmus"), there = lstat(path, &status) == 0;
    bool link = there && S_ISLNK(status.st_mode);
    if (link && !reach_covers(finder->reach, finder->root, path))
        diag_error(
            finder->diag, DIAG_FILE_REACH, NOWHERE,
            "'%s' is a link that leads out of '%s', or nowhere; copy what is meant there, or "
            "permit its folder with --allow-path FOLDER",
            path, finder->root);
    else if (!there || (link && stat(path, &status) != 0))
        refuse_file(finder, path, strerror(errno));
    else if (S_ISDIR(status.st_mode) && enter(finder, path))
        find_in_folder(finder, path);
    else if (test && S_ISREG(status.st_mode))
        add_file(finder, path, link);
    else if (test && !S_ISDIR(status.st_mode))
        refuse_file(finder, path, source_kind_fault(status.st_mode));
    finder->open.count = open;
}

static void refuse_folder(struct finder *finder, const char *folder)
{
    diag_error(finder->diag, DIAG_FILE_READ, NOWHERE, "cannot read folder '%s': %s", folder,
               strerror(errno));
}

/* Once past the bound nothing more is looked at. */
static bool is_spent(struct finder *finder, const char *folder)
{
    if (finder->entries == MAX_ENTRIES)
        diag_error(finder->diag, DIAG_FILE_READ, NOWHERE,
                   "'%s': more than %d files and folders, as links count them: check them in parts",
                   folder, (int)MAX_ENTRIES);
    return finder->entries++ >= MAX_ENTRIES;
}

static void find_in_folder(struct finder *finder, const char *folder)
{
    DIR *handle = opendir(folder);
    if (!handle) {
        refuse_folder(finder, folder);
        return;
    }
    VEC(const char *) names = {0};
    errno = 0;
    for (struct dirent *entry; (entry = readdir(handle)); errno = 0)
        if (entry->d_name[0] != '.' && !is_spent(finder, folder))
            VEC_PUSH(&names, arena_printf(finder->arena, "%s/%s", folder, entry->d_name));
    if (errno)
        refuse_folder(finder, folder);
    closedir(handle);
    if (names.count)
        qsort(names.items, names.count, sizeof *names.items, text_order);
    for (size_t i = 0; i < names.count && finder->entries <= MAX_ENTRIES; i++)
        find_entry(finder, names.items[i]);
    VEC_FREE(&names);
}

static void find(struct finder *finder, const char *argument);

/* A path in a list is seen from the list's folder, behind '@' too. */
static const char *beside(struct finder *finder, const char *list, const char *path)
{
    const char *slash = strrchr(list, '/'), *at = path[0] == '@' ? "@" : "";
    path += strlen(at);
    if (path[0] == '/' || !slash)
        return path - strlen(at);
    return arena_printf(finder->arena, "%s%.*s/%s", at, (int)(slash - list), list, path);
}

static void find_in_list(struct finder *finder, const char *list)
{
    VEC_PUSH(&finder->lists, list);
    const char *why;
    const struct source *source = source_load(finder->arena, list, &why);
    if (!source) {
        diag_error(finder->diag, DIAG_FILE_READ, NOWHERE, "cannot read list '%s': %s", list, why);
        return;
    }
    if (memchr(source->text, '\0', source->length)) {
        diag_error(finder->diag, DIAG_FILE_READ, NOWHERE,
                   "cannot read list '%s': found a NUL, expected a path a line", list);
        return;
    }
    for (const char *at = source->text; *at;) {
        size_t length = strcspn(at, "\n");
        if (strspn(at, " \t\r") < length && *at != '#')
            find(finder, beside(finder, list, arena_strndup(finder->arena, at, length)));
        at += length;
        at += strspn(at, "\n");
    }
}

/* A pattern that no shell has expanded: in quotes, or in a list. */
static bool is_pattern(const char *argument)
{
    struct stat status;
    return strpbrk(argument, "*?[") && stat(argument, &status) != 0;
}

static bool has_too_many_parts(const char *pattern)
{
    size_t parts = 1;
    for (const char *at = pattern; (at = strchr(at, '/')); at++)
        parts++;
    return parts > MAX_PARTS;
}

static void find_matches(struct finder *finder, const char *pattern)
{
    glob_t found;
    if (has_too_many_parts(pattern)) {
        refuse_file(finder, pattern, "a pattern with more than 256 parts");
        return;
    }
    int result = glob(pattern, GLOB_NOSORT, NULL, &found);
    if (result == GLOB_NOSPACE)
        base_die("out of memory (names that match '%s')", pattern);
    if (result != 0) {
        diag_error(finder->diag, DIAG_FILE_READ, NOWHERE,
                   "no file or folder matches '%s'; '*', '?' and '[..]' match within one folder",
                   pattern);
        return;
    }
    qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, text_order);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];
        find(finder, arena_printf(finder->arena, "%s%s", path[0] == '@' ? "./" : "", path));
    }
    globfree(&found);
}

static void refuse_empty(struct finder *finder, const char *what, const char *path, bool circle)
{
    if (circle)
        diag_error(finder->diag, DIAG_CLI_NO_TESTS, NOWHERE,
                   "%s '%s' includes itself, and has no tests: expected files ending in .litmus",
                   what, path);
    else
        diag_error(finder->diag, DIAG_CLI_NO_TESTS, NOWHERE,
                   "%s '%s' has no tests: expected files ending in .litmus", what, path);
}

static void find(struct finder *finder, const char *argument)
{
    size_t before = finder->files.count, open = finder->open.count, circles = finder->circles;
    uint32_t errors = finder->diag->errors;
    const char *what = NULL;
    if (argument[0] == '@') {
        if (enter(finder, argument + 1)) {
            what = "list";
            find_in_list(finder, argument + 1);
        }
    } else if (is_folder(argument)) {
        size_t length = strlen(argument);
        while (length > 1 && argument[length - 1] == '/')
            length--;
        if (enter(finder, argument)) {
            what = "folder";
            finder->root = arena_strndup(finder->arena, argument, length);
            find_in_folder(finder, finder->root);
        }
    } else if (is_pattern(argument)) {
        find_matches(finder, argument);
    } else {
        add_file(finder, argument, is_link(argument));
    }
    finder->open.count = open;
    if (what && finder->files.count == before && finder->diag->errors == errors)
        refuse_empty(finder, what, argument, finder->circles > circles);
}

static struct run_inputs keep_shard(const struct finder *finder,
                                    const struct run_arguments *arguments)
{
    const char **paths = ARENA_ARRAY(finder->arena, const char *, finder->files.count);
    const char **links = ARENA_ARRAY(finder->arena, const char *, finder->files.count);
    struct run_inputs kept = {.paths = paths, .links = links};
    for (size_t i = 0; i < finder->files.count; i++) {
        const struct file *file = &finder->files.items[i];
        if (arguments->shards && i % arguments->shards != arguments->shard - 1)
            continue;
        paths[kept.count++] = file->path;
        if (file->link)
            links[kept.link_count++] = file->path;
    }
    return kept;
}

struct run_inputs run_inputs_find(struct arena *arena, const struct run_arguments *arguments,
                                  const struct reach *reach, struct diag *diag)
{
    struct finder finder = {.arena = arena, .reach = reach, .diag = diag};
    uint32_t errors = diag->errors;
    for (uint32_t i = 0; i < arguments->count; i++)
        find(&finder, arguments->items[i]);
    struct run_inputs inputs = keep_shard(&finder, arguments);
    if (inputs.count == 0 && finder.files.count && diag->errors == errors)
        diag_warning(diag, DIAG_CLI_NO_TESTS, NOWHERE,
                     "shard %u of %u has no tests: there are %zu in all", arguments->shard,
                     arguments->shards, finder.files.count);
    const char **lists = ARENA_ARRAY(arena, const char *, finder.lists.count);
    for (size_t i = 0; i < finder.lists.count; i++)
        lists[i] = finder.lists.items[i];
    inputs.lists = lists;
    inputs.list_count = finder.lists.count;
    inputs.unread = diag->errors - errors;
    VEC_FREE(&finder.files);
    VEC_FREE(&finder.lists);
    VEC_FREE(&finder.open);
    return inputs;
}
