#define _GNU_SOURCE /* for the functions of glob */
#include "run/run_inputs.h"

#include "base/source.h"
#include "run/run_await.h"
#include "run/run_pool.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Links between folders make many paths of few files, and so do lists that name lists and patterns
 * that go up and down. */
enum { MAX_DEPTH = 64, MAX_FILES = 1000000, MAX_ENTRIES = 1000000 };
/* Lists that are read, as often as they are; bytes of lists and of names in all; of a name. */
enum { MAX_LISTS = 10000, MAX_BYTES = 256 << 20, MAX_NAME = 65536 };
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
    size_t entries;         /* that were met below folders, in lists and by patterns */
    size_t bytes, most;     /* of lists, and of the names of these; how many there may be */
    bool expands;           /* there was a list or pattern: few bytes of it can name very many */
    bool spent;             /* a limit was met, which was told: nothing more is looked at */
    bool interrupted;       /* a signal has come: likewise, and the run ends when it begins */
};

static bool has_ended(const struct finder *finder)
{
    return finder->spent || finder->interrupted;
}

static bool spend_all(struct finder *finder, const char *what, const char *limit)
{
    if (!finder->spent)
        diag_error(finder->diag, DIAG_FILE_READ, NOWHERE, "'%s': more than %s: check them in parts",
                   what, limit);
    finder->spent = true;
    return true;
}

/* Counts so many bytes. Once past the bound nothing more is looked at. */
static bool is_too_much(struct finder *finder, const char *what, size_t bytes)
{
    finder->bytes += bytes;
    if (finder->bytes <= finder->most)
        return false;
    return spend_all(
        finder, what,
        arena_printf(finder->arena, "%zu MiB%s of lists and names, as often as they are met",
                     finder->most >> 20, finder->most < MAX_BYTES ? " (--memory)" : ""));
}

/* Counts one that is looked at. */
static bool is_spent(struct finder *finder, const char *what, size_t bytes)
{
    if (finder->entries++ % 64 == 0)
        finder->interrupted |= run_pool_is_interrupted();
    if (finder->entries > MAX_ENTRIES)
        spend_all(finder, what,
                  "1000000 files and folders, as links, lists and patterns count them");
    return is_too_much(finder, what, bytes) || has_ended(finder);
}

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

static bool is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

/* A stranger's folder may hold a link that is called as a test and leads to what is none: its lines
 * would be quoted. So it is with a shell's pattern for names. */
static bool is_disguised(const struct finder *finder, const char *link)
{
    return text_ends(link, ".litmus") && !reach_leads_to(link, ".litmus") &&
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
    bool test = text_ends(path, ".litmus"), there = lstat(path, &status) == 0;
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
        if (has_ended(finder))
            break;
        else if (entry->d_name[0] != '.' &&
                 !is_spent(finder, folder, strlen(folder) + strlen(entry->d_name) + 2))
            VEC_PUSH(&names, arena_printf(finder->arena, "%s/%s", folder, entry->d_name));
    if (errno)
        refuse_folder(finder, folder);
    closedir(handle);
    if (names.count)
        qsort(names.items, names.count, sizeof *names.items, text_order);
    for (size_t i = 0; i < names.count && !has_ended(finder); i++)
        find_entry(finder, names.items[i]);
    VEC_FREE(&names);
}

static void find_argument(struct finder *finder, const char *argument);

/* A path in a list is seen from the list's folder, behind '@' too. */
static const char *beside(struct finder *finder, const char *list, const char *path)
{
    const char *slash = strrchr(list, '/'), *at = path[0] == '@' ? "@" : "";
    path += strlen(at);
    if (path[0] == '/' || !slash)
        return path - strlen(at);
    return arena_printf(finder->arena, "%s%.*s/%s", at, (int)(slash - list), list, path);
}

typedef VEC(const char *) names;

static void refuse_list(struct finder *finder, const char *list, const char *why)
{
    diag_error(finder->diag, DIAG_FILE_READ, NOWHERE, "cannot read list '%s': %s", list, why);
}

static bool is_path(const char *line)
{
    return line[strspn(line, " \t")] && *line != '#';
}

/* Reads a line without its end, which is that of any system. False at the end of the file, and
 * where no line of a list is. */
static bool read_name(FILE *file, struct strbuf *line, const char **why)
{
    int c = EOF;
    strbuf_clear(line);
    while (line->length <= MAX_NAME && (c = getc_unlocked(file)) != EOF && c != '\n' && c != '\r') {
        if (!c)
            *why = "found a NUL, expected a path a line";
        strbuf_add_char(line, (char)c);
    }
    if (line->length > MAX_NAME)
        *why = "a line of more than 64 KiB, expected a path a line";
    return !*why && (c != EOF || line->length);
}

/* False where it cannot be read: then it has no names. */
static bool read_names(struct finder *finder, FILE *file, const char *list, names *found)
{
    SCOPED(strbuf) line = {0};
    const char *why = NULL;
    bool first = true;
    while (!has_ended(finder) && read_name(file, &line, &why)) {
        const char *name = strbuf_text(&line);
        if (first && strncmp(name, SOURCE_MARK, strlen(SOURCE_MARK)) == 0)
            name += strlen(SOURCE_MARK);
        first = false;
        if (!is_path(name))
            (void)is_too_much(finder, list, line.length + 1);
        else if (!is_spent(finder, list, line.length + strlen(list) + 2))
            VEC_PUSH(found, beside(finder, list, arena_strdup(finder->arena, name)));
    }
    if (ferror(file))
        why = strerror(errno);
    if (why)
        refuse_list(finder, list, why);
    return !why;
}

