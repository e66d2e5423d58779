/* mach_words: the words of a statement in a machine's file, taken one after the other. Private to
 * the parser of pipelines.
 *
 * A function that takes a word returns false, with an error in `diag`, when another word stands
 * here; then it does not move. Names live in the arena. */
#ifndef CRASHLIT_MACH_WORDS_H
#define CRASHLIT_MACH_WORDS_H

#include "base/diag.h"

/* A single character such as `:`, or a name, perhaps behind a '. */
struct mach_word {
    const char *text; /* NULL: the end of the line */
    bool name, quoted;
    struct span span;
};

enum { MACH_MOST_WORDS = 64 };

struct mach_words {
    struct arena *arena;
    const struct source *source;
    struct diag *diag;
    uint32_t line;                              /* its number */
    struct mach_word list[MACH_MOST_WORDS + 1]; /* the last is the line's end */
    uint32_t at;
};

/* Splits a line of `length` bytes, and goes to its first word. */
bool words_cut(struct mach_words *words, const char *text, size_t length);
const struct mach_word *words_here(const struct mach_words *words);
bool words_are_at(const struct mach_words *words, const char *text);
bool words_are_at_end(const struct mach_words *words);
/* Reports that the word here is not what is expected. Returns false, for the caller to return. */
bool words_refuse(struct mach_words *words, enum diag_id id, const char *expected);
bool words_take(struct mach_words *words, const char *text);
bool words_take_end(struct mach_words *words);
/* The number in `list` of the word here; `count`: it is none of them. */
uint32_t words_find(const struct mach_words *words, const char *const *list, size_t count);
/* Takes a word of a list; `what` says what its words are. */
bool words_take_of(struct mach_words *words, const char *what, const char *const *list,
                   size_t count, uint32_t *found);
bool words_take_name(struct mach_words *words, const char *what, const char **name);

#endif
