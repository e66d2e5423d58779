/* sketch_scan: finds the holes of a text, and the kinds that each can have. Private to sketch*.c.
 *
 * The call, instruction or braces around a hole tell its kind. If several kinds remain, its limits
 * or other holes of its name decide.
 */
#ifndef CRASHLIT_SKETCH_SCAN_H
#define CRASHLIT_SKETCH_SCAN_H

#include "sketch/sketch.h"
#include "litmus/lit_uses.h"

/* A hole as it is written, at one place. */
struct lit_hole {
    enum sketch_open_kind kind; /* of a word: when it is settled */
    bool is_word;               /* SCOPE, ORDER or TAG */
    bool may_be[3];             /* the kinds that are possible; values are then those of `can` */
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
    const struct lit_weaker *weaker; /* tags in their orders, of the first test that has some */
    uint32_t weaker_count;
    VEC(struct lit_hole) items;
};

/* Adds the holes of a file. Reports holes at places where none may stand. `definitions` are those
 * that the file may call; `blind`: it may call others, too. */
void sketch_scan(struct lit_holes *holes, const struct source *source, uint32_t file,
                 const struct lit_definitions *definitions, bool blind);
/* Sets dialect and definition files of `syntax->test`, even if the rest of the text is faulty. */
void sketch_uses(struct lit_syntax *syntax);

/* ---- sketch ---- */

/* Makes the choices of all holes; false after reporting. */
bool sketch_choose(struct lit_holes *holes, const char *kinds, struct sketch *sketch)
    __attribute__((warn_unused_result));

/* ---- sketch_words ---- */

/* Is it a statement of the user's own? */
bool sketch_is_own(const struct sketch_open_value *value);

/* Splits a list at its commas, except commas in parentheses. */
const char *const *sketch_split(struct arena *arena, const char *text, const char *end,
                                uint32_t *count);
/* Sorts values by their meanings. */
void sketch_sort(struct sketch_open_value *values, uint32_t count);
/* The scopes of C-like dialects; those of the orders, a bit each, that are in the mask. */
struct sketch_open_values sketch_scopes(struct arena *arena);
struct sketch_open_values sketch_orders(struct arena *arena, uint32_t mask);
/* Each tag behind those that are weaker. */
struct sketch_open_values sketch_tags(const struct lit_holes *holes, const char *const *list,
                                      uint32_t count);
const uint64_t *sketch_tag_order(const struct lit_holes *holes,
                                 const struct sketch_open_value *values, uint32_t count);
/* The values of a slot: the statements of `kinds`, or all if that is NULL. */
struct sketch_open_values sketch_statements(struct arena *arena, const char *const *kinds,
                                            uint32_t count, const struct lit_writing *writing);
/* Does the word stand for that value in some dialect? Examples: `wi`, `memory_scope_work_item`,
 * `thread`. */
bool sketch_means(enum sketch_open_kind kind, const char *word,
                  const struct sketch_open_value *value);
/* The kind of the word: SCOPE, ORDER, or else TAG. */
enum sketch_open_kind sketch_kind(const char *word);
/* Are both the same value, perhaps in words of two dialects? */
bool sketch_same(const struct sketch_open_value *a, const struct sketch_open_value *b);

#endif
