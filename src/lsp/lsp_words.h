/* lsp_words: the meanings of words in tests, models, machines, mappings and definition files, in
 * one table (lsp_words.def). */
#ifndef CRASHLIT_LSP_WORDS_H
#define CRASHLIT_LSP_WORDS_H

#include "lsp/lsp_question.h"

/* X(class, CompletionItemKind of the protocol) */
#define LSP_WORD_CLASSES(X) \
    X(DIALECT, 14)          \
    X(KEYWORD, 14)          \
    X(VERDICT, 12)          \
    X(TYPE, 25)             \
    X(LEVEL, 20)            \
    X(SCOPE, 20)            \
    X(ORDER, 20)            \
    X(FLAG, 21)             \
    X(METHOD, 2)            \
    X(FUNCTION, 3)          \
    X(BARRIER, 3)           \
    X(PRIMITIVE, 3)         \
    X(PTX, 3)               \
    X(CHECK, 14)

enum lsp_word_class {
#define X(name, item) LSP_WORD_##name,
    LSP_WORD_CLASSES(X)
#undef X
};

struct lsp_word {
    enum lsp_language language;
    enum lsp_word_class class;
    const char *text, *meaning;
};

extern const struct lsp_word lsp_words[];
extern const size_t lsp_word_count;
extern const unsigned char lsp_word_items[]; /* by class */

/* The language whose words a text of `language` has: a definition file has those of tests. */
enum lsp_language lsp_word_language(enum lsp_language language);

/* Finds the row of a word; NULL: the word is unknown. `atomic_fetch_add_explicit` is found as the
 * method in its middle, `ld.weak` by the part before the first dot. */
const struct lsp_word *lsp_word_find(enum lsp_language language, const char *text);

/* The word around a byte of the source, and its place; NULL: there is none. It is in the arena.
 * Names in models, machines and mappings may have hyphens. */
const char *lsp_word_at(struct arena *arena, const struct source *source,
                        enum lsp_language language, struct lsp_position position,
                        struct span *span);

#endif
