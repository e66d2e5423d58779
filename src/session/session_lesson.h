/* session_lesson: the lessons of docs/tutorial, which are built in as they are written.
 *
 * tools/lessons.py reads the same files strictly, before they are built in; what is not of the form that
 * docs/tutorial/README.md tells is a fault of this program here. The page judges answers as
 * `exercise`, `narrow` and `pairs` say, and so does `crashlit lesson`.
 *
 * Ownership: all of a lesson is in the arena.
 */
#ifndef CRASHLIT_SESSION_LESSON_H
#define CRASHLIT_SESSION_LESSON_H

#include "base/source.h"

extern const struct source_builtin lesson_builtins[];
extern const size_t lesson_builtin_count;

enum { SESSION_LESSON_MOST = 8 /* pairs, and files */ };

struct session_lesson {
    uint32_t number;
    const char *name, *title;
    const char *shown; /* the text: links are their words, blocks stand between bare fences; without
                          what is folded */
    const char *start; /* the test that the exercise begins with */
    const char *exercise; /* the same, and the conditions that are asked besides */
    bool narrow;          /* nothing may be wider than needed, or needless */
    struct session_lesson_pair {
        const char *visibility, *persistency;
    } pairs[SESSION_LESSON_MOST]; /* under each of which an answer has to hold */
    struct session_lesson_file {
        const char *name, *text;
    } files[SESSION_LESSON_MOST]; /* models that tests of the lesson name */
    uint32_t pair_count, file_count;
};

/* By its number, or its name; NULL: there is none. */
const struct session_lesson *session_lesson_find(struct arena *arena, const char *word);
/* "one-sided" of "04-one-sided.md". */
const char *session_lesson_name(struct arena *arena, const struct source_builtin *builtin);
const struct session_lesson *session_lesson_read(struct arena *arena,
                                                 const struct source_builtin *builtin);
/* What stands behind "lesson:", in place of the path of an exercise; NULL: it is a path. */
const char *session_lesson_word(const char *path);

#endif
