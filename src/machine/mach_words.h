/* mach_words: the words of a statement in a machine's file, taken one after the other. Private to
 * the parser of pipelines.
 *
 * What takes a word returns false, with an error in `diag`, when another stands here, and then
 * stays where it is. Names live in the arena.
 */
#ifndef CRASHLIT_MACH_WORDS_H
#define CRASHLIT_MACH_WORDS_H

#include "base/diag.h"

/* Of one character, such as `:`, or a name, behind a ' perhaps. */
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

/* Cuts a line of `length` bytes, and begins with its first word. */
bool words_cut(struct mach_words *words, const char *text, size_t length);
const struct mach_word *words_here(const struct mach_words *words);
bool words_are_at(const struct mach_words *words, const char *text);
bool words_are_at_end(const struct mach_words *words);
/* What stands here is not what is expected. False, for the caller to hand on. */
bool words_refuse(struct mach_words *words, enum diag_id id, const char *expected);
bool words_take(struct mach_words *words, const char *text);
bool words_take_end(struct mach_words *words);
/* The number of the word here in a list; its length when it is none of them. */
uint32_t words_find(const struct mach_words *words, const char *const *list, size_t count);
/* One of a list, of which `what` says what they are. */
bool words_take_of(struct mach_words *words, const char *what, const char *const *list,
                   size_t count, uint32_t *found);
bool words_take_name(struct mach_words *words, const char *what, const char **name);

#endif
