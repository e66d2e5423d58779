/* reach: which files a test or a model may name, and where they are looked for.
 *
 * Tests and models may be a stranger's, and what they name is read, and quoted in messages. So that
 * is a file whose real path, all links followed, is below the folder of the file that names it, or
 * below a folder that the user permits, and ends as what is named does: a model in REACH_MODELS, a
 * definition file in REACH_DEFINITIONS, another test in REACH_TESTS, compiled
 * code in REACH_CODE. Any other is refused in one
 * and the same way, whether it is there or not.
 *
 * Ownership: a reach points to texts of the user's options.
 */
#ifndef CRASHLIT_REACH_H
#define CRASHLIT_REACH_H

#include "base/source.h"
#include "base/strbuf.h"

enum { REACH_MAX_FOLDERS = 32 };

/* How names of files may end, with blanks between. */
#define REACH_MODELS ".cat .bell"
#define REACH_DEFINITIONS ".def"
#define REACH_TESTS ".litmus"
#define REACH_CODE ".ptx"

/* What the user adds. Zeroed: nothing. */
struct reach {
    const char
        *searched[REACH_MAX_FOLDERS]; /* looked into, in order, after the file's own folder */
    const char *permitted[REACH_MAX_FOLDERS]; /* may be named by a path */
    uint32_t searched_count, permitted_count;
};

enum reach_answer {
    REACH_FOUND,
    REACH_MISSING,   /* no such file below the folder */
    REACH_REFUSED,   /* elsewhere, or nowhere: that is not told */
    REACH_UNREADABLE /* it is there, and may be read, and *why says why it cannot */
};

/* The folder of a file as its path says it, with the final '/'; "" for the current one. */
const char *reach_folder(struct arena *arena, const char *path);

/* The path by which `name` is to be opened that stands in a file of `folder`: beside that file, or
 * else in the first searched folder where there is such a file. Without one beside that file all
 * the same. A `folder` of NULL is that of a text in memory. */
const char *reach_find(struct arena *arena, const struct reach *reach, const char *folder,
                       const char *name);

/* Loads such a path, if a file of `folder` may name it and it has one of the endings. `source` and
 * `why` are set as the answer says. */
enum reach_answer reach_load(struct arena *arena, const struct reach *reach, const char *folder,
                             const char *path, const char *endings, const struct source **source,
                             const char **why) __attribute__((warn_unused_result));

/* Is the real path of `path` that of one of the searched or permitted folders, or of `folder`
 * (NULL: none), or below? */
bool reach_covers(const struct reach *reach, const char *folder, const char *path);

/* A folder in which many paths are looked at, and where the last of them stood. */
struct reach_within {
    const char *real; /* NULL: there is none */
    struct strbuf at; /* the text of a path up to its name */
    int folder;       /* what that named, open, if it is here or below; else -1 */
};

void reach_within_init(struct reach_within *within, struct arena *arena, const char *folder);
void reach_within_fini(struct reach_within *within);

/* As reach_load for a path that may name what is in such a folder or below and has one of the
 * endings, and any file below a searched or permitted folder; REACH_MISSING is REACH_REFUSED. Paths
 * that follow one another and differ in their names alone have their folder opened once. */
enum reach_answer reach_load_within(struct arena *arena, const struct reach *reach,
                                    struct reach_within *within, const char *path,
                                    const char *endings, const struct source **source,
                                    const char **why) __attribute__((warn_unused_result));

/* Does the real path of `path` end so? */
bool reach_leads_to(const char *path, const char *suffix);

/* Does the path end in one of these endings, and is more than that? */
bool reach_ends(const char *path, const char *endings);
/* Is what names a file, or something that is built in, a path: with a '/', or ending so? */
bool reach_is_path(const char *name, const char *endings);

/* How to mend a refusal of what ends so. */
#define REACH_ADVICE(ending)                                                                      \
    "expected a file that ends in " ending " in the folder of the file that names it, or below; " \
    "copy it there, or permit its folder with --allow-path FOLDER"

#endif
