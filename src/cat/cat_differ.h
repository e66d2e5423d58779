/* cat_differ: which definitions and checks of a model's files are others in another revision of it.
 *
 * What differs in blanks or comments alone is the same. A statement has a name: what it defines, what
 * a check is called, else its first word. Of one name the first that is gone and the first that is
 * new are one change. Of a statement that has others within it the lines are told that differ.
 * Ownership: everything lives in the arena. Cost: quadratic in the number of
 * statements that differ, linear in the text. */
#ifndef CRASHLIT_CAT_DIFFER_H
#define CRASHLIT_CAT_DIFFER_H

#include "cat/cat_model.h"

/* MOVED: the same text, at another place among the most that stand in the order that they had.
 * X(identifier, word). */
#define CAT_DIFFERENCES(X) \
    X(CHANGED, "changed") X(ADDED, "added") X(REMOVED, "removed") X(MOVED, "moved")

enum cat_difference_kind {
#define X(identifier, word) CAT_DIFFERENCE_##identifier,
    CAT_DIFFERENCES(X)
#undef X
        CAT_DIFFERENCE_COUNT
};

struct cat_difference {
    enum cat_difference_kind kind;
    const char *rule;
    struct span places[2]; /* in the old files and the new ones; without a source: in none */
    const char *texts[2];  /* in one line, without comments; "": no part; NULL: there is none */
};

struct cat_differences {
    const struct cat_difference *items; /* as the new files have them, then what is gone */
    size_t count;
};

/* The files are those of two models that can be loaded (cat_model_sources). */
struct cat_differences cat_differ(struct arena *arena, const struct cat_variants *variants,
                                  const struct cat_sources *old_files,
                                  const struct cat_sources *new_files);
const char *cat_difference_word(enum cat_difference_kind kind);

#endif
