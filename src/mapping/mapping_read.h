/* mapping_read: the state of reading a mapping file. Private to mapping_read*.c.
 *
 *   mapping_read        rules, schemes, files
 *   mapping_read_items  what a rule inserts
 *   mapping_read_words  words, and errors about unexpected ones */
#ifndef CRASHLIT_MAPPING_READ_H
#define CRASHLIT_MAPPING_READ_H

#include "base/table.h"
#include "mapping/mapping.h"
#include "litmus/lit_uses.h"

struct lit_reading {
    struct arena *arena;
    struct intern *names;
    struct diag *diag;
    const struct source *source;
    size_t at;             /* the next byte that is not blank */
    uint32_t line, column; /* of it */
    const char *word;      /* the word there, interned; "" at the end */
    struct span span;
    uint32_t items;
    uint32_t nested;
    VEC(const char *) unknown; /* functions that were reported */
    bool failed;               /* a fault was reported */
    bool stopped;              /* what follows a fault cannot be read */
    struct lit_syntax syntax;  /* for the definition files */
    struct lit_definitions definitions;
    struct lit_scheme *scheme; /* being read, as the rule */
    struct lit_rule *rule;
};

/* The words of mapping files. */
/* clang-format off */
#define MAPPING_WORDS(X)                                                                           \
    X(uses) X(pragma) X(everywhere) X(scope) X(promises) X(under) X(after) X(instead) X(of)        \
    X(store) X(at) X(end) X(every) X(iterations) X(launches) X(each) X(stored) X(launched)         \
    X(join) X(first) X(keep)
/* clang-format on */
TABLE_WORDS(mapping_word, MAPPING_WORDS);
#define MAPPING_WORD(word) TABLE_WORD(mapping_word, word)

#define READING_FAIL(reading, id, ...) \
    ((void)((reading)->failed = true), diag_error((reading)->diag, id, __VA_ARGS__))
#define READING_FAULT(reading, ...) READING_FAIL(reading, DIAG_LIT_MAPPING, __VA_ARGS__)

/* ---- mapping_read_words ---- */

/* Goes to the next word. */
void lit_reading_next(struct lit_reading *reading);
bool lit_reading_is(const struct lit_reading *reading, const char *word);
bool lit_reading_is_name(const struct lit_reading *reading);
bool lit_reading_is_letter(char c);
/* Reports an unexpected word, only the first time, and returns false. `words`: a list whose nearest
 * word is suggested, or NULL. */
bool lit_reading_unexpected_at(struct lit_reading *reading, struct span span, const char *word,
                               const char *expected, const char *const *words, size_t count);
/* lit_reading_unexpected_at for the present word. */
bool lit_reading_unexpected(struct lit_reading *reading, const char *expected,
                            const char *const *words, size_t count);
/* Takes that word, or a name; false after reporting another word. */
bool lit_reading_take(struct lit_reading *reading, const char *word);
bool lit_reading_take_name(struct lit_reading *reading, const char *what, const char **name);

/* ---- mapping_read_items ---- */

/* Reads statements up to a '}' or the next rule. */
const struct lit_item *lit_reading_items(struct lit_reading *reading);

#endif
