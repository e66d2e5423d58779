/* sketch_scan: where the holes of a text are, and what can stand there. Private to
 * sketch*.c.
 *
 * What a hole can be is told by the call, instruction or braces that it stands in. Where that
 * leaves several kinds, its limits or the other holes of its name tell.
 */
#ifndef CRASHLIT_SKETCH_SCAN_H
#define CRASHLIT_SKETCH_SCAN_H

#include "sketch/sketch.h"
#include "litmus/lit_uses.h"

/* A hole as it is written, at one place. */
struct lit_hole {
    enum sketch_open_kind kind; /* of a word: when it is settled */
    bool is_word;               /* SCOPE, ORDER or TAG */
    bool may_be[3];             /* which of them; values are then those of `can` */
    struct sketch_open_values can[3];
    bool vague;                  /* nothing but limits or its name tell which */
    size_t wide_begin, wide_end; /* in braces: with a comma, which goes where there is no order */
    bool only;                   /* a statement that has to be there, as an `if`'s */
    bool table;                  /* in rows */
    const struct lit_writing *writing; /* of what stands there */
    const char *name;                  /* or NULL */
    const char *const *list;           /* of `in { }`, or NULL */
    uint32_t list_count;
    struct sketch_open_place place;
};

struct lit_holes {
    struct arena *arena;
    struct diag *diag;
    VEC(struct lit_hole) items;
};

/* Adds the holes of a file; reports those that stand where nothing can be left open. The
 * definitions are those that the file may call; `blind`: it may call others. */
void sketch_scan(struct lit_holes *holes, const struct source *source, uint32_t file,
                 const struct lit_definitions *definitions, bool blind);
/* Sets dialect and definition files of `syntax->test`, whatever the rest of the text is. */
void sketch_uses(struct lit_syntax *syntax);

/* ---- sketch ---- */

/* The choices of all holes; false after reporting. */
bool sketch_choose(struct lit_holes *holes, const char *kinds, struct sketch *sketch)
    __attribute__((warn_unused_result));

/* ---- sketch_words ---- */

/* Is it a statement of the user's own? */
bool sketch_is_own(const struct sketch_open_value *value);

/* Words with commas between that stand in no parentheses. */
const char *const *sketch_split(struct arena *arena, const char *text, const char *end,
                                uint32_t *count);
/* By meaning. */
void sketch_sort(struct sketch_open_value *values, uint32_t count);
/* The scopes of C-like dialects; those of the orders, a bit each, that are in the mask. */
struct sketch_open_values sketch_scopes(struct arena *arena);
struct sketch_open_values sketch_orders(struct arena *arena, uint32_t mask);
struct sketch_open_values sketch_tags(struct arena *arena, const char *const *list, uint32_t count);
/* What a slot can be: the statements of `kinds`, or all where it is NULL. */
struct sketch_open_values sketch_statements(struct arena *arena, const char *const *kinds,
                                            uint32_t count, const struct lit_writing *writing);
/* Is the word one for that value, in any dialect? `wi`, `memory_scope_work_item`, `thread`. */
bool sketch_means(enum sketch_open_kind kind, const char *word,
                  const struct sketch_open_value *value);
/* SCOPE or ORDER, what the word is; else TAG. */
enum sketch_open_kind sketch_kind(const char *word);
/* Are they one value, of places of two dialects perhaps? */
bool sketch_same(const struct sketch_open_value *a, const struct sketch_open_value *b);

#endif