/* Of any size: `generate` writes long ones. */
static void find_in_list(struct finder *finder, const char *list)
{
    const char *why;
    names found = {0};
    finder->expands = true;
    VEC_PUSH(&finder->lists, list);
    if (finder->lists.count > MAX_LISTS) {
        spend_all(finder, list, "10000 lists, each as often as it is named");
        return;
    }
    FILE *file = run_await_open(finder->arena, list, &why);
    if (!file) {
        refuse_list(finder, list, why);
        return;
    }
    bool whole = read_names(finder, file, list, &found);
    fclose(file);
    for (size_t i = 0; i < found.count && whole && !has_ended(finder); i++)
        find_argument(finder, found.items[i]);
    VEC_FREE(&found);
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

/* glob hands nothing to the functions that it looks with: what it looks for, and for whom. */
static struct {
    struct finder *finder;
    const char *pattern;
} matching;

/* Where glob takes no such functions, as in a browser, its own look, and only folders are refused.
 */
#ifdef GLOB_ALTDIRFUNC
static bool may_look(const char *name)
{
    return !is_spent(matching.finder, matching.pattern, strlen(name) + 1);
}

static void *open_folder(const char *path)
{
    errno = EMFILE;
    return may_look(path) ? opendir(path) : NULL;
}

static struct dirent *read_folder(void *folder)
{
    struct dirent *entry = readdir(folder);
    return entry && may_look(entry->d_name) ? entry : NULL;
}

static void close_folder(void *folder)
{
    closedir(folder);
}

static int look_at(const char *restrict path, struct stat *restrict status)
{
    errno = ENOENT;
    return may_look(path) ? stat(path, status) : -1;
}

static int look_at_link(const char *restrict path, struct stat *restrict status)
{
    errno = ENOENT;
    return may_look(path) ? lstat(path, status) : -1;
}

static void look_with_these(glob_t *found)
{
    found->gl_opendir = open_folder;
    found->gl_readdir = read_folder;
    found->gl_closedir = close_folder;
    found->gl_stat = look_at;
    found->gl_lstat = look_at_link;
}
#else
enum { GLOB_ALTDIRFUNC = 0 };
static void look_with_these(glob_t *found)
{
    (void)found;
}
#endif

static int refuse_more(const char *path, int error)
{
    (void)path, (void)error;
    return has_ended(matching.finder);
}

static int match(struct finder *finder, const char *pattern, glob_t *found)
{
    *found = (glob_t){0};
    look_with_these(found);
    finder->expands = true;
    matching.finder = finder;
    matching.pattern = pattern;
    return glob(pattern, GLOB_NOSORT | GLOB_ALTDIRFUNC, refuse_more, found);
}

static void find_matches(struct finder *finder, const char *pattern)
{
    glob_t found;
    if (has_too_many_parts(pattern)) {
        refuse_file(finder, pattern, "a pattern with more than 256 parts");
        return;
    }
    int result = match(finder, pattern, &found);
    if (result == GLOB_NOSPACE)
        base_fail(BASE_FAILURE_MEMORY, "out of memory (names that match '%s')", pattern);
    if (has_ended(finder)) {
        globfree(&found);
        return;
    }
    if (result != 0) {
        diag_error(finder->diag, DIAG_FILE_READ, NOWHERE,
                   "no file or folder matches '%s'; '*', '?' and '[..]' match within one folder",
                   pattern);
        return;
    }
    qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, text_order);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];
        find_argument(finder,
                      arena_printf(finder->arena, "%s%s", path[0] == '@' ? "./" : "", path));
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

static void find_argument(struct finder *finder, const char *argument)
{
    size_t before = finder->files.count, open = finder->open.count, circles = finder->circles;
    uint32_t errors = finder->diag->errors;
    const char *what = NULL;
    if (has_ended(finder))
        return;
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
    if (what && finder->files.count == before && finder->diag->errors == errors &&
        !has_ended(finder))
        refuse_empty(finder, what, argument, finder->circles > circles);
}

static struct run_named names_of(const struct finder *finder)
{
    const char **paths = ARENA_ARRAY(finder->arena, const char *, finder->files.count);
    for (size_t i = 0; i < finder->files.count; i++)
        paths[i] = finder->files.items[i].path;
    return (struct run_named){paths, finder->files.count};
}

/* Returns how many are left out. */
static size_t choose(struct finder *finder, const struct run_choice *choice)
{
    const size_t all = finder->files.count;
    size_t kept = 0;
    for (size_t i = 0; i < all; i++)
        if (run_choice_takes(choice, finder->files.items[i].path))
            finder->files.items[kept++] = finder->files.items[i];
    finder->files.count = kept;
    if (all && !kept)
        diag_error(finder->diag, DIAG_CLI_NO_TESTS, NOWHERE,
                   "--filter and --exclude leave out every test, %zu in all; expected some to be "
                   "left",
                   all);
    return all - kept;
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
    size_t allowed = (size_t)arguments->memory_mib << 20;
    struct finder finder = {.arena = arena,
                            .reach = reach,
                            .diag = diag,
                            .most = allowed && allowed < MAX_BYTES ? allowed : MAX_BYTES};
    uint32_t errors = diag->errors;
    for (uint32_t i = 0; i < arguments->count; i++)
        find_argument(&finder, arguments->items[i]);
    if (finder.spent && finder.expands)
        finder.files.count = 0;
    const struct run_named named = names_of(&finder);
    run_patterns_warn(&arguments->choice.only, "--filter", &named, diag);
    run_patterns_warn(&arguments->choice.never, "--exclude", &named, diag);
    const size_t left_out = choose(&finder, &arguments->choice);
    struct run_inputs inputs = keep_shard(&finder, arguments);
    inputs.named = named;
    inputs.left_out = left_out;
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
