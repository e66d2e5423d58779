#include "lsp/lsp_words.h"

#include <string.h>

const struct lsp_word lsp_words[] = {
#define WORD(language, class, text, meaning) {LSP_##language, LSP_WORD_##class, text, meaning},
#include "lsp/lsp_words.def"
#undef WORD
};
const size_t lsp_word_count = sizeof lsp_words / sizeof *lsp_words;

const unsigned char lsp_word_items[] = {
#define X(name, item) item,
    LSP_WORD_CLASSES(X)
#undef X
};

static const struct lsp_word *find_row(enum lsp_language language, const char *text, size_t length)
{
    return FIND(i, lsp_words, lsp_word_count,
                lsp_words[i].language == language && strlen(lsp_words[i].text) == length &&
                    memcmp(lsp_words[i].text, text, length) == 0);
}

/* The method in `atomic_METHOD` and `atomic_METHOD_explicit`. */
static const struct lsp_word *find_method(const char *text)
{
    static const char head[] = "atomic_", tail[] = "_explicit";
    if (strncmp(text, head, strlen(head)) != 0)
        return NULL;
    text += strlen(head);
    size_t length = strlen(text);
    if (length > strlen(tail) && strcmp(text + length - strlen(tail), tail) == 0)
        length -= strlen(tail);
    const struct lsp_word *word = find_row(LSP_LITMUS, text, length);
    return word && word->class == LSP_WORD_METHOD ? word : NULL;
}

enum lsp_language lsp_word_language(enum lsp_language language)
{
    return language == LSP_DEF ? LSP_LITMUS : language;
}

const struct lsp_word *lsp_word_find(enum lsp_language language, const char *text)
{
    language = lsp_word_language(language);
    const struct lsp_word *word = find_row(language, text, strlen(text));
    if (word || language != LSP_LITMUS)
        return word;
    word = find_method(text);
    if (word || !strchr(text, '.'))
        return word;
    word = find_row(language, text, strcspn(text, "."));
    return word && (word->class == LSP_WORD_PTX || word->class == LSP_WORD_BARRIER) ? word : NULL;
}

static bool is_part(enum lsp_language language, char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (c == '.' && language != LSP_MACHINE) ||
           (c == '-' && (language == LSP_CAT || language == LSP_MACHINE || language == LSP_MAP));
}

/* In a test a point joins the parts of an instruction, and what a method is called on. */
static void leave_receiver(const char *line, size_t at, size_t *from, size_t *to)
{
    for (size_t i = *from; i < *to; i++)
        if (line[i] == '.' && line[*to] == '(') {
            if (i < at)
                *from = i + 1;
            else
                *to = i;
        }
}

const char *lsp_word_at(struct arena *arena, const struct source *source,
                        enum lsp_language language, struct lsp_position position, struct span *span)
{
    uint32_t number, column;
    size_t length;
    lsp_position_in(source, position, &number, &column);
    language = lsp_word_language(language);
    const char *line = source_line(source, number, &length);
    size_t at = column - 1, from = at, to = at;
    while (from > 0 && is_part(language, line[from - 1]))
        from--;
    while (to < length && is_part(language, line[to]))
        to++;
    if (language == LSP_LITMUS && to < length)
        leave_receiver(line, at, &from, &to);
    if (from == to)
        return NULL;
    *span = (struct span){source, number, (uint32_t)from + 1, number, (uint32_t)to + 1};
    return arena_strndup(arena, line + from, to - from);
}
